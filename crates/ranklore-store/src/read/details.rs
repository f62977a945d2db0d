//! Rows of contests and competitors with all columns that are published.

use ranklore_contest::{EntrantOutcome, Side};

use crate::error::Result;
use crate::file::columns::{queries, row};
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, RunId, SourceId};
use crate::read::views::{COMPETITOR_COLUMNS, CompetitorRow};
use crate::runs::ratings::{RATING_COLUMNS, RatingRow};

row! {
    /// A standing with all published columns.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct StandingDetails selects STANDING_COLUMNS {
        /// The competitor.
        pub competitor_id: CompetitorId,
        /// The outcome.
        pub outcome: EntrantOutcome = "place, status",
        /// Points, seconds or the like; does not determine the order.
        pub score: Option<f64>,
        /// Penalty.
        pub penalty: Option<f64>,
        /// The side in a game of two, if known.
        pub side: Option<Side>,
    }
}

row! {
    /// A rating row with all published columns.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct RatingDetails {
        /// The competitor and its rating after the contest.
        pub rating: RatingRow,
        /// The rating before the contest, in rows of the run `official`.
        pub mu_before: Option<f64>,
    }
}

/// A competitor with all published columns.
#[derive(Clone, Debug, PartialEq)]
pub struct CompetitorDetails {
    /// The competitor, with its names and starting rating.
    pub competitor: CompetitorRow,
    /// The competitor that its results count for, if merged.
    pub counts_as: Option<CompetitorId>,
}

queries! {
    /// Returns the standings of a contest, ordered by competitor id.
    pub fn standing_details(contest_id: ContestId) -> Vec<StandingDetails> =
        format!("SELECT {STANDING_COLUMNS} FROM standing WHERE contest_id = ?1
                 ORDER BY competitor_id");

    /// Returns the rows of a run for a contest, ordered by competitor id; empty if it was not
    /// rated.
    pub fn rating_details(run_id: RunId, contest_id: ContestId) -> Vec<RatingDetails> =
        format!("SELECT {RATING_COLUMNS}, mu_before FROM rating
                 WHERE run_id = ?1 AND contest_id = ?2 ORDER BY competitor_id");

    /// Returns the distinct `reading` values of the documents of a source.
    pub fn distinct_readings(source_id: SourceId) -> Vec<String> =
        "SELECT DISTINCT reading FROM document
         WHERE source_id = ?1 AND reading IS NOT NULL";

    /// Returns the fetch times of the first and the last document of a source, in Unix seconds.
    pub fn fetch_time_range(source_id: SourceId) -> Option<(i64, i64)> =
        "SELECT min(fetched_at), max(fetched_at) FROM document WHERE source_id = ?1";

    /// Returns the random key that hashes the names of a source, if there is one.
    pub fn name_key(source_id: SourceId) -> Option<[u8; 32]> =
        "SELECT name_key FROM source WHERE source_id = ?1";

    /// Calls `each` with the competitors of a source, ordered by external id, byte by byte, and
    /// kind.
    pub fn for_each_competitor(source_id: SourceId; each [row: CompetitorRow]) =
        format!("SELECT {COMPETITOR_COLUMNS} FROM competitor WHERE source_id = ?1
                 ORDER BY external_id, kind");
}

impl Store {
    /// Returns the competitor with this id.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn competitor_details(&self, id: CompetitorId) -> Result<Option<CompetitorDetails>> {
        let sql = format!(
            "SELECT {COMPETITOR_COLUMNS}, merged_into IS NOT NULL FROM competitor
             WHERE competitor_id = ?1"
        );
        let row: Option<(CompetitorRow, bool)> = self.query(&sql, [id])?;
        let Some((competitor, is_merged)) = row else {
            return Ok(None);
        };
        let root = is_merged.then(|| self.merge_root(id)).transpose()?;
        Ok(Some(CompetitorDetails {
            competitor,
            counts_as: root.filter(|root| *root != id),
        }))
    }
}
