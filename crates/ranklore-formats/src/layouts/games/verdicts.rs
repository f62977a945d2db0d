//! Decides games by the columns of a row: scores, results, winners, draws and statuses.

mod cells;

use self::cells::CellReading;
use super::competitors::Competitor;
use super::extra_time::decide_by_extra_time;
use super::outcome_column::OutcomeColumn;
use super::outcomes::{Digit, Mark, Numbers, Verdict};
use super::refusals::{
    Basis, OutcomeDecision, Refusal, refuse_contradiction, refuse_numbers, refuse_shootout,
};
use super::statuses::{check_draws, counts, is_negative, is_negative_unplayed, status_texts};
use super::zero_scores::{ScoreCells, ZERO_SCORES, ZeroScores};
use crate::options::ReadOptions;
use crate::schema::game_claims::Pair;
use crate::schema::games::GameColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank};
use crate::values::numbers::{NumberStyle, is_time};
use crate::values::statuses::StatusWords;
use crate::vocabulary::seats::{Pairing, Seat, heading_word};
use crate::vocabulary::words::has_word;
use ranklore_contest::{Quoted, shorten};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The result in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum GameResult {
    Played(Verdict, Option<[f64; 2]>),
    /// No result, or not yet.
    Open,
    /// The game was not played: a forfeit of both, or a status says so.
    NotPlayed,
    /// The only column that decides games names no winner, which may mean a draw.
    NoWinner,
}

const YES: &str = "1 true t yes y x ja j wahr oui o vrai si s draw drawn tie tied remis neutral";

const NO: &str = "0 false f no n nein falsch non faux";

/// The length of the longest text that is read as a draw beside a winner: `unentschieden`.
const MAX_DRAW_BYTES: usize = 16;

/// The word of `--status` for all signs of forfeits.
const FORFEIT: &str = "forfeit";

/// Decides the games of a table.
pub(super) struct Judge<'t> {
    table: &'t HeaderTable,
    columns: &'t GameColumns,
    lower_is_better: bool,
    words: StatusWords,
    forfeits: Option<CellStatus>,
    outcome: Option<OutcomeColumn<'t>>,
    winner: Option<OutcomeColumn<'t>>,
    /// The column of the winner, if no row that has another result leaves it blank.
    full_winner: Option<usize>,
    zero_scores: ZeroScores,
    score_style: NumberStyle,
    /// True if a negative score of both, such as -1, says that a game was not played.
    negative_is_unplayed: bool,
    /// The normalised headings of the competitors.
    headings: [String; 2],
}

