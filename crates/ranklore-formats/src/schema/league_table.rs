//! League tables: columns that count the games which each competitor won, drew and lost.

use crate::schema::table::{HeaderTable, NAME_RESULT};
use crate::values::cells::is_blank;
use crate::vocabulary::kinds::{SeasonStatistic, is_total_heading};
use crate::vocabulary::leagues::{LEAGUES, LeagueHeadings, OVERTIME};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_grid::Reason;

/// The columns of a league table.
pub(crate) struct LeagueTable {
    wins: usize,
    losses: usize,
    draws: Option<usize>,
    overtime: Vec<usize>,
    /// The games that the other columns add up to; `None` if the headings suffice.
    games: Option<usize>,
    /// The points, under a heading that means them only in such a table.
    points: Option<usize>,
}

impl LeagueTable {
    /// Finds the columns: by abbreviations of a language whose counts add up to the games played, or
    /// by English headings alone.
    pub(crate) fn find(table: &HeaderTable) -> Option<Self> {
        let knows_words = table.grid.limits().reader.refuses_doubts();
        let mut leagues = LEAGUES.iter().filter(|_| knows_words);
        let league = leagues.find_map(|headings| Self::find_sums(table, headings));
        league.or_else(|| Self::find_words(table, knows_words))
    }

    fn find_words(table: &HeaderTable, knows_words: bool) -> Option<Self> {
        let find = |kind| {
            let mut columns = find_statistics(table, kind);
            columns.find(|&column| knows_words || table.heading(column).len() == 1)
        };
        let wins = find(SeasonStatistic::Wins)?;
        let losses = find(SeasonStatistic::Losses)?;
        Some(Self {
            wins,
            losses,
            draws: find(SeasonStatistic::Draws),
            overtime: Vec::new(),
            games: None,
            points: None,
        })
    }

    fn find_sums(table: &HeaderTable, headings: &LeagueHeadings) -> Option<Self> {
        let headed = |words: &'static str| {
            let columns = table.unknown_columns.iter().copied();
            columns.filter(move |&column| {
                let heading = table.heading(column);
                // "T+" and "T-" are goals.
                !heading.contains(['+', '-', '−']) && has_word(words, &normalise_word(heading))
            })
        };
        let losses = headed(headings.losses).next()?;
        let wins = headed(headings.wins).find(|&column| column != losses)?;
        let draws = headed(headings.draws).find(|column| ![wins, losses].contains(column));
        let mut league = Self {
            wins,
            losses,
            draws,
            overtime: headed(OVERTIME).collect(),
            games: None,
            points: None,
        };
        let counts: Vec<usize> = league.counts().collect();
        let mut others = (0..table.grid.width(table.header_row)).filter(|&column| {
            // A total has contests as its parts.
            !counts.contains(&column) && !is_total_heading(table.heading(column))
        });
        league.games = Some(others.find(|&column| are_sums(table, column, &counts))?);
        let mut points = headed(headings.points).filter(|&column| {
            !league.counts().any(|count| count == column)
                && pairs(table, column, wins).is_some_and(|pairs| pairs.iter().all(|p| p.0 >= p.1))
        });
        let points = points.next().filter(|_| points.next().is_none());
        Some(Self { points, ..league })
    }

    /// Returns the columns that count games.
    pub(crate) fn counts(&self) -> impl Iterator<Item = usize> {
        let counts = [Some(self.wins), Some(self.losses), self.draws, self.games];
        counts.into_iter().flatten().chain(self.overtime.iter().copied())
    }

    /// Returns the advice to name the column that decides: the points, or the wins if no game was
    /// drawn.
    pub(crate) fn name_score(&self, table: &HeaderTable) -> Reason {
        let is_count = |cell: &str| !is_blank(cell) && cell.trim().parse() != Ok(0.0);
        let drawn = self.draws.filter(|&column| table.values(column).any(is_count));
        match (self.points, drawn) {
            (None, Some(draws)) => Reason::from(format!(
                "a column of points is missing, for {} leaves out the draws in {}: add one headed \"points\", or {NAME_RESULT}",
                table.describe_column(self.wins),
                table.describe_column(draws),
            )),
            (points, _) => table.advise_meaning(points.unwrap_or(self.wins), ColumnMeaning::Score),
        }
    }
}

/// Returns the advice to order the rows by the only column of wins, if they stand so.
pub(crate) fn name_wins(table: &HeaderTable) -> Option<Reason> {
    let mut wins = find_statistics(table, SeasonStatistic::Wins);
    let column = wins.next().filter(|_| wins.next().is_none())?;
    let numbers: Option<Vec<f64>> = table.values(column).map(|cell| cell.parse().ok()).collect();
    let is_in_order = |numbers: Vec<f64>| {
        numbers.first() > numbers.last() && numbers.is_sorted_by(|one, next| one >= next)
    };
    numbers
        .is_some_and(is_in_order)
        .then(|| table.advise_meaning(column, ColumnMeaning::Score))
}

/// Returns the columns without a meaning that have this statistic of a season.
pub(crate) fn find_statistics(
    table: &HeaderTable,
    kind: SeasonStatistic,
) -> impl Iterator<Item = usize> {
    let columns = table.unknown_columns.iter().copied();
    columns.filter(move |&c| SeasonStatistic::from_heading(table.heading(c)) == Some(kind))
}

/// Returns the numbers of two columns in each row; `None` if a cell is no whole number.
fn pairs(table: &HeaderTable, one: usize, other: usize) -> Option<Vec<(u32, u32)>> {
    let number = |row, column| table.grid.cell(row, column).trim().parse::<u32>().ok();
    table
        .data_rows()
        .map(|row| Some((number(row, one)?, number(row, other)?)))
        .collect()
}

/// True if a column is the sum of others in each row, and not 0 in all.
fn are_sums(table: &HeaderTable, column: usize, summands: &[usize]) -> bool {
    let number = |row, column| table.grid.cell(row, column).trim().parse::<u32>().ok();
    let mut total = 0;
    let are_sums = table.data_rows().all(|row| {
        let parts: Option<Vec<u32>> = summands.iter().map(|&part| number(row, part)).collect();
        let sum = parts.and_then(|parts| parts.into_iter().try_fold(0, u32::checked_add));
        total = sum.map_or(0, |sum| sum.max(total));
        sum.is_some() && number(row, column) == sum
    });
    are_sums && total > 0
}
