//! Answers of a site, into the archive.

use ranklore_fetch::Answered;
use ranklore_source::{Document, Request};
use ranklore_store::{Batch, Body, DocumentId, NewDocument};

use crate::derive::site::{Site, is_redacted};
use crate::error::Error;
use crate::note::ReadingNote;

/// Archives the answer to a request, as the source keeps it and without those who are forgotten.
pub(crate) fn archive(
    batch: &mut Batch<'_>,
    site: &Site<'_>,
    request: &Request,
    answered: &Answered,
) -> Result<DocumentId, Error> {
    let key = request.key();
    match answered {
        Answered::Fresh(fresh) => {
            let kept = site.source.minimise(&key, &fresh.body);
            let document = NewDocument {
                request_key: &key,
                url: Some(&fresh.url),
                fetched_at: fresh.fetched_at,
                status: Some(fresh.status),
                etag: fresh.validators.etag.as_deref(),
                last_modified: fresh.validators.last_modified.as_deref(),
                media_type: fresh.media_type.as_deref(),
                reading: None,
                body: Body::Plain(&kept),
                kept: None,
            };
            archive_redacted(batch, site, &document, &kept, false)
        }
        // It was asked for with what the newest one said.
        Answered::NotModified { url, fetched_at } => {
            let newest = batch.answers(site.source_id, &key)?.into_iter().next();
            let newest = newest.ok_or_else(|| Error::Unasked { url: url.clone() })?;
            let document = batch.document(newest.document_id)?;
            let (row, body) = (&document.row, &document.body);
            let document = NewDocument {
                request_key: &key,
                url: Some(url),
                fetched_at: *fetched_at,
                status: row.status,
                etag: row.etag.as_deref(),
                last_modified: row.last_modified.as_deref(),
                media_type: row.media_type.as_deref(),
                reading: None,
                body: Body::Plain(body),
                kept: None,
            };
            archive_redacted(batch, site, &document, body, is_redacted(row))
        }
    }
}

/// Archives an answer as if the site had never named those who are forgotten.
fn archive_redacted(
    batch: &mut Batch<'_>,
    site: &Site<'_>,
    answer: &NewDocument<'_>,
    body: &[u8],
    redacted: bool,
) -> Result<DocumentId, Error> {
    let document = Document {
        request_key: answer.request_key,
        fetched_at: answer.fetched_at,
        status: answer.status.unwrap_or(200),
        body,
    };
    let in_place = site.redact(&document, answer.url, redacted);
    let reading =
        ReadingNote::of_answer(site.source.profile().name, redacted || in_place.is_some());
    let answer = match &in_place {
        None => NewDocument {
            reading: Some(&reading),
            ..*answer
        },
        Some(in_place) => NewDocument {
            request_key: &in_place.request_key,
            reading: Some(&reading),
            url: in_place.url.as_deref(),
            body: Body::Plain(&in_place.body),
            ..*answer
        },
    };
    Ok(batch.archive_answer(site.source_id, &answer)?)
}
