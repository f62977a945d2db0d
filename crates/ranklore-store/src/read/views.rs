//! Queries for views: sources, runs, contests and competitors by name and id.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ranklore_contest::{ContestTime, EntrantKind, SourceName, StartingRating};
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use crate::error::Result;
use crate::file::columns::{count_from_row, kind_from_row, read_row};
use crate::file::open::Store;
use crate::ids::{CompetitorId, RunId, SourceId};
use crate::read::replay::{ContestRow, SELECT_CONTESTS, contest_row};
use crate::results::contests::ContestState;
use crate::runs::ratings::{RunRow, SELECT_RUNS, run_row};

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

/// The counts of the contests of a source.
#[derive(Default)]
struct ContestCounts {
    contests: u64,
    results: u64,
    first_ends_at: Option<i64>,
    last_ends_at: Option<i64>,
    states: BTreeMap<ContestState, u64>,
}

/// A competitor.
#[derive(Clone, Debug, PartialEq)]
pub struct CompetitorRow {
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
    pub start: Option<StartingRating>,
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

pub(crate) const SELECT_COMPETITORS: &str = "SELECT competitor_id, source_id, external_id, kind, name, \
     start_mu, start_sigma, merged_into FROM competitor";

pub(crate) fn competitor_row(row: &Row<'_>) -> rusqlite::Result<CompetitorRow> {
    let mu: Option<f64> = row.get(5)?;
    let sigma = row.get(6)?;
    Ok(CompetitorRow {
        competitor_id: row.get(0)?,
        source_id: row.get(1)?,
        external_id: row.get(2)?,
        kind: kind_from_row(row, 3)?,
        name: row.get(4)?,
        start: mu.map(|mu| StartingRating { mu, sigma }),
    })
}

impl Store {
    /// Returns the id of the source with this name; none if it was removed.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn source_id(&self, name: &SourceName) -> Result<Option<SourceId>> {
        self.query_row(
            "SELECT source_id FROM source WHERE name = ?1 AND removed_at IS NULL",
            [name.as_str()],
            |row| row.get(0),
        )
    }

