//! The reports of imports and of their dry runs.

use std::fmt::Display;

use ranklore_contest::SourceName;
use ranklore_ingest::{ContestCounts, DocumentLayout, DocumentWarning, ImportReport, Preview};
use ranklore_replay::Progress;

use crate::exit::Exit;
use crate::output::{Table, complain, counted, in_quotes, list, say, visible_line};
use crate::progress::TerminalProgress;
use crate::words::contests_with_results;

/// The message of an interrupted import or sync.
pub(super) const INTERRUPTED: &str =
    "interrupted: the contests before are stored; run the same command again for the rest";

pub(super) fn exit_of(report: &ImportReport) -> Exit {
    if report.interrupted {
        Exit::Interrupted
    } else {
        Exit::InPart.unless(report.refused.is_empty())
    }
}

pub(super) fn say_report(report: &ImportReport, source: &SourceName) -> std::io::Result<()> {
    for layout in report.layouts.iter().take(5) {
        for line in layout_lines(layout) {
            complain(&visible_line(&line));
        }
    }
    complain_warnings(&report.warnings);
    if report.passed_over > 0 {
        let files = counted(report.passed_over, "file");
        complain(&format!("skipped {files} of unknown type"));
    }
    let contests = contests_with_results(report.contests.total(), report.results);
    let documents = counted(report.documents, "document");
    let starts = match report.starting_ratings {
        0 => String::new(),
        news => format!(", {}", counted(news, "starting rating")),
    };
    let changes = changes_in_words(&report.contests);
    say(&format!(
        "{source}: {contests} from {documents}: {changes}{starts}"
    ))?;
    if report.interrupted {
        complain(INTERRUPTED);
    }
    if !report.refused.is_empty() {
        let items = counted(report.refused.len() as u64, "item");
        complain(&format!(
            "refused {items}, named above; correct them and import again"
        ));
    }
    Ok(())
}

/// Returns `1 new, 2 revised, 3 unchanged`.
pub(super) fn changes_in_words(contests: &ContestCounts) -> String {
    let ContestCounts {
        added,
        revised,
        unchanged,
    } = contests;
    format!("{added} new, {revised} revised, {unchanged} unchanged")
}

pub(super) fn exit_of_preview(preview: &Preview, progress: &TerminalProgress) -> Exit {
    if progress.is_interrupted() {
        Exit::Interrupted
    } else {
        Exit::InPart.unless(preview.refused.is_empty())
    }
}

pub(super) fn say_preview(preview: &Preview) -> std::io::Result<()> {
    for layout in &preview.layouts {
        for line in layout_lines(layout) {
            say(&visible_line(&line))?;
        }
    }
    complain_warnings(&preview.warnings);
    let contests = &preview.contests;
    Table::new(&contests[..contests.len().min(SHOWN)])
        .left("date", |of| of.ends_at.to_string())
        .left("contest", |of| of.name.clone())
        .right("entrants", |of| of.entrants.to_string())
        .left("document", |of| of.document.clone())
        .say()?;
    if contests.len() > SHOWN {
        say(&format!("… and {} more", contests.len() - SHOWN))?;
    }
    complain_some(&preview.refused, "refused");
    let contests = contests_with_results(contests.len() as u64, preview.results);
    let refused = preview.refused.len();
    say(&format!(
        "dry run, nothing written: {contests}, {refused} refused"
    ))
}

/// The context of an error that stops an import before its first contest.
pub(super) const NOTHING: &str = "nothing was imported";

/// The number of contests, refusals and warnings that are listed; the others are counted.
const SHOWN: usize = 40;

fn complain_warnings(warnings: &[DocumentWarning]) {
    let lines = warnings
        .iter()
        .map(|of| format!("{}: {}", of.document, of.what));
    complain_some(&lines.collect::<Vec<_>>(), "warnings");
}

/// Prints the first [`SHOWN`] lines, and the number of the others.
fn complain_some(lines: &[impl Display], what: &str) {
    for line in lines.iter().take(SHOWN) {
        complain(&visible_line(&line.to_string()));
    }
    if lines.len() > SHOWN {
        complain(&format!("… and {} more {what}", lines.len() - SHOWN));
    }
}

fn layout_lines(DocumentLayout { document, layout }: &DocumentLayout) -> Vec<String> {
    let columns = layout.columns.iter().map(|column| {
        let heading = in_quotes(&column.heading);
        let meaning = column.meaning.unwrap_or("not read");
        format!("{} {heading} is {meaning}", column.letters)
    });
    let (shape, line, columns) = (layout.shape.as_str(), layout.header_line, list(columns));
    let table = format!("{document}: {shape} table, headings in line {line}: {columns}");
    let notes = layout.notes.iter().map(|note| format!("  {note}"));
    std::iter::once(table).chain(notes).collect()
}
