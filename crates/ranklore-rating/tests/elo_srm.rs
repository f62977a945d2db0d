//! Elo-SRM against golden vectors, a direct implementation of its formulas, and its properties.

use std::collections::BTreeMap;

use crate::fingerprint::fingerprint;
use crate::history::{MIXED, OwnedRound, history, replay_bits};
use crate::random::Random;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use ranklore_rating::{
    EloSrm, EloSrm2, EloSrm2Parameters, EloSrmParameters, InitialRating, PastResult, RatedEntrant,
    RatingSystem,
};

fn elo_srm() -> Box<dyn RatingSystem> {
    Box::new(EloSrm::new(EloSrmParameters::default()).unwrap())
}

fn elo_srm2() -> Box<dyn RatingSystem> {
    Box::new(EloSrm2::new(EloSrm2Parameters::default()).unwrap())
}

/// Competitor, score, rating after the round.
type Division = Vec<(u32, f64, f64)>;

/// Compares with the authors' own program: rounds in up to two divisions, which are one event.
#[test]
fn matches_golden_vectors() {
    let mut gold: BTreeMap<String, Vec<Vec<Division>>> =
        serde_json::from_str(include_str!("gold/elo-srm.json")).unwrap();
    let mut compared = 0;
    for (variant, mut system) in [("Elo", elo_srm()), ("Elo2", elo_srm2())] {
        for (event, divisions) in gold.remove(variant).unwrap().into_iter().enumerate() {
            for division in divisions {
                let entrants: Vec<u32> = division.iter().map(|row| row.0).collect();
                let mut groups: Vec<u32> = (1..division.len())
                    .filter(|&place| division[place].1 < division[place - 1].1)
                    .map(|place| place as u32)
                    .collect();
                groups.push(division.len() as u32);
                let contest = OwnedRound {
                    event: event as u32,
                    ..OwnedRound::new(&entrants, &groups)
                };
                let rated = contest.rate(system.as_mut());
                for (index, &(competitor, _, mu)) in division.iter().enumerate() {
                    let Some(actual) = rated.get(index) else {
                        // The authors rate divisions in which all tie; here they have no effect, so
                        // their rows are copied.
                        let rated = RatedEntrant {
                            mu,
                            sigma: 0.0,
                            performance: Some(mu),
                            volatility: None,
                        };
                        let ends_at = 0;
                        let weight = 1.0;
                        system.restore(
                            competitor,
                            &PastResult {
                                period: None,
                                ends_at,
                                weight,
                                rated,
                            },
                        );
                        continue;
                    };
                    assert!(
                        (actual.mu - mu).abs() < 1e-8,
                        "{variant}, event {event}, competitor {competitor}: {} for {mu}",
                        actual.mu
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 750, "{compared} ratings compared");
}

/// New ratings by the published formulas, opponent by opponent.
fn direct_ratings(
    prior: &[(f64, u32)],
    contest: &OwnedRound,
    parameters: &EloSrm2Parameters,
) -> Vec<f64> {
    let points_to_a_win = 400.0 * 2.0_f64.log10();
    let group_of = |place: usize| contest.groups.partition_point(|&end| end as usize <= place);
    let rating = |place: usize| {
        let (own_mu, contests) = prior[place];
        let mut expected = 1.0;
        let mut actual = 1.0;
        let mut mean = 1.0;
        let mut variance = 1.0;
        for (other, &(mu, _)) in prior.iter().enumerate().filter(|pair| pair.0 != place) {
            let win = 1.0 / (1.0 + 10.0_f64.powf((own_mu - mu) / 400.0));
            mean += win;
            variance += win * (1.0 - win);
            if group_of(other) == group_of(place) {
                expected += 0.5;
                actual += 0.5;
            } else {
                expected += win;
                actual += if other < place { 1.0 } else { 0.0 };
            }
        }
        let slope = variance / mean;
        let ceiling = (contest.ceiling - own_mu) / points_to_a_win;
        let wins = f64::log2(expected / actual).min(ceiling);
        let wins = wins + parameters.bonus / points_to_a_win * slope;
        let adjusted = wins * parameters.maximum / (parameters.maximum + wins.abs());
        let experience = (1.0 + f64::from(contests)).powf(parameters.experience_exponent);
        let divisor = experience * (1.0 + parameters.variance_factor * slope);
        own_mu + contest.weight * parameters.k * adjusted / divisor
    };
    (0..prior.len()).map(rating).collect()
}

#[test]
fn large_contests_match_direct_sum() {
    // 0 is the fixed step of section 3.2; 0.5 is the paper's choice.
    for experience_exponent in [0.0, 0.3, 0.5, 1.0] {
        let parameters = EloSrm2Parameters {
            experience_exponent,
            ..EloSrm2Parameters::default()
        };
        let worst = worst_difference(&parameters);
        assert!(worst < 1e-8, "{experience_exponent}: {worst:e}");
    }
}

/// Returns the largest difference to the direct sum in a history of large contests.
fn worst_difference(parameters: &EloSrm2Parameters) -> f64 {
    let mut random = Random::new(3);
    let mut system = EloSrm2::new(*parameters).unwrap();
    let mut state: BTreeMap<u32, (f64, u32)> = BTreeMap::new();
    let mut worst: f64 = 0.0;
    let sizes = [1500, 60, 300, 1500, 20, 700, 1500];
    for (&size, index) in sizes.iter().zip(0..) {
        let mut contest = OwnedRound::random(&mut random, index, size, 2000);
        if index % 3 == 2 {
            // Half of them tie for the last place, as in many rounds.
            contest.groups.retain(|&end| end as usize <= size / 2);
            contest.groups.push(size as u32);
        }
        let newcomer = 1200.0 + 0.63 * f64::from(contest.event);
        let before = |competitor: &u32| state.get(competitor).copied().unwrap_or((newcomer, 0));
        let prior: Vec<(f64, u32)> = contest.entrants.iter().map(before).collect();
        let rated = contest.rate(&mut system);
        for (expected, actual) in direct_ratings(&prior, &contest, parameters).iter().zip(&rated) {
            worst = worst.max((expected - actual.mu).abs());
        }
        for ((&competitor, row), (_, contests)) in contest.entrants.iter().zip(&rated).zip(prior) {
            state.insert(competitor, (row.mu, contests + 1));
        }
    }
    worst
}

/// Newcomers of one event start equal, in any of its contests, with the inflation of the events
/// before theirs.
#[test]
fn inflation_depends_on_event() {
    let ties = [1, 3];
    let contest = |event, entrants: &[u32]| OwnedRound {
        event,
        ..OwnedRound::new(entrants, &ties)
    };
    let mut system = elo_srm2();
    let first = contest(0, &[0, 1, 2]).rate(system.as_mut());
    let same = contest(0, &[3, 4, 5]).rate(system.as_mut());
    assert_eq!(first, same);
    let later = contest(100, &[6, 7, 8]).rate(system.as_mut());
    for (first, later) in first.iter().zip(&later) {
        assert!((later.mu - first.mu - 63.0).abs() < 1e-9);
    }
    // Rated competitors keep their rating.
    system.set_initial_rating(
        9,
        InitialRating {
            mu: 1200.0,
            sigma: None,
        },
    );
    let rows = contest(1000, &[10, 9, 11]).rate(system.as_mut());
    assert!(rows[0].mu > 1830.0 && (1000.0..1300.0).contains(&rows[1].mu));
    assert_eq!(elo_srm().mu(77).to_bits(), 1200.0_f64.to_bits());
}

/// P′ is the derivative of the expected performance (section 3.4), by finite differences: the step
/// of an entrant at its expectation is K·B·P′/K₀/(1 + C·P′) under a small bonus.
#[test]
fn variance_factor_matches_derivative() {
    let points_to_a_win = 400.0 * 2.0_f64.log10();
    let field = [1100.0, 1250.0, 1730.0, 900.0, 1400.0];
    let own_mu = 1300.0;
    // Section 3.4 interprets the 1 of a rank as the odds of losing to oneself.
    let performance = |mu: f64| {
        let losses = field.map(|other| 1.0 / (1.0 + 10.0_f64.powf((mu - other) / 400.0)));
        -f64::log2(10.0_f64.powf((own_mu - mu) / 400.0) + losses.iter().sum::<f64>())
    };
    let step = 1e-3;
    let slope = (performance(own_mu + step) - performance(own_mu - step)) / (2.0 * step);
    let moved = |bonus: f64| {
        let mut system = EloSrm2::new(EloSrm2Parameters {
            bonus,
            maximum: 1e6,
            ..EloSrm2Parameters::default()
        })
        .unwrap();
        for (competitor, &mu) in (1..).zip(&field) {
            system.set_initial_rating(competitor, InitialRating { mu, sigma: None });
        }
        system.set_initial_rating(
            0,
            InitialRating {
                mu: own_mu,
                sigma: None,
            },
        );
        let contest = OwnedRound::new(&[1, 0, 2, 3, 4, 5], &[1, 2, 3, 4, 5, 6]);
        contest.rate(&mut system)[1].mu
    };
    let relative = slope * points_to_a_win;
    let expected = 600.0 * relative / points_to_a_win / (1.0 + 4.0 * relative);
    let actual = moved(1.0) - moved(0.0);
    assert!((actual - expected).abs() < 1e-3 * expected, "{actual} for {expected}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        rng_seed: RngSeed::Fixed(5),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Equation 9: gains are at least as large as losses, in wins, without ties. (With ties they
    /// can be smaller: three equals tied ahead of a far higher rated entrant.)
    #[test]
    fn performances_sum_to_zero_or_more(
        mu in prop::collection::vec(0.0..3000.0_f64, 2..40),
    ) {
        let entrants: Vec<u32> = (0..mu.len() as u32).collect();
        let groups: Vec<u32> = (1..=mu.len() as u32).collect();
        let mut system = elo_srm();
        for (&competitor, &mu) in entrants.iter().zip(&mu) {
            system.set_initial_rating(competitor, InitialRating { mu, sigma: None });
        }
        let rows = OwnedRound::new(&entrants, &groups).rate(system.as_mut());
        let sum: f64 = rows.iter().zip(&mu).map(|(row, mu)| row.performance.unwrap() - mu).sum();
        prop_assert!(sum > -1e-8, "{sum}");
    }

    /// No contest moves a rating by K·M or more.
    #[test]
    fn steps_are_bounded(mu in prop::collection::vec(-1e5..1e5_f64, 2..40)) {
        let entrants: Vec<u32> = (0..mu.len() as u32).collect();
        let groups: Vec<u32> = (1..=mu.len() as u32).collect();
        let mut system = elo_srm();
        for (&competitor, &mu) in entrants.iter().zip(&mu) {
            system.set_initial_rating(competitor, InitialRating { mu, sigma: None });
        }
        let rows = OwnedRound::new(&entrants, &groups).rate(system.as_mut());
        for (row, mu) in rows.iter().zip(&mu) {
            prop_assert!((row.mu - mu).abs() < 600.0 * 6.75);
        }
    }
}

#[test]
fn rounding_never_exceeds_ceiling() {
    // Converting points to wins and back changes the last bits.
    let mut random = Random::new(31);
    for ceiling in [1700.0, -0.0, -1e5, 1e5] {
        let mut system = elo_srm();
        for competitor in 0..50 {
            let mu = random.between(-1e5, 1e5);
            system.set_initial_rating(competitor, InitialRating { mu, sigma: None });
        }
        for index in 0..20 {
            let contest = OwnedRound {
                ceiling,
                ..OwnedRound::random(&mut random, index, 30, 50)
            };
            for row in contest.rate(system.as_mut()) {
                assert!(row.performance.unwrap() <= ceiling, "{row:?} under {ceiling}");
                assert!(
                    row.performance.unwrap() != 0.0 || row.performance.unwrap().is_sign_positive()
                );
            }
        }
    }
}

#[test]
fn bits_match_engine_version() {
    assert_eq!(fingerprint(replay_bits(&elo_srm, &history(13, &MIXED))), 0x049B_2270_34BC_3C2D);
    assert_eq!(fingerprint(replay_bits(&elo_srm2, &history(13, &MIXED))), 0x571E_15A5_1B1E_98BC);
}
