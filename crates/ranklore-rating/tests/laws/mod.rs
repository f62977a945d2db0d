//! Laws that hold for every rating system and all its parameters.

pub(crate) mod promises;
pub(crate) mod random_history;
pub(crate) mod scale;
pub(crate) mod sizes;
pub(crate) mod win_probability;

use std::collections::BTreeMap;

use ranklore_rating::{PastResult, RatedEntrant, Support, UnfinishedPolicy};

use crate::configs::SystemConfig;
use crate::history::{OwnedRound, bits};
use random_history::{RandomHistory, started};

/// All rows of a history.
fn rows(form: &SystemConfig, story: &RandomHistory) -> Vec<Vec<RatedEntrant>> {
    let mut system = started(form, story);
    let rate = |contest: &OwnedRound| contest.rate(system.as_mut());
    story.contests.iter().map(rate).collect()
}

fn all_bits(rows: &[Vec<RatedEntrant>]) -> Vec<Vec<[u64; 4]>> {
    rows.iter().map(|rows| bits(rows)).collect()
}

/// Rows are finite, one per entrant, none without order. No zero is negative, and no performance is
/// above the ceiling.
pub(crate) fn rows_are_finite(form: &SystemConfig, story: &RandomHistory) {
    for (contest, rows) in story.contests.iter().zip(rows(form, story)) {
        let round = contest.round();
        let entrants = round.teams.map_or(round.entrants.len(), <[u32]>::len);
        let is_rated = round.has_order() && form.about.supports_entrants(entrants as u32);
        let expected = if is_rated { contest.entrants.len() } else { 0 };
        assert_eq!(rows.len(), expected, "{contest:?}");
        for row in rows {
            assert_valid_row(&row, contest);
        }
    }
}

fn assert_valid_row(row: &RatedEntrant, contest: &OwnedRound) {
    let volatility = row.volatility.unwrap_or(1.0);
    for number in [row.mu, row.sigma, row.performance, volatility] {
        assert!(
            number.is_finite() && (number != 0.0 || number.is_sign_positive()),
            "{row:?} of {contest:?}"
        );
    }
    assert!(
        row.sigma >= 0.0 && volatility >= 0.0,
        "{row:?} of {contest:?}"
    );
    let knows_none = row.performance.to_bits() == row.mu.to_bits();
    assert!(
        knows_none || row.performance <= contest.ceiling,
        "{row:?} of {contest:?}"
    );
}

/// Restoring rows at any cut and in any order of competitors gives the same later rows.
pub(crate) fn resumes_from_rows(form: &SystemConfig, story: &RandomHistory) {
    let rows = rows(form, story);
    for cut in 0..=story.contests.len() {
        let mut careers: BTreeMap<u32, Vec<PastResult>> = BTreeMap::new();
        for (contest, rows) in story.contests[..cut].iter().zip(&rows) {
            for (&competitor, &rated) in contest.entrants.iter().zip(rows) {
                careers.entry(competitor).or_default().push(PastResult {
                    ends_at: contest.ends_at,
                    weight: contest.weight,
                    rated,
                });
            }
        }
        let mut system = started(form, story);
        for (&competitor, career) in careers.iter().rev() {
            for past in career {
                system.restore(competitor, past);
                let mu = system.mu(competitor);
                assert_eq!(mu.to_bits(), past.rated.mu.to_bits(), "cut at {cut}");
            }
        }
        for (contest, rows) in story.contests.iter().zip(&rows).skip(cut) {
            let found = contest.rate(system.as_mut());
            assert!(
                bits(&found) == bits(rows),
                "cut at {cut}: {contest:?}\n{rows:?}\n{found:?}"
            );
        }
    }
}

/// Names, and the listing order of tied entrants, unfinished entrants and team members, change no
/// bit.
pub(crate) fn names_change_nothing(form: &SystemConfig, story: &RandomHistory) {
    let turned = story.mirrored();
    let histories = rows(form, story).into_iter().zip(rows(form, &turned));
    let contests = story.contests.iter().zip(&turned.contests);
    for ((contest, turned), (expected, found)) in contests.zip(histories) {
        let by_name = |contest: &OwnedRound, rows: &[RatedEntrant], name: &dyn Fn(u32) -> u32| {
            let names = contest.entrants.iter().map(|&who| name(who));
            names.zip(bits(rows)).collect::<BTreeMap<u32, [u64; 4]>>()
        };
        let expected_bits = by_name(contest, &expected, &|who| story.other_name(who));
        assert!(
            expected_bits == by_name(turned, &found, &|who| who),
            "{contest:?}\n{expected:?}\n{found:?}"
        );
    }
}

/// A contest without order changes no competitor.
pub(crate) fn order_is_required(form: &SystemConfig, story: &RandomHistory) {
    let mut ordered = story.clone();
    ordered.contests.retain(|of| of.round().has_order());
    let mut expected = rows(form, story);
    expected.retain(|rows| !rows.is_empty());
    assert!(all_bits(&expected) == all_bits(&rows(form, &ordered)));
}

/// Unsupported features change nothing.
pub(crate) fn unsupported_features_are_ignored(form: &SystemConfig, story: &RandomHistory) {
    let about = form.about;
    let mut plain = story.clone();
    for contest in &mut plain.contests {
        if about.unfinished == UnfinishedPolicy::Tied {
            contest.finishers = None;
        }
        if !about.supports(Support::Weights) {
            contest.weight = 1.0;
        }
        if !about.supports(Support::Time) {
            contest.ends_at = 0;
        }
    }
    assert!(all_bits(&rows(form, story)) == all_bits(&rows(form, &plain)));
}

/// A ceiling on performances raises no rating.
pub(crate) fn ceilings_raise_no_rating(form: &SystemConfig, story: &RandomHistory) {
    if form.about.name == "codeforces-official" {
        // Its correction for inflation distributes to all what a ceiling takes from some.
        return;
    }
    for contest in &story.contests {
        let rated = |ceiling: f64| {
            let contest = OwnedRound {
                ceiling,
                ..contest.clone()
            };
            contest.rate(started(form, story).as_mut())
        };
        for (free, capped) in rated(f64::INFINITY).iter().zip(rated(contest.ceiling)) {
            let room = 1e-12 * free.mu.abs().max(1.0);
            assert!(
                capped.mu <= free.mu + room && capped.performance <= free.performance + room,
                "{capped:?} for {free:?} under {}",
                contest.ceiling
            );
        }
    }
}
