//! Columns that are not read, and whose cells say who won.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::GameColumns;
use crate::schema::game_claims::Pair;
use crate::schema::people::side_results::SideResult;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::vocabulary::headings::find_game_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::{Pairing, heading_word};
use crate::vocabulary::words::{has_word, split_words};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The most columns of numbers that are compared with the winners.
const MAX_COLUMNS: usize = 40;

/// Words of headings of columns that name the winner of a game.
const WINNER_WORDS: &str = "winner victor sieger vencedor ganador vainqueur";

/// Words beside them for the winner of something else.
const OTHER_WINNERS: &str = "toss coin bid lottery predicted prediction expected pick";

/// Headings of numbers of games between two competitors.
const COUNTS: &str = "win wins won victories matches games count h2h siege victoires victorias vittorie \
     zwyciestwa";

/// Headings of flags of games that ended.
const FINISHED: &str = "completed iscompleted complete finished isfinished played isplayed ended isended over done \
     gespielt beendet termine joue jugado finalizado jogado giocata odehrano rozegrany";

impl GameColumns {
    /// Reads two columns of numbers as the scores if they agree with all winners, and are equal where a
    /// winner is blank: those games were drawn.
    pub(super) fn find_unread_scores(&mut self, table: &mut HeaderTable) {
        let Some(winner) = self.winner.filter(|_| self.scores.is_none() && self.outcome.is_none())
        else {
            return;
        };
        if !table.grid.limits().reader.refuses_doubts() || !table.values(winner).any(is_blank) {
            return;
        }
        let is_number = |cell: &str| cell.parse::<f64>().is_ok();
        let mut numbers = table.unread_columns(&self.used);
        numbers.retain(|&column| table.holds_only(column, is_number));
        numbers.truncate(MAX_COLUMNS);
        let pairs = numbers
            .iter()
            .enumerate()
            .flat_map(|(at, &one)| numbers[at + 1..].iter().map(move |&two| [one, two]));
        let mut scores = pairs.filter(|&pair| self.agree_with_winners(table, winner, pair));
        let (Some(pair), None) = (scores.next(), scores.next()) else {
            return;
        };
        self.scores = Some(pair);
        let meanings = [ColumnMeaning::Score1, ColumnMeaning::Score2].map(ColumnMeaning::as_str);
        self.used.extend(pair.into_iter().zip(meanings));
        let columns = table.describe_columns(&pair);
        table
            .grid
            .notes
            .push(format!("{columns} agree with all winners: they are the scores"));
    }

    /// True if the winner of each game has the larger number, and no winner is blank but where both are equal.
    fn agree_with_winners(&self, table: &HeaderTable, winner: usize, pair: Pair) -> bool {
        let mut decided = 0;
        let mut drawn = 0;
        table.data_rows().all(|row| {
            let cell = |column| table.grid.cell(row, column);
            let [Ok(one), Ok(two)] = pair.map(|column| cell(column).parse::<f64>()) else {
                return is_blank(cell(winner));
            };
            if is_blank(cell(winner)) {
                drawn += 1;
                return (one - two).abs() < f64::EPSILON;
            }
            decided += 1;
            let [is_first, is_second] = self.names.map(|name| cell(name) == cell(winner));
            is_first != is_second && (one > two) == is_first && (one < two) == is_second
        }) && decided > 0
            && drawn > 0
    }

    /// Errors if scores decide, and an unread column headed as the winner holds numbers.
    pub(super) fn check_unread_winner(&self, table: &HeaderTable) -> Result<(), FileReadError> {
        let decides = self.winner.is_none() && self.outcome.is_none() && self.scores.is_some();
        if !decides || !table.grid.limits().reader.refuses_doubts() {
            return Ok(());
        }
        let is_winner = |&column: &usize| {
            let words = split_words(table.heading(column));
            words.iter().any(|word| has_word(WINNER_WORDS, word))
                && !words.iter().any(|word| has_word(OTHER_WINNERS, word))
                && table.holds_several(column)
                && table.holds_only(column, |cell| matches!(cell, "0" | "1" | "2"))
        };
        let Some(column) = table.unread_columns(&self.used).into_iter().find(is_winner) else {
            return Ok(());
        };
        let problem = format!(
            "{} may number the winners, and the scores decide",
            table.describe_column(column)
        );
        let cases = [(table.ignore_option(column), "if the scores are right")];
        let reason = Reason::with_options(problem, cases).map_text(|text| {
            format!("{text}; if not, write the names of the winners into a column \"winner\"")
        });
        Err(table.refuse_column(column, reason))
    }

