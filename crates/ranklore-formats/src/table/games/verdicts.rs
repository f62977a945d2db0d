//! Decides games by the columns of a row: scores, results, winners, draws and statuses.

use std::collections::HashMap;

use super::Seat;
use super::columns::GameColumns;
use super::headings::{Pairing, heading_word};
use super::outcomes::{Digit, Mark, Numbers, OutcomeStyle, Verdict};
use super::refusals::{refuse_name, refuse_numbers};
use super::schedule::cell;
use crate::options::{OutcomeNumbers, ReadOptions};
use crate::reading::FileReadError;
use crate::table::columns::{ColumnMeaning, has_word, normalise_word};
use crate::table::header::HeaderTable;
use crate::table::statuses::StatusWords;
use crate::table::values::cells::{CellStatus, is_blank};
use crate::table::values::numbers::{NumberStyle, is_time};
use ranklore_contest::{Quoted, quote_for_shell, shorten};

/// The result in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum GameResult {
    Played(Verdict, Option<[f64; 2]>),
    /// There is no result, or not yet.
    Open,
    /// The game was not played: a forfeit of both, or a status says so.
    NotPlayed,
}

/// A column and the reason to refuse its cell.
pub(super) type Refusal = (usize, String);

/// Statuses of games that were not played, beside those of competitors.
const NOT_PLAYED: &str = "postponed cancelled canceled scheduled timed notstarted upcoming void pst canc ns \
     verlegt abgesagt reporte annule aplazado cancelado";

const YES: &str = "1 true t yes y x ja j wahr oui o vrai si s draw drawn tie tied remis neutral";

const NO: &str = "0 false f no n nein falsch non faux";

/// The length of the longest text that is read as a draw beside a winner: `unentschieden`.
const MAX_DRAW_BYTES: usize = 16;

/// The word of `--status` for all signs of forfeits.
const FORFEIT: &str = "forfeit";

/// The marks of the cells of a column, and their reading.
struct Outcomes<'t> {
    column: usize,
    marks: HashMap<&'t str, Mark>,
    style: OutcomeStyle,
}

/// Decides the games of a table.
pub(super) struct Judge<'t> {
    pub(super) table: &'t HeaderTable,
    pub(super) columns: &'t GameColumns,
    lower_is_better: bool,
    words: StatusWords,
    forfeits: Option<CellStatus>,
    outcome: Option<Outcomes<'t>>,
    winner: Option<Outcomes<'t>>,
    score_style: NumberStyle,
    /// The normalised headings of the competitors.
    headings: [String; 2],
}

/// The columns that decide a game.
#[derive(Clone, Copy)]
pub(super) enum Basis {
    Names,
    Scores,
    Cell(usize),
}

impl<'t> Judge<'t> {
    /// Errors if the numbers of a column have several readings, or if a stated status occurs
    /// nowhere.
    pub(super) fn new(
        table: &'t HeaderTable,
        columns: &'t GameColumns,
        options: &ReadOptions,
    ) -> Result<Self, FileReadError> {
        let headings = columns
            .names
            .map(|column| heading_word(table.heading(column)));
        let read = |column: Option<usize>, names_winner| {
            let column = column?;
            let mut marks: HashMap<&str, Mark> = HashMap::new();
            let parse = |cell| {
                let mark = marks.entry(cell);
                *mark.or_insert_with(|| Mark::parse(cell, columns.pairing, &headings))
            };
            let found = table.values(column).map(parse);
            let pairing = columns.pairing;
            let style = OutcomeStyle::from_marks(found, pairing, options.outcome, names_winner);
            Some(Outcomes {
                column,
                marks,
                style,
            })
        };
        let outcome = read(columns.outcome, false);
        let winner = read(columns.winner, true);
        for outcomes in [&outcome, &winner].into_iter().flatten() {
            if outcomes.style.numbers == Some(Numbers::Ambiguous) {
                return Err(refuse_numbers(table, columns, outcomes.column));
            }
        }
        let words = StatusWords::new(&options.statuses)?;
        let has_forfeits = outcome.as_ref().is_some_and(|of| of.style.has_forfeits);
        let marked = columns.statuses.iter().copied().chain(columns.outcome);
        let marked = marked.flat_map(|column| table.values(column).flat_map(status_texts));
        let forfeit = has_forfeits.then_some(FORFEIT);
        words.check_occurrence(&options.statuses, marked.chain(forfeit))?;
        let scores = columns.scores.into_iter().flatten();
        // Whole numbers of three digits show nothing about marks.
        let is_plain =
            |cell: &str| cell.len() <= 3 && cell.bytes().all(|byte| byte.is_ascii_digit());
        let cells = scores.flat_map(|column| table.values(column).filter(|of| !is_plain(of)));
        Ok(Self {
            table,
            columns,
            lower_is_better: options.lower_is_better,
            forfeits: words.find_stated(FORFEIT),
            words,
            outcome,
            winner,
            score_style: NumberStyle::from_cells(cells, table.grid.semicolons),
            headings,
        })
    }

