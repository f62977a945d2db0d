//! Columns that name a part of the competitor, such as the surname.

use std::collections::HashSet;

use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::joined_columns::JoinedColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::{is_blank, is_dash};
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_grid::FileReadError;

/// Finds columns of given names and surnames. A column of full names takes precedence. Errors if two
/// columns match equally well, or if the user states one part and there is no other.
pub(crate) fn names_in_two_columns(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Competitor, GivenName, Surname};
    let given_names = table.claims(GivenName);
    let surnames = table.claims(Surname);
    let claims = || given_names.iter().chain(surnames);
    let Some(&(_, best_part)) = claims().min() else {
        return Ok(None);
    };
    let full_names = table.claims(Competitor);
    let is_stated = claims().any(|claim| claim.0 == MatchStrength::Stated);
    let has_both = !given_names.is_empty() && !surnames.is_empty();
    // Beside both parts, even a vague heading such as "name" means the full name.
    let has_full_names = match full_names.first().map(|claim| claim.0) {
        None => false,
        Some(MatchStrength::Stated) => true,
        Some(MatchStrength::Vague) => {
            has_both
                && !is_stated
                && !groups_names(table, full_names[0].1, [given_names[0].1, surnames[0].1])
        }
        Some(_) => !is_stated,
    };
    let parts = if has_full_names || !are_parts_of_names(table, given_names, surnames) {
        None
    } else {
        find_pair(table, [table.find_column(GivenName)?, table.find_column(Surname)?])
    };
    if let Some(parts) = parts {
        let replaced = full_names.iter().map(|claim| claim.1).filter(|c| !parts.contains(c));
        let mut changes: Vec<Change> = replaced.map(Change::MeansNothing).collect();
        let [given_name, surname] = parts;
        let names = JoinedColumns {
            columns: vec![(given_name, GivenName), (surname, Surname)],
            join: join_names,
        };
        let left = names.left();
        changes.push(Change::Join(names));
        changes.push(Change::Means(Competitor, left));
        let columns = parts.map(|column| table.describe_column(column));
        let note = format!("the names are those of {}", columns.join(" and "));
        changes.push(Change::Note(note.clone()));
        return Ok(Some(Evidence::new(note, changes)));
    }
    if is_stated {
        return Err(table.refuse_headings(format!(
            "{} is a part of the names, as --column says, and no column is the other part: state a given name and a surname, or the competitor alone",
            table.describe_column(best_part)
        )));
    }
    let changes = claims().map(|claim| Change::MeansNothing(claim.1)).collect();
    Ok(Some(Evidence::new("parts of names stand beside the whole, or alone", changes)))
}

/// False for headings such as "first" and "last" that do not stand beside each other above words.
fn are_parts_of_names(
    table: &HeaderTable,
    given_names: &[(MatchStrength, usize)],
    surnames: &[(MatchStrength, usize)],
) -> bool {
    let is_vague = |claim: &&(MatchStrength, usize)| claim.0 == MatchStrength::Vague;
    let Some(&(_, vague)) = given_names.iter().chain(surnames).find(is_vague) else {
        return true;
    };
    let mut parts = given_names.iter().chain(surnames).map(|claim| claim.1);
    let has_neighbour = parts.any(|column| column.abs_diff(vague) == 1);
    has_neighbour && !table.values(vague).any(|cell| cell.contains(|c: char| c.is_ascii_digit()))
}

/// Returns the columns of given names and surnames. "Name" beside "Vorname" is the surname, "Nombre" beside "Apellidos" the
/// given name, unless it repeats the other column.
fn find_pair(table: &HeaderTable, parts: [Option<usize>; 2]) -> Option<[usize; 2]> {
    let vague_name = match table.claims(ColumnMeaning::Competitor) {
        &[(MatchStrength::Vague, column)] => Some(column),
        _ => None,
    };
    let other_part = |part| vague_name.filter(|&name| !repeats(table, name, part));
    match parts {
        [Some(given_name), Some(surname)] => Some([given_name, surname]),
        [Some(given_name), None] => Some([given_name, other_part(given_name)?]),
        [None, Some(surname)] => Some([other_part(surname)?, surname]),
        [None, None] => None,
    }
}

/// True if a column headed "name" groups the people whom two other columns name, as rankings do: it has
/// fewer values, and none contains the surname.
fn groups_names(table: &HeaderTable, column: usize, [given_name, surname]: [usize; 2]) -> bool {
    let contains_surname = |row: usize| {
        let [name, surname] = [column, surname].map(|column| table.grid.cell(row, column));
        !is_blank(surname) && name.to_lowercase().contains(&surname.to_lowercase())
    };
    let names: HashSet<&str> = table.values(column).collect();
    let people: HashSet<_> = table.values(given_name).zip(table.values(surname)).collect();
    names.len() < people.len()
        && table.grid.limits().reader.refuses_doubts()
        && !table.data_rows().any(contains_surname)
}

/// Joins the parts of a name, separated by a space; dashes and empty parts are left out.
fn join_names(parts: &[&str]) -> String {
    let filled: Vec<&str> = parts.iter().copied().filter(|part| !is_dash(part)).collect();
    filled.join(" ")
}

/// True if each cell of a column contains the cell of `part` in its row.
fn repeats(table: &HeaderTable, column: usize, part: usize) -> bool {
    let cells = table.values(column).zip(table.values(part));
    let mut filled = cells.filter(|(name, part)| !is_blank(name) && !is_blank(part)).peekable();
    filled.peek().is_some() && filled.all(|(name, part)| name.contains(part))
}
