//! What imports say: what came in, what would, what was refused.

use ranklore_contest::{Layout, SourceName};
use ranklore_ingest::{ImportReport, Preview};
use ranklore_replay::Watch;
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::output::{Align, Column, complain, counted, in_quotes, say, say_table, visible_line};
use crate::progress::Progress;

pub(super) fn exit_of(report: &ImportReport) -> Exit {
    if report.interrupted {
        Exit::Interrupted
    } else if report.refused.is_empty() {
        Exit::Done
    } else {
        Exit::InPart
    }
}

pub(super) fn say_report(report: &ImportReport, source: &SourceName) -> std::io::Result<()> {
    for (document, layout) in report.layouts.iter().take(5) {
        for line in layout_lines(document, layout) {
            complain(&visible_line(&line));
        }
    }
    complain_warnings(&report.warnings);
    if report.passed_over > 0 {
        complain(&format!(
            "passed over {} of no kind known here",
            counted(report.passed_over, "file")
        ));
    }
    let contests = report.added + report.revised + report.unchanged;
    let starts = match report.starting_ratings {
        0 => String::new(),
        news => format!(", {}", counted(news, "starting rating")),
    };
    say(&format!(
        "{source}: {} with {} from {}: {} new, {} revised, {} unchanged{starts}",
        counted(contests, "contest"),
        counted(report.results, "result"),
        counted(report.documents, "document"),
        report.added,
        report.revised,
        report.unchanged,
    ))?;
    if report.interrupted {
        complain("interrupted: what came before is in; run the same command again for the rest");
    }
    if !report.refused.is_empty() {
        complain(&format!(
            "refused {}, named above; correct and import again",
            counted(report.refused.len() as u64, "item")
        ));
    }
    Ok(())
}

pub(super) fn exit_of_preview(preview: &Preview, progress: &Progress) -> Exit {
    if progress.interrupted() {
        Exit::Interrupted
    } else if preview.refused.is_empty() {
        Exit::Done
    } else {
        Exit::InPart
    }
}

fn results_of(preview: &Preview) -> usize {
    let contests = preview.contests.iter();
    contests.map(|contest| contest.entrants).sum()
}

pub(super) fn preview_json(preview: &Preview) -> Value {
    let contests: Vec<Value> = preview
        .contests
        .iter()
        .map(|contest| {
            json!({
                "document": contest.document,
                "external_id": contest.external_id,
                "name": contest.name,
                "ends_at": contest.ends_at.get(),
                "entrants": contest.entrants,
            })
        })
        .collect();
    json!({
        "dry_run": true,
        "contests": contests,
        "results": results_of(preview),
        "starting_ratings": preview.starting_ratings,
        "refused": preview.refused,
        "layouts": layouts_json(&preview.layouts),
        "warnings": warnings_json(&preview.warnings),
        "passed_over": preview.passed_over,
    })
}

pub(super) fn say_preview(preview: &Preview) -> std::io::Result<()> {
    for (document, layout) in &preview.layouts {
        for line in layout_lines(document, layout) {
            say(&visible_line(&line))?;
        }
    }
    complain_warnings(&preview.warnings);
    let columns = [
        Column("date", Align::Left),
        Column("contest", Align::Left),
        Column("entrants", Align::Right),
        Column("document", Align::Left),
    ];
    let rows = preview.contests.iter().take(SHOWN).map(|contest| {
        vec![
            contest.ends_at.to_string(),
            contest.name.clone(),
            contest.entrants.to_string(),
            contest.document.clone(),
        ]
    });
    say_table(&columns, rows.collect())?;
    if preview.contests.len() > SHOWN {
        say(&format!("… and {} more", preview.contests.len() - SHOWN))?;
    }
    for refused in preview.refused.iter().take(SHOWN) {
        let line = format!("{}: {}", refused.document, refused.what);
        complain(&visible_line(&line));
    }
    if preview.refused.len() > SHOWN {
        complain(&format!(
            "… and {} more refused",
            preview.refused.len() - SHOWN
        ));
    }
    say(&format!(
        "dry run, nothing written: {} with {}, {} refused",
        counted(preview.contests.len() as u64, "contest"),
        counted(results_of(preview) as u64, "result"),
        preview.refused.len(),
    ))
}

/// What an import that fails as a whole leaves behind.
pub(super) const NOTHING: &str = "nothing was imported";

/// Contests and refusals listed by a dry run, and warnings; the others are counted.
const SHOWN: usize = 40;

fn complain_warnings(warnings: &[(String, String)]) {
    for (document, what) in warnings.iter().take(SHOWN) {
        complain(&visible_line(&format!("{document}: {what}")));
    }
    if warnings.len() > SHOWN {
        complain(&format!("… and {} more warnings", warnings.len() - SHOWN));
    }
}

fn layout_lines(document: &str, layout: &Layout) -> Vec<String> {
    let columns: Vec<String> = layout
        .columns
        .iter()
        .map(|column| {
            format!(
                "{} {} is {}",
                column.letters,
                in_quotes(&column.heading),
                column.meaning.unwrap_or("not read")
            )
        })
        .collect();
    let mut lines = vec![format!(
        "{document}: {} table, headings in line {}: {}",
        layout.shape.as_str(),
        layout.header_line,
        columns.join(", ")
    )];
    lines.extend(layout.notes.iter().map(|note| format!("  {note}")));
    lines
}

pub(crate) fn report_json(report: &ImportReport, source: &SourceName) -> Value {
    json!({
        "source": source.as_str(),
        "documents": report.documents,
        "contests": {
            "added": report.added,
            "revised": report.revised,
            "unchanged": report.unchanged,
        },
        "results": report.results,
        "starting_ratings": report.starting_ratings,
        "refused": report.refused,
        "layouts": layouts_json(&report.layouts),
        "warnings": warnings_json(&report.warnings),
        "passed_over": report.passed_over,
        "interrupted": report.interrupted,
    })
}

fn warnings_json(warnings: &[(String, String)]) -> Vec<Value> {
    warnings
        .iter()
        .map(|(document, what)| json!({"document": document, "what": what}))
        .collect()
}

fn layouts_json(layouts: &[(String, Layout)]) -> Vec<Value> {
    layouts
        .iter()
        .map(|(document, layout)| {
            let columns: Vec<Value> = layout
                .columns
                .iter()
                .map(|column| {
                    json!({
                        "letters": column.letters,
                        "heading": column.heading,
                        "meaning": column.meaning,
                    })
                })
                .collect();
            json!({
                "document": document,
                "shape": layout.shape.as_str(),
                "header_line": layout.header_line,
                "columns": columns,
                "notes": layout.notes,
            })
        })
        .collect()
}
