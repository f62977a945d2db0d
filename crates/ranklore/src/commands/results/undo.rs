//! `ranklore import --undo`

use anyhow::bail;
use ranklore_contest::SourceName;
use ranklore_ingest::{UndoReport, UndoRequest, undo_import};
use ranklore_store::Store;

use crate::commands::runs_report::{print_deleted_runs, print_misfits, print_runs};
use crate::exit::{Exit, WrongUsage};
use crate::json::OfSource;
use crate::output::{escape_line, format_plural, join_words, print_line, print_note};
use crate::progress::TerminalProgress;
use crate::{GlobalArgs, values};

/// Undoes the import of a document, or the last import. Without a source, the only one is meant.
pub(super) fn run(
    source: Option<SourceName>,
    document: Option<String>,
    global: &GlobalArgs,
) -> anyhow::Result<Exit> {
    let source = match source {
        Some(source) => source,
        None => only_source(&Store::open_reader(global.db())?)?,
    };
    let progress = TerminalProgress::new();
    let mut store = global.open_writer("ranklore import --undo")?;
    let request = UndoRequest { source, document };
    let report = undo_import(&mut store, &request, values::now, &progress)?;
    drop(store);
    progress.finish();
    let source = &request.source;
    global.print_result(&OfSource::new(source, &report), || print_report(&report, source))?;
    Ok(Exit::Partial.unless(report.misfits.is_empty()))
}

fn only_source(store: &Store) -> anyhow::Result<SourceName> {
    let sources = store.sources()?;
    if let [only] = &sources[..] {
        return Ok(SourceName::new(only.name.as_str())?);
    }
    let names = join_words(sources.iter().map(|row| &row.name));
    bail!(WrongUsage(if sources.is_empty() {
        "there is no import to undo: the database has no source".to_owned()
    } else {
        format!("name the source of the import with --source: {names}")
    }))
}

/// The documents that are listed; the others are counted.
const MAX_LISTED: usize = 5;

fn print_report(report: &UndoReport, source: &SourceName) -> std::io::Result<()> {
    if report.decisions > 0 {
        let contests = format_plural(report.decisions, "contest");
        print_line(&format!(
            "{source}: undid the last import, which withdrew or restored {contests}"
        ))?;
        print_misfits(source.as_str(), &report.misfits);
        return print_runs(&report.runs, &report.emptied);
    }
    let documents = &report.documents;
    let (first, rest) = documents.split_at(documents.len().min(MAX_LISTED));
    let mut names = join_words(first);
    if !rest.is_empty() {
        names = format!("{names} and {} more", rest.len());
    }
    print_line(&escape_line(&format!("{source}: undid the import of {names}")))?;
    let removed = format_plural(report.removed, "contest");
    let revised = format_plural(report.revised, "contest");
    print_line(&match (report.removed, report.revised) {
        (0, 0) => format!("{source}: no contest changed"),
        (_, 0) => format!("{source}: {removed} removed"),
        (0, _) => format!("{source}: {revised} as in earlier documents"),
        _ => format!("{source}: {removed} removed, {revised} as in earlier documents"),
    })?;
    if report.source_removed {
        print_note(&format!("no document of {source} is left: removed it"));
    }
    print_misfits(source.as_str(), &report.misfits);
    print_deleted_runs(&report.deleted_runs)?;
    print_runs(&report.runs, &report.emptied)
}
