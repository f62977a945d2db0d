//! `ranklore evaluate`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_replay::{Evaluated, evaluate, find_run};
use ranklore_store::{RunId, Store};
use serde_json::{Value, json};

use crate::commands::ratings::leaderboard::narrowed;
use crate::exit::Exit;
use crate::output::{Align, Column, count, number, say, say_json, say_table};
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
        drop(Store::open_reader(global.db())?);
        let mut store = Store::open_writer(global.db(), "ranklore evaluate")?;
        let evaluated = find_run(&store, &self.sources, self.run.map(RunId::new))
            .and_then(|run| evaluate(&mut store, run, words::now()))?;
        if global.json {
            say_json(&json_of(&evaluated))?;
        } else {
            say_evaluated(&evaluated)?;
        }
        Ok(Exit::Done)
    }
}

pub(crate) fn say_evaluated(evaluated: &Evaluated) -> std::io::Result<()> {
    let columns = [
        Column("slice", Align::Left),
        Column("contests", Align::Right),
        Column("results", Align::Right),
        Column("pair inversion", Align::Right),
        Column("rank deviation", Align::Right),
    ];
    let percent =
        |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3} %"));
    let rows = evaluated.slices.iter().map(|slice| {
        vec![
            slice.slice.as_str().to_owned(),
            count(slice.contests),
            count(slice.results),
            percent(slice.pair_inversion),
            percent(slice.rank_deviation),
        ]
    });
    say(&format!(
        "run {}, {}{} {}",
        evaluated.run.run_id,
        evaluated.run.system,
        narrowed(&evaluated.run),
        evaluated.run.parameters
    ))?;
    say_table(&columns, rows.collect())
}

pub(crate) fn json_of(evaluated: &Evaluated) -> Value {
    let slices: Vec<Value> = evaluated
        .slices
        .iter()
        .map(|slice| {
            json!({
                "slice": slice.slice.as_str(),
                "contests": slice.contests,
                "results": slice.results,
                "pair_inversion": number(slice.pair_inversion),
                "rank_deviation": number(slice.rank_deviation),
            })
        })
        .collect();
    let run = &evaluated.run;
    json!({
        "run_id": run.run_id.get(),
        "system": run.system,
        "selection": serde_json::from_str::<Value>(&run.selection).unwrap_or(Value::Null),
        "parameters": serde_json::from_str::<Value>(&run.parameters).unwrap_or(Value::Null),
        "slices": slices,
    })
}
