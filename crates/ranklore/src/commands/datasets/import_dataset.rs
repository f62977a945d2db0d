//! `ranklore import` of a dataset.

use std::path::Path;

use anyhow::Context;
use ranklore_contest::SourceName;
use ranklore_ingest::{import_dataset, open_dataset, preview_dataset, rate_dataset};
use ranklore_replay::Watch;
use ranklore_store::Store;
use serde_json::Value;

use crate::commands::imported::{
    NOTHING, exit_of, exit_of_preview, preview_json, report_json, say_preview, say_report,
};
use crate::exit::Exit;
use crate::next_command::explain_empty;
use crate::output::{complain, counted, say, say_json};
use crate::progress::Progress;
use crate::{Global, words};

/// Imports every source of a dataset under its own name, or its only one under another.
pub(in crate::commands) fn run(
    folder: &Path,
    source: Option<&SourceName>,
    global: &Global,
) -> anyhow::Result<Exit> {
    let progress = Progress::new();
    let dataset = open_dataset(folder, source, &progress).context(NOTHING)?;
    let mut store = Store::open_writer(global.db(), "ranklore import")?;
    let mut report =
        import_dataset(&mut store, &dataset, source, words::now, &progress).context(NOTHING)?;
    let rated = rate_dataset(
        &mut store,
        &dataset,
        source,
        &mut report,
        words::now,
        &progress,
    );
    for empty in &report.without_contests {
        progress.note(&explain_empty(empty));
    }
    rated?;
    let (reports, rated) = (report.sources, report.runs);
    drop(store);
    progress.end();
    if global.json {
        let reports: Vec<_> = (reports.iter())
            .map(|(source, report)| report_json(report, source))
            .collect();
        say_json(&one_or_all(reports))?;
    } else {
        for (source, report) in &reports {
            say_report(report, source)?;
        }
        if rated > 0 {
            complain(&format!(
                "{} of the dataset made again of these results",
                counted(rated, "run")
            ));
        }
        if let [(source, report), ..] = &reports[..]
            && exit_of(report) == Exit::Done
        {
            let view = if rated > 0 { "leaderboard" } else { "rate" };
            let next = global.hint(&format!("ranklore {view} {source}"));
            complain(&format!("next: {next}"));
        }
    }
    Ok((reports.iter())
        .map(|(_, report)| exit_of(report))
        .max_by_key(|exit| *exit as u8)
        .unwrap_or(Exit::Done))
}

/// Shows what an import of a dataset would bring, and writes nothing.
pub(in crate::commands) fn dry_run(
    folder: &Path,
    source: Option<&SourceName>,
    global: &Global,
) -> anyhow::Result<Exit> {
    let progress = Progress::new();
    let dataset = open_dataset(folder, source, &progress)?;
    let previews = preview_dataset(&dataset, source, &progress)?;
    progress.end();
    if global.json {
        let previews = previews.iter().map(|(source, preview)| {
            let mut json = preview_json(preview);
            json["source"] = source.as_str().into();
            json
        });
        say_json(&one_or_all(previews.collect()))?;
    } else {
        for (source, preview) in &previews {
            say(&format!("{source}:"))?;
            say_preview(preview)?;
        }
    }
    Ok((previews.iter())
        .map(|(_, preview)| exit_of_preview(preview, &progress))
        .max_by_key(|exit| *exit as u8)
        .unwrap_or(Exit::Done))
}

/// Returns the object of a single source, or an array of several.
fn one_or_all(of: Vec<Value>) -> Value {
    match <[_; 1]>::try_from(of) {
        Ok([one]) => one,
        Err(all) => all.into(),
    }
}
