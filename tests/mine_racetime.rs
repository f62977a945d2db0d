//! Mining racetime.gg, against an imitation of the site on this machine.

mod faults;
#[cfg(unix)]
mod killed;
mod selection;
mod site;

use crate::support::Scratch;
use crate::support::moment;
use serde_json::json;
use site::{FIRST_PAGE, Race, RacetimeSite, mine};

/// The most requests of a weekly sync.
const MAX_WEEKLY_REQUESTS: usize = 15;

const OFFICIAL: &str = "SELECT competitor.external_id, mu FROM rating
    JOIN rating_run USING (run_id) JOIN contest USING (contest_id)
    JOIN competitor USING (competitor_id)
    WHERE system = 'official' AND contest.external_id = 'smr/lantern-0000' ORDER BY 1";

fn stored(scratch: &Scratch) -> i64 {
    scratch.count("SELECT count(*) FROM contest WHERE entrants > 0 AND state != 'withdrawn'")
}

fn state(scratch: &Scratch, slug: &str) -> Vec<String> {
    scratch.rows(&format!(
        "SELECT state, rated, entrants, revision FROM contest WHERE external_id = 'smr/{slug}'"
    ))
}

fn assert_rebuild_unchanged(scratch: &Scratch) {
    let before = scratch.content_hash();
    let rows = "SELECT external_id, state, rated FROM contest ORDER BY 1";
    let states = scratch.rows(rows);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.rows(rows), states);
    assert_eq!(scratch.content_hash(), before, "a rebuild gives the same");
}

#[test]
fn races_are_mined_rated_and_shown() {
    let site = RacetimeSite::new(250);
    let scratch = Scratch::new();
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(
        report["contests"],
        json!({
            "added": 250, "revised": 0, "unchanged": 0, "withdrawn": 0, "restored": 0,
            "without_results": 0,
        })
    );
    assert_eq!((&report["results"], &report["left"]), (&json!(1000), &json!(0)));
    let pages = [(1, 100), (2, 95), (3, 92)];
    let requests = pages.map(|(page, size)| {
        format!("GET /smr/races/data?show_entrants=true&page={page}&per_page={size}")
    });
    assert_eq!(site.take_targets(), requests);
    assert_eq!(state(&scratch, "lantern-0000"), ["final|1|4|1"]);
    assert_eq!(state(&scratch, "lantern-0249"), ["provisional|1|4|1"]);
    assert_eq!(state(&scratch, "lantern-0003"), ["final|0|4|1"], "it is not recorded");
    assert_eq!(
        scratch.rows("SELECT division, url FROM contest WHERE external_id = 'smr/lantern-0005'"),
        ["Bridge Run|https://racetime.gg/smr/lantern-0005"]
    );
    assert_eq!(
        scratch.rows(OFFICIAL),
        [
            "A1qXw9TnPz3bKd7M|1010",
            "B2rYv8SmQy4cLe6N|1010",
            "C3sZu7RlRx5dMf5P|1010",
            "D4tWt6QkSw6eNg4Q|1010",
        ]
    );
    // The site rates each goal apart.
    let rated = scratch.json(&["rate", "racetime"]);
    assert_eq!((&rated[0]["contests"], &rated[1]["contests"]), (&json!(50), &json!(175)));
    let undecided = scratch.run(&["leaderboard", "racetime"]).exits(1);
    undecided.says("no run covers all contests of racetime; choose one with --run:");
    let run = rated[1]["run_id"].to_string();
    let board = scratch.ok(&["leaderboard", "racetime", "--run", &run]).out;
    assert!(board.contains("otto_k") && board.contains("miró"), "{board}");
    let of_goal = scratch.json(&["rate", "racetime", "--division", "Bridge Run"]);
    assert_eq!(of_goal[0]["run_id"], rated[0]["run_id"]);
    assert_eq!(
        scratch.count("SELECT count(*) FROM rating_run WHERE system = 'official'"),
        2,
        "one for each goal"
    );
    let archive = std::fs::read(scratch.db()).unwrap();
    assert!(!archive.windows(8).any(|bytes| bytes == b"a secret"));
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn weekly_sync_reads_until_races_are_settled() {
    let site = RacetimeSite::new(250);
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    site.take_targets();
    let before = scratch.content_hash();
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["added"], 0);
    assert_eq!(report["contests"]["revised"], 0);
    assert_eq!(site.take_targets(), [FIRST_PAGE]);
    assert_eq!(scratch.content_hash(), before);
    for minutes in (0..20).rev() {
        site.add_race(moment::started_at() - 60 - 60 * minutes);
    }
    let dry = scratch.json(&mine(&site, &["--dry-run"]));
    assert_eq!(dry["first"].as_array().unwrap().len(), 1);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["added"], 20);
    assert!(site.take_targets().len() <= MAX_WEEKLY_REQUESTS);
    assert_eq!(stored(&scratch), 270);
    // Many new races push unsettled ones to later pages, which are not archived yet.
    for second in (0..300).rev() {
        site.add_race(moment::started_at() - second / 5);
    }
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["added"], 300);
    assert_eq!(site.take_targets().len(), 7);
    assert_eq!(stored(&scratch), 570);
    assert_rebuild_unchanged(&scratch);
    scratch.ok(&mine(&site, &["--full"]));
    assert!(site.take_targets().len() >= 6);
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn races_that_move_while_pages_are_read_are_stored_once() {
    let changes: [fn(&mut Vec<Race>, usize); 2] = [
        |races, _| {
            let number = races.len();
            races.insert(0, Race::new(number, moment::started_at() - 60));
        },
        |races, number| {
            if number > 0 {
                races.drain(..3);
            }
        },
    ];
    for change in changes {
        let site = RacetimeSite::new(250);
        let scratch = Scratch::new();
        site.change_at_requests(change);
        scratch.ok(&mine(&site, &[]));
        let known = "SELECT count(DISTINCT external_id) FROM contest
            WHERE entrants > 0 AND external_id < 'smr/lantern-0244'";
        assert_eq!(scratch.count(known), 244);
        site.change_at_requests(|_, _| {});
        // The newest races that are missing may be on their way until a newer one is there.
        site.add_race(moment::started_at() - 30);
        scratch.ok(&mine(&site, &[]));
        let mut races = 0;
        site.change(|all| races = all.len() as i64);
        assert_eq!(stored(&scratch), races);
        assert_rebuild_unchanged(&scratch);
    }
}

