//! `ranklore import` of a dataset.

use std::path::Path;

use anyhow::Context;
use ranklore_contest::SourceName;
use ranklore_ingest::{
    DatasetReport, Error, import_dataset, open_dataset, preview_dataset, rate_dataset,
};
use ranklore_publish::Dataset;
use ranklore_replay::Progress;
use ranklore_store::{Store, Writer};

use crate::commands::imported::{NOTHING, exit_of, exit_of_preview, say_preview, say_report};
use crate::exit::Exit;
use crate::json::{DryRun, OfSource, OneOrAll};
use crate::next_command::explain_empty;
use crate::output::{complain, counted, say};
use crate::progress::TerminalProgress;
use crate::{Global, words};

/// Imports every source of a dataset, a single one under the name in `source` if there is one.
pub(in crate::commands) fn run(
    folder: &Path,
    source: Option<&SourceName>,
    global: &Global,
) -> anyhow::Result<Exit> {
    let progress = TerminalProgress::new();
    let dataset = open_dataset(folder, source, &progress).context(NOTHING)?;
    let mut store = Store::open_writer(global.db(), "ranklore import")?;
    let mut report =
        import_dataset(&mut store, &dataset, source, words::now, &progress).context(NOTHING)?;
    rate_and_note(&mut store, &dataset, source, &mut report, &progress)?;
    let (reports, rated) = (report.sources, report.runs);
    drop(store);
    progress.end();
    let results = reports
        .iter()
        .map(|(source, report)| OfSource { source, report });
    let result = OneOrAll::new(results.collect());
    let text = || {
        for (source, report) in &reports {
            say_report(report, source)?;
        }
        if rated > 0 {
            let runs = counted(rated, "run");
            complain(&format!(
                "computed {runs} of the dataset from these results"
            ));
        }
        if let [(source, report), ..] = &reports[..]
            && exit_of(report) == Exit::Done
        {
            let view = if rated > 0 { "leaderboard" } else { "rate" };
            global.suggest(&format!("ranklore {view} {source}"));
        }
        Ok(())
    };
    global.show(&result, text)?;
    Ok(worst(reports.iter().map(|(_, report)| exit_of(report))))
}

/// Prints what an import of a dataset would add; writes nothing.
pub(in crate::commands) fn dry_run(
    folder: &Path,
    source: Option<&SourceName>,
    global: &Global,
) -> anyhow::Result<Exit> {
    let progress = TerminalProgress::new();
    let dataset = open_dataset(folder, source, &progress)?;
    let previews = preview_dataset(&dataset, source, &progress)?;
    progress.end();
    let results = (previews.iter())
        .map(|(source, preview)| DryRun::new(true, OfSource::new(source, preview)));
    let result = OneOrAll::new(results.collect());
    let text = || {
        for (source, preview) in &previews {
            say(&format!("{source}:"))?;
            say_preview(preview)?;
        }
        Ok(())
    };
    global.show(&result, text)?;
    let exits = previews
        .iter()
        .map(|(_, of)| exit_of_preview(of, &progress));
    Ok(worst(exits))
}

/// Computes the runs of a dataset again, and names those without contests.
pub(super) fn rate_and_note(
    store: &mut Writer,
    dataset: &Dataset,
    source: Option<&SourceName>,
    report: &mut DatasetReport,
    progress: &TerminalProgress,
) -> Result<(), Error> {
    let rated = rate_dataset(store, dataset, source, report, words::now, progress);
    for empty in &report.without_contests {
        progress.note(&explain_empty(empty));
    }
    rated
}

fn worst(exits: impl Iterator<Item = Exit>) -> Exit {
    exits.max_by_key(|exit| *exit as u8).unwrap_or(Exit::Done)
}
