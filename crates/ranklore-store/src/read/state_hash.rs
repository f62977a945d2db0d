//! The hash of the state of a database: it tells whether anything has changed.

use crate::error::Result;
use crate::file::columns::queries;
use crate::file::open::Store;

queries! {
    /// Returns hashes that change with every commit that changes a contest, its result or a
    /// competitor, but not with ratings and syncs that bring nothing.
    // A changed result changes the row of its contest.
    pub fn result_hashes() -> Vec<i64> =
        "SELECT hash FROM table_hash WHERE name IN ('competitor', 'contest') ORDER BY name";
}

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
        self.for_each(sql, [], |(name, hash): (String, i64)| {
            hasher.update(&(name.len() as u64).to_le_bytes());
            hasher.update(name.as_bytes());
            hasher.update(&hash.to_le_bytes());
        })?;
        Ok(*hasher.finalize().as_bytes())
    }
}
