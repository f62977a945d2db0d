//! Trials of parameter searches.

use ranklore_contest::word_enum;
use rusqlite::params;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::{UNNAMED_COLUMN, insert, queries, row, statements, update, word_column};

word_enum! {
    /// The state of a trial.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum TrialState {
        /// Has begun, and not ended so far.
        Running = "running",
        /// Ended early: others were better after a part of the contests.
        Pruned = "pruned",
        /// Evaluated over all contests that tune.
        Completed = "completed",
        /// Ended by ratings that diverge.
        Failed = "failed",
    }
}

word_column!(TrialState, UNNAMED_COLUMN);

row! {
    /// A parameter search of a system: what its trials have in common.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Study {
        /// Selection as canonical JSON.
        pub selection: String,
        /// The system's name.
        pub system: String,
        /// The sampler, the space, the objective and others, as canonical JSON.
        pub search: String,
        /// The contests that tune, as canonical JSON.
        pub split: String,
        /// Hash of the results of these contests.
        pub standings: [u8; 32],
        /// Version of the engine.
        pub engine: String,
        /// Seed of the sampler.
        pub seed: i64,
    }
}

row! {
    /// A trial of a parameter search.
    #[derive(Clone, Debug, PartialEq)]
    pub struct TrialRow selects TRIAL_COLUMNS {
        /// The search.
        pub study: Study = "selection, system, search, split, standings, engine, seed",
        /// The number in the search, from 0.
        pub number: u64,
        /// Parameters as canonical JSON.
        pub parameters: String,
        /// The state.
        pub state: TrialState,
        /// The objective after each part of the contests, as JSON.
        pub rungs: String,
        /// All metrics after the last of these parts, as JSON.
        pub metrics: Option<String>,
        /// Time of the trial, in Unix seconds.
        pub tried_at: i64,
        /// Duration of the replay, in seconds.
        pub seconds: Option<f64>,
    }
}

queries! {
    /// Returns all trials, by search and number.
    pub fn trials() -> Vec<TrialRow> = format!(
        "SELECT {TRIAL_COLUMNS} FROM trial ORDER BY {TRIAL_COLUMNS}"
    );

    /// Returns the trials of a search, by number.
    pub fn trials_of_study(study: &Study) -> Vec<TrialRow> = format!(
        "SELECT {TRIAL_COLUMNS} FROM trial WHERE {OF_STUDY} ORDER BY number"
    ), [study.selection, study.system, study.search, study.split, study.standings, study.engine,
        study.seed];
}

/// The condition that a trial is of the search with these values.
const OF_STUDY: &str = "selection = ?1 AND system = ?2 AND search = ?3 AND split = ?4
    AND standings = ?5 AND engine = ?6 AND seed = ?7";

statements! {
    /// Deletes the trials over a source.
    pub fn delete_trials(source: &str) =
        "DELETE FROM trial WHERE ?1 IN (SELECT value FROM json_each(selection, '$.sources'))";
}

impl WriteBatch<'_> {
    /// Stores a trial, and replaces the row of its search with this number.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn replace_trial(&mut self, trial: &TrialRow) -> Result<()> {
        let study = &trial.study;
        let number = trial.number as i64;
        let existing: Option<i64> = self.query(
            &format!("SELECT trial_id FROM trial WHERE {OF_STUDY} AND number = ?8"),
            params![
                study.selection,
                study.system,
                study.search,
                study.split,
                study.standings,
                study.engine,
                study.seed,
                number
            ],
        )?;
        if let Some(trial_id) = existing {
            return update!(self.execute, "trial" {
                parameters: trial.parameters, state: trial.state, rungs: trial.rungs,
                metrics: trial.metrics, tried_at: trial.tried_at, seconds: trial.seconds,
            } "trial_id = ?", trial_id);
        }
        insert!(self.execute, "INSERT INTO trial" {
            selection: study.selection, system: study.system, search: study.search,
            split: study.split, standings: study.standings, engine: study.engine,
            seed: study.seed, number: number, parameters: trial.parameters, state: trial.state,
            rungs: trial.rungs, metrics: trial.metrics, tried_at: trial.tried_at,
            seconds: trial.seconds,
        })
    }
}
