//! Reading notes: the options with which a document was read, archived with it so that a rebuild
//! reads it the same way.

use ranklore_contest::{Format, ReadError, ReadOptions, Reading, read};
use serde::{Deserialize, Serialize};

use crate::people::redaction::read_redacted_file;

/// The note as JSON in the archive. The format is stable.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Json {
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<ReadOptions>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sites: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    redacted: bool,
}

/// A parsed note.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReadingNote {
    /// A file.
    File(FileNote),
    /// An answer of a site, read by the source of this site, whatever the name of the source in the
    /// database.
    Answer { site: String, redacted: bool },
}

/// The options with which a file is read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileNote {
    pub(crate) format: Format,
    pub(crate) options: ReadOptions,
    /// The sites that its results are from; their terms apply.
    pub(crate) sites: Vec<String>,
    /// True if the redacted reading is archived in place of the bytes.
    pub(crate) redacted: bool,
}

impl FileNote {
    /// Reads a file with its original options, or its redacted reading.
    pub(crate) fn read(&self, key: &str, body: &[u8]) -> Result<Reading, ReadError> {
        if self.redacted {
            return read_redacted_file(body);
        }
        read(self.format, body, key, &self.options)
    }
}

impl ReadingNote {
    /// Returns the note of a file with this format, these options and results of these sites.
    pub(crate) fn of_file(format: Format, options: &ReadOptions, sites: &[String]) -> String {
        Json {
            format: Some(format.as_str().to_owned()),
            options: (format != Format::Json).then(|| options.clone()),
            sites: sites.to_vec(),
            ..Json::default()
        }
        .text()
    }

    /// Returns the note of a redacted file.
    pub(crate) fn of_redacted_file(format: Format, sites: &[String]) -> String {
        Json {
            format: Some(format.as_str().to_owned()),
            sites: sites.to_vec(),
            redacted: true,
            ..Json::default()
        }
        .text()
    }

    /// Returns the note of an answer of `site`.
    pub(crate) fn of_answer(site: &str, redacted: bool) -> String {
        Json {
            site: Some(site.to_owned()),
            redacted,
            ..Json::default()
        }
        .text()
    }

    /// Parses the note of an archived document.
    ///
    /// # Errors
    /// The reason as a fragment of a sentence.
    pub(crate) fn parse(json: Option<&str>) -> Result<Self, String> {
        let json = json.ok_or("its reading note is missing")?;
        let found: Json = serde_json::from_str(json)
            .map_err(|error| format!("its reading note is invalid: {error}"))?;
        match found {
            Json {
                format: Some(word),
                options,
                sites,
                site: None,
                redacted,
            } => {
                let format = Format::from_word(&word)
                    .ok_or_else(|| format!("its format {word:?} is unknown"))?;
                let options = options.unwrap_or_default();
                Ok(Self::File(FileNote {
                    format,
                    options,
                    sites,
                    redacted,
                }))
            }
            Json {
                format: None,
                options: None,
                sites,
                site: Some(site),
                redacted,
            } if sites.is_empty() => Ok(Self::Answer { site, redacted }),
            _ => Err("its reading note has neither a format nor a site".to_owned()),
        }
    }
}

impl Json {
    fn text(&self) -> String {
        // Strings, numbers and booleans always serialise.
        serde_json::to_string(self).unwrap_or_default()
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
        for format in [
            Format::Json,
            Format::CtftimeFeed,
            Format::Table,
            Format::Xlsx,
        ] {
            let sites = ["codeforces".to_owned()];
            let note = ReadingNote::of_file(format, &options, &sites);
            let note = ReadingNote::parse(Some(&note)).unwrap();
            let ReadingNote::File(note) = note else {
                panic!("{note:?}");
            };
            assert_eq!(note.format, format);
            assert_eq!(note.sites, sites);
            let kept = format != Format::Json;
            assert_eq!(note.options == options, kept);
        }
        // The format before files had sites.
        let note = ReadingNote::of_file(Format::Json, &options, &[]);
        assert_eq!(note, r#"{"format":"json"}"#);
        let answer = ReadingNote::of_answer("codeforces", false);
        assert_eq!(answer, r#"{"site":"codeforces"}"#);
        let site = "codeforces".to_owned();
        assert_eq!(
            ReadingNote::parse(Some(&answer)),
            Ok(ReadingNote::Answer {
                site,
                redacted: false
            })
        );
        let redacted = ReadingNote::of_redacted_file(Format::Table, &[]);
        assert_eq!(redacted, r#"{"format":"table","redacted":true}"#);
        for wrong in [
            None,
            Some("{}"),
            Some(r#"{"format":"pdf"}"#),
            Some(r#"{"format":"json","site":"codeforces"}"#),
            Some(r#"{"site":"codeforces","options":{}}"#),
            Some(r#"{"site":"codeforces","sites":["o2cm"]}"#),
            Some("["),
        ] {
            assert!(ReadingNote::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
