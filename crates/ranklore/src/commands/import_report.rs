//! The reports of imports and of their dry runs.

use std::fmt::Display;

use ranklore_contest::SourceName;
use ranklore_ingest::{ContestCounts, DocumentLayout, DocumentWarning, ImportReport, Preview};
use ranklore_replay::Progress;

use crate::exit::Exit;
use crate::output::{
    TextTable, escape_line, format_plural, join_words, print_failure, print_line, print_note, quote,
};
use crate::progress::TerminalProgress;
use crate::values::contests_with_results;

/// The message of an interrupted import or sync.
pub(super) const INTERRUPTED: &str =
    "interrupted: the contests before are stored; run the same command again for the rest";

pub(super) fn report_exit(report: &ImportReport) -> Exit {
    if report.interrupted {
        Exit::Interrupted
    } else {
        Exit::Partial.unless(report.refused.is_empty())
    }
}

pub(super) fn print_report(report: &ImportReport, source: &SourceName) -> std::io::Result<()> {
    for layout in report.layouts.iter().take(5) {
        for line in format_layout(layout) {
            print_note(&escape_line(&line));
        }
    }
    print_warnings(&report.warnings, report.total_warnings);
    let removed = describe_removed(report);
    print_limited(&removed, removed.len() as u64, "documents", print_note);
    if report.passed_over > 0 {
        let files = format_plural(report.passed_over, "file");
        print_note(&format!("skipped {files} without results"));
    }
    let contests = contests_with_results(report.contests.total(), report.results);
    let documents = format_plural(report.documents, "document");
    let starts = match report.starting_ratings {
        0 => String::new(),
        count => format!(", {}", format_plural(count, "starting rating")),
    };
    let changes = changes_in_words(&report.contests);
    print_line(&format!("{source}: {contests} from {documents}: {changes}{starts}"))?;
    if let Some(similar) = &report.similar_source {
        print_note(&format!(
            "warning: {source} is a new source, and there is {similar}; if that was meant, take this \
             import back with `ranklore import --undo --source {source}`"
        ));
    }
    if report.interrupted {
        print_note(match report.contests.total() {
            0 => "interrupted before the first contest; run the same command again",
            _ => INTERRUPTED,
        });
    }
    if !report.refused.is_empty() {
        let items = format_plural(report.total_refused, "item");
        let mention = describe_mention(report.refused.len(), report.total_refused);
        print_note(&format!("refused {items}, {mention}; correct them and import again"));
    }
    Ok(())
}

/// Returns in words that the refused items are named in the lines before, or only the first.
pub(super) fn describe_mention(printed: usize, total: u64) -> String {
    if printed as u64 == total {
        "named above".to_owned()
    } else {
        format!("the first {printed} of them named above")
    }
}

/// Returns a line for each document with contests that are no longer in it, or in it again.
fn describe_removed(report: &ImportReport) -> Vec<String> {
    let absence = ("of an earlier version of", "no longer in it");
    let presence = ("withdrawn before from", "in it again");
    let advice = "--replace includes it in ratings again";
    let mut lines = Vec::new();
    for (contests, (origin, place), consequence) in [
        (&report.removed, absence, "--replace withdraws what is gone"),
        (&report.withdrawn, absence, "withdrawn"),
        (&report.returned, presence, advice),
        (&report.restored, presence, "included in ratings again"),
    ] {
        for group in contests.chunk_by(|a, b| a.document == b.document) {
            let number = group.len();
            let document = &group[0].document;
            let verb = if number == 1 { "is" } else { "are" };
            let first = group.iter().take(MAX_NAMES);
            let names = join_words(first.map(|contest| quote(&contest.name)));
            let rest = match number.saturating_sub(MAX_NAMES) {
                0 => String::new(),
                rest => format!(" and {rest} more"),
            };
            let contests = format_plural(number as u64, "contest");
            lines.push(format!(
                "{contests} {origin} {document} {verb} {place}: {names}{rest}; {consequence}"
            ));
        }
    }
    lines
}

/// The contests of a document that are named in a line.
const MAX_NAMES: usize = 5;

/// Returns `1 new, 2 revised, 3 unchanged`.
pub(super) fn changes_in_words(contests: &ContestCounts) -> String {
    let ContestCounts {
        added,
        revised,
        unchanged,
    } = contests;
    format!("{added} new, {revised} revised, {unchanged} unchanged")
}

pub(super) fn preview_exit(preview: &Preview, progress: &TerminalProgress) -> Exit {
    if progress.is_interrupted() {
        Exit::Interrupted
    } else {
        Exit::Partial.unless(preview.refused.is_empty())
    }
}

pub(super) fn print_preview(preview: &Preview) -> std::io::Result<()> {
    for layout in &preview.layouts {
        for line in format_layout(layout) {
            print_line(&escape_line(&line))?;
        }
    }
    print_warnings(&preview.warnings, preview.total_warnings);
    let contests = &preview.contests;
    TextTable::new(&contests[..contests.len().min(MAX_LINES)])
        .left("date", |contest| contest.ends_at.to_string())
        .left("contest", |contest| {
            join_words([&contest.name].into_iter().chain(&contest.division))
        })
        .right("entrants", |contest| contest.entrants.to_string())
        .left("document", |contest| contest.document.clone())
        .print()?;
    if contests.len() > MAX_LINES {
        print_line(&format!("… and {} more", contests.len() - MAX_LINES))?;
    }
    print_limited(&preview.refused, preview.total_refused, "refused", print_failure);
    let contests = contests_with_results(contests.len() as u64, preview.results);
    let refused = preview.total_refused;
    print_line(&format!("dry run, nothing written: {contests}, {refused} refused"))
}

/// The context of an error that stops an import before its first contest.
pub(super) const NOTHING_IMPORTED: &str = "nothing was imported";

/// The number of contests, refusals and warnings that are listed; the others are counted.
const MAX_LINES: usize = 40;

/// The number of characters of a heading that are shown.
const MAX_HEADING: usize = 80;

fn print_warnings(warnings: &[DocumentWarning], total: u64) {
    let warnings = warnings.iter();
    let lines = warnings.map(|warning| format!("{}: {}", warning.document, warning.what));
    print_limited(&lines.collect::<Vec<_>>(), total, "warnings", print_note);
}

/// Prints the first [`MAX_LINES`] lines, and the number of the others of this total.
fn print_limited(lines: &[impl Display], total: u64, noun: &str, print: impl Fn(&str)) {
    for line in lines.iter().take(MAX_LINES) {
        print(&escape_line(&line.to_string()));
    }
    let printed = lines.len().min(MAX_LINES) as u64;
    if total > printed {
        print(&format!("… and {} more {noun}", total - printed));
    }
}

fn format_layout(DocumentLayout { document, layout }: &DocumentLayout) -> Vec<String> {
    let columns = layout.columns.iter().take(MAX_LINES).map(|column| {
        let heading: String = column.heading.chars().take(MAX_HEADING).collect();
        let meaning = column.meaning.unwrap_or("not read");
        format!("{} {} is {meaning}", column.letters, quote(&heading))
    });
    let rest = layout.columns.len().saturating_sub(MAX_LINES);
    let rest = (rest > 0).then(|| format!("and {rest} more"));
    let header = layout.header_line;
    let headings = header.map_or_else(String::new, |line| format!(", headings in line {line}"));
    let shape = layout.shape.as_str();
    let columns = join_words(columns.chain(rest));
    let table = format!("{document}: {shape} table{headings}: {columns}");
    let notes = layout.notes.iter().map(|note| format!("  {note}"));
    std::iter::once(table).chain(notes).collect()
}
