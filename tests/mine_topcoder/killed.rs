//! The next run after a killed sync requests the rest and gives the expected result.

use std::process::Stdio;
use std::time::Duration;

use ranklore_store::Store;

use crate::saved::{FOLDER, saved};
use crate::site::{LIST, NEWEST, ROBOTS, Site, mine, paced, results, xml};
use crate::support::{Done, Scratch};

/// Returns the content hash of an undisturbed sync.
fn truth() -> [u8; 32] {
    let scratch = Scratch::new();
    scratch.ok(&mine(&Site::new(), &[]));
    scratch.content_hash()
}

/// Asserts that importing the same files again gives the expected result.
fn is_read(left: &Scratch, truth: [u8; 32], disturbed: &str) {
    left.ok(&FOLDER);
    assert!(left.content_hash() == truth, "{disturbed}");
    left.ok(&["rebuild"]);
    assert!(left.content_hash() == truth, "{disturbed}, rebuilt");
}

/// Returns the final rounds whose results are archived. Opening the database cleans up after the
/// killed process, so a copy is opened.
fn archived(left: &Scratch) -> Vec<u32> {
    let left = left.copy();
    if left.list(".").is_empty() || Store::open_reader(left.db()).is_err() {
        return Vec::new();
    }
    let keys = left.rows("SELECT request_key FROM document");
    let rounds = keys.iter().filter_map(|key| key.split_once("&rd="));
    let rounds = rounds.map(|(_, round)| round.parse().unwrap());
    rounds.filter(|round| *round != NEWEST).collect()
}

/// Asserts that the next run completes the sync and requests no stored final round. Returns true if
/// a round had only one of its divisions stored.
fn is_completed(left: &Scratch, site: &Site, truth: [u8; 32], disturbed: &str) -> bool {
    let rounds = archived(left);
    let torn = rounds.iter().any(|round| {
        let learned = format!(
            "SELECT count(*) FROM contest_sync WHERE external_id LIKE '{round}/%' AND read_at > 0"
        );
        left.copy().count(&learned) == 1
    });
    site.take_targets();
    left.ok(&mine(site, &[]));
    let again = site.take_targets();
    for round in rounds {
        let asked = again.contains(&results(round));
        assert!(!asked, "{disturbed}: {round} again");
    }
    assert!(left.content_hash() == truth, "{disturbed}");
    torn
}

#[test]
fn killed_at_boundaries_of_mining_the_next_run_completes_it() {
    // Release builds have no fail points.
    if !cfg!(debug_assertions) {
        return;
    }
    let truth = truth();
    let (mut boundary, mut killed, mut torn) = (1, 0, 0);
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
        let disturbed = format!("killed at {boundary}");
        torn += u32::from(is_completed(&left, &site, truth, &disturbed));
        boundary += 3;
    }
    assert!(killed >= 10 && torn > 0, "{killed} {torn}");
}

#[test]
fn a_round_of_which_one_division_is_in_is_not_asked_for_again() {
    let (site, scratch) = (Site::new(), Scratch::new());
    for (limit, asked) in [("1", true), ("1", false), ("1", true), ("1", false)] {
        scratch.ok(&mine(&site, &["--limit", limit]));
        let rounds = [101, 102].map(results);
        let again = site.take_targets();
        assert_eq!(again.iter().any(|of| rounds.contains(of)), asked);
    }
    scratch.ok(&mine(&site, &[]));
    assert!(scratch.content_hash() == truth());
    assert_eq!(
        site.take_targets(),
        [ROBOTS, LIST, &results(103), &results(NEWEST)]
    );
    // A full sync ignores the known state.
    scratch.ok(&mine(&site, &["--full"]));
    assert_eq!(site.take_targets().len(), 6);
}

#[test]
fn a_torn_round_is_asked_for_again_where_it_may_have_changed_or_cannot_be_read() {
    let (site, scratch) = (Site::new(), Scratch::new());
    // A round of this week with one division stored.
    let week = ["--since", "2025-01-01", "--limit", "1"];
    scratch.ok(&mine(&site, &week));
    site.take_targets();
    scratch.ok(&mine(&site, &week));
    assert_eq!(site.take_targets(), [ROBOTS, LIST, &results(NEWEST)]);
    // An old round in an unknown format.
    let text = String::from_utf8_lossy(&site.results(101)).replace("handle", "nick");
    let good = site.server.next_reply(&results(101));
    site.set_replies(&results(101), [xml(text.into_bytes())]);
    let old = ["--until", "2006-01-01", "--limit", "1"];
    scratch.run(&mine(&site, &old)).exits(3);
    site.set_replies(&results(101), [good]);
    site.take_targets();
    scratch.ok(&mine(&site, &["--until", "2006-01-01"]));
    assert_eq!(site.take_targets(), [ROBOTS, LIST, &results(101)]);
    scratch.ok(&mine(&site, &[]));
    assert!(scratch.content_hash() == truth());
}

#[test]
fn killed_at_moments_of_mining_the_next_run_completes_it() {
    let truth = truth();
    for asked in [1, 2, 4, 6] {
        let (site, left) = (Site::new(), Scratch::new());
        let mut command = left.command(&paced(&site, "0.02"));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        site.server.wait_for_requests(asked);
        child.kill().unwrap();
        child.wait().unwrap();
        let disturbed = format!("killed after request {asked}");
        is_completed(&left, &site, truth, &disturbed);
    }
}

#[test]
fn killed_at_boundaries_of_reading_files_the_next_run_completes_it() {
    // Release builds have no fail points.
    if !cfg!(debug_assertions) {
        return;
    }
    let truth = truth();
    let (mut boundary, mut killed) = (1, 0);
    loop {
        let left = saved(&Site::new());
        let mut command = left.command(&FOLDER);
        command.env("RANKLORE_ABORT_AT", boundary.to_string());
        let done = Done::of(command);
        if done.code == Some(0) {
            break;
        }
        assert_eq!(done.code, None, "{}", done.err);
        killed += 1;
        is_read(&left, truth, &format!("killed at {boundary}"));
        boundary += 3;
    }
    assert!(killed >= 10, "{killed}");
}

#[test]
fn killed_at_moments_of_reading_files_the_next_run_completes_it() {
    let truth = truth();
    for moment in [1, 5, 10, 15, 20, 30, 40] {
        let left = saved(&Site::new());
        let mut command = left.command(&FOLDER);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        // The process may be anywhere or done; the result must be the same.
        std::thread::sleep(Duration::from_millis(moment));
        child.kill().unwrap();
        child.wait().unwrap();
        is_read(&left, truth, &format!("killed after {moment} ms"));
    }
}
