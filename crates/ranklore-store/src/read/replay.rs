//! Queries for replays: contests to rate in their order, and their standings.

use std::cmp::Ordering;

use ranklore_contest::{ContentHash, Place, SourceName, StartingRating, UnixSeconds};
use rusqlite::{Row, params};
use serde::Serialize;

use crate::error::Result;
use crate::file::columns::{hash_from_row, read_row};
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, DocumentId, SourceId};
use crate::results::contests::ContestState;
use crate::results::external_ids::{compare_events, compare_simultaneous_contests};
use crate::sync::completeness::Completeness;

/// Filter for contests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContestFilter {
    /// Only contests of these sources.
    pub sources: Vec<SourceName>,
    /// Only contests of this division.
    pub division: Option<String>,
    /// Only contests that ended at this time or later.
    pub since: Option<UnixSeconds>,
    /// Only contests that ended before this time.
    pub until: Option<UnixSeconds>,
}

/// A contest without its standings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContestRow {
    /// Its id.
    #[serde(skip)]
    pub contest_id: ContestId,
    /// The source.
    #[serde(skip)]
    pub source_id: SourceId,
    /// The name of the source.
    pub source: String,
    /// The id within the source.
    #[serde(rename = "contest")]
    pub external_id: String,
    /// The name as published.
    pub name: String,
    /// The event, which groups contests held together.
    pub event: Option<String>,
    /// Division, class or age group.
    pub division: Option<String>,
    /// The source's order within the event.
    #[serde(skip)]
    pub ordinal: Option<i64>,
    /// The web page of the contest.
    pub url: Option<String>,
    /// Time of the start, in Unix seconds.
    pub starts_at: Option<i64>,
    /// Time at which the result was final, in Unix seconds; a contest without it is not rated.
    pub ends_at: Option<i64>,
    /// The state.
    pub state: ContestState,
    /// True if its source counts it as rated.
    #[serde(skip)]
    pub rated: bool,
    /// Weight in rating systems.
    pub weight: f64,
    /// Weight given by the source.
    pub site_weight: Option<f64>,
    /// Upper limit of performances.
    #[serde(skip)]
    pub performance_ceiling: Option<f64>,
    /// Number of entrants.
    pub entrants: u32,
    /// Revision: 1 at first, one more for every changed result.
    pub revision: u32,
    /// Hash of the contest; none without results.
    #[serde(skip)]
    pub content_hash: Option<ContentHash>,
    /// The document that it was read from.
    #[serde(skip)]
    pub document_id: Option<DocumentId>,
    /// Time at which the user withdrew it, in Unix seconds.
    pub withdrawn_at: Option<i64>,
    /// Numbers of items announced by the site and received, if the site announces any.
    pub completeness: Option<Completeness>,
}

/// Selects the columns of [`ContestRow`] in order; append conditions.
pub(crate) const SELECT_CONTESTS: &str = "SELECT contest_id, source_id, source.name, external_id, \
     contest.name, event, division, ordinal, url, starts_at, ends_at, state, rated, weight, \
     site_weight, performance_ceiling, entrants, revision, content_hash, document_id, \
     withdrawn_at, items, announced, arrived, most_arrived, fruitless_syncs \
     FROM contest JOIN source USING (source_id) \
     LEFT JOIN (SELECT source_id AS synced_source, external_id AS synced_contest, items, \
         announced, arrived, most_arrived, fruitless_syncs FROM contest_sync) \
     ON synced_source = contest.source_id AND synced_contest = contest.external_id";

pub(crate) fn contest_row(row: &Row<'_>) -> rusqlite::Result<ContestRow> {
    read_row!(row => ContestRow {
        contest_id, source_id, source, external_id, name, event, division, ordinal, url,
        starts_at, ends_at, state, rated, weight, site_weight, performance_ceiling, entrants,
        revision, content_hash: hash_from_row, document_id, withdrawn_at,
        completeness: Completeness::from_row,
    })
}

