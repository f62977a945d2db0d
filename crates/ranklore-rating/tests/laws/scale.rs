//! Contests with very many entrants, and careers of very many contests.

use ranklore_rating::{InitialRating, RatedEntrant};
use rayon::ThreadPoolBuilder;

use super::random_history::{RandomHistory, RatingRange};
use crate::configs::SystemConfig;
use crate::history::{MIXED, OwnedRound, history, replay_bits};
use crate::random::Random;

/// The number of threads changes no bit.
pub(crate) fn bits_ignore_threads(form: &SystemConfig) {
    let mut contests = history(11, &[5000, 20, 60, 300, 5000]);
    contests.extend(history(13, &MIXED));
    let story = RandomHistory::random(form, &mut Random::new(5), RatingRange::Ordinary, 3, 2000);
    contests.extend(story.contests);
    let on = |threads: usize| {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap_or_else(|error| panic!("{error}"));
        pool.install(|| replay_bits(&|| form.build(), &contests))
    };
    assert!(on(1) == on(3));
}

/// Huge contests give finite rows, in time less than quadratic.
pub(crate) fn huge_contests_are_finite(form: &SystemConfig) {
    let many = 100_000;
    let everybody: Vec<u32> = (0..many).collect();
    // A lone winner over a tie of all others, or over all unfinished; a lone loser.
    let mut system = form.build();
    for (groups, finishers) in [([1, many], many), ([1, many], 1), ([many - 1, many], many)] {
        let contest = OwnedRound {
            finishers: Some(finishers),
            ..OwnedRound::new(&everybody, &groups)
        };
        assert_finite(&contest.rate(system.as_mut()), "a tied field");
    }
    let many = 10_000;
    let mut system = form.build();
    for &competitor in &everybody[..many] {
        let start = InitialRating {
            mu: -1e5 + 20.0 * f64::from(competitor * 7_919 % 10_000),
            sigma: Some([1e-3, 1e4, 350.0, 1.0][competitor as usize % 4]),
        };
        system.set_initial_rating(competitor, start);
    }
    let groups: Vec<u32> = (1..=many as u32).collect();
    let contest = OwnedRound::new(&everybody[..many], &groups);
    assert_finite(&contest.rate(system.as_mut()), "a field far apart");
}

/// Hundreds of contests as expected, then one upset.
pub(crate) fn long_careers_are_finite(form: &SystemConfig) {
    let mut system = form.build();
    let (as_ever, upset) = if form.about.supports_entrants(4) {
        let upset = OwnedRound::new(&[3, 2, 1, 0], &[1, 2, 3, 4]);
        (OwnedRound::new(&[0, 1, 2, 3], &[1, 3, 4]), upset)
    } else {
        let upset = OwnedRound::new(&[1, 0], &[1, 2]);
        (OwnedRound::new(&[0, 1], &[1, 2]), upset)
    };
    for _ in 0..3000 {
        as_ever.rate(system.as_mut());
    }
    assert_finite(&upset.rate(system.as_mut()), "an upset");
}

fn assert_finite(rows: &[RatedEntrant], context: &str) {
    assert!(!rows.is_empty(), "{context}");
    for row in rows {
        let numbers = [
            row.mu,
            row.sigma,
            row.performance.unwrap_or(row.mu),
            row.volatility.unwrap_or(0.0),
        ];
        let sound = numbers.into_iter().all(f64::is_finite) && row.sigma >= 0.0;
        assert!(sound, "{context}: {row:?}");
    }
}
