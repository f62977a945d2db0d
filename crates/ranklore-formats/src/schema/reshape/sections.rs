//! Turns rows of one cell, such as "Men" and "Women", which head groups of rows, into a column.

use std::collections::HashSet;

use crate::options::ReadOptions;
use crate::schema::header_row::{TableHeader, TableKind, find_meaning};
use crate::values::cells::{CellStatus, is_blank, parse_place};
use crate::values::rankings::are_ranking;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::rounds::is_round_heading;
use ranklore_contest::Quoted;
use ranklore_grid::{CellGrid, FileReadError};

/// The longest title of a section; longer texts are notes.
const MAX_TITLE_BYTES: usize = 60;

/// A title, and the rows below it.
struct Section<'g> {
    title: &'g str,
    rows: Vec<usize>,
}

/// Returns the table with a column of the titles above its rows, if each title heads a ranking of its
/// own with other competitors: a division. Dates and rounds are titles of contests, which are not read.
pub(crate) fn unfold_sections(
    grid: &CellGrid,
    options: &ReadOptions,
) -> Result<Option<CellGrid>, FileReadError> {
    use ColumnMeaning::{Competitor, Division, Place, Team};
    if options.layout.is_some() || options.no_headings || grid.records.is_some() {
        return Ok(None);
    }
    let header = TableHeader::find(grid, options);
    let (TableKind::Results, Some(header)) = (header.kind, header.row) else {
        return Ok(None);
    };
    let meaning = |column| Some(find_meaning(grid, grid.cell(header, column), &options.columns)?.0);
    let find = |known| (0..grid.width(header)).find(|&column| meaning(column) == Some(known));
    let Some(place) = find(Place).filter(|_| find(Division).is_none()) else {
        return Ok(None);
    };
    let (Some(sections), Some(name)) =
        (find_sections(grid, header, place), find(Competitor).or_else(|| find(Team)))
    else {
        return Ok(None);
    };
    let rows = sections.iter().flat_map(|section| &section.rows);
    let names = rows.map(|&row| grid.cell(row, name)).filter(|name| !is_blank(name));
    let mut known_names = HashSet::new();
    let recur = names.into_iter().any(|name| !known_names.insert(name));
    let names_contests =
        |title: &str| is_round_heading(title) || title.contains(|c: char| c.is_ascii_digit());
    if recur || sections.iter().any(|section| names_contests(section.title)) {
        return Ok(None);
    }
    let unfolded = insert_titles(grid, header, &sections);
    unfolded.map(Some).map_err(FileReadError::whole_document)
}

/// Returns the sections, if there are two or more and each has the places of a ranking.
fn find_sections<'g>(grid: &'g CellGrid, header: usize, place: usize) -> Option<Vec<Section<'g>>> {
    let title = |row: usize| {
        let mut cells = grid.cells(row).filter(|cell| !is_blank(cell));
        let title = cells.next().filter(|cell| {
            cell.len() <= MAX_TITLE_BYTES
                && cell.contains(char::is_alphabetic)
                && CellStatus::parse(cell).is_none()
                && parse_place(cell).is_none()
        });
        title.filter(|_| cells.next().is_none())
    };
    let is_header = |row: usize| grid.cells(row).eq(grid.cells(header));
    let section = |title| Section {
        title,
        rows: Vec::new(),
    };
    let mut sections: Vec<Section<'g>> =
        header.checked_sub(1).and_then(title).map(section).into_iter().collect();
    let mut has_titles_below = false;
    for row in (header + 1..grid.row_count()).filter(|&row| !is_header(row)) {
        match (title(row), sections.last_mut()) {
            (Some(title), Some(last)) if last.rows.is_empty() && !has_titles_below => {
                // The row above the headings is the title of the table.
                *last = section(title);
                has_titles_below = true;
            }
            (Some(title), _) => {
                has_titles_below = true;
                sections.push(section(title));
            }
            (None, Some(last)) => last.rows.push(row),
            (None, None) => return None,
        }
    }
    // The last rows of one cell are notes.
    while sections.last().is_some_and(|last| last.rows.is_empty()) {
        sections.pop();
    }
    let mut titles = HashSet::new();
    let are_rankings = sections.iter().all(|section| {
        let places = section.rows.iter().map(|&row| grid.cell(row, place));
        let mut places = places
            .filter(|cell| !is_blank(cell) && CellStatus::parse(cell).is_none())
            .peekable();
        titles.insert(section.title) && places.peek().is_some() && are_ranking(places)
    });
    (sections.len() > 1 && are_rankings).then_some(sections)
}

fn insert_titles(
    grid: &CellGrid,
    header: usize,
    sections: &[Section<'_>],
) -> Result<CellGrid, String> {
    let heading = ColumnMeaning::Division;
    let mut unfolded = grid.with_same_source();
    let line = |row| grid.line_number(row).unwrap_or(row as u64 + 1);
    let width = grid.width(header);
    let headings = std::iter::once((header, heading.as_str()));
    let rows = sections
        .iter()
        .flat_map(|section| section.rows.iter().map(|&row| (row, section.title)));
    for (row, title) in headings.chain(rows) {
        unfolded.begin_row(line(row))?;
        // A row may be shorter than the headings, or longer, which is reported later.
        let columns = width.max(grid.width(row));
        for column in 0..columns {
            if column == width {
                unfolded.push_cell(title)?;
            }
            unfolded.push_cell(grid.cell(row, column))?;
        }
        if columns == width {
            unfolded.push_cell(title)?;
        }
    }
    let titles: Vec<String> = sections
        .iter()
        .take(4)
        .map(|section| Quoted(section.title).to_string())
        .collect();
    unfolded.notes.push(format!(
        "{} rows of one cell head rankings of their own, each a {}: {}",
        sections.len(),
        heading.as_str(),
        titles.join(", ")
    ));
    Ok(unfolded)
}
