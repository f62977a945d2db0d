//! Coders who are forgotten, by number and by handle, wherever they stand in an answer.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::escape::unescape;
use ranklore_source::{Document, Redacted};

use crate::ask::Question;
use crate::feed::Feed;
use crate::results;
use crate::text::{Encoding, escaped, squeeze};

/// The fields that name a coder.
const FIELDS: [&str; 2] = ["coder_id", "handle"];

type Blank<'b> = &'b dyn Fn(&str) -> Option<String>;

/// Goes by tags and addresses alone, so that what is cut off or cannot be read is redacted too.
pub(crate) fn redact<'d>(document: &Document<'d>, blank: Blank<'_>) -> Option<Redacted<'d>> {
    let body = document.body;
    let guess = Encoding::guess(body);
    let (encoding, edits) = match Question::parse(document.request_key)? {
        Question::Results(_) => {
            let feed = Feed::open(document.request_key, body, results::ROOT);
            let encoding = feed.map_or(guess, |feed| feed.encoding());
            (encoding, in_feed(body, encoding, blank))
        }
        Question::Stats(..) => (guess, in_page(body, guess, blank)),
        Question::Rounds | Question::Matches(_) => return None,
    };
    if edits.is_empty() {
        return None;
    }
    let mut redacted = Vec::with_capacity(body.len());
    let mut from = 0;
    for (range, by) in edits {
        redacted.extend_from_slice(&body[from..range.start]);
        redacted.extend_from_slice(&encoding.encode(&escaped(&by)));
        from = range.end;
    }
    redacted.extend_from_slice(&body[from..]);
    Some(Redacted {
        request_key: Cow::Borrowed(document.request_key),
        body: Cow::Owned(redacted),
    })
}

/// Where each tag stands, and the text behind it, up to the next.
fn tags(body: &[u8]) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    let find = |from: usize, byte: u8| {
        let found = body[from..].iter().position(|found| *found == byte)?;
        Some(from + found)
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        let open = find(at, b'<')? + 1;
        let close = find(open, b'>')?;
        at = find(close, b'<').unwrap_or(body.len());
        Some((open..close, close + 1..at))
    })
}

/// A text with its references resolved, as far as they can be.
fn plain(encoding: Encoding, bytes: &[u8]) -> String {
    let text = encoding.decode(bytes).unwrap_or_default();
    let resolved = unescape(&text).map(Cow::into_owned);
    resolved.unwrap_or_else(|_| text.into_owned())
}

fn in_feed(body: &[u8], encoding: Encoding, blank: Blank<'_>) -> Vec<(Range<usize>, String)> {
    let named = tags(body).filter(|(tag, _)| {
        let name = body[tag.clone()].split(u8::is_ascii_whitespace).next();
        FIELDS.iter().any(|field| name == Some(field.as_bytes()))
    });
    let edit = |(_, text): (_, Range<usize>)| {
        let by = blank(&plain(encoding, &body[text.clone()]))?;
        Some((text, by))
    };
    named.filter_map(edit).collect()
}

/// In addresses that have a coder's number, and in the texts of links that have one.
fn in_page(body: &[u8], encoding: Encoding, blank: Blank<'_>) -> Vec<(Range<usize>, String)> {
    let mut edits = Vec::new();
    for (tag, text) in tags(body) {
        let ids = ids(&body[tag.clone()]);
        let linked = !ids.is_empty();
        for id in ids {
            let id = tag.start + id.start..tag.start + id.end;
            if let Some(by) = blank(&String::from_utf8_lossy(&body[id.clone()])) {
                edits.push((id, by));
            }
        }
        if linked && let Some(by) = blank(&squeeze(&plain(encoding, &body[text.clone()]))) {
            edits.push((text, by));
        }
    }
    edits
}

/// Where the numbers of coders stand in the addresses of a tag.
fn ids(tag: &[u8]) -> Vec<Range<usize>> {
    const CODER: &[u8] = b"cr=";
    let is_id = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
    let starts = (1..tag.len())
        .filter(|at| matches!(tag[at - 1], b'?' | b'&' | b';') && tag[*at..].starts_with(CODER));
    starts
        .map(|at| at + CODER.len())
        .map(|start| start..start + tag[start..].iter().take_while(is_id).count())
        .collect()
}
