//! `ranklore source`

use std::mem::discriminant;

use anyhow::bail;
use clap::{Args, Subcommand};
use ranklore_contest::SourceName;
use ranklore_ingest::remove_source;
use ranklore_replay::{RunChoice, SystemName, find_default_system, find_run, find_source};
use ranklore_store::{SourceSettings, Store};

use super::prune::shrink_file;
use super::source_show::SourceShowArgs;
use super::sources::SourcesArgs;
use crate::commands::confirm::confirm;
use crate::commands::runs_report::{print_deleted_runs, print_runs};
use crate::exit::{Exit, WrongUsage};
use crate::json::OfSource;
use crate::output::{format_plural, print_line, print_note};
use crate::progress::TerminalProgress;
use crate::{GlobalArgs, values};

/// Manage sources: list or show them, change settings, remove one
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    #[command(subcommand)]
    action: SourceAction,
}

#[derive(Debug, Subcommand)]
enum SourceAction {
    List(SourcesArgs),
    Show(SourceShowArgs),
    /// Change the default system and the rule for provisional ratings of a source
    ///
    /// system=NAME is the system that rate uses and views show by default, with its default
    /// parameters: elo-mmr unless set. provisional=N marks ratings of fewer than N contests as
    /// provisional, provisional=sigma:X those with a sigma above X. The word default as a value resets
    /// a setting.
    Set {
        /// Source to change
        #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
        source: SourceName,
        /// Setting: system=NAME, provisional=N, provisional=sigma:X, or KEY=default
        #[arg(required = true, value_name = "KEY=VALUE", value_parser = parse_setting)]
        settings: Vec<Setting>,
    },
    /// Delete a source with its documents, contests and ratings
    ///
    /// Runs over other sources too are computed again without it, and are then runs over the others.
    /// Forgotten people stay forgotten if the name is used again. This cannot be undone.
    Remove {
        /// Source to remove
        #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
        source: SourceName,
        /// Remove it without asking
        #[arg(long)]
        yes: bool,
    },
}

impl SourceArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        match self.action {
            SourceAction::List(list) => list.run(global),
            SourceAction::Show(show) => show.run(global),
            SourceAction::Set { source, settings } => set(&source, &settings, global),
            SourceAction::Remove { source, yes } => remove(&source, yes, global),
        }
    }
}

/// A setting of a source; `None` resets it.
#[derive(Clone, Copy, Debug)]
enum Setting {
    System(Option<SystemName>),
    /// The ratings that are provisional: those from fewer contests, or with a larger sigma. One limit
    /// replaces the other.
    Provisional {
        contests: Option<i64>,
        sigma: Option<f64>,
    },
}

/// Parses a setting of a source, for clap.
fn parse_setting(word: &str) -> Result<Setting, String> {
    let (key, value) = word
        .split_once('=')
        .ok_or("expected KEY=VALUE, such as system=glicko or provisional=5")?;
    let value = Some(value).filter(|&value| value != "default");
    match (key, value) {
        ("system", value) => Ok(Setting::System(value.map(parse_system_name).transpose()?)),
        ("provisional", Some(rule)) => parse_provisional_rule(rule),
        ("provisional", None) => Ok(Setting::Provisional {
            contests: None,
            sigma: None,
        }),
        _ => Err("no such setting: use system or provisional".to_owned()),
    }
}

fn parse_system_name(word: &str) -> Result<SystemName, String> {
    SystemName::find(word).map_err(|error| match word.split_once(':') {
        Some((name, _)) if SystemName::find(name).is_ok() => format!(
            "a default system has its default parameters: use system={name}; views show the run \
             with other settings by --system {word}"
        ),
        _ => format!("{error}, or default to reset the setting"),
    })
}

