//! The distribution of the ratings of a run.

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_rating::Display;
use ranklore_store::RunRow;
use serde::Serialize;

use crate::cache::ViewReader;
use crate::charts::round_step;
use crate::ranking::rules::RatingRules;
use crate::ranking::{Ranking, RankingOptions};
use crate::rows::cell::CellValue;
use crate::rows::columns::{Columns, List};
use crate::rows::format::format_count;
use ranklore_replay::{Error, RunChoice, find_run, is_current, is_stale, serialize_run};

/// The bins that a distribution has about.
const BINS: f64 = 24.0;

/// The distribution to load.
#[derive(Args, Clone, Debug, Default)]
pub struct DistributionRequest {
    /// The choice of the run.
    #[command(flatten)]
    pub run: RunChoice,
    /// Show the percentage of competitors with a lower rating than this one
    #[arg(long, value_name = "RATING", allow_negative_numbers = true)]
    pub rating: Option<f64>,
}

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

impl List for Distribution {
    type Row = RatingBin;

    fn columns(&self) -> Columns<'_, RatingBin> {
        let decimals = self.display.rating_decimals();
        let points = move |number| CellValue::Points(number, decimals);
        let percent = |share: f64| CellValue::from(format!("{share:.1}\u{a0}%"));
        Columns::new()
            .left(("from", "rating from"), move |bin: &RatingBin| points(bin.from))
            .right(("to", "below"), move |bin| points(bin.to))
            .right("competitors", |bin| format_count(bin.competitors))
            .right("share", move |bin| percent(bin.share))
            .right("better_than", move |bin| percent(bin.better_than))
            .explained("share of competitors with a lower rating than the lowest of the row")
    }
}

/// Loads the distribution of a run over this source, and the place of `rating` in it.
///
/// # Errors
/// The errors of [`find_run`], and [`Error::Store`].
pub fn load_distribution<'s>(
    reader: impl Into<ViewReader<'s>>,
    source: &SourceName,
    request: &DistributionRequest,
) -> Result<Distribution, Error> {
    let reader = reader.into();
    let store = reader.store;
    let rating = request.rating;
    let run = find_run(store, std::slice::from_ref(source), &request.run)?;
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
        assert!(bins(&[f64::NEG_INFINITY, 0.0]).is_empty());
    }
}
