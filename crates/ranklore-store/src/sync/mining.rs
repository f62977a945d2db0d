//! State of syncs between runs: pacing of hosts, sync state of each contest, and listed contests
//! without results.

use std::collections::HashSet;

use ranklore_contest::{UnixSeconds, word_enum};
use rusqlite::types::ValueRef;
use rusqlite::{Row, params};
use serde::{Serialize, Serializer};

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::{read_row, word_column};
use crate::file::open::Store;
use crate::ids::{ContestId, DocumentId, SourceId};
use crate::results::contests::{ContestInsert, ContestState, optional_integer, optional_text};
use crate::sync::completeness::Completeness;

/// Pacing state of a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HostRow {
    /// Start of the last request, in Unix seconds, rounded up.
    pub last_request_at: Option<i64>,
    /// Earliest time of the next request, in Unix seconds.
    pub not_before_at: Option<i64>,
}

word_enum! {
    /// Outcome of the last sync of a contest; a column of `contest_sync`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum SyncOutcome {
        /// Results were read.
        Read = "read",
        /// The site has no results yet.
        NotYet = "not yet",
        /// The site has no results long after the end, or states that there never will be any.
        NothingThere = "nothing there",
        /// The site no longer has the contest.
        Gone = "gone",
        /// The site denies access.
        Blocked = "blocked",
        /// All retries failed.
        GaveUp = "gave up",
        /// The response could not be parsed.
        Refused = "refused",
    }
}

word_column!(SyncOutcome, "outcome of a sync");

impl Serialize for SyncOutcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Sync state of a contest, or of a request that belongs to no contest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContestSync {
    /// The external id of the contest, or the request key.
    #[serde(rename = "contest")]
    pub external_id: String,
    /// Outcome of the last sync.
    pub outcome: SyncOutcome,
    /// Time of the last request, in Unix seconds.
    pub tried_at: i64,
    /// Time at which a response was last read, in Unix seconds; none if never.
    #[serde(skip)]
    pub read_at: Option<i64>,
    /// Time of the next request, in Unix seconds; none if never.
    pub due_at: Option<i64>,
    /// Details of the outcome, in words.
    pub reason: Option<String>,
    /// Numbers of items announced by the site and received, if the site announces any.
    #[serde(skip)]
    pub completeness: Option<Completeness>,
}

impl ContestSync {
    /// True if no readable response arrived.
    #[must_use]
    pub const fn is_failed(&self) -> bool {
        matches!(self.outcome, SyncOutcome::Blocked | SyncOutcome::GaveUp | SyncOutcome::Refused)
    }

    /// True if so much is missing that the contest is held back from rating.
    #[must_use]
    pub fn is_held_back(&self) -> bool {
        let completeness = self.completeness.as_ref();
        completeness.is_some_and(Completeness::is_held_back)
    }
}

/// Selects the columns of [`ContestSync`] in order; append conditions.
const SELECT_SYNCS: &str =
    "SELECT external_id, outcome, tried_at, read_at, due_at, reason, items, announced, arrived,
         most_arrived, fruitless_syncs
     FROM contest_sync";

fn sync_row(row: &Row<'_>) -> rusqlite::Result<ContestSync> {
    read_row!(row => ContestSync {
        external_id, outcome, tried_at, read_at, due_at, reason,
        completeness: Completeness::from_row,
    })
}

/// A contest from the listing of its site, without results.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedContest<'a> {
    /// The id within its source.
    pub external_id: &'a str,
    /// The name as published.
    pub name: &'a str,
    /// The event, which groups contests held together.
    pub event: Option<&'a str>,
    /// Division, class or age group.
    pub division: Option<&'a str>,
    /// The source's order within the event.
    pub ordinal: Option<i64>,
    /// The web page of the contest.
    pub url: Option<&'a str>,
    /// Actual or planned start.
    pub starts_at: Option<UnixSeconds>,
    /// Actual or planned end.
    pub ends_at: Option<UnixSeconds>,
}

fn host_row(row: &Row<'_>) -> rusqlite::Result<HostRow> {
    read_row!(row => HostRow { last_request_at, not_before_at })
}