#[test]
fn removed_race_is_withdrawn_and_restored() {
    let site = RacetimeSite::new(30);
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let mut removed = None;
    site.change(|races| removed = Some(races.remove(4)));
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["withdrawn"], 1);
    assert_eq!(state(&scratch, "lantern-0025"), ["withdrawn|1|4|1"]);
    assert_rebuild_unchanged(&scratch);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["withdrawn"], 0);
    site.change(|races| races.insert(4, removed.take().unwrap()));
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["restored"], 1);
    assert_eq!(state(&scratch, "lantern-0025"), ["provisional|1|4|1"]);
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn race_recorded_later_is_rated() {
    let site = RacetimeSite::new(30);
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    assert_eq!(state(&scratch, "lantern-0023"), ["provisional|0|4|1"]);
    site.change(|races| {
        races[6].recorded = true;
        races[6].has_changes = true;
    });
    scratch.ok(&mine(&site, &[]));
    let now = state(&scratch, "lantern-0023");
    assert!(now[0].starts_with("provisional|1|4|"), "{now:?}");
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn changes_that_the_site_takes_back_are_removed() {
    let site = RacetimeSite::new(30);
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let ratings = || {
        scratch.count(
            "SELECT count(*) FROM rating JOIN rating_run USING (run_id) JOIN contest USING (contest_id)
             WHERE system = 'official' AND contest.external_id = 'smr/lantern-0029'",
        )
    };
    assert_eq!(ratings(), 4);
    site.change(|races| races[0].has_changes = false);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(ratings(), 0);
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn renamed_user_keeps_results() {
    let site = RacetimeSite::new(30);
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let run = scratch.json(&["rate", "racetime"])[0]["run_id"].to_string();
    site.rename(0, "wren of the mill");
    scratch.ok(&mine(&site, &[]));
    let player = scratch.ok(&["player", "racetime", "wren of the mill", "--run", &run]).out;
    assert!(player.contains("smr/lantern-0000"), "{player}");
    let old = scratch.ok(&["player", "racetime", "wren", "--run", &run]).out;
    assert!(old.contains("wren of the mill"), "{old}");
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn deleted_accounts_are_never_one_person() {
    let site = RacetimeSite::new(30);
    let scratch = Scratch::new();
    site.change(|races| {
        for race in races.iter_mut().take(3) {
            race.deleted = vec![0, 1];
        }
    });
    scratch.ok(&mine(&site, &[]));
    let deleted = "SELECT count(*) FROM competitor WHERE external_id LIKE 'deleted account%'";
    assert_eq!(scratch.count(deleted), 6);
    let most = "SELECT max(contests) FROM (SELECT count(*) AS contests FROM standing
        JOIN competitor USING (competitor_id) WHERE external_id LIKE 'deleted account%'
        GROUP BY competitor_id)";
    assert_eq!(scratch.count(most), 1);
}
