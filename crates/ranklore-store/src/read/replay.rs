//! Queries for replays: contests to rate in their order, and their standings.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use ranklore_contest::{ContentHash, ContestTime, Place, SourceName, StartingRating};
use rusqlite::{Row, params};
use serde::Serialize;

use crate::error::Result;
use crate::file::columns::{hash_from_row, read_row};
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, DocumentId, RunId, SourceId};
use crate::read::event_numbers::EventNumbers;
use crate::results::contests::ContestState;
use crate::results::external_ids::{compare_events, compare_simultaneous_contests};
use crate::runs::ratings::RatingRow;
use crate::runs::resume::{SELECT_RATINGS, rating_row};
use crate::sync::completeness::Completeness;

/// Filter for contests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContestFilter {
    /// Only contests of these sources.
    pub sources: Vec<SourceName>,
    /// Only contests of this division.
    pub division: Option<String>,
    /// Only contests that ended at this time or later.
    pub since: Option<ContestTime>,
    /// Only contests that ended before this time.
    pub until: Option<ContestTime>,
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

/// A contest to rate, in 96 bytes: a replay holds a million of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatableContest {
    /// Its id.
    pub contest_id: ContestId,
    /// The source.
    pub source_id: SourceId,
    /// Time at which the result was final, in Unix seconds.
    pub ends_at: i64,
    /// Weight in rating systems.
    pub weight: f64,
    /// Weight given by the source.
    pub site_weight: Option<f64>,
    /// Upper limit of performances; infinite without one.
    pub performance_ceiling: f64,
    /// Number of entrants.
    pub entrants: u32,
    /// Number of events before its own among the selected contests.
    pub event: u32,
    /// Hash of the contest; zeros without results.
    pub content_hash: [u8; 32],
}

/// The columns that order simultaneous contests. They are needed for sorting only, and their texts
/// are in one allocation.
#[derive(Default)]
struct SortKeys {
    /// Event and external id of each contest.
    texts: String,
    keys: Vec<SortKey>,
}

/// In 24 bytes.
struct SortKey {
    /// Start of the event in the texts.
    start: usize,
    /// 0 without one.
    ordinal: i64,
    /// Bytes of the event.
    event: u32,
    has_ordinal: bool,
    has_event: bool,
}

impl SortKeys {
    fn push(&mut self, event: Option<&str>, ordinal: Option<i64>, external_id: &str) {
        self.keys.push(SortKey {
            start: self.texts.len(),
            ordinal: ordinal.unwrap_or(0),
            event: event.map_or(0, str::len) as u32,
            has_ordinal: ordinal.is_some(),
            has_event: event.is_some(),
        });
        self.texts.extend(event);
        self.texts.push_str(external_id);
    }

    /// Returns event, ordinal and external id of the contest that was pushed at this index.
    fn get(&self, index: u32) -> (Option<&str>, Option<i64>, &str) {
        let index = index as usize;
        let key = &self.keys[index];
        let end = self.keys.get(index + 1).map(|next| next.start);
        let both = &self.texts[key.start..end.unwrap_or(self.texts.len())];
        let (event, external_id) = both.split_at(key.event as usize);
        let event = key.has_event.then_some(event);
        (event, key.has_ordinal.then_some(key.ordinal), external_id)
    }

