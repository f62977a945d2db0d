//! Texts for incomplete contests: less arrived than the site announced.

use ranklore_store::Completeness;

use crate::output::{count, visible_line};

/// Returns `476 of 543 comments arrived`.
pub(crate) fn arrived(of: &Completeness) -> String {
    let (arrived, announced) = (count(of.arrived.into()), count(of.announced.into()));
    let items = visible_line(&of.items);
    format!("{arrived} of {announced} {items} arrived")
}
