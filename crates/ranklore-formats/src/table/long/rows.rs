//! The rows of a long table, grouped by contest.

use crate::table::standings::{Problems, RowResult as Row};
use ranklore_contest::ContestTime;

/// The rows of one contest name, which may turn out to be several contests.
pub(super) struct RowGroup<'t> {
    pub(super) id: &'t str,
    pub(super) event: &'t str,
    /// Empty if no column names contests: then the date or the file does.
    pub(super) name: &'t str,
    pub(super) division: &'t str,
    pub(super) rows: Vec<LongRow<'t>>,
    pub(super) problems: Problems,
}

/// A row of the table, as far as it is read.
pub(super) struct LongRow<'t> {
    pub(super) row: usize,
    pub(super) date: Option<ContestTime>,
    /// `None` for a competitor who did not take part.
    pub(super) result: Option<Row<'t>>,
}

/// The rows of one contest.
pub(super) struct ContestRowGroup<'t> {
    pub(super) group: RowGroup<'t>,
    pub(super) name: String,
    pub(super) date: Option<ContestTime>,
    pub(super) row: usize,
}

impl ContestRowGroup<'_> {
    /// Returns the id, event and name, which the divisions that are held together have in common.
    pub(super) fn event_key(&self) -> (String, String) {
        let id = self.group.id.to_owned() + self.group.event;
        (id, self.name.clone())
    }
}
