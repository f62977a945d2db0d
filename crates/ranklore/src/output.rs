//! Output: results on standard output, everything else on standard error. Text from outside is
//! escaped before it reaches a terminal.

mod bounded;
mod escape;
mod format;
mod markdown;
mod sparkline;
mod table;
mod width;

use std::fmt::Write as _;
use std::io::{BufWriter, IsTerminal, Write};
use std::sync::OnceLock;

use anstream::AutoStream;
use anstream::stream::RawStream;
use clap::ColorChoice;
use clap::builder::styling::{AnsiColor, Style};
use ranklore_views::{
    Escape as _, write_csv, write_json_lines, write_report_csv, write_report_lines,
};
use serde::Serialize;

pub(crate) use self::bounded::{bound_json, bound_message, bound_value};
pub(crate) use self::escape::CellEscape;
use self::format::is_text_hidden;
pub(crate) use self::format::{OutputFormat, hide_text, output_format, set_output_format};
pub(crate) use self::sparkline::sparkline;
pub(crate) use self::table::print_table;
pub(crate) use self::width::line_width;
use crate::progress::above_bar;
pub(crate) use ranklore_views::format::{
    format_count, format_plural, format_points, format_rating, format_signed,
};

/// The log targets of notes and errors if standard error has JSON.
pub(crate) const NOTE_TARGET: &str = "ranklore::note";
pub(crate) const ERROR_TARGET: &str = "ranklore::error";

/// The format of standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StandardError {
    /// Lines for people, and a bar on a terminal.
    Text,
    /// Errors only.
    Quiet,
    /// JSON objects, a line each; errors only if `quiet`.
    Json { quiet: bool },
}

static STANDARD_ERROR: OnceLock<StandardError> = OnceLock::new();

/// Sets the format of standard error. Only the first call has an effect.
pub(crate) fn set_standard_error(format: StandardError) {
    let _ = STANDARD_ERROR.set(format);
}

pub(crate) fn standard_error() -> StandardError {
    *STANDARD_ERROR.get().unwrap_or(&StandardError::Text)
}

/// Sets when headings and labels are coloured.
pub(crate) fn set_color(choice: ColorChoice) {
    let choice = match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// The labels of lines on standard error.
const LABELS: [(&str, Style); 3] = [
    ("error:", AnsiColor::Red.on_default().bold()),
    ("warning:", AnsiColor::Yellow.on_default().bold()),
    ("next:", AnsiColor::Green.on_default().bold()),
];

/// Prints a line of the result.
pub(crate) fn print_line(line: &str) -> std::io::Result<()> {
    if is_text_hidden() {
        return Ok(());
    }
    if output_format() == OutputFormat::Markdown {
        return markdown::write_line(&mut std::io::stdout(), line);
    }
    print_wrapped(&mut std::io::stdout().lock(), &escape_text(line), 0)
}

/// Prints lines, broken to the width of the terminal.
fn print_wrapped(out: &mut impl Write, text: &str, indent: usize) -> std::io::Result<()> {
    let Some(width) = line_width() else {
        return writeln!(out, "{text}");
    };
    let lines = text.split('\n');
    let mut lines = lines.flat_map(|line| width::wrap(line, width, indent));
    lines.try_for_each(|line| writeln!(out, "{line}"))
}

/// Returns a text below a label, broken to the width of the terminal; `indent` is the column at which
/// it begins.
pub(crate) fn wrap_after_label(text: &str, indent: usize) -> String {
    let Some(width) = line_width() else {
        return text.to_owned();
    };
    let line = " ".repeat(indent) + text;
    let lines = width::wrap(&line, width, indent);
    lines.join("\n").trim_start().to_owned()
}

/// Prints a line of the result that may contain texts by [`escape_name`].
pub(crate) fn print_line_with_names(line: &str) -> std::io::Result<()> {
    print_indented_with_names(line, 0)
}

fn print_indented_with_names(line: &str, indent: usize) -> std::io::Result<()> {
    if is_text_hidden() {
        return Ok(());
    }
    if output_format() == OutputFormat::Markdown {
        return print_line(line);
    }
    let mut out = std::io::stdout().lock();
    let escaped = escape_line_with_names(line, out.is_terminal());
    print_wrapped(&mut out, &escaped, indent)
}

/// Prints labels and texts in two columns. The texts may contain texts by [`escape_name`].
pub(crate) fn print_facts(facts: &[(&str, String)]) -> std::io::Result<()> {
    if is_text_hidden() {
        return Ok(());
    }
    if output_format() == OutputFormat::Markdown {
        return markdown::write_facts(&mut std::io::stdout(), facts);
    }
    let width = facts.iter().map(|fact| fact.0.len()).max().unwrap_or(0);
    for (label, text) in facts {
        // A space before the label, two after it.
        print_indented_with_names(&format!(" {label:<width$}  {text}"), width + 3)?;
    }
    Ok(())
}

/// Escapes a name for a line of the result. On a terminal a name from right to left is isolated, as
/// it would change places with the text around it.
pub(crate) fn escape_name(name: &str) -> String {
    let is_terminal = output_format() == OutputFormat::Table && std::io::stdout().is_terminal();
    isolate(escape_line(name), is_terminal)
}

/// The Unicode characters that begin and end an isolate.
const ISOLATE: char = '\u{2068}';
const END_OF_ISOLATE: char = '\u{2069}';

/// Isolates right-to-left text on a terminal. The text is escaped, so it cannot end the isolate.
fn isolate(escaped: String, terminal: bool) -> String {
    if terminal && escaped.contains(is_right_to_left) {
        format!("{ISOLATE}{escaped}{END_OF_ISOLATE}")
    } else {
        escaped
    }
}

/// Escapes a line, but keeps the isolates around names.
fn escape_line_with_names(line: &str, terminal: bool) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while terminal && let Some((before, after)) = rest.split_once(ISOLATE) {
        let Some((name, after)) = after.split_once(END_OF_ISOLATE) else {
            break;
        };
        out.push_str(&escape_line(before));
        out.push(ISOLATE);
        out.push_str(&escape_line(name));
        out.push(END_OF_ISOLATE);
        rest = after;
    }
    out + &escape_line(rest)
}

