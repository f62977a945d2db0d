//! `ranklore evaluate`

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::{
    Error as ReplayError, RunChoice, RunSelection, SystemSpec, find_all_runs, find_run,
    format_setting, non_default_parameters,
};
use ranklore_store::{RunId, RunRow, Writer};
use ranklore_views::{
    CellValue, Columns, ComparisonRequest, Evaluation, EvaluationSettings, Metric, Plausibility,
    SliceAccuracy, SliceBy, Train, compare_systems, evaluate, find_display,
};
use serde::Serialize;

use crate::commands::ratings::charts::write_charts;
use crate::commands::ratings::comparison::{self, format_metric, heading};
use crate::commands::ratings::leaderboard::describe_filters;
use crate::commands::source_argument::resolve_sources;
use crate::exit::Exit;
use crate::next_command::{describe_empty_selection, update_run_command};
use crate::output::{
    escape_line, format_count, format_points, join_words, or_dash, print_line, print_note,
    print_table,
};
use crate::progress::TerminalProgress;
use crate::run_choice::{SystemList, describe_run, parse_systems};
use crate::{GlobalArgs, values};

/// Evaluate how accurately runs and rating systems predict results
///
/// Predicts each contest from the ratings before it, and compares the prediction with the
/// standings. Concordance is the percentage of pairs of entrants that finished in the predicted
/// order; higher is better, 100 is perfect. A pair of equal ratings counts one half, a pair that
/// tied is not counted. Two baselines are beside it: prediction by the place in the previous
/// contest, and a coin toss. docs/metrics.md defines all metrics.
///
/// With --systems, replays rating systems in memory over the same contests, and compares them: best
/// first, with 95 % intervals of the differences to the best. Writes no run.
///
/// Slices: everybody has at least 1 earlier contest, experienced at least 5; top100 compares the 100
/// best placed of each contest among themselves; all has newcomers, too; --by adds others.
#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    /// Rated source; of a run over several sources, all of them [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    sources: Vec<SourceName>,
    #[command(flatten)]
    run: RunChoice,
    /// Evaluate all runs over the sources, and compare them
    #[arg(long, conflicts_with_all = ["run", "system", "settings"])]
    all: bool,
    /// Compare these systems without runs: all, or a list such as elo-mmr:rho=2,glicko
    #[arg(long, value_name = "NAME[:KEY=VALUE]", value_parser = parse_compared,
        conflicts_with_all = ["run", "system", "settings", "all"])]
    systems: Option<SystemList>,
    /// Share of the contests that train before the first prediction [default: 10%]
    #[arg(long, value_name = "PERCENT", value_parser = parse_share)]
    train: Option<f64>,
    /// Train with all contests that ended before this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_time, conflicts_with = "train")]
    train_until: Option<ContestTime>,
    /// Replay only contests that ended on this date or later: nothing is known before them
    #[arg(long, value_name = "DATE", value_parser = values::parse_time, requires = "systems",
        conflicts_with_all = ["run", "system", "all"])]
    since: Option<ContestTime>,
    /// Evaluate only contests that ended before this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_time)]
    until: Option<ContestTime>,
    /// Further slices: experience, size, division, year, half
    #[arg(long, value_name = "WHAT", value_parser = parse_slicing, value_delimiter = ',')]
    by: Vec<SliceBy>,
    /// Count newcomers in slices by size, division, year and half
    #[arg(long, requires = "by")]
    newcomers: bool,
    /// Predict by mu - K sigma
    #[arg(long, value_name = "K", value_parser = values::parse_factor, default_value = "0")]
    k: f64,
    /// Seed of the sampled pairs and intervals
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Metric that orders compared systems, or all for a row per metric [default: concordance]
    #[arg(long, value_name = "NAME", value_parser = parse_metric, requires = "systems",
        conflicts_with_all = ["run", "system", "all"])]
    metric: Option<ChosenMetric>,
    /// Slice that orders compared systems [default: the first with predictions of
    /// experienced, everybody, all]
    #[arg(long, value_name = "SLICE", requires = "systems",
        conflicts_with_all = ["run", "system", "all"])]
    slice: Option<String>,
    /// Count the displayed ratings that equal those of the site
    #[arg(long, value_name = "RUN", value_parser = ["official"])]
    against: Option<String>,
    /// Write charts of the comparison to this folder
    #[arg(long, value_name = "FOLDER", requires = "systems",
        conflicts_with_all = ["run", "system", "all"])]
    svg: Option<PathBuf>,
}

