//! The delimiters of text tables, and the lines that tell or contradict them.

use crate::document::FileReadError;
use crate::grid::CellGrid;

/// The delimiters that are tried.
pub(crate) const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

pub(crate) const fn name_delimiter(delimiter: u8) -> &'static str {
    match delimiter {
        b',' => "commas",
        b';' => "semicolons",
        b'\t' => "tabs",
        _ => "bars",
    }
}

/// Errors if most rows below the first that is split have one cell, which another delimiter would split
/// into as many.
pub(crate) fn check_delimiter(grid: &CellGrid, delimiter: u8) -> Result<(), FileReadError> {
    let Some(first) = (0..grid.row_count()).find(|&row| grid.width(row) > 1) else {
        return Ok(());
    };
    let width = grid.width(first);
    let rows = first + 1..grid.row_count();
    for other in DELIMITERS.into_iter().filter(|&other| other != delimiter) {
        let is_split = |&row: &usize| {
            let cells = grid.cell(row, 0).split(char::from(other)).count();
            grid.width(row) == 1 && (width..=width + 1).contains(&cells)
        };
        if 2 * rows.clone().filter(is_split).count() > rows.len()
            && let Some(row) = rows.clone().find(is_split)
        {
            let reason = format!(
                "the cells of this row are separated by {}, and those of {} by {}: write one of these marks in all rows",
                name_delimiter(other),
                grid.row_location(first),
                name_delimiter(delimiter)
            );
            return Err(FileReadError::new(grid.row_location(row), reason));
        }
    }
    Ok(())
}

/// Splits off Excel's first line `sep=;`. Returns the rest, the number of its first line, and the
/// delimiter.
pub(crate) fn split_separator_line(text: &str) -> (&str, u64, Option<u8>) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let statement = first.trim_end_matches('\r').trim_matches('"');
    match statement.as_bytes() {
        [s, e, p, b'=', delimiter @ (b',' | b';' | b'\t' | b'|')]
            if [*s, *e, *p].eq_ignore_ascii_case(b"sep") =>
        {
            (rest, 2, Some(*delimiter))
        }
        _ => (text, 1, None),
    }
}

/// True if commas are those of sentences, with a blank behind each and seldom as many in two lines,
/// while another delimiter is in every line.
pub(crate) fn has_commas_in_prose(sample: &str) -> bool {
    let lines = || sample.lines().filter(|line| !line.trim().is_empty());
    let count = |line: &str| line.matches(',').count();
    let first = lines().next().map(count);
    lines().nth(1).is_some()
        && lines().any(|line| Some(count(line)) != first)
        && sample.matches(',').count() == sample.matches(", ").count()
        && [';', '\t', '|'].iter().any(|&mark| lines().all(|line| line.contains(mark)))
}
