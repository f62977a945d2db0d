//! The sync state of one contest: a function of the state before, the documents and the trigger.

use std::collections::HashSet;

use ranklore_contest::UnixSeconds;
use ranklore_source::assemble::NewestVerdict;
use ranklore_source::{Request, SiteListing};
use ranklore_store::{Completeness, ContestSync, SyncOutcome};

use crate::derive::contest::Derivation;
use crate::derive::site::Site;

/// The time and the reason of reading the documents about a contest. The time is that of the current
/// clock, because documents may have been archived with a wrong one.
pub(crate) struct SyncOccasion<'o> {
    pub(crate) now: UnixSeconds,
    pub(crate) trigger: SyncTrigger<'o>,
}

/// The reason why the documents about a contest are read.
pub(crate) enum SyncTrigger<'o> {
    /// The site was requested for this contest.
    Requested(RequestedAnswers<'o>),
    /// Nothing was requested; the state is updated as if it had been.
    Reread,
    /// Nothing was requested; a list has new details.
    ListChanged,
    /// Nothing was requested; the archive is read again.
    Rebuild,
}

/// The answers to the requests about a contest.
pub(crate) struct RequestedAnswers<'o> {
    /// The keys of the requests that have an answer now.
    pub(crate) answered: &'o HashSet<String>,
    /// The request without a usable answer.
    pub(crate) failure: Option<&'o FetchFailure>,
    /// The keys of all documents about the contest; superseded ones are deleted. Empty if the terms
    /// do not require deletion.
    pub(crate) deletable: &'o HashSet<String>,
}

/// A request without a usable answer, and the reason.
#[derive(Clone)]
pub(crate) struct FetchFailure {
    pub(crate) request: Request,
    pub(crate) outcome: SyncOutcome,
    /// The reason, for the user.
    pub(crate) message: String,
    /// The reason, for the database. Has no text of the site, which may name a person.
    pub(crate) stored_message: String,
}

impl FetchFailure {
    /// Returns the state of a contest or document that got no answer.
    pub(crate) fn to_contest_sync(
        &self,
        external_id: &str,
        tried_at: i64,
        read_before: Option<i64>,
    ) -> ContestSync {
        ContestSync {
            external_id: external_id.to_owned(),
            outcome: self.outcome,
            tried_at,
            read_at: read_before,
            due_at: Some(tried_at),
            reason: Some(self.stored_message.clone()),
            completeness: None,
        }
    }
}

impl Site<'_> {
    /// Returns the state to write, or `None` if it does not change.
    pub(crate) fn sync_state(
        &self,
        listed: &SiteListing,
        derived: &Derivation,
        before: Option<&ContestSync>,
        occasion: &SyncOccasion<'_>,
    ) -> Option<ContestSync> {
        let contest = SyncedContest {
            listed,
            derived,
            settled_at: self.settled_at(listed),
            before,
            read_before: before.and_then(|before| before.read_at),
        };
        let mut sync = contest.state_without_counts(occasion)?;
        sync.completeness = contest.completeness(&occasion.trigger);
        if sync.is_held_back() {
            sync.due_at.get_or_insert(sync.tried_at);
        }
        Some(sync)
    }
}

/// A contest with its documents and its sync state before.
struct SyncedContest<'a> {
    listed: &'a SiteListing,
    derived: &'a Derivation,
    /// The time from which an answer counts as final, in Unix seconds.
    settled_at: i64,
    before: Option<&'a ContestSync>,
    /// The time of the last successful reading before, in Unix seconds.
    read_before: Option<i64>,
}

