//! Archives the answers of a site.

use std::borrow::Cow;

use ranklore_contest::UnixSeconds;
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
    answered: &FetchOutcome,
) -> Result<DocumentId, Error> {
    let key = &request.key();
    let same;
    let mut answer = NewDocument {
        request_key: key,
        url: None,
        fetched_at: UnixSeconds::MIN,
        status: None,
        etag: None,
        last_modified: None,
        media_type: None,
        reading: None,
        body: Body::Plain(&[]),
        redacted_content: None,
    };
    let (body, redacted) = match answered {
        FetchOutcome::Fresh(fresh) => {
            answer.url = Some(&fresh.url);
            answer.fetched_at = fresh.fetched_at;
            answer.status = Some(fresh.status);
            answer.etag = fresh.validators.etag.as_deref();
            answer.last_modified = fresh.validators.last_modified.as_deref();
            answer.media_type = fresh.media_type.as_deref();
            (site.source.minimise(key, &fresh.body), false)
        }
        // The request had the validators of the newest answer.
        FetchOutcome::NotModified { url, fetched_at } => {
            let newest = batch.newest_document(site.source_id, key)?;
            let newest = newest.ok_or_else(|| Error::UnexpectedNotModified { url: url.clone() })?;
            let document = batch.document(newest.document_id)?;
            same = document.row;
            answer.url = Some(url);
            answer.fetched_at = *fetched_at;
            answer.status = same.status;
            answer.etag = same.etag.as_deref();
            answer.last_modified = same.last_modified.as_deref();
            answer.media_type = same.media_type.as_deref();
            (Cow::Owned(document.body), is_redacted(&same))
        }
    };
    let document = Document {
        request_key: key,
        fetched_at: answer.fetched_at,
        status: answer.status.unwrap_or(200),
        body: &body,
    };
    let in_place = site.redact(&document, answer.url, redacted);
    let reading =
        ReadingNote::format_answer(site.source.profile().name, redacted || in_place.is_some());
    answer.reading = Some(&reading);
    answer.body = Body::Plain(&body);
    if let Some(in_place) = &in_place {
        answer.request_key = &in_place.request_key;
        answer.url = in_place.url.as_deref();
        answer.body = Body::Plain(&in_place.body);
    }
    Ok(batch.archive_response(site.source_id, &answer)?)
}
