//! Milliseconds per contest of the systems with one number per competitor, by number of entrants:
//! `cargo bench -p ranklore-rating --bench single_parameter`. Nothing is asserted.

#![expect(
    clippy::expect_used,
    reason = "a bench that cannot go on says so and ends"
)]

use std::hint::black_box;
use std::time::Instant;

use ranklore_rating::{
    EloPairwise, EloPairwiseParameters, InitialRating, PlackettLuce, PlackettLuceParameters,
    RatingRound, RatingSystem, Thurstone, ThurstoneParameters,
};

/// Number of runs per figure, which is their minimum.
const SAMPLES: usize = 5;

fn main() {
    // Without `--bench` cargo is testing: only checks that the benchmark runs.
    let measured = std::env::args().any(|word| word == "--bench");
    let sizes: &[u32] = if measured {
        &[50, 1_000, 10_000, 100_000]
    } else {
        &[50]
    };
    println!(
        "{:>8} {:>10} {:>14} {:>10} {:>14}",
        "entrants", "finishers", "elo-pairwise", "pl", "thurstone"
    );
    for &count in sizes {
        for finishers in [count, count / 2] {
            let times = [
                min_milliseconds(count, finishers, || {
                    EloPairwise::new(EloPairwiseParameters::default()).expect("defaults are valid")
                }),
                min_milliseconds(count, finishers, || {
                    PlackettLuce::new(PlackettLuceParameters::default())
                        .expect("defaults are valid")
                }),
                min_milliseconds(count, finishers, || {
                    Thurstone::new(ThurstoneParameters::default()).expect("defaults are valid")
                }),
            ];
            println!(
                "{count:>8} {finishers:>10} {:>14.3} {:>10.3} {:>14.3}",
                times[0], times[1], times[2]
            );
        }
    }
}

/// Measures one contest whose places follow the ratings with some noise, without ties.
fn min_milliseconds<S: RatingSystem>(count: u32, finishers: u32, system: impl Fn() -> S) -> f64 {
    let mut state = u64::from(count);
    // Knuth's MMIX generator.
    let mut uniform = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let mut bell = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
    let mut field: Vec<(f64, f64)> = (0..count)
        .map(|_| {
            let mu = 1500.0 + 350.0 * bell();
            (mu + 200.0 * bell(), mu)
        })
        .collect();
    field.sort_by(|a, b| b.0.total_cmp(&a.0));
    let entrants: Vec<u32> = (0..count).collect();
    let mut groups: Vec<u32> = (1..=finishers).collect();
    if finishers < count {
        groups.push(count);
    }
    let mut least = f64::INFINITY;
    for _ in 0..SAMPLES {
        let mut system = system();
        for (competitor, &(_, mu)) in (0..).zip(&field) {
            system.set_initial_rating(competitor, InitialRating { mu, sigma: None });
        }
        let mut rated = Vec::new();
        let begin = Instant::now();
        let round = RatingRound {
            finishers,
            ..RatingRound::new(&entrants, &groups)
        };
        system.rate(&round, &mut rated);
        black_box(&rated);
        least = least.min(begin.elapsed().as_secs_f64() * 1e3);
    }
    least
}
