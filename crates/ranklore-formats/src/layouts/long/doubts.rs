//! Reasons to refuse results of a long table that have two readings.

use std::collections::{HashMap, HashSet};

use super::ranges::describe_ranges;
use super::restarts::describe_restarts;
use super::rows::{ContestRowGroup, LongRow, RowGroup};
use super::separation::UnreadColumns;
use crate::layouts::standings::RowMark;
use crate::schema::long::LongColumns;
use crate::schema::table::HeaderTable;
use crate::values::rankings::{is_gapless, is_ranking};
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::{EntrantKind, Quoted};
use ranklore_grid::{FileReadError, Reason};

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
        let problem = format!(
            "each row has a date of its own in {}, so each contest has one entrant",
            table.describe_column(date),
        );
        let cases = [(table.ignore_option(date), "if the table is one contest")];
        return Err(table.refuse_column(date, Reason::with_options(problem, cases)));
    }
    let names = &columns.names;
    let (Some(people), Some(team)) = (names.people, names.team) else {
        return Ok(());
    };
    if names.list_members() || !are_teams_of_one(groups) {
        return Ok(());
    }
    let problem = format!("each team of {} has one member", table.describe_column(team));
    let cases = [
        (table.ignore_option(team), "if it is the club of the competitor"),
        (table.ignore_option(people), "if the team competes"),
    ];
    Err(table.refuse_column(team, Reason::with_options(problem, cases)))
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
) -> Option<Reason> {
    let UnreadColumns { table, columns, .. } = *unread;
    unread
        .describe_separation(&group.rows)
        .or_else(|| describe_empty_division(group, has_divisions).map(Reason::from))
        .or_else(|| describe_unequal_ties(&group.rows, table, columns))
        .or_else(|| describe_restarts(&group.rows, unread))
        .or_else(|| describe_ranges(&group.rows, unread))
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
) -> Option<Reason> {
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
    let ignore = table.ignore_option(score);
    let reason = format!(
        "place {unequal_place} stands with different values of {}: if the table has several rankings, tell them apart in a column and pass --column HEADING=division; if these are ties, pass {ignore}",
        table.describe_column(score),
    );
    Some(Reason::from(reason).naming([ignore]))
}

/// The contests whose scores contradict their places.
#[derive(Default)]
pub(super) struct ScoreDoubts {
    count: usize,
    /// The name of the first contest, and two places.
    first: Option<(String, [u32; 2])>,
}

impl ScoreDoubts {
    /// Adds a contest in which few scores rise against the others, or fall.
    pub(super) fn add(&mut self, contest: &ContestRowGroup<'_>) {
        let mut placed = placed_scores(&contest.group.rows);
        placed.sort_by_key(|&(place, _)| place);
        let scored: Vec<(u32, f64)> =
            placed.into_iter().filter_map(|(place, score)| Some((place, score?))).collect();
        let steps = || scored.windows(2).filter(|pair| pair[0].0 < pair[1].0);
        let falls = |pair: &&[(u32, f64)]| pair[0].1 > pair[1].1;
        let rises = |pair: &&[(u32, f64)]| pair[0].1 < pair[1].1;
        let fall_count = steps().filter(falls).count();
        let rise_count = steps().filter(rises).count();
        // Scores that rise as often as they fall do not decide the places.
        if 2 * fall_count.min(rise_count) > fall_count.max(rise_count) {
            return;
        }
        let contradiction = if fall_count > rise_count {
            steps().find(rises)
        } else {
            steps().find(falls)
        };
        if let Some(pair) = contradiction {
            self.count += 1;
            self.first.get_or_insert_with(|| (contest.name.clone(), [pair[0].0, pair[1].0]));
        }
    }

    /// Returns the note that names the first of these contests.
    pub(super) fn note(&self, table: &HeaderTable, columns: &LongColumns) -> Option<String> {
        let (name, [better, worse]) = self.first.as_ref()?;
        let others = match self.count {
            1 => String::new(),
            2 => ", as in another contest".to_owned(),
            count => format!(", as in {} other contests", count - 1),
        };
        Some(format!(
            "in {} the values of {} for the places {better} and {worse} contradict the places, which decide{others}",
            Quoted(name),
            table.describe_column(columns.score?)
        ))
    }
}

/// Returns the reason to refuse the numbers of a column headed "#": places, or numbers of rows and
/// bibs.
fn describe_vague_place(
    rows: &[LongRow<'_>],
    table: &HeaderTable,
    columns: &LongColumns,
) -> Option<Reason> {
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
        let problem = format!(
            "the numbers of {} are no ranking{}",
            table.describe_column(place),
            if has_no_gaps { " by the scores" } else { "" },
        );
        let cases = [
            (table.column_option(place, ColumnMeaning::Place), "if they are places"),
            (table.ignore_option(place), "if not"),
        ];
        Reason::with_options(problem, cases)
    })
}
