//! Line breaks in cells, such as `<br>` on a page: between names, or within one.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::options::{MemberSeparator, ReadOptions};
use crate::schema::header_row::find_meaning;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::{Field, heading_word, parse_seat_heading};
use crate::vocabulary::words::has_word;
use ranklore_contest::Quoted;
use ranklore_grid::{CellGrid, FileReadError};

/// Puts a blank in place of the line breaks within names: of all cells if the user says that each is one
/// name, else of those that stand elsewhere in one line. Others may be several names.
pub(crate) fn join_broken_names(
    grid: CellGrid,
    header_row: usize,
    options: &ReadOptions,
) -> Result<CellGrid, FileReadError> {
    if !grid.has_line_breaks() || !grid.limits().reader.refuses_doubts() {
        return Ok(grid);
    }
    let grid = keep_first_lines(grid, header_row, options)?;
    let rows = || header_row + 1..grid.row_count();
    let broken = rows().flat_map(|row| grid.cells(row)).filter(|cell| cell.contains('\n'));
    let mut names: HashSet<String> = broken.map(join_lines).collect();
    if options.members != Some(MemberSeparator::OneName) {
        let whole: HashSet<&str> = rows().flat_map(|row| grid.cells(row)).collect();
        names.retain(|name| whole.contains(&**name));
    }
    let joined = grid.map_cells(|row, _, cell| {
        let name = Some(cell).filter(|cell| row > header_row && cell.contains('\n'));
        let name = name.map(join_lines).filter(|name| names.contains(name));
        name.map_or(Cow::Borrowed(cell), Cow::Owned)
    });
    joined.ok_or_else(|| FileReadError::whole_document("the table is too large: split it"))
}

/// Titles of chess players, which can stand below their names.
const TITLES: &str = "gm im fm cm nm wgm wim wfm wcm wnm";

/// Returns the table without the lines below names that hold no words, such as a number and a rating, or
/// that name nobody.
fn keep_first_lines(
    grid: CellGrid,
    header_row: usize,
    options: &ReadOptions,
) -> Result<CellGrid, FileReadError> {
    let rows = || header_row + 1..grid.row_count();
    let width = rows().map(|row| grid.width(row)).max().unwrap_or_default();
    let noted: Vec<usize> = (0..width)
        .filter(|&column| {
            let cells = rows().map(|row| grid.cell(row, column));
            let broken: Vec<(&str, &str)> = cells.filter_map(|c| c.split_once('\n')).collect();
            let heading = grid.cell(header_row, column);
            are_noted(&broken)
                || (names_competitors(&grid, heading, options) && are_described(&broken))
        })
        .collect();
    if noted.is_empty() {
        return Ok(grid);
    }
    let shortened = grid.map_cells(|row, column, cell| {
        let is_noted = row > header_row && noted.contains(&column);
        let name = cell.split_once('\n').filter(|_| is_noted);
        name.map_or(Cow::Borrowed(cell), |(name, _)| Cow::Owned(name.trim().to_owned()))
    });
    let mut shortened = shortened
        .ok_or_else(|| FileReadError::whole_document("the table is too large: split it"))?;
    for column in noted {
        let heading = Quoted(grid.cell(header_row, column));
        shortened
            .notes
            .push(format!("lines that name nobody below the names in {heading} are left out"));
    }
    Ok(shortened)
}

/// True if the lines below all names hold no words.
fn are_noted(broken: &[(&str, &str)]) -> bool {
    let is_note = |line: &str| {
        let word = line.trim().to_lowercase();
        has_word(TITLES, &word) || !word.contains(char::is_alphabetic)
    };
    let is_noted = |(name, notes): &(&str, &str)| {
        name.contains(char::is_alphabetic) && notes.lines().all(is_note)
    };
    !broken.is_empty() && broken.iter().all(is_noted)
}

/// True if the lines below all names count something of the person: `34 runs`. Those that tell namesakes
/// apart stay.
fn are_described(broken: &[(&str, &str)]) -> bool {
    let is_count = |line: &str| {
        let mut words = line.split(|c: char| !c.is_alphanumeric());
        let mut is_word = |is_part: fn(&u8) -> bool| {
            let word = words.next().filter(|word| !word.is_empty());
            word.is_some_and(|word| word.bytes().all(|byte| is_part(&byte)))
        };
        is_word(u8::is_ascii_digit) && is_word(u8::is_ascii_lowercase)
    };
    let is_plain = |name: &str| {
        name.contains(char::is_alphabetic) && !name.contains(|c: char| c.is_ascii_digit())
    };
    let notes_by_name: HashMap<&str, &str> = broken.iter().copied().collect();
    !broken.is_empty()
        && broken.iter().all(|(name, notes)| {
            is_plain(name) && notes.lines().all(is_count) && notes_by_name.get(name) == Some(notes)
        })
}

/// True if a heading is that of competitors, not of the members of a team.
fn names_competitors(grid: &CellGrid, heading: &str, options: &ReadOptions) -> bool {
    let meaning = find_meaning(grid, heading, &options.columns).map(|known| known.0);
    let seat = parse_seat_heading(&heading_word(heading));
    matches!(meaning, Some(ColumnMeaning::Competitor | ColumnMeaning::Team))
        || seat.is_some_and(|seat| matches!(seat.field, Field::Name(..)))
}

fn join_lines(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join(" ")
}
