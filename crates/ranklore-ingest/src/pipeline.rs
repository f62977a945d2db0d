//! Producer and consumer on two threads, with a bounded channel between them.

use std::sync::mpsc::{SyncSender, sync_channel};

use crate::error::Error;

/// Runs `prepare` on another thread and hands each item it sends to `consume` on this thread, in
/// order, until `consume` fails or returns false. From then on sending fails, and `prepare` is
/// expected to return.
pub(crate) fn run_pipelined<T: Send, R: Send>(
    prepare: impl FnOnce(&SyncSender<T>) -> R + Send,
    mut consume: impl FnMut(T) -> Result<bool, Error>,
) -> Result<R, Error> {
    // Two items in flight keep both sides busy and bound the memory.
    let (send, receive) = sync_channel(2);
    std::thread::scope(|threads| {
        let preparing = threads.spawn(move || prepare(&send));
        let mut outcome = Ok(true);
        for item in &receive {
            outcome = consume(item);
            if !matches!(outcome, Ok(true)) {
                break;
            }
        }
        drop(receive);
        let prepared = match preparing.join() {
            Ok(prepared) => prepared,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        outcome?;
        Ok(prepared)
    })
}
