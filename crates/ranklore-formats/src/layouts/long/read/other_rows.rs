//! Rows that are no results: empty ones, sums, footnotes and those of nobody.

use std::collections::HashSet;

use super::LongTableReader;
use crate::layouts::long::rows::RowGroup;
use crate::layouts::standings::{RowMark, RowResult};
use crate::values::cells::{is_blank, parse_place};
use crate::vocabulary::kinds::is_summary_label;
use crate::vocabulary::nobody::{is_forfeit, is_nobody, is_unknown_name};

impl LongTableReader<'_> {
    /// Leaves out competitors such as "Unknown" who occur several times: they are different people.
    /// "Forfeit" and "BYE" without a result name nobody.
    pub(super) fn drop_unknown_names(&mut self) {
        let lines = self.groups.iter().flat_map(|group| &group.rows);
        let unknown_lines = lines.filter(|line| {
            line.result.as_ref().is_some_and(|result| is_unknown_name(&result.competitor))
        });
        let mut rows: Vec<usize> = unknown_lines.map(|line| line.row).collect();
        if rows.len() == 1 {
            rows.clear();
        }
        rows.extend(self.find_nobodies());
        rows.sort_unstable();
        rows.dedup();
        if !rows.is_empty() {
            for group in &mut self.groups {
                group.rows.retain(|line| rows.binary_search(&line.row).is_err());
            }
        }
        self.unknown = rows;
    }

    /// Returns the rows of words such as "Forfeit" and "BYE" that stand behind all others of their
    /// contests. In any other row they are names of competitors.
    fn find_nobodies(&self) -> Vec<usize> {
        if !self.table.grid.limits().reader.refuses_doubts() {
            return Vec::new();
        }
        let mut rows = Vec::new();
        let mut competitors = HashSet::new();
        for group in &self.groups {
            for result in group.rows.iter().filter_map(|line| line.result.as_ref()) {
                let name = &*result.competitor;
                if !is_forfeit(name) && !is_nobody(name) {
                    continue;
                }
                if !self.is_last_without_result(group, result) {
                    competitors.insert(name);
                }
                rows.push((name, result.row));
            }
        }
        rows.retain(|(name, _)| !competitors.contains(name));
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// True if a row says no more than that its competitor lost to all others: no points of its own, and
    /// no place but that of a loss or of 0 points.
    fn is_last_without_result(&self, group: &RowGroup<'_>, result: &RowResult<'_>) -> bool {
        if result.score.is_some_and(|score| score.abs() > 0.0) {
            return false;
        }
        let others = group.rows.iter().filter_map(|line| line.result.as_ref());
        let mut others = others.filter(|other| other.row != result.row).map(|other| other.mark);
        let is_game = group.rows.len() == 2;
        match result.mark {
            RowMark::DidNotFinish | RowMark::Disqualified => is_game,
            RowMark::Place(place) => {
                // The places of games in words such as "W" and "L" are computed.
                let has_lost = is_game
                    && self.columns.place.is_some_and(|column| self.table.is_joined(column));
                (has_lost || result.score.is_some())
                    && others.all(|mark| matches!(mark, RowMark::Place(ahead) if ahead < place))
            }
            RowMark::Score(_) => {
                !self.columns.lower_is_better
                    && others.all(|mark| matches!(mark, RowMark::Score(score) if score > 0.0))
            }
        }
    }

    /// True if a row has no data of its own, or is one of the last rows and sums up the others.
    pub(super) fn is_summary_row(&self, row: usize) -> bool {
        row >= self.summaries_from || self.is_empty_row(row)
    }

    /// True if a row has no competitor, contest and result.
    fn is_empty_row(&self, row: usize) -> bool {
        let columns = self.columns;
        let results = [columns.place, columns.status, columns.score];
        !self.names_competitor(row)
            && !self.names_contest(row)
            && results.iter().all(|&c| is_blank(self.cell(row, c)))
    }

    pub(super) fn names_competitor(&self, row: usize) -> bool {
        let columns = [self.columns.names.people, self.columns.names.team];
        columns.iter().any(|&c| !self.cell(row, c).is_empty())
    }

    fn names_contest(&self, row: usize) -> bool {
        let columns = [self.columns.contest, self.columns.id, self.columns.date];
        columns.iter().any(|&c| !self.cell(row, c).is_empty())
    }

    /// True if the last row sums up the others, or has no data of its own.
    pub(super) fn sums_up(&self, row: usize) -> bool {
        let columns = self.columns;
        if self.is_footnote(row) {
            return true;
        }
        // A place or a status belongs to a competitor; a score may be a sum.
        let has_result = |column| !is_blank(self.cell(row, column));
        if has_result(columns.place) || has_result(columns.status) {
            return false;
        }
        if self.is_empty_row(row) {
            return true;
        }
        if self.statuses[2].parse(self.cell(row, columns.score)).is_some() {
            return false;
        }
        let is_unnamed = !self.names_competitor(row);
        let has_label_as_name = is_summary_label(self.cell(row, columns.names.people));
        let mut cells = self.table.grid.cells(row).filter(|cell| !cell.is_empty());
        let has_label = has_label_as_name || cells.next().is_some_and(is_summary_label);
        // Without places, a score without a name and a label may be a result.
        (has_label && (is_unnamed || has_label_as_name) && is_blank(self.cell(row, columns.date)))
            || (is_unnamed && !self.names_contest(row) && columns.place.is_some())
    }

    /// True if the only cell of a row is a note: "* started late", "Source: club records", or a text of
    /// several words below the places, such as "Tie break by wins".
    fn is_footnote(&self, row: usize) -> bool {
        let mut cells = self.table.grid.cells(row).filter(|cell| !cell.is_empty());
        let (Some(text), None) = (cells.next(), cells.next()) else {
            return false;
        };
        let is_marked = text.starts_with(['*', '†', '‡']) || text.contains(": ");
        let is_below_places = text == self.cell(row, self.columns.place)
            && text.starts_with(char::is_alphabetic)
            && text.contains([' ', ':'])
            && !self.names_competitor(row)
            && !self.names_contest(row);
        (is_marked || is_below_places)
            && !is_blank(text)
            && parse_place(text).is_none()
            && self.statuses[1].parse(text).is_none()
    }
}
