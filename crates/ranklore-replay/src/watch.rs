//! How long work tells of its progress and hears that it should end.

/// Watches over long work. Called from the thread that does the work.
pub trait Watch: Sync {
    /// A task begins. `total` is in the unit of [`Watch::advanced`]: bytes for an import,
    /// results for a run.
    fn begin(&self, _task: &str, _total: u64) {}

    /// So much is done in all, of which so many contests and results.
    fn advanced(&self, _done: u64, _contests: u64, _results: u64) {}

    /// Something worth a line at once, such as a document that was refused.
    fn note(&self, _line: &str) {}

    /// Whether to end at the next contest, keeping what was done.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Watches nothing and never interrupts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Watch for Silent {}
