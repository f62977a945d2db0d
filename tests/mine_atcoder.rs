//! Mining AtCoder, against an imitation of the site on this machine.

mod faults;
#[cfg(unix)]
mod killed;
mod secrets;
mod site;

use crate::support::Scratch;
use serde_json::json;
use site::{AtcoderSite, LIST, ROBOTS, mine, results_request};

const STANDINGS: &str = "SELECT contest.external_id, place, competitor.external_id
    FROM standing JOIN contest USING (contest_id) JOIN competitor USING (competitor_id)
    ORDER BY contest.external_id, place, 3";

#[test]
fn three_commands_lead_to_a_leaderboard() {
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    let done = scratch.ok(&mine(&site, &[]));
    assert!(done.err.contains("next: ranklore rate atcoder"), "{}", done.err);
    let done = scratch.ok(&["rate", "atcoder"]);
    assert!(done.out.contains("elo-mmr"), "{}", done.out);
    let next = done.err.split("next: ranklore ").nth(1).unwrap().trim();
    let command: Vec<&str> = next.split(' ').collect();
    let board = scratch.ok(&command).out;
    assert!(board.contains("tide7") && board.contains("division \"Heuristic\""), "{board}");
}

#[test]
fn sync_fetches_all_once_then_only_changes() {
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(
        report["contests"],
        json!({
            "added": 3, "revised": 0, "unchanged": 0, "withdrawn": 0, "restored": 0,
            "without_results": 0,
        })
    );
    let requests = |contests: &[&str]| {
        let results = contests.iter().map(|contest| results_request(contest));
        [ROBOTS.to_owned(), LIST.to_owned()]
            .into_iter()
            .chain(results)
            .collect::<Vec<_>>()
    };
    // The oldest first. One contest is not rated, and one has not begun.
    assert_eq!(site.take_targets(), requests(&["abc901", "ahc901", "abc902"]));
    assert_eq!(
        scratch.rows("SELECT external_id, state, division FROM contest ORDER BY 1"),
        [
            "abc901|final|Algorithm",
            "abc902|provisional|Algorithm",
            "abc903|announced|Algorithm",
            "ahc901|final|Heuristic",
            "open901|unrated|-",
        ]
    );
    let before = scratch.content_hash();
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["unchanged"], 1);
    assert_eq!(site.take_targets(), requests(&["abc902"]));
    assert_eq!(scratch.content_hash(), before);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn divisions_never_share_a_run() {
    let site = AtcoderSite::new();
    site.set_ranking("ahc901", &["tide7", "wren", "gull"]);
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let rated = scratch.json(&["rate", "atcoder"]);
    assert_eq!((&rated[0]["contests"], &rated[1]["contests"]), (&json!(2), &json!(1)));
    let runs = "SELECT system, selection ->> '$.division', count(DISTINCT contest.division),
            min(contest.division)
        FROM rating_run JOIN rating USING (run_id) JOIN contest USING (contest_id)
        GROUP BY run_id ORDER BY 1, 2";
    assert_eq!(
        scratch.rows(runs),
        [
            "elo-mmr|Algorithm|1|Algorithm",
            "elo-mmr|Heuristic|1|Heuristic",
            "official|Algorithm|1|Algorithm",
            "official|Heuristic|1|Heuristic",
        ]
    );
    let one = scratch.json(&["rate", "atcoder", "--division", "Heuristic"]);
    assert_eq!(one[0]["run_id"], rated[1]["run_id"]);
    scratch.ok(&["competitor", "merge", "atcoder", "gull", "brass_lamp"]);
    let before = scratch.rows(runs);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.rows(runs), before);
    assert_eq!(
        scratch.rows(runs)[2..],
        [
            "official|Algorithm|1|Algorithm",
            "official|Heuristic|1|Heuristic"
        ]
    );
    assert_eq!(scratch.store().check().unwrap(), []);
}

