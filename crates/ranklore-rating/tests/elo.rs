//! Two-player Elo against the closed forms of the multiplayer note, section 3.1, and published
//! numbers.

#![expect(
    clippy::float_cmp,
    reason = "what has a short form in binary is met to the last bit"
)]

use ranklore_rating::{
    Elo, EloModel, EloParameters, EloUpdate, InitialRating, InvalidParameter, LearningRate,
    RatedEntrant, RatingRound, RatingSystem,
};

/// Leads of the winner and the closed forms of both updates under the Gaussian model, φ/(√2·Φ) at
/// lead/√2 and Φ at −lead/√2, computed with 160 digits.
const LEADS: [(f64, f64, f64); 7] = [
    (-12.0, 6.081_164_640_200_049, 1.0),
    (-3.5, 1.979_805_450_406_707_7, 0.993_335_835_609_591_3),
    (-1.0, 0.916_352_820_649_349_2, 0.760_249_938_906_523_3),
    (0.0, 0.564_189_583_547_756_3, 0.5),
    (0.5, 0.415_259_818_155_287_9, 0.361_836_804_915_881_55),
    (2.0, 0.112_635_621_314_328_72, 0.078_649_603_525_142_57),
    (6.0, 3.481_364_751_207_490_3e-5, 1.104_524_849_929_272e-5),
];

/// Parameters in units of the model, as in the note.
fn note_parameters(model: EloModel, update: EloUpdate, rate: f64) -> EloParameters {
    EloParameters {
        model,
        update,
        scale: 1.0,
        learning_rate: LearningRate::Fixed(rate),
        initial_mu: 0.0,
        ..EloParameters::default()
    }
}

/// The ratings of the winner and the loser after one game.
fn game(parameters: EloParameters, winner: f64, loser: f64) -> (f64, f64) {
    let mut system = Elo::new(parameters).unwrap_or_else(|invalid| panic!("{invalid}"));
    for (competitor, mu) in [(0, winner), (1, loser)] {
        system.set_initial_rating(competitor, InitialRating { mu, sigma: None });
    }
    let mut rated: Vec<RatedEntrant> = Vec::new();
    system.rate(&RatingRound::new(&[0, 1], &[1, 2]), &mut rated);
    assert_eq!(system.mu(0), rated[0].mu);
    (rated[0].mu, rated[1].mu)
}

#[test]
fn matches_published_ratings() {
    // A K of 32 and 64, and a scale of 200, 400 and 800 points for odds of 10 to 1.
    for (k, d, winner, loser, expected) in [
        (32.0, 400.0, 1200.0, 1000.0, 1_207.688_098_35),
        (32.0, 400.0, 1000.0, 1200.0, 1_024.311_901_65),
        (64.0, 400.0, 1200.0, 1000.0, 1_215.376_196_69),
        (64.0, 800.0, 1200.0, 1000.0, 1_223.035_840_01),
        (32.0, 200.0, 1200.0, 1000.0, 1_202.909_090_91),
    ] {
        let parameters = EloParameters {
            scale: d / std::f64::consts::LN_10,
            learning_rate: LearningRate::Fixed(k),
            ..EloParameters::default()
        };
        let (actual, lost) = game(parameters, winner, loser);
        let error = (actual - expected).abs();
        assert!(error < 1e-8, "{actual} for {expected}");
        assert!((actual + lost - winner - loser).abs() < 1e-9);
    }
}

#[test]
fn gaussian_steps_match_closed_forms() {
    for (lead, likelihood, bounded) in LEADS {
        let rate_winner =
            |update| game(note_parameters(EloModel::Gaussian, update, 1.0), lead, 0.0);
        let (won, lost) = rate_winner(EloUpdate::Likelihood);
        assert!((won - lead - likelihood).abs() < 1e-13 * (1.0 + likelihood + lead.abs()));
        assert!((lost + likelihood).abs() < 1e-13 * (1.0 + likelihood));
        let (won, lost) = rate_winner(EloUpdate::Bounded);
        assert!((won - lead - bounded).abs() < 1e-14 * (1.0 + lead.abs()));
        assert!((lost + bounded).abs() < 1e-15);
    }
}

