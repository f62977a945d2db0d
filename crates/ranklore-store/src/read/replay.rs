//! Queries for replays: contests to rate in their order, and their standings.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use ranklore_contest::{ContentHash, ContestTime, Place, Side, SourceName, StartingRating};
use rusqlite::params;
use serde::Serialize;

use crate::error::Result;
use crate::file::columns::{FromRow, queries, row};
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, DocumentId, RunId, SourceId};
use crate::read::ratable_contests::{RatableContest, RatableContests};
use crate::results::contest_state::ContestState;
use crate::results::external_ids::{compare_events, compare_simultaneous_contests};
use crate::runs::ratings::{RatingRow, SELECT_RATINGS};
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

impl ContestFilter {
    /// Returns `since` and `until` in Unix seconds.
    fn period(&self) -> [Option<i64>; 2] {
        [self.since, self.until].map(|time| time.map(ContestTime::get))
    }
}

/// Some contests by id.
#[derive(Clone, Copy, Debug)]
pub enum ContestIds<'i> {
    /// Contests with larger ids.
    After(ContestId),
    /// Contests with these ids.
    Among(&'i [ContestId]),
}

row! {
    /// A contest without its standings.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct ContestRow selects CONTEST_COLUMNS {
        /// The contest.
        #[serde(skip)]
        pub contest_id: ContestId,
        /// The source.
        #[serde(skip)]
        pub source_id: SourceId,
        /// The name of the source.
        pub source: String = "source.name",
        /// The id within the source.
        #[serde(rename = "contest")]
        pub external_id: String,
        /// The name as published.
        pub name: String = "contest.name",
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
        pub completeness: Option<Completeness> =
            "items, announced, arrived, most_arrived, fruitless_syncs",
    }
}

/// The tables of the columns of [`ContestRow`].
pub(crate) const CONTESTS: &str = "contest JOIN source USING (source_id)
     LEFT JOIN (SELECT source_id AS synced_source, external_id AS synced_contest, items,
         announced, arrived, most_arrived, fruitless_syncs FROM contest_sync)
     ON synced_source = contest.source_id AND synced_contest = contest.external_id";

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
        self.ends_at
            .cmp(&other.ends_at)
            .then_with(|| self.source.cmp(&other.source))
            .then_with(|| compare_events(self.event.as_deref(), other.event.as_deref()))
            .then_with(|| self.ordinal.cmp(&other.ordinal))
            .then_with(|| {
                let id = &self.external_id;
                compare_simultaneous_contests(id, &other.external_id, self.ends_at)
            })
    }
}

/// A source is read by a scan of the table if that reads at most this many rows per contest.
const MAX_SCANNED_PER_CONTEST: i64 = 4;

/// Contests to load: those of a source with ids in a range.
struct ContestRange {
    /// The rank of the source by name.
    source_rank: u32,
    source_id: SourceId,
    first: i64,
    last: i64,
    /// True if the index by source is used, which reads the table row by row.
    uses_index: bool,
}

/// A standing: the place of one competitor in a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The competitor.
    pub competitor_id: CompetitorId,
    /// The place; none if not finished, which ranks below all finishers.
    pub place: Option<Place>,
    /// The side in a game of two, if known.
    pub side: Option<Side>,
}

/// Conditions on contests to rate: of the division `?2` and between `?3` and `?4`.
const IS_RATABLE: &str = "rated AND state IN ('provisional', 'final')
     AND withdrawn_at IS NULL AND (?2 IS NULL OR division = ?2)
     AND (?3 IS NULL OR ends_at >= ?3) AND (?4 IS NULL OR ends_at < ?4)";

queries! {
    /// Returns the names of all sources, also of removed ones.
    pub fn source_names() -> HashMap<SourceId, String> = "SELECT source_id, name FROM source";

    /// Returns the starting ratings of the competitors of a source, ordered by competitor id.
    pub fn starting_ratings(source_id: SourceId) -> Vec<(CompetitorId, StartingRating)> =
        "SELECT competitor_id, start_mu, start_sigma FROM competitor
         WHERE source_id = ?1 AND start_mu IS NOT NULL ORDER BY competitor_id";

    /// Calls `each` with the rating rows of a run for a contest. Keeps one row in memory.
    pub fn for_each_rating_row(run_id: RunId, contest_id: ContestId; each [row: RatingRow]) =
        SELECT_RATINGS;
}

impl Store {
    /// Returns the contests to rate (provisional or final, rated and not withdrawn), in
    /// [`ContestRow::replay_order`].
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn ratable_contests(&self, selection: &ContestFilter) -> Result<Vec<RatableContest>> {
        let mut contests = RatableContests::default();
        for (source_rank, source_id) in (0..).zip(self.selected_sources(selection)?) {
            // A scan of the table is much faster than the index by source, which would read it row
            // by row, unless most of it belongs to other sources.
            let ids: Option<(i64, i64, i64)> = self.query(
                "SELECT coalesce(min(contest_id), 0), coalesce(max(contest_id), 0), count(*)
                 FROM contest WHERE source_id = ?1",
                [source_id],
            )?;
            let (first, last, count) = ids.unwrap_or_default();
            let range = ContestRange {
                source_rank,
                source_id,
                first,
                last,
                uses_index: last - first >= count * MAX_SCANNED_PER_CONTEST,
            };
            let start = contests.rows.len();
            self.load_ratable(selection, &range, &mut contests)?;
            contests.normalise_durations(start);
        }
        Ok(contests.in_replay_order())
    }

