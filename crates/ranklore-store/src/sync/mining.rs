//! State of syncs between runs: pacing of hosts, sync state of each contest, and listed contests
//! without results.

use std::collections::HashSet;

use ranklore_contest::{UnixSeconds, word_enum};
use rusqlite::params;
use serde::Serialize;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::{insert, queries, row, statements, update, word_column};
use crate::file::open::Store;
use crate::ids::{ContestId, DocumentId, SourceId};
use crate::results::contest_state::ContestState;
use crate::results::contests::ContestInsert;
use crate::sync::completeness::Completeness;

row! {
    /// Pacing state of a host.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
    pub struct HostRow selects HOST_COLUMNS {
        /// Start of the last request, in Unix seconds, rounded up.
        pub last_request_at: Option<i64>,
        /// Earliest time of the next request, in Unix seconds.
        pub not_before_at: Option<i64>,
    }
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

row! {
    /// Sync state of a contest, or of a request that belongs to no contest.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct ContestSync selects SYNC_COLUMNS {
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
        pub completeness: Option<Completeness> =
            "items, announced, arrived, most_arrived, fruitless_syncs",
    }
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

queries! {
    /// Returns all hosts ever requested, ordered by name.
    pub fn hosts() -> Vec<(String, HostRow)> =
        format!("SELECT host, {HOST_COLUMNS} FROM host ORDER BY host");

    /// Returns the total size of the archived documents of a source, compressed.
    pub fn archived_bytes(source_id: SourceId) -> u64 =
        "SELECT coalesce(sum(length(body)), 0) FROM document WHERE source_id = ?1";

    /// Returns the time of the newest answer of the site of a source, also if it brought nothing new;
    /// none if the source was never synced with a site.
    pub fn last_answer_at(source_id: SourceId) -> Option<i64> =
        "SELECT max(fetched_at) FROM document WHERE source_id = ?1 AND url LIKE 'http%'";

    /// Returns the sync state of a contest; none if it was never requested.
    pub fn contest_sync(source_id: SourceId, external_id: &str) -> Option<ContestSync> =
        format!("SELECT {SYNC_COLUMNS} FROM contest_sync
                 WHERE source_id = ?1 AND external_id = ?2");

    /// Returns the time at which names were last requested from the site, in Unix seconds.
    pub fn names_asked_at(source_id: SourceId) -> Option<i64> =
        "SELECT names_asked_at FROM source WHERE source_id = ?1";

    /// Returns the newest document that names were read from.
    pub fn named_through(source_id: SourceId) -> Option<DocumentId> =
        "SELECT named_through FROM source WHERE source_id = ?1";

    /// Returns the contests of a source that were read from a response of a site, not from an
    /// imported file.
    pub fn mined_contests(source_id: SourceId) -> HashSet<String> =
        "SELECT external_id FROM contest JOIN document USING (document_id)
         WHERE contest.source_id = ?1 AND document.status IS NOT NULL";

    /// Returns the sync states of a source, ordered by external id.
    pub fn contest_syncs(source_id: SourceId) -> Vec<ContestSync> =
        format!("SELECT {SYNC_COLUMNS} FROM contest_sync WHERE source_id = ?1
                 ORDER BY external_id");

    /// Returns the id of the contest with this external id.
    pub fn contest_id_in_source(source_id: SourceId, external_id: &str) -> Option<ContestId> =
        "SELECT contest_id FROM contest WHERE source_id = ?1 AND external_id = ?2";
}

impl Store {
    /// Returns the pacing state of a host; the default if it was never requested.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn host(&self, host: &str) -> Result<HostRow> {
        let sql = format!("SELECT {HOST_COLUMNS} FROM host WHERE host = ?1");
        let rows: Vec<HostRow> = self.query(&sql, [host])?;
        Ok(rows.into_iter().next().unwrap_or_default())
    }
}

statements! {
    /// Stores the newest document that names were read from.
    pub fn set_named_through(source_id: SourceId, through: DocumentId) =
        "UPDATE source SET named_through = ?2 WHERE source_id = ?1";

    /// Stores the time at which names were requested from the site of a source.
    pub fn set_names_asked_at(source_id: SourceId, at: UnixSeconds) =
        "UPDATE source SET names_asked_at = ?2 WHERE source_id = ?1", [source_id, at.get()];
}

impl WriteBatch<'_> {
    /// Stores the pacing state of a host.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn upsert_host(&mut self, host: &str, row: HostRow) -> Result<()> {
        insert!(self.execute, "INSERT OR REPLACE INTO host" {
            host: host, last_request_at: row.last_request_at, not_before_at: row.not_before_at,
        })
    }

    /// Marks all documents as unread for names: they may name competitors of new results.
    pub(crate) fn reset_named_through(&self, source_id: SourceId) -> Result<()> {
        // Much cheaper than an update of nothing, whose triggers need a table.
        let is_set: bool = self.query(
            "SELECT EXISTS (SELECT 1 FROM source
                 WHERE source_id = ?1 AND named_through IS NOT NULL)",
            [source_id],
        )?;
        if !is_set {
            return Ok(());
        }
        self.execute("UPDATE source SET named_through = NULL WHERE source_id = ?1", [source_id])
    }

    /// Stores the sync state of a contest.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn upsert_contest_sync(&mut self, source_id: SourceId, sync: &ContestSync) -> Result<()> {
        let completeness = sync.completeness.as_ref();
        insert!(self.execute, "INSERT OR REPLACE INTO contest_sync" {
            source_id: source_id, external_id: sync.external_id, outcome: sync.outcome,
            tried_at: sync.tried_at, read_at: sync.read_at, due_at: sync.due_at,
            reason: sync.reason,
            items: completeness.map(|counts| &counts.items),
            announced: completeness.map(|counts| counts.announced),
            arrived: completeness.map(|counts| counts.arrived),
            most_arrived: completeness.map(|counts| counts.most_arrived),
            fruitless_syncs: completeness.map(|counts| counts.fruitless_syncs),
        })
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
        let changed = update!(self.execute_counting, "contest" {
            name: contest.name, event: contest.event, division: contest.division,
            ordinal: contest.ordinal, url: contest.url,
            starts_at: contest.starts_at.map(UnixSeconds::get),
            ends_at: contest.ends_at.map(UnixSeconds::get), state: state, document_id: document_id,
        } "source_id = ?10 AND external_id = ?11 AND content_hash IS NULL
             AND NOT (name IS ?1 AND event IS ?2 AND division IS ?3 AND ordinal IS ?4 AND url IS ?5
             AND starts_at IS ?6 AND ends_at IS ?7 AND state IS ?8 AND document_id IS NOT NULL)",
            source_id, contest.external_id)?;
        Ok(changed > 0)
    }

    fn insert_listed_contest(
        &self,
        source_id: SourceId,
        document_id: DocumentId,
        contest: &ListedContest<'_>,
        state: ContestState,
    ) -> Result<()> {
        let row = ContestInsert {
            contest_id: ContestId::new(self.next_contest_id()?),
            source_id,
            external_id: contest.external_id,
            name: contest.name,
            event: contest.event,
            division: contest.division,
            ordinal: contest.ordinal,
            url: contest.url,
            starts_at: contest.starts_at.map(UnixSeconds::get),
            ends_at: contest.ends_at.map(UnixSeconds::get),
            state,
            rated: false,
            weight: 1.0,
            site_weight: None,
            performance_ceiling: None,
            entrants: 0,
            revision: 1,
            content_hash: None,
            document_id,
            withdrawn_at: None,
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
}
