//! Progress on standard error, as a bar on a terminal and as lines elsewhere, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ranklore_replay::Progress;

use crate::exit::Exit;
use crate::output::{
    StandardError, escape_line, format_count, format_plural, print_failure, print_note,
    standard_error,
};

/// The time between lines off a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// Set by the first Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The bar on the terminal, if there is one.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Runs `write`, which writes to standard error, while the bar is hidden.
pub(crate) fn above_bar(write: impl FnOnce()) {
    let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

fn set_bar(bar: Option<ProgressBar>) {
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = bar;
}

/// Shows progress and handles Ctrl-C: the first stops at the next contest, the second at once.
pub(crate) struct TerminalProgress {
    state: Mutex<Option<Task>>,
}

struct Task {
    name: String,
    total: u64,
    began: Instant,
    last_line: Instant,
    bar: Option<ProgressBar>,
}

impl TerminalProgress {
    pub(crate) fn new() -> Self {
        // Setting a second handler fails; the first one stays.
        let _ = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(Exit::Interrupted as i32);
            }
            print_note("\nstopping at the next contest; press Ctrl-C again to stop at once");
        });
        Self {
            state: Mutex::new(None),
        }
    }

    /// Removes the bar before the result is printed.
    pub(crate) fn finish(&self) {
        if let Some(bar) = self.lock_task().take().and_then(|task| task.bar) {
            bar.finish_and_clear();
        }
        set_bar(None);
    }

    fn lock_task(&self) -> std::sync::MutexGuard<'_, Option<Task>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TerminalProgress {
    /// Removes the bar after an error, as it would be drawn again below the message.
    fn drop(&mut self) {
        self.finish();
    }
}

impl Progress for TerminalProgress {
    fn begin_task(&self, task: &str, total: u64) {
        self.finish();
        let has_bar = standard_error() == StandardError::Text && std::io::stderr().is_terminal();
        let bar = has_bar.then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(10);
            let bar = ProgressBar::with_draw_target(Some(total.max(1)), target);
            let template = "{prefix} {bar:28} {percent:>3}%  {msg}{eta} left";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("━╸ "));
            }
            bar.set_prefix(task.to_owned());
            bar
        });
        set_bar(bar.clone());
        let now = Instant::now();
        *self.lock_task() = Some(Task {
            name: task.to_owned(),
            total,
            began: now,
            last_line: now,
            bar,
        });
    }

    fn advance(&self, done: u64, contests: u64, results: u64) {
        let mut task = self.lock_task();
        let Some(task) = task.as_mut() else { return };
        let told = || {
            if contests == 0 {
                return String::new();
            }
            let seconds = task.began.elapsed().as_secs_f64().max(1e-3);
            let rate = (results as f64 / seconds) as u64;
            let (contests, rated) = (
                format_plural(contests, "contest"),
                format_plural(results, "result"),
            );
            format!("{contests}, {rated} ({}/s), ", format_count(rate))
        };
        if let Some(bar) = &task.bar {
            bar.set_position(done);
            bar.set_message(told());
        } else if task.last_line.elapsed() >= LINE_INTERVAL {
            let percent = done.saturating_mul(100) / task.total.max(1);
            let left = task.began.elapsed().as_secs_f64() * task.total.saturating_sub(done) as f64
                / done.max(1) as f64;
            let (name, told) = (&task.name, told());
            print_note(&format!("{name}: {percent} %, {told}{left:.0} s left"));
            task.last_line = Instant::now();
        }
    }

    fn note(&self, line: &str) {
        print_note(&escape_line(line));
    }

    fn refused(&self, line: &str) {
        print_failure(&escape_line(line));
    }

    fn is_interrupted(&self) -> bool {
        INTERRUPTED.load(Ordering::Relaxed)
    }
}

impl ranklore_publish::ExportProgress for TerminalProgress {
    fn begin_task(&self, what: &str, rows: Option<u64>) {
        ranklore_replay::Progress::begin_task(self, what, rows.unwrap_or_default());
    }

    fn advance(&self, rows: u64) {
        ranklore_replay::Progress::advance(self, rows, 0, 0);
    }

    fn is_interrupted(&self) -> bool {
        ranklore_replay::Progress::is_interrupted(self)
    }
}
