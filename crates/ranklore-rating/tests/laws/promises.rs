//! Properties that some systems guarantee.

use ranklore_rating::{InitialRating, RatingSystem, Support};
use serde_json::Value;

use super::random_history::{RandomHistory, RatingRange, random_start, random_weight, started};
use crate::configs::SystemConfig;
use crate::history::OwnedRound;
use crate::random::Random;

/// The competitor that a law is about; all others have other numbers.
const SELF: u32 = 0;

/// A contest against opponents who appear once, with a free place for [`SELF`].
struct OpponentsRound {
    opponents: Vec<(u32, Option<InitialRating>)>,
    /// Ends of their tie groups.
    groups: Vec<u32>,
    /// True if the last group did not finish.
    unfinished: bool,
    /// A teammate of [`SELF`], for systems with teams.
    teammate: Option<(u32, Option<InitialRating>)>,
    ends_at: i64,
    weight: f64,
    ceiling: f64,
}

impl OpponentsRound {
    fn random(form: &SystemConfig, random: &mut Random, index: u32, starts: RatingRange) -> Self {
        let first = 1 + index * 20;
        let count = 1 + random.below(9) as u32;
        let mut groups: Vec<u32> = (1..count).filter(|_| random.below(3) > 0).collect();
        groups.push(count);
        let mut draw = |competitor: u32| (competitor, random_start(random, starts));
        let opponents = (first..first + count).map(&mut draw).collect();
        let mate = draw(first + 10);
        let knows_teams = form.about.supports(Support::Teams);
        Self {
            opponents,
            groups,
            unfinished: random.below(3) == 0,
            teammate: (knows_teams && random.below(3) == 0).then_some(mate),
            ends_at: i64::from(index) * 3_000_000,
            weight: random_weight(random),
            ceiling: [f64::INFINITY, f64::INFINITY, 1700.0][random.below(3)],
        }
    }

    /// Returns the number of places for [`SELF`]: above or within each group, and below all.
    /// Unfinished entrants have no place below them.
    fn places(&self) -> usize {
        2 * self.groups.len() + usize::from(!self.unfinished)
    }

    /// Returns the contest with [`SELF`] on a place, counted from the best.
    fn with_own_place(&self, place: usize) -> OwnedRound {
        let mut contest = OwnedRound::new(&[], &[]);
        (contest.ends_at, contest.weight, contest.ceiling) =
            (self.ends_at, self.weight, self.ceiling);
        let mut teams: Vec<u32> = Vec::new();
        let mut join = |contest: &mut OwnedRound, team: &[u32]| {
            contest.entrants.extend(team);
            teams.push(contest.entrants.len() as u32);
        };
        let own_team: Vec<u32> =
            [SELF].into_iter().chain(self.teammate.map(|mate| mate.0)).collect();
        let mut all = 0;
        let mut begin = 0;
        let mut finishers = 0;
        for (group, &end) in self.groups.iter().enumerate() {
            if place == 2 * group {
                join(&mut contest, &own_team);
                all += 1;
                contest.groups.push(all);
            }
            if self.unfinished && group + 1 == self.groups.len() {
                finishers = all;
            }
            for opponent in &self.opponents[begin..end as usize] {
                join(&mut contest, &[opponent.0]);
                all += 1;
            }
            if place == 2 * group + 1 {
                join(&mut contest, &own_team);
                all += 1;
            }
            contest.groups.push(all);
            begin = end as usize;
        }
        if place == 2 * self.groups.len() {
            join(&mut contest, &own_team);
            all += 1;
            contest.groups.push(all);
        }
        contest.finishers = Some(if self.unfinished { finishers } else { all });
        contest.teams = self.teammate.is_some().then_some(teams);
        contest
    }
}

