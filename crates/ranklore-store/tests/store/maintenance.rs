//! Maintenance: backup, current writer, superseded documents, compaction.

use std::fs;
use std::ops::ControlFlow;

use ranklore_contest::{EntrantKind, StartingRating};
use ranklore_store::{
    ContestState, ContestUpsert, DocumentId, Error, NewDocument, RedactedDocument, SourceId, Store,
    SyncKind, SyncRun, WriteBatch,
};
use ranklore_test_support::{
    TempDatabase, at, contest, contest_time, document, import_contest, source,
};

use crate::full_contest;

fn continue_backup(_: u64, _: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Returns bytes that do not compress.
fn random_bytes(seed: i64, length: usize) -> Vec<u8> {
    let mut noise = vec![0; length];
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes());
    hasher.finalize_xof().fill(&mut noise);
    noise
}

/// Creates a database that is copied in several steps.
fn large_database() -> TempDatabase {
    let scratch = filled_database(3);
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let club = batch.get_or_insert_source(&source("club"), at(1)).unwrap();
    let body = random_bytes(0, 5 << 20);
    batch.archive_document(club, &document("noise", 9, &body)).unwrap();
    batch.commit().unwrap();
    drop(writer);
    scratch
}

/// Creates a database with this many contests.
pub(super) fn filled_database(contests: i64) -> TempDatabase {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    for id in 0..contests {
        import_contest(&mut batch, "club", id, &full_contest(&id.to_string(), 1_000 + id));
    }
    batch.commit().unwrap();
    drop(writer);
    scratch
}

