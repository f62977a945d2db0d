//! Syncs over months, with a controlled clock and a local test server.

use std::cell::Cell;
use std::time::Duration;

use ranklore_contest::UnixSeconds;
use ranklore_ingest::{MineReport, MineRequest, OptionValues, find_site, mine, rebuild};
use ranklore_replay::NoProgress;
use ranklore_store::Completeness;
use ranklore_test_support::{DAY, TempDatabase};
use ranklore_test_support::{Reply, Server};
use ranklore_views::{EvaluationSettings, Metric, evaluate};
use serde_json::{Value, json};

const START: i64 = 1_700_006_400;

thread_local! {
    /// The current time of a test.
    static NOW: Cell<i64> = const { Cell::new(START) };
}

fn clock() -> UnixSeconds {
    UnixSeconds::new(NOW.get()).unwrap()
}

/// Syncs on a day, counted from the start.
fn mine_on_day(server: &Server, scratch: &TempDatabase, day: i64) -> MineReport {
    mine_with_options(server, scratch, day, &[])
}

fn mine_with_options(
    server: &Server,
    scratch: &TempDatabase,
    day: i64,
    options: &[&str],
) -> MineReport {
    NOW.set(START + day * DAY);
    let site = find_site("codeforces").unwrap();
    let mut values = OptionValues::default();
    for option in options {
        values.set(site.profile, option, None).unwrap();
    }
    let codeforces = (site.open)(&values).unwrap();
    let request = MineRequest {
        base_url: Some(server.url().to_owned()),
        interval: Some(Duration::ZERO),
        backoff: Some(Duration::ZERO),
        ..MineRequest::default()
    };
    let mut store = scratch.open_writer();
    mine(&mut store, &*codeforces, &request, clock, &NoProgress).unwrap()
}

fn ok_reply(result: &Value) -> Reply {
    Reply::json(&json!({"status": "OK", "result": result}))
}

fn contest_json(id: u32, ended_on: i64) -> Value {
    json!({
        "id": id, "name": format!("Round {id}"), "type": "CF", "phase": "FINISHED",
        "frozen": false, "durationSeconds": 3600,
        "startTimeSeconds": START + ended_on * DAY - 3600,
    })
}

fn rating_changes(id: u32, handles: &[&str]) -> Value {
    let row = |(index, handle): (usize, &&str)| {
        json!({
            "contestId": id, "contestName": format!("Round {id}"), "handle": handle,
            "rank": index + 1, "ratingUpdateTimeSeconds": START,
            "oldRating": 0, "newRating": 1000,
        })
    };
    handles.iter().enumerate().map(row).collect()
}

fn rating_changes_target(id: u32) -> String {
    format!("GET /api/contest.ratingChanges?contestId={id}&lang=en")
}

const LIST_TARGET: &str = "GET /api/contest.list?gym=false&lang=en";
const RATED_LIST_TARGET: &str = "GET /api/user.ratedList?activeOnly=false&includeRetired=true";

#[test]
fn provisional_results_are_requested_again_after_a_month() {
    let server = Server::new();
    let scratch = TempDatabase::new();
    server.set_replies(LIST_TARGET, [ok_reply(&json!([contest_json(2, -1), contest_json(1, -2)]))]);
    server.set_replies(&rating_changes_target(1), [ok_reply(&rating_changes(1, &["ada", "bea"]))]);
    server.set_replies(&rating_changes_target(2), [ok_reply(&json!([]))]);
    let everybody = json!([{"handle": "ada", "rating": 1}, {"handle": "bea", "rating": 1}]);
    server.set_replies(RATED_LIST_TARGET, [ok_reply(&everybody)]);
    let on = |day| mine_on_day(&server, &scratch, day);
    let states = || {
        let store = scratch.open_writer();
        let source = store.sources().unwrap()[0].source_id;
        let contests = store.contests_of_source(source).unwrap();
        let words = contests.iter().map(|contest| contest.state.as_str());
        words.collect::<Vec<_>>()
    };
    let both = [
        LIST_TARGET.to_owned(),
        rating_changes_target(1),
        rating_changes_target(2),
    ];

    assert_eq!(on(0).contests.with_results.added, 1);
    assert_eq!(server.take_targets(), both);
    assert_eq!(states(), ["provisional", "provisional"]);
    // A clock that is set back changes nothing.
    on(-10);
    assert_eq!(server.take_targets(), both);
    on(20);
    assert_eq!(server.take_targets(), both);
    assert_eq!(states(), ["provisional", "provisional"]);
    // Once more after a month, together with the list of all accounts.
    on(40);
    let mut once_more = both.to_vec();
    once_more.push(RATED_LIST_TARGET.to_owned());
    assert_eq!(server.take_targets(), once_more);
    assert_eq!(states(), ["final", "unrated"]);
    // From now on only late checks request the rounds, once a day.
    on(41);
    assert_eq!(server.take_targets(), both);
    let report = on(41);
    assert_eq!(server.take_targets(), [LIST_TARGET.to_owned()]);
    assert_eq!((report.answers, report.left), (1, 0));
    assert_eq!(scratch.open_writer().check().unwrap(), []);
}

