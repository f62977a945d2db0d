//! Runs of rating systems and their rating rows.

use std::sync::LazyLock;

use ranklore_contest::UnixSeconds;
use rusqlite::params;

use crate::error::{Error, Result};
use crate::file::batch::WriteBatch;
use crate::file::columns::{queries, row, statements};
use crate::file::open::Store;
use crate::file::row_hash::{RowHasher, StoredRating, TableRow, table_row};
use crate::ids::{CompetitorId, ContestId, RunId};
use crate::results::row_inserter::{RowInserter, RowInserts};

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

row! {
    /// A stored run.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct RunRow selects RUN_COLUMNS {
        /// The run.
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
        /// Sum of the corrections of its sources when it was rated; `None` if an earlier version rated.
        pub source_corrections: Option<i64>,
        /// The largest id of a contest when it was rated; `None` if an earlier version rated.
        pub newest_contest_id: Option<ContestId>,
        /// Number of rated competitors; `None` if their current ratings are not stored.
        pub competitors: Option<u64>,
        /// The default system of its source, if it is over one source and the user set one.
        pub default_system: Option<String> = "(SELECT default_system FROM source
                WHERE json_array_length(selection, '$.sources') = 1
                    AND source.name = json_extract(selection, '$.sources[0]'))",
    }
}

row! {
    /// The rating of a competitor after a contest, in rating points.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct RatingRow selects RATING_COLUMNS {
        /// The competitor.
        pub competitor_id: CompetitorId = "rating.competitor_id",
        /// The rating.
        pub mu: f64,
        /// The uncertainty of the rating.
        pub sigma: f64,
        /// Performance in this contest, if the system computes it.
        pub performance: Option<f64>,
        /// Volatility of the rating, if the system computes it.
        pub volatility: Option<f64>,
    }
}

/// Selects the rows of the contest `?2` in the run `?1`; made once, since replays read every contest.
pub(crate) static SELECT_RATINGS: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {RATING_COLUMNS} FROM rating WHERE run_id = ?1 AND contest_id = ?2")
});

/// Writes the rating rows of a batch, contest by contest. Rows of several contests are inserted by
/// one statement, so the last ones are written by [`RatingWriter::finish`].
pub struct RatingWriter<'b> {
    batch: &'b WriteBatch<'b>,
    run_id: RunId,
    last_position: usize,
    hasher: RowHasher,
    /// Rows that are not inserted yet.
    waiting_contests: Vec<RunContestRow>,
    waiting_ratings: Vec<(ContestId, StoredRating)>,
    /// Number of results since the last contest that was stored with its chain hash.
    results_since_chain: usize,
}

table_row! {
    /// A row to insert into `run_contest`. The hash of its inputs is empty if it is not stored.
    pub(crate) struct RunContestRow in "run_contest" {
        pub(crate) run_id: RunId,
        pub(crate) position: i64,
        pub(crate) contest_id: ContestId,
        pub(crate) results: i64,
        pub(crate) chain: Vec<u8>,
        pub(crate) rows_hash: i64,
    }
}

/// Up to this position each contest has its chain hash; from then on only every so many results,
/// since the hash of a game takes as much space as its ratings.
const ALL_CHAINED: usize = 1000;
const RESULTS_PER_CHAIN: usize = 64;

/// The rows of either table that wait before they are inserted.
const MAX_WAITING_ROWS: usize = 1024;

static INSERT_RATINGS: LazyLock<RowInserts> =
    LazyLock::new(|| RowInserts::for_rows::<StoredRating>(&["run_id", "contest_id"], 1));

static INSERT_RUN_CONTESTS: LazyLock<RowInserts> =
    LazyLock::new(|| RowInserts::for_rows::<RunContestRow>(&[], 0));

statements! {
    /// Replaces the parameters of a run by their full form: an earlier version did not know all.
    pub fn update_run_parameters(run_id: RunId, parameters: &str) =
        "UPDATE rating_run SET parameters = ?2 WHERE run_id = ?1";

    /// Replaces the selection of a run, given as canonical JSON: one of its sources was removed. No
    /// other run may have the same system, parameters and selection.
    pub fn update_run_selection(run_id: RunId, selection: &str) =
        "UPDATE rating_run SET selection = ?2 WHERE run_id = ?1";

    /// Gives a run a name, or removes it. The caller keeps names unique.
    pub fn set_run_name(run_id: RunId, name: Option<&str>) =
        "UPDATE rating_run SET name = ?2 WHERE run_id = ?1";

    /// Stores the totals of a run after all its rows are written, and the hash of all its inputs.
    pub fn finish_run(run_id: RunId, fingerprint: [u8; 32]) =
        "UPDATE rating_run SET fingerprint = ?2, (contests, results) =
             (SELECT count(*) FILTER (WHERE results > 0), coalesce(sum(results), 0)
              FROM run_contest WHERE run_id = ?1)
         WHERE run_id = ?1";
}

