//! Performances against an oracle and against closed forms.

mod contests;
mod reference;

use std::ops::Range;

use crate::random::Random;
use contests::{Grouping, Order, Ratings, Scales, contest, contests_of_all_kinds, ends};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use ranklore_rating::performance::Ties;
use reference::{CASES, Contest, Model, Oracle, TOLERANCE};

/// Groups compared with the oracle in one contest; each evaluation of the oracle takes N terms.
const COMPARED: usize = 40;

/// True if a double can distinguish group `group`, performing at `p`, from the next. Only its own
/// wins and the next one's losses do so (theorem 5.2), and whole ties make those of players who are
/// rated thousands of points on the wrong side as small as e^-40.
fn is_distinguishable(contest: &Contest, group: usize, p: f64) -> bool {
    let above = |entrant: usize| (contest.mu[entrant] - p) / contest.scale[entrant];
    contest.members(group).any(|entrant| above(entrant) > -5.0)
        || contest.members(group + 1).any(|entrant| above(entrant) < 5.0)
}

/// Returns the largest error of the compared groups. Panics if performances do not strictly
/// decrease.
fn worst_error(contest: &Contest, model: Model, ties: Ties) -> f64 {
    let performances = contest.performances(model, ties);
    assert_eq!(performances.len(), contest.groups.len());
    for (group, pair) in performances.windows(2).enumerate() {
        let gap = pair[0] - pair[1];
        let strictly = model == Model::Gaussian
            || ties == Ties::Split
            || is_distinguishable(contest, group, pair[0]);
        assert!(
            if strictly { gap > 0.0 } else { gap > -1e-10 },
            "{pair:?} do not fall: {model:?} {ties:?}"
        );
    }
    let step = performances.len().div_ceil(COMPARED);
    let last = performances.len() - 1;
    (0..last)
        .step_by(step)
        .chain([last])
        .map(|group| Oracle::new(contest, model, ties, group).error(performances[group]))
        .fold(0.0, f64::max)
}

fn assert_close(context: &str, contests: impl IntoIterator<Item = Contest>) {
    let mut worst = [0.0_f64; CASES.len()];
    let mut count = 0;
    for contest in contests {
        for ((model, ties), worst) in CASES.into_iter().zip(&mut worst) {
            let error = worst_error(&contest, model, ties);
            assert!(
                error <= TOLERANCE,
                "{context}: off by {error:e} under {model:?} {ties:?}, contest {count} of {} entrants, {} groups",
                contest.mu.len(),
                contest.groups.len(),
            );
            *worst = worst.max(error);
        }
        count += 1;
    }
    println!("{context}: {count} contests, worst errors {worst:?}");
}

fn assert_close_in_all_sizes(ratings: Ratings) {
    for (seed, count) in [2, 3, 5, 9, 20, 45, 70, 100, 300, 2000].into_iter().enumerate() {
        let context = format!("{ratings:?}, {count} entrants");
        assert_close(&context, contests_of_all_kinds(count, seed as u64, ratings));
    }
}

#[test]
fn typical_ratings_match_oracle() {
    assert_close_in_all_sizes(Ratings::Typical);
}

#[test]
fn extreme_ratings_match_oracle() {
    assert_close_in_all_sizes(Ratings::Extreme);
}

#[test]
fn outliers_match_oracle() {
    assert_close_in_all_sizes(Ratings::Outliers);
}

#[test]
fn two_distant_camps_match_oracle() {
    assert_close_in_all_sizes(Ratings::Bimodal);
}

#[test]
fn many_newcomers_match_oracle() {
    assert_close_in_all_sizes(Ratings::Newcomers);
}

#[test]
fn both_methods_match_oracle_at_switch() {
    // The faster method depends on groups, range and scales; both must agree with the oracle on
    // either side of the switch.
    let mut random = Random::new(7);
    let mut contests = Vec::new();
    for (range, scale) in [
        (1000.0, 150.0),
        (4000.0, 100.0),
        (12000.0, 90.0),
        (4000.0, 12.0),
    ] {
        for groups in (6..=120).step_by(6) {
            let players: Vec<(f64, f64)> = (0..2 * groups)
                .map(|_| {
                    let scale = scale * random.between(1.0, 2.0);
                    (random.between(-0.5 * range, 0.5 * range), scale)
                })
                .collect();
            let ends = (1..=groups as u32).map(|group| 2 * group).collect();
            contests.push(Contest::new(&players, ends));
        }
    }
    assert_close("around the switch", contests);
}

#[test]
fn twenty_thousand_entrants_match_oracle() {
    // From 16,385 different opponents on, the field adds several blocks to a sum.
    let mut random = Random::new(20_000);
    let different = (Ratings::Typical, Scales::Typical);
    let newcomers = (Ratings::Newcomers, Scales::Typical);
    let contests = [
        contest(&mut random, 20_000, different, Order::Expected, Grouping::AllDifferent),
        contest(&mut random, 20_000, newcomers, Order::Random, Grouping::Heavy),
    ];
    assert_close("twenty thousand", contests);
}

