//! Metrics of the predicted order, in O(n log n) for n entrants.

use super::competitors::EntrantPairs;
use super::contest::SelectedContest;
use super::metric::{Metric, MetricSums};

impl SelectedContest {
    /// Adds the metrics of the predicted order, and the pairs of each entrant if they are wanted.
    pub(super) fn add_order_metrics(
        &self,
        sums: &mut MetricSums,
        entrant_pairs: Option<&mut [EntrantPairs]>,
    ) {
        let order = PredictedOrder::new(self);
        let count = self.ties.len();
        let size = count as f64;
        let opponents = (count - 1) as f64;
        // Integers, so that the order within a tie changes no bit.
        let mut errors = 0;
        let mut distance = 0;
        for (&(first, after), entrant) in self.ties.iter().zip(&order.entrants) {
            let place = entrant.place;
            errors += u64::from(entrant.ordered_wrongly);
            distance += u64::from(if place < first {
                first - place
            } else {
                (place + 1).saturating_sub(after)
            });
        }
        let ties = self.ties.chunk_by(|a, b| a == b);
        let ordered_pairs = pairs(count) - ties.map(|tie| pairs(tie.len())).sum::<u64>();
        let unequal_pairs = pairs(count) - order.equal_pairs;
        // A pair in the wrong order is wrong for both entrants.
        let half_misses = errors + order.undecided_pairs;
        let concordance = 1.0 - half_misses as f64 / (2.0 * ordered_pairs as f64);
        sums.set(Metric::Concordance, size * concordance, size);
        sums.set(Metric::PairInversion, size - errors as f64 / opponents, size);
        sums.set(Metric::RankDeviation, distance as f64 / opponents, size);
        sums.set(Metric::DiscordantPairs, half_misses as f64 / 2.0, ordered_pairs as f64);
        // Concordant pairs less discordant ones.
        let surplus = ordered_pairs as f64 - half_misses as f64;
        let tau = match unequal_pairs {
            0 => 0.0,
            _ => surplus / (ordered_pairs as f64 * unequal_pairs as f64).sqrt(),
        };
        sums.set(Metric::KendallTau, tau, 1.0);
        sums.set(Metric::SpearmanRho, self.spearman_rho(&order), 1.0);
        sums.set(Metric::Log2RankError, self.log2_rank_error(&order), size);
        for (metric, places) in [(Metric::Top1, 1), (Metric::Top10, 10)] {
            if count > places {
                sums.set(metric, self.top_share(&order, places), 1.0);
            }
        }
        if let Some(entrant_pairs) = entrant_pairs {
            self.set_order_pairs(&order, size / ordered_pairs as f64, entrant_pairs);
        }
    }

    /// Sets the concordance of the pairs of each entrant; a pair has the given weight.
    fn set_order_pairs(&self, order: &PredictedOrder, pair: f64, all: &mut [EntrantPairs]) {
        let entrants = self.entrants.iter().zip(&self.ties).zip(&order.entrants);
        for ((&index, &(first, after)), entrant) in entrants {
            let opponents = f64::from(self.ties.len() as u32 - (after - first));
            let misses = f64::from(entrant.ordered_wrongly) + 0.5 * f64::from(entrant.undecided);
            all[index as usize].order = (pair * (opponents - misses), pair * opponents);
        }
    }

    /// Returns the correlation of the ranks; ties have the mean of their ranks. 0 if all ratings
    /// are equal.
    fn spearman_rho(&self, order: &PredictedOrder) -> f64 {
        let mean = self.ties.len() as i64 + 1;
        // The ranks are doubled, so that they are integers.
        let deviation = |range: (u32, u32)| i64::from(range.0) + i64::from(range.1) + 1 - mean;
        let mut product = 0;
        let mut actual_square = 0;
        let mut predicted_square = 0;
        for (&tie, entrant) in self.ties.iter().zip(&order.entrants) {
            let actual = deviation(tie);
            let predicted = deviation(entrant.equals);
            product += i128::from(actual * predicted);
            actual_square += i128::from(actual * actual);
            predicted_square += i128::from(predicted * predicted);
        }
        if predicted_square == 0 {
            return 0.0;
        }
        product as f64 / (actual_square as f64 * predicted_square as f64).sqrt()
    }

    /// Returns the sum of |log₂ of predicted over actual rank|, in the order of ratings: so the
    /// order within a tie changes no bit.
    fn log2_rank_error(&self, order: &PredictedOrder) -> f64 {
        let errors = order.by_rating.iter().map(|&entrant| {
            let (first, after) = self.ties[entrant as usize];
            let actual = u64::from(first) + u64::from(after) + 1;
            let predicted = order.entrants[entrant as usize].doubled_rank;
            libm::log2(predicted as f64 / actual as f64).abs()
        });
        errors.sum()
    }

