//! TrueSkill of St Petersburg: golden vectors, margins, and properties of any contest.

use crate::fingerprint::fingerprint;
use crate::golden::check_vectors;
use crate::random::Random;
use crate::truncated::moments;
use ranklore_rating::{
    DrawMargin, InitialRating, PastResult, RatedEntrant, RatingRound, RatingSystem, TrueSkill,
    TrueSkillParameters, TrueSkillSpb, TrueSkillSpbParameters,
};

/// Compares with an independent implementation, in double precision and converged.
#[test]
fn ratings_match_golden_vectors() {
    for (convergence_eps, tolerance) in [(1e-4, 1e-3), (1e-9, 1e-6)] {
        let compared = check_vectors(
            include_str!("gold/trueskill-spb.json"),
            &["small", "ties", "weighted", "large"],
            tolerance,
            |params| {
                let parameters: TrueSkillSpbParameters =
                    serde_json::from_value(params.clone()).unwrap();
                Box::new(system(TrueSkillSpbParameters {
                    convergence_eps,
                    margin: DrawMargin::Fixed,
                    ..parameters
                }))
            },
        );
        assert!(compared > 3_200, "{compared} ratings compared");
    }
}

fn system(parameters: TrueSkillSpbParameters) -> TrueSkillSpb {
    TrueSkillSpb::new(parameters).unwrap()
}

#[derive(Clone, Debug)]
struct Contest {
    ends_at: i64,
    weight: f64,
    entrants: Vec<u32>,
    groups: Vec<u32>,
}

impl Contest {
    /// Draws some of `pool` competitors, many tied.
    fn random(random: &mut Random, pool: usize) -> Self {
        let mut entrants: Vec<u32> = (0..pool as u32).collect();
        for last in 1..pool {
            entrants.swap(last, random.below(last + 1));
        }
        entrants.truncate(2 + random.below(pool - 1));
        let count = entrants.len() as u32;
        let mut groups: Vec<u32> =
            (1..count).filter(|&end| end == 1 || random.below(2) == 0).collect();
        groups.push(count);
        Self {
            ends_at: 0,
            weight: random.between(0.5, 2.0),
            entrants,
            groups,
        }
    }

    fn rate(&self, system: &mut dyn RatingSystem) -> Vec<RatedEntrant> {
        let mut rated = Vec::new();
        let round = RatingRound {
            ends_at: self.ends_at,
            weight: self.weight,
            ..RatingRound::new(&self.entrants, &self.groups)
        };
        system.rate(&round, &mut rated);
        rated
    }
}

/// Without slack there is one number between two: v and w of a win.
#[test]
fn two_player_win_moves_by_exact_moments() {
    for (mu, sigma) in [
        (1500.0, 350.0),
        (1200.0, 80.0),
        (9000.0, 40.0),
        (-1e5, 10.0),
        (1e5, 1e-3),
    ] {
        let parameters = TrueSkillSpbParameters {
            eps: 1e-3,
            convergence_eps: 1e-9,
            ..TrueSkillSpbParameters::default()
        };
        let mut system = system(parameters.clone());
        let start = InitialRating {
            mu,
            sigma: Some(sigma),
        };
        system.set_initial_rating(1, start);
        let mut rated = Vec::new();
        system.rate(&RatingRound::new(&[0, 1], &[1, 2]), &mut rated);
        let drift = parameters.sigma_drift.powi(2);
        let variances = [350.0 * 350.0 + drift, sigma * sigma + drift];
        let all = variances[0] + variances[1] + 2.0 * (parameters.beta.powi(2) + 1e-6 / 3.0);
        let (mean, variance) = moments(1500.0 - mu, all, 2e-3, f64::INFINITY);
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let share = variances[side] / all;
            let expected = [1500.0, mu][side] + sign * share * (mean - (1500.0 - mu));
            assert!((rated[side].mu - expected).abs() < 1e-3, "{rated:?} for {expected}");
            let expected = (variances[side] * (1.0 - share * (1.0 - variance / all))).sqrt();
            assert!((rated[side].sigma - expected).abs() < 1e-4, "{rated:?} for {expected}");
        }
    }
}

