//! Fail points: named places at which tests abort the process, to check the file it leaves.

/// Aborts the process without cleanup if this is the fail point selected by the environment
/// variable `RANKLORE_ABORT_AT`: `3` is the third one that a process reaches. Prints its name to
/// standard error first.
///
/// Active only in builds with debug assertions.
#[doc(hidden)]
pub fn failpoint(name: &str) {
    #[cfg(debug_assertions)]
    armed::abort_if_due(name);
    #[cfg(not(debug_assertions))]
    let _ = name;
}

#[cfg(debug_assertions)]
mod armed {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static ABORT_AT: LazyLock<Option<u64>> =
        LazyLock::new(|| std::env::var("RANKLORE_ABORT_AT").ok()?.parse().ok());
    static PASSED: AtomicU64 = AtomicU64::new(0);

    pub(crate) fn abort_if_due(name: &str) {
        let passed = PASSED.fetch_add(1, Ordering::Relaxed) + 1;
        if *ABORT_AT == Some(passed) {
            eprintln!("\nfail point: {name}");
            std::process::abort();
        }
    }
}
