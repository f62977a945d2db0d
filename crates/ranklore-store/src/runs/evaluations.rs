//! Evaluations of runs, and of systems that were compared without runs.

use rusqlite::{Params, params};
use serde::Serialize;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::{ColumnReader, insert, row};
use crate::file::open::Store;
use crate::ids::{RunId, SourceId};

/// The accuracy of the predictions of a system over a selection of contests.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredEvaluation {
    /// The run; `None` if the system was compared without one.
    pub run_id: Option<RunId>,
    /// The system's name.
    pub system: String,
    /// Parameters as canonical JSON.
    pub parameters: String,
    /// Selection as canonical JSON.
    pub selection: String,
    /// How it was evaluated, as canonical JSON.
    pub settings: String,
    /// Time of the evaluation, in Unix seconds.
    pub evaluated_at: i64,
    /// Duration of the replay, in seconds.
    pub seconds: Option<f64>,
    /// Memory of the states of all competitors.
    pub bytes: Option<i64>,
    /// The metrics, ordered by slice and metric.
    pub metrics: Vec<MetricRow>,
}

row! {
    /// The value of a metric in a slice.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct MetricRow selects METRIC_COLUMNS {
        /// The entrants and contests.
        pub slice: String,
        /// The metric.
        pub metric: String,
        /// The value.
        pub value: f64,
        /// The lower bound of the 95 % interval, if it was computed.
        pub low: Option<f64>,
        /// The upper bound.
        pub high: Option<f64>,
    }
}

impl WriteBatch<'_> {
    /// Stores the evaluation of a run, and replaces an earlier one.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn replace_evaluation(&mut self, evaluation: &StoredEvaluation) -> Result<()> {
        if let Some(run_id) = evaluation.run_id {
            self.delete_evaluation(run_id)?;
        }
        self.insert_evaluation(evaluation)
    }

    /// Stores the evaluations of systems that were compared over a selection, and replaces those of
    /// an earlier comparison over it.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn replace_comparison(
        &mut self,
        selection: &str,
        evaluations: &[StoredEvaluation],
    ) -> Result<()> {
        self.delete_evaluations("run_id IS NULL AND selection = ?1", [selection])?;
        for evaluation in evaluations {
            self.insert_evaluation(evaluation)?;
        }
        Ok(())
    }

    /// Deletes the comparisons of systems over a source.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn delete_comparisons(&mut self, source: &str) -> Result<()> {
        let condition =
            "run_id IS NULL AND ?1 IN (SELECT value FROM json_each(selection, '$.sources'))";
        self.delete_evaluations(condition, [source])
    }

    /// Deletes the evaluations over a source that name divisions.
    pub(crate) fn delete_evaluations_by_division(&self, source_id: SourceId) -> Result<()> {
        let condition = "(SELECT name FROM source WHERE source_id = ?1) IN
                 (SELECT value FROM json_each(selection, '$.sources'))
             AND (selection ->> '$.division' IS NOT NULL OR EXISTS
                 (SELECT 1 FROM evaluation_metric AS metric
                  WHERE metric.evaluation_id = evaluation.evaluation_id
                      AND slice LIKE 'division%'))";
        self.delete_evaluations(condition, [source_id])
    }

    /// Deletes the evaluation of a run, which no longer matches its ratings.
    pub(crate) fn delete_evaluation(&self, run_id: RunId) -> Result<()> {
        self.delete_evaluations("run_id = ?1", [run_id])
    }

    fn delete_evaluations(&self, condition: &str, parameters: impl Params) -> Result<()> {
        let sql = format!("SELECT evaluation_id FROM evaluation WHERE {condition}");
        let ids: Vec<i64> = self.query(&sql, parameters)?;
        for id in ids {
            for table in ["evaluation_metric", "evaluation"] {
                let sql = format!("DELETE FROM {table} WHERE evaluation_id = ?1");
                self.execute(&sql, [id])?;
            }
        }
        Ok(())
    }

    fn insert_evaluation(&mut self, evaluation: &StoredEvaluation) -> Result<()> {
        let changes = self.sum_over_sources(&evaluation.selection, "changes")?;
        let evaluation_id = insert!(self.insert, "INSERT INTO evaluation" {
            run_id: evaluation.run_id, system: evaluation.system,
            parameters: evaluation.parameters, selection: evaluation.selection,
            settings: evaluation.settings, evaluated_at: evaluation.evaluated_at,
            seconds: evaluation.seconds, bytes: evaluation.bytes, source_changes: changes,
        })?;
        for row in &evaluation.metrics {
            insert!(self.execute, "INSERT INTO evaluation_metric" {
                evaluation_id: evaluation_id, slice: row.slice, metric: row.metric,
                value: row.value, low: row.low, high: row.high,
            })?;
        }
        Ok(())
    }
}

impl Store {
    /// Returns the evaluation of a run.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn evaluation(&self, run_id: RunId) -> Result<Option<StoredEvaluation>> {
        let evaluations = self.load_evaluations("run_id = ?1", params![run_id])?;
        Ok(evaluations.into_iter().next())
    }

    /// Returns the evaluations of the systems that were compared over a selection, in the order in
    /// which they were stored.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn comparison(&self, selection: &str) -> Result<Vec<StoredEvaluation>> {
        self.load_evaluations("run_id IS NULL AND selection = ?1", params![selection])
    }

    /// Returns the evaluations over a source, of runs and of compared systems, newest first; those
    /// of one comparison in the order in which they were stored.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn evaluations_over(&self, source: &str) -> Result<Vec<StoredEvaluation>> {
        let condition = "?1 IN (SELECT value FROM json_each(selection, '$.sources'))";
        let mut evaluations = self.load_evaluations(condition, params![source])?;
        // Stable: the order of a comparison stays.
        evaluations.sort_by_key(|evaluation| std::cmp::Reverse(evaluation.evaluated_at));
        Ok(evaluations)
    }

    fn load_evaluations(
        &self,
        condition: &str,
        parameters: impl Params,
    ) -> Result<Vec<StoredEvaluation>> {
        let mut rows = Vec::new();
        self.for_each_row(
            &format!(
                "SELECT evaluation_id, run_id, system, parameters, selection, settings,
                     evaluated_at, seconds, bytes
                 FROM evaluation WHERE {condition} ORDER BY evaluation_id"
            ),
            parameters,
            |row| {
                let mut columns = ColumnReader::new(row, 0);
                let evaluation_id: i64 = columns.read()?;
                let evaluation = StoredEvaluation {
                    run_id: columns.read()?,
                    system: columns.read()?,
                    parameters: columns.read()?,
                    selection: columns.read()?,
                    settings: columns.read()?,
                    evaluated_at: columns.read()?,
                    seconds: columns.read()?,
                    bytes: columns.read()?,
                    metrics: Vec::new(),
                };
                rows.push((evaluation_id, evaluation));
                Ok(())
            },
        )?;
        let mut evaluations = Vec::with_capacity(rows.len());
        for (evaluation_id, mut evaluation) in rows {
            evaluation.metrics = self.query(
                &format!(
                    "SELECT {METRIC_COLUMNS} FROM evaluation_metric
                     WHERE evaluation_id = ?1 ORDER BY slice, metric"
                ),
                [evaluation_id],
            )?;
            evaluations.push(evaluation);
        }
        Ok(evaluations)
    }
}
