//! Runs of rating systems, their rows, and how well they predicted.

use ranklore_contest::UnixSeconds;
use rusqlite::{Row, params};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::file::batch::Batch;
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, RunId};
use crate::results::rows::RowInserter;
use crate::runs::resume::rating_row;

/// A run to begin: a system with its parameters over a selection of contests.
#[derive(Clone, Copy, Debug)]
pub struct NewRun<'a> {
    /// The system's name.
    pub system: &'a str,
    /// Canonical JSON.
    pub parameters: &'a str,
    /// Canonical JSON; `sources` in it is an array of source names.
    pub selection: &'a str,
    /// Version of the numerics: bumped when any bit of a rating changes.
    pub engine: &'a str,
}

/// A run as it is in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// Its id.
    pub run_id: RunId,
    /// The system's name.
    pub system: String,
    /// Canonical JSON.
    pub parameters: String,
    /// Canonical JSON.
    pub selection: String,
    /// Version of the numerics.
    pub engine: String,
    /// When it was first made, in Unix seconds.
    pub created_at: i64,
    /// When its rows were written, in Unix seconds.
    pub rated_at: i64,
    /// How many contests it rated.
    pub contests: u64,
    /// How many rows it has.
    pub results: u64,
    /// Hash of everything the rows depend on.
    pub fingerprint: [u8; 32],
}

/// A competitor's state after a contest, in rating points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingRow {
    /// Whose.
    pub competitor_id: CompetitorId,
    /// The rating.
    pub mu: f64,
    /// Its uncertainty.
    pub sigma: f64,
    /// How well they did in this contest alone, in systems that say so.
    pub performance: Option<f64>,
    /// How much the rating swings, in systems that say so.
    pub volatility: Option<f64>,
}

/// How well a run predicted a slice of the results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvaluationRow {
    /// Whose results: everybody, experienced, top100.
    pub slice: String,
    /// When that was found, in Unix seconds.
    #[serde(skip)]
    pub evaluated_at: i64,
    /// How many contests.
    pub contests: u64,
    /// How many results.
    pub results: u64,
    /// in percent, 100 is perfect.
    pub pair_inversion: Option<f64>,
    /// in percent, 0 is perfect.
    pub rank_deviation: Option<f64>,
}

/// The columns of [`RunRow`] in order, to be followed by conditions.
pub(crate) const RUN_ROWS: &str = "SELECT run_id, system, parameters, selection, engine, \
     created_at, rated_at, contests, results, fingerprint FROM rating_run";

pub(crate) fn run_row(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    Ok(RunRow {
        run_id: row.get(0)?,
        system: row.get(1)?,
        parameters: row.get(2)?,
        selection: row.get(3)?,
        engine: row.get(4)?,
        created_at: row.get(5)?,
        rated_at: row.get(6)?,
        contests: row.get::<_, i64>(7)? as u64,
        results: row.get::<_, i64>(8)? as u64,
        fingerprint: row.get(9)?,
    })
}

/// Writes rating rows of a batch, contest by contest.
pub struct RatingWriter<'b> {
    store: &'b Store,
    contests: RowInserter<'b>,
    insert: RowInserter<'b>,
    order: Vec<u32>,
}

impl Batch<'_> {
    /// Begins a run, or goes on with it: the same system, parameters and selection are the
    /// same run. Its rows stay until [`Batch::cut_run`].
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn begin_run(&mut self, run: &NewRun<'_>, now: UnixSeconds) -> Result<RunId> {
        let values = params![
            run.system,
            run.parameters,
            run.selection,
            run.engine,
            now.get(),
        ];
        let begun = self.row(
            "UPDATE rating_run SET engine = ?4, rated_at = ?5
             WHERE system = ?1 AND parameters = ?2 AND selection = ?3
             RETURNING run_id",
            values,
            |row| row.get(0),
        )?;
        if let Some(run_id) = begun {
            return Ok(run_id);
        }
        // Not in one with the update: an insert that conflicts uses up a number.
        self.value(
            "INSERT INTO rating_run (system, parameters, selection, engine, created_at,
                 rated_at, contests, results, fingerprint)
             VALUES (?1, ?2, ?3, ?4, ?5, ?5, 0, 0, zeroblob(32))
             RETURNING run_id",
            values,
        )
    }

    /// What writes the rows of runs begun in this batch.
    #[must_use]
    pub fn rating_writer(&mut self) -> RatingWriter<'_> {
        let into = "rating (run_id, contest_id, competitor_id, mu, sigma, performance, volatility)";
        let contests = "run_contest (run_id, position, contest_id, results, chain)";
        RatingWriter {
            store: self,
            contests: RowInserter::new(&self.connection, contests, 1, 4),
            insert: RowInserter::new(&self.connection, into, 2, 5),
            order: Vec::new(),
        }
    }

    /// Notes how much a run rated, once all its rows are written, and the hash of everything
    /// they depend on.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish_run(&mut self, run_id: RunId, fingerprint: [u8; 32]) -> Result<()> {
        self.execute(
            "UPDATE rating_run SET fingerprint = ?2, (contests, results) =
                 (SELECT count(*) FILTER (WHERE results > 0), coalesce(sum(results), 0)
                  FROM run_contest WHERE run_id = ?1)
             WHERE run_id = ?1",
            params![run_id, fingerprint],
        )
        .map(drop)
    }

    /// Writes how well a run predicted a slice, in place of what was said before.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn put_evaluation(&mut self, run_id: RunId, row: &EvaluationRow) -> Result<()> {
        self.execute(
            "INSERT OR REPLACE INTO evaluation (run_id, slice, evaluated_at, contests,
                 results, pair_inversion, rank_deviation)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                run_id,
                row.slice,
                row.evaluated_at,
                row.contests as i64,
                row.results as i64,
                row.pair_inversion,
                row.rank_deviation,
            ],
        )
        .map(drop)
    }
}

