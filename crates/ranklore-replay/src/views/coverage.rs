//! Why a contest has no ratings in a run.

use std::collections::{HashMap, HashSet};

use ranklore_contest::UnixSeconds;
use ranklore_store::{ContestId, ContestRow, ContestState, RunRow, Store};
use serde::{Serialize, Serializer};

use crate::error::Error;
use crate::runs::weights::Weights;

/// Why a contest has no ratings in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnratedReason {
    /// A person took it out.
    Withdrawn,
    /// It has not come so far, or its source has taken it back.
    State(ContestState),
    /// It does not count, says its source.
    UnratedBySource,
    /// The run is over other contests.
    NotSelected,
    /// One entrant, or all tied.
    NoOrder,
    /// Its site gives it no weight, by which the run goes.
    NoWeight,
    /// The result is newer than the run.
    NotYet,
    /// A team in a run that rates the people in it.
    MembersRated,
    /// Whoever did not finish, in a run that leaves them out.
    Excluded,
}

impl Serialize for UnratedReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl UnratedReason {
    /// The words for it in output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Withdrawn => "withdrawn",
            Self::State(ContestState::Withdrawn) => "taken back by its source",
            Self::State(state) => state.as_str(),
            Self::UnratedBySource => "unrated",
            Self::NotSelected => "not in this run",
            Self::NoOrder => "no order",
            Self::NoWeight => "no weight",
            Self::NotYet => "not rated yet",
            Self::MembersRated => "its members are rated",
            Self::Excluded => "left out",
        }
    }

    /// Returns why no run rates a contest; none if runs do that select it.
    pub(crate) fn for_all_runs(contest: &ContestRow) -> Option<Self> {
        match contest.state {
            _ if contest.withdrawn_at.is_some() => Some(Self::Withdrawn),
            ContestState::Provisional | ContestState::Final => {
                (!contest.rated).then_some(Self::UnratedBySource)
            }
            state => Some(Self::State(state)),
        }
    }
}

/// The contests that a run was made of, in its order, whatever has become of them since; those
/// selected now for a run from before they were noted.
pub(crate) fn contests_of_run(
    store: &Store,
    run: &RunRow,
    selected: &[ContestRow],
) -> Result<Vec<ContestRow>, Error> {
    let rated = store.run_contests(run.run_id)?;
    if rated.is_empty() {
        return Ok(selected.to_vec());
    }
    let mut contests: HashMap<ContestId, ContestRow> = (selected.iter())
        .map(|contest| (contest.contest_id, contest.clone()))
        .collect();
    let others: Vec<ContestId> = (rated.iter().map(|of| of.contest_id))
        .filter(|id| !contests.contains_key(id))
        .collect();
    let others = store.contests_by_id(others)?.into_iter();
    contests.extend(others.map(|contest| (contest.contest_id, contest)));
    Ok((rated.iter())
        .filter_map(|of| contests.remove(&of.contest_id))
        .collect())
}

/// True if a contest had ended by a time; of no time, always.
pub(crate) fn had_ended(contest: &ContestRow, as_of: Option<UnixSeconds>) -> bool {
    as_of.is_none_or(|as_of| contest.ends_at.is_some_and(|at| at <= as_of.get()))
}

/// Which contests a run is over, and which of them it has rated.
pub(crate) struct Coverage {
    selected: HashSet<ContestId>,
    /// Rows of the run by contest; empty for a run from before they were noted.
    rows: HashMap<ContestId, u32>,
    weights: Weights,
}

impl Coverage {
    /// Of the contests that the run selects, as they are now.
    pub(crate) fn load(
        store: &Store,
        run: &RunRow,
        contests: &[ContestRow],
    ) -> Result<Self, Error> {
        let rated = store.run_contests(run.run_id)?;
        Ok(Self {
            selected: contests.iter().map(|contest| contest.contest_id).collect(),
            rows: (rated.iter())
                .map(|rated| (rated.contest_id, rated.results))
                .collect(),
            weights: Weights::from_run_parameters(&run.parameters),
        })
    }

    /// Why a contest is not rated as things are now; none if it is, or if nothing is noted of it.
    /// A run from before that was so may have ratings of it all the same.
    pub(crate) fn unrated_reason(&self, contest: &ContestRow) -> Option<UnratedReason> {
        UnratedReason::for_all_runs(contest).or(match self.rows.get(&contest.contest_id) {
            _ if !self.selected.contains(&contest.contest_id) => Some(UnratedReason::NotSelected),
            None if self.rows.is_empty() => None,
            None => Some(UnratedReason::NotYet),
            Some(0) if self.weights.excludes(contest) => Some(UnratedReason::NoWeight),
            Some(0) => Some(UnratedReason::NoOrder),
            Some(_) => None,
        })
    }
}
