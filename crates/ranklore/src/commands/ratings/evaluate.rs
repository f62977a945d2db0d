//! `ranklore evaluate`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_replay::{Evaluation, evaluate, find_run, format_setting, non_default_parameters};
use ranklore_store::RunId;

use crate::commands::ratings::leaderboard::describe_run;
use crate::exit::Exit;
use crate::output::{TextTable, format_count, join_words, or_dash, print_line};
use crate::{GlobalArgs, values};

/// Evaluate how accurately a run predicts results
///
/// Predicts each contest from the ratings before it, and compares the prediction with the
/// standings. Pair inversion is the percentage of pairs of entrants predicted in the right order:
/// 100 is perfect, 50 is chance. Rank deviation is the distance between the predicted and the
/// actual place as a percentage of the largest possible: 0 is perfect. Both are averages over
/// results. The first 10 % of the contests are not counted.
///
/// Slices: everybody has at least 1 earlier contest, experienced at least 5; top100 compares the 100
/// best rated of each contest among themselves.
#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    /// Rated source; of a run over several sources, all of them
    #[arg(required_unless_present = "run", value_name = "SOURCE", value_parser = values::parse_source)]
    sources: Vec<SourceName>,
    /// Run to evaluate, by the id that rate and status print [default: the newest]
    #[arg(long, value_name = "ID")]
    run: Option<i64>,
}

impl EvaluateArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let mut store = global.open_writer("ranklore evaluate")?;
        let evaluated = find_run(&store, &self.sources, self.run.map(RunId::new))
            .and_then(|run| evaluate(&mut store, run, values::now()))?;
        global.print_result(&evaluated, || print_evaluation(&evaluated))?;
        Ok(Exit::Done)
    }
}

fn print_evaluation(evaluated: &Evaluation) -> std::io::Result<()> {
    let percent = |of: Option<f64>| or_dash(of.map(|of| format!("{of:.3} %")));
    let run = &evaluated.run;
    let changed = non_default_parameters(&run.system, &run.parameters);
    let settings = join_words(
        changed
            .iter()
            .map(|(key, value)| format_setting(key, value)),
    );
    let settings = match &*settings {
        "" => "default parameters",
        settings => settings,
    };
    print_line(&format!("run {}, {settings}", describe_run(run)))?;
    TextTable::new(&evaluated.slices)
        .left("slice", |of| of.slice.clone())
        .right("contests", |of| format_count(of.contests))
        .right("results", |of| format_count(of.results))
        .right("pair inversion", |of| percent(of.pair_inversion))
        .right("rank deviation", |of| percent(of.rank_deviation))
        .print()
}
