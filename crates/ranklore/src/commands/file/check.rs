//! `ranklore check`

use clap::Args;
use ranklore_replay::{Progress, find_damaged_parameters};
use ranklore_store::{CheckExtent, CheckStage, OFFICIAL, Problem, Repair, Store};
use serde_json::json;

use crate::GlobalArgs;
use crate::exit::Exit;
use crate::next_command::update_run_command;
use crate::output::{
    escape_line, format_count, format_hex, format_plural, format_size, output_format, print_line,
    print_note,
};
use crate::progress::TerminalProgress;

/// Check the database: integrity, references, hashes
///
/// Reads the whole file: SQLite pages, the schema, references, and contests, documents, ratings and
/// the rows of all other tables against the hashes that were written with them. Changes nothing
/// unless it repairs. Exits with 1 if there is a problem.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Print only a hash of the contents, to compare databases; ids and times do not count
    #[arg(long, conflicts_with_all = ["quick", "repair"])]
    hash: bool,
    /// Check only the structure of the file and the totals of runs, no hashes
    #[arg(long)]
    quick: bool,
    /// Delete damaged ratings, so that the next rating of the run replays them, and accept other
    /// rows that nothing reproduces as they are
    #[arg(long, conflicts_with = "quick")]
    repair: bool,
}

impl CheckArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        if self.repair {
            return repair(global);
        }
        let store = Store::open_reader(global.db())?;
        // The summary is of the state that was checked.
        let _snapshot = store.snapshot()?;
        if self.hash {
            let hash = format_hex(&store.content_hash()?);
            return global.print_result(&json!({ "content_hash": hash }), || print_line(&hash));
        }
        let extent = if self.quick {
            CheckExtent::Quick
        } else {
            CheckExtent::Whole
        };
        let problems = check(&store, extent)?;
        let texts: Vec<String> = problems.iter().map(describe_problem).collect();
        if texts.is_empty() && !output_format().is_data() {
            print_summary(&store, extent)?;
        } else {
            global.print_result(&json!({ "problems": texts }), || print_problems(&texts))?;
        }
        Ok(Exit::Failed.unless(problems.is_empty()))
    }
}

/// Checks with a progress bar.
fn check(store: &Store, extent: CheckExtent) -> anyhow::Result<Vec<Problem>> {
    let progress = TerminalProgress::new();
    let mut current_stage = None;
    let mut problems = store.check_with(extent, &mut |stage, done, total| {
        // Each stage has a bar of its own.
        if current_stage.replace(stage) != Some(stage) {
            let task = match stage {
                CheckStage::Pages => "checking pages",
                CheckStage::Contests => "checking contests",
                CheckStage::Ratings => "checking ratings",
                CheckStage::Documents => "checking documents",
            };
            progress.begin_task(task, total);
        }
        Progress::advance(&progress, done, 0, 0);
    })?;
    progress.finish();
    // The store does not know the parameters of rating systems.
    match find_damaged_parameters(store) {
        Ok(damaged) => problems.extend(damaged),
        // The runs of a damaged file may be unreadable: its problems are named already.
        Err(_) if !problems.is_empty() => {}
        Err(error) => return Err(error.into()),
    }
    Ok(problems)
}

/// Repairs the database, and prints what was done and what remains.
fn repair(global: &GlobalArgs) -> anyhow::Result<Exit> {
    let mut writer = global.open_writer("ranklore check --repair")?;
    let problems = check(&writer, CheckExtent::Whole)?;
    let is_beyond_repair = problems.iter().any(|problem| {
        matches!(
            problem,
            Problem::Integrity(_) | Problem::Schema { .. } | Problem::Reference { .. }
        )
    });
    let repairs = if is_beyond_repair {
        Vec::new()
    } else {
        writer.repair()?
    };
    let remaining = if is_beyond_repair {
        problems
    } else {
        check(&writer, CheckExtent::Whole)?
    };
    let lines: Vec<String> = repairs.iter().map(describe_repair).collect();
    let texts: Vec<String> = remaining.iter().map(describe_problem).collect();
    global.print_result(&json!({ "repairs": lines, "problems": texts }), || {
        lines.iter().try_for_each(|line| print_line(line))?;
        if lines.is_empty() && !is_beyond_repair {
            print_line("nothing to repair")?;
        }
        print_problems(&texts)
    })?;
    if is_beyond_repair {
        print_note("nothing was repaired: the file itself is damaged; restore a backup");
        return Ok(Exit::Failed);
    }
    let runs = writer.runs()?;
    for repair in &repairs {
        if let Repair::TruncatedRun { run_id, .. } = repair
            && let Some(run) = runs.iter().find(|run| run.run_id == *run_id)
        {
            global.suggest(&update_run_command(run));
        }
    }
    Ok(Exit::Failed.unless(remaining.is_empty()))
}