impl WriteBatch<'_> {
    /// Begins a run, or continues it: equal system, parameters and selection identify the same run.
    /// Its rows stay until [`WriteBatch::truncate_run`].
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn begin_run(&mut self, run: &NewRun<'_>, now: UnixSeconds) -> Result<RunId> {
        let values = (run.system, run.parameters, run.selection, run.engine, now.get());
        let existing = self.query(
            "UPDATE rating_run SET engine = ?4, rated_at = ?5
             WHERE system = ?1 AND parameters = ?2 AND selection = ?3
             RETURNING run_id",
            values,
        )?;
        if let Some(run_id) = existing {
            return Ok(run_id);
        }
        // Not an upsert: an insert with a conflict would use up an id.
        self.query(
            "INSERT INTO rating_run (system, parameters, selection, engine, created_at,
                 rated_at, contests, results, fingerprint)
             VALUES (?1, ?2, ?3, ?4, ?5, ?5, 0, 0, zeroblob(32))
             RETURNING run_id",
            values,
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

    /// Returns a writer for rows of a run begun in this batch, whose last contest has this position.
    #[must_use]
    pub fn rating_writer(&mut self, run_id: RunId, last_position: usize) -> RatingWriter<'_> {
        RatingWriter {
            batch: self,
            run_id,
            last_position,
            hasher: RowHasher::default(),
            waiting_contests: Vec::new(),
            waiting_ratings: Vec::new(),
            results_since_chain: 0,
        }
    }

    /// Stores the counters of the sources of a run, whose ratings match the contests as they are now,
    /// and the newest contest.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn record_source_changes(&mut self, run_id: RunId) -> Result<()> {
        self.with_connection(|connection| self.table_hashes().count_changes(connection))?;
        let changes = sum_over_sources("changes");
        let corrections = sum_over_sources("corrections");
        let sql = format!(
            "UPDATE rating_run SET source_changes = {changes}, source_corrections = {corrections},
                 newest_contest_id = (SELECT max(contest_id) FROM contest)
             WHERE run_id = ?1"
        );
        self.execute(&sql, [run_id])
    }

    /// Like [`WriteBatch::finish_run`], for a run to which this number of rated contests and of rows
    /// was appended: does not count those before them.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn finish_appended_run(
        &mut self,
        run_id: RunId,
        fingerprint: [u8; 32],
        (contests, results): (u64, u64),
    ) -> Result<()> {
        self.execute(
            "UPDATE rating_run SET fingerprint = ?2, contests = contests + ?3,
                 results = results + ?4 WHERE run_id = ?1",
            params![run_id, fingerprint, contests as i64, results as i64],
        )
    }

    /// Inserts contests of a run and the ratings after them, in the order of the tables.
    pub(crate) fn insert_run_rows(
        &self,
        run_id: RunId,
        contests: &[RunContestRow],
        ratings: &[(ContestId, StoredRating)],
    ) -> Result<()> {
        self.with_connection(|connection| {
            RowInserter::new(connection, &INSERT_RUN_CONTESTS).insert_rows(&[], contests)?;
            let mut inserter = RowInserter::new(connection, &INSERT_RATINGS);
            inserter.insert(&[run_id.get()], ratings, |statement, at, (contest_id, row)| {
                statement.raw_bind_parameter(at, contest_id)?;
                row.bind(statement, at + 1)
            })
        })
    }
}

/// Returns the sum of a column over the sources in `selection`, as SQL.
fn sum_over_sources(column: &str) -> String {
    format!(
        "(SELECT coalesce(sum({column}), 0) FROM source WHERE name IN
             (SELECT value FROM json_each(selection, '$.sources')))"
    )
}

