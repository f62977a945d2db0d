//! A rating system step by step: one contest a call, competitors by index.

mod log;

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBool, PyBytes};
use ranklore_contest::{
    ContestTime, STARTING_MU_RANGE, STARTING_SIGMA_RANGE, check_bounds, check_performance_ceiling,
    check_weight,
};
use ranklore_rating::{InitialRating, RatedEntrant, RatingRound, Support, has_diverged};
use ranklore_replay::{SYSTEMS, System, Weights};

use crate::error::Failure;
use crate::rate::build_system;
use crate::step::log::{Log, LoggedContest};
use crate::threads;

/// The entrants from which on a contest is rated without the interpreter lock.
const LARGE_CONTEST: usize = 512;

/// Returns the names of all systems, in the order of the documentation.
#[pyfunction]
pub(crate) fn system_names() -> Vec<&'static str> {
    SYSTEMS.iter().map(|system| system.as_str()).collect()
}

/// A rating of one competitor: mu, sigma, performance, volatility, contests.
type RatingRow = (f64, f64, Option<f64>, Option<f64>, u32);

/// A rating system and the state of its competitors, which are indices from 0.
#[pyclass(frozen, module = "ranklore._ranklore")]
pub(crate) struct StepSystem {
    /// The name of the system.
    #[pyo3(get)]
    name: &'static str,
    /// All parameters as canonical JSON.
    #[pyo3(get)]
    parameters: String,
    state: Mutex<State>,
}

#[pymethods]
impl StepSystem {
    /// Creates the system from a JSON object of parameters.
    #[new]
    fn new(name: &str, parameters: &str) -> PyResult<Self> {
        let system = build_system(name, parameters)?;
        if system.weights != Weights::Own {
            let message = "parameter weight is for tables with weights of a site; pass the weight \
                           of each contest instead";
            return Err(Failure::new(message).into());
        }
        Ok(Self {
            name: system.name,
            parameters: system.parameters.clone(),
            state: Mutex::new(State::new(system)),
        })
    }

    /// Adds a competitor with a rating before the first contest.
    fn set_initial_rating(
        &self,
        py: Python<'_>,
        index: u32,
        mu: f64,
        sigma: Option<f64>,
    ) -> PyResult<()> {
        check_bounds("mu", mu, STARTING_MU_RANGE).map_err(Failure::new)?;
        if let Some(sigma) = sigma {
            check_bounds("sigma", sigma, STARTING_SIGMA_RANGE).map_err(Failure::new)?;
        }
        self.lock(py).set_initial_rating(index, InitialRating { mu, sigma });
        Ok(())
    }

    /// Rates a contest. `entrants` are in the order of the arguments, `teams` the ends of the teams
    /// in them, `places` one per entrant (team): None did not finish. Without places each is better
    /// than the next.
    #[pyo3(signature = (entrants, teams, places, time, weight, ceiling, advantaged))]
    #[expect(
        clippy::too_many_arguments,
        reason = "called by the package alone, in one place"
    )]
    fn rate(
        &self,
        py: Python<'_>,
        entrants: Vec<u32>,
        teams: Option<Vec<u32>>,
        places: Option<Vec<Bound<'_, PyAny>>>,
        time: Option<i64>,
        weight: f64,
        ceiling: Option<f64>,
        advantaged: Option<u32>,
    ) -> PyResult<()> {
        check_weight(weight).map_err(Failure::new)?;
        ceiling.map_or(Ok(()), check_performance_ceiling).map_err(Failure::new)?;
        let places = places.map(|places| read_places(&places)).transpose()?;
        let mut state = self.lock(py);
        let contest = StepContest {
            ends_at: state.check_time(time)?,
            weight,
            ceiling: ceiling.unwrap_or(f64::INFINITY),
            standings: Standings::new(entrants, teams, places, advantaged)?,
        };
        state.check_size(&contest.standings)?;
        if contest.standings.entrants.len() < LARGE_CONTEST {
            return Ok(state.rate(contest)?);
        }
        let state = &mut *state;
        Ok(py.detach(|| threads::install(None, || state.rate(contest)))?)
    }

    /// Returns the rating of a competitor.
    fn rating(&self, py: Python<'_>, index: u32) -> RatingRow {
        self.lock(py).rating(index)
    }

    /// Returns the probability that the first team places above the second, and that they tie.
    fn win_probability(&self, py: Python<'_>, first: Vec<u32>, second: Vec<u32>) -> (f64, f64) {
        let probability = self.lock(py).system.rating.win_probability(&first, &second);
        (probability.above, probability.tied)
    }

    /// Returns all contests so far, from which [`StepSystem::resume`] restores the state.
    fn log<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = postcard::to_allocvec(&self.lock(py).log).map_err(Failure::new)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Rates the contests of a log.
    fn resume(&self, py: Python<'_>, log: &[u8]) -> PyResult<()> {
        let log: Log = postcard::from_bytes(log).map_err(|error| {
            Failure::new(format!("cannot read the pickled system: {error}; rate again"))
        })?;
        let mut state = self.lock(py);
        let state = &mut *state;
        Ok(py.detach(|| threads::install(None, || state.resume(log)))?)
    }
}

