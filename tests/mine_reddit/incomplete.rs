//! A site that announces more comments than it returns.

use ranklore_test_support::Reply;
use ranklore_test_support::subreddit::{Comment, Thread, ThreadState};
use serde_json::{Value, json};

use super::STATES;
use super::site::{RedditSite, assert_rebuild_unchanged};
use crate::support::{CommandOutput, Scratch};

/// Returns a site with a fourth thread of 12 comments, 9 of which are returned by number only.
fn site() -> RedditSite {
    let mut site = RedditSite::new();
    let authors = ["Ada_L", "Bea-1", "Cem", "Dov", "Eve", "Fay"];
    let comments = (41..53).zip(authors.into_iter().cycle());
    let comments = comments.map(|(id, author)| Comment::new(id, None, author, i64::from(id)));
    site.threads = vec![Thread::new(4, comments.collect())];
    site.publish();
    site
}

/// Makes the site silently withhold the comments left out.
fn withhold_comments(site: &RedditSite) {
    for (target, _) in site.threads[0].replies_by_target().into_iter().skip(1) {
        let nothing = json!({"json": {"errors": [], "data": {"things": []}}});
        site.server.set_replies(&target, [Reply::json(&nothing)]);
    }
}

fn sync(site: &RedditSite, scratch: &Scratch) -> CommandOutput {
    site.run(scratch, &["--subreddit", "LanternTales", "--top", "3"])
}

#[test]
fn thread_lacking_comments_is_incomplete_until_they_arrive() {
    let site = site();
    let scratch = Scratch::new();
    withhold_comments(&site);
    let done = sync(&site, &scratch).exits(3);
    assert!(done.err.contains("3 of 12 comments"), "{}", done.err);
    assert_eq!(scratch.rows(STATES), ["t0004|incomplete|3|1"]);
    scratch.run(&["rate", "reddit"]).exits(1);
    assert_rebuild_unchanged(&scratch);
    // The next sync gets the missing comments.
    site.publish();
    sync(&site, &scratch).exits(0);
    assert_eq!(scratch.rows(STATES), ["t0004|provisional|6|2"]);
    scratch.ok(&["rate", "reddit"]);
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn incomplete_thread_is_rated_after_three_syncs() {
    let site = site();
    let scratch = Scratch::new();
    withhold_comments(&site);
    for fruitless in 0..3 {
        sync(&site, &scratch).exits(3);
        assert_eq!(scratch.rows(STATES), ["t0004|incomplete|3|1"]);
        let counted = scratch.rows("SELECT fruitless_syncs FROM contest_sync");
        assert_eq!(counted, [fruitless.to_string()]);
        assert_rebuild_unchanged(&scratch);
    }
    sync(&site, &scratch).exits(0);
    assert_eq!(scratch.rows(STATES), ["t0004|provisional|3|1"]);
    assert_rebuild_unchanged(&scratch);
    scratch.ok(&["rate", "reddit"]);
    let contest = scratch.ok(&["contest", "reddit", "t0004"]);
    assert!(contest.out.contains("3 of 12 comments arrived"), "{}", contest.out);
}

#[test]
fn thread_without_comments_is_incomplete() {
    let site = site();
    let scratch = Scratch::new();
    let (target, reply) = site.threads[0].replies_by_target().swap_remove(0);
    let mut thread: Value = serde_json::from_slice(&reply.body).unwrap();
    thread[1]["data"]["children"] = json!([]);
    site.server.set_replies(&target, [Reply::json(&thread)]);
    let done = sync(&site, &scratch).exits(3);
    assert!(done.err.contains("0 of 12 comments"), "{}", done.err);
    assert_eq!(scratch.rows(STATES), ["t0004|incomplete|0|1"]);
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn private_incomplete_thread_is_rated_after_three_syncs() {
    let mut site = site();
    let scratch = Scratch::new();
    withhold_comments(&site);
    sync(&site, &scratch).exits(3);
    site.threads[0].state = ThreadState::Private;
    site.publish();
    for _ in 0..3 {
        assert_eq!(scratch.rows(STATES), ["t0004|incomplete|3|1"]);
        sync(&site, &scratch);
        assert_rebuild_unchanged(&scratch);
    }
    assert_eq!(scratch.rows(STATES), ["t0004|provisional|3|1"]);
}
