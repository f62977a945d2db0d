//! Likelihoods of outcomes against published figures, direct enumeration, closed forms and finite
//! differences.

use crate::random::Random;
use ranklore_rating::likelihood::{
    Likelihood, Orientation, RankingOutcome, UnfinishedModel, plackett_luce, thurstone,
};
use serde::Deserialize;

const DID_NOT_FINISH: u32 = 9999;

#[derive(Deserialize)]
struct Case {
    ratings: Vec<f64>,
    places: Vec<u32>,
    plackett_luce: (f64, Vec<f64>),
    thurstone: (f64, Vec<f64>),
}

/// An outcome with owned slices.
#[derive(Clone, Debug)]
struct OwnedOutcome {
    ratings: Vec<f64>,
    groups: Vec<u32>,
    finishers: u32,
}

impl OwnedOutcome {
    fn outcome(&self) -> RankingOutcome<'_> {
        RankingOutcome {
            ratings: &self.ratings,
            groups: &self.groups,
            finishers: self.finishers,
        }
    }

    /// Creates an outcome without ties, except for the last `unfinished`.
    fn distinct(ratings: Vec<f64>, unfinished: usize) -> Self {
        let finishers = (ratings.len() - unfinished) as u32;
        let mut groups: Vec<u32> = (1..=finishers).collect();
        if unfinished > 0 {
            groups.push(ratings.len() as u32);
        }
        Self {
            ratings,
            groups,
            finishers,
        }
    }
}

fn gold() -> Vec<(Case, OwnedOutcome)> {
    let cases: Vec<Case> = serde_json::from_str(include_str!("gold/ranked-likelihood.json"))
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(cases.len(), 16);
    let owned = |case: Case| {
        let places = &case.places;
        let unfinished = places.iter().filter(|&&place| place == DID_NOT_FINISH);
        let owned = OwnedOutcome::distinct(case.ratings.clone(), unfinished.count());
        (case, owned)
    };
    cases.into_iter().map(owned).collect()
}

fn assert_close(actual: &Likelihood, expected: &(f64, Vec<f64>), tolerance: f64) {
    assert!((actual.log - expected.0).abs() < tolerance, "{} for {}", actual.log, expected.0);
    assert_eq!(actual.gradient.len(), expected.1.len());
    for (derivative, expected) in actual.gradient.iter().zip(&expected.1) {
        let error = (derivative - expected).abs();
        assert!(error < tolerance, "{derivative} for {expected}");
    }
}

