//! `ranklore rate`

use std::time::Instant;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ranklore_contest::ContestTime;
use ranklore_ingest::{Error, find_site};
use ranklore_replay::{
    AllTied, Error as ReplayError, OversizedContests, RateReport, RateRequest, RatingPeriod,
    RunChoice, RunSelection, Setting, System, SystemName, SystemSpec, TeamMode, UnfinishedPolicy,
    Weights, find_default_system, find_run, format_system, rate, reset_needless_team_mode,
};
use ranklore_store::{RunRow, Store, Writer};
use ranklore_views::Columns;
use serde::Serialize;

use crate::commands::source_argument::{find_named_run, parse_sources, resolve_sources};
use crate::exit::{Exit, WrongUsage};
use crate::output::{
    escape_line, format_count, format_plural, join_words, output_format, print_data, print_note,
    print_table,
};
use crate::progress::TerminalProgress;
use crate::run_choice::{SetArgs, SystemList, parse_systems};
use crate::{GlobalArgs, values};

/// Compute ratings from the contests of a source
///
/// Processes contests in order of time and stores the rating, uncertainty and performance of every
/// entrant after each contest as a run. The same system, parameters and contests are the same run:
/// rating again updates it from the first new or changed contest on, with the same ratings as a
/// replay of all contests.
#[derive(Debug, Args)]
pub(crate) struct RateArgs {
    /// Sources to rate; each gets a run of its own, unless --together [default: the only one of the
    /// database]. Or the name of a run, which is rated again
    #[arg(value_name = "SOURCE")]
    words: Vec<String>,
    /// Rating systems, comma-separated, with settings such as elo-mmr:rho=2,glicko; ranklore systems
    /// lists them [default: that of the source, elo-mmr]
    #[arg(long, value_name = "NAME[:KEY=VALUE]", value_parser = parse_systems)]
    system: Option<SystemList>,
    #[command(flatten)]
    set: SetArgs,
    /// Rate entrants who did not finish as censored (behind all finishers, in unknown order), as
    /// tied for the last place, or drop them [default: by system]
    #[arg(long, value_name = "HOW",
        value_parser = parameter_words("dnf", UnfinishedPolicy::ALL.map(UnfinishedPolicy::as_str)))]
    dnf: Option<Setting>,
    /// Rate contests whose entrants are all tied, such as drawn games, or skip them [default: rate]
    #[arg(long, value_name = "HOW",
        value_parser = parameter_words("all-tied", AllTied::ALL.map(AllTied::as_str)))]
    all_tied: Option<Setting>,
    /// Rate the games of a period together, against the ratings from before it: days such as 1d or 7d,
    /// month, or event; only some systems have rating periods [default: each contest alone]
    #[arg(long, value_name = "LENGTH", value_parser = parse_period)]
    period: Option<Setting>,
    /// Rate a team as a whole, or its members; only some systems can rate members [default: whole]
    #[arg(long, value_name = "WHO",
        value_parser = parameter_words("teams", TeamMode::VARIANTS.map(TeamMode::as_str)))]
    teams: Option<Setting>,
    /// Use every rating system that supports contests of these sizes, with its default parameters
    #[arg(long, conflicts_with_all = ["system", "settings", "dnf", "all_tied", "period", "teams"])]
    all: bool,
    /// Leave out contests that are too large for the system instead of refusing
    #[arg(long)]
    skip_unsupported: bool,
    /// Only contests of this division
    #[arg(long, value_name = "NAME")]
    division: Option<String>,
    /// Only contests that ended on or after this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_time)]
    since: Option<ContestTime>,
    /// Only contests that ended before this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_time)]
    until: Option<ContestTime>,
    /// Rate all sources in one run
    #[arg(long)]
    together: bool,
}

