//! The reasons to refuse a row of a table of games.

use super::columns::GameColumns;
use super::outcomes::Verdict;
use super::verdicts::{Basis, Judge, Refusal};
use crate::reading::FileReadError;
use crate::table::columns::ColumnMeaning;
use crate::table::header::HeaderTable;
use ranklore_contest::{Quoted, shorten};

impl Judge<'_> {
    pub(super) fn refuse_cell(&self, column: usize, text: &str) -> String {
        format!(
            "{} in {} is not a result such as 1-0, 0.5, 3:1 or draw",
            Quoted(&shorten(text)),
            self.table.describe_column(column)
        )
    }

    pub(super) fn refuse_unknown(
        &self,
        column: usize,
        text: &str,
        [one, two]: [&str; 2],
    ) -> String {
        if self.columns.winner == Some(column) {
            format!(
                "{} in {} is neither {} nor {}, and no word for a result",
                Quoted(&shorten(text)),
                self.table.describe_column(column),
                Quoted(&shorten(one)),
                Quoted(&shorten(two))
            )
        } else {
            self.refuse_cell(column, text)
        }
    }

    pub(super) fn refuse_contradiction(
        &self,
        (verdict, source): (Verdict, Basis),
        found: Option<(Verdict, Basis)>,
        names: [&str; 2],
    ) -> Refusal {
        let first = match source {
            Basis::Names => self.columns.names[0],
            Basis::Scores => self.columns.scores.unwrap_or_default()[0],
            Basis::Cell(column) => column,
        };
        let mut claims = Vec::new();
        let mut options = Vec::new();
        for (verdict, source) in found.into_iter().chain([(verdict, source)]) {
            let columns = match source {
                Basis::Names => vec![self.columns.names[0]],
                Basis::Scores => self.columns.scores.unwrap_or_default().to_vec(),
                Basis::Cell(column) => vec![column],
            };
            let says = match verdict {
                Verdict::Won(seat) => format!("{} won", Quoted(&shorten(names[seat.index()]))),
                Verdict::Drawn => "the game was drawn".to_owned(),
            };
            claims.push(format!(
                "by {} {says}",
                self.table.describe_columns(&columns)
            ));
            if !matches!(source, Basis::Names) {
                let ignore = columns.iter().map(|&of| {
                    format!(
                        "--column {}",
                        self.table.column_option(of, ColumnMeaning::Ignore)
                    )
                });
                options.push(ignore.collect::<Vec<_>>().join(" "));
            }
        }
        let why = format!(
            "{}: correct the row, or pass {}",
            claims.join(", and "),
            options.join(" or ")
        );
        (first, why)
    }
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
    FileReadError::new(
        table.grid.location(table.header_row, column),
        format!(
            "the numbers of {} have several readings: pass --outcome points if 1, 0.5 and 0 are the points of {one}, --outcome points-of-2 if 2, 1 and 0 are, or --outcome winner if 1 and 2 number the winner and 0 is a draw",
            table.describe_column(column),
            one = table.describe_column(columns.names[0]),
        ),
    )
}
