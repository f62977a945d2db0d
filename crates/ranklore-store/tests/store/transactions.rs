//! Visibility of batches, and rollback of dropped ones.

use ranklore_store::{Store, SyncKind, SyncRun, UpsertOutcome, WriteBatch};
use ranklore_test_support::{TempDatabase, archive_contest, at, contest, import_contest};

use crate::{contests_of_sources, full_contest};

#[test]
fn reader_sees_whole_batch_or_nothing() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    import_contest(&mut batch, "club", 5, &contest("1", 10, &["a", "b"]));
    batch.commit().unwrap();
    let reader = scratch.open_reader();
    let counts = |store: &Store| {
        let contests = store.ratable_contests(&contests_of_sources(&["club"])).unwrap();
        (contests.len(), store.content_hash().unwrap())
    };
    let before = counts(&reader);
    let mut batch = writer.batch().unwrap();
    import_contest(&mut batch, "club", 6, &contest("1", 10, &["b", "a"]));
    import_contest(&mut batch, "club", 6, &contest("2", 20, &["b", "a"]));
    assert_eq!(counts(&reader), before);
    assert_eq!(counts(&scratch.open_reader()), before, "a new reader sees the old state");
    assert_eq!(counts(&batch).0, 2, "the batch sees its own");
    let snapshot = reader.snapshot().unwrap();
    batch.commit().unwrap();
    assert_eq!(reader.ratable_contests(&contests_of_sources(&["club"])).unwrap().len(), 1);
    drop(snapshot);
    assert_eq!(counts(&reader), counts(&writer));
    assert_eq!(counts(&reader).0, 2);
}

#[test]
fn state_hash_changes_with_every_commit() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut states = vec![writer.state_hash().unwrap()];
    let change = |batch: &mut WriteBatch<'_>, revision: u32| match revision {
        0 => import_contest(batch, "club", 5, &contest("1", 10, &["a", "b"])),
        1 => import_contest(batch, "club", 6, &contest("1", 10, &["b", "a"])),
        _ => import_contest(batch, "other", 7, &contest("1", 10, &["b", "a"])),
    };
    for revision in 0..3 {
        let mut batch = writer.batch().unwrap();
        change(&mut batch, revision);
        batch.commit().unwrap();
        let state = scratch.open_reader().state_hash().unwrap();
        assert!(!states.contains(&state), "{revision}");
        states.push(state);
    }
    let mut batch = writer.batch().unwrap();
    change(&mut batch, 1);
    drop(batch);
    assert_eq!(writer.state_hash().unwrap(), states[3], "rolled back");
}

#[test]
fn interruption_ends_query_and_not_later_ones() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    for id in 0..200 {
        let id = id.to_string();
        import_contest(&mut batch, "club", 5, &contest(&id, 10, &["a", "b"]));
    }
    batch.commit().unwrap();
    let reader = scratch.open_reader();
    let interrupter = reader.interrupter();
    let (ended, is_ended) = std::sync::mpsc::channel::<()>();
    let interrupting = std::thread::spawn(move || {
        while is_ended.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
            interrupter.interrupt();
        }
    });
    // A single query may end before the next interruption.
    while reader.content_hash().is_ok() {}
    drop(ended);
    interrupting.join().unwrap();
    assert!(reader.content_hash().is_ok());
}

#[test]
fn dropped_batch_leaves_nothing() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let empty = writer.content_hash().unwrap();
    for _ in 0..2 {
        let mut batch = writer.batch().unwrap();
        import_contest(&mut batch, "club", 500, &full_contest("1", 100));
        assert_ne!(batch.content_hash().unwrap(), empty);
        drop(batch);
        assert_eq!(writer.content_hash().unwrap(), empty);
        assert_eq!(writer.sources().unwrap(), []);
    }
    // Ids of rolled-back batches must not stay in the caches.
    let mut batch = writer.batch().unwrap();
    import_contest(&mut batch, "league", 5, &contest("7", 10, &["x", "ada"]));
    assert_eq!(
        import_contest(&mut batch, "club", 5, &full_contest("1", 100)),
        UpsertOutcome::Added
    );
    let (club, document_id) = archive_contest(&mut batch, "club", 5, &full_contest("1", 100));
    assert_eq!(batch.document(document_id).unwrap().row.fetched_at, 5);
    let counts = SyncRun {
        source_id: club,
        kind: SyncKind::Import,
        started_at: at(5),
        finished_at: at(6),
        added: 1,
        revised: 0,
        withdrawn: 0,
        restored: 0,
        unchanged: 0,
        refused: 0,
        failure: None,
    };
    batch.record_sync(&counts).unwrap();
    batch.commit().unwrap();
    assert_eq!(writer.check().unwrap(), []);
}

#[test]
fn deferred_index_exists_after_batch() {
    let scratch = TempDatabase::new();
    let index = || {
        let sql = "SELECT sql FROM sqlite_schema WHERE name = 'standing_by_competitor'";
        let raw = scratch.open_raw();
        raw.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap()
    };
    let mut writer = scratch.open_writer();
    let fresh = index();
    for commit in [false, true] {
        let mut batch = writer.batch().unwrap();
        import_contest(&mut batch, "club", 5, &contest("1", 10, &["a", "b"]));
        if commit {
            batch.commit().unwrap();
        } else {
            drop(batch);
        }
        assert_eq!(index(), fresh);
    }
}
