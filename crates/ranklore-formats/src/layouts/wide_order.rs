//! Decides by the order of the players of a wide table whether its cells are places or scores.
//!
//! Each round of a club with N players that gives N points to the first is a ranking, too. A column of
//! places, a total, or the order of the rows tells which end is better.

use crate::options::StatedCells;
use crate::schema::table::HeaderTable;
use crate::values::cells::parse_place;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::is_time_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The least share of pairs of players, less the opposite pairs, that have the order of their cells.
const MIN_CONCORDANCE: f64 = 0.6;

/// The fewest players whose rows are hardly in order by chance.
const MIN_PLAYERS_IN_ORDER: usize = 5;

/// The evidence of the columns beside the rounds.
#[derive(Default)]
pub(super) struct OrderEvidence {
    /// The kind of the cells by a column of places, and the evidence.
    by_place: Option<(StatedCells, String)>,
    /// The kind of the cells by the order of the rows beside a total.
    by_total: Option<(StatedCells, String)>,
    /// The total, if there is one.
    total: Option<usize>,
    /// True if the rows stand in the order of falling cells without a total.
    has_falling_rows: bool,
}

impl OrderEvidence {
    /// Looks at the players in `rows`.
    pub(super) fn find(table: &HeaderTable, rounds: &[usize], rows: &[usize]) -> Self {
        let means = mean_cells(table, rounds, rows);
        let mut order = Self {
            by_place: kind_by_place(table, rows, &means),
            ..Self::default()
        };
        // The highest points are the best; the best total is the one that stands first.
        let points = table
            .claims(ColumnMeaning::Score)
            .first()
            .filter(|claim| claim.0 != MatchStrength::Vague)
            .map(|claim| claim.1)
            .filter(|&column| !is_time_heading(table.heading(column)));
        let vague_total = || table.first_column(ColumnMeaning::Score);
        order.total = points.or_else(|| table.total_column()).or_else(vague_total);
        match order.total {
            Some(total) if points.is_some() => {
                let pairs = total_pairs(table, total, rows, &means);
                let lowest_first: Vec<(f64, f64)> =
                    pairs.iter().map(|&(t, mean)| (-t, mean)).collect();
                order.by_total = kind_by_concordance(&lowest_first).map(|kind| {
                    (
                        kind,
                        format!(
                            "the highest value of {} is the best",
                            table.describe_column(total)
                        ),
                    )
                });
            }
            Some(total) => {
                order.by_total = kind_by_total(table, total, rows, &means).map(|kind| {
                    let column = table.describe_column(total);
                    (kind, format!("the rows follow {column}"))
                });
            }
            None => {
                let falling: Vec<f64> = means.iter().copied().flatten().collect();
                order.has_falling_rows =
                    falling.len() >= MIN_PLAYERS_IN_ORDER && falling.is_sorted_by(|a, b| a > b);
            }
        }
        order
    }

    /// Returns the kind of cells whose rounds are rankings, with the evidence; `None` without any.
    /// Errors if the evidence contradicts itself or decides nothing.
    pub(super) fn decide(
        self,
        table: &HeaderTable,
        round: usize,
    ) -> Result<Option<(StatedCells, String)>, FileReadError> {
        let doubt = match (&self.by_place, &self.by_total) {
            (Some((by_place, place)), Some((by_total, total))) if by_place != by_total => {
                format!("{place}, and {total}, which disagree")
            }
            (None, None) if self.has_falling_rows => "the highest stand first".to_owned(),
            (None, None) => match self.total {
                Some(total) => {
                    format!("{} does not tell which", table.describe_column(total))
                }
                None => return Ok(None),
            },
            _ => return Ok(self.by_place.or(self.by_total)),
        };
        let problem = format!(
            "the numbers of {} can be places or scores, and {doubt}",
            table.describe_column(round)
        );
        let cases = [
            (cells_option(StatedCells::Places), "if 1 is the best"),
            (cells_option(StatedCells::Scores), "if the highest is"),
        ];
        Err(table.refuse_column(round, Reason::with_options(problem, cases)))
    }
}

/// Errors if a column of places contradicts scores of which the highest is the best. `other` is a
/// round that is no ranking.
pub(super) fn check_highest_first(
    table: &HeaderTable,
    rounds: &[usize],
    rows: &[usize],
    other: usize,
) -> Result<(), FileReadError> {
    // The means of a large table take time.
    if !table.has_column(ColumnMeaning::Place) {
        return Ok(());
    }
    let by_place = kind_by_place(table, rows, &mean_cells(table, rounds, rows));
    let Some((StatedCells::Places, place)) = by_place else {
        return Ok(());
    };
    let problem = format!(
        "the lowest numbers of {} seem to be the best, as {place}",
        table.describe_column(other)
    );
    let cases = [
        (CommandOptions::lower_is_better(), "if they are scores"),
        (cells_option(StatedCells::Places), "if they are places"),
        (cells_option(StatedCells::Scores), "if the highest is the best"),
    ];
    Err(table.refuse_column(other, Reason::with_options(problem, cases)))
}

