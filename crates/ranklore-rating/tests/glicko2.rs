//! Glicko-2: Glickman's own example at full precision, direct sums.

use crate::random::Random;
use ranklore_rating::{
    Glicko2, Glicko2Parameters, GlickoInformation, InitialRating, RatedEntrant, RatingRound,
    RatingSystem,
};

const FORMS: [GlickoInformation; 4] = [
    GlickoInformation::OneMatch,
    GlickoInformation::OnePerformance,
    GlickoInformation::Mean,
    GlickoInformation::EveryPair,
];

fn rate(
    information: GlickoInformation,
    before: &[(f64, f64)],
    groups: &[u32],
) -> Vec<RatedEntrant> {
    let mut system = Glicko2::new(Glicko2Parameters {
        information,
        ..Glicko2Parameters::default()
    })
    .unwrap();
    for (competitor, &(mu, sigma)) in (0..).zip(before) {
        let sigma = Some(sigma);
        system.set_initial_rating(competitor, InitialRating { mu, sigma });
    }
    let entrants: Vec<u32> = (0..before.len() as u32).collect();
    let mut rated = Vec::new();
    system.rate(&RatingRound::new(&entrants, groups), &mut rated);
    rated
}

/// Rounded to whole points, as in the documentation of the crate skillratings.
#[test]
fn draw_matches_published_example() {
    let before = [(1600.0, 350.0), (1500.0, 50.0)];
    let actual = rate(GlickoInformation::EveryPair, &before, &[2]);
    let rounded: Vec<(f64, f64)> =
        actual.iter().map(|row| (row.mu.round(), row.sigma.round())).collect();
    assert_eq!(rounded, [(1550.0, 253.0), (1501.0, 51.0)]);
}

#[test]
fn matches_published_example() {
    // A player of 1500 ± 200 beats 1400 ± 30 and loses to 1550 ± 100 and to 1700 ± 300.
    let before = [
        (1550.0, 100.0),
        (1700.0, 300.0),
        (1500.0, 200.0),
        (1400.0, 30.0),
    ];
    let actual = rate(GlickoInformation::EveryPair, &before, &[1, 2, 3, 4])[2];
    assert!((actual.mu - 1_464.050_670_539_089_2).abs() < 1e-9, "{actual:?}");
    assert!((actual.sigma - 151.516_524_124_304_34).abs() < 1e-9, "{actual:?}");
    let volatility = actual.volatility.unwrap();
    assert!((volatility - 0.059_995_984_400_677_83).abs() < 1e-13, "{actual:?}");
}

#[test]
fn two_entrants_match_published_game() {
    let before = [(1520.0, 350.0), (1420.0, 350.0)];
    let rated = rate(Glicko2Parameters::default().information, &before, &[1, 2]);
    for (row, expected) in rated.iter().zip([(1653, 292), (1287, 292)]) {
        assert_eq!((row.mu.round() as i64, row.sigma.round() as i64), expected);
    }
    assert_eq!(rated, rate(GlickoInformation::EveryPair, &before, &[1, 2]));
}

#[test]
fn equals_are_ordered_by_place() {
    let information = Glicko2Parameters::default().information;
    for count in [2, 3, 10, 100, 1_000, 10_000] {
        for sigma in [30.0, 350.0, 1_000.0] {
            let groups: Vec<u32> = (1..=count).collect();
            let equals = vec![(1500.0, sigma); count as usize];
            let rated = rate(information, &equals, &groups);
            assert!(rated.is_sorted_by(|better, worse| better.mu > worse.mu));
            let (first, last) = (rated[0], rated[count as usize - 1]);
            assert!((first.mu + last.mu - 3000.0).abs() < 1e-6);
            // A contest is worth less than two games.
            let of_two = rate(information, &equals[..2], &groups[..2])[0];
            assert!(first.mu - 1500.0 <= 2.0 * (of_two.mu - 1500.0));
        }
    }
}

/// Long careers of one player who alternates between blocks of last and of first places.
#[test]
fn alternating_places_do_not_overshoot() {
    for (count, block) in [(3, 1), (10, 30), (100, 1), (100, 30), (100, 500)] {
        let mut system = Glicko2::new(Glicko2Parameters::default()).unwrap();
        let groups: Vec<u32> = (1..=count).collect();
        let mut rated = Vec::new();
        for contest in 0..5_000 {
            let mut entrants: Vec<u32> = (1..count).collect();
            let place = if contest / block % 2 == 1 {
                0
            } else {
                entrants.len()
            };
            entrants.insert(place, 0);
            system.rate(&RatingRound::new(&entrants, &groups), &mut rated);
            let mu = system.mu(0);
            assert!((mu - 1500.0).abs() < 4_000.0, "{count}, {block}: {mu} after {contest}");
        }
    }
}

