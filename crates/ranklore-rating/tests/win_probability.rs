//! Win probabilities that are published, or that follow from published ratings.

use std::f64::consts::PI;

use ranklore_rating::{
    Bar, BarParameters, Codeforces, CodeforcesOfficial, CodeforcesOfficialParameters,
    CodeforcesParameters, Elo, EloMmr, EloMmrParameters, EloMmx, EloMmxParameters, EloModel,
    EloPairwise, EloPairwiseParameters, EloParameters, EloR, EloRParameters, EloSrm, EloSrm2,
    EloSrm2Parameters, EloSrmParameters, Glicko, Glicko2, Glicko2Parameters, GlickoParameters,
    InitialRating, PlackettLuce, PlackettLuceParameters, RatingSystem, Topcoder,
    TopcoderParameters, TrueSkill, TrueSkillParameters, TrueSkillSpb, TrueSkillSpbParameters,
    WinProbability,
};

/// Returns the probabilities of two teams of these ratings, mu and sigma.
fn predict(
    system: &mut dyn RatingSystem,
    first: &[(f64, f64)],
    second: &[(f64, f64)],
) -> WinProbability {
    let ratings = first.iter().chain(second);
    for (competitor, &(mu, sigma)) in (0..).zip(ratings) {
        let sigma = Some(sigma);
        system.set_initial_rating(competitor, InitialRating { mu, sigma });
    }
    let count = (first.len() + second.len()) as u32;
    let competitors: Vec<u32> = (0..count).collect();
    let (first, second) = competitors.split_at(first.len());
    system.win_probability(first, second)
}

fn assert_close(actual: f64, expected: f64, tolerance: f64) {
    let off = (actual - expected).abs();
    assert!(off <= tolerance, "{actual} for {expected}");
}

#[test]
fn lead_of_400_points_wins_ten_of_eleven() {
    let systems: [Box<dyn RatingSystem>; 7] = [
        Box::new(Elo::new(EloParameters::default()).unwrap()),
        Box::new(EloPairwise::new(EloPairwiseParameters::default()).unwrap()),
        Box::new(PlackettLuce::new(PlackettLuceParameters::default()).unwrap()),
        Box::new(Codeforces::new(CodeforcesParameters::default()).unwrap()),
        Box::new(CodeforcesOfficial::new(CodeforcesOfficialParameters::default()).unwrap()),
        Box::new(EloSrm::new(EloSrmParameters::default()).unwrap()),
        Box::new(EloSrm2::new(EloSrm2Parameters::default()).unwrap()),
    ];
    for mut system in systems {
        let actual = predict(system.as_mut(), &[(1900.0, 350.0)], &[(1500.0, 100.0)]);
        assert_close(actual.above, 10.0 / 11.0, 1e-15);
        assert_close(actual.tied, 0.0, 0.0);
    }
}

/// A lead of one deviation of the difference, or of two logistic scales. The deviation of one
/// performance has γ² = 0.2·80² and β² = (1 + 1/0.2)·80² by default; τ² of Elo-R has
/// δ² = 250² and η² = 1/(1/100² − 1/250²) − 100².
#[test]
fn noise_of_elo_mmr_and_elo_r_is_that_of_the_papers() {
    let mut mmr = EloMmr::new(EloMmrParameters::default()).unwrap();
    let mut mmx = EloMmx::new(EloMmxParameters::default()).unwrap();
    let mut elo_r = EloR::new(EloRParameters::default()).unwrap();
    let sigma = 100.0_f64;
    let variance = 0.2 * 6_400.0 + 6.0 * 6_400.0 + sigma * sigma;
    let growth = 1.0 / (1e-4_f64 - 1.0 / 62_500.0) - 1e4;
    let two_scales = (62_500.0 + growth + sigma * sigma).sqrt();
    // 1 − e⁻²·(1 + e⁻²)/(1 − e⁻²)², and Φ(1).
    let (logistic, normal) = (0.794_486_812_266_510_4, 0.841_344_746_068_542_9);
    for (system, lead, expected) in [
        (&mut mmr as &mut dyn RatingSystem, 2.0 / PI * (3.0 * variance).sqrt(), logistic),
        (&mut mmx, (2.0 * variance).sqrt(), normal),
        (&mut elo_r, two_scales, logistic),
    ] {
        let actual = predict(system, &[(1500.0 + lead, sigma)], &[(1500.0, sigma)]);
        assert_close(actual.above, expected, 1e-12);
    }
}

/// Skills drift before a contest: sigma² grows by the square of the parameter.
#[test]
fn drift_widens_predictions_like_sigma() {
    let with_drift: fn(f64) -> [Box<dyn RatingSystem>; 4] = |drift| {
        [
            Box::new(
                Glicko::new(GlickoParameters {
                    sigma_drift: drift,
                    ..GlickoParameters::default()
                })
                .unwrap(),
            ),
            Box::new(
                Bar::new(BarParameters {
                    sigma_drift: drift,
                    ..BarParameters::default()
                })
                .unwrap(),
            ),
            Box::new(
                TrueSkill::new(TrueSkillParameters {
                    tau: drift,
                    ..TrueSkillParameters::default()
                })
                .unwrap(),
            ),
            Box::new(
                TrueSkillSpb::new(TrueSkillSpbParameters {
                    sigma_drift: drift,
                    ..TrueSkillSpbParameters::default()
                })
                .unwrap(),
            ),
        ]
    };
    for (mut drifting, mut constant) in with_drift(40.0).into_iter().zip(with_drift(0.0)) {
        let actual = predict(drifting.as_mut(), &[(1600.0, 30.0)], &[(1500.0, 9.0)]);
        let expected = predict(constant.as_mut(), &[(1600.0, 50.0)], &[(1500.0, 41.0)]);
        assert_close(actual.above, expected.above, 1e-14);
    }
}

