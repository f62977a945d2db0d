//! Bounds of rating changes in contests of every size that a system supports.

use std::ops::RangeInclusive;

use ranklore_rating::{InitialRating, RatedEntrant};

use crate::configs::SystemConfig;
use crate::history::OwnedRound;
use crate::random::Random;

/// Returns the numbers of entrants that a system supports.
fn supported_sizes(form: &SystemConfig) -> RangeInclusive<usize> {
    2..=form.about.max_entrants.map_or(usize::MAX, |max| max as usize)
}

/// Returns the contest of competitors 0 to `count` − 1 in this order.
fn ordered_contest(count: usize) -> OwnedRound {
    let entrants: Vec<u32> = (0..count as u32).collect();
    let groups: Vec<u32> = (1..=count as u32).collect();
    OwnedRound::new(&entrants, &groups)
}

/// In one contest of newcomers, ratings follow the places, their mean moves by at most 100 and the
/// winner gains at most 2,800.
pub(crate) fn newcomers_are_ordered_by_place(form: &SystemConfig) {
    let sizes = supported_sizes(form);
    let tested = [2, 3, 10, 100, 1_000, 10_000].into_iter();
    for count in tested.filter(|size| sizes.contains(size)) {
        let untied = ordered_contest(count);
        let mut some_tied = untied.clone();
        // The winner, then ties of 1, 2, 3 and 4 in turn.
        let is_end = |end: &u32| *end == count as u32 || [1, 2, 4, 7].contains(&(end % 10));
        some_tied.groups.retain(is_end);
        let mut lone_winner = untied.clone();
        lone_winner.groups = vec![1, count as u32];
        let mut lone_loser = untied.clone();
        lone_loser.groups = vec![count as u32 - 1, count as u32];
        for contest in [untied, some_tied, lone_winner, lone_loser] {
            let mut system = form.build();
            let start = system.newcomer_mu(0);
            let rows = contest.rate(system.as_mut());
            assert_eq!(rows.len(), count);
            assert_ordered_by_place(&rows, &contest.groups);
            let mean = rows.iter().map(|row| row.mu).sum::<f64>() / count as f64;
            let (first, last) = (rows[0].mu, rows[count - 1].mu);
            let size = (count, contest.groups.len());
            // Systems in integers may round the gain of a lone winner to that of the others.
            assert!(
                contest.groups.len() == 2 || first > last,
                "{size:?}: first {first}, last {last}"
            );
            assert!((mean - start).abs() <= 100.0, "{size:?}: mean {mean}");
            assert!(first - start <= 2_800.0, "{size:?}: winner {first}");
        }
    }
}

/// Ratings are finite, equal in a tie, and no higher than on any better place.
fn assert_ordered_by_place(rows: &[RatedEntrant], groups: &[u32]) {
    let mut begin = 0;
    let mut above = f64::INFINITY;
    for &end in groups {
        let mu = rows[begin].mu;
        for row in &rows[begin..end as usize] {
            let is_finite = row.mu.is_finite() && row.sigma.is_finite();
            assert!(
                is_finite && row.mu.to_bits() == mu.to_bits(),
                "{begin} of {}: {row:?}",
                rows.len()
            );
        }
        assert!(mu <= above, "{begin} of {}: {mu} below {above}", rows.len());
        (begin, above) = (end as usize, mu);
    }
}

/// In 1,000 contests of 2 to 1,000 among 2,000 equals, in random order, no rating moves by more
/// than 3,000.
pub(crate) fn equals_stay_near_start(form: &SystemConfig, random: &mut Random) {
    let (least, most) = supported_sizes(form).into_inner();
    let mut system = form.build();
    let start = system.newcomer_mu(0);
    let mut everybody: Vec<u32> = (0..2_000).collect();
    for day in 0..1_000 {
        // Log-uniform, so that small contests are as frequent as large ones.
        let size = random.between(2.0_f64.ln(), 1_000.0_f64.ln()).exp().round() as usize;
        let count = size.clamp(least, most);
        for place in 0..count {
            everybody.swap(place, place + random.below(2_000 - place));
        }
        let contest = OwnedRound {
            entrants: everybody[..count].to_vec(),
            ends_at: day * 86_400,
            ..ordered_contest(count)
        };
        for row in contest.rate(system.as_mut()) {
            let moved = row.mu - start;
            assert!(moved.abs() <= 3_000.0, "{moved} after {count} on day {day}");
        }
    }
}

/// A player 1,000 points below a field of 1,000 who wins, or 1,000 above it who comes last, moves
/// by at most 2,800.
pub(crate) fn upsets_move_rating_within_bounds(form: &SystemConfig) {
    let field = 1_000.min(supported_sizes(form).end() - 1);
    for lead in [-1_000.0, 1_000.0] {
        let mut system = form.build();
        let mu = system.newcomer_mu(0) + lead;
        let place = if lead < 0.0 { 0 } else { field };
        system.set_initial_rating(place as u32, InitialRating { mu, sigma: None });
        let rows = ordered_contest(field + 1).rate(system.as_mut());
        let moved = rows[place].mu - mu;
        assert!(moved * lead < 0.0, "{moved} with a lead of {lead}");
        assert!(moved.abs() <= 2_800.0, "{moved} with a lead of {lead}");
    }
}
