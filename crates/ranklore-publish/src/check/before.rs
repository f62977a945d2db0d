//! Rows against those that they have to come after.

use std::cmp::Ordering;

/// The row before, among rows that go by number, key and kind.
#[derive(Default)]
pub(super) struct Before(Option<(i64, String, String)>);

impl Before {
    /// How the row before stands to this one, which is the one before of the next; less where
    /// there was none.
    pub(super) fn then(&mut self, number: i64, key: &str, kind: &str) -> Ordering {
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
