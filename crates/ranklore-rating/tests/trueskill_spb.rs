//! TrueSkill of St Petersburg: a reference model, with and without the mistakes of the
//! implementation behind the golden vectors, and properties of any contest.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod golden;
mod random;
mod truncated;

use golden::check_vectors;
use random::Random;
use ranklore_rating::{
    InitialRating, PastResult, RatedEntrant, RatingRound, RatingSystem, TrueSkillSpb,
    TrueSkillSpbParameters,
};
use truncated::moments;

/// The model as published, message by message, with integrated moments.
struct ReferenceModel {
    eps: f64,
    beta: f64,
    sigma_drift: f64,
    initial: (f64, f64),
    players: Vec<(f64, f64)>,
    /// True for the two mistakes of the implementation behind the vectors: all links of a contest
    /// share the message of the first, and all entrants that of the last; and moments are those of
    /// half the variance.
    is_mistaken: bool,
}

/// (mean, variance) of a Gaussian factor.
type Factor = (f64, f64);

fn times(a: Factor, b: Factor) -> Factor {
    if a.1 == f64::INFINITY {
        return b;
    }
    if b.1 == f64::INFINITY {
        return a;
    }
    let precision = 1.0 / a.1 + 1.0 / b.1;
    ((a.0 / a.1 + b.0 / b.1) / precision, 1.0 / precision)
}

fn plus(a: Factor, b: Factor) -> Factor {
    (a.0 + b.0, a.1 + b.1)
}

fn minus(a: Factor, b: Factor) -> Factor {
    (a.0 - b.0, a.1 + b.1)
}

const UNIFORM: Factor = (0.0, f64::INFINITY);

impl ReferenceModel {
    /// Returns the factor of `of` for the number lying between two bounds.
    fn truncated_factor(&self, of: Factor, low: f64, high: f64) -> Factor {
        let variance = if self.is_mistaken { 0.5 * of.1 } else { of.1 };
        let after = moments(of.0, variance, low, high);
        let precision = 1.0 / after.1 - 1.0 / of.1;
        (
            (after.0 / after.1 - of.0 / of.1) / precision,
            1.0 / precision,
        )
    }

    /// Returns the message about each performance; performances as expected, by place.
    fn infer(&self, places: &[Vec<Factor>]) -> Vec<Vec<Factor>> {
        let count = places.len();
        let even = (0.0, self.eps * self.eps / 3.0);
        let mut slack: Vec<Vec<Factor>> = places.iter().map(|of| vec![even; of.len()]).collect();
        let mut links = vec![(2.0 * self.eps, 1e12); count - 1];
        let mut told: Vec<Vec<Factor>> = Vec::new();
        for _ in 0..200 {
            // Computes the levels from the current links and slacks, then updates the links; twice.
            for turn in 0..2 {
                let own: Vec<Factor> = places
                    .iter()
                    .zip(&slack)
                    .map(|(of, slack)| {
                        let each = of.iter().zip(slack).map(|(&of, &slack)| plus(of, slack));
                        each.fold(UNIFORM, times)
                    })
                    .collect();
                let (mut above, mut below) = (vec![UNIFORM; count], vec![UNIFORM; count]);
                for place in 1..count {
                    above[place] = minus(times(own[place - 1], above[place - 1]), links[place - 1]);
                    let up = count - 1 - place;
                    below[up] = plus(times(own[up + 1], below[up + 1]), links[up]);
                }
                if turn == 0 {
                    let of = |link: usize| {
                        let (high, low) = (
                            times(own[link], above[link]),
                            times(own[link + 1], below[link + 1]),
                        );
                        self.truncated_factor(minus(high, low), 2.0 * self.eps, f64::INFINITY)
                    };
                    links = if self.is_mistaken {
                        vec![of(0); count - 1]
                    } else {
                        (0..count - 1).map(of).collect()
                    };
                    continue;
                }
                let mut levels: Vec<Vec<Factor>> = Vec::new();
                for (place, of) in places.iter().enumerate() {
                    let others = times(above[place], below[place]);
                    let all_but = |one: usize| {
                        let each = (0..of.len()).filter(|&other| other != one);
                        each.fold(others, |all, other| {
                            times(all, plus(of[other], slack[place][other]))
                        })
                    };
                    levels.push((0..of.len()).map(all_but).collect());
                }
                let anew = |place: usize, entrant: usize| {
                    self.truncated_factor(
                        minus(levels[place][entrant], places[place][entrant]),
                        -self.eps,
                        self.eps,
                    )
                };
                if self.is_mistaken {
                    let last = anew(count - 1, places[count - 1].len() - 1);
                    for of in &mut slack {
                        of.fill(last);
                    }
                } else {
                    for (place, of) in slack.iter_mut().enumerate() {
                        (0..of.len()).for_each(|entrant| of[entrant] = anew(place, entrant));
                    }
                }
                let before = std::mem::take(&mut told);
                told = levels
                    .iter()
                    .zip(&slack)
                    .map(|(levels, slack)| {
                        levels
                            .iter()
                            .zip(slack)
                            .map(|(&level, &slack)| minus(level, slack))
                            .collect()
                    })
                    .collect();
                let mut pairs = before.iter().flatten().zip(told.iter().flatten());
                if !before.is_empty()
                    && pairs.all(|(a, b)| (a.0 - b.0).abs() < 1e-8 && (a.1 - b.1).abs() < 1e-6)
                {
                    return told;
                }
            }
        }
        told
    }
}