fn file_names(folder: &std::path::Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn backup_during_writes_is_consistent() {
    let scratch = large_database();
    let reader = scratch.open_reader();
    let before = reader.content_hash().unwrap();
    let target = scratch.database_with_suffix(".backup");
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    import_contest(&mut batch, "club", 5, &contest("x", 5, &["a", "b"]));
    let mut steps = 0;
    let mut batch = Some(batch);
    let mut while_committing = |_, _| {
        steps += 1;
        if let Some(batch) = batch.take() {
            batch.commit().unwrap();
        }
        ControlFlow::Continue(())
    };
    let size = reader.backup(&target, false, &mut while_committing);
    assert_eq!(size.unwrap(), Some(fs::metadata(&target).unwrap().len()));
    drop(batch);
    assert!(steps > 2);
    assert_ne!(reader.content_hash().unwrap(), before);
    let copy = Store::open_reader(&target).unwrap();
    assert_eq!(copy.content_hash().unwrap(), before);
    assert_eq!(copy.check().unwrap(), []);
    drop((copy, writer, reader));
    assert_eq!(
        file_names(target.parent().unwrap()),
        [
            "ranklore.sqlite",
            "ranklore.sqlite.backup",
            // The lock file stays: another process might hold it.
            "ranklore.sqlite.backup.lock",
            "ranklore.sqlite.lock"
        ]
    );
}

#[test]
fn interrupted_backup_keeps_old_target() {
    let scratch = large_database();
    let reader = scratch.open_reader();
    let target = scratch.database_with_suffix(".backup");
    // Left over from a killed backup.
    fs::write(scratch.database_with_suffix(".backup.partial"), "half").unwrap();
    fs::write(&target, "precious").unwrap();
    let mut end = |_, _| ControlFlow::Break(());
    let error = reader.backup(&target, false, &mut end).unwrap_err();
    assert!(matches!(error, Error::BackupTarget { .. }), "{error:?}");
    assert_eq!(reader.backup(&target, true, &mut end).unwrap(), None);
    let mut another = |_, _| {
        let error = reader.backup(&target, true, &mut continue_backup).unwrap_err();
        assert!(matches!(error, Error::InUse { .. }), "{error:?}");
        ControlFlow::Break(())
    };
    let other = scratch.open_reader();
    assert_eq!(other.backup(&target, true, &mut another).unwrap(), None);
    assert_eq!(fs::read(&target).unwrap(), b"precious");
    let is_partial = |name: &String| name.contains(".partial");
    let left = file_names(target.parent().unwrap());
    assert!(!left.iter().any(is_partial), "{left:?}");
    assert!(reader.backup(&target, true, &mut continue_backup).unwrap().is_some());
    assert_eq!(Store::open_reader(&target).unwrap().check().unwrap(), []);
}

#[test]
fn backup_rejects_invalid_targets() {
    let scratch = filled_database(1);
    let reader = scratch.open_reader();
    let before = reader.content_hash().unwrap();
    for suffix in ["", "-wal", "-shm", "-journal", ".lock"] {
        let error =
            reader.backup(&scratch.database_with_suffix(suffix), true, &mut continue_backup);
        let error = error.unwrap_err();
        assert!(matches!(error, Error::BackupTarget { .. }), "{suffix}: {error:?}");
    }
    let folder = scratch.folder();
    let error = reader.backup(folder, true, &mut continue_backup).unwrap_err();
    assert!(matches!(error, Error::BackupTarget { .. }), "{error:?}");
    let error = reader.backup(&folder.join("no/where"), true, &mut continue_backup);
    assert!(matches!(error.unwrap_err(), Error::NoFolder { .. }));
    // SQLite would apply the log of the replaced file to the new one.
    fs::write(scratch.database_with_suffix(".old-wal"), "log").unwrap();
    let error = reader.backup(&scratch.database_with_suffix(".old"), true, &mut continue_backup);
    assert!(matches!(error.unwrap_err(), Error::BackupTarget { .. }));
    // Sidecar files of the target must not be the database either.
    let renamed = scratch.database_with_suffix(".b.lock");
    reader.backup(&renamed, false, &mut continue_backup).unwrap();
    let renamed = Store::open_reader(&renamed).unwrap();
    let error = renamed.backup(&scratch.database_with_suffix(".b"), true, &mut continue_backup);
    assert!(matches!(error.unwrap_err(), Error::BackupTarget { .. }));
    assert_eq!(renamed.content_hash().unwrap(), before);
    assert_eq!(reader.content_hash().unwrap(), before);
}

#[test]
#[cfg(unix)]
fn backup_replaces_only_regular_files() {
    use std::os::unix::fs::FileTypeExt;
    let scratch = filled_database(1);
    let reader = scratch.open_reader();
    for suffix in ["", ".partial"] {
        let fifo = scratch.database_with_suffix(&format!(".pipe{suffix}"));
        let made = std::process::Command::new("mkfifo").arg(&fifo).status();
        assert!(made.unwrap().success());
        let error =
            reader.backup(&scratch.database_with_suffix(".pipe"), true, &mut continue_backup);
        let error = error.unwrap_err();
        assert!(matches!(error, Error::BackupTarget { .. }), "{error:?}");
        assert!(fs::metadata(&fifo).unwrap().file_type().is_fifo());
        fs::remove_file(&fifo).unwrap();
    }
    // A broken link may have a target later.
    let link = scratch.database_with_suffix(".link");
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    let error = reader.backup(&link, true, &mut continue_backup).unwrap_err();
    assert!(matches!(error, Error::BackupTarget { .. }), "{error:?}");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn backup_rejects_target_in_use() {
    let scratch = large_database();
    let other = filled_database(2);
    let target = &other.database();
    let reader = scratch.open_reader();
    let in_use = |error: Error| assert!(matches!(error, Error::InUse { .. }), "{error:?}");
    // Another process writes to it.
    let mut writer = other.open_writer();
    in_use(reader.backup(target, true, &mut continue_backup).unwrap_err());
    let mut batch = writer.batch().unwrap();
    import_contest(&mut batch, "club", 5, &contest("x", 5, &["a", "b"]));
    batch.commit().unwrap();
    drop(writer);
    let before = other.open_reader().content_hash().unwrap();
    // A reader has it open; then a reader has died.
    let looking = other.open_reader();
    looking.sources().unwrap();
    let error = reader.backup(target, true, &mut continue_backup).unwrap_err();
    assert!(matches!(error, Error::BackupTarget { .. }), "{error:?}");
    drop(looking);
    fs::write(other.database_with_suffix("-shm"), "").unwrap();
    let error = reader.backup(target, true, &mut continue_backup).unwrap_err();
    assert!(error.to_string().contains("ranklore status --db"), "{error}");
    other.open_reader().sources().unwrap();
    // No writer starts during the backup.
    let mut come = |_, _| {
        in_use(Store::open_writer(target, "a test").unwrap_err());
        ControlFlow::Break(())
    };
    assert_eq!(reader.backup(target, true, &mut come).unwrap(), None);
    assert_eq!(other.open_reader().content_hash().unwrap(), before);
    assert!(reader.backup(target, true, &mut continue_backup).unwrap().is_some());
    let after = other.open_reader().content_hash().unwrap();
    assert_eq!(after, reader.content_hash().unwrap());
}

#[test]
#[cfg(unix)]
fn backup_keeps_file_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = filled_database(1);
    for mode in [0o600, 0o640] {
        fs::set_permissions(scratch.database(), fs::Permissions::from_mode(mode)).unwrap();
        let target = scratch.database_with_suffix(".backup");
        scratch.open_reader().backup(&target, true, &mut continue_backup).unwrap();
        let mode_of_target = fs::metadata(&target).unwrap().permissions().mode();
        assert_eq!(mode_of_target & 0o777, mode);
    }
}

#[test]
fn reader_sees_current_writer() {
    let scratch = filled_database(1);
    let reader = scratch.open_reader();
    assert_eq!(reader.current_writer(), None);
    let writer = scratch.open_writer();
    let holder = reader.current_writer().unwrap().to_string();
    assert!(holder.contains("(a test)"), "{holder}");
    drop(writer);
    assert_eq!(reader.current_writer(), None);
}

#[test]
fn last_sync_is_last_recorded() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let club = batch.get_or_insert_source(&source("club"), at(1)).unwrap();
    assert_eq!(batch.last_sync(club).unwrap(), None);
    for (kind, added) in [
        (SyncKind::Import, 1),
        (SyncKind::Mine, 2),
        (SyncKind::Rebuild, 3),
    ] {
        let run = SyncRun {
            source_id: club,
            kind,
            started_at: at(9),
            finished_at: at(10),
            added,
            revised: 4,
            withdrawn: 7,
            restored: 8,
            unchanged: 5,
            refused: 6,
            failure: Some("the site failed".to_owned()),
        };
        batch.record_sync(&run).unwrap();
        assert_eq!(batch.last_sync(club).unwrap(), Some(run));
    }
}