    /// Returns the outcome of the game in a row between competitors with these names and
    /// identities. An error is the column and the reason.
    pub(super) fn decide(
        &self,
        row: usize,
        names: [&str; 2],
        identities: [&str; 2],
    ) -> Result<GameResult, Refusal> {
        for &column in &self.columns.statuses {
            let text = self.table.grid.cell(row, column);
            if !text.is_empty() && !self.counts(column, text)? {
                return Ok(GameResult::NotPlayed);
            }
        }
        let mut found: Option<(Verdict, Basis)> = None;
        let mut scores = self.read_scores(row)?;
        let is_of_winner = self.columns.pairing == Pairing::WinnerLoser;
        if let Some(of) = scores {
            let verdict = Verdict::from_scores(of, self.lower_is_better);
            found = Some((verdict, Basis::Scores));
        }
        let drawn = self.is_yes(row, self.columns.draw)? || (is_of_winner && self.says_drawn(row));
        if drawn {
            let said = self.columns.draw.or(self.columns.statuses.first().copied());
            let column = said.unwrap_or_default();
            agree(&mut found, Verdict::Drawn, Basis::Cell(column))
                .map_err(|other| self.refuse_contradiction(other, found, names))?;
        }
        if let Some(outcomes) = &self.outcome {
            let cell = self.table.grid.cell(row, outcomes.column);
            let column = outcomes.column;
            match self.judge_cell(outcomes, cell, names, identities)? {
                Judged::NotPlayed => return Ok(GameResult::NotPlayed),
                Judged::Nothing => {}
                Judged::Verdict(verdict, of) => {
                    agree(&mut found, verdict, Basis::Cell(column))
                        .map_err(|other| self.refuse_contradiction(other, found, names))?;
                    scores = scores.or(of);
                }
            }
        }
        if let Some(outcomes) = &self.winner {
            let column = outcomes.column;
            let cell = self.table.grid.cell(row, column);
            match self.judge_cell(outcomes, cell, names, identities)? {
                Judged::NotPlayed => return Ok(GameResult::NotPlayed),
                Judged::Verdict(verdict, _) => {
                    agree(&mut found, verdict, Basis::Cell(column))
                        .map_err(|other| self.refuse_contradiction(other, found, names))?;
                }
                Judged::Nothing if found.is_some() || outcomes.style.has_draws => {}
                Judged::Nothing if self.outcome.is_some() || self.columns.scores.is_some() => {}
                Judged::Nothing => {
                    let why = format!(
                        "{} names no winner, and no cell of the column says draw: write draw if the game was drawn, or remove the row if it was not played",
                        self.table.describe_column(column)
                    );
                    return Err((column, why));
                }
            }
        }
        if is_of_winner && !drawn {
            let tied =
                matches!(found, Some((Verdict::Drawn, _))) && self.headings[0] == "winnertie";
            if !tied {
                agree(&mut found, Verdict::Won(Seat::One), Basis::Names)
                    .map_err(|other| self.refuse_contradiction(other, found, names))?;
            }
        }
        let Some((verdict, _)) = found else {
            return Ok(GameResult::Open);
        };
        if verdict == Verdict::Drawn {
            self.check_shootout(row)?;
        }
        Ok(GameResult::Played(verdict, scores))
    }

    /// True if neither competitor played at home.
    pub(super) fn is_neutral(&self, row: usize) -> Result<bool, Refusal> {
        self.is_yes(row, self.columns.neutral)
    }

