//! Reads Markdown: each table is a sheet, named by the heading above it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::sheet::{Sheet, SheetCells, Workbook};
use crate::document::FileReadError;
use crate::encodings::decode_text;
use crate::limits::ReadLimits;

/// The most tables of a document.
pub(super) const MAX_TABLES: usize = 4_096;

/// A Markdown document with its tables.
pub(super) struct MarkdownTables {
    text: String,
    sheets: Vec<Sheet>,
    tables: Vec<TableLines>,
}

/// A table of a document.
struct TableLines {
    /// The lines from the headings to the last row.
    lines: Range<usize>,
    cells: RowCells,
}

/// The way in which the cells of a row are told apart.
enum RowCells {
    /// By bars: `| a | b |`.
    BetweenBars,
    /// By the first character of each column, below a ruler without bars: `---- ------`.
    AtColumns(Vec<usize>),
}

impl TableLines {
    /// True if a line behind the table so far is its next row.
    fn continues(&self, line: usize, content: &str) -> bool {
        let is_row = match &self.cells {
            RowCells::AtColumns(_) => !content.is_empty() && find_ruled_columns(content).is_none(),
            RowCells::BetweenBars => content.contains('|'),
        };
        self.lines.end == line && is_row
    }
}

impl MarkdownTables {
    pub(super) fn open(bytes: &[u8], limits: ReadLimits) -> Result<Self, FileReadError> {
        let (text, _) = decode_text(Cow::Borrowed(bytes))?;
        let mut sheets: Vec<Sheet> = Vec::new();
        let mut tables: Vec<TableLines> = Vec::new();
        let mut title = "Table";
        let mut above = ["", ""];
        let mut names = HashSet::new();
        for (line, raw) in text.lines().enumerate() {
            let content = raw.trim();
            if let Some(cells) = find_ruler(raw, above, limits) {
                // The table before ends above these headings.
                match tables.last_mut() {
                    Some(before) if before.lines.end == line => before.lines.end = line - 1,
                    _ => {}
                }
                if sheets.len() >= MAX_TABLES {
                    return Err(too_many_tables());
                }
                sheets.push(Sheet {
                    name: unique_name(title, &mut names),
                    is_hidden: false,
                });
                let lines = line - 1..line + 1;
                tables.push(TableLines { lines, cells });
            } else if let Some(table) =
                tables.last_mut().filter(|table| table.continues(line, content))
            {
                table.lines.end = line + 1;
            } else if content.starts_with('#') {
                title = content.trim_matches(['#', ' ']);
            }
            above = [above[1], content];
        }
        if text.to_ascii_lowercase().contains("<table") {
            return Err(FileReadError::whole_document(
                "the document has tables in Markdown and in HTML: keep those that are meant",
            ));
        }
        Ok(Self {
            text,
            sheets,
            tables,
        })
    }
}

impl Workbook for MarkdownTables {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read_cells(&mut self, sheet: usize, cells: &mut SheetCells) -> Result<(), FileReadError> {
        let table = &self.tables[sheet];
        let lines = &table.lines;
        let rows = self.text.lines().enumerate().take(lines.end).skip(lines.start);
        for (line, row) in rows.filter(|(line, _)| *line != lines.start + 1) {
            let row_cells = match &table.cells {
                RowCells::AtColumns(columns) => split_at_columns(row, columns),
                RowCells::BetweenBars => split_cells(row),
            };
            for (column, cell) in row_cells.into_iter().enumerate() {
                cells.push_text(line as u32, column as u32, &plain_text(cell))?;
            }
        }
        Ok(())
    }
}

/// True if a line is the ruler of a table with the headings in the line above it: `|---|:-:|`. A mark of one
/// or two dashes can stand for an absent competitor too: then no other row stands above.
#[must_use]
pub fn is_ruler_below(line: &str, [before, headings]: [&str; 2]) -> bool {
    let is_mark = |cell: &str, min_len: usize| {
        let is_byte = |byte: u8| matches!(byte, b'-' | b':');
        cell.len() >= min_len && cell.contains('-') && cell.bytes().all(is_byte)
    };
    let is_ruler = |line: &str, min_len: usize| {
        line.contains('|') && split_cells(line).into_iter().all(|cell| is_mark(cell, min_len))
    };
    let marks = split_cells(line);
    let titles = split_cells(headings);
    let may_be_short = !before.contains('|') && !titles.iter().any(|cell| is_mark(cell, 1));
    headings.contains('|')
        && is_ruler(line, if may_be_short { 1 } else { 3 })
        && !is_ruler(headings, 3)
        && marks.len() == titles.len()
}

/// Returns the cells of the table whose ruler a line is, below the two lines above.
fn find_ruler(line: &str, above: [&str; 2], limits: ReadLimits) -> Option<RowCells> {
    let content = line.trim();
    // Documents archived before have longer rulers.
    let is_known = limits.reader.refuses_doubts();
    let above = if is_known { above } else { ["|", above[1]] };
    if is_ruler_below(content, above) {
        return Some(RowCells::BetweenBars);
    }
    let has_headings = !above[1].is_empty() && !above[1].contains('|') && !above[1].contains("--");
    find_ruled_columns(line)
        .filter(|_| is_known && has_headings)
        .map(RowCells::AtColumns)
}

/// Returns the first character of each column below a ruler of dashes and blanks, as pandoc writes it, with
/// two columns or more.
fn find_ruled_columns(line: &str) -> Option<Vec<usize>> {
    if !line.contains("--") || !line.chars().all(|c| matches!(c, '-' | ' ')) {
        return None;
    }
    let dashes = format!(" {line}");
    let starts = dashes.match_indices(" -").map(|(at, _)| at);
    let columns: Vec<usize> = starts.collect();
    (columns.len() > 1).then_some(columns)
}

