//! Queries for views: sources, runs, contests and competitors by name and id.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ranklore_contest::{ContestTime, EntrantKind, SourceName, StartingRating};
use serde::Serialize;

use crate::error::Result;
use crate::file::columns::{FromRow, queries, row};
use crate::file::open::Store;
use crate::ids::{CompetitorId, RunId, SourceId};
use crate::read::replay::{CONTEST_COLUMNS, CONTESTS, ContestRow};
use crate::results::contest_state::ContestState;
use crate::runs::ratings::{RUN_COLUMNS, RunRow};

row! {
    /// A source with its counts.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct SourceRow {
        /// The source.
        #[serde(skip)]
        pub source_id: SourceId,
        /// The name of the source.
        #[serde(rename = "source")]
        pub name: String,
        /// Contests in any state.
        pub contests: u64,
        /// Standings.
        pub results: u64,
        /// People, teams and couples.
        pub competitors: u64,
        /// Documents in the archive, each version counted.
        pub documents: u64,
        /// Time at which the first contest ended, in Unix seconds.
        pub first_ends_at: Option<i64>,
        /// Time at which the last contest ended, in Unix seconds.
        pub last_ends_at: Option<i64>,
    }
}

row! {
    /// A competitor.
    #[derive(Clone, Debug, PartialEq)]
    pub struct CompetitorRow selects COMPETITOR_COLUMNS {
        /// The competitor.
        pub competitor_id: CompetitorId,
        /// The source.
        pub source_id: SourceId,
        /// The id within the source, unique per kind.
        pub external_id: String,
        /// Person, team or couple.
        pub kind: EntrantKind,
        /// The name as published.
        pub name: String,
        /// The starting rating, from before the first contest.
        pub start: Option<StartingRating> = "start_mu, start_sigma",
    }
}

/// The names of a competitor, to search.
#[derive(Clone, Copy, Debug)]
pub struct SearchedCompetitor<'r> {
    /// The competitor.
    pub competitor_id: CompetitorId,
    /// The source.
    pub source_id: SourceId,
    /// The id within the source, unique per kind.
    pub external_id: &'r str,
    /// Person, team or couple.
    pub kind: EntrantKind,
    /// The name as published.
    pub name: &'r str,
}

