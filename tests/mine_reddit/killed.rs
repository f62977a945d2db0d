//! The next run after a killed sync continues and gives the expected result.

use std::process::Stdio;

use ranklore_test_support::Reply;
use ranklore_test_support::subreddit::{Comment, TEXT};

use super::site::{
    BEST_THREE, RedditSite, assert_rebuild_unchanged, database_contains, stored_standings,
};
use crate::support::{CommandOutput, Scratch};

/// Returns a site with changes since the last sync, and the database of that sync.
fn changed_site() -> (RedditSite, Scratch) {
    let mut site = RedditSite::new();
    let scratch = Scratch::new();
    site.sync(&scratch);
    site.delete_author("Cem");
    let comments = &mut site.threads[0].comments;
    comments.push(Comment::new(11, Some(10), "Hal", 3));
    site.change_votes();
    (site, scratch)
}

/// Returns the content hash and the requests of an undisturbed sync.
fn expected() -> ([u8; 32], Vec<String>) {
    let (site, scratch) = changed_site();
    site.take_targets();
    site.sync(&scratch);
    assert_eq!(stored_standings(&scratch), site.standings());
    (scratch.content_hash(), site.take_targets())
}

fn assert_next_sync_completes(
    site: &RedditSite,
    leftover: &Scratch,
    truth: [u8; 32],
    killed: &str,
) {
    site.sync(leftover);
    assert_eq!(stored_standings(leftover), site.standings(), "{killed}");
    assert!(leftover.content_hash() == truth, "{killed}");
    assert!(
        !database_contains(leftover, "Cem") && !database_contains(leftover, TEXT),
        "{killed}"
    );
}

#[test]
fn sync_killed_between_requests_completes() {
    let (truth, requests) = expected();
    for request_count in 1..=requests.len() {
        let (site, leftover) = changed_site();
        site.take_targets();
        let mut command =
            site.command(&leftover, &[&BEST_THREE[..], &["--interval", "0.02"]].concat());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        site.server.wait_for_requests(request_count);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_next_sync_completes(
            &site,
            &leftover,
            truth,
            &format!("killed after request {request_count}"),
        );
    }
}

#[test]
fn sync_killed_within_a_thread_leaves_it_unchanged() {
    let (truth, requests) = expected();
    // The token and the list, then all requests of the oldest thread.
    for (before, target) in requests.iter().enumerate().take(7).skip(2) {
        let (site, leftover) = changed_site();
        let standings = stored_standings(&leftover);
        site.take_targets();
        let answer = site.server.next_reply(target);
        site.server.set_replies(target, [Reply::never()]);
        let mut command =
            site.command(&leftover, &[&BEST_THREE[..], &["--interval", "0"]].concat());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        site.server.wait_for_requests(before + 1);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(stored_standings(&leftover)[..6], standings[..6], "{target}");
        assert_rebuild_unchanged(&leftover);
        site.server.set_replies(target, [answer]);
        assert_next_sync_completes(&site, &leftover, truth, &format!("killed during {target}"));
    }
}

#[test]
fn sync_killed_at_boundaries_completes() {
    // Release builds have no fail points.
    if !cfg!(debug_assertions) {
        return;
    }
    let (truth, _) = expected();
    let mut boundary = 1;
    let mut killed = 0;
    loop {
        let (site, leftover) = changed_site();
        let mut command =
            site.command(&leftover, &[&BEST_THREE[..], &["--interval", "0"]].concat());
        command.env("RANKLORE_ABORT_AT", boundary.to_string());
        let done = CommandOutput::run(command);
        if done.code == Some(0) {
            break;
        }
        assert_eq!(done.code, None, "{}", done.err);
        killed += 1;
        assert_next_sync_completes(&site, &leftover, truth, &format!("killed at {boundary}"));
        boundary += 4;
    }
    assert!(killed >= 5, "{killed}");
}
