//! `ranklore rebuild`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_ingest::{RebuildReport, rebuild};
use serde_json::Value;

use crate::commands::import_report::describe_mention;
use crate::commands::runs_report::{describe_emptied_run, print_misfits, print_runs};
use crate::exit::Exit;
use crate::output::{format_plural, print_line, print_note};
use crate::progress::TerminalProgress;
use crate::{GlobalArgs, values};

/// Rebuild contests and ratings from the archive, offline
///
/// Parses every archived document again, oldest first, applies every decision (merge, split, rename,
/// withdraw) again, and computes every run from the start. The database is the same afterwards,
/// unless this version parses or rates differently from the one that wrote it. Readers see the old
/// state until the rebuild is complete.
#[derive(Debug, Args)]
pub(crate) struct RebuildArgs {
    /// Sources to rebuild [default: all]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    sources: Vec<SourceName>,
}

impl RebuildArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let progress = TerminalProgress::new();
        let mut store = global.open_writer("ranklore rebuild")?;
        let report = rebuild(&mut store, &self.sources, values::now, &progress)?;
        drop(store);
        progress.finish();
        global.print_result(&with_commands(&report)?, || print_report(&report))?;
        let mut sources = report.sources.iter();
        let is_complete =
            sources.all(|row| row.misfits.is_empty() && row.contests >= row.contests_before);
        Ok(Exit::Partial.unless(is_complete && report.emptied.is_empty()))
    }
}

/// Adds to each run without ratings the command that helps, if there is one.
fn with_commands(report: &RebuildReport) -> serde_json::Result<Value> {
    let mut json = serde_json::to_value(report)?;
    for (index, run) in report.emptied.iter().enumerate() {
        json["emptied"][index]["why"] = describe_emptied_run(run).into();
    }
    Ok(json)
}

fn print_report(report: &RebuildReport) -> std::io::Result<()> {
    if report.sources.is_empty() {
        return print_line("nothing to rebuild");
    }
    for row in &report.sources {
        let source = &row.source;
        let contests = values::contests_with_results(row.contests, row.results);
        let documents = format_plural(row.documents, "document");
        let before = format_plural(row.contests_before, "contest");
        print_line(&format!("{source}: {contests} from {documents}; {before} before"))?;
        if row.total_refused > 0 {
            let items = format_plural(row.total_refused, "item");
            let mention = describe_mention(row.refused.len(), row.total_refused);
            print_note(&format!("{source}: refused {items}, {mention}"));
        }
        print_misfits(source, &row.misfits);
    }
    print_runs(&report.runs, &report.emptied)
}
