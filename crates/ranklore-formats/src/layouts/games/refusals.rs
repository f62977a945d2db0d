//! The reasons to refuse a row of a table of games.

use super::outcome_column::{may_count_from_zero, may_hold_ids};
use super::outcomes::Verdict;
use crate::schema::game_claims::Pair;
use crate::schema::games::GameColumns;
use crate::schema::people::paired_names::ignore_options;
use crate::schema::table::HeaderTable;
use crate::values::statuses::status_option;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::{Quoted, shorten};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// A column and the reason to refuse its cell.
pub(super) type Refusal = (usize, Reason);

/// A verdict about a game, and the columns that have it.
#[derive(Clone, Copy)]
pub(super) struct OutcomeDecision {
    pub(super) verdict: Verdict,
    pub(super) basis: Basis,
}

/// The columns that decide a game.
#[derive(Clone, Copy)]
pub(super) enum Basis {
    Names,
    Numbers(Pair),
    Cell(usize),
}

impl Basis {
    /// Returns the columns; of the names, the first.
    fn columns(self, columns: &GameColumns) -> Vec<usize> {
        match self {
            Self::Names => vec![columns.names[0]],
            Self::Numbers(pair) => pair.to_vec(),
            Self::Cell(column) => vec![column],
        }
    }
}

/// Returns the reason to refuse a cell that is no result.
pub(super) fn refuse_cell(table: &HeaderTable, column: usize, text: &str) -> String {
    format!(
        "{} in {} is not a result such as 1-0, 0.5, 3:1 or draw",
        Quoted(&shorten(text)),
        table.describe_column(column)
    )
}

/// Returns the reason to refuse a cell that is neither a result nor the name of a competitor.
pub(super) fn refuse_unknown(
    table: &HeaderTable,
    columns: &GameColumns,
    column: usize,
    text: &str,
    [one, two]: [&str; 2],
) -> String {
    if columns.winner != Some(column) {
        return refuse_cell(table, column, text);
    }
    format!(
        "{} in {} is neither {} nor {}, and no word for a result",
        Quoted(&shorten(text)),
        table.describe_column(column),
        Quoted(&shorten(one)),
        Quoted(&shorten(two))
    )
}

/// Returns the reason to refuse two verdicts that differ; the column is one of the second.
pub(super) fn refuse_contradiction(
    table: &HeaderTable,
    columns: &GameColumns,
    decisions: [OutcomeDecision; 2],
    names: [&str; 2],
) -> Refusal {
    let mut claims = Vec::new();
    let mut options = Vec::new();
    for OutcomeDecision { verdict, basis } in decisions {
        let basis_columns = basis.columns(columns);
        let outcome = match verdict {
            Verdict::Won(seat) => format!("{} won", Quoted(&shorten(names[seat.index()]))),
            Verdict::Drawn => "the game was drawn".to_owned(),
        };
        claims.push(format!("by {} {outcome}", table.describe_columns(&basis_columns)));
        // Without names, there is no game.
        if !matches!(basis, Basis::Names) {
            let ignored = basis_columns.iter().map(|&column| table.ignore_option(column));
            options.extend(ignored.reduce(CommandOptions::and));
        }
    }
    let listed: Vec<String> = options.iter().map(ToString::to_string).collect();
    let reason =
        format!("{}: correct the row, or pass {}", claims.join(", and "), listed.join(" or "));
    (decisions[1].basis.columns(columns)[0], Reason::from(reason).naming(options))
}

/// Returns the reason to refuse a drawn game of which a text says that some side won.
pub(super) fn refuse_drawn_win(table: &HeaderTable, column: usize, text: &str) -> Refusal {
    let problem = format!("the game is drawn, and {} says that a side won", Quoted(&shorten(text)));
    let cases = [
        (status_option(text, "dns"), "to leave it out"),
        (table.ignore_option(column), "if such games are draws"),
    ];
    (column, Reason::with_options(problem, cases))
}

/// Returns the reason to refuse the scores of a game beside a shootout.
pub(super) fn refuse_shootout(table: &HeaderTable, shootouts: Pair, is_drawn: bool) -> Refusal {
    let options = ignore_options(table, shootouts);
    let column = table.describe_column(shootouts[0]);
    let reason = if is_drawn {
        format!(
            "the scores are equal, and {column} decides the game: pass {options} if such games are draws, or add a column headed \"winner\""
        )
    } else {
        format!(
            "the scores differ, but {column} says that a shootout followed, as it does after equal scores: write the scores before the shootout, or pass {options} if these scores decide"
        )
    };
    (shootouts[0], Reason::from(reason).naming([options]))
}

/// Returns the reason to refuse a name that is a word for a result, too.
pub(super) fn refuse_name(text: &str) -> String {
    format!(
        "{} is the name of a competitor and a word for a result; write the result in another way",
        Quoted(text)
    )
}

/// Returns the error for a column of numbers with several readings.
pub(super) fn refuse_numbers(
    table: &HeaderTable,
    columns: &GameColumns,
    column: usize,
) -> FileReadError {
    let problem = format!("the numbers of {} have several readings", table.describe_column(column));
    let one = table.describe_column(columns.names[0]);
    if may_count_from_zero(table, columns, column) {
        if may_hold_ids(table, columns, column) {
            let advice = "write the names of the winners in place of the numbers";
            return table.refuse_column(column, Reason::from(format!("{problem}: {advice}")));
        }
        let cases = [
            (
                table.column_option(column, ColumnMeaning::Winner),
                "if 0 and 1 are the numbers in the headings of the sides".to_owned(),
            ),
            (CommandOptions::new("--outcome", "points"), format!("if 1 is a win of {one}")),
        ];
        return table.refuse_column(column, Reason::with_options(problem, cases));
    }
    let cases = [
        ("points", format!("if 1, 0.5 and 0 are the points of {one}")),
        ("points-of-2", "if 2, 1 and 0 are".to_owned()),
        ("winner", "if 1 and 2 number the winner and 0 is a draw".to_owned()),
    ];
    let cases = cases.map(|(kind, case)| (CommandOptions::new("--outcome", kind), case));
    table.refuse_column(column, Reason::with_options(problem, cases))
}
