//! The entrants of a contest laid out for the solver: by rating for the sums over all
//! opponents, by place for the sums over those tied.

use std::ops::Range;

use rayon::prelude::*;

use super::Opponents;
use crate::numerics::lanes::{LANES, Lanes};
use crate::numerics::two_double::TwoDouble;
use crate::system::group_ranges;

/// Number of entrants from which two threads pay off.
pub(super) const PARALLEL_THRESHOLD: usize = 1024;

/// Solves `count` functions in runs of a fixed length, so that the number of threads changes no bit;
/// in parallel if there are several runs.
pub(super) fn in_runs<T: Clone + Send>(
    count: usize,
    length: usize,
    solve: impl Fn(Range<usize>) -> Vec<T> + Sync,
) -> Vec<T> {
    if count <= length {
        return solve(0..count);
    }
    let starts: Vec<usize> = (0..count).step_by(length).collect();
    let runs: Vec<Vec<T>> = starts
        .par_iter()
        .map(|&start| solve(start..(start + length).min(count)))
        .collect();
    runs.concat()
}

/// Sorts pairs of a rating and a scale by both, so that sums do not depend on the input order.
pub(super) fn sort_by_rating(pairs: &mut [(f64, f64)]) {
    // By one number at a time: a branchless comparison is several times as fast.
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    for equal in pairs.chunk_by_mut(|a, b| a.0 == b.0) {
        if equal.len() > 1 {
            equal.sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
        }
    }
}

/// Returns the value of `values` that `pick`, the minimum or the maximum of two, leaves; NaN of none.
pub(super) fn extreme(values: &[f64], pick: fn(f64, f64) -> f64) -> f64 {
    values.iter().copied().reduce(pick).unwrap_or(f64::NAN)
}

/// An opponent, or several equal ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct MergedOpponent {
    mu: f64,
    /// 1/δ̄.
    inverse: f64,
    /// 1/δ̄ times the number of merged opponents.
    weight: f64,
}

impl MergedOpponent {
    /// Creates one opponent from the rating and the scale.
    pub(super) fn single(&(mu, scale): &(f64, f64)) -> Self {
        let inverse = 1.0 / scale;
        Self {
            mu,
            inverse,
            weight: inverse,
        }
    }

    /// Lays out ratings, 1/δ̄ and weights eight to a chunk. The last chunk is padded with opponents
    /// of weight 0.
    pub(super) fn in_lanes(opponents: &[Self]) -> [Vec<Lanes>; 3] {
        let mut lanes = [const { Vec::new() }; 3];
        for chunk in opponents.chunks(LANES) {
            let mut filling = chunk[chunk.len() - 1];
            filling.weight = 0.0;
            let mut at = [filling; LANES];
            at[..chunk.len()].copy_from_slice(chunk);
            lanes[0].push(Lanes(at.map(|opponent| opponent.mu)));
            lanes[1].push(Lanes(at.map(|opponent| opponent.inverse)));
            lanes[2].push(Lanes(at.map(|opponent| opponent.weight)));
        }
        lanes
    }
}

/// Opponents by rating, eight to a chunk, with running sums of their weights.
///
/// Opponents with equal rating and scale are merged: newcomers, often a fifth of a contest, become
/// one. The last chunk is padded with opponents of weight 0.
#[derive(Debug)]
pub(super) struct ByRating {
    pub(super) mu: Vec<Lanes>,
    pub(super) inverse: Vec<Lanes>,
    pub(super) weight: Vec<Lanes>,
    /// Rating of each merged opponent, for counting those at or below a point.
    ratings: Vec<f64>,
    /// `sums[k]`: weight of the k lowest.
    sums: Vec<TwoDouble>,
}

