//! The real-valued Codeforces system: golden vectors, direct sums, properties of its formulas.

use crate::random::Random;
use ranklore_rating::{
    Codeforces, CodeforcesParameters, InitialRating, RatedEntrant, RatingRound, RatingSystem,
};
use serde_json::Value;

fn system(parameters: CodeforcesParameters) -> Codeforces {
    Codeforces::new(parameters).unwrap()
}

fn standard() -> Codeforces {
    system(CodeforcesParameters::default())
}

/// Rates one contest of entrants with these ratings, best place first.
fn rate(mut system: Codeforces, mu: &[f64], groups: &[u32]) -> Vec<RatedEntrant> {
    for (competitor, &mu) in (0..).zip(mu) {
        system.set_initial_rating(competitor, InitialRating { mu, sigma: None });
    }
    let entrants: Vec<u32> = (0..mu.len() as u32).collect();
    let mut rated = Vec::new();
    system.rate(&RatingRound::new(&entrants, groups), &mut rated);
    rated
}

#[test]
fn matches_golden_vectors() {
    let compared = crate::golden::check_vectors(
        include_str!("gold/codeforces.json"),
        &["small", "ties", "weighted", "large"],
        1e-6,
        |params: &Value| Box::new(system(serde_json::from_value(params.clone()).unwrap())),
    );
    assert!(compared > 2500, "{compared} ratings compared");
}

/// 400/ln 10: a lead of this many points multiplies the odds by e.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Expected losses of one of these ratings against all, itself included.
fn losses(mu: &[f64], p: f64) -> f64 {
    let terms = mu.iter().map(|mu| 1.0 / (1.0 + libm::exp((p - mu) / SCALE)));
    terms.sum()
}

/// The performance of an entrant by direct sums and bisection.
fn performance(mu: &[f64], rank: f64, own_mu: f64) -> f64 {
    let target = (rank * (0.5 + losses(mu, own_mu))).sqrt() - 0.5;
    let mut low = -1e6;
    let mut high = 1e6;
    while high - low > 1e-10 {
        let middle = 0.5 * (low + high);
        if losses(mu, middle) > target {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[test]
fn performances_match_direct_sums() {
    let mut random = Random::new(11);
    for (count, spread, tied) in [
        (2, 300.0, 0),
        (7, 2000.0, 2),
        (60, 800.0, 5),
        (400, 600.0, 3),
        (3000, 900.0, 40),
    ] {
        let mu: Vec<f64> =
            (0..count).map(|_| 1500.0 + random.between(-spread, spread).round()).collect();
        let mut groups: Vec<u32> = (1..count as u32)
            .filter(|&end| end == 1 || tied == 0 || random.below(tied) == 0)
            .collect();
        groups.push(count as u32);
        let rated = rate(standard(), &mu, &groups);
        for entrant in (0..count).step_by(1 + count / 25).chain([count - 1]) {
            let group = groups.partition_point(|&end| end as usize <= entrant);
            let start = if group == 0 { 0 } else { groups[group - 1] };
            let rank = 0.5 * f64::from(start + 1 + groups[group]);
            let expected = performance(&mu, rank, mu[entrant]);
            let off = rated[entrant].performance.unwrap() - expected;
            assert!(off.abs() < 1e-8, "{entrant} of {count}: off by {off:e}");
            let halfway = 0.5 * (mu[entrant] + expected);
            assert!((rated[entrant].mu - halfway).abs() < 1e-8);
        }
    }
}

#[test]
fn better_place_performs_better() {
    let mu = [1500.0; 5];
    let rated = rate(standard(), &mu, &[1, 2, 3, 4, 5]);
    assert!(rated.windows(2).all(|pair| pair[0].performance > pair[1].performance));
    assert!((rated[2].mu - 1500.0).abs() < 1e-9, "the third of five equals");
    // Ranks 1 and 2 of two: geometric means √1.5 and √3, computed by hand.
    let rated = rate(standard(), &[1500.0; 2], &[1, 2]);
    for (rated, rank) in rated.iter().zip([1.0, 2.0]) {
        let lost = ((1.5_f64 * rank).sqrt() - 0.5) / 2.0;
        let expected = 1500.0 + SCALE * ((1.0 - lost) / lost).ln();
        assert!((rated.performance.unwrap() - expected).abs() < 1e-9);
    }
}

#[test]
fn ceiling_caps_performances() {
    let mut system = standard();
    let mut rated = Vec::new();
    let round = RatingRound {
        performance_ceiling: 1550.0,
        ..RatingRound::new(&[0, 1], &[1, 2])
    };
    system.rate(&round, &mut rated);
    assert_eq!((rated[0].performance.unwrap(), rated[0].mu), (1550.0, 1525.0));
}

#[test]
fn extreme_ratings_stay_finite() {
    for beta in [1e-3, 65.0, 1e6] {
        let parameters = CodeforcesParameters {
            beta,
            ..CodeforcesParameters::default()
        };
        for mu in [
            vec![1e5, -1e5],
            vec![-1e5, 1e5],
            vec![-1e5, 0.0, 1e5, 1e5, -1e5, 3.0],
        ] {
            let groups: Vec<u32> = (1..=mu.len() as u32).collect();
            for rated in rate(system(parameters.clone()), &mu, &groups) {
                assert!(rated.mu.is_finite() && rated.performance.unwrap().is_finite());
            }
        }
    }
}

#[test]
fn parameters_out_of_range_are_rejected() {
    let invalid = Codeforces::new(CodeforcesParameters {
        weight: 0.0,
        ..CodeforcesParameters::default()
    });
    assert_eq!(invalid.unwrap_err().name, "weight");
}
