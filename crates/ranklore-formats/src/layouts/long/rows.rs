//! The rows of a long table, grouped by contest.

use crate::layouts::standings::{Problems, RowMark, RowResult as Row};
use crate::schema::long::LongColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
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

    /// Returns the marks of the results, in the order of the rows.
    pub(super) fn marks(&self) -> impl Iterator<Item = RowMark> + Clone {
        self.group.rows.iter().filter_map(|line| Some(line.result.as_ref()?.mark))
    }
}

/// True if a row only names a person: a member of the team on a row above, which has no person.
pub(super) fn is_member_row(table: &HeaderTable, columns: &LongColumns, row: usize) -> bool {
    let names = &columns.names;
    let others = [names.team, columns.contest, columns.id, columns.date];
    let results = [columns.place, columns.status, columns.score];
    names.team.is_some()
        && !table.cell(row, names.people).is_empty()
        && others.iter().all(|&column| table.cell(row, column).is_empty())
        && results.iter().all(|&column| is_blank(table.cell(row, column)))
}

/// Returns a row of a team and the rows of its members below it.
pub(super) fn with_member_rows(
    table: &HeaderTable,
    columns: &LongColumns,
    row: usize,
) -> impl Iterator<Item = usize> {
    let below = row + 1..table.grid.row_count();
    let members = below.take_while(|&row| is_member_row(table, columns, row));
    std::iter::once(row).chain(members)
}
