//! Texts for incomplete contests: less arrived than the site announced.

use ranklore_store::Completeness;

use crate::output::{escape_line, format_count};

/// Returns `476 of 543 comments arrived`.
pub(crate) fn describe_completeness(completeness: &Completeness) -> String {
    let arrived = format_count(completeness.arrived.into());
    let announced = format_count(completeness.announced.into());
    let items = escape_line(&completeness.items);
    format!("{arrived} of {announced} {items} arrived")
}
