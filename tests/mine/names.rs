//! Renamed accounts.

use super::*;

const INFO: &str = "POST /api/user.info";

/// Returns the requests for names.
fn take_name_requests(site: &Server) -> Vec<String> {
    let mut requests = site.take_targets();
    requests.retain(|target| target.contains("user."));
    requests
}

/// Sets the last name request to more than a month ago.
fn age_name_lookup(scratch: &Scratch) {
    let long_ago = now() - 40 * DAY;
    let sql = format!("UPDATE source SET names_asked_at = {long_ago}");
    scratch.alter(&sql);
}

/// Returns a site on which bea was renamed to `bea_2`.
fn site_with_rename() -> Server {
    let site = site();
    let users = json!([
        {"handle": "ada", "rating": 1}, {"handle": "bea_2", "rating": 1},
        {"handle": "cyd", "rating": 1},
    ]);
    site.set_replies(RATED_LIST, [ok_reply(&users)]);
    site.set_replies(INFO, [ok_reply(&json!([{"handle": "bea_2", "rating": 1}]))]);
    site
}

#[test]
fn one_account_is_one_competitor_under_any_handle() {
    let site = site();
    let scratch = Scratch::new();
    // Half of the history was archived before bea became bea_2.
    scratch.ok(&mine(&site, &[]));
    assert!(!site.take_targets().contains(&RATED_LIST.to_owned()));
    site.set_replies(&changes_request(4), [ok_reply(&rating_changes(4, &["cyd", "ada", "bea_2"]))]);
    let users = json!([{"handle": "ada", "rating": 1}, {"handle": "bea_2", "rating": 1}]);
    site.set_replies(RATED_LIST, [ok_reply(&users)]);
    let info = "POST /api/user.info";
    site.set_replies(
        info,
        [
            error_reply(400, "handles: User with handle cyd not found"),
            ok_reply(&json!([{"handle": "bea_2", "rating": 1, "firstName": "Beatrix"}])),
        ],
    );
    let report = scratch.json(&mine(&site, &["--refresh-names"]));
    assert_eq!(report["renamed"], 1);
    scratch.ok(&["rate", "codeforces"]);
    let player = scratch.json(&["player", "codeforces", "bea"]);
    assert_eq!((&player["external_id"], &player["contests"]), (&json!("bea_2"), &json!(3)));
    // Only handles and ratings are archived.
    for key in ["POST api/user.info%", "GET api/user.ratedList%"] {
        let ids = scratch
            .rows(&format!("SELECT document_id FROM document WHERE request_key LIKE '{key}'"));
        assert!(!ids.is_empty(), "{key}");
        for id in ids {
            let document = scratch.ok(&["documents", "codeforces", "--show", &id]).out;
            assert!(!document.contains("Beatrix"), "{document}");
        }
    }
    // Once a month is enough.
    site.take_targets();
    scratch.ok(&mine(&site, &[]));
    assert!(!site.take_targets().iter().any(|target| target.contains("user.")));
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn handle_taken_over_from_another_account_is_not_merged() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    // cyd became dov, and bea then took the handle cyd.
    let users = ["ada", "cyd", "dov"].map(|handle| json!({"handle": handle, "rating": 1}));
    site.set_replies(RATED_LIST, [ok_reply(&json!(users))]);
    site.set_replies(INFO, [ok_reply(&json!([{"handle": "cyd", "rating": 1}]))]);
    let done = scratch.ok(&mine(&site, &["--refresh-names"]));
    let note = "bea is cyd today according to the site, but both took part in one contest";
    assert!(done.err.contains(note), "{}", done.err);
    assert!(done.err.contains("ranklore mine codeforces --full"), "{}", done.err);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn names_are_requested_monthly_or_on_demand() {
    let site = site_with_rename();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    // The first sync got all names at the same time.
    assert!(take_name_requests(&site).is_empty());
    age_name_lookup(&scratch);
    let dry = scratch.ok(&mine(&site, &["--dry-run"])).out;
    assert!(dry.contains("all rated users: GET api/user.ratedList"), "{dry}");
    assert_eq!(
        scratch.json(&mine(&site, &["--dry-run"]))["names"],
        json!(["GET api/user.ratedList?activeOnly=false&includeRetired=true"])
    );
    assert_eq!(scratch.json(&mine(&site, &[]))["renamed"], 1);
    assert_eq!(take_name_requests(&site), [RATED_LIST, INFO]);
    assert_eq!(scratch.json(&mine(&site, &["--dry-run"]))["names"], json!([]));
    scratch.ok(&mine(&site, &[]));
    assert!(take_name_requests(&site).is_empty());
}

#[test]
fn failed_name_request_is_retried_a_day_later() {
    let site = site_with_rename();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let answer = site.next_reply(INFO);
    site.set_replies(INFO, [Reply::new(200, "application/json", "")]);
    age_name_lookup(&scratch);
    // The rated list arrived, the missing accounts did not. The contests are stored.
    let done = scratch.run(&mine(&site, &[])).exits(3);
    assert!(done.err.contains("user.info"), "{}", done.err);
    assert_eq!(take_name_requests(&site), [RATED_LIST, INFO, INFO]);
    site.set_replies(INFO, [answer]);
    scratch.ok(&mine(&site, &[]));
    assert!(take_name_requests(&site).is_empty());
    let yesterday = "UPDATE contest_sync SET tried_at = tried_at - 86400";
    scratch.alter(yesterday);
    assert_eq!(scratch.json(&mine(&site, &[]))["renamed"], 1);
    assert_eq!(take_name_requests(&site), [RATED_LIST, INFO]);
    assert!(!scratch.ok(&["status"]).out.contains("user.info"));
}

#[test]
fn unknown_handles_are_not_requested_monthly() {
    let site = site_with_rename();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    site.set_replies(INFO, [error_reply(400, "handles: User with handle bea not found")]);
    for (options, request_count) in [(&[][..], 2), (&[], 1), (&["--refresh-names"], 2)] {
        age_name_lookup(&scratch);
        site.take_targets();
        assert_eq!(scratch.json(&mine(&site, options))["renamed"], 0);
        assert_eq!(take_name_requests(&site).len(), request_count, "{options:?}");
    }
}

#[test]
fn manual_name_is_kept() {
    let site = site_with_rename();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    scratch.ok(&["competitor", "rename", "codeforces", "bea", "Beatrix"]);
    let done = scratch.ok(&mine(&site, &["--refresh-names"]));
    assert!(done.err.contains("bea is bea_2 today"), "{}", done.err);
    scratch.ok(&["rate", "codeforces"]);
    let player = scratch.json(&["player", "codeforces", "bea"]);
    assert_eq!(player["name"], "Beatrix");
}
