//! Blocking client.

use std::pin::pin;
use std::time::{Duration, SystemTime};

use ranklore_source::{Request, Source};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

use crate::client::{Client, SaveState};
use crate::error::{ClientError, FetchError};
use crate::options::{FetchOptions, HostState};
use crate::outcome::{FetchOutcome, Validators};

/// Interval at which the caller is asked whether to interrupt.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A [`Client`] with a runtime of its own, on the calling thread.
#[derive(Debug)]
pub struct BlockingClient {
    client: Client,
    /// `None` only during drop.
    runtime: Option<Runtime>,
}

impl BlockingClient {
    /// Creates a client as [`Client::new`] does.
    ///
    /// # Errors
    /// The errors of [`Client::new`], or if the runtime cannot be created.
    pub fn new(
        options: FetchOptions,
        state: HostState,
        now: SystemTime,
    ) -> Result<Self, ClientError> {
        let built = Builder::new_current_thread().enable_all().build();
        let runtime = built.map_err(|error| ClientError::Setup {
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
    ) -> Result<Result<FetchOutcome, FetchError>, E> {
        let Some(runtime) = &self.runtime else {
            return Ok(Err(FetchError::Interrupted));
        };
        let (state_sink, mut states) = mpsc::unbounded_channel();
        self.client.set_state_sink(state_sink);
        runtime.block_on(async {
            let mut listening = pin!(wait_for_interrupt(interrupted));
            let mut fetching = pin!(self.client.fetch(source, request, known));
            loop {
                tokio::select! {
                    biased;
                    Some(SaveState { state, saved }) = states.recv() => {
                        keep(state)?;
                        // Fails only if the client no longer waits.
                        let _ = saved.send(());
                    }
                    () = &mut listening => return Ok(Err(FetchError::Interrupted)),
                    outcome = &mut fetching => return Ok(outcome),
                }
            }
        })
    }

    /// Checks the connection as [`Client::check_connection`] does, and polls `interrupted` every
    /// 50 ms.
    ///
    /// # Errors
    /// [`FetchError::Unreachable`] or [`FetchError::Interrupted`].
    ///
    /// # Panics
    /// If called from asynchronous code.
    pub fn check_connection(&self, interrupted: &dyn Fn() -> bool) -> Result<(), FetchError> {
        let Some(runtime) = &self.runtime else {
            return Err(FetchError::Interrupted);
        };
        runtime.block_on(async {
            tokio::select! {
                biased;
                () = wait_for_interrupt(interrupted) => Err(FetchError::Interrupted),
                checked = self.client.check_connection() => checked,
            }
        })
    }

    /// Returns the client, for its state and wait callback.
    pub fn client(&mut self) -> &mut Client {
        &mut self.client
    }
}

impl Drop for BlockingClient {
    fn drop(&mut self) {
        // A pending DNS lookup blocks a thread; do not wait for it.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn wait_for_interrupt(interrupted: &dyn Fn() -> bool) {
    while !interrupted() {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}
