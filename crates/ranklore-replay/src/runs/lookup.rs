//! The run that a view shows: the chosen one, or the default of the sources.

use std::collections::BTreeSet;
use std::fmt;

use ranklore_contest::SourceName;
use ranklore_store::{OFFICIAL, RunId, RunRow, Store};

use crate::error::Error;
use crate::runs::selected_contests::find_source;
use crate::runs::selection::RunSelection;
use crate::runs::systems::{
    SYSTEMS, System, SystemName, has_default_parameters, is_run_of, parse_run_parameters,
};
use crate::runs::teams::TeamMode;
use crate::system_spec::{Setting, SystemSpec, format_system};

/// A run as users name it: its id, or the name that a user gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunKey {
    /// The id.
    Id(RunId),
    /// The name.
    Name(String),
}

/// The choice of a run. By default the run of the default system of the sources.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RunChoice {
    /// Use this run, by its id or name; ranklore runs lists both
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "ID",
            value_parser = parse_run,
            conflicts_with_all = ["system", "settings"]
        )
    )]
    pub run: Option<RunKey>,
    /// Use the run of this system, with settings such as elo-mmr:rho=2 [default: that of the source,
    /// elo-mmr]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "NAME[:KEY=VALUE]", value_parser = ChosenSystem::parse)
    )]
    pub system: Option<ChosenSystem>,
    /// Parameter of the system, such as rho=0.04; repeatable. Same as --system NAME:KEY=VALUE
    // Without a system, of the default system of the sources.
    #[cfg_attr(
        feature = "clap",
        arg(long = "set", value_name = "KEY=VALUE", value_parser = Setting::parse_option)
    )]
    pub settings: Vec<Setting>,
}

impl RunChoice {
    /// True if neither a run nor a system is chosen.
    #[must_use]
    pub const fn is_default(&self) -> bool {
        self.run.is_none() && !self.has_system()
    }

    const fn has_system(&self) -> bool {
        self.system.is_some() || !self.settings.is_empty()
    }
}

/// The ratings of which a run is chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum ChosenSystem {
    /// Ratings that the site published.
    Official,
    /// Ratings of a system with settings.
    Computed(SystemSpec),
}

impl ChosenSystem {
    /// Parses a system with settings, or `official`.
    ///
    /// # Errors
    /// The errors of [`SystemSpec::parse`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        match text {
            OFFICIAL => Ok(Self::Official),
            text => SystemSpec::parse(text).map(Self::Computed),
        }
    }
}

/// Parses the id or the name of a run.
///
/// # Errors
/// Errors if the word is empty.
pub fn parse_run(word: &str) -> Result<RunKey, String> {
    if word.is_empty() {
        return Err("expected the id or the name of a run".to_owned());
    }
    Ok(RunKey::parse(word))
}

impl RunKey {
    /// Parses the id of a run, which consists of digits, or its name.
    #[must_use]
    pub fn parse(word: &str) -> Self {
        let is_id = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        match word.parse() {
            Ok(id) if is_id => Self::Id(RunId::new(id)),
            _ => Self::Name(word.to_owned()),
        }
    }
}

impl fmt::Display for RunKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => write!(formatter, "{id}"),
            Self::Name(name) => write!(formatter, "\"{name}\""),
        }
    }
}

impl From<RunId> for RunChoice {
    fn from(run_id: RunId) -> Self {
        Self {
            run: Some(RunKey::Id(run_id)),
            ..Self::default()
        }
    }
}

/// Returns the chosen run; a run chosen by id or name must be over exactly these sources, if any are
/// given. Without a choice the first of these over all contests of exactly these sources:
///
/// 1. the run of the default system with its default parameters,
/// 2. the newest run with the default parameters of its system,
/// 3. the newest run.
///
/// # Errors
/// [`Error::NoRun`], [`Error::SourceMismatch`], [`Error::NotRated`], [`Error::NotRatedBySystem`],
/// [`Error::OnlyPartialRuns`], [`Error::DamagedParameters`], [`Error::NoSource`], and the errors of
/// [`SystemSpec::with_settings`].
pub fn find_run(
    store: &Store,
    sources: &[SourceName],
    choice: &RunChoice,
) -> Result<RunRow, Error> {
    let run = match &choice.run {
        Some(key) => find_chosen_run(store, sources, key)?,
        None => find_preferred_run(store, sources, choice)?,
    };
    // Views take defaults for parameters that a run lacks: damaged ones must not look like these.
    parse_run_parameters(&run)?;
    Ok(run)
}

/// Returns the run with this id or name, which must be over exactly these sources, if any are given.
fn find_chosen_run(store: &Store, sources: &[SourceName], key: &RunKey) -> Result<RunRow, Error> {
    let run = find_run_by_key(store, key)?;
    let covered = RunSelection::from_canonical_json(&run.selection);
    let is_over_sources =
        covered.sources.iter().collect::<BTreeSet<_>>() == sources.iter().collect();
    if !sources.is_empty() && !is_over_sources {
        let requested = RunSelection::from_sources(sources);
        return Err(mismatch(&run, &covered, requested.format_sources()));
    }
    Ok(run)
}

