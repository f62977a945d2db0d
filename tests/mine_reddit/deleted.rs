//! Authors who left the site or asked to be forgotten.

use ranklore_test_support::subreddit::{TEXT, ThreadState};

use super::site::{RedditSite, assert_rebuild_unchanged, database_contains, stored_standings};
use crate::support::Scratch;

#[test]
fn forgotten_author_is_blank_in_every_part() {
    let mut site = RedditSite::new();
    let scratch = Scratch::new();
    site.sync(&scratch);
    scratch.ok(&["rate", "reddit"]);
    // In the tree, in the comments left out of it, and below others; and in another thread.
    let parts = site.threads[0].replies_by_target().into_iter();
    let naming =
        parts.filter(|(_, answer)| String::from_utf8_lossy(&answer.body).contains("Ada_L"));
    assert_eq!(naming.count(), 4);
    let done = scratch.json(&["forget", "--yes", "reddit", "Ada_L"]);
    assert_eq!((&done["contests"], &done["documents"]), (&2.into(), &5.into()));
    assert!(!database_contains(&scratch, "Ada_L"));
    let blanked = |rows: Vec<String>| {
        let mut rows: Vec<String> =
            rows.into_iter().map(|row| row.replace("Ada_L", "forgotten-1")).collect();
        rows.sort();
        rows
    };
    assert_eq!(stored_standings(&scratch), blanked(site.standings()));
    assert_rebuild_unchanged(&scratch);

    // Later responses contain the author again.
    let hash = scratch.content_hash();
    assert_eq!(site.report(&scratch)["contests"]["unchanged"], 3);
    assert!(!database_contains(&scratch, "Ada_L"));
    assert_eq!(scratch.content_hash(), hash);
    site.change_votes();
    assert_eq!(site.report(&scratch)["contests"]["revised"], 3);
    assert!(!database_contains(&scratch, "Ada_L"));
    assert_eq!(stored_standings(&scratch), blanked(site.standings()));
    scratch.ok(&["rate", "reddit"]);
    assert_rebuild_unchanged(&scratch);

    // Once the account is deleted, nothing of the author stays.
    site.delete_author("Ada_L");
    site.sync(&scratch);
    assert_eq!(stored_standings(&scratch), site.standings());
    scratch.ok(&["rate", "reddit"]);
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn deleted_comments_are_removed_by_any_sync() {
    let mut site = RedditSite::new();
    let scratch = Scratch::new();
    site.sync(&scratch);
    assert!(database_contains(&scratch, "Cem") && database_contains(&scratch, "Gil"));
    site.delete_author("Cem");
    site.threads[1].state = ThreadState::Deleted;
    site.publish();
    // This period requests no list.
    site.run(&scratch, &["--until", "2010-01-01"]).exits(0);
    for text in ["Cem", "Gil", TEXT] {
        assert!(!database_contains(&scratch, text), "{text}");
    }
    assert_eq!(stored_standings(&scratch), site.standings());
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn private_thread_keeps_results_until_reopened() {
    let mut site = RedditSite::new();
    let scratch = Scratch::new();
    site.sync(&scratch);
    let before = stored_standings(&scratch);
    site.threads[0].state = ThreadState::Private;
    site.change_votes();
    let report = site.report(&scratch);
    assert_eq!(report["contests"]["revised"], 2);
    let status = scratch.ok(&["status"]).out;
    let problem = "reddit: contest t0001, blocked: the site does not let it be read";
    assert!(status.contains(problem), "{status}");
    assert_eq!(stored_standings(&scratch)[..6], before[..6]);
    assert_rebuild_unchanged(&scratch);
    site.threads[0].state = ThreadState::Public;
    site.publish();
    site.sync(&scratch);
    assert_eq!(stored_standings(&scratch), site.standings());
}
