//! History of syncs: imports, syncs with sites and rebuilds that changed something.

use ranklore_contest::{UnixSeconds, word_enum};
use rusqlite::{Row, params};
use serde::Serialize;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::{count_from_row, read_row, word_column};
use crate::file::open::Store;
use crate::ids::{DocumentId, SourceId};

word_enum! {
    /// Kind of a sync; a column of `sync_run`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum SyncKind {
        /// Import of files.
        Import = "import",
        /// Sync with a site.
        Mine = "mine",
        /// Rebuild from the archive.
        Rebuild = "rebuild",
    }
}

word_column!(SyncKind, "kind of sync");

/// A sync that changed something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SyncRun {
    /// The source.
    #[serde(skip)]
    pub source_id: SourceId,
    /// The kind.
    pub kind: SyncKind,
    /// Time of the start.
    pub started_at: UnixSeconds,
    /// Time of the end.
    pub finished_at: UnixSeconds,
    /// Number of new contests.
    pub added: u64,
    /// Number of contests with changed results.
    pub revised: u64,
    /// Number of contests without changes.
    pub unchanged: u64,
    /// Number of contests that could not be stored.
    pub refused: u64,
}

impl Store {
    /// Returns the last sync that changed a source.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn last_sync(&self, source_id: SourceId) -> Result<Option<SyncRun>> {
        self.query_row(
            "SELECT source_id, kind, started_at, finished_at, added, revised, unchanged, refused
             FROM sync_run WHERE source_id = ?1 ORDER BY sync_run_id DESC LIMIT 1",
            [source_id],
            |row| {
                read_row!(row => SyncRun {
                    source_id, kind,
                    started_at: time_from_row, finished_at: time_from_row,
                    added: count_from_row, revised: count_from_row,
                    unchanged: count_from_row, refused: count_from_row,
                })
            },
        )
    }
}

/// Reads a time. Only times in range were written.
fn time_from_row(row: &Row<'_>, index: usize) -> rusqlite::Result<UnixSeconds> {
    let seconds = row.get(index)?;
    Ok(UnixSeconds::new(seconds).unwrap_or(UnixSeconds::MIN))
}

impl WriteBatch<'_> {
    /// Records a sync.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn record_sync(&mut self, run: &SyncRun) -> Result<()> {
        self.record_import(run, None)
    }

    /// Records an import with the first and the last document that it wrote, if any.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn record_import(
        &mut self,
        run: &SyncRun,
        written: Option<(DocumentId, DocumentId)>,
    ) -> Result<()> {
        self.execute(
            "INSERT INTO sync_run (source_id, kind, started_at, finished_at, added,
                 revised, unchanged, refused, first_document_id, last_document_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                run.source_id,
                run.kind,
                run.started_at.get(),
                run.finished_at.get(),
                run.added as i64,
                run.revised as i64,
                run.unchanged as i64,
                run.refused as i64,
                written.map(|(first, _)| first),
                written.map(|(_, last)| last),
            ],
        )
    }
}