/// The derivatives of `log` at an outcome by central differences.
fn finite_differences(
    outcome: &OwnedOutcome,
    h: f64,
    log: impl Fn(&RankingOutcome<'_>) -> f64,
) -> Vec<f64> {
    let at = |entrant: usize, change: f64| {
        let mut changed = outcome.clone();
        changed.ratings[entrant] += change;
        log(&changed.outcome())
    };
    (0..outcome.ratings.len())
        .map(|entrant| (at(entrant, h) - at(entrant, -h)) / (2.0 * h))
        .collect()
}

/// Outcomes with ties, with and without unfinished entrants.
fn outcomes(random: &mut Random, count: usize) -> Vec<OwnedOutcome> {
    (0..count)
        .map(|_| {
            let entrants = 2 + random.below(9);
            let ratings = (0..entrants).map(|_| random.between(-3.0, 3.0)).collect();
            let unfinished = if random.below(3) == 0 {
                0
            } else {
                random.below(entrants)
            };
            let finishers = (entrants - unfinished) as u32;
            let mut groups: Vec<u32> = (1..finishers).filter(|_| random.below(3) != 0).collect();
            groups.push(finishers);
            if unfinished > 0 {
                groups.push(entrants as u32);
            }
            OwnedOutcome {
                ratings,
                groups,
                finishers,
            }
        })
        .collect()
}

const PLACKETT_LUCE_FORMS: [(Orientation, UnfinishedModel); 4] = [
    (Orientation::Elimination, UnfinishedModel::Exact),
    (Orientation::Elimination, UnfinishedModel::Independent),
    (Orientation::Race, UnfinishedModel::Exact),
    (Orientation::Race, UnfinishedModel::Independent),
];

#[test]
fn plackett_luce_matches_gold() {
    for (case, owned) in gold() {
        let actual =
            plackett_luce(&owned.outcome(), Orientation::Elimination, UnfinishedModel::Exact);
        assert_close(&actual, &case.plackett_luce, 1e-6);
    }
}

/// All permutations of some entrants.
fn permutations(entrants: &[usize]) -> Vec<Vec<usize>> {
    if entrants.is_empty() {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for first in entrants {
        let rest: Vec<usize> = entrants.iter().copied().filter(|other| other != first).collect();
        for mut order in permutations(&rest) {
            order.insert(0, *first);
            all.push(order);
        }
    }
    all
}

/// The probability by definition: a sum over all orders of the unfinished entrants, and in each the
/// next to ring in proportion to the remaining rates.
fn enumerated_log_likelihood(outcome: &RankingOutcome<'_>, orientation: Orientation) -> f64 {
    let finishers = outcome.finishers as usize;
    let unfinished: Vec<usize> = (finishers..outcome.ratings.len()).collect();
    let of_order = |unfinished: &[usize]| -> f64 {
        let mut order: Vec<usize> = (0..finishers).collect();
        order.extend(unfinished);
        if orientation == Orientation::Elimination {
            order.reverse();
        }
        let rate = |entrant: &usize| match orientation {
            Orientation::Elimination => libm::exp(-outcome.ratings[*entrant]),
            Orientation::Race => libm::exp(outcome.ratings[*entrant]),
        };
        (0..order.len())
            .map(|next| rate(&order[next]) / order[next..].iter().map(rate).sum::<f64>())
            .product()
    };
    permutations(&unfinished).iter().map(|order| of_order(order)).sum()
}

#[test]
fn plackett_luce_matches_enumeration() {
    let mut random = Random::new(11);
    for _ in 0..60 {
        let finishers = 1 + random.below(4);
        let unfinished = random.below(6);
        let ratings = (0..finishers + unfinished).map(|_| random.between(-4.0, 4.0)).collect();
        let owned = OwnedOutcome::distinct(ratings, unfinished);
        for orientation in [Orientation::Elimination, Orientation::Race] {
            let actual = plackett_luce(&owned.outcome(), orientation, UnfinishedModel::Exact).log;
            let expected = libm::log(enumerated_log_likelihood(&owned.outcome(), orientation));
            assert!((actual - expected).abs() < 1e-8, "{actual} for {expected}");
        }
    }
}

#[test]
fn equal_unfinished_match_closed_form() {
    // ∫(1 − u^a)^k du = Π j/(j + 1/a), with a the ratio of the rates.
    for (count, rating) in [
        (2, 0.0),
        (7, -2.0),
        (100, 3.0),
        (10_000, 1.0),
        (10_000, -8.0),
        (300, -12.0),
        (10_000, 12.0),
    ] {
        let mut ratings = vec![0.0];
        ratings.resize(count + 1, rating);
        let owned = OwnedOutcome::distinct(ratings, count);
        let actual =
            plackett_luce(&owned.outcome(), Orientation::Elimination, UnfinishedModel::Exact);
        let ratio = libm::exp(-rating);
        let term = |j: usize| -libm::log1p(1.0 / (ratio * j as f64));
        let expected: f64 = (1..=count).map(term).sum();
        let error = (actual.log - expected).abs();
        assert!(
            error < 1e-9 * (1.0 + expected.abs()),
            "{count} at {rating}: {} for {expected}",
            actual.log
        );
    }
}

#[test]
fn plackett_luce_gradient_matches_differences() {
    let mut random = Random::new(12);
    for owned in outcomes(&mut random, 40) {
        for (orientation, block) in PLACKETT_LUCE_FORMS {
            let log = |outcome: &RankingOutcome<'_>| plackett_luce(outcome, orientation, block).log;
            let actual = plackett_luce(&owned.outcome(), orientation, block);
            let expected = finite_differences(&owned, 1e-4, log);
            assert_close(&actual, &(actual.log, expected), 1e-7);
        }
    }
}

#[test]
fn likelihood_is_translation_invariant() {
    let mut random = Random::new(13);
    for owned in outcomes(&mut random, 60) {
        let mut moved = owned.clone();
        for rating in &mut moved.ratings {
            *rating += 7.0;
        }
        for (orientation, block) in PLACKETT_LUCE_FORMS {
            let actual = plackett_luce(&owned.outcome(), orientation, block);
            let shifted = plackett_luce(&moved.outcome(), orientation, block);
            assert!((actual.log - shifted.log).abs() < 1e-11 * (1.0 + actual.log.abs()));
            let sum: f64 = actual.gradient.iter().sum();
            assert!(sum.abs() < 1e-12 * owned.ratings.len() as f64, "{sum:e}");
        }
    }
}

#[test]
fn plackett_luce_updates_are_bounded() {
    // Note, section 3.2.2: between −1 and the place counted from the last minus one; in a race with
    // opposite signs.
    let mut random = Random::new(14);
    for _ in 0..50 {
        let count = 2 + random.below(30);
        let ratings = (0..count).map(|_| random.between(-20.0, 20.0)).collect();
        let owned = OwnedOutcome::distinct(ratings, 0);
        let out = plackett_luce(&owned.outcome(), Orientation::Elimination, UnfinishedModel::Exact);
        let race = plackett_luce(&owned.outcome(), Orientation::Race, UnfinishedModel::Exact);
        for entrant in 0..count {
            let below = (count - 1 - entrant) as f64;
            let above = entrant as f64;
            assert!((-1.0..=below).contains(&out.gradient[entrant]));
            assert!((-above..=1.0).contains(&race.gradient[entrant]));
        }
    }
}

#[test]
fn thurstone_matches_gold() {
    for (case, owned) in gold() {
        assert_close(&thurstone(&owned.outcome()), &case.thurstone, 1e-6);
    }
}

/// L of the places from the last up, by definition, by Simpson's rule on a fine grid.
fn simpson_log_likelihood(owned: &OwnedOutcome) -> f64 {
    let low = -13.0;
    let high = 13.0;
    let steps = 60_000;
    let width = (high - low) / f64::from(steps);
    let x = |at: usize| low + 0.5 * width * at as f64;
    let density = |off: f64| libm::exp(-0.5 * off * off) / libm::sqrt(2.0 * std::f64::consts::PI);
    let points = 2 * steps as usize + 1;
    let finishers = owned.finishers as usize;
    let mut sums: Vec<f64> = (0..points)
        .map(|at| {
            let below = |r: &f64| 0.5 * libm::erfc((r - x(at)) * std::f64::consts::FRAC_1_SQRT_2);
            owned.ratings[finishers..].iter().map(below).product()
        })
        .collect();
    let mut start = finishers;
    for &end in owned.groups.iter().rev().filter(|&&end| end <= owned.finishers) {
        let first = owned.groups.iter().rev().find(|&&other| other < end);
        let group = first.map_or(0, |&first| first as usize)..end as usize;
        start = start.min(group.start);
        let product: Vec<f64> = (0..points)
            .map(|at| {
                let densities = owned.ratings[group.clone()].iter().map(|r| density(x(at) - r));
                sums[at] * densities.product::<f64>()
            })
            .collect();
        let mut sum = 0.0;
        sums[0] = 0.0;
        for step in 0..steps as usize {
            let [left, middle, right] = [0, 1, 2].map(|at| product[2 * step + at]);
            // To the midpoint by the parabola through all three.
            sums[2 * step + 1] = sum + width * (5.0 * left + 8.0 * middle - right) / 24.0;
            sum += width * (left + 4.0 * middle + right) / 6.0;
            sums[2 * step + 2] = sum;
        }
    }
    libm::log(sums[points - 1])
}

/// Eighty entrants in any order: single places, ties of five and of twenty, and ten unfinished.
fn random_crowd(random: &mut Random) -> OwnedOutcome {
    let ratings = (0..80).map(|_| random.between(-2.0, 2.0)).collect();
    let mut groups: Vec<u32> = (1..=20).collect();
    groups.extend([25, 45, 50]);
    groups.extend(51..=70);
    groups.push(80);
    OwnedOutcome {
        ratings,
        groups,
        finishers: 70,
    }
}

#[test]
fn thurstone_matches_integration() {
    let mut random = Random::new(41);
    let mut cases = outcomes(&mut random, 15);
    // Reversed: the last has the highest rating.
    let upside_down = (0..24).map(|rank| -3.0 + 0.25 * f64::from(rank));
    cases.push(OwnedOutcome::distinct(upside_down.collect(), 0));
    cases.push(random_crowd(&mut random));
    for owned in cases {
        let actual = thurstone(&owned.outcome()).log;
        let expected = simpson_log_likelihood(&owned);
        assert!(
            (actual - expected).abs() < 1e-8 * (1.0 + expected.abs()),
            "{actual} for {expected}: {owned:?}"
        );
    }
}

#[test]
fn thurstone_gradient_matches_differences() {
    let mut random = Random::new(42);
    let mut cases = outcomes(&mut random, 25);
    cases.push(random_crowd(&mut random));
    for owned in cases {
        let actual = thurstone(&owned.outcome());
        let expected = finite_differences(&owned, 1e-4, |outcome| thurstone(outcome).log);
        assert_close(&actual, &(actual.log, expected), 1e-7);
    }
}

#[test]
fn equal_ratings_make_orders_equally_likely() {
    for count in [2, 3, 17, 130, 700, 20_000] {
        let owned = OwnedOutcome::distinct(vec![0.7; count], 0);
        let actual = thurstone(&owned.outcome());
        let expected: f64 = (1..=count).map(|k| -libm::log(k as f64)).sum();
        let error = (actual.log - expected).abs();
        assert!(error < 1e-9 * (1.0 - expected), "{} for {expected}", actual.log);
        // The expected performances are those of order statistics, symmetric around the rating.
        for (first, last) in actual.gradient.iter().zip(actual.gradient.iter().rev()) {
            assert!((first + last).abs() < 1e-9);
        }
    }
    // Blom's and Harter's tables: the expected first of 2, 10 and 100.
    for (count, expected) in [
        (2, 0.564_189_583_5),
        (10, 1.538_752_730_8),
        (100, 2.507_593_63),
    ] {
        let owned = OwnedOutcome::distinct(vec![0.0; count], 0);
        let actual = thurstone(&owned.outcome()).gradient[0];
        assert!((actual - expected).abs() < 1e-7, "{actual} for {expected}");
    }
}

#[test]
fn thurstone_for_two_matches_closed_form() {
    // ln Φ(z) and φ(z)/Φ(z)/√2 at z = lead/√2, from clear wins to upsets.
    for lead in [
        -2e6, -3e4, -300.0, -40.0, -7.0, -1.0, 0.0, 2.5, 9.0, 40.0, 1e5,
    ] {
        let owned = OwnedOutcome::distinct(vec![0.5 * lead, -0.5 * lead], 0);
        let actual = thurstone(&owned.outcome()).gradient;
        let z = lead * std::f64::consts::FRAC_1_SQRT_2;
        let ratio = if z < -20.0 {
            // The continued fraction of Mills' ratio.
            (1..60).rev().fold(-z, |tail, k| -z + f64::from(k) / tail)
        } else {
            let density = libm::exp(-0.5 * z * z) / libm::sqrt(2.0 * std::f64::consts::PI);
            density / (0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2))
        };
        let expected = ratio * std::f64::consts::FRAC_1_SQRT_2;
        for (actual, expected) in actual.iter().zip([expected, -expected]) {
            let error = (actual - expected).abs();
            assert!(error < 1e-8 * (1.0 + expected.abs()), "{actual} for {expected}");
        }
    }
}

#[test]
fn translation_changes_no_thurstone_bit() {
    let mut random = Random::new(43);
    for owned in outcomes(&mut random, 40) {
        // Numbers that lose no digit when a million is added.
        let [near, far] = [0.0, 1e6].map(|origin| {
            let mut shifted = owned.clone();
            for rating in &mut shifted.ratings {
                *rating = origin + (1024.0 * *rating).round() / 1024.0;
            }
            thurstone(&shifted.outcome())
        });
        assert_eq!(near, far);
    }
}

#[test]
fn one_winner_over_many_unfinished() {
    // All equal: each of them is the first with equal probability.
    for count in [2, 30, 5_000] {
        let owned = OwnedOutcome::distinct(vec![-0.3; count + 1], count);
        let actual = thurstone(&owned.outcome());
        let expected = -libm::log((count + 1) as f64);
        assert!((actual.log - expected).abs() < 1e-9, "{} for {expected}", actual.log);
        let share = -actual.gradient[0] / count as f64;
        assert!(actual.gradient[1..].iter().all(|derivative| (derivative - share).abs() < 1e-12));
    }
}
