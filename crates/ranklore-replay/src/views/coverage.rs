//! Reasons for missing ratings, and the contests of a run.

use std::collections::{HashMap, HashSet};

use ranklore_contest::UnixSeconds;
use ranklore_store::{ContestId, ContestRow, ContestState, RunRow, Store};
use serde::{Serialize, Serializer};

use crate::error::Error;
use crate::runs::contest_size::is_oversized;
use crate::runs::systems::SystemName;
use crate::runs::weights::Weights;

/// The reason why a contest or an entrant has no rating in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnratedReason {
    /// The user withdrew the contest.
    Withdrawn,
    /// The contest is in a state that is not rated, such as running or withdrawn by its source.
    State(ContestState),
    /// The source marks the contest as unrated.
    UnratedBySource,
    /// The run does not select the contest.
    NotSelected,
    /// The contest has one entrant, or all are tied.
    NoOrder,
    /// The contest has more entrants than the system rates.
    TooManyEntrants,
    /// The run uses site weights, and the site gives the contest none.
    NoWeight,
    /// The result is newer than the run.
    NotYet,
    /// The entrant is a team, and the run rates its members.
    MembersRated,
    /// The entrant did not finish, and the run leaves such entrants out.
    Excluded,
}

impl Serialize for UnratedReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl UnratedReason {
    /// Returns the words for output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Withdrawn => "withdrawn",
            Self::State(ContestState::Withdrawn) => "taken back by its source",
            Self::State(state) => state.as_str(),
            Self::UnratedBySource => "unrated",
            Self::NotSelected => "not in this run",
            Self::NoOrder => "no order",
            Self::TooManyEntrants => "too many entrants",
            Self::NoWeight => "no weight",
            Self::NotYet => "not rated yet",
            Self::MembersRated => "its members are rated",
            Self::Excluded => "left out",
        }
    }

    /// Returns the reason why no run rates a contest; `None` if runs that select it do.
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

/// Returns the contests that a run was computed from, in its order, also those withdrawn since.
/// For a run of an older version, which did not store them, returns `selected`.
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

/// True if a contest had ended by a time, or if no time is given.
pub(crate) fn had_ended(contest: &ContestRow, as_of: Option<UnixSeconds>) -> bool {
    as_of.is_none_or(|as_of| contest.ends_at.is_some_and(|at| at <= as_of.get()))
}

/// The contests that a run selects, and those that it has rated.
pub(crate) struct Coverage {
    selected: HashSet<ContestId>,
    /// The number of rating rows by contest; empty for a run of an older version, which did not
    /// store its contests.
    rows: HashMap<ContestId, u32>,
    weights: Weights,
    /// None for official ratings and for a system that this version does not know.
    system: Option<SystemName>,
}

impl Coverage {
    /// Loads the coverage of a run; `contests` are those that it selects now.
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
            system: SystemName::find(&run.system).ok(),
        })
    }

    /// Returns the reason why a contest is not rated now; `None` if it is, or if the run did not
    /// store its contests. A stale run may still have ratings of the contest.
    pub(crate) fn unrated_reason(&self, contest: &ContestRow) -> Option<UnratedReason> {
        UnratedReason::for_all_runs(contest).or(match self.rows.get(&contest.contest_id) {
            _ if !self.selected.contains(&contest.contest_id) => Some(UnratedReason::NotSelected),
            None if self.rows.is_empty() => None,
            None => Some(UnratedReason::NotYet),
            Some(0) if self.weights.excludes(contest) => Some(UnratedReason::NoWeight),
            Some(0) if self.is_oversized(contest) => Some(UnratedReason::TooManyEntrants),
            Some(0) => Some(UnratedReason::NoOrder),
            Some(_) => None,
        })
    }

    fn is_oversized(&self, contest: &ContestRow) -> bool {
        (self.system).is_some_and(|system| is_oversized(system.about(), contest))
    }
}