#[test]
fn strict_order_spreads_newcomers() {
    for count in [3, 11, 101, 1001] {
        let entrants: Vec<u32> = (0..count).collect();
        let groups: Vec<u32> = (1..=count).collect();
        let mut rated = Vec::new();
        system(TrueSkillSpbParameters::default())
            .rate(&RatingRound::new(&entrants, &groups), &mut rated);
        assert!(rated.windows(2).all(|pair| pair[0].mu > pair[1].mu));
        assert!((rated[count as usize / 2].mu - 1500.0).abs() < 2e-4);
        for (one, other) in rated.iter().zip(rated.iter().rev()) {
            assert!((one.mu + other.mu - 3000.0).abs() < 1e-3);
            assert!((one.sigma - other.sigma).abs() < 1e-3);
        }
    }
}

/// Rates newcomers in strict order, without drift.
fn rate_newcomers(parameters: &TrueSkillSpbParameters, count: u32) -> Vec<RatedEntrant> {
    let entrants: Vec<u32> = (0..count).collect();
    let groups: Vec<u32> = (1..=count).collect();
    let mut rated = Vec::new();
    system(TrueSkillSpbParameters {
        sigma_drift: 0.0,
        ..parameters.clone()
    })
    .rate(&RatingRound::new(&entrants, &groups), &mut rated);
    rated
}

/// The rating of newcomers in strict order by exact inference: their performances are the order
/// statistics of the normal distribution (by Blom's formula, exact to a hundredth of a deviation).
fn order_statistic(place: u32, count: u32) -> f64 {
    let skill = 350.0 * 350.0;
    let noise = 175.0 * 175.0;
    let above = (f64::from(place) - 0.375) / (f64::from(count) + 0.25);
    1500.0 + quantile_above(above) * skill / f64::sqrt(skill + noise)
}

#[test]
fn newcomers_match_order_statistics() {
    for count in [3, 10, 100, 1_000, 10_000] {
        let rated = rate_newcomers(&TrueSkillSpbParameters::default(), count);
        for (place, row) in (1..).zip(&rated) {
            let expected = order_statistic(place, count);
            assert!((row.mu - expected).abs() < 12.0, "{place} of {count}: {row:?} for {expected}");
        }
        assert!(rated.windows(2).all(|pair| pair[0].mu > pair[1].mu));
    }
    let rated = rate_newcomers(&TrueSkillSpbParameters::default(), 10_000);
    // In the middle the performance is almost known; the rest is noise.
    let left = 1.0 / f64::sqrt(350.0_f64.powi(-2) + 175.0_f64.powi(-2));
    assert!((rated[5000].sigma - left).abs() < 0.1, "{:?}", rated[5000]);
}

/// The winner of ten thousand newcomers with a margin of two, as published: far from the 2706 of
/// exact inference.
#[test]
fn fixed_margin_spreads_newcomers_by_margins() {
    let parameters = TrueSkillSpbParameters {
        margin: DrawMargin::Fixed,
        ..TrueSkillSpbParameters::default()
    };
    let rated = rate_newcomers(&parameters, 10_000);
    assert!((rated[0].mu - 9_635.0).abs() < 100.0, "{:?}", rated[0]);
}

/// Levels are apart by more than 2·`eps`, as performances of TrueSkill by its margin; for a small
/// scaled `eps` the slack has no effect.
#[test]
fn strict_order_matches_trueskill_of_same_draws() {
    for (eps, count) in [(1.0, 2), (1.0, 3), (1.0, 10), (1.0, 1_000), (100.0, 1_000)] {
        let parameters = TrueSkillSpbParameters {
            eps,
            convergence_eps: 1e-7,
            ..TrueSkillSpbParameters::default()
        };
        let mut trueskill = TrueSkill::new(TrueSkillParameters {
            tau: 0.0,
            draw_probability: libm::erf(eps / parameters.beta),
            ..TrueSkillParameters::default()
        })
        .unwrap();
        let entrants: Vec<u32> = (0..count).collect();
        let groups: Vec<u32> = (1..=count).collect();
        let mut expected = Vec::new();
        trueskill.rate(&RatingRound::new(&entrants, &groups), &mut expected);
        for (actual, expected) in rate_newcomers(&parameters, count).iter().zip(&expected) {
            assert!(
                (actual.mu - expected.mu).abs() < 5e-3,
                "{eps}, {count}: {actual:?} for {expected:?}"
            );
        }
    }
}

