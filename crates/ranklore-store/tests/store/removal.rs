//! Unused databases, removed sources, and the documents of an import.

use std::fs;

use ranklore_store::{
    Decision, DecisionAction, DocumentId, SourceId, SyncKind, SyncRun, WriteBatch,
};
use ranklore_test_support::{
    TempDatabase, add_tombstone, at, contest, contest_time, document, import_contest, source,
    withdraw,
};

fn files(scratch: &TempDatabase) -> usize {
    fs::read_dir(scratch.folder()).unwrap().count()
}

#[test]
fn unused_new_database_is_discarded() {
    let scratch = TempDatabase::new();
    let before = files(&scratch);
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    import_contest(&mut batch, "club", 5, &contest("1", 10, &["a", "b"]));
    drop(batch);
    writer.discard_if_unused();
    assert!(!scratch.database().exists());
    if cfg!(unix) {
        assert_eq!(files(&scratch), before);
    }
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    import_contest(&mut batch, "club", 5, &contest("1", 10, &["a", "b"]));
    batch.commit().unwrap();
    writer.discard_if_unused();
    let hash = scratch.content_hash();
    scratch.open_writer().discard_if_unused();
    assert_eq!(scratch.content_hash(), hash, "an older database stays");
}

#[test]
fn removed_source_is_hidden_until_its_name_is_used() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let empty = writer.content_hash().unwrap();
    let mut batch = writer.batch().unwrap();
    import_contest(&mut batch, "club", 5, &contest("1", 10, &["a", "b"]));
    let club = batch.source_id(&source("club")).unwrap().unwrap();
    add_tombstone(&mut batch, club, "Ann Lee");
    batch.record_decision(club, &withdraw("1"), None, at(7)).unwrap();
    batch.delete_decisions(club).unwrap();
    batch.remove_source(club, at(8)).unwrap();
    let removed = Decision::new(DecisionAction::Remove, "club");
    assert!(batch.record_decision(club, &removed, None, at(8)).unwrap());
    batch.commit().unwrap();
    assert_eq!(writer.source_id(&source("club")).unwrap(), None);
    assert_eq!(writer.sources().unwrap(), []);
    assert_eq!(writer.sources_as_of(contest_time(100)).unwrap(), []);
    assert_eq!(writer.content_hash().unwrap(), empty);
    writer.vacuum(at(9)).unwrap();
    assert_eq!(writer.check().unwrap(), []);
    let mut batch = writer.batch().unwrap();
    assert_eq!(batch.get_or_insert_source(&source("club"), at(9)).unwrap(), club);
    batch.commit().unwrap();
    assert_eq!(writer.tombstones(club).unwrap().len(), 1);
    let decisions = writer.decisions(club).unwrap();
    assert_eq!(decisions.len(), 1);
    assert_eq!(decisions[0].decision, removed);
    assert_eq!(writer.sources().unwrap().len(), 1);
}

/// Archives documents at the same time, as one import.
fn import(batch: &mut WriteBatch<'_>, club: SourceId, documents: &[(&str, &str)]) {
    let ids = documents.iter().map(|(key, body)| {
        let document = document(key, 5, body.as_bytes());
        batch.archive_document(club, &document).unwrap().document_id
    });
    let ids: Vec<DocumentId> = ids.collect();
    let run = SyncRun {
        source_id: club,
        kind: SyncKind::Import,
        started_at: at(5),
        finished_at: at(5),
        added: 0,
        revised: 0,
        withdrawn: 0,
        restored: 0,
        unchanged: 0,
        refused: 0,
        failure: None,
    };
    let written = ids.first().copied().zip(ids.last().copied());
    batch.record_import(&run, written).unwrap();
}

#[test]
fn imports_of_one_second_are_told_apart() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let club = batch.get_or_insert_source(&source("club"), at(1)).unwrap();
    import(&mut batch, club, &[("a", "1"), ("b", "1")]);
    import(&mut batch, club, &[("a", "2")]);
    import(&mut batch, club, &[]);
    let last = |batch: &WriteBatch<'_>| {
        let ids = batch.last_imported_documents(club).unwrap();
        ids.iter().map(|id| id.get()).collect::<Vec<_>>()
    };
    assert_eq!(last(&batch), [3]);
    batch.undo_documents(club, &[DocumentId::new(3)]).unwrap();
    assert_eq!(last(&batch), [1, 2]);
    // The id of a deleted document is used again.
    batch.undo_documents(club, &[DocumentId::new(2)]).unwrap();
    import(&mut batch, club, &[("c", "1"), ("d", "1")]);
    assert_eq!(last(&batch), [2, 3]);
    let ids = [2, 3].map(DocumentId::new);
    batch.undo_documents(club, &ids).unwrap();
    assert_eq!(last(&batch), [1]);
    batch.undo_documents(club, &[DocumentId::new(1)]).unwrap();
    assert_eq!(last(&batch), Vec::<i64>::new());
    batch.commit().unwrap();
    assert_eq!(writer.check().unwrap(), []);
}

#[test]
fn documents_without_record_of_their_import_go_by_time() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let club = batch.get_or_insert_source(&source("club"), at(1)).unwrap();
    for (key, at) in [("a", 5), ("b", 6), ("c", 6)] {
        batch.archive_document(club, &document(key, at, b"1")).unwrap();
    }
    let ids = batch.last_imported_documents(club).unwrap();
    assert_eq!(ids, [2, 3].map(DocumentId::new));
}
