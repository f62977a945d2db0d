//! The ratings of two runs beside each other.

use std::collections::HashMap;

use ranklore_contest::SourceName;
use ranklore_store::{CompetitorId, RunRow, Store};
use serde::{Serialize, Serializer};

use crate::names::labels::{CompetitorLabel, Labeller, NamesPolicy};
use crate::ranking::Ranking;
use crate::ranking::rules::RatingRules;
use ranklore_replay::{
    Error, RunChoice, RunKey, RunSelection, find_all_runs, find_run, find_run_if_rated,
    serialize_run,
};

/// The most points of a scatter.
pub const MAX_SCATTER_POINTS: usize = 2_000;

/// The number of listed disagreements.
const MAX_DISAGREEMENTS: usize = 20;

/// The displayed ratings of the competitors that two runs rate.
#[derive(Clone, Debug, Serialize)]
pub struct RunScatter {
    /// The run of the horizontal axis.
    #[serde(serialize_with = "serialize_run_object")]
    pub x: RunRow,
    /// The run of the vertical axis.
    #[serde(serialize_with = "serialize_run_object")]
    pub y: RunRow,
    /// Number of competitors that both rate.
    pub competitors: u64,
    /// The rank correlation of both ratings; `None` if one has a single value.
    pub spearman_rho: Option<f64>,
    /// Both ratings of competitors, lowest x first: all, or [`MAX_SCATTER_POINTS`] of them at equal
    /// distances in this order.
    pub points: Vec<(f64, f64)>,
    /// The competitors whose percentiles differ most.
    pub disagreements: Vec<Disagreement>,
    /// True if names were replaced by pseudonyms.
    #[serde(skip)]
    pub pseudonymised: bool,
}

/// A competitor whose percentiles differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disagreement {
    /// The competitor.
    #[serde(flatten)]
    pub competitor: CompetitorLabel,
    /// The displayed rating in the first run.
    pub x: f64,
    /// The displayed rating in the second run.
    pub y: f64,
    /// The percentage of competitors with a lower rating in the first run; equal ones count half.
    pub x_percentile: f64,
    /// The percentage of competitors with a lower rating in the second run; equal ones count half.
    pub y_percentile: f64,
    /// The second percentile minus the first.
    pub difference: f64,
}

/// Serialises the keys of a run as an object.
fn serialize_run_object<S: Serializer>(run: &RunRow, serializer: S) -> Result<S::Ok, S::Error> {
    serialize_run(run, serializer)
}

/// A competitor that both runs rate.
struct RatedTwice {
    competitor: CompetitorId,
    ratings: [f64; 2],
    /// The percentiles of the ratings.
    percentiles: [f64; 2],
}

impl RatedTwice {
    fn difference(&self) -> f64 {
        self.percentiles[1] - self.percentiles[0]
    }
}

/// Compares two runs over exactly this source: by default its default run, and the newest other run
/// over all contests. `None` if none is chosen and there are not two.
///
/// # Errors
/// [`Error::NoSource`], [`Error::NoRun`], [`Error::SourceMismatch`], [`Error::Store`].
pub fn load_run_scatter(
    store: &Store,
    source: &SourceName,
    x: Option<RunKey>,
    y: Option<RunKey>,
    names: NamesPolicy,
) -> Result<Option<RunScatter>, Error> {
    let Some([x, y]) = choose_runs(store, source, x, y)? else {
        return Ok(None);
    };
    let mut both = load_both(store, &x, &y)?;
    let is_constant = [0, 1].map(|side| set_percentiles(&mut both, side));
    let points = thin_out(&mut both);
    let competitors = both.len() as u64;
    let spearman_rho = (is_constant == [false, false]).then(|| correlation(&both));
    let mut labeller = Labeller::load(store, names)?;
    Ok(Some(RunScatter {
        competitors,
        spearman_rho,
        points,
        disagreements: list_disagreements(store, both, &mut labeller)?,
        pseudonymised: labeller.pseudonymised,
        x,
        y,
    }))
}