#[test]
fn official_ratings_are_those_of_rated_entrants() {
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let official = "SELECT contest.external_id, competitor.external_id, CAST(mu_before AS INTEGER),
            CAST(mu AS INTEGER)
        FROM rating JOIN rating_run USING (run_id) JOIN contest USING (contest_id)
        JOIN competitor USING (competitor_id)
        WHERE system = 'official' ORDER BY 1, mu DESC";
    let expected = [
        "abc901|brass_lamp|1200|1300",
        "abc901|wren|1200|1200",
        "abc901|tide7|1200|1100",
        "abc902|wren|1200|1300",
        "abc902|brass_lamp|1200|1200",
        "ahc901|tide7|1200|1300",
        "ahc901|wren|1200|1200",
    ];
    assert_eq!(scratch.rows(official), expected);
    // The entrant who was not rated has a place.
    assert_eq!(scratch.rows(STANDINGS)[..2], ["abc901|1|old_pike", "abc901|2|brass_lamp"]);
    // Standings are newer and have no ratings.
    site.sync_standings(&scratch).exits(0);
    assert_eq!(scratch.rows(official), expected);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.rows(official), expected);
}

#[test]
fn standings_add_scores_and_leave_out_absentees() {
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.rows(STANDINGS);
    let done = site.sync_standings(&scratch).exits(0);
    assert!(done.err.contains("entrants without a submission (6)"), "{}", done.err);
    assert_eq!(scratch.rows(STANDINGS), before, "both forms agree");
    let scores = "SELECT CAST(score AS INTEGER), CAST(penalty AS INTEGER) FROM standing
        JOIN contest USING (contest_id) WHERE external_id = 'abc901' ORDER BY place";
    assert_eq!(scratch.rows(scores), ["400|600", "300|600", "200|600", "100|600"]);
    // A corrected result in the newer form counts, until the other form is newer.
    site.set_ranking("abc902", &["brass_lamp", "wren"]);
    scratch.ok(&mine(&site, &[]));
    let winner = "SELECT competitor.external_id FROM standing JOIN contest USING (contest_id)
        JOIN competitor USING (competitor_id)
        WHERE contest.external_id = 'abc902' AND place = 1";
    assert_eq!(scratch.rows(winner), ["brass_lamp"]);
    let hash = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), hash);
}

#[test]
fn weekly_sync_sends_one_request_for_each_rated_contest() {
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    site.take_targets();
    // 20 contests are new, and 8 of them are rated.
    let new: Vec<String> = (0..20).map(|number| format!("abc{}", 910 + number)).collect();
    for (contest, number) in new.iter().zip(0..) {
        site.add_contest(contest, 1, if number < 8 { "All" } else { "-" }, &["wren", "tide7"]);
    }
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["added"], 8);
    let requests = site.take_targets();
    assert!(requests.len() <= 15, "{requests:#?}");
}

#[test]
fn renamed_account_keeps_its_history() {
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    // The site shows the new name everywhere; only the recent contest is requested again.
    site.set_ranking("abc902", &["robin", "brass_lamp"]);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["renamed"], 1);
    let contests =
        |name: &str| scratch.json(&["player", "atcoder", name, "--run", "1"])["contests"].clone();
    assert_eq!(contests("robin"), 2);
    assert_eq!(contests("wren"), 2);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    assert_eq!(contests("robin"), 2);
    // A later answer with the same names changes nothing.
    assert_eq!(scratch.json(&mine(&site, &[]))["renamed"], 0);
}

#[test]
fn rating_with_another_source_needs_a_division() {
    let site = AtcoderSite::new();
    let scratch = Scratch::club();
    scratch.ok(&mine(&site, &[]));
    let together = ["rate", "club", "atcoder", "--together"];
    scratch
        .run(&together)
        .exits(2)
        .says("atcoder rates its divisions apart; add --division: \"Algorithm\", \"Heuristic\"");
    assert_eq!(scratch.count("SELECT count(*) FROM rating_run WHERE system <> 'official'"), 0);
    let rated = scratch.json(&[&together[..], &["--division", "Algorithm"]].concat());
    assert_eq!(rated[0]["contests"], 2);
}

#[test]
fn probe_and_dry_run_store_nothing() {
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    let dry = scratch.json(&mine(&site, &["--dry-run"]));
    assert_eq!(dry["first"].as_array().unwrap().len(), 1);
    assert!(site.take_targets().is_empty() && scratch.list(".").is_empty());
    let done = scratch.ok(&mine(&site, &["--probe"]));
    assert!(done.out.contains("5 contests listed"), "{}", done.out);
    assert_eq!(site.take_targets(), [ROBOTS, LIST, &results_request("abc902")]);
    assert!(scratch.list(".").is_empty());
    scratch.ok(&mine(&site, &[]));
    let dry = scratch.json(&mine(&site, &["--dry-run"]));
    let due: Vec<&str> = dry["contests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|contest| contest["contest"].as_str().unwrap())
        .collect();
    assert_eq!(due, ["abc902"]);
}