#[test]
fn newcomers_have_glickmans_ratings() {
    // Step by step from 1500 ± 350, 0.06: no bound of sigma interferes.
    let rated = rate(GlickoInformation::EveryPair, &[(1500.0, 350.0); 2], &[1, 2]);
    assert!((rated[0].mu - 1_662.310_9).abs() < 1e-4, "{rated:?}");
    assert!((rated[0].sigma - 290.319_0).abs() < 1e-4, "{rated:?}");
}

#[test]
fn absence_makes_a_newcomer_at_most() {
    let mut system = Glicko2::new(Glicko2Parameters {
        period_days: 1.0,
        ..Glicko2Parameters::default()
    })
    .unwrap();
    let mut sigma_after = |days: i64| {
        let round = RatingRound {
            ends_at: days * 86_400,
            ..RatingRound::new(&[0, 1], &[1, 2])
        };
        let mut rated = Vec::new();
        system.rate(&round, &mut rated);
        rated[0].sigma
    };
    // Without the bound, a million days add 60,000 points.
    let sigmas = [0, 1_000_000, 3_000_000].map(&mut sigma_after);
    assert!(sigmas.iter().all(|&sigma| sigma < 350.0), "{sigmas:?}");
}

/// The volatility after a period, by bisection; the equation must have one solution.
fn volatility(variance: f64, delta: f64, v: f64, before: f64, tau: f64) -> f64 {
    let start = 2.0 * before.ln();
    let f = |x: f64| {
        let excess = delta * delta - variance - v - x.exp();
        x.exp() * excess / (2.0 * (variance + v + x.exp()).powi(2)) - (x - start) / (tau * tau)
    };
    let (mut low, mut high) = (start - 10.0, start + 10.0);
    while high - low > 1e-13 {
        let middle = 0.5 * (low + high);
        if f(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (0.25 * (low + high)).exp()
}

#[test]
fn ratings_match_direct_sums() {
    const POINTS_PER_UNIT: f64 = 173.7178;
    let mut random = Random::new(31);
    for (count, tied) in [(2, 1), (5, 2), (60, 3), (900, 4)] {
        let before: Vec<(f64, f64)> = (0..count)
            .map(|_| (random.between(1200.0, 1900.0), random.between(150.0, 340.0)))
            .collect();
        let mut groups: Vec<u32> =
            (1..count as u32).filter(|&end| end == 1 || random.below(tied) == 0).collect();
        groups.push(count as u32);
        let place = |entrant: usize| groups.partition_point(|&end| end as usize <= entrant);
        let all = FORMS.map(|form| rate(form, &before, &groups));
        for entrant in 0..count {
            let (mu, sigma) = before[entrant];
            let mut surplus = 0.0;
            let mut information = 0.0;
            for (other, &(other_mu, other_sigma)) in before.iter().enumerate() {
                if other == entrant {
                    continue;
                }
                let phi = other_sigma / POINTS_PER_UNIT;
                let pi = std::f64::consts::PI;
                let g = 1.0 / (1.0 + 3.0 * phi * phi / (pi * pi)).sqrt();
                let expected = 1.0 / (1.0 + (-g * (mu - other_mu) / POINTS_PER_UNIT).exp());
                let score = match place(entrant).cmp(&place(other)) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
                surplus += g * (score - expected);
                information += g * g * expected * (1.0 - expected);
            }
            let half = 0.5 * count as f64;
            let sums = [
                (0.5 * surplus / half, 0.25),
                (surplus / half, information / half),
                (surplus / (2.0 * half - 1.0), information / (2.0 * half - 1.0)),
                (surplus, information),
            ];
            for ((form, all), (surplus, information)) in FORMS.iter().zip(&all).zip(sums) {
                let actual = all[entrant];
                let variance = (sigma / POINTS_PER_UNIT).powi(2);
                let v = 1.0 / information;
                let volatility = volatility(variance, v * surplus, v, 0.06, 0.5);
                let after = 1.0 / (1.0 / (variance + volatility * volatility) + information);
                let expected = mu + POINTS_PER_UNIT * after * surplus;
                let off = (actual.mu - expected).abs();
                assert!(off < 1e-8, "{form:?}: {entrant} of {count}: off by {off:e}");
                assert!((actual.sigma - POINTS_PER_UNIT * after.sqrt()).abs() < 1e-8);
                assert!((actual.volatility.unwrap() - volatility).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn impossible_upset_stays_finite() {
    for form in FORMS {
        for row in rate(form, &[(-1e5, 1e4), (1e5, 1e-3)], &[1, 2]) {
            assert!(row.mu.is_finite() && row.sigma.is_finite());
            assert!((0.05..=10.0).contains(&row.volatility.unwrap()));
        }
    }
}