/// True if the character is in a Unicode range of right-to-left scripts: Hebrew, Arabic and their
/// neighbours, their presentation forms, and two ranges of historic scripts.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Prints a report in the format for programs that was chosen.
pub(crate) fn print_data(report: &impl Serialize) -> std::io::Result<()> {
    let (mut out, escape) = open_data_output();
    match output_format() {
        OutputFormat::Csv => write_report_csv(report, out, &escape),
        OutputFormat::Jsonl => write_report_lines(report, out, &escape),
        _ => {
            // A value that cannot be written must not leave half an object.
            let json = serde_json::to_string_pretty(report)?;
            for line in json.lines() {
                writeln!(out, "{}", escape.escape_json(line))?;
            }
            out.flush()
        }
    }
}

/// Prints the rows of a list in the format of rows that was chosen; CSV has these columns.
pub(crate) fn print_rows(list: &impl Serialize, columns: &[&str]) -> std::io::Result<()> {
    let (out, escape) = open_data_output();
    write_rows(list, columns, output_format(), out, escape)
}

/// Returns standard output, and the characters to escape in it.
fn open_data_output() -> (BufWriter<std::io::StdoutLock<'static>>, CellEscape) {
    let out = std::io::stdout().lock();
    let escape = if out.is_terminal() {
        CellEscape::Terminal
    } else {
        CellEscape::None
    };
    (BufWriter::with_capacity(1 << 16, out), escape)
}

/// Writes the rows of a list as JSON Lines, or as CSV with these columns.
pub(crate) fn write_rows(
    list: &impl Serialize,
    columns: &[&str],
    format: OutputFormat,
    out: impl Write,
    escape: CellEscape,
) -> std::io::Result<()> {
    match format {
        OutputFormat::Jsonl => write_json_lines(list, out, &escape),
        _ => write_csv(list, columns, out, &escape),
    }
}

/// Prints a note, which is not part of the result, unless `--quiet` is given.
pub(crate) fn print_note(line: &str) {
    match standard_error() {
        StandardError::Text => write_line(&bound_message(escape_text(line))),
        StandardError::Json { quiet: false } => {
            tracing::info!(target: NOTE_TARGET, "{}", line.trim());
        }
        StandardError::Quiet | StandardError::Json { quiet: true } => {}
    }
}

