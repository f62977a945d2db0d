//! Minimisation of responses before archiving.

use std::borrow::Cow;
use std::ops::Range;

use ranklore_source::SiteReadError;

use crate::feeds::reader::{FeedEvent, FeedReader};
use crate::feeds::results;
use crate::requests::TopcoderRequest;

/// The field with payments, which are private.
const PAID_FIELD: &[u8] = b"paid";

/// Removes payments from results; keeps other responses unchanged.
pub(crate) fn minimise(question: Option<TopcoderRequest>, body: &[u8]) -> Cow<'_, [u8]> {
    if !matches!(question, Some(TopcoderRequest::RoundResults(_))) {
        return Cow::Borrowed(body);
    }
    // An unreadable response is kept unchanged.
    let Ok(paid) = paid_ranges(body) else {
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

fn paid_ranges(body: &[u8]) -> Result<Vec<Range<usize>>, SiteReadError> {
    let mut feed = FeedReader::open("", body, results::ROOT_ELEMENT)?;
    let mut ranges = Vec::new();
    while let Some(part) = feed.next()? {
        if let FeedEvent::Field(field) = part
            && field.name == PAID_FIELD
        {
            ranges.push(field.range);
        }
    }
    Ok(ranges)
}
