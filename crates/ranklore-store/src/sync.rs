//! Syncs: every import, mining or rebuild that changed something.

use ranklore_contest::UnixSeconds;
use rusqlite::params;

use crate::{Batch, Result, SourceId};

/// Why something was synced; a row of `sync_run`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncKind {
    /// Files of the user.
    Import,
    /// A site.
    Mine,
    /// The archive, read again.
    Rebuild,
}

/// One import, mining or rebuild that changed something.
#[derive(Clone, Copy, Debug)]
pub struct SyncRun {
    /// Whose contests.
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

impl Batch<'_> {
    /// Notes that a sync took place.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn record_sync(&mut self, run: &SyncRun) -> Result<()> {
        let kind = match run.kind {
            SyncKind::Import => "import",
            SyncKind::Mine => "mine",
            SyncKind::Rebuild => "rebuild",
        };
        self.sql(|connection| {
            connection
                .prepare_cached(
                    "INSERT INTO sync_run (source_id, kind, started_at, finished_at, added,
                         revised, unchanged, refused) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                )?
                .execute(params![
                    run.source_id,
                    kind,
                    run.started_at.get(),
                    run.finished_at.get(),
                    run.added as i64,
                    run.revised as i64,
                    run.unchanged as i64,
                    run.refused as i64,
                ])?;
            Ok(())
        })
    }
}
