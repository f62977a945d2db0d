//! Contests with published results, and with results of the reference implementation.

use ranklore_rating::{DrawMargin, TrueSkillParameters, TrueSkillPlayer};
use serde::Deserialize;

use super::{
    NEWCOMER, Rating, assert_near, individual_ratings_after, published_parameters, system,
    team_ratings_after, untied,
};

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

/// Compares with the Python package trueskill 0.4.5 in high precision on invented contests.
#[test]
fn matches_reference_to_thousandth_of_sigma() {
    let reference: Reference =
        serde_json::from_str(include_str!("../gold/trueskill.json")).unwrap();
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
        let expected: Vec<Rating> =
            order.iter().flat_map(|&team| case.expected[team].clone()).collect();
        let tolerance = 1e-3 * case.params.sigma;
        let params = TrueSkillParameters {
            margin: DrawMargin::Fixed,
            ..case.params
        };
        assert_near(&team_ratings_after(&system(params), &teams, &groups), &expected, tolerance);
    }
}

/// Numbers to six digits, of converged message passing.
#[test]
fn newcomer_contests_match_published() {
    let system = system(published_parameters());
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
        let actual = individual_ratings_after(
            &system,
            &vec![NEWCOMER; expected.len()],
            &untied(expected.len() as u32),
        );
        assert_near(&actual, &expected, 2e-6);
    }
    let eight = [
        (36.771_096, 5.749_284),
        (32.242_343, 5.132_913),
        (29.073_982, 4.942_715),
        (26.322_179, 4.874_549),
    ];
    assert_near(
        &individual_ratings_after(&system, &[NEWCOMER; 8], &untied(8))[..4],
        &eight,
        2e-6,
    );
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
        &individual_ratings_after(&system, &[NEWCOMER; 16], &untied(16))[..8],
        &sixteen,
        2e-6,
    );
}

#[test]
fn draws_match_published() {
    let system = system(published_parameters());
    assert_near(
        &individual_ratings_after(&system, &[NEWCOMER; 2], &[2]),
        &[(25.0, 6.457_516); 2],
        2e-6,
    );
    let three = [(25.0, 5.698_668), (25.0, 5.695_253), (25.0, 5.698_668)];
    assert_near(&individual_ratings_after(&system, &[NEWCOMER; 3], &[3]), &three, 2e-6);
    let one_and_four = [
        (30.620_516, 6.365_601),
        (23.584_537, 5.103_627),
        (23.593_401, 5.100_158),
        (23.599_300, 5.101_645),
        (23.602_246, 5.108_094),
    ];
    assert_near(&individual_ratings_after(&system, &[NEWCOMER; 5], &[1, 5]), &one_and_four, 2e-6);
    let uneven = [(31.662_302, 7.137_446), (35.010_653, 7.910_077)];
    assert_near(
        &individual_ratings_after(&system, &[NEWCOMER, (50.0, 12.5)], &[2]),
        &uneven,
        2e-6,
    );
    let often = self::system(TrueSkillParameters {
        draw_probability: 0.5,
        ..published_parameters()
    });
    let won = [(30.267, 7.077), (19.733, 7.077)];
    assert_near(&individual_ratings_after(&often, &[NEWCOMER; 2], &[1, 2]), &won, 6e-4);
}

#[test]
fn upsets_match_published() {
    let ratings: Vec<Rating> =
        (1..=8).map(|i| (5.0 + 5.0 * f64::from(i), 9.0 - f64::from(i))).collect();
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
        &individual_ratings_after(&system(published_parameters()), &ratings, &untied(8)),
        &expected,
        2e-6,
    );
}

#[test]
fn teams_match_published() {
    let system = system(published_parameters());
    let near = |teams: &[&[Rating]], groups: &[u32], expected: &[Rating]| {
        // The source truncates after the third digit.
        assert_near(&team_ratings_after(&system, teams, groups), expected, 1.1e-3);
    };
    near(
        &[&[NEWCOMER; 2], &[NEWCOMER; 2]],
        &[1, 2],
        &[
            (28.108, 7.774),
            (28.108, 7.774),
            (21.892, 7.774),
            (21.892, 7.774),
        ],
    );
    near(&[&[NEWCOMER; 2], &[NEWCOMER; 2]], &[2], &[(25.0, 7.455); 4]);
    near(
        &[&[NEWCOMER], &[NEWCOMER; 2]],
        &[1, 2],
        &[(33.730, 7.317), (16.270, 7.317), (16.270, 7.317)],
    );
    near(
        &[&[NEWCOMER], &[NEWCOMER; 2]],
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
    let (three, two): (&[Rating], &[Rating]) =
        (&[(28.0, 7.0), (27.0, 6.0), (26.0, 5.0)], &[(30.0, 4.0), (31.0, 3.0)]);
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
    // The source has full digits, but with a normal quantile that is only exact to 5e-4.
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
    let drawn = team_ratings_after(
        &system,
        &[&[(15.0, 8.0), (20.0, 6.0)], &[(25.0, 4.0), (30.0, 3.0)]],
        &[2],
    );
    for (actual, expected) in drawn.iter().zip([21.571_213, 23.696_619, 23.356_662, 29.075_310]) {
        assert!((actual.0 - expected).abs() < 2e-3, "{actual:?} for {expected}");
    }
}

#[test]
fn partial_play_matches_published() {
    let system = system(published_parameters());
    for (shares, teams, expected) in [
        ([0.5, 0.5, 0.5], [1, 3], [(33.939, 7.312), (16.061, 7.312), (16.061, 7.312)]),
        ([1.0, 0.0, 1.0], [1, 3], [(29.440, 7.166), (25.0, 8.333), (20.560, 7.166)]),
        ([1.0, 0.5, 1.0], [1, 3], [(32.417, 7.056), (21.291, 8.033), (17.583, 7.056)]),
    ] {
        let players = shares.map(|share| TrueSkillPlayer {
            mu: NEWCOMER.0,
            sigma: NEWCOMER.1,
            share,
        });
        // The source truncates after the third digit and has no share below 0.0001.
        let actual = system.posterior(&players, &teams, &[1, 2]);
        assert_near(&actual, &expected, 1.1e-3);
    }
}

/// Compares roughly, since the source has lost digits: it uses −t for v where Φ(t) underflows. The
/// exact moments are in the test before this one.
#[test]
fn extreme_upsets_match_published() {
    let system = system(published_parameters());
    let far = individual_ratings_after(&system, &[(-323.263, 2.965), (-48.441, 2.190)], &[1, 2]);
    assert_near(&far, &[(-273.092, 2.683), (-75.830, 2.080)], 0.04);
    let near_a_thousand =
        individual_ratings_after(&system, &[NEWCOMER, (1000.0, NEWCOMER.1)], &[1, 2]);
    assert_near(&near_a_thousand, &[(415.298, 6.455), (609.702, 6.455)], 0.08);
    let million = individual_ratings_after(&system, &[NEWCOMER, (1e6, NEWCOMER.1)], &[1, 2]);
    assert_near(&million, &[(400_016.896, 6.455), (600_008.104, 6.455)], 7.0);
}
