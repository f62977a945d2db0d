//! Runs in memory: rating of a table, and what the package shows of it.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, StringArray};
use pyo3::prelude::*;
use pyo3_arrow::PyTable;
use ranklore_contest::Quoted;
use ranklore_rating::Belief;

use crate::error::Failure;
use crate::output::{self, Columns};
use crate::rate::{RatedResults, build_system, rate_results};
use crate::results::contests::source_of;
use crate::results::options::TableColumns;
use crate::results::{SEPARATOR, local_name};
use crate::table::GivenTable;
use crate::threads;

/// Ratings of a table.
#[pyclass(frozen, module = "ranklore._ranklore")]
pub(crate) struct RatedTable(RatedResults);

/// Rates a table.
#[pyfunction]
pub(crate) fn rate(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    columns: TableColumns,
    system: (String, String),
    skip_unsupported: bool,
    threads: Option<usize>,
) -> PyResult<RatedTable> {
    let system = build_system(&system.0, &system.1)?;
    let table = GivenTable::take(table)?;
    threads::run(py, threads, move |stop| {
        let results = columns.read(&table.read()?)?;
        stop.check()?;
        Ok(RatedTable(rate_results(results, system, skip_unsupported, stop)?))
    })
}

#[pymethods]
impl RatedTable {
    /// The name of the system.
    #[getter]
    fn system(&self) -> &'static str {
        self.0.system
    }

    /// All parameters as canonical JSON.
    #[getter]
    fn parameters(&self) -> &str {
        &self.0.parameters
    }

    /// The numbers of contests, results and competitors that were rated.
    #[getter]
    fn counts(&self) -> (usize, usize, usize) {
        let competitors = self.0.counts.iter().filter(|&&count| count > 0).count();
        (self.0.contests, self.0.ratings.mu.len(), competitors)
    }

    /// The columns that were read, by their meaning.
    #[getter]
    fn columns(&self) -> Vec<(&'static str, String)> {
        self.0.results.columns.clone()
    }

    /// Notes about rows and contests that were left out.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.results.notes.clone()
    }

    /// The time that the system took, in seconds, without the table around it.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.duration.as_secs_f64()
    }

    /// k of the conservative rating.
    #[getter]
    fn k(&self) -> f64 {
        self.0.k
    }

    /// Returns the ratings after each contest, in the order of replay.
    fn ratings(&self, py: Python<'_>) -> PyResult<PyTable> {
        Ok(py.detach(|| output::to_table(self.rating_columns()))?)
    }

    /// Returns the competitors, the best conservative rating first, provisional ones last.
    fn leaderboard(&self, py: Python<'_>, k: Option<f64>) -> PyResult<PyTable> {
        Ok(py.detach(|| output::to_table(self.leaderboard_columns(k.unwrap_or(self.0.k))))?)
    }

    /// Returns the expected places of a field.
    fn predict(&self, names: Vec<String>) -> PyResult<PyTable> {
        Ok(output::to_table(self.prediction_columns(&names)?)?)
    }

    /// Returns the probability that the first places above the second, and that they tie.
    fn win_probability(&self, first: &str, second: &str) -> PyResult<(f64, f64)> {
        let beliefs = (self.find_belief(first)?.1, self.find_belief(second)?.1);
        let probability = self.0.win_model.win_probability(beliefs.0, beliefs.1);
        Ok((probability.above, probability.tied))
    }
}

impl RatedTable {
    fn rating_columns(&self) -> Columns {
        let RatedResults {
            results, ratings, ..
        } = &self.0;
        let positions = || ratings.contests.iter().map(|&position| position as usize);
        let contest_ids = positions().map(|p| (results.rows[p].contest_id.get() - 1) as u32);
        let mut columns: Columns = Vec::new();
        if results.is_dataset {
            let contests = contest_ids.clone().map(|contest| results.contests.get(contest));
            let sources: StringArray = contests.clone().map(|name| Some(source_of(name))).collect();
            let locals: StringArray = contests.map(|name| Some(local_name(name))).collect();
            columns.push(("source", Arc::new(sources)));
            columns.push(("contest", Arc::new(locals)));
        } else if results.contests.len() == 0 {
            columns.push(("game", output::counts(contest_ids.collect())));
        } else {
            columns.push(("contest", results.contests.to_array(contest_ids)));
        }
        if !results.is_numbered {
            let ends = positions().map(|position| results.rows[position].ends_at);
            columns.push(("ends_at", output::times(ends.collect())));
        }
        columns.extend(self.competitor_columns(&ratings.competitors));
        columns.push(("mu", output::floats(&ratings.mu)));
        columns.push(("sigma", output::floats(&ratings.sigma)));
        columns.push(("performance", output::optional(&ratings.performance)));
        columns.push(("volatility", output::optional(&ratings.volatility)));
        columns
    }

    /// Returns the columns that identify competitors: in datasets also the kind.
    fn competitor_columns(&self, competitors: &[u32]) -> Columns {
        let names = &self.0.results.competitors;
        if !self.0.results.is_dataset && !self.has_teams() {
            return vec![("competitor", names.to_array(competitors.iter().copied()))];
        }
        let texts = competitors.iter().map(|&competitor| names.get(competitor));
        let locals: StringArray = texts.clone().map(|name| Some(local_name(name))).collect();
        let kinds = texts.map(|name| Some(kind_of(name)));
        let kinds: StringArray = kinds.collect();
        vec![
            ("kind", Arc::new(kinds) as ArrayRef),
            ("competitor", Arc::new(locals)),
        ]
    }

