//! The list of the sources of a database.

use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_store::{RunRow, SourceRow, Store, SyncRun};
use serde::Serialize;

use crate::page::{Extent, Page};
use crate::requests::values::parse_end_time;
use crate::rows::cell::CellValue;
use crate::rows::columns::{Columns, List};
use crate::rows::format::{format_count, format_minute};
use ranklore_replay::{Error, RunSelection, find_default_system};

/// The sources to list.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct SourceListRequest {
    /// Count only contests that had ended by the end of this day, or by this time
    #[arg(long, value_name = "DATE", value_parser = parse_end_time)]
    pub as_of: Option<ContestTime>,
    /// The rows to return.
    #[command(flatten)]
    pub page: Page,
}

/// A page of the sources of a database, by name.
#[derive(Clone, Debug, Serialize)]
pub struct SourceList {
    /// The number of rows on all pages.
    pub total: usize,
    /// The number of rows before this page.
    pub offset: usize,
    /// The rows of this page.
    pub rows: Vec<ListedSource>,
}

/// A source, its runs and its last sync.
#[derive(Clone, Debug, Serialize)]
pub struct ListedSource {
    /// The source and its counts.
    #[serde(flatten)]
    pub source: SourceRow,
    /// The number of runs over it, alone or with other sources.
    pub runs: usize,
    /// The system that rates and shows it by default.
    pub default_system: &'static str,
    /// The newest sync that changed something; `None` if there was none.
    pub last_sync: Option<SyncRun>,
    /// The newest answer of its site, in Unix seconds, also if nothing had changed; `None` without
    /// syncs with a site.
    pub last_answer_at: Option<i64>,
}

impl ListedSource {
    /// Returns the columns of a list of sources.
    pub fn columns() -> Columns<'static, Self> {
        let day = |at: Option<i64>| at.map_or(CellValue::Unknown, CellValue::Day);
        Columns::new()
            .left("source", |row: &Self| CellValue::text(&row.source.name))
            .right("contests", |row| format_count(row.source.contests))
            .right("results", |row| format_count(row.source.results))
            .right("competitors", |row| format_count(row.source.competitors))
            .right("documents", |row| format_count(row.source.documents))
            .not_on_page()
            .left(("first_ends_at", "from"), move |row| day(row.source.first_ends_at))
            .wide()
            .left(("last_ends_at", "to"), move |row| day(row.source.last_ends_at))
            .wide()
            .right("runs", |row| row.runs.to_string())
            .wide()
            .left(("default_system", "system"), |row| row.default_system)
            .not_on_page()
            .left(("last_sync.kind", "last sync"), |row| {
                let last_sync = row.last_sync.as_ref().map(format_sync);
                last_sync.map_or(CellValue::Unknown, CellValue::Words)
            })
            .wide()
            .data(&[
                "last_sync.started_at",
                "last_sync.finished_at",
                "last_sync.added",
                "last_sync.revised",
                "last_sync.withdrawn",
                "last_sync.restored",
                "last_sync.unchanged",
                "last_sync.refused",
                "last_sync.failure",
            ])
    }

    /// Loads the facts about a source; `runs` are all runs.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn load(store: &Store, source: SourceRow, runs: &[RunRow]) -> Result<Self, Error> {
        let runs = runs.iter().filter(|run| {
            let sources = RunSelection::from_canonical_json(&run.selection).sources;
            sources.iter().any(|name| name.as_str() == source.name)
        });
        // Only valid names were written.
        let name = SourceName::new(&source.name).ok();
        Ok(Self {
            runs: runs.count(),
            default_system: find_default_system(store, name.as_slice())?.system.as_str(),
            last_sync: store.last_sync(source.source_id)?,
            last_answer_at: store.last_answer_at(source.source_id)?,
            source,
        })
    }
}

impl List for SourceList {
    type Row = ListedSource;

    fn columns(&self) -> Columns<'_, ListedSource> {
        ListedSource::columns()
    }

    fn extent(&self) -> Option<Extent> {
        Some(Extent::new(self.offset, self.rows.len(), self.total))
    }
}

/// Formats the time and the kind of a sync: `2024-01-31 18:00, import`.
#[must_use]
pub fn format_sync(last: &SyncRun) -> String {
    let end = format_minute(last.finished_at.get());
    format!("{end}, {}", last.kind.as_str())
}

/// Loads a page of the sources of a database. With a time it counts only contests that had ended by
/// then.
///
/// # Errors
/// [`Error::Store`].
pub fn load_source_list(store: &Store, request: &SourceListRequest) -> Result<SourceList, Error> {
    let SourceListRequest { as_of, page } = *request;
    let sources = match as_of {
        Some(as_of) => store.sources_as_of(as_of)?,
        None => store.sources()?,
    };
    let total = sources.len();
    let runs = store.runs()?;
    let rows = page.select(sources).into_iter();
    let rows = rows.map(|source| ListedSource::load(store, source, &runs));
    Ok(SourceList {
        total,
        offset: page.offset,
        rows: rows.collect::<Result<_, Error>>()?,
    })
}
