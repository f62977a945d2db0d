//! `ranklore movers`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_store::Store;
use ranklore_views::{List as _, MoverList, Movers, MoversRequest, find_display, load_movers};

use crate::commands::ratings::leaderboard::{describe_growth, describe_provisional_ratings};
use crate::commands::source_argument::resolve_source;
use crate::exit::Exit;
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{format_plural, output_format, print_line, print_table};
use crate::run_choice::describe_run;
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
    #[command(flatten)]
    request: MoversRequest,
    #[command(flatten)]
    naming: NamingArgs,
}

impl MoversArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        let mut request = self.request;
        let source = resolve_source(&store, self.source, request.run.run.as_ref())?;
        if request.limit == usize::MAX && !output_format().is_data() {
            request.limit = ROWS;
        }
        request.names = self.naming.policy();
        let movers = load_movers(&store, &source, &request)?;
        drop(snapshot);
        note_pseudonyms(movers.pseudonymised);
        let rows = movers.rows();
        global.print_rows(&movers, &rows, &rows.columns().keys(), || print_movers(&movers))?;
        global.note_run(&store, &request.run, &movers.run, movers.stale)?;
        Ok(Exit::Done)
    }
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
    for list in movers.lists() {
        print_list(&list)?;
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
fn print_list(list: &MoverList<'_>) -> std::io::Result<()> {
    if list.rows.is_empty() {
        return Ok(());
    }
    print_line("")?;
    print_line(&format!("{}:", list.title))?;
    print_table(list.columns(), list.rows)
}
