//! Derives contests from all their documents: the list entry, the assembled answers, the state.

use std::time::{Duration, Instant};

use ranklore_contest::{ContentHash, UnixSeconds};
use ranklore_source::assemble::{
    AssembledContest, Assembly, EmptyArchive, NewestAnswer, NewestVerdict,
};
use ranklore_source::{Request, SiteListing, Stage};
use ranklore_store::{ContestState, DocumentId, Store, SyncOutcome};

use crate::derive::site::Site;
use crate::error::Error;

/// A listed contest or event, derived from all documents about it.
pub(crate) struct Derivation {
    /// The document that lists it.
    pub(crate) list: Option<DocumentId>,
    /// The contests with results, moved out of `assembly`.
    pub(crate) contests: Vec<DerivedContest>,
    /// The state of a contest without results; unused for an event.
    pub(crate) state: ContestState,
    /// The outcome of the newest answer; `None` without an answer.
    pub(crate) outcome: Option<SyncOutcome>,
    /// The rest of what the source assembled.
    pub(crate) assembly: Assembly,
    /// True if stored results must be deleted because people deleted them on the site.
    pub(crate) deletes_results: bool,
    /// The time it took to read the documents.
    pub(crate) read_duration: Duration,
}

/// A contest with results, ready to be written.
pub(crate) struct DerivedContest {
    pub(crate) assembled: AssembledContest,
    pub(crate) hash: ContentHash,
    pub(crate) state: ContestState,
}

impl DerivedContest {
    pub(crate) const fn result_count(&self) -> usize {
        self.assembled.contest.entrants.len()
    }
}

impl Derivation {
    /// Marks every contest as withdrawn: it was listed once and no list has it any more.
    pub(crate) fn withdraw(&mut self) {
        self.state = ContestState::Withdrawn;
        for contest in &mut self.contests {
            contest.state = ContestState::Withdrawn;
        }
    }

    /// Marks contests as incomplete that would otherwise be rated, because much less arrived than
    /// the site announced. Returns true if there are any.
    pub(crate) fn mark_incomplete(&mut self) -> bool {
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
    pub(crate) fn deciding_keys(&self) -> impl Iterator<Item = String> {
        self.assembly.deciding_requests.iter().map(Request::key)
    }
}

impl Site<'_> {
    /// Derives the contest or event `listed`, which the document `list` lists, from the documents in
    /// `store`. Writes nothing.
    pub(crate) fn derive(
        &self,
        store: &Store,
        listed: &SiteListing,
        list: Option<DocumentId>,
    ) -> Result<Derivation, Error> {
        let start = Instant::now();
        let mut assembly = self.assemble(store, listed)?;
        let outcome = assembly.newest.map(|newest| self.sync_outcome(listed, newest));
        let mut assembled_contests = std::mem::take(&mut assembly.contests);
        // The newest answer has no results any more, so stored ones are deleted too.
        let deletes_results = self.honours_deletions()
            && !assembly.newest_answers.is_empty()
            && outcome != Some(SyncOutcome::Read);
        if deletes_results {
            assembled_contests.clear();
        }
        let contests = assembled_contests.into_iter().map(|assembled| DerivedContest {
            hash: assembled.contest.content_hash(),
            state: if assembled.withdrawn {
                ContestState::Withdrawn
            } else {
                self.contest_state(listed, outcome, Some(assembled.last_seen_at))
            },
            assembled,
        });
        Ok(Derivation {
            list,
            contests: contests.collect(),
            state: self.contest_state(listed, outcome, None),
            outcome,
            assembly,
            deletes_results,
            read_duration: start.elapsed(),
        })
    }

    /// True if `listed` is an event of several contests.
    pub(crate) fn is_event(&self, listed: &SiteListing) -> bool {
        self.source.assemble(listed, &EmptyArchive).is_event
    }

    /// Returns the time from which an answer about a contest counts as final, in Unix seconds.
    pub(crate) fn settled_at(&self, listed: &SiteListing) -> i64 {
        let first = listed.results.first();
        if let Some(at) = first.and_then(|first| first.settles_at) {
            return at.get();
        }
        let ends_at = listed.ends_at.map_or(i64::MAX / 2, UnixSeconds::get);
        ends_at + self.source.profile().terms.provisional_period.as_secs() as i64
    }

    fn sync_outcome(&self, listed: &SiteListing, newest: NewestAnswer) -> SyncOutcome {
        match newest.verdict {
            NewestVerdict::HasResults => SyncOutcome::Read,
            NewestVerdict::NothingYet if newest.fetched_at < self.settled_at(listed) => {
                SyncOutcome::NotYet
            }
            NewestVerdict::NothingYet | NewestVerdict::NotRated => SyncOutcome::NothingThere,
            NewestVerdict::Gone => SyncOutcome::Gone,
            NewestVerdict::Closed => SyncOutcome::Blocked,
            NewestVerdict::Refused => SyncOutcome::Refused,
        }
    }

    /// Returns the state of a contest from the outcome of the newest answer and the time `results_at`
    /// of the answer that has its results.
    fn contest_state(
        &self,
        listed: &SiteListing,
        newest: Option<SyncOutcome>,
        results_at: Option<i64>,
    ) -> ContestState {
        let Some(newest) = newest else {
            return listed_state(listed);
        };
        match (newest, results_at) {
            // A blocked or unreadable answer withdraws nothing and settles nothing.
            (SyncOutcome::Read | SyncOutcome::Refused | SyncOutcome::Blocked, Some(results_at)) => {
                if results_at < self.settled_at(listed) {
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

fn listed_state(listed: &SiteListing) -> ContestState {
    match listed.stage {
        _ if !listed.rateable => ContestState::Unrated,
        Stage::Announced => ContestState::Announced,
        Stage::Running => ContestState::Running,
        Stage::Finished => ContestState::Provisional,
    }
}
