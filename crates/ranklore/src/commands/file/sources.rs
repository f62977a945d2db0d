//! `ranklore sources` and `ranklore source list`

use clap::Args;
use ranklore_contest::ContestTime;
use ranklore_replay::{ListedSource, load_source_list};
use ranklore_store::{Store, SyncRun};

use crate::exit::Exit;
use crate::output::{TextTable, format_count, or_dash};
use crate::paging::PagingArgs;
use crate::{GlobalArgs, values};

/// List the sources of the database: contests, results, dates, runs, last sync
///
/// The same list as ranklore source list. ranklore source show has the settings and the runs of one
/// source; ranklore mine --help lists the sites that can be synced.
#[derive(Debug, Args)]
pub(crate) struct SourcesArgs {
    /// Count only contests that had ended by the end of this day, or by this time
    #[arg(long, value_name = "DATE", value_parser = values::parse_end_time)]
    as_of: Option<ContestTime>,
    #[command(flatten)]
    paging: PagingArgs,
}

impl SourcesArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        let snapshot = store.snapshot()?;
        let page = load_source_list(&store, self.as_of, self.paging.page())?;
        drop(snapshot);
        global.print_list(&page, &COLUMNS, || {
            print_rows(&page.rows)?;
            self.paging.print_rest(page.total, page.rows.len())
        })?;
        Ok(Exit::Done)
    }
}

/// The columns of CSV.
pub(crate) const COLUMNS: [&str; 16] = [
    "source",
    "contests",
    "results",
    "competitors",
    "documents",
    "first_ends_at",
    "last_ends_at",
    "runs",
    "default_system",
    "last_sync.kind",
    "last_sync.started_at",
    "last_sync.finished_at",
    "last_sync.added",
    "last_sync.revised",
    "last_sync.unchanged",
    "last_sync.refused",
];

/// Returns the time and the kind of a sync: `2024-01-31 18:00, import`.
pub(crate) fn describe_sync(last: SyncRun) -> String {
    let end = values::format_minute(last.finished_at.get());
    format!("{end}, {}", last.kind.as_str())
}

fn print_rows(rows: &[ListedSource]) -> std::io::Result<()> {
    TextTable::new(rows)
        .left("source", |row| row.source.name.clone())
        .right("contests", |row| format_count(row.source.contests))
        .right("results", |row| format_count(row.source.results))
        .right("competitors", |row| format_count(row.source.competitors))
        .right("documents", |row| format_count(row.source.documents))
        .left("from", |row| day_or_dash(row.source.first_ends_at))
        .left("to", |row| day_or_dash(row.source.last_ends_at))
        .right("runs", |row| row.runs.to_string())
        .left("system", |row| row.default_system.to_owned())
        .left("last sync", |row| or_dash(row.last_sync.map(describe_sync)))
        .print()
}

/// Returns the day, or a dash.
pub(crate) fn day_or_dash(at: Option<i64>) -> String {
    or_dash(at.map(values::format_day))
}
