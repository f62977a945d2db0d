//! Progress of long operations.

/// Receives the progress of an operation and may interrupt it.
pub trait Watch: Sync {
    /// Called when a phase begins, with its number of rows if known.
    fn begin(&self, what: &str, rows: Option<u64>) {
        let _ = (what, rows);
    }

    /// Called with the number of rows done in this phase.
    fn advanced(&self, rows: u64) {
        let _ = rows;
    }

    /// True if the operation should stop.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Ignores progress and never interrupts.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Watch for Silent {}
