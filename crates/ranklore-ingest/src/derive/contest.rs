//! Derives contests from all their documents: the list entry, the assembled answers, the state.

use std::time::{Duration, Instant};

use ranklore_contest::{ContentHash, UnixSeconds};
use ranklore_source::assemble::{AssembledContest, Assembly, Newest, NewestVerdict, NoAnswers};
use ranklore_source::{Listed, Request, Stage};
use ranklore_store::{ContestState, Store, SyncOutcome};

use crate::derive::site::Site;
use crate::error::Error;

/// A listed contest or event, derived from all documents about it.
pub(crate) struct Derived {
    /// The contests with results, moved out of `assembly`.
    pub(crate) contests: Vec<DerivedContest>,
    /// The state of a contest without results; unused for an event.
    pub(crate) state: ContestState,
    /// The outcome of the newest answer; `None` without an answer.
    pub(crate) outcome: Option<SyncOutcome>,
    /// The rest of what the source assembled.
    pub(crate) assembly: Assembly,
    /// True if stored results must be deleted because people deleted them on the site.
    pub(crate) takes_results: bool,
    /// The time it took to read the documents.
    pub(crate) took: Duration,
}

/// A contest with results, ready to be written.
pub(crate) struct DerivedContest {
    pub(crate) assembled: AssembledContest,
    pub(crate) hash: ContentHash,
    pub(crate) state: ContestState,
}

impl Derived {
    /// Marks every contest as withdrawn: it was listed once and no list has it any more.
    pub(crate) fn withdraw(&mut self) {
        self.state = ContestState::Withdrawn;
        for contest in &mut self.contests {
            contest.state = ContestState::Withdrawn;
        }
    }

    /// Marks contests as incomplete that would otherwise be rated, because much less arrived than
    /// the site announced. Returns true if there are any.
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

    /// Returns the keys of all requests whose answers can decide the result.
    pub(crate) fn decided_by(&self) -> impl Iterator<Item = String> {
        self.assembly.decided_by.iter().map(Request::key)
    }
}

impl Site<'_> {
    /// Derives the contest or event `listed` from the documents in `store`. Writes nothing.
    pub(crate) fn derive(&self, store: &Store, listed: &Listed) -> Result<Derived, Error> {
        let began = Instant::now();
        let mut assembly = self.assemble(store, listed)?;
        let outcome = assembly.newest.map(|newest| self.outcome(listed, newest));
        let mut contests = std::mem::take(&mut assembly.contests);
        // The newest answer has no results any more, so stored ones are deleted too.
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

    /// True if `listed` is an event of several contests.
    pub(crate) fn is_event(&self, listed: &Listed) -> bool {
        self.source.assemble(listed, &NoAnswers).is_event
    }

    /// Returns the time from which an answer about a contest counts as final, in Unix seconds.
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

    /// Returns the state of a contest from the outcome of the newest answer and the time of the
    /// answer that has its results.
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
            // A blocked or unreadable answer withdraws nothing and settles nothing.
            (SyncOutcome::Read | SyncOutcome::Refused | SyncOutcome::Blocked, Some(stood_at)) => {
                if stood_at < self.settled_at(listed) {
                    ContestState::Provisional
                } else {
                    ContestState::Final
                }
            }
            // It had results once, or was removed before it had any.
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
