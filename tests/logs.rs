//! Logs on standard error: content per level, and secrets that they never contain.

use crate::support::{CommandOutput, Scratch, contest};
use ranklore_test_support::{Reply, Server};
use serde_json::{Value, json};

const LIST: &str = "/api/contest.list?gym=false&lang=en";
const CHANGES: &str = "/api/contest.ratingChanges?contestId=7&lang=en";

/// Returns a site with one old round.
fn site() -> Server {
    let site = Server::new();
    let ok = |result: Value| Reply::json(&json!({"status": "OK", "result": result}));
    let list = json!([{
        "id": 7,
        "name": "Lantern Round 7",
        "type": "CF",
        "phase": "FINISHED",
        "frozen": false,
        "durationSeconds": 7200,
        "startTimeSeconds": 1_600_000_000,
        "relativeTimeSeconds": 1,
    }]);
    let row = |(rank, handle): (u32, &str)| {
        json!({
            "contestId": 7,
            "contestName": "Lantern Round 7",
            "handle": handle,
            "rank": rank,
            "ratingUpdateTimeSeconds": 1_600_010_000,
            "oldRating": 1500,
            "newRating": 1600,
        })
    };
    site.set_replies(&format!("GET {LIST}"), [ok(list)]);
    let changes = [(1, "ada"), (2, "bea")].map(row);
    site.set_replies(&format!("GET {CHANGES}"), [ok(json!(changes))]);
    site
}

fn mine(url: &str, options: &[&str]) -> Vec<String> {
    let begin = [
        "mine",
        "codeforces",
        "--base-url",
        url,
        "--interval",
        "0",
        "--full",
    ];
    let arguments = begin.iter().chain(options);
    arguments.map(|&argument| argument.to_owned()).collect()
}

fn run_logged(scratch: &Scratch, arguments: &[String], rust_log: Option<&str>) -> CommandOutput {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = scratch.command(&arguments);
    if let Some(directives) = rust_log {
        command.env("RUST_LOG", directives);
    }
    CommandOutput::run(command)
}

/// Returns the log lines of a target.
fn log_lines<'d>(done: &'d CommandOutput, target: &str) -> Vec<&'d str> {
    let mark = format!(" {target}: ");
    let lines = done.err.lines();
    lines.filter(|line| line.contains(&mark)).collect()
}

/// Returns the events of a target; every line of standard error is an object.
fn log_events(done: &CommandOutput, target: &str) -> Vec<Value> {
    let events = done.err.lines().map(|line| {
        let event: Value = serde_json::from_str(line).unwrap();
        let at = event["timestamp"].as_str().unwrap();
        assert!(at.parse::<jiff::Timestamp>().is_ok() && at.ends_with('Z'));
        assert!(event["level"].is_string() && event["message"].is_string());
        event
    });
    events.filter(|event| event["target"] == target).collect()
}

#[test]
fn each_level_logs_more_and_results_stay_the_same() {
    let site = site();
    let mut outs = Vec::new();
    let mut reports = Vec::new();
    for (flags, requests, contests, runs) in [
        (&[][..], 0, 0, 0),
        (&["-q"][..], 0, 0, 0),
        (&["-v"], 2, 0, 1),
        (&["-vv"], 2, 1, 1),
        (&["--verbose", "--verbose"], 2, 1, 1),
        (&["--log-format", "json"], 0, 0, 0),
        (&["-vv", "--log-format", "json"], 2, 1, 1),
    ] {
        let scratch = Scratch::new();
        let mined = run_logged(&scratch, &mine(site.url(), flags), None).exits(0);
        let rated = scratch.ok(&[&["rate", "codeforces", "--json"], flags].concat());
        let is_json = flags.contains(&"json");
        let count = |done: &CommandOutput, target| {
            if is_json {
                log_events(done, target).len()
            } else {
                log_lines(done, target).len()
            }
        };
        assert_eq!(count(&mined, "ranklore::request"), requests, "{flags:?}");
        // The round is listed before it is read.
        let read = contests * 2;
        assert_eq!(count(&mined, "ranklore::contest"), read, "{flags:?}");
        assert_eq!(count(&rated, "ranklore::run"), runs, "{flags:?}");
        if runs == 0 && !is_json {
            let err = mined.err + &rated.err;
            assert!(!err.contains("ranklore::"), "{flags:?}: {err}");
            assert_eq!(err.is_empty(), flags == ["-q"], "{err}");
        }
        let mut rated = rated.json();
        rated[0]["seconds"] = Value::Null;
        // The report of a command that changes something is no result to ask for.
        if flags == ["-q"] {
            assert_eq!(mined.out, "");
        } else {
            reports.push(mined.out);
        }
        outs.push(rated);
    }
    outs.dedup();
    reports.dedup();
    assert_eq!((outs.len(), reports.len()), (1, 1), "{outs:?}, {reports:?}");
}