    fn has_teams(&self) -> bool {
        self.0.results.has_column("team")
    }

    fn leaderboard_columns(&self, k: f64) -> Columns {
        let rated = &self.0;
        let names = &rated.results.competitors;
        let mu = |competitor: u32| rated.ratings.mu[rated.last_rows[competitor as usize] as usize];
        let sigma =
            |competitor: u32| rated.ratings.sigma[rated.last_rows[competitor as usize] as usize];
        let count = |competitor: u32| rated.counts[competitor as usize];
        let is_provisional = |c: u32| rated.provisional.is_provisional(sigma(c), count(c));
        let conservative = |competitor: u32| mu(competitor) - k * sigma(competitor);
        let mut order: Vec<u32> =
            (0..names.len() as u32).filter(|&competitor| count(competitor) > 0).collect();
        order.sort_by(|&a, &b| {
            let by_rating = conservative(b).total_cmp(&conservative(a));
            let by_state = is_provisional(a).cmp(&is_provisional(b));
            by_state.then(by_rating).then_with(|| names.get(a).cmp(names.get(b)))
        });
        let last_contest = |competitor: u32| {
            let row = rated.last_rows[competitor as usize] as usize;
            let position = rated.ratings.contests[row] as usize;
            &rated.results.rows[position]
        };
        let values = |value: &dyn Fn(u32) -> f64| {
            output::floats(&order.iter().map(|&competitor| value(competitor)).collect::<Vec<_>>())
        };
        let places = (1..=order.len() as u32).collect();
        let mut columns: Columns = vec![("place", output::counts(places))];
        columns.extend(self.competitor_columns(&order));
        columns.push((
            "rating",
            values(&|c| rated.display.rating(mu(c), sigma(c), count(c), last_contest(c).ends_at)),
        ));
        columns.push(("conservative", values(&conservative)));
        columns.push(("mu", values(&mu)));
        columns.push(("sigma", values(&sigma)));
        columns.push(("contests", output::counts(order.iter().map(|&c| count(c)).collect())));
        if !rated.results.is_numbered {
            let ends = order.iter().map(|&competitor| last_contest(competitor).ends_at);
            columns.push(("last_contest_at", output::times(ends.collect())));
        }
        let provisional: Vec<bool> = order.iter().map(|&c| is_provisional(c)).collect();
        columns.push(("provisional", Arc::new(BooleanArray::from(provisional))));
        columns
    }

    /// Returns the number of a competitor and the belief about it.
    fn find_belief(&self, name: &str) -> Result<(u32, Belief), Failure> {
        let names = &self.0.results.competitors;
        let number = names.find(name).or_else(|| self.find_qualified(name));
        let known = number.and_then(|number| Some((number, self.0.belief(number)?)));
        known.ok_or_else(|| {
            let message = format!("{} has no rating; name a competitor of the table", Quoted(name));
            Failure::new(message)
        })
    }

    /// Finds a competitor by the name without its source and kind, if only one has it.
    fn find_qualified(&self, name: &str) -> Option<u32> {
        let names = &self.0.results.competitors;
        if !self.0.results.is_dataset && !self.has_teams() {
            return None;
        }
        let mut numbers = (0..names.len() as u32).filter(|&n| local_name(names.get(n)) == name);
        numbers.next().filter(|_| numbers.next().is_none())
    }

    fn prediction_columns(&self, names: &[String]) -> Result<Columns, Failure> {
        let field =
            names.iter().map(|name| self.find_belief(name)).collect::<Result<Vec<_>, _>>()?;
        let mut distinct: Vec<u32> = field.iter().map(|&(number, _)| number).collect();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() < field.len() || field.len() < 2 {
            let message = "a field needs at least two competitors, each named once";
            return Err(Failure::new(message));
        }
        let place = |own: usize| {
            let others = field.iter().enumerate().filter(|&(other, _)| other != own);
            let above = others.map(|(_, &(_, belief))| {
                let probability = self.0.win_model.win_probability(belief, field[own].1);
                probability.above + probability.tied / 2.0
            });
            1.0 + above.sum::<f64>()
        };
        let mut order: Vec<(f64, usize)> = (0..field.len()).map(|own| (place(own), own)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let numbers: Vec<u32> = order.iter().map(|&(_, own)| field[own].0).collect();
        let of_rows = |value: &dyn Fn(&Belief) -> f64| {
            output::floats(&order.iter().map(|&(_, own)| value(&field[own].1)).collect::<Vec<_>>())
        };
        let places: Vec<f64> = order.iter().map(|&(place, _)| place).collect();
        let mut columns: Columns = vec![("expected_place", output::floats(&places))];
        columns.extend(self.competitor_columns(&numbers));
        columns.push(("mu", of_rows(&|belief| belief.mu)));
        columns.push(("sigma", of_rows(&|belief| belief.variance.sqrt())));
        Ok(columns)
    }
}

/// Returns the kind in the name of a competitor.
fn kind_of(name: &str) -> &str {
    let Some((qualifiers, _)) = name.rsplit_once(SEPARATOR) else {
        return "person";
    };
    qualifiers.rsplit_once(SEPARATOR).map_or(qualifiers, |(_, kind)| kind)
}
