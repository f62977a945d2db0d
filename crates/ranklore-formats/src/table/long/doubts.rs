//! Reasons to refuse results of a long table that have two readings.

use std::collections::{HashMap, HashSet};

use super::columns::LongColumns;
use super::rows::{LongRow, RowGroup};
use super::separation::UnreadColumns;
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
    let by_date = columns.contest.is_none() && columns.id.is_none();
    if let Some(date) = columns.date.filter(|_| by_date && groups.len() > 2)
        && groups.iter().all(|group| group.rows.len() == 1)
    {
        let reason = format!(
            "each row has a date of its own in {}, so each contest has one entrant: pass --column {} if the table is one contest",
            table.describe_column(date),
            table.ignore_option(date),
        );
        return Err(table.refuse_column(date, reason));
    }
    let names = &columns.names;
    let (Some(people), Some(team)) = (names.people, names.team) else {
        return Ok(());
    };
    if names.list_members() || !are_teams_of_one(groups) {
        return Ok(());
    }
    let reason = format!(
        "each team of {} has one member: pass --column {} if it is the club of the competitor, or --column {} if the team competes",
        table.describe_column(team),
        table.ignore_option(team),
        table.ignore_option(people),
    );
    Err(table.refuse_column(team, reason))
}

/// True if there are teams, and each has one member in each contest.
fn are_teams_of_one(groups: &[RowGroup<'_>]) -> bool {
    let mut teams = 0;
    groups.iter().all(|group| {
        let mut single_teams = HashSet::new();
        let mut results =
            group.rows.iter().filter_map(|row| Some((row.date, row.result.as_ref()?)));
        results.all(|(date, result)| {
            let is_team = result.kind == EntrantKind::Team;
            teams += usize::from(is_team);
            !is_team
                || (result.members.len() == 1 && single_teams.insert((date, &*result.competitor)))
        })
    }) && teams > 1
}

/// Returns the reason to refuse a contest. `has_divisions` is true if others of its event have a
/// division.
pub(super) fn describe_doubt(
    group: &RowGroup<'_>,
    has_divisions: bool,
    unread: &UnreadColumns<'_>,
) -> Option<String> {
    let UnreadColumns { table, columns, .. } = *unread;
    unread
        .describe_separation(&group.rows)
        .or_else(|| describe_empty_division(group, has_divisions))
        .or_else(|| describe_unequal_ties(&group.rows, table, columns))
        .or_else(|| describe_vague_place(&group.rows, table, columns))
}

/// Returns the place and the score of each row that has a place.
fn placed_scores(rows: &[LongRow<'_>]) -> Vec<(u32, Option<f64>)> {
    let results = rows.iter().filter_map(|row| row.result.as_ref());
    results
        .filter_map(|result| match result.mark {
            RowMark::Place(place) => Some((place, result.score)),
            _ => None,
        })
        .collect()
}

/// Returns the reason to refuse rows without a division that lack its first place: spreadsheets with
/// merged cells have the division in the first row only.
fn describe_empty_division(group: &RowGroup<'_>, has_divisions: bool) -> Option<String> {
    let placed = placed_scores(&group.rows);
    let lacks_first = !placed.is_empty() && placed.iter().all(|&(place, _)| place > 1);
    (group.division.is_empty() && has_divisions && lacks_first).then(|| {
        "the division is empty, others of the contest have one, and no place is 1: write the division into each row"
            .to_owned()
    })
}

/// Returns the reason to refuse equal places with different scores, as two lists in one table have.
fn describe_unequal_ties(
    rows: &[LongRow<'_>],
    table: &HeaderTable,
    columns: &LongColumns,
) -> Option<String> {
    // A user who excludes a column states that the ties are real.
    let may_refuse = columns.place.is_some() && !table.excludes_columns();
    let score = columns.score.filter(|_| may_refuse)?;
    let mut placed = placed_scores(rows);
    placed.sort_by_key(|&(place, _)| place);
    if is_ranking(placed.iter().map(|&(place, _)| place)) {
        return None;
    }
    let mut scores: HashMap<u32, f64> = HashMap::new();
    let unequal_place = placed.iter().find_map(|&(place, score)| {
        let score = score?;
        let first = *scores.entry(place).or_insert(score);
        ((first - score).abs() > 0.0).then_some(place)
    })?;
    Some(format!(
        "place {unequal_place} stands with different values of {}: if the table has several rankings, tell them apart in a column and pass --column HEADING=division; if these are ties, pass --column {}",
        table.describe_column(score),
        table.ignore_option(score),
    ))
}

/// Returns the reason to refuse the numbers of a column headed "#": places, or numbers of rows and
/// bibs.
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
    let has_no_gaps = is_gapless(placed.iter().map(|&(place, _)| place));
    // Only scores in each row can contradict the numbers.
    let scores: Option<Vec<f64>> = placed.iter().map(|&(_, score)| score).collect();
    let fits_scores =
        scores.is_none_or(|scores| scores.is_sorted() || scores.is_sorted_by(|a, b| a >= b));
    (!(has_no_gaps && fits_scores)).then(|| {
        format!(
            "the numbers of {} are no ranking{}: pass --column {} if they are places, or --column {} if not",
            table.describe_column(place),
            if has_no_gaps { " by the scores" } else { "" },
            table.column_option(place, ColumnMeaning::Place),
            table.ignore_option(place),
        )
    })
}
