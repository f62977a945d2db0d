//! Laws of win probabilities, and simulations of the systems' models.

use std::f64::consts::PI;

use ranklore_rating::{Belief, InitialRating, RatingSystem};

use super::random_history::{RandomHistory, started};
use crate::configs::SystemConfig;
use crate::random::Random;

/// After each contest the belief about an entrant is that of the row.
pub(crate) fn beliefs_are_last_rows(form: &SystemConfig, story: &RandomHistory) {
    let mut system = started(form, story);
    for contest in &story.contests {
        for (&entrant, row) in contest.entrants.iter().zip(contest.rate(system.as_mut())) {
            let expected = Belief::new(row.mu, row.sigma);
            let bits = |belief: Belief| [belief.mu.to_bits(), belief.variance.to_bits()];
            assert_eq!(bits(system.belief(entrant)), bits(expected));
        }
    }
}

/// Creates a system with competitors 0, 1, … of these initial ratings.
fn with_ratings(form: &SystemConfig, ratings: &[(f64, Option<f64>)]) -> Box<dyn RatingSystem> {
    let mut system = form.build();
    for (competitor, &(mu, sigma)) in (0..).zip(ratings) {
        system.set_initial_rating(competitor, InitialRating { mu, sigma });
    }
    system
}

const RATINGS: [f64; 11] = [
    -30_000.0, 0.0, 1_000.0, 1_400.0, 1_499.0, 1_500.0, 1_501.0, 1_600.0, 2_000.0, 3_000.0, 1e6,
];

/// The three results of two competitors add up to 1, equals are equally likely to win, and a higher
/// rating wins more often.
pub(crate) fn probabilities_are_consistent(form: &SystemConfig) {
    let sigmas = [None, Some(1e-3), Some(200.0), Some(1e4)];
    let ratings = sigmas.map(|sigma| RATINGS.map(|mu| (mu, sigma))).concat();
    let system = with_ratings(form, &ratings);
    for opponent in 0..ratings.len() as u32 {
        let mut last = 0.0;
        for competitor in 0..ratings.len() as u32 {
            let rating = |id: u32| id as usize % RATINGS.len();
            let win = system.win_probability(&[competitor], &[opponent]);
            let loss = system.win_probability(&[opponent], &[competitor]);
            for part in [win.above, win.tied, loss.above] {
                assert!((0.0..=1.0).contains(&part), "{win:?}, {loss:?}");
            }
            assert_eq!(win.tied.to_bits(), loss.tied.to_bits());
            let sum = win.above + win.tied + loss.above;
            assert!((sum - 1.0).abs() < 1e-15, "{win:?}, {loss:?}");
            if rating(competitor) == rating(opponent) {
                assert!((win.expected_score() - 0.5).abs() < 1e-15, "{win:?}");
            }
            if rating(competitor) > 0 {
                let decided = |p: f64| !(1e-9..1.0 - 1e-9).contains(&p);
                let rises = win.above > last || (win.above >= last && decided(last));
                assert!(rises, "{win:?} after {last}");
            }
            last = win.above;
        }
    }
}

/// Teams are sums of their members.
pub(crate) fn teams_are_sums(form: &SystemConfig) {
    let mut random = Random::new(37);
    let ratings: Vec<(f64, Option<f64>)> = (0..7)
        .map(|_| {
            let mu = random.between(-100.0, 100.0);
            (mu, Some(random.between(1.0, 300.0)))
        })
        .collect();
    let system = with_ratings(form, &ratings);
    let sum = |team: &[u32]| Belief {
        mu: team.iter().map(|&competitor| system.belief(competitor).mu).sum(),
        variance: team.iter().map(|&competitor| system.belief(competitor).variance).sum(),
        members: team.len() as u32,
    };
    let (first, second) = ([0, 1, 2, 3], [4, 5, 6]);
    let actual = system.win_probability(&first, &second);
    let expected = system.win_model().win_probability(sum(&first), sum(&second));
    assert!((actual.above - expected.above).abs() < 1e-9, "{actual:?}");
    assert!((actual.tied - expected.tied).abs() < 1e-9, "{actual:?}");
}

/// Returns a number between 0 and 1, neither of them.
fn uniform(random: &mut Random) -> f64 {
    (random.below(1 << 30) as f64 + 0.5) / f64::from(1 << 30)
}

