//! Log loss and Brier score, computed again from the pairs. The pairs are written to a file, from
//! which `.ci/external` computes both by scikit-learn.

use std::fmt::Write as _;
use std::path::Path;

use ranklore_rating::metrics::{
    EvaluationOptions, Evaluator, Metric, Prediction, Slice, predict_pairs,
};
use ranklore_rating::{Belief, PerformanceShape, WinModel};

const MODEL: WinModel = WinModel {
    shape: PerformanceShape::LogisticEach,
    noise: 9_000.0,
    sigma_weight: 1.0,
    draw_margin: 20.0,
};

/// Creates the prediction for a contest of this many entrants: some tied, some teams, some that did
/// not finish.
fn prediction(number: u64, entrants: u32) -> Prediction {
    let noise = |i: u32, range: u32| (i * 7_919 + number as u32 * 104_729) % 65_521 % range;
    let belief = |i: u32| {
        let mu = 1_900.0 - f64::from(3 * i + noise(i, 400));
        let alone = Belief::new(mu, 40.0 + f64::from(noise(i, 90)));
        if i.is_multiple_of(11) {
            Belief::from_members([alone, Belief::new(-30.0, 60.0)])
        } else {
            alone
        }
    };
    let finishers = entrants - entrants / 8;
    let mut groups: Vec<u32> = (1..=finishers).filter(|end| noise(*end, 5) > 0).collect();
    groups.extend([finishers, entrants]);
    groups.dedup();
    Prediction {
        beliefs: (0..entrants).map(belief).collect(),
        earlier: (0..entrants).map(|i| 1 + noise(i, 9)).collect(),
        groups,
        finishers,
        number,
        event: number as u32,
        ..Prediction::default()
    }
}

#[test]
fn losses_are_means_over_the_written_pairs() {
    let mut evaluator = Evaluator::new(EvaluationOptions {
        slices: vec![Slice::everybody()],
        win_model: Some(MODEL),
        seed: 5,
        ..EvaluationOptions::default()
    });
    let mut rows = String::from("contest,probability,outcome,weight\n");
    let mut log_loss = 0.0;
    let mut brier = 0.0;
    let mut tied = 0.0;
    let sizes = [2, 3, 8, 21, 64, 65, 180, 400];
    for (number, entrants) in (0..).zip(sizes) {
        let prediction = prediction(number, entrants);
        let pairs = predict_pairs(&prediction, &Slice::everybody(), &MODEL, 5);
        let share = 1.0 / (pairs.len() * sizes.len()) as f64;
        for pair in pairs {
            let q = pair.expected;
            let y = pair.score;
            log_loss -= share * (y * q.ln() + (1.0 - y) * (1.0 - q).ln());
            brier += share * (q - y) * (q - y);
            // A tie is half a win and half a loss.
            for (outcome, weight) in [(1, y), (0, 1.0 - y)] {
                if weight > 0.0 {
                    let weight = share * weight;
                    writeln!(rows, "{number},{q},{outcome},{weight}").unwrap();
                }
            }
            tied += share * f64::from(u8::from((0.1..0.9).contains(&y)));
        }
        evaluator.add(prediction);
    }
    assert!(tied > 0.0, "there are ties");
    let (accuracies, _) = evaluator.finish();
    let value = |metric| accuracies[0].value(metric).unwrap();
    assert!((value(Metric::LogLoss) - log_loss).abs() < 1e-12);
    assert!((value(Metric::Brier) - brier).abs() < 1e-12);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let figures = format!("{} {} {tied}\n", value(Metric::LogLoss), value(Metric::Brier));
    std::fs::write(folder.join("pairs.csv"), rows).unwrap();
    std::fs::write(folder.join("losses.txt"), figures).unwrap();
}
