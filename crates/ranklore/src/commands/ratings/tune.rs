//! `ranklore tune`

mod table;
mod trials;

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::{
    RangeOverride, RateRequest, RunSelection, SamplerKind, Setting, SystemName, SystemSpec, rate,
};
use ranklore_store::{Store, Writer};
use ranklore_views::{Metric, SearchOptions, Shard, Train, TuneReport, TuneRequest, tune};

use crate::commands::ratings::evaluate::{parse_compared, parse_share};
use crate::commands::source_argument::resolve_sources;
use crate::exit::{Exit, WrongUsage};
use crate::output::print_note;
use crate::progress::TerminalProgress;
use crate::run_choice::{SystemList, check_name_is_free, parse_name};
use crate::{GlobalArgs, values};

/// Search the parameters with which rating systems predict best
///
/// The first tenth of the contests tunes: each trial replays it with other parameters, within the
/// ranges that ranklore systems NAME lists, and is stored when it begins and when it ends. The rest
/// judges: the best parameters are compared with the default ones in contests that had no part in the
/// search. Interrupted or killed, the same command goes on.
///
/// Trials run in batches. After a quarter and a half of the results, the worse half of a batch ends
/// early.
#[derive(Debug, Args)]
pub(crate) struct TuneArgs {
    /// Sources, tuned together [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    sources: Vec<SourceName>,
    /// Rating systems to tune: all, or a list such as elo-mmr,glicko. Settings replace defaults, and
    /// are searched all the same
    #[arg(long, value_name = "NAME[:KEY=VALUE]", value_parser = parse_compared,
        required_unless_present_any = ["list", "export", "merge"])]
    system: Option<SystemList>,
    /// Trials per system
    #[arg(long, value_name = "N", default_value_t = 100,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    trials: u64,
    /// Metric to optimise
    #[arg(long, value_name = "METRIC", default_value = Metric::Concordance.as_str(),
        hide_possible_values = true,
        value_parser = PossibleValuesParser::new(Metric::ALL.map(Metric::as_str))
            .map(|word| Metric::from_word(&word).unwrap_or(Metric::Concordance)))]
    objective: Metric,
    /// Slice in which it is measured [default: the first with predictions of experienced, everybody,
    /// all]
    #[arg(long, value_name = "SLICE")]
    slice: Option<String>,
    /// Sampler of parameters: grid, random, tpe or cma-es
    #[arg(long, value_name = "NAME", default_value = SamplerKind::Tpe.as_str(),
        hide_possible_values = true,
        value_parser = PossibleValuesParser::new(SamplerKind::ALL.map(SamplerKind::as_str))
            .map(|word| SamplerKind::from_word(&word).unwrap_or_default()))]
    sampler: SamplerKind,
    /// Seed of the sampler
    #[arg(long, value_name = "NUMBER", default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Set a parameter, and do not search it; repeatable
    #[arg(long, value_name = "KEY=VALUE", value_parser = Setting::parse)]
    fix: Vec<Setting>,
    /// Search a parameter in this range; repeatable
    #[arg(long, value_name = "KEY=LOW..HIGH", value_parser = parse_range)]
    space: Vec<RangeOverride>,
    /// Share of the contests that tune [default: 10%]
    #[arg(long, value_name = "PERCENT", value_parser = parse_share)]
    train: Option<f64>,
    /// Tune with all contests that ended before this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_time, conflicts_with = "train")]
    train_until: Option<ContestTime>,
    /// Complete every trial
    #[arg(long)]
    no_prune: bool,
    /// Run only this share of the trials, such as 1/4; for the samplers grid and random
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    shard: Option<Shard>,
    /// Rate the sources with the best parameters, and give the run this name
    #[arg(long, value_name = "NAME", value_parser = parse_name, conflicts_with = "shard")]
    save_as: Option<String>,
    /// List the searches over the sources
    #[arg(long, conflicts_with_all = ["export", "merge", "system"])]
    list: bool,
    /// Write the trials over the sources to this file, as JSON Lines
    #[arg(long, value_name = "FILE", conflicts_with_all = ["merge", "system"])]
    export: Option<PathBuf>,
    /// Add the trials of these files, which --export wrote
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "system")]
    merge: Vec<PathBuf>,
}

