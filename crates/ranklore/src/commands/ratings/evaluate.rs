//! `ranklore evaluate`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_replay::{
    Error as ReplayError, Evaluation, Plausibility, evaluate, find_all_runs, find_display,
    find_run, format_setting, non_default_parameters,
};
use ranklore_store::{EvaluationRow, RunId, RunRow};
use serde::Serialize;

use crate::commands::ratings::leaderboard::describe_filters;
use crate::commands::source_argument::resolve_sources;
use crate::exit::Exit;
use crate::next_command::{describe_empty_selection, update_run_command};
use crate::output::{
    TextTable, escape_line, format_count, format_points, join_words, or_dash, print_line,
    print_note,
};
use crate::run_choice::{RunArgs, describe_run};
use crate::{GlobalArgs, values};

/// Evaluate how accurately a run predicts results
///
/// Predicts each contest from the ratings before it, and compares the prediction with the
/// standings. Concordance is the percentage of pairs of entrants that finished in the predicted
/// order; higher is better, 100 is perfect. A pair of equal ratings counts one half, a pair that
/// tied is not counted. Two baselines are beside it: prediction by the place in the previous
/// contest, and a coin toss.
///
/// Pair inversion and rank deviation are those of the literature: the percentage of pairs in the
/// predicted order, ties and equal ratings included (100 is perfect), and the distance between the
/// predicted and the actual place as a percentage of the largest possible (0 is perfect). All are
/// averages over results. The first 10 % of the contests are not counted.
///
/// Slices: everybody has at least 1 earlier contest, experienced at least 5; top100 compares the 100
/// best placed of each contest among themselves.
#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    /// Rated source; of a run over several sources, all of them [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    sources: Vec<SourceName>,
    #[command(flatten)]
    run: RunArgs,
    /// Evaluate all runs over the sources, and compare them
    #[arg(long, conflicts_with_all = ["run", "system"])]
    all: bool,
}

impl EvaluateArgs {
    pub(crate) fn run(mut self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let mut store = global.open_writer("ranklore evaluate")?;
        if self.run.run.is_none() {
            self.sources = resolve_sources(&store, self.sources)?;
        }
        if !self.all {
            let choice = self.run.choice();
            let evaluated = find_run(&store, &self.sources, &choice)
                .and_then(|run| evaluate(&mut store, run, values::now()))?;
            let rows = slice_rows(std::slice::from_ref(&evaluated));
            global.print_rows(&evaluated, &rows, &COLUMNS, || print_evaluation(&evaluated))?;
            global.note_run(&store, &choice, &evaluated.run, false)?;
            return Ok(Exit::Done);
        }
        let mut evaluations = Vec::new();
        for run in find_all_runs(&store, &self.sources)? {
            let described = describe_run(&run);
            let reason = match evaluate(&mut store, run, values::now()) {
                Ok(evaluation) => {
                    evaluations.push(evaluation);
                    continue;
                }
                Err(ReplayError::StaleRun { run, why }) => {
                    let rate = global.with_db(&update_run_command(&run));
                    format!("{why}; `{rate}` updates it")
                }
                Err(ReplayError::NoContests(empty)) => describe_empty_selection(&empty),
                Err(error) => return Err(error.into()),
            };
            let note = format!("warning: run {described} is left out: {reason}");
            print_note(&escape_line(&note));
        }
        if evaluations.is_empty() {
            anyhow::bail!("no run can be evaluated");
        }
        evaluations.sort_by(|a, b| headline(b).total_cmp(&headline(a)));
        let rows = slice_rows(&evaluations);
        global.print_rows(&evaluations, &rows, &COLUMNS, || {
            print_comparison(&evaluations)
        })?;
        Ok(Exit::Done)
    }
}

/// The columns of CSV.
const COLUMNS: [&str; 9] = [
    "run_id",
    "system",
    "slice",
    "contests",
    "results",
    "concordance",
    "previous_place_concordance",
    "pair_inversion",
    "rank_deviation",
];

/// The accuracy of a run in a slice: a row of CSV.
#[derive(Serialize)]
struct SliceRow<'a> {
    /// The run.
    run_id: RunId,
    /// The rating system.
    system: &'a str,
    /// The accuracy.
    #[serde(flatten)]
    accuracy: &'a EvaluationRow,
}

