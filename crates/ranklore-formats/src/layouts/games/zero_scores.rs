//! Scores of 0–0 beside a blank winner: a draw, or a game that was not played.

use super::outcome_column::OutcomeColumn;
use super::outcomes::Mark;
use crate::schema::games::GameColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;

/// The meaning of 0–0 beside a blank winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ZeroScores {
    Drawn,
    /// Other draws have a blank winner too: drawn, unless all winners are of earlier games.
    DrawnIfNotLater,
    NotPlayed,
}

impl ZeroScores {
    /// Returns the meaning in a table. A blank winner says nothing if a decided game has one, too.
    pub(super) fn find(
        table: &HeaderTable,
        columns: &GameColumns,
        winner: Option<&OutcomeColumn<'_>>,
    ) -> Self {
        let (Some(winner), Some(scores)) = (winner, columns.scores) else {
            return Self::Drawn;
        };
        if !table.grid.limits().reader.refuses_doubts() {
            return Self::Drawn;
        }
        let cells = |row: usize| scores.map(|column| table.grid.cell(row, column));
        let is_open = |row: &usize| is_open(table, winner, *row);
        if !table.data_rows().any(|row| is_zero(cells(row)) && is_open(&row)) {
            return Self::Drawn;
        }
        let mut has_equal = false;
        for [one, two] in table.data_rows().filter(is_open).map(cells) {
            if one != two {
                return Self::Drawn;
            }
            has_equal |= !is_blank(one) && !is_zero([one, two]);
        }
        if !winner.marks.values().any(|mark| *mark != Mark::Open) {
            Self::Drawn
        } else if has_equal && !winner.style.has_draws {
            Self::DrawnIfNotLater
        } else {
            Self::NotPlayed
        }
    }
}

/// True if a row has 0–0 beside a blank winner, and no other column says more.
pub(super) fn lacks_result(
    table: &HeaderTable,
    columns: &GameColumns,
    winner: &OutcomeColumn<'_>,
    row: usize,
) -> bool {
    let Some(scores) = columns.scores else {
        return false;
    };
    let pairs = columns.rival_scores.iter().chain(&columns.shootouts).flatten();
    let extra_times = columns.extra_times.iter().flat_map(|extra| extra.columns());
    let marks = [columns.outcome, columns.draw].into_iter().flatten();
    let mut others = marks.chain(columns.statuses.iter().chain(pairs).copied()).chain(extra_times);
    is_zero(scores.map(|column| table.grid.cell(row, column)))
        && is_open(table, winner, row)
        && others.all(|column| {
            let cell = table.grid.cell(row, column);
            is_blank(cell) || is_zero([cell, cell])
        })
}

fn is_zero(cells: [&str; 2]) -> bool {
    cells.iter().all(|cell| matches!(*cell, "0" | "0.0"))
}

/// True if a row names no winner.
fn is_open(table: &HeaderTable, winner: &OutcomeColumn<'_>, row: usize) -> bool {
    winner.marks.get(table.grid.cell(row, winner.column)) == Some(&Mark::Open)
}
