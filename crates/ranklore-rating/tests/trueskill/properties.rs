//! Properties of any contest.

use crate::fingerprint::fingerprint;
use ranklore_rating::{
    DrawMargin, InitialRating, PastResult, RatedEntrant, RatingRound, RatingSystem, TrueSkill,
    TrueSkillParameters,
};

use super::{NEWCOMER, individual_ratings_after, published_parameters, system, untied};
use crate::random::Random;

fn rate(system: &mut TrueSkill, entrants: &[u32], groups: &[u32]) -> Vec<RatedEntrant> {
    let mut rated = Vec::new();
    system.rate(&RatingRound::new(entrants, groups), &mut rated);
    rated
}

#[test]
fn teams_of_one_equal_individuals() {
    let mut random = Random::new(11);
    let (mut people, mut teams) = (system(published_parameters()), system(published_parameters()));
    for _ in 0..20 {
        let mut entrants: Vec<u32> = (0..9).collect();
        for last in 1..9 {
            entrants.swap(last, random.below(last + 1));
        }
        let groups = [1, 3, 4, 8, 9];
        let expected = rate(&mut people, &entrants, &groups);
        let mut actual = Vec::new();
        let round = RatingRound {
            teams: Some(&[1, 2, 3, 4, 5, 6, 7, 8, 9]),
            ..RatingRound::new(&entrants, &groups)
        };
        teams.rate(&round, &mut actual);
        assert_eq!(actual, expected);
    }
}

#[test]
fn order_within_ties_and_teams_changes_nothing() {
    let mut random = Random::new(12);
    for _ in 0..20 {
        let (mut one, mut other) = (system(published_parameters()), system(published_parameters()));
        for competitor in 0..12 {
            // Some are equal to the last bit.
            let start = InitialRating {
                mu: 20.0 + f64::from(competitor / 3),
                sigma: Some(4.0),
            };
            one.set_initial_rating(competitor, start);
            other.set_initial_rating(competitor, start);
        }
        // Teams of two: a winner, four tied, one last.
        let teams = [2, 4, 6, 8, 10, 12];
        let groups = [1, 5, 6];
        let entrants: Vec<u32> = (0..12).map(|i| (i * 7 + 5) % 12).collect();
        let mut pairs: Vec<[u32; 2]> = entrants.chunks(2).map(|pair| [pair[0], pair[1]]).collect();
        for last in 2..5 {
            pairs.swap(last, 1 + random.below(last));
        }
        for pair in &mut pairs {
            if random.below(2) == 0 {
                pair.reverse();
            }
        }
        let shuffled = pairs.concat();
        let rows = |system: &mut TrueSkill, entrants: &[u32]| {
            let mut rated = Vec::new();
            let round = RatingRound {
                teams: Some(&teams),
                ..RatingRound::new(entrants, &groups)
            };
            system.rate(&round, &mut rated);
            let mut rows: Vec<(u32, u64, u64)> = entrants
                .iter()
                .zip(rated)
                .map(|(&entrant, rated)| (entrant, rated.mu.to_bits(), rated.sigma.to_bits()))
                .collect();
            rows.sort_unstable();
            rows
        };
        assert_eq!(rows(&mut one, &entrants), rows(&mut other, &shuffled));
    }
}

#[test]
fn tied_equals_stay_equal() {
    let rated = rate(&mut system(published_parameters()), &[0, 1, 2, 3, 4], &[1, 5]);
    assert!(rated[1..].iter().all(|row| *row == rated[1]));
    // The mean of their results in a run of draws.
    assert!((rated[1].mu - 23.594_871).abs() < 2e-6, "{:?}", rated[1]);
}

#[test]
fn better_place_raises_rating_among_equals() {
    let rated = rate(
        &mut system(TrueSkillParameters::default()),
        &(0..300).collect::<Vec<_>>(),
        &untied(300),
    );
    for pair in rated.windows(2) {
        assert!(pair[0].mu > pair[1].mu);
    }
    assert!((rated[0].mu + rated[299].mu - 3000.0).abs() < 1e-3);
}

#[test]
fn beating_stronger_team_gains_more() {
    let system = system(published_parameters());
    let mut last = 0.0;
    for opponent in 0..60 {
        let opponent = (f64::from(opponent), 5.0);
        let gain = individual_ratings_after(&system, &[NEWCOMER, opponent], &[1, 2])[0].0;
        assert!(gain > last);
        last = gain;
    }
}

