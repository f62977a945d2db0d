//! Draw margins in contests of many teams: spread of newcomers, ties, contests without draws.

use std::f64::consts::PI;

use ranklore_rating::{
    DrawMargin, RatedEntrant, RatingRound, RatingSystem, TrueSkill, TrueSkillParameters,
};

use super::{Rating, assert_near, individual_ratings_after, system, team_ratings_after, untied};
use crate::random::Random;

fn with_draws(draw_probability: f64) -> TrueSkill {
    system(TrueSkillParameters {
        draw_probability,
        ..TrueSkillParameters::default()
    })
}

fn density(x: f64) -> f64 {
    libm::exp(-0.5 * x * x) / (2.0 * PI).sqrt()
}

fn distribution(x: f64) -> f64 {
    0.5 * libm::erfc(-x / 2.0_f64.sqrt())
}

/// Integrates a function that vanishes beyond 10 on both sides.
fn integrate(f: impl Fn(f64) -> f64) -> f64 {
    let width = 1.0 / 128.0;
    (-1280..=1280).map(|step| f(width * f64::from(step)) * width).sum()
}

/// The mean of the largest of `count` standard normal variables.
fn expected_maximum(count: u32) -> f64 {
    let opponents = f64::from(count) - 1.0;
    f64::from(count) * integrate(|x| x * density(x) * libm::pow(distribution(x), opponents))
}

/// Rates `count` newcomers in strict order. Returns first and last rating, and the first of exact
/// inference.
fn rate_newcomers(mut system: TrueSkill, count: u32) -> (f64, f64, f64) {
    let entrants: Vec<u32> = (0..count).collect();
    let mut rated: Vec<RatedEntrant> = Vec::new();
    system.rate(&RatingRound::new(&entrants, &untied(count)), &mut rated);
    assert!(rated.windows(2).all(|pair| pair[0].mu > pair[1].mu));
    let skill = 350.0 * 350.0 + 3.5 * 3.5;
    let noise = 175.0 * 175.0;
    let exact = 1500.0 + expected_maximum(count) * skill / f64::sqrt(skill + noise);
    (rated[0].mu, rated[count as usize - 1].mu, exact)
}

#[test]
fn newcomers_spread_like_order_statistics() {
    for (count, percent) in [
        (2, 4.6),
        (10, 2.6),
        (100, 1.4),
        (1_000, 0.9),
        (10_000, 0.7),
        (100_000, 0.5),
    ] {
        let (first, last, exact) = rate_newcomers(with_draws(0.1), count);
        let spread = (first - last) / (2.0 * (exact - 1500.0)) - 1.0;
        let allowed = 0.01 * percent;
        assert!(spread > 0.0 && spread < allowed, "{count}: {spread}");
        assert!((first + last - 3000.0).abs() < 1e-3, "{count}");
        // Without draws there is no margin, and the spread is exact.
        let (first, _, exact) = rate_newcomers(with_draws(0.0), count);
        assert!((first - exact).abs() < 0.5, "{count}: {first} for {exact}");
    }
}

/// The margin of the Python package, in a contest of thousands.
#[test]
fn fixed_margin_spreads_newcomers_by_margins() {
    let fixed = system(TrueSkillParameters {
        margin: DrawMargin::Fixed,
        ..TrueSkillParameters::default()
    });
    let (first, _, _) = rate_newcomers(fixed, 1_000);
    assert!((first - 13_986.0).abs() < 1.0, "{first}");
}

#[test]
fn two_teams_have_the_same_margin_in_both_modes() {
    let mut random = Random::new(21);
    for draw_probability in [0.0, 1e-6, 0.1, 0.999_999] {
        let [adjacent, fixed] = [DrawMargin::Adjacent, DrawMargin::Fixed].map(|margin| {
            system(TrueSkillParameters {
                draw_probability,
                margin,
                ..TrueSkillParameters::default()
            })
        });
        let mut team = |size: usize| -> Vec<Rating> {
            let player = |_| (random.between(1000.0, 2000.0), random.between(50.0, 350.0));
            (0..size).map(player).collect()
        };
        let teams = [&team(1)[..], &team(3)];
        for groups in [&[1, 2][..], &[2]] {
            assert_eq!(
                team_ratings_after(&adjacent, &teams, groups),
                team_ratings_after(&fixed, &teams, groups)
            );
        }
    }
}

