//! Write batches: transactions that become visible as a whole.

use std::cell::RefMut;
use std::collections::hash_map::Entry;
use std::ops::Deref;

use ranklore_contest::{EntrantKind, SourceName, StartingRating, UnixSeconds};
use rusqlite::params;

use crate::error::Result;
use crate::file::columns::FromRow;
use crate::file::failpoint::failpoint;
use crate::file::open::{Caches, CompetitorCache, Store, Writer};
use crate::file::row_hash::{TableRow, table_row};
use crate::file::schema::STANDING_BY_COMPETITOR;
use crate::file::table_hash::TableHashChanges;
use crate::ids::{CompetitorId, DocumentId, SourceId};

/// A transaction of a [`Writer`]. Reads through it see its own writes.
///
/// Dropping it without [`WriteBatch::commit`] rolls back, as does the death of the process.
#[derive(Debug)]
pub struct WriteBatch<'w> {
    writer: &'w Writer,
    index_state: IndexState,
    committed: bool,
}

/// State of the index `standing_by_competitor` during the batch. If `standing` is empty, the index
/// is dropped before standings are inserted and rebuilt at the end, which is faster and packs it.
/// Both are part of the transaction: no reader ever sees the table without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IndexState {
    Unchecked,
    Present,
    Dropped,
}

impl Writer {
    /// Begins a transaction: [`WriteBatch::commit`] makes all its writes visible at once.
    ///
    /// # Errors
    /// [`Error::InUse`](crate::Error::InUse) if another program than Ranklore writes to the file.
    pub fn batch(&mut self) -> Result<WriteBatch<'_>> {
        self.execute_batch("BEGIN IMMEDIATE")?;
        self.table_hashes.reset();
        failpoint("batch: begun");
        Ok(WriteBatch {
            writer: self,
            index_state: IndexState::Unchecked,
            committed: false,
        })
    }
}