/// Runs to rate, and selections without a run: their contests are too large for a system.
#[derive(Default)]
struct RunPlan<'a> {
    runs: Vec<(&'a RunSelection, System)>,
    left_out: Vec<(&'a RunSelection, OversizedContests)>,
}

/// A run that was rated.
#[derive(Serialize)]
struct RatedRun {
    /// The selection of contests.
    #[serde(skip)]
    selection: RunSelection,
    /// The report of the run.
    #[serde(flatten)]
    report: RateReport,
    /// The duration in seconds.
    seconds: f64,
}

impl RateArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let chosen = self.choose_systems()?;
        let progress = TerminalProgress::new();
        let mut store = global.open_writer("ranklore rate")?;
        let named_run = find_named_run(&store, &self.words)?;
        let selections = match &named_run {
            Some(run) => vec![RunSelection::from_canonical_json(&run.selection)],
            None => self.select(&store)?,
        };
        let plan = match &named_run {
            Some(run) => self.plan_named_run(run, &selections[0])?,
            None => self.plan_runs(&store, &selections, chosen.as_deref())?,
        };
        let mut rated = Vec::new();
        let mut runs = plan.runs.into_iter();
        let completion: Result<(), Error> = runs.try_for_each(|(selection, system)| {
            let request = RateRequest {
                selection: selection.clone(),
                system,
                skip_unsupported: self.skip_unsupported,
                now: values::now(),
            };
            rated.push(rate_one(&mut store, request, &progress)?);
            Ok(())
        });
        let next = next_command(&store, &rated);
        drop(store);
        progress.finish();
        // Runs finished before an interruption or a failure are stored, and reported.
        if output_format().is_data() {
            if completion.is_ok() || !rated.is_empty() {
                print_data(&rated)?;
            }
        } else if !rated.is_empty() {
            print_runs(&rated)?;
        }
        note_left_out(&plan.left_out);
        note_drifts(&rated);
        completion?;
        if let Some(next) = next.filter(|_| !output_format().is_data()) {
            global.suggest(&next);
        }
        Ok(Exit::Done)
    }

    /// Returns the contests of each run: each source has a run of its own, unless all share one.
    fn select(&self, store: &Store) -> anyhow::Result<Vec<RunSelection>> {
        let sources = resolve_sources(store, parse_sources(&self.words)?)?;
        let sources_per_run = if self.together { sources.len() } else { 1 };
        let selections = sources.chunks(sources_per_run).map(|sources| RunSelection {
            sources: sources.to_vec(),
            division: self.division.clone(),
            since: self.since,
            until: self.until,
        });
        separate_divisions(store, selections.collect())
    }

    /// Returns a run as it was rated before. Errors if options would make it another one.
    fn plan_named_run<'a>(
        &self,
        run: &RunRow,
        selection: &'a RunSelection,
    ) -> anyhow::Result<RunPlan<'a>> {
        let settings = [&self.dnf, &self.all_tied, &self.period, &self.teams];
        let has_system = self.all
            || self.system.is_some()
            || !self.set.settings.is_empty()
            || settings.iter().any(|setting| setting.is_some());
        let has_selection = self.together
            || self.division.is_some()
            || self.since.is_some()
            || self.until.is_some();
        if has_system || has_selection {
            return Err(WrongUsage(format!(
                "run \"{}\" has a system and contests of its own; leave out its name, or the \
                 options that choose others",
                run.name.as_deref().unwrap_or_default()
            ))
            .into());
        }
        Ok(RunPlan {
            runs: vec![(selection, System::from_run(run)?)],
            left_out: Vec::new(),
        })
    }

    /// Returns the runs of all selections. Errors before the first is rated, so that all runs are
    /// written or none.
    fn plan_runs<'a>(
        &self,
        store: &Store,
        selections: &'a [RunSelection],
        chosen: Option<&[SystemSpec]>,
    ) -> anyhow::Result<RunPlan<'a>> {
        let mut plan = RunPlan::default();
        for selection in selections {
            selection.ensure_contests(store)?;
            let systems = match chosen {
                Some(systems) => systems.to_vec(),
                None => vec![self.configure(find_default_system(store, &selection.sources)?)?],
            };
            let is_only_run =
                !self.all && !self.skip_unsupported && selections.len() * systems.len() == 1;
            for mut spec in systems {
                if reset_needless_team_mode(store, selection, &mut spec)? {
                    let sources = selection.format_sources();
                    print_note(&format!(
                        "note: {sources} has no teams with known members: --teams members rates \
                         as without it"
                    ));
                }
                let system = spec.build()?;
                // A run that has lost its durations later is continued.
                if system.weights == Weights::Duration
                    && system.weights.lack_durations(&selection.contests(store)?)
                {
                    return Err(ReplayError::NoDurations.into());
                }
                // Rating refuses them before it writes; of several runs none is to be written.
                let oversized = match system.about.max_entrants {
                    Some(_) if !is_only_run => {
                        system.find_oversized_contests(store, &selection.contests(store)?)?
                    }
                    _ => None,
                };
                match oversized {
                    Some(oversized) if oversized.are_all() || !self.skip_unsupported => {
                        if !self.all {
                            return Err(ReplayError::OversizedContests(Box::new(oversized)).into());
                        }
                        // With --all, the systems that can rate the contests are enough.
                        plan.left_out.push((selection, oversized));
                    }
                    _ => plan.runs.push((selection, system)),
                }
            }
        }
        Ok(plan)
    }

    /// Returns the systems with all settings; none for the default systems of the sources.
    fn choose_systems(&self) -> anyhow::Result<Option<Vec<SystemSpec>>> {
        if self.all {
            return Ok(Some(SystemSpec::all()));
        }
        let Some(SystemList(systems)) = &self.system else {
            return Ok(None);
        };
        self.set.check_systems(systems)?;
        let systems = systems.iter().cloned().map(|spec| self.configure(spec));
        Ok(Some(systems.collect::<Result<_, _>>()?))
    }

    /// Adds the settings of the options to a system.
    fn configure(&self, spec: SystemSpec) -> Result<SystemSpec, ReplayError> {
        let options = [&self.dnf, &self.all_tied, &self.period, &self.teams];
        let settings = self.set.settings.iter().chain(options.into_iter().flatten());
        let settings: Vec<Setting> = settings.cloned().collect();
        spec.with_settings(&settings)
    }
}

