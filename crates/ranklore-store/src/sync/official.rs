//! Official ratings: ratings computed by the sites themselves, stored in runs of their own.

use ranklore_contest::UnixSeconds;
use rusqlite::params;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::insert;
use crate::file::row_hash::{RowHasher, StoredRating};
use crate::ids::{CompetitorId, ContestId, RunId};
use crate::results::row_inserter::{RowInserter, RowInserts};
use crate::runs::ratings::{NewRun, RunContestRow};

/// System name of runs with official ratings.
pub const OFFICIAL: &str = "official";

/// Official rating of a competitor after a contest, in points of the site.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfficialRow {
    /// The competitor.
    pub competitor_id: CompetitorId,
    /// Rating before the contest, if the site states it.
    pub before: Option<f64>,
    /// Rating after the contest.
    pub after: f64,
    /// Volatility after the contest as measured by the site, if it states it.
    pub volatility: Option<f64>,
}

impl WriteBatch<'_> {
    /// Returns the run with the official ratings of a selection; inserts it if it is missing.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn get_or_insert_official_run(
        &mut self,
        selection: &str,
        now: UnixSeconds,
    ) -> Result<RunId> {
        if let Some(run) = self.find_matching_run(OFFICIAL, "{}", selection)? {
            return Ok(run.run_id);
        }
        self.begin_run(
            &NewRun {
                system: OFFICIAL,
                parameters: "{}",
                selection,
                engine: OFFICIAL,
            },
            now,
        )
    }

    /// Deletes all ratings of an official run, before they are read again.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn clear_official_run(&mut self, run_id: RunId) -> Result<()> {
        self.delete_evaluation(run_id)?;
        self.delete_ratings(run_id)?;
        self.execute("DELETE FROM run_contest WHERE run_id = ?1", [run_id])?;
        self.execute("UPDATE rating_run SET contests = 0, results = 0 WHERE run_id = ?1", [run_id])
    }

    /// Writes the official ratings of a contest, and replaces earlier ones.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn replace_official_ratings(
        &mut self,
        run_id: RunId,
        contest_id: ContestId,
        ratings: &[OfficialRow],
    ) -> Result<()> {
        let rows = ratings.iter().map(|row| StoredRating {
            competitor_id: row.competitor_id,
            mu: row.after,
            sigma: 0.0,
            performance: None,
            volatility: row.volatility,
            mu_before: row.before,
        });
        let mut sorted: Vec<StoredRating> = rows.collect();
        // Primary-key order packs the pages, and is the order of the hash.
        sorted.sort_unstable_by_key(|row| row.competitor_id);
        self.delete_evaluation(run_id)?;
        let before = self.execute_counting(
            "DELETE FROM rating WHERE run_id = ?1 AND contest_id = ?2",
            params![run_id, contest_id],
        )?;
        self.with_connection(|connection| {
            let inserts = RowInserts::for_rows::<StoredRating>(&["run_id", "contest_id"], 2);
            let mut inserter = RowInserter::new(connection, &inserts);
            let key = [run_id.get(), contest_id.get()];
            inserter.insert_rows(&key, &sorted)
        })?;
        self.replace_official_contest(run_id, contest_id, &sorted)?;
        let contests = i64::from(!ratings.is_empty()) - i64::from(before > 0);
        self.execute(
            "UPDATE rating_run SET results = results + ?2, contests = contests + ?3
             WHERE run_id = ?1",
            params![run_id, ratings.len() as i64 - before as i64, contests],
        )
    }

    /// Replaces the row of a contest in `run_contest`; deletes it if there are no ratings, which are
    /// sorted by competitor.
    fn replace_official_contest(
        &self,
        run_id: RunId,
        contest_id: ContestId,
        ratings: &[StoredRating],
    ) -> Result<()> {
        if ratings.is_empty() {
            return self.execute(
                "DELETE FROM run_contest WHERE run_id = ?1 AND position = ?2",
                params![run_id, contest_id],
            );
        }
        let mut hasher = RowHasher::default();
        self.with_connection(|_| ratings.iter().try_for_each(|row| hasher.write_rating(row)))?;
        // The position only has to be unique: no replay computed these ratings.
        let row = RunContestRow {
            run_id,
            position: contest_id.get(),
            contest_id,
            results: ratings.len() as i64,
            chain: vec![0; 32],
            rows_hash: hasher.finish(),
        };
        insert!(self.execute, "INSERT OR REPLACE INTO run_contest" {
            run_id: row.run_id, position: row.position, contest_id: row.contest_id,
            results: row.results, chain: row.chain, rows_hash: row.rows_hash,
        })?;
        self.add_inserted(&row)
    }
}