impl RatingSystem for ReferenceModel {
    fn set_initial_rating(&mut self, _: u32, _: InitialRating) {}

    fn restore(&mut self, _: u32, _: &PastResult) {}

    fn mu(&self, competitor: u32) -> f64 {
        self.players[competitor as usize].0
    }

    fn rate(&mut self, round: &RatingRound<'_>, rated: &mut Vec<RatedEntrant>) {
        rated.clear();
        if !round.has_order() {
            return;
        }
        let most = round.entrants.iter().copied().max().unwrap() as usize + 1;
        if self.players.len() < most {
            self.players.resize(most, self.initial);
        }
        let noise = self.beta * self.beta / round.weight;
        let mut start = 0;
        let mut skills: Vec<Vec<Factor>> = Vec::new();
        for &end in round.groups {
            let place = &round.entrants[start..end as usize];
            let skill = |&entrant: &u32| {
                let (mu, sigma) = self.players[entrant as usize];
                (mu, sigma * sigma + self.sigma_drift * self.sigma_drift)
            };
            skills.push(place.iter().map(skill).collect());
            start = end as usize;
        }
        let performances: Vec<Vec<Factor>> = skills
            .iter()
            .map(|of| of.iter().map(|&skill| plus(skill, (0.0, noise))).collect())
            .collect();
        let told = self.infer(&performances).concat();
        for ((&entrant, &skill), &told) in round.entrants.iter().zip(&skills.concat()).zip(&told) {
            let (mu, variance) = times(skill, plus(told, (0.0, noise)));
            self.players[entrant as usize] = (mu, variance.sqrt());
            rated.push(RatedEntrant {
                mu,
                sigma: variance.sqrt(),
                performance: mu,
                volatility: None,
            });
        }
    }
}

fn reference_model(parameters: &TrueSkillSpbParameters, is_mistaken: bool) -> ReferenceModel {
    ReferenceModel {
        eps: parameters.eps,
        beta: parameters.beta,
        sigma_drift: parameters.sigma_drift,
        initial: (parameters.initial_mu, parameters.initial_sigma),
        players: Vec::new(),
        is_mistaken,
    }
}

/// The vectors come from an implementation with two mistakes (see the system's own documentation).
/// A model with both reproduces them; the test after this one compares a model without them with
/// the system.
#[test]
fn mistaken_model_matches_golden_vectors() {
    let compared = check_vectors(
        include_str!("gold/trueskill-spb.json"),
        &["small", "ties", "weighted"],
        1e-3,
        |params| {
            let parameters = serde_json::from_value(params.clone()).unwrap();
            Box::new(reference_model(&parameters, true))
        },
    );
    assert!(compared > 800, "{compared} ratings compared");
}

