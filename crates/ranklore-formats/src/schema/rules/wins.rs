//! Rules about columns that say of each result if it was a win: `W`, `lost`, `x`.

use std::collections::{BTreeMap, BTreeSet};

use super::scores::deciding_score;
use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::people::second_person::check_second_person;
use crate::schema::people::side_results::SideResult;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word, split_words};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// Headings that mark winners.
const WIN_WORDS: &str = "win won winner iswinner victory victor sieg sieger gewonnen";

/// Reads a column of words such as "Won" and "Lost" as the places of games, if nothing else ranks
/// them or if equal scores leave games tied. Errors if a contest has several winners and losers, as
/// several games have, and no column tells the games apart.
pub(super) fn wins_in_words(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let contests = table.contest_rows();
    let has_opponents = contests.iter().any(|rows| rows.len() > 1);
    let Some(column) = find_wins(table).filter(|_| has_opponents) else {
        return Ok(None);
    };
    // Where another column names the opponents, each row is a game.
    if check_second_person(table).is_err() {
        return Ok(None);
    }
    if contests.iter().any(|rows| holds_several_games(table, rows, column)) {
        let games = find_games(table, column, contests);
        return games
            .map_or_else(|| Err(refuse_several_games(table, column)), |games| Ok(Some(games)));
    }
    if table.has_column(ColumnMeaning::Place) {
        return Ok(None);
    }
    let wins = WinColumn {
        column,
        rank: |cell| SideResult::parse_word(cell).map(|result| result as u8),
    };
    let mut scores = table.claims(ColumnMeaning::Score).iter().map(|claim| claim.1);
    let is_tied = match scores.find(|&score| score != column) {
        Some(score) => {
            wins.check_scores(table, score, options)?;
            wins.breaks_ties(table, contests, score)
        }
        None => true,
    };
    let note = format!("{} says who won", table.describe_column(column));
    Ok(Some(if is_tied {
        Evidence::join(&[column], ColumnMeaning::Place, place_of_side, note)
    } else {
        let changes = vec![Change::MeansNothing(column), Change::IsNoContest(column)];
        Evidence::new(format!("{note}, as the scores do"), changes)
    }))
}

/// Errors if a column that is not read marks winners who have not the best score.
pub(super) fn winners_beside_scores(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some((_, score)) = deciding_score(table) else {
        return Ok(None);
    };
    let rank = |cell: &str| match &*cell.to_ascii_lowercase() {
        "1" | "yes" | "y" | "true" | "x" | "win" | "won" => Some(0),
        "0" | "no" | "n" | "false" | "" | "-" | "loss" | "lost" => Some(1),
        _ => None,
    };
    let marks_winners = |&column: &usize| {
        let heading = table.heading(column);
        let words = split_words(heading);
        let last = words.last().map_or("", String::as_str);
        (has_word(WIN_WORDS, &normalise_word(heading)) || has_word(WIN_WORDS, last))
            && table.values(column).all(|cell| cell.len() <= 5 && rank(cell).is_some())
    };
    let mut columns = table.unknown_columns.iter().copied();
    if let Some(column) = columns.find(marks_winners) {
        WinColumn { column, rank }.check_scores(table, score, options)?;
    }
    Ok(None)
}

/// A column that ranks the competitors of a contest by a win.
#[derive(Clone, Copy)]
struct WinColumn {
    column: usize,
    /// Returns the rank of a cell, 0 for a win.
    rank: fn(&str) -> Option<u8>,
}

impl WinColumn {
    /// Errors if the scores contradict the wins.
    fn check_scores(
        self,
        table: &HeaderTable,
        score: usize,
        options: &ReadOptions,
    ) -> Result<(), FileReadError> {
        if self.agrees(table, score, options.lower_is_better) {
            return Ok(());
        }
        let [win, scores] = [self.column, score].map(|column| table.describe_column(column));
        let problem = format!("{win} marks winners who have not the best score in {scores}");
        let ignore = (table.ignore_option(self.column), "if the scores decide");
        let reason = if !options.lower_is_better && self.agrees(table, score, true) {
            let lowest = (CommandOptions::lower_is_better(), "if the lowest score wins");
            Reason::with_options(problem, [lowest, ignore])
        } else {
            Reason::with_options(problem, [ignore])
                .map_text(|text| format!("{text}; if not, add a column headed \"place\""))
        };
        Err(table.refuse_column(self.column, reason))
    }

    /// True if no winner has a worse score than another competitor of the contest.
    fn agrees(self, table: &HeaderTable, score: usize, lowest_wins: bool) -> bool {
        let sign: f64 = if lowest_wins { -1.0 } else { 1.0 };
        table.contest_rows().iter().all(|rows| {
            let results = self.results(table, rows, score);
            let ranks: BTreeSet<u8> = results.iter().map(|result| result.0).collect();
            ranks.into_iter().all(|rank| {
                let scores = |is_worse: bool| {
                    let results =
                        results.iter().filter(move |result| (result.0 > rank) == is_worse);
                    results.map(|result| sign * result.1)
                };
                let lowest = scores(false).reduce(f64::min);
                let highest = scores(true).reduce(f64::max);
                highest.is_none() || lowest >= highest
            })
        })
    }

