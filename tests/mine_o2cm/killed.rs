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
fn assert_completed(leftover: &Scratch, truth: [u8; 32], disturbed: &str) {
    let site = site();
    let stored_keys = match ranklore_store::Store::open_reader(leftover.copy().db()) {
        Ok(_) => leftover.copy().rows("SELECT request_key FROM document"),
        Err(_) => Vec::new(),
    };
    leftover.ok(&mine(&site, &[]));
    let requests = site.take_targets();
    if stored_keys.iter().any(|key| key.contains("event=old1")) {
        assert!(!requests.contains(&O2cmSite::competition_request("old1")), "{disturbed}");
    }
    let fresh = 1 + site.month_count() + 3 - requests.len();
    // The start page, two months and one competition may change.
    assert!(fresh + 4 >= stored_keys.len(), "{disturbed}: {requests:?} of {stored_keys:?}");
    assert!(leftover.content_hash() == truth, "{disturbed}");
    assert_eq!(leftover.store().check().unwrap(), [], "{disturbed}");
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
        let site = site();
        let leftover = Scratch::new();
        let mut command = leftover.command(&mine(&site, &[]));
        command.env("RANKLORE_ABORT_AT", boundary.to_string());
        let done = CommandOutput::run(command);
        if done.code == Some(0) {
            break;
        }
        assert_eq!(done.code, None, "{}", done.err);
        killed += 1;
        assert_completed(&leftover, truth, &format!("killed at {boundary}"));
        // Months are alike, so not all of their boundaries are tried.
        boundary += 7;
    }
    assert!(killed >= 10, "{killed}");
}

#[test]
fn sync_killed_at_moments_completes() {
    let truth = expected_hash();
    for request_count in [1, 3, 11, 17] {
        let site = site();
        let leftover = Scratch::new();
        let mut command = leftover.command(&mine_with_interval(&site, "0.02", &[]));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        site.site.wait_for_requests(request_count);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_completed(&leftover, truth, &format!("killed after request {request_count}"));
    }
}
