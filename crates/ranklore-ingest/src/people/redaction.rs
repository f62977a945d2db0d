//! Redaction of documents that name forgotten persons: the reading is archived in their place,
//! without the names. Works for all formats; text that no reader uses is dropped with the bytes.

use ranklore_contest::{Anonymiser, ForgottenNames};
use ranklore_formats::{FileReadError, FileReading, ReadOptions, any_text};
use ranklore_source::{Document, SiteReadError, SiteReading, Source, anonymise_key};
use ranklore_store::Tombstones;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The body of a redacted document, as JSON. The format is stable: a new one gets a new number.
#[derive(Debug, Serialize, Deserialize)]
enum RedactedBody<R> {
    /// The reading of the document.
    #[serde(rename = "reading/1")]
    Reading(R),
    /// The document could not be read; the reason why its text was removed.
    #[serde(rename = "unreadable/1")]
    Unreadable(String),
}

/// A redacted document.
#[derive(Debug)]
pub(crate) struct Redaction {
    /// The request key or file name, redacted.
    pub(crate) request_key: String,
    /// The address, unless it contains the name.
    pub(crate) url: Option<String>,
    /// The redacted reading.
    pub(crate) body: Vec<u8>,
    /// The reason, redacted, if the document cannot be read; its text is removed then.
    pub(crate) unreadable: Option<String>,
}

/// The reason why the text of an unreadable document was removed. Its own errors may quote part of
/// a name.
const UNREADABLE: &str =
    "it could not be read and may have named a person who is forgotten, so its text was removed";

/// The reason why the text of an answer was removed in which another person has the name of a
/// blank.
const BLANK_TAKEN: &str = "somebody in it has the name of a blank and would be merged with a \
                           person who is forgotten, so its text was removed";

/// Reads the redacted reading of a file.
pub(crate) fn read_redacted_file(body: &[u8]) -> Result<FileReading, FileReadError> {
    read_redacted(body).map_err(FileReadError::whole_document)
}

/// Reads the redacted reading of an answer.
pub(crate) fn read_redacted_answer(
    request_key: &str,
    body: &[u8],
) -> Result<SiteReading, SiteReadError> {
    read_redacted(body).map_err(|reason| SiteReadError::whole_document(request_key, reason))
}

fn read_redacted<R: DeserializeOwned>(body: &[u8]) -> Result<R, String> {
    match serde_json::from_slice(body) {
        Ok(RedactedBody::Reading(reading)) => Ok(reading),
        Ok(RedactedBody::Unreadable(reason)) => Err(reason),
        Err(error) => Err(format!("its redacted reading cannot be read: {error}")),
    }
}

/// The origin of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'d> {
    /// The request key or file name.
    pub(crate) key: &'d str,
    /// True if the key is a request key.
    pub(crate) is_request: bool,
    /// The address.
    pub(crate) url: Option<&'d str>,
    /// The options with which a file is read.
    pub(crate) options: Option<&'d ReadOptions>,
}

/// True if the bytes contain the name of a forgotten person, or cannot be searched.
pub(crate) fn may_mention(bytes: &[u8], blanks: &Tombstones) -> bool {
    any_text(bytes, &|text| blanks.is_mentioned_in(text)).unwrap_or(true)
}

/// Returns the redaction of a file that names a forgotten person, and redacts `reading`.
/// `is_mentioned` is called to check text that no reader uses.
pub(crate) fn redact_file(
    origin: Origin<'_>,
    reading: &mut Result<FileReading, FileReadError>,
    is_mentioned: impl FnOnce() -> bool,
    blanks: &Tombstones,
) -> Option<Redaction> {
    let is_forgotten = reading.as_mut().is_ok_and(|reading| reading.forget(blanks));
    redact(
        origin,
        reading,
        FileReading::clear_messages,
        || is_forgotten || is_mentioned(),
        blanks,
    )
}

/// Returns the redaction of an answer that names a forgotten person. `redacted` is true if the
/// answer is redacted already.
pub(crate) fn redact_answer(
    source: &dyn Source,
    document: &Document<'_>,
    url: Option<&str>,
    redacted: bool,
    blanks: &Tombstones,
) -> Option<Redaction> {
    let key = document.request_key;
    let mut reading = if redacted {
        read_redacted_answer(key, document.body)
    } else {
        source.read(document).and_then(|reading| {
            if reading.persons().iter().any(|name| blanks.is_blank(name)) {
                return Err(SiteReadError::whole_document(key, BLANK_TAKEN));
            }
            Ok(reading)
        })
    };
    let is_forgotten = reading.as_mut().is_ok_and(|reading| reading.forget(source, blanks));
    let origin = Origin {
        key,
        is_request: true,
        url,
        options: None,
    };
    redact(
        origin,
        &reading,
        SiteReading::clear_messages,
        || is_forgotten || (!redacted && may_mention(document.body, blanks)),
        blanks,
    )
}

fn redact<R: Clone + Serialize, E: ToString>(
    origin: Origin<'_>,
    reading: &Result<R, E>,
    clear_messages: fn(&mut R),
    is_mentioned: impl FnOnce() -> bool,
    blanks: &Tombstones,
) -> Option<Redaction> {
    let mut request_key = origin.key.to_owned();
    let mut anonymiser = Anonymiser::new(blanks);
    if origin.is_request {
        anonymise_key(&mut request_key, &mut anonymiser);
    } else {
        anonymiser.anonymise_text(&mut request_key);
    }
    let is_url_named = origin.url.is_some_and(|url| blanks.is_mentioned_in(url));
    let mut quoted_names = origin.options.into_iter().flat_map(ReadOptions::quoted_names);
    let is_quoted = quoted_names.any(|name| blanks.is_mentioned_in(name));
    if !(anonymiser.has_changed() || is_url_named || is_quoted || is_mentioned()) {
        return None;
    }
    // A redacted key has another address.
    let is_same_address = origin.key.split(' ').nth(1) == request_key.split(' ').nth(1);
    let url = origin.url.filter(|_| !is_url_named && is_same_address);
    let (body, unreadable) = match reading {
        Ok(reading) => {
            let mut reading = reading.clone();
            clear_messages(&mut reading);
            (serde_json::to_vec(&RedactedBody::Reading(reading)), None)
        }
        Err(error) => {
            let message = error.to_string();
            let reason = if message.ends_with(BLANK_TAKEN) {
                BLANK_TAKEN
            } else {
                UNREADABLE
            };
            let body = RedactedBody::<R>::Unreadable(reason.to_owned());
            let redacted = blanks.replace_in_text(&message).unwrap_or(message);
            (serde_json::to_vec(&body), Some(redacted))
        }
    };
    Some(Redaction {
        url: url.map(str::to_owned),
        request_key,
        // A reading has strings and numbers only, and always serialises.
        body: body.unwrap_or_default(),
        unreadable,
    })
}