    /// True if some games of two have a winner and equal scores, and all contests are games of two.
    fn breaks_ties(self, table: &HeaderTable, contests: &[Vec<usize>], score: usize) -> bool {
        let is_tied = |rows: &Vec<usize>| {
            matches!(self.results(table, rows, score)[..], [one, two]
                if one.0 != two.0 && one.1.total_cmp(&two.1).is_eq())
        };
        contests.iter().all(|rows| rows.len() <= 2) && contests.iter().any(is_tied)
    }

    /// Returns the ranks and scores of a contest.
    fn results(self, table: &HeaderTable, rows: &[usize], score: usize) -> Vec<(u8, f64)> {
        let style = table.number_style(Some(score));
        let results = rows.iter().filter_map(|&row| {
            let score = style.parse(table.grid.cell(row, score)).ok()?;
            Some(((self.rank)(table.grid.cell(row, self.column))?, score))
        });
        results.collect()
    }
}

/// Returns the column of words for wins and losses, if its heading means nothing definite.
fn find_wins(table: &HeaderTable) -> Option<usize> {
    use ColumnMeaning::{Score, Status};
    if !table.grid.limits().reader.refuses_doubts() {
        return None;
    }
    let vague_scores = table.claims(Score).iter().filter(|claim| claim.0 == MatchStrength::Vague);
    let statuses = table.claims(Status).iter().filter(|claim| claim.0 != MatchStrength::Stated);
    let claimed = vague_scores.chain(statuses).map(|claim| claim.1);
    let mut columns = table.unknown_columns.iter().copied().chain(claimed);
    columns.find(|&column| {
        let has =
            |result| table.values(column).any(|cell| SideResult::parse_word(cell) == Some(result));
        table.holds_only(column, |cell| SideResult::parse_word(cell).is_some())
            && has(SideResult::Win)
            && has(SideResult::Loss)
    })
}

/// True if several competitors of one contest won and several lost, and they are no two teams.
fn holds_several_games(table: &HeaderTable, rows: &[usize], column: usize) -> bool {
    let mut sides: BTreeMap<SideResult, Vec<&str>> = BTreeMap::new();
    let team = table
        .first_column(ColumnMeaning::Team)
        .filter(|&team| team != table.name_column());
    for &row in rows {
        if let Some(result) = SideResult::parse_word(table.grid.cell(row, column)) {
            // Without teams, each row is a side of its own.
            let side = team.map_or("", |team| table.grid.cell(row, team));
            let known = sides.entry(result).or_default();
            if team.is_none() || !known.contains(&side) {
                known.push(side);
            }
        }
    }
    let count = |result| sides.get(&result).map_or(0, Vec::len);
    let [wins, draws, losses] = [SideResult::Win, SideResult::Draw, SideResult::Loss].map(count);
    (wins > 1 && losses > 0) || (draws > 0 && wins + losses > 0) || draws > 2
}

/// Finds an unread column that tells the games of each contest apart: its values are the contests.
fn find_games(table: &HeaderTable, wins: usize, contests: &[Vec<usize>]) -> Option<Evidence> {
    use ColumnMeaning::{Contest, ContestId};
    let divides = |&column: &usize| {
        let mut games: BTreeMap<(usize, String), Vec<usize>> = BTreeMap::new();
        for (index, rows) in contests.iter().enumerate() {
            for &row in rows {
                let game = name_meeting(&[table.grid.cell(row, column)]);
                games.entry((index, game)).or_default().push(row);
            }
        }
        let is_game =
            |rows: &Vec<usize>| rows.len() == 2 && !holds_several_games(table, rows, wins);
        games.keys().all(|(_, game)| !is_blank(game)) && games.values().all(is_game)
    };
    let mut columns = table.unknown_columns.iter().copied().filter(|&column| column != wins);
    let game = columns.find(divides).filter(|_| !table.has_column(ContestId))?;
    let observation = format!("{} tells games of two apart", table.describe_column(game));
    // The round of the games is no name of a contest.
    let round = table.first_column(Contest).map(Change::MeansNothing);
    let mut evidence = Evidence::join(&[game], Contest, name_meeting, observation);
    evidence.changes.splice(..0, round);
    Some(evidence)
}

/// Returns a text for a meeting that is the same for both sides, `LAL vs. MIN` and `MIN @ LAL`; other texts
/// stay as they are.
fn name_meeting(cells: &[&str]) -> String {
    let cell = cells.first().copied().unwrap_or_default();
    let between = [" vs. ", " vs ", " v ", " @ ", " at "];
    match between.iter().find_map(|word| cell.split_once(word)) {
        Some((one, two)) if one <= two => format!("{one} – {two}"),
        Some((one, two)) => format!("{two} – {one}"),
        None => cell.to_owned(),
    }
}

fn refuse_several_games(table: &HeaderTable, wins: usize) -> FileReadError {
    let problem = format!(
        "{} has several winners and losers in one contest, as several games have",
        table.describe_column(wins)
    );
    let cases = [(table.ignore_option(wins), "if each contest is one ranking")];
    let reason = Reason::with_options(problem, cases).map_text(|text| {
        format!("{text}; if not, name the column that tells the games apart with --column HEADING=contest")
    });
    table.refuse_column(wins, reason)
}

/// Returns the place in a game of a side whose cell says if it won. Two that drew share the first.
fn place_of_side(cells: &[&str]) -> String {
    let cell = cells.first().copied().unwrap_or_default();
    match SideResult::parse_word(cell) {
        Some(SideResult::Win | SideResult::Draw) => "1".to_owned(),
        Some(SideResult::Loss) => "2".to_owned(),
        None => cell.to_owned(),
    }
}
