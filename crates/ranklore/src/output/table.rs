//! Tables with aligned columns for any Unicode text.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};

use clap::builder::styling::Style;
use comfy_table::{CellAlignment, Table as Grid, presets};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::width::{ColumnWidth, fit, line_width};
use super::{OutputFormat, escape_line, has_color, isolate, markdown, output_format};

/// The largest width of a cell, in terminal columns, where lines may have any width: a single long
/// name would fill every row with spaces.
const MAX_CELL_WIDTH: usize = 200;

/// A table of rows that fits the width of the terminal. The first two columns always stay; of the
/// others those on the right are dropped first, unless they are [`TextTable::important`].
pub(crate) struct TextTable<'a, R> {
    rows: &'a [R],
    columns: Vec<Column<'a, R>>,
}

struct Column<'a, R> {
    heading: Cow<'a, str>,
    alignment: CellAlignment,
    is_important: bool,
    /// Returns the text of a row in this column.
    cell: Box<dyn Fn(&R) -> String + 'a>,
}

impl<'a, R> TextTable<'a, R> {
    pub(crate) const fn new(rows: &'a [R]) -> Self {
        let columns = Vec::new();
        Self { rows, columns }
    }

    /// Adds a left-aligned column.
    pub(crate) fn left(
        self,
        heading: impl Into<Cow<'a, str>>,
        cell: impl Fn(&R) -> String + 'a,
    ) -> Self {
        self.add_column(heading.into(), CellAlignment::Left, Box::new(cell))
    }

    /// Adds a right-aligned column.
    pub(crate) fn right(
        self,
        heading: impl Into<Cow<'a, str>>,
        cell: impl Fn(&R) -> String + 'a,
    ) -> Self {
        self.add_column(heading.into(), CellAlignment::Right, Box::new(cell))
    }

    fn add_column(
        mut self,
        heading: Cow<'a, str>,
        alignment: CellAlignment,
        cell: Box<dyn Fn(&R) -> String + 'a>,
    ) -> Self {
        self.columns.push(Column {
            heading,
            alignment,
            is_important: false,
            cell,
        });
        self
    }

    /// Makes the last column important: it is dropped after all others.
    pub(crate) fn important(mut self) -> Self {
        if let Some(last) = self.columns.last_mut() {
            last.is_important = true;
        }
        self
    }

    /// Makes the column of this heading important, as it orders the rows.
    pub(crate) fn ordered_by(mut self, heading: &str) -> Self {
        for column in &mut self.columns {
            column.is_important |= column.heading == heading;
        }
        self
    }

    /// Removes the last column unless it is to be shown.
    pub(crate) fn only_if(mut self, is_shown: bool) -> Self {
        if !is_shown {
            self.columns.pop();
        }
        self
    }

    /// Prints the headings and one line per row.
    pub(crate) fn print(&self) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        if output_format() == OutputFormat::Markdown {
            let columns = self.columns.iter();
            let headings = columns.map(|c| (&*c.heading, c.alignment == CellAlignment::Right));
            let rows = self.rows.iter().map(|row| self.format_row(row));
            return markdown::write_table(&mut out, headings, rows);
        }
        let terminal = out.is_terminal();
        let lines = self.render_lines(line_width(), terminal);
        let mut lines = lines.iter();
        if has_color(&std::io::stdout())
            && let Some(headings) = lines.next()
        {
            let bold = Style::new().bold();
            writeln!(anstream::stdout(), "{bold}{headings}{bold:#}")?;
        }
        lines.try_for_each(|line| writeln!(out, "{line}"))
    }

    fn format_row(&self, row: &R) -> Vec<String> {
        let columns = self.columns.iter();
        columns.map(|column| (column.cell)(row)).collect()
    }

    fn render_lines(&self, width: Option<usize>, terminal: bool) -> Vec<String> {
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| self.format_row(row)).collect();
        let columns = self.columns.iter().enumerate().map(|(at, column)| {
            let cells = rows.iter().map(|row| truncate(&row[at], MAX_CELL_WIDTH).width());
            ColumnWidth {
                natural: cells.max().unwrap_or(0).max(column.heading.width()),
                is_text: column.alignment == CellAlignment::Left,
                is_important: column.is_important,
            }
        });
        let columns: Vec<ColumnWidth> = columns.collect();
        let widths = fit(&columns, width.unwrap_or(usize::MAX));
        // The columns that are not dropped, with their widths.
        let visible: Vec<(usize, usize)> = widths
            .into_iter()
            .enumerate()
            .filter_map(|(at, width)| Some((at, width?)))
            .collect();
        let mut grid = Grid::new();
        grid.load_style(presets::NOTHING);
        let cells = visible.iter();
        grid.set_header(
            cells.map(|&(at, width)| format_cell(&self.columns[at].heading, width, terminal)),
        );
        for row in &rows {
            let cells = visible.iter();
            grid.add_row(cells.map(|&(at, width)| format_cell(&row[at], width, terminal)));
        }
        for (&(at, _), column) in visible.iter().zip(grid.column_iter_mut()) {
            column.set_cell_alignment(self.columns[at].alignment);
        }
        grid.lines().map(|line| line.trim_end().to_owned()).collect()
    }
}

