//! `ranklore mine --probe`

use ranklore_contest::SourceName;
use ranklore_ingest::{MineRequest, ProbeReport, ProbedDocument, Source, probe};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::output::{counted, list, say, say_failure, visible_line};
use crate::progress::Progress;
use crate::{Global, words};

pub(super) fn probe_site(
    site: &dyn Source,
    request: &MineRequest,
    source: &SourceName,
    global: &Global,
) -> anyhow::Result<Exit> {
    let store = global.open_reader_if_any()?;
    let progress = Progress::new();
    let report = probe(store.as_ref(), site, request, words::now(), &progress)?;
    progress.end();
    global.show(
        || probe_json(&report, source),
        || say_probe(&report, source),
    )?;
    let stopped = Exit::of_stopped(report.interrupted, report.stopped.as_ref());
    Ok(stopped.unwrap_or(Exit::Failed.unless(report.unknown.is_none())))
}

fn say_probe(report: &ProbeReport, source: &SourceName) -> std::io::Result<()> {
    for document in &report.documents {
        say(&visible_line(&format!(
            "{} ({}): {}",
            document.what,
            document.request_key,
            understood(document)
        )))?;
    }
    say(&format!(
        "{source}: {}; {} listed, {} with {}; nothing was stored",
        counted(u64::from(report.requests), "request"),
        counted(report.total(|of| of.listed) as u64, "contest"),
        counted(report.total(|of| of.contests) as u64, "contest"),
        counted(report.total(|of| of.results) as u64, "result"),
    ))?;
    if let Some(unknown) = &report.unknown {
        let why = format!(
            "the layout of {source} is unknown: {}: {}",
            unknown.document, unknown.what
        );
        say_failure(&visible_line(&why));
    }
    if let Some(stopped) = &report.stopped {
        say_failure(&visible_line(&stopped.why));
    }
    Ok(())
}

/// Returns what a document contains, or that it contains nothing.
fn understood(document: &ProbedDocument) -> String {
    let parts = [
        (document.listed, "contest", " listed"),
        (document.described, "contest", " described"),
        (document.leads_to, "document", " to request"),
        (document.contests, "contest", " with standings"),
        (document.results, "result", ""),
    ];
    let there = parts.into_iter().filter(|(number, ..)| *number > 0);
    let there = there.map(|(number, what, how)| counted(number as u64, what) + how);
    match list(there) {
        nothing if nothing.is_empty() => "read, and there is nothing in it yet".to_owned(),
        there => there,
    }
}

fn probe_json(report: &ProbeReport, source: &SourceName) -> Value {
    json!({
        "probe": true,
        "source": source.as_str(),
        "requests": report.requests,
        "documents": report.documents,
        "listed": report.total(|of| of.listed),
        "contests": report.total(|of| of.contests),
        "results": report.total(|of| of.results),
        "unknown": report.unknown.as_ref().map(|of| json!({
            "document": of.document,
            "why": of.what,
        })),
        "stopped": report.stopped,
        "interrupted": report.interrupted,
    })
}