    /// Returns the notes about the columns that decide.
    pub(super) fn notes(&self, options: &ReadOptions) -> Vec<String> {
        let describe = |column| self.table.describe_column(column);
        let one = describe(self.columns.names[0]);
        let mut notes = Vec::new();
        if let Some([first, second]) = self.columns.scores {
            let (first, second) = (describe(first), describe(second));
            let end = if self.lower_is_better {
                "lower"
            } else {
                "higher"
            };
            notes.push(format!(
                "the scores in {first} and {second} decide, the {end} one wins"
            ));
        } else if self.columns.pairing == Pairing::WinnerLoser {
            notes.push(format!("{one} won"));
        }
        for outcomes in [&self.outcome, &self.winner].into_iter().flatten() {
            let column = describe(outcomes.column);
            let style = outcomes.style;
            notes.push(match style.numbers {
                None => format!("{column} says who won"),
                Some(Numbers::Signs) => {
                    format!("1, 0 and -1 in {column} are a win, a draw and a loss of {one}")
                }
                Some(Numbers::Pools) => format!(
                    "1, X and 2 in {column} are a win of the first, a draw and a win of the second"
                ),
                Some(Numbers::Stated(OutcomeNumbers::Winner)) => {
                    format!("the numbers in {column} are those of the winner")
                }
                Some(Numbers::Stated(OutcomeNumbers::PointsOfTwo)) => {
                    format!("2, 1 and 0 in {column} are the points of {one}")
                }
                _ => format!("1, 0.5 and 0 in {column} are the points of {one}"),
            });
            if style.both_bad > 0 {
                let games = match style.both_bad {
                    1 => "1 game in which both were bad is a draw".to_owned(),
                    more => format!("{more} games in which both were bad are draws"),
                };
                notes.push(games);
            }
        }
        let has_scores =
            |of: &Option<Outcomes<'_>>| of.as_ref().is_some_and(|of| of.style.has_scores);
        if options.lower_is_better && self.columns.scores.is_none() && !has_scores(&self.outcome) {
            notes.push("--lower-is-better has no effect on results without scores".to_owned());
        }
        let mut outcomes = [&self.outcome, &self.winner].into_iter().flatten();
        if options.outcome.is_some() && !outcomes.any(|of| of.style.numbers.is_some()) {
            notes.push("--outcome has no effect: no result is 0, 1 or 2".to_owned());
        }
        notes
    }

    fn is_yes(&self, row: usize, column: Option<usize>) -> Result<bool, Refusal> {
        let (Some(column), text) = (column, cell(self.table, row, column)) else {
            return Ok(false);
        };
        if is_blank(text) || has_word(NO, &text.to_ascii_lowercase()) {
            return Ok(false);
        }
        if has_word(YES, &text.to_ascii_lowercase()) {
            return Ok(true);
        }
        let what = self.table.describe_column(column);
        Err((
            column,
            format!("{} in {what} is neither yes nor no", Quoted(&shorten(text))),
        ))
    }

    /// True if a text beside a winner and a loser says that the game was drawn.
    fn says_drawn(&self, row: usize) -> bool {
        self.columns.statuses.iter().any(|&column| {
            let text = self.table.grid.cell(row, column);
            text.len() <= MAX_DRAW_BYTES
                && matches!(
                    Mark::parse(text, Pairing::WinnerLoser, &self.headings),
                    Mark::Draw | Mark::BothBad | Mark::Digit(Digit::Half) | Mark::Scores(0.5, 0.5)
                )
        })
    }

    /// Returns both scores, if there are any.
    fn read_scores(&self, row: usize) -> Result<Option<[f64; 2]>, Refusal> {
        let Some(columns) = self.columns.scores else {
            return Ok(None);
        };
        let cells = columns.map(|column| self.table.grid.cell(row, column));
        match cells.map(is_blank) {
            [true, true] => return Ok(None),
            [false, false] => {}
            [first, _] => {
                let column = columns[usize::from(!first)];
                let why = format!(
                    "{} is blank, and the other score is not",
                    self.table.describe_column(column)
                );
                return Err((column, why));
            }
        }
        let mut scores = [0.0; 2];
        for (index, text) in cells.into_iter().enumerate() {
            let plain = (text.len() <= 3)
                .then(|| text.parse::<u16>().ok())
                .flatten();
            scores[index] = match plain {
                Some(number) => f64::from(number),
                None if is_time(text) && !self.lower_is_better => {
                    let why = format!(
                        "score {} is a time: pass --lower-is-better if the shorter one wins",
                        Quoted(text)
                    );
                    return Err((columns[index], why));
                }
                None => (self.score_style.parse(text))
                    .map_err(|error| (columns[index], error.message("score", text)))?,
            };
        }
        Ok(Some(scores))
    }

