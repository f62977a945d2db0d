//! The rating periods of a run. All contests of a period are rated together, so that each is predicted
//! by the ratings before the period.

use std::collections::HashMap;

use ranklore_store::{ContestId, ContestRow, EventNumbers, RunRow, Store};

use crate::coverage::for_each_contest_of_run;
use ranklore_replay::{Error, RatingPeriod, System};

/// The first contest of each rating period of a run.
#[derive(Debug, Default)]
pub(crate) struct RatingPeriods {
    /// `None` if each contest is a period of its own.
    period: Option<RatingPeriod>,
    events: EventNumbers,
    first_by_number: HashMap<i64, ContestId>,
    /// The number of the period of each contest of the run.
    numbers: HashMap<ContestId, i64>,
}

impl RatingPeriods {
    /// Loads the periods of a run.
    pub(crate) fn load(store: &Store, run: &RunRow) -> Result<Self, Error> {
        let system = System::from_run_if_known(run)?;
        let Some(period) = system.and_then(|system| system.period) else {
            return Ok(Self::default());
        };
        let mut periods = Self {
            period: Some(period),
            ..Self::default()
        };
        for_each_contest_of_run(store, run, |contest| {
            let event = periods.events.add(contest.source_id, contest.event);
            if let Some(ends_at) = contest.ends_at {
                let number = period.number_of(ends_at, event);
                periods.first_by_number.entry(number).or_insert(contest.contest_id);
                periods.numbers.insert(contest.contest_id, number);
            }
        })?;
        Ok(periods)
    }

    /// Returns the first contest in the period of a contest of the run; the contest itself if the run
    /// does not have it.
    pub(crate) fn first_contest(&self, contest: ContestId) -> ContestId {
        let number = self.numbers.get(&contest);
        let first = number.and_then(|number| self.first_by_number.get(number));
        first.copied().unwrap_or(contest)
    }

    /// Returns the first contest of the run in the period of a contest that the run may not have yet;
    /// the contest itself if there is none.
    pub(crate) fn first_contest_before(&mut self, contest: &ContestRow) -> ContestId {
        let (Some(period), Some(ends_at)) = (self.period, contest.ends_at) else {
            return contest.contest_id;
        };
        let number = self.numbers.get(&contest.contest_id).copied().unwrap_or_else(|| {
            let event = self.events.add(contest.source_id, contest.event.as_deref());
            period.number_of(ends_at, event)
        });
        let first = self.first_by_number.get(&number);
        first.copied().unwrap_or(contest.contest_id)
    }
}
