//! The number of files that the process may have open: every connection is one.

/// The most files that are asked for.
const MAX_FILES: u64 = 32_768;

/// Raises the limit of open files as far as the system lets, and returns it.
#[cfg(unix)]
pub(super) fn raise_open_files() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let limit = getrlimit(Resource::Nofile);
    let current = limit.current.unwrap_or(MAX_FILES);
    let highest = limit.maximum.unwrap_or(MAX_FILES).min(MAX_FILES);
    if current >= highest {
        return current.min(MAX_FILES) as usize;
    }
    let raised = Rlimit {
        current: Some(highest),
        maximum: limit.maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => highest as usize,
        Err(_) => current as usize,
    }
}

/// Sockets are no files there.
#[cfg(not(unix))]
pub(super) fn raise_open_files() -> usize {
    MAX_FILES as usize
}