#[test]
fn system_matches_correct_model() {
    let mut random = Random::new(3);
    for (eps, beta, sigma_drift) in [(1.0, 175.0, 35.0), (11.5, 40.0, 10.0), (120.0, 30.0, 0.0)] {
        let parameters = TrueSkillSpbParameters {
            eps,
            beta,
            sigma_drift,
            convergence_eps: 1e-8,
            ..TrueSkillSpbParameters::default()
        };
        let mut system = system(parameters.clone());
        let mut plain = reference_model(&parameters, false);
        for _ in 0..8 {
            let contest = Contest::random(&mut random, 10);
            let (found, expected) = (contest.rate(&mut system), contest.rate(&mut plain));
            for (found, expected) in found.iter().zip(&expected) {
                let off = (found.mu - expected.mu)
                    .abs()
                    .max((found.sigma - expected.sigma).abs());
                assert!(off < 1e-5, "{contest:?}: {found:?} for {expected:?}");
            }
        }
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
        let mut groups: Vec<u32> = (1..count)
            .filter(|&end| end == 1 || random.below(2) == 0)
            .collect();
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
            assert!(
                (rated[side].mu - expected).abs() < 1e-3,
                "{rated:?} for {expected}"
            );
            let expected = (variances[side] * (1.0 - share * (1.0 - variance / all))).sqrt();
            assert!(
                (rated[side].sigma - expected).abs() < 1e-4,
                "{rated:?} for {expected}"
            );
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

/// For ten thousand equals in strict order, the performances are the order statistics of the normal
/// distribution (their means by Blom's formula, exact to a hundredth of a deviation). Inference
/// works at that many places.
#[test]
fn ten_thousand_equals_match_order_statistics() {
    let count = 10_000_u32;
    let parameters = TrueSkillSpbParameters {
        eps: 1e-3,
        sigma_drift: 0.0,
        ..TrueSkillSpbParameters::default()
    };
    let (skill, noise) = (parameters.initial_sigma.powi(2), parameters.beta.powi(2));
    let entrants: Vec<u32> = (0..count).collect();
    let groups: Vec<u32> = (1..=count).collect();
    let mut rated = Vec::new();
    system(parameters).rate(&RatingRound::new(&entrants, &groups), &mut rated);
    let mut last = f64::INFINITY;
    for (place, rated) in (1..).zip(&rated) {
        let above = (f64::from(place) - 0.375) / (f64::from(count) + 0.25);
        let performance = quantile_above(above) * (skill + noise).sqrt();
        let expected = 1500.0 + performance * skill / (skill + noise);
        assert!(
            (rated.mu - expected).abs() < 10.0,
            "{place}: {rated:?} for {expected}"
        );
        assert!(rated.mu < last);
        last = rated.mu;
    }
    // In the middle the performance is almost known; the rest is noise.
    let left = (skill * noise / (skill + noise)).sqrt();
    assert!((rated[5000].sigma - left).abs() < 0.1, "{:?}", rated[5000]);
}

/// The x beyond which a standard normal number lies with this probability.
fn quantile_above(probability: f64) -> f64 {
    let (mut low, mut high) = (-10.0, 10.0);
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
    let mut whole = system(parameters.clone());
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
        let expected = contest.rate(&mut whole);
        assert_eq!(contest.rate(&mut resumed), expected);
        for (&competitor, &rated) in contest.entrants.iter().zip(&expected) {
            assert!(rated.mu != 0.0 || rated.mu.is_sign_positive());
            let past = PastResult {
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
                assert!(
                    row.mu.is_finite() && row.mu.abs() < 1e7,
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
fn hundred_thousand_tied_losers_stay_finite() {
    let entrants: Vec<u32> = (0..100_001).collect();
    let mut rated = Vec::new();
    system(TrueSkillSpbParameters::default())
        .rate(&RatingRound::new(&entrants, &[1, 100_001]), &mut rated);
    assert!(rated[0].mu > 1500.0 && rated[0].sigma < 350.0);
    assert!(rated[1].mu < 1500.0 && rated[1..].iter().all(|row| *row == rated[1]));
}

#[test]
fn contests_without_order_change_nothing() {
    let mut system = system(TrueSkillSpbParameters::default());
    let mut rated = Vec::new();
    for (entrants, groups) in [(&[0, 1, 2][..], &[3][..]), (&[0], &[1]), (&[], &[])] {
        system.rate(&RatingRound::new(entrants, groups), &mut rated);
        assert!(rated.is_empty());
    }
    assert_eq!(system.mu(0).to_bits(), 1500.0_f64.to_bits());
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
    let mut random = Random::new(9);
    let mut system = system(TrueSkillSpbParameters {
        eps: 20.0,
        ..TrueSkillSpbParameters::default()
    });
    let contests = [3, 20, 300, 40, 12].map(|pool| Contest::random(&mut random, pool));
    let rows: Vec<RatedEntrant> = contests
        .iter()
        .flat_map(|contest| contest.rate(&mut system))
        .collect();
    let bytes = rows
        .iter()
        .flat_map(|row| [row.mu, row.sigma])
        .flat_map(f64::to_le_bytes);
    // FNV-1a, 64 bits.
    let hash = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    assert_eq!(hash, 0x86EB_7F50_1BFD_90BA, "{hash:#X}");
}