/// Formats a cell. On a terminal right-to-left text is isolated, as it would change places with the
/// numbers beside it.
fn format_cell(text: &str, width: usize, terminal: bool) -> String {
    isolate(truncate(text, width), terminal)
}

/// Escapes a text for one line and truncates it to `columns`, between graphemes and escapes.
fn truncate(text: &str, columns: usize) -> String {
    let escaped = escape_line(text);
    if escaped.width() <= columns {
        return escaped;
    }
    let mut start = String::new();
    // One column is for the ellipsis.
    let mut free_columns = columns.saturating_sub(1);
    for character in text.graphemes(true) {
        let escaped = escape_line(character);
        let Some(rest) = free_columns.checked_sub(escaped.width()) else {
            break;
        };
        free_columns = rest;
        start.push_str(&escaped);
    }
    start.push('…');
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: &str = "👩\u{200d}👩\u{200d}👧\u{200d}👦";

    #[test]
    fn fitting_text_is_unchanged() {
        for text in [
            "",
            "abcde",
            "王王a",
            "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}",
        ] {
            assert_eq!(truncate(text, 5), text);
        }
        assert_eq!(truncate(&FAMILY.repeat(2), 5), FAMILY.repeat(2));
        assert_eq!(truncate("🇨🇿🇸🇰", 4), "🇨🇿🇸🇰");
    }

    #[test]
    fn text_is_truncated_between_graphemes() {
        for (text, columns, cut) in [
            ("abcdef", 5, "abcd…"),
            ("abcdef", 1, "…"),
            // Half of a wide character cannot be shown.
            ("王王王", 5, "王王…"),
            ("王王王", 4, "王…"),
            // Accents stay with their letters.
            ("e\u{301}e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}…"),
            // Flags and families are one character each.
            ("🇨🇿🇸🇰🇵🇱", 4, "🇨🇿…"),
            ("🇨🇿🇸🇰🇵🇱", 5, "🇨🇿🇸🇰…"),
            // An escape is shown as a whole or not at all.
            ("a\u{1b}b", 8, "a\\u{1b}b"),
            ("a\u{1b}bc", 7, "a…"),
            ("a\u{1b}bc", 8, "a\\u{1b}…"),
        ] {
            assert_eq!(truncate(text, columns), cut, "{text:?} {columns}");
        }
        assert_eq!(truncate(&FAMILY.repeat(3), 5), FAMILY.repeat(2) + "…");
        assert_eq!(truncate(&FAMILY.repeat(3), 4), FAMILY.to_owned() + "…");
    }

    #[test]
    fn right_to_left_text_is_isolated() {
        for text in ["שרה לוי", "محمد 7", "a ب", "\u{fb2a}", "\u{1e900}"] {
            assert_eq!(format_cell(text, 40, false), text);
            assert_eq!(format_cell(text, 40, true), format!("\u{2068}{text}\u{2069}"));
        }
        for text in ["", "Šárka", "王小明", "नमस्ते", FAMILY] {
            assert_eq!(format_cell(text, 40, true), text);
        }
        // Isolates in the text have no effect.
        assert_eq!(format_cell("א\u{2069}1", 40, true), "\u{2068}א\\u{2069}1\u{2069}");
        // Truncated text is isolated, too.
        let cut = format_cell(&"א".repeat(100), 40, true);
        assert_eq!(cut, format!("\u{2068}{}…\u{2069}", "א".repeat(39)));
    }

    #[test]
    fn columns_are_aligned() {
        let names = [
            "plain".to_owned(),
            "long ".repeat(60),
            "王小明".repeat(20),
            "Z\u{300}a\u{301}l\u{302}g\u{303}o\u{304}".to_owned(),
            FAMILY.to_owned(),
            "🇨🇿 flag".to_owned(),
            "محمد".to_owned(),
            "שרה לוי".to_owned(),
            "a\n\t\u{1b}[2J\"'".to_owned(),
        ];
        let rows: Vec<(usize, String)> = names.into_iter().enumerate().collect();
        let table = TextTable::new(&rows)
            .right("place", |(index, _)| index.to_string())
            .left("name", |(_, name)| name.clone())
            .right("rating", |(index, _)| (index * 500).to_string())
            .important();
        for terminal in [false, true] {
            for width in [None, Some(80), Some(40), Some(26)] {
                let lines = table.render_lines(width, terminal);
                assert_eq!(lines.len(), 1 + rows.len());
                for line in &lines {
                    assert_eq!(line.trim_end().width(), lines[1].width(), "{line}");
                    assert!(width.is_none_or(|width| line.width() <= width), "{line}");
                }
            }
        }
    }
}
