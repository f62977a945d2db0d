//! Scores after extra time and shootouts, beside those of the regular time.

use std::collections::BTreeMap;

use super::outcomes::{Mark, Verdict};
use super::refusals::{Basis, OutcomeDecision, Refusal, refuse_cell};
use crate::schema::game_claims::ExtraTime;
use crate::schema::games::GameColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::Pairing;
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The outcome after the regular time.
#[derive(Clone, Copy)]
pub(super) struct ExtraTimeDecision {
    pub(super) decision: OutcomeDecision,
    /// `None` after a shootout without scores before it.
    pub(super) scores: Option<[f64; 2]>,
}

impl Basis {
    /// True for columns of what happened after the regular time.
    pub(super) fn is_extra_time(self, columns: &GameColumns) -> bool {
        let pair = match self {
            Self::Names => return false,
            Self::Numbers(pair) => pair,
            Self::Cell(column) => [column; 2],
        };
        columns.extra_times.iter().any(|extra| extra.pair == pair)
    }
}

/// Returns the numbers of both competitors after the regular time. `None` if it decided the game.
pub(super) fn read_extra_time(
    table: &HeaderTable,
    row: usize,
    extra: ExtraTime,
) -> Result<Option<[f64; 2]>, Refusal> {
    let [one, two] = extra.pair;
    let cells = extra.pair.map(|column| table.grid.cell(row, column));
    if cells.iter().all(|cell| is_blank(cell)) {
        return Ok(None);
    }
    if one == two {
        return match Mark::parse(cells[0], Pairing::HomeAway, &[String::new(), String::new()]) {
            Mark::Scores(one, two) => Ok(Some([one, two])),
            Mark::Open => Ok(None),
            _ => Err((one, refuse_cell(table, one, cells[0]).into())),
        };
    }
    let mut numbers = [0.0; 2];
    for ((number, cell), column) in numbers.iter_mut().zip(cells).zip(extra.pair) {
        let parsed = cell.replace(',', ".").parse().ok().filter(|n: &f64| n.is_finite());
        let Some(parsed) = parsed else {
            return Err((column, refuse_cell(table, column, cell).into()));
        };
        *number = parsed;
    }
    Ok(Some(numbers))
}

/// Returns the outcome after the regular time, with the scores after it if they are no shootout.
pub(super) fn decide_by_extra_time(
    table: &HeaderTable,
    columns: &GameColumns,
    row: usize,
    lower_is_better: bool,
) -> Result<Option<ExtraTimeDecision>, Refusal> {
    let mut last: Option<ExtraTimeDecision> = None;
    for &extra in &columns.extra_times {
        let Some(numbers) = read_extra_time(table, row, extra)? else {
            continue;
        };
        let verdict = Verdict::from_scores(numbers, lower_is_better && !extra.is_shootout);
        let basis = match extra.pair {
            [one, two] if one == two => Basis::Cell(one),
            pair => Basis::Numbers(pair),
        };
        let scores = if extra.is_shootout {
            last.and_then(|before| before.scores)
        } else {
            Some(numbers)
        };
        let decision = OutcomeDecision { verdict, basis };
        let is_open = last.is_none_or(|before| before.decision.verdict == Verdict::Drawn);
        if is_open {
            last = Some(ExtraTimeDecision { decision, scores });
        }
    }
    Ok(last)
}

/// Columns after the regular time that are not read, with the drawn games that they decide.
pub(super) struct UnreadExtraTimes<'t> {
    table: &'t HeaderTable,
    candidates: Vec<Candidate>,
}

struct Candidate {
    extra: ExtraTime,
    decided: usize,
    first_row: usize,
}

impl<'t> UnreadExtraTimes<'t> {
    /// Finds the columns that are neither read nor excluded by the user.
    pub(super) fn find(
        table: &'t HeaderTable,
        columns: &GameColumns,
        stated_meanings: &BTreeMap<String, ColumnMeaning>,
    ) -> Self {
        let is_stated = |column: &usize| stated_meanings.contains_key(table.heading(*column));
        let unread: Vec<usize> = table
            .unread_columns(&columns.used)
            .into_iter()
            .filter(|c| !is_stated(c))
            .collect();
        let candidates =
            ExtraTime::find(&table.grid, table.header_row, &unread)
                .into_iter()
                .map(|extra| Candidate {
                    extra,
                    decided: 0,
                    first_row: 0,
                });
        Self {
            table,
            candidates: candidates.collect(),
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Adds a row whose game is drawn by the columns that are read.
    pub(super) fn add_draw(&mut self, row: usize) {
        for candidate in &mut self.candidates {
            let numbers = read_extra_time(self.table, row, candidate.extra);
            if let Ok(Some(numbers)) = numbers
                && Verdict::from_scores(numbers, false) != Verdict::Drawn
            {
                if candidate.decided == 0 {
                    candidate.first_row = row;
                }
                candidate.decided += 1;
            }
        }
    }

    /// Errors if a column that is not read decides a game that would be a draw.
    pub(super) fn check(&self) -> Result<(), FileReadError> {
        let table = self.table;
        let decisive = || self.candidates.iter().filter(|candidate| candidate.decided > 0);
        let filled = |candidate: &&Candidate| {
            let cells = table.values(candidate.extra.pair[0]);
            let filled = cells.filter(|cell| !is_blank(cell)).count();
            (!candidate.extra.is_shootout, candidate.decided, filled)
        };
        let Some(best) = decisive().max_by_key(filled) else {
            return Ok(());
        };
        let [one, two] = best.extra.pair;
        let (read, columns) = if one == two {
            let option = table.column_option(one, ColumnMeaning::Outcome);
            (option, table.describe_column(one))
        } else {
            let score = table.column_option(one, ColumnMeaning::Score1);
            let option = score.and(table.column_option(two, ColumnMeaning::Score2));
            (option, table.describe_columns(&best.extra.pair))
        };
        let ignored = decisive().flat_map(|candidate| candidate.extra.columns());
        let ignored = ignored.map(|column| table.ignore_option(column));
        let ignore = ignored.reduce(CommandOptions::and).unwrap_or_default();
        let games = match best.decided {
            1 => "1 game that is".to_owned(),
            count => format!("{count} games that are"),
        };
        let problem = format!(
            "{columns} would decide {games} a draw without it, first on {}",
            table.grid.row_location(best.first_row)
        );
        let cases = [(read, "if it decides"), (ignore, "if such games are draws")];
        Err(table.refuse_column(one, Reason::with_options(problem, cases)))
    }
}
