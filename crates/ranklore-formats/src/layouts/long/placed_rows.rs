//! The places of a contest, and the columns that separate them into rankings of their own.

use std::collections::{HashMap, HashSet};

use super::rows::LongRow;
use crate::layouts::standings::RowMark;
use crate::schema::table::HeaderTable;
use ranklore_contest::EntrantKind;

/// The number of columns whose pairs are tried.
const MAX_PAIRED_COLUMNS: usize = 16;

/// The fewest ties between rankings that restart.
const MIN_RESTARTED_TIES: usize = 3;

/// The ties between rankings that restart, for each within one of them.
const MIN_TIES_BETWEEN: usize = 5;

/// The effect of a column on the places of one contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separation {
    /// Each value has a ranking, and together their places repeat. `ties` competitors share the
    /// first place of a value with others.
    Rankings { ties: usize },
    /// Each of two values or more has a first place, and places of its own with gaps: some
    /// competitors are missing.
    Gapped,
    /// The column has one value, or the places of each are a ranking that does not repeat.
    Harmless,
    /// The places of some value are no ranking, those of two others or more are.
    Partial,
    /// The places of some value are no ranking.
    Broken,
}

/// The rows of a contest that have places.
pub(super) struct PlacedRows {
    /// The place and the row, in order of place. A team has one row for each of its places.
    pub(super) placed: Vec<(u32, usize)>,
    /// Further rows of a team with the same place, and the row in `placed`.
    repeated_teams: Vec<(usize, usize)>,
}

impl PlacedRows {
    pub(super) fn new(rows: &[&LongRow<'_>]) -> Self {
        let mut placed = Vec::with_capacity(rows.len());
        let mut repeated_teams = Vec::new();
        let mut teams: HashMap<(&str, u32), usize> = HashMap::new();
        for row in rows {
            let (Some(result), Some(place)) = (&row.result, place(row)) else {
                continue;
            };
            if result.kind == EntrantKind::Team && result.members.len() == 1 {
                let first = *teams.entry((&*result.competitor, place)).or_insert(row.row);
                if first != row.row {
                    repeated_teams.push((row.row, first));
                    continue;
                }
            }
            placed.push((place, row.row));
        }
        placed.sort_unstable();
        Self {
            placed,
            repeated_teams,
        }
    }

    /// Returns the effect of the values of these columns, taken together.
    pub(super) fn separation<const N: usize>(
        &self,
        table: &HeaderTable,
        columns: [usize; N],
    ) -> Separation {
        let values = |row: usize| columns.map(|column| table.grid.cell(row, column));
        let mut ties = 0;
        let mut starts = 0;
        let mut has_repeats = false;
        let mut rankings: HashMap<[&str; N], Ranking> = HashMap::new();
        for &(place, row) in &self.placed {
            let ranking = rankings.entry(values(row)).or_default();
            ranking.rows += 1;
            ties += usize::from(place == 1 && ranking.rows > 1);
            starts += usize::from(place == 1 && ranking.rows == 1);
            has_repeats |= place == ranking.last_place;
            // Ties count as one place or as several.
            ranking.has_gap |= place != ranking.last_place
                && place != ranking.last_place + 1
                && place != ranking.rows;
            ranking.last_place = place;
        }
        // The column describes members of teams.
        let mut repeated = self.repeated_teams.iter();
        if repeated.any(|&(row, first)| values(row) != values(first)) {
            return Separation::Broken;
        }
        let complete = rankings.values().filter(|r| r.rows > 1 && !r.has_gap);
        let has_gap = rankings.values().any(|ranking| ranking.has_gap);
        match (has_gap, complete.count() > 1) {
            (false, true) => Separation::Rankings { ties },
            (false, false) => Separation::Harmless,
            (true, true) => Separation::Partial,
            (true, false) if starts == rankings.len() && starts > 1 && !has_repeats => {
                Separation::Gapped
            }
            (true, false) => Separation::Broken,
        }
    }

    /// True if nearly all ties are between the values of columns that separate the places: these
    /// restart from row to row, and competitors do not tie. Rows in the order of the places have ties.
    pub(super) fn restart_by(&self, table: &HeaderTable, columns: &[usize]) -> bool {
        let mut rows: Vec<(usize, u32)> =
            self.placed.iter().map(|&(place, row)| (row, place)).collect();
        rows.sort_unstable();
        let mut places = HashSet::new();
        let mut placed_values = HashSet::new();
        for &(row, place) in &rows {
            places.insert(place);
            let values = columns.iter().map(|&column| table.grid.cell(row, column));
            placed_values.insert((place, values.collect::<Vec<_>>()));
        }
        let ties = rows.len() - places.len();
        let ties_within_values = rows.len() - placed_values.len();
        !rows.is_sorted_by_key(|&(_, place)| place)
            && ties >= MIN_RESTARTED_TIES
            && MIN_TIES_BETWEEN * ties_within_values <= ties
    }

    /// Returns two columns that separate a contest together with fewer tied first places than
    /// `ties`. Each value of them has a first place, which excludes most columns at once.
    pub(super) fn find_separating_pair(
        &self,
        table: &HeaderTable,
        unread: &[usize],
        ties: usize,
    ) -> Option<[usize; 2]> {
        let firsts = self.placed.iter().take_while(|(place, _)| *place == 1);
        let first_count = firsts.count();
        // With two first places, each column of the pair separates them alone.
        if ties == 0 || first_count < 3 {
            return None;
        }
        let columns: Vec<usize> = unread
            .iter()
            .copied()
            .filter(|&column| self.has_few_values(table, column, first_count))
            .take(MAX_PAIRED_COLUMNS)
            .collect();
        let pairs = columns.iter().enumerate().flat_map(|(index, &first)| {
            let further = columns[index + 1..].iter();
            further.map(move |&second| [first, second])
        });
        let separating = pairs.filter_map(|pair| match self.separation(table, pair) {
            Separation::Rankings { ties: pair_ties } if pair_ties < ties => Some((pair_ties, pair)),
            _ => None,
        });
        separating.min().map(|(_, pair)| pair)
    }

    /// Returns the fewest columns within whose values no place repeats and each ranking runs from 1 without
    /// gaps, if some have two rows.
    pub(super) fn find_separating_classes(
        &self,
        table: &HeaderTable,
        classes: &[usize],
    ) -> Option<Vec<usize>> {
        let subset = |bits: u32| {
            let columns = classes.iter().enumerate();
            let chosen = columns.filter(move |&(index, _)| (bits >> index) & 1 == 1);
            chosen.map(|(_, &column)| column).collect::<Vec<_>>()
        };
        let mut subsets: Vec<Vec<usize>> = (1..1_u32 << classes.len()).map(subset).collect();
        subsets.sort_by_key(Vec::len);
        subsets.retain(|_| self.placed.last().is_some_and(|&(place, _)| place > 1));
        let separates = |columns: &Vec<usize>| {
            let mut last_places: HashMap<Vec<&str>, u32> = HashMap::new();
            self.placed.iter().all(|&(place, row)| {
                let values = columns.iter().map(|&column| table.grid.cell(row, column));
                let last = last_places.entry(values.collect()).or_default();
                *last += 1;
                *last == place
            })
        };
        subsets.into_iter().find(separates)
    }

    /// True if a column has two values or more, and at most `max` of them.
    fn has_few_values(&self, table: &HeaderTable, column: usize, max: usize) -> bool {
        let mut values = HashSet::new();
        let are_few = self.placed.iter().all(|&(_, row)| {
            values.insert(table.grid.cell(row, column));
            values.len() <= max
        });
        are_few && values.len() > 1
    }
}

/// Returns the place of a row.
pub(super) fn place(row: &LongRow<'_>) -> Option<u32> {
    match row.result.as_ref()?.mark {
        RowMark::Place(place) => Some(place),
        RowMark::Score(_) | RowMark::DidNotFinish | RowMark::Disqualified => None,
    }
}

/// The places of one value of a column, read in order.
#[derive(Default)]
struct Ranking {
    rows: u32,
    last_place: u32,
    has_gap: bool,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use ranklore_grid::CellGrid;