/// Prints a question to the user, also with `--quiet`: the program waits for an answer.
pub(crate) fn print_question(line: &str) {
    match standard_error() {
        StandardError::Json { quiet: false } => print_note(line),
        _ => write_line(&bound_message(escape_text(line))),
    }
}

/// The number of lines of one kind that are printed; the others are counted.
pub(crate) const MAX_LINES: usize = 100;

/// Prints the first [`MAX_LINES`] notes of one kind, and counts the others.
pub(crate) fn print_notes(lines: impl IntoIterator<Item = String>) {
    let mut lines = lines.into_iter();
    for line in lines.by_ref().take(MAX_LINES) {
        print_note(&escape_line(&line));
    }
    let rest = lines.count() as u64;
    if rest > 0 {
        print_note(&format!("… and {} more", format_count(rest)));
    }
}

/// Notes that a name matched something with another name.
pub(crate) fn note_inexact_match(request_name: &str, match_name: &str) {
    let request = quote(request_name);
    let name = quote(match_name);
    print_note(&format!("no exact match for {request}; showing {name}"));
}

/// Prints the reason of a failure after which the program still reports a result.
pub(crate) fn print_failure(line: &str) {
    match standard_error() {
        StandardError::Json { .. } => tracing::error!(target: ERROR_TARGET, "{line}"),
        _ => write_line(&bound_message(escape_text(line))),
    }
}

/// Prints the error that ends the program, and the candidates to choose from, each on a line.
pub(crate) fn print_error(error: &str, candidates: &[String]) {
    let ending = if candidates.is_empty() { "" } else { ":" };
    let candidates = candidates.iter().map(|candidate| format!("  {candidate}"));
    let lines = std::iter::once(format!("{error}{ending}")).chain(candidates);
    if let StandardError::Json { .. } = standard_error() {
        let lines: Vec<String> = lines.collect();
        tracing::error!(target: ERROR_TARGET, "{}", lines.join("\n"));
    } else {
        let lines: Vec<String> = lines.map(|line| escape_line(&line)).collect();
        write_line(&bound_message(format!("error: {}", lines.join("\n"))));
    }
}

/// Writes a line to standard error, above the bar if there is one.
pub(crate) fn write_line(line: &str) {
    let label = LABELS.iter().find(|(label, _)| line.starts_with(label));
    // An error of standard error cannot be reported.
    above_bar(|| match label {
        Some((label, style)) if has_color(&std::io::stderr()) => {
            let rest = &line[label.len()..];
            drop(writeln!(anstream::stderr(), "{style}{label}{style:#}{rest}"));
        }
        _ => drop(writeln!(std::io::stderr(), "{line}")),
    });
}

/// True if a stream gets colours: by `--color`, `NO_COLOR` and whether it is a terminal.
fn has_color(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != anstream::ColorChoice::Never
}

/// Escapes characters that control a terminal or change the direction of text.
pub(crate) fn escape_text(text: &str) -> String {
    escape_matching(text, |c| c != '\n' && controls_terminal(c))
}

/// Escapes line breaks and the characters of [`escape_text`], for cells and lines with names.
pub(crate) fn escape_line(text: &str) -> String {
    escape_matching(text, controls_terminal)
}