impl TuneArgs {
    pub(crate) fn run(mut self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        if self.shard.is_some() && !self.sampler.is_independent() {
            let sampler = self.sampler.as_str();
            return Err(WrongUsage(format!(
                "--shard needs trials that do not depend on earlier ones, unlike those of {sampler}; \
                 use --sampler grid or random"
            ))
            .into());
        }
        let sources = std::mem::take(&mut self.sources);
        if self.list || self.export.is_some() {
            let store = Store::open_reader(global.db())?;
            let selection = select(&store, sources)?;
            return match &self.export {
                Some(path) => trials::export(global, &store, &selection, path),
                None => trials::list(global, &store, &selection),
            };
        }
        let mut store = global.open_writer("ranklore tune")?;
        let selection = select(&store, sources)?;
        let train = self.train.map(Train::Percent);
        let train = train.or(self.train_until.map(Train::Until));
        if !self.merge.is_empty() {
            return trials::merge(global, &mut store, &selection, train, &self.merge);
        }
        self.tune(global, &mut store, selection, train)
    }

    fn tune(
        self,
        global: &GlobalArgs,
        store: &mut Writer,
        selection: RunSelection,
        train: Option<Train>,
    ) -> anyhow::Result<Exit> {
        let Some(SystemList(systems)) = self.system else {
            return Err(WrongUsage("--system names no system".to_owned()).into());
        };
        if let Some(name) = &self.save_as {
            check_save_as(store, name, &selection, &systems)?;
        }
        let request = TuneRequest {
            selection,
            systems,
            train,
            search: SearchOptions {
                ranges: self.space,
                fixed: self.fix,
                trials: self.trials,
                objective: self.objective,
                slice: self.slice,
                sampler: self.sampler,
                seed: self.seed,
                prunes: !self.no_prune,
                shard: self.shard,
            },
            now: values::now(),
        };
        let progress = TerminalProgress::new();
        let result = tune(store, &request, &progress);
        progress.finish();
        let report = result?;
        table::print(global, &report)?;
        if report.interrupted {
            print_note("interrupted: the trials that ended are stored; the same command goes on");
            return Ok(Exit::Interrupted);
        }
        if let Some(name) = &self.save_as {
            save(store, &report, &request, name, &progress)?;
        }
        if self.shard.is_some() {
            let sources = request.selection.format_sources();
            global.suggest(&format!("ranklore tune {sources} --export FILE"));
        }
        Ok(Exit::Done)
    }
}

/// Returns the contests of the named sources, or of the only one.
fn select(store: &Store, sources: Vec<SourceName>) -> anyhow::Result<RunSelection> {
    Ok(RunSelection {
        sources: resolve_sources(store, sources)?,
        ..RunSelection::default()
    })
}

/// Errors unless the run of one system can have a name.
fn check_save_as(
    store: &Writer,
    name: &str,
    selection: &RunSelection,
    systems: &[SystemSpec],
) -> anyhow::Result<()> {
    let [spec] = systems else {
        let message = "--save-as names the run of one system: choose one with --system";
        return Err(WrongUsage(message.to_owned()).into());
    };
    // The same command may have made it.
    let selection = selection.canonical_json();
    check_name_is_free(store, name, |run| {
        run.selection == selection && run.system == spec.system.as_str()
    })
}

/// Rates the sources with the best parameters, and names the run.
fn save(
    store: &mut Writer,
    report: &TuneReport,
    request: &TuneRequest,
    name: &str,
    progress: &TerminalProgress,
) -> anyhow::Result<()> {
    let Some(tuned) = report.systems.first() else {
        return Ok(());
    };
    let system = SystemName::find(&tuned.system)?;
    let parameters = serde_json::from_str(&tuned.parameters)?;
    let rated = rate(
        store,
        RateRequest {
            selection: request.selection.clone(),
            system: system.with_parameters(&parameters)?,
            skip_unsupported: false,
            now: request.now,
        },
        progress,
    );
    progress.finish();
    let run_id = rated?.run_id;
    check_name_is_free(store, name, |run| run.run_id == run_id)?;
    let mut batch = store.batch()?;
    batch.set_run_name(run_id, Some(name))?;
    batch.commit()?;
    print_note(&format!("run {run_id} has the best parameters, and the name \"{name}\""));
    Ok(())
}

/// Parses a range of a parameter, for clap.
fn parse_range(text: &str) -> Result<RangeOverride, String> {
    RangeOverride::parse(text).map_err(|error| error.to_string())
}

/// Parses a share of a search, for clap.
fn parse_shard(text: &str) -> Result<Shard, String> {
    Shard::parse(text).ok_or_else(|| {
        "expected a share from 1/N to N/N, such as 1/4 for the first of four".to_owned()
    })
}
