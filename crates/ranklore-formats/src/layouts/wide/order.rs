//! Decides by the order of the players of a wide table whether its cells are places or scores.
//!
//! Each round of a club with N players that gives N points to the first is a ranking, too. A column of
//! places, a total, or the order of the rows tells which end is better.

use crate::layouts::race_points::RaceCell;
use crate::options::StatedCells;
use crate::schema::table::HeaderTable;
use crate::values::cells::parse_place;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::is_time_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::rounds::is_score_of_round;
use crate::vocabulary::words::{has_word, normalise_word, split_words};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The least share of pairs of players, less the opposite pairs, that have the order of their cells.
const MIN_CONCORDANCE: f64 = 0.6;

/// The fewest players whose rows are hardly in order by chance.
const MIN_PLAYERS_IN_ORDER: usize = 5;

/// The most players whose cells are compared.
const MAX_COMPARED: usize = 1_000;

/// The ratio of the highest and the lowest number of a round from which they are hardly strokes.
const MIN_SPREAD: f64 = 1.5;

/// The numbers that can be places of a larger field: of two digits.
const FIELD_PLACES: std::ops::Range<f64> = 1.0..100.0;

/// Words for races, of which the places are known rather than scores.
const RACES: &str = "race regatta heat lauf rennen course manche corsa regata carrera wyscig zavod";

/// The least number of different numbers of a round, in tenths, that are hardly scores.
const MIN_DISTINCT_TENTHS: usize = 9;

/// A kind of cells, and the evidence for it.
type KindEvidence = Option<(StatedCells, String)>;

/// The evidence of the columns beside the rounds.
#[derive(Default)]
pub(super) struct OrderEvidence {
    /// The kind of the cells by a column of places.
    by_place: KindEvidence,
    /// The kind of the cells by the order of the rows beside a total.
    by_total: KindEvidence,
    /// The kind of the cells by a total in which a round without a result counts nothing.
    by_sum: KindEvidence,
    /// The total, if there is one.
    total: Option<usize>,
    /// True if the total has points, of which the highest are the best in any order of the rows.
    has_points: bool,
    /// True if the rows stand in the order of falling means without a total.
    has_falling_means: bool,
    /// The number of players with a number.
    players: usize,
    /// The reason why the highest numbers win if nothing else decides.
    highest_first: Option<String>,
    /// True if the numbers can be places of a field of which the table has only some.
    may_be_places: bool,
}

/// The numbers of a player in all rounds.
#[derive(Clone, Copy)]
struct PlayerNumbers {
    count: u32,
    sum: f64,
}

impl PlayerNumbers {
    fn mean(self) -> f64 {
        self.sum / f64::from(self.count)
    }
}

impl OrderEvidence {
    /// Looks at the first players in `rows`.
    pub(super) fn find(table: &HeaderTable, rounds: &[usize], rows: &[usize]) -> Self {
        let rows = &rows[..rows.len().min(MAX_COMPARED)];
        let numbers = RoundNumbers::new(table, rounds, rows);
        let means = numbers.means();
        // The highest points are the best; the best total is the one that stands first.
        let points = table
            .claims(ColumnMeaning::Score)
            .first()
            .filter(|claim| claim.0 != MatchStrength::Vague)
            .map(|claim| claim.1)
            .filter(|&column| !is_time_heading(table.heading(column)));
        let vague_total = || table.first_column(ColumnMeaning::Score);
        let total = points.or_else(|| table.total_columns().next()).or_else(vague_total);
        // The best stand first: those with the fewest points, or nobody knows.
        let has_rising_points = points.is_some_and(|points| rise(table, points, rows));
        let by_total = total.filter(|_| !has_rising_points).and_then(|total| {
            let column = table.describe_column(total);
            if points.is_some() {
                let pairs = total_pairs(table, total, rows, &means);
                let lowest_first: Vec<(f64, f64)> =
                    pairs.iter().map(|&(t, mean)| (-t, mean)).collect();
                let kind = kind_by_concordance(&lowest_first)?;
                Some((kind, format!("the highest value of {column} is the best")))
            } else {
                let kind = kind_by_total(table, total, rows, &means)?;
                Some((kind, format!("the rows follow {column}")))
            }
        });
        let has_falling_means = total.is_none() && numbers.fall(PlayerNumbers::mean);
        let has_falling_sums = total.is_none() && numbers.fall(|player| player.sum);
        // Strokes differ little, and the fewest stand first.
        let rises = matches!(by_total, Some((StatedCells::Places, _)));
        let are_strokes = numbers.spread <= MIN_SPREAD && rises;
        // Few clubs count in whole numbers of which the lowest is the best.
        let are_points = rounds.len() > 1
            && !are_strokes
            && numbers.are_halves
            && !has_rising_points
            && !has_low_headings(table);
        let may_be_places = are_points && numbers.may_be_places;
        let highest_first = if has_falling_means || has_falling_sums {
            Some("the highest stand first".to_owned())
        } else {
            let reason = "pass --lower-is-better if the lowest is the best".to_owned();
            Some(reason).filter(|_| are_points && !may_be_places)
        };
        Self {
            by_place: kind_by_place(table, rows, &means),
            by_total,
            by_sum: total
                .filter(|_| !has_rising_points)
                .and_then(|total| kind_by_sum(table, total, rows, &numbers)),
            total,
            has_points: points.is_some(),
            has_falling_means,
            players: means.iter().flatten().count(),
            highest_first,
            may_be_places,
        }
    }

