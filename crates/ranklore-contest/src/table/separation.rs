//! Columns that separate the rows of a contest into rankings of their own, such as heats.
//!
//! If a table has several rankings and the column that tells them apart is not read, their places
//! merge into ties that nobody had. A column separates a contest if its places repeat and those of
//! each value are a ranking: from 1, without gaps, ties allowed. Two values must have two rows or
//! more, so that clubs or bib numbers never turn real ties into contests.

use std::collections::{BTreeMap, HashMap};

use super::columns::{ColumnMeaning, is_division_heading};
use super::header::HeaderTable;
use super::long_columns::LongColumns;
use super::long_rows::{LongRow, RowGroup};
use super::standings::RowMark;
use crate::contest::EntrantKind;

/// The effect of a column on the places of one contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separation {
    /// Each value has a ranking, and together their places repeat.
    Rankings,
    /// The column has one value, or the places of each are a ranking that does not repeat.
    Harmless,
    /// The places of some value are no ranking.
    Broken,
}

/// Returns the column that divides the contests of a table: an unread one with the heading of
/// divisions, which separates a contest and breaks none. `None` if there are several.
pub(super) fn find_division_column(
    groups: &[RowGroup<'_>],
    table: &HeaderTable,
    columns: &LongColumns,
) -> Option<usize> {
    if columns.division.is_some() || columns.place.is_none() {
        return None;
    }
    let mut candidates = table.unread_columns(&columns.used);
    candidates.retain(|&column| is_division_heading(table.heading(column)));
    if candidates.is_empty() {
        return None;
    }
    let contests: Vec<Vec<&LongRow>> = groups.iter().flat_map(split_by_date).collect();
    let mut dividing = candidates.into_iter().filter(|&column| {
        let effects = || (contests.iter()).map(|rows| separation(rows, table, column));
        effects().any(|effect| effect == Separation::Rankings)
            && effects().all(|effect| effect != Separation::Broken)
    });
    let column = dividing.next()?;
    dividing.next().is_none().then_some(column)
}

/// Returns the reason to refuse a contest of which an unread column separates the places.
pub(super) fn describe_separation(
    rows: &[LongRow],
    table: &HeaderTable,
    columns: &LongColumns,
) -> Option<String> {
    let rows: Vec<&LongRow> = rows.iter().collect();
    if !first_place_repeats(&rows) {
        return None;
    }
    let mut unread = table.unread_columns(&columns.used).into_iter();
    let column = unread.find(|&of| separation(&rows, table, of) == Separation::Rankings)?;
    let part = if columns.division.is_none() {
        ColumnMeaning::Division
    } else {
        ColumnMeaning::Contest
    };
    Some(format!(
        "places repeat, and {} separates them into rankings: pass --column {} if each is a \
         contest of its own, or --column {} if these are ties",
        table.describe_column(column),
        table.column_option(column, part),
        table.column_option(column, ColumnMeaning::Ignore),
    ))
}

/// Returns the rows of each contest of a group: a recurring name has one for each date.
fn split_by_date<'g>(group: &'g RowGroup<'_>) -> Vec<Vec<&'g LongRow>> {
    let mut by_date: BTreeMap<_, Vec<&LongRow>> = BTreeMap::new();
    for row in &group.rows {
        by_date.entry(row.date).or_default().push(row);
    }
    by_date.into_values().collect()
}

fn place(row: &LongRow) -> Option<u32> {
    match row.result.as_ref()?.mark {
        RowMark::Place(place) => Some(place),
        RowMark::Score(_) | RowMark::DidNotFinish | RowMark::Disqualified => None,
    }
}

/// True if several rows have the first place. Rankings that start at 1 cannot repeat otherwise.
fn first_place_repeats(rows: &[&LongRow]) -> bool {
    rows.iter().filter(|row| place(row) == Some(1)).count() > 1
}

fn separation(rows: &[&LongRow], table: &HeaderTable, column: usize) -> Separation {
    let mut rankings: HashMap<&str, Vec<u32>> = HashMap::new();
    // The value and the place of each team: its members are rows of one result.
    let mut teams: HashMap<&str, (&str, u32)> = HashMap::new();
    for row in rows {
        let (Some(result), Some(place)) = (&row.result, place(row)) else {
            continue;
        };
        let value = table.grid.cell(row.row, column);
        if result.kind == EntrantKind::Team {
            match teams.insert(&result.competitor, (value, place)) {
                Some((other, same)) if same == place && other != value => {
                    // The column describes members.
                    return Separation::Broken;
                }
                Some(known) if known == (value, place) => continue,
                _ => {}
            }
        }
        rankings.entry(value).or_default().push(place);
    }
    if rankings.len() < 2 {
        return Separation::Harmless;
    }
    if !rankings.values_mut().all(|places| is_ranking(places)) {
        return Separation::Broken;
    }
    let long = rankings.values().filter(|places| places.len() > 1).count();
    if long > 1 {
        Separation::Rankings
    } else {
        Separation::Harmless
    }
}

/// True if places run from 1 without gaps; ties count as one place or as several.
fn is_ranking(places: &mut [u32]) -> bool {
    places.sort_unstable();
    let mut above = 0;
    (1..).zip(places).all(|(position, &mut place)| {
        let follows = place == above || place == above + 1 || place == position;
        above = place;
        follows && place > 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rankings_run_from_one_without_gaps() {
        for (places, expected) in [
            (&mut [1, 2, 3][..], true),
            (&mut [2, 1, 2, 4], true),
            (&mut [1, 1, 2, 3], true),
            (&mut [1, 1, 1], true),
            (&mut [1], true),
            (&mut [2, 3], false),
            (&mut [1, 3], false),
            (&mut [1, 2, 2, 5], false),
            (&mut [0, 1], false),
        ] {
            assert_eq!(is_ranking(places), expected, "{places:?}");
        }
    }
}
