//! Documents that name forgotten persons: what they say is archived in their place, without the
//! names. One way for all formats; text that no reader uses goes with the bytes.

use ranklore_contest::{At, Blanks, Forgetting, ReadError, Reading, any_text};
use ranklore_source::{
    Document, ReadError as SiteReadError, Reading as SiteReading, Source, forget_in_key,
};
use ranklore_store::Tombstones;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The body of a redacted document, as JSON. The form is stable: a new one gets a new number.
#[derive(Debug, Serialize, Deserialize)]
enum Body<R> {
    /// The reading of the document.
    #[serde(rename = "reading/1")]
    Reading(R),
    /// The document could not be read, and why nothing of it is left.
    #[serde(rename = "unreadable/1")]
    Unreadable(String),
}

/// A document as it is archived where it names a forgotten person.
#[derive(Debug)]
pub(crate) struct Redacted {
    /// The request or the name of the file, with blanks.
    pub(crate) request_key: String,
    /// The address that it came from, unless that has the name.
    pub(crate) url: Option<String>,
    /// The reading, with blanks.
    pub(crate) body: Vec<u8>,
    /// The reason why it cannot be read, with blanks, if so: nothing of it is left then.
    pub(crate) unreadable: Option<String>,
}

/// Why nothing is left of a document that cannot be read. Its errors may quote part of a name.
const UNREADABLE: &str =
    "it could not be read and may have named a person who is forgotten, so its text was removed";

/// Why nothing is left of an answer in which somebody else has the name of a blank.
const BLANK_TAKEN: &str = "somebody in it has the name of a blank and would be merged with a \
                           person who is forgotten, so its text was removed";

/// Reads the reading of a file that is kept in its place.
pub(crate) fn read_redacted_file(body: &[u8]) -> Result<Reading, ReadError> {
    let at = At::Whole;
    read_redacted(body).map_err(|why| ReadError { at, why })
}

/// Reads the reading of an answer that is kept in its place.
pub(crate) fn read_redacted_answer(
    request_key: &str,
    body: &[u8],
) -> Result<SiteReading, SiteReadError> {
    read_redacted(body).map_err(|why| SiteReadError::whole(request_key, why))
}

fn read_redacted<R: DeserializeOwned>(body: &[u8]) -> Result<R, String> {
    match serde_json::from_slice(body) {
        Ok(Body::Reading(reading)) => Ok(reading),
        Ok(Body::Unreadable(why)) => Err(why),
        Err(error) => Err(format!("what is kept of it cannot be read: {error}")),
    }
}

/// Where a document is from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'d> {
    /// The request or the name of the file.
    pub(crate) key: &'d str,
    /// True if the key is that of a request.
    pub(crate) is_request: bool,
    /// The address that it came from.
    pub(crate) url: Option<&'d str>,
    /// The sheet of a workbook that is read.
    pub(crate) sheet: Option<&'d str>,
}

/// Returns true if the bytes of a document have the name of a forgotten person anywhere, or cannot
/// be searched.
pub(crate) fn may_mention(bytes: &[u8], blanks: &Tombstones) -> bool {
    any_text(bytes, &|text| blanks.is_mentioned(text)).unwrap_or(true)
}

/// Returns what to archive in place of a file, if it names a forgotten person, and puts the blanks
/// into its reading. `mentioned` is asked about text that no reader uses.
pub(crate) fn redact_file(
    origin: Origin<'_>,
    reading: &mut Result<Reading, ReadError>,
    mentioned: impl FnOnce() -> bool,
    blanks: &Tombstones,
) -> Option<Redacted> {
    let named = (reading.as_mut()).is_ok_and(|reading| reading.forget(blanks));
    let mentioned = || named || mentioned();
    redact(origin, reading, Reading::clear_messages, mentioned, blanks)
}

/// Returns what to archive in place of an answer, if it names a forgotten person. `redacted` is
/// true if what it says is kept in its place already.
pub(crate) fn redact_answer(
    source: &dyn Source,
    document: &Document<'_>,
    url: Option<&str>,
    redacted: bool,
    blanks: &Tombstones,
) -> Option<Redacted> {
    let key = document.request_key;
    let mut reading = if redacted {
        read_redacted_answer(key, document.body)
    } else {
        source.read(document).and_then(|reading| {
            if reading.persons().iter().any(|name| blanks.is_blank(name)) {
                return Err(SiteReadError::whole(key, BLANK_TAKEN));
            }
            Ok(reading)
        })
    };
    let named = (reading.as_mut()).is_ok_and(|reading| reading.forget(source, blanks));
    let mentioned = || named || (!redacted && may_mention(document.body, blanks));
    let origin = Origin {
        key,
        is_request: true,
        url,
        sheet: None,
    };
    redact(
        origin,
        &reading,
        SiteReading::clear_messages,
        mentioned,
        blanks,
    )
}

fn redact<R: Clone + Serialize, E: ToString>(
    origin: Origin<'_>,
    reading: &Result<R, E>,
    clear_messages: fn(&mut R),
    mentioned: impl FnOnce() -> bool,
    blanks: &Tombstones,
) -> Option<Redacted> {
    let Origin {
        key,
        is_request,
        url,
        sheet,
    } = origin;
    let mut request_key = key.to_owned();
    let mut forgetting = Forgetting::new(blanks);
    if is_request {
        forget_in_key(&mut request_key, &mut forgetting);
    } else {
        forgetting.text(&mut request_key);
    }
    let is_named = |text: Option<&str>| text.is_some_and(|text| blanks.is_mentioned(text));
    if !(forgetting.changed() || is_named(url) || is_named(sheet) || mentioned()) {
        return None;
    }
    let address = |key: &str| key.split(' ').nth(1).map(str::to_owned);
    let url = url.filter(|_| !is_named(url) && address(key) == address(&request_key));
    let (body, unreadable) = match reading {
        Ok(reading) => {
            let mut kept = reading.clone();
            clear_messages(&mut kept);
            (serde_json::to_vec(&Body::Reading(kept)), None)
        }
        Err(error) => {
            let why = error.to_string();
            let lost = if why.ends_with(BLANK_TAKEN) {
                BLANK_TAKEN
            } else {
                UNREADABLE
            };
            let why = blanks.blank_text(&why).unwrap_or(why);
            let body = Body::<R>::Unreadable(lost.to_owned());
            (serde_json::to_vec(&body), Some(why))
        }
    };
    Some(Redacted {
        url: url.map(str::to_owned),
        request_key,
        // A reading is made of texts and numbers, and always has a JSON form.
        body: body.unwrap_or_default(),
        unreadable,
    })
}
