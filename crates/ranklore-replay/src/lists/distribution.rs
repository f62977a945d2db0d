//! The distribution of the ratings of a run.

use ranklore_contest::SourceName;
use ranklore_rating::Display;
use ranklore_store::RunRow;
use serde::Serialize;

use crate::error::Error;
use crate::runs::fingerprint::{is_current, is_stale};
use crate::runs::keys::serialize_run;
use crate::runs::lookup::{RunChoice, find_run};
use crate::views::cache::ViewReader;
use crate::views::ranking::rules::RatingRules;
use crate::views::ranking::{Ranking, RankingOptions};

/// The bins that a distribution has about.
const BINS: f64 = 24.0;

/// The distribution of the displayed ratings of the active competitors whose ratings are not
/// provisional.
#[derive(Clone, Debug, Serialize)]
pub struct Distribution {
    /// The run.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: RunRow,
    /// True if results have changed since the run, or an earlier version computed it.
    pub stale: bool,
    /// The number of competitors.
    pub competitors: usize,
    /// The rating in the middle; of an even number the lower one. `None` without competitors.
    pub median: Option<f64>,
    /// The rating that the request names.
    pub rating: Option<f64>,
    /// The percentage of competitors with a lower rating than that one.
    pub better_than: Option<f64>,
    /// Ranges of equal width that follow each other, from the lowest rating to the highest.
    pub rows: Vec<RatingBin>,
    /// The formula of the displayed rating.
    #[serde(skip)]
    pub display: Display,
}

/// A range of ratings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RatingBin {
    /// The lowest rating of the range.
    pub from: f64,
    /// The lowest rating above the range.
    pub to: f64,
    /// The number of competitors in it.
    pub competitors: usize,
    /// Their percentage of all.
    pub share: f64,
    /// The percentage of competitors with a lower rating than `from`.
    pub better_than: f64,
}

/// Loads the distribution of a run over this source, and the place of `rating` in it.
///
/// # Errors
/// The errors of [`find_run`], and [`Error::Store`].
pub fn load_distribution<'s>(
    reader: impl Into<ViewReader<'s>>,
    source: &SourceName,
    run: &RunChoice,
    rating: Option<f64>,
) -> Result<Distribution, Error> {
    let reader = reader.into();
    let store = reader.store;
    let run = find_run(store, std::slice::from_ref(source), run)?;
    let rules = RatingRules::load(store, &run, false)?;
    let options = RankingOptions::usual(None);
    let ranking = Ranking::load(store, reader.rankings(), &run, rules, options)?;
    let mut ratings = Vec::new();
    ranking.for_each_rating(store, |row| {
        if ranking.is_active(&row) && !ranking.rules.is_provisional(&row) {
            ratings.push(ranking.rules.row(0, &row).rating);
        }
    })?;
    ratings.sort_unstable_by(f64::total_cmp);
    Ok(Distribution {
        stale: is_stale(&run, is_current(store, &run)?),
        competitors: ratings.len(),
        median: ratings.get(ratings.len().saturating_sub(1) / 2).copied(),
        better_than: rating
            .filter(|_| !ratings.is_empty())
            .map(|rating| percent(count_below(&ratings, rating), ratings.len())),
        rating,
        rows: bins(&ratings),
        display: ranking.rules.display,
        run,
    })
}

/// Returns the number of ratings that are lower. The ratings are sorted.
fn count_below(ratings: &[f64], rating: f64) -> usize {
    ratings.partition_point(|other| *other < rating)
}

fn percent(count: usize, all: usize) -> f64 {
    100.0 * count as f64 / all as f64
}

/// Returns about [`BINS`] ranges with round borders that cover the sorted ratings.
fn bins(ratings: &[f64]) -> Vec<RatingBin> {
    let (Some(low), Some(high)) = (ratings.first(), ratings.last()) else {
        return Vec::new();
    };
    if !(low.is_finite() && high.is_finite()) {
        return Vec::new();
    }
    let step = round_step((high - low) / BINS);
    let first = (low / step).floor();
    let last = (high / step).floor();
    let count = (last - first).clamp(0.0, 2.0 * BINS) as u32;
    let border = |index: u32| (first + f64::from(index)) * step;
    let bins = (0..=count).map(|index| {
        let from = border(index);
        let to = border(index + 1);
        let below = count_below(ratings, from);
        let competitors = count_below(ratings, to) - below;
        RatingBin {
            from,
            to,
            competitors,
            share: percent(competitors, ratings.len()),
            better_than: percent(below, ratings.len()),
        }
    });
    bins.collect()
}

/// Returns the smallest of 1, 2, 5, 10, 20, … and their tenths that is not below `least`; 1 if that
/// is 0.
fn round_step(least: f64) -> f64 {
    if least <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = steps.into_iter().find(|step| *step >= least);
    step.unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_cover_all_ratings_with_round_borders() {
        let spread: Vec<f64> = (0..1_000).map(|index| f64::from(index) * 2.7 - 400.0).collect();
        for ratings in [
            &[][..],
            &[1500.0],
            &[1500.0, 1500.0],
            &[-3.2, 25.0, 25.01],
            &[0.001, 0.002],
            &spread,
        ] {
            let bins = bins(ratings);
            let total: usize = bins.iter().map(|bin| bin.competitors).sum();
            assert_eq!(total, ratings.len());
            assert!(bins.len() <= 50 && bins.is_empty() == ratings.is_empty());
            let is_gapless = |two: &[RatingBin]| two[0].to.to_bits() == two[1].from.to_bits();
            assert!(bins.windows(2).all(is_gapless));
            for bin in &bins {
                let inside = ratings.iter().filter(|rating| (bin.from..bin.to).contains(*rating));
                assert_eq!(inside.count(), bin.competitors, "{bin:?}");
                let below = ratings.iter().filter(|rating| **rating < bin.from);
                let share = percent(below.count(), ratings.len());
                assert_eq!(bin.better_than.to_bits(), share.to_bits());
            }
        }
        assert_eq!(format!("{:?}", bins(&[1500.0])[0].from), "1500.0");
        let steps = [0.0, 0.3, 1.0, 7.1, 112.0].map(round_step);
        assert_eq!(format!("{steps:?}"), "[1.0, 0.5, 1.0, 10.0, 200.0]");
        assert!(bins(&[f64::NEG_INFINITY, 0.0]).is_empty());
    }
}