queries! {
    /// Returns the names of the sources in order, without those of removed sources.
    pub fn source_names_in_use() -> Vec<String> =
        "SELECT name FROM source WHERE removed_at IS NULL ORDER BY name";

    /// Returns the competitors of a source with exactly this external id: one for each kind at most.
    pub fn competitors_with_id(source_id: SourceId, id: &str) -> Vec<CompetitorRow> =
        format!("SELECT {COMPETITOR_COLUMNS} FROM competitor
                 WHERE source_id = ?1 AND external_id = ?2 ORDER BY kind");

    /// Returns the competitors of a source with exactly this external id or name; those with this
    /// external id come first.
    // Scans the table, which is faster than the index by source: names have no index.
    pub fn competitors_named(source_id: SourceId, name: &str) -> Vec<CompetitorRow> =
        format!("SELECT {COMPETITOR_COLUMNS} FROM competitor
                 WHERE +source_id = ?1 AND (external_id = ?2 OR name = ?2)
                 ORDER BY external_id <> ?2, kind");

    /// Returns the competitors of a source, including those without standings.
    pub fn competitors_of_source(source_id: SourceId) -> Vec<CompetitorRow> =
        format!("SELECT {COMPETITOR_COLUMNS} FROM competitor WHERE source_id = ?1
                 ORDER BY competitor_id");

    /// True if a competitor has a standing of its own.
    pub fn has_standing(competitor_id: CompetitorId) -> bool =
        "SELECT EXISTS (SELECT 1 FROM standing WHERE competitor_id = ?1)";

    /// Returns all runs, oldest first.
    pub fn runs() -> Vec<RunRow> = format!("SELECT {RUN_COLUMNS} FROM rating_run ORDER BY run_id");

    /// Returns the run with this id.
    pub fn run(run_id: RunId) -> Option<RunRow> =
        format!("SELECT {RUN_COLUMNS} FROM rating_run WHERE run_id = ?1");

    /// Returns the id of the source with this name; none if it was removed.
    pub fn source_id(name: &SourceName) -> Option<SourceId> =
        "SELECT source_id FROM source WHERE name = ?1 AND removed_at IS NULL", [name.as_str()];

    /// Returns the id of the source with this name, also of a removed one, whose decisions are kept.
    pub fn source_id_even_if_removed(name: &SourceName) -> Option<SourceId> =
        "SELECT source_id FROM source WHERE name = ?1", [name.as_str()];

    /// Returns the sources ordered by name, counting only contests that had ended by `as_of`, their
    /// competitors and their documents.
    pub fn sources_as_of(as_of: ContestTime) -> Vec<SourceRow> =
        "SELECT source.source_id, source.name, count(contest_id), coalesce(sum(entrants), 0),
             (SELECT count(*) FROM (
                 SELECT competitor_id FROM contest JOIN standing USING (contest_id)
                 WHERE contest.source_id = source.source_id AND ends_at <= ?1
                 UNION SELECT person_id FROM contest JOIN member USING (contest_id)
                 WHERE contest.source_id = source.source_id AND ends_at <= ?1)),
             count(DISTINCT document_id), min(ends_at), max(ends_at)
         FROM source LEFT JOIN contest
             ON contest.source_id = source.source_id AND ends_at <= ?1
         WHERE removed_at IS NULL GROUP BY source.source_id ORDER BY source.name", [as_of.get()];

    /// Returns the contest with this external id, in any state.
    pub fn contest(source: &SourceName, external_id: &str) -> Option<ContestRow> =
        format!("SELECT {CONTEST_COLUMNS} FROM {CONTESTS}
                 WHERE source.name = ?1 AND external_id = ?2"), [source.as_str(), external_id];

    /// Returns the names in the array `sources` of a run's selection.
    pub fn sources_of_run(run: &RunRow) -> BTreeSet<String> =
        "SELECT value FROM json_each(?1, '$.sources') WHERE type = 'text'", [&run.selection];
}

impl Store {
    /// Returns the sources with their counts, ordered by name.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn sources(&self) -> Result<Vec<SourceRow>> {
        let sources = self.sources_with_states()?.into_iter();
        Ok(sources.map(|(source, _)| source).collect())
    }

    /// Returns the sources with their counts, ordered by name, each with the number of contests in
    /// each state that occurs.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn sources_with_states(&self) -> Result<Vec<(SourceRow, BTreeMap<ContestState, u64>)>> {
        let rows: Vec<SourceRow> = self.query(
            "SELECT source_id, name, 0, 0,
                 (SELECT count(*) FROM competitor WHERE competitor.source_id = source.source_id),
                 (SELECT count(*) FROM document WHERE document.source_id = source.source_id),
                 NULL, NULL
             FROM source WHERE removed_at IS NULL ORDER BY name",
            [],
        )?;
        let mut sources: Vec<_> = rows.into_iter().map(|row| (row, BTreeMap::new())).collect();
        let indices = sources.iter().map(|(source, _)| source.source_id).zip(0..);
        let indices: HashMap<SourceId, usize> = indices.collect();
        // One scan of the contests for all sources.
        let sql = "SELECT source_id, entrants, ends_at, state FROM contest";
        self.for_each(sql, [], |row: (SourceId, u32, Option<i64>, ContestState)| {
            let (source_id, entrants, ends_at, state) = row;
            if let Some(&index) = indices.get(&source_id) {
                let (source, states) = &mut sources[index];
                source.contests += 1;
                source.results += u64::from(entrants);
                source.first_ends_at = source.first_ends_at.into_iter().chain(ends_at).min();
                source.last_ends_at = source.last_ends_at.max(ends_at);
                *states.entry(state).or_default() += 1;
            }
        })?;
        Ok(sources)
    }

    /// Returns all contests in any state, in [`ContestRow::replay_order`].
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn all_contests(&self) -> Result<Vec<ContestRow>> {
        let mut contests: Vec<_> =
            self.query(&format!("SELECT {CONTEST_COLUMNS} FROM {CONTESTS}"), [])?;
        contests.sort_unstable_by(ContestRow::replay_order);
        Ok(contests)
    }

    /// Returns the competitors with these ids, in the given order; omits unknown ids.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn competitors_by_id(
        &self,
        ids: impl IntoIterator<Item = CompetitorId>,
    ) -> Result<Vec<CompetitorRow>> {
        let sql = format!("SELECT {COMPETITOR_COLUMNS} FROM competitor WHERE competitor_id = ?1");
        let mut competitors = Vec::new();
        let ids = ids.into_iter().map(|id| [id]);
        self.query_each(&sql, ids, |row: Option<CompetitorRow>| competitors.extend(row))?;
        Ok(competitors)
    }

    /// Calls `each` with the names of the competitors of a source, ordered by id.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_competitor_name(
        &self,
        source_id: SourceId,
        mut each: impl FnMut(SearchedCompetitor<'_>),
    ) -> Result<()> {
        // Reads the table in its order: with the index by source, SQLite would sort all rows in
        // memory.
        let sql = "SELECT competitor_id, external_id, kind, name FROM competitor
             WHERE +source_id = ?1 ORDER BY competitor_id";
        self.for_each_row(sql, [source_id], |row| {
            each(SearchedCompetitor {
                competitor_id: row.get(0)?,
                source_id,
                external_id: row.get_ref(1)?.as_str()?,
                kind: EntrantKind::from_row(row, 2)?,
                name: row.get_ref(3)?.as_str()?,
            });
            Ok(())
        })
    }
}
