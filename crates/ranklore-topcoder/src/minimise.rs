//! Minimisation of responses before archiving.

use std::borrow::Cow;
use std::ops::Range;

use ranklore_source::{SiteReadError, remove_ranges};

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
    let paid = paid_ranges(body).unwrap_or_default();
    remove_ranges(body, &paid)
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
