//! The trials of `ranklore tune`: their list, export and merge.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use ranklore_replay::RunSelection;
use ranklore_store::{Store, Writer};
use ranklore_views::{
    CellValue, Columns, MergedTrials, StudySummary, Train, export_trials, load_studies,
    merge_trials,
};
use serde::Serialize;
use serde_json::Value;

use crate::commands::ratings::comparison::{format_metric, heading};
use crate::exit::{Exit, WrongUsage};
use crate::output::{escape_line, format_count, format_plural, or_dash, print_line, print_table};
use crate::{GlobalArgs, values};

/// Lists the searches over a selection.
pub(super) fn list(
    global: &GlobalArgs,
    store: &Store,
    selection: &RunSelection,
) -> anyhow::Result<Exit> {
    let studies = load_studies(store, selection)?;
    let columns = Columns::new()
        .left("system", |study: &StudySummary| CellValue::text(&study.system))
        .left(("best", "best trial"), |study| or_dash(study.best.clone()))
        .right("trials", |study| format_count(study.trials))
        .right("completed", |study| format_count(study.completed))
        .left("objective", |study| or_dash(study.objective.map(heading)))
        .right("tuning", |study| {
            or_dash(study.objective.map(|metric| format_metric(metric, study.tuning)))
        })
        .left("split", |study| CellValue::Text(describe_split(&study.split)))
        .right("seed", |study| study.seed.to_string())
        .left("engine", |study| CellValue::text(&study.engine))
        .left(("tried_at", "last trial"), |study| CellValue::Day(study.tried_at));
    let keys = columns.keys();
    global.print_rows(&studies, &studies, &keys, || print_table(columns, &studies))
}

/// Describes the contests that tune.
fn describe_split(split: &str) -> String {
    let settings: Value = serde_json::from_str(split).unwrap_or_default();
    if let Some(percent) = settings["train"].as_f64() {
        format!("first {percent} %")
    } else if let Some(time) = settings["train_until"].as_i64() {
        format!("before {}", values::format_day(time))
    } else {
        split.to_owned()
    }
}

/// A file of trials that was written.
#[derive(Serialize)]
struct ExportedTrials {
    file: String,
    trials: u64,
}

/// Writes the trials over a selection to a new file.
pub(super) fn export(
    global: &GlobalArgs,
    store: &Store,
    selection: &RunSelection,
    path: &Path,
) -> anyhow::Result<Exit> {
    if path.exists() {
        let file = path.display();
        return Err(WrongUsage(format!("{file} exists; remove it, or name a new file")).into());
    }
    let lines = export_trials(store, selection)?;
    write_lines(path, &lines).with_context(|| format!("cannot write {}", path.display()))?;
    let exported = ExportedTrials {
        file: path.display().to_string(),
        trials: lines.len() as u64,
    };
    global.print_result(&exported, || {
        let trials = format_plural(exported.trials, "trial");
        print_line(&escape_line(&format!("{}: {trials}", exported.file)))
    })
}

/// Writes a file completely or not at all.
fn write_lines(path: &Path, lines: &[String]) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    {
        let mut out = std::io::BufWriter::new(&mut file);
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        out.flush()?;
    }
    file.as_file().sync_all()?;
    file.persist_noclobber(path)?;
    Ok(())
}

/// A file of trials that was merged.
#[derive(Serialize)]
struct MergedFile {
    file: String,
    #[serde(flatten)]
    trials: MergedTrials,
}

/// Adds the trials of files to the database.
pub(super) fn merge(
    global: &GlobalArgs,
    store: &mut Writer,
    selection: &RunSelection,
    train: Option<Train>,
    paths: &[PathBuf],
) -> anyhow::Result<Exit> {
    let mut merged = Vec::new();
    for path in paths {
        let file = path.display().to_string();
        let describe = || format!("cannot merge {file}");
        let text = fs::read_to_string(path).with_context(describe)?;
        let trials = merge_trials(store, selection, train, &text).with_context(describe)?;
        merged.push(MergedFile { file, trials });
    }
    global.print_result(&merged, || {
        merged.iter().try_for_each(|MergedFile { file, trials }| {
            let added = format_plural(trials.added, "trial");
            let unchanged = format_count(trials.unchanged);
            print_line(&escape_line(&format!("{file}: {added} added, {unchanged} unchanged")))
        })
    })
}