#[test]
fn extreme_contests_stay_finite() {
    let mut random = Random::new(13);
    for case in 0..60 {
        let mut system = system(TrueSkillParameters {
            beta: [175.0, 1e-3, 1e4][case % 3],
            tau: [0.0, 3.5][case % 2],
            draw_probability: [0.1, 0.0, 1e-6, 0.999_999][case / 2 % 4],
            ..TrueSkillParameters::default()
        });
        let count = 2 + random.below(60);
        for competitor in 0..count as u32 {
            let exponent = random.between(-3.0, 4.0);
            system.set_initial_rating(
                competitor,
                InitialRating {
                    mu: [1e5, -1e5, random.between(-1e5, 1e5)][random.below(3)],
                    sigma: Some(libm::exp10(exponent)),
                },
            );
        }
        let entrants: Vec<u32> = (0..count as u32).collect();
        let mut groups: Vec<u32> =
            (1..count as u32).filter(|&end| end == 1 || random.below(2) == 0).collect();
        groups.push(count as u32);
        for _ in 0..3 {
            for row in rate(&mut system, &entrants, &groups) {
                assert!(row.mu.is_finite() && row.mu.abs() < 1e9, "case {case}: {row:?}");
                assert!(
                    row.sigma.is_finite() && row.sigma > 0.0 && row.sigma < 1.1e4,
                    "case {case}: {row:?}"
                );
            }
        }
    }
}

#[test]
fn hundred_thousand_tied_losers_stay_finite() {
    let entrants: Vec<u32> = (0..100_001).collect();
    let rated = rate(&mut system(TrueSkillParameters::default()), &entrants, &[1, 100_001]);
    assert!(rated[0].mu > 1500.0 && rated[0].sigma < 350.0);
    assert!(rated[1].mu < 1500.0 && rated[1..].iter().all(|row| *row == rated[1]));
}

#[test]
fn ratings_resume_from_rows() {
    let mut random = Random::new(14);
    let mut full = system(TrueSkillParameters::default());
    let mut pasts: Vec<(u32, PastResult)> = Vec::new();
    for contest in 0..30 {
        let mut resumed = system(TrueSkillParameters::default());
        for (competitor, past) in &pasts {
            resumed.restore(*competitor, past);
        }
        let mut entrants: Vec<u32> = (0..20).collect();
        for last in 1..20 {
            entrants.swap(last, random.below(last + 1));
        }
        entrants.truncate(12);
        let groups = [1, 2, 4, 5, 6];
        let round = RatingRound {
            teams: Some(&[2, 3, 5, 8, 10, 12]),
            ends_at: contest,
            ..RatingRound::new(&entrants, &groups)
        };
        let (mut expected, mut actual) = (Vec::new(), Vec::new());
        full.rate(&round, &mut expected);
        resumed.rate(&round, &mut actual);
        assert_eq!(actual, expected);
        for (&competitor, &rated) in entrants.iter().zip(&expected) {
            let past = PastResult {
                period: None,
                ends_at: contest,
                weight: 1.0,
                rated,
            };
            pasts.push((competitor, past));
        }
    }
}

#[test]
fn parameters_out_of_range_are_rejected() {
    for (name, parameters) in [
        (
            "sigma",
            TrueSkillParameters {
                sigma: 0.0,
                ..published_parameters()
            },
        ),
        (
            "beta",
            TrueSkillParameters {
                beta: f64::NAN,
                ..published_parameters()
            },
        ),
        (
            "tau",
            TrueSkillParameters {
                tau: -1.0,
                ..published_parameters()
            },
        ),
        (
            "draw_probability",
            TrueSkillParameters {
                draw_probability: 1.0,
                ..published_parameters()
            },
        ),
    ] {
        assert_eq!(TrueSkill::new(parameters).unwrap_err().name, name);
    }
}

/// If this changes, ratings have changed: a new engine version is needed.
#[test]
fn bits_match_engine_version() {
    for (margin, expected) in [
        (DrawMargin::Adjacent, 0x00DF_4B32_0395_D057),
        (DrawMargin::Fixed, 0x82B7_91AD_2E79_489E),
    ] {
        let mut random = Random::new(15);
        let mut system = system(TrueSkillParameters {
            margin,
            ..TrueSkillParameters::default()
        });
        let mut rows = Vec::new();
        for count in [2, 8, 30, 200, 60, 9] {
            let entrants: Vec<u32> = (0..count).map(|i| (i * 7 + 3) % count).collect();
            let mut groups: Vec<u32> =
                (1..count).filter(|&end| end == 1 || random.below(3) != 0).collect();
            groups.push(count);
            rows.extend(rate(&mut system, &entrants, &groups));
        }
        let bits = rows.iter().flat_map(|row| [row.mu, row.sigma]);
        let hash = fingerprint(bits.map(f64::to_bits));
        assert_eq!(hash, expected, "{margin:?}: {hash:#X}");
    }
}
