//! The reports of runs rated again or deleted, and of decisions that no longer apply.

use ranklore_ingest::{EmptiedReason, EmptiedRun, MisfitDecision};
use ranklore_replay::RateReport;
use ranklore_store::RunId;

use crate::next_command::describe_empty_selection;
use crate::output::{format_plural, join_words, print_line, print_note, print_notes};
use crate::values;

pub(super) fn print_misfits(source: &str, misfits: &[MisfitDecision]) {
    print_notes(misfits.iter().map(|misfit| {
        let id = misfit.decision.decision_id;
        let decision = &misfit.decision.decision;
        let action = decision.action.as_str();
        let subject = &decision.subject;
        let reason = &misfit.why;
        format!("{source}: cannot apply decision {id} ({action} {subject:?}): {reason}")
    }));
}

pub(super) fn print_deleted_runs(deleted: &[RunId]) -> std::io::Result<()> {
    if deleted.is_empty() {
        return Ok(());
    }
    let ids = deleted.iter().map(ToString::to_string);
    print_line(&format!("deleted runs: {}", join_words(ids)))
}

pub(super) fn print_runs(runs: &[RateReport], emptied: &[EmptiedRun]) -> std::io::Result<()> {
    for run in runs {
        let contests = values::contests_with_results(run.contests, run.results);
        let left_out = match run.unsupported {
            0 => String::new(),
            number => format!("; {} too large left out", format_plural(number, "contest")),
        };
        print_line(&format!("run {}: {contests}{left_out}", run.run_id))?;
    }
    for run in emptied {
        let run_id = run.run_id;
        let reason = describe_emptied_run(run);
        print_note(&match run.why {
            EmptiedReason::NoContests(_) => format!("run {run_id} has no contests left: {reason}"),
            EmptiedReason::CannotRate(_) => format!("run {run_id} has no ratings: {reason}"),
        });
    }
    Ok(())
}

/// Returns the reason why a run keeps no ratings, with the command that helps if there is one.
pub(super) fn describe_emptied_run(run: &EmptiedRun) -> String {
    match &run.why {
        EmptiedReason::NoContests(empty) => describe_empty_selection(empty),
        EmptiedReason::CannotRate(error) => {
            format!("{error}; `ranklore runs remove {}` removes it", run.run_id)
        }
    }
}