/// Returns the kind of the cells by a column of places, and the evidence.
fn kind_by_place(
    table: &HeaderTable,
    rows: &[usize],
    means: &[Option<f64>],
) -> Option<(StatedCells, String)> {
    let place = table.first_column(ColumnMeaning::Place)?;
    let placed = rows.iter().zip(means).filter_map(|(&row, mean)| {
        Some((f64::from(parse_place(table.grid.cell(row, place))?), (*mean)?))
    });
    let kind = kind_by_concordance(&placed.collect::<Vec<_>>())?;
    Some((kind, format!("{} says which end is better", table.describe_column(place))))
}

fn cells_option(cells: StatedCells) -> CommandOptions {
    CommandOptions::new("--cells", cells.as_str())
}

/// Returns the mean number in the rounds of each player, if there is one.
fn mean_cells(table: &HeaderTable, rounds: &[usize], rows: &[usize]) -> Vec<Option<f64>> {
    let styles: Vec<_> = rounds.iter().map(|&round| table.number_style(Some(round))).collect();
    let mean = |row: usize| {
        let numbers = rounds.iter().zip(&styles).filter_map(|(&round, style)| {
            let cell = table.grid.cell(row, round);
            style.parse(cell).ok().or_else(|| parse_place(cell).map(f64::from))
        });
        let (count, sum) = numbers.fold((0, 0.0), |(count, sum), number| (count + 1, sum + number));
        (count > 0).then(|| sum / f64::from(count))
    };
    rows.iter().map(|&row| mean(row)).collect()
}

/// Returns the kind of cells by pairs of a place, or another number of which the lowest is the best,
/// and the mean cell.
fn kind_by_concordance(players: &[(f64, f64)]) -> Option<StatedCells> {
    let concordance = concordance(players)?;
    (concordance.abs() >= MIN_CONCORDANCE).then_some(if concordance > 0.0 {
        StatedCells::Places
    } else {
        StatedCells::Scores
    })
}

/// Returns the kind of cells by a total if the rows follow it.
fn kind_by_total(
    table: &HeaderTable,
    total: usize,
    rows: &[usize],
    means: &[Option<f64>],
) -> Option<StatedCells> {
    let totals = total_pairs(table, total, rows, means);
    let rises = totals.is_sorted_by(|a, b| a.0 <= b.0);
    let falls = totals.is_sorted_by(|a, b| a.0 >= b.0);
    if rises == falls {
        return None;
    }
    // The best total stands first; its sign makes it the lowest.
    let sign = if rises { 1.0 } else { -1.0 };
    let players: Vec<(f64, f64)> =
        totals.iter().map(|&(total, mean)| (sign * total, mean)).collect();
    kind_by_concordance(&players)
}

/// Returns the total and the mean cell of each player who has both.
fn total_pairs(
    table: &HeaderTable,
    total: usize,
    rows: &[usize],
    means: &[Option<f64>],
) -> Vec<(f64, f64)> {
    let style = table.number_style(Some(total));
    let totals = rows.iter().zip(means);
    totals
        .filter_map(|(&row, mean)| Some((style.parse(table.grid.cell(row, total)).ok()?, (*mean)?)))
        .collect()
}

/// Returns the share of pairs in the same order less that of pairs in opposite order (Kendall's tau
/// without ties). `None` without a pair.
fn concordance(players: &[(f64, f64)]) -> Option<f64> {
    // A thousand players are more than enough.
    let players = &players[..players.len().min(1_000)];
    let mut pairs = 0_u32;
    let mut excess = 0.0;
    for (index, a) in players.iter().enumerate() {
        for b in &players[index + 1..] {
            let product = (a.0 - b.0) * (a.1 - b.1);
            if product != 0.0 {
                pairs += 1;
                excess += product.signum();
            }
        }
    }
    (pairs > 0).then(|| excess / f64::from(pairs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concordance_follows_the_order_of_pairs() {
        let players = |means: &[f64]| -> Vec<(f64, f64)> {
            (1..).map(f64::from).zip(means.iter().copied()).collect()
        };
        assert_eq!(concordance(&players(&[1.0, 2.0, 3.0])), Some(1.0));
        assert_eq!(concordance(&players(&[3.0, 2.0, 1.0])), Some(-1.0));
        assert_eq!(concordance(&players(&[2.0, 2.0])), None);
        assert_eq!(kind_by_concordance(&players(&[1.0, 3.0, 2.0])), None);
        assert_eq!(kind_by_concordance(&players(&[3.0, 2.5, 1.0])), Some(StatedCells::Scores));
    }
}
