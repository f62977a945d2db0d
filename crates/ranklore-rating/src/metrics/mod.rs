//! Accuracy of predictions: concordance (Harrell and others, Evaluating the Yield of Medical Tests,
//! 1982), and the pair inversion and rank deviation of the paper (section 6.3).

use rayon::prelude::*;

use crate::system::group_ranges;
use crate::words::words;

/// The prediction for one contest and its result, in order of place.
#[derive(Clone, Debug, Default)]
pub struct Prediction {
    /// Ratings before the contest.
    pub mu: Vec<f64>,
    /// Number of earlier contests with an order, for each entrant.
    pub earlier: Vec<u32>,
    /// Ends of the tie groups, as in [`RatingRound::groups`](crate::RatingRound::groups).
    pub groups: Vec<u32>,
}

/// The entrants and contests that an evaluation covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slice {
    /// Entrants with at least one earlier contest.
    Everybody,
    /// Entrants with at least five earlier contests.
    Experienced,
    /// Entrants of [`Slice::Everybody`] on the first hundred places among them, compared with each
    /// other.
    Top100,
}

words!(Slice {
    Everybody: "everybody",
    Experienced: "experienced",
    Top100: "top100",
});

/// The metrics of one slice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// Contests with something to predict.
    pub contests: u64,
    /// Entrants predicted, over all contests.
    pub results: u64,
    /// Sums over entrants; the methods return the averages.
    concordance: f64,
    pair_inversion: f64,
    rank_deviation: f64,
}

impl Accuracy {
    /// Returns the concordance (C-index) in percent: the share of a contest's pairs of entrants
    /// predicted in the right order, averaged over contests, each weighted by its entrants. A pair
    /// of equal ratings counts one half, so that a coin toss and a system that rates nobody have
    /// 50; pairs tied in the result are not counted. NaN if nothing was predicted.
    #[must_use]
    pub fn concordance(&self) -> f64 {
        100.0 * self.concordance / self.results as f64
    }

    /// Returns the share of opponents ordered correctly, in percent, averaged over entrants. Ties
    /// and equal ratings count as correct. NaN if nothing was predicted.
    #[must_use]
    pub fn pair_inversion(&self) -> f64 {
        100.0 * self.pair_inversion / self.results as f64
    }

    /// Returns the distance between predicted and actual place over the largest possible, in
    /// percent, averaged over entrants. In a tie the place nearest to the prediction counts; equal
    /// ratings are predicted in their actual order. NaN if nothing was predicted.
    #[must_use]
    pub fn rank_deviation(&self) -> f64 {
        100.0 * self.rank_deviation / self.results as f64
    }

    fn add(&mut self, other: &Self) {
        self.contests += other.contests;
        self.results += other.results;
        self.concordance += other.concordance;
        self.pair_inversion += other.pair_inversion;
        self.rank_deviation += other.rank_deviation;
    }
}

/// Evaluates predictions of consecutive contests, in the order of [`Slice::ALL`]. Skips the first
/// tenth of them (rounded down), in which most entrants are still unrated.
///
/// "At least k earlier contests" filters entrants and their opponents alike; places are counted
/// among the remaining entrants. Contests with fewer than two remaining entrants, or with all of
/// them tied, are skipped.
#[must_use]
pub fn evaluate(predictions: &[Prediction]) -> [Accuracy; 3] {
    let mut sum = [Accuracy::default(); 3];
    add_accuracies(&mut sum, &predictions[predictions.len() / 10..]);
    sum
}

/// Entrants of a chunk of predictions, at 12 bytes and more each.
const CHUNK_ENTRANTS: usize = 500_000;

/// An evaluation that holds only some predictions at a time. Its result is that of [`evaluate`] for
/// all of them.
#[derive(Debug)]
pub struct Evaluator {
    /// Contests to skip.
    to_skip: usize,
    chunk: Vec<Prediction>,
    entrants: usize,
    sum: [Accuracy; 3],
}

impl Evaluator {
    /// Creates an evaluation of this number of contests.
    #[must_use]
    pub fn new(contests: usize) -> Self {
        Self {
            to_skip: contests / 10,
            chunk: Vec::new(),
            entrants: 0,
            sum: [Accuracy::default(); 3],
        }
    }

