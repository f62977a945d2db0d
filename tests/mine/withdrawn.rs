//! Rounds that the site takes back and rates again.

use super::*;

#[test]
fn withdrawn_and_restored_contests_are_reported() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    scratch.ok(&["rate", "codeforces"]);

    site.set_replies(&changes_request(4), [error_reply(400, NOT_RATED)]);
    let done = scratch.ok(&mine(&site, &[]));
    let counts = "0 new, 0 revised, 0 unchanged, 1 withdrawn";
    assert!(done.out.contains(counts), "{}", done.out);
    assert!(done.err.contains("stale runs: 2\n"), "{}", done.err);
    assert!(done.err.contains("next: ranklore rate codeforces"), "{}", done.err);
    let status = scratch.ok(&["status"]).out;
    assert!(status.contains("mine: 1 withdrawn\n"), "{status}");
    let run_state = |state: &str| {
        let runs = scratch.json(&["status"])["runs"].clone();
        assert_eq!((&runs[1]["system"], &runs[1]["state"]), (&json!("elo-mmr"), &json!(state)));
    };
    run_state("stale");
    scratch.ok(&["rate", "codeforces"]);

    // Nothing changes: nothing is counted again.
    let report = scratch.json(&mine(&site, &["--full"]));
    let no_change = json!({
        "added": 0, "revised": 0, "unchanged": 3, "withdrawn": 0, "restored": 0,
        "without_results": 1,
    });
    assert_eq!((&report["contests"], &report["stale_runs"]), (&no_change, &json!([])));

    // The round comes back with another result.
    let changes = rating_changes(4, &["ada", "cyd", "bea"]);
    site.set_replies(&changes_request(4), [ok_reply(&changes)]);
    let report = scratch.json(&mine(&site, &["--full"]));
    let contests = &report["contests"];
    assert_eq!((&contests["restored"], &contests["revised"]), (&json!(1), &json!(0)));
    assert_eq!(report["stale_runs"], json!([2]));
    let last_sync = scratch.json(&["status"])["sources"][0]["last_sync"].clone();
    assert_eq!((&last_sync["restored"], &last_sync["failure"]), (&json!(1), &Value::Null));
    run_state("stale");
}

#[test]
fn contest_missing_from_list_is_counted_as_withdrawn() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    scratch.ok(&["rate", "codeforces"]);
    let list = |ids: &[u32]| {
        let days_ago = |id: u32| {
            if id == 4 {
                2
            } else {
                400 - 100 * i64::from(id)
            }
        };
        let entries = ids.iter().map(|id| contest_list_entry(*id, days_ago(*id)));
        ok_reply(&entries.collect())
    };
    site.set_replies(LIST, [list(&[3, 1])]);
    let done = scratch.ok(&mine(&site, &[]));
    let counts = "2 contests with 0 results: 0 new, 0 revised, 0 unchanged, 2 withdrawn";
    assert!(done.out.contains(counts), "{}", done.out);
    assert!(done.err.contains("next: ranklore rate codeforces"), "{}", done.err);
    site.set_replies(LIST, [list(&[4, 3, 2, 1])]);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["restored"], 2, "{report}");
    assert_eq!(report["contests"]["withdrawn"], 0, "{report}");
}

#[test]
fn failed_sync_is_in_status_until_the_next_succeeds() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    scratch.ok(&["rate", "codeforces"]);
    let limit = error_reply(429, "Call limit exceeded").header("Retry-After", "7200");
    site.set_replies(LIST, [limit]);
    scratch.run(&mine(&site, &[])).exits(4);
    let status = scratch.ok(&["status"]).out;
    assert!(status.contains("mine: failed\n"), "{status}");
    assert!(status.contains("\ncodeforces: the last sync failed: "), "{status}");
    let source = &scratch.json(&["status"])["sources"][0];
    let failure = source["last_sync"]["failure"].as_str().unwrap();
    assert!(failure.contains("HTTP 429"), "{failure}");

    let site = self::site();
    scratch.ok(&mine(&site, &[]));
    let status = scratch.ok(&["status"]).out;
    assert!(!status.contains("failed"), "{status}");
}

#[test]
fn invalid_list_entry_costs_that_contest_and_withdraws_none() {
    let site = site();
    let scratch = Scratch::new();
    let list = |name: Value| {
        let entries = [(4, 2), (2, 200), (1, 300)].map(|(id, days)| contest_list_entry(id, days));
        let mut list = json!(entries);
        list[1]["name"] = name;
        ok_reply(&list)
    };
    site.set_replies(LIST, [list(Value::Null)]);
    let done = scratch.run(&mine(&site, &[])).exits(3);
    assert!(done.out.contains("2 contests with 6 results: 2 new"), "{}", done.out);
    assert!(
        done.err.contains("result[1].name: expected a string, found null"),
        "{}",
        done.err
    );
    site.set_replies(LIST, [list(json!("Lantern Round 2"))]);
    scratch.ok(&mine(&site, &[]));
    // An entry that becomes invalid keeps what is known of its contest.
    site.set_replies(LIST, [list(Value::Null)]);
    let report = scratch.run(&mine(&site, &["--json"])).exits(3).json();
    assert_eq!(report["contests"]["withdrawn"], 0, "{report}");
    let states = scratch.rows("SELECT external_id, state FROM contest ORDER BY external_id");
    assert_eq!(states, ["1|final", "2|final", "4|provisional"]);
}
