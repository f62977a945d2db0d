//! The sync state of one contest: a function of the state before, the documents and the trigger.

use std::collections::HashSet;

use ranklore_contest::UnixSeconds;
use ranklore_source::assemble::NewestVerdict;
use ranklore_source::{Request, SiteListing};
use ranklore_store::{Completeness, ContestSync, SyncOutcome};

use crate::derive::contest::Derivation;
use crate::derive::site::Site;

/// The reason why the documents about a contest are read. Times are those of the current clock,
/// because documents may have been archived with a wrong one.
pub(crate) enum SyncTrigger<'o> {
    /// The site was requested for this contest.
    Requested {
        at: UnixSeconds,
        /// The keys of the requests that have an answer now.
        answered: &'o HashSet<String>,
        /// The request without a usable answer.
        failure: Option<&'o FetchFailure>,
        /// The keys of all documents about the contest; superseded ones are deleted. Empty if the
        /// terms do not require deletion.
        deletable: &'o HashSet<String>,
    },
    /// Nothing was requested; the state is updated as if it had been.
    Reread { at: UnixSeconds },
    /// Nothing was requested; a list has new details.
    ListChanged,
    /// Nothing was requested; the archive is read again.
    Rebuild,
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
        at: UnixSeconds,
        read_before: Option<i64>,
    ) -> ContestSync {
        ContestSync {
            external_id: external_id.to_owned(),
            outcome: self.outcome,
            tried_at: at.get(),
            read_at: read_before,
            due_at: Some(at.get()),
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
        occasion: &SyncTrigger<'_>,
    ) -> Option<ContestSync> {
        let mut sync = self.state_without_counts(listed, derived, before, occasion)?;
        sync.completeness = completeness(derived, before, occasion);
        if sync.is_held_back() {
            sync.due_at.get_or_insert(sync.tried_at);
        }
        Some(sync)
    }

    fn state_without_counts(
        &self,
        listed: &SiteListing,
        derived: &Derivation,
        before: Option<&ContestSync>,
        occasion: &SyncTrigger<'_>,
    ) -> Option<ContestSync> {
        let read_before = before.and_then(|before| before.read_at);
        let newest = derived.assembly.newest;
        match occasion {
            SyncTrigger::Requested {
                at,
                answered: came,
                failure: lack,
                ..
            } => {
                let decides = |key: &String| derived.deciding_keys().any(|by| by == *key);
                if let Some(lack) = lack.filter(|lack| decides(&lack.request.key())) {
                    return Some(lack.to_contest_sync(&listed.external_id, *at, read_before));
                }
                if lack.is_none() && came.is_empty() {
                    return None;
                }
                let read_at = match read_before {
                    Some(before) if !came.iter().any(decides) => before,
                    _ => at.get(),
                };
                let mut sync =
                    self.state_after_request(listed, derived, at.get(), read_at, read_before);
                if let Some(lack) = lack {
                    sync.due_at = Some(at.get());
                    sync.reason = Some(lack.stored_message.clone());
                }
                Some(sync)
            }
            SyncTrigger::Reread { at } => newest.map(|_| {
                self.state_after_request(listed, derived, at.get(), at.get(), read_before)
            }),
            SyncTrigger::ListChanged => {
                // Only a changed end time can make the contest due again.
                let before = before.filter(|before| before.due_at.is_none())?;
                let (tried_at, read_at) = (before.tried_at, read_before.unwrap_or(before.tried_at));
                let learned =
                    self.state_after_request(listed, derived, tried_at, read_at, read_before);
                learned.due_at.map(|due_at| ContestSync {
                    due_at: Some(due_at),
                    ..before.clone()
                })
            }
            SyncTrigger::Rebuild => {
                let newest = newest?;
                // A later attempt without an answer keeps its state.
                let gave_up = before.is_some_and(|before| {
                    matches!(before.outcome, SyncOutcome::GaveUp | SyncOutcome::Blocked)
                        && before.tried_at >= newest.fetched_at
                });
                if gave_up {
                    return None;
                }
                let tried_at = before.map_or(newest.fetched_at, |before| before.tried_at);
                let read_at = read_before.unwrap_or(tried_at);
                Some(self.state_after_request(listed, derived, tried_at, read_at, read_before))
            }
        }
    }

    /// Returns the state of a contest after a request at `tried_at` whose results were read at
    /// `read_at`, if they are readable. `read_before` is the time of the last successful read
    /// before.
    fn state_after_request(
        &self,
        listed: &SiteListing,
        derived: &Derivation,
        tried_at: i64,
        read_at: i64,
        read_before: Option<i64>,
    ) -> ContestSync {
        let assembly = &derived.assembly;
        let outcome = derived.outcome.unwrap_or(SyncOutcome::NotYet);
        // A blocked answer tells nothing about the results.
        let read = derived.outcome.is_some()
            && !matches!(outcome, SyncOutcome::Refused | SyncOutcome::Blocked);
        let read_at = if read { Some(read_at) } else { read_before };
        // Reading an old answer again does not settle the contest.
        let came_at = assembly.newest.map(|newest| newest.fetched_at);
        let rests = |at: Option<i64>| at.is_some_and(|at| at >= self.settled_at(listed));
        let settled = read && rests(read_at) && rests(came_at);
        let refused = assembly.refused.iter().chain(&assembly.further_refused);
        let refused = refused.chain(&assembly.closed);
        let mut reasons = refused.map(|refusal| refusal.reason_for_contest(&listed.external_id));
        let closed = || "the site does not let it be read".to_owned();
        ContestSync {
            external_id: listed.external_id.clone(),
            outcome,
            tried_at,
            read_at,
            due_at: (!settled || !assembly.further_refused.is_empty()).then_some(tried_at),
            reason: (reasons.next()).or_else(|| (outcome == SyncOutcome::Blocked).then(closed)),
            completeness: None,
        }
    }
}

/// Compares the announced with the arrived number of items. Reading old answers again does not
/// count as a fruitless sync.
fn completeness(
    derived: &Derivation,
    before: Option<&ContestSync>,
    occasion: &SyncTrigger<'_>,
) -> Option<Completeness> {
    let before = before.and_then(|before| before.completeness.as_ref());
    let asked = match occasion {
        SyncTrigger::Requested { answered: came, .. } => {
            derived.deciding_keys().any(|key| came.contains(&key))
        }
        _ => false,
    };
    let counts = match derived.assembly.newest?.verdict {
        NewestVerdict::HasResults | NewestVerdict::NothingYet => {
            derived.assembly.counts.as_ref()?
        }
        NewestVerdict::NotRated | NewestVerdict::Gone => return None,
        NewestVerdict::Closed | NewestVerdict::Refused => {
            // An answer without results brought no items.
            return before.map(|before| match occasion {
                SyncTrigger::Requested { failure: None, .. } if asked => {
                    let Completeness {
                        announced, arrived, ..
                    } = *before;
                    Completeness::after_sync(Some(before), &before.items, announced, arrived)
                }
                _ => before.clone(),
            });
        }
    };
    let (items, announced, arrived) = (&counts.items, counts.announced?, counts.arrived);
    let mut after = Completeness::after_sync(before, items, announced, arrived);
    if let Some(before) = before.filter(|_| !asked && after.is_incomplete()) {
        after.fruitless_syncs = before.fruitless_syncs;
    }
    Some(after)
}