impl SyncedContest<'_> {
    /// Returns the state without the announced and arrived numbers of items.
    fn state_without_counts(&self, occasion: &SyncOccasion<'_>) -> Option<ContestSync> {
        let now = occasion.now.get();
        let newest = self.derived.assembly.newest;
        match &occasion.trigger {
            SyncTrigger::Requested(requested) => self.state_when_requested(requested, now),
            SyncTrigger::Reread => newest.map(|_| self.state_after_attempt(now, now)),
            SyncTrigger::ListChanged => {
                // Only a changed end time can make the contest due again.
                let before = self.before.filter(|before| before.due_at.is_none())?;
                let state = self.state_after_earlier_attempt(before.tried_at);
                state.due_at.map(|due_at| ContestSync {
                    due_at: Some(due_at),
                    ..before.clone()
                })
            }
            SyncTrigger::Rebuild => {
                let fetched_at = newest?.fetched_at;
                // A later attempt without an answer keeps its state.
                let has_given_up = self.before.is_some_and(|before| {
                    matches!(before.outcome, SyncOutcome::GaveUp | SyncOutcome::Blocked)
                        && before.tried_at >= fetched_at
                });
                let tried_at = self.before.map_or(fetched_at, |before| before.tried_at);
                (!has_given_up).then(|| self.state_after_earlier_attempt(tried_at))
            }
        }
    }

    /// Returns the state after these answers to requests sent now.
    fn state_when_requested(
        &self,
        requested: &RequestedAnswers<'_>,
        now: i64,
    ) -> Option<ContestSync> {
        if let Some(failure) = requested.failure
            && self.is_deciding(&failure.request.key())
        {
            let id = &self.listed.external_id;
            return Some(failure.to_contest_sync(id, now, self.read_before));
        }
        if requested.failure.is_none() && requested.answered.is_empty() {
            return None;
        }
        let read_at = match self.read_before {
            Some(before) if !self.has_deciding_answer(requested) => before,
            _ => now,
        };
        let mut sync = self.state_after_attempt(now, read_at);
        if let Some(failure) = requested.failure {
            sync.due_at = Some(now);
            sync.reason = Some(failure.stored_message.clone());
        }
        Some(sync)
    }

    /// True if the answer to the request with this key can decide the result.
    fn is_deciding(&self, key: &str) -> bool {
        self.derived.deciding_keys().any(|deciding| deciding == key)
    }

    fn has_deciding_answer(&self, requested: &RequestedAnswers<'_>) -> bool {
        requested.answered.iter().any(|key| self.is_deciding(key))
    }

    /// Returns the state after an attempt of an earlier sync.
    fn state_after_earlier_attempt(&self, tried_at: i64) -> ContestSync {
        self.state_after_attempt(tried_at, self.read_before.unwrap_or(tried_at))
    }

    /// Returns the state after a request at `tried_at` whose results were read at `read_at`, if
    /// they are readable.
    fn state_after_attempt(&self, tried_at: i64, read_at: i64) -> ContestSync {
        let assembly = &self.derived.assembly;
        let outcome = self.derived.outcome.unwrap_or(SyncOutcome::NotYet);
        // A blocked answer tells nothing about the results.
        let is_read = self.derived.outcome.is_some()
            && !matches!(outcome, SyncOutcome::Refused | SyncOutcome::Blocked);
        let read_at = if is_read {
            Some(read_at)
        } else {
            self.read_before
        };
        // Reading an old answer again does not settle the contest.
        let fetched_at = assembly.newest.map(|newest| newest.fetched_at);
        let settled_at = Some(self.settled_at);
        let is_settled = is_read && read_at >= settled_at && fetched_at >= settled_at;
        let refused = assembly.refused.iter().chain(&assembly.further_refused);
        let reason = match refused.chain(&assembly.closed).next() {
            Some(refusal) => Some(refusal.reason_for_contest(&self.listed.external_id)),
            None if outcome == SyncOutcome::Blocked => {
                Some("the site does not let it be read".to_owned())
            }
            None => None,
        };
        let is_due = !is_settled || !assembly.further_refused.is_empty();
        ContestSync {
            external_id: self.listed.external_id.clone(),
            outcome,
            tried_at,
            read_at,
            due_at: is_due.then_some(tried_at),
            reason,
            completeness: None,
        }
    }

    /// Compares the announced with the arrived number of items. Reading old answers again does not
    /// count as a fruitless sync.
    fn completeness(&self, trigger: &SyncTrigger<'_>) -> Option<Completeness> {
        let before = self.before.and_then(|before| before.completeness.as_ref());
        let requested = match trigger {
            SyncTrigger::Requested(requested) => Some(requested),
            _ => None,
        };
        let answered = requested.filter(|requested| self.has_deciding_answer(requested));
        let assembly = &self.derived.assembly;
        let counts = match assembly.newest?.verdict {
            NewestVerdict::HasResults | NewestVerdict::NothingYet => assembly.counts.as_ref()?,
            NewestVerdict::NotRated | NewestVerdict::Gone => return None,
            // An answer without results brought no items.
            NewestVerdict::Closed | NewestVerdict::Refused => {
                let before = before?;
                if answered.is_none_or(|requested| requested.failure.is_some()) {
                    return Some(before.clone());
                }
                let items = &before.items;
                let after =
                    Completeness::after_sync(Some(before), items, before.announced, before.arrived);
                return Some(after);
            }
        };
        let mut after =
            Completeness::after_sync(before, &counts.items, counts.announced?, counts.arrived);
        if let Some(before) = before.filter(|_| answered.is_none() && after.is_incomplete()) {
            after.fruitless_syncs = before.fruitless_syncs;
        }
        Some(after)
    }
}
