//! Settings of a source that the user changes.

use rusqlite::params;
use serde::Serialize;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::read_row;
use crate::file::open::Store;
use crate::ids::SourceId;

/// Settings of a source; `None` where the default counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SourceSettings {
    /// The name of the system that rates and shows the source by default.
    pub default_system: Option<String>,
    /// A rating of fewer contests is provisional.
    pub provisional_contests: Option<i64>,
    /// A rating with a larger sigma is provisional.
    pub provisional_sigma: Option<f64>,
}

impl Store {
    /// Returns the settings of a source; the defaults if there is no such source.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn source_settings(&self, source_id: SourceId) -> Result<SourceSettings> {
        let settings = self.query_row(
            "SELECT default_system, provisional_contests, provisional_sigma
             FROM source WHERE source_id = ?1",
            [source_id],
            |row| {
                read_row!(row => SourceSettings {
                    default_system, provisional_contests, provisional_sigma,
                })
            },
        )?;
        Ok(settings.unwrap_or_default())
    }
}

impl WriteBatch<'_> {
    /// Replaces the settings of a source.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn set_source_settings(
        &mut self,
        source_id: SourceId,
        settings: &SourceSettings,
    ) -> Result<()> {
        self.execute(
            "UPDATE source SET default_system = ?2, provisional_contests = ?3,
                 provisional_sigma = ?4 WHERE source_id = ?1",
            params![
                source_id,
                settings.default_system,
                settings.provisional_contests,
                settings.provisional_sigma,
            ],
        )
    }
}
