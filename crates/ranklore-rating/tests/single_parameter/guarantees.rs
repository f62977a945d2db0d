//! Zero sum, incentives for finishing and for a better place, and the clipping of steps.

use ranklore_rating::{Elo, EloPairwise, PlackettLuce, Promise, Thurstone};

use super::systems::{Adaptations, Contest, Make, gains, multiplayer_systems, ratings};
use crate::random::Random;

#[test]
fn zero_sum_systems_conserve_ratings() {
    for about in [&Elo::INFO, &PlackettLuce::INFO, &Thurstone::INFO] {
        assert!(about.promises(Promise::ZeroSum));
    }
    // The default, the mean over pairs, is not zero-sum if some entrants have fewer pairs.
    assert!(!EloPairwise::INFO.promises(Promise::ZeroSum));
    let mut random = Random::new(31);
    for (name, make) in multiplayer_systems() {
        for _ in 0..30 {
            let count = 3 + random.below(30);
            let mu = ratings(&mut random, count, 800.0);
            let unfinished = if name.starts_with("mean") {
                0
            } else {
                random.below(count - 1)
            };
            let contest = Contest::random(&mut random, count, count, unfinished);
            let sum: f64 = gains(&make, &Adaptations::default(), &mu, &contest).iter().sum();
            assert!(sum.abs() < 1e-6, "{name}: {sum:e}");
        }
    }
}

#[test]
fn not_finishing_never_pays() {
    let mut random = Random::new(32);
    for (name, make) in multiplayer_systems() {
        for round in 0..60 {
            let adapted = Adaptations {
                dummy_mu: (round % 3 == 0).then_some(1300.0),
                ..Adaptations::default()
            };
            let count = 3 + random.below(12);
            let mu = ratings(&mut random, count, 600.0);
            let unfinished = 1 + random.below(count - 2);
            let mut contest = Contest::random(&mut random, count, count, unfinished);
            let gained = gains(&make, &adapted, &mu, &contest);
            let finishers = contest.finishers as usize;
            assert!(gained[finishers..].iter().all(|&gain| gain <= 1e-9), "{name}: {gained:?}");
            // The first unfinished entrant as the last finisher.
            contest.finishers += 1;
            let last = contest.groups.len() - 1;
            contest.groups.insert(last, contest.finishers);
            contest.groups.dedup();
            let finished = gains(&make, &adapted, &mu, &contest)[finishers];
            assert!(
                finished >= gained[finishers] - 1e-9,
                "{name}: {finished} by finishing, {} by not",
                gained[finishers]
            );
        }
    }
}

#[test]
fn better_place_raises_rating() {
    let mut random = Random::new(33);
    let mut systems = multiplayer_systems();
    // Clipping the gain of one entrant reduces the losses of others, whatever their places.
    systems.retain(|(name, _)| !name.ends_with("clipped"));
    for (name, make) in systems {
        for _ in 0..40 {
            let count = 3 + random.below(12);
            let mu = ratings(&mut random, count, 600.0);
            let unfinished = random.below(2) * (count / 3);
            let contest = Contest::random(&mut random, count, count, unfinished);
            let gained = gains(&make, &Adaptations::default(), &mu, &contest);
            // Two neighbours swap places; tied entrants stay tied.
            for group in 0..contest.groups.len() - 1 {
                let upper = contest.groups[group] as usize - 1;
                if contest.groups[group + 1] > contest.finishers {
                    break;
                }
                let mut changed = contest.clone();
                changed.entrants.swap(upper, upper + 1);
                let after = gains(&make, &Adaptations::default(), &mu, &changed);
                assert!(after[upper] > gained[upper + 1], "{name}");
                assert!(after[upper + 1] < gained[upper], "{name}");
            }
        }
    }
}

/// Clipped and plain systems of the same model.
fn clipped_and_plain() -> Vec<[(&'static str, Make); 2]> {
    let (clipped, mut plain): (Vec<_>, Vec<_>) = multiplayer_systems()
        .into_iter()
        .partition(|(name, _)| name.ends_with("clipped"));
    let plain = plain.split_off(4);
    assert_eq!(plain.len(), clipped.len());
    clipped
        .into_iter()
        .zip(plain)
        .map(|(clipped, plain)| [clipped, plain])
        .collect()
}

#[test]
fn clipping_keeps_two_entrants_and_equals() {
    let mut random = Random::new(40);
    let none = Adaptations::default();
    for [(name, clipped), (_, plain)] in clipped_and_plain() {
        for lead in [-3e4, -900.0, 0.0, 500.0] {
            let contest = Contest::random(&mut random, 2, 2, 0);
            let mu = [1500.0 + lead, 1500.0];
            assert_eq!(
                gains(&clipped, &none, &mu, &contest),
                gains(&plain, &none, &mu, &contest),
                "{name}"
            );
        }
        for count in [3, 10, 200, 3_000] {
            // Each of many independent unfinished entrants adds to the gains of the others.
            let most = if name.starts_with("independent") {
                0
            } else {
                count - 1
            };
            for unfinished in [0, most / 3, most] {
                for dummy_mu in [None, Some(1500.0)] {
                    let adapted = Adaptations {
                        dummy_mu,
                        ..Adaptations::default()
                    };
                    let contest = Contest::random(&mut random, count, count, unfinished);
                    let mu = vec![1500.0; count];
                    assert_eq!(
                        gains(&clipped, &adapted, &mu, &contest),
                        gains(&plain, &adapted, &mu, &contest),
                        "{name}: {count}, {unfinished} unfinished"
                    );
                }
            }
        }
    }
}

#[test]
fn clipping_bounds_upsets() {
    let none = Adaptations::default();
    for [(name, clipped), (_, plain)] in clipped_and_plain() {
        let rate = if name.starts_with("thurstone") {
            52.0
        } else {
            55.0
        };
        for count in [3, 50, 10_000] {
            // The last by rating wins, or the first comes last.
            for own_mu in [500.0, 2500.0] {
                let mut mu = vec![1500.0; count];
                mu[0] = own_mu;
                let mut entrants: Vec<u32> = (0..count as u32).collect();
                if own_mu > 1500.0 {
                    entrants.rotate_left(1);
                }
                let contest = Contest {
                    entrants,
                    groups: (1..=count as u32).collect(),
                    finishers: count as u32,
                    weight: 1.0,
                };
                let limit = rate * (1.0 + (count as f64).ln());
                let (actual, plain) =
                    (gains(&clipped, &none, &mu, &contest), gains(&plain, &none, &mu, &contest));
                assert!(actual.iter().all(|gain| gain.abs() <= limit + 1e-9), "{name}");
                let sum: f64 = actual.iter().sum();
                assert!(sum.abs() < 1e-9 * rate * count as f64, "{name}: {sum:e}");
                for (gain, plain) in actual.iter().zip(&plain) {
                    assert!(gain * plain >= 0.0 && gain.abs() <= plain.abs(), "{name}");
                }
                // Equals behind the upset stay in the order of their places.
                let upset = usize::from(own_mu > 1500.0) * (count - 1);
                let equals = (0..count).filter(|&place| place != upset);
                let equals: Vec<f64> = equals.map(|place| actual[place]).collect();
                assert!(equals.is_sorted_by(|better, worse| better > worse), "{name}");
            }
        }
    }
}
