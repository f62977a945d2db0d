//! The format of the result on standard output.

use std::sync::OnceLock;

use clap::ValueEnum;

/// The format of the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// Text with aligned tables
    #[default]
    Table,
    /// The rows as CSV by RFC 4180, in UTF-8
    Csv,
    /// The whole result as one JSON value
    Json,
    /// The rows as JSON Lines, one object per line
    Jsonl,
    /// Text with Markdown tables
    Markdown,
}

impl OutputFormat {
    /// True for the formats that programs read.
    pub(crate) const fn is_data(self) -> bool {
        matches!(self, Self::Csv | Self::Json | Self::Jsonl)
    }

    /// True for the formats of rows, which have no place for the rest of a result.
    pub(crate) const fn has_rows_only(self) -> bool {
        matches!(self, Self::Csv | Self::Jsonl)
    }

    /// The word of the command line.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Markdown => "markdown",
        }
    }
}

static FORMAT: OnceLock<OutputFormat> = OnceLock::new();

/// Sets the format of the result. Only the first call has an effect.
pub(crate) fn set_output_format(format: OutputFormat) {
    let _ = FORMAT.set(format);
}

pub(crate) fn output_format() -> OutputFormat {
    FORMAT.get().copied().unwrap_or_default()
}
