//! `ranklore movers`

use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::{Display, Mover, Movers, MoversRequest, find_display, load_movers};
use ranklore_store::Store;
use serde::Serialize;

use crate::commands::ratings::leaderboard::{
    ProvisionalArg, align_rating, describe_growth, describe_provisional_ratings, format_rating,
};
use crate::commands::source_argument::resolve_source;
use crate::exit::Exit;
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{
    TextTable, format_change, format_plural, format_points, or_dash, output_format, print_line,
};
use crate::run_choice::{RunArgs, describe_run};
use crate::{GlobalArgs, values};

/// The default number of rows of each list.
const ROWS: usize = 10;

/// Show the largest gains and losses of rating, new entries and new peaks
///
/// Compares the rating mu of each competitor after its last contest with that before DATE. New
/// entries are the competitors whose first rated contest is in the period. New peaks are those who
/// reached their highest mu in it. Provisional ratings, of which too little is known, are marked ?
/// and listed last.
#[derive(Debug, Args)]
pub(crate) struct MoversArgs {
    /// Rated source [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    source: Option<SourceName>,
    /// Compare with the ratings before the contests that ended on or after this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_time)]
    since: ContestTime,
    /// Only contests that ended before this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_time)]
    until: Option<ContestTime>,
    /// Place of provisional ratings in each list
    #[arg(long, value_name = "HOW", value_enum, default_value = "last")]
    provisional: ProvisionalArg,
    #[command(flatten)]
    run: RunArgs,
    /// Show sigma as stored after the last contest of the period, without its growth since
    #[arg(long)]
    as_stored: bool,
    /// Rows of each list [default: 10 in tables and Markdown, all in the other formats]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    naming: NamingArgs,
}

impl MoversArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        let is_data = output_format().is_data();
        let default_limit = if is_data { usize::MAX } else { ROWS };
        let request = MoversRequest {
            source: resolve_source(&store, self.source, self.run.run.as_ref())?,
            run: self.run.choice(),
            since: self.since,
            until: self.until,
            as_stored: self.as_stored,
            provisional: self.provisional.placement(),
            limit: self.limit.unwrap_or(default_limit),
            names: self.naming.policy(),
        };
        let movers = load_movers(&store, &request)?;
        drop(snapshot);
        note_pseudonyms(movers.pseudonymised);
        let rows = list_rows(&movers);
        global.print_rows(&movers, &rows, &COLUMNS, || print_movers(&movers))?;
        global.note_run(&store, &request.run, &movers.run, movers.stale)?;
        Ok(Exit::Done)
    }
}

/// The columns of CSV.
pub(crate) const COLUMNS: [&str; 15] = [
    "list",
    "name",
    "external_id",
    "rating",
    "provisional",
    "title",
    "conservative",
    "mu_before",
    "mu",
    "sigma",
    "stored_sigma",
    "change",
    "peak_mu",
    "contests",
    "last_contest_at",
];

/// A row of one of the lists, in the formats of rows.
#[derive(Serialize)]
pub(crate) struct ListedMover<'a> {
    /// The key of the list.
    list: &'static str,
    /// The competitor.
    #[serde(flatten)]
    mover: &'a Mover,
}

/// The key, the title and the rows of each list.
fn lists(movers: &Movers) -> [(&'static str, &'static str, &[Mover]); 4] {
    [
        ("gains", "largest gains", &movers.gains),
        ("losses", "largest losses", &movers.losses),
        ("new_entries", "new entries", &movers.new_entries),
        (NEW_PEAKS, "new peaks", &movers.new_peaks),
    ]
}

/// The key of the list of new peaks.
const NEW_PEAKS: &str = "new_peaks";

/// Returns the rows of all lists, one list after the other.
pub(crate) fn list_rows(movers: &Movers) -> Vec<ListedMover<'_>> {
    let rows = lists(movers).into_iter();
    rows.flat_map(|(list, _, rows)| rows.iter().map(move |mover| ListedMover { list, mover }))
        .collect()
}

fn print_movers(movers: &Movers) -> std::io::Result<()> {
    let until = movers.until.map(|until| format!(", before {until}"));
    print_line(&format!(
        "run {}: {} with {} since {}{}{}",
        describe_run(&movers.run),
        format_plural(movers.contests as u64, "contest"),
        format_plural(movers.competitors as u64, "competitor"),
        movers.since,
        until.unwrap_or_default(),
        describe_growth(movers.sigma_as_of),
    ))?;
    let display = find_display(&movers.run);
    for (list, title, rows) in lists(movers) {
        print_list(title, rows, list == NEW_PEAKS, &display)?;
    }
    match describe_provisional_ratings(
        movers.provisional,
        movers.provisional_placement,
        &movers.rule,
        display.decimals,
    ) {
        Some(text) => {
            print_line("")?;
            print_line(&text)
        }
        None => Ok(()),
    }
}

/// Prints a list with its title; nothing without rows.
fn print_list(
    title: &str,
    rows: &[Mover],
    is_peaks: bool,
    display: &Display,
) -> std::io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    print_line("")?;
    print_line(&format!("{title}:"))?;
    let decimals = display.decimals;
    let points = |number| format_points(number, decimals);
    let has_provisional = rows.iter().any(|row| row.provisional);
    TextTable::new(rows)
        .left("name", |row| row.competitor.name.clone())
        .right("rating", |row| {
            let rating = format_rating(display, row.rating, row.provisional);
            rating + align_rating(row.provisional, has_provisional)
        })
        .important()
        .right("mu before", |row| or_dash(row.mu_before.map(points)))
        .right("mu", |row| points(row.mu))
        .right("change", |row| format_change(row.change, decimals))
        .important()
        .right("peak", |row| points(row.peak_mu))
        .important()
        .only_if(is_peaks)
        .right("contests", |row| row.contests.to_string())
        .left("last contest", |row| values::format_day(row.last_contest_at))
        .print()
}
