//! Numbers of items announced and received, stored with the sync of a contest.

use ranklore_store::{Batch, Completeness, ContestState, ContestSync, SyncOutcome};
use ranklore_test_support::{Scratch, archive_contest, contest, source};

use crate::select;

fn sync(external_id: &str, completeness: Option<Completeness>) -> ContestSync {
    ContestSync {
        external_id: external_id.to_owned(),
        outcome: SyncOutcome::Read,
        tried_at: 20,
        read_at: Some(20),
        due_at: Some(20),
        reason: None,
        completeness,
    }
}

/// Upserts two contests; 476 of 543 comments of the first arrived.
fn put(batch: &mut Batch<'_>, first: ContestState) -> [ContestSync; 2] {
    let completeness = Completeness::after_sync(None, "comments", 543, 476);
    let syncs = [sync("1", Some(completeness)), sync("2", None)];
    for (sync, state) in syncs.iter().zip([first, ContestState::Final]) {
        let contest = contest(&sync.external_id, 10, &["ada", "bea"]);
        let (source_id, document_id) = archive_contest(batch, "club", 5, &contest);
        (batch.put_contest(
            source_id,
            document_id,
            &contest,
            contest.content_hash(),
            state,
            true,
        ))
        .unwrap();
        batch.put_contest_sync(source_id, sync).unwrap();
    }
    syncs
}

#[test]
fn completeness_is_remembered_with_the_sync_and_shown_with_the_contest() {
    let scratch = Scratch::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let syncs = put(&mut batch, ContestState::Provisional);
    batch.commit().unwrap();
    let club = writer.source_id(&source("club")).unwrap().unwrap();
    assert_eq!(writer.contest_syncs(club).unwrap(), syncs);
    let rated = writer.contests(&select(&["club"])).unwrap();
    let found = rated.iter().map(|row| row.completeness.clone());
    let expected = syncs.iter().map(|sync| sync.completeness.clone());
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    // The incomplete contest is rated, and listed as incomplete.
    let incomplete = writer.incomplete_contests(club).unwrap();
    assert_eq!(incomplete, rated[..1]);
    assert_eq!(writer.check().unwrap(), []);
    // A sync without announced items deletes the stored numbers.
    let mut batch = writer.batch().unwrap();
    batch.put_contest_sync(club, &sync("1", None)).unwrap();
    batch.commit().unwrap();
    let row = writer.contest(&source("club"), "1").unwrap().unwrap();
    assert_eq!(row.completeness, None);
    assert_eq!(writer.incomplete_contests(club).unwrap(), []);
}

#[test]
fn an_incomplete_contest_is_stored_and_not_among_those_to_rate() {
    let scratch = Scratch::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    put(&mut batch, ContestState::Incomplete);
    batch.commit().unwrap();
    let rated = writer.contests(&select(&["club"])).unwrap();
    let rated: Vec<&str> = rated.iter().map(|row| row.external_id.as_str()).collect();
    assert_eq!(rated, ["2"]);
    let row = writer.contest(&source("club"), "1").unwrap().unwrap();
    assert_eq!((row.state, row.entrants), (ContestState::Incomplete, 2));
    let loaded = writer.load_contest(row.contest_id).unwrap();
    assert_eq!(loaded.entrants.len(), 2);
    let club = writer.source_id(&source("club")).unwrap().unwrap();
    assert_eq!(writer.incomplete_contests(club).unwrap(), [row]);
    assert_eq!(
        writer.contest_states(club).unwrap(),
        [(ContestState::Incomplete, 1), (ContestState::Final, 1)]
    );
}