    /// Returns the id of the source with this name, also of a removed one, whose decisions are kept.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn source_id_even_if_removed(&self, name: &SourceName) -> Result<Option<SourceId>> {
        self.query_row("SELECT source_id FROM source WHERE name = ?1", [name.as_str()], |row| {
            row.get(0)
        })
    }

    /// Returns the names of the sources in order, without those of removed sources.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn source_names_in_use(&self) -> Result<Vec<String>> {
        let sql = "SELECT name FROM source WHERE removed_at IS NULL ORDER BY name";
        self.query_rows(sql, [], |row| row.get(0))
    }

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
        // One scan of the contests for all sources.
        let mut counts: HashMap<SourceId, ContestCounts> = HashMap::new();
        let sql = "SELECT source_id, entrants, ends_at, state FROM contest";
        self.for_each_row(sql, [], |row| {
            let (entrants, ends_at): (u32, Option<i64>) = (row.get(1)?, row.get(2)?);
            let tally = counts.entry(row.get(0)?).or_default();
            tally.contests += 1;
            tally.results += u64::from(entrants);
            tally.first_ends_at = tally.first_ends_at.into_iter().chain(ends_at).min();
            tally.last_ends_at = tally.last_ends_at.max(ends_at);
            *tally.states.entry(row.get(3)?).or_default() += 1;
            Ok(())
        })?;
        let sql = "SELECT source_id, name,
                 (SELECT count(*) FROM competitor
                     WHERE competitor.source_id = source.source_id),
                 (SELECT count(*) FROM document WHERE document.source_id = source.source_id)
             FROM source WHERE removed_at IS NULL ORDER BY name";
        self.query_rows(sql, [], |row| {
            let source_id = row.get(0)?;
            let ContestCounts {
                contests,
                results,
                first_ends_at,
                last_ends_at,
                states,
            } = counts.remove(&source_id).unwrap_or_default();
            let source = SourceRow {
                source_id,
                name: row.get(1)?,
                contests,
                results,
                competitors: count_from_row(row, 2)?,
                documents: count_from_row(row, 3)?,
                first_ends_at,
                last_ends_at,
            };
            Ok((source, states))
        })
    }

    /// Returns the sources ordered by name, counting only contests that had ended by `as_of`, their
    /// competitors and their documents.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn sources_as_of(&self, as_of: ContestTime) -> Result<Vec<SourceRow>> {
        self.query_rows(
            "SELECT source.source_id, source.name, count(contest_id), coalesce(sum(entrants), 0),
                 (SELECT count(*) FROM (
                     SELECT competitor_id FROM contest JOIN standing USING (contest_id)
                     WHERE contest.source_id = source.source_id AND ends_at <= ?1
                     UNION SELECT person_id FROM contest JOIN member USING (contest_id)
                     WHERE contest.source_id = source.source_id AND ends_at <= ?1)),
                 count(DISTINCT document_id), min(ends_at), max(ends_at)
             FROM source LEFT JOIN contest
                 ON contest.source_id = source.source_id AND ends_at <= ?1
             WHERE removed_at IS NULL GROUP BY source.source_id ORDER BY source.name",
            [as_of.get()],
            |row| {
                read_row!(row => SourceRow {
                    source_id, name,
                    contests: count_from_row, results: count_from_row,
                    competitors: count_from_row, documents: count_from_row,
                    first_ends_at, last_ends_at,
                })
            },
        )
    }

    /// Returns the contest with this external id, in any state.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn contest(&self, source: &SourceName, external_id: &str) -> Result<Option<ContestRow>> {
        let sql = format!("{SELECT_CONTESTS} WHERE source.name = ?1 AND external_id = ?2");
        self.query_row(&sql, [source.as_str(), external_id], contest_row)
    }

    /// Returns all contests in any state, in [`ContestRow::replay_order`].
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn all_contests(&self) -> Result<Vec<ContestRow>> {
        let mut contests: Vec<_> = self.query_rows(SELECT_CONTESTS, [], contest_row)?;
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
        let sql = format!("{SELECT_COMPETITORS} WHERE competitor_id = ?1");
        self.with_connection(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = ids
                .into_iter()
                .filter_map(|id| statement.query_row([id], competitor_row).optional().transpose());
            rows.collect()
        })
    }

    /// Returns the competitors of a source with exactly this external id: one for each kind at most.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn competitors_with_id(&self, source_id: SourceId, id: &str) -> Result<Vec<CompetitorRow>> {
        let sql =
            format!("{SELECT_COMPETITORS} WHERE source_id = ?1 AND external_id = ?2 ORDER BY kind");
        self.query_rows(&sql, params![source_id, id], competitor_row)
    }

    /// Returns the competitors of a source with exactly this external id or name; those with this
    /// external id come first.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn competitors_named(&self, source_id: SourceId, name: &str) -> Result<Vec<CompetitorRow>> {
        // Scans the table, which is faster than the index by source: names have no index.
        let sql = format!(
            "{SELECT_COMPETITORS} WHERE +source_id = ?1 AND (external_id = ?2 OR name = ?2)
             ORDER BY external_id <> ?2, kind"
        );
        self.query_rows(&sql, params![source_id, name], competitor_row)
    }

    /// Returns the competitors of a source, including those without standings.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn competitors_of_source(&self, source_id: SourceId) -> Result<Vec<CompetitorRow>> {
        let sql = format!("{SELECT_COMPETITORS} WHERE source_id = ?1 ORDER BY competitor_id");
        self.query_rows(&sql, [source_id], competitor_row)
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
                kind: kind_from_row(row, 2)?,
                name: row.get_ref(3)?.as_str()?,
            });
            Ok(())
        })
    }

    /// True if a competitor has a standing of its own.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn has_standing(&self, competitor_id: CompetitorId) -> Result<bool> {
        self.query_value(
            "SELECT EXISTS (SELECT 1 FROM standing WHERE competitor_id = ?1)",
            [competitor_id],
        )
    }

    /// Returns all runs, oldest first.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn runs(&self) -> Result<Vec<RunRow>> {
        let sql = format!("{SELECT_RUNS} ORDER BY run_id");
        self.query_rows(&sql, [], run_row)
    }

    /// Returns the run with this id.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn run(&self, run_id: RunId) -> Result<Option<RunRow>> {
        let sql = format!("{SELECT_RUNS} WHERE run_id = ?1");
        self.query_row(&sql, [run_id], run_row)
    }

    /// Returns the names in the array `sources` of a run's selection.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn sources_of_run(&self, run: &RunRow) -> Result<BTreeSet<String>> {
        self.query_rows(
            "SELECT value FROM json_each(?1, '$.sources') WHERE type = 'text'",
            [&run.selection],
            |row| row.get(0),
        )
    }
}
