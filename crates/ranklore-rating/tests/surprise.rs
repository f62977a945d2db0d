//! The spread of surprises: 1 if ratings err by sigma, whatever the size of the contests.

use ranklore_rating::metrics::{EvaluationOptions, Evaluator, Metric, Prediction, Slice};
use ranklore_rating::{Belief, PerformanceShape, WinModel};

use crate::random::Random;

const NOISE: f64 = 0.5;
const SIGMA: f64 = 0.6;

/// Contests whose skills differ from mu by normal errors.
#[derive(Clone, Copy)]
struct Process {
    entrants: u32,
    contests: u64,
    /// The share of entrants that do not finish.
    unfinished: f64,
    /// Performances within a step tie.
    step: f64,
}

/// Returns a variable of mean 0 and deviation 1: the sum of twelve uniform ones.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| random.between(-0.5, 0.5)).sum()
}

impl Process {
    const fn new(entrants: u32, contests: u64) -> Self {
        Self {
            entrants,
            contests,
            unfinished: 0.0,
            step: 1e-9,
        }
    }

    /// Returns the metric of predictions that take sigma for `claim` times what it is.
    fn surprise(self, claim: f64) -> f64 {
        let mut random = Random::new(u64::from(self.entrants));
        let mut evaluator = Evaluator::new(EvaluationOptions {
            slices: vec![Slice::everybody()],
            win_model: Some(WinModel::new(PerformanceShape::Normal, NOISE)),
            ..EvaluationOptions::default()
        });
        for number in 0..self.contests {
            let mut results: Vec<(f64, f64)> = Vec::new();
            for _ in 0..self.entrants {
                let mu = normal(&mut random);
                let skill = mu + SIGMA * normal(&mut random);
                let performance = skill + NOISE.sqrt() * normal(&mut random);
                let has_finished = random.between(0.0, 1.0) >= self.unfinished;
                let step = (performance / self.step).floor();
                results.push((
                    if has_finished {
                        step
                    } else {
                        f64::NEG_INFINITY
                    },
                    mu,
                ));
            }
            results.sort_by(|a, b| b.0.total_cmp(&a.0));
            let finishers = results.partition_point(|(step, _)| step.is_finite()) as u32;
            let ends = (1..=results.len())
                .filter(|&end| results.get(end).is_none_or(|next| next.0 < results[end - 1].0));
            evaluator.add(Prediction {
                beliefs: results.iter().map(|&(_, mu)| Belief::new(mu, claim * SIGMA)).collect(),
                earlier: vec![1; results.len()],
                groups: ends.map(|end| end as u32).collect(),
                finishers,
                number,
                ..Prediction::default()
            });
        }
        evaluator.finish().0[0].value(Metric::Surprise).unwrap()
    }
}

const SIZES: [Process; 3] = [
    Process::new(2, 6_000),
    Process::new(20, 400),
    Process::new(200, 100),
];

#[test]
fn true_sigma_has_surprise_of_1() {
    for process in SIZES {
        let surprise = process.surprise(1.0);
        assert!((surprise - 1.0).abs() < 0.04, "{}: {surprise}", process.entrants);
    }
}

#[test]
fn small_sigma_is_above_1_and_great_sigma_below() {
    for process in SIZES {
        let none = process.surprise(0.0);
        let double = process.surprise(2.0);
        assert!(none > 1.06 && double < 0.94, "{}: {none} {double}", process.entrants);
    }
}

#[test]
fn ties_and_unfinished_entrants_change_no_surprise() {
    for process in SIZES {
        let surprise = Process {
            unfinished: 0.1,
            step: 0.5,
            ..process
        }
        .surprise(1.0);
        assert!((surprise - 1.0).abs() < 0.04, "{}: {surprise}", process.entrants);
    }
}
