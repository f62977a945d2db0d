//! Due contests, their order, and the sync state in the database.

use super::*;

const SYNCS: &str = "SELECT external_id, outcome, read_at IS NULL, due_at IS NULL FROM contest_sync
    ORDER BY external_id";

#[test]
fn failing_contests_do_not_block_others() {
    let site = site();
    let scratch = Scratch::new();
    for id in [1, 2] {
        site.set_replies(&changes_request(id), [Reply::new(200, "application/json", "")]);
    }
    let two = mine(&site, &["--limit", "2"]);
    scratch.run(&two).exits(3);
    assert_eq!(
        site.take_targets(),
        [
            LIST.to_owned(),
            changes_request(1),
            changes_request(1),
            changes_request(2),
            changes_request(2)
        ]
    );
    scratch.ok(&two);
    assert_eq!(site.take_targets(), [LIST.to_owned(), changes_request(3), changes_request(4)]);
}

#[test]
fn limited_full_syncs_cover_all_contests() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    // Within one second the order of requests is unknown.
    let earlier = "UPDATE contest_sync SET tried_at = tried_at - 60, read_at = read_at - 60";
    let mut requests = Vec::new();
    for _ in 0..2 {
        scratch.alter(earlier);
        site.take_targets();
        scratch.ok(&mine(&site, &["--full", "--limit", "2"]));
        requests.extend(site.take_targets());
    }
    requests.retain(|target| target != LIST);
    assert_eq!(
        requests,
        [
            changes_request(1),
            changes_request(2),
            changes_request(3),
            changes_request(4)
        ]
    );
}

#[test]
fn unusable_result_keeps_the_previous_one() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    let mut odd = rating_changes(4, &["cyd", "ada", "bea"]);
    // The reader accepts any name, but this one is no valid contest.
    odd[1]["handle"] = json!("x".repeat(2000));
    site.set_replies(&changes_request(4), [ok_reply(&odd)]);
    let done = scratch.run(&mine(&site, &[])).exits(3);
    assert!(done.err.contains("contest 4: "), "{}", done.err);
    assert_eq!(scratch.content_hash(), before);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    assert_eq!(scratch.rows(SYNCS)[3], "4|refused|0|0");
}

#[test]
fn rebuild_keeps_sync_state() {
    let site = site();
    let scratch = Scratch::new();
    let mut broken = rating_changes(2, &["bea", "ada"]);
    broken[0]["rank"] = json!("first");
    site.set_replies(&changes_request(2), [ok_reply(&broken)]);
    scratch.run(&mine(&site, &[])).exits(3);
    let known = [
        "1|read|0|1",
        "2|refused|1|0",
        "3|nothing there|0|1",
        "4|read|0|0",
    ];
    assert_eq!(scratch.rows(SYNCS), known);
    // Simulates documents stored by a version that could not read them.
    let nothing = "UPDATE contest_sync SET outcome = 'refused', read_at = NULL, due_at = tried_at";
    scratch.alter(nothing);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.rows(SYNCS), known);
    // An attempt without a response is not archived.
    let gave_up = "UPDATE contest_sync SET outcome = 'gave up', tried_at = tried_at + 60,
        due_at = tried_at + 60 WHERE external_id = '1'";
    scratch.alter(gave_up);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.rows(SYNCS)[0], "1|gave up|0|0");
}

#[test]
fn official_ratings_survive_result_changes() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let official = "SELECT contest.external_id, competitor.external_id, mu FROM rating
        JOIN rating_run USING (run_id) JOIN contest USING (contest_id)
        JOIN competitor USING (competitor_id) WHERE system = 'official' ORDER BY 1, 2";
    let of_the_site = scratch.rows(official);
    assert_eq!(of_the_site.len(), 8);
    // A result imported by the user takes precedence.
    let ends_at = scratch.count("SELECT ends_at FROM contest WHERE external_id = '2'");
    let other = json!({
        "name": "Lantern Round 2", "id": "2", "time_seconds": ends_at,
        "standings": [["ada", 0, 0], ["bea", 1, 1]],
    });
    scratch.write("2.json", other.to_string());
    scratch.ok(&["import", "2.json", "--source", "codeforces"]);
    let winner = "SELECT competitor.external_id FROM standing JOIN contest USING (contest_id)
        JOIN competitor USING (competitor_id) WHERE contest.external_id = '2' AND place = 1";
    assert_eq!(scratch.rows(winner), ["ada"]);
    assert_eq!(scratch.rows(official), of_the_site);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    assert_eq!(scratch.rows(official), of_the_site);
    // The creation time of the run is unchanged, not 1970.
    let created = scratch.count("SELECT created_at FROM rating_run WHERE system = 'official'");
    assert!(now() - created < 600);
}

#[test]
fn unreadable_list_entries_are_reported_until_fixed() {
    let site = site();
    let scratch = Scratch::new();
    let mut broken = contest_list_entry(9, 100);
    broken["id"] = json!(0);
    site.set_replies(
        LIST,
        [ok_reply(&json!([
            contest_list_entry(2, 200),
            broken,
            contest_list_entry(1, 300)
        ]))],
    );
    scratch.run(&mine(&site, &[])).exits(3).says("result[1].id");
    let out = scratch.ok(&["status"]).out;
    assert!(out.contains("contest.list?gym=false&lang=en, read: result[1].id: "), "{out}");
    site.take_targets();
    scratch.run(&mine(&site, &[])).exits(3);
    assert_eq!(site.take_targets(), [LIST]);
    site.set_replies(
        LIST,
        [ok_reply(&json!([
            contest_list_entry(2, 200),
            contest_list_entry(1, 300)
        ]))],
    );
    scratch.ok(&mine(&site, &[]));
    let out = scratch.ok(&["status"]).out;
    assert!(!out.contains("contest.list"), "{out}");
}