fn parse_provisional_rule(word: &str) -> Result<Setting, String> {
    let (contests, sigma) = match word.strip_prefix("sigma:") {
        Some(number) => (None, number.parse().ok()),
        None => (word.parse().ok(), None),
    };
    let contests = contests.filter(|contests| (1..=1_000_000).contains(contests));
    let sigma = sigma.filter(|sigma: &f64| sigma.is_finite() && *sigma > 0.0);
    if contests.is_none() && sigma.is_none() {
        return Err(
            "expected a number of contests from 1 to 1000000, a sigma such as sigma:150, or default"
                .to_owned(),
        );
    }
    Ok(Setting::Provisional { contests, sigma })
}

fn set(source: &SourceName, settings: &[Setting], global: &GlobalArgs) -> anyhow::Result<Exit> {
    for (index, setting) in settings.iter().enumerate() {
        let mut earlier = settings[..index].iter();
        if earlier.any(|other| discriminant(other) == discriminant(setting)) {
            bail!(WrongUsage("a setting is given twice; give it once".to_owned()));
        }
    }
    let mut store = global.open_writer("ranklore source set")?;
    let source_id = find_source(&store, source)?;
    let mut new_settings = store.source_settings(source_id)?;
    for setting in settings {
        match setting {
            Setting::System(system) => {
                new_settings.default_system = system.map(|name| name.as_str().to_owned());
            }
            Setting::Provisional { contests, sigma } => {
                new_settings.provisional_contests = *contests;
                new_settings.provisional_sigma = *sigma;
            }
        }
    }
    let mut batch = store.batch()?;
    batch.set_source_settings(source_id, &new_settings)?;
    batch.commit()?;
    let sources = std::slice::from_ref(source);
    let system = find_default_system(&store, sources)?.system.as_str();
    let default_run = find_run(&store, sources, &RunChoice::default());
    drop(store);
    global.print_result(&OfSource::new(source, &new_settings), || {
        let settings = describe_settings(system, &new_settings);
        print_line(&format!("{source}: {settings}"))
    })?;
    // The new default system may have no run yet.
    if !default_run.is_ok_and(|run| run.system == system) {
        global.suggest(&format!("ranklore rate {source}"));
    }
    Ok(Exit::Done)
}

/// Returns `system glicko, provisional below 5 contests`.
fn describe_settings(system: &str, settings: &SourceSettings) -> String {
    let provisional = match (settings.provisional_contests, settings.provisional_sigma) {
        (Some(contests), _) => {
            format!("below {}", format_plural(contests.unsigned_abs(), "contest"))
        }
        (None, Some(sigma)) => format!("above sigma {sigma}"),
        (None, None) => "by the rule of the system".to_owned(),
    };
    format!("system {system}, provisional {provisional}")
}

fn remove(source: &SourceName, yes: bool, global: &GlobalArgs) -> anyhow::Result<Exit> {
    if !yes && !confirm_removal(source, &Store::open_reader(global.db())?)? {
        print_note("nothing was removed");
        return Ok(Exit::Failed);
    }
    let progress = TerminalProgress::new();
    let mut store = global.open_writer("ranklore source remove")?;
    let report = remove_source(&mut store, source, values::now, &progress)?;
    progress.finish();
    if store.file_size()?.needs_compaction() {
        shrink_file(&mut store)?;
    }
    drop(store);
    global.print_result(&OfSource::new(source, &report), || {
        let contests = values::contests_with_results(report.contests, report.results);
        let documents = format_plural(report.documents, "document");
        print_line(&format!("{source}: removed {contests} and {documents}"))?;
        print_deleted_runs(&report.deleted_runs)?;
        print_runs(&report.runs, &report.emptied)
    })
}

/// Asks the user whether to remove the source.
fn confirm_removal(source: &SourceName, store: &Store) -> anyhow::Result<bool> {
    let source_id = find_source(store, source)?;
    let sources = store.sources()?.into_iter();
    let mut contests = String::new();
    let mut documents = String::new();
    for row in sources.filter(|row| row.source_id == source_id) {
        contests = values::contests_with_results(row.contests, row.results);
        documents = format_plural(row.documents, "document");
    }
    confirm(&format!("removes {source} ({contests}, {documents})"))
}
