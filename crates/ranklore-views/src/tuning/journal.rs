//! Trials as JSON Lines, to bring the shards of a search together, and the list of searches.

use std::collections::HashMap;

use ranklore_rating::metrics::Metric;
use ranklore_rating::{AllTied, ENGINE_VERSION};
use ranklore_replay::{
    Error, Identities, Replay, RunSelection, System, TeamMode, format_system, serialize_json_text,
};
use ranklore_store::{RatableContest, Store, Study, TrialRow, TrialState, Writer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::predictions::settings::Train;
use crate::tuning::part::{hash_tuning, load_judged, settings};

/// The outcome of a merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MergedTrials {
    /// Trials that were not in the database, or had seen fewer contests there.
    pub added: u64,
    /// Trials that the database had already.
    pub unchanged: u64,
}

/// A search and its trials.
#[derive(Clone, Debug, Serialize)]
pub struct StudySummary {
    /// The selected contests, as canonical JSON.
    #[serde(serialize_with = "serialize_json_text")]
    pub selection: String,
    /// The system.
    pub system: String,
    /// The sampler, the space, the objective and others, as canonical JSON.
    #[serde(serialize_with = "serialize_json_text")]
    pub search: String,
    /// The contests that tune, as canonical JSON.
    #[serde(serialize_with = "serialize_json_text")]
    pub split: String,
    /// Hash of their results, in hexadecimal digits.
    pub standings: String,
    /// Version of the engine.
    pub engine: String,
    /// Seed of the sampler.
    pub seed: i64,
    /// Number of trials that ended.
    pub trials: u64,
    /// Number of those that were not pruned and did not fail.
    pub completed: u64,
    /// The metric that was optimised; `None` if this version does not know it.
    pub objective: Option<Metric>,
    /// The objective of the best trial in the contests that tune.
    pub tuning: Option<f64>,
    /// The system with the parameters of the best trial.
    pub best: Option<String>,
    /// Time of the last trial, in Unix seconds.
    pub tried_at: i64,
}

/// A trial as a line of JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrialLine {
    selection: Box<RawValue>,
    system: String,
    search: Box<RawValue>,
    split: Box<RawValue>,
    standings: String,
    engine: String,
    seed: i64,
    number: u64,
    parameters: Box<RawValue>,
    state: TrialState,
    rungs: Vec<Option<f64>>,
    metrics: Option<Box<RawValue>>,
    tried_at: i64,
    seconds: Option<f64>,
}

/// Returns the trials over a selection that ended, each as a line of JSON, ordered by search and
/// number.
///
/// # Errors
/// [`Error::Store`].
pub fn export_trials(store: &Store, selection: &RunSelection) -> Result<Vec<String>, Error> {
    let selection = selection.canonical_json();
    let trials = store.trials()?.into_iter();
    let ended = trials.filter(|trial| {
        // Trials with parameters that the system does not accept cost nothing to repeat.
        trial.study.selection == selection
            && trial.state != TrialState::Running
            && System::from_name(&trial.study.system, &trial.parameters).is_ok()
    });
    // Stored texts are JSON.
    Ok(ended.filter_map(|trial| format_line(trial).ok()).collect())
}

fn format_line(trial: TrialRow) -> Result<String, serde_json::Error> {
    let study = trial.study;
    serde_json::to_string(&TrialLine {
        selection: RawValue::from_string(study.selection)?,
        system: study.system,
        search: RawValue::from_string(study.search)?,
        split: RawValue::from_string(study.split)?,
        standings: format_hash(study.standings),
        engine: study.engine,
        seed: study.seed,
        number: trial.number,
        parameters: RawValue::from_string(trial.parameters)?,
        state: trial.state,
        rungs: serde_json::from_str(&trial.rungs)?,
        metrics: trial.metrics.map(RawValue::from_string).transpose()?,
        tried_at: trial.tried_at,
        seconds: trial.seconds,
    })
}

fn format_hash(hash: [u8; 32]) -> String {
    hash.iter().fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
}

