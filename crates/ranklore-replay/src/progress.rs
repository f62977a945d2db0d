//! Progress of long operations, and their interruption.

/// Receives the progress of a long operation. Called from the thread that performs it.
pub trait Progress: Sync {
    /// Called when a task begins. `total` is in the unit of [`Progress::advance`]: bytes for an
    /// import, results for a run.
    fn begin_task(&self, _task: &str, _total: u64) {}

    /// Called with the totals done so far, in the unit of the task, in contests and in results.
    fn advance(&self, _done: u64, _contests: u64, _results: u64) {}

    /// Called with the best result of the task so far, in words.
    fn describe(&self, _text: &str) {}

    /// Called with a line to print at once.
    fn note(&self, _line: &str) {}

    /// Called with a line about refused input, which is an error and not only a note.
    fn refused(&self, line: &str) {
        self.note(line);
    }

    /// Returns true to stop at the next contest and keep what was done.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// Ignores progress and never interrupts.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {}
