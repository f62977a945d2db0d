//! The words and the JSON for contests of which less arrived than their site announced.

use ranklore_store::Completeness;
use serde_json::{Value, json};

use crate::output::{count, visible_line};

/// `476 of 543 comments arrived`
pub(crate) fn arrived(of: &Completeness) -> String {
    let (arrived, announced) = (count(of.arrived.into()), count(of.announced.into()));
    let items = visible_line(&of.items);
    format!("{arrived} of {announced} {items} arrived")
}

/// An object, or null where the site announced nothing.
pub(crate) fn completeness_json(of: Option<&Completeness>) -> Value {
    of.map_or(Value::Null, |of| {
        json!({
            "items": of.items,
            "announced": of.announced,
            "arrived": of.arrived,
            "fruitless_syncs": of.fruitless_syncs,
            "incomplete": of.is_incomplete(),
        })
    })
}