impl EvaluateArgs {
    pub(crate) fn run(mut self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let mut store = global.open_writer("ranklore evaluate")?;
        if self.run.run.is_none() {
            self.sources = resolve_sources(&store, std::mem::take(&mut self.sources))?;
        }
        if let Some(SystemList(systems)) = self.systems.take() {
            return self.compare(global, &mut store, systems);
        }
        let settings = self.settings();
        let official = self.against.is_some();
        if !self.all {
            let choice = self.run;
            let evaluation = find_run(&store, &self.sources, &choice)
                .and_then(|run| evaluate(&mut store, run, &settings, official, values::now()))?;
            let rows = slice_rows(std::slice::from_ref(&evaluation));
            global.print_rows(&evaluation, &rows, &columns().keys(), || {
                print_evaluation(global, &evaluation, &rows)
            })?;
            global.note_run(&store, &choice, &evaluation.run, false)?;
            return Ok(Exit::Done);
        }
        let mut evaluations = Vec::new();
        for run in find_all_runs(&store, &self.sources)? {
            let run_name = describe_run(&run);
            // Runs that are stale or empty are left out.
            let reason = match evaluate(&mut store, run, &settings, official, values::now()) {
                Ok(evaluation) => {
                    evaluations.push(evaluation);
                    continue;
                }
                Err(ReplayError::StaleRun { run, reason }) => {
                    let rate = global.with_db(&update_run_command(&run));
                    format!("{reason}; `{rate}` updates it")
                }
                Err(ReplayError::NoContests(empty)) => describe_empty_selection(&empty),
                Err(damage @ ReplayError::DamagedParameters { .. }) => damage.to_string(),
                Err(error) => return Err(error.into()),
            };
            let note = format!("warning: run {run_name} is left out: {reason}");
            print_note(&escape_line(&note));
        }
        if evaluations.is_empty() {
            anyhow::bail!("no run can be evaluated");
        }
        // The most accurate first.
        evaluations.sort_by(|a, b| headline(b).total_cmp(&headline(a)));
        let rows = slice_rows(&evaluations);
        global.print_rows(&evaluations, &rows, &columns().keys(), || print_runs(&evaluations))
    }

    fn compare(
        self,
        global: &GlobalArgs,
        store: &mut Writer,
        systems: Vec<SystemSpec>,
    ) -> anyhow::Result<Exit> {
        let mut settings = self.settings();
        // One of the charts is by year.
        if self.svg.is_some() && !settings.slices.contains(&SliceBy::Year) {
            settings.slices.push(SliceBy::Year);
        }
        let progress = TerminalProgress::new();
        let request = ComparisonRequest {
            selection: RunSelection {
                sources: self.sources,
                since: self.since,
                ..RunSelection::default()
            },
            systems,
            settings,
            metric: match self.metric {
                Some(ChosenMetric::One(metric)) => metric,
                Some(ChosenMetric::All) | None => Metric::Concordance,
            },
            slice: self.slice,
            against_official: self.against.is_some(),
            now: values::now(),
        };
        let result = compare_systems(store, &request, &progress);
        progress.finish();
        let comparison = result?;
        if let Some(folder) = &self.svg {
            write_charts(&comparison, folder)?;
        }
        if self.metric == Some(ChosenMetric::All) {
            let rows = comparison::metric_rows(&comparison);
            let keys = comparison::metric_columns().keys();
            return global
                .print_rows(&comparison, &rows, &keys, || comparison::print_metrics(&comparison));
        }
        let rows = comparison::rows(&comparison);
        global.print_rows(&comparison, &rows, &comparison::columns(&comparison).keys(), || {
            comparison::print_comparison(&comparison)
        })
    }

    fn settings(&self) -> EvaluationSettings {
        let train = self.train.map(Train::Percent);
        let train = train.or(self.train_until.map(Train::Until));
        EvaluationSettings {
            train,
            until: self.until,
            slices: self.by.clone(),
            with_newcomers: self.newcomers,
            k: self.k,
            seed: self.seed,
        }
    }
}

/// Parses the systems to compare: a list, or `all`.
pub(crate) fn parse_compared(words: &str) -> Result<SystemList, String> {
    match words {
        "all" => Ok(SystemList(SystemSpec::all())),
        list => parse_systems(list),
    }
}