fn slice_rows<'a>(evaluations: &'a [Evaluation]) -> Vec<SliceRow<'a>> {
    let rows = |of: &'a Evaluation| {
        let run = &of.run;
        of.slices.iter().map(|accuracy| SliceRow {
            run_id: run.run_id,
            system: &run.system,
            accuracy,
        })
    };
    evaluations.iter().flat_map(rows).collect()
}

/// Returns the concordance of the experienced, or of everybody if nobody is: the order of
/// comparisons. 0 without predictions.
fn headline(of: &Evaluation) -> f64 {
    let concordance = of
        .concordance("experienced")
        .or(of.concordance("everybody"));
    concordance.unwrap_or(0.0)
}

fn describe_settings(run: &RunRow) -> String {
    let changed = non_default_parameters(&run.system, &run.parameters);
    join_words(
        changed
            .iter()
            .map(|(key, value)| format_setting(key, value)),
    )
}

fn print_evaluation(evaluated: &Evaluation) -> std::io::Result<()> {
    let percent = |of: Option<f64>| or_dash(of.map(|of| format!("{of:.3} %")));
    let coin_toss = |of: &EvaluationRow| of.concordance.map(|_| 50.0);
    let run = &evaluated.run;
    let settings = match non_default_parameters(&run.system, &run.parameters).as_slice() {
        [] => ", default parameters",
        _ => "",
    };
    print_line(&format!("run {}{settings}", describe_run(run)))?;
    TextTable::new(&evaluated.slices)
        .left("slice", |of| of.slice.clone())
        .right("contests", |of| format_count(of.contests))
        .right("results", |of| format_count(of.results))
        .right("concordance", |of| percent(of.concordance))
        .important()
        .right("previous place", |of| {
            percent(of.previous_place_concordance)
        })
        .right("coin toss", |of| percent(coin_toss(of)))
        .right("pair inversion", |of| percent(of.pair_inversion))
        .right("rank deviation", |of| percent(of.rank_deviation))
        .print()?;
    print_line(
        "concordance: pairs that finished in the predicted order; higher is better; two baselines \
         follow it",
    )?;
    print_line(&describe_plausibility(evaluated))
}

fn describe_plausibility(evaluated: &Evaluation) -> String {
    let figures = &evaluated.plausibility;
    let (Some(lowest), Some(highest)) = (figures.lowest_mu, figures.highest_mu) else {
        return "no ratings".to_owned();
    };
    let decimals = find_display(&evaluated.run).decimals;
    let [lowest, highest] = [lowest, highest].map(|of| format_points(of, decimals));
    format!(
        "ratings: from {lowest} to {highest}; competitors with a single contest among the \
         first 100: {}",
        figures.one_contest_in_top_100
    )
}

/// Prints one row per run, the most accurate first.
fn print_comparison(evaluations: &[Evaluation]) -> std::io::Result<()> {
    let percent = |of: Option<f64>| or_dash(of.map(|of| format!("{of:.2}")));
    let points = |of: &Evaluation, mu: fn(&Plausibility) -> Option<f64>| {
        let decimals = find_display(&of.run).decimals;
        or_dash(mu(&of.plausibility).map(|mu| format_points(mu, decimals)))
    };
    print_line("concordance in percent, higher is better; a coin toss has 50")?;
    let mut table = TextTable::new(evaluations)
        .right("run", |of| of.run.run_id.to_string())
        .left("system", |of| {
            of.run.system.clone() + &describe_filters(&of.run)
        })
        .right("experienced", |of| percent(of.concordance("experienced")))
        .right("previous place", |of| {
            let slice = of.slices.iter().find(|slice| slice.slice == "experienced");
            percent(slice.and_then(|slice| slice.previous_place_concordance))
        })
        .right("everybody", |of| percent(of.concordance("everybody")))
        .right("top100", |of| percent(of.concordance("top100")))
        .right("lowest mu", |of| points(of, |of| of.lowest_mu))
        .right("highest mu", |of| points(of, |of| of.highest_mu))
        .right("1 contest in top 100", |of| {
            of.plausibility.one_contest_in_top_100.to_string()
        });
    let has_settings = |of: &Evaluation| !describe_settings(&of.run).is_empty();
    if evaluations.iter().any(has_settings) {
        table = table.left("parameters", |of| describe_settings(&of.run));
    }
    table.print()
}
