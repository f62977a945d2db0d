//! Rating of results in memory, as `ranklore rate` rates those of a database.

use std::time::{Duration, Instant};

use ranklore_contest::Quoted;
use ranklore_rating::{Belief, Display, Provisional, WinModel, has_diverged};
use ranklore_replay::{
    Error, OversizedContests, RatedEvents, RatingPeriod, Replay, System, SystemSpec, Weights,
    exclude_oversized_contests, is_oversized,
};
use ranklore_store::RatableContest;
use serde_json::{Map, Value};

use crate::error::Failure;
use crate::results::{Results, to_number};
use crate::threads::StopFlag;

/// The ratings of a run in columns: a row for each result, in the order of replay.
#[derive(Default)]
pub(crate) struct Ratings {
    /// The position of the contest.
    pub(crate) contests: Vec<u32>,
    /// The number of the competitor.
    pub(crate) competitors: Vec<u32>,
    pub(crate) mu: Vec<f64>,
    pub(crate) sigma: Vec<f64>,
    /// NaN without one.
    pub(crate) performance: Vec<f64>,
    /// NaN without one.
    pub(crate) volatility: Vec<f64>,
}

/// Results with their ratings by a system.
pub(crate) struct RatedResults {
    pub(crate) results: Results,
    pub(crate) ratings: Ratings,
    /// The name of the system.
    pub(crate) system: &'static str,
    /// All parameters as canonical JSON.
    pub(crate) parameters: String,
    pub(crate) win_model: WinModel,
    pub(crate) display: Display,
    pub(crate) provisional: Provisional,
    /// k of the conservative rating.
    pub(crate) k: f64,
    /// The last row of each competitor; `u32::MAX` for those without a rating.
    pub(crate) last_rows: Vec<u32>,
    /// The number of rated contests of each competitor.
    pub(crate) counts: Vec<u32>,
    /// The number of rated contests.
    pub(crate) contests: usize,
    /// The time that the system took, without the table around it.
    pub(crate) duration: Duration,
}

impl RatedResults {
    /// Returns the belief about a competitor after the last contest.
    pub(crate) fn belief(&self, competitor: u32) -> Option<Belief> {
        let row = self.last_rows[competitor as usize] as usize;
        let (mu, sigma) = (self.ratings.mu.get(row)?, self.ratings.sigma.get(row)?);
        Some(Belief::new(*mu, *sigma))
    }
}

/// Tables have the ends of contests alone.
pub(crate) const NO_DURATIONS: &str = "parameter weight=duration needs the starts of contests, which a table \
                            does not have; pass weight= with a column of weights";

/// Returns the system of a name, which may have settings (`glicko2:tau=0.5`), with further parameters
/// from a JSON object.
pub(crate) fn build_system(text: &str, parameters: &str) -> Result<System, Failure> {
    let mut spec = SystemSpec::parse(text)?;
    let parameters: Map<String, Value> = serde_json::from_str(parameters).map_err(Failure::new)?;
    for (name, value) in parameters {
        if spec.settings.insert(name.clone(), value).is_some() {
            return Err(Failure::new(format!(
                "parameter {name} is set in {} and as a keyword; set it once",
                Quoted(text)
            )));
        }
    }
    Ok(spec.build()?)
}

/// Errors if a parameter of a system needs columns that the table does not have.
pub(crate) fn check_parameters(system: &System, results: &Results) -> Result<(), Failure> {
    match system.weights {
        Weights::Duration => return Err(Failure::new(NO_DURATIONS)),
        Weights::Site(_) if !results.has_column("site_weight") => {
            return Err(Failure::new(
                "parameter weight=site needs the column site_weight, which the table does not have; \
                 pass weight= with a column of weights",
            ));
        }
        _ => {}
    }
    // The columns of games name the first player.
    let has_sides = results.has_column("side") || results.has_column("outcome");
    if system.rating.advantage() != 0.0 && !has_sides {
        return Err(Failure::new(
            "parameter advantage needs the sides of entrants; pass side=COLUMN with white and black, \
             home and away, or first and second",
        ));
    }
    Ok(())
}

