//! Killed mining keeps the data received, and the next run requests the rest.

use std::process::Stdio;

use crate::support::CommandOutput;

use super::*;

/// Returns the content hash of an undisturbed sync.
fn expected_hash() -> [u8; 32] {
    let scratch = Scratch::new();
    scratch.ok(&mine(&site(), &[]));
    scratch.content_hash()
}

/// Asserts that the next run completes the sync and requests no month or competition that is stored
/// and final.
fn assert_completed(left: &Scratch, truth: [u8; 32], disturbed: &str) {
    let site = site();
    let there = match ranklore_store::Store::open_reader(left.copy().db()) {
        Ok(_) => left.copy().rows("SELECT request_key FROM document"),
        Err(_) => Vec::new(),
    };
    left.ok(&mine(&site, &[]));
    let asked = site.take_targets();
    if there.iter().any(|key| key.contains("event=old1")) {
        assert!(!asked.contains(&O2cmSite::competition_request("old1")), "{disturbed}");
    }
    let fresh = 1 + site.month_count() + 3 - asked.len();
    // The start page, two months and one competition may change.
    assert!(fresh + 4 >= there.len(), "{disturbed}: {asked:?} of {there:?}");
    assert!(left.content_hash() == truth, "{disturbed}");
    assert_eq!(left.store().check().unwrap(), [], "{disturbed}");
}

#[test]
fn sync_killed_at_boundaries_completes() {
    // Release builds have no fail points.
    if !cfg!(debug_assertions) {
        return;
    }
    let truth = expected_hash();
    let mut boundary = 1;
    let mut killed = 0;
    loop {
        let (site, left) = (site(), Scratch::new());
        let mut command = left.command(&mine(&site, &[]));
        command.env("RANKLORE_ABORT_AT", boundary.to_string());
        let done = CommandOutput::run(command);
        if done.code == Some(0) {
            break;
        }
        assert_eq!(done.code, None, "{}", done.err);
        killed += 1;
        assert_completed(&left, truth, &format!("killed at {boundary}"));
        // Months are alike, so not all of their boundaries are tried.
        boundary += 7;
    }
    assert!(killed >= 10, "{killed}");
}

#[test]
fn sync_killed_at_moments_completes() {
    let truth = expected_hash();
    for asked in [1, 3, 11, 17] {
        let (site, left) = (site(), Scratch::new());
        let mut command = left.command(&mine_with_interval(&site, "0.02", &[]));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        site.site.wait_for_requests(asked);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_completed(&left, truth, &format!("killed after request {asked}"));
    }
}
