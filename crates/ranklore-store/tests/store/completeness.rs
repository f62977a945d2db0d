//! Numbers of items announced and received, stored with the sync of a contest.

use ranklore_store::{
    Completeness, ContestState, ContestSync, ContestUpsert, SyncOutcome, WriteBatch,
};
use ranklore_test_support::{TempDatabase, archive_contest, contest, source};

use crate::contests_of_sources;

fn contest_sync(external_id: &str, completeness: Option<Completeness>) -> ContestSync {
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
fn upsert_two_contests(batch: &mut WriteBatch<'_>, first: ContestState) -> [ContestSync; 2] {
    let completeness = Completeness::after_sync(None, "comments", 543, 476);
    let syncs = [
        contest_sync("1", Some(completeness)),
        contest_sync("2", None),
    ];
    for (sync, state) in syncs.iter().zip([first, ContestState::Final]) {
        let contest = contest(&sync.external_id, 10, &["ada", "bea"]);
        let (source_id, document_id) = archive_contest(batch, "club", 5, &contest);
        batch
            .upsert_contest(source_id, document_id, ContestUpsert::new(&contest, state, true))
            .unwrap();
        batch.upsert_contest_sync(source_id, sync).unwrap();
    }
    syncs
}

#[test]
fn completeness_is_stored_with_sync_and_contest() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let syncs = upsert_two_contests(&mut batch, ContestState::Provisional);
    batch.commit().unwrap();
    let club = writer.source_id(&source("club")).unwrap().unwrap();
    assert_eq!(writer.contest_syncs(club).unwrap(), syncs);
    let rated = writer.ratable_contests(&contests_of_sources(&["club"])).unwrap();
    let rated = writer.contests_by_id(rated.iter().map(|row| row.contest_id));
    let rated = rated.unwrap();
    let completeness = rated.iter().map(|row| row.completeness.clone());
    let expected = syncs.iter().map(|sync| sync.completeness.clone());
    assert_eq!(completeness.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    // The incomplete contest is rated, and listed as incomplete.
    let incomplete = writer.incomplete_contests(club).unwrap();
    assert_eq!(incomplete, rated[..1]);
    assert_eq!(writer.check().unwrap(), []);
    // A sync without announced items deletes the stored numbers.
    let mut batch = writer.batch().unwrap();
    batch.upsert_contest_sync(club, &contest_sync("1", None)).unwrap();
    batch.commit().unwrap();
    let row = writer.contest(&source("club"), "1").unwrap().unwrap();
    assert_eq!(row.completeness, None);
    assert_eq!(writer.incomplete_contests(club).unwrap(), []);
}

#[test]
fn incomplete_contest_is_stored_but_not_ratable() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    upsert_two_contests(&mut batch, ContestState::Incomplete);
    batch.commit().unwrap();
    let rated = writer.ratable_contests(&contests_of_sources(&["club"])).unwrap();
    let rated = writer.contests_by_id(rated.iter().map(|row| row.contest_id));
    let rated = rated.unwrap();
    let rated: Vec<&str> = rated.iter().map(|row| row.external_id.as_str()).collect();
    assert_eq!(rated, ["2"]);
    let row = writer.contest(&source("club"), "1").unwrap().unwrap();
    assert_eq!((row.state, row.entrants), (ContestState::Incomplete, 2));
    let loaded = writer.load_contest(row.contest_id).unwrap();
    assert_eq!(loaded.entrants.len(), 2);
    let club = writer.source_id(&source("club")).unwrap().unwrap();
    assert_eq!(writer.incomplete_contests(club).unwrap(), [row]);
    let (_, states) = writer.sources_with_states().unwrap().remove(0);
    assert_eq!(states, [(ContestState::Incomplete, 1), (ContestState::Final, 1)].into());
}
