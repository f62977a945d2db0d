//! The state of a sync with one contest: a function of what was known before, of what the
//! documents come to, and of the occasion on which they are read.

use std::collections::HashSet;

use ranklore_contest::UnixSeconds;
use ranklore_source::assemble::NewestVerdict;
use ranklore_source::{Listed, Request};
use ranklore_store::{Completeness, ContestSync, SyncOutcome};

use crate::derive::contest::Derived;
use crate::derive::site::Site;

/// The occasion on which the documents about a contest are read. Times are those of the clock:
/// what is archived may have come by a clock that was wrong.
pub(crate) enum Occasion<'o> {
    /// The site was asked about it.
    Asked {
        at: UnixSeconds,
        /// The requests that have an answer by now, by their keys.
        came: &'o HashSet<String>,
        /// One that has none.
        lack: Option<&'o Lack>,
        /// The keys of all documents about it, of which those that the newest supersede are to be
        /// deleted; none where nothing is deleted.
        deletable: &'o HashSet<String>,
    },
    /// Nobody was asked, and everything is as if somebody had been.
    ReadAgain { at: UnixSeconds },
    /// Nobody was asked, and a list says something new of it.
    Listed,
    /// Nobody was asked, and the archive is read again.
    Archived,
}

/// A request without an answer that can be read, and why.
#[derive(Clone)]
pub(crate) struct Lack {
    pub(crate) request: Request,
    pub(crate) outcome: SyncOutcome,
    /// The reason, for the user.
    pub(crate) said: String,
    /// The reason, for the database: without words of the site, in which anybody may be named.
    pub(crate) kept: String,
}

impl Lack {
    /// Returns the state of something that no answer came to now.
    pub(crate) fn sync(
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
            reason: Some(self.kept.clone()),
            completeness: None,
        }
    }
}

impl Site<'_> {
    /// Returns the state to remember; nothing where it stays what it was.
    pub(crate) fn sync_state(
        &self,
        listed: &Listed,
        derived: &Derived,
        before: Option<&ContestSync>,
        occasion: &Occasion<'_>,
    ) -> Option<ContestSync> {
        let mut sync = self.state_without_counts(listed, derived, before, occasion)?;
        sync.completeness = completeness(derived, before, occasion);
        if sync.holds_back() {
            sync.due_at.get_or_insert(sync.tried_at);
        }
        Some(sync)
    }

    fn state_without_counts(
        &self,
        listed: &Listed,
        derived: &Derived,
        before: Option<&ContestSync>,
        occasion: &Occasion<'_>,
    ) -> Option<ContestSync> {
        let read_before = before.and_then(|before| before.read_at);
        let newest = derived.assembly.newest;
        match occasion {
            Occasion::Asked { at, came, lack, .. } => {
                let decides = |key: &String| derived.decided_by().any(|by| by == *key);
                if let Some(lack) = lack.filter(|lack| decides(&lack.request.key())) {
                    return Some(lack.sync(&listed.external_id, *at, read_before));
                }
                if lack.is_none() && came.is_empty() {
                    return None;
                }
                let read_at = match read_before {
                    Some(before) if !came.iter().any(decides) => before,
                    _ => at.get(),
                };
                let mut sync = self.learned(listed, derived, at.get(), read_at, read_before);
                if let Some(lack) = lack {
                    sync.due_at = Some(at.get());
                    sync.reason = Some(lack.kept.clone());
                }
                Some(sync)
            }
            Occasion::ReadAgain { at } => {
                newest.map(|_| self.learned(listed, derived, at.get(), at.get(), read_before))
            }
            Occasion::Listed => {
                // An end that moved may make it due again; nothing else was learned.
                let before = before.filter(|before| before.due_at.is_none())?;
                let (tried_at, read_at) = (before.tried_at, read_before.unwrap_or(before.tried_at));
                let learned = self.learned(listed, derived, tried_at, read_at, read_before);
                learned.due_at.map(|due_at| ContestSync {
                    due_at: Some(due_at),
                    ..before.clone()
                })
            }
            Occasion::Archived => {
                let newest = newest?;
                // A later try that brought no answer keeps its word.
                let gave_up = before.is_some_and(|before| {
                    matches!(before.outcome, SyncOutcome::GaveUp | SyncOutcome::Blocked)
                        && before.tried_at >= newest.fetched_at
                });
                if gave_up {
                    return None;
                }
                let tried_at = before.map_or(newest.fetched_at, |before| before.tried_at);
                let read_at = read_before.unwrap_or(tried_at);
                Some(self.learned(listed, derived, tried_at, read_at, read_before))
            }
        }
    }

    /// Returns what is known of a contest after it was asked about at `tried_at`, and its results
    /// read, if they can be, at `read_at`. `read_before` is when they were last read before.
    fn learned(
        &self,
        listed: &Listed,
        derived: &Derived,
        tried_at: i64,
        read_at: i64,
        read_before: Option<i64>,
    ) -> ContestSync {
        let assembly = &derived.assembly;
        let outcome = derived.outcome.unwrap_or(SyncOutcome::NotYet);
        // A closed door says nothing of what is behind it.
        let read = derived.outcome.is_some()
            && !matches!(outcome, SyncOutcome::Refused | SyncOutcome::Blocked);
        let read_at = if read { Some(read_at) } else { read_before };
        // What was read again, and came before, has not come to rest by that.
        let came_at = assembly.newest.map(|newest| newest.fetched_at);
        let rests = |at: Option<i64>| at.is_some_and(|at| at >= self.settled_at(listed));
        let settled = read && rests(read_at) && rests(came_at);
        let refused = assembly.refused.iter().chain(&assembly.further_refused);
        let refused = refused.chain(&assembly.closed);
        let mut reasons = refused.map(|refusal| refusal.reason(&listed.external_id));
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

/// Compares what the site announces of a contest with what arrived. To read answers again is no
/// sync that brought nothing.
fn completeness(
    derived: &Derived,
    before: Option<&ContestSync>,
    occasion: &Occasion<'_>,
) -> Option<Completeness> {
    let before = before.and_then(|before| before.completeness.as_ref());
    let asked = match occasion {
        Occasion::Asked { came, .. } => derived.decided_by().any(|key| came.contains(&key)),
        _ => false,
    };
    let counts = match derived.assembly.newest?.verdict {
        NewestVerdict::Stood | NewestVerdict::NothingYet => derived.assembly.counts.as_ref()?,
        NewestVerdict::NotRated | NewestVerdict::Gone => return None,
        NewestVerdict::Closed | NewestVerdict::Refused => {
            // What was answered without results brought no more of them.
            return before.map(|before| match occasion {
                Occasion::Asked { lack: None, .. } if asked => {
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
