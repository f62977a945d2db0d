//! Laws that hold for every rating system and all its parameters.

pub(crate) mod promises;
pub(crate) mod random_history;
pub(crate) mod scale;
pub(crate) mod sigma_growth;
pub(crate) mod sizes;
pub(crate) mod win_probability;

use std::collections::BTreeMap;

use ranklore_rating::{
    AllTied, ContestPolicy, PastResult, RatedEntrant, RatingRound, Support, UnfinishedPolicy,
    WithContestPolicy, has_diverged,
};

use serde_json::Value;

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

/// The systems that compute the performance in each contest.
const WITH_PERFORMANCES: [&str; 9] = [
    "codeforces",
    "codeforces-official",
    "elo-mmr",
    "elo-mmx",
    "elo-r",
    "elo-srm",
    "elo-srm2",
    "topcoder",
    "topcoder-official",
];

/// Rows are finite, one per entrant, none without a result. No zero is negative, and no performance is
/// above the ceiling. All rows of a system have a performance, or none.
pub(crate) fn rows_are_finite(form: &SystemConfig, story: &RandomHistory) {
    for (contest, rows) in story.contests.iter().zip(rows(form, story)) {
        let round = contest.round();
        let entrants = round.teams.map_or(round.entrants.len(), <[u32]>::len);
        let is_rated = round.has_result() && form.about.supports_entrants(entrants as u32);
        let expected = if is_rated { contest.entrants.len() } else { 0 };
        assert_eq!(rows.len(), expected, "{contest:?}");
        for row in rows {
            let computes_performance = WITH_PERFORMANCES.contains(&form.about.name);
            // It has none for the only newcomer of a contest, and the only other entrant.
            let may_lack_one = form.about.name == "topcoder-official";
            assert!(
                may_lack_one || row.performance.is_some() == computes_performance,
                "{}: {row:?}",
                form.about.name
            );
            assert_valid_row(&row, contest);
        }
    }
}

/// No rating reaches the bound of ratings, which ends a run.
pub(crate) fn ratings_do_not_diverge(form: &SystemConfig, story: &RandomHistory) {
    for (contest, rows) in story.contests.iter().zip(rows(form, story)) {
        assert!(!has_diverged(&rows), "{contest:?}");
    }
}

fn assert_valid_row(row: &RatedEntrant, contest: &OwnedRound) {
    let volatility = row.volatility.unwrap_or(1.0);
    for number in [
        row.mu,
        row.sigma,
        row.performance.unwrap_or(row.mu),
        volatility,
    ] {
        assert!(
            number.is_finite() && (number != 0.0 || number.is_sign_positive()),
            "{row:?} of {contest:?}"
        );
    }
    assert!(row.sigma >= 0.0 && volatility >= 0.0, "{row:?} of {contest:?}");
    assert!(
        row.performance.is_none_or(|performance| performance <= contest.ceiling),
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
                    period: None,
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
            let actual = contest.rate(system.as_mut());
            assert!(bits(&actual) == bits(rows), "cut at {cut}: {contest:?}\n{rows:?}\n{actual:?}");
        }
    }
}

/// Names, and the listing order of tied entrants, unfinished entrants and team members, change no
/// bit.
pub(crate) fn names_change_nothing(form: &SystemConfig, story: &RandomHistory) {
    let turned = story.mirrored();
    let histories = rows(form, story).into_iter().zip(rows(form, &turned));
    let contests = story.contests.iter().zip(&turned.contests);
    for ((contest, turned), (expected, actual)) in contests.zip(histories) {
        let by_name = |contest: &OwnedRound, rows: &[RatedEntrant], name: &dyn Fn(u32) -> u32| {
            let names = contest.entrants.iter().map(|&competitor| name(competitor));
            names.zip(bits(rows)).collect::<BTreeMap<u32, [u64; 4]>>()
        };
        let expected_bits = by_name(contest, &expected, &|competitor| story.other_name(competitor));
        assert!(
            expected_bits == by_name(turned, &actual, &|competitor| competitor),
            "{contest:?}\n{expected:?}\n{actual:?}"
        );
    }
}

/// A contest without a result changes no competitor.
pub(crate) fn result_is_required(form: &SystemConfig, story: &RandomHistory) {
    let mut with_result = story.clone();
    with_result.contests.retain(|contest| contest.round().has_result());
    let mut expected = rows(form, story);
    expected.retain(|rows| !rows.is_empty());
    let mut actual = rows(form, &with_result);
    // Of contests that are too large.
    actual.retain(|rows| !rows.is_empty());
    assert!(all_bits(&expected) == all_bits(&actual));
}

/// Contests whose entrants are all tied change no competitor if they are skipped.
pub(crate) fn skipped_ties_change_nothing(form: &SystemConfig, story: &RandomHistory) {
    let rows = |policy: AllTied, story: &RandomHistory| {
        let policy = ContestPolicy {
            unfinished: UnfinishedPolicy::Censored,
            all_tied: policy,
        };
        let mut system = WithContestPolicy::new(policy, started(form, story));
        let rate = |contest: &OwnedRound| contest.rate(&mut system);
        let mut rows: Vec<Vec<RatedEntrant>> = story.contests.iter().map(rate).collect();
        rows.retain(|rows| !rows.is_empty());
        all_bits(&rows)
    };
    let mut ordered = story.clone();
    ordered.contests.retain(|contest| contest.round().has_order());
    assert!(rows(AllTied::Skip, story) == rows(AllTied::Rate, &ordered));
}

/// Systems of sites that correct ratings for newcomers or for inflation.
const CORRECTING_SYSTEMS: [&str; 4] = [
    "codeforces-official",
    "elo-srm",
    "elo-srm2",
    "topcoder-official",
];

/// A tie of newcomers leaves them equal, and at the rating that they had unless the system corrects
/// ratings.
pub(crate) fn tied_newcomers_stay_equal(form: &SystemConfig, entrants: u32) {
    let people: Vec<u32> = (0..entrants).collect();
    let mut system = form.build();
    let floor = form.parameters.get("floor").and_then(Value::as_f64);
    let start = system.newcomer_mu(0).max(floor.unwrap_or(f64::NEG_INFINITY));
    let mut rated = Vec::new();
    system.rate(&RatingRound::new(&people, &[entrants]), &mut rated);
    if !form.about.supports_entrants(entrants) {
        assert_eq!(rated, []);
        return;
    }
    assert_eq!(rated.len(), people.len(), "{form}");
    for row in &rated {
        assert!(bits(&[*row]) == bits(&rated[..1]), "{form}: {rated:?}");
        let is_unmoved = (row.mu - start).abs() <= 1e-6 * start.abs().max(1.0);
        let corrects = CORRECTING_SYSTEMS.contains(&form.about.name);
        assert!(is_unmoved || corrects, "{form}: {row:?}");
    }
}

/// Unsupported features change nothing.
pub(crate) fn unsupported_features_are_ignored(form: &SystemConfig, story: &RandomHistory) {
    let about = form.about;
    let mut plain = story.clone();
    for contest in &mut plain.contests {
        // A contest without a finisher has no result.
        if about.unfinished == UnfinishedPolicy::Tied && contest.round().has_result() {
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
            let performances = capped.performance.zip(free.performance);
            assert!(
                capped.mu <= free.mu + room
                    && performances.is_none_or(|(capped, free)| capped <= free + room),
                "{capped:?} for {free:?} under {}",
                contest.ceiling
            );
        }
    }
}
