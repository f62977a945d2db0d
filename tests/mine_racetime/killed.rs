//! The next run after a killed sync requests the rest and gives the expected result.

use super::site::{FIRST_PAGE, RacetimeSite, mine};
use crate::support::{CommandOutput, Scratch};

#[test]
fn sync_killed_at_boundaries_completes() {
    // Release builds have no fail points.
    if !cfg!(debug_assertions) {
        return;
    }
    let site = RacetimeSite::new(110);
    let complete = Scratch::new();
    complete.ok(&mine(&site, &[]));
    let content = complete.content_hash();
    site.take_targets();
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
        leftover.ok(&mine(&site, &[]));
        assert!(leftover.content_hash() == content, "killed at {boundary}");
        // Archived settled pages are not requested again. (The last answer may have been lost.)
        let again = site.take_targets();
        let known = &before[..before.len().saturating_sub(1)];
        let twice: Vec<_> = again
            .iter()
            .filter(|target| known.contains(target) && *target != FIRST_PAGE)
            .collect();
        assert!(twice.is_empty(), "killed at {boundary}: {twice:?}");
        boundary += 23;
    }
    assert!(boundary > 50, "{boundary}");
}
