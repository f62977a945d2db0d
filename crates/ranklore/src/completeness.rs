//! Texts for incomplete contests: less arrived than the site announced.

use ranklore_store::Completeness;

use crate::output::{escape_line, format_count};

/// Returns `476 of 543 comments arrived`.
pub(crate) fn arrived(of: &Completeness) -> String {
    let (arrived, announced) = (
        format_count(of.arrived.into()),
        format_count(of.announced.into()),
    );
    let items = escape_line(&of.items);
    format!("{arrived} of {announced} {items} arrived")
}
