//! Threads of computations, and their interruption by Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use ranklore_replay::Progress;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::Failure;

/// The pool of this process. A forked process has none of the threads of its parent, and would wait
/// for them without end.
static POOL: Mutex<Option<(u32, usize, Arc<ThreadPool>)>> = Mutex::new(None);

/// Calls `task` in a pool of this many threads, by default one per core.
pub(crate) fn install<T: Send>(
    threads: Option<usize>,
    task: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    find_pool(threads.unwrap_or(0))?.install(task)
}

fn find_pool(threads: usize) -> Result<Arc<ThreadPool>, Failure> {
    let process = std::process::id();
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, size, pool)) = &*known
        && (*owner, *size) == (process, threads)
    {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(Failure::new)?;
    let pool = Arc::new(pool);
    let former = known.replace((process, threads, Arc::clone(&pool)));
    if let Some((owner, _, former)) = former
        && owner != process
    {
        // Its threads belong to the parent process; nothing may wait for their end.
        std::mem::forget(former);
    }
    Ok(pool)
}

/// The interval at which signals are looked at.
const POLL: Duration = Duration::from_millis(50);

/// Tells a computation to stop.
#[derive(Clone, Default)]
pub(crate) struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Errors if the computation is to stop.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.0.load(Ordering::Relaxed) {
            Err(Failure::interruption())
        } else {
            Ok(())
        }
    }
}

impl Progress for StopFlag {
    fn is_interrupted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Calls `task` in a pool of this many threads, without the interpreter lock. A signal such as Ctrl-C
/// ends the call at once, and the task at its next contest.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    task: impl FnOnce(&StopFlag) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let stop = StopFlag::default();
    let task_stop = stop.clone();
    let (send, receive) = sync_channel(1);
    // Ends with the task: its result is dropped if nobody waits any more.
    std::thread::spawn(move || {
        let result = install(threads, || task(&task_stop));
        let _ = send.send(result);
    });
    // Shared with the closure below, which may run in any thread.
    let receive = Mutex::new(receive);
    let wait = || receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(POLL);
    loop {
        match py.detach(wait) {
            Ok(result) => return Ok(result?),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(signal) = py.check_signals() {
                    stop.0.store(true, Ordering::Relaxed);
                    return Err(signal);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                let message = "the computation panicked, which is a mistake of Ranklore; report it";
                return Err(Failure::new(message).into());
            }
        }
    }
}
