//! Log events of derived contests.

use std::time::Duration;

use ranklore_store::UpsertOutcome;

/// Logs a contest that was written, the change to it, and the time to derive and write it.
pub(crate) fn log_contest(
    source: &str,
    contest: &str,
    results: usize,
    change: Option<UpsertOutcome>,
    duration: Duration,
) {
    let outcome = match change {
        Some(UpsertOutcome::Added) => "added",
        Some(UpsertOutcome::Revised { .. }) => "revised",
        Some(UpsertOutcome::MetadataUpdated) => "described",
        Some(UpsertOutcome::Withdrawn) => "withdrawn",
        Some(UpsertOutcome::Restored) => "restored",
        Some(UpsertOutcome::Unchanged) => "unchanged",
        Some(UpsertOutcome::Superseded) => "superseded",
        None => "without results",
    };
    tracing::debug!(
        target: "ranklore::contest",
        source,
        contest,
        results,
        outcome,
        duration_ms = duration.as_micros() as f64 / 1e3,
        "contest {contest} of {source}: {outcome}"
    );
}