#[test]
fn incomplete_final_contest_is_requested_again() {
    let server = Server::new();
    let scratch = TempDatabase::new();
    server.set_replies(LIST_TARGET, [ok_reply(&json!([contest_json(1, -150)]))]);
    server.set_replies(&rating_changes_target(1), [ok_reply(&rating_changes(1, &["ada", "bea"]))]);
    mine_on_day(&server, &scratch, 0);
    for (arrived, requested) in [(2, true), (9, false)] {
        {
            let mut store = scratch.open_writer();
            let mut batch = store.batch().unwrap();
            let source = batch.sources().unwrap()[0].source_id;
            let mut sync = batch.contest_sync(source, "1").unwrap().unwrap();
            assert_eq!(sync.due_at, None);
            let completeness = Completeness::after_sync(None, "rows", 10, arrived);
            sync.completeness = Some(completeness);
            batch.upsert_contest_sync(source, &sync).unwrap();
            batch.commit().unwrap();
        }
        server.take_targets();
        mine_on_day(&server, &scratch, 1);
        let again = server.take_targets().contains(&rating_changes_target(1));
        assert_eq!(again, requested, "{arrived} of 10");
    }
}

#[test]
fn wrong_future_clock_settles_nothing() {
    let server = Server::new();
    let scratch = TempDatabase::new();
    server.set_replies(
        LIST_TARGET,
        [ok_reply(&json!([
            contest_json(2, -1),
            contest_json(1, -150)
        ]))],
    );
    server.set_replies(&rating_changes_target(1), [ok_reply(&rating_changes(1, &["ada", "bea"]))]);
    server.set_replies(&rating_changes_target(2), [ok_reply(&json!([]))]);
    let everybody = json!([{"handle": "ada", "rating": 1}, {"handle": "bea", "rating": 1}]);
    server.set_replies(RATED_LIST_TARGET, [ok_reply(&everybody)]);
    let ahead = 3000;
    assert_eq!(mine_on_day(&server, &scratch, ahead).contests.with_results.added, 1);
    let both = [
        LIST_TARGET.to_owned(),
        rating_changes_target(1),
        rating_changes_target(2),
    ];
    assert_eq!(server.take_targets(), both);
    // With the correct clock the earlier answers are not settled and are requested again.
    mine_on_day(&server, &scratch, 0);
    assert_eq!(server.take_targets()[..3], both);
    mine_on_day(&server, &scratch, 1);
    assert_eq!(server.take_targets(), [LIST_TARGET.to_owned(), rating_changes_target(2)]);
    // Rated now, although the earlier answer has a time in the future.
    server.set_replies(&rating_changes_target(2), [ok_reply(&rating_changes(2, &["ada", "bea"]))]);
    assert_eq!(mine_on_day(&server, &scratch, 2).contests.with_results.added, 1);
}

#[test]
fn late_checks_notice_recalculated_rounds_within_five_requests() {
    let server = Server::new();
    let scratch = TempDatabase::new();
    // Seven rounds are final and younger than 90 days, two are older.
    let ends: Vec<(u32, i64)> = (1..10).map(|id| (id, i64::from(id) * 8 - 109)).collect();
    let list = ends.iter().rev().map(|(id, end)| contest_json(*id, *end));
    server.set_replies(LIST_TARGET, [ok_reply(&list.collect())]);
    for (id, _) in &ends {
        let changes = ok_reply(&rating_changes(*id, &["ada", "bea"]));
        server.set_replies(&rating_changes_target(*id), [changes]);
    }
    server.set_replies(RATED_LIST_TARGET, [ok_reply(&json!([]))]);
    let checked_on = |day| {
        server.take_targets();
        let report = mine_on_day(&server, &scratch, day);
        let mut targets = server.take_targets();
        targets.retain(|target| target.contains("ratingChanges"));
        (targets, report.contests.with_results.revised)
    };
    let rounds = |ids: &[u32]| ids.iter().map(|id| rating_changes_target(*id)).collect::<Vec<_>>();
    assert_eq!(checked_on(0).0.len(), 9);
    // Less than a day later nothing is due.
    assert_eq!(checked_on(0), (Vec::new(), 0));
    let recalculated = ok_reply(&rating_changes(8, &["bea", "ada"]));
    server.set_replies(&rating_changes_target(8), [recalculated]);
    assert_eq!(checked_on(1), (rounds(&[3, 4, 5, 6, 7]), 0));
    // Those requested longest ago come first.
    assert_eq!(checked_on(2), (rounds(&[8, 9, 3, 4, 5]), 1));
    let hash = scratch.content_hash();
    rebuild(&mut scratch.open_writer(), &[], clock, &NoProgress).unwrap();
    assert_eq!(scratch.content_hash(), hash);
}

