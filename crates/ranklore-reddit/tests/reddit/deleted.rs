//! Deleted accounts and comments.

use crate::comments::joined_thread;
use crate::fixtures::{entrants, standings};

#[test]
fn deleted_account_is_missing_from_next_answer() {
    let before = joined_thread("comments-1a2b3c.json");
    let after = joined_thread("comments-1a2b3c-later.json");
    let names = |outcome| {
        let actual = standings(entrants(outcome));
        let names = actual.into_iter().map(|(name, place, _)| (name, place));
        names.map(|(name, place)| (name.to_owned(), place)).collect::<Vec<_>>()
    };
    let before = names(&before.outcome);
    assert!(before.contains(&("HarbourMaster7".to_owned(), 3)));
    let after = names(&after.outcome);
    assert!(after.iter().all(|(name, _)| name != "HarbourMaster7"));
    // Entrants below move up.
    assert!(after.contains(&("MossyGull".to_owned(), 3)));
}