/// Parses a percentage from 0 to below 100, with or without the sign.
pub(crate) fn parse_share(word: &str) -> Result<f64, String> {
    let percent: Option<f64> = word.strip_suffix('%').unwrap_or(word).trim().parse().ok();
    let percent = percent.filter(|percent| (0.0..100.0).contains(percent));
    percent.ok_or_else(|| "expected a percentage from 0 to below 100, such as 10%".to_owned())
}

/// The metrics of a comparison to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChosenMetric {
    One(Metric),
    All,
}

fn parse_metric(word: &str) -> Result<ChosenMetric, String> {
    if word == "all" {
        return Ok(ChosenMetric::All);
    }
    Metric::from_word(word).map(ChosenMetric::One).ok_or_else(|| {
        let words = Metric::ALL.map(Metric::as_str).join(", ");
        format!("there is no metric \"{word}\": choose all, or one of {words}")
    })
}

fn parse_slicing(word: &str) -> Result<SliceBy, String> {
    let expected = "expected experience, size, division, year or half";
    SliceBy::from_word(word).ok_or_else(|| expected.to_owned())
}

/// Returns the columns of the accuracy in slices.
fn columns<'a>() -> Columns<'a, SliceRow<'a>> {
    let percent = |share: Option<f64>| or_dash(share.map(|share| format!("{share:.3} %")));
    let mut columns = Columns::new()
        .data(&["run_id", "system"])
        .left("slice", |row: &SliceRow<'a>| CellValue::text(&row.accuracy.slice))
        .right("contests", |row| format_count(row.accuracy.contests))
        .right("results", |row| format_count(row.accuracy.results));
    for metric in Metric::ALL {
        let column = columns.right((metric.as_str(), heading(metric)), move |row| {
            let value = row.accuracy.metrics.get(metric);
            match metric {
                Metric::LogLoss | Metric::Brier | Metric::Top1 => format_metric(metric, value),
                _ => percent(value),
            }
        });
        columns = match metric {
            Metric::Concordance => column.important(),
            Metric::PairInversion | Metric::RankDeviation => column,
            Metric::LogLoss | Metric::Brier | Metric::Top1 => column.before("pair_inversion"),
            _ => column.shown_if(false),
        };
    }
    columns
        .right(("previous_place_concordance", "previous place"), move |row| {
            percent(row.accuracy.previous_place_concordance)
        })
        .before("log_loss")
        .right("coin toss", move |row| {
            percent(row.accuracy.metrics.get(Metric::Concordance).map(|_| 50.0))
        })
        .not_in_data()
        .before("log_loss")
}

/// The accuracy of a run in a slice.
#[derive(Serialize)]
struct SliceRow<'a> {
    /// The run.
    run_id: RunId,
    /// The rating system.
    system: &'a str,
    /// The accuracy.
    #[serde(flatten)]
    accuracy: &'a SliceAccuracy,
}

fn slice_rows(evaluations: &[Evaluation]) -> Vec<SliceRow<'_>> {
    let rows = evaluations.iter().flat_map(|evaluation| {
        let run = &evaluation.run;
        evaluation.slices.iter().map(|accuracy| SliceRow {
            run_id: run.run_id,
            system: &run.system,
            accuracy,
        })
    });
    rows.collect()
}

/// Returns the concordance of the experienced, or of everybody if nobody is: the order of
/// comparisons. 0 without predictions.
fn headline(evaluation: &Evaluation) -> f64 {
    let concordance = evaluation.concordance("experienced").or(evaluation.concordance("everybody"));
    concordance.unwrap_or(0.0)
}

fn describe_settings(run: &RunRow) -> String {
    let parameters = non_default_parameters(&run.system, &run.parameters);
    let settings = parameters.iter();
    join_words(settings.map(|(key, value)| format_setting(key, value)))
}

