//! Scores of 0–0: a draw, or a game that was not played.

use super::outcome_column::OutcomeColumn;
use super::outcomes::{Mark, split_scores};
use crate::schema::games::GameColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::values::statuses::status_option;
use crate::vocabulary::seats::{Pairing, Seat, heading_word, parse_seat_heading};
use ranklore_grid::{FileReadError, Reason};

/// The word of `--status` for all games with scores of 0–0 that may not have been played.
pub(super) const ZERO_SCORES: &str = "0-0";

/// The fewest games of 0–0 beside each other that hardly are draws.
const MIN_DOUBTFUL: usize = 2;

/// The probability below which as many games of 0–0 stand together by chance.
const MAX_CHANCE: f64 = 0.1;

/// The fewest points in all other games among which one game of 0–0 hardly is a draw.
const MIN_POINTS: f64 = 10.0;

/// The fewest games that show how many points games have.
const MIN_GAMES: usize = 4;

/// The meaning of 0–0, beside a blank winner if there is a column of winners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ZeroScores {
    Drawn,
    /// Other draws have a blank winner too: drawn, unless all winners are of earlier games.
    DrawnIfNotLater,
    NotPlayed,
    /// No column names winners, and the games of 0–0 in these rows stand apart, as those that are to
    /// come.
    Doubtful {
        first_row: usize,
        last_row: usize,
    },
}

/// The columns of a table of games that tell if 0–0 was played.
#[derive(Clone, Copy)]
pub(super) struct ScoreCells<'t, 'c> {
    pub(super) table: &'t HeaderTable,
    pub(super) columns: &'c GameColumns,
    pub(super) outcome: Option<&'c OutcomeColumn<'t>>,
    pub(super) winner: Option<&'c OutcomeColumn<'t>>,
}

impl ZeroScores {
    /// Returns the meaning in a table. A blank winner says nothing if a decided game has one, too.
    pub(super) fn find(cells: ScoreCells<'_, '_>) -> Self {
        let table = cells.table;
        if !table.grid.limits().reader.refuses_doubts() {
            return Self::Drawn;
        }
        let Some(winner) = cells.winner else {
            let doubtful = cells.find_without_winner().or_else(|| cells.find_apart());
            return doubtful.unwrap_or(Self::Drawn);
        };
        let is_open = |row: &usize| cells.is_open(*row);
        let scores = || table.data_rows().filter(is_open).filter_map(|row| cells.scores(row));
        if !scores().any(is_zero) || scores().any(|[one, two]| one != two) {
            return Self::Drawn;
        }
        let has_equal = scores().any(|scores| !is_zero(scores));
        if !winner.marks.values().any(|mark| *mark != Mark::Open) {
            Self::Drawn
        } else if has_equal && !winner.style.has_draws {
            Self::DrawnIfNotLater
        } else {
            Self::NotPlayed
        }
    }
}