impl Store {
    /// Returns the pacing state of a host; the default if it was never requested.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn host(&self, host: &str) -> Result<HostRow> {
        self.query_row(
            "SELECT last_request_at, not_before_at FROM host WHERE host = ?1",
            [host],
            host_row,
        )
        .map(Option::unwrap_or_default)
    }

    /// Returns all hosts ever requested, ordered by name.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn hosts(&self) -> Result<Vec<(String, HostRow)>> {
        self.query_rows(
            "SELECT last_request_at, not_before_at, host FROM host ORDER BY host",
            [],
            |row| Ok((row.get(2)?, host_row(row)?)),
        )
    }

    /// Returns the total size of the archived documents of a source, compressed.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn archived_bytes(&self, source_id: SourceId) -> Result<u64> {
        self.query_value(
            "SELECT coalesce(sum(length(body)), 0) FROM document WHERE source_id = ?1",
            [source_id],
        )
        .map(i64::unsigned_abs)
    }

    /// Returns the time of the newest answer of the site of a source, also if it brought nothing new;
    /// none if the source was never synced with a site.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn last_answer_at(&self, source_id: SourceId) -> Result<Option<i64>> {
        self.query_value(
            "SELECT max(fetched_at) FROM document WHERE source_id = ?1 AND url LIKE 'http%'",
            [source_id],
        )
    }

    /// Returns the sync state of a contest; none if it was never requested.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn contest_sync(
        &self,
        source_id: SourceId,
        external_id: &str,
    ) -> Result<Option<ContestSync>> {
        let sql = format!("{SELECT_SYNCS} WHERE source_id = ?1 AND external_id = ?2");
        self.query_row(&sql, params![source_id, external_id], sync_row)
    }

    /// Returns the time at which names were last requested from the site, in Unix seconds.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn names_asked_at(&self, source_id: SourceId) -> Result<Option<i64>> {
        self.query_value("SELECT names_asked_at FROM source WHERE source_id = ?1", [source_id])
    }

    /// Returns the newest document that names were read from.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn named_through(&self, source_id: SourceId) -> Result<Option<DocumentId>> {
        self.query_value("SELECT named_through FROM source WHERE source_id = ?1", [source_id])
    }

    /// Returns the contests of a source that were read from a response of a site, not from an
    /// imported file.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn mined_contests(&self, source_id: SourceId) -> Result<HashSet<String>> {
        self.query_rows(
            "SELECT external_id FROM contest JOIN document USING (document_id)
             WHERE contest.source_id = ?1 AND document.status IS NOT NULL",
            [source_id],
            |row| row.get(0),
        )
    }

    /// Returns the sync states of a source, ordered by external id.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn contest_syncs(&self, source_id: SourceId) -> Result<Vec<ContestSync>> {
        let sql = format!("{SELECT_SYNCS} WHERE source_id = ?1 ORDER BY external_id");
        self.query_rows(&sql, [source_id], sync_row)
    }
}