#[test]
fn requests_are_logged_with_status_bytes_and_duration() {
    let site = site();
    let scratch = Scratch::new();
    let list = format!("GET {LIST}");
    let changes = format!("GET {CHANGES}");
    let moved = Reply::new(302, "text/html", "").header("Location", CHANGES);
    let read = site.next_reply(&changes);
    site.set_replies(&changes, [read.clone().cut_after(9), moved, read]);
    let done = run_logged(&scratch, &mine(site.url(), &["-vv", "--log-format", "json"]), None);
    let done = done.exits(0);
    let requests = log_events(&done, "ranklore::request");
    assert_eq!(site.take_targets().len(), requests.len());
    let logged: Vec<_> = requests
        .iter()
        .map(|event| {
            let message = event["message"].as_str().unwrap();
            let url = event["url"].as_str().unwrap();
            assert!(message.contains(url) && event["duration_ms"].is_f64(), "{event}");
            assert_eq!((&event["level"], &event["method"]), (&json!("INFO"), &json!("GET")));
            let path = url.strip_prefix(site.url()).unwrap();
            let status = event["status"].as_u64();
            let attempt = event["attempt"].as_u64();
            let failure = event["failure"].as_str();
            let bytes = event["bytes"].as_u64();
            (path, status, attempt, failure, bytes)
        })
        .collect();
    let size = |target: &str| Some(site.next_reply(target).body.len() as u64);
    assert_eq!(
        logged,
        [
            (LIST, Some(200), Some(1), None, size(&list)),
            (CHANGES, Some(200), Some(1), Some("cut off"), None),
            (CHANGES, Some(302), Some(2), None, None),
            (CHANGES, Some(200), Some(2), None, size(&changes)),
        ]
    );
    let waits = log_events(&done, "ranklore::wait");
    assert_eq!(waits.len(), 1, "{waits:?}");
    let reason = waits[0]["reason"].as_str().unwrap();
    assert!(reason.contains("was cut off"), "{reason}");
    assert!(waits[0]["wait_ms"].as_f64().unwrap() > 0.0, "{waits:?}");
}

