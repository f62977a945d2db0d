//! The columns of a table, as the caller names them.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::Failure;
use crate::results::{Results, games, long};
use crate::table::{Column, Table};

/// A column that a table may have.
#[derive(Clone, Debug)]
pub(crate) enum ColumnChoice {
    /// The column with the name that datasets have, if the table has it: None.
    Default,
    /// No column: False.
    Off,
    /// The column with this name.
    Named(String),
}

impl<'py> FromPyObject<'_, 'py> for ColumnChoice {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if value.is_none() {
            return Ok(Self::Default);
        }
        if let Ok(flag) = value.extract::<bool>() {
            return if flag {
                Err(PyTypeError::new_err("a column is a name, None or False, not True"))
            } else {
                Ok(Self::Off)
            };
        }
        Ok(Self::Named(value.extract()?))
    }
}

impl ColumnChoice {
    /// Returns the column, and adds it to those that were read. `default` is its name in datasets.
    pub(crate) fn find<'t>(
        &self,
        table: &'t Table,
        default: &'static str,
        read: &mut Vec<(&'static str, String)>,
    ) -> Result<Option<&'t Column>, Failure> {
        let column = match self {
            Self::Off => None,
            Self::Default => table.find(default)?,
            Self::Named(name) => Some(table.column(name)?),
        };
        read.extend(column.map(|column| (default, column.name.clone())));
        Ok(column)
    }
}

/// Columns with times that are read only if they are named.
pub(crate) const UNREAD_TIMES: &[&str] = &["date", "day", "time"];

impl ColumnChoice {
    /// Errors if the caller named no column, the table has none of the default name, and one of these
    /// can be meant.
    pub(crate) fn check_unread(
        &self,
        table: &Table,
        default: &str,
        others: &[&str],
    ) -> Result<(), Failure> {
        if !matches!(self, Self::Default) || table.find(default)?.is_some() {
            return Ok(());
        }
        for other in others {
            if table.find(other)?.is_some() {
                let message = format!(
                    "the table has a column \"{other}\", which is not read: pass time=\"{other}\", \
                     or time=False for the order of the rows"
                );
                return Err(Failure::new(message));
            }
        }
        Ok(())
    }
}

/// The columns of a table of results.
#[derive(Clone, Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ResultColumns {
    pub(crate) contest: String,
    pub(crate) competitor: String,
    pub(crate) place: String,
    pub(crate) time: ColumnChoice,
    pub(crate) team: ColumnChoice,
    pub(crate) status: ColumnChoice,
    pub(crate) weight: ColumnChoice,
    pub(crate) event: ColumnChoice,
    pub(crate) ordinal: ColumnChoice,
    pub(crate) side: ColumnChoice,
}

/// The columns of a table of games.
#[derive(Clone, Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct GameColumns {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) outcome: String,
    pub(crate) time: ColumnChoice,
    pub(crate) neutral: ColumnChoice,
    pub(crate) weight: ColumnChoice,
}

/// The columns of either table.
#[derive(Clone, Debug, FromPyObject)]
pub(crate) enum TableColumns {
    /// One row per result.
    #[pyo3(transparent)]
    Results(ResultColumns),
    /// One row per game.
    #[pyo3(transparent)]
    Games(GameColumns),
}

impl TableColumns {
    /// Reads the results of a table.
    pub(crate) fn read(&self, table: &Table) -> Result<Results, Failure> {
        match self {
            Self::Results(columns) => long::read(table, columns),
            Self::Games(columns) => games::read(table, columns),
        }
    }
}