    /// Adds the prediction for the next contest.
    pub fn add(&mut self, prediction: Prediction) {
        if self.to_skip > 0 {
            self.to_skip -= 1;
            return;
        }
        // A contest costs as much as ten entrants even if it has two.
        self.entrants += prediction.mu.len() + 10;
        self.chunk.push(prediction);
        if self.entrants >= CHUNK_ENTRANTS {
            self.add_chunk();
        }
    }

    /// Returns the accuracies in the order of [`Slice::ALL`].
    #[must_use]
    pub fn finish(mut self) -> [Accuracy; 3] {
        self.add_chunk();
        self.sum
    }

    fn add_chunk(&mut self) {
        add_accuracies(&mut self.sum, &self.chunk);
        self.chunk.clear();
        self.entrants = 0;
    }
}

fn add_accuracies(sum: &mut [Accuracy; 3], predictions: &[Prediction]) {
    let contests: Vec<[Accuracy; 3]> = predictions
        .par_iter()
        .map(|prediction| {
            let everybody = EvaluatedContest::with_experience(prediction, 1);
            let experienced = EvaluatedContest::with_experience(prediction, 5);
            [
                everybody.accuracy(),
                experienced.accuracy(),
                everybody.up_to_place(100).accuracy(),
            ]
        })
        .collect();
    // Summed in the order of contests, so that neither threads nor chunks change the result.
    for contest in &contests {
        for (sum, contest) in sum.iter_mut().zip(contest) {
            sum.add(contest);
        }
    }
}

/// One contest of an evaluation: ratings and tie groups of the selected entrants, by place.
struct EvaluatedContest {
    mu: Vec<f64>,
    /// For each entrant the start and the end of the tie group.
    ties: Vec<(u32, u32)>,
}

impl EvaluatedContest {
    /// Selects the entrants with at least `earlier` contests.
    fn with_experience(prediction: &Prediction, earlier: u32) -> Self {
        let (mut mu, mut ties) = (Vec::new(), Vec::new());
        for group in group_ranges(&prediction.groups) {
            let first = mu.len() as u32;
            mu.extend(
                group
                    .filter(|&i| prediction.earlier[i] >= earlier)
                    .map(|i| prediction.mu[i]),
            );
            let after = mu.len() as u32;
            ties.extend((first..after).map(|_| (first, after)));
        }
        Self { mu, ties }
    }

    /// Keeps the entrants up to place `place`; a tie that reaches beyond it stays whole.
    fn up_to_place(mut self, place: u32) -> Self {
        let left = self.ties.partition_point(|&(first, _)| first < place);
        self.mu.truncate(left);
        self.ties.truncate(left);
        self
    }

    /// Computes the accuracy among these entrants.
    fn accuracy(&self) -> Accuracy {
        let mut sum = Accuracy::default();
        let count = self.mu.len();
        if count < 2 || self.ties[0].1 as usize == count {
            return sum;
        }
        // Integers, so that the order within a tie changes no bit.
        let (mut wrong, mut off) = (0, 0);
        let (predicted, undecided_pairs) = predict_places(&self.mu, &self.ties);
        for (&(first, after), (place, ordered_wrongly)) in self.ties.iter().zip(predicted) {
            wrong += u64::from(ordered_wrongly);
            off += u64::from(if place < first {
                first - place
            } else {
                (place + 1).saturating_sub(after)
            });
        }
        let others = (count - 1) as f64;
        let tied_pairs = self
            .ties
            .chunk_by(|a, b| a == b)
            .map(|tie| pairs(tie.len()));
        let ordered_pairs = pairs(count) - tied_pairs.sum::<u64>();
        // A pair in the wrong order is wrong for both entrants.
        let half_misses = wrong + undecided_pairs;
        sum.contests = 1;
        sum.results = count as u64;
        sum.concordance = count as f64 * (1.0 - half_misses as f64 / (2.0 * ordered_pairs as f64));
        sum.pair_inversion = count as f64 - wrong as f64 / others;
        sum.rank_deviation = off as f64 / others;
        sum
    }
}

/// Returns the number of pairs among this many entrants.
const fn pairs(count: usize) -> u64 {
    let count = count as u64;
    count * count.saturating_sub(1) / 2
}

