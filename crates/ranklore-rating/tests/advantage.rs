//! The advantage of the first move, or of playing at home: it changes expected scores as rating points
//! do, and no rating by itself.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use ranklore_rating::{
    Elo, EloParameters, Glicko, Glicko2, Glicko2Parameters, GlickoParameters, InitialRating,
    RatingRound, RatingSystem, TrueSkill, TrueSkillParameters,
};

const ADVANTAGE: f64 = 35.0;

/// The systems with this advantage.
fn systems(advantage: f64) -> Vec<Box<dyn RatingSystem>> {
    vec![
        Box::new(
            Elo::new(EloParameters {
                advantage,
                ..Default::default()
            })
            .unwrap(),
        ),
        Box::new(
            Glicko::new(GlickoParameters {
                advantage,
                ..Default::default()
            })
            .unwrap(),
        ),
        Box::new(
            Glicko2::new(Glicko2Parameters {
                advantage,
                ..Default::default()
            })
            .unwrap(),
        ),
        Box::new(
            TrueSkill::new(TrueSkillParameters {
                advantage,
                ..Default::default()
            })
            .unwrap(),
        ),
    ]
}

/// Returns the gains in mu of a game of two, and the sigmas after it.
fn play(
    system: &mut dyn RatingSystem,
    start: [f64; 2],
    groups: &[u32],
    advantaged: Option<u32>,
) -> [(f64, f64); 2] {
    for (competitor, mu) in (0..).zip(start) {
        system.set_initial_rating(
            competitor,
            InitialRating {
                mu,
                sigma: Some(80.0),
            },
        );
    }
    let mut rated = Vec::new();
    let round = RatingRound {
        advantaged,
        ..RatingRound::new(&[0, 1], groups)
    };
    system.rate(&round, &mut rated);
    [0, 1].map(|index| (rated[index].mu - start[index], rated[index].sigma))
}

#[test]
fn advantage_counts_as_rating_points() {
    for (mut with, mut without) in systems(ADVANTAGE).into_iter().zip(systems(0.0)) {
        for groups in [&[1, 2][..], &[2]] {
            for advantaged in [0, 1] {
                let mut raised = [1550.0, 1470.0];
                let found = play(with.as_mut(), raised, groups, Some(advantaged));
                raised[advantaged as usize] += ADVANTAGE;
                let expected = play(without.as_mut(), raised, groups, None);
                for ((gain, sigma), (other_gain, other_sigma)) in found.into_iter().zip(expected) {
                    assert!((gain - other_gain).abs() < 1e-9, "{found:?} {expected:?}");
                    assert!((sigma - other_sigma).abs() < 1e-9, "{found:?} {expected:?}");
                }
            }
        }
    }
}

#[test]
fn unknown_side_has_no_advantage() {
    for (mut with, mut without) in systems(ADVANTAGE).into_iter().zip(systems(0.0)) {
        assert_eq!(with.advantage().to_bits(), ADVANTAGE.to_bits());
        let start = [1500.0, 1600.0];
        let found = play(with.as_mut(), start, &[1, 2], None);
        assert_eq!(found, play(without.as_mut(), start, &[1, 2], Some(0)));
    }
}

/// In a contest of more than two nobody moves first.
#[test]
fn larger_contests_have_no_advantage() {
    for (mut with, mut without) in systems(ADVANTAGE).into_iter().zip(systems(0.0)).skip(1) {
        let rate = |system: &mut dyn RatingSystem| {
            let mut rated = Vec::new();
            let round = RatingRound {
                advantaged: Some(0),
                ..RatingRound::new(&[0, 1, 2], &[1, 2, 3])
            };
            system.rate(&round, &mut rated);
            rated
        };
        assert_eq!(rate(with.as_mut()), rate(without.as_mut()));
    }
}

/// World Football Elo Ratings add 100 points to the home team: 0.640 is the expected score of equals.
#[test]
fn home_team_of_equals_is_expected_to_score_640_of_1000() {
    let parameters = EloParameters {
        advantage: 100.0,
        ..Default::default()
    };
    let mut elo = Elo::new(parameters).unwrap();
    let [(home, _), (away, _)] = play(&mut elo, [1500.0, 1500.0], &[1, 2], Some(0));
    let expected = 1.0 / (1.0 + 10_f64.powf(-0.25));
    assert!((expected - 0.640_064_999_8).abs() < 1e-9);
    assert!((home - 32.0 * (1.0 - expected)).abs() < 1e-9, "{home}");
    assert!((away + 32.0 * (1.0 - expected)).abs() < 1e-9, "{away}");
}