/// Returns the preferred run over all contests of exactly these sources: of the chosen system, or of
/// the default one.
fn find_preferred_run(
    store: &Store,
    sources: &[SourceName],
    choice: &RunChoice,
) -> Result<RunRow, Error> {
    let selection = RunSelection::from_sources(sources);
    let runs = find_runs_over(store, &selection)?;
    let spec = match &choice.system {
        Some(ChosenSystem::Official) => {
            if !choice.settings.is_empty() {
                return Err(Error::InvalidParameters {
                    system: OFFICIAL,
                    reason: "the ratings of a site have no settings; leave out --set".to_owned(),
                });
            }
            let selection_json = selection.canonical_json();
            let mut stored_runs = store.runs()?.into_iter();
            let official =
                stored_runs.find(|run| run.system == OFFICIAL && run.selection == selection_json);
            return official.ok_or_else(|| Error::NotRatedBySystem {
                system: OFFICIAL.to_owned(),
                selection: Box::new(selection),
                runs,
            });
        }
        Some(ChosenSystem::Computed(spec)) => spec.clone(),
        None => find_default_system(store, sources)?,
    };
    let spec = spec.with_settings(&choice.settings)?;
    let system = spec.build()?;
    let has_system = choice.has_system();
    let selection_json = selection.canonical_json();
    // The newest first.
    let mut candidates: Vec<&RunRow> = runs.iter().rev().collect();
    candidates.retain(|run| {
        run.selection == selection_json && (!has_system || run.system == system.name)
    });
    // Settings that the user gave must match; without any, each run of the system is a candidate.
    let must_match = !spec.settings.is_empty();
    if let Some(run) = prefer_run(&candidates, &system, must_match)? {
        return Ok(run.clone());
    }
    let selection = Box::new(selection);
    Err(if has_system {
        Error::NotRatedBySystem {
            system: spec.to_string(),
            selection,
            runs,
        }
    } else if runs.is_empty() {
        Error::NotRated { selection }
    } else {
        Error::OnlyPartialRuns { selection, runs }
    })
}

/// Returns the first run of a system, else the first with the default parameters of its system, else
/// the first; with `must_match` only a run of the system.
fn prefer_run<'r>(
    runs: &[&'r RunRow],
    system: &System,
    must_match: bool,
) -> Result<Option<&'r RunRow>, Error> {
    // A damaged run hides no other one; without another, its error says why there is none.
    let mut damage = None;
    for run in runs {
        match is_run_of(run, system) {
            Ok(true) => return Ok(Some(run)),
            Ok(false) => {}
            Err(error) => damage = Some(error),
        }
    }
    if !must_match {
        let has_defaults = |run: &&&RunRow| matches!(has_default_parameters(run), Ok(true));
        if let Some(run) = runs.iter().find(has_defaults) {
            return Ok(Some(run));
        }
    }
    match damage {
        Some(error) => Err(error),
        None if must_match => Ok(None),
        None => Ok(runs.first().copied()),
    }
}

/// Returns all runs over exactly these sources, oldest first.
///
/// # Errors
/// [`Error::NotRated`], [`Error::NoSource`].
pub fn find_all_runs(store: &Store, sources: &[SourceName]) -> Result<Vec<RunRow>, Error> {
    let selection = RunSelection::from_sources(sources);
    let runs = find_runs_over(store, &selection)?;
    if runs.is_empty() {
        return Err(Error::NotRated {
            selection: Box::new(selection),
        });
    }
    Ok(runs)
}

/// Returns the run that is chosen by id or name and covers this source; without such a choice as
/// [`find_run`] for this source alone.
///
/// # Errors
/// The errors of [`find_run`].
pub fn find_run_covering(
    store: &Store,
    source: &SourceName,
    choice: &RunChoice,
) -> Result<RunRow, Error> {
    let Some(key) = &choice.run else {
        return find_run(store, std::slice::from_ref(source), choice);
    };
    let run = find_run_by_key(store, key)?;
    let covered = RunSelection::from_canonical_json(&run.selection);
    if !covered.sources.contains(source) {
        return Err(mismatch(&run, &covered, source.to_string()));
    }
    parse_run_parameters(&run)?;
    Ok(run)
}

/// Returns the run as [`find_run_covering`]; none if no run is chosen and none is over all contests
/// of this source.
///
/// # Errors
/// [`Error::NoRun`], [`Error::SourceMismatch`], [`Error::NotRatedBySystem`],
/// [`Error::DamagedParameters`], [`Error::NoSource`].
pub fn find_run_if_rated(
    store: &Store,
    source: &SourceName,
    choice: &RunChoice,
) -> Result<Option<RunRow>, Error> {
    match find_run_covering(store, source, choice) {
        Err(Error::NotRated { .. } | Error::OnlyPartialRuns { .. }) => Ok(None),
        run => run.map(Some),
    }
}