/// The margin of rare draws is 2/N of that of two, where N counts tied entrants, too.
#[test]
fn small_eps_is_divided_by_entrants() {
    for groups in [&[1, 50][..], &[49, 50], &[10, 11, 30, 50]] {
        let contest = Contest {
            ends_at: 0,
            weight: 1.0,
            entrants: (0..50).collect(),
            groups: groups.to_vec(),
        };
        let [actual, expected] =
            [(0.1, DrawMargin::Adjacent), (0.004, DrawMargin::Fixed)].map(|(eps, margin)| {
                contest.rate(&mut system(TrueSkillSpbParameters {
                    eps,
                    margin,
                    convergence_eps: 1e-7,
                    ..TrueSkillSpbParameters::default()
                }))
            });
        for (actual, expected) in actual.iter().zip(&expected) {
            assert!((actual.mu - expected.mu).abs() < 1e-4, "{actual:?} for {expected:?}");
        }
    }
}

#[test]
fn two_entrants_have_the_same_eps_in_both_modes() {
    for (eps, beta) in [(1.0, 175.0), (1e-3, 1e6), (1e5, 1e-3)] {
        for weight in [0.3, 1.0, 7.0] {
            let contest = Contest {
                ends_at: 0,
                weight,
                entrants: vec![0, 1],
                groups: vec![1, 2],
            };
            let [adjacent, fixed] = [DrawMargin::Adjacent, DrawMargin::Fixed].map(|margin| {
                contest.rate(&mut system(TrueSkillSpbParameters {
                    eps,
                    beta,
                    margin,
                    ..TrueSkillSpbParameters::default()
                }))
            });
            assert_eq!(adjacent, fixed);
        }
    }
}

