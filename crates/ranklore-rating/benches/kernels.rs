//! Benchmarks of the parts of a replay: performances, a round, the metrics.
//!
//! `cargo bench -p ranklore-rating --bench kernels`; a word after `--` filters by name.

#![expect(
    clippy::expect_used,
    reason = "a bench that cannot go on says so and ends"
)]

mod synthetic;

use std::hint::black_box;
use std::time::{Duration, Instant};

use ranklore_rating::metrics::{
    ComparedRun, ComparisonScope, EvaluationOptions, Evaluator, Metric, Prediction, Slice,
    paired_bootstrap,
};
use ranklore_rating::performance::{Ties, gaussian_performances, logistic_performances};
use ranklore_rating::{
    Belief, EloMmr, EloMmrParameters, EloMmx, EloMmxParameters, EloR, EloRParameters, EloSrm,
    EloSrmParameters, PerformanceShape, RatingSystem, Topcoder, TopcoderOfficial,
    TopcoderOfficialParameters, TopcoderParameters, WinModel,
};

use synthetic::{Places, Season, SyntheticField};

/// Minimum time of each benchmark; see also [`MIN_RUNS`].
const MIN_TIME: Duration = Duration::from_millis(800);

const MIN_RUNS: usize = 11;

fn main() {
    // Skips cargo's `--bench`.
    let filter = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let bench = Bench { filter };
    println!("{:40} {:>12} {:>16}", "", "median ms", "results/s");
    performances(&bench);
    direct_sum_crossover(&bench);
    round(&bench);
    metrics(&bench);
}

struct Bench {
    /// Only benchmarks whose names contain this word run.
    filter: Option<String>,
}

impl Bench {
    /// Prints the median time of `run`, called with the result of `prepare`, which is not timed.
    fn measure<S, T>(
        &self,
        name: &str,
        results: usize,
        prepare: impl Fn() -> S,
        run: impl Fn(S) -> T,
    ) {
        if self.filter.as_ref().is_some_and(|word| !name.contains(word)) {
            return;
        }
        let begin = Instant::now();
        let mut times = Vec::new();
        while times.len() < MIN_RUNS || begin.elapsed() < MIN_TIME {
            let prepared = prepare();
            let start = Instant::now();
            let made = run(prepared);
            times.push(start.elapsed());
            black_box(made);
        }
        times.sort_unstable();
        let median = times[times.len() / 2].as_secs_f64();
        let speed = results as f64 / median;
        println!("{name:40} {:12.4} {speed:16.0}", median * 1e3);
    }
}

/// All entrants against each other, in contests of all sizes.
fn performances(bench: &Bench) {
    // A third of the places, at most a hundred.
    let ties = |count: usize| Places::Tied((count / 3).clamp(2, 100));
    for count in [5, 50, 500, 5_000, 50_000] {
        for (name, places) in [("distinct", Places::Distinct), ("tied", ties(count))] {
            kernels(bench, &format!("{name}/{count}"), &SyntheticField::new(count, places), count);
        }
    }
}

/// Direct sums are cheaper with few tie groups, the field with many: the time should be smooth
/// around the switch. The number of groups matters, not that of entrants.
fn direct_sum_crossover(bench: &Bench) {
    for groups in [4, 8, 12, 16, 24, 48] {
        let field = SyntheticField::new(2_000, Places::Tied(groups));
        kernels(bench, &format!("crossover/{groups}"), &field, 2_000);
    }
}

fn kernels(bench: &Bench, name: &str, field: &SyntheticField, count: usize) {
    let logistic = |()| logistic_performances(black_box(&field.logistic()), Ties::Whole);
    bench.measure(&format!("logistic performances/{name}"), count, || (), logistic);
    let gaussian = |()| gaussian_performances(black_box(&field.gaussian()), Ties::Whole);
    bench.measure(&format!("gaussian performances/{name}"), count, || (), gaussian);
}

/// The ninth contest of competitors, most of whom took part in the eight before.
fn round(bench: &Bench) {
    const EARLIER_ROUNDS: usize = 8;
    for count in [50, 1_000, 10_000] {
        let season = Season::new(EARLIER_ROUNDS + 1, count, count + count / 4, Places::Distinct);
        for name in ROUNDS {
            let prepare = || {
                let mut system = system(name);
                season.replay(&mut *system, 0, EARLIER_ROUNDS);
                system
            };
            let run = |mut system: Box<dyn RatingSystem>| {
                season.replay(&mut *system, EARLIER_ROUNDS, 1);
                system
            };
            bench.measure(&format!("round/{name}/{count}"), count, prepare, run);
        }
    }
}

