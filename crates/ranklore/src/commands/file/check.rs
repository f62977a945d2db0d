//! `ranklore check`

use clap::Args;
use ranklore_store::{Problem, Store};
use serde_json::json;

use crate::Global;
use crate::exit::Exit;
use crate::output::{complain, counted, hex, say, say_json, size, visible_line};

/// Check the database: integrity, references, hashes
///
/// Reads the whole file: SQLite pages, references, contests and documents against their hashes, and
/// runs against their ratings. Changes nothing. Exits with 1 if there is a problem.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Print only a hash of the contents, to compare databases; ids and times do not count
    #[arg(long)]
    hash: bool,
}

impl Check {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // The summary is of the state that was checked.
        let _snapshot = store.snapshot()?;
        if self.hash {
            let hash = hex(&store.content_hash()?);
            global.show(&json!({ "content_hash": hash }), || say(&hash))?;
            return Ok(Exit::Done);
        }
        let problems = store.check()?;
        let problems: Vec<String> = problems.iter().map(describe_problem).collect();
        if global.json {
            say_json(&json!({ "problems": problems }))?;
        } else if problems.is_empty() {
            say_what_was_checked(&store)?;
        } else {
            problems.iter().try_for_each(|of| say(&visible_line(of)))?;
            complain(&counted(problems.len() as u64, "problem"));
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

fn say_what_was_checked(store: &Store) -> anyhow::Result<()> {
    let sources = store.sources()?;
    let sum = |of: fn(&ranklore_store::SourceRow) -> u64| sources.iter().map(of).sum();
    say(&format!(
        "no problems: {} read, {} with {}, {}, {}",
        size(store.file_size()?.bytes),
        counted(sum(|source| source.contests), "contest"),
        counted(sum(|source| source.results), "result"),
        counted(sum(|source| source.documents), "document"),
        counted(store.runs()?.len() as u64, "run"),
    ))?;
    Ok(())
}
