//! The output of `status` about a site.

use super::*;

#[test]
fn status_reports_sync_state_of_a_site() {
    let site = site();
    let scratch = Scratch::new();
    site.set_replies(&changes_request(2), [Reply::new(200, "application/json", "")]);
    let patience = error_reply(429, "Call limit exceeded").header("Retry-After", "7200");
    site.set_replies(&changes_request(4), [patience]);
    scratch.run(&mine(&site, &[])).exits(4);
    let out = scratch.ok(&["status"]).out;
    assert!(out.contains("mine: 1 new, 1 refused, failed\n"), "{out}");
    assert!(out.contains("\ncodeforces: the last sync failed: "), "{out}");
    let states = "\ncodeforces: 1 announced, 2 provisional, 1 final, 1 unrated\n";
    assert!(out.contains(states), "{out}");
    let host = site.url().trim_start_matches("http://");
    assert!(out.contains(&format!("\n{host} gets no requests until 20")), "{out}");
    assert!(out.contains("\ncodeforces: contest 2, gave up: http"), "{out}");
    assert!(out.contains("empty body (HTTP 200)"), "{out}");
    let again = "\ncodeforces: request them again: ranklore mine codeforces\n";
    assert!(out.ends_with(again), "{out}");
    assert!(out.contains("codeforces is not rated yet"), "{out}");

    let status = scratch.json(&["status"]);
    assert_eq!(status["unrated"], json!(["codeforces"]));
    let source = &status["sources"][0];
    let states = json!({"announced": 1, "provisional": 2, "final": 1, "unrated": 1});
    assert_eq!(source["states"], states);
    let bytes = "SELECT sum(length(body)) FROM document";
    assert_eq!(source["archived_bytes"], scratch.count(bytes));
    assert!(source["archived_bytes"].as_i64().unwrap() > 100);
    assert_eq!(source["last_sync"]["kind"], "mine");
    let refused = source["refused"].as_array().unwrap();
    assert_eq!(refused.len(), 1);
    assert_eq!(
        (&refused[0]["contest"], &refused[0]["outcome"]),
        (&json!("2"), &json!("gave up"))
    );
    let known = &status["hosts"][0];
    assert_eq!(known["host"], host);
    let aside = known["not_before_at"].as_i64().unwrap() - now();
    assert!((7100..=7202).contains(&aside), "{aside}");
    // `status` sends no request.
    site.take_targets();
    scratch.ok(&["status"]);
    assert!(site.take_targets().is_empty());
}

#[test]
fn status_lists_at_most_a_few_contests() {
    let site = Server::new();
    let scratch = Scratch::new();
    let list: Vec<Value> = (1..=12).rev().map(|id| contest_list_entry(id, 100)).collect();
    site.set_replies(LIST, [ok_reply(&list.into())]);
    for id in 1..=12 {
        let mut broken = rating_changes(id, &["ada", "bea"]);
        broken[1]["rank"] = json!("second");
        site.set_replies(&changes_request(id), [ok_reply(&broken)]);
    }
    scratch.run(&mine(&site, &[])).exits(3);
    let out = scratch.ok(&["status"]).out;
    let named: Vec<&str> =
        out.lines().filter(|line| line.starts_with("codeforces: contest ")).collect();
    assert_eq!(named.len(), 10, "{out}");
    assert!(named[1].starts_with("codeforces: contest 2, refused: "));
    assert!(named[1].contains("result[1].rank"), "{out}");
    assert!(out.contains("\ncodeforces: and 2 more\n"), "{out}");
    let refused = scratch.json(&["status"])["sources"][0]["refused"].clone();
    assert_eq!(refused.as_array().unwrap().len(), 12);
    assert_eq!(refused[11]["command"], "ranklore mine codeforces");
    // Resolved problems are no longer listed.
    for id in 1..=12 {
        site.set_replies(&changes_request(id), [ok_reply(&rating_changes(id, &["ada", "bea"]))]);
    }
    scratch.ok(&mine(&site, &[]));
    scratch.ok(&["rate", "codeforces"]);
    let out = scratch.ok(&["status"]).out;
    assert!(out.ends_with("\neverything is up to date\n"), "{out}");
    assert!(!out.contains("\ncodeforces:"), "{out}");
}

#[test]
fn failure_of_the_site_is_not_called_a_limit() {
    let site = site();
    let scratch = Scratch::new();
    let request = changes_request(2);
    for (status, text) in [(500, "Internal error"), (520, "Unknown error")] {
        site.set_replies(&request, [error_reply(status, text)]);
        let done = scratch.run(&mine(&site, &["--full"])).exits(3);
        let failed = format!("failed with HTTP {status} (\"{text}\"); try again later");
        assert!(done.err.contains(&failed), "{}", done.err);
        assert!(!done.err.contains("limits the rate"), "{}", done.err);
        assert!(!done.err.contains("asks to wait"), "{}", done.err);
        let refused = scratch.json(&["status"])["sources"][0]["refused"][0].clone();
        assert_eq!(refused["outcome"], "gave up");
    }
    site.set_replies(&request, [error_reply(429, "Slow down")]);
    let done = scratch.run(&mine(&site, &["--full"])).exits(3);
    assert!(done.err.contains("limits the rate of requests (HTTP 429"), "{}", done.err);
}
