//! Comparison with numerically integrated moments of truncated normal distributions.

use ranklore_rating::TrueSkillParameters;

use super::{Rating, assert_near, individual_ratings_after, published_parameters, system};
use crate::random::Random;
use crate::truncated::moments;

/// With one link, the moments are exact, however far out.
#[test]
fn upset_moves_by_exact_moments() {
    let mut random = Random::new(9);
    let mut compared = 0;
    for case in 0..200 {
        let parameters = TrueSkillParameters {
            draw_probability: [0.001, 0.1, 0.9][case % 3],
            beta: [0.5, 4.0, 100.0][case / 3 % 3],
            ..published_parameters()
        };
        let system = system(parameters.clone());
        let scale = [1.0, 30.0, 1000.0, 1e5][case % 4];
        let mut rating = || (random.between(-scale, scale), random.between(0.01, 20.0));
        let ratings = [rating(), rating()];
        let drift = parameters.tau * parameters.tau;
        let variances = ratings.map(|(_, sigma)| sigma * sigma + drift);
        let all = variances[0] + variances[1] + 2.0 * parameters.beta * parameters.beta;
        let difference = ratings[0].0 - ratings[1].0;
        for groups in [&[1, 2][..], &[2]] {
            let margin = quantile(parameters.draw_probability) * 2.0_f64.sqrt() * parameters.beta;
            let (mean, variance) = if groups.len() == 2 {
                moments(difference, all, margin, f64::INFINITY)
            } else {
                moments(difference, all, -margin, margin)
            };
            let actual = individual_ratings_after(&system, &ratings, groups);
            for (side, sign) in [(0, 1.0), (1, -1.0)] {
                let share = variances[side] / all;
                let mu = ratings[side].0 + sign * share * (mean - difference);
                let sigma = (variances[side] * (1.0 - share * (1.0 - variance / all))).sqrt();
                let size = 1.0 + difference.abs();
                assert!(
                    (actual[side].0 - mu).abs() < 1e-9 * size,
                    "{ratings:?} {groups:?}: {actual:?} for {mu}"
                );
                assert!(
                    (actual[side].1 / sigma - 1.0).abs() < 1e-7,
                    "{ratings:?} {groups:?}: {actual:?} for {sigma}"
                );
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 800);
}

/// Sequential expectation propagation, with integrated moments, has the same fixed point as
/// parallel updates of all links.
#[test]
fn chain_matches_sequential_message_passing() {
    let mut random = Random::new(10);
    for case in 0..8 {
        let parameters = published_parameters();
        let count = 3 + case % 5;
        let ratings: Vec<Rating> = (0..count)
            .map(|_| (random.between(5.0, 45.0), random.between(1.0, 8.0)))
            .collect();
        let mut groups: Vec<u32> = (1..count as u32).filter(|_| random.below(2) == 0).collect();
        groups.push(count as u32);
        let margin = quantile(0.1) * 2.0_f64.sqrt() * parameters.beta;
        let noise = parameters.beta * parameters.beta;
        let skill = |i: usize| ratings[i].1 * ratings[i].1 + parameters.tau * parameters.tau;
        // Messages as (mean, precision); those of the links to the places above and below.
        let with = |a: Rating, b: Rating| {
            let precision = a.1 + b.1;
            (((a.0 * a.1) + (b.0 * b.1)) / precision, precision)
        };
        let own_ratings: Vec<Rating> =
            (0..count).map(|i| (ratings[i].0, 1.0 / (skill(i) + noise))).collect();
        let mut up = vec![(0.0, 0.0); count];
        let mut down = vec![(0.0, 0.0); count];
        let across = |place: Rating, mean: f64, variance: f64| {
            (place.0 + mean, 1.0 / (1.0 / place.1 + variance))
        };
        for turn in 0..60 {
            let links: Vec<usize> = if turn % 2 == 0 {
                (1..count).collect()
            } else {
                (1..count).rev().collect()
            };
            for below in links {
                let above = below - 1;
                // `down[i]` comes to place i from above, `up[i]` from below.
                let (high, low) =
                    (with(own_ratings[above], down[above]), with(own_ratings[below], up[below]));
                let mean = high.0 - low.0;
                let variance = 1.0 / high.1 + 1.0 / low.1;
                let after = if groups.contains(&(below as u32)) {
                    moments(mean, variance, margin, f64::INFINITY)
                } else {
                    moments(mean, variance, -margin, margin)
                };
                let precision = 1.0 / after.1 - 1.0 / variance;
                let factor = (after.0 / after.1 - mean / variance) / precision;
                down[below] = across(high, -factor, 1.0 / precision);
                up[above] = across(low, factor, 1.0 / precision);
            }
        }
        let actual = individual_ratings_after(&system(published_parameters()), &ratings, &groups);
        for place in 0..count {
            let message = with(up[place], down[place]);
            let prior = skill(place);
            let rest = 1.0 / message.1 + noise;
            let mu = ratings[place].0 + prior / (prior + rest) * (message.0 - ratings[place].0);
            let sigma = (prior * rest / (prior + rest)).sqrt();
            assert_near(&actual[place..=place], &[(mu, sigma)], 2e-6);
        }
    }
}

/// The draw margin by definition, from a bisection of the normal distribution.
fn quantile(probability: f64) -> f64 {
    let mut low = 0.0;
    let mut high = 10.0;
    for _ in 0..200 {
        let middle: f64 = 0.5 * (low + high);
        if libm::erf(middle / 2.0_f64.sqrt()) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}
