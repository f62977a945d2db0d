//! What is on its way into a dataset, piece by piece.

use std::sync::Arc;

use crate::batch::Batch;
use crate::error::Error;

/// Which part of a table rows are in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Of which source; of all that is no source's, none.
    pub(crate) source: Option<Arc<str>>,
    /// In which year, in UTC, the results stood, where that matters.
    pub(crate) year: Option<i16>,
}

impl Part {
    pub(crate) const WHOLE: Self = Self {
        source: None,
        year: None,
    };
}

/// Something on its way into a dataset.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// Rows of one part of a table, which follow on those of it that came before.
    Rows(Part, Batch),
    /// A contest as a file in the form of Elo-MMR, of this source.
    File(Arc<str>, String),
}

/// What takes the pieces, on whichever thread they are made.
pub(crate) type Emit<'e> = &'e mut (dyn FnMut(Piece) -> Result<(), Error> + Send);
