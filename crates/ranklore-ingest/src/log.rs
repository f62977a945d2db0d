//! Log events of derived contests.

use std::time::Duration;

use ranklore_store::Put;

/// Logs a contest that was written. `took` is the time it took to derive and write it.
pub(crate) fn log_contest(
    source: &str,
    contest: &str,
    results: usize,
    put: Option<Put>,
    took: Duration,
) {
    let outcome = match put {
        Some(Put::Added) => "added",
        Some(Put::Revised { .. }) => "revised",
        Some(Put::Described) => "described",
        Some(Put::Unchanged) => "unchanged",
        Some(Put::Superseded) => "superseded",
        None => "without results",
    };
    tracing::debug!(
        target: "ranklore::contest",
        source,
        contest,
        results,
        outcome,
        duration_ms = took.as_micros() as f64 / 1e3,
        "contest {contest} of {source}: {outcome}"
    );
}
