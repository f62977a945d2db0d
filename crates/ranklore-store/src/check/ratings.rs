//! Check of runs: ratings against the hashes and the numbers of rows that were written with them.

use std::collections::HashMap;

use crate::check::current_ratings::RatingSummaries;
use crate::check::problem::Problem;
use crate::check::{CheckProgress, CheckStage};
use crate::error::{Error, Result};
use crate::file::columns::queries;
use crate::file::open::Store;
use crate::file::row_hash::{StoredRating, for_each_rows_hash};
use crate::ids::{ContestId, RunId};
use crate::runs::ratings::RunRow;

/// Contests of a run whose ratings differ from those that were written.
#[derive(Debug, Default)]
pub(crate) struct AlteredRatings {
    pub(crate) contests: u64,
    /// The first position in the run, and its contest.
    pub(crate) first: Option<(usize, ContestId)>,
}

impl AlteredRatings {
    fn add(&mut self, position: usize, contest_id: ContestId) {
        self.contests += 1;
        let first = self.first.get_or_insert((position, contest_id));
        *first = (*first).min((position, contest_id));
    }
}

queries! {
    fn count_ratings(run_id: RunId) -> u64 = "SELECT count(*) FROM rating WHERE run_id = ?1";
}

impl Store {
    /// Verifies the ratings of a run before they are published: they are those that were written.
    ///
    /// # Errors
    /// [`Error::AlteredRatings`] if they are not.
    pub fn verify_ratings(&self, run_id: RunId) -> Result<()> {
        let altered = self.find_altered_ratings(run_id, |_, _| {})?;
        match altered.first {
            None => Ok(()),
            Some((_, contest_id)) => Err(Error::AlteredRatings {
                path: self.path().to_owned(),
                run_id,
                contests: altered.contests,
                first: self.external_id_of(contest_id)?,
            }),
        }
    }

    pub(super) fn check_ratings(
        &self,
        watch: &mut CheckProgress<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<()> {
        let runs = self.runs()?;
        // Damaged totals can be anything.
        let totals = runs.iter().map(|run| run.results);
        let total = totals.fold(0, u64::saturating_add);
        let mut done = 0;
        for run in runs {
            let mut summaries = RatingSummaries::default();
            let before = done;
            let altered = self.find_altered_ratings(run.run_id, |position, rows| {
                done += rows.len() as u64;
                watch(CheckStage::Ratings, done, total);
                summaries.add(position, rows);
            })?;
            let actual = match done - before {
                // A run of schema version 1 is not scanned.
                0 => self.count_ratings(run.run_id)?,
                scanned => scanned,
            };
            problems.extend(find_missing_rows(&run, actual));
            if let Some((_, contest_id)) = altered.first {
                problems.push(Problem::Ratings {
                    run_id: run.run_id,
                    system: run.system,
                    contests: altered.contests,
                    first: self.external_id_of(contest_id)?,
                });
                // Current ratings follow from the altered rows.
                continue;
            }
            let competitors = self.count_wrong_current_ratings(&run, summaries)?;
            if competitors > 0 {
                problems.push(Problem::CurrentRatings {
                    run_id: run.run_id,
                    system: run.system,
                    competitors,
                });
            }
        }
        Ok(())
    }

    /// Finds the contests of a run whose ratings differ from those that were written. Calls `each`
    /// with the position of each contest with rows, and with these.
    pub(crate) fn find_altered_ratings(
        &self,
        run_id: RunId,
        mut each: impl FnMut(usize, &[StoredRating]),
    ) -> Result<AlteredRatings> {
        // Contests of the run whose rows were not read yet: position, number and hash of the rows.
        let mut written: HashMap<ContestId, (usize, u32, i64)> = self.query(
            "SELECT contest_id, position, results, rows_hash FROM run_contest WHERE run_id = ?1",
            [run_id],
        )?;
        if written.is_empty() {
            // Runs made before schema version 2 have no contests recorded, and are replayed
            // entirely next time.
            return Ok(AlteredRatings::default());
        }
        let mut altered = AlteredRatings::default();
        self.with_connection(|connection| {
            for_each_rows_hash(connection, run_id, |contest_id, stored_rows, stored_hash| {
                // Rows of a contest that is not part of the run have no position.
                let (position, rows, hash) = written.remove(&contest_id).unwrap_or_default();
                each(position, stored_rows);
                if (rows as usize, hash) != (stored_rows.len(), stored_hash) {
                    altered.add(position, contest_id);
                }
            })
        })?;
        // The contests left have no rows; some were written with rows.
        for (contest_id, (position, rows, _)) in written {
            if rows > 0 {
                altered.add(position, contest_id);
            }
        }
        Ok(altered)
    }

    pub(super) fn check_fingerprints(&self, problems: &mut Vec<Problem>) -> Result<()> {
        // Not every contest has its hash, and a repair cuts a run after any.
        self.for_each(
            "SELECT run_id FROM (SELECT run_id, fingerprint, (SELECT chain FROM run_contest
                 WHERE run_contest.run_id = rating_run.run_id
                 ORDER BY position DESC LIMIT 1) AS last
                 FROM rating_run)
             WHERE length(last) > 0 AND last <> fingerprint ORDER BY run_id",
            [],
            |run_id| {
                problems.push(Problem::RunMismatch {
                    run_id,
                    reason: "its last hash is not its fingerprint".to_owned(),
                });
            },
        )
    }

    pub(super) fn check_row_counts(&self, problems: &mut Vec<Problem>) -> Result<()> {
        for run in self.runs()? {
            let actual = self.count_ratings(run.run_id)?;
            problems.extend(find_missing_rows(&run, actual));
        }
        Ok(())
    }

    fn external_id_of(&self, contest_id: ContestId) -> Result<String> {
        let sql = "SELECT external_id FROM contest WHERE contest_id = ?1";
        let external_id: Option<String> = self.query(sql, [contest_id])?;
        Ok(external_id.unwrap_or_else(|| contest_id.to_string()))
    }
}

fn find_missing_rows(run: &RunRow, actual: u64) -> Option<Problem> {
    (actual != run.results).then_some(Problem::RunRowCount {
        run_id: run.run_id,
        expected: run.results,
        actual,
    })
}
