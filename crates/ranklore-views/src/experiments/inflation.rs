//! Inflation: the level of ratings over the years under each rating system (Ebtekar and Liu 2021,
//! section 7).

use std::collections::BTreeMap;

use ranklore_contest::SourceName;
use ranklore_replay::{Error, Progress, ReplayContest, RunSelection, SystemSpec};
use ranklore_store::Store;
use serde::Serialize;

use crate::experiments::contests::{ExperimentContests, ExperimentReplay};
use crate::predictions::comparison::LeftOut;
use crate::predictions::slices::year;
use crate::predictions::system_replay::SystemReplay;

/// Rating systems whose level is followed over the years.
#[derive(Clone, Debug)]
pub struct InflationRequest {
    /// The source.
    pub source: SourceName,
    /// The systems. Those that do not rate all contests are left out.
    pub systems: Vec<SystemSpec>,
}

/// The level of the ratings of a source over the years.
#[derive(Clone, Debug, Serialize)]
pub struct InflationReport {
    /// The source.
    pub source: SourceName,
    /// The systems, in the order of the request.
    pub systems: Vec<SystemLevels>,
    /// The systems that are left out.
    pub left_out: Vec<LeftOut>,
}

/// The level of the ratings under one system.
#[derive(Clone, Debug, Serialize)]
pub struct SystemLevels {
    /// The system with its settings.
    pub system: String,
    /// The years with a rated contest, in order.
    pub years: Vec<YearLevel>,
}

/// Ratings at the end of a year, in rating points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct YearLevel {
    /// The year, in UTC.
    pub year: String,
    /// Number of contests rated in it.
    pub contests: u64,
    /// Number of competitors rated so far.
    pub competitors: u64,
    /// The mean of their ratings.
    pub mean: f64,
    /// Number of competitors rated in this year, the active ones.
    pub active: u64,
    /// The mean of their ratings.
    pub active_mean: f64,
    /// The highest of them.
    pub top_1: f64,
    /// The mean of the ten highest; `None` if fewer are active.
    pub top_10: Option<f64>,
    /// The mean of the hundred highest; `None` if fewer are active.
    pub top_100: Option<f64>,
}

/// Replays rating systems in memory, and measures the level of the ratings at the end of each year.
/// Writes no run.
///
/// # Errors
/// [`Error::NoSource`], [`Error::NoContests`], [`Error::MixedTeamModes`], [`Error::MixedAllTied`],
/// [`Error::OverlappingEvents`], [`Error::NothingCompared`], [`Error::NothingRated`],
/// [`Error::Store`], [`Error::Interrupted`].
pub fn measure_inflation(
    store: &Store,
    request: &InflationRequest,
    watch: &dyn Progress,
) -> Result<InflationReport, Error> {
    let selection = RunSelection::from_source(&request.source);
    let contests = ExperimentContests::load(store, &selection, &request.systems)?;
    let mut left_out = contests.left_out.clone();
    let replay = contests.replay(store)?;
    let experiment = ExperimentReplay::new(&replay, &contests, watch);
    let records =
        experiment.replay_all(store, &mut left_out, Levels::default, Levels::add_contest)?;
    let systems = records.into_iter().map(|(system, levels)| SystemLevels {
        system,
        years: levels.finish(),
    });
    Ok(InflationReport {
        source: request.source.clone(),
        systems: systems.collect(),
        left_out,
    })
}

/// The ratings under one system, contest by contest.
#[derive(Default)]
struct Levels {
    years: Vec<YearLevel>,
    /// The year of the last contest, and the number of its rated contests so far.
    year: String,
    contests: u64,
    /// The last rating of each competitor.
    ratings: BTreeMap<u32, f64>,
    /// The last rating of each competitor rated in this year.
    active: BTreeMap<u32, f64>,
}

impl Levels {
    fn add_contest(&mut self, system: &mut SystemReplay, contest: &ReplayContest<'_>) {
        let year = year(contest);
        if year != self.year {
            self.end_year();
            self.year = year;
        }
        system.begin_contest(contest);
        let mut is_rated = false;
        system.rate(contest, |entrant, state| {
            self.active.insert(entrant, state.mu);
            is_rated = true;
        });
        self.contests += u64::from(is_rated);
    }

    /// Ends the year of the last contest, if anybody was rated in it.
    fn end_year(&mut self) {
        let active = std::mem::take(&mut self.active);
        let contests = std::mem::take(&mut self.contests);
        let mut highest: Vec<f64> = active.values().copied().collect();
        highest.sort_unstable_by(|a, b| b.total_cmp(a));
        self.ratings.extend(active);
        let Some(&top_1) = highest.first() else {
            return;
        };
        let top = |count: usize| highest.get(..count).map(|top| mean(top.iter()));
        self.years.push(YearLevel {
            year: self.year.clone(),
            contests,
            competitors: self.ratings.len() as u64,
            mean: mean(self.ratings.values()),
            active: highest.len() as u64,
            active_mean: mean(highest.iter()),
            top_1,
            top_10: top(10),
            top_100: top(100),
        });
    }

    fn finish(mut self) -> Vec<YearLevel> {
        self.end_year();
        self.years
    }
}

/// Returns the mean of ratings, of which there is at least one.
fn mean<'r>(ratings: impl ExactSizeIterator<Item = &'r f64>) -> f64 {
    let count = ratings.len() as f64;
    ratings.sum::<f64>() / count
}