impl WriteBatch<'_> {
    /// Stores the pacing state of a host.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn upsert_host(&mut self, host: &str, row: HostRow) -> Result<()> {
        self.execute(
            "INSERT OR REPLACE INTO host (host, last_request_at, not_before_at)
             VALUES (?1, ?2, ?3)",
            params![host, row.last_request_at, row.not_before_at],
        )
    }

    /// Stores the time at which names were requested from the site of a source.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn set_names_asked_at(&mut self, source_id: SourceId, at: UnixSeconds) -> Result<()> {
        self.execute(
            "UPDATE source SET names_asked_at = ?2 WHERE source_id = ?1",
            params![source_id, at.get()],
        )
    }

    /// Marks all documents as unread for names: they may name competitors of new results.
    pub(crate) fn reset_named_through(&self, source_id: SourceId) -> Result<()> {
        // Much cheaper than an update of nothing, whose triggers need a table.
        let is_set: bool = self.query_value(
            "SELECT EXISTS (SELECT 1 FROM source
                 WHERE source_id = ?1 AND named_through IS NOT NULL)",
            [source_id],
        )?;
        if !is_set {
            return Ok(());
        }
        self.execute("UPDATE source SET named_through = NULL WHERE source_id = ?1", [source_id])
    }

    /// Stores the newest document that names were read from.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn set_named_through(&mut self, source_id: SourceId, through: DocumentId) -> Result<()> {
        self.execute(
            "UPDATE source SET named_through = ?2 WHERE source_id = ?1",
            params![source_id, through],
        )
    }

    /// Stores the sync state of a contest.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn upsert_contest_sync(&mut self, source_id: SourceId, sync: &ContestSync) -> Result<()> {
        let completeness = sync.completeness.as_ref();
        self.execute(
            "INSERT OR REPLACE INTO contest_sync
                 (source_id, external_id, outcome, tried_at, read_at, due_at, reason,
                  items, announced, arrived, most_arrived, fruitless_syncs)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            params![
                source_id,
                sync.external_id,
                sync.outcome,
                sync.tried_at,
                sync.read_at,
                sync.due_at,
                sync.reason,
                completeness.map(|counts| &counts.items),
                completeness.map(|counts| counts.announced),
                completeness.map(|counts| counts.arrived),
                completeness.map(|counts| counts.most_arrived),
                completeness.map(|counts| counts.fruitless_syncs),
            ],
        )
    }

    /// Inserts or updates a listed contest without results. Leaves a contest with results
    /// unchanged. Returns true if anything was written.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn upsert_listed_contest(
        &mut self,
        source_id: SourceId,
        document_id: DocumentId,
        contest: &ListedContest<'_>,
        state: ContestState,
    ) -> Result<bool> {
        let known_id = self.contest_id_in_source(source_id, contest.external_id)?;
        if known_id.is_none() {
            self.insert_listed_contest(source_id, document_id, contest, state)?;
            return Ok(true);
        }
        // Writes nothing if nothing changed, so that a repeated sync is no change.
        Ok(self.execute_counting(
            "UPDATE contest SET name = ?3, event = ?4, division = ?5, ordinal = ?6, url = ?7,
                 starts_at = ?8, ends_at = ?9, state = ?10, document_id = ?11
             WHERE source_id = ?1 AND external_id = ?2 AND content_hash IS NULL
                 AND NOT (name IS ?3 AND event IS ?4
                 AND division IS ?5 AND ordinal IS ?6 AND url IS ?7 AND starts_at IS ?8
                 AND ends_at IS ?9 AND state IS ?10 AND document_id IS NOT NULL)",
            params![
                source_id,
                contest.external_id,
                contest.name,
                contest.event,
                contest.division,
                contest.ordinal,
                contest.url,
                contest.starts_at.map(UnixSeconds::get),
                contest.ends_at.map(UnixSeconds::get),
                state,
                document_id,
            ],
        )? > 0)
    }

    fn insert_listed_contest(
        &self,
        source_id: SourceId,
        document_id: DocumentId,
        contest: &ListedContest<'_>,
        state: ContestState,
    ) -> Result<()> {
        let row = ContestInsert {
            contest_id: ValueRef::Integer(self.next_contest_id()?),
            source_id: ValueRef::Integer(source_id.get()),
            external_id: ValueRef::from(contest.external_id),
            name: ValueRef::from(contest.name),
            event: optional_text(contest.event),
            division: optional_text(contest.division),
            ordinal: optional_integer(contest.ordinal),
            url: optional_text(contest.url),
            starts_at: optional_integer(contest.starts_at.map(UnixSeconds::get)),
            ends_at: optional_integer(contest.ends_at.map(UnixSeconds::get)),
            state: ValueRef::from(state.as_str()),
            rated: ValueRef::Integer(0),
            weight: ValueRef::Real(1.0),
            site_weight: ValueRef::Null,
            performance_ceiling: ValueRef::Null,
            entrants: ValueRef::Integer(0),
            revision: ValueRef::Integer(1),
            content_hash: ValueRef::Null,
            document_id: ValueRef::Integer(document_id.get()),
            withdrawn_at: ValueRef::Null,
        };
        self.insert_contest_rows(source_id, &[row])
    }

    /// Sets the state of a contest, such as withdrawn by its source, or final. Its results stay.
    /// Returns true if the state changed.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn set_contest_state(
        &mut self,
        contest_id: ContestId,
        state: ContestState,
    ) -> Result<bool> {
        Ok(self.execute_counting(
            "UPDATE contest SET state = ?2 WHERE contest_id = ?1 AND state <> ?2",
            params![contest_id, state],
        )? > 0)
    }

    /// Returns the id of the contest with this external id.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn contest_id_in_source(
        &self,
        source_id: SourceId,
        external_id: &str,
    ) -> Result<Option<ContestId>> {
        self.query_row(
            "SELECT contest_id FROM contest WHERE source_id = ?1 AND external_id = ?2",
            params![source_id, external_id],
            |row| row.get(0),
        )
    }
}
