//! Coders who are forgotten, by number and by handle, wherever they stand in an answer.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::escape::unescape;
use ranklore_source::{Document, Redacted};

use crate::ask::Question;
use crate::feeds::feed::Feed;
use crate::feeds::results;
use crate::values::text::{Encoding, escaped, squeeze};

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

/// A handle goes with the number of its row, whoever else has it or had it; without that, as where
/// a row is cut off, by itself.
fn in_feed(body: &[u8], encoding: Encoding, blank: Blank<'_>) -> Vec<(Range<usize>, String)> {
    let (mut ids, mut handles, mut edits) = (Vec::new(), Vec::new(), Vec::new());
    for (tag, text) in tags(body) {
        let plain = || plain(encoding, &body[text.clone()]);
        match body[tag].split(u8::is_ascii_whitespace).next() {
            Some(b"row" | b"/row") => in_row(&mut ids, &mut handles, blank, &mut edits),
            Some(b"coder_id") => ids.push((text.clone(), plain())),
            Some(b"handle") => handles.push((text.clone(), plain())),
            _ => {}
        }
    }
    in_row(&mut ids, &mut handles, blank, &mut edits);
    edits.sort_by_key(|(range, _)| range.start);
    edits
}

/// Where a text stands, and what it is.
type Stands = (Range<usize>, String);

fn in_row(
    ids: &mut Vec<Stands>,
    handles: &mut Vec<Stands>,
    blank: Blank<'_>,
    edits: &mut Vec<Stands>,
) {
    let alone = ids.iter().all(|(_, id)| id.is_empty());
    let mut of_id = None;
    for (range, id) in ids.drain(..) {
        if let Some(by) = blank(&id) {
            of_id = Some(by.clone());
            edits.push((range, by));
        }
    }
    for (range, handle) in handles.drain(..) {
        let by = match &of_id {
            Some(by) => Some(blank(&handle).unwrap_or_else(|| by.clone())),
            None if alone => blank(&handle),
            None => None,
        };
        edits.extend(by.map(|by| (range, by)));
    }
}

/// In addresses that have a coder's number, and in the texts of links to that coder.
fn in_page(body: &[u8], encoding: Encoding, blank: Blank<'_>) -> Vec<(Range<usize>, String)> {
    let mut edits = Vec::new();
    for (tag, text) in tags(body) {
        let address = &body[tag.clone()];
        let mut of_id = None;
        for id in parameters(address, b"cr=") {
            let id = tag.start + id.start..tag.start + id.end;
            if let Some(by) = blank(&String::from_utf8_lossy(&body[id.clone()])) {
                of_id = Some(by.clone());
                edits.push((id, by));
            }
        }
        let Some(by) = of_id else {
            continue;
        };
        let said = squeeze(&plain(encoding, &body[text.clone()]));
        // A link to what the coder did in a round may have any text.
        let is_handle = parameters(address, b"rd=").is_empty() && !said.is_empty();
        let known = blank(&said);
        if is_handle || known.is_some() {
            edits.push((text, known.unwrap_or(by)));
        }
    }
    edits
}

/// Where the values of a parameter stand in the addresses of a tag.
fn parameters(tag: &[u8], name: &[u8]) -> Vec<Range<usize>> {
    let is_id = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
    let starts = (1..tag.len())
        .filter(|at| matches!(tag[at - 1], b'?' | b'&' | b';') && tag[*at..].starts_with(name));
    starts
        .map(|at| at + name.len())
        .map(|start| start..start + tag[start..].iter().take_while(is_id).count())
        .collect()
}