/// Teams of two newcomers are individuals of twice the variance.
#[test]
fn margins_of_teams_count_teams() {
    let teams = vec![&[(1500.0, 350.0); 2][..]; 30];
    let actual = team_ratings_after(&with_draws(0.5), &teams, &untied(30));
    let root = 2.0_f64.sqrt();
    let doubled = system(TrueSkillParameters {
        beta: root * 175.0,
        tau: root * 3.5,
        draw_probability: 0.5,
        ..TrueSkillParameters::default()
    });
    let individuals = vec![(3000.0, root * 350.0); 30];
    let expected = individual_ratings_after(&doubled, &individuals, &untied(30));
    for (team, individual) in actual.chunks(2).zip(&expected) {
        let sum = team[0].0 + team[1].0;
        assert!((sum - individual.0).abs() < 1e-6, "{team:?}: {individual:?}");
    }
}

/// Distance within which two neighbours among `count` standard normal variables lie with this
/// probability, by bisection of the definition.
fn neighbour_margin(probability: f64, count: u32) -> f64 {
    let mut low = 0.0;
    let mut high = 10.0;
    for _ in 0..60 {
        let z: f64 = 0.5 * (low + high);
        let opponents = f64::from(count) - 1.0;
        let alone = |x| libm::pow(1.0 - distribution(x + z) + distribution(x), opponents);
        let gaps = f64::from(count) * integrate(|x| density(x) * alone(x)) - 1.0;
        if 1.0 - gaps / opponents < probability {
            low = z;
        } else {
            high = z;
        }
    }
    low
}

/// The mean performances of teams N(mean, variance), given the groups of neighbours within
/// `margin`: by sampling, and rejecting other results.
fn sampled_means(
    random: &mut Random,
    teams: &[(f64, f64)],
    groups: &[u32],
    margin: f64,
) -> Vec<f64> {
    let are_equal = teams.iter().all(|team| *team == teams[0]);
    let group_of = |team: usize| groups.partition_point(|&end| end as usize <= team);
    let mut sums = vec![0.0; teams.len()];
    let mut accepted = 0_u32;
    for _ in 0..500_000 {
        let mut performances: Vec<f64> = teams
            .iter()
            .map(|&(mean, variance)| mean + variance.sqrt() * random_normal(random))
            .collect();
        if are_equal {
            // By symmetry they may be named by place.
            performances.sort_unstable_by(|a, b| b.total_cmp(a));
        }
        let mut order: Vec<usize> = (0..teams.len()).collect();
        order.sort_unstable_by(|&a, &b| performances[b].total_cmp(&performances[a]));
        let is_result = order.iter().enumerate().all(|(place, &team)| {
            let is_draw = |&next: &usize| performances[team] - performances[next] <= margin;
            let draws = order.get(place + 1).is_some_and(is_draw);
            group_of(team) == group_of(place) && draws != groups.contains(&(place as u32 + 1))
        });
        if is_result {
            accepted += 1;
            for (sum, performance) in sums.iter_mut().zip(&performances) {
                *sum += performance;
            }
        }
    }
    assert!(accepted > 1_000, "{accepted} samples of {groups:?}");
    let mut means: Vec<f64> = sums.iter().map(|sum| sum / f64::from(accepted)).collect();
    if are_equal {
        let mut start = 0;
        for &end in groups {
            let tied = &mut means[start..end as usize];
            let mean = tied.iter().sum::<f64>() / tied.len() as f64;
            tied.fill(mean);
            start = end as usize;
        }
    }
    means
}

/// Returns a standard normal number, by the method of Box and Muller.
fn random_normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - random.between(0.0, 1.0))).sqrt();
    radius * libm::cos(random.between(0.0, 2.0 * PI))
}

