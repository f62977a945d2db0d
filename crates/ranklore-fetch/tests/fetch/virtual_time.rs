//! A client with virtual time.
//!
//! The runtime's clock runs while bytes are in transit. Otherwise it is paused and jumps to the end
//! of each wait. The `keep` callback of [`BlockingClient::fetch`] signals that a request is about
//! to start, and the server counts its sent replies: in between, bytes are in transit.

use std::cell::{Cell, RefCell};
use std::time::{Duration, SystemTime};

use ranklore_fetch::{BlockingClient, FetchError, FetchOptions, FetchOutcome, HostState};
use ranklore_source::Request;
use ranklore_test_support::Server;
use tokio::time::{Instant, pause, resume};

use crate::test_source::{DISCARD_STATE, TestSource};

/// A client of one server, in virtual time.
pub(crate) struct VirtualTimeClient<'s> {
    pub(crate) client: BlockingClient,
    /// Duration of saving the host state.
    pub(crate) save_delay: Duration,
    server: &'s Server,
    clock: VirtualClock,
    /// Replies that the server had sent to earlier clients.
    replied: usize,
    /// The start of each request.
    starts: RefCell<Vec<SystemTime>>,
    /// Saved states, each with the number of requests received by then.
    saved: RefCell<Vec<(usize, HostState)>>,
}

impl<'s> VirtualTimeClient<'s> {
    pub(crate) fn new(server: &'s Server, options: FetchOptions) -> Self {
        Self::with_state(server, options, HostState::default(), SystemTime::now())
    }

    /// Creates a client that continues from a saved state at the time `now`.
    pub(crate) fn with_state(
        server: &'s Server,
        options: FetchOptions,
        state: HostState,
        now: SystemTime,
    ) -> Self {
        Self {
            clock: VirtualClock {
                start: now,
                started: Instant::now(),
                now: Cell::new(now),
                paused: Cell::new(false),
            },
            client: BlockingClient::new(options, state, now).unwrap(),
            save_delay: Duration::ZERO,
            replied: server.reply_count(),
            server,
            starts: RefCell::default(),
            saved: RefCell::default(),
        }
    }

    pub(crate) fn fetch(&mut self, request: &Request) -> Result<FetchOutcome, FetchError> {
        let server = self.server;
        let clock = &self.clock;
        // The first poll comes before any request: nothing is in transit.
        let first = Cell::new(true);
        let interrupted = || {
            let reply_count = self.replied + self.starts.borrow().len();
            if first.replace(false) || server.reply_count() == reply_count {
                clock.pause();
            }
            clock.update();
            false
        };
        let mut keep = |state: HostState| {
            self.saved.borrow_mut().push((server.request_count(), state));
            clock.update();
            // A state with a delay is saved without a request.
            if state.not_before.is_none() {
                self.starts.borrow_mut().push(self.clock.now.get());
                clock.resume();
                std::thread::sleep(self.save_delay);
            }
            DISCARD_STATE(state)
        };
        let Ok(answered) = self.client.fetch(&TestSource, request, None, &interrupted, &mut keep);
        answered
    }

    /// Returns the client's time at its last poll.
    pub(crate) fn now(&self) -> SystemTime {
        self.clock.now.get()
    }

    pub(crate) fn starts(&self) -> Vec<SystemTime> {
        self.starts.borrow().clone()
    }

    /// Returns the intervals between the starts of requests.
    pub(crate) fn gaps(&self) -> Vec<Duration> {
        gaps_between(&self.starts())
    }

    /// Returns and clears the saved states, each with the number of requests received.
    pub(crate) fn take_saved(&self) -> Vec<(usize, HostState)> {
        self.saved.take()
    }
}

pub(crate) fn gaps_between(starts: &[SystemTime]) -> Vec<Duration> {
    let gap = |pair: &[SystemTime]| pair[1].duration_since(pair[0]).unwrap();
    starts.windows(2).map(gap).collect()
}

/// Clock of the client's runtime.
struct VirtualClock {
    start: SystemTime,
    started: Instant,
    now: Cell<SystemTime>,
    paused: Cell<bool>,
}

impl VirtualClock {
    fn update(&self) {
        self.now.set(self.start + self.started.elapsed());
    }

    fn pause(&self) {
        if !self.paused.replace(true) {
            pause();
        }
    }

    fn resume(&self) {
        if self.paused.replace(false) {
            resume();
        }
    }
}
