//! TrueSkill: published numbers, exact moments, and what must hold of any contest.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod random;
mod truncated;

use random::Random;
use ranklore_rating::{
    Past, Playing, Rated, RatingSystem, Round, Start, TrueSkill, TrueSkillParameters,
};
use serde::Deserialize;
use truncated::moments;

/// The numbers of the literature.
fn literature() -> TrueSkillParameters {
    TrueSkillParameters {
        mu: 25.0,
        sigma: 25.0 / 3.0,
        beta: 25.0 / 6.0,
        tau: 25.0 / 300.0,
        draw_probability: 0.1,
    }
}

fn system(parameters: TrueSkillParameters) -> TrueSkill {
    TrueSkill::new(parameters).unwrap()
}

type Rating = (f64, f64);
const NEW: Rating = (25.0, 25.0 / 3.0);

fn playing(ratings: &[Rating]) -> Vec<Playing> {
    let of = |&(mu, sigma)| Playing {
        mu,
        sigma,
        share: 1.0,
    };
    ratings.iter().map(of).collect()
}

/// What became of teams, best first, those of `groups` tied.
fn after(system: &TrueSkill, teams: &[&[Rating]], groups: &[u32]) -> Vec<Rating> {
    let ends: Vec<u32> = teams
        .iter()
        .scan(0, |end, team| {
            *end += team.len() as u32;
            Some(*end)
        })
        .collect();
    system.posterior(&playing(&teams.concat()), &ends, groups)
}

/// Everybody alone.
fn alone(system: &TrueSkill, ratings: &[Rating], groups: &[u32]) -> Vec<Rating> {
    let teams: Vec<&[Rating]> = ratings.chunks(1).collect();
    after(system, &teams, groups)
}

#[track_caller]
fn assert_near(found: &[Rating], expected: &[Rating], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let off = (found.0 - expected.0)
            .abs()
            .max((found.1 - expected.1).abs());
        assert!(off <= tolerance, "{found:?} for {expected:?}");
    }
}

fn untied(count: u32) -> Vec<u32> {
    (1..=count).collect()
}

#[derive(Deserialize)]
struct Reference {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    params: TrueSkillParameters,
    teams: Vec<Vec<Rating>>,
    ranks: Vec<u32>,
    expected: Vec<Vec<Rating>>,
}

/// The Python package trueskill 0.4.5 in high precision on contests invented for the purpose.
#[test]
fn the_reference_is_met_to_a_thousandth_of_sigma() {
    let reference: Reference = serde_json::from_str(include_str!("gold/trueskill.json")).unwrap();
    assert_eq!(reference.cases.len(), 30);
    for case in reference.cases {
        let mut order: Vec<usize> = (0..case.teams.len()).collect();
        order.sort_by_key(|&team| case.ranks[team]);
        let teams: Vec<&[Rating]> = order.iter().map(|&team| &case.teams[team][..]).collect();
        let mut end = 0;
        let groups: Vec<u32> = order
            .chunk_by(|&a, &b| case.ranks[a] == case.ranks[b])
            .map(|tied| {
                end += tied.len() as u32;
                end
            })
            .collect();
        let expected: Vec<Rating> = order
            .iter()
            .flat_map(|&team| case.expected[team].clone())
            .collect();
        let tolerance = 1e-3 * case.params.sigma;
        assert_near(
            &after(&system(case.params), &teams, &groups),
            &expected,
            tolerance,
        );
    }
}

/// Numbers to six digits, of the message passing run to its end.
#[test]
fn contests_of_newcomers_end_as_published() {
    let system = system(literature());
    for expected in [
        vec![(29.395_832, 7.171_476), (20.604_168, 7.171_476)],
        vec![
            (31.675_352, 6.655_986),
            (25.0, 6.207_897),
            (18.324_648, 6.655_986),
        ],
        vec![
            (34.363_137, 6.136_152),
            (29.058_449, 5.535_835),
            (25.0, 5.420_080),
            (20.941_551, 5.535_835),
            (15.636_863, 6.136_152),
        ],
    ] {
        let found = alone(
            &system,
            &vec![NEW; expected.len()],
            &untied(expected.len() as u32),
        );
        assert_near(&found, &expected, 2e-6);
    }
    let eight = [
        (36.771_096, 5.749_284),
        (32.242_343, 5.132_913),
        (29.073_982, 4.942_715),
        (26.322_179, 4.874_549),
    ];
    assert_near(&alone(&system, &[NEW; 8], &untied(8))[..4], &eight, 2e-6);
    let sixteen = [
        (40.539_461, 5.275_815),
        (36.809_517, 4.711_208),
        (34.347_269, 4.524_397),
        (32.336_152, 4.432_580),
        (30.550_492, 4.380_103),
        (28.892_776, 4.348_588),
        (27.309_523, 4.330_373),
        (25.765_711, 4.321_967),
    ];
    assert_near(
        &alone(&system, &[NEW; 16], &untied(16))[..8],
        &sixteen,
        2e-6,
    );
}

