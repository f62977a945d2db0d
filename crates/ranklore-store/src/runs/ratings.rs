//! Runs of rating systems and their rating rows.

use ranklore_contest::UnixSeconds;
use rusqlite::types::ValueRef;
use rusqlite::{Row, params};

use crate::error::{Error, Result};
use crate::file::batch::WriteBatch;
use crate::file::columns::{count_from_row, optional_count_from_row, read_row};
use crate::file::open::Store;
use crate::file::row_hash::RowHasher;
use crate::ids::{CompetitorId, ContestId, RunId};
use crate::results::row_inserter::RowInserter;
use crate::runs::resume::{SELECT_RATINGS, rating_row};

/// A run to begin: a system with parameters over a selection of contests.
#[derive(Clone, Copy, Debug)]
pub struct NewRun<'a> {
    /// The system's name.
    pub system: &'a str,
    /// Parameters as canonical JSON.
    pub parameters: &'a str,
    /// Selection as canonical JSON; its `sources` is an array of source names.
    pub selection: &'a str,
    /// Version of the numerics: changes whenever any bit of a rating changes.
    pub engine: &'a str,
}

/// A stored run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// Its id.
    pub run_id: RunId,
    /// The system's name.
    pub system: String,
    /// Parameters as canonical JSON.
    pub parameters: String,
    /// Selection as canonical JSON.
    pub selection: String,
    /// Version of the numerics.
    pub engine: String,
    /// Time of the first rating, in Unix seconds.
    pub created_at: i64,
    /// Time of the last rating, in Unix seconds.
    pub rated_at: i64,
    /// Number of rated contests.
    pub contests: u64,
    /// Number of rating rows.
    pub results: u64,
    /// Hash of all inputs of the run.
    pub fingerprint: [u8; 32],
    /// The name that the user gave it.
    pub name: Option<String>,
    /// Sum of the changes of its sources when it was rated; `None` if an earlier version rated.
    pub source_changes: Option<i64>,
    /// Number of rated competitors; `None` if their current ratings are not stored.
    pub competitors: Option<u64>,
    /// The default system of its source, if it is over one source and the user set one.
    pub default_system: Option<String>,
}

/// The rating of a competitor after a contest, in rating points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingRow {
    /// The competitor.
    pub competitor_id: CompetitorId,
    /// The rating.
    pub mu: f64,
    /// The uncertainty of the rating.
    pub sigma: f64,
    /// Performance in this contest, if the system computes it.
    pub performance: Option<f64>,
    /// Volatility of the rating, if the system computes it.
    pub volatility: Option<f64>,
}

/// Selects the columns of [`RunRow`] in order; append conditions.
pub(crate) const SELECT_RUNS: &str = "SELECT run_id, system, parameters, selection, engine, \
     created_at, rated_at, contests, results, fingerprint, name, source_changes, competitors,
     (SELECT default_system FROM source WHERE json_array_length(selection, '$.sources') = 1
          AND source.name = json_extract(selection, '$.sources[0]'))
     FROM rating_run";

pub(crate) fn run_row(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    read_row!(row => RunRow {
        run_id, system, parameters, selection, engine, created_at, rated_at,
        contests: count_from_row, results: count_from_row, fingerprint,
        name, source_changes, competitors: optional_count_from_row, default_system,
    })
}

/// Writes the rating rows of a batch, contest by contest.
pub struct RatingWriter<'b> {
    batch: &'b WriteBatch<'b>,
    contests: RowInserter<'b>,
    insert: RowInserter<'b>,
    hasher: RowHasher,
    /// Competitors of a contest in ascending order, each with the index of its row.
    order: Vec<(CompetitorId, u32)>,
}

