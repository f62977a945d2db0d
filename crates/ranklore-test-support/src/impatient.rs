//! Progress that interrupts after a number of checks and records its calls.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};

use ranklore_replay::Watch;

/// Interrupts after `interrupt_after` checks, and records progress.
#[derive(Debug, Default)]
pub struct Impatient {
    patience: u32,
    asked: AtomicU32,
    told: Mutex<Vec<String>>,
    advanced: Mutex<Vec<(u64, u64, u64)>>,
}

impl Impatient {
    /// Interrupts at the check after this number of checks.
    pub fn after(patience: u32) -> Self {
        Self {
            patience,
            ..Self::default()
        }
    }

    /// Returns tasks with their totals, and notes.
    pub fn told(&self) -> MutexGuard<'_, Vec<String>> {
        self.told.lock().unwrap()
    }

    /// Returns the recorded progress: units done, contests, results.
    pub fn advanced(&self) -> MutexGuard<'_, Vec<(u64, u64, u64)>> {
        self.advanced.lock().unwrap()
    }
}

impl Watch for Impatient {
    fn begin(&self, task: &str, total: u64) {
        self.told().push(format!("{task} {total}"));
    }

    fn advanced(&self, done: u64, contests: u64, results: u64) {
        self.advanced
            .lock()
            .unwrap()
            .push((done, contests, results));
    }

    fn note(&self, line: &str) {
        self.told().push(line.to_owned());
    }

    fn interrupted(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.patience
    }
}
