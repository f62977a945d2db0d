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

    /// Makes the column of this heading important: that which orders the rows.
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
            let headings = self.columns.iter();
            let headings = headings.map(|of| (&*of.heading, of.alignment == CellAlignment::Right));
            let cells = |row| self.columns.iter().map(|of| (of.cell)(row)).collect();
            return markdown::write_table(&mut out, headings, self.rows.iter().map(cells));
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

    fn render_lines(&self, width: Option<usize>, terminal: bool) -> Vec<String> {
        let texts = |row| {
            self.columns
                .iter()
                .map(|column| (column.cell)(row))
                .collect()
        };
        let rows: Vec<Vec<String>> = self.rows.iter().map(texts).collect();
        let columns = self.columns.iter().enumerate().map(|(at, of)| {
            let cells = rows
                .iter()
                .map(|row| truncate(&row[at], MAX_CELL_WIDTH).width());
            ColumnWidth {
                natural: cells.max().unwrap_or(0).max(of.heading.width()),
                is_text: of.alignment == CellAlignment::Left,
                is_important: of.is_important,
            }
        });
        let columns: Vec<ColumnWidth> = columns.collect();
        let widths = fit(&columns, width.unwrap_or(usize::MAX));
        let shown = |texts: &mut dyn Iterator<Item = &str>| -> Vec<String> {
            let columns = texts.zip(&widths);
            let kept = columns.filter_map(|(text, width)| Some((text, (*width)?)));
            kept.map(|(text, width)| format_cell(text, width, terminal))
                .collect()
        };
        let mut grid = Grid::new();
        grid.load_style(presets::NOTHING);
        grid.set_header(shown(&mut self.columns.iter().map(|of| &*of.heading)));
        for row in &rows {
            grid.add_row(shown(&mut row.iter().map(String::as_str)));
        }
        let kept = self.columns.iter().zip(&widths);
        let kept = kept.filter(|(_, width)| width.is_some());
        for ((column, _), shown) in kept.zip(grid.column_iter_mut()) {
            shown.set_cell_alignment(column.alignment);
        }
        grid.lines()
            .map(|line| line.trim_end().to_owned())
            .collect()
    }
}

/// Formats a cell. On a terminal right-to-left text is isolated, as it would change places with the
/// numbers beside it.
fn format_cell(text: &str, width: usize, terminal: bool) -> String {
    isolate(truncate(text, width), terminal)
}

/// Escapes a text for one line and truncates it to `columns`, between graphemes and escapes.
fn truncate(text: &str, columns: usize) -> String {
    let whole = escape_line(text);
    if whole.width() <= columns {
        return whole;
    }
    let mut cut = String::new();
    // One column is for the ellipsis.
    let mut left = columns.saturating_sub(1);
    for character in text.graphemes(true) {
        let shown = escape_line(character);
        let Some(rest) = left.checked_sub(shown.width()) else {
            break;
        };
        left = rest;
        cut.push_str(&shown);
    }
    cut.push('…');
    cut
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
            assert_eq!(
                format_cell(text, 40, true),
                format!("\u{2068}{text}\u{2069}")
            );
        }
        for text in ["", "Šárka", "王小明", "नमस्ते", FAMILY] {
            assert_eq!(format_cell(text, 40, true), text);
        }
        // Isolates in the text have no effect.
        assert_eq!(
            format_cell("א\u{2069}1", 40, true),
            "\u{2068}א\\u{2069}1\u{2069}"
        );
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
