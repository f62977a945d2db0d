//! Rankings that restart in a contest, and no column tells them apart.
//!
//! Places that most rows share are those of several rankings, or of teams with a row for each member.
//! Ties that are real leave gaps, 1, 1, 3, 3, or have equal scores.

use std::collections::{BTreeMap, HashSet};

use super::rows::LongRow;
use super::separation::UnreadColumns;
use crate::layouts::standings::{RowMark, RowResult};
use crate::options::StatedLayout;
use crate::schema::table::HeaderTable;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::EntrantKind;
use ranklore_grid::{CommandOptions, Reason};

/// The fewest shared places beside others that are not, which rankings of different lengths have, or of
/// teams.
const MIN_SHARED_PLACES: usize = 3;

/// Returns the reason to refuse places that most rows share without being tied, or scores that members
/// of teams share, unless the user says that they are ties.
pub(super) fn describe_restarts(
    rows: &[LongRow<'_>],
    unread: &UnreadColumns<'_>,
) -> Option<Reason> {
    let UnreadColumns {
        table,
        columns,
        options,
        ..
    } = *unread;
    // A user who excludes a column states that the ties are real.
    let are_stated = table.excludes_columns()
        || options.layout == Some(StatedLayout::Rows)
        || !table.grid.limits().reader.refuses_doubts();
    let rank = columns.place.or(columns.score).filter(|_| !are_stated)?;
    let tied = group_ties(rows);
    let team = || unread.unread.iter().find(|&&column| names_teams(table, column, &tied)).copied();
    let is_doubtful = if columns.place.is_some() {
        restart(&tied) && !tied.iter().all(|tied| are_equal(tied))
    } else {
        tied.len() > 1 && tied.iter().all(|tied| tied.len() > 1) && team().is_some()
    };
    if !is_doubtful {
        return None;
    }
    let team = team().map(|column| {
        let team = table.column_option(column, ColumnMeaning::Team);
        // The teams of a column without people are the members.
        let members = columns.names.team.filter(|_| columns.names.people.is_none());
        let members = members.map(|column| table.column_option(column, ColumnMeaning::Competitor));
        let options = members.into_iter().chain([team]).reduce(CommandOptions::and);
        (options.unwrap_or_default(), "if the rows of each are the members of a team")
    });
    let ties = CommandOptions::new("--layout", "rows");
    let cases = team.into_iter().chain([(ties, "if these are ties")]);
    let problem = format!(
        "most values of {} stand in several rows, as in a table with several rankings",
        table.describe_column(rank)
    );
    let reason = Reason::with_options(problem, cases);
    Some(reason.map_text(|text| {
        format!(
            "{text}; else tell the rankings apart in a column, and pass --column HEADING=division"
        )
    }))
}

/// The results of one place or score.
type Tied<'r, 't> = Vec<&'r RowResult<'t>>;

/// Returns the results of each place or score, in order. A team has one result, whatever its rows.
fn group_ties<'r, 't>(rows: &'r [LongRow<'t>]) -> Vec<Tied<'r, 't>> {
    let mut ties: BTreeMap<u64, Tied<'_, '_>> = BTreeMap::new();
    for result in rows.iter().filter_map(|row| row.result.as_ref()) {
        let mark = match result.mark {
            RowMark::Place(place) => u64::from(place),
            RowMark::Score(score) => score.to_bits(),
            RowMark::DidNotFinish | RowMark::Disqualified => continue,
        };
        let tied = ties.entry(mark).or_default();
        let is_member = result.kind == EntrantKind::Team
            && tied.iter().any(|other| other.competitor == result.competitor);
        if !is_member {
            tied.push(result);
        }
    }
    ties.into_values().collect()
}

/// True if the first place and most others, or all, have several results, and the places behind them do
/// not count these.
fn restart(ties: &[Tied<'_, '_>]) -> bool {
    let place = |tied: &Tied<'_, '_>| match tied[0].mark {
        RowMark::Place(place) => place as usize,
        _ => 0,
    };
    let shared = ties.iter().filter(|tied| tied.len() > 1).count();
    let starts_several = ties.first().is_some_and(|first| place(first) == 1 && first.len() > 1);
    let mut above = 0;
    let counts_no_ties = ties.iter().any(|tied| {
        let is_low = place(tied) <= above;
        above += tied.len();
        is_low
    });
    let are_persons = ties.iter().flatten().all(|result| result.kind == EntrantKind::Person);
    let are_most = (shared == ties.len() && are_persons)
        || (shared >= MIN_SHARED_PLACES && 2 * shared >= ties.len());
    starts_several && counts_no_ties && are_most
}

/// True if results have one score, or there is one.
fn are_equal(tied: &[&RowResult<'_>]) -> bool {
    let first = tied[0].score;
    tied.len() == 1
        || first.is_some_and(|first| {
            tied.iter()
                .all(|result| result.score.is_some_and(|score| score.total_cmp(&first).is_eq()))
        })
}

/// True if a column has one word in the rows of each place or score, and another in those of others.
fn names_teams(table: &HeaderTable, column: usize, ties: &[Tied<'_, '_>]) -> bool {
    let mut teams = HashSet::new();
    ties.iter().all(|tied| {
        let team = table.grid.cell(tied[0].row, column);
        team.contains(char::is_alphabetic)
            && teams.insert(team)
            && tied.iter().all(|result| table.grid.cell(result.row, column) == team)
    })
}
