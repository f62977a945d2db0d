//! `ranklore verify`

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use ranklore_contest::SourceName;
use ranklore_ingest::import_dataset;
use ranklore_publish::{
    Dataset, DatasetRun, ExportNaming, ExportSelection, Manifest, TableId, VerifyReport,
    compute_digests, verify,
};
use ranklore_replay::{ENGINE_VERSION, RateRequest, RunSelection, System, rate};
use ranklore_store::{OFFICIAL, RunRow, Store, Writer};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{escape_line, format_plural, format_size, print_line, print_note, print_notes};
use crate::progress::TerminalProgress;
use crate::{GlobalArgs, values};

/// Verify a dataset: schema, checksums, references, ratings
///
/// Checks every file against its checksum, every table for keys, missing values, references,
/// counts, places, ties and times, and all formats against each other. Then imports the dataset
/// into an empty temporary database, and compares the results and the ratings computed from them.
/// Changes nothing. Exits with 1 if there is a problem.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Folder of the dataset
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Skip the import into a temporary database
    #[arg(long)]
    no_import: bool,
}

/// The result of the checks.
#[derive(Serialize)]
struct DatasetCheck<'a> {
    /// The snapshot that the dataset claims.
    snapshot: &'a str,
    /// The findings.
    #[serde(flatten)]
    report: &'a VerifyReport,
}

impl VerifyArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let progress = TerminalProgress::new();
        let mut report = verify(&self.folder, &progress)?;
        if !self.no_import && report.problems.is_empty() {
            self.verify_import(&mut report, &progress)?;
        }
        progress.finish();
        let dataset = Dataset::open(&self.folder)?;
        let snapshot = dataset.manifest().snapshot.to_string();
        // The import may have found problems that were not counted yet.
        report.problems_in_all = report.problems_in_all.max(report.problems.len() as u64);
        let result = DatasetCheck {
            snapshot: &snapshot,
            report: &report,
        };
        global.print_result(&result, || self.print_report(&report, &snapshot))?;
        Ok(Exit::Failed.unless(report.problems.is_empty()))
    }

    /// Imports the dataset into a temporary database, and adds the differences to the problems.
    fn verify_import(
        &self,
        verification: &mut VerifyReport,
        progress: &TerminalProgress,
    ) -> anyhow::Result<()> {
        let dataset = Dataset::open(&self.folder)?;
        let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
        let path = folder.path().join("imported.sqlite");
        let mut store = Store::open_writer(&path, "ranklore verify")?;
        let report = import_dataset(&mut store, &dataset, None, values::now, progress)?;
        let reports = report.sources.iter().map(|(_, report)| report);
        if reports.clone().any(|report| report.interrupted) {
            return Err(ranklore_ingest::Error::Interrupted.into());
        }
        let refusals = reports.flat_map(|report| &report.refused);
        let problems = refusals.map(|refusal| format!("{}: {}", refusal.document, refusal.what));
        verification.problems.extend(problems);
        if !verification.problems.is_empty() {
            return Ok(());
        }
        let manifest = dataset.manifest();
        let selection = select_sources(manifest);
        let snapshot = compute_digests(&store, &selection, progress)?.snapshot();
        if snapshot != manifest.snapshot {
            verification.problems.push(format!(
                "imported into an empty database, the results have snapshot {snapshot}, not {}",
                manifest.snapshot
            ));
            return Ok(());
        }
        verify_ratings(&mut store, &dataset, selection, verification, progress)
    }

    fn print_report(&self, report: &VerifyReport, snapshot: &str) -> std::io::Result<()> {
        for problem in &report.problems {
            print_line(&escape_line(problem))?;
        }
        let listed = report.problems.len() as u64;
        let unlisted = report.problems_in_all.saturating_sub(listed);
        if unlisted > 0 {
            print_line(&format!("and {} more", format_plural(unlisted, "problem")))?;
        }
        print_notes(report.remarks.iter().cloned());
        if report.problems.is_empty() {
            let import = if self.no_import {
                ""
            } else {
                ", imported into an empty database"
            };
            let rows = format_plural(report.rows, "row");
            let bytes = format_size(report.bytes);
            print_line(&format!(
                "no problems: {rows} and {bytes} read{import}; snapshot {snapshot}"
            ))
        } else {
            print_note(&format_plural(listed + unlisted, "problem"));
            Ok(())
        }
    }
}

