//! What of a file is published.

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_store::RunRow;

use crate::scan::naming::Naming;

/// What to publish.
#[derive(Clone, Debug)]
pub struct Selection {
    /// These sources, each with what its competitors are called.
    pub sources: Vec<(SourceName, Naming)>,
    /// Contests whose result stood at this time or later.
    pub since: Option<UnixSeconds>,
    /// The ratings of these runs.
    pub runs: Vec<RunRow>,
    /// A part for every year, and not only for every source.
    pub by_year: bool,
}