    /// Returns the kind of cells whose rounds are rankings, with the evidence; `None` without any.
    /// Errors if the evidence contradicts itself or decides nothing.
    /// Returns what says that the highest numbers are the best: a place or a total.
    pub(super) fn evidence_of_scores(&self) -> Option<&str> {
        let mut evidence = [&self.by_place, &self.by_total].into_iter().flatten();
        let scores = evidence.find(|(kind, _)| *kind == StatedCells::Scores);
        scores.map(|(_, reason)| &**reason)
    }

    pub(super) fn decide(
        self,
        table: &HeaderTable,
        round: usize,
    ) -> Result<KindEvidence, FileReadError> {
        let doubt = match (&self.by_place, &self.by_total) {
            (Some((by_place, place)), Some((by_total, total))) if by_place != by_total => {
                format!("{place}, and {total}, which disagree")
            }
            (None, None) if self.has_falling_means => "the highest stand first".to_owned(),
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

    /// True if a column of places tells the kind of the cells.
    pub(super) const fn has_places(&self) -> bool {
        self.by_place.is_some()
    }

    /// Returns the kind of cells whose rounds are no rankings, with the evidence: places stand for
    /// scores of which the lowest is the best. Errors if the evidence contradicts itself, or if there
    /// is none.
    pub(super) fn decide_direction(
        self,
        table: &HeaderTable,
        round: usize,
    ) -> Result<(StatedCells, String), FileReadError> {
        let has_players = |kind| self.has_points || self.players >= min_players_in_order(kind);
        // The order of a few rows decides nothing, but is no sum either.
        let by_sum = self
            .by_sum
            .filter(|by_sum| self.by_total.as_ref().is_none_or(|by_total| by_total.0 == by_sum.0));
        let by_total = self.by_total.filter(|by_total| has_players(by_total.0));
        let mut decisive = [self.by_place, by_total, by_sum];
        let mut evidence = decisive.iter_mut().filter_map(Option::take);
        let first = evidence.next();
        let may_be_places = self.may_be_places && first.is_none();
        let other = first.as_ref().and_then(|first| evidence.find(|other| other.0 != first.0));
        let doubt = match (first, other) {
            (Some((_, first)), Some((_, other))) => format!("{first}, and {other}, which disagree"),
            (Some(first), None) => return Ok(first),
            (None, _) if let Some(reason) = self.highest_first => {
                return Ok((StatedCells::Scores, reason));
            }
            (None, _) => "no place, total or order of the rows shows which".to_owned(),
        };
        let problem = format!(
            "the highest or the lowest numbers of {} can be the best, and {doubt}",
            table.describe_column(round)
        );
        let cases = [
            (cells_option(StatedCells::Scores), "if the highest is the best"),
            (CommandOptions::lower_is_better(), "if the lowest is"),
        ];
        let places = (cells_option(StatedCells::Places), "if they are places of a larger field");
        let cases = cases.into_iter().chain(may_be_places.then_some(places));
        Err(table.refuse_column(round, Reason::with_options(problem, cases)))
    }
}

/// Returns the error for numbers of which the lowest are the best, as the evidence says, and which can
/// be places.
pub(super) fn refuse_lowest(table: &HeaderTable, round: usize, evidence: &str) -> FileReadError {
    let problem = format!(
        "the lowest numbers of {} seem to be the best, as {evidence}",
        table.describe_column(round)
    );
    let cases = [
        (CommandOptions::lower_is_better(), "if they are scores"),
        (cells_option(StatedCells::Places), "if they are places"),
        (cells_option(StatedCells::Scores), "if the highest is the best"),
    ];
    table.refuse_column(round, Reason::with_options(problem, cases))
}

/// Returns the kind of the cells by a column of places, and the evidence.
fn kind_by_place(table: &HeaderTable, rows: &[usize], means: &[Option<f64>]) -> KindEvidence {
    let place = table.first_column(ColumnMeaning::Place)?;
    let placed = rows.iter().zip(means).filter_map(|(&row, mean)| {
        Some((f64::from(parse_place(table.grid.cell(row, place))?), (*mean)?))
    });
    let kind = kind_by_concordance(&placed.collect::<Vec<_>>())?;
    Some((kind, format!("{} says which end is better", table.describe_column(place))))
}

pub(super) fn cells_option(cells: StatedCells) -> CommandOptions {
    CommandOptions::new("--cells", cells.as_str())
}

/// Headings of competitors and scores where the lowest numbers win.
const LOW_HEADINGS: &str = "golfer helm skipper sailor boat sail sailno penalty penalties strafpunkte \
     stroke strokes par time zeit";

/// True if a word of a heading belongs to scores where the lowest numbers win.
fn has_low_headings(table: &HeaderTable) -> bool {
    let mut headings = table.grid.cells(table.header_row);
    headings.any(|heading| {
        split_words(heading)
            .iter()
            .any(|word| has_word(LOW_HEADINGS, &normalise_word(word)))
    })
}

/// True if the numbers of a column rise from row to row, and are not all equal.
fn rise(table: &HeaderTable, column: usize, rows: &[usize]) -> bool {
    let style = table.number_style(Some(column));
    let cells = rows.iter().map(|&row| table.grid.cell(row, column));
    let numbers: Vec<f64> = cells.filter_map(|cell| style.parse(cell).ok()).collect();
    numbers.len() > 2 && numbers.is_sorted() && numbers.first() < numbers.last()
}

/// The fewest players whose rows follow a total hardly by chance. Few tables are sorted so that the
/// lowest number is the best.
fn min_players_in_order(kind: StatedCells) -> usize {
    match kind {
        StatedCells::Scores => 3,
        StatedCells::Places => MIN_PLAYERS_IN_ORDER,
    }
}

/// The numbers in the rounds.
struct RoundNumbers {
    /// The numbers of each player, if there are any.
    players: Vec<Option<PlayerNumbers>>,
    /// True if all numbers are whole or end in a half.
    are_halves: bool,
    /// The greatest ratio of the highest and the lowest number of a round.
    spread: f64,
    /// True if the numbers can be places of a larger field: they hardly repeat within a round, and
    /// are not the same in all rounds, as the points for each place are.
    may_be_places: bool,
}

impl RoundNumbers {
    fn new(table: &HeaderTable, rounds: &[usize], rows: &[usize]) -> Self {
        let cells = |round: usize| rows.iter().map(move |&row| table.grid.cell(row, round));
        let all_cells = rounds.iter().flat_map(|&round| cells(round));
        let style = table.style_of(all_cells);
        let mut numbers = Self {
            players: vec![None; rows.len()],
            are_halves: true,
            spread: 1.0,
            may_be_places: false,
        };
        let mut numbers_by_round: Vec<Vec<f64>> = Vec::with_capacity(rounds.len());
        for &round in rounds {
            let mut round_numbers = Vec::new();
            for (cell, player) in cells(round).zip(&mut numbers.players) {
                let cell = RaceCell::parse(cell).result();
                let number = style.parse(cell).ok().or_else(|| parse_place(cell).map(f64::from));
                let Some(number) = number else {
                    continue;
                };
                let player = player.get_or_insert(PlayerNumbers { count: 0, sum: 0.0 });
                player.count += 1;
                player.sum += number;
                numbers.are_halves &= (2.0 * number).fract() == 0.0;
                round_numbers.push(number);
            }
            round_numbers.sort_by(f64::total_cmp);
            if let [lowest, .., highest] = round_numbers[..] {
                numbers.spread = numbers.spread.max(highest / lowest);
            }
            numbers_by_round.push(round_numbers);
        }
        let are_headed_as_scores =
            rounds.iter().any(|&round| is_score_of_round(table.heading(round)));
        numbers.may_be_places = may_be_places(&numbers_by_round)
            && !are_headed_as_scores
            && rounds.iter().all(|&round| is_race_heading(table.heading(round)))
            && !numbers.fall_with_absences();
        numbers
    }

    fn means(&self) -> Vec<Option<f64>> {
        self.players.iter().map(|player| player.map(PlayerNumbers::mean)).collect()
    }

    /// True if the rows stand in the order of falling sums, and some players lack rounds: of places, they
    /// would have the best sums.
    fn fall_with_absences(&self) -> bool {
        let players: Vec<PlayerNumbers> = self.players.iter().flatten().copied().collect();
        players.is_sorted_by(|a, b| a.sum >= b.sum)
            && players.iter().any(|player| player.count != players[0].count)
    }

    /// True if the rows stand in the order of falling values, and so many that it is hardly chance.
    fn fall(&self, value: fn(PlayerNumbers) -> f64) -> bool {
        let values: Vec<f64> = self.players.iter().flatten().copied().map(value).collect();
        values.len() >= MIN_PLAYERS_IN_ORDER && values.is_sorted_by(|a, b| a > b)
    }
}

/// True if a heading means a race, in which places are usual: `Race 3`. Of other rounds, scores are.
fn is_race_heading(heading: &str) -> bool {
    split_words(heading).iter().any(|word| has_word(RACES, word))
}

/// True if the sorted numbers of the rounds can be places of a larger field.
fn may_be_places(rounds: &[Vec<f64>]) -> bool {
    let has_places = |numbers: &Vec<f64>| {
        let repeats = numbers.windows(2).filter(|pair| pair[0] >= pair[1]).count();
        let distinct = numbers.len() - repeats;
        10 * distinct >= MIN_DISTINCT_TENTHS * numbers.len()
            && numbers
                .iter()
                .all(|number| FIELD_PLACES.contains(number) && number.fract() == 0.0)
    };
    rounds.iter().all(has_places) && rounds.windows(2).any(|pair| pair[0] != pair[1])
}

/// Returns the kind of the cells by a total that counts nothing for a round without a result, and
/// whole numbers that differ more than strokes: the players with the fewest rounds would lead.
fn kind_by_sum(
    table: &HeaderTable,
    total: usize,
    rows: &[usize],
    numbers: &RoundNumbers,
) -> KindEvidence {
    let style = table.number_style(Some(total));
    let sums = rows.iter().zip(&numbers.players).filter_map(|(&row, player)| {
        Some((style.parse(table.grid.cell(row, total)).ok()?, (*player)?))
    });
    let sums: Vec<(f64, PlayerNumbers)> = sums.collect();
    let add_up = sums.iter().all(|(total, player)| (total - player.sum).abs() < 1e-6);
    let lacks_rounds = sums.iter().any(|(_, player)| player.count != sums[0].1.count);
    (add_up && lacks_rounds && numbers.are_halves && numbers.spread > MIN_SPREAD).then(|| {
        let column = table.describe_column(total);
        (
            StatedCells::Scores,
            format!("{column} adds up all numbers, also of those with fewer"),
        )
    })
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
