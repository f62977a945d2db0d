//! The hash of the state of a database: it tells whether anything has changed.

use crate::error::Result;
use crate::file::open::Store;

impl Store {
    /// Returns a hash that changes with every commit that changes a row, of any table. Unlike
    /// [`Self::content_hash`] it reads a few rows only, and depends on ids, times and history.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn state_hash(&self) -> Result<[u8; 32]> {
        let mut hasher = blake3::Hasher::new();
        // Rows without a sum of their own have hashes in rows that have one.
        let sql = "SELECT name, hash FROM table_hash ORDER BY name";
        self.for_each_row(sql, [], |row| {
            let (name, hash): (String, i64) = (row.get(0)?, row.get(1)?);
            hasher.update(&(name.len() as u64).to_le_bytes());
            hasher.update(name.as_bytes());
            hasher.update(&hash.to_le_bytes());
            Ok(())
        })?;
        Ok(*hasher.finalize().as_bytes())
    }

    /// Returns hashes that change with every commit that changes a contest, its result or a
    /// competitor, but not with ratings and syncs that bring nothing.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn result_hashes(&self) -> Result<Vec<i64>> {
        // A changed result changes the row of its contest.
        let sql =
            "SELECT hash FROM table_hash WHERE name IN ('competitor', 'contest') ORDER BY name";
        self.query_rows(sql, [], |row| row.get(0))
    }
}
