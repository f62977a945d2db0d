//! Minimisation of responses before archiving.

use std::borrow::Cow;
use std::ops::Range;

use ranklore_source::ReadError;

use crate::ask::Question;
use crate::feeds::feed::{Feed, Part};
use crate::feeds::results;

/// The field with payments, which are private.
const PAID: &[u8] = b"paid";

/// Removes payments from results; keeps other responses unchanged.
pub(crate) fn minimise(question: Option<Question>, body: &[u8]) -> Cow<'_, [u8]> {
    if !matches!(question, Some(Question::Results(_))) {
        return Cow::Borrowed(body);
    }
    // An unreadable response is kept unchanged.
    let Ok(paid) = paid(body) else {
        return Cow::Borrowed(body);
    };
    if paid.is_empty() {
        return Cow::Borrowed(body);
    }
    let mut left = Vec::with_capacity(body.len());
    let mut from = 0;
    for range in paid {
        left.extend_from_slice(&body[from..range.start]);
        from = range.end;
    }
    left.extend_from_slice(&body[from..]);
    Cow::Owned(left)
}

fn paid(body: &[u8]) -> Result<Vec<Range<usize>>, ReadError> {
    let mut feed = Feed::open("", body, results::ROOT)?;
    let mut ranges = Vec::new();
    while let Some(part) = feed.next()? {
        if let Part::Field(field) = part
            && field.name == PAID
        {
            ranges.push(field.range);
        }
    }
    Ok(ranges)
}
