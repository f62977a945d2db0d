//! `ranklore source`

use std::io::{IsTerminal, stdin};

use anyhow::bail;
use clap::{Args, Subcommand};
use ranklore_contest::SourceName;
use ranklore_ingest::remove_source;
use ranklore_replay::find_source;
use ranklore_store::Store;

use super::prune::shrink_file;
use crate::commands::runs_report::{print_deleted_runs, print_runs};
use crate::exit::{Exit, WrongUsage};
use crate::json::OfSource;
use crate::output::{format_plural, print_line, print_note};
use crate::progress::TerminalProgress;
use crate::{GlobalArgs, values};

/// Manage sources: remove one
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    #[command(subcommand)]
    action: SourceAction,
}

#[derive(Debug, Subcommand)]
enum SourceAction {
    /// Delete a source with its documents, contests and ratings
    ///
    /// Runs over other sources too are computed again without it, and are then runs over the others.
    /// Forgotten people stay forgotten if the name is used again. This cannot be undone.
    Remove {
        /// Source to remove
        #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
        source: SourceName,
        /// Remove it without asking
        #[arg(long)]
        yes: bool,
    },
}

impl SourceArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let SourceAction::Remove { source, yes } = self.action;
        if !yes && !confirm(&source, &Store::open_reader(global.db())?)? {
            print_note("nothing was removed");
            return Ok(Exit::Failed);
        }
        let progress = TerminalProgress::new();
        let mut store = global.open_writer("ranklore source remove")?;
        let report = remove_source(&mut store, &source, values::now, &progress)?;
        progress.finish();
        if store.file_size()?.needs_compaction() {
            shrink_file(&mut store)?;
        }
        drop(store);
        let text = || {
            let contests = values::contests_with_results(report.contests, report.results);
            let documents = format_plural(report.documents, "document");
            print_line(&format!("{source}: removed {contests} and {documents}"))?;
            print_deleted_runs(&report.deleted_runs)?;
            print_runs(&report.runs, &report.emptied)
        };
        global.print_result(&OfSource::new(&source, &report), text)?;
        Ok(Exit::Done)
    }
}

/// Asks the user whether to remove the source.
fn confirm(source: &SourceName, store: &Store) -> anyhow::Result<bool> {
    let source_id = find_source(store, source)?;
    let sources = store.sources()?.into_iter();
    let (mut contests, mut documents) = (String::new(), String::new());
    for row in sources.filter(|row| row.source_id == source_id) {
        contests = values::contests_with_results(row.contests, row.results);
        documents = format_plural(row.documents, "document");
    }
    let what = format!("{source} ({contests}, {documents})");
    if !stdin().is_terminal() {
        bail!(WrongUsage(format!(
            "this removes {what} and cannot be undone; confirm it with --yes"
        )));
    }
    print_note(&format!(
        "Remove {what}? This cannot be undone. Type yes to remove:"
    ));
    let mut answer = String::new();
    stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "yes"))
}