impl StepSystem {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, State> {
        self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

/// The standings of a contest, best first.
struct Standings {
    entrants: Vec<u32>,
    teams: Option<Vec<u32>>,
    groups: Vec<u32>,
    finishers: u32,
    advantaged: Option<u32>,
}

impl Standings {
    fn new(
        entrants: Vec<u32>,
        teams: Option<Vec<u32>>,
        places: Option<Vec<Option<u32>>>,
        advantaged: Option<u32>,
    ) -> Result<Self, Failure> {
        check_distinct(&entrants)?;
        let count = teams.as_ref().map_or(entrants.len(), Vec::len) as u32;
        if advantaged.is_some_and(|index| index >= count) {
            return Err(Failure::new("advantaged is no index of an entrant; give 0 or 1"));
        }
        if advantaged.is_some() && count != 2 {
            let message = format!("advantaged is for games of two, not of {count}; leave it out");
            return Err(Failure::new(message));
        }
        let Some(places) = places else {
            return Ok(Self {
                groups: (1..=count).collect(),
                finishers: count,
                entrants,
                teams,
                advantaged,
            });
        };
        if places.len() != count as usize {
            let given = places.len();
            let message = format!("{count} entrants have {given} places; give one for each");
            return Err(Failure::new(message));
        }
        Ok(Self::in_order(&entrants, teams.as_deref(), &places, advantaged))
    }

    /// Sorts entrants (teams) by place.
    fn in_order(
        entrants: &[u32],
        teams: Option<&[u32]>,
        places: &[Option<u32>],
        advantaged: Option<u32>,
    ) -> Self {
        let rank = |&index: &u32| places[index as usize].unwrap_or(u32::MAX);
        let mut order: Vec<u32> = (0..places.len() as u32).collect();
        order.sort_by_key(rank);
        let mut sorted = Self {
            entrants: Vec::with_capacity(entrants.len()),
            teams: teams.map(|teams| Vec::with_capacity(teams.len())),
            groups: Vec::new(),
            finishers: places.iter().flatten().count() as u32,
            advantaged: order
                .iter()
                .position(|&index| Some(index) == advantaged)
                .map(|position| position as u32),
        };
        for &index in &order {
            let index = index as usize;
            let start = |ends: &[u32]| index.checked_sub(1).map_or(0, |before| ends[before]);
            let range =
                teams.map_or(index..index + 1, |ends| start(ends) as usize..ends[index] as usize);
            sorted.entrants.extend_from_slice(&entrants[range]);
            if let Some(ends) = &mut sorted.teams {
                ends.push(sorted.entrants.len() as u32);
            }
        }
        let changes =
            order.windows(2).zip(1..).filter(|(pair, _)| rank(&pair[0]) != rank(&pair[1]));
        sorted.groups = changes.map(|(_, end)| end).collect();
        sorted.groups.push(order.len() as u32);
        sorted
    }

