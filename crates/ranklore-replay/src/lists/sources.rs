//! The list of the sources of a database.

use ranklore_contest::{ContestTime, SourceName};
use ranklore_store::{RunRow, SourceRow, Store, SyncRun};
use serde::Serialize;

use crate::error::Error;
use crate::runs::lookup::find_default_system;
use crate::runs::selection::RunSelection;
use crate::views::page::Page;

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

/// Loads a page of the sources of a database. With `as_of` it counts only contests that had ended
/// by then.
///
/// # Errors
/// [`Error::Store`].
pub fn load_source_list(
    store: &Store,
    as_of: Option<ContestTime>,
    page: Page,
) -> Result<SourceList, Error> {
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
