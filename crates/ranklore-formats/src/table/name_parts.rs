//! Columns that name a part of the competitor, such as the surname.

use std::collections::BTreeMap;

use super::columns::{ColumnMeaning, MatchStrength};
use super::grid::{CellGrid, column_letters};
use super::values::cells::is_blank;
use crate::reading::FileReadError;
use ranklore_contest::{Quoted, quote_for_shell};

/// The columns that claim each meaning.
type Claims = BTreeMap<ColumnMeaning, Vec<(MatchStrength, usize)>>;

/// The columns of given names and surnames, which name the competitor together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NameParts {
    given_name: usize,
    surname: usize,
}

impl NameParts {
    /// Finds the columns, and removes their claims. A column of full names takes precedence: then
    /// they are added to the `unread` columns. Errors if two columns match equally well.
    pub(super) fn find(
        grid: &CellGrid,
        header: usize,
        claims: &mut Claims,
        unread: &mut Vec<usize>,
    ) -> Result<Option<Self>, FileReadError> {
        use ColumnMeaning::{Competitor, GivenName, Surname};
        let given_names = take_claims(claims, GivenName);
        let surnames = take_claims(claims, Surname);
        let Some(&(_, best_part)) = given_names.iter().chain(&surnames).min() else {
            return Ok(None);
        };
        let full_names = claims.get(&Competitor).map_or(&[][..], Vec::as_slice);
        let mut claimed_parts = given_names.iter().chain(&surnames);
        let is_stated = claimed_parts.any(|claim| claim.0 == MatchStrength::Stated);
        let has_both = !given_names.is_empty() && !surnames.is_empty();
        // Beside both parts, even a vague heading such as "name" means the full name.
        let has_full_names = match full_names.iter().map(|claim| claim.0).min() {
            None => false,
            Some(MatchStrength::Stated) => true,
            Some(MatchStrength::Vague) => has_both && !is_stated,
            Some(_) => !is_stated,
        };
        let parts = if has_full_names {
            None
        } else {
            let given_name = single_column(grid, header, &given_names, GivenName)?;
            let surname = single_column(grid, header, &surnames, Surname)?;
            Self::pair(grid, header, [given_name, surname], full_names)
        };
        if let Some(parts) = parts {
            // The left column will hold the full names.
            let column = parts.given_name.min(parts.surname);
            let name = vec![(MatchStrength::Synonym, column)];
            let full_names = claims.insert(Competitor, name).unwrap_or_default();
            let columns = full_names.iter().map(|claim| claim.1);
            unread.extend(columns.filter(|&column| !parts.has(column)));
        } else if is_stated {
            let reason = format!(
                "{} is a part of the names, as --column says, and no column is the other part: state a given name and a surname, or the competitor alone",
                describe(grid, header, best_part)
            );
            return Err(FileReadError::new(grid.row_location(header), reason));
        } else {
            unread.extend(given_names.iter().chain(&surnames).map(|claim| claim.1));
        }
        unread.sort_unstable();
        Ok(parts)
    }

    /// Returns both parts. "Name" beside "Vorname" is the surname, "Nombre" beside "Apellidos" the
    /// given name, unless it repeats the other column.
    fn pair(
        grid: &CellGrid,
        header: usize,
        parts: [Option<usize>; 2],
        full_names: &[(MatchStrength, usize)],
    ) -> Option<Self> {
        let vague_name = match full_names {
            &[(MatchStrength::Vague, column)] => Some(column),
            _ => None,
        };
        let other_part = |part| vague_name.filter(|&name| !repeats(grid, header, name, part));
        let (given_name, surname) = match parts {
            [Some(given_name), Some(surname)] => (given_name, surname),
            [Some(given_name), None] => (given_name, other_part(given_name)?),
            [None, Some(surname)] => (other_part(surname)?, surname),
            [None, None] => return None,
        };
        Some(Self {
            given_name,
            surname,
        })
    }

    /// Returns the grid with the full names in the left one of the columns.
    pub(super) fn join(self, grid: &CellGrid, header: usize) -> Result<CellGrid, FileReadError> {
        let columns = [self.given_name, self.surname];
        let mut joined = grid
            .with_joined_columns(header, columns)
            .ok_or_else(|| FileReadError::whole_document("is too large"))?;
        let [given_name, surname] = columns.map(|column| describe(grid, header, column));
        let note = format!("the names are those of {given_name} and {surname}");
        joined.notes.push(note);
        Ok(joined)
    }

    /// True if a column is one of both.
    pub(super) fn has(self, column: usize) -> bool {
        column == self.given_name || column == self.surname
    }

    /// Returns the meaning of a column, if it is one of both.
    pub(super) fn meaning(self, column: usize) -> Option<&'static str> {
        if column == self.given_name {
            Some(ColumnMeaning::GivenName.as_str())
        } else {
            (column == self.surname).then_some(ColumnMeaning::Surname.as_str())
        }
    }
}

/// Removes the claims of a meaning, and returns them, the best first.
fn take_claims(claims: &mut Claims, meaning: ColumnMeaning) -> Vec<(MatchStrength, usize)> {
    let mut columns = claims.remove(&meaning).unwrap_or_default();
    columns.sort_unstable();
    columns
}

/// Returns the column that matches best. Errors if two match equally well.
fn single_column(
    grid: &CellGrid,
    header: usize,
    columns: &[(MatchStrength, usize)],
    meaning: ColumnMeaning,
) -> Result<Option<usize>, FileReadError> {
    match columns {
        [first, rival, ..] if first.0 == rival.0 => Err(FileReadError::new(
            grid.row_location(header),
            format!(
                "the columns {} and {} both mean the {}; exclude one: --column {}",
                describe(grid, header, first.1),
                describe(grid, header, rival.1),
                meaning.as_str(),
                quote_for_shell(&format!("{}=ignore", grid.cell(header, rival.1))),
            ),
        )),
        _ => Ok(columns.first().map(|claim| claim.1)),
    }
}

/// True if each cell of a column contains the cell of `part` in its row.
fn repeats(grid: &CellGrid, header: usize, column: usize, part: usize) -> bool {
    let rows = header + 1..grid.row_count();
    let cells = rows.map(|row| (grid.cell(row, column), grid.cell(row, part)));
    let mut filled = cells.filter(|(name, part)| !is_blank(name) && !is_blank(part)).peekable();
    filled.peek().is_some() && filled.all(|(name, part)| name.contains(part))
}

fn describe(grid: &CellGrid, header: usize, column: usize) -> String {
    let heading = grid.cell(header, column);
    format!("{heading} ({})", column_letters(column), heading = Quoted(heading))
}