#[test]
fn draws_end_as_published() {
    let system = system(literature());
    assert_near(
        &alone(&system, &[NEW; 2], &[2]),
        &[(25.0, 6.457_516); 2],
        2e-6,
    );
    let three = [(25.0, 5.698_668), (25.0, 5.695_253), (25.0, 5.698_668)];
    assert_near(&alone(&system, &[NEW; 3], &[3]), &three, 2e-6);
    let one_and_four = [
        (30.620_516, 6.365_601),
        (23.584_537, 5.103_627),
        (23.593_401, 5.100_158),
        (23.599_300, 5.101_645),
        (23.602_246, 5.108_094),
    ];
    assert_near(&alone(&system, &[NEW; 5], &[1, 5]), &one_and_four, 2e-6);
    let uneven = [(31.662_302, 7.137_446), (35.010_653, 7.910_077)];
    assert_near(&alone(&system, &[NEW, (50.0, 12.5)], &[2]), &uneven, 2e-6);
    let often = self::system(TrueSkillParameters {
        draw_probability: 0.5,
        ..literature()
    });
    let won = [(30.267, 7.077), (19.733, 7.077)];
    assert_near(&alone(&often, &[NEW; 2], &[1, 2]), &won, 6e-4);
}

#[test]
fn upsets_end_as_published() {
    let ratings: Vec<Rating> = (1..=8)
        .map(|i| (5.0 + 5.0 * f64::from(i), 9.0 - f64::from(i)))
        .collect();
    let expected = [
        (35.135_394, 4.505_581),
        (32.585_366, 4.036_948),
        (31.328_727, 3.756_319),
        (30.984_004, 3.452_868),
        (31.751_325, 3.063_699),
        (34.050_763, 2.541_264),
        (38.263_378, 1.848_518),
        (44.117_846, 0.983_468),
    ];
    assert_near(
        &alone(&system(literature()), &ratings, &untied(8)),
        &expected,
        2e-6,
    );
}

#[test]
fn teams_end_as_published() {
    let system = system(literature());
    let near = |teams: &[&[Rating]], groups: &[u32], expected: &[Rating]| {
        // Digits after the third are cut there.
        assert_near(&after(&system, teams, groups), expected, 1.1e-3);
    };
    near(
        &[&[NEW; 2], &[NEW; 2]],
        &[1, 2],
        &[
            (28.108, 7.774),
            (28.108, 7.774),
            (21.892, 7.774),
            (21.892, 7.774),
        ],
    );
    near(&[&[NEW; 2], &[NEW; 2]], &[2], &[(25.0, 7.455); 4]);
    near(
        &[&[NEW], &[NEW; 2]],
        &[1, 2],
        &[(33.730, 7.317), (16.270, 7.317), (16.270, 7.317)],
    );
    near(
        &[&[NEW], &[NEW; 2]],
        &[2],
        &[(31.660, 7.138), (18.340, 7.138), (18.340, 7.138)],
    );
    near(
        &[
            &[(40.0, 4.0), (45.0, 3.0)],
            &[(20.0, 7.0), (19.0, 6.0), (30.0, 9.0), (10.0, 4.0)],
            &[(50.0, 5.0), (30.0, 2.0)],
        ],
        &[1, 3],
        &[
            (40.877, 3.840),
            (45.493, 2.934),
            (19.609, 6.396),
            (18.712, 5.625),
            (29.353, 7.673),
            (9.872, 3.891),
            (48.830, 4.590),
            (29.813, 1.976),
        ],
    );
    let (three, two): (&[Rating], &[Rating]) = (
        &[(28.0, 7.0), (27.0, 6.0), (26.0, 5.0)],
        &[(30.0, 4.0), (31.0, 3.0)],
    );
    near(
        &[three, two],
        &[1, 2],
        &[
            (28.658, 6.770),
            (27.484, 5.856),
            (26.336, 4.917),
            (29.785, 3.958),
            (30.879, 2.983),
        ],
    );
    near(
        &[two, three],
        &[1, 2],
        &[
            (32.012, 3.877),
            (32.132, 2.949),
            (21.840, 6.314),
            (22.474, 5.575),
            (22.857, 4.757),
        ],
    );
    // In full digits elsewhere, but with a normal quantile that is right to 5e-4 alone.
    near(
        &[&[(20.0, 8.0), (25.0, 6.0)], &[(35.0, 7.0), (40.0, 5.0)]],
        &[1, 2],
        &[
            (29.698_800, 7.007_955),
            (30.456_035, 5.594_025),
            (27.574_109, 6.346_250),
            (36.210_764, 4.767_945),
        ],
    );
    let drawn = after(
        &system,
        &[&[(15.0, 8.0), (20.0, 6.0)], &[(25.0, 4.0), (30.0, 3.0)]],
        &[2],
    );
    for (found, expected) in drawn
        .iter()
        .zip([21.571_213, 23.696_619, 23.356_662, 29.075_310])
    {
        assert!(
            (found.0 - expected).abs() < 2e-3,
            "{found:?} for {expected}"
        );
    }
}

