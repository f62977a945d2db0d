//! The run that a view shows: the chosen one, or the default of the sources.

use std::collections::BTreeSet;
use std::fmt;

use ranklore_contest::SourceName;
use ranklore_store::{OFFICIAL, RunId, RunRow, Store};

use crate::error::Error;
use crate::runs::selection::{RunSelection, find_source};
use crate::runs::systems::{SYSTEMS, SystemName, has_default_parameters, is_run_of};
use crate::system_spec::{SystemSpec, format_system};

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
pub struct RunChoice {
    /// This run.
    pub run: Option<RunKey>,
    /// The run of this system with these settings over all contests of the sources.
    pub system: Option<SystemSpec>,
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
            system: None,
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
/// [`Error::OnlyPartialRuns`], [`Error::NoSource`].
pub fn find_run(
    store: &Store,
    sources: &[SourceName],
    choice: &RunChoice,
) -> Result<RunRow, Error> {
    if let Some(key) = &choice.run {
        let run = find_run_by_key(store, key)?;
        let covered = RunSelection::from_canonical_json(&run.selection);
        let is_asked = covered.sources.iter().collect::<BTreeSet<_>>() == sources.iter().collect();
        if !sources.is_empty() && !is_asked {
            let asked = RunSelection::from_sources(sources);
            return Err(mismatch(&run, &covered, asked.format_sources()));
        }
        return Ok(run);
    }
    for name in sources {
        find_source(store, name)?;
    }
    let selection = RunSelection::from_sources(sources);
    let runs = find_runs_over(store, &selection)?;
    let whole = selection.canonical_json();
    let system = match &choice.system {
        Some(spec) => spec.build()?,
        None => find_default_system(store, sources)?.build()?,
    };
    let is_candidate = |run: &&RunRow| {
        let is_asked = choice.system.as_ref().is_none_or(|spec| {
            run.system == system.name && (spec.settings.is_empty() || is_run_of(run, &system))
        });
        is_asked && run.selection == whole
    };
    let candidates = || runs.iter().rev().filter(is_candidate);
    let found = candidates()
        .find(|run| is_run_of(run, &system))
        .or_else(|| candidates().find(|run| has_default_parameters(run)))
        .or_else(|| candidates().next());
    match (found, &choice.system) {
        (Some(run), _) => Ok(run.clone()),
        (None, Some(spec)) => Err(Error::NotRatedBySystem {
            system: Box::new(spec.clone()),
            selection: Box::new(selection),
            runs,
        }),
        (None, None) if runs.is_empty() => Err(Error::NotRated {
            selection: Box::new(selection),
        }),
        (None, None) => Err(Error::OnlyPartialRuns {
            selection: Box::new(selection),
            runs,
        }),
    }
}

/// Returns all runs over exactly these sources, oldest first.
///
/// # Errors
/// [`Error::NotRated`], [`Error::NoSource`].
pub fn find_all_runs(store: &Store, sources: &[SourceName]) -> Result<Vec<RunRow>, Error> {
    for name in sources {
        find_source(store, name)?;
    }
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
    if covered.sources.contains(source) {
        return Ok(run);
    }
    Err(mismatch(&run, &covered, source.to_string()))
}

/// Returns the run as [`find_run_covering`]; none if no run is chosen and none is over all contests
/// of this source.
///
/// # Errors
/// [`Error::NoRun`], [`Error::SourceMismatch`], [`Error::NotRatedBySystem`], [`Error::NoSource`].
pub(crate) fn find_run_if_rated(
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
    let is_wanted = |run: &&RunRow| match key {
        RunKey::Id(id) => run.run_id == *id,
        RunKey::Name(name) => run.name.as_ref() == Some(name),
    };
    match runs.iter().find(is_wanted) {
        Some(run) => Ok(run.clone()),
        None => Err(Error::NoRun {
            run: key.clone(),
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
    let filters = match filters.join(", ") {
        none if none.is_empty() => none,
        filters => format!(" ({filters})"),
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
        [source, others @ ..] if others.iter().all(|other| other == source) => {
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
    let asked: BTreeSet<&SourceName> = selection.sources.iter().collect();
    let mut runs = store.runs()?;
    runs.retain(|run| {
        let sources = RunSelection::from_canonical_json(&run.selection).sources;
        run.system != OFFICIAL && sources.iter().collect::<BTreeSet<_>>() == asked
    });
    Ok(runs)
}

fn mismatch(run: &RunRow, covered: &RunSelection, asked: String) -> Error {
    Error::SourceMismatch {
        run: run.run_id.get(),
        covered: covered.format_sources(),
        asked,
    }
}
