//! The contests of an experiment, and the systems that replay them.

use std::sync::atomic::{AtomicU64, Ordering};

use ranklore_rating::AllTied;
use ranklore_replay::{
    Error, Identities, Progress, Replay, ReplayContest, RunSelection, SystemSpec,
};
use ranklore_store::{ContestId, RatableContest, Store};
use rayon::prelude::*;

use crate::predictions::comparison::{
    LeftOut, build_systems, check_systems, leave_out_if_diverged, nothing_compared,
};
use crate::predictions::system_replay::SystemReplay;

/// The contests of an experiment, and the systems that rate all of them.
pub(crate) struct ExperimentContests {
    contests: Vec<RatableContest>,
    pub(crate) identities: Identities,
    all_tied: AllTied,
    /// The systems that rate all contests, in the order of the request.
    pub(crate) systems: Vec<SystemSpec>,
    pub(crate) left_out: Vec<LeftOut>,
}

impl ExperimentContests {
    /// # Errors
    /// [`Error::NoSource`], [`Error::NoContests`], [`Error::NothingCompared`],
    /// [`Error::MixedTeamModes`], [`Error::MixedAllTied`], [`Error::OverlappingEvents`],
    /// [`Error::Store`].
    pub(crate) fn load(
        store: &Store,
        selection: &RunSelection,
        specs: &[SystemSpec],
    ) -> Result<Self, Error> {
        let contests = selection.contests(store)?;
        let (systems, left_out) = build_systems(store, specs, &contests)?;
        let Some((_, first)) = systems.first() else {
            return Err(nothing_compared(left_out));
        };
        check_systems(store, &systems, &contests)?;
        let sources = contests.iter().map(|contest| contest.source_id);
        let is_able =
            |spec: &&SystemSpec| systems.iter().any(|(name, _)| *name == spec.to_string());
        Ok(Self {
            identities: Identities::load(store, sources, first.teams)?,
            all_tied: first.all_tied,
            systems: specs.iter().filter(is_able).cloned().collect(),
            contests,
            left_out,
        })
    }

    /// Returns the contests, in the order of replay.
    pub(crate) fn rows(&self) -> &[RatableContest] {
        &self.contests
    }

    /// Loads the standings of the contests.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(crate) fn replay(&self, store: &Store) -> Result<Replay<'_>, Error> {
        Replay::load(store, &self.contests, 0, &self.identities, self.all_tied)
    }
}

/// Systems that replay the same contests, several at a time.
pub(crate) struct ExperimentReplay<'e> {
    pub(crate) replay: &'e Replay<'e>,
    pub(crate) contests: &'e ExperimentContests,
    watch: &'e dyn Progress,
    /// Number of results that all systems have rated.
    done: AtomicU64,
}

impl<'e> ExperimentReplay<'e> {
    pub(crate) fn new(
        replay: &'e Replay<'e>,
        contests: &'e ExperimentContests,
        watch: &'e dyn Progress,
    ) -> Self {
        Self {
            replay,
            contests,
            watch,
            done: AtomicU64::new(0),
        }
    }

    /// Replays all rated contests by each system. `begin` makes the record of a system, to which
    /// `rate` adds each contest. Returns the records of the systems that do not diverge, and adds the
    /// others to `left_out`.
    ///
    /// # Errors
    /// [`Error::Interrupted`], [`Error::Store`]; [`Error::NothingRated`] if no contest is rated,
    /// [`Error::NothingCompared`] if all systems diverge.
    pub(crate) fn replay_all<T: Send>(
        &self,
        store: &Store,
        left_out: &mut Vec<LeftOut>,
        begin: impl Fn() -> T + Sync,
        rate: impl Fn(&mut T, &mut SystemReplay, &ReplayContest<'_>) + Sync,
    ) -> Result<Vec<(String, T)>, Error> {
        if self.replay.rated == 0 {
            return Err(Error::NothingRated {
                contests: self.contests.rows().len() as u64,
            });
        }
        let systems = &self.contests.systems;
        self.watch.begin_task("replaying", self.replay.results * systems.len() as u64);
        let replayed = systems.par_iter().map(|spec| {
            let mut system = self.begin(spec)?;
            let mut record = begin();
            for (contest, _) in self.replay.rated_contests() {
                self.check_interruption()?;
                rate(&mut record, &mut system, &contest);
                self.report(&contest);
            }
            Ok((spec.to_string(), record, system.diverged()))
        });
        let replayed: Vec<(String, T, Option<ContestId>)> =
            replayed.collect::<Result<_, Error>>()?;
        let mut records = Vec::new();
        for (system, record, diverged) in replayed {
            if leave_out_if_diverged(store, &system, diverged, left_out)? {
                continue;
            }
            records.push((system, record));
        }
        if records.is_empty() {
            return Err(nothing_compared(std::mem::take(left_out)));
        }
        Ok(records)
    }

    /// Begins the replay of a system.
    ///
    /// # Errors
    /// [`Error::InvalidParameters`].
    pub(crate) fn begin(&self, spec: &SystemSpec) -> Result<SystemReplay, Error> {
        Ok(SystemReplay::new(spec.build()?, self.replay, &self.contests.identities))
    }

    /// Errors if the user interrupts.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn check_interruption(&self) -> Result<(), Error> {
        if self.watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        Ok(())
    }

    /// Reports a contest that a system rated.
    pub(crate) fn report(&self, contest: &ReplayContest<'_>) {
        let results = contest.entrants.len() as u64;
        let done = self.done.fetch_add(results, Ordering::Relaxed) + results;
        self.watch.advance(done, 0, done);
    }
}
