//! Data to continue runs: the contests of a run, and the rows from which the states of competitors
//! are restored.

use std::rc::Rc;

use rusqlite::params;
use rusqlite::types::Value;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::{FromRow, queries, update};
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, RunId};
use crate::runs::ratings::{RATING_COLUMNS, RatingRow, SELECT_RATINGS};

/// A contest of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunContest {
    /// The contest.
    pub contest_id: ContestId,
    /// Number of rating rows; 0 for a contest without an order.
    pub results: u32,
    /// Hash of all inputs of the rows up to and including this contest; `None` if it is not stored.
    pub chain: Option<[u8; 32]>,
}

/// A contest, and the competitors whose rating rows are wanted.
#[derive(Clone, Debug)]
pub struct RatingsQuery {
    /// The contest.
    pub contest_id: ContestId,
    /// Number of its entrants.
    pub entrants: usize,
    /// The competitors, sorted and without duplicates.
    pub competitors: Vec<CompetitorId>,
}

impl RatingsQuery {
    /// Returns the cost of the query, in rows read.
    #[must_use]
    pub fn cost(&self) -> usize {
        self.entrants.min(self.competitors.len() * DENSE_RATIO)
    }

    const fn is_dense(&self) -> bool {
        self.competitors.len() * DENSE_RATIO > self.entrants
    }
}

/// If more than one in four rows of a contest is wanted, reading all of them is faster than looking
/// up each.
const DENSE_RATIO: usize = 4;

queries! {
    /// Returns the last contest of a run and its position; `None` if the run has none.
    pub fn last_run_contest(run_id: RunId) -> Option<(usize, ContestId)> =
        "SELECT position, contest_id FROM run_contest WHERE run_id = ?1
         ORDER BY position DESC LIMIT 1";
}

impl Store {
    /// Returns the contests of a run in replay order; none if the run is older than schema version
    /// 2, or has official ratings, which no replay computed.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn run_contests(&self, run_id: RunId) -> Result<Vec<RunContest>> {
        let mut contests = Vec::new();
        self.for_each_run_contest(run_id, |contest| contests.push(contest))?;
        Ok(contests)
    }

    /// Calls `each` with the contests that [`Store::run_contests`] returns. Keeps one in memory.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_run_contest(
        &self,
        run_id: RunId,
        mut each: impl FnMut(RunContest),
    ) -> Result<()> {
        self.for_each_row(
            "SELECT contest_id, run_contest.results, chain
             FROM run_contest JOIN rating_run USING (run_id)
             WHERE run_id = ?1 AND system <> 'official' ORDER BY position",
            [run_id],
            |row| {
                each(RunContest {
                    contest_id: row.get(0)?,
                    results: row.get(1)?,
                    chain: row.get_ref(2)?.as_blob()?.try_into().ok(),
                });
                Ok(())
            },
        )
    }

    /// Calls `each` with the contests of each competitor, in any state.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_contest_of(
        &self,
        competitors: impl IntoIterator<Item = CompetitorId>,
        mut each: impl FnMut(CompetitorId, ContestId),
    ) -> Result<()> {
        let sql = "SELECT contest_id FROM standing WHERE competitor_id = ?1";
        for competitor_id in competitors {
            self.for_each(sql, [competitor_id], |contest_id| each(competitor_id, contest_id))?;
        }
        Ok(())
    }

    /// Opens another connection to the same file. It reads committed data, and maps the file into
    /// memory, which makes many random reads a quarter faster.
    ///
    /// # Errors
    /// Errors if the file cannot be opened.
    pub fn open_parallel_reader(&self) -> Result<Self> {
        let store = Self::open_reader(self.path())?;
        // SQLite maps at most 2 GiB; it reads the rest normally.
        store.with_connection(|connection| {
            rusqlite::vtab::array::load_module(connection)?;
            connection.execute_batch("PRAGMA mmap_size = 2147418112")
        })?;
        Ok(store)
    }

    /// Calls `each` with the index of the contest and a rating row, for each contest in the given
    /// order and each wanted competitor. The cost is proportional to the rows wanted, not to the
    /// rows stored.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_queried_rating(
        &self,
        run_id: RunId,
        contests: &[RatingsQuery],
        mut each: impl FnMut(usize, RatingRow),
    ) -> Result<()> {
        self.with_connection(|connection| {
            let mut all = connection
                .prepare_cached(&format!("{} ORDER BY competitor_id", *SELECT_RATINGS))?;
            // Looks up the rows in table order, in one statement.
            let mut some = connection.prepare_cached(&format!(
                "SELECT {RATING_COLUMNS} FROM rarray(?3) AS wanted CROSS JOIN rating
                     ON run_id = ?1 AND contest_id = ?2 AND competitor_id = wanted.value"
            ))?;
            for (index, contest) in contests.iter().enumerate() {
                let competitors = contest.competitors.iter();
                if contest.is_dense() {
                    // Both are sorted by competitor.
                    let mut remaining = competitors.copied().peekable();
                    let mut rows = all.query(params![run_id, contest.contest_id])?;
                    while let Some(row) = rows.next()? {
                        let competitor: CompetitorId = row.get(0)?;
                        while remaining.next_if(|&id| id < competitor).is_some() {}
                        if remaining.next_if_eq(&competitor).is_some() {
                            each(index, RatingRow::from_row(row, 0)?);
                        }
                    }
                } else {
                    let ids: Vec<_> = competitors.map(|id| Value::from(id.get())).collect();
                    let key = params![run_id, contest.contest_id, Rc::new(ids)];
                    let mut rows = some.query(key)?;
                    while let Some(row) = rows.next()? {
                        each(index, RatingRow::from_row(row, 0)?);
                    }
                }
            }
            Ok(())
        })
    }
}

