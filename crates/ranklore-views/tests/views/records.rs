//! Records, compared with the leaderboard after each contest and with all results.

use std::collections::{BTreeMap, BTreeSet};

use ranklore_contest::ContestTime;
use ranklore_replay::{NoProgress, SystemName};
use ranklore_store::{ProvisionalPlacement, RunId};
use ranklore_test_support::{
    DAY, RunSpec, World, contest_time, merge, random_contest, round, source,
};
use ranklore_views::{
    LeaderboardRequest, LeaderboardRow, NamesPolicy, RecordsRequest, RunRecords, load_leaderboard,
    load_records,
};
use serde_json::Value;

/// Creates contests of eight entrants on 70 days, some on one day, with gaps of up to two years.
fn world_with_gaps() -> World {
    let mut world = World::new();
    let mut day = 0;
    for id in 1..=90 {
        day += match id % 30 {
            0 => 700,
            7 | 8 => 0,
            step => i64::from(step),
        };
        world.upsert_contest("club", random_contest(id, day * DAY, 8));
    }
    world
}

fn rate(world: &mut World, system: &str) -> RunId {
    let run = RunSpec {
        system: SystemName::find(system).unwrap(),
        ..RunSpec::elo_mmr(&Value::Null)
    };
    run.rate(&mut world.store, &NoProgress).unwrap().run_id
}

fn records(world: &World, run: RunId) -> RunRecords {
    let request = RecordsRequest {
        run: run.into(),
        limit: usize::MAX,
        names: NamesPolicy::AsStored,
    };
    load_records(&world.store, &source("club"), &request).unwrap()
}

/// Returns the established ones on the leaderboard of a time.
fn established(world: &World, run: RunId, at: i64) -> Vec<LeaderboardRow> {
    let request = LeaderboardRequest {
        as_of: Some(contest_time(at)),
        provisional: ProvisionalPlacement::Exclude,
        names: NamesPolicy::AsStored,
        ..LeaderboardRequest::from_run(run)
    };
    load_leaderboard(&world.store, &request).unwrap().rows
}

/// Returns the times in first place by the leaderboard after each contest.
fn reigns_by_leaderboards(world: &World, run: RunId) -> Vec<(String, i64, Option<i64>)> {
    let contests = world.store.all_contests().unwrap();
    let times: BTreeSet<i64> = contests.iter().filter_map(|contest| contest.ends_at).collect();
    let mut reigns: Vec<(String, i64, Option<i64>)> = Vec::new();
    for at in times {
        let board = established(world, run, at);
        let mut first: Vec<_> = board.iter().filter(|row| row.standing.place == 1).collect();
        first.sort_by_key(|row| row.standing.competitor_id);
        let names: Vec<&str> = first.iter().map(|row| &*row.competitor.name).collect();
        let reign = reigns.last_mut().filter(|(.., until)| until.is_none());
        if let Some((name, _, until)) = reign {
            if names.contains(&&**name) {
                continue;
            }
            *until = Some(at);
        }
        reigns.extend(names.first().map(|&name| (name.to_owned(), at, None)));
    }
    reigns
}

#[test]
fn first_places_are_those_of_leaderboards() {
    let mut world = world_with_gaps();
    for system in ["elo-mmr", "glicko", "glicko2", "codeforces"] {
        let run = rate(&mut world, system);
        let mut expected = reigns_by_leaderboards(&world, run);
        let found_records = records(&world, run);
        let newest = found_records.newest_contest_at.unwrap();
        let days = |since: i64, until: Option<i64>| (until.unwrap_or(newest) - since) / DAY;
        expected.sort_by_key(|&(_, since, until)| std::cmp::Reverse(days(since, until)));
        assert!(expected.len() > 5, "{system}: {expected:?}");
        let mut reigns = Vec::new();
        for reign in found_records.first_places {
            assert_eq!(i64::from(reign.days), days(reign.since, reign.until));
            reigns.push((reign.competitor.name, reign.since, reign.until));
        }
        assert_eq!(reigns, expected, "{system}");
    }
}

#[test]
fn years_summarise_the_last_leaderboard_of_each() {
    let mut world = world_with_gaps();
    for system in ["elo-mmr", "glicko"] {
        let run = rate(&mut world, system);
        let mut last_of_year: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
        for contest in world.store.all_contests().unwrap() {
            let at = contest.ends_at.unwrap();
            let year = ContestTime::new(at).unwrap().months_since_year_zero() / 12;
            let (first, last) = last_of_year.entry(year).or_insert((at, at));
            (*first, *last) = ((*first).min(at), (*last).max(at));
        }
        let years = records(&world, run).years;
        assert_eq!(
            years.iter().map(|year| year.year).collect::<Vec<_>>(),
            last_of_year.keys().copied().collect::<Vec<_>>()
        );
        for year in years {
            let (first, last) = last_of_year[&year.year];
            let mut ratings: Vec<f64> = established(&world, run, last)
                .iter()
                .filter(|row| row.standing.last_contest_at >= first)
                .map(|row| row.standing.rating)
                .collect();
            ratings.sort_by(f64::total_cmp);
            let count = ratings.len();
            assert_eq!(year.competitors, count, "{year:?}");
            assert_eq!(year.median.to_bits(), ratings[(count - 1) / 2].to_bits());
            let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
            assert!((year.mean - mean(&ratings)).abs() < 1e-9, "{year:?}");
            let top = &ratings[count.saturating_sub(10)..];
            assert!((year.top_mean - mean(top)).abs() < 1e-9, "{year:?}");
        }
    }
}

#[test]
fn wins_are_first_places_alone_of_a_person() {
    let mut world = World::new();
    // In the last one both accounts of one person are first.
    let orders = ["a b c", "a=b c", "b a c", "c2 a b", "c a b", "c=c2 a b"];
    for (id, order) in orders.iter().enumerate() {
        world.upsert_contest("club", round(&id.to_string(), id as i64, order));
    }
    // Nobody is rated by it.
    world.upsert_contest("club", round("alone", 9, "a"));
    world.record_effective_decision(&merge("c2", "c"));
    let run = rate(&mut world, "codeforces");
    let wins: Vec<_> = records(&world, run)
        .wins
        .into_iter()
        .map(|win| (win.competitor.name, win.wins, win.contests))
        .collect();
    let expected = [("c", 3, 6), ("a", 1, 6), ("b", 1, 6)];
    let expected = expected.map(|(name, wins, contests)| (name.to_owned(), wins, Some(contests)));
    assert_eq!(wins, expected);
}
