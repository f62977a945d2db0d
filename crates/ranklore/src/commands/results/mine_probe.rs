//! `ranklore mine --probe`

use ranklore_contest::SourceName;
use ranklore_ingest::{MineRequest, ProbeReport, ProbedDocument, Source, probe};
use serde::Serialize;

use crate::exit::Exit;
use crate::json::OfSource;
use crate::output::{escape_line, format_plural, join_words_or, print_failure, print_line};
use crate::progress::TerminalProgress;
use crate::{GlobalArgs, values};

pub(super) fn probe_site(
    site: &dyn Source,
    request: &MineRequest,
    source: &SourceName,
    global: &GlobalArgs,
) -> anyhow::Result<Exit> {
    let store = global.open_reader_if_any()?;
    let progress = TerminalProgress::new();
    let report = probe(store.as_ref(), site, request, values::now(), &progress)?;
    progress.finish();
    let result = Probe {
        probe: true,
        report: OfSource::new(source, &report),
    };
    global.print_result(&result, || print_probe(&report, source))?;
    let stopped = Exit::from_stopped(report.interrupted, report.stopped.as_ref());
    Ok(stopped.unwrap_or(Exit::Failed.unless(report.unknown.is_none())))
}

/// The report of a probe, marked as one.
#[derive(Serialize)]
struct Probe<'a> {
    /// Always true.
    probe: bool,
    /// The report of the probe.
    #[serde(flatten)]
    report: OfSource<'a, &'a ProbeReport>,
}

fn print_probe(report: &ProbeReport, source: &SourceName) -> std::io::Result<()> {
    for document in &report.documents {
        print_line(&escape_line(&format!(
            "{} ({}): {}",
            document.what,
            document.request_key,
            describe_contents(document)
        )))?;
    }
    print_line(&format!(
        "{source}: {}; {} listed, {} with {}; nothing was stored",
        format_plural(u64::from(report.requests), "request"),
        format_plural(report.totals.listed as u64, "contest"),
        format_plural(report.totals.contests as u64, "contest"),
        format_plural(report.totals.results as u64, "result"),
    ))?;
    if let Some(unknown) = &report.unknown {
        let text =
            format!("the layout of {source} is unknown: {}: {}", unknown.document, unknown.why);
        print_failure(&escape_line(&text));
    }
    if let Some(stopped) = &report.stopped {
        print_failure(&escape_line(&stopped.why));
    }
    Ok(())
}

/// Returns what a document contains, or that it contains nothing.
fn describe_contents(document: &ProbedDocument) -> String {
    let parts = [
        (document.listed, "contest", " listed"),
        (document.described, "contest", " described"),
        (document.leads_to, "document", " to request"),
        (document.contests, "contest", " with standings"),
        (document.results, "result", ""),
    ];
    let contents = parts
        .into_iter()
        .filter(|(number, ..)| *number > 0)
        .map(|(number, noun, role)| format_plural(number as u64, noun) + role);
    join_words_or(contents, "no content yet")
}
