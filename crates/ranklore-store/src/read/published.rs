//! What is published of contests and competitors: rows with everything that is said of them.

use ranklore_contest::Outcome;
use rusqlite::params;

use crate::error::Result;
use crate::file::columns::outcome_of;
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, RunId, SourceId};
use crate::read::views::CompetitorRow;
use crate::read::views::{COMPETITOR_ROWS, competitor_row};
use crate::runs::ratings::RatingRow;

/// A row of standings as published.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedStanding {
    /// Who.
    pub competitor_id: CompetitorId,
    /// How it went.
    pub outcome: Outcome,
    /// Points, seconds, …; says nothing about who is better.
    pub score: Option<f64>,
    /// Penalty.
    pub penalty: Option<f64>,
}

/// A row of a run as published.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedRating {
    /// Whose, and what it became.
    pub rating: RatingRow,
    /// What it was before, in rows of the run `official`.
    pub mu_before: Option<f64>,
}

/// A competitor as published.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedCompetitor {
    /// Who, what they are called, what they brought along.
    pub competitor: CompetitorRow,
    /// As whom their results count, if not for themselves.
    pub counts_as: Option<CompetitorId>,
}

impl Store {
    /// The standings of a contest, by competitor id.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn published_standings(&self, contest_id: ContestId) -> Result<Vec<PublishedStanding>> {
        self.rows(
            "SELECT competitor_id, place, status, score, penalty FROM standing
             WHERE contest_id = ?1 ORDER BY competitor_id",
            [contest_id],
            |row| {
                Ok(PublishedStanding {
                    competitor_id: row.get(0)?,
                    outcome: outcome_of(row, 1, 2)?,
                    score: row.get(3)?,
                    penalty: row.get(4)?,
                })
            },
        )
    }

    /// The rows of a run after a contest, by competitor id; none if it did not rate it.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn published_ratings(
        &self,
        run_id: RunId,
        contest_id: ContestId,
    ) -> Result<Vec<PublishedRating>> {
        self.rows(
            "SELECT competitor_id, mu, sigma, performance, volatility, mu_before FROM rating
             WHERE run_id = ?1 AND contest_id = ?2 ORDER BY competitor_id",
            params![run_id, contest_id],
            |row| {
                Ok(PublishedRating {
                    rating: crate::runs::resume::rating_row(row)?,
                    mu_before: row.get(5)?,
                })
            },
        )
    }

    /// The competitor of this id.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn published_competitor(&self, id: CompetitorId) -> Result<Option<PublishedCompetitor>> {
        let sql = format!("{COMPETITOR_ROWS} WHERE competitor_id = ?1");
        let found = self.row(&sql, [id], |row| {
            let merged_into: Option<CompetitorId> = row.get("merged_into")?;
            Ok((competitor_row(row)?, merged_into.is_some()))
        })?;
        let Some((competitor, is_merged)) = found else {
            return Ok(None);
        };
        let root = is_merged.then(|| self.root_of(id)).transpose()?;
        Ok(Some(PublishedCompetitor {
            competitor,
            counts_as: root.filter(|root| *root != id),
        }))
    }

    /// Hands over every competitor of a source by external id, byte by byte, and kind.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn for_each_competitor(
        &self,
        source_id: SourceId,
        mut each: impl FnMut(CompetitorRow),
    ) -> Result<()> {
        let sql = format!("{COMPETITOR_ROWS} WHERE source_id = ?1 ORDER BY external_id, kind");
        self.sql(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([source_id], competitor_row)?;
            for row in rows {
                each(row?);
            }
            Ok(())
        })
    }

    /// How the documents of a source are to be read: every different note of that.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn reading_notes(&self, source_id: SourceId) -> Result<Vec<String>> {
        self.rows(
            "SELECT DISTINCT reading FROM document
             WHERE source_id = ?1 AND reading IS NOT NULL",
            [source_id],
            |row| row.get(0),
        )
    }

    /// When the first and the last document of a source came in, in Unix seconds.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn collected_at(&self, source_id: SourceId) -> Result<Option<(i64, i64)>> {
        let range = self.row(
            "SELECT min(fetched_at), max(fetched_at) FROM document WHERE source_id = ?1",
            [source_id],
            |row| {
                let (first, last): (Option<i64>, Option<i64>) = (row.get(0)?, row.get(1)?);
                Ok(first.zip(last))
            },
        )?;
        Ok(range.flatten())
    }

    /// The random key with which names of a source are hashed, if it has one.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn name_key(&self, source_id: SourceId) -> Result<Option<[u8; 32]>> {
        self.row(
            "SELECT name_key FROM source WHERE source_id = ?1",
            [source_id],
            |row| row.get(0),
        )
        .map(Option::flatten)
    }
}
