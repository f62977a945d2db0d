//! Glicko: golden vectors, Glickman's own example, direct sums.

use std::f64::consts::PI;

use crate::random::Random;
use ranklore_rating::{
    Glicko, GlickoInformation, GlickoParameters, InitialRating, RatedEntrant, RatingRound,
    RatingSystem,
};
use serde_json::Value;

fn rate(parameters: &GlickoParameters, before: &[(f64, f64)], groups: &[u32]) -> Vec<RatedEntrant> {
    let mut system = Glicko::new(parameters.clone()).unwrap();
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
        include_str!("gold/glicko.json"),
        // Both implementations ignore the ceiling.
        &["small", "ties", "weighted", "large"],
        1e-6,
        |params: &Value| {
            Box::new(Glicko::new(serde_json::from_value(params.clone()).unwrap()).unwrap())
        },
    );
    assert!(compared > 1200, "{compared} ratings compared");
}

#[test]
fn matches_published_example() {
    // A player of 1500 ± 200 beats 1400 ± 30 and loses to 1550 ± 100 and to 1700 ± 300.
    let parameters = GlickoParameters {
        sigma_drift: 0.0,
        information: GlickoInformation::EveryPair,
        ..GlickoParameters::default()
    };
    let before = [
        (1550.0, 100.0),
        (1700.0, 300.0),
        (1500.0, 200.0),
        (1400.0, 30.0),
    ];
    let rated = rate(&parameters, &before, &[1, 2, 3, 4]);
    assert!((rated[2].mu - 1_464.106_462_756_911_2).abs() < 1e-9, "{:?}", rated[2]);
    assert!((rated[2].sigma - 151.398_902_447_969_33).abs() < 1e-9, "{:?}", rated[2]);
}

#[test]
fn sigma_grows_by_drift() {
    // 50 grows with 63.2 a period to 80.587, before a game without information.
    let parameters = GlickoParameters {
        sigma_drift: 63.2,
        information: GlickoInformation::EveryPair,
        ..GlickoParameters::default()
    };
    let rated = rate(&parameters, &[(1500.0, 50.0), (-90_000.0, 30.0)], &[1, 2]);
    assert!((rated[0].sigma - 80.586_847_562_117_73).abs() < 1e-9);
    assert!((rated[0].mu - 1500.0).abs() < 1e-9);
}

/// (mu, sigma) of every entrant, term by term.
fn direct_rating(
    parameters: &GlickoParameters,
    before: &[(f64, f64)],
    groups: &[u32],
) -> Vec<(f64, f64)> {
    let q = PI / 3.0_f64.sqrt() / parameters.beta;
    let place = |entrant: usize| groups.partition_point(|&end| end as usize <= entrant);
    let all: Vec<(f64, f64, f64)> = before
        .iter()
        .map(|&(mu, sigma)| {
            let variance = sigma * sigma + parameters.sigma_drift.powi(2);
            let g = 1.0 / (1.0 + 3.0 * q * q * variance / (PI * PI)).sqrt();
            (mu, variance, g)
        })
        .collect();
    let rating = |entrant: usize| {
        let (mu, variance, _) = all[entrant];
        let mut surplus = 0.0;
        let mut information = 0.0;
        for (other, &(other_mu, _, g)) in all.iter().enumerate() {
            if other == entrant {
                continue;
            }
            let score = match place(entrant).cmp(&place(other)) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
            let expected = 1.0 / (1.0 + libm::exp(q * g * (other_mu - mu)));
            surplus += g * (score - expected);
            information += g * g * expected * (1.0 - expected);
        }
        match parameters.information {
            GlickoInformation::OneMatch => {
                surplus /= all.len() as f64;
                information = 0.25;
            }
            GlickoInformation::OnePerformance => {
                surplus *= 2.0 / all.len() as f64;
                information *= 2.0 / all.len() as f64;
            }
            GlickoInformation::Mean => {
                surplus /= (all.len() - 1) as f64;
                information /= (all.len() - 1) as f64;
            }
            GlickoInformation::EveryPair => {}
        }
        let variance = 1.0 / (1.0 / variance + q * q * information);
        (mu + q * variance * surplus, variance.sqrt())
    };
    (0..before.len()).map(rating).collect()
}

#[test]
fn ratings_match_direct_sums() {
    let mut random = Random::new(21);
    for information in [
        GlickoInformation::OneMatch,
        GlickoInformation::OnePerformance,
        GlickoInformation::Mean,
        GlickoInformation::EveryPair,
    ] {
        for (count, beta, tied) in [
            (2, 315.0, 1),
            (30, 125.0, 3),
            (900, 315.0, 4),
            (1500, 65.0, 1),
        ] {
            let parameters = GlickoParameters {
                beta,
                information,
                ..GlickoParameters::default()
            };
            let before: Vec<(f64, f64)> = (0..count)
                .map(|_| (random.between(400.0, 2900.0), random.between(20.0, 350.0)))
                .collect();
            let mut groups: Vec<u32> =
                (1..count as u32).filter(|&end| end == 1 || random.below(tied) == 0).collect();
            groups.push(count as u32);
            let rated = rate(&parameters, &before, &groups);
            for (row, (mu, sigma)) in rated.iter().zip(direct_rating(&parameters, &before, &groups))
            {
                let off = (row.mu - mu).abs().max((row.sigma - sigma).abs());
                assert!(off < 1e-8, "{count} entrants, beta {beta}: off by {off:e}");
            }
        }
    }
}

#[test]
fn better_place_never_lowers_rating() {
    let before: Vec<(f64, f64)> =
        (0..20_u8).map(|k| (1300.0 + 20.0 * f64::from(k), 90.0)).collect();
    let groups: Vec<u32> = (1..=20).collect();
    let parameters = GlickoParameters::default();
    let mu_at = |place: usize| {
        let mut before = before.clone();
        before[..=place].rotate_left(1);
        rate(&parameters, &before, &groups)[place]
    };
    for place in 1..20 {
        assert!(mu_at(place).mu < mu_at(place - 1).mu);
        assert_eq!(mu_at(place).sigma.to_bits(), mu_at(0).sigma.to_bits());
    }
}
