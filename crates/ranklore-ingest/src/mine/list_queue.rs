//! The queue of lists to read, and the decision which of them a sync requests.

use std::collections::{HashMap, HashSet, VecDeque};

use ranklore_contest::UnixSeconds;
use ranklore_source::Request;
use ranklore_store::ContestSync;

use crate::derive::listing::ContestLists;
use crate::mine::due::has_results;
use crate::mine::request::MineRequest;

/// Lists in the order in which a sync reads them. Syncs and plans share it.
pub(crate) struct ListQueue<'r> {
    request: &'r MineRequest,
    /// The sync states of the contests that were requested before, by id.
    syncs: HashMap<String, ContestSync>,
    pending: VecDeque<Request>,
    queued: HashSet<String>,
}

impl<'r> ListQueue<'r> {
    /// Creates a queue with the `initial_requests` that are open at the time `now`.
    pub(crate) fn new(
        request: &'r MineRequest,
        syncs: HashMap<String, ContestSync>,
        initial_requests: Vec<Request>,
        now: UnixSeconds,
    ) -> Self {
        let mut queue = Self {
            request,
            syncs,
            pending: VecDeque::new(),
            queued: HashSet::new(),
        };
        let open = initial_requests.into_iter();
        queue.extend(open.filter(|list| list.is_open(now)));
        queue
    }

    /// Adds requests that a list leads to; each is queued once.
    pub(crate) fn extend(&mut self, requests: impl IntoIterator<Item = Request>) {
        for request in requests {
            if self.queued.insert(request.key()) {
                self.pending.push_back(request);
            }
        }
    }

    /// Returns the next list, and true if the sync requests it; for other lists the archived answer
    /// is used. `known` has the contests of the lists read so far.
    ///
    /// With a limit, lists are ordered by time, because the oldest contests are due first.
    pub(crate) fn next(&mut self, known: &ContestLists) -> Option<(Request, bool)> {
        let next = if self.request.limit.is_some() {
            let starts = self.pending.iter().map(starts_at).enumerate();
            self.pending.remove(starts.min_by_key(|(_, starts_at)| *starts_at)?.0)
        } else {
            self.pending.pop_front()
        };
        next.map(|request| {
            let needs_request = self.request.from_files.is_some()
                || (self.is_in_window(&request) && !self.has_enough_before(&request, known));
            (request, needs_request)
        })
    }

    /// True if exactly one list is queued, inside the time window of the sync or not.
    pub(crate) fn is_single(&self) -> bool {
        self.pending.len() == 1
    }

    /// Returns the number of queued lists inside the time window of the sync.
    pub(crate) fn len(&self) -> usize {
        let pending = self.pending.iter();
        pending.filter(|request| self.is_in_window(request)).count()
    }

    /// True if a contest of this list may have ended inside the time window of the sync.
    fn is_in_window(&self, request: &Request) -> bool {
        request.covers.as_ref().is_none_or(|covers| {
            let MineRequest { since, until, .. } = self.request;
            since.is_none_or(|since| since <= *covers.end())
                && until.is_none_or(|until| *covers.start() < until)
        })
    }

    /// True if more contests than the limit are due before any that this list may have. The one
    /// above the limit lets the sync report that some are left.
    fn has_enough_before(&self, request: &Request, known: &ContestLists) -> bool {
        let (Some(limit), Some(start)) = (self.request.limit, starts_at(request)) else {
            return false;
        };
        let mut earlier_contests = known.end_times().filter(|(contest, ends_at)| {
            ends_at.is_none_or(|at| at < start)
                && has_results(contest)
                && self.request.is_in_window(*ends_at)
                && !self.syncs.contains_key(&contest.external_id)
        });
        earlier_contests.nth(limit).is_some()
    }
}

fn starts_at(request: &Request) -> Option<UnixSeconds> {
    request.covers.as_ref().map(|covers| *covers.start())
}
