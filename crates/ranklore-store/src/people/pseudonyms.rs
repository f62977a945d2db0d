//! Sources whose people are shown under pseudonyms, and the keys for these.

use std::collections::HashMap;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::queries;
use crate::ids::SourceId;

queries! {
    /// Returns the sources whose people are shown under pseudonyms, each with its random key. The
    /// key never changes.
    pub fn pseudonym_keys() -> HashMap<SourceId, [u8; 32]> =
        "SELECT source_id, name_key FROM source WHERE pseudonyms = 1";
}

impl WriteBatch<'_> {
    /// Shows the people of a source under pseudonyms from now on: its results come from a site
    /// whose terms require that.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn require_pseudonyms(&mut self, source_id: SourceId) -> Result<()> {
        self.ensure_name_key(source_id)?;
        self.execute(
            "UPDATE source SET pseudonyms = 1 WHERE source_id = ?1 AND pseudonyms = 0",
            [source_id],
        )
    }
}