/// Returns the two runs to compare; `None` if there are not two.
fn choose_runs(
    store: &Store,
    source: &SourceName,
    x: Option<RunKey>,
    y: Option<RunKey>,
) -> Result<Option<[RunRow; 2]>, Error> {
    let y = find_chosen(store, source, y)?;
    let x = match find_chosen(store, source, x)? {
        Some(run) => Some(run),
        None => find_default(store, source, y.as_ref())?,
    };
    let Some(x) = x else {
        return Ok(None);
    };
    let y = match y {
        Some(run) => Some(run),
        None => find_other(store, source, &x)?,
    };
    Ok(y.map(|y| [x, y]))
}

/// Returns the run that is chosen, if one is.
fn find_chosen(
    store: &Store,
    source: &SourceName,
    run: Option<RunKey>,
) -> Result<Option<RunRow>, Error> {
    let choice = run.map(|run| RunChoice {
        run: Some(run),
        ..RunChoice::default()
    });
    choice
        .map(|choice| find_run(store, std::slice::from_ref(source), &choice))
        .transpose()
}

/// Lists the competitors whose percentiles differ most, with the largest difference first.
fn list_disagreements(
    store: &Store,
    mut both: Vec<RatedTwice>,
    labeller: &mut Labeller,
) -> Result<Vec<Disagreement>, Error> {
    both.sort_by(|a, b| {
        let by_size = b.difference().abs().total_cmp(&a.difference().abs());
        by_size.then_with(|| a.competitor.cmp(&b.competitor))
    });
    both.truncate(MAX_DISAGREEMENTS);
    // The largest differences may all be 0.
    both.retain(|rated| rated.difference() != 0.0);
    let labels = labeller.load_labels(store, both.iter().map(|rated| rated.competitor))?;
    let disagreements = both.iter().filter_map(|rated| {
        Some(Disagreement {
            competitor: labels.get(&rated.competitor)?.clone(),
            x: rated.ratings[0],
            y: rated.ratings[1],
            x_percentile: rated.percentiles[0],
            y_percentile: rated.percentiles[1],
            difference: rated.difference(),
        })
    });
    Ok(disagreements.collect())
}

/// Returns the default run; if it is the other one, the newest of the rest.
fn find_default(
    store: &Store,
    source: &SourceName,
    other: Option<&RunRow>,
) -> Result<Option<RunRow>, Error> {
    let run = find_run_if_rated(store, source, &RunChoice::default())?;
    match other {
        Some(other) if run.as_ref().is_some_and(|run| run.run_id == other.run_id) => {
            find_other(store, source, other)
        }
        _ => Ok(run),
    }
}

/// Returns the newest other run over all contests.
fn find_other(store: &Store, source: &SourceName, run: &RunRow) -> Result<Option<RunRow>, Error> {
    let selection = RunSelection::from_source(source).canonical_json();
    let runs = match find_all_runs(store, std::slice::from_ref(source)) {
        Err(Error::NotRated { .. }) => Vec::new(),
        runs => runs?,
    };
    let mut newest = runs.into_iter().rev();
    Ok(newest.find(|other| other.run_id != run.run_id && other.selection == selection))
}

/// Loads the displayed ratings of the competitors that both runs rate.
fn load_both(store: &Store, x: &RunRow, y: &RunRow) -> Result<Vec<RatedTwice>, Error> {
    let mut x_ratings: HashMap<CompetitorId, f64> = HashMap::new();
    for_each_displayed(store, x, |competitor, rating| {
        x_ratings.insert(competitor, rating);
    })?;
    let mut both = Vec::new();
    for_each_displayed(store, y, |competitor, rating| {
        both.extend(x_ratings.get(&competitor).map(|&x_rating| RatedTwice {
            competitor,
            ratings: [x_rating, rating],
            percentiles: [0.0; 2],
        }));
    })?;
    Ok(both)
}

fn for_each_displayed(
    store: &Store,
    run: &RunRow,
    mut each: impl FnMut(CompetitorId, f64),
) -> Result<(), Error> {
    let rules = RatingRules::load(store, run, false)?;
    let ranking = Ranking::load_all(store, run, rules)?;
    ranking.for_each_rating(store, |rating| {
        let displayed = ranking.rules.row(0, &rating);
        each(rating.competitor_id, displayed.rating);
    })
}