    fn size(&self) -> u32 {
        self.teams.as_ref().map_or(self.entrants.len(), Vec::len) as u32
    }
}

/// Reads places, which are whole numbers of any type; None did not finish.
fn read_places(places: &[Bound<'_, PyAny>]) -> Result<Vec<Option<u32>>, Failure> {
    let places = places.iter().zip(0..).map(|(place, row)| {
        if place.is_none() {
            return Ok(None);
        }
        let whole = place.extract::<u32>().ok().or_else(|| {
            let number = place.extract::<f64>().ok()?;
            ((1.0..4e9).contains(&number) && number.fract() == 0.0).then_some(number as u32)
        });
        let is_place = |&place: &u32| (1..u32::MAX).contains(&place);
        whole
            .filter(is_place)
            .filter(|_| !place.is_instance_of::<PyBool>())
            .map(Some)
            .ok_or_else(|| {
                let reason = "is no whole number from 1; None did not finish";
                Failure::new(format!("place {place} of entrant {row} {reason}")).at(row, "places")
            })
    });
    places.collect()
}

fn check_distinct(entrants: &[u32]) -> Result<(), Failure> {
    let is_repeated = if let [first, second] = entrants {
        first == second
    } else {
        let mut sorted = entrants.to_vec();
        sorted.sort_unstable();
        sorted.windows(2).any(|pair| pair[0] == pair[1])
    };
    if entrants.is_empty() {
        return Err(Failure::new("the contest has no entrants; give at least one"));
    }
    if is_repeated {
        let message = "a competitor stands twice in the contest; give each entrant once";
        return Err(Failure::new(message));
    }
    Ok(())
}

/// A contest to rate.
struct StepContest {
    ends_at: i64,
    weight: f64,
    ceiling: f64,
    standings: Standings,
}

/// The state of a system.
struct State {
    system: System,
    log: Log,
    /// The last row of each competitor and the number of their rated contests.
    last: Vec<(Option<RatedEntrant>, u32)>,
    rated_contests: u32,
    ends_at: Option<i64>,
    rated: Vec<RatedEntrant>,
    /// True if the last contest failed in the middle.
    has_failed: bool,
}

impl State {
    fn new(system: System) -> Self {
        Self {
            system,
            log: Log::default(),
            last: Vec::new(),
            rated_contests: 0,
            ends_at: None,
            rated: Vec::new(),
            has_failed: false,
        }
    }

    fn set_initial_rating(&mut self, index: u32, start: InitialRating) {
        self.system.rating.set_initial_rating(index, start);
        self.log.starts.push((index, start.mu, start.sigma));
    }

    /// Returns the time of a contest, by default that of the last one.
    fn check_time(&self, time: Option<i64>) -> Result<i64, Failure> {
        let Some(time) = time else {
            if self.system.period.is_some() {
                return Err(Failure::new("a system with periods needs the time of each contest"));
            }
            return Ok(self.ends_at.unwrap_or(0));
        };
        if ContestTime::new(time).is_none() {
            return Err(Failure::new(format!(
                "time {time} is not the time of a contest, from 1583 to 2199, in seconds since 1970"
            )));
        }
        match self.ends_at.filter(|&last| time < last) {
            Some(last) => Err(Failure::new(format!(
                "time {time} lies before the last contest, at {last}; rate contests in order of time"
            ))),
            None => Ok(time),
        }
    }

    fn check_size(&self, standings: &Standings) -> Result<(), Failure> {
        let about = self.system.about;
        if standings.teams.is_some() && !about.supports(Support::Teams) {
            return Err(Failure::new(format!(
                "{} does not rate members of teams; give each team as one competitor",
                about.name
            )));
        }
        if !about.supports_entrants(standings.size()) {
            return Err(Failure::new(format!(
                "{} rates contests of at most {} entrants, not {}",
                about.name,
                about.max_entrants.unwrap_or_default(),
                standings.size()
            )));
        }
        Ok(())
    }

    fn rate(&mut self, contest: StepContest) -> Result<(), Failure> {
        if self.has_failed {
            let message = "the last contest failed; a copy of the system continues before it";
            return Err(Failure::new(message));
        }
        let standings = &contest.standings;
        self.log.push(
            LoggedContest {
                finishers: standings.finishers,
                advantaged: standings.advantaged,
                ends_at: contest.ends_at,
                weight: contest.weight,
                ceiling: contest.ceiling,
                ..LoggedContest::default()
            },
            &standings.entrants,
            standings.teams.as_deref().unwrap_or(&[]),
            &standings.groups,
        );
        let rated = self.rate_logged(self.log.len() - 1);
        if rated.is_ok() {
            self.ends_at = Some(contest.ends_at);
        } else {
            self.log.pop();
            self.has_failed = true;
        }
        rated
    }

    /// Rates a contest of the log.
    fn rate_logged(&mut self, index: usize) -> Result<(), Failure> {
        let mut round = self.log.round(index);
        round.event = self.rated_contests;
        let period = self.system.period;
        round.period = period.map(|period| period.number_of(round.ends_at, round.event));
        let entrants = round.entrants;
        if self.system.all_tied.rates(&round) {
            rate_round(&mut self.system, &round, &mut self.rated)?;
        } else {
            self.rated.clear();
        }
        self.rated_contests += u32::from(!self.rated.is_empty());
        for (&entrant, &rated) in entrants.iter().zip(&self.rated) {
            let entrant = entrant as usize;
            if self.last.len() <= entrant {
                self.last.resize(entrant + 1, (None, 0));
            }
            let (row, contests) = &mut self.last[entrant];
            *row = Some(rated);
            *contests += 1;
        }
        Ok(())
    }

    fn resume(&mut self, log: Log) -> Result<(), Failure> {
        for &(index, mu, sigma) in &log.starts {
            self.system.rating.set_initial_rating(index, InitialRating { mu, sigma });
        }
        self.ends_at = log.last_time();
        self.log = log;
        (0..self.log.len()).try_for_each(|index| self.rate_logged(index))
    }

    fn rating(&self, index: u32) -> RatingRow {
        if let Some((Some(row), contests)) = self.last.get(index as usize) {
            return (row.mu, row.sigma, row.performance, row.volatility, *contests);
        }
        let belief = self.system.rating.belief(index);
        (belief.mu, belief.variance.sqrt(), None, None, 0)
    }
}

fn rate_round(
    system: &mut System,
    round: &RatingRound<'_>,
    rated: &mut Vec<RatedEntrant>,
) -> Result<(), Failure> {
    system.rating.rate(round, rated);
    if system.rating.bounds_ratings() && has_diverged(rated) {
        return Err(Failure::new(format!(
            "the ratings of {} diverge: one reaches 1,000,000 points; set a smaller learning rate, \
             or give contests smaller weights",
            system.name
        )));
    }
    Ok(())
}
