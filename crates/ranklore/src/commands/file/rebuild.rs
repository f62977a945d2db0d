//! `ranklore rebuild`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_ingest::{RebuildReport, RebuiltSource, rebuild};
use ranklore_replay::RateReport;
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::next_command::explain_empty;
use crate::output::{complain, counted, say, visible_line};
use crate::progress::Progress;
use crate::{Global, words};

/// Derive contests and ratings again from the archive, offline.
///
/// Every document is read again, oldest first, every decision (merge, split, rename, withdraw)
/// is carried out again, and every run is rated from the beginning: the outcome is what was
/// there, unless this version reads or rates better than the one that did it before. Nothing
/// is seen of it until it is complete.
#[derive(Debug, Args)]
pub(crate) struct Rebuild {
    /// Only these sources; all if none is named
    #[arg(value_name = "SOURCE", value_parser = words::source)]
    sources: Vec<SourceName>,
}

impl Rebuild {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        let progress = Progress::new();
        let mut store = global.open_writer("ranklore rebuild")?;
        let report = rebuild(&mut store, &self.sources, words::now, &progress)?;
        drop(store);
        progress.end();
        global.show(|| json_of(&report), || say_report(&report))?;
        let whole = (report.sources.iter())
            .all(|of| of.misfits.is_empty() && of.contests >= of.contests_before);
        Ok(Exit::InPart.unless(whole && report.emptied.is_empty()))
    }
}

fn say_report(report: &RebuildReport) -> std::io::Result<()> {
    if report.sources.is_empty() {
        return say("there is nothing to rebuild");
    }
    for of in &report.sources {
        let (source, refused) = (&of.source, of.report.refused.len() as u64);
        let (contests, results) = (
            counted(of.contests, "contest"),
            counted(of.results, "result"),
        );
        let documents = counted(of.report.documents, "document");
        let before = counted(of.contests_before, "contest");
        say(&format!(
            "{source}: {contests} with {results} from {documents}; there were {before}"
        ))?;
        if refused > 0 {
            complain(&format!(
                "{source}: refused {}, named above",
                counted(refused, "item")
            ));
        }
        for (row, why) in &of.misfits {
            let (id, act, subject) = (row.decision_id, row.decision.act(), row.decision.subject());
            complain(&visible_line(&format!(
                "{source}: decision {id} ({act} {subject:?}) no longer fits: {why}"
            )));
        }
    }
    for run in &report.runs {
        let contests = counted(run.contests, "contest");
        let results = counted(run.results, "result");
        say(&format!("run {}: {contests} with {results}", run.run_id))?;
    }
    for (run, empty) in &report.emptied {
        let why = explain_empty(empty);
        complain(&format!("run {run} has nothing to rate any more: {why}"));
    }
    Ok(())
}

fn json_of(report: &RebuildReport) -> Value {
    let source = |of: &RebuiltSource| {
        let misfits = of.misfits.iter();
        let misfits =
            misfits.map(|(row, why)| json!({"decision_id": row.decision_id.get(), "why": why}));
        json!({
            "source": of.source,
            "documents": of.report.documents,
            "contests": of.contests,
            "contests_before": of.contests_before,
            "results": of.results,
            "refused": of.report.refused,
            "misfits": misfits.collect::<Value>(),
        })
    };
    let run = |of: &RateReport| {
        json!({
            "run_id": of.run_id.get(),
            "contests": of.contests,
            "results": of.results,
        })
    };
    let emptied = (report.emptied.iter())
        .map(|(run_id, empty)| json!({"run_id": run_id, "why": explain_empty(empty)}));
    json!({
        "sources": report.sources.iter().map(source).collect::<Value>(),
        "runs": report.runs.iter().map(run).collect::<Value>(),
        "emptied": emptied.collect::<Value>(),
    })
}