impl RatingWriter<'_> {
    /// Writes the rows of the contest at `position` of the replay, in whatever order they are
    /// in; none for a contest without an order. `chain` is of all that they depend on.
    ///
    /// # Errors
    /// [`Error::InvalidRatings`] when a number is NaN or a competitor has two rows; the
    /// batch should be dropped then.
    pub fn put(
        &mut self,
        run_id: RunId,
        position: usize,
        contest_id: ContestId,
        chain: &[u8; 32],
        rows: &[RatingRow],
    ) -> Result<()> {
        let invalid = |reason: String| Error::InvalidRatings { contest_id, reason };
        // SQLite stores NaN as NULL: it would come back as "this system does not say".
        let nan = |row: &&RatingRow| {
            let optional = row.performance.unwrap_or(0.0) + row.volatility.unwrap_or(0.0);
            (row.mu + row.sigma + optional).is_nan()
        };
        if let Some(row) = rows.iter().find(nan) {
            return Err(invalid(format!("not a number: {row:?}")));
        }
        // In the order of the primary key, which packs pages.
        self.order.clear();
        self.order.extend(0..rows.len() as u32);
        self.order
            .sort_unstable_by_key(|&index| rows[index as usize].competitor_id);
        let same = |pair: &&[u32]| {
            let of = |at: usize| rows[pair[at] as usize].competitor_id;
            of(0) == of(1)
        };
        if let Some(pair) = self.order.windows(2).find(same) {
            return Err(invalid(format!("two rows: {:?}", rows[pair[0] as usize])));
        }
        let contests = &mut self.contests;
        self.store.sql(|_| {
            let row = (position as i64, contest_id, rows.len() as i64, chain);
            contests.insert(&[run_id.get()], &[row], |statement, at, row| {
                statement.raw_bind_parameter(at, row.0)?;
                statement.raw_bind_parameter(at + 1, row.1)?;
                statement.raw_bind_parameter(at + 2, row.2)?;
                statement.raw_bind_parameter(at + 3, row.3)
            })
        })?;
        let insert = &mut self.insert;
        let order = &self.order;
        self.store.sql(|_| {
            let fixed = [run_id.get(), contest_id.get()];
            insert.insert(&fixed, order, |statement, at, &index| {
                let row = &rows[index as usize];
                statement.raw_bind_parameter(at, row.competitor_id)?;
                statement.raw_bind_parameter(at + 1, row.mu)?;
                statement.raw_bind_parameter(at + 2, row.sigma)?;
                statement.raw_bind_parameter(at + 3, row.performance)?;
                statement.raw_bind_parameter(at + 4, row.volatility)
            })
        })
    }
}

impl Store {
    /// The run of this system, these parameters and this selection.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn run_of(
        &self,
        system: &str,
        parameters: &str,
        selection: &str,
    ) -> Result<Option<RunRow>> {
        let of = "WHERE system = ?1 AND parameters = ?2 AND selection = ?3";
        self.row(
            &format!("{RUN_ROWS} {of}"),
            [system, parameters, selection],
            run_row,
        )
    }

    /// Hands over the rating rows of a run for each of these contests, in the order given
    /// and within a contest by competitor id. Contests that the run did not rate are handed
    /// over without rows. Never more than one contest is in memory.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn for_each_rating(
        &self,
        run_id: RunId,
        contests: impl IntoIterator<Item = ContestId>,
        mut each: impl FnMut(ContestId, &[RatingRow]),
    ) -> Result<()> {
        self.sql(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT competitor_id, mu, sigma, performance, volatility FROM rating
                 WHERE run_id = ?1 AND contest_id = ?2 ORDER BY competitor_id",
            )?;
            let mut ratings = Vec::new();
            for contest_id in contests {
                ratings.clear();
                let mut rows = statement.query(params![run_id, contest_id])?;
                while let Some(row) = rows.next()? {
                    ratings.push(rating_row(row)?);
                }
                each(contest_id, &ratings);
            }
            Ok(())
        })
    }

    /// How well a run predicted, by slice.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn evaluations(&self, run_id: RunId) -> Result<Vec<EvaluationRow>> {
        self.rows(
            "SELECT slice, evaluated_at, contests, results, pair_inversion, rank_deviation
             FROM evaluation WHERE run_id = ?1 ORDER BY slice",
            [run_id],
            |row| {
                Ok(EvaluationRow {
                    slice: row.get(0)?,
                    evaluated_at: row.get(1)?,
                    contests: row.get::<_, i64>(2)? as u64,
                    results: row.get::<_, i64>(3)? as u64,
                    pair_inversion: row.get(4)?,
                    rank_deviation: row.get(5)?,
                })
            },
        )
    }
}
