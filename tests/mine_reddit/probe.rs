//! The probe of Reddit.

use ranklore_test_support::Reply;
use serde_json::json;

use super::site::{RedditSite, TOKEN_REQUEST, TOP_THREE_LIST};
use crate::support::Scratch;

#[test]
fn probe_reads_one_list_page_and_newest_thread() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let done = site.run(
        &scratch,
        &[
            "--subreddit",
            "LanternTales",
            "--top",
            "3",
            "--probe",
            "--json",
        ],
    );
    let report = done.exits(0).json();
    let requests = site.take_targets();
    // The token is one of the three.
    assert_eq!(requests[..2], [TOKEN_REQUEST, TOP_THREE_LIST]);
    assert!(requests[2].starts_with("GET /comments/t000"), "{requests:?}");
    assert_eq!(requests.len(), 3);
    assert_eq!((&report["listed"], &report["contests"]), (&json!(3), &json!(1)));
    assert_eq!(scratch.list("."), [""; 0]);
}

#[test]
fn probe_reports_unknown_layout() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let other = Reply::json(&json!({"kind": "Listing", "data": {"threads": []}}));
    site.server.set_replies(TOP_THREE_LIST, [other]);
    let done = site.run(&scratch, &["--subreddit", "LanternTales", "--top", "3", "--probe"]);
    done.exits(1).says("the layout of reddit is unknown");
    assert_eq!(site.take_targets(), [TOKEN_REQUEST, TOP_THREE_LIST]);
    assert_eq!(scratch.list("."), [""; 0]);
}