/// Replaces each selection of a source whose site rates divisions apart by one for each division.
/// Contests without a division are then not rated.
fn separate_divisions(
    store: &Store,
    selections: Vec<RunSelection>,
) -> anyhow::Result<Vec<RunSelection>> {
    let mut separated = Vec::with_capacity(selections.len());
    for selection in selections {
        let separating = selection.sources.iter().find(|source| {
            let site = find_site(source.as_str());
            site.is_some_and(|site| site.profile.separates_divisions)
        });
        let Some(source) = separating.filter(|_| selection.division.is_none()) else {
            separated.push(selection);
            continue;
        };
        let divisions = selection.divisions(store)?;
        if divisions.is_empty() {
            // Imported contests may have no divisions.
            separated.push(selection);
        } else if selection.sources.len() > 1 {
            let names = join_words(divisions.iter().map(|name| format!("\"{name}\"")));
            let message = format!("{source} rates its divisions apart; add --division: {names}");
            return Err(WrongUsage(message).into());
        } else {
            separated.extend(divisions.into_iter().map(|division| RunSelection {
                division: Some(division),
                ..selection.clone()
            }));
        }
    }
    Ok(separated)
}

/// Returns the setting of the parameter that an option names.
fn parameter_setting(option: &str, word: &str) -> Setting {
    Setting {
        name: option.replace('-', "_"),
        value: word.into(),
        origin: format!("--{option} {word}"),
    }
}