fn print_evaluation(
    global: &GlobalArgs,
    evaluated: &Evaluation,
    rows: &[SliceRow<'_>],
) -> std::io::Result<()> {
    let run = &evaluated.run;
    let settings = match non_default_parameters(&run.system, &run.parameters).as_slice() {
        [] => ", default parameters",
        _ => "",
    };
    print_line(&format!("run {}{settings}", describe_run(run)))?;
    print_table(columns(), rows)?;
    print_line(
        "concordance: pairs that finished in the predicted order; higher is better; two baselines \
         follow it",
    )?;
    if let Some(line) = describe_surprise(global, evaluated) {
        print_line(&line)?;
    }
    print_line(&describe_plausibility(evaluated))?;
    let figures = &evaluated.plausibility;
    print_line(&format!(
        "last places: {} of {} raised the rating",
        format_count(figures.last_place_gains),
        format_count(figures.last_places)
    ))?;
    match &evaluated.official {
        None => Ok(()),
        Some(official) => print_line(&format!(
            "displayed ratings equal to those of the site: {} of {}{}",
            format_count(official.equal),
            format_count(official.ratings),
            official
                .percent()
                .map_or_else(String::new, |percent| format!(" ({percent:.2} %)"))
        )),
    }
}

/// The values of [`Metric::Surprise`] that need no advice.
const FITTING_SURPRISE: RangeInclusive<f64> = 0.8..=1.25;

/// The results from which on [`Metric::Surprise`] is judged: its standard error is 8 % then.
const JUDGED_RESULTS: u64 = 300;

/// Describes how well the spread of results fits sigma, and what to try if it does not; `None`
/// without win probabilities.
fn describe_surprise(global: &GlobalArgs, evaluated: &Evaluation) -> Option<String> {
    let mut slices = ["experienced", "everybody"].into_iter();
    let slice = slices.find_map(|slice| evaluated.slice(slice).filter(|row| row.contests > 0))?;
    let ratio = slice.metrics.get(Metric::Surprise)?;
    let fit = format!("surprise: {ratio:.2} times what mu and sigma predict");
    if slice.results < JUDGED_RESULTS || FITTING_SURPRISE.contains(&ratio) {
        return Some(fit + "; 1 fits");
    }
    let reason = if ratio > 1.0 {
        "sigma is too small"
    } else {
        "ratings are too close together or sigma is too great"
    };
    let run = &evaluated.run;
    let settings = non_default_parameters(&run.system, &run.parameters);
    let unfinished = evaluated.plausibility.unfinished_percent.filter(|percent| *percent > 0.0);
    let has_default_dnf = settings.iter().all(|(name, _)| name != "dnf");
    let remedy = match unfinished.filter(|_| has_default_dnf) {
        Some(percent) => {
            let command = global.with_db(&format!("{} --dnf drop", update_run_command(run)));
            format!("{percent:.1} % of the results are no finish: try `{command}`")
        }
        None => format!("try another drift or noise: `ranklore systems {}`", run.system),
    };
    Some(format!("{fit}; 1 fits: {reason}; {remedy}"))
}

fn describe_plausibility(evaluated: &Evaluation) -> String {
    let figures = &evaluated.plausibility;
    let (Some(lowest), Some(highest)) = (figures.lowest_mu, figures.highest_mu) else {
        return "no ratings".to_owned();
    };
    let decimals = find_display(&evaluated.run).decimals;
    let [lowest, highest] = [lowest, highest].map(|mu| format_points(mu, decimals));
    format!(
        "ratings: from {lowest} to {highest}; competitors with a single contest among the \
         first 100: {}",
        figures.one_contest_in_top_100
    )
}

/// Prints one row per run, the most accurate first.
fn print_runs(evaluations: &[Evaluation]) -> std::io::Result<()> {
    let percent = |share: Option<f64>| or_dash(share.map(|share| format!("{share:.2}")));
    let points = |evaluation: &Evaluation, select: fn(&Plausibility) -> Option<f64>| {
        let decimals = find_display(&evaluation.run).decimals;
        let mu = select(&evaluation.plausibility);
        or_dash(mu.map(|mu| format_points(mu, decimals)))
    };
    print_line("concordance in percent, higher is better; a coin toss has 50")?;
    let columns = Columns::new()
        .right("run", |evaluation: &Evaluation| evaluation.run.run_id.to_string())
        .left("system", |evaluation| {
            evaluation.run.system.clone() + &describe_filters(&evaluation.run)
        })
        .right("experienced", move |row| percent(row.concordance("experienced")))
        .right("previous place", move |evaluation| {
            let slice = evaluation.slice("experienced");
            percent(slice.and_then(|slice| slice.previous_place_concordance))
        })
        .right("everybody", move |row| percent(row.concordance("everybody")))
        .right("top100", move |row| percent(row.concordance("top100")))
        .right("lowest mu", move |row| points(row, |figures| figures.lowest_mu))
        .right("highest mu", move |evaluation| points(evaluation, |figures| figures.highest_mu))
        .right("1 contest in top 100", |evaluation| {
            evaluation.plausibility.one_contest_in_top_100.to_string()
        })
        .left("parameters", |row| {
            Some(describe_settings(&row.run)).filter(|settings| !settings.is_empty())
        })
        .shown_if_any(evaluations);
    print_table(columns, evaluations)
}
