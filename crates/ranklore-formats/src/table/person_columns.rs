//! Columns that name a part of the competitor, such as the surname, or a second person.

use std::collections::BTreeMap;

use super::columns::{ColumnMeaning, MatchStrength, is_second_person_heading};
use super::grid::{CellGrid, column_letters};
use super::header::HeaderTable;
use super::values::cells::is_blank;
use crate::reading::FileReadError;
use ranklore_contest::{Quoted, quote_for_shell};

/// The columns that claim each meaning.
type Claims = BTreeMap<ColumnMeaning, Vec<(MatchStrength, usize)>>;

/// The columns of given names and surnames, which name the competitor together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NameParts {
    given: usize,
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
        let mut take = |meaning| {
            let mut columns = claims.remove(&meaning).unwrap_or_default();
            columns.sort_unstable();
            columns
        };
        let (given, surname) = (take(GivenName), take(Surname));
        if given.is_empty() && surname.is_empty() {
            return Ok(None);
        }
        let full = claims.get(&Competitor).map_or(&[][..], Vec::as_slice);
        let stated = (given.iter().chain(&surname)).any(|of| of.0 == MatchStrength::Stated);
        let strongest = full.iter().map(|of| of.0).min();
        let named_in_full = match strongest {
            None => false,
            Some(MatchStrength::Stated) => true,
            Some(MatchStrength::Vague) => !(given.is_empty() || surname.is_empty() || stated),
            Some(_) => !stated,
        };
        let parts = if named_in_full {
            None
        } else {
            let given = single_column(grid, header, &given, GivenName)?;
            let surname = single_column(grid, header, &surname, Surname)?;
            match (given, surname, full) {
                (Some(given), Some(surname), _) => Some(Self { given, surname }),
                // "Name" beside "Vorname" is the surname, "Nombre" beside "Apellidos" the given
                // name, unless it repeats the other column.
                (Some(given), None, &[(MatchStrength::Vague, surname)])
                    if !repeats(grid, header, surname, given) =>
                {
                    Some(Self { given, surname })
                }
                (None, Some(surname), &[(MatchStrength::Vague, given)])
                    if !repeats(grid, header, given, surname) =>
                {
                    Some(Self { given, surname })
                }
                _ => None,
            }
        };
        match parts {
            None if stated => {
                let stated = given.iter().chain(&surname).min().map_or(0, |of| of.1);
                return Err(FileReadError::new(
                    grid.row_location(header),
                    format!(
                        "{} is a part of the names, as --column says, and no column is the other part: state a given name and a surname, or the competitor alone",
                        describe(grid, header, stated)
                    ),
                ));
            }
            Some(parts) => {
                let column = parts.given.min(parts.surname);
                let name = vec![(MatchStrength::Synonym, column)];
                let others = claims.insert(Competitor, name).unwrap_or_default();
                unread.extend(others.iter().map(|of| of.1).filter(|&of| !parts.has(of)));
            }
            None => unread.extend(given.iter().chain(&surname).map(|of| of.1)),
        }
        unread.sort_unstable();
        Ok(parts)
    }

    /// Returns the grid with the full names in the left one of the columns.
    pub(super) fn join(self, grid: &CellGrid, header: usize) -> Result<CellGrid, FileReadError> {
        let columns = [self.given, self.surname];
        let joined = grid.with_joined_columns(header, columns);
        let mut joined = joined.ok_or_else(|| FileReadError::whole_document("is too large"))?;
        let [given, surname] = columns.map(|column| describe(grid, header, column));
        let note = format!("the names are those of {given} and {surname}");
        joined.notes.push(note);
        Ok(joined)
    }

    /// True if a column is one of both.
    pub(super) fn has(self, column: usize) -> bool {
        column == self.given || column == self.surname
    }

    /// Returns the meaning of a column, if it is one of both.
    pub(super) fn meaning(self, column: usize) -> Option<&'static str> {
        let given = (column == self.given).then_some(ColumnMeaning::GivenName);
        let surname = (column == self.surname).then_some(ColumnMeaning::Surname);
        given.or(surname).map(ColumnMeaning::as_str)
    }
}

/// Errors if an unread column names a second person, such as a partner or an opponent: a rating of
/// the first alone would be wrong.
pub(super) fn check_second_person(table: &HeaderTable) -> Result<(), FileReadError> {
    let lists_members = table.has_column(ColumnMeaning::Members);
    let first = table.name_column();
    let of_person = table.first_column(ColumnMeaning::Competitor) == Some(first);
    let repeated = if of_person {
        ColumnMeaning::Competitor
    } else {
        ColumnMeaning::Team
    };
    let mut unknown = table.unknown_columns.iter().copied();
    let second = unknown.find(|&column| {
        let heading = table.heading(column);
        let numbered = || {
            let word = heading.trim_end_matches(|c: char| c.is_ascii_digit());
            let known = ColumnMeaning::from_heading(word);
            word.len() < heading.len() && known.is_some_and(|known| known.0 == repeated)
        };
        (is_second_person_heading(heading) || (!lists_members && numbered()))
            && table.values(column).any(|cell| !is_blank(cell))
    });
    let Some(second) = second else {
        return Ok(());
    };
    Err(table.refuse_column(second, format!(
            "{} names a second competitor in each row, who would get no result: pass --column {} if only {} competes, or write both names into one cell and pass --members with the text between them",
            table.describe_column(second),
            table.ignore_option(second),
            table.describe_column(first),
        ),
    ))
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
        _ => Ok(columns.first().map(|of| of.1)),
    }
}

/// True if each cell of a column contains the cell of `part` in its row.
fn repeats(grid: &CellGrid, header: usize, column: usize, part: usize) -> bool {
    let rows = header + 1..grid.row_count();
    let cells = rows.map(|row| (grid.cell(row, column), grid.cell(row, part)));
    let mut given = cells.filter(|(name, part)| !is_blank(name) && !is_blank(part));
    let mut any = false;
    given.all(|(name, part)| {
        any = true;
        name.contains(part)
    }) && any
}

fn describe(grid: &CellGrid, header: usize, column: usize) -> String {
    let heading = grid.cell(header, column);
    format!(
        "{heading} ({})",
        column_letters(column),
        heading = Quoted(heading)
    )
}
