//! `ranklore movers`

use clap::Args;
use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_replay::{Mover, Movers, MoversRequest, load_movers};
use ranklore_store::Store;

use crate::exit::Exit;
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{TextTable, format_change, format_plural, format_points, or_dash, print_line};
use crate::run_choice::{RunArgs, describe_run};
use crate::{GlobalArgs, values};

/// The default number of rows of each list.
const ROWS: usize = 10;

/// Show the largest gains and losses of rating, new entries and new peaks
///
/// Compares the rating mu of each competitor after its last contest with that before DATE. New
/// entries are the competitors whose first rated contest is in the period. New peaks are those who
/// reached their highest mu in it.
#[derive(Debug, Args)]
pub(crate) struct MoversArgs {
    /// Rated source
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    source: SourceName,
    /// Compare with the ratings before the contests that ended on or after this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_time)]
    since: UnixSeconds,
    /// Only contests that ended before this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_time)]
    until: Option<UnixSeconds>,
    #[command(flatten)]
    run: RunArgs,
    /// Rows of each list [default: 10; all with --json]
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
        let request = MoversRequest {
            source: self.source,
            run: self.run.choice(),
            since: self.since,
            until: self.until,
            limit: (self.limit).unwrap_or(if global.json { usize::MAX } else { ROWS }),
            names: self.naming.policy(),
        };
        let movers = load_movers(&store, &request)?;
        drop(snapshot);
        note_pseudonyms(movers.pseudonymised);
        global.print_result(&movers, || print_movers(&movers))?;
        if movers.stale {
            global.warn_stale(&movers.run);
        }
        Ok(Exit::Done)
    }
}

fn print_movers(movers: &Movers) -> std::io::Result<()> {
    let until = movers.until.map(|until| format!(", before {until}"));
    print_line(&format!(
        "run {}: {} with {} since {}{}",
        describe_run(&movers.run),
        format_plural(movers.contests as u64, "contest"),
        format_plural(movers.competitors as u64, "competitor"),
        movers.since,
        until.unwrap_or_default(),
    ))?;
    print_list("largest gains", &movers.gains, false)?;
    print_list("largest losses", &movers.losses, false)?;
    print_list("new entries", &movers.new_entries, false)?;
    print_list("new peaks", &movers.new_peaks, true)
}

/// Prints a list with its title; nothing without rows.
fn print_list(title: &str, rows: &[Mover], is_peaks: bool) -> std::io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    print_line("")?;
    print_line(&format!("{title}:"))?;
    let table = TextTable::new(rows)
        .left("name", |row| row.competitor.name.clone())
        .right("mu before", |row| or_dash(row.mu_before.map(format_points)))
        .right("mu", |row| format_points(row.mu))
        .right("change", |row| format_change(row.change))
        .right("contests", |row| row.contests.to_string())
        .left("last contest", |row| {
            values::format_day(row.last_contest_at)
        });
    if is_peaks {
        table
            .right("highest mu", |row| format_points(row.highest_mu))
            .print()
    } else {
        table.print()
    }
}