impl RatingWriter<'_> {
    /// Writes the rows of the contest at `position` of the replay, in any order; none for a contest
    /// without an order. `chain` is the hash of all their inputs; it is stored for some contests only.
    ///
    /// # Errors
    /// [`Error::InvalidRatings`] if a number is NaN or a competitor has two rows; drop the batch
    /// then.
    pub fn write_contest(
        &mut self,
        position: usize,
        contest_id: ContestId,
        chain: &[u8; 32],
        rows: &[RatingRow],
    ) -> Result<()> {
        let rows_hash = self
            .queue_ratings(contest_id, rows)
            .map_err(|reason| Error::InvalidRatings { contest_id, reason })?;
        self.results_since_chain += rows.len();
        let mut stored_chain = Vec::new();
        if self.needs_chain(position) {
            stored_chain = chain.to_vec();
            self.results_since_chain = 0;
        }
        let contest = RunContestRow {
            run_id: self.run_id,
            position: position as i64,
            contest_id,
            results: rows.len() as i64,
            chain: stored_chain,
            rows_hash,
        };
        self.batch.add_inserted(&contest)?;
        self.waiting_contests.push(contest);
        if self.waiting_contests.len().max(self.waiting_ratings.len()) >= MAX_WAITING_ROWS {
            self.insert_waiting()?;
        }
        Ok(())
    }

    /// Adds the rows of a contest to those that wait, and returns their hash. Errors with the reason
    /// if a row cannot be stored.
    fn queue_ratings(
        &mut self,
        contest_id: ContestId,
        rows: &[RatingRow],
    ) -> std::result::Result<i64, String> {
        if let Some(row) = rows.iter().find(|row| has_nan(row)) {
            return Err(format!("not a number: {row:?}"));
        }
        let first = self.waiting_ratings.len();
        let ratings = rows.iter().map(|row| {
            let stored = StoredRating {
                competitor_id: row.competitor_id,
                mu: row.mu,
                sigma: row.sigma,
                performance: row.performance,
                volatility: row.volatility,
                mu_before: None,
            };
            (contest_id, stored)
        });
        self.waiting_ratings.extend(ratings);
        let sorted = &mut self.waiting_ratings[first..];
        // Primary-key order packs the pages.
        sorted.sort_unstable_by_key(|(_, row)| row.competitor_id);
        for pair in sorted.windows(2) {
            if pair[0].1.competitor_id == pair[1].1.competitor_id {
                return Err(format!("two rows: {:?}", pair[0].1));
            }
        }
        for (_, row) in &*sorted {
            self.hasher.write_rating(row).map_err(|error| error.to_string())?;
        }
        Ok(if rows.is_empty() {
            0
        } else {
            self.hasher.finish()
        })
    }

    /// True if the contest at a position is stored with its chain hash.
    const fn needs_chain(&self, position: usize) -> bool {
        position < ALL_CHAINED
            || position == self.last_position
            || self.results_since_chain >= RESULTS_PER_CHAIN
    }

    /// Inserts the rows that wait.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.insert_waiting()
    }

    fn insert_waiting(&mut self) -> Result<()> {
        let ratings = &self.waiting_ratings;
        self.batch.insert_run_rows(self.run_id, &self.waiting_contests, ratings)?;
        self.waiting_contests.clear();
        self.waiting_ratings.clear();
        Ok(())
    }
}

/// True if a number is NaN. SQLite stores NaN as NULL, which would be read back as "not computed".
fn has_nan(row: &RatingRow) -> bool {
    let optional = row.performance.unwrap_or(0.0) + row.volatility.unwrap_or(0.0);
    (row.mu + row.sigma + optional).is_nan()
}

queries! {
    /// Returns the run with this system, these parameters and this selection.
    pub fn find_matching_run(system: &str, parameters: &str, selection: &str) -> Option<RunRow> =
        format!("SELECT {RUN_COLUMNS} FROM rating_run
                 WHERE system = ?1 AND parameters = ?2 AND selection = ?3");
}

impl Store {
    /// True if no contest and no competitor in the sources of a run changed since it was rated:
    /// their change counters are those that [`WriteBatch::record_source_changes`] stored. Otherwise
    /// only a comparison of all contests can tell.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn has_unchanged_sources(&self, run: &RunRow) -> Result<bool> {
        Ok(run.source_changes == Some(self.sum_over_sources(&run.selection, "changes")?))
    }

    /// True if no contest and no competitor in the sources of a run was changed or deleted since it
    /// was rated: at most, contests with larger ids than [`RunRow::newest_contest_id`] were inserted.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn has_uncorrected_sources(&self, run: &RunRow) -> Result<bool> {
        Ok(run.source_corrections == Some(self.sum_over_sources(&run.selection, "corrections")?))
    }

    /// Returns the sum of a column over the sources in a selection.
    pub(crate) fn sum_over_sources(&self, selection: &str, column: &str) -> Result<i64> {
        let sum = sum_over_sources(column);
        let sql = format!("SELECT {sum} FROM (SELECT ?1 AS selection)");
        self.query(&sql, [selection])
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
        let sql = format!("{} ORDER BY competitor_id", *SELECT_RATINGS);
        for contest_id in contests {
            let ratings: Vec<_> = self.query(&sql, params![run_id, contest_id])?;
            each(contest_id, &ratings);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::row_hash::assert_columns_of_table;

    #[test]
    fn run_contest_has_the_columns_of_the_table() {
        assert_columns_of_table::<RunContestRow>(&[]);
    }
}
