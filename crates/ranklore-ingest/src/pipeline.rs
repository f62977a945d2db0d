//! Producer and consumer on two threads, with a bounded channel between them.

use std::sync::mpsc::{SyncSender, sync_channel};

use crate::error::Error;

/// Runs `prepare` on another thread and hands each item it sends to `take` on this thread, in
/// order, until `take` fails or returns false. From then on sending fails, and `prepare` is
/// expected to return.
pub(crate) fn run_pipelined<T: Send, R: Send>(
    prepare: impl FnOnce(&SyncSender<T>) -> R + Send,
    mut take: impl FnMut(T) -> Result<bool, Error>,
) -> Result<R, Error> {
    // Two items in flight keep both sides busy and bound the memory.
    let (send, receive) = sync_channel(2);
    std::thread::scope(|threads| {
        let preparing = threads.spawn(move || prepare(&send));
        let mut taken = Ok(true);
        for item in &receive {
            taken = take(item);
            if !matches!(taken, Ok(true)) {
                break;
            }
        }
        drop(receive);
        let prepared = match preparing.join() {
            Ok(prepared) => prepared,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        taken?;
        Ok(prepared)
    })
}
