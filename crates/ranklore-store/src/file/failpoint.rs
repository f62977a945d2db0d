//! Fail points: named places at which a test has the process die, to see what is left.

/// Dies here, by abort and without any cleaning up, if this is the fail point that the
/// environment variable `RANKLORE_ABORT_AT` counts to: `3` is the third one that a process
/// comes by. Its name is then the last thing on standard error.
///
/// Only in builds with debug assertions; in a release there are none.
#[doc(hidden)]
pub fn failpoint(name: &str) {
    #[cfg(debug_assertions)]
    armed::pass(name);
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

    pub(crate) fn pass(name: &str) {
        let passed = PASSED.fetch_add(1, Ordering::Relaxed) + 1;
        if *ABORT_AT == Some(passed) {
            eprintln!("\nfail point: {name}");
            std::process::abort();
        }
    }
}