#[test]
fn exponential_updates_are_equal() {
    for lead in [-30.0, -1.5, 0.0, 0.3, 800.0] {
        let update_ratings =
            |update| game(note_parameters(EloModel::Exponential, update, 0.5), lead, 0.0);
        assert_eq!(update_ratings(EloUpdate::Likelihood), update_ratings(EloUpdate::Bounded));
        let expected = 0.5 / (1.0 + f64::exp(lead));
        assert!((update_ratings(EloUpdate::Bounded).1 + expected).abs() < 1e-15);
    }
}

#[test]
fn steps_match_likelihood_gradients() {
    let log_odds = |lead: f64| -libm::log1p(libm::exp(-lead));
    let log_normal = |lead: f64| libm::log(0.5 * libm::erfc(-0.5 * lead));
    let h = 1e-5;
    for lead in [-4.0, -0.7, 0.0, 1.1, 3.0] {
        let slope = |f: &dyn Fn(f64) -> f64| (f(lead + h) - f(lead - h)) / (2.0 * h);
        for (model, expected) in [
            (EloModel::Exponential, slope(&log_odds)),
            (EloModel::Gaussian, slope(&log_normal)),
        ] {
            let (won, _) = game(note_parameters(model, EloUpdate::Likelihood, 1.0), lead, 0.0);
            assert!((won - lead - expected).abs() < 1e-8, "{model:?} at {lead}");
        }
    }
}

#[test]
fn only_two_player_games_are_rated() {
    let mut system = Elo::new(EloParameters::default()).unwrap();
    let mut rated = vec![];
    for (entrants, groups) in [
        (&[0, 1, 2][..], &[1, 2, 3][..]),
        (&[0, 1, 2], &[1, 3]),
        (&[0], &[1]),
    ] {
        system.rate(&RatingRound::new(entrants, groups), &mut rated);
        assert_eq!(rated, []);
        assert_eq!(system.mu(0), 1500.0);
    }
}

/// The published example of the FIDE Handbook, B.02, section 8.3: with K = 10 a draw against a player
/// 200 points above, whose expected score is 0.76, gains 2.6 points.
#[test]
fn draw_is_half_a_win() {
    for (lead, gain) in [(0.0, 0.0), (-200.0, 0.26), (200.0, -0.26)] {
        for (model, update) in [
            (EloModel::Exponential, EloUpdate::Likelihood),
            (EloModel::Gaussian, EloUpdate::Bounded),
        ] {
            let mut system = Elo::new(EloParameters {
                model,
                update,
                scale: match model {
                    EloModel::Exponential => EloParameters::default().scale,
                    EloModel::Gaussian => 200.0,
                },
                learning_rate: LearningRate::Fixed(10.0),
                ..EloParameters::default()
            })
            .unwrap();
            let start = InitialRating {
                mu: 1500.0 + lead,
                sigma: None,
            };
            system.set_initial_rating(0, start);
            let mut rated = vec![];
            system.rate(&RatingRound::new(&[0, 1], &[2]), &mut rated);
            let gained = rated[0].mu - start.mu;
            assert!((gained - 10.0 * gain).abs() < 0.05, "{model:?}: {gained}");
            assert!((gained + rated[1].mu - 1500.0).abs() < 1e-9);
        }
    }
}

/// A dummy shares the last place, and a draw has none.
#[test]
fn dummy_takes_no_part_in_draws() {
    let rate = |dummy_mu| {
        let parameters = EloParameters {
            dummy_mu,
            ..EloParameters::default()
        };
        let mut system = Elo::new(parameters).unwrap();
        let mut rated = vec![];
        for (entrants, groups) in [(&[0, 1][..], &[1, 2][..]), (&[0, 1], &[2])] {
            let before = [system.mu(0), system.mu(1)];
            system.rate(&RatingRound::new(entrants, groups), &mut rated);
            if groups.len() == 1 {
                return [rated[0].mu - before[0], rated[1].mu - before[1]];
            }
        }
        unreachable!("the second game is a draw")
    };
    let [first, second] = rate(Some(0.0));
    assert!(first < 0.0 && (first + second).abs() < 1e-9);
    assert!(rate(None)[0] < 0.0);
}