/// Splits a row at the first character of each column.
fn split_at_columns<'r>(row: &'r str, columns: &[usize]) -> Vec<&'r str> {
    let byte = |column: usize| row.char_indices().nth(column).map_or(row.len(), |(at, _)| at);
    let starts: Vec<usize> = columns.iter().map(|&column| byte(column)).collect();
    let ends = starts.iter().skip(1).copied().chain([row.len()]);
    // A cell can begin left of the first dashes.
    let starts = [0].into_iter().chain(starts.iter().skip(1).copied());
    starts.zip(ends).map(|(start, end)| row[start..end].trim()).collect()
}

/// Returns the name of a table, with a number if a table before it has that name.
pub(super) fn unique_name(title: &str, names: &mut HashSet<String>) -> String {
    let mut number = 1;
    let mut name = title.to_owned();
    while !names.insert(name.clone()) {
        number += 1;
        name = format!("{title} {number}");
    }
    name
}

pub(super) fn too_many_tables() -> FileReadError {
    let reason = format!("the document has more than {MAX_TABLES} tables: split it");
    FileReadError::whole_document(reason)
}

/// Splits a row at its bars, but not at `\|`.
fn split_cells(row: &str) -> Vec<&str> {
    let row = row.trim();
    let mut rest = row.strip_prefix('|').unwrap_or(row);
    let mut cells = Vec::new();
    let mut from = 0;
    while let Some(bar) = rest[from..].find('|').map(|at| from + at) {
        if rest[..bar].ends_with('\\') {
            from = bar + 1;
            continue;
        }
        cells.push(rest[..bar].trim());
        rest = &rest[bar + 1..];
        from = 0;
    }
    // A bar at the end closes the last cell.
    if !rest.trim().is_empty() {
        cells.push(rest.trim());
    }
    cells
}

/// Returns a cell without links, emphasis of the whole cell, and escapes.
fn plain_text(cell: &str) -> String {
    let mut text = cell.trim();
    for mark in ["**", "*", "`"] {
        let inner = text.strip_prefix(mark).and_then(|text| text.strip_suffix(mark));
        text = inner.filter(|inner| !inner.is_empty()).unwrap_or(text);
    }
    let mut plain = String::new();
    while let Some((before, label, after)) = split_link(text) {
        plain.push_str(before);
        plain.push_str(label);
        text = after;
    }
    plain.push_str(text);
    if !plain.contains('\\') {
        return plain;
    }
    let mut characters = plain.chars().peekable();
    let mut unescaped = String::new();
    while let Some(character) = characters.next() {
        let is_escape =
            character == '\\' && characters.peek().is_some_and(char::is_ascii_punctuation);
        let literal = if is_escape {
            characters.next()
        } else {
            Some(character)
        };
        unescaped.extend(literal);
    }
    unescaped
}

/// Returns the texts before, within and after the first link: `[label](address)`.
fn split_link(text: &str) -> Option<(&str, &str, &str)> {
    let (before, link) = text.split_once('[')?;
    let (label, address) = link.split_once("](")?;
    let (_, after) = address.split_once(')')?;
    Some((before, label, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_no_marks() {
        for (row, cells) in [
            ("| 1 | **Ann Ash** |", vec!["1", "Ann Ash"]),
            ("1 | [Ann](https://a.example/x) (B)", vec!["1", "Ann (B)"]),
            (r"| a\|b | 16* | `x` |", vec!["a|b", "16*", "x"]),
            ("|| **[Ann](x)** |", vec!["", "Ann"]),
            (r"| sea\_gull | [x] | C:\a |", vec!["sea_gull", "[x]", r"C:\a"]),
        ] {
            let plain: Vec<String> = split_cells(row).into_iter().map(plain_text).collect();
            assert_eq!(plain, cells, "{row}");
        }
    }

    #[test]
    fn ruler_stands_below_headings() {
        assert!(is_ruler_below("|:--|--:|", ["|x|y|", "| a | b |"]));
        assert!(is_ruler_below("---|---", ["", "a | b"]));
        for ruler in ["|--|--|", "|-|-|", "|:-:|-:|", "-|--"] {
            assert!(is_ruler_below(ruler, ["", "|a|b|"]), "{ruler}");
            // Competitors who were absent.
            assert!(!is_ruler_below(ruler, ["|a|b|", "|1|2|"]), "{ruler}");
        }
        assert!(!is_ruler_below("|---|", ["", "| a | b |"]));
        assert!(!is_ruler_below("|---|---|", ["", "|---|---|"]));
        assert!(!is_ruler_below("-----", ["", "a | b"]));
        assert!(!is_ruler_below("|-|-|", ["", "|1|-|"]));
    }

    #[test]
    fn each_table_is_a_sheet() {
        let text = "# Club\n\n|a|b|\n|---|---|\n|1|2|\n|c|d|\n|---|---|\n|3|4|\n\n## Cup ##\na|b\n---|---\n5|6\n";
        let tables = MarkdownTables::open(text.as_bytes(), ReadLimits::NEW).unwrap();
        let names: Vec<&str> = tables.sheets.iter().map(|sheet| &*sheet.name).collect();
        assert_eq!(names, ["Club", "Club 2", "Cup"]);
        let lines: Vec<_> = tables.tables.iter().map(|table| table.lines.clone()).collect();
        assert_eq!(lines, [2..5, 5..8, 10..13]);
    }
}
