//! The exception of the package.

use std::fmt;

use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(ranklore, Error, PyValueError);

/// An input that is refused, or a computation that fails.
#[derive(Debug, Default)]
pub(crate) struct Failure {
    /// The message: what failed, on what, what to do.
    message: String,
    /// The row of the table, from 0.
    row: Option<usize>,
    /// The column of the table.
    column: Option<String>,
    /// The contest.
    contest: Option<String>,
    /// True if the user interrupted the computation.
    is_interruption: bool,
}

impl Failure {
    /// Creates a failure with this message.
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string(),
            ..Self::default()
        }
    }

    /// Adds the row and the column to the failure.
    pub(crate) fn at(mut self, row: usize, column: &str) -> Self {
        self.row = Some(row);
        self.column = Some(column.to_owned());
        self
    }

    /// Adds the contest to the failure.
    pub(crate) fn in_contest(mut self, contest: &str) -> Self {
        self.contest = Some(contest.to_owned());
        self
    }

    /// Creates the failure of an interrupted computation.
    pub(crate) fn interruption() -> Self {
        Self {
            is_interruption: true,
            ..Self::default()
        }
    }
}

impl From<ranklore_replay::Error> for Failure {
    fn from(error: ranklore_replay::Error) -> Self {
        match error {
            ranklore_replay::Error::Interrupted => Self::interruption(),
            error => Self::new(error),
        }
    }
}

impl From<ranklore_store::Error> for Failure {
    fn from(error: ranklore_store::Error) -> Self {
        match error {
            ranklore_store::Error::Missing { path } => Self::new(format!(
                "there is no database {}; the command creates it: ranklore import",
                path.display()
            )),
            error => Self::new(error),
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        if failure.is_interruption {
            return PyKeyboardInterrupt::new_err(());
        }
        Python::attach(|py| {
            let error = Error::new_err(failure.message);
            let value = error.value(py);
            let attributes = value
                .setattr("row", failure.row)
                .and_then(|()| value.setattr("column", failure.column))
                .and_then(|()| value.setattr("contest", failure.contest));
            attributes.map_or_else(|unset| unset, |()| error)
        })
    }
}
