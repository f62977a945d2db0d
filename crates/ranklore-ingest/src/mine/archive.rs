//! What a site answered, into the archive.

use ranklore_fetch::Answered;
use ranklore_source::{Document, Request};
use ranklore_store::{Batch, Body, DocumentId, NewDocument};

use crate::derive::site::Site;
use crate::error::Error;
use crate::note::ReadingNote;

/// An answer that names somebody who is forgotten where no blank can be put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the answer would read otherwise without those who are forgotten, so it is neither kept nor read; somebody may be called like a blank"
)]
pub(crate) struct Withheld;

/// Archives what came to a question, as the source keeps it and without those who are forgotten.
/// Nothing, with why, where their names cannot be taken out of it.
pub(crate) fn archive(
    batch: &mut Batch<'_>,
    site: &Site<'_>,
    request: &Request,
    answered: &Answered,
) -> Result<Result<DocumentId, Withheld>, Error> {
    let key = request.key();
    let reading = ReadingNote::of_answer(site.source.profile().name);
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
                reading: Some(&reading),
                body: Body::Plain(&kept),
                kept: None,
            };
            archive_redacted(batch, site, &document, &kept)
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
                reading: Some(&reading),
                body: Body::Plain(body),
                kept: None,
            };
            archive_redacted(batch, site, &document, body)
        }
    }
}

/// As if the site had never named those who are forgotten.
fn archive_redacted(
    batch: &mut Batch<'_>,
    site: &Site<'_>,
    answer: &NewDocument<'_>,
    body: &[u8],
) -> Result<Result<DocumentId, Withheld>, Error> {
    let searched = site.redact(&Document {
        request_key: answer.request_key,
        fetched_at: answer.fetched_at,
        status: answer.status.unwrap_or(200),
        body,
    });
    let Ok(searched) = searched else {
        return Ok(Err(Withheld));
    };
    let document_id = match searched.redacted {
        None => batch.archive_answer(site.source_id, answer)?,
        Some(redacted) => batch.archive_answer(
            site.source_id,
            &NewDocument {
                request_key: &redacted.request_key,
                url: redacted.url(answer.request_key, answer.url),
                body: Body::Plain(&redacted.body),
                ..*answer
            },
        )?,
    };
    Ok(Ok(document_id))
}
