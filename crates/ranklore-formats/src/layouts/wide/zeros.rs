//! Scores of 0 in a wide table: the lowest score, or a competitor who did not take part.

use std::collections::HashSet;

use super::WideTable;
use crate::values::statuses::status_option;
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The fewest rounds at the end that hardly have nothing but scores of 0 by chance.
const MIN_OPEN_ROUNDS: usize = 2;

/// The probability below which as many scores of 0 stand together by chance.
const MAX_CHANCE: f64 = 0.1;

/// The fewest scores of 0 that can be absences.
const MIN_ZEROS: usize = 2;

/// The fewest competitors without any score who hardly took part in each round.
const MIN_ABSENTEES: usize = 2;

/// The fewest different scores that show how close scores are to each other.
const MIN_LEVELS: usize = 3;

/// The least share of the highest score that the lowest one has if no other score is near 0.
const MIN_SHARE: f64 = 0.2;

impl WideTable<'_> {
    /// Leaves out the last rounds if all players have 0 in them and few have elsewhere, as in the rounds
    /// that are still to come.
    pub(super) fn drop_open_rounds(&mut self, notes: &mut Vec<String>) {
        let Some(style) = self.score_style.filter(|_| !self.lower_is_better) else {
            return;
        };
        if !self.table.grid.limits().reader.refuses_doubts() {
            return;
        }
        let is_zero = |cell: &str| {
            self.statuses.find_stated(cell).is_none() && style.parse(cell).is_ok_and(|n| n == 0.0)
        };
        let zeros = |round| self.round_cells(round).filter(|cell| is_zero(cell)).count();
        let rounds = self.rounds;
        let is_open = |&&round: &&usize| zeros(round) == self.players.len();
        let open = rounds.iter().rev().take_while(is_open).count();
        let (played, open) = rounds.split_at(rounds.len() - open);
        let cells = open.len() * self.players.len();
        let results = || played.iter().flat_map(|&round| self.round_cells(round));
        let others = results().filter(|cell| self.is_result(cell)).count();
        // Among points won and lost, 0 is one of many.
        let are_around_zero = results().any(|cell| cell.starts_with(['-', '−']));
        let other_zeros: usize = played.iter().map(|&round| zeros(round)).sum();
        let chance = (other_zeros as f64 / others as f64).powf(cells as f64);
        if self.players.len() < 2
            || are_around_zero
            || open.len() < MIN_OPEN_ROUNDS
            || chance.is_nan()
            || chance >= MAX_CHANCE
        {
            return;
        }
        let keep = open.iter().find_map(|&round| self.round_cells(round).next());
        notes.push(format!(
            "rounds left out, because all have 0 from there to the end: {}; pass {} if they were drawn",
            self.table.describe_columns(open),
            status_option(keep.unwrap_or("0"), "finished"),
        ));
        self.rounds = played;
    }

    /// Errors if 0 is farther below all other scores than any two of these are from each other, or if several
    /// competitors have nothing else and no cell is blank: a series often writes it for competitors who did
    /// not take part. Points for the first places are the same in each round.
    pub(super) fn check_zeros(&self) -> Result<(), FileReadError> {
        let Some(style) = self.score_style.filter(|_| !self.lower_is_better) else {
            return Ok(());
        };
        if !self.table.grid.limits().reader.refuses_doubts() {
            return Ok(());
        }
        let mut zeros: Vec<&str> = Vec::new();
        let mut zero_count = 0;
        let mut first_zero = None;
        let mut rounds: Vec<Vec<f64>> = Vec::new();
        let mut scorers: HashSet<usize> = HashSet::new();
        for &round in self.rounds {
            let mut scores = Vec::new();
            for (&row, cell) in self.players.iter().zip(self.round_cells(round)) {
                let number = style.parse(cell).ok().filter(|_| self.is_result(cell));
                let Some(score) = number else {
                    continue;
                };
                if score.abs() > 0.0 {
                    scores.push(score);
                    scorers.insert(row);
                    continue;
                }
                zero_count += 1;
                first_zero.get_or_insert((row, round));
                if !zeros.contains(&cell) {
                    zeros.push(cell);
                }
            }
            scores.sort_by(f64::total_cmp);
            rounds.push(scores);
        }
        let are_points_of_places = rounds.len() > 1 && rounds.iter().all(|r| *r == rounds[0]);
        let without_score = self.players.iter().filter(|row| !scorers.contains(row)).count();
        let is_filled = zero_count + rounds.iter().map(Vec::len).sum::<usize>()
            == self.players.len() * self.rounds.len();
        let has_absentees = rounds.len() > 2 && is_filled && without_score >= MIN_ABSENTEES;
        let lowest = find_lowest_apart(rounds.into_iter().flatten().collect());
        let problem = match lowest {
            Some(lowest) => {
                format!("stands far below all other scores, of which the lowest is {lowest}")
            }
            None if has_absentees => {
                format!("is all that {without_score} competitors have, and no cell is blank")
            }
            None => return Ok(()),
        };
        match first_zero.filter(|_| zero_count >= MIN_ZEROS && !are_points_of_places) {
            Some((row, round)) => {
                let reason = refuse_zeros(&zeros, &problem);
                Err(FileReadError::new(self.table.grid.location(row, round), reason))
            }
            None => Ok(()),
        }
    }
}

/// Returns the lowest of scores above 0 if it is farther from 0 than from the next, and these from each
/// other.
fn find_lowest_apart(mut scores: Vec<f64>) -> Option<f64> {
    scores.sort_by(f64::total_cmp);
    scores.dedup();
    let lowest = *scores.first()?;
    let highest = *scores.last()?;
    let is_apart = scores.len() >= MIN_LEVELS
        && lowest >= MIN_SHARE * highest
        && scores.windows(2).all(|pair| pair[1] - pair[0] < lowest);
    is_apart.then_some(lowest)
}

/// Returns the reason to refuse these cells of 0, with what is said of them.
fn refuse_zeros(zeros: &[&str], problem: &str) -> Reason {
    let state = |status| {
        let options = zeros.iter().map(|zero| status_option(zero, status));
        options.reduce(CommandOptions::and).unwrap_or_default()
    };
    let problem = format!("{} {problem}", zeros.join(" or "));
    let cases = [
        (state("dns"), "if such competitors did not take part"),
        (state("finished"), "if it is a score"),
    ];
    Reason::with_options(problem, cases)
}
