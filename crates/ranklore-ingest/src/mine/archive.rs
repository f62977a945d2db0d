//! Archives the answers of a site.

use std::borrow::Cow;

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
    let (answer, body, redacted) = match answered {
        FetchOutcome::Fresh(fresh) => {
            let answer = NewDocument {
                request_key: key,
                url: Some(&fresh.url),
                fetched_at: fresh.fetched_at,
                status: Some(fresh.status),
                etag: fresh.validators.etag.as_deref(),
                last_modified: fresh.validators.last_modified.as_deref(),
                media_type: fresh.media_type.as_deref(),
                reading: None,
                body: Body::Plain(&[]),
                redacted_content: None,
            };
            (answer, site.source.minimise(key, &fresh.body), false)
        }
        // The request had the validators of the newest answer.
        FetchOutcome::NotModified { url, fetched_at } => {
            let newest = batch.newest_document(site.source_id, key)?;
            let newest = newest.ok_or_else(|| Error::UnexpectedNotModified { url: url.clone() })?;
            let document = batch.document(newest.document_id)?;
            same = document.row;
            let answer = NewDocument {
                request_key: key,
                url: Some(url),
                fetched_at: *fetched_at,
                status: same.status,
                etag: same.etag.as_deref(),
                last_modified: same.last_modified.as_deref(),
                media_type: same.media_type.as_deref(),
                reading: None,
                body: Body::Plain(&[]),
                redacted_content: None,
            };
            (answer, Cow::Owned(document.body), is_redacted(&same))
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
    let answer = NewDocument {
        reading: Some(&reading),
        body: Body::Plain(&body),
        ..answer
    };
    let answer = match &in_place {
        None => answer,
        Some(in_place) => NewDocument {
            request_key: &in_place.request_key,
            url: in_place.url.as_deref(),
            body: Body::Plain(&in_place.body),
            ..answer
        },
    };
    Ok(batch.archive_response(site.source_id, &answer)?)
}
