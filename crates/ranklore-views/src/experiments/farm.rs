//! Volatility farming: a competitor who loses on purpose while its rating is high, to gain more
//! later (Elo-MMR, section 5.1).

use std::collections::BTreeSet;

use ranklore_contest::SourceName;
use ranklore_replay::{ContestWithLast, Error, Progress, RunChoice, RunSelection, SystemSpec};
use ranklore_store::{ContestId, Store};
use rayon::prelude::*;
use serde::Serialize;

use crate::experiments::contests::{ExperimentContests, ExperimentReplay};
use crate::names::find::find_competitor;
use crate::names::labels::{CompetitorLabel, Labeller, NamesPolicy};
use crate::predictions::comparison::{LeftOut, leave_out_if_diverged, nothing_compared};

/// A competitor who plays honestly, then loses on purpose, then plays honestly again.
#[derive(Clone, Debug)]
pub struct FarmRequest {
    /// The source.
    pub source: SourceName,
    /// The competitor by external id or name, searched as by [`find_name`](crate::find_name).
    pub name: String,
    /// The system whose rating decides when the competitor comes last.
    pub decider: SystemSpec,
    /// The systems to replay. Those that do not rate all contests are left out.
    pub systems: Vec<SystemSpec>,
    /// The numbers of contests of each part.
    pub schedule: FarmSchedule,
    /// The rating above which the competitor comes last; by default its honest rating after the
    /// first part.
    pub threshold: Option<f64>,
    /// The rule for names.
    pub policy: NamesPolicy,
}

/// The numbers of rated contests of a competitor in each part of the experiment.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FarmSchedule {
    /// Contests as they were.
    #[serde(rename = "honest_contests")]
    pub honest: u32,
    /// Contests in which the competitor comes last while its rating is high.
    #[serde(rename = "farmed_contests")]
    pub farmed: u32,
    /// Contests as they were.
    #[serde(rename = "contests_after")]
    pub after: u32,
}

impl FarmSchedule {
    const fn contests(self) -> u32 {
        self.honest.saturating_add(self.farmed).saturating_add(self.after)
    }

    /// True if the competitor may lose the contest with this number, from 0.
    const fn is_farmed(self, number: u32) -> bool {
        number >= self.honest && number < self.honest.saturating_add(self.farmed)
    }
}

/// The ratings of a competitor with and without farming.
#[derive(Clone, Debug, Serialize)]
pub struct FarmReport {
    /// The competitor.
    #[serde(flatten)]
    pub competitor: CompetitorLabel,
    /// The system whose rating decided.
    pub decider: String,
    /// The rating above which the competitor came last.
    pub threshold: f64,
    /// The numbers of contests of each part.
    #[serde(flatten)]
    pub schedule: FarmSchedule,
    /// Number of contests in which the competitor came last on purpose.
    pub thrown: u64,
    /// The systems, in the order of the request.
    pub systems: Vec<FarmedSystem>,
    /// The systems that are left out.
    pub left_out: Vec<LeftOut>,
    /// True if the name was replaced by a pseudonym.
    #[serde(skip)]
    pub pseudonymised: bool,
}

/// The ratings of a competitor under one system, in rating points.
#[derive(Clone, Debug, Serialize)]
pub struct FarmedSystem {
    /// The system with its settings.
    pub system: String,
    /// The last rating without farming.
    pub honest: f64,
    /// The last rating with farming.
    pub farmed: f64,
    /// The gain of farming: the latter minus the former.
    pub difference: f64,
    /// The change over the contests after farming.
    pub gain_after: f64,
    /// The rating after each contest without farming.
    pub honest_ratings: Vec<f64>,
    /// The rating after each contest with farming.
    pub farmed_ratings: Vec<f64>,
}

/// Replays rating systems in memory over the contests as they were, and over those in which the
/// competitor came last on purpose. The deciding system alone chooses these contests, for all
/// systems. Writes no run.
///
/// # Errors
/// [`Error::NoSource`], [`Error::NoCompetitor`], [`Error::NoContests`], [`Error::FewContests`],
/// [`Error::MixedTeamModes`], [`Error::MixedAllTied`], [`Error::OverlappingEvents`],
/// [`Error::NothingCompared`], [`Error::Store`], [`Error::Interrupted`].
pub fn farm_volatility(
    store: &Store,
    request: &FarmRequest,
    watch: &dyn Progress,
) -> Result<FarmReport, Error> {
    let run = RunChoice::default();
    let row = find_competitor(store, &request.source, &request.name, None, &run, request.policy)?;
    let decider = &request.decider;
    let others = request.systems.iter().filter(|spec| *spec != decider);
    let specs: Vec<SystemSpec> = [decider].into_iter().chain(others).cloned().collect();
    let selection = RunSelection::from_source(&request.source);
    let contests = ExperimentContests::load(store, &selection, &specs)?;
    if contests.systems.first() != Some(decider) {
        return Err(nothing_compared(contests.left_out));
    }
    let replay = contests.replay(store)?;
    let competitor = replay.index_of(store.merge_root(row.competitor_id)?);
    let mut labeller = Labeller::load(store, request.policy)?;
    let label = labeller.label(row);
    let schedule = request.schedule;
    let experiment = ExperimentReplay::new(&replay, &contests, watch);
    let farm = Farm::new(experiment, competitor, schedule.contests()).map_err(|contests| {
        Error::FewContests {
            name: label.name.clone(),
            contests,
            needed: schedule.contests(),
        }
    })?;
    watch.begin_task("replaying", 2 * farm.results * contests.systems.len() as u64);
    let farmed = farm.farm(decider, &contests.systems[1..], schedule, request.threshold)?;
    let thrown = farmed.thrown.len() as u64;
    let mut rows = Vec::with_capacity(contests.systems.len());
    let mut left_out = contests.left_out.clone();
    for (spec, honest, farmed) in farmed.systems {
        let system = spec.to_string();
        let diverged = honest.diverged.or(farmed.diverged);
        if !leave_out_if_diverged(store, &system, diverged, &mut left_out)? {
            rows.push(FarmedSystem::new(system, schedule, honest, farmed));
        }
    }
    Ok(FarmReport {
        competitor: label,
        decider: decider.to_string(),
        threshold: farmed.threshold,
        schedule,
        thrown,
        systems: rows,
        left_out,
        pseudonymised: labeller.pseudonymised,
    })
}