/// The system's margin and its message passing, against the model itself: sorted performances in
/// which neighbours draw within the margin.
#[test]
fn ties_match_rejection_sampling() {
    let mut random = Random::new(22);
    let newcomer = (1500.0, 350.0);
    let strong = (1600.0, 100.0);
    let weak = (1400.0, 200.0);
    for (draws, teams, groups) in [
        (0.1, vec![vec![newcomer]; 3], &[1, 3][..]),
        (0.1, vec![vec![newcomer]; 4], &[1, 3, 4]),
        (0.3, vec![vec![newcomer]; 6], &[1, 3, 5, 6]),
        (0.3, vec![vec![newcomer]; 6], &[1, 5, 6]),
        (0.3, vec![vec![strong], vec![newcomer], vec![weak]], &[2, 3]),
        (0.3, [weak, weak, strong].map(|player| vec![player]).to_vec(), &[1, 3]),
        (0.3, vec![vec![newcomer; 2]; 4], &[1, 2, 4]),
    ] {
        let noise = 175.0 * 175.0;
        let drift = 3.5 * 3.5;
        let variance = |player: &Rating| player.1 * player.1 + drift;
        let performance = |team: &Vec<Rating>| {
            let mean: f64 = team.iter().map(|player| player.0).sum();
            let variances = team.iter().map(|player| variance(player) + noise);
            (mean, variances.sum::<f64>())
        };
        let performances: Vec<(f64, f64)> = teams.iter().map(performance).collect();
        let margin =
            neighbour_margin(draws, teams.len() as u32) * (noise * teams[0].len() as f64).sqrt();
        let means = sampled_means(&mut random, &performances, groups, margin);
        let borrowed: Vec<&[Rating]> = teams.iter().map(Vec::as_slice).collect();
        let actual = team_ratings_after(&with_draws(draws), &borrowed, groups);
        let mut actual_rows = actual.iter();
        for ((team, (prior, all)), mean) in teams.iter().zip(&performances).zip(&means) {
            for player in team {
                let expected = player.0 + variance(player) / all * (mean - prior);
                let &(mu, _) = actual_rows.next().unwrap();
                assert!((mu - expected).abs() < 15.0, "{draws} {groups:?}: {mu} for {expected}");
            }
        }
    }
}

/// Equal performances: a Gaussian posterior.
#[test]
fn without_draws_tied_players_perform_equally() {
    let mut random = Random::new(23);
    for count in 2..=6 {
        let ratings: Vec<Rating> = (0..count)
            .map(|_| (random.between(500.0, 2500.0), random.between(10.0, 400.0)))
            .collect();
        let skill = |rating: &Rating| rating.1 * rating.1 + 3.5 * 3.5;
        let precision = |rating: &Rating| 1.0 / (skill(rating) + 175.0 * 175.0);
        let all: f64 = ratings.iter().map(precision).sum();
        let level = ratings.iter().map(|rating| precision(rating) * rating.0).sum::<f64>() / all;
        let expected: Vec<Rating> = ratings
            .iter()
            .map(|rating| {
                let share = skill(rating) * precision(rating);
                let variance = skill(rating) * (1.0 - share) + share * share / all;
                (rating.0 + share * (level - rating.0), variance.sqrt())
            })
            .collect();
        let actual = individual_ratings_after(&with_draws(0.0), &ratings, &[count]);
        assert_near(&actual, &expected, 1e-9);
    }
}

#[test]
fn contests_without_draws_are_the_limit_of_few() {
    let mut random = Random::new(24);
    for groups in [&[1, 2, 3, 4, 5, 6][..], &[2, 3, 6], &[1, 6], &[5, 6]] {
        let ratings: Vec<Rating> = (0..6)
            .map(|_| (random.between(1000.0, 2000.0), random.between(50.0, 350.0)))
            .collect();
        let [none, few] =
            [0.0, 1e-7].map(|draws| individual_ratings_after(&with_draws(draws), &ratings, groups));
        assert_near(&none, &few, 1e-3);
    }
}
