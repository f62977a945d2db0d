//! Numbered scores beside sides whose columns stand in the other order: `visitor`, `home`, `score1`,
//! `score2`.

use super::GameColumns;
use crate::schema::game_claims::{Claim, Pair, STATED};
use crate::schema::table::HeaderTable;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::Pairing;
use crate::vocabulary::words::split_words;
use ranklore_grid::{FileReadError, Reason};

impl GameColumns {
    /// Pairs numbered scores with the sides that they follow, if these alone decide. Errors if the
    /// column of the second side stands first, and the scores follow both: the first score can be
    /// that of the first column or of the first side.
    pub(super) fn pair_scores(
        &mut self,
        table: &HeaderTable,
        claims: &[Claim],
    ) -> Result<(), FileReadError> {
        let is_numbered = |column: usize| matches!(&claims[column], Claim::Seat(heading) if heading.pairing.is_none() && heading.word != STATED);
        let Some([first, second]) = self.scores.filter(|scores| is_numbered(scores[0])) else {
            return Ok(());
        };
        let have_order = match self.pairing {
            Pairing::Numbered => !self.names.iter().all(|&name| has_number(table.heading(name))),
            pairing => pairing != Pairing::WinnerLoser,
        };
        let are_reversed = self.names[0] > self.names[1] && first < second;
        if !have_order
            || !are_reversed
            || self.winner.or(self.outcome).is_some()
            || !table.grid.limits().reader.refuses_doubts()
        {
            return Ok(());
        }
        if follow(self.names, [second, first]) {
            self.scores = Some([second, first]);
            return Ok(());
        }
        let [one, two] = self.names.map(|column| table.describe_column(column));
        let cases = [[first, second], [second, first]].map(|[one_score, two_score]| {
            let options = table.column_option(one_score, ColumnMeaning::Score1);
            let options = options.and(table.column_option(two_score, ColumnMeaning::Score2));
            (
                options,
                format!("if {} has the scores of {one}", table.describe_column(one_score)),
            )
        });
        let problem = format!(
            "{} has the scores of {one} or of {two}, which stands before it",
            table.describe_column(first)
        );
        Err(table.refuse_column(first, Reason::with_options(problem, cases)))
    }
}

/// True if a heading names its side by a number or a letter: `player2`, `team_b`.
fn has_number(heading: &str) -> bool {
    let is_number =
        |word: &String| word.chars().count() == 1 || word.contains(|c: char| c.is_ascii_digit());
    split_words(heading).iter().any(is_number)
}

/// True if each score stands behind the name of its side.
pub(crate) fn follow(names: Pair, scores: Pair) -> bool {
    names.map(|name| name + 1) == scores
}
