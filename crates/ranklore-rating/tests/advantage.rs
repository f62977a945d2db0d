//! The advantage of the first move, or of playing at home: it changes expected scores as rating
//! points do, and no rating by itself.

use ranklore_rating::{
    Elo, EloParameters, Glicko, Glicko2, Glicko2Parameters, GlickoInformation, GlickoParameters,
    InitialRating, RatingRound, RatingSystem, TrueSkill, TrueSkillParameters,
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
                let actual = play(with.as_mut(), raised, groups, Some(advantaged));
                raised[advantaged as usize] += ADVANTAGE;
                let expected = play(without.as_mut(), raised, groups, None);
                for ((gain, sigma), (other_gain, other_sigma)) in actual.into_iter().zip(expected) {
                    assert!((gain - other_gain).abs() < 1e-9, "{actual:?} {expected:?}");
                    assert!((sigma - other_sigma).abs() < 1e-9, "{actual:?} {expected:?}");
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
        let actual = play(with.as_mut(), start, &[1, 2], None);
        assert_eq!(actual, play(without.as_mut(), start, &[1, 2], Some(0)));
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

/// Asserts the ratings after a game: 1550 at home beats 1470, both with sigma 80.
fn assert_home_win(mut system: impl RatingSystem, gain: f64, sigma: f64) {
    let actual = play(&mut system, [1550.0, 1470.0], &[1, 2], Some(0));
    for ((gained, gained_sigma), gain) in actual.into_iter().zip([gain, -gain]) {
        assert!((gained - gain).abs() < 1e-9, "{gained} {gain}");
        assert!((gained_sigma - sigma).abs() < 1e-9, "{gained_sigma} {sigma}");
    }
}

/// The expected score is that of a lead of 80 + 35 = 115 points.
#[test]
fn home_win_matches_formulas_by_hand() {
    // 32·(1 − E), E = 1/(1 + 10^(−115/400)).
    let elo = EloParameters {
        advantage: ADVANTAGE,
        ..Default::default()
    };
    assert_home_win(Elo::new(elo).unwrap(), 10.889_344_187_368, 0.0);
    // q·g·(1 − E)/(1/RD² + 1/d²), E = 1/(1 + 10^(−g·115/400)), g = 1/√(1 + 3·q²·RD²/π²),
    // 1/d² = q²·g²·E·(1 − E), q = ln 10/400.
    let glicko = GlickoParameters {
        advantage: ADVANTAGE,
        sigma_drift: 0.0,
        information: GlickoInformation::EveryPair,
        ..Default::default()
    };
    let glicko = Glicko::new(glicko).unwrap();
    assert_home_win(glicko, 11.784_534_303_123, 78.258_033_391_507);
    // Glickman's eight steps, with 115/173.7178 for μ − μ₁.
    let glicko2 = Glicko2Parameters {
        advantage: ADVANTAGE,
        ..Default::default()
    };
    let glicko2 = Glicko2::new(glicko2).unwrap();
    assert_home_win(glicko2, 11.975_811_774_686, 78.890_589_849_253);
    // v(t)·σ²/c with σ² = 80² + 3.5², c² = 2·175² + 2·σ², t = (115 − ε)/c, ε = Φ⁻¹(0.55)·√2·175.
    let trueskill = TrueSkillParameters {
        advantage: ADVANTAGE,
        ..Default::default()
    };
    let trueskill = TrueSkill::new(trueskill).unwrap();
    assert_home_win(trueskill, 14.431_662_448_488, 78.097_134_615_747);
}

/// An advantage of the one side is a disadvantage of the other.
#[test]
fn swapped_sides_with_negated_advantage_yield_same_ratings() {
    for advantage in [ADVANTAGE, -250.0] {
        for (mut one, mut other) in systems(advantage).into_iter().zip(systems(-advantage)) {
            for groups in [&[1, 2][..], &[2]] {
                for advantaged in [0, 1] {
                    let start = [1550.0, 1470.0];
                    let actual = play(one.as_mut(), start, groups, Some(advantaged));
                    let swapped = play(other.as_mut(), start, groups, Some(1 - advantaged));
                    for ((gain, sigma), other_row) in actual.into_iter().zip(swapped) {
                        assert!((gain - other_row.0).abs() < 1e-9, "{actual:?} {swapped:?}");
                        assert!((sigma - other_row.1).abs() < 1e-9, "{actual:?} {swapped:?}");
                    }
                }
            }
        }
    }
}

/// In a period both games count against the ratings before it. With the advantage the home wins of
/// two equals are expected alike, and cancel.
#[test]
fn home_wins_of_equals_in_one_period_cancel() {
    let systems = systems(ADVANTAGE).into_iter().take(3);
    for mut system in systems {
        let mut rated = Vec::new();
        let mut first_gain = 0.0;
        for entrants in [[0, 1], [1, 0]] {
            let round = RatingRound {
                advantaged: Some(0),
                period: Some(7),
                ..RatingRound::new(&entrants, &[1, 2])
            };
            system.rate(&round, &mut rated);
            first_gain = f64::max(first_gain, rated[0].mu - 1500.0);
        }
        assert!(first_gain > 1.0, "{rated:?}");
        for row in &rated {
            assert!((row.mu - 1500.0).abs() < 1e-9, "{rated:?}");
        }
    }
}

#[test]
fn advantage_is_at_most_ten_thousand_points() {
    for advantage in [-1e4, 1e4] {
        assert_eq!(systems(advantage).len(), 4);
    }
    for advantage in [-10_001.0, 10_001.0, f64::NAN, f64::INFINITY] {
        let elo = Elo::new(EloParameters {
            advantage,
            ..Default::default()
        });
        let glicko = Glicko::new(GlickoParameters {
            advantage,
            ..Default::default()
        });
        let glicko2 = Glicko2::new(Glicko2Parameters {
            advantage,
            ..Default::default()
        });
        let trueskill = TrueSkill::new(TrueSkillParameters {
            advantage,
            ..Default::default()
        });
        let errors = [
            elo.err().map(|error| error.to_string()),
            glicko.err().map(|error| error.to_string()),
            glicko2.err().map(|error| error.to_string()),
            trueskill.err().map(|error| error.to_string()),
        ];
        for error in errors {
            let error = error.unwrap();
            assert!(error.contains("advantage"), "{error}");
            assert!(error.contains("-1e4"), "{error}");
        }
    }
}
