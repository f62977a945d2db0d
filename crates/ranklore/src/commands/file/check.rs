//! `ranklore check`

use clap::Args;
use ranklore_store::{Problem, Store};
use serde_json::json;

use crate::GlobalArgs;
use crate::exit::Exit;
use crate::output::{
    escape_line, format_hex, format_plural, format_size, print_json, print_line, print_note,
};

/// Check the database: integrity, references, hashes
///
/// Reads the whole file: SQLite pages, references, contests and documents against their hashes, and
/// runs against their ratings. Changes nothing. Exits with 1 if there is a problem.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Print only a hash of the contents, to compare databases; ids and times do not count
    #[arg(long)]
    hash: bool,
}

impl CheckArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // The summary is of the state that was checked.
        let _snapshot = store.snapshot()?;
        if self.hash {
            let hash = format_hex(&store.content_hash()?);
            global.print_result(&json!({ "content_hash": hash }), || print_line(&hash))?;
            return Ok(Exit::Done);
        }
        let problems = store.check()?;
        let problems: Vec<String> = problems.iter().map(describe_problem).collect();
        if global.json {
            print_json(&json!({ "problems": problems }))?;
        } else if problems.is_empty() {
            print_summary(&store)?;
        } else {
            problems
                .iter()
                .try_for_each(|of| print_line(&escape_line(of)))?;
            print_note(&format_plural(problems.len() as u64, "problem"));
        }
        Ok(Exit::Failed.unless(problems.is_empty()))
    }
}

/// Returns the text of a problem, with the command that fixes it if there is one.
fn describe_problem(problem: &Problem) -> String {
    match problem {
        Problem::PendingVacuum { source_name, .. } => {
            format!("{problem}: run `ranklore forget {source_name}`")
        }
        _ => problem.to_string(),
    }
}

fn print_summary(store: &Store) -> anyhow::Result<()> {
    let sources = store.sources()?;
    let sum = |of: fn(&ranklore_store::SourceRow) -> u64| sources.iter().map(of).sum();
    print_line(&format!(
        "no problems: {} read, {} with {}, {}, {}",
        format_size(store.file_size()?.bytes),
        format_plural(sum(|source| source.contests), "contest"),
        format_plural(sum(|source| source.results), "result"),
        format_plural(sum(|source| source.documents), "document"),
        format_plural(store.runs()?.len() as u64, "run"),
    ))?;
    Ok(())
}