/// Returns for each entrant the predicted place, from 0, and the number of opponents ordered
/// wrongly; and the number of pairs of equal ratings that are not tied in the result.
///
/// Entrants are added in order of decreasing rating to a tree of counts by place. Opponents above
/// in rating and below in place, or the reverse, are counted in O(log n).
fn predict_places(mu: &[f64], ties: &[(u32, u32)]) -> (Vec<(u32, u32)>, u64) {
    let count = mu.len();
    let mut by_rating: Vec<u32> = (0..count as u32).collect();
    by_rating.sort_unstable_by(|&a, &b| mu[b as usize].total_cmp(&mu[a as usize]).then(a.cmp(&b)));
    let mut counts = FenwickTree::new(count);
    let mut result = vec![(0, 0); count];
    let mut undecided_pairs = 0;
    let mut position = 0;
    while position < count {
        let rating = mu[by_rating[position] as usize];
        let equal = by_rating[position..]
            .iter()
            .take_while(|&&i| mu[i as usize] == rating)
            .count();
        let block = &by_rating[position..position + equal];
        for (offset, &entrant) in block.iter().enumerate() {
            let (_, after) = ties[entrant as usize];
            let higher_rated_and_placed_below = position as u32 - counts.prefix_sum(after);
            result[entrant as usize] = ((position + offset) as u32, higher_rated_and_placed_below);
        }
        // A block is ordered by place.
        let same_tie = |a: &u32, b: &u32| ties[*a as usize] == ties[*b as usize];
        let tied_pairs = block.chunk_by(same_tie).map(|tie| pairs(tie.len()));
        undecided_pairs += pairs(equal) - tied_pairs.sum::<u64>();
        for &entrant in block {
            counts.add(entrant);
        }
        for &entrant in block {
            let first = ties[entrant as usize].0;
            let lower_rated_and_placed_above = first - counts.prefix_sum(first);
            result[entrant as usize].1 += lower_rated_and_placed_above;
        }
        position += equal;
    }
    (result, undecided_pairs)
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

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;
    use proptest::prelude::*;

    /// The definition, pair by pair, over the entrants `left`.
    fn brute_force_accuracy(prediction: &Prediction, left: &[usize]) -> Accuracy {
        let group_of = |i: usize| prediction.groups.partition_point(|&end| end as usize <= i);
        let mut sum = Accuracy::default();
        if left.len() < 2 || group_of(left[0]) == group_of(left[left.len() - 1]) {
            return sum;
        }
        sum.contests = 1;
        let (mut concordant, mut ordered) = (0.0, 0.0);
        for (index, &i) in left.iter().enumerate() {
            for &j in left[index + 1..]
                .iter()
                .filter(|&&j| group_of(i) != group_of(j))
            {
                ordered += 1.0;
                concordant += match prediction.mu[i].total_cmp(&prediction.mu[j]) {
                    Ordering::Greater => 1.0,
                    Ordering::Equal => 0.5,
                    Ordering::Less => 0.0,
                };
            }
        }
        sum.concordance = left.len() as f64 * concordant / ordered;
        let others = (left.len() - 1) as f64;
        for &i in left {
            let right = left
                .iter()
                .filter(|&&j| {
                    j != i
                        && (group_of(i) == group_of(j)
                            || prediction.mu[i] == prediction.mu[j]
                            || (group_of(i) < group_of(j)) == (prediction.mu[i] > prediction.mu[j]))
                })
                .count();
            let predicted = left
                .iter()
                .filter(|&&j| {
                    prediction.mu[j] > prediction.mu[i]
                        || (prediction.mu[j] == prediction.mu[i] && j < i)
                })
                .count();
            let above = left.iter().filter(|&&j| group_of(j) < group_of(i)).count();
            let tied = left.iter().filter(|&&j| group_of(j) == group_of(i)).count();
            let off = (above..above + tied)
                .map(|place| place.abs_diff(predicted))
                .min()
                .unwrap();
            sum.results += 1;
            sum.pair_inversion += right as f64 / others;
            sum.rank_deviation += off as f64 / others;
        }
        sum
    }

    fn assert_equal(clever: &Accuracy, brute: &Accuracy) {
        assert_eq!(
            (clever.contests, clever.results),
            (brute.contests, brute.results)
        );
        assert!((clever.concordance - brute.concordance).abs() < 1e-9);
        assert!((clever.pair_inversion - brute.pair_inversion).abs() < 1e-9);
        assert!((clever.rank_deviation - brute.rank_deviation).abs() < 1e-9);
    }

    prop_compose! {
        fn prediction()(rows in prop::collection::vec((0..6u32, 0..4u32, any::<bool>()), 2..160))
            -> Prediction
        {
            let count = rows.len();
            let mut groups: Vec<u32> = (1..count)
                .filter(|&i| rows[i].2)
                .map(|i| i as u32)
                .collect();
            groups.push(count as u32);
            Prediction {
                mu: rows.iter().map(|row| 1500.0 + f64::from(row.0)).collect(),
                earlier: rows.iter().map(|row| 2 * row.1).collect(),
                groups,
            }
        }
    }

    proptest! {
        #[test]
        fn counting_matches_definition(prediction in prediction()) {
            for earlier in [0, 1, 5] {
                let left: Vec<usize> = (0..prediction.mu.len())
                    .filter(|&i| prediction.earlier[i] >= earlier)
                    .collect();
                let clever = EvaluatedContest::with_experience(&prediction, earlier);
                assert_equal(&clever.accuracy(), &brute_force_accuracy(&prediction, &left));
                for place in [1, 2, 10, 100] {
                    // Entrants with fewer than `place` others strictly above.
                    let group_of =
                        |i: usize| prediction.groups.partition_point(|&end| end as usize <= i);
                    let top: Vec<usize> = left
                        .iter()
                        .copied()
                        .filter(|&i| {
                            let above = left.iter().filter(|&&j| group_of(j) < group_of(i));
                            above.count() < place as usize
                        })
                        .collect();
                    let clever = EvaluatedContest::with_experience(&prediction, earlier).up_to_place(place);
                    assert_equal(&clever.accuracy(), &brute_force_accuracy(&prediction, &top));
                }
            }
        }
    }

    #[test]
    fn metrics_match_worked_example() {
        // Predicted A, B, C; actual C, then A and B tied for second.
        let prediction = Prediction {
            mu: vec![1400.0, 1600.0, 1500.0],
            earlier: vec![1, 1, 1],
            groups: vec![1, 3],
        };
        let [everybody, experienced, top100] = evaluate(&[prediction]);
        // C is wrong against both, A and B against C: 0, ½, ½ correct.
        assert!((everybody.pair_inversion() - 100.0 / 3.0).abs() < 1e-12);
        // Of the pairs C-A and C-B, both are wrong; A and B are tied.
        assert_eq!(everybody.concordance(), 0.0);
        // C was predicted third, A first (second is the nearest place of the tie), B second.
        assert!((everybody.rank_deviation() - 100.0 * (2.0 + 1.0 + 0.0) / 2.0 / 3.0).abs() < 1e-12);
        assert_eq!((everybody.contests, everybody.results), (1, 3));
        assert_eq!(top100, everybody);
        assert_eq!(experienced.results, 0);
        assert!(experienced.pair_inversion().is_nan());
    }

    #[test]
    fn equal_ratings_have_concordance_of_coin_toss() {
        let prediction = Prediction {
            mu: vec![1500.0; 5],
            earlier: vec![1; 5],
            groups: vec![1, 3, 4, 5],
        };
        let [everybody, ..] = evaluate(&[prediction]);
        assert_eq!(everybody.concordance(), 50.0);
        assert_eq!(everybody.pair_inversion(), 100.0);
    }

    #[test]
    fn chunks_change_no_bit_of_evaluation() {
        let predictions: Vec<Prediction> = (0..60)
            .map(|index| Prediction {
                mu: (0..30_000)
                    .map(|i| f64::from(i * 7919 % 1000 + index))
                    .collect(),
                earlier: (0..30_000).map(|i| (i + index as u32) % 9).collect(),
                groups: (0..30_000)
                    .step_by(3 + index as usize)
                    .skip(1)
                    .chain([30_000])
                    .collect(),
            })
            .collect();
        let mut evaluator = Evaluator::new(predictions.len());
        for prediction in &predictions {
            evaluator.add(prediction.clone());
        }
        assert!(evaluator.chunk.len() < 20);
        assert_eq!(evaluator.finish(), evaluate(&predictions));
    }

    #[test]
    fn evaluate_skips_first_tenth() {
        let one = Prediction {
            mu: vec![1.0, 0.0],
            earlier: vec![1, 1],
            groups: vec![1, 2],
        };
        for (contests, evaluated) in [(1, 1), (9, 9), (10, 9), (19, 18), (20, 18)] {
            let predictions = vec![one.clone(); contests];
            assert_eq!(evaluate(&predictions)[0].contests, evaluated);
        }
    }
}