/// Stores the trials of a file, whose lines are those of [`export_trials`], all of them or none. The
/// trials of several files can be merged in any order, and again: of two rows of a trial the one that
/// has seen more contests stays.
///
/// # Errors
/// [`Error::InvalidTrial`] for a line that cannot be read, or has a trial of other results, another
/// split or another engine; [`Error::NoSource`], [`Error::NoContests`], [`Error::NothingTunes`],
/// [`Error::Store`].
pub fn merge_trials(
    store: &mut Writer,
    selection: &RunSelection,
    train: Option<Train>,
    text: &str,
) -> Result<MergedTrials, Error> {
    let reader = Store::open_reader(store.path())?;
    let mut merge = Merge {
        contests: selection.contests(&reader)?,
        selection: selection.canonical_json(),
        split: settings(train).split_json(),
        train,
        store: &reader,
        hashes: Vec::new(),
        stored: Vec::new(),
    };
    let mut merged = MergedTrials::default();
    let mut batch = store.batch()?;
    for (line, text) in (1..).zip(text.lines()) {
        let refuse = |reason| Error::InvalidTrial { line, reason };
        let parsed = serde_json::from_str(text).map_err(|error| refuse(describe_damage(&error)));
        let trial = merge.check(parsed?)?.map_err(refuse)?;
        match merge.combine(trial)?.map_err(refuse)? {
            Some(trial) => {
                batch.replace_trial(trial)?;
                merged.added += 1;
            }
            None => merged.unchanged += 1,
        }
    }
    batch.commit()?;
    Ok(merged)
}

fn describe_damage(error: &serde_json::Error) -> String {
    if error.is_eof() {
        "it is cut off in the middle; remove it, or export the trials again".to_owned()
    } else {
        format!("it is no trial: {error}; export the trials again")
    }
}

/// The database that trials are merged into.
struct Merge<'m> {
    store: &'m Store,
    contests: Vec<RatableContest>,
    selection: String,
    split: String,
    train: Option<Train>,
    /// The hash of the results that tune, by the settings that it depends on.
    hashes: Vec<((TeamMode, AllTied), [u8; 32])>,
    /// The trials of the searches so far, by number.
    stored: Vec<(Study, HashMap<u64, TrialRow>)>,
}

impl Merge<'_> {
    /// Returns the row of a line, or the reason to refuse it.
    fn check(&mut self, line: TrialLine) -> Result<Result<TrialRow, String>, Error> {
        for (name, value, expected) in [
            ("engine", &*line.engine, ENGINE_VERSION),
            ("selection", line.selection.get(), &*self.selection),
            ("split", line.split.get(), &*self.split),
        ] {
            if value != expected {
                return Ok(Err(format!("its {name} is {value}, but that here is {expected}")));
            }
        }
        let parameters = line.parameters.get();
        let system = match System::from_name(&line.system, parameters) {
            Ok(system) if system.parameters == parameters => system,
            Ok(_) => return Ok(Err("its parameters are incomplete".to_owned())),
            Err(error) => return Ok(Err(error.to_string())),
        };
        let standings = self.hash_standings(&system)?;
        if line.standings != format_hash(standings) {
            let reason = "its results are not those of this database; run all shards on copies of \
                          one database";
            return Ok(Err(reason.to_owned()));
        }
        if line.state == TrialState::Running {
            return Ok(Err("it has not ended".to_owned()));
        }
        Ok(serde_json::to_string(&line.rungs)
            .map_err(|error| error.to_string())
            .map(|rungs| TrialRow {
                number: line.number,
                parameters: system.parameters,
                state: line.state,
                rungs,
                metrics: line.metrics.map(|metrics| metrics.get().to_owned()),
                tried_at: line.tried_at,
                seconds: line.seconds,
                study: Study {
                    selection: self.selection.clone(),
                    system: line.system,
                    search: line.search.get().to_owned(),
                    split: self.split.clone(),
                    standings,
                    engine: line.engine,
                    seed: line.seed,
                },
            }))
    }

    /// Returns the hash of the results that tune a system.
    fn hash_standings(&mut self, system: &System) -> Result<[u8; 32], Error> {
        let settings = (system.teams, system.all_tied);
        if let Some((_, hash)) = self.hashes.iter().find(|(known, _)| *known == settings) {
            return Ok(*hash);
        }
        let sources = self.contests.iter().map(|contest| contest.source_id);
        let identities = Identities::load(self.store, sources, system.teams)?;
        let replay = Replay::load(self.store, &self.contests, 0, &identities, system.all_tied)?;
        let training = load_judged(self.store, &replay, self.train)?.training;
        let tuning = replay.first_rated(training);
        let hash = hash_tuning(self.store, &self.contests, &tuning, &identities)?;
        self.hashes.push((settings, hash));
        Ok(hash)
    }

    /// Returns the trial if it is to be stored, `None` if the database has as much of it, or the
    /// reason to refuse it.
    fn combine(&mut self, trial: TrialRow) -> Result<Result<Option<&TrialRow>, String>, Error> {
        let known = self.stored.iter().position(|(study, _)| *study == trial.study);
        let index = if let Some(index) = known {
            index
        } else {
            let rows = self.store.trials_of_study(&trial.study)?.into_iter();
            let rows = rows.filter(|row| row.state != TrialState::Running);
            let by_number = rows.map(|row| (row.number, row)).collect();
            self.stored.push((trial.study.clone(), by_number));
            self.stored.len() - 1
        };
        let trials = &mut self.stored[index].1;
        let number = trial.number;
        if let Some(stored) = trials.get(&number) {
            match is_further(&trial, stored) {
                Ok(true) => {}
                Ok(false) => return Ok(Ok(None)),
                Err(reason) => return Ok(Err(reason)),
            }
        }
        trials.insert(number, trial);
        Ok(Ok(trials.get(&number)))
    }
}

