//! The definitions of `docs/metrics.md`, pair by pair, as oracle.

use std::cmp::Ordering;
use std::f64::consts::PI;

use proptest::prelude::*;

use super::super::{Accuracy, Metric, Prediction, evaluate_contest, predict_pairs};
use super::{MODEL, any_prediction, slice};

/// The last place of a slice without a limit.
const ALL: u32 = u32::MAX;

/// The entrants of a contest that a slice selects.
struct Oracle<'a> {
    prediction: &'a Prediction,
    selected: Vec<usize>,
}

impl Oracle<'_> {
    fn new(prediction: &Prediction, earlier: u32, last_place: u32) -> Oracle<'_> {
        let mut oracle = Oracle {
            prediction,
            selected: (0..prediction.beliefs.len())
                .filter(|&i| prediction.earlier[i] >= earlier)
                .collect(),
        };
        let selected = oracle.selected.iter().copied();
        let top = selected
            .filter(|&i| oracle.count(|j| oracle.group(j) < oracle.group(i)) < last_place as usize);
        oracle.selected = top.collect();
        oracle
    }

    fn group(&self, i: usize) -> usize {
        let groups = &self.prediction.groups;
        groups.partition_point(|&end| end as usize <= i)
    }

    fn mu(&self, i: usize) -> f64 {
        self.prediction.beliefs[i].mu
    }

    fn count(&self, mut condition: impl FnMut(usize) -> bool) -> usize {
        self.selected.iter().filter(|&&i| condition(i)).count()
    }

    fn is_skipped(&self) -> bool {
        self.selected.len() < 2 || self.count(|i| i < self.prediction.finishers as usize) == 0
    }

    fn is_all_tied(&self) -> bool {
        self.count(|i| self.group(i) != self.group(self.selected[0])) == 0
    }

    fn mean_of_entrants(&self, value: impl FnMut(&usize) -> f64) -> f64 {
        self.selected.iter().map(value).sum::<f64>() / self.selected.len() as f64
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let first = self.selected.iter().enumerate();
        first.flat_map(|(n, &i)| self.selected[n + 1..].iter().map(move |&j| (i, j)))
    }

    /// The share of the pairs that are not tied in the result which are in the right order.
    fn concordance(&self) -> f64 {
        let mut right = 0.0;
        let mut all = 0.0;
        for (i, j) in self.pairs().filter(|&(i, j)| self.group(i) != self.group(j)) {
            all += 1.0;
            right += match self.mu(i).total_cmp(&self.mu(j)) {
                Ordering::Greater => 1.0,
                Ordering::Equal => 0.5,
                Ordering::Less => 0.0,
            };
        }
        right / all
    }

    fn pair_inversion(&self) -> f64 {
        self.mean_of_entrants(|&i| {
            let right = self.count(|j| {
                j != i
                    && (self.group(i) == self.group(j)
                        || self.mu(i) == self.mu(j)
                        || (self.group(i) < self.group(j)) == (self.mu(i) > self.mu(j)))
            });
            right as f64 / (self.selected.len() - 1) as f64
        })
    }

    fn rank_deviation(&self) -> f64 {
        self.mean_of_entrants(|&i| {
            let predicted =
                self.count(|j| self.mu(j) > self.mu(i) || (self.mu(j) == self.mu(i) && j < i));
            let above = self.count(|j| self.group(j) < self.group(i));
            let tied = self.count(|j| self.group(j) == self.group(i));
            let off = (above..above + tied).map(|place| place.abs_diff(predicted));
            off.min().unwrap() as f64 / (self.selected.len() - 1) as f64
        })
    }

    fn kendall_tau(&self) -> f64 {
        let mut surplus = 0.0;
        let mut ordered = 0.0;
        let mut unequal = 0.0;
        for (i, j) in self.pairs() {
            let actual = self.group(j).cmp(&self.group(i)) as i8;
            let predicted = self.mu(i).total_cmp(&self.mu(j)) as i8;
            surplus += f64::from(actual * predicted);
            ordered += f64::from(actual * actual);
            unequal += f64::from(predicted * predicted);
        }
        if unequal == 0.0 {
            0.0
        } else {
            surplus / f64::sqrt(ordered * unequal)
        }
    }

    fn spearman_rho(&self) -> f64 {
        let rank = |below: usize, equal: usize| below as f64 + f64::midpoint(equal as f64, 1.0);
        let ranks = |&i: &usize| {
            let actual = rank(
                self.count(|j| self.group(j) < self.group(i)),
                self.count(|j| self.group(j) == self.group(i)),
            );
            let predicted = rank(
                self.count(|j| self.mu(j) > self.mu(i)),
                self.count(|j| self.mu(j) == self.mu(i)),
            );
            let mean = f64::midpoint(self.selected.len() as f64, 1.0);
            (actual - mean, predicted - mean)
        };
        let covariance = self.mean_of_entrants(|i| ranks(i).0 * ranks(i).1);
        let actual = self.mean_of_entrants(|i| ranks(i).0.powi(2));
        let predicted = self.mean_of_entrants(|i| ranks(i).1.powi(2));
        if predicted == 0.0 {
            0.0
        } else {
            covariance / f64::sqrt(actual * predicted)
        }
    }

    /// Equations 6 and 11 of Elo-SRM, with the win probability 1 for the higher rating.
    fn log2_rank_error(&self) -> f64 {
        self.mean_of_entrants(|&i| {
            let tied = self.count(|j| j != i && self.group(j) == self.group(i)) as f64 / 2.0;
            let actual = 1.0 + self.count(|j| self.group(j) < self.group(i)) as f64 + tied;
            let outside = |j: usize| self.group(j) != self.group(i);
            let predicted = 1.0
                + self.count(|j| outside(j) && self.mu(j) > self.mu(i)) as f64
                + self.count(|j| outside(j) && self.mu(j) == self.mu(i)) as f64 / 2.0
                + tied;
            (predicted.log2() - actual.log2()).abs()
        })
    }

    fn top_share(&self, places: usize) -> Option<f64> {
        let shares = self.selected.iter().map(|&i| {
            let higher = self.count(|j| self.mu(j) > self.mu(i)) as f64;
            let equal = self.count(|j| self.mu(j) == self.mu(i)) as f64;
            let chosen = ((places as f64 - higher) / equal).clamp(0.0, 1.0);
            let placed = self.count(|j| self.group(j) < self.group(i)) < places;
            chosen * f64::from(u8::from(placed))
        });
        (self.selected.len() > places).then(|| shares.sum::<f64>() / places as f64)
    }

    /// The mean of a loss of the expected and the actual score over pairs.
    fn mean_loss(&self, loss: impl Fn(f64, f64) -> f64) -> f64 {
        let finished = |i: usize| i < self.prediction.finishers as usize;
        let mut sum = 0.0;
        let mut count = 0.0;
        for (i, j) in self.pairs().filter(|&(i, j)| finished(i) || finished(j)) {
            let beliefs = &self.prediction.beliefs;
            let q = MODEL.win_probability(beliefs[i], beliefs[j]).expected_score();
            let y = if self.group(i) == self.group(j) {
                0.5
            } else {
                1.0
            };
            sum += loss(q.clamp(1e-6, 1.0 - 1e-6), y);
            count += 1.0;
        }
        sum / count
    }

    /// Squared surprises over their variance: opponents j and k of i share its performance, so their
    /// results have the covariance of two normal variables above 0 (Mehler's series).
    fn surprise(&self) -> Option<f64> {
        let finished = |i: &usize| *i < self.prediction.finishers as usize;
        let finishers: Vec<usize> = self.selected.iter().copied().filter(finished).collect();
        let belief = |i: usize| self.prediction.beliefs[i];
        let variance = |i: usize| f64::from(belief(i).members) * MODEL.noise + belief(i).variance;
        let mut squares = 0.0;
        let mut variances = 0.0;
        for &i in &finishers {
            let opponents = || finishers.iter().copied().filter(|&j| j != i);
            let z = |j: usize| (self.mu(i) - self.mu(j)) / (variance(i) + variance(j)).sqrt();
            let density = |j: usize| (-0.5 * z(j) * z(j)).exp() / (2.0 * PI).sqrt();
            let share = |j: usize| (variance(i) / (variance(i) + variance(j))).sqrt();
            let mut surprise = 0.0;
            for j in opponents() {
                let q = MODEL.win_probability(belief(i), belief(j)).expected_score();
                let y = match self.group(i).cmp(&self.group(j)) {
                    Ordering::Less => 1.0,
                    Ordering::Equal => 0.5,
                    Ordering::Greater => 0.0,
                };
                surprise += y - q;
                squares += if y == 0.5 { 0.25 } else { 0.0 };
                variances += q * (1.0 - q);
                for k in opponents().filter(|&k| k != j) {
                    let correlation = share(j) * share(k);
                    let [a, b] = [z(j), z(k)];
                    let series = 1.0
                        + correlation / 2.0 * a * b
                        + correlation.powi(2) / 6.0 * (a * a - 1.0) * (b * b - 1.0)
                        + correlation.powi(3) / 24.0 * a * (a * a - 3.0) * b * (b * b - 3.0);
                    variances += density(j) * density(k) * correlation * series;
                }
            }
            squares += surprise * surprise;
        }
        (finishers.len() >= 2).then(|| squares / variances)
    }

    fn value(&self, metric: Metric) -> Option<f64> {
        let has_score = matches!(metric, Metric::LogLoss | Metric::Brier | Metric::Surprise);
        if self.is_all_tied() && !has_score {
            return None;
        }
        let value = match metric {
            Metric::Concordance => 100.0 * self.concordance(),
            Metric::PairInversion => 100.0 * self.pair_inversion(),
            Metric::RankDeviation => 100.0 * self.rank_deviation(),
            Metric::DiscordantPairs => 100.0 * (1.0 - self.concordance()),
            Metric::KendallTau => self.kendall_tau(),
            Metric::SpearmanRho => self.spearman_rho(),
            Metric::Log2RankError => self.log2_rank_error(),
            Metric::LogLoss => self.mean_loss(|q, y| -y * q.ln() - (1.0 - y) * (1.0 - q).ln()),
            Metric::Brier => self.mean_loss(|q, y| (q - y).powi(2)),
            Metric::Top1 => 100.0 * self.top_share(1)?,
            Metric::Top10 => 100.0 * self.top_share(10)?,
            Metric::Surprise => self.surprise()?,
        };
        Some(value)
    }
}

