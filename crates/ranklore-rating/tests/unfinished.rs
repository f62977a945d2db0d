//! Entrants that did not finish, by the exact likelihood.

use crate::random::Random;
use ranklore_rating::performance::{
    Opponents, Ties, gaussian_performances, gaussian_unfinished, logistic_performances,
    logistic_unfinished,
};
use ranklore_rating::{
    AllTied, ContestPolicy, EloMmr, EloMmrParameters, EloMmx, EloMmxParameters, InitialRating,
    RatingRound, RatingSystem, UnfinishedPolicy, WithContestPolicy,
};

type Solve = fn(&Opponents<'_>, Ties) -> Vec<f64>;
type SolveUnfinished = fn(&Opponents<'_>, usize, Ties) -> Vec<f64>;

const MODELS: [(Solve, SolveUnfinished); 2] = [
    (logistic_performances, logistic_unfinished),
    (gaussian_performances, gaussian_unfinished),
];

fn systems() -> [Box<dyn RatingSystem>; 2] {
    let mmr = EloMmr::new(EloMmrParameters::default()).unwrap();
    let mmx = EloMmx::new(EloMmxParameters::default()).unwrap();
    [Box::new(mmr), Box::new(mmx)]
}

/// Ratings and scales of a contest.
fn entrants(count: usize, random: &mut Random) -> (Vec<f64>, Vec<f64>) {
    (0..count)
        .map(|_| (random.between(800.0, 2600.0), random.between(60.0, 300.0)))
        .unzip()
}

#[test]
fn lone_unfinished_entrant_was_last() {
    let mut random = Random::new(4);
    for count in [2, 5, 40, 300] {
        let (mu, scale) = entrants(count, &mut random);
        let groups: Vec<u32> = (1..=count as u32).collect();
        let opponents = Opponents {
            mu: &mu,
            scale: &scale,
            groups: &groups,
        };
        for (placed, unfinished) in MODELS {
            for ties in [Ties::Whole, Ties::Split] {
                let last = *placed(&opponents, ties).last().unwrap();
                let alone = unfinished(&opponents, count - 1, ties);
                assert_eq!(alone.len(), 1);
                assert!((alone[0] - last).abs() < 1e-8, "{} for {last}", alone[0]);
            }
        }
    }
}

#[test]
fn unfinished_entrants_are_independent() {
    let mut random = Random::new(8);
    let (mu, scale) = entrants(60, &mut random);
    for finishers in [1, 20, 58] {
        let groups = [finishers as u32, 60];
        let all = Opponents {
            mu: &mu,
            scale: &scale,
            groups: &groups,
        };
        for (_, unfinished) in MODELS {
            let together = unfinished(&all, finishers, Ties::Whole);
            for (one, of_all) in together.iter().enumerate() {
                let mut mu = mu[..finishers].to_vec();
                let mut scale = scale[..finishers].to_vec();
                mu.push(all.mu[finishers + one]);
                scale.push(all.scale[finishers + one]);
                let alone = Opponents {
                    mu: &mu,
                    scale: &scale,
                    groups: &[finishers as u32, finishers as u32 + 1],
                };
                let alone = unfinished(&alone, finishers, Ties::Whole)[0];
                assert!((alone - of_all).abs() < 1e-8);
            }
        }
    }
}

#[test]
fn finishers_beat_unfinished_under_any_policy() {
    let people: Vec<u32> = (0..30).collect();
    let mut groups: Vec<u32> = (1..=18).collect();
    groups.push(30);
    let round = RatingRound {
        finishers: 18,
        ..RatingRound::new(&people, &groups)
    };
    for (censored, tied) in systems().into_iter().zip(systems()) {
        let mut censored = censored;
        let mut tied = WithContestPolicy::new(
            ContestPolicy {
                unfinished: UnfinishedPolicy::Tied,
                all_tied: AllTied::Rate,
            },
            tied,
        );
        let mut random = Random::new(11);
        for person in 0..30 {
            let start = InitialRating {
                mu: random.between(1000.0, 2000.0),
                sigma: Some(random.between(50.0, 350.0)),
            };
            censored.set_initial_rating(person, start);
            tied.set_initial_rating(person, start);
        }
        let (mut a, mut b) = (Vec::new(), Vec::new());
        censored.rate(&round, &mut a);
        tied.rate(&round, &mut b);
        assert_eq!(a[..18], b[..18]);
        for (a, b) in a[18..].iter().zip(&b[18..]) {
            assert!((a.mu - b.mu).abs() > 1e-3 && a.performance.unwrap().is_finite());
        }
    }
}

#[test]
fn finishing_last_is_no_worse() {
    let mut random = Random::new(19);
    for index in 0..2 {
        for _ in 0..40 {
            let count = 4 + random.below(20) as u32;
            let finishers = 1 + random.below(count as usize - 2) as u32;
            let people: Vec<u32> = (0..count).collect();
            let mut groups: Vec<u32> = (1..=finishers).collect();
            groups.push(count);
            let mut better = groups.clone();
            better.insert(finishers as usize, finishers + 1);
            better.dedup();
            let (mut unfinished_systems, mut finishing_systems) = (systems(), systems());
            for person in 0..count {
                let start = InitialRating {
                    mu: random.between(500.0, 2500.0),
                    sigma: Some(random.between(30.0, 350.0)),
                };
                unfinished_systems[index].set_initial_rating(person, start);
                finishing_systems[index].set_initial_rating(person, start);
            }
            let (mut a, mut b) = (Vec::new(), Vec::new());
            let round = RatingRound {
                finishers,
                ..RatingRound::new(&people, &groups)
            };
            unfinished_systems[index].rate(&round, &mut a);
            let round = RatingRound {
                finishers: finishers + 1,
                ..RatingRound::new(&people, &better)
            };
            finishing_systems[index].rate(&round, &mut b);
            let place = finishers as usize;
            assert!(b[place].mu >= a[place].mu, "{:?} {:?}", b[place], a[place]);
        }
    }
}

#[test]
fn unfinished_order_changes_nothing() {
    let mut random = Random::new(29);
    let (mu, scale) = entrants(3000, &mut random);
    let groups = [500, 3000];
    let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    for (_, unfinished) in MODELS {
        let opponents = Opponents {
            mu: &mu,
            scale: &scale,
            groups: &groups,
        };
        let actual = unfinished(&opponents, 500, Ties::Whole);
        let mut mu = mu.clone();
        let mut scale = scale.clone();
        mu[500..].reverse();
        scale[500..].reverse();
        mu[..500].reverse();
        scale[..500].reverse();
        let opponents = Opponents {
            mu: &mu,
            scale: &scale,
            groups: &groups,
        };
        let mut reversed = unfinished(&opponents, 500, Ties::Whole);
        reversed.reverse();
        assert_eq!(bits(&actual), bits(&reversed));
    }
}

#[test]
fn extreme_inputs_stay_finite() {
    for index in 0..2 {
        let mut systems = systems();
        let people: Vec<u32> = (0..2000).collect();
        for person in 0..2000 {
            let start = InitialRating {
                mu: if person % 2 == 0 { 1e5 } else { -1e5 },
                sigma: Some(if person % 3 == 0 { 1e-3 } else { 1e4 }),
            };
            systems[index].set_initial_rating(person, start);
        }
        let mut rated = Vec::new();
        let round = RatingRound {
            finishers: 1,
            ..RatingRound::new(&people, &[1, 2000])
        };
        systems[index].rate(&round, &mut rated);
        assert_eq!(rated.len(), 2000);
        for row in &rated {
            assert!(
                row.mu.is_finite() && row.sigma > 0.0 && row.performance.is_none_or(f64::is_finite)
            );
        }
    }
}
