//! Runs that go on: what a run was made of, contest by contest, and the rows from which
//! competitors' states are folded again.

use std::rc::Rc;

use rusqlite::params;
use rusqlite::types::Value;

use crate::error::Result;
use crate::file::batch::Batch;
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, RunId};
use crate::runs::ratings::RatingRow;

/// A contest of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunContest {
    /// Which.
    pub contest_id: ContestId,
    /// Rows of the run; 0 for a contest without an order.
    pub results: u32,
    /// Hash of everything that the rows up to and with this contest depend on.
    pub chain: [u8; 32],
}

/// A contest with the competitors whose rows are wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Which.
    pub contest_id: ContestId,
    /// How many stood in it.
    pub entrants: usize,
    /// Whose rows; sorted, nobody twice.
    pub competitors: Vec<CompetitorId>,
}

impl Wanted {
    /// What reading them costs, in rows passed.
    #[must_use]
    pub fn cost(&self) -> usize {
        self.entrants.min(self.competitors.len() * DENSE)
    }

    const fn is_dense(&self) -> bool {
        self.competitors.len() * DENSE > self.entrants
    }
}

/// In a contest of which more than one row in so many is wanted, reading all of them is faster
/// than looking each one up.
const DENSE: usize = 4;

impl Store {
    /// The contests of a run in the order of replay; none for a run from before they were noted.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn run_contests(&self, run_id: RunId) -> Result<Vec<RunContest>> {
        self.rows(
            "SELECT contest_id, results, chain FROM run_contest WHERE run_id = ?1
             ORDER BY position",
            [run_id],
            |row| {
                Ok(RunContest {
                    contest_id: row.get(0)?,
                    results: row.get(1)?,
                    chain: row.get(2)?,
                })
            },
        )
    }

    /// Hands over the contests that each of these competitors stands in, in whatever state.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn for_each_contest_of(
        &self,
        competitors: impl IntoIterator<Item = CompetitorId>,
        mut each: impl FnMut(CompetitorId, ContestId),
    ) -> Result<()> {
        self.sql(|connection| {
            let mut statement = connection
                .prepare_cached("SELECT contest_id FROM standing WHERE competitor_id = ?1")?;
            for competitor_id in competitors {
                let mut rows = statement.query([competitor_id])?;
                while let Some(row) = rows.next()? {
                    each(competitor_id, row.get(0)?);
                }
            }
            Ok(())
        })
    }

    /// Another connection to the same file. It reads what is committed, and maps the file into
    /// memory: for reading much at many places, which is a quarter faster so.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn beside(&self) -> Result<Self> {
        let store = Self::open_reader(self.path())?;
        // As much as SQLite maps at most; the rest is read as always.
        store.sql(|connection| {
            rusqlite::vtab::array::load_module(connection)?;
            connection.execute_batch("PRAGMA mmap_size = 2147418112")
        })?;
        Ok(store)
    }

    /// Hands over, for each of these contests in the order given, the rows of a run for the
    /// competitors wanted there, with the index of the contest. The wanted are sorted, nobody
    /// twice. What it costs is the rows wanted, not those there are.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn for_each_wanted_rating(
        &self,
        run_id: RunId,
        contests: &[Wanted],
        mut each: impl FnMut(usize, RatingRow),
    ) -> Result<()> {
        self.sql(|connection| {
            let columns = "SELECT competitor_id, mu, sigma, performance, volatility FROM rating
                 WHERE run_id = ?1 AND contest_id = ?2";
            let mut all =
                connection.prepare_cached(&format!("{columns} ORDER BY competitor_id"))?;
            // Looked up in the order of the table, all in one statement.
            let mut some = connection.prepare_cached(
                "SELECT competitor_id, mu, sigma, performance, volatility
                 FROM rarray(?3) AS wanted CROSS JOIN rating
                     ON run_id = ?1 AND contest_id = ?2 AND competitor_id = wanted.value",
            )?;
            for (index, contest) in contests.iter().enumerate() {
                let wanted = &contest.competitors;
                if contest.is_dense() {
                    let mut next = wanted.iter().copied().peekable();
                    let mut rows = all.query(params![run_id, contest.contest_id])?;
                    while let Some(row) = rows.next()? {
                        let competitor: CompetitorId = row.get(0)?;
                        while next.next_if(|&wanted| wanted < competitor).is_some() {}
                        if next.next_if_eq(&competitor).is_some() {
                            each(index, rating_row(row)?);
                        }
                    }
                } else {
                    let wanted = wanted
                        .iter()
                        .map(|competitor| Value::from(competitor.get()));
                    let wanted: Rc<Vec<Value>> = Rc::new(wanted.collect());
                    let mut rows = some.query(params![run_id, contest.contest_id, wanted])?;
                    while let Some(row) = rows.next()? {
                        each(index, rating_row(row)?);
                    }
                }
            }
            Ok(())
        })
    }
}

pub(crate) fn rating_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<RatingRow> {
    Ok(RatingRow {
        competitor_id: row.get(0)?,
        mu: row.get(1)?,
        sigma: row.get(2)?,
        performance: row.get(3)?,
        volatility: row.get(4)?,
    })
}

impl Batch<'_> {
    /// Gives the contests of a run, in the order of replay, other links: after a change that
    /// leaves its rows what they are.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn relink_run<'c>(
        &mut self,
        run_id: RunId,
        links: impl Iterator<Item = &'c [u8; 32]>,
    ) -> Result<()> {
        let mut last = None;
        for (position, chain) in links.enumerate() {
            self.execute(
                "UPDATE run_contest SET chain = ?3 WHERE run_id = ?1 AND position = ?2",
                params![run_id, position as i64, chain],
            )?;
            last = Some(chain);
        }
        if let Some(last) = last {
            self.execute(
                "UPDATE rating_run SET fingerprint = ?2 WHERE run_id = ?1",
                params![run_id, last],
            )?;
        }
        Ok(())
    }

    /// Takes away what a run has from `position` on, and its evaluations, which were of the
    /// whole.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn cut_run(&mut self, run_id: RunId, position: usize) -> Result<()> {
        let from = params![run_id, position as i64];
        if position == 0 {
            self.delete_ratings(run_id)?;
        } else {
            self.execute(
                "DELETE FROM rating WHERE run_id = ?1 AND contest_id IN
                     (SELECT contest_id FROM run_contest WHERE run_id = ?1 AND position >= ?2)",
                from,
            )?;
        }
        self.execute(
            "DELETE FROM run_contest WHERE run_id = ?1 AND position >= ?2",
            from,
        )?;
        self.execute("DELETE FROM evaluation WHERE run_id = ?1", [run_id])?;
        // Until it is finished again it fits nothing.
        self.execute(
            "UPDATE rating_run SET fingerprint = zeroblob(32) WHERE run_id = ?1",
            [run_id],
        )?;
        Ok(())
    }

    /// Takes away all rating rows of a run.
    pub(crate) fn delete_ratings(&self, run_id: RunId) -> Result<()> {
        let alone: bool = self.value(
            "SELECT NOT EXISTS (SELECT 1 FROM rating WHERE run_id < ?1)
                AND NOT EXISTS (SELECT 1 FROM rating WHERE run_id > ?1)",
            [run_id],
        )?;
        if alone {
            // Without a condition SQLite drops all pages of the table at once.
            self.execute("DELETE FROM rating", [])?;
        } else {
            self.execute("DELETE FROM rating WHERE run_id = ?1", [run_id])?;
        }
        Ok(())
    }
}
