//! Archives the answers of a site.

use ranklore_fetch::FetchOutcome;
use ranklore_source::{Document, Request};
use ranklore_store::{Body, DocumentId, NewDocument, WriteBatch};

use crate::derive::site::{Site, is_redacted};
use crate::error::Error;
use crate::reading_note::ReadingNote;

/// Archives the answer to a request, minimised by the source and with forgotten persons redacted.
pub(crate) fn archive_answer(
    batch: &mut WriteBatch<'_>,
    site: &Site<'_>,
    request: &Request,
    response: &FetchOutcome,
) -> Result<DocumentId, Error> {
    let key = request.key();
    match response {
        FetchOutcome::Fresh(fresh) => {
            let body = site.source.minimise(&key, &fresh.body);
            let answer = NewDocument {
                request_key: &key,
                url: Some(&fresh.url),
                fetched_at: fresh.fetched_at,
                status: Some(fresh.status),
                etag: fresh.validators.etag.as_deref(),
                last_modified: fresh.validators.last_modified.as_deref(),
                media_type: fresh.media_type.as_deref(),
                reading: None,
                body: Body::Plain(&body),
                redacted_content: None,
            };
            archive_redacted(batch, site, answer, &body, false)
        }
        // The request had the validators of the newest answer.
        FetchOutcome::NotModified { url, fetched_at } => {
            let newest = batch.newest_document(site.source_id, &key)?;
            let newest = newest.ok_or_else(|| Error::UnexpectedNotModified { url: url.clone() })?;
            let document = batch.document(newest.document_id)?;
            let row = &document.row;
            let answer = NewDocument {
                request_key: &key,
                url: Some(url),
                fetched_at: *fetched_at,
                status: row.status,
                etag: row.etag.as_deref(),
                last_modified: row.last_modified.as_deref(),
                media_type: row.media_type.as_deref(),
                reading: None,
                body: Body::Plain(&document.body),
                redacted_content: None,
            };
            archive_redacted(batch, site, answer, &document.body, is_redacted(row))
        }
    }
}

/// Archives an answer with this body, with forgotten persons redacted. `is_redacted` is true if
/// they are redacted already.
fn archive_redacted(
    batch: &mut WriteBatch<'_>,
    site: &Site<'_>,
    answer: NewDocument<'_>,
    body: &[u8],
    is_redacted: bool,
) -> Result<DocumentId, Error> {
    let document = Document {
        request_key: answer.request_key,
        fetched_at: answer.fetched_at,
        status: answer.status.unwrap_or(200),
        body,
    };
    let redaction = site.redact(&document, answer.url, is_redacted);
    let site_name = site.source.profile().name;
    let reading = ReadingNote::format_answer(site_name, is_redacted || redaction.is_some());
    let mut archived = NewDocument {
        reading: Some(&reading),
        ..answer
    };
    if let Some(redaction) = &redaction {
        archived.request_key = &redaction.request_key;
        archived.url = redaction.url.as_deref();
        archived.body = Body::Plain(&redaction.body);
    }
    Ok(batch.archive_response(site.source_id, &archived)?)
}
