//! Repair of what a check finds, as far as the rest of the file allows it.

use crate::check::current_ratings::RatingSummaries;
use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::open::Writer;
use crate::file::table_hash::{HASHED_TABLES, find_altered_tables};
use crate::ids::RunId;
use crate::runs::ratings::RunRow;

/// Tables whose rows a rebuild derives again.
const DERIVED: [&str; 3] = ["competitor", "competitor_name", "contest"];

/// Tables on which all ratings depend. Which rows are damaged is unknown.
const RUN_TABLES: [&str; 2] = ["rating_run", "run_contest"];

/// A repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Ratings that differ from those written were deleted, with all that follow from them. The
    /// next rating of the run replays them.
    TruncatedRun {
        /// The run.
        run_id: RunId,
        /// Number of its contests that remain.
        remaining: u64,
        /// Number of its contests that are to be replayed.
        deleted: u64,
    },
    /// The current ratings of a run were computed again from its ratings.
    RebuiltCurrentRatings {
        /// The run.
        run_id: RunId,
    },
    /// All evaluations were deleted, because one differs from what was written.
    DeletedEvaluations,
    /// Rows of a table differ from those written, and nothing reproduces them: they are accepted as
    /// they are.
    AcceptedRows {
        /// The table.
        table: &'static str,
    },
}

impl Writer {
    /// Repairs what a check finds in ratings, and accepts rows that nothing in the file reproduces.
    /// Contests and competitors are left to a rebuild, and official ratings too.
    ///
    /// # Errors
    /// Errors if the database cannot be read or written; nothing is changed then.
    pub fn repair(&mut self) -> Result<Vec<Repair>> {
        let mut batch = self.batch()?;
        let altered =
            batch.with_connection(|connection| find_altered_tables(connection, &HASHED_TABLES))?;
        let has_altered_runs = altered.iter().any(|table| RUN_TABLES.contains(table));
        let mut repairs = Vec::new();
        for run in batch.runs()? {
            let mut summaries = RatingSummaries::default();
            let altered_ratings = batch.find_altered_ratings(run.run_id, |position, rows| {
                summaries.add(position, rows);
            })?;
            let first = match altered_ratings.first {
                _ if has_altered_runs => Some(0),
                first => first.map(|(position, _)| position),
            };
            let contests = batch.run_contests(run.run_id)?;
            if let Some(first) = first.filter(|_| !contests.is_empty()) {
                batch.cut_run(
                    &run,
                    first,
                    contests.get(first.wrapping_sub(1)).and_then(|contest| contest.chain),
                )?;
                let remaining = first.min(contests.len()) as u64;
                repairs.push(Repair::TruncatedRun {
                    run_id: run.run_id,
                    remaining,
                    deleted: contests.len() as u64 - remaining,
                });
            } else if first.is_none() && batch.count_wrong_current_ratings(&run, summaries)? > 0 {
                batch.rebuild_current_ratings(&run)?;
                repairs.push(Repair::RebuiltCurrentRatings { run_id: run.run_id });
            }
        }
        for table in altered {
            if DERIVED.contains(&table) {
                continue;
            }
            if ["evaluation", "evaluation_metric"].contains(&table) {
                batch.execute_batch("DELETE FROM evaluation_metric; DELETE FROM evaluation")?;
                if !repairs.contains(&Repair::DeletedEvaluations) {
                    repairs.push(Repair::DeletedEvaluations);
                }
            } else if table != "run_contest" {
                repairs.push(Repair::AcceptedRows { table });
            }
            if table == "source" {
                // The change counters may be damaged.
                batch.execute(
                    "UPDATE rating_run SET source_changes = NULL, source_corrections = NULL",
                    [],
                )?;
            }
            batch.restate_table_hash(table)?;
        }
        batch.commit()?;
        Ok(repairs)
    }
}

impl WriteBatch<'_> {
    /// States the hashes of the tables that a rebuild of all sources wrote anew, in case a row that
    /// it replaced was damaged.
    ///
    /// # Errors
    /// Errors if the database cannot be read or written.
    pub fn restate_derived_tables(&mut self) -> Result<()> {
        DERIVED.into_iter().try_for_each(|table| self.restate_table_hash(table))
    }

    /// States the hashes of all tables as their rows are now: for tests that alter rows.
    ///
    /// # Errors
    /// Errors if the database cannot be read or written.
    #[doc(hidden)]
    pub fn restate_all_tables(&mut self) -> Result<()> {
        HASHED_TABLES.into_iter().try_for_each(|table| self.restate_table_hash(table))
    }

    /// Deletes the rows of a run from `position` on, so that the rest is a run that ends there and
    /// is stale. `last` is the hash of its last contest.
    fn cut_run(&mut self, run: &RunRow, position: usize, last: Option<[u8; 32]>) -> Result<()> {
        self.truncate_run(run.run_id, position)?;
        self.finish_run(run.run_id, last.unwrap_or([0; 32]))?;
        self.rebuild_current_ratings(run)
    }
}