/// Returns the standings of a contest of two, with these points of the winner.
fn standings_reply(id: u32, points: u32) -> Reply {
    let row = |rank: u32, handle: &str, points: u32| {
        json!({
            "party": {
                "contestId": id, "members": [{"handle": handle}],
                "participantType": "CONTESTANT", "ghost": false,
            },
            "rank": rank, "points": points, "penalty": 0,
        })
    };
    let rows = [row(1, "ada", points), row(2, "bea", 1)];
    ok_reply(&json!({"contest": contest_json(id, -1), "problems": [], "rows": rows}))
}

#[test]
fn provisional_standings_are_requested_until_final() {
    let server = Server::new();
    let scratch = TempDatabase::new();
    let target_of_standings = "GET /api/contest.standings?contestId=1";
    server.set_replies(LIST_TARGET, [ok_reply(&json!([contest_json(1, -1)]))]);
    server.set_replies(&rating_changes_target(1), [ok_reply(&rating_changes(1, &["ada", "bea"]))]);
    server.set_replies(target_of_standings, [standings_reply(1, 5)]);
    let everybody = json!([{"handle": "ada", "rating": 1}, {"handle": "bea", "rating": 1}]);
    server.set_replies(RATED_LIST_TARGET, [ok_reply(&everybody)]);
    let with = ["standings"];
    mine_with_options(&server, &scratch, 0, &with);
    // After some months the rating changes come, but not the standings.
    server.set_replies(target_of_standings, [Reply::new(200, "application/json", "")]);
    assert_eq!(mine_with_options(&server, &scratch, 100, &with).refused.len(), 1);
    mine_on_day(&server, &scratch, 101);
    server.set_replies(target_of_standings, [standings_reply(1, 9)]);
    server.take_targets();
    mine_with_options(&server, &scratch, 102, &with);
    // Only the missing document is requested, then nothing.
    assert_eq!(server.take_targets(), [LIST_TARGET, target_of_standings]);
    mine_with_options(&server, &scratch, 103, &with);
    assert_eq!(server.take_targets(), [LIST_TARGET]);
    let score: f64 = rusqlite::Connection::open(scratch.database())
        .unwrap()
        .query_row("SELECT max(score) FROM standing", [], |row| row.get(0))
        .unwrap();
    assert!((score - 9.0).abs() < 1e-9);
}

#[test]
fn official_ratings_are_evaluated() {
    let server = Server::new();
    let scratch = TempDatabase::new();
    let rated = |id: u32, order: [(&str, u32); 3]| {
        let rows = order.iter().zip(1..).map(|((handle, rating), rank)| {
            json!({
                "contestId": id, "contestName": format!("Round {id}"), "handle": handle,
                "rank": rank, "ratingUpdateTimeSeconds": START,
                "oldRating": 1500, "newRating": rating,
            })
        });
        ok_reply(&rows.collect())
    };
    server.set_replies(
        LIST_TARGET,
        [ok_reply(&json!([
            contest_json(3, -1),
            contest_json(2, -2),
            contest_json(1, -3)
        ]))],
    );
    let as_rated = [("ada", 1600), ("bea", 1500), ("cem", 1400)];
    let reversed = [("cem", 1450), ("bea", 1500), ("ada", 1550)];
    server.set_replies(&rating_changes_target(1), [rated(1, as_rated)]);
    server.set_replies(&rating_changes_target(2), [rated(2, as_rated)]);
    server.set_replies(&rating_changes_target(3), [rated(3, reversed)]);
    mine_on_day(&server, &scratch, 0);
    let mut store = scratch.open_writer();
    let run = store.runs().unwrap().remove(0);
    assert_eq!(run.system, "official");
    let run_id = run.run_id;
    let settings = EvaluationSettings::default();
    let evaluated = evaluate(&mut store, run, &settings, true, clock()).unwrap();
    // In the first contest all competitors were unrated. The second one came out as predicted, the
    // third one reversed.
    let everybody = &evaluated.slices[0];
    assert_eq!((everybody.contests, everybody.results), (2, 6));
    assert_eq!(everybody.metrics.get(Metric::PairInversion), Some(50.0));
    assert_eq!(everybody.metrics.get(Metric::LogLoss), None);
    assert!(store.evaluation(run_id).unwrap().is_some());
    drop(store);
    // Changed ratings delete the evaluation.
    server.set_replies(&rating_changes_target(3), [rated(3, as_rated)]);
    mine_on_day(&server, &scratch, 1);
    assert_eq!(scratch.open_writer().evaluation(run_id).unwrap(), None);
}
