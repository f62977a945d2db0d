//! Worked examples.

use super::super::{
    Accuracy, Band, EXPERIENCE_BANDS, Metric, Prediction, SIZE_BANDS, Slice, evaluate_contest,
    predict_pairs,
};
use super::{all_slices, predict};
use crate::{Belief, PerformanceShape, WinModel};

fn evaluate(prediction: &Prediction) -> Accuracy {
    evaluate_contest(prediction, &Slice::everybody(), None, 0)
}

#[track_caller]
fn assert_value(accuracy: &Accuracy, metric: Metric, expected: f64) {
    let value = accuracy.value(metric).unwrap();
    assert!((value - expected).abs() < 1e-12, "{metric:?}: {value}");
}

#[test]
fn metrics_match_worked_example() {
    // Predicted A, B, C; actual C, then A and B tied for second.
    let prediction = predict(&[1400.0, 1600.0, 1500.0], &[1, 3]);
    let everybody = evaluate(&prediction);
    // C is wrong against both, A and B against C: 0, ½, ½ correct.
    assert_value(&everybody, Metric::PairInversion, 100.0 / 3.0);
    // Of the pairs C-A and C-B, both are wrong; A and B are tied.
    assert_value(&everybody, Metric::Concordance, 0.0);
    assert_value(&everybody, Metric::DiscordantPairs, 100.0);
    // C was predicted third, A first (second is the nearest place of the tie), B second.
    assert_value(&everybody, Metric::RankDeviation, 100.0 * (2.0 + 1.0) / 2.0 / 3.0);
    // Two discordant pairs; of the three pairs two are not tied.
    assert_value(&everybody, Metric::KendallTau, -2.0 / 6.0_f64.sqrt());
    // Actual ranks 1, 2.5, 2.5, predicted 3, 1, 2; the covariance is -1.5, the variances 1.5 and 2.
    assert_value(&everybody, Metric::SpearmanRho, -1.5 / 3.0_f64.sqrt());
    // Predicted ranks 3, 1.5 and 1.5: A and B are half above each other, since they are tied.
    let error = 3.0_f64.log2() + 2.0 * (2.5_f64 / 1.5).log2();
    assert_value(&everybody, Metric::Log2RankError, error / 3.0);
    assert_value(&everybody, Metric::Top1, 0.0);
    assert_eq!(everybody.value(Metric::Top10), None);
    assert_eq!(everybody.value(Metric::LogLoss), None);
    assert_eq!((everybody.contests, everybody.results), (1, 3));
    let top100 = evaluate_contest(&prediction, &Slice::top100(), None, 0);
    assert_eq!(top100, everybody);
    let experienced = evaluate_contest(&prediction, &Slice::experienced(), None, 0);
    assert_eq!(experienced.results, 0);
    assert_eq!(experienced.value(Metric::PairInversion), None);
}

#[test]
fn equal_ratings_predict_nothing() {
    let everybody = evaluate(&predict(&[1500.0; 5], &[1, 3, 4, 5]));
    assert_value(&everybody, Metric::Concordance, 50.0);
    assert_value(&everybody, Metric::PairInversion, 100.0);
    assert_value(&everybody, Metric::KendallTau, 0.0);
    assert_value(&everybody, Metric::SpearmanRho, 0.0);
    assert_value(&everybody, Metric::Top1, 20.0);
}

#[test]
fn right_order_without_ties_is_perfect() {
    let mu: Vec<f64> = (0..20).map(|i| 2000.0 - f64::from(i)).collect();
    let groups: Vec<u32> = (1..=20).collect();
    let everybody = evaluate(&predict(&mu, &groups));
    for (metric, value) in everybody.sums.values() {
        let perfect = match metric {
            Metric::Concordance | Metric::PairInversion | Metric::Top1 | Metric::Top10 => {
                Some(100.0)
            }
            Metric::KendallTau | Metric::SpearmanRho => Some(1.0),
            Metric::RankDeviation | Metric::DiscordantPairs | Metric::Log2RankError => Some(0.0),
            Metric::LogLoss | Metric::Brier | Metric::Surprise => None,
        };
        assert_eq!(value, perfect, "{metric:?}");
    }
}

#[test]
fn tie_for_first_is_right_for_each() {
    // The winners are A and B; the predicted winners are B and C.
    let everybody = evaluate(&predict(&[1.0, 2.0, 2.0], &[2, 3]));
    assert_value(&everybody, Metric::Top1, 50.0);
}

#[test]
fn order_within_tie_changes_no_bit() {
    let first = evaluate(&predict(&[3.0, 1.0, 7.0, 5.0, 6.0], &[1, 4, 5]));
    let second = evaluate(&predict(&[3.0, 7.0, 5.0, 1.0, 6.0], &[1, 4, 5]));
    assert_eq!(first, second);
}

