//! The text form of a result as Markdown. All text is escaped.

use std::io::{self, Write};

use ranklore_publish::escape_markdown;

/// Writes a line of text as a paragraph, an indented one as an item of a list.
pub(super) fn write_line(out: &mut impl Write, line: &str) -> io::Result<()> {
    for line in line.lines().filter(|line| !line.trim().is_empty()) {
        // The first character could begin a list or a heading.
        let item = if line.starts_with(' ') { "- " } else { "" };
        writeln!(out, "{item}{}\n", escape_start(&escape_markdown(line)))?;
    }
    Ok(())
}

/// Writes labels and texts as a list.
pub(super) fn write_facts(out: &mut impl Write, facts: &[(&str, String)]) -> io::Result<()> {
    for (label, text) in facts {
        writeln!(out, "- {label}: {}", escape_markdown(text))?;
    }
    writeln!(out)
}

/// Writes a table.
pub(super) fn write_table<'a>(
    out: &mut impl Write,
    headings: impl Iterator<Item = (&'a str, bool)> + Clone,
    rows: impl Iterator<Item = Vec<String>>,
) -> io::Result<()> {
    for (heading, _) in headings.clone() {
        write!(out, "| {} ", escape_markdown(heading))?;
    }
    writeln!(out, "|")?;
    for (_, right) in headings {
        write!(out, "{}", if right { "| --: " } else { "| --- " })?;
    }
    writeln!(out, "|")?;
    for row in rows {
        for cell in row {
            write!(out, "| {} ", escape_markdown(&cell))?;
        }
        writeln!(out, "|")?;
    }
    writeln!(out)
}

/// Escapes what begins a list at the start of a line: a dash, a plus, or a number with a full stop
/// or parenthesis.
fn escape_start(line: &str) -> String {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    match line[digits..].chars().next() {
        Some('-' | '+' | '=') if digits == 0 => format!("\\{line}"),
        Some('.' | ')') if digits > 0 => format!("{}\\{}", &line[..digits], &line[digits..]),
        _ => line.to_owned(),
    }
}
