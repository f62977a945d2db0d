//! A client with virtual time.
//!
//! The runtime's clock runs while bytes are in transit. Otherwise it is paused and jumps to the end
//! of each wait. The `keep` callback of [`BlockingClient::fetch`] signals that a request is about
//! to start, and the server counts its sent replies: in between, bytes are in transit.

use std::cell::{Cell, RefCell};
use std::time::{Duration, SystemTime};

use ranklore_fetch::{Answered, Blocking, Failed, HostState, Options};
use ranklore_source::Request;
use ranklore_test_support::Server;
use tokio::time::{Instant, pause, resume};

use crate::site::{NOWHERE, Site};

/// A client of one server, in virtual time.
pub(crate) struct Lapse<'s> {
    pub(crate) client: Blocking,
    /// Duration of saving the host state.
    pub(crate) keeping: Duration,
    server: &'s Server,
    clock: Clock,
    /// Replies that the server had sent to earlier clients.
    replied: usize,
    /// The start of each request.
    starts: RefCell<Vec<SystemTime>>,
    /// Saved states, each with the number of requests received by then.
    kept: RefCell<Vec<(usize, HostState)>>,
}

impl<'s> Lapse<'s> {
    pub(crate) fn new(server: &'s Server, options: Options) -> Self {
        Self::resumed(server, options, HostState::default(), SystemTime::now())
    }

    /// Creates a client that continues from a saved state at the time `now`.
    pub(crate) fn resumed(
        server: &'s Server,
        options: Options,
        state: HostState,
        now: SystemTime,
    ) -> Self {
        Self {
            clock: Clock {
                told: now,
                at: Instant::now(),
                now: Cell::new(now),
                paused: Cell::new(false),
            },
            client: Blocking::new(options, state, now).unwrap(),
            keeping: Duration::ZERO,
            replied: server.count_replied(),
            server,
            starts: RefCell::default(),
            kept: RefCell::default(),
        }
    }

    pub(crate) fn ask(&mut self, request: &Request) -> Result<Answered, Failed> {
        let (server, clock) = (self.server, &self.clock);
        // The first poll comes before any request: nothing is in transit.
        let first = Cell::new(true);
        let interrupted = || {
            let begun = self.replied + self.starts.borrow().len();
            if first.replace(false) || server.count_replied() == begun {
                clock.pause();
            }
            clock.look();
            false
        };
        let mut keep = |state: HostState| {
            self.kept.borrow_mut().push((server.count(), state));
            clock.look();
            // A state with a delay is saved without a request.
            if state.not_before.is_none() {
                self.starts.borrow_mut().push(self.clock.now.get());
                clock.run();
                std::thread::sleep(self.keeping);
            }
            NOWHERE(state)
        };
        let Ok(answered) = (self.client).fetch(&Site, request, None, &interrupted, &mut keep);
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
        gaps(&self.starts())
    }

    /// Returns and clears the saved states, each with the number of requests received.
    pub(crate) fn take_kept(&self) -> Vec<(usize, HostState)> {
        self.kept.take()
    }
}

pub(crate) fn gaps(starts: &[SystemTime]) -> Vec<Duration> {
    let gap = |pair: &[SystemTime]| pair[1].duration_since(pair[0]).unwrap();
    starts.windows(2).map(gap).collect()
}

/// Clock of the client's runtime.
struct Clock {
    told: SystemTime,
    at: Instant,
    now: Cell<SystemTime>,
    paused: Cell<bool>,
}

impl Clock {
    fn look(&self) {
        self.now.set(self.told + self.at.elapsed());
    }

    fn pause(&self) {
        if !self.paused.replace(true) {
            pause();
        }
    }

    fn run(&self) {
        if self.paused.replace(false) {
            resume();
        }
    }
}