    fn separation(places: &[u32], values: &[&str]) -> Separation {
        let mut grid = CellGrid::default();
        grid.begin_row(1).unwrap();
        assert!(grid.push_cell("name").is_ok() && grid.push_cell("board").is_ok());
        for value in values {
            grid.begin_row(1).unwrap();
            assert!(grid.push_cell("x").is_ok() && grid.push_cell(value).is_ok());
        }
        let table = HeaderTable::new(grid, 0, &BTreeMap::new()).unwrap();
        let mut rows = PlacedRows {
            placed: places.iter().copied().zip(1..).collect(),
            repeated_teams: Vec::new(),
        };
        rows.placed.sort_unstable();
        rows.separation(&table, [1])
    }

    #[test]
    fn rankings_run_from_one_without_gaps() {
        for (places, values, expected) in [
            (&[1, 2, 1, 2, 3][..], "aabbb", Separation::Rankings { ties: 0 }),
            (&[2, 1, 2, 4, 1, 1], "aaaabb", Separation::Rankings { ties: 1 }),
            (&[1, 1, 2, 3, 1, 1], "aaaabb", Separation::Rankings { ties: 2 }),
            (&[1, 2, 1], "aab", Separation::Harmless),
            (&[1, 2, 3], "aaa", Separation::Harmless),
            (&[1, 2, 2, 3], "aabb", Separation::Broken),
            (&[1, 3, 1, 2], "aabb", Separation::Gapped),
            (&[1, 2, 4, 1, 2, 5], "aaabbb", Separation::Gapped),
            (&[1, 3, 3, 1, 2], "aaabb", Separation::Broken),
            (&[1, 3, 2, 4], "aabb", Separation::Broken),
            (&[1, 2, 2, 5, 1, 2], "aaaabb", Separation::Broken),
            (&[1, 3, 1, 2, 1, 2], "aabbcc", Separation::Partial),
        ] {
            let values: Vec<String> = values.chars().map(String::from).collect();
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            assert_eq!(separation(places, &values), expected, "{places:?}");
        }
    }
}
