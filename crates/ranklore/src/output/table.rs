//! Tables with aligned columns for any Unicode text.

use std::io::{IsTerminal, Write};

use clap::builder::styling::Style;
use comfy_table::{CellAlignment, Table as Grid, presets};
use ranklore_views::{Column, Columns};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::format::is_text_hidden;
use super::width::{ColumnWidth, fit, line_width};
use super::{OutputFormat, escape_line, has_color, isolate, markdown, output_format};

/// The largest width of a cell, in terminal columns, where lines may have any width: a single long
/// name would fill every row with spaces.
const MAX_CELL_WIDTH: usize = 200;

/// Prints rows as a table: the headings, and one line per row. It fits the width of the terminal: the
/// first two columns always stay; of the others those on the right are dropped first, unless they are
/// [`Columns::important`].
pub(crate) fn print_table<R>(columns: Columns<'_, R>, rows: &[R]) -> std::io::Result<()> {
    if is_text_hidden() {
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    let columns = columns.for_text();
    if output_format() == OutputFormat::Markdown {
        return write_markdown(&mut out, &columns, rows);
    }
    let terminal = out.is_terminal();
    let lines = render_lines(&columns, rows, line_width(), terminal);
    let mut lines = lines.iter();
    if has_color(&std::io::stdout())
        && let Some(headings) = lines.next()
    {
        let bold = Style::new().bold();
        writeln!(anstream::stdout(), "{bold}{headings}{bold:#}")?;
    }
    lines.try_for_each(|line| writeln!(out, "{line}"))
}

fn write_markdown<R>(
    out: &mut impl Write,
    columns: &[Column<'_, R>],
    rows: &[R],
) -> std::io::Result<()> {
    let headings = columns.iter().map(|column| (&*column.heading, column.is_number));
    markdown::write_table(out, headings, rows.iter().map(|row| format_row(columns, row)))
}

fn format_row<R>(columns: &[Column<'_, R>], row: &R) -> Vec<String> {
    columns.iter().map(|column| column.cell(row).to_string()).collect()
}

fn render_lines<R>(
    columns: &[Column<'_, R>],
    rows: &[R],
    width: Option<usize>,
    terminal: bool,
) -> Vec<String> {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| format_row(columns, row)).collect();
    let natural_widths = columns.iter().enumerate().map(|(at, column)| {
        let cells = rows.iter().map(|row| truncate(&row[at], MAX_CELL_WIDTH).width());
        ColumnWidth {
            natural: cells.max().unwrap_or(0).max(column.heading.width()),
            is_text: !column.is_number,
            is_important: column.is_important,
        }
    });
    let natural_widths: Vec<ColumnWidth> = natural_widths.collect();
    let widths = fit(&natural_widths, width.unwrap_or(usize::MAX));
    // The columns that are not dropped, with their widths.
    let visible: Vec<(usize, usize)> = widths
        .into_iter()
        .enumerate()
        .filter_map(|(at, width)| Some((at, width?)))
        .collect();
    let mut grid = Grid::new();
    grid.load_style(presets::NOTHING);
    let cells = visible.iter();
    grid.set_header(cells.map(|&(at, width)| format_cell(&columns[at].heading, width, terminal)));
    for row in &rows {
        let cells = visible.iter();
        grid.add_row(cells.map(|&(at, width)| format_cell(&row[at], width, terminal)));
    }
    for (&(at, _), column) in visible.iter().zip(grid.column_iter_mut()) {
        column.set_cell_alignment(if columns[at].is_number {
            CellAlignment::Right
        } else {
            CellAlignment::Left
        });
    }
    grid.lines().map(|line| line.trim_end().to_owned()).collect()
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
    use ranklore_views::{CellValue, List};
    use serde::Serialize;

    use super::*;
    use crate::output::{CellEscape, write_rows};

    /// A list for the test of all formats.
    #[derive(Serialize)]
    struct Members {
        rows: Vec<Member>,
    }

    #[derive(Serialize)]
    struct Member {
        name: &'static str,
        won: u32,
    }

    impl List for Members {
        type Row = Member;

        fn columns(&self) -> Columns<'_, Member> {
            Columns::new()
                .left("name", |row: &Member| CellValue::text(row.name))
                .right(("won", "games won"), |row| row.won.to_string())
        }
    }

    #[test]
    fn column_is_in_all_formats() {
        let row = |name, won| Member { name, won };
        let list = Members {
            rows: vec![row("Ada", 3), row("Bo", 12)],
        };
        let columns = list.columns().for_text();
        let lines = render_lines(&columns, &list.rows, None, false);
        assert_eq!(lines, [" name  games won", " Ada           3", " Bo           12"]);
        let mut out = Vec::new();
        write_markdown(&mut out, &columns, &list.rows).unwrap();
        let keys = list.columns().keys();
        for format in [OutputFormat::Csv, OutputFormat::Jsonl] {
            write_rows(&list, &keys, format, &mut out, CellEscape::None).unwrap();
        }
        let expected = "| name | games won |\n| --- | --: |\n| Ada | 3 |\n| Bo | 12 |\n\n\
             name,won\r\nAda,3\r\nBo,12\r\n\
             {\"name\":\"Ada\",\"won\":3}\n{\"name\":\"Bo\",\"won\":12}\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

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
        let columns = Columns::new()
            .right("place", |(index, _): &(usize, String)| index.to_string())
            .left("name", |(_, name)| name.clone())
            .right("rating", |(index, _)| (index * 500).to_string())
            .important()
            .for_text();
        for terminal in [false, true] {
            for width in [None, Some(80), Some(40), Some(26)] {
                let lines = render_lines(&columns, &rows, width, terminal);
                assert_eq!(lines.len(), 1 + rows.len());
                for line in &lines {
                    assert_eq!(line.trim_end().width(), lines[1].width(), "{line}");
                    assert!(width.is_none_or(|width| line.width() <= width), "{line}");
                }
            }
        }
    }
}