#[test]
fn sources_as_of_count_ended_contests() {
    let scratch = filled_database(3);
    let store = scratch.open_reader();
    let counts = |as_of| {
        let row = &store.sources_as_of(contest_time(as_of)).unwrap()[0];
        (row.contests, row.results, row.competitors, row.documents)
    };
    assert_eq!(counts(999), (0, 0, 0, 0));
    // Five entrants, and four more as members of teams: zoe, the bees, bo, cy.
    assert_eq!(counts(1_000), (1, 5, 9, 1));
    assert_eq!(counts(1_001), (2, 10, 9, 2));
    let mut all = store.sources_as_of(contest_time(9_999)).unwrap();
    assert_eq!(all, store.sources().unwrap());
    assert_eq!(all.pop().unwrap().last_ends_at, Some(1_002));
}

#[test]
fn only_unused_documents_are_superseded() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let club = batch.get_or_insert_source(&source("club"), at(1)).unwrap();
    let mut archive_with_status = |key: &str, now: i64, body: &str, status| {
        let new = NewDocument {
            status,
            ..document(key, now, body.as_bytes())
        };
        batch.archive_document(club, &new).unwrap().document_id
    };
    // A response 404 does not replace earlier content.
    let page = archive_with_status("4", 1, "page", Some(200));
    archive_with_status("4", 1, "gone", Some(404));
    let mut add = |key: &str, now: i64, body: &str| archive_with_status(key, now, body, None);
    // The third document shares the bytes of the first.
    let (a1, b, a2) = (add("1", 1, "a"), add("1", 2, "b"), add("1", 3, "a"));
    // Data is read from the older documents.
    let (contest_of, _) = (add("2", 1, "c"), add("2", 2, "nothing"));
    let (start_of, _) = (add("3", 1, "d"), add("3", 2, "nothing"));
    let pair = contest("x", 5, &["ada", "bo"]);
    batch
        .upsert_contest(club, contest_of, ContestUpsert::new(&pair, ContestState::Final, true))
        .unwrap();
    let rating = StartingRating {
        mu: 1600.0,
        sigma: None,
    };
    batch
        .set_starting_rating(club, start_of, EntrantKind::Person, "ada", rating)
        .unwrap();
    batch.reject_contest(club, b, "y").unwrap();
    let can_go = |until| -> Vec<DocumentId> {
        let rows = batch.superseded_documents(None, until).unwrap();
        assert_eq!(rows, batch.superseded_documents(Some(club), until).unwrap());
        rows.into_iter().map(|row| row.document_id).collect()
    };
    assert_eq!(can_go(0), []);
    assert_eq!(can_go(1), [a1]);
    assert_eq!(can_go(9), [a1, b]);
    let rows = batch.superseded_documents(None, 9).unwrap();
    assert_eq!(rows[0].bytes, 0, "the bytes are shared");
    assert!(rows[1].bytes > 0);
    for id in [b, a1] {
        batch.delete_document(id).unwrap();
    }
    assert_eq!(batch.document(a2).unwrap().body, b"a");
    assert_eq!(batch.document(page).unwrap().body, b"page");
    assert_eq!(batch.superseded_documents(None, 9).unwrap(), []);
    assert!(batch.rejected_contests(club).unwrap().is_empty());
    batch.commit().unwrap();
    assert!(writer.compact().unwrap());
    assert_eq!(writer.check().unwrap(), []);
}

