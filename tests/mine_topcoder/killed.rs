//! The process dies while it mines: the next run asks for the rest, and ends as if nothing had
//! been.

use std::process::Stdio;

use crate::site::{LIST, NEWEST, ROBOTS, Site, mine, paced, results};
use crate::support::{Done, Scratch};

/// What mining undisturbed makes.
fn truth() -> [u8; 32] {
    let scratch = Scratch::new();
    scratch.ok(&mine(&Site::new(), &[]));
    scratch.content_hash()
}

/// A run more completes it, and asks for nothing that came and is at rest but for the last.
fn is_completed(left: &Scratch, site: &Site, truth: [u8; 32], disturbed: &str) {
    let before = site.asked();
    left.ok(&mine(site, &[]));
    let again = site.asked();
    let known = &before[..before.len().saturating_sub(1)];
    let newest = results(NEWEST);
    let moving = [ROBOTS, LIST, &newest];
    let twice: Vec<_> = (again.iter())
        .filter(|target| known.contains(target) && !moving.contains(&target.as_str()))
        .collect();
    assert!(twice.is_empty(), "{disturbed}: {twice:?}");
    assert!(left.content_hash() == truth, "{disturbed}");
}

#[test]
fn killed_at_boundaries_of_mining_the_next_run_completes_it() {
    // A release has no fail points.
    if !cfg!(debug_assertions) {
        return;
    }
    let truth = truth();
    let (mut boundary, mut killed) = (1, 0);
    loop {
        let (site, left) = (Site::new(), Scratch::new());
        let mut command = left.command(&mine(&site, &[]));
        command.env("RANKLORE_ABORT_AT", boundary.to_string());
        let done = Done::of(command);
        if done.code == Some(0) {
            break;
        }
        assert_eq!(done.code, None, "{}", done.err);
        killed += 1;
        is_completed(&left, &site, truth, &format!("killed at {boundary}"));
        boundary += 3;
    }
    assert!(killed >= 10, "{killed}");
}

#[test]
fn killed_at_moments_of_mining_the_next_run_completes_it() {
    let truth = truth();
    for asked in [1, 2, 4, 6] {
        let (site, left) = (Site::new(), Scratch::new());
        let mut command = left.command(&paced(&site, "0.02"));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        site.imitation.is_asked(asked);
        child.kill().unwrap();
        child.wait().unwrap();
        is_completed(
            &left,
            &site,
            truth,
            &format!("killed after request {asked}"),
        );
    }
}
