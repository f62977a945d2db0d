//! Checks HTML answers with one changed tag or text.

use std::ops::Range;

use ranklore_source::Source;

use crate::checks::{check_error_location, process_answer};
use crate::{Fixture, validity};

/// The approximate number of bytes of HTML to parse in all. Places in larger pages are sampled.
const PARSE_BUDGET_BYTES: usize = 8 << 20;

/// Replacements for a text: nothing, bytes that are not text, and invalid numbers.
const REPLACEMENT_TEXTS: [&[u8]; 6] = [
    b"",
    b"\xff\xfe\x81",
    b"NaN",
    b"-1",
    b"18446744073709551617",
    b"<td>&#0;</table",
];

/// Checks an HTML answer with each tag in turn removed, doubled, renamed and without its
/// attributes; and with each text and each attribute value empty, not UTF-8, `NaN`, negative, huge,
/// or markup.
///
/// Each change must be an error that names the document, the location and the expected data, or
/// give a [valid](crate::check_reading) reading. The tests of the source limit the number of
/// misread changes.
///
/// # Panics
/// If a check fails.
pub fn check_markup(source: &dyn Source, fixture: &Fixture<'_>) {
    let body = fixture.body;
    let parts = split_markup(body);
    let cost = parts.len() * REPLACEMENT_TEXTS.len() * 2 * body.len();
    let step = cost.div_ceil(PARSE_BUDGET_BYTES).max(1);
    for (index, part) in parts.iter().enumerate() {
        // Scattered: a fixed step might hit the same cells in every row.
        if !(index.wrapping_mul(0x9e37_79b1) >> 7).is_multiple_of(step) {
            continue;
        }
        match part {
            MarkupPart::Text(range) => {
                for text in REPLACEMENT_TEXTS {
                    check_replacement(source, fixture, range, text);
                }
            }
            MarkupPart::Tag(range) => {
                let tag = &body[range.clone()];
                let name = tag.iter().position(|byte| matches!(byte, b' ' | b'>'));
                let bare = [&tag[..name.unwrap_or(tag.len())], b">"].concat();
                let other = [b"<x-other", &tag[1.min(tag.len())..]].concat();
                for replacement in [&b""[..], &tag.repeat(2), &bare, &other] {
                    check_replacement(source, fixture, range, replacement);
                }
            }
        }
    }
}

pub(crate) enum MarkupPart {
    Tag(Range<usize>),
    Text(Range<usize>),
}

/// Splits a page into tags, the texts between them and the values of their attributes.
pub(crate) fn split_markup(body: &[u8]) -> Vec<MarkupPart> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < body.len() {
        let rest = &body[at..];
        let is_tag = rest[0] == b'<';
        let last = if is_tag { b'>' } else { b'<' };
        let length = rest
            .iter()
            .position(|byte| *byte == last)
            .map_or(rest.len(), |end| end + usize::from(is_tag));
        let range = at..at + length;
        if is_tag {
            let mut from = at;
            for word in body[range.clone()].split(|byte| *byte == b' ') {
                if let Some(equals) = word.iter().position(|byte| *byte == b'=') {
                    let value = from + equals + 1..from + word.len();
                    parts.push(MarkupPart::Text(value));
                }
                from += word.len() + 1;
            }
            parts.push(MarkupPart::Tag(range));
        } else if !body[range.clone()].trim_ascii().is_empty() {
            parts.push(MarkupPart::Text(range));
        }
        at += length;
    }
    parts
}

fn check_replacement(
    source: &dyn Source,
    fixture: &Fixture<'_>,
    range: &Range<usize>,
    replacement: &[u8],
) {
    let body = fixture.body;
    let changed = [&body[..range.start], replacement, &body[range.end..]].concat();
    let change = format!(
        "{:?} at byte {} in place of {:?}",
        String::from_utf8_lossy(replacement),
        range.start,
        String::from_utf8_lossy(&body[range.clone()])
    );
    match process_answer(source, fixture, &changed, &change).1 {
        Err(error) => check_error_location(fixture, &change, &error),
        Ok(reading) => {
            if let Err(fault) = validity::validate_reading(&reading) {
                panic!("{}, {change}: {fault}", fixture.name);
            }
        }
    }
}
