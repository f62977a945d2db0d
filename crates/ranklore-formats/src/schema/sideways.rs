//! Turns a table with one row per contest into one with one row per competitor.

use std::collections::BTreeMap;

use crate::schema::header_row::{SEARCHED_ROWS, find_meaning};
use crate::values::cells::is_blank;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_grid::{CellGrid, FileReadError};

/// Returns the table with its columns as rows: below the names of contests a row of their dates, and
/// one for each column that has no known meaning, whose heading is the competitor.
pub(crate) fn turn_sideways(
    grid: &CellGrid,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Result<CellGrid, FileReadError> {
    use ColumnMeaning::{Contest, ContestId, Date, Event};
    let meaning =
        |row, column| Some(find_meaning(grid, grid.cell(row, column), stated_meanings)?.0);
    let find = |row: usize, meanings: &[ColumnMeaning]| {
        let mut columns = 0..grid.width(row);
        columns.find(|&column| meaning(row, column).is_some_and(|known| meanings.contains(&known)))
    };
    let mut searched = 0..grid.row_count().min(SEARCHED_ROWS);
    let Some(header) =
        searched.find(|&row| find(row, &[Contest, ContestId, Event, Date]).is_some())
    else {
        return Err(FileReadError::whole_document(
            "no column is headed contest, race, date or the like, and --layout contests needs one: name it with --column HEADING=contest or --column HEADING=date",
        ));
    };
    if let Some(absent) = stated_meanings
        .keys()
        .find(|heading| !grid.cells(header).any(|cell| cell == *heading))
    {
        return Err(FileReadError::new(
            grid.row_location(header),
            format!("no column is headed {}, as --column says", ranklore_contest::Quoted(absent)),
        ));
    }
    let date = find(header, &[Date]);
    let name = find(header, &[Contest]).or_else(|| find(header, &[ContestId, Event])).or(date);
    let columns = 0..grid.width(header);
    let competitors = columns.filter(|&column| {
        let is_named = !is_blank(grid.cell(header, column));
        let stands_for_competitor =
            matches!(meaning(header, column), None | Some(ColumnMeaning::Competitor));
        is_named && stands_for_competitor && Some(column) != name
    });
    let competitors: Vec<usize> = competitors.collect();
    let path = common_path(grid, header, &competitors);
    let rows: Vec<usize> = (header + 1..grid.row_count()).collect();
    let mut headings = vec!["competitor".to_owned()];
    headings
        .extend(rows.iter().map(|&row| name.map_or("", |name| grid.cell(row, name)).to_owned()));
    let mut lines: Vec<(String, usize)> = Vec::new();
    lines.extend(date.filter(|_| date != name).map(|date| ("date".to_owned(), date)));
    let competitors = competitors.into_iter();
    lines.extend(competitors.map(|column| (grid.cell(header, column)[path..].to_owned(), column)));
    let mut sideways = grid.transpose(&rows, &headings, &lines)?;
    sideways.notes.push("one row per contest, one column per competitor".to_owned());
    Ok(sideways)
}

/// Returns the length of the path to the object whose keys are the competitors of records:
/// `result.` of `result.Ada` and `result.Bea`.
fn common_path(grid: &CellGrid, header: usize, competitors: &[usize]) -> usize {
    let mut headings = competitors.iter().map(|&column| grid.cell(header, column));
    let first = headings.next().filter(|_| grid.records.is_some() && competitors.len() > 1);
    let Some(first) = first else {
        return 0;
    };
    let mut common = first;
    for heading in headings {
        let same = common.char_indices().zip(heading.chars()).find(|((_, a), b)| a != b);
        let end = same.map_or(common.len().min(heading.len()), |((at, _), _)| at);
        common = &common[..end];
    }
    // The dot of "J. Lark" is part of a name.
    let mut dots = common.match_indices('.').rev().map(|(at, _)| at + 1);
    dots.find(|&end| first[end..].starts_with(|c: char| !c.is_whitespace()))
        .unwrap_or(0)
}
