//! Sort order of consecutive rows.

use std::cmp::Ordering;

/// The previous row in a table that is sorted by number, key and kind.
#[derive(Default)]
pub(super) struct PreviousRow(Option<(i64, String, String)>);

impl PreviousRow {
    /// Compares the previous row with this one, which then becomes the previous row. Returns `Less`
    /// for the first row.
    pub(super) fn compare_and_advance(&mut self, number: i64, key: &str, kind: &str) -> Ordering {
        let Some((last, last_key, last_kind)) = &mut self.0 else {
            self.0 = Some((number, key.to_owned(), kind.to_owned()));
            return Ordering::Less;
        };
        let order = (*last, &**last_key, &**last_kind).cmp(&(number, key, kind));
        *last = number;
        key.clone_into(last_key);
        kind.clone_into(last_kind);
        order
    }
}