/// The systems of the round benchmarks.
const ROUNDS: [&str; 6] = [
    "elo-mmr",
    "elo-mmx",
    "elo-r",
    "topcoder",
    "topcoder-official",
    "elo-srm",
];

fn system(name: &str) -> Box<dyn RatingSystem> {
    const VALID: &str = "defaults are valid";
    match name {
        "elo-mmx" => Box::new(EloMmx::new(EloMmxParameters::default()).expect(VALID)),
        "elo-r" => Box::new(EloR::new(EloRParameters::default()).expect(VALID)),
        "topcoder" => Box::new(Topcoder::new(TopcoderParameters::default()).expect(VALID)),
        "topcoder-official" => {
            Box::new(TopcoderOfficial::new(TopcoderOfficialParameters::default()).expect(VALID))
        }
        "elo-srm" => Box::new(EloSrm::new(EloSrmParameters::default()).expect(VALID)),
        _ => Box::new(EloMmr::new(EloMmrParameters::default()).expect(VALID)),
    }
}

/// The evaluation of 20 contests of 5,000 in the standard slices, with win probabilities by shape;
/// and the intervals of 20 runs over 20,000 events.
fn metrics(bench: &Bench) {
    let predictions: Vec<Prediction> = (0..20)
        .map(|contest| {
            let field = SyntheticField::new(5_000 + contest, Places::Tied(1_000));
            let opponents = field.logistic();
            Prediction {
                beliefs: opponents.mu.iter().map(|&mu| Belief::new(mu, 80.0)).collect(),
                earlier: (0..opponents.mu.len() as u32).map(|i| i % 12).collect(),
                groups: opponents.groups.to_vec(),
                finishers: opponents.mu.len() as u32,
                ..Prediction::default()
            }
        })
        .collect();
    let results: usize = predictions.iter().map(|p| p.beliefs.len()).sum();
    let win_model = |shape| WinModel::new(shape, 200.0 * 200.0);
    let models = [
        ("metrics/order", None),
        ("metrics/normal", Some(PerformanceShape::Normal)),
        ("metrics/logistic", Some(PerformanceShape::Logistic)),
        ("metrics/logistic each", Some(PerformanceShape::LogisticEach)),
    ];
    for (name, shape) in models {
        let options = EvaluationOptions {
            slices: Slice::standard().to_vec(),
            win_model: shape.map(win_model),
            ..EvaluationOptions::default()
        };
        let evaluate = || {
            let mut evaluator = Evaluator::new(options.clone());
            for prediction in &predictions {
                evaluator.add(black_box(prediction).clone());
            }
            evaluator.finish()
        };
        bench.measure(name, results, || (), |()| evaluate());
    }
    bootstrap(bench);
}

/// 1,000 resamples of 20 runs over 20,000 events.
fn bootstrap(bench: &Bench) {
    let events = 20_000;
    let run = |seed: u32| {
        let mut evaluator = Evaluator::new(EvaluationOptions {
            slices: vec![Slice::everybody()],
            comparison: Some(ComparisonScope {
                slice: 0,
                contests: u64::from(events),
                events,
            }),
            ..EvaluationOptions::default()
        });
        for event in 0..events {
            evaluator.add(Prediction {
                beliefs: (0..3)
                    .map(|i| Belief::new(f64::from((event * 31 + i * seed) % 17), 1.0))
                    .collect(),
                earlier: vec![1; 3],
                groups: vec![1, 2, 3],
                finishers: 3,
                event,
                ..Prediction::default()
            });
        }
        evaluator.finish().1.remove(0)
    };
    let runs: Vec<ComparedRun> = (1..=20).map(run).collect();
    let runs: Vec<&ComparedRun> = runs.iter().collect();
    bench.measure(
        "metrics/bootstrap",
        events as usize * runs.len(),
        || (),
        |()| paired_bootstrap(black_box(&runs), runs.len(), Metric::Concordance, 1_000, 1),
    );
}