/// Returns the run with this id or name.
///
/// # Errors
/// [`Error::NoRun`].
pub fn find_run_by_key(store: &Store, key: &RunKey) -> Result<RunRow, Error> {
    let runs = store.runs()?;
    let position = runs.iter().position(|run| match key {
        RunKey::Id(id) => run.run_id == *id,
        RunKey::Name(name) => run.name.as_ref() == Some(name),
    });
    match position {
        Some(index) => Ok(runs[index].clone()),
        None => Err(Error::NoRun {
            run: key.to_string(),
            known: runs,
        }),
    }
}

/// Describes a run: its id and name, its system with the settings that differ from the defaults, and
/// the filters of its contests, as `3 "spring" by elo-mmr:rho=2 (since 2024-01-01)`.
#[must_use]
pub fn describe_run(run: &RunRow) -> String {
    let name = run.name.as_ref();
    let name = name.map_or_else(String::new, |name| format!(" \"{name}\""));
    let filters = RunSelection::from_canonical_json(&run.selection).describe_filters();
    let filters = match &*filters {
        [] => String::new(),
        filters => format!(" ({})", filters.join(", ")),
    };
    let system = format_system(&run.system, &run.parameters);
    format!("{}{name} by {system}{filters}", run.run_id)
}

/// Returns the system that rates and shows these sources by default: that of the source, and the
/// first of [`SYSTEMS`] for several.
///
/// # Errors
/// [`Error::NoSource`], [`Error::Store`].
pub fn find_default_system(store: &Store, sources: &[SourceName]) -> Result<SystemSpec, Error> {
    let name = match sources {
        [source, rest @ ..] if rest.iter().all(|other| other == source) => {
            let source_id = find_source(store, source)?;
            store.source_settings(source_id)?.default_system
        }
        _ => None,
    };
    // A later version may know more systems.
    let system = name.and_then(|name| SystemName::find(&name).ok());
    Ok(SystemSpec::new(system.unwrap_or(SYSTEMS[0])))
}

/// Returns the runs over exactly the sources of a selection, oldest first, without those of
/// `official`.
fn find_runs_over(store: &Store, selection: &RunSelection) -> Result<Vec<RunRow>, Error> {
    for name in &selection.sources {
        find_source(store, name)?;
    }
    let selected: BTreeSet<&SourceName> = selection.sources.iter().collect();
    let mut runs = store.runs()?;
    runs.retain(|run| {
        let sources = RunSelection::from_canonical_json(&run.selection).sources;
        run.system != OFFICIAL && sources.iter().collect::<BTreeSet<_>>() == selected
    });
    Ok(runs)
}

fn mismatch(run: &RunRow, covered: &RunSelection, requested: String) -> Error {
    Error::SourceMismatch {
        run: run.run_id.get(),
        covered: covered.format_sources(),
        requested,
    }
}

/// Resets the parameter of a system that rates members if no team in the contests has known
/// members: the ratings are the same, and a second run would be a copy. Keeps it if such a run
/// exists already. Returns true if there are no members to rate.
///
/// # Errors
/// [`Error::Store`], [`Error::InvalidParameters`].
pub fn reset_needless_team_mode(
    store: &Store,
    selection: &RunSelection,
    spec: &mut SystemSpec,
) -> Result<bool, Error> {
    let system = spec.build()?;
    if system.teams == TeamMode::Whole {
        return Ok(false);
    }
    let contests = selection.contests_if_any(store)?;
    if store.has_members(contests.iter().map(|contest| contest.contest_id))? {
        return Ok(false);
    }
    let selection = selection.canonical_json();
    let run = store.find_matching_run(system.name, &system.parameters, &selection)?;
    if run.is_none() {
        spec.settings.remove(TeamMode::PARAMETER);
    }
    Ok(true)
}

/// The number of runs that an error lists.
const MAX_RUNS: usize = 10;

// Here and not beside the enum: the description of a run needs the systems, which return the error.
impl Error {
    /// Returns the names or runs to choose from, to be listed after the message; empty if the
    /// message names all there is.
    #[must_use]
    pub fn candidates(&self) -> Vec<String> {
        match self {
            Self::NoCompetitor(name) | Self::NoContest(name) if name.candidates.len() > 1 => {
                list_with_rest(name.candidates.clone(), name.more)
            }
            Self::NoRun { known: runs, .. }
            | Self::NotRatedBySystem { runs, .. }
            | Self::OnlyPartialRuns { runs, .. } => {
                let newest = runs.iter().rev().take(MAX_RUNS).map(describe_run);
                list_with_rest(newest.collect(), runs.len().saturating_sub(MAX_RUNS))
            }
            _ => Vec::new(),
        }
    }
}

fn list_with_rest(mut lines: Vec<String>, rest: usize) -> Vec<String> {
    if rest > 0 {
        lines.push(format!("and {rest} more"));
    }
    lines
}
