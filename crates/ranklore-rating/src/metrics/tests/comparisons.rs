//! Comparisons of runs.

use super::super::bootstrap::Detail;
use super::super::metric::MetricSums;
use super::super::random::SplitMix64;
use super::super::{ComparedRun, Interval, Metric, paired_bootstrap, share_of_contests_won};

/// A run with a log loss for each contest, in events of two contests.
fn run_with_losses(losses: impl IntoIterator<Item = f64>) -> ComparedRun {
    let losses: Vec<f64> = losses.into_iter().collect();
    let count = losses.len() as u64;
    let mut run = ComparedRun::new(count, count.div_ceil(2) as u32, 1, Detail::Full);
    for (number, loss) in (0..count).zip(losses) {
        let mut sums = MetricSums::default();
        sums.set(Metric::LogLoss, loss, 1.0);
        run.add(number, (number / 2) as u32, &sums);
    }
    run
}

/// Numbers of standard deviation 1 and mean 0: sums of twelve uniform ones.
fn noise(seed: u64, count: usize) -> Vec<f64> {
    let mut random = SplitMix64::new(&[seed]);
    let mut uniform = || random.below(1 << 30) as f64 / f64::from(1 << 30) - 0.5;
    (0..count).map(|_| (0..12).map(|_| uniform()).sum()).collect()
}

#[test]
fn interval_of_mean_is_two_standard_errors_each_way() {
    let noise = noise(3, 800);
    let run = run_with_losses(noise.iter().map(|noise| 10.0 + noise));
    let compared = paired_bootstrap(&[&run], 1, Metric::LogLoss, 2_000, 1)[0].unwrap();
    let standard_error = 1.0 / 800.0_f64.sqrt();
    let Interval { low, high } = compared.interval.unwrap();
    assert!(((high - low) / (2.0 * 1.96 * standard_error) - 1.0).abs() < 0.15);
    assert!((f64::midpoint(low, high) - compared.value).abs() < 0.1 * standard_error);
    assert_eq!((compared.difference, compared.difference_interval.unwrap().high), (0.0, 0.0));
}

#[test]
fn paired_difference_is_sharper_than_its_parts() {
    let shared = noise(4, 800);
    let better = run_with_losses(shared.iter().map(|noise| 10.0 + noise));
    let worse = run_with_losses(shared.iter().map(|noise| 10.001 + noise));
    let rows = paired_bootstrap(&[&worse, &better], 2, Metric::LogLoss, 1_000, 1);
    let [worse, better] = [rows[0].unwrap(), rows[1].unwrap()];
    assert!((worse.difference - 0.001).abs() < 1e-9);
    assert!((worse.difference_interval.unwrap().low - 0.001).abs() < 1e-9);
    assert!(worse.interval.unwrap().low < better.interval.unwrap().high);
}

#[test]
fn contests_of_event_are_resampled_together() {
    // The two contests of an event cancel, so that every resample has the mean 10.
    let opposites = noise(5, 100).into_iter().flat_map(|noise| [10.0 + noise, 10.0 - noise]);
    let run = run_with_losses(opposites);
    let compared = paired_bootstrap(&[&run], 1, Metric::LogLoss, 100, 1)[0].unwrap();
    let interval = compared.interval.unwrap();
    assert!(interval.high - interval.low < 1e-12);
}

#[test]
fn run_without_predictions_has_no_interval() {
    let run = run_with_losses([1.0, 2.0]);
    let rows = paired_bootstrap(&[&ComparedRun::default(), &run], 2, Metric::LogLoss, 10, 1);
    assert_eq!(rows[0], None);
    assert_eq!(rows[1].unwrap().value, 1.5);
    assert_eq!(paired_bootstrap(&[&run], 1, Metric::Brier, 10, 1), [None]);
}

#[test]
fn one_event_has_no_interval() {
    // Two contests are one event here.
    let run = run_with_losses([1.0, 2.0]);
    let compared = paired_bootstrap(&[&run], 1, Metric::LogLoss, 100, 1)[0].unwrap();
    assert_eq!((compared.interval, compared.difference_interval), (None, None));
    let run = run_with_losses([1.0, 2.0, 3.0]);
    let compared = paired_bootstrap(&[&run], 1, Metric::LogLoss, 100, 1)[0].unwrap();
    assert!(compared.interval.is_some() && compared.difference_interval.is_some());
}

#[test]
fn equal_contest_counts_half_for_each() {
    let first = run_with_losses([1.0, 2.0, 3.0, 4.0]);
    let second = run_with_losses([2.0, 2.0, 4.0, 3.0, 9.0]);
    // Won, equal, won, lost; the fifth has no value in the first run.
    let share = |first, second| share_of_contests_won(first, second, Metric::LogLoss);
    assert_eq!(share(&first, &second), Some(62.5));
    assert_eq!(share(&second, &first), Some(37.5));
    assert_eq!(share_of_contests_won(&first, &second, Metric::Top1), None);
}

#[test]
fn many_events_are_grouped_and_many_contests_sampled() {
    let count = 50_000;
    let first = run_with_losses(noise(6, count).into_iter().map(|noise| 10.0 + noise));
    let second = run_with_losses(noise(7, count).into_iter().map(|noise| 10.1 + noise));
    let rows = paired_bootstrap(&[&first, &second], 2, Metric::LogLoss, 100, 1);
    let compared = rows[1].unwrap();
    assert!((compared.value - 10.1).abs() < 0.02);
    let interval = compared.interval.unwrap();
    let width = interval.high - interval.low;
    let expected = 2.0 * 1.96 / (count as f64).sqrt();
    assert!((width / expected - 1.0).abs() < 0.3, "{width}");
    // P(a normal variable of variance 2 < 0.1) = 0.528.
    let share = share_of_contests_won(&first, &second, Metric::LogLoss).unwrap();
    assert!((share - 52.8).abs() < 1.5, "{share}");
}
