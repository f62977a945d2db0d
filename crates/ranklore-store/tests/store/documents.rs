//! The archive.

use ranklore_store::{Body, Error, NewDocument, Problem, compress};
use ranklore_test_support::{TempDatabase, at, document, source};

#[test]
fn same_document_again_is_not_stored_twice() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let club = batch.get_or_insert_source(&source("club"), at(1)).unwrap();
    let full = NewDocument {
        url: Some("https://example.org/1"),
        status: Some(200),
        etag: Some("W/\"1\""),
        last_modified: Some("yesterday"),
        media_type: Some("text/csv"),
        reading: Some(r#"{"format":"csv"}"#),
        ..document("1", 100, b"one")
    };
    let first = batch.archive_document(club, &full).unwrap();
    assert!(!first.unchanged);
    let same = batch.archive_document(
        club,
        &NewDocument {
            fetched_at: at(200),
            ..full
        },
    );
    let same = same.unwrap();
    assert_eq!(same.document_id, first.document_id);
    assert!(same.unchanged);

    // Each of these differs from the previous document.
    let other_reading = NewDocument {
        reading: Some("{}"),
        ..full
    };
    let other_status = NewDocument {
        status: Some(404),
        ..full
    };
    let body = compress(b"two").unwrap();
    let other_body = NewDocument {
        body: Body::Compressed(&body),
        ..full
    };
    let other_key = NewDocument {
        request_key: "2",
        ..full
    };
    for (index, document) in
        [other_reading, other_status, other_body, other_key, full].iter().enumerate()
    {
        let archived = batch.archive_document(club, document).unwrap();
        assert!(!archived.unchanged, "{index}");
        let expected: &[u8] = if index == 2 { b"two" } else { b"one" };
        assert_eq!(batch.document(archived.document_id).unwrap().body, expected);
    }
    let row = batch.document(first.document_id).unwrap().row;
    assert_eq!(row.url.as_deref(), full.url);
    assert_eq!((row.status, row.fetched_at, row.length), (Some(200), 100, 3));
    assert_eq!(row.etag.as_deref(), full.etag);
    assert_eq!(row.last_modified.as_deref(), full.last_modified);
    assert_eq!(row.media_type.as_deref(), full.media_type);
    assert_eq!(row.reading.as_deref(), full.reading);
    assert_eq!(row.blake3, *blake3::hash(b"one").as_bytes());
    assert_eq!(batch.documents(club).unwrap().len(), 6);
    batch.commit().unwrap();
    drop(writer);
    let bodies: i64 = scratch
        .open_raw()
        .query_row("SELECT count(body) FROM document", [], |row| row.get(0))
        .unwrap();
    assert_eq!(bodies, 3, "one and two of key 1, one of key 2");
    assert_eq!(scratch.open_reader().check().unwrap(), []);
}

#[test]
fn later_document_is_newest_despite_clock_going_back() {
    let scratch = TempDatabase::new();
    for (now, body) in [(100, b"a"), (100, b"b"), (50, b"c"), (70, b"d")] {
        // A new writer each time, without caches.
        let mut writer = scratch.open_writer();
        let mut batch = writer.batch().unwrap();
        let club = batch.get_or_insert_source(&source("club"), at(1)).unwrap();
        let archived = batch.archive_document(club, &document("1", now, body)).unwrap();
        let newest = batch.documents(club).unwrap().pop().unwrap();
        assert_eq!(newest.document_id, archived.document_id);
        assert_eq!(newest.fetched_at, 100);
        let again = batch.archive_document(club, &document("1", now, body)).unwrap();
        assert!(again.unchanged);
        batch.commit().unwrap();
    }
}

#[test]
fn damaged_document_is_reported() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let club = batch.get_or_insert_source(&source("club"), at(1)).unwrap();
    let id = batch.archive_document(club, &document("1", 1, b"hello")).unwrap().document_id;
    batch.commit().unwrap();
    drop(writer);
    for damage in [
        "length = 4",
        "length = 6",
        "length = 9223372036854775807",
        "blake3 = zeroblob(32)",
        "body = x'00'",
    ] {
        let raw = scratch.open_raw();
        raw.execute_batch(&format!("BEGIN; UPDATE document SET {damage}; COMMIT"))
            .unwrap();
        let store = scratch.open_reader();
        let error = store.document(id).unwrap_err();
        assert!(matches!(error, Error::DamagedDocument { .. }), "{damage}: {error:?}");
        let problems = store.check().unwrap();
        assert!(
            matches!(problems.last(), Some(Problem::Document { .. })),
            "{damage}: {problems:?}"
        );
    }
}