/// A better place, or finishing, never lowers a rating, now or later.
pub(crate) fn better_place_never_lowers_rating(form: &SystemConfig, random: &mut Random) {
    // With every pair informative, the information depends on the entrant's own rating; with merged
    // performances so does the centre of the merged term.
    let but_for = ["information", "history_limit"];
    if but_for.iter().any(|name| form.parameters.contains_key(*name)) {
        return;
    }
    for history in 0..60 {
        let starts = [RatingRange::Ordinary, RatingRange::Extreme][history % 2];
        let meetings: Vec<OpponentsRound> = (0..6)
            .map(|index| OpponentsRound::random(form, random, index, starts))
            .collect();
        let own_start = random_start(random, starts);
        let places: Vec<usize> =
            meetings.iter().map(|meeting| random.below(meeting.places())).collect();
        let altered = random.below(meetings.len());
        let better = random.below(places[altered] + 1);
        let place = |at: usize| meetings[altered].with_own_place(at);
        let counts = |contest: OwnedRound| contest.round().has_result();
        if counts(place(places[altered])) != counts(place(better)) {
            // A contest without a finisher is no contest, neither for sigma nor for the time since
            // the last.
            continue;
        }
        let ratings = |better: usize| {
            let mut system = form.build();
            let opponents = meetings.iter().flat_map(|meeting| &meeting.opponents);
            let mates = meetings.iter().filter_map(|meeting| meeting.teammate.as_ref());
            for &(competitor, start) in opponents.chain(mates).chain([&(SELF, own_start)]) {
                if let Some(start) = start {
                    system.set_initial_rating(competitor, start);
                }
            }
            let mut after = Vec::new();
            for (index, meeting) in meetings.iter().enumerate() {
                let place = if index == altered {
                    better
                } else {
                    places[index]
                };
                meeting.with_own_place(place).rate(system.as_mut());
                after.push(system.mu(SELF));
            }
            after
        };
        let (was, is) = (ratings(places[altered]), ratings(better));
        for (contest, (was, is)) in was.iter().zip(&is).enumerate() {
            assert!(
                is - was >= -1e-9 * was.abs().max(1.0),
                "{history}: contest {contest}, place {better} in {altered} instead of {}: {is} instead of {was}",
                places[altered]
            );
        }
    }
}

/// Gains and losses sum to zero, with one learning rate for all, no dummy and no floor.
pub(crate) fn zero_sum_conserves_ratings(form: &SystemConfig, story: &RandomHistory) {
    let is_set = |name: &str| form.parameters.contains_key(name);
    let by_rating = matches!(form.parameters.get("learning_rate"), Some(Value::Array(_)));
    if is_set("dummy_mu") || is_set("floor") || by_rating {
        return;
    }
    let mut system = started(form, story);
    for contest in &story.contests {
        let before = |system: &dyn RatingSystem| -> Vec<f64> {
            contest.entrants.iter().map(|&competitor| system.mu(competitor)).collect()
        };
        let before = before(system.as_ref());
        let rows = contest.rate(system.as_mut());
        // Ratings are bounded by a million.
        if rows.is_empty() || rows.iter().any(|row| row.mu.abs() >= 1e6) {
            continue;
        }
        let gains = rows.iter().zip(&before).map(|(row, before)| row.mu - before);
        let sizes = rows.iter().zip(&before).map(|(row, before)| row.mu.abs() + before.abs());
        let sum = gains.sum::<f64>();
        let size = sizes.sum::<f64>();
        assert!(sum.abs() <= 1e-9 * size.max(1.0), "{sum:e} of {size:e}: {contest:?}");
    }
}

/// Beating the best, or losing to the worst, moves a rating no further once they are far away.
pub(crate) fn one_contest_moves_rating_within_bounds(form: &SystemConfig, random: &mut Random) {
    if form.parameters.get("model").is_some() && form.parameters.get("update").is_none() {
        // The likelihood of Gaussian performances has no bound.
        return;
    }
    for _ in 0..6 {
        // A weight many times the ordinary one leaves almost nothing of the terms that bound a
        // rating: the bound exists, but is very far.
        let ordinary = |index| OpponentsRound {
            weight: 1.0,
            ..OpponentsRound::random(form, random, index, RatingRange::Ordinary)
        };
        let meetings: Vec<OpponentsRound> = (0..4).map(ordinary).collect();
        let count = 1 + random.below(5) as u32;
        let weight = random_weight(random);
        for up in [true, false] {
            let moved = |distance: f64| {
                let mut system = form.build();
                for meeting in &meetings {
                    for &(competitor, start) in meeting.opponents.iter().chain(&meeting.teammate) {
                        if let Some(start) = start {
                            system.set_initial_rating(competitor, start);
                        }
                    }
                    let middle = meeting.places() / 2;
                    meeting.with_own_place(middle).rate(system.as_mut());
                }
                let before = system.mu(SELF);
                let distant: Vec<u32> = (100..100 + count).collect();
                for &competitor in &distant {
                    let mu = if up { distance } else { -distance };
                    system.set_initial_rating(
                        competitor,
                        InitialRating {
                            mu,
                            sigma: Some(50.0),
                        },
                    );
                }
                let (place, groups) = if up {
                    (0, [1, count + 1])
                } else {
                    (count, [count, count + 1])
                };
                let mut entrants = distant;
                entrants.insert(place as usize, SELF);
                let last = OwnedRound {
                    weight,
                    ends_at: 20_000_000,
                    ..OwnedRound::new(&entrants, &groups)
                };
                last.rate(system.as_mut());
                system.mu(SELF) - before
            };
            let (far, farther) = (moved(1e8), moved(1e10));
            assert!(
                (farther - far).abs() <= 1e-3 * far.abs() + 1e-3,
                "{far} by opponents at 1e8, {farther} at 1e10; weight {weight}, up {up}"
            );
        }
    }
}
