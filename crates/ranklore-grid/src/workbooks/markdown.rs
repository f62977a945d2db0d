//! Reads Markdown: each table is a sheet, named by the heading above it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::sheet::{Sheet, SheetCells, Workbook};
use crate::document::FileReadError;
use crate::encodings::decode_text;

/// The most tables of a document.
pub(super) const MAX_TABLES: usize = 4_096;

/// A Markdown document with its tables.
pub(super) struct MarkdownTables {
    text: String,
    sheets: Vec<Sheet>,
    /// The lines of each table.
    tables: Vec<Range<usize>>,
}

impl MarkdownTables {
    pub(super) fn open(bytes: &[u8]) -> Result<Self, FileReadError> {
        let (text, _) = decode_text(Cow::Borrowed(bytes))?;
        let mut sheets: Vec<Sheet> = Vec::new();
        let mut tables: Vec<Range<usize>> = Vec::new();
        let mut title = "Table";
        let mut headings: Option<&str> = None;
        let mut names = HashSet::new();
        for (line, content) in text.lines().enumerate() {
            let content = content.trim();
            if headings.is_some_and(|headings| is_ruler_below(content, headings)) {
                // The table before ends above these headings.
                match tables.last_mut() {
                    Some(before) if before.end == line => before.end = line - 1,
                    _ => {}
                }
                if sheets.len() >= MAX_TABLES {
                    return Err(too_many_tables());
                }
                sheets.push(Sheet {
                    name: unique_name(title, &mut names),
                    is_hidden: false,
                });
                tables.push(line - 1..line + 1);
            } else if let Some(table) = tables.last_mut().filter(|table| table.end == line)
                && content.contains('|')
            {
                table.end = line + 1;
            } else if content.starts_with('#') {
                title = content.trim_matches(['#', ' ']);
            }
            headings = Some(content).filter(|content| content.contains('|'));
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
        let table = self.tables[sheet].clone();
        let rows = self.text.lines().enumerate().take(table.end).skip(table.start);
        for (line, row) in rows.filter(|(line, _)| *line != table.start + 1) {
            for (column, cell) in split_cells(row).into_iter().enumerate() {
                cells.push_text(line as u32, column as u32, &plain_text(cell))?;
            }
        }
        Ok(())
    }
}

/// True if a line is the ruler of a table with these headings: `|---|:-:|`.
#[must_use]
pub fn is_ruler_below(line: &str, headings: &str) -> bool {
    let is_ruler = |line: &str| {
        let is_mark = |byte: u8| matches!(byte, b'-' | b':');
        // A dash alone can stand for an absent competitor.
        let fits = |cell: &str| cell.len() > 2 && cell.contains('-') && cell.bytes().all(is_mark);
        line.contains('|') && split_cells(line).into_iter().all(fits)
    };
    is_ruler(line) && !is_ruler(headings) && split_cells(line).len() == split_cells(headings).len()
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
        assert!(is_ruler_below("|:--|--:|", "| a | b |"));
        assert!(is_ruler_below("---|---", "a | b"));
        assert!(!is_ruler_below("|---|", "| a | b |"));
        assert!(!is_ruler_below("|---|---|", "|---|---|"));
        assert!(!is_ruler_below("-----", "a | b"));
        assert!(!is_ruler_below("|-|-|", "|1|-|"));
    }

    #[test]
    fn each_table_is_a_sheet() {
        let text = "# Club\n\n|a|b|\n|---|---|\n|1|2|\n|c|d|\n|---|---|\n|3|4|\n\n## Cup ##\na|b\n---|---\n5|6\n";
        let tables = MarkdownTables::open(text.as_bytes()).unwrap();
        let names: Vec<&str> = tables.sheets.iter().map(|sheet| &*sheet.name).collect();
        assert_eq!(names, ["Club", "Club 2", "Cup"]);
        assert_eq!(tables.tables, [2..5, 5..8, 10..13]);
    }
}
