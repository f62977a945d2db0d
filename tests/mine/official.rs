//! Official ratings after merges, splits and withdrawals.

use super::*;

const ALL: [&str; 8] = [
    "1|ada|1600",
    "1|bea|1500",
    "1|cyd|1400",
    "2|bea|1600",
    "2|ada|1500",
    "4|cyd|1600",
    "4|ada|1500",
    "4|bea|1400",
];

/// Returns all ratings under other names of the competitors.
fn renamed(names: &[(&str, &str)]) -> Vec<String> {
    let rows = ALL.iter().map(|row| {
        let renamed = names.iter().find(|(from, _)| row.contains(from));
        renamed.map_or((*row).to_owned(), |(from, to)| row.replace(from, to))
    });
    rows.collect()
}

#[test]
fn official_ratings_follow_renamed_account() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    assert_eq!(scratch.official_ratings(), ALL);
    site.set_replies(&changes_request(4), [ok_reply(&rating_changes(4, &["cyd", "ada", "bea_2"]))]);
    let users = ["ada", "bea_2", "cyd"].map(|handle| json!({"handle": handle, "rating": 1}));
    site.set_replies(RATED_LIST, [ok_reply(&json!(users))]);
    let info = ok_reply(&json!([{"handle": "bea_2", "rating": 1}]));
    site.set_replies("POST /api/user.info", [info]);
    scratch.ok(&mine(&site, &["--refresh-names"]));
    assert_eq!(scratch.official_ratings(), renamed(&[("bea", "bea_2")]));
    let player = scratch.json(&["player", "codeforces", "bea_2", "--run", "1"]);
    assert_eq!(player["contests"], 3);
    let board = scratch.json(&["leaderboard", "codeforces", "--run", "1"]);
    assert_eq!(board["total"], 3);
}

#[test]
fn official_ratings_follow_merges_and_splits() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    scratch.ok(&["competitor", "merge", "codeforces", "cyd", "ada"]);
    // Of two accounts in one contest the better placed one counts.
    let merged = [
        "1|ada|1600",
        "1|bea|1500",
        "2|bea|1600",
        "2|ada|1500",
        "4|ada|1600",
        "4|bea|1400",
    ];
    assert_eq!(scratch.official_ratings(), merged);
    scratch.ok(&["competitor", "merge", "codeforces", "ada", "bea"]);
    assert_eq!(scratch.official_ratings(), ["1|bea|1600", "2|bea|1600", "4|bea|1600"]);
    scratch.ok(&["competitor", "split", "codeforces", "ada"]);
    assert_eq!(scratch.official_ratings(), merged);
    scratch.ok(&["competitor", "split", "codeforces", "cyd"]);
    assert_eq!(scratch.official_ratings(), ALL);
}

#[test]
fn withdrawn_contest_leaves_official_ratings_until_restored() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let without = |id: char| ALL.into_iter().filter(|row| !row.starts_with(id)).collect::<Vec<_>>();
    scratch.ok(&["withdraw", "codeforces", "2"]);
    assert_eq!(scratch.official_ratings(), without('2'));
    scratch.ok(&["withdraw", "codeforces", "2", "--undo"]);
    assert_eq!(scratch.official_ratings(), ALL);

    // The site takes a round back and rates it again.
    site.set_replies(&changes_request(4), [error_reply(400, NOT_RATED)]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(scratch.official_ratings(), without('4'));
    let changes = rating_changes(4, &["cyd", "ada", "bea"]);
    site.set_replies(&changes_request(4), [ok_reply(&changes)]);
    scratch.ok(&mine(&site, &["--full"]));
    assert_eq!(scratch.official_ratings(), ALL);

    // The site removes a round from its list.
    let list = site.next_reply(LIST);
    site.set_replies(
        LIST,
        [ok_reply(&json!([
            contest_list_entry(4, 2),
            contest_list_entry(2, 200)
        ]))],
    );
    scratch.ok(&mine(&site, &[]));
    assert_eq!(scratch.official_ratings(), without('1'));
    site.set_replies(LIST, [list]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(scratch.official_ratings(), ALL);
}
