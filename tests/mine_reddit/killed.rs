//! The next run after a killed sync continues and gives the expected result.

use std::process::Stdio;

use ranklore_test_support::Reply;
use ranklore_test_support::subreddit::{Comment, TEXT};

use crate::site::{BEST, Site, has, rebuilds_the_same, stand};
use crate::support::{Done, Scratch};

/// Returns a site with changes since the last sync, and the database of that sync.
fn changed() -> (Site, Scratch) {
    let (mut site, scratch) = (Site::new(), Scratch::new());
    site.sync(&scratch);
    site.leaves("Cem");
    let comments = &mut site.threads[0].comments;
    comments.push(Comment::new(11, Some(10), "Hal", 3));
    site.votes();
    (site, scratch)
}

/// Returns the content hash and the requests of an undisturbed sync.
fn truth() -> ([u8; 32], Vec<String>) {
    let (site, scratch) = changed();
    site.take_targets();
    site.sync(&scratch);
    assert_eq!(stand(&scratch), site.standings());
    (scratch.content_hash(), site.take_targets())
}

fn goes_on(site: &Site, left: &Scratch, truth: [u8; 32], killed: &str) {
    site.sync(left);
    assert_eq!(stand(left), site.standings(), "{killed}");
    assert!(left.content_hash() == truth, "{killed}");
    assert!(!has(left, "Cem") && !has(left, TEXT), "{killed}");
}

#[test]
fn killed_between_any_two_requests_the_next_run_ends_the_same() {
    let (truth, requests) = truth();
    for asked in 1..=requests.len() {
        let (site, left) = changed();
        site.take_targets();
        let mut command = site.command(&left, &[&BEST[..], &["--interval", "0.02"]].concat());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        site.server.wait_for_requests(asked);
        child.kill().unwrap();
        child.wait().unwrap();
        goes_on(
            &site,
            &left,
            truth,
            &format!("killed after request {asked}"),
        );
    }
}

#[test]
fn killed_while_a_part_is_unanswered_the_thread_stays_as_it_was() {
    let (truth, requests) = truth();
    // The token and the list, then all requests of the oldest thread.
    for (before, target) in requests.iter().enumerate().take(7).skip(2) {
        let (site, left) = changed();
        let stood = stand(&left);
        site.take_targets();
        let answer = site.server.next_reply(target);
        site.server.set_replies(target, [Reply::never()]);
        let mut command = site.command(&left, &[&BEST[..], &["--interval", "0"]].concat());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        site.server.wait_for_requests(before + 1);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(stand(&left)[..6], stood[..6], "{target}");
        rebuilds_the_same(&left);
        site.server.set_replies(target, [answer]);
        goes_on(&site, &left, truth, &format!("killed during {target}"));
    }
}

#[test]
fn killed_at_boundaries_of_mining_the_next_run_ends_the_same() {
    // Release builds have no fail points.
    if !cfg!(debug_assertions) {
        return;
    }
    let (truth, _) = truth();
    let (mut boundary, mut killed) = (1, 0);
    loop {
        let (site, left) = changed();
        let mut command = site.command(&left, &[&BEST[..], &["--interval", "0"]].concat());
        command.env("RANKLORE_ABORT_AT", boundary.to_string());
        let done = Done::of(command);
        if done.code == Some(0) {
            break;
        }
        assert_eq!(done.code, None, "{}", done.err);
        killed += 1;
        goes_on(&site, &left, truth, &format!("killed at {boundary}"));
        boundary += 4;
    }
    assert!(killed >= 5, "{killed}");
}