/// Sorts by the ratings of a side, lowest first.
fn sort_by_rating(both: &mut [RatedTwice], side: usize) {
    both.sort_by(|a, b| {
        let by_rating = a.ratings[side].total_cmp(&b.ratings[side]);
        by_rating.then_with(|| a.competitor.cmp(&b.competitor))
    });
}

/// Sets the percentiles of a side; true if all its ratings are equal. Leaves the lowest rating of
/// the side first.
fn set_percentiles(both: &mut [RatedTwice], side: usize) -> bool {
    sort_by_rating(both, side);
    let all = both.len();
    let mut below = 0;
    let mut groups = 0;
    for equal in both.chunk_by_mut(|a, b| a.ratings[side].total_cmp(&b.ratings[side]).is_eq()) {
        let percentile = 100.0 * (below as f64 + equal.len() as f64 / 2.0) / all as f64;
        below += equal.len();
        groups += 1;
        for rated in equal {
            rated.percentiles[side] = percentile;
        }
    }
    groups < 2
}

/// Returns the correlation of the percentiles, which is that of the ranks.
fn correlation(both: &[RatedTwice]) -> f64 {
    // The mean of percentiles is 50, with ties too.
    let mut product = 0.0;
    let mut squares = [0.0; 2];
    for rated in both {
        let [x, y] = rated.percentiles.map(|percentile| percentile - 50.0);
        product += x * y;
        squares[0] += x * x;
        squares[1] += y * y;
    }
    (product / (squares[0] * squares[1]).sqrt()).clamp(-1.0, 1.0)
}

/// Returns the points, lowest x first.
fn thin_out(both: &mut [RatedTwice]) -> Vec<(f64, f64)> {
    sort_by_rating(both, 0);
    let count = both.len().min(MAX_SCATTER_POINTS);
    let last = both.len().saturating_sub(1);
    let last_point = count.saturating_sub(1).max(1);
    (0..count).map(|point| both[point * last / last_point].ratings.into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(pairs: &[[f64; 2]]) -> Vec<RatedTwice> {
        let rated = (1..).zip(pairs).map(|(id, &ratings)| RatedTwice {
            competitor: CompetitorId::new(id),
            ratings,
            percentiles: [0.0; 2],
        });
        rated.collect()
    }

    #[test]
    fn correlation_is_that_of_ranks_with_ties() {
        let rho = |pairs: &[[f64; 2]]| {
            let mut both = rated(pairs);
            let constant = [0, 1].map(|side| set_percentiles(&mut both, side));
            (constant == [false; 2]).then(|| correlation(&both))
        };
        assert_eq!(rho(&[[1.0, 10.0], [2.0, 20.0], [3.0, 90.0]]), Some(1.0));
        assert_eq!(rho(&[[1.0, 9.0], [2.0, 5.0], [3.0, 1.0]]), Some(-1.0));
        assert_eq!(rho(&[[1.0, 7.0], [2.0, 7.0]]), None);
        assert_eq!(rho(&[]), None);
        // Ranks 1, 2.5, 2.5, 4 and 1, 3, 2, 4: 4.5 / sqrt(4.5 · 5).
        let tied = rho(&[[1.0, 1.0], [2.0, 3.0], [2.0, 2.0], [4.0, 4.0]]).unwrap();
        assert!((tied - (4.5 / 22.5_f64.sqrt())).abs() < 1e-12, "{tied}");
    }

    #[test]
    fn points_are_bounded_and_keep_both_ends() {
        let many: Vec<[f64; 2]> =
            (0..5_001).map(|number| [f64::from(number), -f64::from(number)]).collect();
        let points = thin_out(&mut rated(&many));
        assert_eq!(points.len(), MAX_SCATTER_POINTS);
        assert_eq!((points[0].0, points[1_999].0), (0.0, 5_000.0));
        assert_eq!(thin_out(&mut rated(&many[..3])).len(), 3);
        assert_eq!(thin_out(&mut rated(&many[..1])).len(), 1);
        assert!(thin_out(&mut []).is_empty());
    }
}