impl<'t> Judge<'t> {
    /// Errors if the numbers of a column have several readings, or if a stated status occurs
    /// nowhere.
    pub(super) fn new(
        table: &'t HeaderTable,
        columns: &'t GameColumns,
        options: &ReadOptions,
    ) -> Result<Self, FileReadError> {
        let headings = columns.names.map(|column| heading_word(table.heading(column)));
        let read_column = |column: Option<usize>| {
            let read = |column| OutcomeColumn::read(table, columns, column, options, &headings);
            column.map(read).transpose()
        };
        let outcome = read_column(columns.outcome)?;
        let winner = read_column(columns.winner)?;
        for outcomes in [&outcome, &winner].into_iter().flatten() {
            if outcomes.style.numbers == Some(Numbers::Ambiguous) {
                return Err(refuse_numbers(table, columns, outcomes.column));
            }
        }
        let words = StatusWords::new(&options.statuses)?;
        let status_columns = columns.statuses.iter().copied().chain(columns.outcome);
        let texts = status_columns.flat_map(|c| table.values(c).flat_map(status_texts));
        // `--status forfeit=…` holds for all signs of forfeits.
        let forfeit = outcome.as_ref().filter(|o| o.style.has_forfeits).map(|_| FORFEIT);
        let cells = ScoreCells {
            table,
            columns,
            outcome: outcome.as_ref(),
            winner: winner.as_ref(),
        };
        let zero_scores = ZeroScores::find(cells);
        let zeros = matches!(zero_scores, ZeroScores::Doubtful { .. }).then_some(ZERO_SCORES);
        words.check_occurrence(&options.statuses, texts.chain(forfeit).chain(zeros))?;
        if let ZeroScores::Doubtful {
            first_row,
            last_row,
        } = zero_scores
            && words.find_stated(ZERO_SCORES).is_none()
        {
            return Err(cells.refuse_zeros(first_row, last_row));
        }
        check_draws(table, columns, &words, &options.columns)?;
        let scores = columns.scores.into_iter().flatten();
        // Whole numbers of one or two digits show nothing about marks.
        let is_plain =
            |cell: &str| cell.len() <= 2 && cell.bytes().all(|byte| byte.is_ascii_digit());
        let cells = scores.flat_map(|c| table.values(c).filter(|cell| !is_plain(cell)));
        Ok(Self {
            table,
            columns,
            lower_is_better: options.lower_is_better,
            forfeits: words.find_stated(FORFEIT),
            words,
            zero_scores,
            outcome,
            winner,
            full_winner: find_full_winner(table, columns),
            score_style: table.style_of(cells),
            negative_is_unplayed: is_negative_unplayed(table, columns.scores),
            headings,
        })
    }