/// True if a trial has seen more contests than the stored one, or as many and is the first. Errors
/// with a reason if they contradict each other.
fn is_further(trial: &TrialRow, stored: &TrialRow) -> Result<bool, String> {
    let [rungs, stored_rungs] = [trial, stored]
        .map(|row| serde_json::from_str::<Vec<Option<f64>>>(&row.rungs).unwrap_or_default());
    let is_same = rungs
        .iter()
        .zip(&stored_rungs)
        .all(|(a, b)| a.map(f64::to_bits) == b.map(f64::to_bits));
    if trial.parameters != stored.parameters || !is_same {
        let number = trial.number;
        return Err(format!(
            "trial {number} contradicts the one in the database, which has other parameters or \
             values"
        ));
    }
    let progress =
        |row: &TrialRow, rungs: &[Option<f64>]| (rungs.len(), row.state == TrialState::Failed);
    let start = |row: &TrialRow| (row.tried_at, row.seconds.unwrap_or(0.0).to_bits());
    let trial_progress = progress(trial, &rungs);
    let stored_progress = progress(stored, &stored_rungs);
    Ok(trial_progress > stored_progress
        || trial_progress == stored_progress && start(trial) < start(stored))
}

/// Returns all searches over a selection, ordered by system.
///
/// # Errors
/// [`Error::Store`].
pub fn load_studies(store: &Store, selection: &RunSelection) -> Result<Vec<StudySummary>, Error> {
    let selection = selection.canonical_json();
    let mut trials = store.trials()?;
    trials.retain(|trial| trial.study.selection == selection);
    let studies = trials.chunk_by(|a, b| a.study == b.study);
    Ok(studies.filter_map(summarise).collect())
}

/// Returns the summary of the trials of a search.
fn summarise(trials: &[TrialRow]) -> Option<StudySummary> {
    let first = trials.first()?;
    let study = first.study.clone();
    let search: serde_json::Value = serde_json::from_str(&study.search).unwrap_or_default();
    let objective = search["objective"].as_str().and_then(Metric::from_word);
    let completed = trials.iter().filter(|trial| trial.state == TrialState::Completed);
    let mut best: Option<(f64, &TrialRow)> = None;
    for trial in completed.clone() {
        let rungs: Vec<Option<f64>> = serde_json::from_str(&trial.rungs).unwrap_or_default();
        if let (Some(value), Some(objective)) = (rungs.last().copied().flatten(), objective)
            && best.is_none_or(|(best, _)| objective.is_better(value, best))
        {
            best = Some((value, trial));
        }
    }
    Some(StudySummary {
        standings: format_hash(study.standings),
        trials: trials.iter().filter(|t| t.state != TrialState::Running).count() as u64,
        completed: completed.count() as u64,
        objective,
        tuning: best.map(|(value, _)| value),
        best: best.map(|(_, trial)| format_system(&study.system, &trial.parameters)),
        tried_at: trials.iter().map(|trial| trial.tried_at).max()?,
        selection: study.selection,
        system: study.system,
        search: study.search,
        split: study.split,
        engine: study.engine,
        seed: study.seed,
    })
}