impl ContestRow {
    /// True if the contest is over and much less of it arrived than its site announced. It may be
    /// rated nevertheless, after three syncs that brought nothing more.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        let completeness = self.completeness.as_ref();
        match self.state {
            ContestState::Incomplete => true,
            ContestState::Provisional | ContestState::Final => {
                completeness.is_some_and(Completeness::is_incomplete)
            }
            _ => false,
        }
    }

    /// Compares by (`ends_at`, source name, event, ordinal, external id). Absent values come first;
    /// events are compared by [`compare_events`] and external ids by
    /// [`compare_simultaneous_contests`]. Only a contest itself compares as equal, so the order does
    /// not depend on row ids or insertion order.
    #[must_use]
    pub fn replay_order(&self, other: &Self) -> Ordering {
        (self.ends_at.cmp(&other.ends_at))
            .then_with(|| self.source.cmp(&other.source))
            .then_with(|| compare_events(self.event.as_deref(), other.event.as_deref()))
            .then_with(|| self.ordinal.cmp(&other.ordinal))
            .then_with(|| {
                let (a, b) = (&self.external_id, &other.external_id);
                compare_simultaneous_contests(a, b, self.ends_at)
            })
    }
}

/// A standing: the place of one competitor in a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The competitor.
    pub competitor_id: CompetitorId,
    /// The place; none if not finished, which ranks below all finishers.
    pub place: Option<Place>,
}

impl Store {
    /// Returns the contests to rate (provisional or final, rated and not withdrawn), in
    /// [`ContestRow::replay_order`].
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn ratable_contests(&self, selection: &ContestFilter) -> Result<Vec<ContestRow>> {
        let mut contests = Vec::new();
        let mut sources = selection.sources.clone();
        sources.sort();
        sources.dedup();
        let sql = format!(
            "{SELECT_CONTESTS} WHERE source.name = ?1 AND rated AND state IN ('provisional', 'final')
             AND withdrawn_at IS NULL AND (?2 IS NULL OR division = ?2)
             AND (?3 IS NULL OR ends_at >= ?3) AND (?4 IS NULL OR ends_at < ?4)"
        );
        let (since, until) = (selection.since, selection.until);
        let (since, until) = (since.map(UnixSeconds::get), until.map(UnixSeconds::get));
        for source in &sources {
            let conditions = params![source.as_str(), selection.division, since, until];
            contests.extend(self.query_rows::<_, Vec<_>>(&sql, conditions, contest_row)?);
        }
        contests.sort_unstable_by(ContestRow::replay_order);
        Ok(contests)
    }

    /// Calls `each` with the standings of each contest, in the given order, and within a contest
    /// ordered by competitor id. Keeps only one contest in memory.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_standing(
        &self,
        contests: impl IntoIterator<Item = ContestId>,
        mut each: impl FnMut(ContestId, &[Standing]),
    ) -> Result<()> {
        for contest_id in contests {
            let standings: Vec<_> = self.query_rows(
                "SELECT competitor_id, place FROM standing WHERE contest_id = ?1
                 ORDER BY competitor_id",
                [contest_id],
                |row| {
                    Ok(Standing {
                        competitor_id: row.get(0)?,
                        place: row.get::<_, Option<u32>>(1)?.and_then(Place::new),
                    })
                },
            )?;
            each(contest_id, &standings);
        }
        Ok(())
    }

    /// Returns the starting ratings of the competitors of a source, ordered by competitor id.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn starting_ratings(
        &self,
        source_id: SourceId,
    ) -> Result<Vec<(CompetitorId, StartingRating)>> {
        self.query_rows(
            "SELECT competitor_id, start_mu, start_sigma FROM competitor
             WHERE source_id = ?1 AND start_mu IS NOT NULL ORDER BY competitor_id",
            [source_id],
            |row| {
                let mu = row.get(1)?;
                let sigma = row.get(2)?;
                Ok((row.get(0)?, StartingRating { mu, sigma }))
            },
        )
    }
}
