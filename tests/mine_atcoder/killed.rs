//! The next run after a killed sync requests the rest and gives the expected result.

use super::site::{AtcoderSite, ROBOTS, results_request, standings_request};
use crate::support::{CommandOutput, Scratch};

#[test]
fn sync_killed_at_boundaries_completes() {
    // Release builds have no fail points.
    if !cfg!(debug_assertions) {
        return;
    }
    let site = AtcoderSite::new();
    let complete = Scratch::new();
    site.sync_standings(&complete).exits(0);
    let content = complete.content_hash();
    site.take_targets();
    let mut boundary = 1;
    loop {
        let leftover = Scratch::new();
        let mut command = site.standings_command(&leftover, &[]);
        command.env("RANKLORE_ABORT_AT", boundary.to_string());
        let done = CommandOutput::run(command);
        let before = site.take_targets();
        if done.code == Some(0) {
            break;
        }
        assert_eq!(done.code, None, "{}", done.err);
        CommandOutput::run(site.standings_command(&leftover, &[])).exits(0);
        assert!(leftover.content_hash() == content, "killed at {boundary}");
        // Archived final data is not requested again. (The last contest may have been lost.)
        let again = site.take_targets();
        for contest in ["abc901", "ahc901"] {
            let requests = [results_request(contest), standings_request(contest)];
            let next = before.iter().position(|target| *target == requests[1]);
            let is_stored = next.is_some_and(|position| position + 1 < before.len());
            let is_repeated = again.contains(&requests[0]);
            assert!(!(is_stored && is_repeated), "killed at {boundary}: {before:?} {again:?}");
        }
        assert!(before.is_empty() || before[0] == ROBOTS);
        boundary += 2;
    }
    assert!(boundary > 30, "{boundary}");
}
