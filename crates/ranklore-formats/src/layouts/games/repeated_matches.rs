//! Matches of teams that are listed once for each player of one side and each of the other.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::schema::game_claims::{Claim, Pair, claims, find_names};
use crate::schema::games::GameColumns;
use crate::schema::people::paired_names::{ignore_options, name_heading};
use crate::schema::table::HeaderTable;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::{BETWEEN_PLAYERS, EntrantKind, Quoted, shorten};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The columns that tell one match from another, beside the players.
struct MatchColumns {
    id: Option<usize>,
    teams: Option<Pair>,
}

/// Errors if the rows of most matches repeat one result for each pair of their players: the match
/// would count several times.
pub(super) fn check_matches(
    table: &HeaderTable,
    columns: &GameColumns,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Result<(), FileReadError> {
    if !table.grid.limits().reader.refuses_doubts() {
        return Ok(());
    }
    let claims = claims(&table.grid, table.header_row, stated_meanings);
    let is_match_id = |claim: &Claim| matches!(claim, Claim::Game(ColumnMeaning::ContestId, _));
    // An id that is read is one of games.
    let id = claims.iter().position(is_match_id).filter(|id| columns.id != Some(*id));
    let are_teams = |pair: &Pair| {
        name_heading(&claims, *pair).is_some_and(|(_, kind)| kind == EntrantKind::Team)
    };
    let mut pairs = find_names(&claims).map(|(_, pair)| pair);
    let teams = pairs.find(|pair| *pair != columns.names && are_teams(pair));
    let matches = MatchColumns { id, teams };
    let meeting = [
        columns.date,
        columns.time_of_day,
        columns.event,
        columns.round,
    ];
    let by_teams = teams.map(|pair| meeting.into_iter().flatten().chain(pair).collect::<Vec<_>>());
    for key in [id.map(|id| vec![id]), by_teams].into_iter().flatten() {
        let repeated = find_repeated_matches(table, columns, &key);
        if !repeated.is_empty() {
            return Err(refuse_matches(table, &matches, &repeated));
        }
    }
    Ok(())
}

/// Returns the rows of each match of several players on both sides, in order, if most matches of
/// several rows pair the players of one side with all of the other. `key` are the columns that the
/// rows of a match share.
fn find_repeated_matches(
    table: &HeaderTable,
    columns: &GameColumns,
    key: &[usize],
) -> Vec<Vec<usize>> {
    let mut matches: HashMap<Vec<&str>, Vec<usize>> = HashMap::new();
    for row in table.data_rows() {
        let cells = key.iter().map(|&column| table.grid.cell(row, column)).collect();
        matches.entry(cells).or_default().push(row);
    }
    matches.retain(|_, rows| rows.len() > 1);
    let count = matches.len();
    let repeated: Vec<(usize, Vec<usize>)> = matches
        .into_values()
        .filter_map(|rows| Some((count_smaller_side(table, columns, &rows)?, rows)))
        .collect();
    if 2 * repeated.len() < count {
        return Vec::new();
    }
    let of_several = repeated.into_iter().filter(|(players, _)| *players > 1);
    let mut repeated: Vec<Vec<usize>> = of_several.map(|(_, rows)| rows).collect();
    repeated.sort_unstable();
    repeated
}

/// Returns the number of players of the smaller side, if the rows have one result, and pair the players
/// of one side with several of the other.
fn count_smaller_side(table: &HeaderTable, columns: &GameColumns, rows: &[usize]) -> Option<usize> {
    let results = match columns.scores {
        Some(scores) => scores.to_vec(),
        None => columns.outcome.or(columns.winner).into_iter().collect(),
    };
    if results.iter().any(|&column| differs(table, rows, column)) {
        return None;
    }
    let pairs: HashSet<[&str; 2]> = rows
        .iter()
        .map(|&row| columns.names.map(|column| table.grid.cell(row, column)))
        .collect();
    let [one, two] = [0, 1].map(|side| {
        let players: HashSet<&str> = pairs.iter().map(|pair| pair[side]).collect();
        players.len()
    });
    // Some of the pairs may be left out; opponents of one game each are no pairs of teams.
    (pairs.len() == one * two || pairs.len() > one.max(two)).then_some(one.min(two))
}

/// True if the cells of a column differ between rows.
fn differs(table: &HeaderTable, rows: &[usize], column: usize) -> bool {
    let cell = |row: usize| table.grid.cell(row, column);
    rows.iter().any(|&row| cell(row) != cell(rows[0]))
}

fn refuse_matches(
    table: &HeaderTable,
    matches: &MatchColumns,
    repeated: &[Vec<usize>],
) -> FileReadError {
    let rows = &repeated[0];
    let cell = |column: usize| Quoted(&shorten(table.grid.cell(rows[0], column))).to_string();
    let name = match (matches.id, matches.teams) {
        (Some(id), _) => format!("match {}", cell(id)),
        (None, Some(teams)) => teams.map(cell).join(BETWEEN_PLAYERS),
        (None, None) => String::new(),
    };
    let problem =
        format!("{} rows of {name} repeat its result for each pair of players", rows.len());
    let differs_in_match =
        |column: &usize| repeated.iter().any(|rows| differs(table, rows, *column));
    let of_players = (0..table.grid.width(table.header_row)).filter(differs_in_match);
    let ignored = of_players.map(|column| table.ignore_option(column));
    let players = ignored.reduce(CommandOptions::and).unwrap_or_default();
    let id = matches.id.map(|id| table.column_option(id, ColumnMeaning::Event));
    let teams = matches.teams.map(|teams| ignore_options(table, teams));
    let games = teams.into_iter().chain(id).reduce(CommandOptions::and).unwrap_or_default();
    let case = "if each row is a game";
    let reason = match (matches.id, matches.teams) {
        (Some(_), Some(_)) => {
            Reason::with_options(problem, [(players, "if teams play"), (games, case)])
        }
        (None, Some(_)) => Reason::from(format!(
            "{problem}: keep one row of each match and pass {players} if teams play, or pass {games} {case}"
        ))
        .naming([games]),
        _ => Reason::from(format!(
            "{problem}: write the players of a side into one cell, with one row for each match, or pass {games} {case}"
        ))
        .naming([games]),
    };
    FileReadError::new(table.grid.row_location(rows[0]), reason)
}
