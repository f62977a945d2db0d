//! Reasons for missing ratings, and the contests of a run.

use std::collections::{HashMap, HashSet};

use ranklore_contest::ContestTime;
use ranklore_store::{ContestId, ContestOfRun, ContestRow, ContestState, RunRow, Store};
use serde::{Serialize, Serializer};

use ranklore_replay::{Error, RunSelection, SystemName, Weights, is_oversized};

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

    /// True if no run rates the contest, as by [`Self::for_all_runs`].
    pub(crate) const fn is_for_all_runs(self) -> bool {
        matches!(self, Self::Withdrawn | Self::State(_) | Self::UnratedBySource)
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
/// since. For a run of an older version, which did not store them, these are those that it selects.
pub(crate) fn for_each_contest_of_run(
    store: &Store,
    run: &RunRow,
    mut each: impl FnMut(ContestOfRun<'_>),
) -> Result<(), Error> {
    let mut is_stored = false;
    store.for_each_contest_of_run(run.run_id, |contest| {
        is_stored = true;
        each(contest);
    })?;
    if is_stored {
        return Ok(());
    }
    for contest in RunSelection::from_canonical_json(&run.selection).contests_if_any(store)? {
        for row in store.contests_by_id([contest.contest_id])? {
            each(ContestOfRun {
                contest_id: row.contest_id,
                source_id: row.source_id,
                event: row.event.as_deref(),
                ends_at: row.ends_at,
                is_rated: true,
            });
        }
    }
    Ok(())
}

/// Returns the contests that a run was computed from, in its order, each with its end.
pub(crate) fn contest_times(
    store: &Store,
    run: &RunRow,
) -> Result<Vec<(ContestId, Option<i64>)>, Error> {
    let mut times = Vec::new();
    for_each_contest_of_run(store, run, |contest| {
        times.push((contest.contest_id, contest.ends_at));
    })?;
    Ok(times)
}

/// True if a contest with this end had ended by a time, or if no time is given.
pub(crate) fn had_ended(ends_at: Option<i64>, as_of: Option<ContestTime>) -> bool {
    as_of.is_none_or(|as_of| ends_at.is_some_and(|at| at <= as_of.get()))
}

/// The contests of a view that a run has rated.
pub(crate) struct Coverage {
    selection: RunSelection,
    /// The contests with rating rows, each with true, and those of the run without any.
    rated: HashMap<ContestId, bool>,
    /// False for a run of an older version, which did not store its contests.
    is_stored: bool,
    weights: Weights,
    /// None for official ratings and for a system that this version does not know.
    system: Option<SystemName>,
}

impl Coverage {
    /// Loads the coverage of these contests by a run.
    pub(crate) fn load(
        store: &Store,
        run: &RunRow,
        is_current: bool,
        contests: &HashSet<ContestId>,
    ) -> Result<Self, Error> {
        let mut rated = HashMap::new();
        let mut is_stored = false;
        if is_current {
            for &contest in contests {
                rated.insert(contest, store.has_ratings(run.run_id, contest)?);
            }
        } else {
            store.for_each_run_contest(run.run_id, |contest| {
                is_stored = true;
                if contests.contains(&contest.contest_id) {
                    rated.insert(contest.contest_id, contest.results > 0);
                }
            })?;
        }
        Ok(Self {
            selection: RunSelection::from_canonical_json(&run.selection),
            rated,
            is_stored: is_stored || is_current,
            weights: Weights::from_run_parameters(&run.parameters),
            system: SystemName::find(&run.system).ok(),
        })
    }

    /// Adds contests that are known to have rating rows.
    pub(crate) fn add_rated(&mut self, contests: impl Iterator<Item = ContestId>) {
        self.rated.extend(contests.map(|contest| (contest, true)));
    }

    /// Returns the reason why a contest is not rated now; `None` if it is, or if the run did not
    /// store its contests. A stale run may still have ratings of the contest.
    pub(crate) fn unrated_reason(&self, contest: &ContestRow) -> Option<UnratedReason> {
        let weights = self.weights;
        UnratedReason::for_all_runs(contest).or(match self.rated.get(&contest.contest_id) {
            _ if !self.selects(contest) => Some(UnratedReason::NotSelected),
            None if !self.is_stored => None,
            None => Some(UnratedReason::NotYet),
            Some(true) => None,
            Some(false) if weights.excludes(contest.site_weight) => Some(UnratedReason::NoWeight),
            Some(false) if self.is_oversized(contest) => Some(UnratedReason::TooManyEntrants),
            Some(false) => Some(UnratedReason::NoOrder),
        })
    }

    /// True if the run selects the contest, unless it is in a state that no run rates.
    fn selects(&self, contest: &ContestRow) -> bool {
        let sources = &self.selection.sources;
        sources.iter().any(|name| name.as_str() == contest.source) && self.selection.covers(contest)
    }

    fn is_oversized(&self, contest: &ContestRow) -> bool {
        self.system
            .is_some_and(|system| is_oversized(system.about(), contest.weight, contest.entrants))
    }
}
