//! `ranklore sources`

use clap::Args;
use ranklore_contest::UnixSeconds;
use ranklore_store::{SourceRow, Store, SyncRun};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{TextTable, format_count, or_dash};
use crate::paging::{ListPage, PagingArgs};
use crate::{GlobalArgs, values};

/// List the sources: contests, results, dates, last sync
#[derive(Debug, Args)]
pub(crate) struct SourcesArgs {
    /// Count only contests that had ended by the end of this day, or by this time
    #[arg(long, value_name = "DATE", value_parser = values::parse_end_time)]
    as_of: Option<UnixSeconds>,
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
        let mut rows = Vec::new();
        for source in self.paging.select(sources) {
            let last_sync = store.last_sync(source.source_id)?;
            rows.push(ListedSource { source, last_sync });
        }
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
        global.print_result(&page, text)?;
        Ok(Exit::Done)
    }
}

/// A source and its last sync.
#[derive(Serialize)]
struct ListedSource {
    /// The source and its counts.
    #[serde(flatten)]
    source: SourceRow,
    /// The newest sync that changed something; `None` if there was none.
    last_sync: Option<SyncRun>,
}

fn print_rows(rows: &[ListedSource]) -> std::io::Result<()> {
    let synced = |last: SyncRun| {
        let (at, kind) = (last.finished_at.get(), last.kind.as_str());
        format!("{}, {kind}", values::format_minute(at))
    };
    TextTable::new(rows)
        .left("source", |of| of.source.name.clone())
        .right("contests", |of| format_count(of.source.contests))
        .right("results", |of| format_count(of.source.results))
        .right("competitors", |of| format_count(of.source.competitors))
        .right("documents", |of| format_count(of.source.documents))
        .left("from", |of| day_or_dash(of.source.first_ends_at))
        .left("to", |of| day_or_dash(of.source.last_ends_at))
        .left("last sync", |of| or_dash(of.last_sync.map(synced)))
        .print()
}

/// Returns the day, or a dash.
pub(crate) fn day_or_dash(at: Option<i64>) -> String {
    or_dash(at.map(values::format_day))
}