    /// Errors if each winner and loser stand in one row, beside a number that can count the games which the winner
    /// won.
    pub(super) fn check_totals(&self, table: &HeaderTable) -> Result<(), FileReadError> {
        let names_winners =
            self.pairing == Pairing::WinnerLoser && self.scores.is_none() && self.date.is_none();
        if !names_winners || !table.grid.limits().reader.refuses_doubts() {
            return Ok(());
        }
        let counts_games = |&column: &usize| {
            has_word(COUNTS, &heading_word(table.heading(column)))
                && table.holds_several(column)
                && table.holds_only(column, |cell| cell.parse::<u32>().is_ok())
                && !table.values(column).map(|cell| cell.parse::<u32>().ok()).is_sorted()
        };
        let Some(column) = table.unread_columns(&self.used).into_iter().find(counts_games) else {
            return Ok(());
        };
        let mut pairs = HashSet::new();
        let cells = |row| self.names.map(|name| table.grid.cell(row, name));
        if !table.data_rows().all(|row| pairs.insert(cells(row))) {
            return Ok(());
        }
        let problem = format!(
            "{} may count the games that the winner won against the loser",
            table.describe_column(column)
        );
        let cases = [(table.ignore_option(column), "if each row is one game")];
        let reason = Reason::with_options(problem, cases)
            .map_text(|text| format!("{text}; if not, write one row for each game"));
        Err(table.refuse_column(column, reason))
    }

    /// Errors if words decide, and an unread text of scores has another winner.
    pub(super) fn check_score_texts(&self, table: &HeaderTable) -> Result<(), FileReadError> {
        let decides = self.scores.is_none() && self.winner.is_none() && self.side_results.is_none();
        let Some(outcome) = self.outcome.filter(|_| decides) else {
            return Ok(());
        };
        if !table.grid.limits().reader.refuses_doubts() {
            return Ok(());
        }
        let order = |cell: &str| {
            let (one, two) = cell.split_once(['-', '–', ':'])?;
            let [one, two] = [one, two].map(|score| score.trim().parse::<u32>().ok());
            Some(one?.cmp(&two?))
        };
        let is_score = |&column: &usize| {
            find_game_heading(&heading_word(table.heading(column)))
                .is_some_and(|(meaning, _)| meaning == ColumnMeaning::Outcome)
                && table.holds_only(column, |cell| order(cell).is_some())
        };
        let Some(scores) = table.unread_columns(&self.used).into_iter().find(is_score) else {
            return Ok(());
        };
        let mut rows = table.data_rows().map(|row| {
            let [worded, scores] = [outcome, scores].map(|column| table.grid.cell(row, column));
            (SideResult::parse_word(worded), order(scores))
        });
        // Equal scores may have been followed by a shootout.
        let differ = |worded, scored| {
            matches!(
                (worded, scored),
                (Some(SideResult::Win), Some(Ordering::Less))
                    | (Some(SideResult::Loss), Some(Ordering::Greater))
            )
        };
        if !rows.any(|(worded, scored)| differ(worded, scored)) {
            return Ok(());
        }
        let [worded, scored] = [outcome, scores].map(|column| table.describe_column(column));
        let cases = [
            (table.ignore_option(outcome), "if the scores decide"),
            (table.ignore_option(scores), "if the words do"),
        ];
        let problem = format!("{worded} and {scored} have different winners");
        Err(table.refuse_column(outcome, Reason::with_options(problem, cases)))
    }

    /// Errors if an unread column says that some games with results are not finished.
    pub(super) fn check_finished(&self, table: &HeaderTable) -> Result<(), FileReadError> {
        if !table.grid.limits().reader.refuses_doubts() {
            return Ok(());
        }
        let is_no = |cell: &str| has_word("false no", &cell.to_ascii_lowercase());
        let is_flag = |&column: &usize| {
            has_word(FINISHED, &heading_word(table.heading(column)))
                && table.holds_several(column)
                && table.holds_only(column, |cell| {
                    is_no(cell) || has_word("true yes", &cell.to_ascii_lowercase())
                })
        };
        let Some(column) = table.unread_columns(&self.used).into_iter().find(is_flag) else {
            return Ok(());
        };
        let mut unfinished = table.data_rows().filter(|&row| is_no(table.grid.cell(row, column)));
        let Some(row) = unfinished.find(|&row| self.has_result(table, row)) else {
            return Ok(());
        };
        let no = table.grid.cell(row, column);
        let finished = CommandOptions::new("--where", format!("{}!={no}", table.heading(column)));
        let problem =
            format!("{} says that some games are not finished", table.describe_column(column));
        let cases = [
            (finished, "to leave them out"),
            (table.ignore_option(column), "if they count"),
        ];
        Err(table.refuse_column(column, Reason::with_options(problem, cases)))
    }
}
