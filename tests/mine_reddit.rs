//! Mining Reddit, against an imitation of the site on this machine.

mod deleted;
mod faults;
mod incomplete;
#[cfg(unix)]
mod killed;
mod probe;
mod secrets;
mod selection;
pub(crate) mod site;

use crate::support::Scratch;
use ranklore_test_support::subreddit::{Comment, TEXT, Thread, ThreadState, listing_page};
use serde_json::json;
use site::{
    RedditSite, TOKEN_REQUEST, TOP_THREE_LIST, assert_rebuild_unchanged, database_contains,
    stored_standings,
};

const STATES: &str = "SELECT external_id, state, entrants, revision FROM contest ORDER BY 1";

#[test]
fn threads_are_mined_rated_and_shown() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let report = site.report(&scratch);
    assert_eq!(
        report,
        json!({
            "source": "reddit", "answers": 8,
            "contests": {
                "added": 3, "revised": 0, "unchanged": 0, "withdrawn": 0, "restored": 0,
                "without_results": 0,
            },
            "results": 10, "renamed": 0, "left_out": {}, "refused": [],
            "incomplete": [], "left": 0, "stale_runs": [], "stopped": null, "interrupted": false,
        })
    );
    let mut expected = vec![TOKEN_REQUEST.to_owned(), TOP_THREE_LIST.to_owned()];
    for thread in &site.threads {
        expected.extend(thread.replies_by_target().into_iter().map(|(target, _)| target));
    }
    let mut requests = site.take_targets();
    assert_eq!(requests[..2], expected[..2]);
    requests.sort();
    expected.sort();
    assert_eq!(requests, expected);
    assert_eq!(stored_standings(&scratch), site.standings());
    assert_eq!(
        scratch.rows(STATES),
        [
            "t0001|provisional|6|1",
            "t0002|provisional|2|1",
            "t0003|provisional|2|1"
        ]
    );
    assert_eq!(
        scratch.rows(
            "SELECT name, division, starts_at, ends_at, url FROM contest
             WHERE external_id = 't0002'"
        ),
        [format!(
            "r/LanternTales t0002|LanternTales|-|{}|\
             https://www.reddit.com/r/LanternTales/comments/t0002/",
            site.threads[1].created
        )]
    );
    assert!(!database_contains(&scratch, TEXT));
    assert_rebuild_unchanged(&scratch);

    // One thread is a tie of two.
    let rated = scratch.json(&["rate", "reddit"]);
    assert_eq!((&rated[0]["contests"], &rated[0]["without_order"]), (&json!(3), &json!(0)));
    let board = scratch.ok(&["leaderboard", "reddit"]).out;
    for author in ["Ada_L", "Bea-1", "Gil"] {
        assert!(board.contains(author), "{board}");
    }
    let player = scratch.ok(&["player", "reddit", "Ada_L"]).out;
    assert!(player.contains("r/LanternTales t0001"), "{player}");
    let contest = scratch.ok(&["contest", "reddit", "t0001"]).out;
    assert!(contest.contains("1  Ada_L"), "{contest}");
    let status = scratch.ok(&["status"]).out;
    assert!(status.contains("reddit: 3 provisional"), "{status}");
    let by_division = scratch.json(&["rate", "reddit", "--division", "LanternTales"]);
    assert_eq!(by_division[0]["contests"], 3);
}

#[test]
fn later_sync_requests_all_and_applies_changes() {
    let mut site = RedditSite::new();
    let scratch = Scratch::new();
    site.sync(&scratch);
    scratch.ok(&["rate", "reddit"]);
    let hash = scratch.content_hash();
    let report = site.report(&scratch);
    assert_eq!(report["contests"]["unchanged"], 3);
    assert_eq!(scratch.content_hash(), hash);

    // Votes change in one thread, an author leaves, a thread is deleted, and a new one replaces the
    // oldest on the list.
    site.threads[1].comments[0].score += 40;
    site.delete_author("Dov");
    site.threads[2].state = ThreadState::Deleted;
    let new = Thread::new(4, vec![Comment::new(41, None, "Ivo", 1)]);
    site.threads.push(new);
    site.publish();
    let listed: Vec<&Thread> = site.threads[1..].iter().collect();
    let list = listing_page(&listed, None);
    site.server.set_replies(TOP_THREE_LIST, [list]);
    let report = site.report(&scratch);
    assert_eq!(report["left_out"], json!({"comments by deleted accounts": 1}));
    assert_eq!(
        report["contests"],
        json!({
            "added": 1, "revised": 2, "unchanged": 0, "withdrawn": 1, "restored": 0,
            "without_results": 0,
        })
    );
    assert_eq!(stored_standings(&scratch), site.standings());
    assert_eq!(
        scratch.rows(STATES),
        [
            "t0001|provisional|5|2",
            "t0002|provisional|2|2",
            "t0003|withdrawn|0|2",
            "t0004|provisional|1|1"
        ]
    );
    // Their rating belongs to a blank until the run is repeated.
    assert!(!database_contains(&scratch, "Dov"));
    let board = scratch.ok(&["leaderboard", "reddit"]).out;
    assert!(board.contains("[deleted]-"), "{board}");
    scratch.ok(&["rate", "reddit"]);
    let board = scratch.ok(&["leaderboard", "reddit"]).out;
    assert!(!board.contains("[deleted]"), "{board}");
    site.sync(&scratch);
    let blanks = "SELECT count(*) FROM competitor WHERE external_id LIKE '[deleted]%'";
    assert_eq!(scratch.count(blanks), 0);
    assert_rebuild_unchanged(&scratch);
}