impl WriteBatch<'_> {
    /// Replaces the chain hashes of a run's contests, given in replay order, after a change that
    /// leaves its ratings valid.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn update_run_chain<'c>(
        &mut self,
        run_id: RunId,
        links: impl Iterator<Item = &'c [u8; 32]>,
    ) -> Result<()> {
        let mut last = None;
        for (position, chain) in links.enumerate() {
            self.execute(
                "UPDATE run_contest SET chain = ?3
                 WHERE run_id = ?1 AND position = ?2 AND length(chain) > 0",
                params![run_id, position as i64, chain],
            )?;
            last = Some(chain);
        }
        if let Some(last) = last {
            update!(self.execute, "rating_run" { fingerprint: last } "run_id = ?", run_id)?;
        }
        Ok(())
    }

    /// Deletes the rows of a run from `position` on, and its evaluations, which cover the whole
    /// run. Current ratings are deleted if `position` is 0; otherwise replace those of the
    /// competitors with deleted rows.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn truncate_run(&mut self, run_id: RunId, position: usize) -> Result<()> {
        let from = params![run_id, position as i64];
        if position == 0 {
            self.delete_ratings(run_id)?;
            self.delete_current_ratings(run_id)?;
        } else {
            self.execute(
                "DELETE FROM rating WHERE run_id = ?1 AND contest_id IN
                     (SELECT contest_id FROM run_contest WHERE run_id = ?1 AND position >= ?2)",
                from,
            )?;
        }
        self.execute("DELETE FROM run_contest WHERE run_id = ?1 AND position >= ?2", from)?;
        self.delete_evaluation(run_id)?;
        // An unfinished run matches no fingerprint.
        self.execute(
            "UPDATE rating_run SET fingerprint = zeroblob(32), source_changes = NULL,
                 source_corrections = NULL, newest_contest_id = NULL
             WHERE run_id = ?1",
            [run_id],
        )
    }

    /// Deletes all rating rows of a run.
    pub(crate) fn delete_ratings(&self, run_id: RunId) -> Result<()> {
        let is_only_run: bool = self.query(
            "SELECT NOT EXISTS (SELECT 1 FROM rating WHERE run_id < ?1)
                AND NOT EXISTS (SELECT 1 FROM rating WHERE run_id > ?1)",
            [run_id],
        )?;
        if is_only_run {
            // Without a condition SQLite truncates the table, which is much faster.
            self.execute("DELETE FROM rating", [])
        } else {
            self.execute("DELETE FROM rating WHERE run_id = ?1", [run_id])
        }
    }
}
