//! Evaluations of many contests: chunks, threads, training, slices of contests.

use rayon::ThreadPoolBuilder;

use super::super::{
    Accuracy, ComparedRun, ComparisonScope, EvaluationOptions, Evaluator, Metric, Prediction,
    Slice, evaluate_contest, paired_bootstrap,
};
use super::{MODEL, all_slices, predict};

/// Contests of this size with ties, spread over all slices of experience.
fn contests(count: u32, size: u32) -> Vec<Prediction> {
    let contest = |index| {
        let mu: Vec<f64> = (0..size).map(|i| f64::from(i * 7919 % 1000 + index)).collect();
        let groups = (0..size).step_by(3 + index as usize % 20).skip(1);
        let groups: Vec<u32> = groups.chain([size]).collect();
        Prediction {
            competitors: (0..size).map(|i| (i + index) % 500).collect(),
            earlier: (0..size).map(|i| (i + index) % 300).collect(),
            number: u64::from(index),
            event: index / 2,
            slices: if index % 3 == 0 { vec![10] } else { vec![] },
            ..predict(&mu, &groups)
        }
    };
    (0..count).map(contest).collect()
}

fn options(contests: u64) -> EvaluationOptions {
    let mut slices = all_slices();
    slices.push(Slice::of_contests("size 17-99"));
    EvaluationOptions {
        slices,
        win_model: Some(MODEL),
        training_contests: 0,
        seed: 5,
        comparison: Some(ComparisonScope {
            slice: 0,
            contests,
            events: contests.div_ceil(2) as u32,
        }),
    }
}

fn evaluate(
    options: EvaluationOptions,
    predictions: &[Prediction],
) -> (Vec<Accuracy>, Vec<ComparedRun>) {
    let mut evaluator = Evaluator::new(options);
    for prediction in predictions {
        evaluator.add(prediction.clone());
    }
    evaluator.finish()
}

#[test]
fn chunks_change_no_bit_of_evaluation() {
    let predictions = contests(24, 30_000);
    let mut evaluator = Evaluator::new(options(24));
    for prediction in &predictions {
        evaluator.add(prediction.clone());
    }
    assert!(evaluator.chunk.len() < 20);
    let (accuracies, _) = evaluator.finish();
    for (slice, accuracy) in all_slices().iter().zip(accuracies) {
        let mut sum = Accuracy::default();
        for prediction in &predictions {
            sum.add(&evaluate_contest(prediction, slice, Some(&MODEL), 5));
        }
        assert_eq!(accuracy, sum, "{}", slice.key());
    }
}

#[test]
fn threads_change_no_bit_of_evaluation() {
    let predictions = contests(200, 300);
    let with_threads = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let (accuracies, run) = evaluate(options(200), &predictions);
            let intervals = paired_bootstrap(&[&run[0], &run[0]], 2, Metric::LogLoss, 100, 1);
            (accuracies, run, intervals)
        })
    };
    assert_eq!(with_threads(1), with_threads(2));
}

#[test]
fn other_seed_changes_only_sampled_metrics() {
    let predictions = contests(20, 300);
    let (first, _) = evaluate(options(20), &predictions);
    let other = EvaluationOptions {
        seed: 6,
        ..options(20)
    };
    let (second, _) = evaluate(other, &predictions);
    for metric in Metric::ALL {
        let sampled = matches!(metric, Metric::LogLoss | Metric::Brier | Metric::Surprise);
        let equal = first[0].value(metric) == second[0].value(metric);
        assert_eq!(equal, !sampled, "{metric:?}");
    }
}

#[test]
fn training_contests_are_not_evaluated() {
    let one = predict(&[1.0, 0.0], &[1, 2]);
    for training in [0, 1, 18, 19, 20] {
        let options = EvaluationOptions {
            training_contests: training,
            ..options(19)
        };
        let (accuracies, _) = evaluate(options, &vec![one.clone(); 19]);
        assert_eq!(accuracies[0].contests, 19_u64.saturating_sub(training as u64));
    }
}

#[test]
fn slice_of_contests_has_only_selected_contests() {
    let predictions = contests(20, 50);
    let (accuracies, _) = evaluate(options(20), &predictions);
    assert_eq!((accuracies[0].contests, accuracies[10].contests), (20, 7));
    let selected: Vec<Prediction> = predictions
        .iter()
        .filter(|prediction| prediction.slices == [10])
        .cloned()
        .collect();
    let (alone, _) = evaluate(options(20), &selected);
    assert_eq!(alone[0], accuracies[10]);
}