impl<'t> ScoreCells<'t, '_> {
    /// Returns the scores of a row, from two columns or from one cell; `None` if it has none.
    fn scores(self, row: usize) -> Option<[&'t str; 2]> {
        let cell = |column| self.table.grid.cell(row, column);
        let scores = match (self.columns.scores, self.outcome) {
            (Some(pair), _) => pair.map(cell),
            (None, Some(outcome)) if outcome.style.has_scores => {
                let cell = cell(outcome.column);
                let mark = outcome.marks.get(cell);
                let [one, two] =
                    matches!(mark, Some(Mark::Scores(..))).then(|| split_scores(cell))??;
                // The scores of a half follow in brackets.
                [one, two.split('(').next().unwrap_or(two).trim_end()]
            }
            _ => return None,
        };
        (!scores.iter().all(|score| is_blank(score))).then_some(scores)
    }

    /// True if a row has scores of 0–0, and no other column says that the game was played.
    pub(super) fn has_only_zeros(self, row: usize) -> bool {
        let columns = self.columns;
        let pairs = columns.rival_scores.iter().chain(&columns.shootouts).flatten();
        let extra_times = columns.extra_times.iter().flat_map(|extra| extra.columns());
        let outcome = columns.outcome.filter(|_| columns.scores.is_some());
        let marks = [outcome, columns.draw].into_iter().flatten();
        let mut others =
            marks.chain(columns.statuses.iter().chain(pairs).copied()).chain(extra_times);
        self.scores(row).is_some_and(is_zero)
            && others.all(|column| {
                let cell = self.table.grid.cell(row, column);
                is_blank(cell) || is_zero([cell, cell])
            })
    }

    /// True if a row names no winner.
    pub(super) fn is_open(self, row: usize) -> bool {
        self.winner.is_some_and(|winner| {
            winner.marks.get(self.table.grid.cell(row, winner.column)) == Some(&Mark::Open)
        })
    }

    /// Returns the games of 0–0 if these alone are without a winner in a column that the user excludes.
    fn find_without_winner(self) -> Option<ZeroScores> {
        let names_winner = |column: &usize| {
            let heading = parse_seat_heading(&heading_word(self.table.heading(*column)));
            heading.is_some_and(|heading| {
                heading.pairing == Some(Pairing::WinnerLoser) && heading.seat == Seat::One
            })
        };
        let winner = self.table.ignored_columns().iter().copied().find(names_winner)?;
        let rows = self.table.data_rows().filter(|&row| self.scores(row).is_some());
        let is_open = |row: &usize| is_blank(self.table.grid.cell(*row, winner));
        let (open, decided): (Vec<usize>, Vec<usize>) = rows.partition(is_open);
        let are_apart = !decided.is_empty()
            && open.iter().all(|&row| self.has_only_zeros(row))
            && !decided.iter().any(|&row| self.has_only_zeros(row));
        Some(ZeroScores::Doubtful {
            first_row: *open.first().filter(|_| are_apart)?,
            last_row: *open.last()?,
        })
    }

    /// Returns the games of 0–0 that are the first rows or the last ones, where few others have these
    /// scores, or those among games of many points.
    fn find_apart(self) -> Option<ZeroScores> {
        let rows = self.table.data_rows().filter(|&row| self.scores(row).is_some());
        let games: Vec<(usize, bool)> = rows.map(|row| (row, self.has_only_zeros(row))).collect();
        let zeros = games.iter().filter(|game| game.1).count();
        if zeros == 0 {
            return None;
        }
        let doubtful = |games: &[(usize, bool)]| {
            let first_row = games.first()?.0;
            let last_row = games.last()?.0;
            Some(ZeroScores::Doubtful {
                first_row,
                last_row,
            })
        };
        let first = games.iter().take_while(|game| game.1).count();
        let last = games.iter().rev().take_while(|game| game.1).count();
        let run = first.max(last);
        let others = games.len() - run;
        let chance = ((zeros - run) as f64 / others as f64).powf(run as f64);
        if run >= MIN_DOUBTFUL && (others == 0 || chance < MAX_CHANCE) {
            return doubtful(if last >= first {
                &games[others..]
            } else {
                &games[..run]
            });
        }
        let has_points = |game: &&(usize, bool)| {
            let scores = self.scores(game.0).unwrap_or_default().map(str::parse::<f64>);
            matches!(scores, [Ok(one), Ok(two)] if one + two >= MIN_POINTS)
        };
        let mut decided = games.iter().filter(|game| !game.1);
        let are_apart = games.len() - zeros >= MIN_GAMES && decided.all(|game| has_points(&game));
        are_apart.then(|| doubtful(&games)).flatten()
    }

    /// Returns the error for scores of 0–0 in these rows that stand apart.
    pub(super) fn refuse_zeros(self, first_row: usize, last_row: usize) -> FileReadError {
        let rows = || (first_row..=last_row).filter(|&row| self.has_only_zeros(row));
        let grid = &self.table.grid;
        let row = rows().next().unwrap_or(first_row);
        let observation = match rows().count() {
            _ if self.find_without_winner().is_some() => {
                "games of 0–0 have no winner, as all others have: they".to_owned()
            }
            1 => "a game of 0–0 stands among games of many points: it".to_owned(),
            count => format!(
                "{count} games of 0–0 stand apart from the others, up to {}: they",
                grid.row_location(rows().next_back().unwrap_or(last_row)),
            ),
        };
        let problem = format!("{observation} may not have been played");
        let cases = [
            (status_option(ZERO_SCORES, "dns"), "to leave all games of 0–0 out"),
            (status_option(ZERO_SCORES, "finished"), "if they are draws"),
        ];
        FileReadError::new(grid.row_location(row), Reason::with_options(problem, cases))
    }
}

fn is_zero(cells: [&str; 2]) -> bool {
    cells.iter().all(|cell| matches!(*cell, "0" | "0.0"))
}
