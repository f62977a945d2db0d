//! Output items of the scan.

use std::sync::Arc;

use crate::batch::RowBatch;
use crate::error::Error;

/// The partition of a table that rows belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Partition {
    /// The source; `None` for tables without one.
    pub(crate) source: Option<Arc<str>>,
    /// The year of the results in UTC, if partitioned by year.
    pub(crate) year: Option<i16>,
}

impl Partition {
    pub(crate) const WHOLE: Self = Self {
        source: None,
        year: None,
    };
}

/// An item for the writers.
#[derive(Clone, Debug)]
pub(crate) enum OutputItem {
    /// Rows of a partition that follow the previous ones.
    Rows(Partition, RowBatch),
    /// A contest file in the format of Elo-MMR, with its source.
    File(Arc<str>, String),
}

/// The callback that takes the items, on any thread.
pub(crate) type Emit<'e> = &'e mut (dyn FnMut(OutputItem) -> Result<(), Error> + Send);