impl WriteBatch<'_> {
    /// Begins a run, or continues it: equal system, parameters and selection identify the same run.
    /// Its rows stay until [`WriteBatch::truncate_run`].
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn begin_run(&mut self, run: &NewRun<'_>, now: UnixSeconds) -> Result<RunId> {
        let values = params![
            run.system,
            run.parameters,
            run.selection,
            run.engine,
            now.get(),
        ];
        let begun = self.query_row(
            "UPDATE rating_run SET engine = ?4, rated_at = ?5
             WHERE system = ?1 AND parameters = ?2 AND selection = ?3
             RETURNING run_id",
            values,
            |row| row.get(0),
        )?;
        if let Some(run_id) = begun {
            return Ok(run_id);
        }
        // Not an upsert: an insert with a conflict would use up an id.
        self.query_value(
            "INSERT INTO rating_run (system, parameters, selection, engine, created_at,
                 rated_at, contests, results, fingerprint)
             VALUES (?1, ?2, ?3, ?4, ?5, ?5, 0, 0, zeroblob(32))
             RETURNING run_id",
            values,
        )
    }

    /// Replaces the parameters of a run by their full form: an earlier version did not know all.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn update_run_parameters(&mut self, run_id: RunId, parameters: &str) -> Result<()> {
        self.execute(
            "UPDATE rating_run SET parameters = ?2 WHERE run_id = ?1",
            params![run_id, parameters],
        )
    }

    /// Replaces the selection of a run, given as canonical JSON: one of its sources was removed. No
    /// other run may have the same system, parameters and selection.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn update_run_selection(&mut self, run_id: RunId, selection: &str) -> Result<()> {
        self.execute(
            "UPDATE rating_run SET selection = ?2 WHERE run_id = ?1",
            params![run_id, selection],
        )
    }

    /// Gives a run a name, or removes it. The caller keeps names unique.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn set_run_name(&mut self, run_id: RunId, name: Option<&str>) -> Result<()> {
        self.execute(
            "UPDATE rating_run SET name = ?2 WHERE run_id = ?1",
            params![run_id, name],
        )
    }

    /// Deletes a run with its ratings and evaluations.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn delete_run(&mut self, run_id: RunId) -> Result<()> {
        self.truncate_run(run_id, 0)?;
        self.execute("DELETE FROM rating_run WHERE run_id = ?1", [run_id])
    }

    /// Returns a writer for rows of runs begun in this batch.
    #[must_use]
    pub fn rating_writer(&mut self) -> RatingWriter<'_> {
        let into = "rating (run_id, contest_id, competitor_id, mu, sigma, performance, volatility)";
        let contests = "run_contest (run_id, position, contest_id, results, chain, rows_hash)";
        RatingWriter {
            batch: self,
            contests: RowInserter::new(&self.connection, contests, 1, 5),
            insert: RowInserter::new(&self.connection, into, 2, 5),
            hasher: RowHasher::default(),
            order: Vec::new(),
        }
    }

    /// Adds a row inserted into `run_contest` to the hash of that table: run, position, contest,
    /// results, chain, hash of its rating rows.
    pub(crate) fn add_run_contest(&self, integers: [i64; 4], chain: &[u8; 32], rows_hash: i64) {
        let [run, position, contest, results] = integers.map(ValueRef::Integer);
        let (chain, hash) = (ValueRef::Blob(chain), ValueRef::Integer(rows_hash));
        self.add_inserted(
            "run_contest",
            &[run, position, contest, results, chain, hash],
        );
    }

    /// Stores the change counters of the sources of a run, whose ratings match the contests as they
    /// are now.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn record_source_changes(&mut self, run_id: RunId) -> Result<()> {
        self.count_changes()?;
        let sql = format!(
            "UPDATE rating_run SET source_changes = {SUM_OF_CHANGES}
             WHERE run_id = ?1 AND source_changes IS NOT {SUM_OF_CHANGES}"
        );
        self.execute(&sql, [run_id])
    }

    /// Stores the totals of a run after all its rows are written, and the hash of all its inputs.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn finish_run(&mut self, run_id: RunId, fingerprint: [u8; 32]) -> Result<()> {
        self.execute(
            "UPDATE rating_run SET fingerprint = ?2, (contests, results) =
                 (SELECT count(*) FILTER (WHERE results > 0), coalesce(sum(results), 0)
                  FROM run_contest WHERE run_id = ?1)
             WHERE run_id = ?1",
            params![run_id, fingerprint],
        )
    }
}

/// Sum of the change counters of the sources in `selection`.
const SUM_OF_CHANGES: &str = "(SELECT coalesce(sum(changes), 0) FROM source WHERE name IN
     (SELECT value FROM json_each(selection, '$.sources')))";

