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

use ranklore_rating::metrics::{Prediction, evaluate};
use ranklore_rating::performance::{Ties, gaussian_performances, logistic_performances};
use ranklore_rating::{
    EloMmr, EloMmrParameters, EloMmx, EloMmxParameters, EloR, EloRParameters, EloSrm,
    EloSrmParameters, RatingSystem, Topcoder, TopcoderOfficial, TopcoderOfficialParameters,
    TopcoderParameters,
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
        if (self.filter.as_ref()).is_some_and(|word| !name.contains(word)) {
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
            kernels(
                bench,
                &format!("{name}/{count}"),
                &SyntheticField::new(count, places),
                count,
            );
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
    bench.measure(
        &format!("logistic performances/{name}"),
        count,
        || (),
        logistic,
    );
    let gaussian = |()| gaussian_performances(black_box(&field.gaussian()), Ties::Whole);
    bench.measure(
        &format!("gaussian performances/{name}"),
        count,
        || (),
        gaussian,
    );
}

/// The ninth contest of competitors, most of whom took part in the eight before.
fn round(bench: &Bench) {
    const EARLIER_ROUNDS: usize = 8;
    for count in [50, 1_000, 10_000] {
        let season = Season::new(
            EARLIER_ROUNDS + 1,
            count,
            count + count / 4,
            Places::Distinct,
        );
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

/// Pair inversion and rank deviation of 20 contests of 5,000.
fn metrics(bench: &Bench) {
    let predictions: Vec<Prediction> = (0..20)
        .map(|contest| {
            let field = SyntheticField::new(5_000 + contest, Places::Tied(1_000));
            let opponents = field.logistic();
            Prediction {
                mu: opponents.mu.to_vec(),
                earlier: (0..opponents.mu.len() as u32).map(|i| i % 12).collect(),
                groups: opponents.groups.to_vec(),
            }
        })
        .collect();
    let results: usize = predictions.iter().map(|p| p.mu.len()).sum();
    bench.measure(
        "metrics/evaluate",
        results,
        || (),
        |()| evaluate(black_box(&predictions)),
    );
}
