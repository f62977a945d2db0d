//! Decides a game by its cell in a column of outcomes.

use super::{FORFEIT, Judge};
use crate::layouts::games::competitors::Competitor;
use crate::layouts::games::outcome_column::{
    OutcomeColumn, find_name_before_verb, find_side_that_won,
};
use crate::layouts::games::outcomes::{Mark, Verdict};
use crate::layouts::games::refusals::{
    OutcomeDecision, Refusal, refuse_cell, refuse_drawn_win, refuse_name, refuse_unknown,
};
use crate::values::cells::CellStatus;
use crate::values::statuses::status_option;
use crate::vocabulary::seats::{Pairing, Seat};
use ranklore_contest::Quoted;
use ranklore_grid::Reason;

/// The reading of one cell.
pub(super) enum CellReading {
    Verdict(Verdict, Option<[f64; 2]>),
    Nothing,
    NotPlayed,
}

impl CellReading {
    const fn won(seat: Seat) -> Self {
        Self::Verdict(Verdict::Won(seat), None)
    }
}

impl Judge<'_> {
    /// Returns the reading of the cell of a row in a column of outcomes.
    pub(super) fn judge_cell(
        &self,
        outcomes: &OutcomeColumn<'_>,
        row: usize,
        competitors: [&Competitor<'_>; 2],
    ) -> Result<CellReading, Refusal> {
        let column = outcomes.column;
        let text = self.table.grid.cell(row, column);
        let mark = outcomes.marks.get(text).copied().unwrap_or(Mark::Unknown);
        if let Some(seat) = self.find_numbered(column, row) {
            return Ok(CellReading::won(seat));
        }
        // A status that the user states takes precedence.
        if self.words.find_stated(text) == Some(CellStatus::DidNotStart) {
            return Ok(CellReading::NotPlayed);
        }
        Ok(match mark {
            Mark::Open => CellReading::Nothing,
            Mark::Scores(one, two) => self.judge_scores(outcomes, text, [one, two])?,
            Mark::Forfeit(winner) => self.judge_forfeit(column, text, winner)?,
            // An id is a number, too.
            Mark::Digit(digit) => {
                match (find_named(text, competitors), outcomes.style.judge(digit)) {
                    (None, Some(verdict)) => CellReading::Verdict(verdict, None),
                    (Some(seat), None) => CellReading::won(seat),
                    (Some(seat), _) if outcomes.holds_ids => CellReading::won(seat),
                    (Some(seat), Some(verdict)) if verdict == Verdict::Won(seat) => {
                        CellReading::won(seat)
                    }
                    (Some(_), Some(_)) => return Err((column, refuse_name(text).into())),
                    (None, None) => {
                        return Err((column, refuse_cell(self.table, column, text).into()));
                    }
                }
            }
            Mark::Cross | Mark::Draw | Mark::BothBad => match find_named(text, competitors) {
                Some(_) => return Err((column, refuse_name(text).into())),
                None => CellReading::Verdict(Verdict::Drawn, None),
            },
            Mark::Won(seat) => match find_named(text, competitors) {
                Some(other) if other != seat => return Err((column, refuse_name(text).into())),
                _ => CellReading::won(seat),
            },
            Mark::Unknown => {
                match find_named(text, competitors)
                    .or_else(|| find_side_that_won(self.table, self.columns, row, text))
                {
                    Some(seat) => CellReading::won(seat),
                    None if !self.counts(column, text)? => CellReading::NotPlayed,
                    None if outcomes.tells_kind => CellReading::Nothing,
                    None => {
                        let names = competitors.map(|competitor| &*competitor.name);
                        let reason = refuse_unknown(self.table, self.columns, column, text, names);
                        return Err((column, reason.into()));
                    }
                }
            }
        })
    }

    /// Errors if a text says that some side won a drawn game.
    pub(super) fn check_drawn(
        &self,
        outcomes: &OutcomeColumn<'_>,
        row: usize,
        decision: Option<OutcomeDecision>,
    ) -> Result<(), Refusal> {
        let text = self.table.grid.cell(row, outcomes.column);
        let is_drawn = decision.is_some_and(|decision| decision.verdict == Verdict::Drawn);
        if is_drawn
            && self.table.grid.limits().reader.refuses_doubts()
            && self.words.find_stated(text).is_none()
            && find_name_before_verb(text).is_some()
        {
            return Err(refuse_drawn_win(self.table, outcomes.column, text));
        }
        Ok(())
    }

    /// Returns the seat whose number stands in the column of winners.
    fn find_numbered(&self, column: usize, row: usize) -> Option<Seat> {
        let numbers = self.columns.side_numbers.filter(|_| self.columns.winner == Some(column))?;
        let cell = |column: usize| self.table.grid.cell(row, column);
        Seat::BOTH.into_iter().find(|seat| cell(numbers[seat.index()]) == cell(column))
    }

    fn judge_scores(
        &self,
        outcomes: &OutcomeColumn<'_>,
        text: &str,
        scores: [f64; 2],
    ) -> Result<CellReading, Refusal> {
        let has_scores = outcomes.style.has_scores;
        if scores == [0.0, 0.0] && !has_scores && self.words.find_stated(text).is_none() {
            // In chess, 0-0 is a forfeit of both.
            if self.columns.pairing == Pairing::WhiteBlack {
                return Ok(CellReading::NotPlayed);
            }
            let problem =
                format!("{} may be a draw without points or a forfeit of both", Quoted(text));
            let cases = [
                (status_option(text, "finished"), "if such games are draws"),
                (status_option(text, "dns"), "to leave them out"),
            ];
            return Err((outcomes.column, Reason::with_options(problem, cases)));
        }
        let verdict = Verdict::from_scores(scores, self.lower_is_better && has_scores);
        Ok(CellReading::Verdict(verdict, has_scores.then_some(scores)))
    }

    /// Returns the reading of a forfeit; without a winner, both lost.
    fn judge_forfeit(
        &self,
        column: usize,
        text: &str,
        winner: Option<Seat>,
    ) -> Result<CellReading, Refusal> {
        match (self.words.find_stated(text).or(self.forfeits), winner) {
            (Some(CellStatus::DidNotStart), _) | (_, None) => Ok(CellReading::NotPlayed),
            (Some(_), Some(seat)) => Ok(CellReading::won(seat)),
            (None, Some(_)) => {
                let cases = [
                    (status_option(FORFEIT, "finished"), "if such games count"),
                    (status_option(FORFEIT, "dns"), "to leave them out"),
                ];
                let problem = format!("{} is a forfeit", Quoted(text));
                Err((column, Reason::with_options(problem, cases)))
            }
        }
    }
}

/// Returns the seat of the competitor with this name or identity.
fn find_named(text: &str, competitors: [&Competitor<'_>; 2]) -> Option<Seat> {
    let [one, two] = competitors.map(|c| c.name == text || c.identity == text || c.has_pair(text));
    if one {
        Some(Seat::One)
    } else {
        two.then_some(Seat::Two)
    }
}
