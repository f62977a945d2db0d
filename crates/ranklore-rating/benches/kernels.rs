//! The parts of a replay one by one: performances, a round, the metrics.
//!
//! `cargo bench -p ranklore-rating --bench kernels`; a word behind `--` filters by name.

#![expect(
    clippy::expect_used,
    reason = "a bench that cannot go on says so and ends"
)]

mod fields;

use std::hint::black_box;
use std::time::Duration;

use criterion::{
    BatchSize, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use ranklore_rating::metrics::{Prediction, evaluate};
use ranklore_rating::performance::{Ties, gaussian_performances, logistic_performances};
use ranklore_rating::{
    EloMmr, EloMmrParameters, EloMmx, EloMmxParameters, EloR, EloRParameters, EloSrm,
    EloSrmParameters, RatingSystem, Topcoder, TopcoderOfficial, TopcoderOfficialParameters,
    TopcoderParameters,
};

use fields::{Field, Places, Season};

/// Everybody against everybody, in contests of all sizes.
fn performances(c: &mut Criterion) {
    let sizes = [5, 50, 500, 5_000, 50_000];
    // A third of the places, and from 300 entrants on no more than a hundred.
    let ties = |count: usize| Places::Tied((count / 3).clamp(2, 100));
    let mut group = c.benchmark_group("logistic performances");
    for count in sizes {
        group.throughput(Throughput::Elements(count as u64));
        for (name, places) in [("distinct", Places::Distinct), ("tied", ties(count))] {
            let field = Field::new(count, places);
            group.bench_function(BenchmarkId::new(name, count), |b| {
                b.iter(|| logistic_performances(black_box(&field.logistic()), Ties::Whole));
            });
        }
    }
    group.finish();
    let mut group = c.benchmark_group("gaussian performances");
    for count in sizes {
        group.throughput(Throughput::Elements(count as u64));
        for (name, places) in [("distinct", Places::Distinct), ("tied", ties(count))] {
            let field = Field::new(count, places);
            group.bench_function(BenchmarkId::new(name, count), |b| {
                b.iter(|| gaussian_performances(black_box(&field.gaussian()), Ties::Whole));
            });
        }
    }
    group.finish();
}

/// With few tie groups direct sums are cheaper, with many the field: around the switch the
/// time should go on smoothly. It is the number of groups that counts, not of entrants.
fn crossover(c: &mut Criterion) {
    let mut group = c.benchmark_group("crossover");
    for groups in [4, 8, 12, 16, 24, 48] {
        let field = Field::new(2_000, Places::Tied(groups));
        group.bench_function(BenchmarkId::new("logistic", groups), |b| {
            b.iter(|| logistic_performances(black_box(&field.logistic()), Ties::Whole));
        });
        group.bench_function(BenchmarkId::new("gaussian", groups), |b| {
            b.iter(|| gaussian_performances(black_box(&field.gaussian()), Ties::Whole));
        });
    }
    group.finish();
}

/// The ninth contest of competitors who took part in most of the eight before.
fn round(c: &mut Criterion) {
    const BEFORE: usize = 8;
    let mut group = c.benchmark_group("round");
    // What comes before takes longer than what is measured.
    group.sampling_mode(SamplingMode::Flat);
    for count in [50, 1_000, 10_000] {
        let season = Season::new(BEFORE + 1, count, count + count / 4, Places::Distinct);
        group.throughput(Throughput::Elements(count as u64));
        for name in ROUNDS {
            group.bench_function(BenchmarkId::new(name, count), |b| {
                b.iter_batched(
                    || {
                        let mut system = system(name);
                        season.replay(&mut *system, 0, BEFORE);
                        system
                    },
                    |mut system| {
                        season.replay(&mut *system, BEFORE, 1);
                        system
                    },
                    BatchSize::PerIteration,
                );
            });
        }
    }
    group.finish();
}

/// Systems whose rounds are measured.
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
fn metrics(c: &mut Criterion) {
    let predictions: Vec<Prediction> = (0..20)
        .map(|contest| {
            let field = Field::new(5_000 + contest, Places::Tied(1_000));
            let opponents = field.logistic();
            Prediction {
                mu: opponents.mu.to_vec(),
                earlier: (0..opponents.mu.len() as u32).map(|i| i % 12).collect(),
                groups: opponents.groups.to_vec(),
            }
        })
        .collect();
    let results: usize = predictions.iter().map(|p| p.mu.len()).sum();
    let mut group = c.benchmark_group("metrics");
    group.throughput(Throughput::Elements(results as u64));
    group.bench_function("evaluate", |b| b.iter(|| evaluate(black_box(&predictions))));
    group.finish();
}

criterion_group! {
    name = kernels;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    targets = performances, crossover, round, metrics
}
criterion_main!(kernels);
