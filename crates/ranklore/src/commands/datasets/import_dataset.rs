//! `ranklore import` of a dataset.

use std::path::Path;

use anyhow::Context;
use ranklore_contest::SourceName;
use ranklore_ingest::{
    DatasetReport, Error, import_dataset, open_dataset, preview_dataset, rate_dataset,
};
use ranklore_publish::Dataset;
use ranklore_replay::{ENGINE_VERSION, Progress};
use ranklore_store::{Store, Writer};

use crate::commands::import_report::{
    NOTHING_IMPORTED, preview_exit, print_preview, print_report, report_exit,
};
use crate::exit::Exit;
use crate::json::{DryRun, OfSource, OneOrAll};
use crate::next_command::describe_empty_selection;
use crate::output::{format_plural, print_line, print_note};
use crate::progress::TerminalProgress;
use crate::{GlobalArgs, values};

/// Imports every source of a dataset, a single one under the name in `source` if there is one.
pub(in crate::commands) fn run(
    folder: &Path,
    source: Option<&SourceName>,
    global: &GlobalArgs,
) -> anyhow::Result<Exit> {
    let progress = TerminalProgress::new();
    let dataset = open_dataset(folder, source, &progress).context(NOTHING_IMPORTED)?;
    let mut store = Store::open_writer(global.db(), "ranklore import")?;
    let mut report = import_dataset(&mut store, &dataset, source, values::now, &progress)
        .context(NOTHING_IMPORTED)?;
    rate_runs(&mut store, &dataset, source, &mut report, &progress)?;
    let reports = report.sources;
    let rated_runs = report.runs.len() as u64;
    drop(store);
    progress.finish();
    let results = reports.iter().map(|(source, report)| OfSource { source, report });
    global.print_result(&OneOrAll::new(results.collect()), || {
        for (source, report) in &reports {
            print_report(report, source)?;
        }
        if rated_runs > 0 {
            let runs = format_plural(rated_runs, "run");
            print_note(&format!("computed {runs} of the dataset from these results"));
        }
        if let [(source, report), ..] = &reports[..]
            && report_exit(report) == Exit::Done
        {
            let view = if rated_runs > 0 {
                "leaderboard"
            } else {
                "rate"
            };
            global.suggest(&format!("ranklore {view} {source}"));
        }
        Ok(())
    })?;
    let exits = reports.iter().map(|(_, report)| report_exit(report));
    Ok(worst_exit(exits))
}

/// Prints what an import of a dataset would add; writes nothing.
pub(in crate::commands) fn dry_run(
    folder: &Path,
    source: Option<&SourceName>,
    global: &GlobalArgs,
) -> anyhow::Result<Exit> {
    let progress = TerminalProgress::new();
    let dataset = open_dataset(folder, source, &progress)?;
    let previews = preview_dataset(&dataset, source, &progress)?;
    progress.finish();
    let results = previews
        .iter()
        .map(|(source, preview)| DryRun::new(true, OfSource::new(source, preview)));
    global.print_result(&OneOrAll::new(results.collect()), || {
        for (source, preview) in &previews {
            print_line(&format!("{source}:"))?;
            print_preview(preview)?;
        }
        Ok(())
    })?;
    let exits = previews.iter().map(|(_, preview)| preview_exit(preview, &progress));
    Ok(worst_exit(exits))
}

/// Computes the runs of a dataset again, and names those without contests.
pub(super) fn rate_runs(
    store: &mut Writer,
    dataset: &Dataset,
    source: Option<&SourceName>,
    report: &mut DatasetReport,
    progress: &TerminalProgress,
) -> Result<(), Error> {
    let result = rate_dataset(store, dataset, source, report, values::now, progress);
    for empty in &report.without_contests {
        progress.note(&describe_empty_selection(empty));
    }
    for run in report.runs.iter().filter(|run| run.unsupported > 0) {
        progress.note(&format!(
            "run {} by {}: {} too large left out",
            run.run_id,
            run.system,
            format_plural(run.unsupported, "contest")
        ));
    }
    if let Some(engine) = &report.other_engine {
        progress.note(&format!(
            "the ratings in the dataset are of engine {engine}; engine {ENGINE_VERSION} computed \
             them again, and they may differ"
        ));
    }
    result
}

fn worst_exit(exits: impl Iterator<Item = Exit>) -> Exit {
    exits.max_by_key(|exit| *exit as u8).unwrap_or(Exit::Done)
}