    fn judge_cell(
        &self,
        outcomes: &Outcomes<'_>,
        text: &str,
        names: [&str; 2],
        identities: [&str; 2],
    ) -> Result<Judged, Refusal> {
        let column = outcomes.column;
        let mark = outcomes.marks.get(text).copied().unwrap_or(Mark::Unknown);
        let stated = self.words.find_stated(text);
        if stated == Some(CellStatus::DidNotStart) {
            return Ok(Judged::NotPlayed);
        }
        let named = || {
            let is = |of: &[&str; 2], seat: Seat| of[seat.index()] == text;
            Seat::BOTH
                .into_iter()
                .find(|&seat| is(&names, seat) || is(&identities, seat))
        };
        let won = |seat| Judged::Verdict(Verdict::Won(seat), None);
        let drawn = Judged::Verdict(Verdict::Drawn, None);
        Ok(match mark {
            Mark::Open => Judged::Nothing,
            Mark::Scores(one, two) => {
                let scores = [one, two];
                let has_scores = outcomes.style.has_scores;
                if scores == [0.0, 0.0] && !has_scores && stated.is_none() {
                    if self.columns.pairing == Pairing::WhiteBlack {
                        return Ok(Judged::NotPlayed);
                    }
                    let why = format!(
                        "{} may be a draw without points or a forfeit of both: pass --status 0-0=finished if such games are draws, or --status 0-0=dns to leave them out",
                        Quoted(text)
                    );
                    return Err((column, why.replace("0-0=", &format!("{text}="))));
                }
                let lower = self.lower_is_better && has_scores;
                let verdict = Verdict::from_scores(scores, lower);
                Judged::Verdict(verdict, has_scores.then_some(scores))
            }
            Mark::Forfeit(winner) => match (stated.or(self.forfeits), winner) {
                (Some(CellStatus::DidNotStart), _) | (_, None) => Judged::NotPlayed,
                (Some(_), Some(seat)) => won(seat),
                (None, Some(_)) => {
                    let why = format!(
                        "{} is a forfeit: pass --status forfeit=finished if such games count, or --status forfeit=dns to leave them out",
                        Quoted(text)
                    );
                    return Err((column, why));
                }
            },
            // An id is a number, too.
            Mark::Digit(digit) => match (named(), outcomes.style.judge(digit)) {
                (None, Some(verdict)) => Judged::Verdict(verdict, None),
                (Some(seat), None) => won(seat),
                (Some(seat), Some(verdict)) if verdict == Verdict::Won(seat) => won(seat),
                (Some(_), Some(_)) => return Err((column, refuse_name(text))),
                (None, None) => return Err((column, self.refuse_cell(column, text))),
            },
            Mark::Cross | Mark::Draw | Mark::BothBad => match named() {
                Some(_) => return Err((column, refuse_name(text))),
                None => drawn,
            },
            Mark::Won(seat) => match named() {
                Some(other) if other != seat => return Err((column, refuse_name(text))),
                _ => won(seat),
            },
            Mark::Unknown => match named() {
                Some(seat) => won(seat),
                None if !self.counts(column, text)? => Judged::NotPlayed,
                None => return Err((column, self.refuse_unknown(column, text, names))),
            },
        })
    }

    /// False if a status says that a game was not played. Errors if it may say so.
    fn counts(&self, column: usize, text: &str) -> Result<bool, Refusal> {
        for word in status_texts(text) {
            if self.words.is_walkover(word) && word != "*" {
                let option = |status| quote_for_shell(&format!("{}={status}", shorten(word)));
                let why = format!(
                    "{} may mean that the game was not played: pass --status {} if such games count, or --status {} to leave them out",
                    Quoted(word),
                    option("finished"),
                    option("dns")
                );
                return Err((column, why));
            }
            match self.words.parse(word) {
                Some(CellStatus::DidNotStart) if word != "*" => return Ok(false),
                Some(_) => return Ok(true),
                None if word.len() <= 20 && has_word(NOT_PLAYED, &normalise_word(word)) => {
                    return Ok(false);
                }
                None => {}
            }
        }
        Ok(true)
    }

    fn check_shootout(&self, row: usize) -> Result<(), Refusal> {
        let Some(columns) = self.columns.shootouts else {
            return Ok(());
        };
        if columns
            .iter()
            .all(|&of| is_blank(self.table.grid.cell(row, of)))
        {
            return Ok(());
        }
        let [first, second] = columns.map(|of| self.table.column_option(of, ColumnMeaning::Ignore));
        let why = format!(
            "the scores are equal, and {} decides the game: pass --column {first} --column {second} if such games are draws, or add a column headed \"winner\"",
            self.table.describe_column(columns[0])
        );
        Err((columns[0], why))
    }
}

/// The reading of one cell.
enum Judged {
    Verdict(Verdict, Option<[f64; 2]>),
    Nothing,
    NotPlayed,
}

/// Keeps a verdict that agrees with the one found before, or else returns it.
fn agree(
    found: &mut Option<(Verdict, Basis)>,
    verdict: Verdict,
    source: Basis,
) -> Result<(), (Verdict, Basis)> {
    match found {
        Some((before, _)) if *before != verdict => Err((verdict, source)),
        Some(_) => Ok(()),
        None => {
            *found = Some((verdict, source));
            Ok(())
        }
    }
}

/// Returns the texts of a cell that may be a status: the whole, and the last word.
fn status_texts(cell: &str) -> impl Iterator<Item = &str> {
    let last = cell.rsplit_once(char::is_whitespace).map(|(_, last)| last);
    std::iter::once(cell)
        .chain(last)
        .filter(|of| !of.is_empty())
}