/// The x beyond which a standard normal number lies with this probability.
fn quantile_above(probability: f64) -> f64 {
    let mut low = -10.0;
    let mut high = 10.0;
    for _ in 0..100 {
        let middle: f64 = 0.5 * (low + high);
        if 0.5 * libm::erfc(middle / 2.0_f64.sqrt()) > probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[test]
fn tie_order_changes_nothing() {
    let mut random = Random::new(6);
    for _ in 0..30 {
        let (mut one, mut other) = (
            system(TrueSkillSpbParameters::default()),
            system(TrueSkillSpbParameters::default()),
        );
        for _ in 0..6 {
            let mut contest = Contest::random(&mut random, 14);
            let rows = |contest: &Contest, system: &mut TrueSkillSpb| {
                let rated = contest.rate(system);
                let row = |(&entrant, rated): (&u32, &RatedEntrant)| {
                    (entrant, rated.mu.to_bits(), rated.sigma.to_bits())
                };
                let mut rows: Vec<_> = contest.entrants.iter().zip(&rated).map(row).collect();
                rows.sort_unstable();
                rows
            };
            let expected = rows(&contest, &mut one);
            let mut start = 0;
            for &end in &contest.groups {
                contest.entrants[start..end as usize].reverse();
                start = end as usize;
            }
            assert_eq!(rows(&contest, &mut other), expected);
        }
    }
}

#[test]
fn ratings_resume_from_rows() {
    let mut random = Random::new(7);
    let parameters = TrueSkillSpbParameters {
        initial_mu: 0.0,
        ..TrueSkillSpbParameters::default()
    };
    let mut full = system(parameters.clone());
    let mut pasts: Vec<(u32, PastResult)> = Vec::new();
    for ends_at in 0..30 {
        let mut resumed = system(parameters.clone());
        for (competitor, past) in &pasts {
            resumed.restore(*competitor, past);
        }
        let contest = Contest {
            ends_at,
            ..Contest::random(&mut random, 15)
        };
        let expected = contest.rate(&mut full);
        assert_eq!(contest.rate(&mut resumed), expected);
        for (&competitor, &rated) in contest.entrants.iter().zip(&expected) {
            assert!(rated.mu != 0.0 || rated.mu.is_sign_positive());
            let past = PastResult {
                period: None,
                ends_at,
                weight: contest.weight,
                rated,
            };
            pasts.push((competitor, past));
        }
    }
}

#[test]
fn extreme_contests_stay_finite() {
    let mut random = Random::new(8);
    for case in 0..90 {
        let mut system = system(TrueSkillSpbParameters {
            eps: [1.0, 1e-3, 1e3][case % 3],
            beta: [175.0, 1e-3, 1e4][case / 3 % 3],
            sigma_drift: [35.0, 0.0][case % 2],
            margin: [DrawMargin::Adjacent, DrawMargin::Fixed][case / 9 % 2],
            ..TrueSkillSpbParameters::default()
        });
        for competitor in 0..60 {
            let exponent = random.between(-3.0, 4.0);
            let start = InitialRating {
                mu: [1e5, -1e5, random.between(-1e5, 1e5)][random.below(3)],
                sigma: Some(libm::exp10(exponent)),
            };
            system.set_initial_rating(competitor, start);
        }
        for _ in 0..4 {
            let contest = Contest::random(&mut random, 60);
            for row in contest.rate(&mut system) {
                assert!(row.mu.is_finite() && row.mu.abs() < 1e7, "case {case}: {row:?}");
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
    let mut rated = Vec::new();
    system(TrueSkillSpbParameters::default())
        .rate(&RatingRound::new(&entrants, &[1, 100_001]), &mut rated);
    assert!(rated[0].mu > 1500.0 && rated[0].sigma < 350.0);
    assert!(rated[1].mu < 1500.0 && rated[1..].iter().all(|row| *row == rated[1]));
}

#[test]
fn parameters_out_of_range_are_rejected() {
    let valid = TrueSkillSpbParameters::default;
    for (name, parameters) in [
        (
            "eps",
            TrueSkillSpbParameters {
                eps: 0.0,
                ..valid()
            },
        ),
        (
            "beta",
            TrueSkillSpbParameters {
                beta: f64::INFINITY,
                ..valid()
            },
        ),
        (
            "convergence_eps",
            TrueSkillSpbParameters {
                convergence_eps: 0.0,
                ..valid()
            },
        ),
        (
            "sigma_drift",
            TrueSkillSpbParameters {
                sigma_drift: -1.0,
                ..valid()
            },
        ),
    ] {
        assert_eq!(TrueSkillSpb::new(parameters).unwrap_err().name, name);
    }
}

/// If this changes, ratings have changed: a new engine version is needed.
#[test]
fn bits_match_engine_version() {
    for (margin, expected) in [
        (DrawMargin::Adjacent, 0x7FD0_FE04_9D50_5802),
        (DrawMargin::Fixed, 0x93DA_B113_4B97_63CA),
    ] {
        let mut random = Random::new(9);
        let mut system = system(TrueSkillSpbParameters {
            eps: 20.0,
            margin,
            ..TrueSkillSpbParameters::default()
        });
        let contests = [3, 20, 300, 40, 12].map(|pool| Contest::random(&mut random, pool));
        let rows: Vec<RatedEntrant> =
            contests.iter().flat_map(|contest| contest.rate(&mut system)).collect();
        let bits = rows.iter().flat_map(|row| [row.mu, row.sigma]);
        let hash = fingerprint(bits.map(f64::to_bits));
        assert_eq!(hash, expected, "{margin:?}: {hash:#X}");
    }
}
