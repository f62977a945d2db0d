//! Teams are numbers: their names and merges.

use ranklore_test_support::Reply;
use serde_json::json;

use super::site::{
    CtftimeSite, DAY, TEAMS, last_year, mine, team_request, teams_page, teams_request,
};
use crate::support::Scratch;

const NAMES: &str = "SELECT external_id, name FROM competitor ORDER BY external_id";

const HISTORY: &str = "SELECT external_id, competitor_name.name FROM competitor_name
    JOIN competitor USING (competitor_id) ORDER BY 1, 2";

/// Moves all documents a month into the past.
fn age_name_lookup(scratch: &Scratch) {
    let ago = 40 * DAY;
    let sql = format!(
        "UPDATE document SET fetched_at = fetched_at - {ago};
         UPDATE source SET names_asked_at = names_asked_at - {ago}"
    );
    scratch.alter(&sql);
}

fn assert_rebuild_unchanged(scratch: &Scratch) {
    let before = scratch.content_hash();
    let history = scratch.rows(HISTORY);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    assert_eq!(scratch.rows(HISTORY), history);
}

#[test]
fn team_names_come_from_teams_and_organisers() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    site.set_result(last_year(), 5002, &[701, 706]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(
        scratch.rows(NAMES),
        [
            "701|Segfault Gulls",
            "702|Brass Lamp",
            "703|тихая гавань",
            // It is not in the team list, but organises events.
            "704|Organised Tides",
            "706|706",
        ]
    );
    assert!(scratch.rows(HISTORY).is_empty());
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn renamed_team_is_the_same_team() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    site.set_teams(&[(701, "Gulls United"), (702, "Brass Lamp"), (703, "x")]);
    site.take_targets();
    scratch.ok(&mine(&site, &[]));
    assert!(!site.take_targets().contains(&TEAMS.to_owned()));
    age_name_lookup(&scratch);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["renamed"], 2);
    assert!(site.take_targets().contains(&TEAMS.to_owned()));
    assert_eq!(
        scratch.rows(HISTORY),
        [
            "701|Gulls United",
            "701|Segfault Gulls",
            "703|x",
            "703|тихая гавань"
        ]
    );
    scratch.ok(&["rate", "ctftime"]);
    let player = scratch.json(&["player", "ctftime", "Segfault Gulls"]);
    assert_eq!(player["name"], "Gulls United");
    assert_rebuild_unchanged(&scratch);
    // A manual name stays.
    let rename = [
        "competitor",
        "rename",
        "ctftime",
        "Gulls United",
        "Our Gulls",
    ];
    scratch.ok(&rename);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(scratch.rows(NAMES)[0], "701|Our Gulls");
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn merged_team_becomes_a_former_name() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    site.set_result(last_year(), 5002, &[701, 702, 705]);
    scratch.ok(&mine(&site, &[]));
    let row = |id: &str| {
        let sql = format!(
            "SELECT count(*) FROM standing JOIN competitor USING (competitor_id)
             WHERE external_id = '{id}'"
        );
        scratch.count(&sql)
    };
    assert_eq!((row("705"), row("709")), (1, 0));
    // 705 was merged into 709, which has no name.
    site.set_result(last_year(), 5002, &[701, 702, 709]);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["revised"], 1);
    assert_eq!((row("705"), row("709")), (0, 1));
    assert_eq!(scratch.rows(HISTORY), ["709|Off By None"]);
    scratch.ok(&["rate", "ctftime"]);
    let player = scratch.json(&["player", "ctftime", "Off By None"]);
    assert_eq!(player["external_id"], "709");
    assert_rebuild_unchanged(&scratch);
    // The same data again changes nothing.
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["renamed"], 0);
}

