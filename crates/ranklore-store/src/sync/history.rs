//! Syncs: every import, mining or rebuild that changed something.

use ranklore_contest::UnixSeconds;
use rusqlite::{Row, params};
use serde::Serialize;

use crate::error::Result;
use crate::file::batch::Batch;
use crate::file::columns::word_of;
use crate::file::open::Store;
use crate::ids::SourceId;

/// Why something was synced; a row of `sync_run`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SyncKind {
    /// Files of the user.
    Import,
    /// A site.
    Mine,
    /// The archive, read again.
    Rebuild,
}

impl SyncKind {
    /// The word for it in the file and in output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Mine => "mine",
            Self::Rebuild => "rebuild",
        }
    }

    fn column(row: &Row<'_>, index: usize) -> rusqlite::Result<Self> {
        let kinds = [Self::Import, Self::Mine, Self::Rebuild];
        word_of(row, index, &kinds, Self::as_str, "kind of sync")
    }
}

/// One import, mining or rebuild that changed something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SyncRun {
    /// Whose contests.
    #[serde(skip)]
    pub source_id: SourceId,
    /// Why.
    pub kind: SyncKind,
    /// When it began.
    pub started_at: UnixSeconds,
    /// When it ended.
    pub finished_at: UnixSeconds,
    /// Contests that were not there before.
    pub added: u64,
    /// Contests whose result changed.
    pub revised: u64,
    /// Contests that were there before, as they are.
    pub unchanged: u64,
    /// Contests that could not be stored.
    pub refused: u64,
}

impl Store {
    /// What last changed something in a source.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn last_sync(&self, source_id: SourceId) -> Result<Option<SyncRun>> {
        self.row(
            "SELECT kind, started_at, finished_at, added, revised, unchanged, refused
             FROM sync_run WHERE source_id = ?1 ORDER BY sync_run_id DESC LIMIT 1",
            [source_id],
            |row| {
                // What was written was in range.
                let time = |index| -> rusqlite::Result<UnixSeconds> {
                    let seconds = row.get(index)?;
                    Ok(UnixSeconds::new(seconds).unwrap_or(UnixSeconds::MIN))
                };
                let count = |index| row.get::<_, i64>(index).map(|count| count as u64);
                Ok(SyncRun {
                    source_id,
                    kind: SyncKind::column(row, 0)?,
                    started_at: time(1)?,
                    finished_at: time(2)?,
                    added: count(3)?,
                    revised: count(4)?,
                    unchanged: count(5)?,
                    refused: count(6)?,
                })
            },
        )
    }
}

impl Batch<'_> {
    /// Notes that a sync took place.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn record_sync(&mut self, run: &SyncRun) -> Result<()> {
        self.execute(
            "INSERT INTO sync_run (source_id, kind, started_at, finished_at, added,
             revised, unchanged, refused) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                run.source_id,
                run.kind.as_str(),
                run.started_at.get(),
                run.finished_at.get(),
                run.added as i64,
                run.revised as i64,
                run.unchanged as i64,
                run.refused as i64,
            ],
        )
        .map(drop)
    }
}
