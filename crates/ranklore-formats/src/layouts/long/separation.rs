//! Columns that separate the rows of a contest into rankings of their own, such as heats.
//!
//! If a table has several rankings and the column that tells them apart is not read, their places
//! merge into false ties. A column separates a contest if its places repeat and those of
//! each value are a ranking: from 1, without gaps, ties allowed. Two values must have two rows or
//! more, so that clubs or bib numbers never turn real ties into contests. Two columns can separate
//! a contest only together: each distance has a ranking of women and one of men. Merged, these look
//! like one ranking with ties; so columns that leave fewer first places tied are preferred.
//!
//! Columns headed like classes, such as weight classes of one lifter, separate a contest also if each
//! value has one row: real ties seldom lie apart in all of them.
//!
//! Without places nothing repeats. There the headings of heats, distances and the like decide.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::rows::{LongRow, RowGroup};
use crate::layouts::standings::RowMark;
use crate::options::ReadOptions;
use crate::schema::long::{LongColumns, LongSource};
use crate::schema::table::HeaderTable;
use crate::values::rankings::is_ranking;
use crate::vocabulary::kinds::{
    is_contest_part_heading, is_division_heading, is_equipment_heading, is_season_heading,
    is_venue_heading, is_weight_class_heading,
};
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::EntrantKind;
use ranklore_grid::{CommandOptions, Reason};

/// The number of columns whose pairs are tried.
const MAX_PAIRED_COLUMNS: usize = 16;

/// The number of columns of classes whose subsets are tried.
const MAX_CLASS_COLUMNS: usize = 6;

/// The fewest ties between rankings that restart.
const MIN_RESTARTED_TIES: usize = 3;

/// The ties between rankings that restart, for each within one of them.
const MIN_TIES_BETWEEN: usize = 5;

/// The effect of a column on the places of one contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separation {
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

/// The columns that are not read and differ within the table.
pub(super) struct UnreadColumns<'t> {
    pub(super) table: &'t HeaderTable,
    /// The columns that are read.
    pub(super) columns: &'t LongColumns,
    pub(super) options: &'t ReadOptions,
    pub(super) unread: Vec<usize>,
    /// The unread columns headed like parts of contests, such as heats.
    parts: Vec<usize>,
}

impl<'t> UnreadColumns<'t> {
    pub(super) fn find(source: LongSource<'t>) -> Self {
        let LongSource {
            table,
            columns,
            options,
            ..
        } = source;
        let mut unread = table.unread_columns(&columns.used);
        unread.retain(|&column| {
            let mut values = table.values(column);
            let first = values.next();
            values.any(|value| Some(value) != first)
        });
        let mut parts = unread.clone();
        parts.retain(|&column| {
            let heading = table.heading(column);
            is_contest_part_heading(heading) || is_weight_class_heading(heading)
        });
        Self {
            table,
            columns,
            options,
            unread,
            parts,
        }
    }

