//! `ranklore evaluate`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_replay::{Evaluated, evaluate, find_run};
use ranklore_store::RunId;

use crate::commands::ratings::leaderboard::narrowed;
use crate::exit::Exit;
use crate::output::{Table, count, or_dash, say};
use crate::{Global, words};

/// Say how well a run predicted: before each contest, by the ratings then.
///
/// Pair inversion is the share of opponents ordered rightly, rank deviation the distance
/// between predicted and actual place over the largest possible, both in percent and averaged
/// over results. The first tenth of the contests is left out. Everybody: at least one earlier
/// contest; experienced: at least five; top100: the first hundred of everybody, among
/// themselves.
#[derive(Debug, Args)]
pub(crate) struct Evaluate {
    /// Of the newest run over these sources
    #[arg(required_unless_present = "run", value_name = "SOURCE", value_parser = words::source)]
    sources: Vec<SourceName>,
    /// Of this run
    #[arg(long, value_name = "ID")]
    run: Option<i64>,
}

impl Evaluate {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        let mut store = global.open_writer("ranklore evaluate")?;
        let evaluated = find_run(&store, &self.sources, self.run.map(RunId::new))
            .and_then(|run| evaluate(&mut store, run, words::now()))?;
        global.show(&evaluated, || say_evaluated(&evaluated))?;
        Ok(Exit::Done)
    }
}

pub(crate) fn say_evaluated(evaluated: &Evaluated) -> std::io::Result<()> {
    let percent = |of: Option<f64>| or_dash(of.map(|of| format!("{of:.3} %")));
    let run = &evaluated.run;
    let (narrowed, parameters) = (narrowed(run), &run.parameters);
    say(&format!(
        "run {}, {}{narrowed} {parameters}",
        run.run_id, run.system
    ))?;
    Table::new(&evaluated.slices)
        .left("slice", |of| of.slice.clone())
        .right("contests", |of| count(of.contests))
        .right("results", |of| count(of.results))
        .right("pair inversion", |of| percent(of.pair_inversion))
        .right("rank deviation", |of| percent(of.rank_deviation))
        .say()
}
