//! Rows of contests and competitors with all columns that are published.

use ranklore_contest::{EntrantOutcome, Side};
use rusqlite::params;

use crate::error::Result;
use crate::file::columns::{outcome_from_row, side_from_row};
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, RunId, SourceId};
use crate::read::views::{CompetitorRow, SELECT_COMPETITORS, competitor_row};
use crate::runs::ratings::{RatingRow, rating_row};

/// A standing with all published columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StandingDetails {
    /// The competitor.
    pub competitor_id: CompetitorId,
    /// The outcome.
    pub outcome: EntrantOutcome,
    /// Points, seconds or the like; does not determine the order.
    pub score: Option<f64>,
    /// Penalty.
    pub penalty: Option<f64>,
    /// The side in a game of two, if known.
    pub side: Option<Side>,
}

/// A rating row with all published columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingDetails {
    /// The competitor and its rating after the contest.
    pub rating: RatingRow,
    /// The rating before the contest, in rows of the run `official`.
    pub mu_before: Option<f64>,
}

/// A competitor with all published columns.
#[derive(Clone, Debug, PartialEq)]
pub struct CompetitorDetails {
    /// The competitor, with its names and starting rating.
    pub competitor: CompetitorRow,
    /// The competitor that its results count for, if merged.
    pub counts_as: Option<CompetitorId>,
}

impl Store {
    /// Returns the standings of a contest, ordered by competitor id.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn standing_details(&self, contest_id: ContestId) -> Result<Vec<StandingDetails>> {
        self.query_rows(
            "SELECT competitor_id, place, status, score, penalty, side FROM standing
             WHERE contest_id = ?1 ORDER BY competitor_id",
            [contest_id],
            |row| {
                Ok(StandingDetails {
                    competitor_id: row.get(0)?,
                    outcome: outcome_from_row(row, 1, 2)?,
                    score: row.get(3)?,
                    penalty: row.get(4)?,
                    side: side_from_row(row, 5)?,
                })
            },
        )
    }

    /// Returns the rows of a run for a contest, ordered by competitor id; empty if it was not
    /// rated.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn rating_details(
        &self,
        run_id: RunId,
        contest_id: ContestId,
    ) -> Result<Vec<RatingDetails>> {
        self.query_rows(
            "SELECT competitor_id, mu, sigma, performance, volatility, mu_before FROM rating
             WHERE run_id = ?1 AND contest_id = ?2 ORDER BY competitor_id",
            params![run_id, contest_id],
            |row| {
                Ok(RatingDetails {
                    rating: rating_row(row)?,
                    mu_before: row.get(5)?,
                })
            },
        )
    }

    /// Returns the competitor with this id.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn competitor_details(&self, id: CompetitorId) -> Result<Option<CompetitorDetails>> {
        let sql = format!("{SELECT_COMPETITORS} WHERE competitor_id = ?1");
        let Some((competitor, is_merged)) = self.query_row(&sql, [id], |row| {
            let merged_into: Option<CompetitorId> = row.get("merged_into")?;
            Ok((competitor_row(row)?, merged_into.is_some()))
        })?
        else {
            return Ok(None);
        };
        let root = is_merged.then(|| self.merge_root(id)).transpose()?;
        Ok(Some(CompetitorDetails {
            competitor,
            counts_as: root.filter(|root| *root != id),
        }))
    }

    /// Calls `each` with the competitors of a source, ordered by external id, byte by byte, and
    /// kind.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_competitor(
        &self,
        source_id: SourceId,
        each: impl FnMut(CompetitorRow),
    ) -> Result<()> {
        let sql = format!("{SELECT_COMPETITORS} WHERE source_id = ?1 ORDER BY external_id, kind");
        self.for_each(&sql, [source_id], competitor_row, each)
    }

    /// Returns the distinct `reading` values of the documents of a source.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn distinct_readings(&self, source_id: SourceId) -> Result<Vec<String>> {
        self.query_rows(
            "SELECT DISTINCT reading FROM document
             WHERE source_id = ?1 AND reading IS NOT NULL",
            [source_id],
            |row| row.get(0),
        )
    }

    /// Returns the fetch times of the first and the last document of a source, in Unix seconds.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn fetch_time_range(&self, source_id: SourceId) -> Result<Option<(i64, i64)>> {
        self.query_row(
            "SELECT min(fetched_at), max(fetched_at) FROM document WHERE source_id = ?1",
            [source_id],
            |row| Ok(row.get::<_, Option<i64>>(0)?.zip(row.get(1)?)),
        )
        .map(Option::flatten)
    }

    /// Returns the random key that hashes the names of a source, if there is one.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn name_key(&self, source_id: SourceId) -> Result<Option<[u8; 32]>> {
        self.query_row("SELECT name_key FROM source WHERE source_id = ?1", [source_id], |row| {
            row.get(0)
        })
        .map(Option::flatten)
    }
}
