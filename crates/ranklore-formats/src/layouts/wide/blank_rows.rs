//! Rows of a wide table that name a competitor and have no result.

use super::WideTable;
use crate::values::cells::is_blank;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::Quoted;
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The fewest rows without results that hardly stand below others by chance.
const MIN_BLANK_ROWS: usize = 2;

impl WideTable<'_> {
    /// Errors if rows with a name and no place or result stand below most of the others: they can be
    /// members of a crew, whose results are those of the row above. Notes such rows elsewhere.
    pub(super) fn check_blank_rows(&self, notes: &mut Vec<String>) -> Result<(), FileReadError> {
        let grid = &self.table.grid;
        let ranking = [ColumnMeaning::Place, ColumnMeaning::Score];
        let ranking = ranking.into_iter().find_map(|meaning| self.table.first_column(meaning));
        let Some(ranking) = ranking.filter(|_| grid.limits().reader.refuses_doubts()) else {
            return Ok(());
        };
        let is_row_blank = |row: usize| {
            let mut columns = self.rounds.iter().copied().chain([ranking]);
            columns.all(|column| is_blank(grid.cell(row, column)))
        };
        let name = |row: usize| self.names.cell(self.table, row);
        let named = self.players.iter().copied().filter(|&row| !name(row).is_empty());
        let rows: Vec<(usize, bool)> = named.map(|row| (row, is_row_blank(row))).collect();
        let are_blank: Vec<bool> = rows.iter().map(|&(_, is_blank)| is_blank).collect();
        let blank_count = are_blank.iter().filter(|is_blank| **is_blank).count();
        let Some(&(first, _)) = rows.iter().find(|(_, is_blank)| *is_blank) else {
            return Ok(());
        };
        let crews = are_blank.windows(2).filter(|pair| matches!(pair, [false, true])).count();
        let ends_blank =
            are_blank[are_blank.len() - blank_count..].iter().all(|is_blank| *is_blank);
        let others = are_blank.len() - blank_count;
        // Rows in another order, such as that of names, have blank ones anywhere.
        let filled = rows.iter().filter(|(_, is_blank)| !is_blank);
        let ranks: Vec<f64> = filled
            .filter_map(|&(row, _)| grid.cell(row, ranking).trim().parse().ok())
            .collect();
        let is_ranked = ranks.is_sorted() || ranks.is_sorted_by(|a, b| a >= b);
        if ends_blank || blank_count < MIN_BLANK_ROWS || 2 * crews < others || !is_ranked {
            let location = grid.row_location(first);
            notes.push(format!("rows without a result: {blank_count}, the first on {location}"));
            return Ok(());
        }
        let problem = format!(
            "{} has no place or result, as others below a row with results: write the members of a crew in the row of its results",
            Quoted(name(first))
        );
        let heading = self.table.heading(ranking);
        let leave_out = CommandOptions::new("--where", format!("{heading}!="));
        let reason = format!("{problem}, or pass {leave_out} to leave such rows out");
        Err(FileReadError::new(
            grid.row_location(first),
            Reason::from(reason).naming([leave_out]),
        ))
    }
}
