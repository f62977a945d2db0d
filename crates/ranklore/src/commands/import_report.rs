//! The reports of imports and of their dry runs.

use std::fmt::Display;

use ranklore_contest::SourceName;
use ranklore_formats::{RecognisedColumn, TableLayout};
use ranklore_ingest::{
    ContestCounts, DocumentLayout, DocumentWarning, ImportReport, Preview, PreviewedContest,
};
use ranklore_replay::Progress;
use ranklore_views::Columns;

use crate::exit::Exit;
use crate::output::{
    escape_line, format_plural, join_words, print_failure, print_line, print_note, print_table,
    quote,
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
    for (layout, documents) in group_alike(&report.layouts).into_iter().take(5) {
        for line in
            std::iter::once(format_layout(&layout.layout, &documents)).chain(format_notes(layout))
        {
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
    for (layout, documents) in group_alike(&preview.layouts) {
        print_line(&escape_line(&describe_table(&layout.layout, &documents)))?;
        print_columns(&layout.layout)?;
        for line in format_notes(layout) {
            print_line(&escape_line(&line))?;
        }
    }
    print_warnings(&preview.warnings, preview.total_warnings);
    let contests = &preview.contests;
    let columns = Columns::new()
        .left("date", |contest: &PreviewedContest| contest.ends_at.to_string())
        .left("contest", |contest| {
            join_words([&contest.name].into_iter().chain(&contest.division))
        })
        .right("entrants", |contest| contest.entrants.to_string())
        .left("document", |contest| contest.document.clone());
    if !contests.is_empty() {
        print_table(columns, &contests[..contests.len().min(MAX_LINES)])?;
    }
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

/// Returns the different layouts, each with the names of its documents.
fn group_alike(layouts: &[DocumentLayout]) -> Vec<(&DocumentLayout, String)> {
    let mut groups: Vec<(&DocumentLayout, usize)> = Vec::new();
    for layout in layouts {
        match groups.iter_mut().find(|(first, _)| first.layout == layout.layout) {
            Some((_, count)) => *count += 1,
            None => groups.push((layout, 1)),
        }
    }
    let named = groups.into_iter().map(|(first, count)| {
        let documents = match count {
            1 => first.document.clone(),
            _ => format!("{} and {} more like it", first.document, count - 1),
        };
        (first, documents)
    });
    named.collect()
}

/// Returns the shape of a table and the line of its headings.
fn describe_table(layout: &TableLayout, documents: &str) -> String {
    let header = layout.header_line;
    let headings = header.map_or_else(String::new, |line| format!(", headings in line {line}"));
    format!("{documents}: {} table{headings}", layout.shape.as_str())
}

fn format_layout(layout: &TableLayout, documents: &str) -> String {
    let columns = layout.columns.iter().take(MAX_LINES).map(|column| {
        let meaning = column.meaning.unwrap_or("not read");
        format!("{} {} is {meaning}", column.letters, quote(&shown_heading(column)))
    });
    let rest = layout.columns.len().saturating_sub(MAX_LINES);
    let rest = (rest > 0).then(|| format!("and {rest} more"));
    format!("{}: {}", describe_table(layout, documents), join_words(columns.chain(rest)))
}

fn format_notes(layout: &DocumentLayout) -> impl Iterator<Item = String> {
    layout.layout.notes.iter().map(|note| format!("  {note}"))
}

/// Prints what each heading proposes, what the cells and other columns show, and the decision.
fn print_columns(layout: &TableLayout) -> std::io::Result<()> {
    let columns = &layout.columns;
    let table_columns = Columns::new()
        .left("column", |column: &RecognisedColumn| column.letters.clone())
        .left("heading", shown_heading)
        .left("proposed", |column| column.proposal.clone())
        .left("read as", |column| column.meaning.unwrap_or("not read"))
        .important()
        .left("evidence", |column| column.evidence.clone());
    print_table(table_columns, &columns[..columns.len().min(MAX_LINES)])?;
    if columns.len() > MAX_LINES {
        print_line(&format!("… and {} more", columns.len() - MAX_LINES))?;
    }
    Ok(())
}

/// Returns the beginning of a heading.
fn shown_heading(column: &RecognisedColumn) -> String {
    column.heading.chars().take(MAX_HEADING).collect()
}