/// Returns a parser of the words of an option that names a parameter, for clap.
fn parameter_words<const N: usize>(
    option: &'static str,
    words: [&'static str; N],
) -> impl TypedValueParser<Value = Setting> {
    PossibleValuesParser::new(words).map(move |word| parameter_setting(option, &word))
}

/// Parses a rating period, for clap.
fn parse_period(word: &str) -> Result<Setting, String> {
    match RatingPeriod::from_word(word) {
        Some(_) => Ok(parameter_setting("period", word)),
        None => Err("use days such as 1d or 7d, month, or event".to_owned()),
    }
}

fn rate_one(
    store: &mut Writer,
    request: RateRequest,
    progress: &TerminalProgress,
) -> Result<RatedRun, Error> {
    let start = Instant::now();
    let selection = request.selection.clone();
    Ok(RatedRun {
        report: rate(store, request, progress)?,
        selection,
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// Returns the command that shows the ratings: by the sources of the last run, or by its id if views
/// of these sources show a run that was not rated.
fn next_command(store: &Store, rated: &[RatedRun]) -> Option<String> {
    let last = rated.last()?;
    let default_run = find_run(store, &last.selection.sources, &RunChoice::default());
    let mut rated_ids = rated.iter().map(|run| run.report.run_id);
    Some(if default_run.is_ok_and(|run| rated_ids.any(|id| id == run.run_id)) {
        format!("ranklore leaderboard {}", last.selection.format_sources())
    } else {
        format!("ranklore leaderboard --run {}", last.report.run_id)
    })
}

/// Prints the selections that have no run as their contests are too large for a system.
fn note_left_out(left_out: &[(&RunSelection, OversizedContests)]) {
    for (selection, oversized) in left_out {
        let sources = selection.format_sources();
        let skip = if oversized.are_all() {
            ""
        } else {
            "; --skip-unsupported rates the others"
        };
        print_note(&escape_line(&format!("note: no run of {sources}: {oversized}{skip}")));
    }
}

fn print_runs(rated: &[RatedRun]) -> std::io::Result<()> {
    let columns = Columns::new()
        .right("run", |run: &RatedRun| run.report.run_id.to_string())
        .left("source", |run| run.selection.format_sources())
        .left("system", |run| format_system(run.report.system, &run.report.parameters))
        .important()
        .right("contests", |run| format_count(run.report.contests))
        .right("results", |run| format_count(run.report.results))
        .right("seconds", |run| format!("{:.2}", run.seconds))
        .left("", |run| format_remarks(&run.report));
    print_table(columns, rated)
}

/// Notes the systems that are not made for the games of two that they rated.
fn note_drifts(rated: &[RatedRun]) {
    let drifting = rated.iter().map(|run| &run.report).filter(|report| {
        let drifts = SystemName::find(report.system).is_ok_and(|s| s.about().drifts_in_games);
        drifts && report.results == 2 * report.contests && report.contests > 0
    });
    for report in drifting {
        print_note(&format!(
            "warning: {} is not made for games of two: its ratings drift with every game; use elo, \
             glicko2 or elo-mmr",
            report.system
        ));
    }
}

/// Returns the number of replayed contests and of those left out.
fn format_remarks(report: &RateReport) -> String {
    let mut remarks = Vec::new();
    if report.unchanged {
        remarks.push("up to date".to_owned());
    } else if let Some(at) = report.continued_at {
        let number = format_plural(report.replayed, "contest");
        let day = values::format_day(at);
        remarks.push(format!("replayed {number}, from {day} on"));
    }
    if report.without_order > 0 && !report.unchanged {
        let number = format_plural(report.without_order, "contest");
        remarks.push(format!("{number} without a result left out"));
    }
    // Also for a run that is up to date: they explain missing results.
    if report.unsupported > 0 {
        let number = format_plural(report.unsupported, "contest");
        remarks.push(format!("{number} too large left out"));
    }
    if report.incomplete > 0 {
        let number = format_count(report.incomplete);
        remarks.push(format!("{number} incomplete left out"));
    }
    remarks.join("; ")
}