#[test]
fn shifting_pages_lose_no_team() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    let names = [(701, "a"), (702, "b"), (703, "c"), (704, "d")];
    site.set_replies(TEAMS, [teams_page(2, 0, &names[..2])]);
    // 700 was inserted: 702 appears on the second page too, and 704 on the third.
    site.set_replies(&teams_request(2), [teams_page(2, 2, &names[1..3])]);
    site.set_replies(&teams_request(4), [teams_page(2, 4, &names[3..])]);
    site.end_teams_at(5);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(scratch.rows(NAMES), ["701|a", "702|b", "703|c", "704|d"]);
    assert_rebuild_unchanged(&scratch);
    // A deleted team is missed until the next sync, and keeps its former name.
    age_name_lookup(&scratch);
    site.set_replies(TEAMS, [teams_page(2, 0, &names[..2])]);
    site.set_replies(&teams_request(2), [teams_page(2, 2, &names[3..])]);
    site.end_teams_at(3);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(scratch.rows(NAMES), ["701|a", "702|b", "703|c", "704|d"]);
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn interrupted_team_list_resumes_at_its_page() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    let at = &teams_request(2);
    site.set_replies(TEAMS, [teams_page(2, 0, &[(701, "a"), (702, "b")])]);
    site.set_replies(at, [super::faults::truncated_reply()]);
    scratch.run(&mine(&site, &[])).exits(3);
    // Received pages count.
    assert_eq!(scratch.rows(NAMES)[..2], ["701|a", "702|b"]);
    site.set_replies(at, [teams_page(2, 2, &[(703, "c")])]);
    site.end_teams_at(3);
    // A failure is retried a day later.
    let day = "UPDATE contest_sync SET tried_at = tried_at - 2 * 86400";
    scratch.alter(day);
    site.take_targets();
    scratch.ok(&mine(&site, &[]));
    let requests = site.take_targets();
    assert!(requests.contains(at), "{requests:?}");
    assert!(!requests.contains(&TEAMS.to_owned()), "{requests:?}");
    assert_eq!(scratch.rows(NAMES)[2], "703|c");
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn new_team_is_named_in_the_same_sync() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    site.take_targets();
    site.set_result(last_year(), 5002, &[701, 702, 706]);
    site.name_team(706, "Night Ferry");
    scratch.ok(&mine(&site, &[]));
    assert_eq!(site.take_team_requests(), [team_request(706)]);
    assert_eq!(scratch.rows(NAMES)[4], "706|Night Ferry");
    assert_rebuild_unchanged(&scratch);
    // For several teams the end of the list takes fewer requests.
    site.set_result(last_year(), 5002, &[701, 702, 706, 707, 708, 709]);
    let new = [(707, "a"), (708, "b"), (709, "c")];
    site.set_replies(&teams_request(4), [teams_page(1000, 4, &new)]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(site.take_team_requests(), [teams_request(4)]);
    assert_eq!(scratch.rows(NAMES)[5..], ["707|a", "708|b", "709|c"]);
    assert_rebuild_unchanged(&scratch);
    scratch.ok(&mine(&site, &[]));
    assert!(site.take_team_requests().is_empty(), "all have names");
}

#[test]
fn unknown_team_is_requested_once() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    site.set_result(last_year(), 5002, &[701, 706]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(
        site.take_team_requests(),
        [TEAMS.to_owned(), teams_request(4), team_request(706)]
    );
    scratch.ok(&mine(&site, &[]));
    assert!(site.take_team_requests().is_empty());
    // It is in the team list a month later.
    site.set_teams(&[(701, "Segfault Gulls"), (706, "Night Ferry")]);
    age_name_lookup(&scratch);
    scratch.ok(&mine(&site, &[]));
    assert!(scratch.rows(NAMES).contains(&"706|Night Ferry".to_owned()));
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn failed_team_request_is_retried() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    site.set_result(last_year(), 5002, &[701, 706, 9999]);
    site.set_replies(&team_request(706), [super::faults::truncated_reply()]);
    site.name_team(9999, "Far Shore");
    let done = scratch.run(&mine(&site, &[])).exits(3);
    done.says("teams/706/");
    // It does not affect the names of others.
    assert!(scratch.rows(NAMES).contains(&"9999|Far Shore".to_owned()));
    site.name_team(706, "Night Ferry");
    let dry = scratch.json(&mine(&site, &["--dry-run"]));
    assert_eq!(dry["names"], serde_json::json!(["GET api/v1/teams/706/"]));
    scratch.ok(&mine(&site, &[]));
    assert!(scratch.rows(NAMES).contains(&"706|Night Ferry".to_owned()));
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn unreadable_teams_do_not_block_others() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    let unreadable = [801, 802, 803, 804];
    site.set_result(last_year(), 5002, &[701, 801, 802, 803, 804, 9999]);
    for id in unreadable {
        // The page of another team.
        site.set_replies(&team_request(id), [Reply::json(&json!({"id": 1, "name": "x"}))]);
    }
    site.name_team(9999, "Far Shore");
    scratch.run(&mine(&site, &[])).exits(3);
    assert!(scratch.rows(NAMES).contains(&"9999|Far Shore".to_owned()));
    // Retried a month later.
    site.take_team_requests();
    scratch.ok(&mine(&site, &[]));
    assert!(site.take_team_requests().is_empty());
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn narrow_sync_requests_the_names_it_needs() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    let names = [(701, "a"), (702, "b"), (703, "c"), (704, "d")];
    site.set_replies(TEAMS, [teams_page(2, 0, &names[..2])]);
    site.set_replies(&teams_request(2), [teams_page(2, 2, &names[2..])]);
    site.end_teams_at(4);
    for (id, name) in names {
        site.name_team(id, name);
    }
    let dry = scratch.json(&mine(&site, &["--limit", "1", "--dry-run"]));
    assert_eq!(dry["names"], serde_json::json!([]));
    scratch.ok(&mine(&site, &["--limit", "1"]));
    // Requesting the third of three alone is faster than another teams_page, with as many requests.
    assert_eq!(site.take_team_requests(), [TEAMS.to_owned(), team_request(703)]);
    assert_eq!(scratch.rows(NAMES), ["701|a", "702|b", "703|c"]);
    // The whole list is read with the first full sync.
    scratch.ok(&mine(&site, &["--limit", "1"]));
    assert!(site.take_team_requests().is_empty());
    scratch.ok(&mine(&site, &[]));
    let requests = site.take_team_requests();
    assert!(requests.contains(&teams_request(2)), "{requests:?}");
    assert_rebuild_unchanged(&scratch);
}
