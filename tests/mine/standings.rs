//! Standings in addition to rating changes: points, penalties and teams.

use super::*;

pub(super) fn standings_request(id: u32) -> String {
    format!("GET /api/contest.standings?contestId={id}")
}

/// Returns the standings of a round: persons or teams with points.
pub(super) fn standings(id: u32, days_ago: i64, rows: &[(&[&str], f64)]) -> Value {
    let row = |(index, (members, points)): (usize, &(&[&str], f64))| {
        let team = (members.len() > 1).then_some(7000 + index);
        let members: Vec<Value> = members.iter().map(|handle| json!({"handle": handle})).collect();
        json!({
            "party": {
                "contestId": id,
                "members": members,
                "participantType": "CONTESTANT",
                "teamId": team,
                "ghost": false,
            },
            "rank": index + 1,
            "points": points,
            "penalty": 10 * (index + 1),
        })
    };
    let mut contest = contest_list_entry(id, days_ago);
    contest["phase"] = json!("FINISHED");
    let rows: Vec<Value> = rows.iter().enumerate().map(row).collect();
    json!({"contest": contest, "problems": [], "rows": rows})
}

/// Returns a site with standings: Ada and Bea were a team in round 1.
pub(super) fn site_with_standings() -> Server {
    let site = site();
    let mut together = rating_changes(1, &["ada", "bea", "cyd"]);
    together[1]["rank"] = json!(1);
    site.set_replies(&changes_request(1), [ok_reply(&together)]);
    let rows: [(&[&str], f64); 2] = [(&["ada", "bea"], 7.0), (&["cyd"], 3.5)];
    site.set_replies(&standings_request(1), [ok_reply(&standings(1, 300, &rows))]);
    let rows: [(&[&str], f64); 2] = [(&["bea"], 9.0), (&["ada"], 2.0)];
    site.set_replies(&standings_request(2), [ok_reply(&standings(2, 200, &rows))]);
    let rows: [(&[&str], f64); 3] = [(&["cyd"], 5.0), (&["ada"], 4.0), (&["bea"], 0.0)];
    site.set_replies(&standings_request(4), [ok_reply(&standings(4, 2, &rows))]);
    let comment = "contestId: Contest with id 3 not found";
    site.set_replies(&standings_request(3), [error_reply(400, comment)]);
    site
}

pub(super) const SELECT_SCORES: &str =
    "SELECT contest.external_id, competitor.external_id, kind, place, score,
    penalty FROM standing JOIN competitor USING (competitor_id) JOIN contest USING (contest_id)
    ORDER BY 1, place";

pub(super) const EXPECTED_SCORES: [&str; 7] = [
    "1|ada + bea|team|1|7|10",
    "1|cyd|person|2|3.5|20",
    "2|bea|person|1|9|10",
    "2|ada|person|2|2|20",
    "4|cyd|person|1|5|10",
    "4|ada|person|2|4|20",
    "4|bea|person|3|0|30",
];

#[test]
fn standings_add_points_penalties_and_teams() {
    let site = site_with_standings();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &["--standings"]));
    assert_eq!(scratch.rows(SELECT_SCORES), EXPECTED_SCORES);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    // Requesting less loses no known data.
    scratch.ok(&mine(&site, &[]));
    assert_eq!(scratch.rows(SELECT_SCORES), EXPECTED_SCORES);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn standings_can_be_added_later() {
    let site = site_with_standings();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    site.take_targets();
    let report = scratch.json(&mine(&site, &["--standings"]));
    assert_eq!(report["contests"]["revised"], 3);
    assert_eq!(scratch.rows(SELECT_SCORES), EXPECTED_SCORES);
}

#[test]
fn rating_changes_are_used_until_standings_arrive() {
    let site = site_with_standings();
    let scratch = Scratch::new();
    let answer = site.next_reply(&standings_request(2));
    site.set_replies(&standings_request(2), [Reply::new(200, "application/json", "")]);
    scratch.run(&mine(&site, &["--standings"])).exits(3);
    let entrants = "SELECT entrants FROM contest WHERE external_id = '2'";
    assert_eq!(scratch.rows(entrants), ["2"]);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    site.set_replies(&standings_request(2), [answer]);
    scratch.ok(&mine(&site, &["--standings"]));
    assert_eq!(scratch.rows(SELECT_SCORES), EXPECTED_SCORES);
}

#[test]
fn failed_standings_do_not_affect_ratings() {
    let site = site_with_standings();
    let scratch = Scratch::new();
    let answer = site.next_reply(&standings_request(2));
    let with = mine(&site, &["--standings"]);
    let broken = json!({"contest": contest_list_entry(2, 200), "problems": [], "rows": "none"});
    let nothing = Reply::new(200, "application/json", "");
    scratch.ok(&mine(&site, &[]));
    for (bad, reason) in [
        (ok_reply(&broken), "result.rows"),
        (nothing, "an empty body"),
    ] {
        site.set_replies(&standings_request(2), [bad]);
        site.take_targets();
        let report = scratch.run(&with).exits(3);
        assert!(report.err.contains(reason), "{}", report.err);
        // Its ratings are stored, and are not requested again because standings are missing.
        assert!(!site.take_targets().contains(&changes_request(2)), "{reason}");
        let entrants = "SELECT state, entrants FROM contest WHERE external_id = '2'";
        assert_eq!(scratch.rows(entrants), ["final|2"], "{reason}");
        let out = scratch.ok(&["status"]).out;
        let lacking = "1 contest without standings, the first is 2 (";
        assert!(out.contains(lacking) && out.contains(reason), "{out}");
        // Without the option, missing standings are not reported.
        scratch.ok(&mine(&site, &[]));
        assert_eq!(site.take_targets(), [LIST.to_owned(), changes_request(4)], "{reason}");
    }
    site.set_replies(&standings_request(2), [answer]);
    scratch.ok(&with);
    assert_eq!(scratch.rows(SELECT_SCORES), EXPECTED_SCORES);
    assert!(!scratch.ok(&["status"]).out.contains("without standings"));
    site.take_targets();
    scratch.ok(&with);
    assert_eq!(site.take_targets(), [LIST.to_owned(), changes_request(4), standings_request(4)]);
}

#[test]
fn closed_standings_of_old_round_are_not_retried() {
    let site = site_with_standings();
    let scratch = Scratch::new();
    let with = mine(&site, &["--standings"]);
    let closed = "contestId: You have to be authenticated to use this method";
    site.set_replies(&standings_request(2), [error_reply(400, closed)]);
    let report = scratch.run(&with).exits(3);
    let reason = "does not let them be read";
    assert!(report.err.contains(reason), "{}", report.err);
    assert!(scratch.ok(&["status"]).out.contains(reason));
    site.take_targets();
    scratch.ok(&with);
    assert_eq!(site.take_targets(), [LIST.to_owned(), changes_request(4), standings_request(4)]);
    scratch.run(&[&with[..], &["--full"]].concat()).exits(3);
    assert!(site.take_targets().contains(&standings_request(2)));
}

#[test]
fn contest_with_unreadable_standings_is_added() {
    let site = site_with_standings();
    let scratch = Scratch::new();
    site.set_replies(&standings_request(2), [ok_reply(&json!({"rows": 1}))]);
    let done = scratch.run(&mine(&site, &["--standings", "--json"])).exits(3);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["contests"]["added"], 3);
    assert_eq!(report["refused"].as_array().unwrap().len(), 1);
}