    /// Compares two contests of one source that ended at `ends_at`, as
    /// [`ContestRow::replay_order`] does.
    fn compare(&self, a: u32, b: u32, ends_at: Option<i64>) -> Ordering {
        let (a, b) = (self.get(a), self.get(b));
        compare_events(a.0, b.0)
            .then_with(|| a.1.cmp(&b.1))
            .then_with(|| compare_simultaneous_contests(a.2, b.2, ends_at))
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

/// Selects the contests to rate of the source `?1`, of the division `?2` and between `?3` and `?4`.
const FROM_RATABLE_CONTESTS: &str = "FROM contest JOIN source USING (source_id)
     WHERE source.name = ?1 AND rated AND state IN ('provisional', 'final')
     AND withdrawn_at IS NULL AND (?2 IS NULL OR division = ?2)
     AND (?3 IS NULL OR ends_at >= ?3) AND (?4 IS NULL OR ends_at < ?4)";

impl Store {
    /// Returns the contests to rate (provisional or final, rated and not withdrawn), in
    /// [`ContestRow::replay_order`].
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn ratable_contests(&self, selection: &ContestFilter) -> Result<Vec<RatableContest>> {
        let mut contests = Vec::new();
        let mut keys = SortKeys::default();
        let mut sources = selection.sources.clone();
        sources.sort();
        sources.dedup();
        // Orders sources by name.
        let mut ranks: HashMap<SourceId, usize> = HashMap::new();
        let sql = format!(
            "SELECT contest_id, source_id, ends_at, weight, site_weight, performance_ceiling,
                 entrants, content_hash, event, ordinal, external_id {FROM_RATABLE_CONTESTS}"
        );
        let (since, until) = (selection.since, selection.until);
        let (since, until) = (since.map(ContestTime::get), until.map(ContestTime::get));
        for (rank, source) in sources.iter().enumerate() {
            let conditions = params![source.as_str(), selection.division, since, until];
            self.for_each_row(&sql, conditions, |row| {
                let contest = RatableContest {
                    contest_id: row.get(0)?,
                    source_id: row.get(1)?,
                    ends_at: row.get(2)?,
                    weight: row.get(3)?,
                    site_weight: row.get(4)?,
                    performance_ceiling: row.get::<_, Option<f64>>(5)?.unwrap_or(f64::INFINITY),
                    entrants: row.get(6)?,
                    content_hash: row.get::<_, Option<_>>(7)?.unwrap_or_default(),
                    // The index of the sort key, until events are numbered.
                    event: contests.len() as u32,
                };
                let event = row.get_ref(8)?.as_str_or_null()?;
                keys.push(event, row.get(9)?, row.get_ref(10)?.as_str()?);
                ranks.insert(contest.source_id, rank);
                contests.push(contest);
                Ok(())
            })?;
        }
        contests.sort_unstable_by(|a: &RatableContest, b| {
            (a.ends_at.cmp(&b.ends_at))
                .then_with(|| ranks[&a.source_id].cmp(&ranks[&b.source_id]))
                .then_with(|| keys.compare(a.event, b.event, Some(a.ends_at)))
        });
        let mut events = EventNumbers::default();
        for contest in &mut contests {
            let (event, ..) = keys.get(contest.event);
            contest.event = events.add(contest.source_id, event);
        }
        Ok(contests)
    }

    /// Counts the contests to rate that are not part of a run.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn count_new_contests(&self, run_id: RunId, selection: &ContestFilter) -> Result<u64> {
        let sql = format!(
            "SELECT count(*) {FROM_RATABLE_CONTESTS} AND contest_id NOT IN
                 (SELECT contest_id FROM run_contest WHERE run_id = ?5)"
        );
        let (since, until) = (selection.since, selection.until);
        let (since, until) = (since.map(ContestTime::get), until.map(ContestTime::get));
        let sources: BTreeSet<&str> = selection.sources.iter().map(SourceName::as_str).collect();
        let mut count = 0;
        for source in sources {
            let conditions = params![source, selection.division, since, until, run_id];
            count += self.query_value::<i64>(&sql, conditions)? as u64;
        }
        Ok(count)
    }

    /// Calls `each` with the contests of a source and their names, in no order.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_contest_name(
        &self,
        source_id: SourceId,
        mut each: impl FnMut(ContestId, &str),
    ) -> Result<()> {
        // Scans the table: the index by source would read it row by row.
        let sql = "SELECT contest_id, name FROM contest WHERE +source_id = ?1";
        self.for_each_row(sql, [source_id], |row| {
            each(row.get(0)?, row.get_ref(1)?.as_str()?);
            Ok(())
        })
    }

    /// Returns the names of all sources, also of removed ones.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn source_names(&self) -> Result<HashMap<SourceId, String>> {
        self.query_rows("SELECT source_id, name FROM source", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
    }

    /// Calls `each` with the rating rows of a run for a contest. Keeps one row in memory.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_rating_row(
        &self,
        run_id: RunId,
        contest_id: ContestId,
        mut each: impl FnMut(RatingRow),
    ) -> Result<()> {
        self.for_each_row(SELECT_RATINGS, params![run_id, contest_id], |row| {
            each(rating_row(row)?);
            Ok(())
        })
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
        let sql = "SELECT competitor_id, place FROM standing WHERE contest_id = ?1
                   ORDER BY competitor_id";
        let mut standings = Vec::new();
        for contest_id in contests {
            standings.clear();
            self.for_each_row(sql, [contest_id], |row| {
                standings.push(Standing {
                    competitor_id: row.get(0)?,
                    place: row.get::<_, Option<u32>>(1)?.and_then(Place::new),
                });
                Ok(())
            })?;
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