fn print_problems(problems: &[String]) -> std::io::Result<()> {
    problems.iter().try_for_each(|problem| print_line(&escape_line(problem)))?;
    if !problems.is_empty() {
        print_note(&format_plural(problems.len() as u64, "problem"));
    }
    Ok(())
}

/// Returns the text of a problem, with the command that fixes it if there is one.
fn describe_problem(problem: &Problem) -> String {
    let remedy = match problem {
        Problem::PendingVacuum { source_name, .. } => {
            format!("run `ranklore forget {source_name}`")
        }
        Problem::Contest { source_name, .. } => {
            format!("restore a backup, or run `ranklore rebuild {source_name}`")
        }
        Problem::RunMismatch { .. }
        | Problem::RunRowCount { .. }
        | Problem::Rows {
            table: "competitor" | "competitor_name" | "contest",
        } => "restore a backup, or run `ranklore rebuild`".to_owned(),
        Problem::Ratings { system, .. } if system == OFFICIAL => {
            "restore a backup, or run `ranklore rebuild`".to_owned()
        }
        Problem::CurrentRatings { .. } => "run `ranklore check --repair`".to_owned(),
        Problem::Ratings { .. } | Problem::Rows { .. } => {
            "restore a backup, or run `ranklore check --repair`".to_owned()
        }
        Problem::RunParameters { run_id, .. } => {
            format!("restore a backup, or run `ranklore runs remove {run_id}` and rate again")
        }
        Problem::Integrity(_) | Problem::Schema { .. } => "restore a backup".to_owned(),
        _ => return problem.to_string(),
    };
    format!("{problem}: {remedy}")
}

fn describe_repair(repair: &Repair) -> String {
    match repair {
        Repair::TruncatedRun {
            run_id,
            remaining: 0,
            ..
        } => {
            format!("run {run_id}: its ratings were deleted; the next rating replays them all")
        }
        Repair::TruncatedRun {
            run_id,
            remaining,
            deleted,
        } => format!(
            "run {run_id}: the ratings after the first {} were deleted; the next rating replays {}",
            format_plural(*remaining, "contest"),
            format_count(*deleted),
        ),
        Repair::RebuiltCurrentRatings { run_id } => {
            format!("run {run_id}: its current ratings were computed again from its ratings")
        }
        Repair::DeletedEvaluations => {
            "all evaluations were deleted; `ranklore evaluate` computes them again".to_owned()
        }
        Repair::AcceptedRows {
            table: table @ ("source" | "tombstone" | "tombstone_spelling"),
        } => format!(
            "table {table}: its rows are accepted as they are; forgotten people may come back, so \
             restore a backup if there is one"
        ),
        Repair::AcceptedRows { table } => {
            format!("table {table}: its rows are accepted as they are; compare them with a backup")
        }
    }
}

fn print_summary(store: &Store, extent: CheckExtent) -> anyhow::Result<()> {
    let sources = store.sources()?;
    let contests: u64 = sources.iter().map(|source| source.contests).sum();
    let results: u64 = sources.iter().map(|source| source.results).sum();
    let documents: u64 = sources.iter().map(|source| source.documents).sum();
    print_line(&format!(
        "no problems{}: {} read, {} with {}, {}, {}",
        match extent {
            CheckExtent::Quick => " in the structure of the file",
            CheckExtent::Whole => "",
        },
        format_size(store.file_size()?.bytes),
        format_plural(contests, "contest"),
        format_plural(results, "result"),
        format_plural(documents, "document"),
        format_plural(store.runs()?.len() as u64, "run"),
    ))?;
    Ok(())
}
