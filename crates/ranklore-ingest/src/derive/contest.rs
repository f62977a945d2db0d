//! Contests as all documents about them have them: what a list says, what the answers come to, how
//! far both are settled.

use std::time::{Duration, Instant};

use ranklore_contest::{ContentHash, UnixSeconds};
use ranklore_source::assemble::{AssembledContest, Assembly, Newest, NewestVerdict, NoAnswers};
use ranklore_source::{Listed, Request, Stage};
use ranklore_store::{ContestState, Store, SyncOutcome};

use crate::derive::site::Site;
use crate::error::Error;

/// A listed contest, or event, as all documents about it have it.
pub(crate) struct Derived {
    /// Its contests with results, which moved out of `assembly`.
    pub(crate) contests: Vec<DerivedContest>,
    /// The state of a contest without results; an event is none.
    pub(crate) state: ContestState,
    /// The outcome of the newest answer; none if there was never one.
    pub(crate) outcome: Option<SyncOutcome>,
    /// The rest of what its source made of the answers.
    pub(crate) assembly: Assembly,
    /// True if results that were there before are to go: people deleted them on the site.
    pub(crate) takes_results: bool,
    /// The time to read the documents.
    pub(crate) took: Duration,
}

/// A contest with results, ready to be written.
pub(crate) struct DerivedContest {
    pub(crate) assembled: AssembledContest,
    pub(crate) hash: ContentHash,
    pub(crate) state: ContestState,
}

impl Derived {
    /// Marks every contest as withdrawn: it was listed, and is no more.
    pub(crate) fn withdraw(&mut self) {
        self.state = ContestState::Withdrawn;
        for contest in &mut self.contests {
            contest.state = ContestState::Withdrawn;
        }
    }

    /// Marks contests as incomplete that would be rated: much less arrived than the site announced.
    /// True if there are any.
    pub(crate) fn hold_back(&mut self) -> bool {
        let mut held_back = false;
        let states = self.contests.iter_mut().map(|contest| &mut contest.state);
        for state in states.chain([&mut self.state]) {
            if matches!(state, ContestState::Provisional | ContestState::Final) {
                *state = ContestState::Incomplete;
                held_back = true;
            }
        }
        held_back
    }

    /// Returns the keys of the requests any of whose answers may decide.
    pub(crate) fn decided_by(&self) -> impl Iterator<Item = String> {
        self.assembly.decided_by.iter().map(Request::key)
    }
}

impl Site<'_> {
    /// Derives what a list has as `listed` from the documents in `store`. Writes nothing.
    pub(crate) fn derive(&self, store: &Store, listed: &Listed) -> Result<Derived, Error> {
        let began = Instant::now();
        let mut assembly = self.assemble(store, listed)?;
        let outcome = assembly.newest.map(|newest| self.outcome(listed, newest));
        let mut contests = std::mem::take(&mut assembly.contests);
        // The newest answer says that it has no results any more, and so it has none here.
        let takes_results = self.honours_deletions()
            && !assembly.made_of.is_empty()
            && outcome != Some(SyncOutcome::Read);
        if takes_results {
            contests.clear();
        }
        let contests = contests.into_iter().map(|assembled| DerivedContest {
            hash: assembled.contest.content_hash(),
            state: if assembled.taken_back {
                ContestState::Withdrawn
            } else {
                self.state(listed, outcome, Some(assembled.stood_at))
            },
            assembled,
        });
        Ok(Derived {
            contests: contests.collect(),
            state: self.state(listed, outcome, None),
            outcome,
            assembly,
            takes_results,
            took: began.elapsed(),
        })
    }

    /// True if what is listed is an event of several contests.
    pub(crate) fn is_event(&self, listed: &Listed) -> bool {
        self.source.assemble(listed, &NoAnswers).is_event
    }

    /// Returns the time from which on an answer about a contest is final, in seconds since 1970.
    pub(crate) fn settled_at(&self, listed: &Listed) -> i64 {
        let first = listed.results.first();
        if let Some(at) = first.and_then(|first| first.settles_at) {
            return at.get();
        }
        let ends_at = listed.ends_at.map_or(i64::MAX / 2, UnixSeconds::get);
        ends_at + self.source.profile().terms.provisional.as_secs() as i64
    }

    fn outcome(&self, listed: &Listed, newest: Newest) -> SyncOutcome {
        match newest.verdict {
            NewestVerdict::Stood => SyncOutcome::Read,
            NewestVerdict::NothingYet if newest.fetched_at < self.settled_at(listed) => {
                SyncOutcome::NotYet
            }
            NewestVerdict::NothingYet | NewestVerdict::NotRated => SyncOutcome::NothingThere,
            NewestVerdict::Gone => SyncOutcome::Gone,
            NewestVerdict::Closed => SyncOutcome::Blocked,
            NewestVerdict::Refused => SyncOutcome::Refused,
        }
    }

    /// Returns the state of a contest by the outcome of the newest answer and the time of the answer
    /// that has its results, if one has.
    fn state(
        &self,
        listed: &Listed,
        newest: Option<SyncOutcome>,
        stood_at: Option<i64>,
    ) -> ContestState {
        let Some(newest) = newest else {
            return listed_state(listed);
        };
        match (newest, stood_at) {
            // A closed door, and what cannot be read, take nothing back and settle nothing.
            (SyncOutcome::Read | SyncOutcome::Refused | SyncOutcome::Blocked, Some(stood_at)) => {
                if stood_at < self.settled_at(listed) {
                    ContestState::Provisional
                } else {
                    ContestState::Final
                }
            }
            // It had results once, or is gone before it had any.
            (_, Some(_)) | (SyncOutcome::Gone, None) => ContestState::Withdrawn,
            (SyncOutcome::NotYet, None) => ContestState::Provisional,
            (SyncOutcome::NothingThere, None) => ContestState::Unrated,
            (SyncOutcome::Blocked | SyncOutcome::GaveUp, None) => ContestState::Refused,
            (SyncOutcome::Read | SyncOutcome::Refused, None) => listed_state(listed),
        }
    }
}

fn listed_state(listed: &Listed) -> ContestState {
    match listed.stage {
        _ if !listed.rateable => ContestState::Unrated,
        Stage::Announced => ContestState::Announced,
        Stage::Running => ContestState::Running,
        Stage::Finished => ContestState::Provisional,
    }
}
