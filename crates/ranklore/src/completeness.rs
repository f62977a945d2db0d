//! Words for contests of which less arrived than their site announced.

use ranklore_store::Completeness;

use crate::output::{count, visible_line};

/// `476 of 543 comments arrived`
pub(crate) fn arrived(of: &Completeness) -> String {
    let (arrived, announced) = (count(of.arrived.into()), count(of.announced.into()));
    let items = visible_line(&of.items);
    format!("{arrived} of {announced} {items} arrived")
}
