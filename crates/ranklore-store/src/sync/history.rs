//! History of syncs: imports, syncs with sites and rebuilds that changed something or failed.

use ranklore_contest::{UnixSeconds, word_enum};
use serde::Serialize;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::{insert, queries, row, word_column};
use crate::ids::{DocumentId, SourceId};

word_enum! {
    /// Kind of a sync; a column of `sync_run`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

row! {
    /// A sync that changed something, or that failed.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct SyncRun selects SYNC_RUN_COLUMNS {
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
        /// Number of rated contests that the site took back.
        pub withdrawn: u64,
        /// Number of withdrawn contests that are rated again.
        pub restored: u64,
        /// Number of contests without changes.
        pub unchanged: u64,
        /// Number of contests that could not be stored.
        pub refused: u64,
        /// The reason why a sync with a site stopped early.
        pub failure: Option<String>,
    }
}

queries! {
    /// Returns the last sync of a source that changed something or failed.
    pub fn last_sync(source_id: SourceId) -> Option<SyncRun> =
        format!("SELECT {SYNC_RUN_COLUMNS} FROM sync_run WHERE source_id = ?1
                 ORDER BY sync_run_id DESC LIMIT 1");
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
        insert!(self.execute, "INSERT INTO sync_run" {
            source_id: run.source_id, kind: run.kind,
            started_at: run.started_at.get(), finished_at: run.finished_at.get(),
            added: run.added as i64, revised: run.revised as i64,
            withdrawn: run.withdrawn as i64, restored: run.restored as i64,
            unchanged: run.unchanged as i64, refused: run.refused as i64,
            failure: run.failure,
            first_document_id: written.map(|(first, _)| first),
            last_document_id: written.map(|(_, last)| last),
        })
    }
}