impl WriteBatch<'_> {
    /// Commits the batch: makes all its writes visible at once.
    ///
    /// # Errors
    /// [`crate::Error::DiskFull`] and others; nothing is written then.
    pub fn commit(mut self) -> Result<()> {
        self.restore_standings_index()?;
        self.with_connection(|connection| {
            self.table_hashes().store(connection)?;
            failpoint("commit: before");
            connection.execute_batch("COMMIT")
        })?;
        self.committed = true;
        self.writer.committed.set(true);
        failpoint("commit: after");
        Ok(())
    }

    /// Returns the id of the source with this name; inserts it if it is missing. A removed source
    /// keeps its tombstones, and is in use again.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn get_or_insert_source(
        &mut self,
        name: &SourceName,
        now: UnixSeconds,
    ) -> Result<SourceId> {
        if let Some(source_id) = self.source_id(name)? {
            return Ok(source_id);
        }
        let removed = self.query(
            "UPDATE source SET removed_at = NULL, created_at = ?2 WHERE name = ?1
             RETURNING source_id",
            params![name.as_str(), now.get()],
        )?;
        if let Some(source_id) = removed {
            return Ok(source_id);
        }
        self.insert(
            "INSERT INTO source (name, created_at) VALUES (?1, ?2)",
            params![name.as_str(), now.get()],
        )
        .map(SourceId::new)
    }

    /// Returns the id of a competitor; inserts it, named by its external id, if it is missing.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn get_or_insert_competitor(
        &mut self,
        source_id: SourceId,
        kind: EntrantKind,
        external_id: &str,
    ) -> Result<CompetitorId> {
        let mut caches = self.caches();
        let cache = self.cached_competitors(&mut caches, source_id)?;
        self.get_or_insert_cached(source_id, cache, kind, external_id)
    }

    /// Returns the ids of several competitors, in the given order; inserts missing ones.
    pub(crate) fn get_or_insert_competitors<'a>(
        &self,
        source_id: SourceId,
        entrants: impl Iterator<Item = (EntrantKind, &'a str)>,
    ) -> Result<Vec<CompetitorId>> {
        let mut caches = self.caches();
        let cache = self.cached_competitors(&mut caches, source_id)?;
        entrants
            .map(|(kind, external_id)| {
                self.get_or_insert_cached(source_id, cache, kind, external_id)
            })
            .collect()
    }

    fn get_or_insert_cached(
        &self,
        source_id: SourceId,
        cache: &mut CompetitorCache,
        kind: EntrantKind,
        external_id: &str,
    ) -> Result<CompetitorId> {
        let ids = &mut cache[kind as usize];
        if let Some(&competitor_id) = ids.get(external_id) {
            return Ok(competitor_id);
        }
        let kind = kind.as_str();
        let row = params![source_id, external_id, kind];
        let competitor_id = CompetitorId::new(self.insert(INSERT_COMPETITOR, row)?);
        self.add_inserted(&InsertedCompetitor {
            competitor_id,
            source_id,
            external_id,
            kind,
            name: external_id,
            start_mu: None,
            start_sigma: None,
            start_document_id: None,
            merged_into: None,
        })?;
        ids.insert(external_id.into(), competitor_id);
        Ok(competitor_id)
    }

    /// Returns the ids of the competitors with these external ids, in the given order; `None` for
    /// an unknown id.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn competitor_ids<'a>(
        &self,
        source_id: SourceId,
        kind: EntrantKind,
        external_ids: impl Iterator<Item = &'a str>,
    ) -> Result<Vec<Option<CompetitorId>>> {
        let mut caches = self.caches();
        let known_ids = &self.cached_competitors(&mut caches, source_id)?[kind as usize];
        Ok(external_ids.map(|id| known_ids.get(id).copied()).collect())
    }

    fn cached_competitors<'c>(
        &self,
        caches: &'c mut Caches,
        source_id: SourceId,
    ) -> Result<&'c mut CompetitorCache> {
        Ok(match caches.competitors.entry(source_id) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(self.load_competitor_cache(source_id)?),
        })
    }

    fn load_competitor_cache(&self, source_id: SourceId) -> Result<CompetitorCache> {
        let mut cache = CompetitorCache::default();
        let sql = "SELECT kind, external_id, competitor_id FROM competitor WHERE source_id = ?1";
        self.for_each_row(sql, [source_id], |row| {
            let ids = &mut cache[EntrantKind::from_row(row, 0)? as usize];
            ids.insert(row.get_ref(1)?.as_str()?.into(), row.get(2)?);
            Ok(())
        })?;
        Ok(cache)
    }

    /// Sets the starting rating of a competitor, as a document states it. The newest document wins,
    /// in any order of calls. Returns true if the rating changed.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn set_starting_rating(
        &mut self,
        source_id: SourceId,
        document_id: DocumentId,
        kind: EntrantKind,
        competitor: &str,
        rating: StartingRating,
    ) -> Result<bool> {
        let competitor_id = self.get_or_insert_competitor(source_id, kind, competitor)?;
        let StartingRating { mu, sigma } = rating;
        let before: Option<(bool, Option<DocumentId>)> = self.query(
            "SELECT start_mu IS ?2 AND start_sigma IS ?3, start_document_id
             FROM competitor WHERE competitor_id = ?1",
            params![competitor_id, mu, sigma],
        )?;
        let (is_same, start_document) = before.unwrap_or_default();
        if start_document == Some(document_id) && is_same
            || self.is_older(document_id, start_document)?
        {
            return Ok(false);
        }
        self.execute(
            "UPDATE competitor SET start_mu = ?2, start_sigma = ?3, start_document_id = ?4
             WHERE competitor_id = ?1",
            params![competitor_id, mu, sigma, document_id],
        )?;
        Ok(!is_same)
    }

    /// Drops the index of `standing` if the table is empty. Called before standings are inserted.
    pub(crate) fn defer_standings_index(&mut self) -> Result<()> {
        if self.index_state != IndexState::Unchecked {
            return Ok(());
        }
        self.index_state = IndexState::Present;
        let has_standings: bool = self.query("SELECT EXISTS (SELECT 1 FROM standing)", [])?;
        if !has_standings {
            self.execute_batch("DROP INDEX standing_by_competitor")?;
            self.index_state = IndexState::Dropped;
        }
        Ok(())
    }

    /// Rebuilds the index of `standing` if it was dropped: at the end, or before a lookup by
    /// competitor.
    pub(crate) fn restore_standings_index(&mut self) -> Result<()> {
        if self.index_state == IndexState::Dropped {
            self.execute_batch(STANDING_BY_COMPETITOR)?;
            self.index_state = IndexState::Present;
        }
        Ok(())
    }

    /// True if a competitor has a standing of its own.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn has_standing(&mut self, competitor: CompetitorId) -> Result<bool> {
        self.restore_standings_index()?;
        Store::has_standing(self, competitor)
    }

    /// Adds an inserted row to the hash of its table, where no trigger does.
    pub(crate) fn add_inserted<T: TableRow>(&self, row: &T) -> Result<()> {
        self.with_connection(|_| self.table_hashes().add_inserted(row))
    }

    pub(crate) const fn table_hashes(&self) -> &TableHashChanges {
        &self.writer.table_hashes
    }

    /// Stores the hash of a table as its rows are now: they were all written anew.
    pub(crate) fn restate_table_hash(&self, table: &str) -> Result<()> {
        self.with_connection(|connection| self.table_hashes().restate(connection, table))
    }

    pub(crate) fn caches(&self) -> RefMut<'_, Caches> {
        self.writer.caches.borrow_mut()
    }

    /// Empties the caches after a change of the rows that they cover.
    pub(crate) fn clear_caches(&self) {
        *self.caches() = Caches::default();
    }
}

