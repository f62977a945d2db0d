//! Settings of a source that the user changes.

use serde::Serialize;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::{row, update};
use crate::file::open::Store;
use crate::ids::SourceId;

row! {
    /// Settings of a source; `None` where the default counts.
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    pub struct SourceSettings selects SETTING_COLUMNS {
        /// The name of the system that rates and shows the source by default.
        pub default_system: Option<String>,
        /// A rating of fewer contests is provisional.
        pub provisional_contests: Option<i64>,
        /// A rating with a larger sigma is provisional.
        pub provisional_sigma: Option<f64>,
    }
}

impl Store {
    /// Returns the settings of a source; the defaults if there is no such source.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn source_settings(&self, source_id: SourceId) -> Result<SourceSettings> {
        let sql = format!("SELECT {SETTING_COLUMNS} FROM source WHERE source_id = ?1");
        let settings: Vec<SourceSettings> = self.query(&sql, [source_id])?;
        Ok(settings.into_iter().next().unwrap_or_default())
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
        update!(self.execute, "source" {
            default_system: settings.default_system,
            provisional_contests: settings.provisional_contests,
            provisional_sigma: settings.provisional_sigma,
        } "source_id = ?", source_id)
    }
}
