//! A word that ends all waiting.

use tokio::sync::watch;

/// Ends what a [`Client`](crate::Client) is doing, from any thread and at once: also from the
/// handler of Ctrl-C. Clones are one and the same.
#[derive(Clone, Debug, Default)]
pub struct Stop(watch::Sender<bool>);

impl Stop {
    /// Nobody has asked for an end so far.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for an end. There is no way back.
    pub fn now(&self) {
        self.0.send_replace(true);
    }

    /// Whether somebody has.
    #[must_use]
    pub fn asked(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns once somebody has.
    pub async fn wait(&self) {
        // Fails only if all senders are gone, and `self` is one.
        let _ = self.0.subscribe().wait_for(|asked| *asked).await;
    }
}