    /// Returns the outcome of the game in a row between these competitors. An error is the column
    /// and the reason.
    pub(super) fn decide(
        &self,
        row: usize,
        competitors: [&Competitor<'_>; 2],
    ) -> Result<GameResult, Refusal> {
        let leaves_zeros_out = || self.words.find_stated(ZERO_SCORES) != Some(CellStatus::Finished);
        if self.has_unplayed_status(row)? || (self.is_stated_zero(row) && leaves_zeros_out()) {
            return Ok(GameResult::NotPlayed);
        }
        let regular_scores = self.read_scores(row)?;
        let extra_time = decide_by_extra_time(self.table, self.columns, row, self.lower_is_better)?;
        let mut decision = extra_time.map(|extra| extra.decision);
        let mut scores = extra_time.and_then(|extra| extra.scores).or(regular_scores);
        if let Some(regular) = self.decide_by_scores(row, regular_scores)? {
            self.agree(&mut decision, regular.verdict, regular.basis, competitors)?;
        }
        for &pair in &self.columns.rival_scores {
            if let Some(verdict) = self.compare_numbers(row, pair) {
                self.agree(&mut decision, verdict, Basis::Numbers(pair), competitors)?;
            }
        }
        let is_winner_loser = self.columns.pairing == Pairing::WinnerLoser;
        let is_drawn =
            self.is_yes(row, self.columns.draw)? || (is_winner_loser && self.says_drawn(row));
        if is_drawn {
            let column = self.columns.draw.or(self.columns.statuses.first().copied());
            let basis = Basis::Cell(column.unwrap_or_default());
            self.agree(&mut decision, Verdict::Drawn, basis, competitors)?;
        }
        for outcomes in [&self.outcome, &self.winner].into_iter().flatten() {
            match self.judge_cell(outcomes, row, competitors)? {
                CellReading::NotPlayed => return Ok(GameResult::NotPlayed),
                CellReading::Nothing if self.lacks_winner(outcomes, decision.is_some()) => {
                    return Ok(GameResult::NoWinner);
                }
                CellReading::Nothing => self.check_drawn(outcomes, row, decision)?,
                CellReading::Verdict(verdict, cell_scores) => {
                    let basis = Basis::Cell(outcomes.column);
                    self.agree(&mut decision, verdict, basis, competitors)?;
                    // A column of winners has no scores of its own.
                    if self.columns.winner != Some(outcomes.column) {
                        scores = scores.or(cell_scores);
                    }
                }
            }
        }
        if is_winner_loser && !is_drawn {
            let has_equal_scores = decision.is_some_and(|d| d.verdict == Verdict::Drawn);
            // A column headed "winner/tie" also names the first of two who tied.
            if !(has_equal_scores && self.headings[0] == "winnertie") {
                let verdict = Verdict::Won(Seat::One);
                self.agree(&mut decision, verdict, Basis::Names, competitors)?;
            }
        }
        let Some(OutcomeDecision { verdict, .. }) = decision else {
            return Ok(GameResult::Open);
        };
        Ok(GameResult::Played(verdict, scores))
    }

    /// Returns the mark of a row in the column of outcomes.
    pub(super) fn outcome_mark(&self, row: usize) -> Option<Mark> {
        let outcome = self.outcome.as_ref()?;
        outcome.marks.get(self.table.grid.cell(row, outcome.column)).copied()
    }

    /// Returns the scores of a mark of the column of outcomes, or the points of a win or a draw.
    pub(super) fn points(&self, mark: Mark) -> Option<[f64; 2]> {
        let verdict = match mark {
            Mark::Scores(one, two) => return Some([one, two]),
            Mark::Digit(digit) => self.outcome.as_ref()?.style.judge(digit)?,
            Mark::Won(seat) => Verdict::Won(seat),
            Mark::Draw | Mark::BothBad | Mark::Cross => Verdict::Drawn,
            Mark::Open | Mark::Forfeit(_) | Mark::Unknown => return None,
        };
        Some(match verdict {
            Verdict::Won(Seat::One) => [1.0, 0.0],
            Verdict::Won(Seat::Two) => [0.0, 1.0],
            Verdict::Drawn => [0.5, 0.5],
        })
    }

    /// The cells that tell if 0–0 was played.
    const fn score_cells(&self) -> ScoreCells<'t, '_> {
        ScoreCells {
            table: self.table,
            columns: self.columns,
            outcome: self.outcome.as_ref(),
            winner: self.winner.as_ref(),
        }
    }

    /// True if 0–0 without a winner was not played. `is_later` is true after all games with a winner.
    pub(super) fn is_unplayed(&self, row: usize, is_later: bool) -> bool {
        let cells = self.score_cells();
        match self.zero_scores {
            ZeroScores::Drawn | ZeroScores::Doubtful { .. } => false,
            ZeroScores::DrawnIfNotLater => {
                is_later && cells.is_open(row) && cells.has_only_zeros(row)
            }
            ZeroScores::NotPlayed => cells.is_open(row) && cells.has_only_zeros(row),
        }
    }

    /// True if a row has scores of 0–0 whose meaning the user states, since some are doubtful.
    fn is_stated_zero(&self, row: usize) -> bool {
        matches!(self.zero_scores, ZeroScores::Doubtful { .. })
            && self.score_cells().has_only_zeros(row)
    }

    /// True if a status says that the game was not played.
    fn has_unplayed_status(&self, row: usize) -> Result<bool, Refusal> {
        for &column in &self.columns.statuses {
            let text = self.table.grid.cell(row, column);
            if !text.is_empty() && !self.counts(column, text)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds a verdict to the decision. Errors if they differ.
    fn agree(
        &self,
        decision: &mut Option<OutcomeDecision>,
        verdict: Verdict,
        basis: Basis,
        competitors: [&Competitor<'_>; 2],
    ) -> Result<(), Refusal> {
        let new = OutcomeDecision { verdict, basis };
        let first = *decision.get_or_insert(new);
        // Extra time follows a draw.
        let is_draw_before = verdict == Verdict::Drawn && first.basis.is_extra_time(self.columns);
        if first.verdict == verdict || is_draw_before {
            return Ok(());
        }
        let decisions = [first, new];
        let names = competitors.map(|competitor| &*competitor.name);
        Err(refuse_contradiction(self.table, self.columns, decisions, names))
    }

    /// True if the only column that decides games names no winner in a row, and none of its cells says
    /// draw.
    const fn lacks_winner(&self, winner: &OutcomeColumn<'_>, is_decided: bool) -> bool {
        let may_be_open = self.outcome.is_some() || self.columns.scores.is_some();
        !(is_decided || winner.style.has_draws || may_be_open)
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
        let mut first_scores =
            self.columns.scores.into_iter().flat_map(|p| self.table.values(p[0]));
        if self.negative_is_unplayed && first_scores.any(is_negative) {
            notes.push("a negative score of both means that the game was not played".to_owned());
        }
        if let Some([first, second]) = self.columns.scores {
            let first = describe(first);
            let second = describe(second);
            let end = if self.lower_is_better {
                "lower"
            } else {
                "higher"
            };
            notes.push(format!("the scores in {first} and {second} decide, the {end} one wins"));
        } else if self.columns.pairing == Pairing::WinnerLoser {
            notes.push(format!("{one} won"));
        }
        for outcomes in [&self.outcome, &self.winner].into_iter().flatten() {
            let style = outcomes.style;
            notes.push(outcomes.describe(self.table, &one));
            if style.both_bad > 0 {
                let games = match style.both_bad {
                    1 => "1 game in which both were bad is a draw".to_owned(),
                    count => format!("{count} games in which both were bad are draws"),
                };
                notes.push(games);
            }
        }
        let has_scores = self.outcome.as_ref().is_some_and(|o| o.style.has_scores);
        if options.lower_is_better && self.columns.scores.is_none() && !has_scores {
            notes.push("--lower-is-better has no effect on results without scores".to_owned());
        }
        for &extra in &self.columns.extra_times {
            let columns: Vec<usize> = extra.columns().collect();
            let columns = self.table.describe_columns(&columns);
            notes.push(format!("games that are equal before it are decided by {columns}"));
        }
        let mut outcomes = [&self.outcome, &self.winner].into_iter().flatten();
        if options.outcome.is_some() && !outcomes.any(|o| o.style.numbers.is_some()) {
            notes.push("--outcome has no effect: no result is 0, 1 or 2".to_owned());
        }
        notes
    }

    fn is_yes(&self, row: usize, column: Option<usize>) -> Result<bool, Refusal> {
        let Some(column) = column else {
            return Ok(false);
        };
        let text = self.table.grid.cell(row, column);
        if is_blank(text) || has_word(NO, &text.to_ascii_lowercase()) {
            return Ok(false);
        }
        if has_word(YES, &text.to_ascii_lowercase()) {
            return Ok(true);
        }
        let reason = format!(
            "{} in {} is neither yes nor no",
            Quoted(&shorten(text)),
            self.table.describe_column(column)
        );
        Err((column, reason.into()))
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
            _ if self.negative_is_unplayed && cells.map(is_negative) == [true, true] => {
                return Ok(None);
            }
            [false, false] => {}
            [first, _] => {
                let column = columns[usize::from(!first)];
                let problem = format!(
                    "{} is blank, and the other score is not",
                    self.table.describe_column(column)
                );
                return Err((column, self.refuse_half_score(row, columns, problem)));
            }
        }
        let mut scores = [0.0; 2];
        for (index, text) in cells.into_iter().enumerate() {
            // Most scores are short whole numbers, which need no style.
            let short = Some(text).filter(|text| text.len() <= 3);
            scores[index] = match short.and_then(|text| text.parse::<u16>().ok()) {
                Some(number) => f64::from(number),
                None if is_time(text) && !self.lower_is_better => {
                    let cases = [(CommandOptions::lower_is_better(), "if the shorter one wins")];
                    let problem = format!("score {} is a time", Quoted(text));
                    return Err((columns[index], Reason::with_options(problem, cases)));
                }
                None => self
                    .score_style
                    .parse(text)
                    .map_err(|error| (columns[index], error.reason("score", text)))?,
            };
        }
        Ok(Some(scores))
    }

    /// Returns the reason to refuse one score, with the options by which the winner decides, if the row names one.
    fn refuse_half_score(&self, row: usize, scores: Pair, problem: String) -> Reason {
        let is_named = |winner: &usize| !is_blank(self.table.grid.cell(row, *winner));
        let Some(winner) = self.full_winner.filter(is_named) else {
            return problem.into();
        };
        // A word such as "forfeit" is no result.
        let unread =
            self.outcome.as_ref().filter(|_| self.outcome_mark(row) == Some(Mark::Unknown));
        let columns = scores.into_iter().chain(unread.map(|outcome| outcome.column));
        let ignored = columns.map(|column| self.table.ignore_option(column));
        let options = ignored.reduce(CommandOptions::and).unwrap_or_default();
        let case = format!("if {} decides", self.table.describe_column(winner));
        Reason::with_options(problem, [(options, case)])
    }

    /// False if a status says that a game was not played. Errors if it may say so.
    fn counts(&self, column: usize, text: &str) -> Result<bool, Refusal> {
        counts(&self.words, text).map_err(|reason| (column, reason))
    }

    /// Returns the outcome by the scores of a row. Errors if a shootout beside them has another one:
    /// a shootout follows equal scores, and a column of winners may say that it counts.
    fn decide_by_scores(
        &self,
        row: usize,
        scores: Option<[f64; 2]>,
    ) -> Result<Option<OutcomeDecision>, Refusal> {
        let (Some(scores), Some(pair)) = (scores, self.columns.scores) else {
            return Ok(None);
        };
        let verdict = Verdict::from_scores(scores, self.lower_is_better);
        let basis = Basis::Numbers(pair);
        let decision = OutcomeDecision { verdict, basis };
        let Some(shootouts) = self.columns.shootouts else {
            return Ok(Some(decision));
        };
        let cells = shootouts.map(|column| self.table.grid.cell(row, column));
        if cells.map(is_blank) == [true, true] || cells == ["0", "0"] {
            return Ok(Some(decision));
        }
        let has_winner =
            self.columns.winner.is_some_and(|c| !is_blank(self.table.grid.cell(row, c)));
        let winner = self.compare_numbers(row, shootouts).filter(|_| has_winner);
        match (verdict, winner) {
            (Verdict::Drawn, Some(verdict)) => {
                let basis = Basis::Numbers(shootouts);
                Ok(Some(OutcomeDecision { verdict, basis }))
            }
            _ => Err(refuse_shootout(self.table, shootouts, verdict == Verdict::Drawn)),
        }
    }

    /// Returns the outcome by two columns of numbers, if both have one; the higher number wins unless
    /// the lower score does.
    fn compare_numbers(&self, row: usize, pair: Pair) -> Option<Verdict> {
        let cells = pair.map(|column| self.table.grid.cell(row, column).replace(',', "."));
        let numbers = [cells[0].parse().ok()?, cells[1].parse().ok()?];
        let is_shootout = self.columns.shootouts == Some(pair);
        Some(Verdict::from_scores(numbers, self.lower_is_better && !is_shootout))
    }
}

/// Returns the column of the winner, if each row with both scores or an outcome names one: draws leave it blank.
fn find_full_winner(table: &HeaderTable, columns: &GameColumns) -> Option<usize> {
    let winner = columns.winner.filter(|_| table.grid.limits().reader.refuses_doubts())?;
    let scores = columns.scores?;
    let is_filled = |row, column| !is_blank(table.grid.cell(row, column));
    let has_result = |row| {
        scores.iter().all(|&column| is_filled(row, column))
            || columns.outcome.is_some_and(|column| is_filled(row, column))
    };
    table
        .data_rows()
        .all(|row| is_filled(row, winner) || !has_result(row))
        .then_some(winner)
}