#[test]
fn log_loss_counts_tie_half_and_no_pair_of_unfinished() {
    let model = WinModel {
        sigma_weight: 0.0,
        ..WinModel::new(PerformanceShape::Logistic, 0.5)
    };
    // A and B tied, C and D did not finish. A logistic variable of variance 1 exceeds ln 3 · √3/π
    // with probability ¼.
    let lead = 3.0_f64.ln() * 3.0_f64.sqrt() / std::f64::consts::PI;
    let mu = [lead, 0.0, 0.0, lead];
    let prediction = Prediction {
        beliefs: mu.map(|mu| Belief::new(mu, 0.0)).to_vec(),
        finishers: 2,
        ..predict(&mu, &[2, 4])
    };
    let everybody = evaluate_contest(&prediction, &Slice::everybody(), Some(&model), 0);
    // A-B with ¾ and a tie; A-C ¾; A-D ½; B-C ½; B-D ¼.
    let halves = 2.0 * 0.5_f64.ln();
    let loss = -0.5 * (0.75_f64 * 0.25).ln() - 0.75_f64.ln() - halves - 0.25_f64.ln();
    assert_value(&everybody, Metric::LogLoss, loss / 5.0);
    let brier = 0.0625 + 0.0625 + 0.25 + 0.25 + 0.5625;
    assert_value(&everybody, Metric::Brier, brier / 5.0);
    let bins: Vec<(usize, u64)> = everybody
        .calibration
        .iter()
        .enumerate()
        .map(|(index, bin)| (index, bin.pairs))
        .filter(|&(_, pairs)| pairs > 0)
        .collect();
    // The favourites of ¾ scored ½, 1 and 0.
    assert_eq!(bins.iter().map(|bin| bin.1).sum::<u64>(), 5);
    assert_eq!(bins[0], (0, 2));
    let bins = everybody.calibration[4..=5].iter();
    let scored: f64 = bins.filter_map(|bin| Some(bin.mean_score()? * bin.pairs as f64)).sum();
    assert!((scored - 1.5).abs() < 1e-12);
}

#[test]
fn certain_mistake_has_clipped_loss() {
    let model = WinModel {
        sigma_weight: 0.0,
        ..WinModel::new(PerformanceShape::Normal, 0.0)
    };
    let everybody =
        evaluate_contest(&predict(&[0.0, 1.0], &[1, 2]), &Slice::everybody(), Some(&model), 0);
    let value = everybody.value(Metric::LogLoss).unwrap();
    assert!((value - 1e6_f64.ln()).abs() < 1e-9);
}

#[test]
fn large_contest_samples_pairs_with_equal_probabilities() {
    let model = WinModel {
        sigma_weight: 0.0,
        ..WinModel::new(PerformanceShape::Normal, 1.0)
    };
    // 10 finishers and 60 others: 45 + 600 pairs.
    let groups: Vec<u32> = (1..=10).chain([70]).collect();
    let mut drawn = [[0_u32; 70]; 10];
    for number in 0..200 {
        let prediction = Prediction {
            finishers: 10,
            number,
            ..predict(&[0.0; 70], &groups)
        };
        let pairs = predict_pairs(&prediction, &Slice::everybody(), &model, 3);
        assert_eq!(pairs.len(), 2_000);
        for pair in pairs {
            drawn[pair.favourite as usize][pair.underdog as usize] += 1;
        }
    }
    let expected = 400_000.0 / 645.0_f64;
    for (first, row) in drawn.iter().enumerate() {
        for (second, &count) in row.iter().enumerate() {
            if second <= first {
                assert_eq!(count, 0);
            } else {
                let deviation = (f64::from(count) - expected) / expected.sqrt();
                assert!(deviation.abs() < 5.0, "{first} and {second}: {count}");
            }
        }
    }
}

#[test]
fn bands_cover_all_counts_once() {
    for count in 2..3_000 {
        for bands in [&EXPERIENCE_BANDS[..], &SIZE_BANDS[..]] {
            assert_eq!(bands.iter().filter(|band| band.contains(count)).count(), 1);
        }
    }
    assert_eq!(Band::new(2, 7).to_string(), "2-7");
    let keys: Vec<String> = all_slices().iter().map(|slice| slice.key().to_owned()).collect();
    assert_eq!(
        keys,
        [
            "everybody",
            "experienced",
            "top100",
            "all",
            "experience 1",
            "experience 2-7",
            "experience 8-24",
            "experience 25-74",
            "experience 75-199",
            "experience 200+"
        ]
    );
}
