//! Reasons for missing ratings, and the contests of a run.

use std::collections::{HashMap, HashSet};

use ranklore_contest::UnixSeconds;
use ranklore_store::{
    ContestId, ContestOfRun, ContestRow, ContestState, RatableContest, RunRow, Store,
};
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

/// Calls `each` with the contests that a run was computed from, in its order, also those withdrawn
/// since. For a run of an older version, which did not store them, these are `selected`.
pub(crate) fn for_each_contest_of_run(
    store: &Store,
    run: &RunRow,
    selected: &[RatableContest],
    mut each: impl FnMut(ContestOfRun<'_>),
) -> Result<(), Error> {
    let mut is_stored = false;
    store.for_each_contest_of_run(run.run_id, |contest| {
        is_stored = true;
        each(contest);
    })?;
    for contest in selected.iter().filter(|_| !is_stored) {
        for row in store.contests_by_id([contest.contest_id])? {
            each(ContestOfRun {
                contest_id: row.contest_id,
                source_id: row.source_id,
                event: row.event.as_deref(),
                ends_at: row.ends_at,
            });
        }
    }
    Ok(())
}

/// True if a contest with this end had ended by a time, or if no time is given.
pub(crate) fn had_ended(ends_at: Option<i64>, as_of: Option<UnixSeconds>) -> bool {
    as_of.is_none_or(|as_of| ends_at.is_some_and(|at| at <= as_of.get()))
}

/// The contests of a view that a run selects, and those that it has rated.
pub(crate) struct Coverage {
    selected: HashSet<ContestId>,
    /// The number of rating rows by contest.
    rows: HashMap<ContestId, u32>,
    /// False for a run of an older version, which did not store its contests.
    is_stored: bool,
    weights: Weights,
    /// None for official ratings and for a system that this version does not know.
    system: Option<SystemName>,
}

impl Coverage {
    /// Loads the coverage of the contests `shown` by a run; `selected` are those that it selects
    /// now.
    pub(crate) fn load(
        store: &Store,
        run: &RunRow,
        selected: &[RatableContest],
        shown: &HashSet<ContestId>,
    ) -> Result<Self, Error> {
        let mut rows = HashMap::new();
        let mut is_stored = false;
        store.for_each_run_contest(run.run_id, |rated| {
            is_stored = true;
            if shown.contains(&rated.contest_id) {
                rows.insert(rated.contest_id, rated.results);
            }
        })?;
        let selected = selected.iter().map(|contest| contest.contest_id);
        Ok(Self {
            selected: selected.filter(|id| shown.contains(id)).collect(),
            rows,
            is_stored,
            weights: Weights::from_run_parameters(&run.parameters),
            system: SystemName::find(&run.system).ok(),
        })
    }

    /// Returns the reason why a contest is not rated now; `None` if it is, or if the run did not
    /// store its contests. A stale run may still have ratings of the contest.
    pub(crate) fn unrated_reason(&self, contest: &ContestRow) -> Option<UnratedReason> {
        UnratedReason::for_all_runs(contest).or(match self.rows.get(&contest.contest_id) {
            _ if !self.selected.contains(&contest.contest_id) => Some(UnratedReason::NotSelected),
            None if !self.is_stored => None,
            None => Some(UnratedReason::NotYet),
            Some(0) if self.weights.excludes(contest.site_weight) => Some(UnratedReason::NoWeight),
            Some(0) if self.is_oversized(contest) => Some(UnratedReason::TooManyEntrants),
            Some(0) => Some(UnratedReason::NoOrder),
            Some(_) => None,
        })
    }

    fn is_oversized(&self, contest: &ContestRow) -> bool {
        let is_oversized =
            |system: SystemName| is_oversized(system.about(), contest.weight, contest.entrants);
        self.system.is_some_and(is_oversized)
    }
}
