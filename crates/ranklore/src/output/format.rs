//! The format of the result on standard output.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use ranklore_contest::word_enum;

word_enum! {
    /// The format of the result.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(crate) enum OutputFormat {
        /// Text with aligned tables.
        #[default]
        Table = "table",
        /// The rows as CSV by RFC 4180, in UTF-8.
        Csv = "csv",
        /// The whole result as one JSON value.
        Json = "json",
        /// The rows as JSON Lines, one object per line.
        Jsonl = "jsonl",
        /// Text with Markdown tables.
        Markdown = "markdown",
    }
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
}

static FORMAT: OnceLock<OutputFormat> = OnceLock::new();

/// Sets the format of the result. Only the first call has an effect.
pub(crate) fn set_output_format(format: OutputFormat) {
    let _ = FORMAT.set(format);
}

pub(crate) fn output_format() -> OutputFormat {
    FORMAT.get().copied().unwrap_or_default()
}

/// True if text for people is hidden: the report of a command that changes something, with `--quiet`.
static IS_TEXT_HIDDEN: AtomicBool = AtomicBool::new(false);

/// Hides text for people. Data is printed.
pub(crate) fn hide_text() {
    IS_TEXT_HIDDEN.store(true, Ordering::Relaxed);
}

pub(super) fn is_text_hidden() -> bool {
    IS_TEXT_HIDDEN.load(Ordering::Relaxed)
}
