//! Reasons to refuse results of a long table that have two readings.

use std::collections::{HashMap, HashSet};

use super::columns::LongColumns;
use super::rows::{LongRow, RowGroup};
use super::separation::{UnreadColumns, describe_separation};
use crate::reading::FileReadError;
use crate::table::columns::ColumnMeaning;
use crate::table::header::HeaderTable;
use crate::table::rankings::{is_gapless, is_ranking};
use crate::table::standings::RowMark;
use ranklore_contest::EntrantKind;

/// Errors if each row has a contest of its own by its date, as in the answers to a form, or each
/// team has one member, as clubs have in an individual race.
pub(super) fn check_groups(
    groups: &[RowGroup<'_>],
    table: &HeaderTable,
    columns: &LongColumns,
) -> Result<(), FileReadError> {
    let refuse = |column, why| {
        let at = table.grid.location(table.header_row, column);
        Err(FileReadError::new(at, why))
    };
    let by_date = columns.contest.is_none() && columns.id.is_none();
    if let Some(date) = columns.date.filter(|_| by_date && groups.len() > 2)
        && groups.iter().all(|group| group.rows.len() == 1)
    {
        let why = format!(
            "each row has a date of its own in {}, so each contest has one entrant: pass --column {} if the table is one contest",
            table.describe_column(date),
            table.column_option(date, ColumnMeaning::Ignore),
        );
        return refuse(date, why);
    }
    let names = &columns.names;
    let (Some(people), Some(team)) = (names.people, names.team) else {
        return Ok(());
    };
    if names.list_members() || !are_teams_of_one(groups) {
        return Ok(());
    }
    let why = format!(
        "each team of {} has one member: pass --column {} if it is the club of the competitor, or --column {} if the team competes",
        table.describe_column(team),
        table.column_option(team, ColumnMeaning::Ignore),
        table.column_option(people, ColumnMeaning::Ignore),
    );
    refuse(team, why)
}

/// True if there are teams, and each has one member in each contest.
fn are_teams_of_one(groups: &[RowGroup<'_>]) -> bool {
    let mut teams = 0;
    groups.iter().all(|group| {
        let mut seen = HashSet::new();
        let mut results = group
            .rows
            .iter()
            .filter_map(|row| Some((row.date, row.result.as_ref()?)));
        results.all(|(date, result)| {
            let is_team = result.kind == EntrantKind::Team;
            teams += usize::from(is_team);
            !is_team || (result.members.len() == 1 && seen.insert((date, &*result.competitor)))
        })
    }) && teams > 1
}

/// Returns the reason to refuse a contest. `divided` is true if others of its event have a
/// division.
pub(super) fn describe_doubt(
    group: &RowGroup<'_>,
    divided: bool,
    table: &HeaderTable,
    columns: &LongColumns,
    unread: &UnreadColumns,
) -> Option<String> {
    describe_separation(&group.rows, table, columns, unread)
        .or_else(|| describe_empty_division(group, divided))
        .or_else(|| describe_unequal_ties(&group.rows, table, columns))
        .or_else(|| describe_vague_place(&group.rows, table, columns))
}

/// The place and the score of each row that has a place.
fn placed_scores(rows: &[LongRow<'_>]) -> Vec<(u32, Option<f64>)> {
    let results = rows.iter().filter_map(|row| row.result.as_ref());
    let placed = results.filter_map(|result| match result.mark {
        RowMark::Place(place) => Some((place, result.score)),
        _ => None,
    });
    placed.collect()
}

/// Spreadsheets with merged cells have the division in the first row only.
fn describe_empty_division(group: &RowGroup<'_>, divided: bool) -> Option<String> {
    let placed = placed_scores(&group.rows);
    let headless = !placed.is_empty() && placed.iter().all(|&(place, _)| place > 1);
    (group.division.is_empty() && divided && headless).then(|| {
        "the division is empty, others of the contest have one, and no place is 1: write the division into each row"
            .to_owned()
    })
}

/// Two lists in one table have equal places with different scores.
fn describe_unequal_ties(
    rows: &[LongRow<'_>],
    table: &HeaderTable,
    columns: &LongColumns,
) -> Option<String> {
    // A user who excludes a column states that the ties are real.
    let score = (columns.score).filter(|_| columns.place.is_some() && !table.excludes_columns())?;
    let mut placed = placed_scores(rows);
    placed.sort_by_key(|&(place, _)| place);
    if is_ranking(placed.iter().map(|&(place, _)| place)) {
        return None;
    }
    let mut scores: HashMap<u32, f64> = HashMap::new();
    let unequal = placed.iter().find_map(|&(place, score)| {
        let score = score?;
        let first = *scores.entry(place).or_insert(score);
        ((first - score).abs() > 0.0).then_some(place)
    })?;
    Some(format!(
        "place {unequal} stands with different values of {}: if the table has several rankings, tell them apart in a column and pass --column HEADING=division; if these are ties, pass --column {}",
        table.describe_column(score),
        table.column_option(score, ColumnMeaning::Ignore),
    ))
}

/// A column headed "#" may hold places or numbers of rows and bibs.
fn describe_vague_place(
    rows: &[LongRow<'_>],
    table: &HeaderTable,
    columns: &LongColumns,
) -> Option<String> {
    let place = columns.place?;
    if table.has_definite_column(ColumnMeaning::Place) {
        return None;
    }
    let mut placed = placed_scores(rows);
    placed.sort_by_key(|&(place, _)| place);
    let gapless = is_gapless(placed.iter().map(|&(place, _)| place));
    let scores: Option<Vec<f64>> = placed.iter().map(|&(_, score)| score).collect();
    let agree =
        scores.is_none_or(|scores| scores.is_sorted() || scores.is_sorted_by(|a, b| a >= b));
    (!(gapless && agree)).then(|| {
        format!(
            "the numbers of {} are no ranking{}: pass --column {} if they are places, or --column {} if not",
            table.describe_column(place),
            if gapless { " by the scores" } else { "" },
            table.column_option(place, ColumnMeaning::Place),
            table.column_option(place, ColumnMeaning::Ignore),
        )
    })
}