table_row! {
    /// A row of `competitor` as [`INSERT_COMPETITOR`] inserts it.
    struct InsertedCompetitor<'c> in "competitor" {
        competitor_id: CompetitorId,
        source_id: SourceId,
        external_id: &'c str,
        kind: &'c str,
        name: &'c str,
        start_mu: Option<f64>,
        start_sigma: Option<f64>,
        start_document_id: Option<DocumentId>,
        merged_into: Option<CompetitorId>,
    }
}

const INSERT_COMPETITOR: &str = "INSERT INTO competitor (source_id, external_id, kind, name)
     VALUES (?1, ?2, ?3, ?2)";

impl Deref for WriteBatch<'_> {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.writer.store
    }
}

impl Drop for WriteBatch<'_> {
    fn drop(&mut self) {
        if !self.committed {
            // Fails only if SQLite has already rolled back.
            let _ = self.connection.execute_batch("ROLLBACK");
            self.clear_caches();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::error::Error;
    use crate::file::open::Store;
    use crate::file::row_hash::assert_columns_of_table;

    #[test]
    fn inserted_competitor_has_the_columns_of_the_table() {
        assert_columns_of_table::<super::InsertedCompetitor<'_>>(&[]);
    }

    #[test]
    fn reapplied_decisions_find_standings_indexed() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Store::open_writer(folder.path().join("a.sqlite"), "a test").unwrap();
        let mut batch = writer.batch().unwrap();
        let name = ranklore_contest::SourceName::new("club").unwrap();
        let club = batch.get_or_insert_source(&name, ranklore_contest::UnixSeconds::MIN).unwrap();
        let is_indexed = |batch: &super::WriteBatch<'_>| {
            let sql = "SELECT count(*) FROM sqlite_schema WHERE name = 'standing_by_competitor'";
            let count = |row: &rusqlite::Row<'_>| row.get::<_, u32>(0);
            let index_count =
                batch.with_connection(|connection| connection.query_row(sql, [], count));
            index_count.unwrap() == 1
        };
        batch.defer_standings_index().unwrap();
        assert!(!is_indexed(&batch));
        batch.reapply_decisions(club).unwrap();
        assert!(is_indexed(&batch));
        batch.commit().unwrap();
    }

    #[test]
    fn full_disk_errors_and_leaves_file_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Store::open_writer(folder.path().join("a.sqlite"), "a test").unwrap();
        let before = writer.content_hash().unwrap();
        // SQLite's limit on pages stands in for a full disk.
        let limit = "PRAGMA max_page_count = 60";
        let limited = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        let pages = writer.with_connection(|connection| connection.query_row(limit, [], limited));
        assert_eq!(pages.unwrap(), 60);
        let mut batch = writer.batch().unwrap();
        let name = ranklore_contest::SourceName::new("club").unwrap();
        let now = ranklore_contest::UnixSeconds::MIN;
        let club = batch.get_or_insert_source(&name, now).unwrap();
        let error = (0..100_000)
            .find_map(|i| {
                let name = format!("player number {i}");
                batch.get_or_insert_competitor(club, super::EntrantKind::Person, &name).err()
            })
            .unwrap();
        assert!(matches!(error, Error::DiskFull { .. }), "{error:?}");
        drop(batch);
        assert_eq!(writer.content_hash().unwrap(), before);
        assert_eq!(writer.check().unwrap(), []);
    }
}