#[test]
fn dummy_loses_and_stays() {
    let parameters = EloParameters {
        dummy_mu: Some(1400.0),
        ..EloParameters::default()
    };
    let (won, lost) = game(parameters, 1500.0, 1500.0);
    let against_dummy = 32.0 / (1.0 + f64::powf(10.0, 0.25));
    assert!((won - 1516.0 - against_dummy).abs() < 1e-9, "{won}");
    assert!((lost - 1484.0).abs() < 1e-9, "{lost}");
}

#[test]
fn learning_rate_is_interpolated() {
    let rate = LearningRate::Knots(vec![(0.0, 0.6), (1.0, 0.13), (2.0, 0.09)]);
    for (mu, expected) in [
        (-5.0, 0.6),
        (0.0, 0.6),
        (0.5, 0.365),
        (1.0, 0.13),
        (1.75, 0.1),
        (2.0, 0.09),
        (9.0, 0.09),
    ] {
        assert!((rate.at(mu) - expected).abs() < 1e-15, "{mu}");
    }
    let written = r#"{"learning_rate":[[1000.0,40.0],[2000.0,10.0]]}"#;
    let parameters: EloParameters = serde_json::from_str(written).unwrap();
    let (won, lost) = game(parameters, 1000.0, 2000.0);
    let share = 1.0 / (1.0 + f64::powf(10.0, -2.5));
    assert!((won - 1000.0 - 40.0 * share).abs() < 1e-9);
    assert!((lost - 2000.0 + 10.0 * share).abs() < 1e-9);
    let plain: EloParameters = serde_json::from_str(r#"{"learning_rate":20}"#).unwrap();
    assert_eq!(plain.learning_rate, LearningRate::Fixed(20.0));
}

#[test]
fn ratings_stay_above_floor() {
    let parameters = EloParameters {
        floor: Some(1000.0),
        ..EloParameters::default()
    };
    assert_eq!(game(parameters, 1000.0, 1005.0).1, 1000.0);
}

#[test]
fn weight_multiplies_step() {
    let mut system = Elo::new(EloParameters::default()).unwrap();
    let mut rated = vec![];
    let round = RatingRound {
        weight: 0.5,
        ..RatingRound::new(&[0, 1], &[1, 2])
    };
    system.rate(&round, &mut rated);
    assert_eq!([rated[0].mu, rated[1].mu], [1508.0, 1492.0]);
}

#[test]
fn extreme_ratings_stay_finite() {
    for model in [EloModel::Exponential, EloModel::Gaussian] {
        for update in [EloUpdate::Likelihood, EloUpdate::Bounded] {
            for scale in [1.0, 173.0, 1e6] {
                for (winner, loser) in [(-1e5, 1e5), (1e5, -1e5), (1e5, 1e5)] {
                    let parameters = EloParameters {
                        model,
                        update,
                        scale,
                        ..EloParameters::default()
                    };
                    let (won, lost) = game(parameters, winner, loser);
                    assert!(won.is_finite() && lost.is_finite());
                    assert!(won >= winner && lost <= loser);
                }
            }
        }
    }
}

#[test]
fn out_of_range_parameters_are_named() {
    let name = |parameters: EloParameters| -> &'static str {
        let InvalidParameter { name, .. } = Elo::new(parameters).unwrap_err();
        name
    };
    let with = |learning_rate| EloParameters {
        learning_rate,
        ..EloParameters::default()
    };
    assert_eq!(name(with(LearningRate::Fixed(0.0))), "learning_rate");
    assert_eq!(name(with(LearningRate::Knots(vec![]))), "learning_rate");
    let falling = LearningRate::Knots(vec![(2.0, 1.0), (1.0, 1.0)]);
    assert_eq!(name(with(falling)), "learning_rate");
    let invalid_parameter = |set: fn(&mut EloParameters)| {
        let mut parameters = EloParameters::default();
        set(&mut parameters);
        name(parameters)
    };
    assert_eq!(invalid_parameter(|parameters| parameters.scale = 0.5), "scale");
    assert_eq!(invalid_parameter(|parameters| parameters.floor = Some(f64::NAN)), "floor");
    assert_eq!(invalid_parameter(|parameters| parameters.dummy_mu = Some(2e6)), "dummy_mu");
    assert_eq!(
        invalid_parameter(|parameters| parameters.initial_mu = f64::INFINITY),
        "initial_mu"
    );
    assert!(serde_json::from_str::<EloParameters>(r#"{"k":3}"#).is_err());
}
