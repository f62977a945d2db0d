//! Selection of the published data.

use ranklore_contest::{ContestTime, SourceName};
use ranklore_store::RunRow;

use crate::scan::naming::ExportNaming;

/// The data to publish.
#[derive(Clone, Debug)]
pub struct ExportSelection {
    /// The sources with the naming of their competitors.
    pub sources: Vec<(SourceName, ExportNaming)>,
    /// The earliest time of a result.
    pub since: Option<ContestTime>,
    /// The runs whose ratings are published.
    pub runs: Vec<RunRow>,
    /// True to partition by year as well as by source.
    pub by_year: bool,
}
