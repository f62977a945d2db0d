//! Which people are not to be shown by name, and what their pseudonyms are made with.

use std::collections::HashMap;

use crate::error::Result;
use crate::file::batch::Batch;
use crate::file::open::Store;
use crate::ids::SourceId;

impl Store {
    /// The sources whose people are shown by pseudonyms, each with the random key that these are
    /// made with: the same as long as the file is kept.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn pseudonym_keys(&self) -> Result<HashMap<SourceId, [u8; 32]>> {
        self.rows(
            "SELECT source_id, name_key FROM source WHERE pseudonyms = 1",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }
}

impl Batch<'_> {
    /// From now on people of a source are shown by pseudonyms: results of it are from
    /// a site whose people are not shown by name.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn need_pseudonyms(&mut self, source_id: SourceId) -> Result<()> {
        self.need_name_key(source_id)?;
        self.execute(
            "UPDATE source SET pseudonyms = 1 WHERE source_id = ?1 AND pseudonyms = 0",
            [source_id],
        )
        .map(drop)
    }
}
