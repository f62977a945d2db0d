//! Ctrl-C, SIGTERM and SIGHUP, and the signal of a limit on file sizes.
//!
//! The first signal ends a command at its next safe point, the second at once. A command without
//! safe points ends at once: SQLite undoes an open transaction, as after a crash. So does one that
//! reaches no safe point in [`GRACE`].

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::exit::Exit;
use crate::output::{print_failure, print_note};
use crate::progress::hide_bar;

/// The time from the first signal to the end of the process.
const GRACE: Duration = Duration::from_millis(1_800);

/// The time between two looks at the flag.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The longest time to wait for a message; standard error may be a full pipe.
const MESSAGE_TIME: Duration = Duration::from_millis(100);

/// Set by the first signal.
static INTERRUPTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// True while a command looks for interruptions.
static HAS_SAFE_POINTS: AtomicBool = AtomicBool::new(false);

/// True for a command that serves until it is interrupted.
static IS_SERVER: AtomicBool = AtomicBool::new(false);

/// Handles the signals from now on.
///
/// # Errors
/// Errors if the system takes no handler.
pub(crate) fn start() -> std::io::Result<()> {
    let interrupted = Arc::clone(INTERRUPTED.get_or_init(Arc::default));
    // Set later than `interrupted`: `timeout` sends a signal twice within a moment.
    let ends_at_once = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    let signals = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
    #[cfg(not(unix))]
    let signals = [SIGINT, SIGTERM];
    for signal in signals {
        flag::register_conditional_shutdown(
            signal,
            Exit::Interrupted as i32,
            Arc::clone(&ends_at_once),
        )?;
        flag::register(signal, Arc::clone(&interrupted))?;
    }
    // By default the signal kills. With a handler the write fails, and its error has a remedy.
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || end_after(&interrupted, &ends_at_once))?;
    Ok(())
}

/// Announces safe points: the command calls [`is_interrupted`] now and then.
pub(crate) fn announce_safe_points() {
    HAS_SAFE_POINTS.store(true, Ordering::Relaxed);
}

/// Announces a server, which completes its answers and ends.
#[cfg(feature = "web")]
pub(crate) fn announce_server() {
    IS_SERVER.store(true, Ordering::Relaxed);
    announce_safe_points();
}

/// True after the first signal.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
}

/// Ends the process after a signal.
fn end_after(interrupted: &AtomicBool, ends_at_once: &AtomicBool) {
    while !interrupted.load(Ordering::Relaxed) {
        thread::sleep(POLL_INTERVAL);
    }
    if HAS_SAFE_POINTS.load(Ordering::Relaxed) {
        print_in_time(|| {
            print_note(if IS_SERVER.load(Ordering::Relaxed) {
                "\nstopping; press Ctrl-C again to stop at once"
            } else {
                "\nstopping at the next contest; press Ctrl-C again to stop at once"
            });
        });
        ends_at_once.store(true, Ordering::Relaxed);
        thread::sleep(GRACE);
    }
    print_in_time(|| {
        hide_bar();
        print_failure(
            "interrupted: the database holds only complete changes; run the same command again",
        );
    });
    std::process::exit(Exit::Interrupted as i32);
}

/// Prints on a thread of its own, and waits for it a little.
fn print_in_time(print: fn()) {
    let (sender, receiver) = std::sync::mpsc::channel::<()>();
    let printer = thread::Builder::new().spawn(move || {
        print();
        drop(sender);
    });
    if printer.is_ok() {
        // Nothing is sent: the end of the thread closes the channel.
        let _ = receiver.recv_timeout(MESSAGE_TIME);
    }
}