    /// Returns the reason to refuse a contest of which unread columns separate the results.
    pub(super) fn describe_separation(&self, rows: &[LongRow<'_>]) -> Option<Reason> {
        if self.columns.place.is_none() {
            return self.describe_scored_parts(rows);
        }
        let table = self.table;
        let lines: Vec<&LongRow<'_>> = rows.iter().collect();
        if !first_place_repeats(&lines) {
            return None;
        }
        let rows = PlacedRows::new(&lines);
        let are_ranking = is_ranking(rows.placed.iter().map(|&(place, _)| place));
        let effects =
            self.unread.iter().filter_map(|&column| match rows.separation(table, [column]) {
                Separation::Rankings { ties } => Some((ties, column)),
                Separation::Partial | Separation::Gapped if !are_ranking => {
                    Some((usize::MAX, column))
                }
                Separation::Harmless
                | Separation::Partial
                | Separation::Gapped
                | Separation::Broken => None,
            });
        // Of equal columns, one that is headed like a part of contests.
        let single =
            effects.min_by_key(|&(ties, column)| (ties, !self.parts.contains(&column), column));
        let max_ties = single.map_or(usize::MAX, |(ties, _)| ties);
        let pair = rows.find_separating_pair(table, &self.unread, max_ties);
        let is_divided = max_ties == 0
            || pair.is_some_and(|pair| {
                rows.separation(table, pair) == Separation::Rankings { ties: 0 }
            });
        if !is_divided && let Some(reason) = self.describe_classes(&lines, &rows) {
            return Some(reason);
        }
        let Some([first, second]) = pair else {
            let (_, column) = single?;
            let described = table.describe_column(column);
            let problem = format!("places repeat, and {described} separates them into rankings");
            let otherwise = (!rows.restart_by(table, &[column])).then_some("these are ties");
            return Some(self.refuse_undivided(&problem, column, otherwise));
        };
        let (options, remark) = match self.unused_meanings()[..] {
            [division, other] => {
                let one = table.column_option(first, other);
                let options = one.and(table.column_option(second, division));
                (options, "(or the other way round) ")
            }
            _ => (self.divide_together(&[first, second]), ""),
        };
        let problem = format!(
            "places repeat, and {} and {} together separate them into rankings",
            table.describe_column(first),
            table.describe_column(second),
        );
        let ignore = table.ignore_option(first).and(table.ignore_option(second));
        let divided = (options, format!("{remark}if each ranking is a contest of its own"));
        let tied = (ignore, "if these are ties".to_owned());
        let tied = (!rows.restart_by(table, &[first, second])).then_some(tied);
        Some(Reason::with_options(problem, std::iter::once(divided).chain(tied)))
    }

    /// Returns the unread columns headed like classes of competitors or parts of contests.
    fn classes(&self) -> Vec<usize> {
        let mut classes = self.unread.clone();
        classes.retain(|&column| {
            let heading = self.table.heading(column);
            is_division_heading(heading)
                || is_weight_class_heading(heading)
                || is_equipment_heading(heading)
        });
        classes.truncate(MAX_CLASS_COLUMNS);
        classes
    }

    /// Returns the reason to refuse a contest in which equal places have different scores or none, and
    /// the fewest columns of classes separate them.
    fn describe_classes(&self, lines: &[&LongRow<'_>], rows: &PlacedRows) -> Option<Reason> {
        let table = self.table;
        if !table.grid.limits().reader.refuses_doubts() || !have_unequal_ties(lines) {
            return None;
        }
        let columns = rows.find_separating_classes(table, &self.classes())?;
        let cases = [(self.divide_together(&columns), "if each ranking is a contest of its own")];
        let problem = format!(
            "places repeat, and are divided into rankings by {}",
            table.describe_columns(&columns)
        );
        Some(Reason::with_options(problem, cases))
    }

    /// Returns the reason to refuse a contest without places of which an unread column, such as the
    /// distance, says that the results belong to several contests.
    fn describe_scored_parts(&self, rows: &[LongRow<'_>]) -> Option<Reason> {
        let mut parts = self.parts.iter().copied();
        let column = parts.find(|&column| self.holds_parts(rows, column))?;
        let described = self.table.describe_column(column);
        let problem = format!("{described} may separate the results into contests");
        Some(self.refuse_undivided(&problem, column, Some("all are ranked together")))
    }

    /// True if several values of a column have two results or more each, and these are at least
    /// half of all results.
    fn holds_parts(&self, rows: &[LongRow<'_>], column: usize) -> bool {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for row in rows.iter().filter(|row| row.result.is_some()) {
            let value = self.table.grid.cell(row.row, column);
            *counts.entry(value).or_default() += 1;
        }
        let result_count: usize = counts.values().sum();
        counts.retain(|value, count| !value.is_empty() && *count > 1);
        // A measured distance is rarely that of another competitor.
        counts.len() > 1 && counts.values().sum::<usize>() * 2 >= result_count
    }

    /// Returns a problem with the options that read a column as a part of contests, or not: `otherwise`
    /// is the case in which it is none.
    fn refuse_undivided(&self, problem: &str, column: usize, otherwise: Option<&str>) -> Reason {
        let divided = (self.divide_by(column), "if each is a contest of its own".to_owned());
        let ignore = self.table.ignore_option(column);
        let ignored = otherwise.map(|otherwise| (ignore, format!("if {otherwise}")));
        Reason::with_options(problem, std::iter::once(divided).chain(ignored))
    }

    /// Returns the options with which a column divides contests, beside those that do already.
    fn divide_by(&self, column: usize) -> CommandOptions {
        let Self { table, columns, .. } = *self;
        let Some(&part) = self.unused_meanings().first() else {
            return self.divide_together(&[column]);
        };
        match (part, columns.division, columns.contest) {
            // One event of all rows is no name for each of their contests.
            (ColumnMeaning::Contest, Some(division), Some(contest))
                if !table.holds_several(contest) =>
            {
                let event = table.column_option(division, ColumnMeaning::Event);
                event.and(table.column_option(column, ColumnMeaning::Division))
            }
            _ if columns.contest.is_none() && is_venue_heading(table.heading(column)) => {
                table.column_option(column, ColumnMeaning::Contest)
            }
            _ => table.column_option(column, part),
        }
    }

    /// Returns the options with which columns divide contests together with that of the division.
    fn divide_together(&self, columns: &[usize]) -> CommandOptions {
        let divisions = self.columns.division.iter().chain(columns);
        let options =
            divisions.map(|&column| self.table.column_option(column, ColumnMeaning::Division));
        options.reduce(CommandOptions::and).unwrap_or_default()
    }

    /// Returns the meanings for a part of contests that no column has.
    fn unused_meanings(&self) -> Vec<ColumnMeaning> {
        let columns = self.columns;
        let mut unused = Vec::new();
        if columns.division.is_none() {
            unused.push(ColumnMeaning::Division);
        }
        // Rows of one contest id have one event.
        if columns.event.is_none() && columns.id.is_none() {
            // A column of events names the contests if no other does.
            unused.push(if self.table.has_column(ColumnMeaning::Event) {
                ColumnMeaning::Contest
            } else {
                ColumnMeaning::Event
            });
        }
        unused
    }
}

/// Returns the column that divides the contests of a table: an unread one with the heading of
/// divisions, which separates a contest and breaks none. `None` if there are several.
pub(super) fn find_division_column(
    groups: &[RowGroup<'_>],
    table: &HeaderTable,
    columns: &LongColumns,
) -> Option<usize> {
    let can_divide =
        columns.division.is_none() || (columns.event.is_none() && columns.id.is_none());
    if !can_divide || columns.place.is_none() {
        return None;
    }
    let unread = table.unread_columns(&columns.used);
    let mut candidates = unread.clone();
    candidates.retain(|&column| {
        let heading = table.heading(column);
        is_division_heading(heading) || is_season_heading(heading)
    });
    if candidates.is_empty() {
        return None;
    }
    let contests: Vec<PlacedRows> = groups
        .iter()
        .flat_map(split_by_date)
        .map(|rows| PlacedRows::new(&rows))
        .collect();
    candidates.retain(|&column| divides_contests(&contests, table, column));
    let [column] = candidates[..] else {
        return None;
    };
    // Two columns together may separate the places better than this one.
    let has_better_pair = |rows: &PlacedRows| match rows.separation(table, [column]) {
        Separation::Rankings { ties } => rows.find_separating_pair(table, &unread, ties).is_some(),
        _ => false,
    };
    (!contests.iter().any(has_better_pair)).then_some(column)
}

/// True if a column separates a contest and breaks none.
fn divides_contests(contests: &[PlacedRows], table: &HeaderTable, column: usize) -> bool {
    let mut has_rankings = false;
    for rows in contests {
        match rows.separation(table, [column]) {
            Separation::Rankings { .. } => has_rankings = true,
            Separation::Harmless => {}
            Separation::Partial | Separation::Gapped | Separation::Broken => return false,
        }
    }
    has_rankings
}

/// Returns the rows of each contest of a group: a recurring name has one for each date.
fn split_by_date<'g>(group: &'g RowGroup<'_>) -> Vec<Vec<&'g LongRow<'g>>> {
    let mut by_date: BTreeMap<_, Vec<&LongRow<'_>>> = BTreeMap::new();
    for row in &group.rows {
        by_date.entry(row.date).or_default().push(row);
    }
    by_date.into_values().collect()
}

fn place(row: &LongRow<'_>) -> Option<u32> {
    match row.result.as_ref()?.mark {
        RowMark::Place(place) => Some(place),
        RowMark::Score(_) | RowMark::DidNotFinish | RowMark::Disqualified => None,
    }
}

/// True if rows of one place have different scores, or none.
fn have_unequal_ties(rows: &[&LongRow<'_>]) -> bool {
    let mut scores: HashMap<u32, Option<u64>> = HashMap::new();
    rows.iter().any(|row| {
        place(row).is_some_and(|place| {
            let score = row.result.as_ref().and_then(|result| result.score).map(f64::to_bits);
            let repeats = scores.contains_key(&place);
            let first = *scores.entry(place).or_insert(score);
            repeats && (score.is_none() || first != score)
        })
    })
}

/// True if several rows have the first place. Rankings that start at 1 cannot repeat otherwise.
fn first_place_repeats(rows: &[&LongRow<'_>]) -> bool {
    rows.iter().filter(|row| place(row) == Some(1)).count() > 1
}

/// The rows of a contest that have places.
struct PlacedRows {
    /// The place and the row, in order of place. A team has one row for each of its places.
    placed: Vec<(u32, usize)>,
    /// Further rows of a team with the same place, and the row in `placed`.
    repeated_teams: Vec<(usize, usize)>,
}

impl PlacedRows {
    fn new(rows: &[&LongRow<'_>]) -> Self {
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
    fn separation<const N: usize>(&self, table: &HeaderTable, columns: [usize; N]) -> Separation {
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
    fn restart_by(&self, table: &HeaderTable, columns: &[usize]) -> bool {
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
    fn find_separating_pair(
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
    fn find_separating_classes(
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

/// The places of one value of a column, read in order.
#[derive(Default)]
struct Ranking {
    rows: u32,
    last_place: u32,
    has_gap: bool,
}

#[cfg(test)]
mod tests {
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