#[test]
fn plateaus_between_camps_match_oracle() {
    // The weaker of two camps of identical players wins. Whole wins and losses cancel, however many
    // players the solver merges; remainders as small as e^-600 decide.
    let mut contests = Vec::new();
    for count in [1_usize, 2, 3, 5, 6, 7, 10, 11, 100, 333] {
        for scale in [5.0, 60.0, 100.0, 204.9] {
            for gap in [0.0, 1000.0, 2000.0, 3000.0, 4500.0, 6000.0] {
                let mut players = vec![(0.0, scale); count];
                players.resize(2 * count, (gap, scale));
                contests.push(Contest::new(&players, vec![count as u32, 2 * count as u32]));
                contests.push(Contest::untied(&players));
            }
        }
    }
    assert_close("plateaus", contests);
}

#[test]
fn difficult_searches_match_oracle() {
    let contests = [
        // Newton's steps once alternated between two points inside the bracket.
        vec![(2370.0, 104.5123), (1630.0, 419.0823), (2160.0, 22.0423)],
        vec![
            (2230.0, 100.9423),
            (1180.0, 266.5623),
            (1980.0, 34.3223),
            (900.0, 221.0123),
        ],
        vec![
            (1420.0, 107.1223),
            (1780.0, 104.5023),
            (1160.0, 41.2323),
            (940.0, 73.1823),
            (2040.0, 203.2523),
        ],
        // The performance is the very end of the bracket, to the last bits.
        vec![
            (1_704.156_528_040_766_7, 241.132_866_828_719_98),
            (1500.0, 204.9),
        ],
        vec![(1500.0, 204.9); 5],
        vec![
            (2_331.904_831_901_192_7, 257.039_600_070_038),
            (1_872.814_694_792_032_2, 195.161_236_274_596_55),
            (1_598.083_626_106_381_4, 369.499_958_250_195_6),
        ],
    ];
    assert_close("difficult searches", contests.map(|players| Contest::untied(&players)));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        rng_seed: RngSeed::Fixed(5),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn plateaus_of_few_players_match_oracle(
        players in prop::collection::vec((0..4_usize, 0.0..0.4_f64, prop::bool::ANY), 2..9),
        scale in 40.0..250.0_f64,
        gap in 500.0..4500.0_f64,
    ) {
        // Equal scales, so that whole wins and losses can cancel; no two players equal.
        let rated: Vec<(f64, f64)> = players
            .iter()
            .map(|&(camp, off, _)| (gap * camp as f64 + off * scale, scale))
            .collect();
        let mut groups: Vec<u32> = (1..rated.len() as u32)
            .filter(|&end| players[end as usize].2)
            .collect();
        groups.push(rated.len() as u32);
        let contest = Contest::new(&rated, groups);
        for (model, ties) in CASES {
            let error = worst_error(&contest, model, ties);
            prop_assert!(error <= TOLERANCE, "off by {error:e} under {model:?} {ties:?}");
        }
    }

    #[test]
    fn absurd_inputs_stay_finite(
        players in prop::collection::vec((-1e5..1e5_f64, -3.0..4.0_f64), 2..60),
    ) {
        let players: Vec<(f64, f64)> = players
            .into_iter()
            .map(|(mu, exponent)| (mu, 10.0_f64.powf(exponent)))
            .collect();
        let contest = Contest::untied(&players);
        for (model, ties) in CASES {
            let performances = contest.performances(model, ties);
            prop_assert!(performances.iter().all(|p| p.abs() < 1e6), "{performances:?}");
            // Flat to the last bit of a double in places, so only nearly in order.
            prop_assert!(performances.windows(2).all(|pair| pair[0] >= pair[1] - 1e-3));
        }
    }
}

#[test]
fn equal_players_match_closed_form() {
    // Of a above, t tied (the entrant included) and b below, the odds are (b + t)/(a + t), or
    // (b + t/2)/(a + t/2) with split ties.
    let mut random = Random::new(1500);
    for count in [2_u32, 3, 10, 50, 1_000, 100_000, 1_000_000] {
        for groups in [
            (1..=count).collect(),
            vec![1, count],
            vec![count],
            ends(&mut random, count as usize, Grouping::Heavy),
        ] {
            let contest = Contest::new(&vec![(1500.0, 204.9); count as usize], groups);
            for (ties, share) in [(Ties::Whole, 1.0), (Ties::Split, 0.5)] {
                let actual = contest.performances(Model::Logistic, ties);
                let mut worst = 0.0_f64;
                for (group, performance) in actual.into_iter().enumerate() {
                    let Range { start, end } = contest.members(group);
                    let tied = share * (end - start) as f64;
                    let odds = ((count as usize - end) as f64 + tied) / (start as f64 + tied);
                    worst = worst.max((performance - (1500.0 + 204.9 * odds.ln())).abs());
                }
                let groups = contest.groups.len();
                println!("{count} players in {groups} groups, {ties:?}: worst error {worst:.1e}");
                assert!(worst <= TOLERANCE, "off by {worst:e}: {count}, {groups}, {ties:?}");
            }
        }
    }
}

#[test]
fn lone_entrant_performs_at_rating() {
    for (model, ties) in CASES {
        assert!(Contest::untied(&[]).performances(model, ties).is_empty());
        let alone = Contest::untied(&[(1234.5, 3.0)]).performances(model, ties);
        assert_eq!(alone, [1234.5]);
    }
}