    /// Returns the share of the predicted first `places` entrants with fewer than `places` others
    /// above them. If equal ratings reach beyond, the expected share of a random choice among them.
    fn top_share(&self, order: &PredictedOrder, places: usize) -> f64 {
        let hits = |entrants: &[u32]| {
            let starts = entrants.iter().map(|&i| self.ties[i as usize].0);
            starts.filter(|&start| (start as usize) < places).count() as f64
        };
        let last = order.by_rating[places - 1];
        let (start, end) = order.entrants[last as usize].equals;
        let start = start as usize;
        let end = end as usize;
        let chance = (places - start) as f64 / (end - start) as f64;
        let certain_hits = hits(&order.by_rating[..start]);
        (certain_hits + chance * hits(&order.by_rating[start..end])) / places as f64
    }
}

/// Returns the number of pairs among this many entrants.
const fn pairs(count: usize) -> u64 {
    let count = count as u64;
    count * count.saturating_sub(1) / 2
}

/// The predicted order of a contest, compared with the result.
struct PredictedOrder {
    /// Indices of the entrants by decreasing rating, equal ones by place.
    by_rating: Vec<u32>,
    /// The entrants by place.
    entrants: Vec<PredictedEntrant>,
    /// Pairs of equal ratings.
    equal_pairs: u64,
    /// Pairs of equal ratings that are not tied in the result.
    undecided_pairs: u64,
}

/// The prediction for an entrant.
#[derive(Clone, Copy, Default)]
struct PredictedEntrant {
    /// The position in `by_rating`.
    place: u32,
    /// The start and the end of the equal ratings in `by_rating`.
    equals: (u32, u32),
    /// Twice the rank from 1: an opponent of the same rating or of the same tie counts one half.
    doubled_rank: u64,
    /// The number of opponents in the wrong order.
    ordered_wrongly: u32,
    /// The number of opponents with the same rating and another place.
    undecided: u32,
}

impl PredictedOrder {
    /// Compares ratings and result.
    ///
    /// Entrants are added in order of decreasing rating to a tree of counts by place. Opponents
    /// above in rating and below in place, or the reverse, are counted in O(log n).
    fn new(contest: &SelectedContest) -> Self {
        let ties = &contest.ties;
        let mu = |i: u32| contest.beliefs[i as usize].mu;
        let count = ties.len();
        let mut by_rating: Vec<u32> = (0..count as u32).collect();
        by_rating.sort_unstable_by(|&a, &b| mu(b).total_cmp(&mu(a)).then(a.cmp(&b)));
        let mut entrants = vec![PredictedEntrant::default(); count];
        let mut equal_pairs = 0;
        let mut undecided_pairs = 0;
        let mut counts = FenwickTree::new(count);
        // For each tie, at its first place, the number of its entrants so far.
        let mut higher_in_tie = vec![0; count];
        let mut position = 0;
        for block in by_rating.chunk_by(|&a, &b| mu(a) == mu(b)) {
            let end = position + block.len() as u32;
            equal_pairs += pairs(block.len());
            undecided_pairs += pairs(block.len());
            let mut place = position;
            // A block is ordered by place.
            for tie in block.chunk_by(|&a, &b| ties[a as usize] == ties[b as usize]) {
                undecided_pairs -= pairs(tie.len());
                let (first, after) = ties[tie[0] as usize];
                let higher = &mut higher_in_tie[first as usize];
                let higher_outside_tie = u64::from(position - *higher);
                let equal_outside_tie = (block.len() - tie.len()) as u64;
                *higher += tie.len() as u32;
                for &entrant in tie {
                    entrants[entrant as usize] = PredictedEntrant {
                        place,
                        equals: (position, end),
                        doubled_rank: 2 * higher_outside_tie
                            + equal_outside_tie
                            + u64::from(after - first + 1),
                        // Rated higher and placed below.
                        ordered_wrongly: position - counts.prefix_sum(after),
                        undecided: equal_outside_tie as u32,
                    };
                    place += 1;
                }
            }
            for &entrant in block {
                counts.add(entrant);
            }
            for &entrant in block {
                let (first, _) = ties[entrant as usize];
                // Rated lower and placed above.
                entrants[entrant as usize].ordered_wrongly += first - counts.prefix_sum(first);
            }
            position = end;
        }
        Self {
            by_rating,
            entrants,
            equal_pairs,
            undecided_pairs,
        }
    }
}

/// Counts of positions with prefix sums (a Fenwick tree).
struct FenwickTree(Vec<u32>);

impl FenwickTree {
    fn new(count: usize) -> Self {
        Self(vec![0; count + 1])
    }

    fn add(&mut self, position: u32) {
        let mut node = position as usize + 1;
        while node < self.0.len() {
            self.0[node] += 1;
            node += node & node.wrapping_neg();
        }
    }

    /// Returns the number of added positions below `end`.
    fn prefix_sum(&self, end: u32) -> u32 {
        let mut node = end as usize;
        let mut sum = 0;
        while node > 0 {
            sum += self.0[node];
            node &= node - 1;
        }
        sum
    }
}
