//! Scores of 0–0: a draw, or a game that was not played.

use super::outcome_column::OutcomeColumn;
use super::outcomes::Mark;
use crate::schema::games::GameColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::values::statuses::status_option;
use ranklore_grid::{FileReadError, Reason};

/// The word of `--status` for all games with scores of 0–0.
pub(super) const ZERO_SCORES: &str = "0-0";

/// The fewest games of 0–0 beside each other that hardly are draws if there are no others.
const MIN_DOUBTFUL: usize = 2;

/// The meaning of 0–0, beside a blank winner if there is a column of winners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ZeroScores {
    Drawn,
    /// Other draws have a blank winner too: drawn, unless all winners are of earlier games.
    DrawnIfNotLater,
    NotPlayed,
    /// No column names winners, and all such games stand together in the first or the last rows, as
    /// those that are to come.
    Doubtful,
}

impl ZeroScores {
    /// Returns the meaning in a table. A blank winner says nothing if a decided game has one, too.
    pub(super) fn find(
        table: &HeaderTable,
        columns: &GameColumns,
        winner: Option<&OutcomeColumn<'_>>,
    ) -> Self {
        let Some(scores) = columns.scores else {
            return Self::Drawn;
        };
        if !table.grid.limits().reader.refuses_doubts() {
            return Self::Drawn;
        }
        let Some(winner) = winner else {
            return if are_apart(table, columns, scores) {
                Self::Doubtful
            } else {
                Self::Drawn
            };
        };
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

/// Returns the error for scores of 0–0 that stand apart.
pub(super) fn refuse_zero_scores(table: &HeaderTable, scores: [usize; 2]) -> FileReadError {
    let cells = |row: usize| scores.map(|column| table.grid.cell(row, column));
    let rows = || table.data_rows().filter(|&row| is_zero(cells(row)));
    let problem = format!(
        "{} games of 0–0 stand beside each other and no other game has these scores: they may not have been played",
        rows().count()
    );
    let cases = [
        (status_option(ZERO_SCORES, "dns"), "to leave them out"),
        (status_option(ZERO_SCORES, "finished"), "if they are draws"),
    ];
    let row = rows().next().unwrap_or_default();
    let at = table.grid.location(row, scores[0]);
    FileReadError::new(at, Reason::with_options(problem, cases))
}

/// True if scores alone decide, and the games of 0–0 are the first rows or the last ones.
fn are_apart(table: &HeaderTable, columns: &GameColumns, scores: [usize; 2]) -> bool {
    let others = [columns.outcome, columns.draw].into_iter().flatten();
    let pairs = columns.rival_scores.iter().chain(&columns.shootouts).flatten();
    if others.chain(columns.statuses.iter().chain(pairs).copied()).next().is_some() {
        return false;
    }
    let zeros: Vec<bool> = table
        .data_rows()
        .map(|row| scores.map(|column| table.grid.cell(row, column)))
        .filter(|cells| !cells.iter().all(|cell| is_blank(cell)))
        .map(is_zero)
        .collect();
    let count = zeros.iter().filter(|is_zero| **is_zero).count();
    let are_last = zeros.is_sorted();
    let are_first = zeros.is_sorted_by(|a, b| a >= b);
    count >= MIN_DOUBTFUL && count < zeros.len() && (are_last || are_first)
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

pub(super) fn is_zero(cells: [&str; 2]) -> bool {
    cells.iter().all(|cell| matches!(*cell, "0" | "0.0"))
}

/// True if a row names no winner.
fn is_open(table: &HeaderTable, winner: &OutcomeColumn<'_>, row: usize) -> bool {
    winner.marks.get(table.grid.cell(row, winner.column)) == Some(&Mark::Open)
}
