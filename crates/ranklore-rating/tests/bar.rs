//! BAR: golden vectors, direct sums in small and large contests, properties of its formulas.

use std::f64::consts::PI;

use crate::random::Random;
use ranklore_rating::{Bar, BarParameters, InitialRating, RatedEntrant, RatingRound, RatingSystem};
use serde_json::Value;

fn rate(parameters: &BarParameters, before: &[(f64, f64)], groups: &[u32]) -> Vec<RatedEntrant> {
    let mut system = Bar::new(parameters.clone()).unwrap();
    for (competitor, &(mu, sigma)) in (0..).zip(before) {
        let sigma = Some(sigma);
        system.set_initial_rating(competitor, InitialRating { mu, sigma });
    }
    let entrants: Vec<u32> = (0..before.len() as u32).collect();
    let mut rated = Vec::new();
    system.rate(&RatingRound::new(&entrants, groups), &mut rated);
    rated
}

#[test]
fn matches_golden_vectors() {
    let compared = crate::golden::check_vectors(
        include_str!("gold/bar.json"),
        // Both implementations ignore the ceiling.
        &["small", "ties", "weighted", "large"],
        1e-6,
        |params: &Value| {
            Box::new(Bar::new(serde_json::from_value(params.clone()).unwrap()).unwrap())
        },
    );
    assert!(compared > 1200, "{compared} ratings compared");
}

/// The rating of one entrant, term by term.
fn direct_mu(
    parameters: &BarParameters,
    before: &[(f64, f64)],
    groups: &[u32],
    player: usize,
) -> f64 {
    let place = |entrant: usize| groups.partition_point(|&end| end as usize <= entrant);
    let grown = |entrant: usize| before[entrant].1.powi(2) + parameters.sigma_drift.powi(2);
    let sum: f64 = (0..before.len())
        .map(|other| {
            let c = (grown(player) + grown(other) + 2.0 * parameters.beta.powi(2)).sqrt();
            let z = PI / 3.0_f64.sqrt() * (before[player].0 - before[other].0) / c;
            let score = match place(player).cmp(&place(other)) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
            (score - 1.0 / (1.0 + libm::exp(-z))) / c
        })
        .sum();
    before[player].0 + grown(player) * sum / before.len() as f64
}

#[test]
fn ratings_match_direct_sums() {
    let mut random = Random::new(41);
    // By pairs and, for large contests, by tables.
    for (count, beta, least, tied) in [
        (2, 315.0, 20.0, 1),
        (9, 25.0, 20.0, 2),
        (700, 25.0, 20.0, 3),
        (2500, 315.0, 20.0, 4),
        (5000, 125.0, 20.0, 1),
        (6000, 25.0, 90.0, 2),
    ] {
        let parameters = BarParameters {
            beta,
            ..BarParameters::default()
        };
        let before: Vec<(f64, f64)> = (0..count)
            .map(|_| (random.between(400.0, 2900.0), random.between(least, 350.0)))
            .collect();
        let mut groups: Vec<u32> =
            (1..count as u32).filter(|&end| end == 1 || random.below(tied) == 0).collect();
        groups.push(count as u32);
        let rated = rate(&parameters, &before, &groups);
        for entrant in (0..count).step_by(1 + count / 60) {
            let off = (rated[entrant].mu - direct_mu(&parameters, &before, &groups, entrant)).abs();
            assert!(off < 1e-8, "{entrant} of {count}, beta {beta}: off by {off:e}");
        }
    }
}

#[test]
fn equally_uncertain_entrants_are_zero_sum() {
    let before: Vec<(f64, f64)> =
        (0..30_u8).map(|k| (1200.0 + 31.0 * f64::from(k), 90.0)).collect();
    let groups: Vec<u32> = (1..=30).collect();
    let rated = rate(&BarParameters::default(), &before, &groups);
    let gained: f64 = rated.iter().zip(&before).map(|(row, before)| row.mu - before.0).sum();
    assert!(gained.abs() < 1e-9, "{gained:e}");
}

#[test]
fn better_place_never_lowers_rating() {
    let before: Vec<(f64, f64)> =
        (0..20_u8).map(|k| (1300.0 + 20.0 * f64::from(k), 90.0)).collect();
    let groups: Vec<u32> = (1..=20).collect();
    let at = |place: usize| {
        let mut before = before.clone();
        before[..=place].rotate_left(1);
        rate(&BarParameters::default(), &before, &groups)[place]
    };
    for place in 1..20 {
        assert!(at(place).mu < at(place - 1).mu);
        assert_eq!(at(place).sigma.to_bits(), at(0).sigma.to_bits());
    }
}

#[test]
fn kappa_bounds_loss_of_sigma() {
    let parameters = BarParameters {
        kappa: 0.9,
        beta: 1.0,
        sigma_drift: 0.0,
        ..BarParameters::default()
    };
    let rated = rate(&parameters, &[(1500.0, 350.0), (1500.0, 1e-3)], &[1, 2]);
    // Without kappa three quarters of sigma² would remain.
    assert!((rated[0].sigma - 350.0 * 0.9_f64.sqrt()).abs() < 1e-9);
    let invalid = Bar::new(BarParameters {
        kappa: 0.0,
        ..parameters
    });
    assert_eq!(invalid.unwrap_err().name, "kappa");
}