/// Returns the selection of all results of a dataset, without runs.
fn select_sources(manifest: &Manifest) -> ExportSelection {
    let sources = manifest.sources.iter().map(|s| match &*s.name_policy {
        "none" => (s.name.clone(), ExportNaming::Keys),
        _ => (s.name.clone(), ExportNaming::Real),
    });
    ExportSelection {
        sources: sources.collect(),
        since: None,
        runs: Vec::new(),
        by_year: false,
    }
}

/// Rates the runs of the dataset again, and adds what differs to the problems and remarks.
fn verify_ratings(
    store: &mut Writer,
    dataset: &Dataset,
    mut selection: ExportSelection,
    verification: &mut VerifyReport,
    progress: &TerminalProgress,
) -> anyhow::Result<()> {
    let manifest = dataset.manifest();
    // A dataset numbers its runs from 1.
    for (run, number) in dataset.runs()?.iter().zip(1..) {
        if serde_json::from_str::<serde_json::Map<_, _>>(&run.parameters).is_err() {
            verification.problems.push(format!(
                "the parameters of run {number} ({}) are no JSON object",
                run.system
            ));
            continue;
        }
        let name = format!("the ratings of run {number} ({})", run.system);
        let result = match find_obstacle(run, number, manifest) {
            Some(reason) => Err(reason),
            None => rate_again(store, run, progress)?,
        };
        let rated_run = match result {
            Ok(rated_run) => rated_run,
            Err(reason) => {
                let remark = format!("{name} were not compared with its results: {reason}");
                verification.remarks.push(remark);
                continue;
            }
        };
        selection.runs = vec![rated_run];
        let digests = compute_digests(store, &selection, progress)?;
        if dataset.ratings_digest(number)? == digests.table(TableId::Rating) {
            continue;
        }
        let problem = format!("{name} do not follow from the results");
        match find_doubt(run, manifest) {
            Some(reason) => verification.remarks.push(format!("{problem}: {reason}")),
            None => verification.problems.push(problem),
        }
    }
    Ok(())
}

/// Rates a run of the dataset in the temporary database, or returns the reason why that is
/// impossible.
fn rate_again(
    store: &mut Writer,
    run: &DatasetRun,
    progress: &TerminalProgress,
) -> anyhow::Result<Result<RunRow, String>> {
    use ranklore_replay::Error::{NoContests, NoSource};
    let system = match System::from_name(&run.system, &run.parameters) {
        Ok(system) => system,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let request = RateRequest {
        selection: RunSelection::from_canonical_json(&run.selection),
        system,
        // The run exists: it left out what its system does not rate.
        skip_unsupported: true,
        now: values::now(),
    };
    let report = match rate(store, request, progress) {
        Ok(report) => report,
        Err(error @ (NoContests(_) | NoSource { .. })) => return Ok(Err(error.to_string())),
        Err(error) => return Err(error.into()),
    };
    let row = store.runs()?.into_iter().find(|row| row.run_id == report.run_id);
    Ok(row.ok_or_else(|| "it has no contests".to_owned()))
}

/// Returns the reason why the ratings of a run cannot follow from the results of the dataset, as a
/// clause.
fn find_obstacle(run: &DatasetRun, number: i64, manifest: &Manifest) -> Option<String> {
    let selected = RunSelection::from_canonical_json(&run.selection).sources;
    let names: Vec<&SourceName> = manifest.sources.iter().map(|s| &s.name).collect();
    let stale_runs = manifest.stale_runs.as_ref();
    if run.system == OFFICIAL {
        Some("the site published them".to_owned())
    } else if run.engine != ENGINE_VERSION {
        let engine = &run.engine;
        Some(format!("engine {engine} computed them, this is engine {ENGINE_VERSION}"))
    } else if stale_runs.is_some_and(|runs| runs.contains(&number)) {
        Some("the dataset says that it is stale".to_owned())
    } else if manifest.since.is_some() || !selected.iter().all(|name| names.contains(&name)) {
        Some("the dataset has only some of its contests".to_owned())
    } else {
        None
    }
}

/// Returns the reason why other ratings may be right, as a clause.
fn find_doubt(run: &DatasetRun, manifest: &Manifest) -> Option<&'static str> {
    let has_names = manifest.sources.iter().all(|s| s.name_policy == "real");
    if manifest.stale_runs.is_none() {
        Some("an earlier version wrote the dataset, which did not say whether a run is stale")
    } else if !has_names && run.parameters.contains(r#""teams":"members""#) {
        Some("of a person's tied teams the first by name counts, and names are not published")
    } else {
        None
    }
}
