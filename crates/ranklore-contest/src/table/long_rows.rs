//! The parts of a long table: its columns, its rows, and rows grouped by contest.

use std::collections::HashMap;

use super::standings::{Problems, RowResult as Row};
use crate::time::UnixSeconds;

/// The indices of the columns.
#[derive(Clone)]
pub(super) struct LongColumns {
    pub(super) contest: Option<usize>,
    pub(super) id: Option<usize>,
    pub(super) event: Option<usize>,
    pub(super) date: Option<usize>,
    pub(super) division: Option<usize>,
    pub(super) ordinal: Option<usize>,
    pub(super) url: Option<usize>,
    pub(super) weight: Option<usize>,
    pub(super) place: Option<usize>,
    pub(super) score: Option<usize>,
    pub(super) penalty: Option<usize>,
    pub(super) competitor: Option<usize>,
    pub(super) team: Option<usize>,
    pub(super) status: Option<usize>,
    pub(super) lower_is_better: bool,
    pub(super) used: HashMap<usize, &'static str>,
}

/// The rows of one contest name, which may turn out to be several contests.
pub(super) struct RowGroup<'t> {
    pub(super) id: &'t str,
    pub(super) event: &'t str,
    /// Empty if no column names contests: then the date or the file does.
    pub(super) name: &'t str,
    pub(super) division: &'t str,
    pub(super) rows: Vec<LongRow>,
    pub(super) problems: Problems,
}

/// One row of the table.
pub(super) struct LongRow {
    pub(super) row: usize,
    pub(super) date: Option<UnixSeconds>,
    /// `None` for a competitor who did not take part.
    pub(super) result: Option<Row>,
}
