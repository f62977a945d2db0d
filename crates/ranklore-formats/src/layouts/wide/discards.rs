//! Places with a minus, such as `-6`, which a series does not count, and scores below 0, which look alike.

use super::WideTable;
use super::order::cells_option;
use crate::options::StatedCells;
use crate::values::cells::is_blank;
use crate::values::rankings::are_ranking;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The fewest rows with a minus whose numbers are hardly discards by chance.
const MIN_ROWS: usize = 3;

/// Headings of the points of a series.
const TOTALS: &str = "total totals net nett netpoints nettpoints points pts";

/// The whole numbers of a player in all rounds.
#[derive(Default)]
struct SignedNumbers {
    row: usize,
    counted: Vec<u32>,
    /// The numbers behind a minus.
    marked: Vec<u32>,
    /// True if other cells can have points, too: `(DSQ-21)`.
    has_others: bool,
}

impl SignedNumbers {
    fn new<'c>(row: usize, cells: impl Iterator<Item = &'c str>) -> Self {
        let mut numbers = Self {
            row,
            ..Self::default()
        };
        for cell in cells.filter(|cell| !is_blank(cell)) {
            match (parse_marked(cell), cell.parse()) {
                (Some(marked), _) => numbers.marked.push(marked),
                (None, Ok(counted)) if !cell.starts_with('+') => numbers.counted.push(counted),
                _ => numbers.has_others = true,
            }
        }
        numbers
    }

    /// Returns the sum of the numbers without a minus.
    fn counted_sum(&self) -> f64 {
        self.counted.iter().copied().map(f64::from).sum()
    }

    /// Returns the sum of all numbers, if those with a minus are below 0.
    fn sum(&self) -> f64 {
        self.counted_sum() - self.marked.iter().copied().map(f64::from).sum::<f64>()
    }

    fn average(&self) -> f64 {
        self.sum() / (self.counted.len() + self.marked.len()) as f64
    }

    /// True if the numbers with a minus are the highest, as those are that a series does not count.
    fn are_marked_highest(&self) -> bool {
        let least = self.marked.iter().min();
        least.is_none_or(|least| self.counted.iter().max().is_some_and(|most| most <= least))
    }
}

/// Returns the number of `-6`.
fn parse_marked(cell: &str) -> Option<u32> {
    let number = cell.strip_prefix('-')?;
    number.parse().ok().filter(|&n| n > 0 && !number.starts_with('+'))
}

impl WideTable<'_> {
    /// True if a minus marks places that a series does not count: the total leaves them out, or each
    /// round is a ranking beside the places of all. Errors if it may mark scores below 0 as well.
    pub(super) fn find_minus_discards(&self) -> Result<bool, FileReadError> {
        let table = self.table;
        if let Some(cells) = self.options.cells {
            return Ok(cells == StatedCells::Places);
        }
        let mut cells = self
            .rounds
            .iter()
            .flat_map(|&round| self.round_cells(round).map(move |cell| (round, cell)));
        let marked = cells.find(|(_, cell)| parse_marked(cell).is_some());
        let Some((round, cell)) = marked.filter(|_| table.grid.limits().reader.refuses_doubts())
        else {
            return Ok(false);
        };
        let players = self.players.iter().map(|&row| {
            let cells = self.rounds.iter().map(|&round| table.grid.cell(row, round));
            SignedNumbers::new(row, cells)
        });
        let players: Vec<SignedNumbers> = players.collect();
        let marked_count = players.iter().filter(|player| !player.marked.is_empty()).count();
        let are_highest =
            marked_count >= MIN_ROWS && players.iter().all(SignedNumbers::are_marked_highest);
        let are_rankings = self.are_rankings_without_minus();
        let has_places = are_rankings && table.has_column(ColumnMeaning::Place);
        if are_highest && (has_places || self.leaves_discards_out(&players)) {
            return Ok(true);
        }
        let may_be_discards = are_rankings || (are_highest && self.may_be_places());
        if self.options.lower_is_better
            || !may_be_discards
            || self.total_column(&players, SignedNumbers::sum).is_some()
            || self.total_column(&players, SignedNumbers::average).is_some()
        {
            return Ok(false);
        }
        let problem = format!(
            "{cell} in {} can be a place that a series does not count, or a score",
            table.describe_column(round)
        );
        let cases = [
            (cells_option(StatedCells::Places), "if it is a place"),
            (cells_option(StatedCells::Scores), "if the highest score wins"),
            (CommandOptions::lower_is_better(), "if the lowest does"),
        ];
        Err(table.refuse_column(round, Reason::with_options(problem, cases)))
    }

    /// True if each round is a ranking once no place has a minus.
    fn are_rankings_without_minus(&self) -> bool {
        self.rounds.iter().all(|&round| {
            let cells = self.round_cells(round).filter(|cell| self.is_result(cell));
            let places: Vec<&str> = cells.map(|cell| cell.trim_start_matches('-')).collect();
            are_ranking(places.into_iter())
        })
    }

    /// True if each number without a minus is 1 or more, and has no plus.
    fn may_be_places(&self) -> bool {
        let style = self.number_style();
        self.cells().all(|cell| {
            let may_be_place = style.parse(cell).is_ok_and(|number| number >= 1.0);
            !self.is_result(cell)
                || parse_marked(cell).is_some()
                || (may_be_place && !cell.starts_with('+'))
        })
    }

    /// True if a total without the numbers with a minus rises from row to row, or does not fall and its
    /// heading says that it is one. Another can be the points that a team scored, without those against it.
    fn leaves_discards_out(&self, players: &[SignedNumbers]) -> bool {
        let Some(column) = self.total_column(players, SignedNumbers::counted_sum) else {
            return false;
        };
        let totals: Vec<f64> = players.iter().map(SignedNumbers::counted_sum).collect();
        let falls = totals.is_sorted_by(|one, two| one >= two);
        let is_total = has_word(TOTALS, &normalise_word(self.table.heading(column)));
        !falls && (is_total || totals.is_sorted())
    }

    /// Returns another column that has this total of each player with a minus, as far as all their cells
    /// are whole numbers.
    fn total_column(
        &self,
        players: &[SignedNumbers],
        total: impl Fn(&SignedNumbers) -> f64,
    ) -> Option<usize> {
        let table = self.table;
        let mut columns = 0..table.grid.width(table.header_row);
        columns.find(|&column| {
            let style = table.number_style(Some(column));
            let marked = || players.iter().filter(|p| !p.has_others && !p.marked.is_empty());
            !self.rounds.contains(&column)
                && marked().count() >= MIN_ROWS
                && marked().all(|player| {
                    let cell = table.grid.cell(player.row, column);
                    let is_total = |sum: f64| (sum - total(player)).abs() < 0.01;
                    // The sum tells what the comma of "-1,200" means.
                    style.parse(cell).is_ok_and(is_total)
                        || cell.replace(',', "").parse().is_ok_and(is_total)
                })
        })
    }
}
