//! Blocking client.

use std::pin::pin;
use std::time::{Duration, SystemTime};

use ranklore_source::{Request, Source};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

use crate::answer::{Answered, Validators};
use crate::client::Client;
use crate::client::ToKeep;
use crate::failed::{Failed, FetchError};
use crate::options::{HostState, Options};

/// Interval at which the caller is asked whether to interrupt.
const LISTEN: Duration = Duration::from_millis(50);

/// A [`Client`] with a runtime of its own, on the calling thread.
#[derive(Debug)]
pub struct Blocking {
    client: Client,
    /// `None` only during drop.
    runtime: Option<Runtime>,
}

impl Blocking {
    /// Creates a client as [`Client::new`] does.
    ///
    /// # Errors
    /// The errors of [`Client::new`], or if the runtime cannot be created.
    pub fn new(options: Options, state: HostState, now: SystemTime) -> Result<Self, FetchError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| FetchError::Setup {
            reason: error.to_string(),
        })?;
        Ok(Self {
            client: Client::new(options, state, now)?,
            runtime: Some(runtime),
        })
    }

    /// Fetches as [`Client::fetch`] does, and polls `interrupted` every 50 ms.
    ///
    /// `keep` saves the host state: before every request, including retries and redirects, and when
    /// a delay or cool-down begins. The client waits until it returns, so the saved state holds
    /// even if the process is killed.
    ///
    /// # Errors
    /// The outer error is that of `keep`: an unsaved request is not sent. The inner error is that
    /// of [`Client::fetch`].
    ///
    /// # Panics
    /// If called from asynchronous code.
    pub fn fetch<E>(
        &mut self,
        source: &dyn Source,
        request: &Request,
        known: Option<&Validators>,
        interrupted: &dyn Fn() -> bool,
        keep: &mut dyn FnMut(HostState) -> Result<(), E>,
    ) -> Result<Result<Answered, Failed>, E> {
        let Some(runtime) = &self.runtime else {
            return Ok(Err(Failed::Interrupted));
        };
        let (keeper, mut to_keep) = mpsc::unbounded_channel();
        self.client.keep_with(keeper);
        runtime.block_on(async {
            let mut listening = pin!(listen(interrupted));
            let mut fetching = pin!(self.client.fetch(source, request, known));
            loop {
                tokio::select! {
                    biased;
                    Some(ToKeep { state, kept }) = to_keep.recv() => {
                        keep(state)?;
                        // Fails only if the client no longer waits.
                        let _ = kept.send(());
                    }
                    () = &mut listening => return Ok(Err(Failed::Interrupted)),
                    answered = &mut fetching => return Ok(answered),
                }
            }
        })
    }

    /// Returns the client, for its state, stop signal and wait callback.
    pub fn client(&mut self) -> &mut Client {
        &mut self.client
    }
}

impl Drop for Blocking {
    fn drop(&mut self) {
        // A pending DNS lookup blocks a thread; do not wait for it.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn listen(interrupted: &dyn Fn() -> bool) {
    while !interrupted() {
        tokio::time::sleep(LISTEN).await;
    }
}
