//! A watch that interrupts after a number of questions, and records what it is told.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};

use ranklore_replay::Watch;

/// Asks for an interruption once it was asked `patience` times, and records progress.
#[derive(Debug, Default)]
pub struct Impatient {
    patience: u32,
    asked: AtomicU32,
    told: Mutex<Vec<String>>,
    advanced: Mutex<Vec<(u64, u64, u64)>>,
}

impl Impatient {
    /// Interrupts at the question after `patience` others.
    pub fn after(patience: u32) -> Self {
        Self {
            patience,
            ..Self::default()
        }
    }

    /// Tasks with their totals, and notes.
    pub fn told(&self) -> MutexGuard<'_, Vec<String>> {
        self.told.lock().unwrap()
    }

    /// Progress: what is done, contests, results.
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
