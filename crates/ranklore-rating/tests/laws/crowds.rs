//! Contests with very many entrants, and careers of very many contests.

use ranklore_rating::{Rated, Start};
use rayon::ThreadPoolBuilder;

use super::wild::{Starts, Story};
use crate::forms::Form;
use crate::history::{Contest, MIXED, history, replayed};
use crate::random::Random;

/// The number of threads changes no bit.
pub(crate) fn knows_no_threads(form: &Form) {
    let mut contests = history(11, &[5000, 20, 60, 300, 5000]);
    contests.extend(history(13, &MIXED));
    let story = Story::drawn(form, &mut Random::new(5), Starts::Ordinary, 3, 2000);
    contests.extend(story.contests);
    let on = |threads: usize| {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap_or_else(|error| panic!("{error}"));
        pool.install(|| replayed(&|| form.make(), &contests))
    };
    assert!(on(1) == on(3));
}

/// Huge contests give finite rows, in time less than quadratic.
pub(crate) fn rates_crowds(form: &Form) {
    let many = 100_000;
    let everybody: Vec<u32> = (0..many).collect();
    // A lone winner over a tie of all others, or over all unfinished; a lone loser.
    let mut system = form.make();
    for (groups, finishers) in [([1, many], many), ([1, many], 1), ([many - 1, many], many)] {
        let contest = Contest {
            finishers: Some(finishers),
            ..Contest::of(&everybody, &groups)
        };
        assert_finite(&contest.rate(system.as_mut()), "a tied field");
    }
    let many = 10_000;
    let mut system = form.make();
    for &who in &everybody[..many] {
        let start = Start {
            mu: -1e5 + 20.0 * f64::from(who * 7_919 % 10_000),
            sigma: Some([1e-3, 1e4, 350.0, 1.0][who as usize % 4]),
        };
        system.start(who, start);
    }
    let groups: Vec<u32> = (1..=many as u32).collect();
    let contest = Contest::of(&everybody[..many], &groups);
    assert_finite(&contest.rate(system.as_mut()), "a field far apart");
}

/// Hundreds of contests as expected, then one upset.
pub(crate) fn survives_long_careers(form: &Form) {
    let mut system = form.make();
    let as_ever = Contest::of(&[0, 1, 2, 3], &[1, 3, 4]);
    for _ in 0..3000 {
        as_ever.rate(system.as_mut());
    }
    let upset = Contest::of(&[3, 2, 1, 0], &[1, 2, 3, 4]);
    assert_finite(&upset.rate(system.as_mut()), "an upset");
}

fn assert_finite(rows: &[Rated], what: &str) {
    assert!(!rows.is_empty(), "{what}");
    for row in rows {
        let numbers = [
            row.mu,
            row.sigma,
            row.performance,
            row.volatility.unwrap_or(0.0),
        ];
        let sound = numbers.into_iter().all(f64::is_finite) && row.sigma >= 0.0;
        assert!(sound, "{what}: {row:?}");
    }
}