impl RatingWriter<'_> {
    /// Writes the rows of the contest at `position` of the replay, in any order; none for a contest
    /// without an order. `chain` is the hash of all their inputs.
    ///
    /// # Errors
    /// [`Error::InvalidRatings`] if a number is NaN or a competitor has two rows; drop the batch
    /// then.
    pub fn write_contest(
        &mut self,
        run_id: RunId,
        position: usize,
        contest_id: ContestId,
        chain: &[u8; 32],
        rows: &[RatingRow],
    ) -> Result<()> {
        let invalid = |reason: String| Error::InvalidRatings { contest_id, reason };
        // SQLite stores NaN as NULL, which would be read back as "not computed".
        let nan = |row: &&RatingRow| {
            let optional = row.performance.unwrap_or(0.0) + row.volatility.unwrap_or(0.0);
            (row.mu + row.sigma + optional).is_nan()
        };
        if let Some(row) = rows.iter().find(nan) {
            return Err(invalid(format!("not a number: {row:?}")));
        }
        // Primary-key order packs the pages.
        self.order.clear();
        let competitors = rows.iter().map(|row| row.competitor_id);
        self.order.extend(competitors.zip(0..));
        self.order
            .sort_unstable_by_key(|&(competitor, _)| competitor);
        let same = |pair: &&[(CompetitorId, u32)]| pair[0].0 == pair[1].0;
        if let Some(pair) = self.order.windows(2).find(same) {
            let row = &rows[pair[0].1 as usize];
            return Err(invalid(format!("two rows: {row:?}")));
        }
        for &(competitor_id, index) in &self.order {
            let row = &rows[index as usize];
            let numbers = [
                Some(row.mu),
                Some(row.sigma),
                row.performance,
                row.volatility,
                None,
            ];
            self.hasher.write_rating(competitor_id, numbers);
        }
        let hash = if rows.is_empty() {
            0
        } else {
            self.hasher.finish()
        };
        let integers = [
            run_id.get(),
            position as i64,
            contest_id.get(),
            rows.len() as i64,
        ];
        self.batch.add_run_contest(integers, chain, hash);
        let contests = &mut self.contests;
        self.batch.with_connection(|_| {
            let row = (position as i64, contest_id, rows.len() as i64, chain, hash);
            contests.insert(&[run_id.get()], &[row], |statement, at, row| {
                statement.raw_bind_parameter(at, row.0)?;
                statement.raw_bind_parameter(at + 1, row.1)?;
                statement.raw_bind_parameter(at + 2, row.2)?;
                statement.raw_bind_parameter(at + 3, row.3)?;
                statement.raw_bind_parameter(at + 4, row.4)
            })
        })?;
        let insert = &mut self.insert;
        let order = &self.order;
        self.batch.with_connection(|_| {
            let fixed = [run_id.get(), contest_id.get()];
            insert.insert(&fixed, order, |statement, at, &(competitor_id, index)| {
                let row = &rows[index as usize];
                statement.raw_bind_parameter(at, competitor_id)?;
                statement.raw_bind_parameter(at + 1, row.mu)?;
                statement.raw_bind_parameter(at + 2, row.sigma)?;
                statement.raw_bind_parameter(at + 3, row.performance)?;
                statement.raw_bind_parameter(at + 4, row.volatility)
            })
        })
    }
}

impl Store {
    /// Returns the run with this system, these parameters and this selection.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn find_matching_run(
        &self,
        system: &str,
        parameters: &str,
        selection: &str,
    ) -> Result<Option<RunRow>> {
        let sql = format!("{SELECT_RUNS} WHERE system = ?1 AND parameters = ?2 AND selection = ?3");
        self.query_row(&sql, [system, parameters, selection], run_row)
    }

    /// True if no contest and no competitor in the sources of a run changed since it was rated:
    /// their change counters are those that [`WriteBatch::record_source_changes`] stored. Otherwise
    /// only a comparison of all contests can tell.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn has_unchanged_sources(&self, run: &RunRow) -> Result<bool> {
        let sql = format!("SELECT {SUM_OF_CHANGES} FROM (SELECT ?1 AS selection)");
        let changes: i64 = self.query_value(&sql, [&run.selection])?;
        Ok(run.source_changes == Some(changes))
    }

    /// Calls `each` with the rating rows of a run for each contest, in the given order, and within
    /// a contest ordered by competitor id. Contests without ratings get an empty slice. Keeps only
    /// one contest in memory.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_rating(
        &self,
        run_id: RunId,
        contests: impl IntoIterator<Item = ContestId>,
        mut each: impl FnMut(ContestId, &[RatingRow]),
    ) -> Result<()> {
        let sql = format!("{SELECT_RATINGS} ORDER BY competitor_id");
        for contest_id in contests {
            let ratings: Vec<_> = self.query_rows(&sql, params![run_id, contest_id], rating_row)?;
            each(contest_id, &ratings);
        }
        Ok(())
    }
}
