//! Progress that interrupts after a number of checks and records its calls.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};

use ranklore_replay::Progress;

/// Interrupts after `interrupt_after` checks, and records progress.
#[derive(Debug, Default)]
pub struct InterruptingProgress {
    interrupt_after: u32,
    checks: AtomicU32,
    messages: Mutex<Vec<String>>,
    advances: Mutex<Vec<(u64, u64, u64)>>,
}

impl InterruptingProgress {
    /// Interrupts at the check after this number of checks.
    pub fn after(patience: u32) -> Self {
        Self {
            interrupt_after: patience,
            ..Self::default()
        }
    }

    /// Returns tasks with their totals, and notes.
    pub fn messages(&self) -> MutexGuard<'_, Vec<String>> {
        self.messages.lock().unwrap()
    }

    /// Returns the recorded progress: units done, contests, results.
    pub fn advances(&self) -> MutexGuard<'_, Vec<(u64, u64, u64)>> {
        self.advances.lock().unwrap()
    }
}

impl Progress for InterruptingProgress {
    fn begin_task(&self, task: &str, total: u64) {
        self.messages().push(format!("{task} {total}"));
    }

    fn advance(&self, done: u64, contests: u64, results: u64) {
        self.advances.lock().unwrap().push((done, contests, results));
    }

    fn note(&self, line: &str) {
        self.messages().push(line.to_owned());
    }

    fn is_interrupted(&self) -> bool {
        self.checks.fetch_add(1, Ordering::Relaxed) >= self.interrupt_after
    }
}
