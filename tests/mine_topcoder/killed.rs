//! The next run after a killed sync requests the rest and gives the expected result.

use std::process::Stdio;
use std::time::Duration;

use ranklore_store::Store;

use super::saved::{FOLDER, scratch_with_saved_files};
use super::site::{
    LIST, NEWEST, ROBOTS, TopcoderSite, mine, mine_with_interval, results_request, xml_reply,
};
use crate::support::{CommandOutput, Scratch};

/// Returns the content hash of an undisturbed sync.
fn expected_hash() -> [u8; 32] {
    let scratch = Scratch::new();
    scratch.ok(&mine(&TopcoderSite::new(), &[]));
    scratch.content_hash()
}

/// Asserts that importing the same files again gives the expected result.
fn assert_files_imported(leftover: &Scratch, truth: [u8; 32], disturbed: &str) {
    leftover.ok(&FOLDER);
    assert!(leftover.content_hash() == truth, "{disturbed}");
    leftover.ok(&["rebuild"]);
    assert!(leftover.content_hash() == truth, "{disturbed}, rebuilt");
}

/// Returns the final rounds whose results are archived. Opening the database cleans up after the
/// killed process, so a copy is opened.
fn archived_rounds(leftover: &Scratch) -> Vec<u32> {
    let leftover = leftover.copy();
    if leftover.list(".").is_empty() || Store::open_reader(leftover.db()).is_err() {
        return Vec::new();
    }
    let keys = leftover.rows("SELECT request_key FROM document");
    let rounds = keys.iter().filter_map(|key| key.split_once("&rd="));
    let rounds = rounds.map(|(_, round)| round.parse().unwrap());
    rounds.filter(|round| *round != NEWEST).collect()
}

/// Asserts that the next run completes the sync and requests no stored final round. Returns true if
/// a round had only one of its divisions stored.
fn assert_completed(
    leftover: &Scratch,
    site: &TopcoderSite,
    truth: [u8; 32],
    disturbed: &str,
) -> bool {
    let rounds = archived_rounds(leftover);
    let torn = rounds.iter().any(|round| {
        let learned = format!(
            "SELECT count(*) FROM contest_sync WHERE external_id LIKE '{round}/%' AND read_at > 0"
        );
        leftover.copy().count(&learned) == 1
    });
    site.take_targets();
    leftover.ok(&mine(site, &[]));
    let again = site.take_targets();
    for round in rounds {
        let is_requested = again.contains(&results_request(round));
        assert!(!is_requested, "{disturbed}: {round} again");
    }
    assert!(leftover.content_hash() == truth, "{disturbed}");
    torn
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
    let mut torn = 0;
    loop {
        let site = TopcoderSite::new();
        let leftover = Scratch::new();
        let mut command = leftover.command(&mine(&site, &[]));
        command.env("RANKLORE_ABORT_AT", boundary.to_string());
        let done = CommandOutput::run(command);
        if done.code == Some(0) {
            break;
        }
        assert_eq!(done.code, None, "{}", done.err);
        killed += 1;
        let disturbed = format!("killed at {boundary}");
        torn += u32::from(assert_completed(&leftover, &site, truth, &disturbed));
        boundary += 3;
    }
    assert!(killed >= 10 && torn > 0, "{killed} {torn}");
}

#[test]
fn half_read_round_is_not_requested_again() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    for (limit, is_requested) in [("1", true), ("1", false), ("1", true), ("1", false)] {
        scratch.ok(&mine(&site, &["--limit", limit]));
        let rounds = [101, 102].map(results_request);
        let again = site.take_targets();
        assert_eq!(again.iter().any(|request| rounds.contains(request)), is_requested);
    }
    scratch.ok(&mine(&site, &[]));
    assert!(scratch.content_hash() == expected_hash());
    assert_eq!(
        site.take_targets(),
        [
            ROBOTS,
            LIST,
            &results_request(103),
            &results_request(NEWEST)
        ]
    );
    // A full sync ignores the known state.
    scratch.ok(&mine(&site, &["--full"]));
    assert_eq!(site.take_targets().len(), 6);
}

#[test]
fn half_read_round_is_requested_when_changed_or_unreadable() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    // A round of this week with one division stored.
    let week = ["--since", "2025-01-01", "--limit", "1"];
    scratch.ok(&mine(&site, &week));
    site.take_targets();
    scratch.ok(&mine(&site, &week));
    assert_eq!(site.take_targets(), [ROBOTS, LIST, &results_request(NEWEST)]);
    // An old round in an unknown format.
    let text = String::from_utf8_lossy(&site.results_feed(101)).replace("handle", "nick");
    let good = site.server.next_reply(&results_request(101));
    site.set_replies(&results_request(101), [xml_reply(text.into_bytes())]);
    let old = ["--until", "2006-01-01", "--limit", "1"];
    scratch.run(&mine(&site, &old)).exits(3);
    site.set_replies(&results_request(101), [good]);
    site.take_targets();
    scratch.ok(&mine(&site, &["--until", "2006-01-01"]));
    assert_eq!(site.take_targets(), [ROBOTS, LIST, &results_request(101)]);
    scratch.ok(&mine(&site, &[]));
    assert!(scratch.content_hash() == expected_hash());
}

#[test]
fn sync_killed_at_moments_completes() {
    let truth = expected_hash();
    for request_count in [1, 2, 4, 6] {
        let site = TopcoderSite::new();
        let leftover = Scratch::new();
        let mut command = leftover.command(&mine_with_interval(&site, "0.02"));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        site.server.wait_for_requests(request_count);
        child.kill().unwrap();
        child.wait().unwrap();
        let disturbed = format!("killed after request {request_count}");
        assert_completed(&leftover, &site, truth, &disturbed);
    }
}

#[test]
fn file_import_killed_at_boundaries_completes() {
    // Release builds have no fail points.
    if !cfg!(debug_assertions) {
        return;
    }
    let truth = expected_hash();
    let mut boundary = 1;
    let mut killed = 0;
    loop {
        let leftover = scratch_with_saved_files(&TopcoderSite::new());
        let mut command = leftover.command(&FOLDER);
        command.env("RANKLORE_ABORT_AT", boundary.to_string());
        let done = CommandOutput::run(command);
        if done.code == Some(0) {
            break;
        }
        assert_eq!(done.code, None, "{}", done.err);
        killed += 1;
        assert_files_imported(&leftover, truth, &format!("killed at {boundary}"));
        boundary += 3;
    }
    assert!(killed >= 10, "{killed}");
}

#[test]
fn file_import_killed_at_moments_completes() {
    let truth = expected_hash();
    for moment in [1, 5, 10, 15, 20, 30, 40] {
        let leftover = scratch_with_saved_files(&TopcoderSite::new());
        let mut command = leftover.command(&FOLDER);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        // The process may be anywhere or done; the result must be the same.
        std::thread::sleep(Duration::from_millis(moment));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_files_imported(&leftover, truth, &format!("killed after {moment} ms"));
    }
}
