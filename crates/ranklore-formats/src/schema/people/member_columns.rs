//! Columns that name one member of a team each.

use std::collections::HashSet;

use crate::options::ReadOptions;
use crate::schema::evidence::Evidence;
use crate::schema::game_claims;
use crate::schema::people::names::find_members_column;
use crate::schema::people::separators::identify_by_members;
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank, parse_place};
use crate::values::rankings::are_ranking;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::member_headings::find_member_headings;
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// Reads columns such as `Player 1` to `Player 4`, or those that the user states as members, as the
/// members of one team in each row. Errors if they can be opponents, in a table without teams.
pub(crate) fn members_in_columns(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Competitor, Members, Team};
    let claims = table.claims(Members).iter();
    let members = claims.filter(|claim| claim.0 == MatchStrength::Stated);
    let members: Vec<usize> = members.map(|claim| claim.1).collect();
    if members.len() > 1 {
        return Ok(Some(join_members(table, &members, Members)));
    }
    if table.has_column(Competitor) || find_members_column(table)?.is_some() {
        return Ok(None);
    }
    let headings = table.grid.cells(table.header_row).enumerate();
    let columns =
        find_member_headings(headings.filter(|(column, _)| table.unknown_columns.contains(column)));
    let game_claims = game_claims::claims(&table.grid, table.header_row, &options.columns);
    if columns.is_empty() || game_claims::name_winner(&game_claims) {
        return Ok(None);
    }
    if !name_people(table, &columns) {
        return if table.has_column(Team) {
            Ok(None)
        } else {
            Err(refuse_values(table, &columns))
        };
    }
    let score = table.first_column(ColumnMeaning::Score);
    let are_teams = table.has_column(Team)
        || is_ranked(table)
        || (columns.len() > 2 && score.is_some_and(|score| exceeds_points(table, score)));
    if are_teams {
        Ok(Some(join_members(table, &columns, Members)))
    } else {
        Err(refuse_opponents(table, &columns))
    }
}

/// Returns the finding that columns name the members of a team, which has this meaning.
pub(crate) fn join_members(
    table: &HeaderTable,
    columns: &[usize],
    meaning: ColumnMeaning,
) -> Evidence {
    let note = format!("{} name the members of a team", table.describe_columns(columns));
    let join =
        |cells: &[&str]| identify_by_members(cells.iter().copied().filter(|cell| !is_blank(cell)));
    Evidence::join(columns, meaning, join, note)
}

/// True if the cells are names and not numbers or statuses, and a row has no name twice. Results of
/// problems such as P1 and P2 are few words.
fn name_people(table: &HeaderTable, columns: &[usize]) -> bool {
    let is_name = |cell: &&str| {
        cell.contains(char::is_alphabetic)
            && parse_place(cell).is_none()
            && CellStatus::parse(cell).is_none()
    };
    let mut names: HashSet<&str> = HashSet::new();
    let mut count = 0;
    for row in table.data_rows() {
        let cells = columns.iter().map(|&column| table.grid.cell(row, column));
        let filled: Vec<&str> = cells.filter(|cell| !is_blank(cell)).collect();
        let distinct: HashSet<&str> = filled.iter().copied().collect();
        if distinct.len() < filled.len() || !filled.iter().all(is_name) {
            return false;
        }
        count += filled.len();
        names.extend(distinct);
    }
    count > 0 && names.len() * table.contest_rows().len() * 2 > count
}

/// True if the places of each contest are a ranking, which rows of games do not have.
fn is_ranked(table: &HeaderTable) -> bool {
    let Some(place) = table.first_column(ColumnMeaning::Place) else {
        return false;
    };
    table.contest_rows().iter().all(|rows| {
        let places = rows.iter().map(|&row| table.grid.cell(row, place));
        are_ranking(places.filter(|cell| !is_blank(cell) && CellStatus::parse(cell).is_none()))
    })
}

/// Errors if the persons of numbered columns may not be the two opponents of a game: if there is a
/// third one, or if the column that alone says who won has larger numbers than the points of a game.
pub(crate) fn check_opponents(
    table: &HeaderTable,
    names: [usize; 2],
    only_outcome: Option<usize>,
    options: &ReadOptions,
) -> Result<(), FileReadError> {
    let is_stated = |column| options.columns.contains_key(table.heading(column));
    let headings = table.grid.cells(table.header_row).enumerate();
    let persons = find_member_headings(headings.filter(|&(column, _)| !is_stated(column)));
    if persons.get(..2) != Some(&names[..]) {
        return Ok(());
    }
    if let Some(&third) = persons.get(2) {
        let ignore = table.ignore_option(third);
        let reason = format!(
            "{} names a further person, and a game has two competitors: exclude it with {ignore} if it does not take part; head members of two teams \"team 1 player 1\", \"team 1 player 2\", \"team 2 player 1\", \"team 2 player 2\"; or write one row for each competitor",
            table.describe_column(third),
        );
        return Err(table.refuse_column(third, Reason::from(reason).naming([ignore])));
    }
    let outcome = only_outcome.filter(|&column| !is_stated(column));
    if outcome.is_some_and(|column| exceeds_points(table, column)) {
        return Err(refuse_opponents(table, &persons));
    }
    Ok(())
}

/// True if a column holds numbers or times, and larger ones than the points of a game.
fn exceeds_points(table: &HeaderTable, column: usize) -> bool {
    let style = table.number_style(Some(column));
    let cells = table.values(column).filter(|cell| !is_blank(cell));
    let numbers: Result<Vec<f64>, _> = cells.map(|cell| style.parse(cell)).collect();
    numbers.is_ok_and(|numbers| numbers.iter().any(|number| number.abs() > 2.0))
}

/// Returns the error for columns headed like members that hold other values, in a table without
/// other names.
fn refuse_values(table: &HeaderTable, columns: &[usize]) -> FileReadError {
    let reason = format!(
        "{} hold numbers, or one name twice, and no members of a team; name the competitors with --column HEADING=competitor",
        table.describe_columns(columns)
    );
    table.refuse_column(columns[0], reason)
}

/// Returns the error for columns of persons that can be opponents, or members of a team.
fn refuse_opponents(table: &HeaderTable, columns: &[usize]) -> FileReadError {
    use ColumnMeaning::{Members, Player1, Player2};
    let members = columns.iter().map(|&column| table.column_option(column, Members));
    let members = members.reduce(CommandOptions::and).unwrap_or_default();
    let opponents = match columns {
        [one, two] => format!(
            "{} {} and a --column HEADING=winner or --column HEADING=outcome if they play against each other",
            table.column_option(*one, Player1),
            table.column_option(*two, Player2),
        ),
        _ => "write one row for each competitor if they play against each other".to_owned(),
    };
    let reason = format!(
        "{} can name the members of a team or the opponents of a game: pass {members} if they are one team, or {opponents}",
        table.describe_columns(columns),
    );
    table.refuse_column(columns[0], Reason::from(reason).naming([members]))
}