    /// True if there is a contest to rate.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn has_ratable_contest(&self, selection: &ContestFilter) -> Result<bool> {
        let sql =
            format!("SELECT EXISTS (SELECT 1 FROM contest WHERE source_id = ?1 AND {IS_RATABLE})");
        let [since, until] = selection.period();
        for source_id in self.selected_sources(selection)? {
            if self.query(&sql, params![source_id, selection.division, since, until])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns those of the contests to rate that have certain ids, in replay order; their events
    /// are numbered and their durations compared among themselves. The cost does not depend on the others.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn ratable_contests_with_ids(
        &self,
        selection: &ContestFilter,
        ids: ContestIds<'_>,
    ) -> Result<Vec<RatableContest>> {
        let mut contests = RatableContests::default();
        let ranges: Vec<(i64, i64)> = match ids {
            ContestIds::After(id) => vec![(id.get() + 1, i64::MAX)],
            ContestIds::Among(ids) => ids.iter().map(|id| (id.get(), id.get())).collect(),
        };
        for (source_rank, source_id) in (0..).zip(self.selected_sources(selection)?) {
            let start = contests.rows.len();
            for &(first, last) in &ranges {
                let range = ContestRange {
                    source_rank,
                    source_id,
                    first,
                    last,
                    uses_index: false,
                };
                self.load_ratable(selection, &range, &mut contests)?;
            }
            contests.normalise_durations(start);
        }
        Ok(contests.in_replay_order())
    }

    /// Returns the sources of a selection that the database has, ordered by name.
    fn selected_sources(&self, selection: &ContestFilter) -> Result<Vec<SourceId>> {
        let names: BTreeSet<&SourceName> = selection.sources.iter().collect();
        let ids = names.into_iter().map(|name| self.source_id(name));
        ids.filter_map(Result::transpose).collect()
    }

    /// Adds the contests to rate in a range.
    fn load_ratable(
        &self,
        selection: &ContestFilter,
        range: &ContestRange,
        contests: &mut RatableContests,
    ) -> Result<()> {
        // With a sign the column is an expression, to which no index applies.
        let sign = if range.uses_index { "" } else { "+" };
        let sql = format!(
            "SELECT contest_id, source_id, ends_at, weight, site_weight, performance_ceiling,
                 entrants, content_hash, event, ordinal, external_id,
                 coalesce(ends_at - starts_at, 0)
             FROM contest WHERE {sign}source_id = ?1 AND contest_id BETWEEN ?5 AND ?6
                 AND {IS_RATABLE}"
        );
        let [since, until] = selection.period();
        let division = &selection.division;
        let values = (range.source_id, division, since, until, range.first, range.last);
        self.for_each_row(&sql, values, |row| {
            contests.rows.push(RatableContest {
                contest_id: row.get(0)?,
                source_id: row.get(1)?,
                ends_at: row.get(2)?,
                weight: row.get(3)?,
                site_weight: row.get(4)?,
                relative_duration: row.get::<_, i64>(11)? as f64,
                performance_ceiling: row.get::<_, Option<f64>>(5)?.unwrap_or(f64::INFINITY),
                entrants: row.get(6)?,
                content_hash: row.get::<_, Option<_>>(7)?.unwrap_or_default(),
                // The index of the sort key, until events are numbered.
                event: contests.rows.len() as u32,
            });
            let event = row.get_ref(8)?.as_str_or_null()?;
            let external_id = row.get_ref(10)?.as_str()?;
            let ordinal = row.get(9)?;
            contests.keys.push(range.source_rank, event, ordinal, external_id);
            Ok(())
        })
    }

    /// Counts the contests to rate that are not part of a run.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn count_new_contests(&self, run_id: RunId, selection: &ContestFilter) -> Result<u64> {
        let sql = format!(
            "SELECT count(*) FROM contest WHERE source_id = ?1 AND {IS_RATABLE}
                 AND contest_id NOT IN (SELECT contest_id FROM run_contest WHERE run_id = ?5)"
        );
        let [since, until] = selection.period();
        let mut count = 0;
        for source_id in self.selected_sources(selection)? {
            let conditions = params![source_id, selection.division, since, until, run_id];
            count += self.query::<u64>(&sql, conditions)?;
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
        let sql = "SELECT contest_id, competitor_id, place, side FROM standing
                   WHERE contest_id BETWEEN ?1 AND ?2 ORDER BY contest_id, competitor_id";
        let mut contests = contests.into_iter().peekable();
        let mut standings = Vec::new();
        while let Some(first) = contests.next() {
            // One query for contests with consecutive ids: of games it takes most of the time.
            let mut last = first;
            while let Some(next) = contests.next_if(|id| id.get() == last.get() + 1) {
                last = next;
            }
            let mut contest = first;
            self.for_each_row(sql, [first, last], |row| {
                let row_contest: ContestId = row.get(0)?;
                while contest < row_contest {
                    each(contest, &standings);
                    standings.clear();
                    contest = ContestId::new(contest.get() + 1);
                }
                standings.push(Standing {
                    competitor_id: row.get(1)?,
                    place: row.get::<_, Option<u32>>(2)?.and_then(Place::new),
                    side: Option::from_row(row, 3)?,
                });
                Ok(())
            })?;
            while contest <= last {
                each(contest, &standings);
                standings.clear();
                contest = ContestId::new(contest.get() + 1);
            }
        }
        Ok(())
    }
}
