//! Progress of long operations.

/// Receives the progress of an operation and may interrupt it.
pub trait ExportProgress: Sync {
    /// Called when a phase begins, with its number of rows if known.
    fn begin_task(&self, name: &str, rows: Option<u64>) {
        let _ = (name, rows);
    }

    /// Called with the number of rows done in this phase.
    fn advance(&self, rows: u64) {
        let _ = rows;
    }

    /// True if the operation should stop.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// Ignores progress and never interrupts.
#[derive(Clone, Copy, Debug)]
pub struct NoExportProgress;

impl ExportProgress for NoExportProgress {}