/// Elo's first system: one class, 200 points, wins 76 %.
#[test]
fn gaussian_elo_class_wins_three_quarters() {
    let mut system = Elo::new(EloParameters {
        model: EloModel::Gaussian,
        scale: 200.0,
        ..EloParameters::default()
    })
    .unwrap();
    let actual = predict(&mut system, &[(1700.0, 0.0)], &[(1500.0, 0.0)]);
    assert_close(actual.above, 0.760_249_938_906_523_6, 1e-15);
}

/// Glickman's expected outcomes, with g of both deviations and of one.
#[test]
fn glicko_matches_glickman() {
    let certain = GlickoParameters {
        sigma_drift: 0.0,
        ..GlickoParameters::default()
    };
    let mut glicko = Glicko::new(certain).unwrap();
    let actual = predict(&mut glicko, &[(1400.0, 40.0)], &[(1500.0, 150.0)]);
    assert_close(actual.above, 0.373_700_405_951_935, 1e-14);
    let actual = predict(&mut glicko, &[(1400.0, 80.0)], &[(1500.0, 150.0)]);
    assert_close(actual.above, 0.376, 5e-4);
    let mut glicko2 = Glicko2::new(Glicko2Parameters::default()).unwrap();
    // Step 3 of the worked example has the opponents' deviations only.
    for (opponent, expected) in [
        ((1400.0, 30.0), 0.639),
        ((1550.0, 100.0), 0.432),
        ((1700.0, 300.0), 0.303),
    ] {
        for system in [&mut glicko as &mut dyn RatingSystem, &mut glicko2] {
            let actual = predict(system, &[(1500.0, 1e-3)], &[opponent]);
            assert_close(actual.above, expected, 5e-4);
        }
    }
}

/// The parameters of the Python package.
fn trueskill() -> TrueSkillParameters {
    TrueSkillParameters {
        mu: 25.0,
        sigma: 25.0 / 3.0,
        beta: 25.0 / 6.0,
        tau: 25.0 / 300.0,
        ..TrueSkillParameters::default()
    }
}

/// A result of probability P moves a member by the derivative of ln P by mu, times the variance of
/// the skill: the published ratings determine P up to a factor, and its draw margin.
#[test]
fn trueskill_explains_published_ratings() {
    let mut system = TrueSkill::new(trueskill()).unwrap();
    let newcomer = (25.0, 25.0 / 3.0);
    let variance = 625.0 / 9.0 + 1.0 / 144.0;
    let step = 1e-4;
    for (mates, opponents, is_draw, expected, digit) in [
        (0, &[newcomer][..], false, 29.395_832, 1e-6),
        (1, &[newcomer; 2], false, 28.108, 1e-3),
        (3, &[newcomer; 4], false, 27.198, 1e-3),
        (0, &[newcomer; 2], false, 33.730, 1e-3),
        (0, &[newcomer; 7], false, 40.582, 1e-3),
        (0, &[newcomer; 2], true, 31.660, 1e-3),
        (0, &[(50.0, 12.5)], true, 31.662_302, 1e-6),
    ] {
        let mut log_at = |mu: f64| {
            let mut team = vec![newcomer; mates];
            team.push((mu, newcomer.1));
            let actual = predict(&mut system, &team, opponents);
            (if is_draw { actual.tied } else { actual.above }).ln()
        };
        let slope = (log_at(25.0 + step) - log_at(25.0 - step)) / (2.0 * step);
        assert_close(25.0 + variance * slope, expected, digit);
    }
}

#[test]
fn certain_trueskill_equals_draw_as_configured() {
    let mut system = TrueSkill::new(TrueSkillParameters {
        tau: 0.0,
        ..trueskill()
    })
    .unwrap();
    for players in [1, 2, 5] {
        let team = vec![(25.0, 1e-3); players];
        let actual = predict(&mut system, &team, &team);
        assert_close(actual.tied, 0.1, 1e-7);
        assert_close(actual.above, 0.45, 1e-7);
    }
}

/// Equals of certain skills share a level with probability erf(eps/beta).
#[test]
fn trueskill_spb_equals_draw_within_levels() {
    let mut system = TrueSkillSpb::new(TrueSkillSpbParameters {
        eps: 100.0,
        beta: 200.0,
        sigma_drift: 0.0,
        ..TrueSkillSpbParameters::default()
    })
    .unwrap();
    let equal = [(1500.0, 1e-3)];
    let actual = predict(&mut system, &equal, &equal);
    assert_close(actual.tied, 0.520_499_877_813_046_5, 1e-10);
}

/// Φ(300/√(300² + 400²)), the site's WP.
#[test]
fn topcoder_win_probability_has_both_volatilities() {
    let mut system = Topcoder::new(TopcoderParameters::default()).unwrap();
    let actual = predict(&mut system, &[(1500.0, 300.0)], &[(1200.0, 400.0)]);
    assert_close(actual.above, 0.725_746_882_249_927, 1e-15);
}