impl ByRating {
    pub(super) fn new(opponents: &Opponents<'_>) -> Self {
        let pairs = opponents.mu.iter().zip(opponents.scale);
        let mut sorted: Vec<(f64, f64)> = pairs.map(|(&mu, &scale)| (mu, 1.0 / scale)).collect();
        sort_by_rating(&mut sorted);
        let mut sources: Vec<MergedOpponent> = Vec::with_capacity(sorted.len());
        let mut count = 0.0;
        let mut sums = vec![TwoDouble::ZERO];
        for (mu, inverse) in sorted {
            let sum = sums[sums.len() - 1].plus(inverse);
            match sources.last_mut() {
                // Merged opponents share an entry of `sums`.
                Some(last) if last.mu == mu && last.inverse == inverse => {
                    count += 1.0;
                    last.weight = count * inverse;
                    let top = sums.len() - 1;
                    sums[top] = sum;
                }
                _ => {
                    count = 1.0;
                    sums.push(sum);
                    sources.push(MergedOpponent {
                        mu,
                        inverse,
                        weight: inverse,
                    });
                }
            }
        }
        let ratings = sources.iter().map(|source| source.mu).collect();
        let [mu, inverse, weight] = MergedOpponent::in_lanes(&sources);
        Self {
            mu,
            inverse,
            weight,
            ratings,
            sums,
        }
    }

    /// Returns the number of merged opponents rated `c` or lower.
    #[inline(always)]
    pub(super) fn count_up_to(&self, c: f64) -> usize {
        self.ratings.partition_point(|&mu| mu <= c)
    }

    /// Returns the weight of the `count` lowest rated.
    #[inline(always)]
    pub(super) fn weight_of_lowest(&self, count: usize) -> TwoDouble {
        self.sums[count]
    }
}

/// Entrants by place, within a tie by rating, with running sums of their weights.
#[derive(Debug)]
pub(super) struct ByPlace {
    pub(super) mu: Vec<f64>,
    pub(super) inverse: Vec<f64>,
    /// `sums[k]`: weight of the first k.
    sums: Vec<TwoDouble>,
    /// Start of each tie group, and the end of the last.
    starts: Vec<u32>,
}

impl ByPlace {
    fn new(opponents: &Opponents<'_>) -> Self {
        let mut order: Vec<(f64, f64)> = opponents
            .mu
            .iter()
            .zip(opponents.scale)
            .map(|(&mu, &scale)| (mu, 1.0 / scale))
            .collect();
        let mut starts = Vec::with_capacity(opponents.groups.len() + 1);
        starts.push(0);
        starts.extend(opponents.groups);
        for group in group_ranges(opponents.groups).filter(|group| group.len() > 1) {
            sort_by_rating(&mut order[group]);
        }
        let mut sums = Vec::with_capacity(order.len() + 1);
        let mut sum = TwoDouble::ZERO;
        sums.push(sum);
        for &(_, inverse) in &order {
            sum = sum.plus(inverse);
            sums.push(sum);
        }
        let (mu, inverse) = order.into_iter().unzip();
        Self {
            mu,
            inverse,
            sums,
            starts,
        }
    }

    /// Returns the entrants of tie group `group`.
    #[inline(always)]
    pub(super) fn members(&self, group: usize) -> Range<usize> {
        self.starts[group] as usize..self.starts[group + 1] as usize
    }

    /// Returns the weight of the first `count` entrants.
    #[inline(always)]
    pub(super) fn weight_of_first(&self, count: usize) -> TwoDouble {
        self.sums[count]
    }

    /// Returns the weight of all entrants.
    #[inline(always)]
    pub(super) fn total(&self) -> TwoDouble {
        self.sums[self.sums.len() - 1]
    }
}

/// Both layouts, with the bounds of their numbers.
#[derive(Debug)]
pub(super) struct OpponentLayout {
    pub(super) by_rating: ByRating,
    pub(super) by_place: ByPlace,
    pub(super) lowest: f64,
    pub(super) highest: f64,
    pub(super) min_scale: f64,
    pub(super) max_scale: f64,
}

impl OpponentLayout {
    pub(super) fn new(opponents: &Opponents<'_>) -> Self {
        let (by_rating, by_place) = if opponents.mu.len() < PARALLEL_THRESHOLD {
            (ByRating::new(opponents), ByPlace::new(opponents))
        } else {
            rayon::join(|| ByRating::new(opponents), || ByPlace::new(opponents))
        };
        Self {
            by_rating,
            by_place,
            lowest: extreme(opponents.mu, f64::min),
            highest: extreme(opponents.mu, f64::max),
            min_scale: extreme(opponents.scale, f64::min),
            max_scale: extreme(opponents.scale, f64::max),
        }
    }
}
