//! How a document is to be read, noted beside it so that a rebuild reads the same.

use ranklore_contest::{Format, ReadOptions};
use serde::{Deserialize, Serialize};

/// The note, as JSON in the archive. Its form is stable.
#[derive(Serialize)]
struct Written<'a> {
    format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<&'a ReadOptions>,
}

/// A note read back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ReadingNote {
    pub(crate) format: Format,
    pub(crate) options: ReadOptions,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    format: String,
    #[serde(default)]
    options: ReadOptions,
}

impl ReadingNote {
    /// The note of a document of this format, read with these options.
    pub(crate) fn json(format: Format, options: &ReadOptions) -> String {
        let note = Written {
            format: format.as_str(),
            options: (format != Format::Json).then_some(options),
        };
        // Words, numbers and truth values always have a JSON form.
        serde_json::to_string(&note).unwrap_or_default()
    }

    /// The note of an archived document.
    ///
    /// # Errors
    /// Why it says nothing: a fragment of a sentence.
    pub(crate) fn parse(json: Option<&str>) -> Result<Self, String> {
        let json = json.ok_or("it is not noted how it is to be read")?;
        let found: Found = serde_json::from_str(json)
            .map_err(|error| format!("how it is to be read is not understood: {error}"))?;
        let format = Format::from_word(&found.format)
            .ok_or_else(|| format!("its format {:?} is not known here", found.format))?;
        Ok(Self {
            format,
            options: found.options,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_read_back() {
        let options = ReadOptions {
            lower_is_better: true,
            sheet: Some("Results".into()),
            ..ReadOptions::default()
        };
        for format in [Format::Json, Format::Table, Format::Xlsx] {
            let note = ReadingNote::parse(Some(&ReadingNote::json(format, &options))).unwrap();
            assert_eq!(note.format, format);
            let kept = format != Format::Json;
            assert_eq!(note.options == options, kept);
        }
        for wrong in [None, Some("{}"), Some(r#"{"format":"pdf"}"#), Some("[")] {
            assert!(ReadingNote::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
