//! Documents and contests written within a batch.

use ranklore_contest::Contest;
use ranklore_store::{
    Body, ContestState, ContestUpsert, DocumentId, NewDocument, SourceId, UpsertOutcome, WriteBatch,
};

use crate::{at, source};

/// Creates a document to archive, with only a key, a time and a body.
pub fn document<'a>(key: &'a str, fetched_at: i64, body: &'a [u8]) -> NewDocument<'a> {
    NewDocument {
        request_key: key,
        url: None,
        fetched_at: at(fetched_at),
        status: None,
        etag: None,
        last_modified: None,
        media_type: None,
        reading: Some("{}"),
        body: Body::Plain(body),
        redacted_content: None,
    }
}

/// Archives a document about a contest, without storing the contest.
pub fn archive_contest(
    batch: &mut WriteBatch<'_>,
    source_name: &str,
    now: i64,
    contest: &Contest,
) -> (SourceId, DocumentId) {
    let source_id = batch.get_or_insert_source(&source(source_name), at(now)).unwrap();
    let key = format!("{}.json", contest.external_id);
    let body = format!("{contest:?}");
    let archived = batch
        .archive_document(source_id, &document(&key, now, body.as_bytes()))
        .unwrap();
    (source_id, archived.document_id)
}

/// Archives a document about a contest and stores the contest, final and rated, like an import.
pub fn import_contest(
    batch: &mut WriteBatch<'_>,
    source_name: &str,
    now: i64,
    contest: &Contest,
) -> UpsertOutcome {
    let (source_id, document_id) = archive_contest(batch, source_name, now, contest);
    batch
        .upsert_contest(
            source_id,
            document_id,
            ContestUpsert::new(contest, ContestState::Final, true),
        )
        .unwrap()
}

/// Adds a tombstone for a person, as forgetting the person does.
pub fn add_tombstone(batch: &mut WriteBatch<'_>, source_id: SourceId, name: &str) {
    batch.ensure_name_key(source_id).unwrap();
    let mut tombstones = batch.tombstones(source_id).unwrap();
    let blank = batch.blank_for(source_id, name, &tombstones).unwrap();
    tombstones.add_name(name, &blank);
    batch.store_tombstones(source_id, &tombstones, at(1)).unwrap();
}