/// Archives seven documents of one request with alternating content.
fn archive_alternating_documents(batch: &mut WriteBatch<'_>, source: SourceId) -> Vec<DocumentId> {
    let body = |now| -> &[u8] { if now % 2 == 0 { b"even" } else { b"odd" } };
    let archive = |now| batch.archive_document(source, &document("1", now, body(now))).unwrap();
    (0..7).map(archive).map(|archived| archived.document_id).collect()
}

/// Counts documents with bytes of their own.
fn count_stored_bodies(scratch: &TempDatabase) -> i64 {
    let bodies = "SELECT count(body) FROM document";
    scratch.open_raw().query_row(bodies, [], |row| row.get(0)).unwrap()
}

#[test]
fn body_moves_to_oldest_remaining_copy() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let club = batch.get_or_insert_source(&source("club"), at(1)).unwrap();
    let ids = archive_alternating_documents(&mut batch, club);
    // Neither the newest nor in order.
    for index in [0, 1, 2] {
        batch.delete_document(ids[index]).unwrap();
        for (now, &id) in ids.iter().enumerate().skip(index + 1) {
            let body: &[u8] = if now % 2 == 0 { b"even" } else { b"odd" };
            assert_eq!(batch.document(id).unwrap().body, body);
        }
    }
    batch.commit().unwrap();
    drop(writer);
    assert_eq!(count_stored_bodies(&scratch), 2);
    assert_eq!(scratch.open_reader().check().unwrap(), []);
}

#[test]
fn redaction_moves_shared_body_once() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let club = batch.get_or_insert_source(&source("club"), at(1)).unwrap();
    let ids = archive_alternating_documents(&mut batch, club);
    let redacted = RedactedDocument {
        request_key: "1",
        url: None,
        reading: None,
        kept_reading: Some("{}"),
        body: b"blank",
    };
    batch.redact_document(club, ids[0], &redacted).unwrap();
    assert_eq!(batch.document(ids[0]).unwrap().body, b"blank");
    for &id in ids.iter().skip(2).step_by(2) {
        assert_eq!(batch.document(id).unwrap().body, b"even");
    }
    batch.commit().unwrap();
    drop(writer);
    assert_eq!(count_stored_bodies(&scratch), 3);
    assert_eq!(scratch.open_reader().check().unwrap(), []);
}

#[test]
fn equal_redacted_responses_share_body() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let club = batch.get_or_insert_source(&source("club"), at(1)).unwrap();
    let ids = archive_alternating_documents(&mut batch, club);
    for (index, &id) in ids.iter().enumerate() {
        let redacted = RedactedDocument {
            request_key: "2",
            url: None,
            reading: Some(r#"{"site":"club","redacted":true}"#),
            kept_reading: None,
            body: b"blank",
        };
        batch.redact_document(club, id, &redacted).unwrap();
        for (now, &other) in ids.iter().enumerate() {
            let body: &[u8] = match now {
                _ if now <= index => b"blank",
                _ if now % 2 == 0 => b"even",
                _ => b"odd",
            };
            assert_eq!(batch.document(other).unwrap().body, body);
        }
    }
    assert!(batch.documents_for_request(club, "1").unwrap().is_empty());
    let answers = batch.documents_for_request(club, "2").unwrap();
    assert_eq!(answers.len(), ids.len());
    assert!(answers.iter().all(|row| row.redacted && row.length == 5));
    // The same response again shares the bytes.
    let again = document("2", 9, b"blank");
    batch.archive_response(club, &again).unwrap();
    batch.commit().unwrap();
    drop(writer);
    assert_eq!(count_stored_bodies(&scratch), 1);
    assert_eq!(scratch.open_reader().check().unwrap(), []);
}

#[test]
fn compact_frees_space() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let club = batch.get_or_insert_source(&source("club"), at(1)).unwrap();
    let mut ids = Vec::new();
    for now in 0..20 {
        let body = random_bytes(now, 50_000);
        let new = document("1", now, &body);
        ids.push(batch.archive_document(club, &new).unwrap().document_id);
    }
    batch.commit().unwrap();
    let before = writer.file_size().unwrap();
    assert_eq!(before.free_bytes, 0);
    let mut batch = writer.batch().unwrap();
    let pruned = batch.superseded_documents(None, 99).unwrap();
    assert_eq!(pruned.len(), 19);
    let bytes: u64 = pruned.iter().map(|row| row.bytes).sum();
    for row in &pruned {
        batch.delete_document(row.document_id).unwrap();
    }
    batch.commit().unwrap();
    let between = writer.file_size().unwrap();
    assert!(between.free_bytes >= bytes, "{between:?}");
    assert!(writer.compact().unwrap());
    let after = writer.file_size().unwrap();
    assert_eq!(after.free_bytes, 0);
    assert!(after.bytes + bytes <= before.bytes, "{before:?} {after:?}");
    assert_eq!(fs::metadata(scratch.database()).unwrap().len(), after.bytes);
}