/// Escapes the characters of [`escape_text`] in a line of JSON without a change of its value.
fn escape_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if controls_terminal(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Puts a name in quotes. Printable characters stay, so that it can be pasted into a command; a long
/// name is cut in the middle.
pub(crate) fn quote(name: &str) -> String {
    let escaped = escape_line(&bound_value(name)).replace('"', "\\\"");
    format!("\"{escaped}\"")
}

/// True for control characters and those that reverse, hide or break text; not for the two joiners,
/// which many languages use.
fn controls_terminal(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

fn escape_matching(text: &str, escape: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if escape(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// Formats a size: 900 bytes, 3.1 KiB.
pub(crate) fn format_size(bytes: u64) -> String {
    if bytes < 1024 {
        return format_plural(bytes, "byte");
    }
    let mut size = bytes as f64 / 1024.0;
    let mut unit = 0;
    while size >= 1023.95 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    format!("{size:.1} {}", UNITS[unit])
}

const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];

/// Formats bytes as hexadecimal digits.
pub(crate) fn format_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        // Writing to a string does not fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// Joins words with commas.
pub(crate) fn join_words(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let words: Vec<_> = words.into_iter().collect();
    let texts: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    texts.join(", ")
}

/// Joins words with commas; returns the fallback if there are none.
pub(crate) fn join_words_or(
    words: impl IntoIterator<Item = impl AsRef<str>>,
    fallback: &str,
) -> String {
    match join_words(words) {
        nothing if nothing.is_empty() => fallback.to_owned(),
        text => text,
    }
}

/// Returns the text, or a dash if there is none.
pub(crate) fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "–".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escape_text("Šárka 王\n"), "Šárka 王\n");
        assert_eq!(escape_text("a\u{1b}[2Jb\r\u{9b}"), "a\\u{1b}[2Jb\\u{d}\\u{9b}");
        assert_eq!(escape_text("\u{202e}evil"), "\\u{202e}evil");
        assert_eq!(escape_line("a\nb\u{2028}c"), "a\\u{a}b\\u{2028}c");
        assert_eq!(escape_line("نمی\u{200c}دانم"), "نمی\u{200c}دانم");
    }

    #[test]
    fn escaped_json_keeps_its_value() {
        let name = "Šárka\u{7f}\u{9b}2J\u{202e}\u{e0041}نمی\u{200c}دانم";
        let json = serde_json::to_string(name).unwrap();
        let escaped = escape_json(&json);
        assert_eq!(escaped, "\"Šárka\\u007f\\u009b2J\\u202e\\udb40\\udc41نمی\u{200c}دانم\"");
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), name);
    }

    #[test]
    fn quotes_keep_printable_names() {
        for name in [
            "हिन्दी",
            "e\u{301}",
            "नमस्ते",
            "Šárka",
            "نمی\u{200c}دانم",
            "a\\b",
        ] {
            assert_eq!(quote(name), format!("\"{name}\""));
        }
        assert_eq!(quote("Jo \"J\" B"), r#""Jo \"J\" B""#);
        assert_eq!(quote("a\u{1b}\nb\u{202e}"), r#""a\u{1b}\u{a}b\u{202e}""#);
    }

    #[test]
    fn right_to_left_names_are_isolated() {
        let line = |name: &str, terminal| {
            let name = isolate(escape_line(name), terminal);
            escape_line_with_names(&format!("1 in \"{name}\", {name} 2"), terminal)
        };
        for plain in ["", "Šárka", "王小明", "नमस्ते"] {
            assert_eq!(line(plain, true), format!("1 in \"{plain}\", {plain} 2"));
        }
        let name = "שרה לוי";
        assert_eq!(line(name, false), format!("1 in \"{name}\", {name} 2"));
        let alone = format!("\u{2068}{name}\u{2069}");
        assert_eq!(line(name, true), format!("1 in \"{alone}\", {alone} 2"));
        // Isolates in a name have no effect.
        let escaped = "\u{2068}א\\u{2069}\\u{2068}\u{2069}";
        assert_eq!(line("א\u{2069}\u{2068}", true), format!("1 in \"{escaped}\", {escaped} 2"));
        assert_eq!(escape_line_with_names("\u{2068}x\n", true), "\\u{2068}x\\u{a}");
        assert_eq!(escape_line_with_names("\u{2069}x", true), "\\u{2069}x");
        assert_eq!(
            escape_line_with_names("\u{2068}a\u{2068}b\u{2069}", true),
            "\u{2068}a\\u{2068}b\u{2069}"
        );
        assert_eq!(escape_line_with_names("\u{2068}א\u{2069}", false), "\\u{2068}א\\u{2069}");
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(format_size(1), "1 byte");
        assert_eq!(format_size(1023), "1,023 bytes");
        assert_eq!(format_size(1024), "1.0 KiB");
        assert_eq!(format_size(1_048_575), "1.0 MiB");
        assert_eq!(format_size(u64::MAX), "16777216.0 TiB");
        assert_eq!(format_hex(&[0, 0xab]), "00ab");
    }
}
