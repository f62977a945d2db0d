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

/// One row of the table.
pub(super) struct LongRow<'t> {
    pub(super) row: usize,
    pub(super) date: Option<ContestTime>,
    /// `None` for a competitor who did not take part.
    pub(super) result: Option<Row<'t>>,
}
