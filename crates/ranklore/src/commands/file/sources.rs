//! `ranklore sources` and `ranklore source list`

use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::{RunSelection, find_default_system};
use ranklore_store::{RunRow, SourceRow, Store, SyncRun};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{TextTable, format_count, or_dash};
use crate::paging::{ListPage, PagingArgs};
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
        let sources = match self.as_of {
            Some(as_of) => store.sources_as_of(as_of)?,
            None => store.sources()?,
        };
        let total = sources.len();
        let runs = store.runs()?;
        let page = self.paging.select(sources).into_iter();
        let rows: Vec<ListedSource> = page
            .map(|source| ListedSource::load(&store, source, &runs))
            .collect::<anyhow::Result<_>>()?;
        drop(snapshot);
        let page = ListPage {
            total,
            offset: self.paging.offset,
            rows,
        };
        let text = || {
            print_rows(&page.rows)?;
            self.paging.print_rest(total, page.rows.len())
        };
        global.print_list(&page, &COLUMNS, text)?;
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

/// A source, its runs and its last sync.
#[derive(Serialize)]
pub(crate) struct ListedSource {
    /// The source and its counts.
    #[serde(flatten)]
    pub(crate) source: SourceRow,
    /// The number of runs over it, alone or with other sources.
    pub(crate) runs: usize,
    /// The system that rates and shows it by default.
    pub(crate) default_system: &'static str,
    /// The newest sync that changed something; `None` if there was none.
    pub(crate) last_sync: Option<SyncRun>,
}

impl ListedSource {
    /// Loads the facts about a source; `runs` are all runs.
    pub(crate) fn load(store: &Store, source: SourceRow, runs: &[RunRow]) -> anyhow::Result<Self> {
        let name = SourceName::new(source.name.as_str())?;
        let is_over = |run: &&RunRow| {
            let selection = RunSelection::from_canonical_json(&run.selection);
            selection.sources.contains(&name)
        };
        Ok(Self {
            runs: runs.iter().filter(is_over).count(),
            default_system: find_default_system(store, std::slice::from_ref(&name))?
                .system
                .as_str(),
            last_sync: store.last_sync(source.source_id)?,
            source,
        })
    }
}

/// Returns the time and the kind of a sync: `2024-01-31 18:00, import`.
pub(crate) fn describe_sync(last: SyncRun) -> String {
    let (at, kind) = (last.finished_at.get(), last.kind.as_str());
    format!("{}, {kind}", values::format_minute(at))
}

fn print_rows(rows: &[ListedSource]) -> std::io::Result<()> {
    TextTable::new(rows)
        .left("source", |of| of.source.name.clone())
        .right("contests", |of| format_count(of.source.contests))
        .right("results", |of| format_count(of.source.results))
        .right("competitors", |of| format_count(of.source.competitors))
        .right("documents", |of| format_count(of.source.documents))
        .left("from", |of| day_or_dash(of.source.first_ends_at))
        .left("to", |of| day_or_dash(of.source.last_ends_at))
        .right("runs", |of| of.runs.to_string())
        .left("system", |of| of.default_system.to_owned())
        .left("last sync", |of| or_dash(of.last_sync.map(describe_sync)))
        .print()
}

/// Returns the day, or a dash.
pub(crate) fn day_or_dash(at: Option<i64>) -> String {
    or_dash(at.map(values::format_day))
}