proptest! {
    #[test]
    fn metrics_match_definitions(prediction in any_prediction()) {
        for (earlier, last_place) in [(0, ALL), (1, ALL), (5, ALL), (1, 1), (1, 2), (2, 10), (1, 20)] {
            let oracle = Oracle::new(&prediction, earlier, last_place);
            let slice = slice(earlier, last_place);
            let accuracy = evaluate_contest(&prediction, &slice, Some(&MODEL), 7);
            if oracle.is_skipped() {
                prop_assert_eq!(accuracy, Accuracy::default());
                continue;
            }
            prop_assert_eq!((accuracy.contests, accuracy.results), (1, oracle.selected.len() as u64));
            for (metric, value) in accuracy.sums.values() {
                if metric == Metric::Surprise && oracle.selected.len() > 64 {
                    continue;
                }
                let sampled = matches!(metric, Metric::LogLoss | Metric::Brier) && oracle.selected.len() > 64;
                let expected = oracle.value(metric);
                // The mean of 2,000 pairs: five standard errors, of losses that vary by less than 1.
                let tolerance = if sampled { 5.0 / 2_000_f64.sqrt() } else { 1e-9 };
                prop_assert_eq!(value.is_some(), expected.is_some());
                let value = value.unwrap_or(0.0);
                let expected = expected.unwrap_or(0.0);
                prop_assert!((value - expected).abs() < tolerance, "{metric:?}: {value}, {expected}");
            }
        }
    }

    #[test]
    fn log_loss_is_mean_over_returned_pairs(prediction in any_prediction()) {
        let slice = slice(1, ALL);
        let pairs = predict_pairs(&prediction, &slice, &MODEL, 7);
        let accuracy = evaluate_contest(&prediction, &slice, Some(&MODEL), 7);
        let count = pairs.len() as f64;
        let loss = |pair: &super::super::PairPrediction| {
            -pair.score * pair.expected.ln() - (1.0 - pair.score) * (1.0 - pair.expected).ln()
        };
        if let Some(value) = accuracy.value(Metric::LogLoss) {
            prop_assert!((pairs.iter().map(loss).sum::<f64>() / count - value).abs() < 1e-9);
        } else {
            prop_assert!(pairs.is_empty());
        }
        prop_assert_eq!(accuracy.calibration.iter().map(|bin| bin.pairs).sum::<u64>(), pairs.len() as u64);
        for pair in pairs {
            prop_assert!(pair.expected >= 0.5);
            prop_assert!(pair.favourite.min(pair.underdog) < prediction.finishers);
            let favourite = pair.favourite as usize;
            let underdog = pair.underdog as usize;
            prop_assert!(prediction.beliefs[favourite].mu >= prediction.beliefs[underdog].mu);
            prop_assert!(prediction.earlier[favourite] >= 1 && prediction.earlier[underdog] >= 1);
        }
    }
}