#[cfg(unix)]
#[test]
fn interrupted_requests_are_logged() {
    use std::process::Stdio;

    let site = site();
    let scratch = Scratch::new();
    site.set_replies(&format!("GET {LIST}"), [Reply::never()]);
    let arguments = mine(site.url(), &["-v"]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = scratch.command(&arguments);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = child.spawn().unwrap();
    site.wait_for_requests(1);
    crate::support::send_signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let err = String::from_utf8(output.stderr).unwrap();
    let requests = err.lines().filter(|line| line.contains("ranklore::request"));
    let requests: Vec<&str> = requests.collect();
    assert_eq!(requests.len(), 1, "{err}");
    assert!(requests[0].contains("failure=\"interrupted\""), "{err}");
}

#[test]
fn contests_and_runs_are_logged_with_their_numbers() {
    let scratch = Scratch::new();
    scratch.write("in/1.json", contest(1, 1, &[&["ada"], &["bea"]]));
    scratch.write("in/2.json", contest(2, 2, &[&["bea"], &["ada", "cyd"]]));
    let log = ["-vv", "--log-format", "json"];
    let logged = |arguments: &[&str], target: &str| {
        let done = scratch.ok(&[arguments, &log[..]].concat());
        let mut events = log_events(&done, target);
        for event in &mut events {
            assert!(event["duration_ms"].is_f64(), "{event}");
            let event = event.as_object_mut().unwrap();
            for field in ["timestamp", "duration_ms", "target"] {
                event.remove(field);
            }
        }
        events
    };
    let import = ["import", "in", "--source", "club"];
    let contest = |id: &str, results: u32, outcome: &str| {
        json!({
            "level": "DEBUG", "message": format!("contest {id} of club: {outcome}"),
            "source": "club", "contest": id, "results": results, "outcome": outcome,
        })
    };
    assert_eq!(
        logged(&import, "ranklore::contest"),
        [contest("1", 2, "added"), contest("2", 3, "added")]
    );
    let run = |contests: u32, replayed: u32, continued_at: Value, unchanged: bool| {
        let mut run = json!({
            "level": "INFO", "message": "run 1: rated club by elo-mmr", "run_id": 1,
            "system": "elo-mmr", "sources": "club", "contests": contests,
            "results": 2 * contests + 1, "replayed": replayed,
            "unchanged": unchanged,
        });
        if !continued_at.is_null() {
            run["continued_at"] = continued_at;
        }
        [run]
    };
    let rate = ["rate", "club"];
    assert_eq!(logged(&rate, "ranklore::run"), run(2, 2, Value::Null, false));
    assert_eq!(logged(&rate, "ranklore::run"), run(2, 0, Value::Null, true));
    scratch.write("in/3.json", crate::support::contest(3, 3, &[&["cyd"], &["ada"]]));
    let outcomes = logged(&import, "ranklore::contest");
    let outcomes = outcomes.iter().map(|event| event["outcome"].clone());
    let outcomes: Vec<Value> = outcomes.collect();
    assert_eq!(outcomes, ["unchanged", "unchanged", "added"]);
    let third = json!(1_700_006_400 + 3 * 86_400);
    assert_eq!(logged(&rate, "ranklore::run"), run(3, 1, third, false));
    let evaluated = logged(&["evaluate", "club"], "ranklore::evaluation");
    assert_eq!((&evaluated[0]["run_id"], evaluated.len()), (&json!(1), 1));
    assert_eq!(logged(&["rebuild"], "ranklore::contest").len(), 3);
}

#[test]
fn text_of_a_site_is_escaped() {
    let hostile = "a\u{1b}[31mb\u{9b}\u{202e}\n2030-01-01T00:00:00Z ERROR ranklore::run: x";
    let scratch = Scratch::new();
    let file = json!({
        "id": hostile,
        "name": "Round",
        "time_seconds": 1_700_006_400,
        "standings": [["ada", 0, 0], ["bea", 1, 1]],
    });
    let copy = Scratch::new();
    for scratch in [&scratch, &copy] {
        scratch.write("in/1.json", file.to_string());
    }
    let import = ["import", "in", "--source", "club", "-vv"];
    let steers = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
    let done = scratch.ok(&import);
    assert!(!done.err.contains(steers), "{:?}", done.err);
    let logged = log_lines(&done, "ranklore::contest");
    assert_eq!(logged.len(), 1, "{}", done.err);
    assert!(logged[0].contains(r"contest a\u{1b}[31mb\u{9b}\u{202e}\u{a}2030-01-01T"));
    let done = copy.ok(&[&import[..], &["--log-format", "json"]].concat());
    assert!(!done.err.contains(steers), "{:?}", done.err);
    let events = log_events(&done, "ranklore::contest");
    assert_eq!(events[0]["contest"], hostile);

    let site = site();
    let scratch = Scratch::new();
    let list = site.next_reply(&format!("GET {LIST}"));
    let moved = Reply::new(302, "text/html", "").header("Location", "/x\u{202e}?\u{9b}");
    site.set_replies(&format!("GET {LIST}"), [moved]);
    site.set_replies("GET /x%E2%80%AE?%C2%9B", [list]);
    let done = run_logged(&scratch, &mine(site.url(), &["-vv"]), None).exits(0);
    assert!(!done.err.contains(steers), "{:?}", done.err);
    assert_eq!(log_lines(&done, "ranklore::request").len(), site.take_targets().len());
}

#[test]
fn passwords_and_foreign_events_are_not_logged() {
    let site = site();
    let url = site.url().replace("http://", "http://wick:oil-of-whales@");
    for format in ["text", "json"] {
        let scratch = Scratch::new();
        let mine = mine(&url, &["--log-format", format]);
        let done = run_logged(&scratch, &mine, Some("trace,hyper=trace,h2,reqwest=trace")).exits(0);
        for secret in ["oil-of-whales", "wick:", "d2ljazpvaWwtb2Ytd2hhbGVz"] {
            assert!(!done.err.contains(secret), "{}", done.err);
        }
        assert!(done.err.contains("ranklore::request"), "{}", done.err);
        for line in done.err.lines() {
            let foreign = ["hyper", "h2::", "reqwest", "rustls"];
            assert!(!foreign.iter().any(|secret| line.contains(secret)), "{line}");
        }
    }
}

#[test]
fn rust_log_selects_targets() {
    let scratch = Scratch::club();
    let rate = ["rate", "club", "--all"].map(str::to_owned);
    let done = run_logged(&scratch, &rate, Some("ranklore::run=info")).exits(0);
    let systems = scratch.json(&["systems"]).as_array().unwrap().len();
    // `elo` does not rate contests of this size.
    assert_eq!(log_lines(&done, "ranklore::run").len(), systems - 1);
    for options in [&[][..], &["--json"], &["-v"], &["--log-format", "json"]] {
        let arguments = [&["status"], options].concat().into_iter().map(str::to_owned);
        let arguments: Vec<String> = arguments.collect();
        let done = run_logged(&scratch, &arguments, Some("ranklore=loud")).exits(2);
        assert_eq!((&*done.out, done.err.lines().count()), ("", 1));
        done.says("RUST_LOG=").says("ranklore=loud");
        run_logged(&scratch, &arguments, Some("")).exits(0);
    }
    let both = ["-q", "rate", "-v", "club"];
    scratch.run(&both).exits(2).says("--quiet and --verbose");
    scratch.run(&["rate", "club", "-qv"]).exits(2);
}

#[test]
fn quiet_commands_print_errors_only() {
    let scratch = Scratch::new();
    scratch.write("in/1.json", contest(1, 1, &[&["ada"], &["bea"]]));
    scratch.write("in/2.json", "{");
    let import = scratch.run(&["import", "in", "--source", "club", "-q"]).exits(3);
    assert_eq!(import.out, "");
    assert!(import.err.starts_with("2.json: line 1: "), "{}", import.err);
    assert_eq!(import.err.lines().count(), 1);
    let rated = scratch.ok(&["rate", "club", "--quiet"]);
    assert_eq!((&*rated.out, &*rated.err), ("", ""));
    let rated = scratch.json(&["rate", "club", "--quiet"]);
    assert_eq!(rated[0]["contests"], 1);
    let board = scratch.ok(&["leaderboard", "club", "-q"]);
    assert!(board.out.contains("ada"), "{}", board.out);
    let failed = scratch.run(&["-q", "rate", "klub"]).exits(1);
    assert!(failed.err.starts_with("error: there is no source"));
    assert_eq!((&*failed.out, failed.err.lines().count()), ("", 1));
    let json = ["-q", "rate", "klub", "--log-format", "json"];
    let failed = scratch.run(&json).exits(1);
    let errors = log_events(&failed, "ranklore::error");
    assert_eq!((errors.len(), &errors[0]["level"]), (1, &json!("ERROR")));
}
