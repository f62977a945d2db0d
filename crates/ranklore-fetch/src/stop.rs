//! Signal that interrupts all waits.

use tokio::sync::watch;

/// Interrupts a [`Client`](crate::Client) at once, from any thread, such as a Ctrl-C handler.
/// Clones share one signal.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(watch::Sender<bool>);

impl StopSignal {
    /// Creates a signal that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the signal, permanently.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    /// True if the signal is set.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the signal is set.
    pub async fn wait(&self) {
        // Fails only if all senders are gone, and `self` is one.
        let _ = self.0.subscribe().wait_for(|asked| *asked).await;
    }
}
