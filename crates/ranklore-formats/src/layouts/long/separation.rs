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

use std::collections::{BTreeMap, HashMap};

use super::placed_rows::{PlacedRows, Separation, place};
use super::rows::{LongRow, RowGroup};
use crate::options::ReadOptions;
use crate::schema::long::{LongColumns, LongSource};
use crate::schema::table::HeaderTable;
use crate::values::rankings::is_ranking;
use crate::vocabulary::kinds::{
    is_contest_part_heading, is_division_heading, is_equipment_heading, is_season_heading,
    is_venue_heading, is_weight_class_heading,
};
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_grid::{CommandOptions, Reason};

/// The number of columns of classes whose subsets are tried.
const MAX_CLASS_COLUMNS: usize = 6;

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
        let alone = "if each is a contest of its own".to_owned();
        let divided = self.divide_by(column);
        let mut cases = if self.may_name_contests(column) {
            let contests = self.table.column_option(column, ColumnMeaning::Contest);
            vec![
                (contests, alone),
                (divided, "if they are parts of one contest".to_owned()),
            ]
        } else {
            vec![(divided, alone)]
        };
        let ignore = self.table.ignore_option(column);
        cases.extend(otherwise.map(|otherwise| (ignore, format!("if {otherwise}"))));
        Reason::with_options(problem, cases)
    }

    /// True if nothing else names contests or dates them, and a competitor has results below several values of a
    /// column that is not headed like parts of contests.
    fn may_name_contests(&self, column: usize) -> bool {
        let Self { table, columns, .. } = *self;
        let is_undated =
            columns.contest.is_none() && columns.id.is_none() && columns.date.is_none();
        let heading = table.heading(column);
        let mut values: HashMap<&str, &str> = HashMap::new();
        is_undated
            && !(is_division_heading(heading) || is_venue_heading(heading))
            && table.data_rows().any(|row| {
                let [name, value] =
                    [table.name_column(), column].map(|column| table.grid.cell(row, column));
                *values.entry(name).or_insert(value) != value
            })
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