impl FarmedSystem {
    fn new(system: String, schedule: FarmSchedule, honest: FarmReplay, farmed: FarmReplay) -> Self {
        let last = schedule.contests();
        let before_end = farmed.rating_after(last - schedule.after);
        let [honest_end, farmed_end] = [&honest, &farmed].map(|replay| replay.rating_after(last));
        Self {
            system,
            honest: honest_end,
            farmed: farmed_end,
            difference: farmed_end - honest_end,
            gain_after: farmed_end - before_end,
            honest_ratings: honest.ratings,
            farmed_ratings: farmed.ratings,
        }
    }
}

/// The rated contests of a source up to the last one of the experiment.
struct Farm<'f> {
    experiment: ExperimentReplay<'f>,
    competitor: u32,
    /// Number of contests.
    contests: usize,
    /// Number of results in them.
    results: u64,
}

/// All systems with and without farming.
struct FarmedSystems<'s> {
    threshold: f64,
    /// The numbers of the contests in which the competitor came last on purpose.
    thrown: BTreeSet<u32>,
    systems: Vec<(&'s SystemSpec, FarmReplay, FarmReplay)>,
}

/// The ratings of the competitor under one system.
struct FarmReplay {
    /// The rating after each of its contests.
    ratings: Vec<f64>,
    /// The numbers of the contests in which it came last on purpose.
    thrown: BTreeSet<u32>,
    /// The first contest in which a rating reaches the bound of ratings.
    diverged: Option<ContestId>,
}

impl FarmReplay {
    /// Returns the rating after this number of contests, which is positive.
    fn rating_after(&self, contests: u32) -> f64 {
        self.ratings[contests as usize - 1]
    }
}

impl<'f> Farm<'f> {
    /// Errors with the number of contests of the competitor if they are fewer than `needed`.
    fn new(
        experiment: ExperimentReplay<'f>,
        competitor: Option<u32>,
        needed: u32,
    ) -> Result<Self, u32> {
        let competitor = competitor.ok_or(0_u32)?;
        let mut own_contests = 0;
        let mut results = 0;
        for (contest, number) in experiment.replay.rated_contests() {
            results += contest.entrants.len() as u64;
            own_contests += u32::from(contest.entrants.contains(&competitor));
            if own_contests == needed {
                return Ok(Self {
                    experiment,
                    competitor,
                    contests: number as usize + 1,
                    results,
                });
            }
        }
        Err(own_contests)
    }

    /// Replays all systems; `decider` decides when the competitor comes last.
    fn farm<'s>(
        &self,
        decider: &'s SystemSpec,
        others: &'s [SystemSpec],
        schedule: FarmSchedule,
        threshold: Option<f64>,
    ) -> Result<FarmedSystems<'s>, Error> {
        let honest = self.replay(decider, |_, _| false)?;
        let threshold = threshold.unwrap_or_else(|| honest.rating_after(schedule.honest));
        let farmed =
            self.replay(decider, |number, mu| schedule.is_farmed(number) && mu > threshold)?;
        let thrown = farmed.thrown.clone();
        let others = others.par_iter().map(|spec| {
            let honest = self.replay(spec, |_, _| false)?;
            let farmed = self.replay(spec, |number, _| thrown.contains(&number))?;
            Ok((spec, honest, farmed))
        });
        let mut systems = vec![(decider, honest, farmed)];
        systems.extend(others.collect::<Result<Vec<_>, Error>>()?);
        Ok(FarmedSystems {
            threshold,
            thrown,
            systems,
        })
    }

    /// Replays the contests. `is_thrown` is called with the number of a contest of the competitor,
    /// from 0, and its rating before it; if true, it comes last.
    fn replay(
        &self,
        spec: &SystemSpec,
        is_thrown: impl Fn(u32, f64) -> bool,
    ) -> Result<FarmReplay, Error> {
        let experiment = &self.experiment;
        let mut system = experiment.begin(spec)?;
        let mut ratings = Vec::new();
        let mut thrown = BTreeSet::new();
        for (contest, _) in experiment.replay.rated_contests().take(self.contests) {
            experiment.check_interruption()?;
            system.begin_contest(&contest);
            let mut mu = system.mu_before(self.competitor, &contest);
            let takes_part = contest.entrants.contains(&self.competitor);
            let number = ratings.len() as u32;
            let with_last = (takes_part && is_thrown(number, mu))
                .then(|| ContestWithLast::new(&contest, self.competitor))
                .flatten();
            if with_last.is_some() {
                thrown.insert(number);
            }
            let contest = with_last.as_ref().map_or(contest, ContestWithLast::contest);
            system.rate(&contest, |entrant, state| {
                if entrant == self.competitor {
                    mu = state.mu;
                }
            });
            if takes_part {
                ratings.push(mu);
            }
            experiment.report(&contest);
        }
        Ok(FarmReplay {
            ratings,
            thrown,
            diverged: system.diverged(),
        })
    }
}
