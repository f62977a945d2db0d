//! The client for callers that are not asynchronous.

use std::time::{Duration, SystemTime};

use ranklore_source::{Request, Source};
use tokio::runtime::{Builder, Runtime};

use crate::{Answered, Client, Failed, FetchError, HostState, Options, Validators};

/// How often a caller is asked whether to go on.
const LISTEN: Duration = Duration::from_millis(50);

/// A [`Client`] with a runtime of its own, on the thread that calls it.
#[derive(Debug)]
pub struct Blocking {
    client: Client,
    /// Taken only when it is dropped.
    runtime: Option<Runtime>,
}

impl Blocking {
    /// As [`Client::new`].
    ///
    /// # Errors
    /// As [`Client::new`], or if the system has no more files or threads to give.
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

    /// As [`Client::fetch`], asking now and then whether to end.
    ///
    /// # Errors
    /// As [`Client::fetch`].
    ///
    /// # Panics
    /// When called from asynchronous code.
    pub fn fetch(
        &mut self,
        source: &dyn Source,
        request: &Request,
        known: Option<&Validators>,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Answered, Failed> {
        let Some(runtime) = &self.runtime else {
            return Err(Failed::Interrupted);
        };
        runtime.block_on(async {
            tokio::select! {
                biased;
                () = listen(interrupted) => Err(Failed::Interrupted),
                answered = self.client.fetch(source, request, known) => answered,
            }
        })
    }

    /// The client: its state, what stops it, who hears of its waits.
    pub fn client(&mut self) -> &mut Client {
        &mut self.client
    }
}

impl Drop for Blocking {
    fn drop(&mut self) {
        // A name that is being looked up holds a thread, and nobody waits for it any more.
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
