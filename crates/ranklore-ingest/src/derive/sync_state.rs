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

/// The times of an attempt to read the results of a contest, in Unix seconds.
struct AttemptTimes {
    tried_at: i64,
    /// The time of the reading, if the results are readable.
    read_at: i64,
    /// The time of the last successful reading before.
    read_before: Option<i64>,
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
        let mut sync = self.state_without_counts(listed, derived, before, occasion)?;
        sync.completeness = completeness(derived, before, occasion);
        if sync.is_held_back() {
            sync.due_at.get_or_insert(sync.tried_at);
        }
        Some(sync)
    }

    /// Returns the state without the announced and arrived numbers of items.
    fn state_without_counts(
        &self,
        listed: &SiteListing,
        derived: &Derivation,
        before: Option<&ContestSync>,
        occasion: &SyncOccasion<'_>,
    ) -> Option<ContestSync> {
        let now = occasion.now.get();
        let read_before = before.and_then(|before| before.read_at);
        let times_at = |tried_at, read_at| AttemptTimes {
            tried_at,
            read_at,
            read_before,
        };
        match &occasion.trigger {
            SyncTrigger::Requested(requested) => {
                self.state_when_requested(listed, derived, requested, times_at(now, now))
            }
            SyncTrigger::Reread => derived
                .assembly
                .newest
                .map(|_| self.state_after_request(listed, derived, &times_at(now, now))),
            SyncTrigger::ListChanged => {
                // Only a changed end time can make the contest due again.
                let before = before.filter(|before| before.due_at.is_none())?;
                let tried_at = before.tried_at;
                let due_at = self
                    .state_after_request(
                        listed,
                        derived,
                        &times_at(tried_at, read_before.unwrap_or(tried_at)),
                    )
                    .due_at?;
                Some(ContestSync {
                    due_at: Some(due_at),
                    ..before.clone()
                })
            }
            SyncTrigger::Rebuild => {
                let newest = derived.assembly.newest?;
                // A later attempt without an answer keeps its state.
                let gave_up = before.is_some_and(|before| {
                    matches!(before.outcome, SyncOutcome::GaveUp | SyncOutcome::Blocked)
                        && before.tried_at >= newest.fetched_at
                });
                if gave_up {
                    return None;
                }
                let tried_at = before.map_or(newest.fetched_at, |before| before.tried_at);
                Some(self.state_after_request(
                    listed,
                    derived,
                    &times_at(tried_at, read_before.unwrap_or(tried_at)),
                ))
            }
        }
    }

    /// Returns the state of a contest for which the site was requested at `times.tried_at`.
    fn state_when_requested(
        &self,
        listed: &SiteListing,
        derived: &Derivation,
        requested: &RequestedAnswers<'_>,
        mut times: AttemptTimes,
    ) -> Option<ContestSync> {
        let is_deciding = |key: &String| derived.deciding_keys().any(|by| by == *key);
        if let Some(failure) = requested.failure
            && is_deciding(&failure.request.key())
        {
            let id = &listed.external_id;
            return Some(failure.to_contest_sync(id, times.tried_at, times.read_before));
        }
        if requested.failure.is_none() && requested.answered.is_empty() {
            return None;
        }
        if let Some(before) = times.read_before
            && !requested.answered.iter().any(is_deciding)
        {
            times.read_at = before;
        }
        let mut sync = self.state_after_request(listed, derived, &times);
        if let Some(failure) = requested.failure {
            sync.due_at = Some(times.tried_at);
            sync.reason = Some(failure.stored_message.clone());
        }
        Some(sync)
    }

    /// Returns the state of a contest after an attempt at these times.
    fn state_after_request(
        &self,
        listed: &SiteListing,
        derived: &Derivation,
        times: &AttemptTimes,
    ) -> ContestSync {
        let assembly = &derived.assembly;
        let outcome = derived.outcome.unwrap_or(SyncOutcome::NotYet);
        // A blocked answer tells nothing about the results.
        let is_read = derived.outcome.is_some()
            && !matches!(outcome, SyncOutcome::Refused | SyncOutcome::Blocked);
        let read_at = if is_read {
            Some(times.read_at)
        } else {
            times.read_before
        };
        // Reading an old answer again does not settle the contest.
        let fetched_at = assembly.newest.map(|newest| newest.fetched_at);
        let settled_at = Some(self.settled_at(listed));
        let is_settled = is_read && read_at >= settled_at && fetched_at >= settled_at;
        let refusals = assembly.refused.iter().chain(&assembly.further_refused);
        let reason = refusals
            .chain(&assembly.closed)
            .map(|refusal| refusal.reason_for_contest(&listed.external_id))
            .next();
        let is_due = !is_settled || !assembly.further_refused.is_empty();
        ContestSync {
            external_id: listed.external_id.clone(),
            outcome,
            tried_at: times.tried_at,
            read_at,
            due_at: is_due.then_some(times.tried_at),
            reason: reason.or_else(|| {
                (outcome == SyncOutcome::Blocked)
                    .then(|| "the site does not let it be read".to_owned())
            }),
            completeness: None,
        }
    }
}

/// Compares the announced with the arrived number of items. Reading old answers again does not
/// count as a fruitless sync.
fn completeness(
    derived: &Derivation,
    before: Option<&ContestSync>,
    occasion: &SyncOccasion<'_>,
) -> Option<Completeness> {
    let before = before.and_then(|before| before.completeness.as_ref());
    let requested = match &occasion.trigger {
        SyncTrigger::Requested(requested) => Some(requested),
        _ => None,
    };
    let has_answer = requested.is_some_and(|requested| {
        derived
            .deciding_keys()
            .any(|key| requested.answered.contains(&key))
    });
    let counts = match derived.assembly.newest?.verdict {
        NewestVerdict::HasResults | NewestVerdict::NothingYet => {
            derived.assembly.counts.as_ref()?
        }
        NewestVerdict::NotRated | NewestVerdict::Gone => return None,
        NewestVerdict::Closed | NewestVerdict::Refused => {
            // An answer without results brought no items.
            let is_fruitless = has_answer && requested.is_some_and(|r| r.failure.is_none());
            return before.map(|before| {
                if !is_fruitless {
                    return before.clone();
                }
                let Completeness {
                    announced, arrived, ..
                } = *before;
                Completeness::after_sync(Some(before), &before.items, announced, arrived)
            });
        }
    };
    let mut after =
        Completeness::after_sync(before, &counts.items, counts.announced?, counts.arrived);
    if let Some(before) = before.filter(|_| !has_answer && after.is_incomplete()) {
        after.fruitless_syncs = before.fruitless_syncs;
    }
    Some(after)
}
