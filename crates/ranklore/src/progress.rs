//! Progress on standard error, as a bar on a terminal and as lines elsewhere.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ranklore_replay::Progress;

use crate::interruption;
use crate::output::{
    MAX_LINES, StandardError, escape_line, format_count, format_plural, print_failure, print_note,
    standard_error,
};

/// The time between lines off a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

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

/// Removes the bar, if there is one.
pub(crate) fn hide_bar() {
    let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

/// Shows progress, and tells the command to stop after Ctrl-C.
pub(crate) struct TerminalProgress {
    state: Mutex<Option<Task>>,
    notes: AtomicU64,
    refusals: AtomicU64,
}

struct Task {
    name: String,
    total: u64,
    start: Instant,
    last_line: Instant,
    bar: Option<ProgressBar>,
    /// The best result so far.
    best: String,
}

impl Task {
    /// Describes the contests and results so far, and the results per second; without contests, the
    /// best result.
    fn describe_speed(&self, contests: u64, results: u64) -> String {
        if contests == 0 {
            return self.best.clone();
        }
        // No division by zero right after the start.
        let seconds = self.start.elapsed().as_secs_f64().max(1e-3);
        let rate = (results as f64 / seconds) as u64;
        let contests = format_plural(contests, "contest");
        let results = format_plural(results, "result");
        format!("{contests}, {results} ({}/s), ", format_count(rate))
    }
}

impl TerminalProgress {
    pub(crate) fn new() -> Self {
        interruption::announce_safe_points();
        Self {
            state: Mutex::new(None),
            notes: AtomicU64::new(0),
            refusals: AtomicU64::new(0),
        }
    }

    /// Counts a line; true if it is one of the first [`MAX_LINES`].
    fn is_within_limit(lines: &AtomicU64) -> bool {
        lines.fetch_add(1, Ordering::Relaxed) < MAX_LINES as u64
    }

    /// Prints how many lines were left out since the last call.
    fn print_left_out(&self) {
        for (counter, noun, print) in [
            (&self.notes, "notes", print_note as fn(&str)),
            (&self.refusals, "refused items", print_failure),
        ] {
            let lines = counter.swap(0, Ordering::Relaxed);
            let left_out = lines.saturating_sub(MAX_LINES as u64);
            if left_out > 0 {
                print(&format!("… and {} more {noun}", format_count(left_out)));
            }
        }
    }

    /// Removes the bar before the result is printed, and counts the lines that were left out.
    pub(crate) fn finish(&self) {
        self.remove_bar();
        self.print_left_out();
    }

    fn remove_bar(&self) {
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
        self.remove_bar();
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
            start: now,
            last_line: now,
            bar,
            best: String::new(),
        });
    }

    fn advance(&self, done: u64, contests: u64, results: u64) {
        let mut task = self.lock_task();
        let Some(task) = task.as_mut() else { return };
        if let Some(bar) = &task.bar {
            bar.set_position(done);
            bar.set_message(task.describe_speed(contests, results));
        } else if task.last_line.elapsed() >= LINE_INTERVAL {
            let percent = done.saturating_mul(100) / task.total.max(1);
            let seconds = task.start.elapsed().as_secs_f64();
            let left = seconds * task.total.saturating_sub(done) as f64 / done.max(1) as f64;
            let name = &task.name;
            let speed = task.describe_speed(contests, results);
            print_note(&format!("{name}: {percent} %, {speed}{left:.0} s left"));
            task.last_line = Instant::now();
        }
    }

    fn describe(&self, text: &str) {
        if let Some(task) = self.lock_task().as_mut() {
            task.best = format!("{text}, ");
        }
    }

    fn note(&self, line: &str) {
        if Self::is_within_limit(&self.notes) {
            print_note(&escape_line(line));
        }
    }

    fn refused(&self, line: &str) {
        if Self::is_within_limit(&self.refusals) {
            print_failure(&escape_line(line));
        }
    }

    fn is_interrupted(&self) -> bool {
        interruption::is_interrupted()
    }
}

impl ranklore_publish::ExportProgress for TerminalProgress {
    fn begin_task(&self, task: &str, rows: Option<u64>) {
        ranklore_replay::Progress::begin_task(self, task, rows.unwrap_or_default());
    }

    fn advance(&self, rows: u64) {
        ranklore_replay::Progress::advance(self, rows, 0, 0);
    }

    fn is_interrupted(&self) -> bool {
        ranklore_replay::Progress::is_interrupted(self)
    }
}