fn normal(random: &mut Random, variance: f64) -> f64 {
    let radius = (-2.0 * variance * uniform(random).ln()).sqrt();
    radius * (2.0 * PI * uniform(random)).cos()
}

fn logistic(random: &mut Random, scale: f64) -> f64 {
    let share = uniform(random);
    scale * (share / (1.0 - share)).ln()
}

/// Draws the logarithm of an exponential variable. The difference of two is logistic with this
/// scale.
fn gumbel(random: &mut Random, scale: f64) -> f64 {
    -scale * (-uniform(random).ln()).ln()
}

/// Draws the performance around the rating in a system with its default parameters.
fn performance(system: &str, random: &mut Random, sigma: f64) -> f64 {
    let elo = 400.0 / 10.0_f64.ln();
    let square = sigma * sigma;
    match system {
        // γ² = 0.2·80² and β² = (1 + 1/0.2)·80².
        "elo-mmr" => {
            let scale = (3.0_f64 * 38_400.0).sqrt() / PI;
            normal(random, square + 1_280.0) + logistic(random, scale)
        }
        "elo-mmx" => normal(random, square + 1_280.0 + 38_400.0),
        // Scale τ/2 with τ² = σ² + η² + δ² and η² = 1/(1/100² − 1/250²) − 100².
        "elo-r" => {
            let growth = 1.0 / (1e-4 - 1.6e-5) - 1e4;
            logistic(random, 0.5 * (square + growth + 62_500.0).sqrt())
        }
        "codeforces"
        | "codeforces-official"
        | "elo-srm"
        | "elo-srm2"
        | "elo"
        | "elo-pairwise"
        | "plackett-luce" => gumbel(random, elo),
        "topcoder" | "topcoder-official" => normal(random, square),
        "trueskill" => normal(random, square + 3.5 * 3.5 + 175.0 * 175.0),
        "trueskill-spb" => normal(random, square + 35.0 * 35.0 + 175.0 * 175.0),
        "glicko" => normal(random, square + 35.0 * 35.0) + gumbel(random, elo),
        "glicko2" => normal(random, square) + gumbel(random, 173.7178),
        // c² has two β², each the variance of Elo's logistic curve.
        "bar" => normal(random, square + 35.0 * 35.0) + gumbel(random, 2.0_f64.sqrt() * elo),
        "thurstone" => normal(random, 200.0 * 200.0),
        unknown => panic!("{unknown} has no simulation"),
    }
}

/// The share of wins and ties among simulated performances is that of the model.
pub(crate) fn matches_simulated_performances(form: &SystemConfig) {
    const DRAWS: u32 = 200_000;
    let name = form.about.name;
    // Two points for each of two competitors, and the margin of draws of 10 % for two.
    let margin = match name {
        "trueskill" => 0.125_661_346_855_074 * 175.0 * 2.0_f64.sqrt(),
        "trueskill-spb" => 2.0,
        _ => 0.0,
    };
    // Sums of a normal and a logistic variable are logistic by approximation only.
    let approximation = match name {
        "elo-mmr" | "glicko" | "glicko2" | "bar" => 0.01,
        _ => 0.0,
    };
    let mut random = Random::new(41);
    for ((mu, sigma), (other_mu, other_sigma)) in [
        ((1_500.0, 60.0), (1_500.0, 200.0)),
        ((1_600.0, 150.0), (1_400.0, 100.0)),
        ((1_200.0, 50.0), (1_500.0, 150.0)),
    ] {
        let (mut wins, mut ties) = (0, 0);
        for _ in 0..DRAWS {
            let own_performance = mu + performance(name, &mut random, sigma);
            let lead = own_performance - other_mu - performance(name, &mut random, other_sigma);
            wins += u32::from(lead > margin);
            ties += u32::from(lead.abs() <= margin);
        }
        let system = with_ratings(form, &[(mu, Some(sigma)), (other_mu, Some(other_sigma))]);
        let actual = system.win_probability(&[0], &[1]);
        for (probability, count) in [(actual.above, wins), (actual.tied, ties)] {
            let share = f64::from(count) / f64::from(DRAWS);
            // Four standard errors.
            let error = 4.0 * (share * (1.0 - share) / f64::from(DRAWS)).sqrt();
            let off = (probability - share).abs();
            assert!(off <= error + approximation, "{probability} for {share}");
        }
    }
}
