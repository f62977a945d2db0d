//! The client for callers that are not asynchronous.

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
    /// `keep` is given the state of the host whenever the next run has to know it: before
    /// every request that goes over the wire, retries and redirects too, and as soon as the
    /// host asks for a rest or is set aside. Nothing goes on before it returns, so what it
    /// writes down holds though the process be killed.
    ///
    /// # Errors
    /// That of `keep`, which ends it: what cannot be kept is not asked. Within, as
    /// [`Client::fetch`].
    ///
    /// # Panics
    /// When called from asynchronous code.
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
                        // Fails only where nobody waits for it any more.
                        let _ = kept.send(());
                    }
                    () = &mut listening => return Ok(Err(Failed::Interrupted)),
                    answered = &mut fetching => return Ok(answered),
                }
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
