//! Work on two threads: one prepares ahead of the other, which writes.

use std::sync::mpsc::{SyncSender, sync_channel};

use crate::error::Error;

/// Runs `prepare` on another thread, and hands what it sends to `take` on this one, in the same
/// order and a few behind, until `take` fails or says that it was enough. Sending fails from then
/// on, and `prepare` is to end.
pub(crate) fn ahead<T: Send, R: Send>(
    prepare: impl FnOnce(&SyncSender<T>) -> R + Send,
    mut take: impl FnMut(T) -> Result<bool, Error>,
) -> Result<R, Error> {
    // Two on the way are enough to keep both sides busy, and bound the memory.
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
