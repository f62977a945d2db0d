//! The next run after a killed sync requests the rest and gives the expected result.

use super::site::{CtftimeSite, last_year, mine, recent_requests};
use crate::support::{CommandOutput, Scratch};

#[test]
fn sync_killed_at_boundaries_completes() {
    // Release builds have no fail points.
    if !cfg!(debug_assertions) {
        return;
    }
    let site = CtftimeSite::new();
    let complete = Scratch::new();
    // Two teams outside the list, one of which the site knows.
    site.set_result(last_year(), 5002, &[701, 706, 707]);
    site.name_team(706, "Night Ferry");
    complete.ok(&mine(&site, &[]));
    let all = site.take_targets();
    let content = complete.content_hash();
    let mut boundary = 1;
    loop {
        let leftover = Scratch::new();
        let mut command = leftover.command(&mine(&site, &[]));
        command.env("RANKLORE_ABORT_AT", boundary.to_string());
        let done = CommandOutput::run(command);
        let before = site.take_targets();
        if done.code == Some(0) {
            break;
        }
        assert_eq!(done.code, None, "{}", done.err);
        assert!(all.starts_with(&before), "{before:?}");
        leftover.ok(&mine(&site, &[]));
        assert!(leftover.content_hash() == content, "killed at {boundary}");
        // Archived final data is not requested again. (The last response may have been lost.)
        let again = site.take_targets();
        let known = &before[..before.len().saturating_sub(1)];
        let twice = again.iter().filter(|target| known.contains(target));
        assert!(
            twice.clone().all(|target| recent_requests().contains(target)),
            "killed at {boundary}: {:?}",
            twice.collect::<Vec<_>>()
        );
        // Every boundary would take minutes; a step coprime to those of a contest covers all kinds.
        boundary += 17;
    }
    assert!(boundary > 100, "{boundary}");
}
