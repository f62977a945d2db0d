//! A client whose waits take no time.
//!
//! The clock of its runtime runs while bytes are under way. Otherwise it is paused, and jumps to the
//! end of each wait. The caller of [`Blocking::fetch`] hears when a request is about to start, and
//! the server counts the replies that it has sent: between the two bytes are under way.

use std::cell::{Cell, RefCell};
use std::time::{Duration, SystemTime};

use ranklore_fetch::{Answered, Blocking, Failed, HostState, Options};
use ranklore_source::Request;
use ranklore_test_support::Server;
use tokio::time::{Instant, pause, resume};

use crate::site::{NOWHERE, Site};

/// A client of one server.
pub(crate) struct Lapse<'s> {
    pub(crate) client: Blocking,
    /// How long it takes to keep what the next run has to know.
    pub(crate) keeping: Duration,
    server: &'s Server,
    clock: Clock,
    /// The replies that the server had sent to others.
    replied: usize,
    /// The start of each request.
    starts: RefCell<Vec<SystemTime>>,
    /// Every state that was to be kept, with the number of requests that had arrived by then.
    kept: RefCell<Vec<(usize, HostState)>>,
}

impl<'s> Lapse<'s> {
    pub(crate) fn new(server: &'s Server, options: Options) -> Self {
        Self::resumed(server, options, HostState::default(), SystemTime::now())
    }

    /// A client that goes on where an earlier one left the host, at the time `now`.
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
        // It is asked whether to end before anything else is done: then nothing is under way.
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
            // A rest is kept, too, and then no request starts.
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

    /// The time, by the clock of the client, when it last looked at it.
    pub(crate) fn now(&self) -> SystemTime {
        self.clock.now.get()
    }

    pub(crate) fn starts(&self) -> Vec<SystemTime> {
        self.starts.borrow().clone()
    }

    /// The times from the start of each request to the start of the next.
    pub(crate) fn gaps(&self) -> Vec<Duration> {
        gaps(&self.starts())
    }

    /// Every state to be kept since the last time, with the number of requests that had arrived.
    pub(crate) fn take_kept(&self) -> Vec<(usize, HostState)> {
        self.kept.take()
    }
}

pub(crate) fn gaps(starts: &[SystemTime]) -> Vec<Duration> {
    let gap = |pair: &[SystemTime]| pair[1].duration_since(pair[0]).unwrap();
    starts.windows(2).map(gap).collect()
}

/// The clock of the client's runtime.
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
