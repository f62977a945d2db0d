//! Locations in a document, and the reason why a document cannot be read.

use std::fmt;

use serde::{Deserialize, Serialize};

use ranklore_contest::describe_json_error;

use crate::reason::{CommandOptions, Reason};

/// The maximum size of a document: 256 MiB. The same limit applies to an unpacked workbook.
pub const MAX_DOCUMENT_BYTES: usize = 256 << 20;

/// A location in a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Location {
    /// A line of a text file or a row of a sheet; the first is 1.
    Line(u64),
    /// A path into a JSON document, such as `standings[3]`.
    JsonPath(String),
    /// A cell of a sheet, such as `Sheet1!C7`.
    Cell(String),
    /// The document as a whole.
    Whole,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::JsonPath(path) | Self::Cell(path) => f.write_str(path),
            Self::Whole => f.write_str("the document"),
        }
    }
}

/// The reason why a document cannot be read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{}{why}", if *.at == Location::Whole { String::new() } else { format!("{}: ", .at) })]
pub struct FileReadError {
    /// The location of the error.
    pub at: Location,
    /// The reason and the fix: a lower-case fragment that follows "error:".
    pub why: String,
    /// The options that may settle it, one of them at a time.
    #[serde(skip)]
    pub options: Vec<CommandOptions>,
}

impl FileReadError {
    /// Returns the error for a location.
    pub fn new(at: Location, reason: impl Into<Reason>) -> Self {
        let Reason { text, options } = reason.into();
        Self {
            at,
            why: text,
            options,
        }
    }

    /// Returns the error for the document as a whole.
    pub fn whole_document(reason: impl Into<Reason>) -> Self {
        Self::new(Location::Whole, reason)
    }

    /// Returns the error for a document that is not JSON, with its line and column.
    #[must_use]
    pub fn json_syntax(error: &serde_json::Error) -> Self {
        Self::new(
            Location::Line(error.line() as u64),
            format!("{} (column {})", describe_json_error(error), error.column()),
        )
    }
}