#[test]
fn partial_play_ends_as_published() {
    let system = system(literature());
    for (shares, teams, expected) in [
        (
            [0.5, 0.5, 0.5],
            [1, 3],
            [(33.939, 7.312), (16.061, 7.312), (16.061, 7.312)],
        ),
        (
            [1.0, 0.0, 1.0],
            [1, 3],
            [(29.440, 7.166), (25.0, 8.333), (20.560, 7.166)],
        ),
        (
            [1.0, 0.5, 1.0],
            [1, 3],
            [(32.417, 7.056), (21.291, 8.033), (17.583, 7.056)],
        ),
    ] {
        let players = shares.map(|share| Playing {
            mu: NEW.0,
            sigma: NEW.1,
            share,
        });
        // Digits after the third are cut there, and no share is below 0.0001.
        let found = system.posterior(&players, &teams, &[1, 2]);
        assert_near(&found, &expected, 1.1e-3);
    }
}

/// One link: the moments are exact, however far out.
#[test]
fn a_win_that_nobody_expected_moves_by_exact_moments() {
    let mut random = Random::new(9);
    let mut compared = 0;
    for case in 0..200 {
        let parameters = TrueSkillParameters {
            draw_probability: [0.001, 0.1, 0.9][case % 3],
            beta: [0.5, 4.0, 100.0][case / 3 % 3],
            ..literature()
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
            let found = alone(&system, &ratings, groups);
            for (side, sign) in [(0, 1.0), (1, -1.0)] {
                let share = variances[side] / all;
                let mu = ratings[side].0 + sign * share * (mean - difference);
                let sigma = (variances[side] * (1.0 - share * (1.0 - variance / all))).sqrt();
                let size = 1.0 + difference.abs();
                assert!(
                    (found[side].0 - mu).abs() < 1e-9 * size,
                    "{ratings:?} {groups:?}: {found:?} for {mu}"
                );
                assert!(
                    (found[side].1 / sigma - 1.0).abs() < 1e-7,
                    "{ratings:?} {groups:?}: {found:?} for {sigma}"
                );
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 800);
}

/// Roughly, for that source has lost digits: it takes −t for v where Φ(t) is 0 to a double. The
/// exact moments are in the test before this one.
#[test]
fn wins_by_a_mile_end_as_published() {
    let system = system(literature());
    let far = alone(&system, &[(-323.263, 2.965), (-48.441, 2.190)], &[1, 2]);
    assert_near(&far, &[(-273.092, 2.683), (-75.830, 2.080)], 0.04);
    let near_a_thousand = alone(&system, &[NEW, (1000.0, NEW.1)], &[1, 2]);
    assert_near(
        &near_a_thousand,
        &[(415.298, 6.455), (609.702, 6.455)],
        0.08,
    );
    let million = alone(&system, &[NEW, (1e6, NEW.1)], &[1, 2]);
    assert_near(&million, &[(400_016.896, 6.455), (600_008.104, 6.455)], 7.0);
}

/// Expectation propagation link by link, with integrated moments: the same resting point as
/// all links at once.
#[test]
fn chains_rest_where_plain_message_passing_does() {
    let mut random = Random::new(10);
    for case in 0..8 {
        let parameters = literature();
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
        let own: Vec<Rating> = (0..count)
            .map(|i| (ratings[i].0, 1.0 / (skill(i) + noise)))
            .collect();
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
                let (high, low) = (with(own[above], down[above]), with(own[below], up[below]));
                let (mean, variance) = (high.0 - low.0, 1.0 / high.1 + 1.0 / low.1);
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
        let found = alone(&system(literature()), &ratings, &groups);
        for place in 0..count {
            let told = with(up[place], down[place]);
            let (prior, rest) = (skill(place), 1.0 / told.1 + noise);
            let mu = ratings[place].0 + prior / (prior + rest) * (told.0 - ratings[place].0);
            let sigma = (prior * rest / (prior + rest)).sqrt();
            assert_near(&found[place..=place], &[(mu, sigma)], 2e-6);
        }
    }
}

/// The draw margin by its definition, from a bisection of the normal distribution.
fn quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 10.0);
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

fn rate(system: &mut TrueSkill, entrants: &[u32], groups: &[u32]) -> Vec<Rated> {
    let mut rated = Vec::new();
    system.rate(&Round::of(entrants, groups), &mut rated);
    rated
}

#[test]
fn teams_of_one_are_individuals() {
    let mut random = Random::new(11);
    let (mut people, mut teams) = (system(literature()), system(literature()));
    for _ in 0..20 {
        let mut entrants: Vec<u32> = (0..9).collect();
        for last in 1..9 {
            entrants.swap(last, random.below(last + 1));
        }
        let groups = [1, 3, 4, 8, 9];
        let expected = rate(&mut people, &entrants, &groups);
        let mut found = Vec::new();
        let round = Round {
            teams: Some(&[1, 2, 3, 4, 5, 6, 7, 8, 9]),
            ..Round::of(&entrants, &groups)
        };
        teams.rate(&round, &mut found);
        assert_eq!(found, expected);
    }
}

#[test]
fn the_order_within_ties_and_teams_means_nothing() {
    let mut random = Random::new(12);
    for _ in 0..20 {
        let (mut one, mut other) = (system(literature()), system(literature()));
        for competitor in 0..12 {
            // Some are equal to the last bit.
            let start = Start {
                mu: 20.0 + f64::from(competitor / 3),
                sigma: Some(4.0),
            };
            one.start(competitor, start);
            other.start(competitor, start);
        }
        // Teams of two: a winner, four tied, one last.
        let (teams, groups) = ([2, 4, 6, 8, 10, 12], [1, 5, 6]);
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
            let round = Round {
                teams: Some(&teams),
                ..Round::of(entrants, &groups)
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
fn equals_in_a_tie_end_equal() {
    let rated = rate(&mut system(literature()), &[0, 1, 2, 3, 4], &[1, 5]);
    assert!(rated[1..].iter().all(|row| *row == rated[1]));
    // The mean of what a run of draws gives them.
    assert!((rated[1].mu - 23.594_871).abs() < 2e-6, "{:?}", rated[1]);
}

#[test]
fn a_better_place_is_a_better_rating_among_equals() {
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
fn whoever_beats_the_better_gains_more() {
    let system = system(literature());
    let mut last = 0.0;
    for opponent in 0..60 {
        let opponent = (f64::from(opponent), 5.0);
        let gain = alone(&system, &[NEW, opponent], &[1, 2])[0].0;
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
            draw_probability: [0.1, 1e-6, 0.999_999][case / 2 % 3],
            ..TrueSkillParameters::default()
        });
        let count = 2 + random.below(60);
        for competitor in 0..count as u32 {
            let exponent = random.between(-3.0, 4.0);
            system.start(
                competitor,
                Start {
                    mu: [1e5, -1e5, random.between(-1e5, 1e5)][random.below(3)],
                    sigma: Some(libm::exp10(exponent)),
                },
            );
        }
        let entrants: Vec<u32> = (0..count as u32).collect();
        let mut groups: Vec<u32> = (1..count as u32)
            .filter(|&end| end == 1 || random.below(2) == 0)
            .collect();
        groups.push(count as u32);
        for _ in 0..3 {
            for row in rate(&mut system, &entrants, &groups) {
                assert!(
                    row.mu.is_finite() && row.mu.abs() < 1e9,
                    "case {case}: {row:?}"
                );
                assert!(
                    row.sigma.is_finite() && row.sigma > 0.0 && row.sigma < 1.1e4,
                    "case {case}: {row:?}"
                );
            }
        }
    }
}

#[test]
fn a_hundred_thousand_tie_behind_one_winner() {
    let entrants: Vec<u32> = (0..100_001).collect();
    let rated = rate(
        &mut system(TrueSkillParameters::default()),
        &entrants,
        &[1, 100_001],
    );
    assert!(rated[0].mu > 1500.0 && rated[0].sigma < 350.0);
    assert!(rated[1].mu < 1500.0 && rated[1..].iter().all(|row| *row == rated[1]));
}

#[test]
fn contests_without_order_change_nothing() {
    let mut system = system(TrueSkillParameters::default());
    assert!(rate(&mut system, &[0, 1, 2], &[3]).is_empty());
    assert!(rate(&mut system, &[0], &[1]).is_empty());
    assert!(rate(&mut system, &[], &[]).is_empty());
    assert_eq!(system.mu(0).to_bits(), 1500.0_f64.to_bits());
}

#[test]
fn ratings_resume_from_their_rows() {
    let mut random = Random::new(14);
    let mut whole = system(TrueSkillParameters::default());
    let mut pasts: Vec<(u32, Past)> = Vec::new();
    for contest in 0..30 {
        let mut resumed = system(TrueSkillParameters::default());
        for (competitor, past) in &pasts {
            resumed.recall(*competitor, past);
        }
        let mut entrants: Vec<u32> = (0..20).collect();
        for last in 1..20 {
            entrants.swap(last, random.below(last + 1));
        }
        entrants.truncate(12);
        let groups = [1, 2, 4, 5, 6];
        let round = Round {
            teams: Some(&[2, 3, 5, 8, 10, 12]),
            ends_at: contest,
            ..Round::of(&entrants, &groups)
        };
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        whole.rate(&round, &mut expected);
        resumed.rate(&round, &mut found);
        assert_eq!(found, expected);
        for (&competitor, &rated) in entrants.iter().zip(&expected) {
            let past = Past {
                ends_at: contest,
                weight: 1.0,
                rated,
            };
            pasts.push((competitor, past));
        }
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    for (name, parameters) in [
        (
            "sigma",
            TrueSkillParameters {
                sigma: 0.0,
                ..literature()
            },
        ),
        (
            "beta",
            TrueSkillParameters {
                beta: f64::NAN,
                ..literature()
            },
        ),
        (
            "tau",
            TrueSkillParameters {
                tau: -1.0,
                ..literature()
            },
        ),
        (
            "draw_probability",
            TrueSkillParameters {
                draw_probability: 1.0,
                ..literature()
            },
        ),
    ] {
        assert_eq!(TrueSkill::new(parameters).unwrap_err().name, name);
    }
}

/// When this changes, ratings have changed: a new engine version.
#[test]
fn bits_are_those_of_this_engine_version() {
    let mut random = Random::new(15);
    let mut system = system(TrueSkillParameters::default());
    let mut rows = Vec::new();
    for count in [2, 8, 30, 200, 60, 9] {
        let entrants: Vec<u32> = (0..count).map(|i| (i * 7 + 3) % count).collect();
        let mut groups: Vec<u32> = (1..count)
            .filter(|&end| end == 1 || random.below(3) != 0)
            .collect();
        groups.push(count);
        rows.extend(rate(&mut system, &entrants, &groups));
    }
    let bytes = rows
        .iter()
        .flat_map(|row| [row.mu, row.sigma])
        .flat_map(f64::to_le_bytes);
    // FNV-1a, 64 bits.
    let hash = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    assert_eq!(hash, 0x53C4_8538_82A1_3026, "{hash:#X}");
}
