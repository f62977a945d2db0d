//! `ranklore rebuild`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_ingest::{EmptiedRun, MisfitDecision, RebuildReport, rebuild};

use crate::exit::Exit;
use crate::next_command::explain_empty;
use crate::output::{complain, counted, say, visible_line};
use crate::progress::TerminalProgress;
use crate::{Global, words};

/// Rebuild contests and ratings from the archive, offline
///
/// Parses every archived document again, oldest first, applies every decision (merge, split, rename,
/// withdraw) again, and computes every run from the start. The database is the same afterwards,
/// unless this version parses or rates differently from the one that wrote it. Readers see the old
/// state until the rebuild is complete.
#[derive(Debug, Args)]
pub(crate) struct Rebuild {
    /// Sources to rebuild [default: all]
    #[arg(value_name = "SOURCE", value_parser = words::source)]
    sources: Vec<SourceName>,
}

impl Rebuild {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        let progress = TerminalProgress::new();
        let mut store = global.open_writer("ranklore rebuild")?;
        let report = rebuild(&mut store, &self.sources, words::now, &progress)?;
        drop(store);
        progress.end();
        global.show(&report, || say_report(&report))?;
        let whole = (report.sources.iter())
            .all(|of| of.misfits.is_empty() && of.contests >= of.contests_before);
        Ok(Exit::InPart.unless(whole && report.emptied.is_empty()))
    }
}

fn say_report(report: &RebuildReport) -> std::io::Result<()> {
    if report.sources.is_empty() {
        return say("nothing to rebuild");
    }
    for of in &report.sources {
        let (source, refused) = (&of.source, of.refused.len() as u64);
        let contests = words::contests_with_results(of.contests, of.results);
        let documents = counted(of.documents, "document");
        let before = counted(of.contests_before, "contest");
        say(&format!(
            "{source}: {contests} from {documents}; {before} before"
        ))?;
        if refused > 0 {
            complain(&format!(
                "{source}: refused {}, named above",
                counted(refused, "item")
            ));
        }
        for MisfitDecision { decision: row, why } in &of.misfits {
            let (id, decision) = (row.decision_id, &row.decision);
            let (act, subject) = (decision.action(), decision.subject());
            complain(&visible_line(&format!(
                "{source}: cannot apply decision {id} ({act} {subject:?}): {why}"
            )));
        }
    }
    for run in &report.runs {
        let contests = words::contests_with_results(run.contests, run.results);
        say(&format!("run {}: {contests}", run.run_id))?;
    }
    for EmptiedRun { run_id, selection } in &report.emptied {
        let why = explain_empty(selection);
        complain(&format!("run {run_id} has no contests left: {why}"));
    }
    Ok(())
}
