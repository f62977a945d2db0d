//! `ranklore sources`

use clap::Args;
use ranklore_contest::UnixSeconds;
use ranklore_store::{SourceRow, Store, SyncRun};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::output::{Table, count, or_dash};
use crate::paging::Paging;
use crate::{Global, words};

/// List the sources: what there is of each, and what last changed it.
#[derive(Debug, Args)]
pub(crate) struct Sources {
    /// Count contests that had ended by the end of this day, or by this moment
    #[arg(long, value_name = "DATE", value_parser = words::end_of_day_or_moment)]
    as_of: Option<UnixSeconds>,
    #[command(flatten)]
    paging: Paging,
}

impl Sources {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        let snapshot = store.snapshot()?;
        let sources = match self.as_of {
            Some(as_of) => store.sources_as_of(as_of)?,
            None => store.sources()?,
        };
        let total = sources.len();
        let mut rows = Vec::new();
        for source in self.paging.of(sources) {
            let last_sync = store.last_sync(source.source_id)?;
            rows.push((source, last_sync));
        }
        drop(snapshot);
        let json = || {
            let rows = rows.iter().map(|(row, last)| json_of(row, *last));
            self.paging.json(total, rows)
        };
        let text = || {
            say_rows(&rows)?;
            self.paging.say_rest(total, rows.len())
        };
        global.show(json, text)?;
        Ok(Exit::Done)
    }
}

fn say_rows(rows: &[(SourceRow, Option<SyncRun>)]) -> std::io::Result<()> {
    let synced = |last: SyncRun| {
        let (at, kind) = (last.finished_at.get(), last.kind.as_str());
        format!("{}, {kind}", words::minute(at))
    };
    Table::new(rows)
        .left("source", |(of, _)| of.name.clone())
        .right("contests", |(of, _)| count(of.contests))
        .right("results", |(of, _)| count(of.results))
        .right("competitors", |(of, _)| count(of.competitors))
        .right("documents", |(of, _)| count(of.documents))
        .left("from", |(of, _)| day(of.first_ends_at))
        .left("to", |(of, _)| day(of.last_ends_at))
        .left("last sync", |(_, last)| or_dash(last.map(synced)))
        .say()
}

/// The day, where there is one.
pub(crate) fn day(at: Option<i64>) -> String {
    or_dash(at.map(words::day))
}

pub(crate) fn json_of(row: &SourceRow, last: Option<SyncRun>) -> Value {
    json!({
        "source": row.name,
        "contests": row.contests,
        "results": row.results,
        "competitors": row.competitors,
        "documents": row.documents,
        "first_ends_at": row.first_ends_at,
        "last_ends_at": row.last_ends_at,
        "last_sync": last.map(|last| json!({
            "kind": last.kind.as_str(),
            "started_at": last.started_at.get(),
            "finished_at": last.finished_at.get(),
            "added": last.added,
            "revised": last.revised,
            "unchanged": last.unchanged,
            "refused": last.refused,
        })),
    })
}