/// Rates results. Contests that are too large for the system are an error, unless they are skipped.
pub(crate) fn rate_results(
    mut results: Results,
    mut system: System,
    skip_unsupported: bool,
    stop: &StopFlag,
) -> Result<RatedResults, Failure> {
    results.check_not_empty()?;
    check_period(&results, system.period)?;
    check_parameters(&system, &results)?;
    system.weights.apply(&mut results.rows);
    check_sizes(&mut results, &system, skip_unsupported)?;
    let replay = results.replay(&results.rows, &system);
    let start = Instant::now();
    let ratings = rate_contests(&results, &replay, &mut system, stop)?;
    let duration = start.elapsed();
    drop(replay);
    let count = results.competitors.len();
    let mut rated = RatedResults {
        system: system.name,
        win_model: system.rating.win_model(),
        display: system.rating.display(),
        provisional: system.rating.provisional(),
        k: system.about.conservative_k,
        parameters: system.parameters,
        last_rows: vec![u32::MAX; count],
        counts: vec![0; count],
        contests: 0,
        duration,
        ratings,
        results,
    };
    let mut last_contest = None;
    let entries = rated.ratings.competitors.iter().zip(&rated.ratings.contests).zip(0..);
    for ((&competitor, &contest), row) in entries {
        rated.last_rows[competitor as usize] = row;
        rated.counts[competitor as usize] += 1;
        rated.contests += usize::from(last_contest.replace(contest) != Some(contest));
    }
    let rated_contests = rated.contests;
    let left_out = rated.results.rows.len() - rated_contests;
    if left_out > 0 {
        let contests = ranklore_contest::format_plural(left_out as u64, "contest");
        rated.results.notes.push(format!(
            "{contests} without a result to rate: one entrant, no finisher, or left out by a parameter"
        ));
    }
    Ok(rated)
}

/// Errors if periods need times that are missing, or events that are periods overlap.
fn check_period(results: &Results, period: Option<RatingPeriod>) -> Result<(), Failure> {
    match period {
        Some(RatingPeriod::Event) => {
            let overlap = (1..results.rows.len())
                .find(|&position| results.rows[position].event < results.rows[position - 1].event);
            overlap.map_or(Ok(()), |position| {
                let [first, second] = [position - 1, position].map(|p| results.contest_name(p));
                Err(Error::OverlappingEvents { first, second }.into())
            })
        }
        Some(_) if results.is_numbered => Err(Failure::new(
            "periods need times; pass time=COLUMN with the day of each contest",
        )),
        _ => Ok(()),
    }
}

/// Excludes the contests that are too large for the system, or errors.
fn check_sizes(
    results: &mut Results,
    system: &System,
    skip_unsupported: bool,
) -> Result<(), Failure> {
    let Some(max_entrants) = system.about.max_entrants else {
        return Ok(());
    };
    let rows = &results.rows;
    // A pass over all contests takes as long as rating them with a simple system.
    let is_too_large = |row: &RatableContest| is_oversized(system.about, row.weight, row.entrants);
    let oversized: Vec<usize> =
        (0..rows.len()).filter(|&position| is_too_large(&rows[position])).collect();
    let Some(&largest) = oversized.iter().max_by_key(|&&position| rows[position].entrants) else {
        return Ok(());
    };
    let entrants = rows[largest].entrants;
    let name = results.contest_name(largest);
    let report = OversizedContests {
        system: system.name,
        max_entrants,
        contests: oversized.len() as u64,
        selected: rows.len() as u64,
        largest: (name.clone(), entrants),
    };
    if !skip_unsupported {
        let message = format!("{report}; pass skip_unsupported=True to leave them out");
        return Err(Failure::new(message).in_contest(&name));
    }
    results.notes.push(format!("left out: {report}"));
    exclude_oversized_contests(system.about, &mut results.rows);
    Ok(())
}

/// Rates the contests of a replay in order.
fn rate_contests(
    results: &Results,
    replay: &Replay<'_>,
    system: &mut System,
    stop: &StopFlag,
) -> Result<Ratings, Failure> {
    let mut ratings = Ratings::with_capacity(replay.results as usize);
    let mut events = (!system.rating.has_equal_newcomers()).then(RatedEvents::default);
    let bounds_ratings = system.rating.bounds_ratings();
    let mut rated = Vec::new();
    for (contest, position) in replay.contests().zip(0..) {
        stop.check()?;
        let mut round = contest.round_in(system.period);
        if let Some(events) = &events {
            round.event = events.number(contest.row.event);
        }
        system.rating.rate(&round, &mut rated);
        if let Some(events) = &mut events
            && !rated.is_empty()
        {
            events.add(contest.row.event);
        }
        if bounds_ratings && has_diverged(&rated) {
            let name = results.contest_name(position as usize);
            let failure = Failure::new(format!(
                "the ratings of {} diverge: in contest {} one reaches 1,000,000 points; set a smaller \
                 learning rate, or give contests smaller weights",
                system.name,
                Quoted(&name)
            ));
            return Err(failure.in_contest(&name));
        }
        for (&entrant, row) in contest.entrants.iter().zip(&rated) {
            ratings.contests.push(position);
            ratings.competitors.push(to_number(replay.competitors[entrant as usize]));
            ratings.mu.push(row.mu);
            ratings.sigma.push(row.sigma);
            ratings.performance.push(row.performance.unwrap_or(f64::NAN));
            ratings.volatility.push(row.volatility.unwrap_or(f64::NAN));
        }
    }
    Ok(ratings)
}

impl Ratings {
    fn with_capacity(rows: usize) -> Self {
        Self {
            contests: Vec::with_capacity(rows),
            competitors: Vec::with_capacity(rows),
            mu: Vec::with_capacity(rows),
            sigma: Vec::with_capacity(rows),
            performance: Vec::with_capacity(rows),
            volatility: Vec::with_capacity(rows),
        }
    }
}
