//! Reading notes: the options with which a document was read, archived with it so that a rebuild
//! reads it the same way.

use ranklore_formats::{
    ArchivedBy, FileFormat, FileReadError, FileReading, ReadOptions, read_archived,
};
use serde::{Deserialize, Serialize};

use crate::people::redaction::read_redacted_file;

/// The note as JSON in the archive. The format is stable.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the fields of the stable format"
)]
struct NoteJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<ReadOptions>,
    /// True if the reader recognised ids of competitors.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ids: bool,
    /// True if the reader refused rows with more cells than headings, and dates with several readings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    doubts: bool,
    /// True if the file has published ratings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ratings: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sites: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    redacted: bool,
}

/// A parsed note.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReadingNote {
    /// A file.
    File(Box<FileNote>),
    /// An answer of a site, read by the source of this site, whatever the name of the source in the
    /// database.
    Answer { site: String, redacted: bool },
}

/// The options with which a file is read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileNote {
    pub(crate) format: FileFormat,
    pub(crate) options: ReadOptions,
    pub(crate) reader: ArchivedBy,
    /// The sites that its results are from; their terms apply.
    pub(crate) sites: Vec<String>,
    /// True if it has published ratings.
    pub(crate) has_ratings: bool,
    /// True if the redacted reading is archived in place of the bytes.
    pub(crate) redacted: bool,
}

impl FileNote {
    /// Reads a file with its original options, or its redacted reading.
    pub(crate) fn read(&self, key: &str, body: &[u8]) -> Result<FileReading, FileReadError> {
        if self.redacted {
            return read_redacted_file(body);
        }
        read_archived(self.reader, self.format, body, key, &self.options)
    }
}

impl ReadingNote {
    /// Returns the note of a file with this format, these options and results of these sites.
    pub(crate) fn format_file(
        reader: ArchivedBy,
        format: FileFormat,
        options: &ReadOptions,
        sites: &[String],
        has_ratings: bool,
    ) -> String {
        // Contest files are read without options.
        let is_table = format != FileFormat::Json;
        NoteJson {
            format: Some(format.as_str().to_owned()),
            options: is_table.then(|| options.clone()),
            ids: is_table && reader != ArchivedBy::WithoutIds,
            doubts: is_table && reader == ArchivedBy::Current,
            ratings: has_ratings,
            sites: sites.to_vec(),
            ..NoteJson::default()
        }
        .to_json()
    }

    /// Returns the note of a redacted file.
    pub(crate) fn format_redacted_file(
        format: FileFormat,
        sites: &[String],
        has_ratings: bool,
    ) -> String {
        NoteJson {
            format: Some(format.as_str().to_owned()),
            sites: sites.to_vec(),
            redacted: true,
            ratings: has_ratings,
            ..NoteJson::default()
        }
        .to_json()
    }

    /// Returns the note of an answer of `site`.
    pub(crate) fn format_answer(site: &str, redacted: bool) -> String {
        NoteJson {
            site: Some(site.to_owned()),
            redacted,
            ..NoteJson::default()
        }
        .to_json()
    }

    /// Parses the note of an archived document.
    ///
    /// # Errors
    /// The reason as a fragment of a sentence.
    pub(crate) fn parse(json: Option<&str>) -> Result<Self, String> {
        let json = json.ok_or("its reading note is missing")?;
        let note: NoteJson = serde_json::from_str(json)
            .map_err(|error| format!("its reading note is invalid: {error}"))?;
        match (note.format, note.site) {
            (Some(word), None) => Ok(Self::File(Box::new(FileNote {
                format: FileFormat::from_word(&word)
                    .ok_or_else(|| format!("its format {word:?} is unknown"))?,
                options: note.options.unwrap_or_default(),
                reader: match (note.ids, note.doubts) {
                    (false, _) => ArchivedBy::WithoutIds,
                    (true, false) => ArchivedBy::WithoutDoubts,
                    (true, true) => ArchivedBy::Current,
                },
                sites: note.sites,
                has_ratings: note.ratings,
                redacted: note.redacted,
            }))),
            (None, Some(site)) if note.options.is_none() && note.sites.is_empty() => {
                let redacted = note.redacted;
                Ok(Self::Answer { site, redacted })
            }
            _ => Err("its reading note has neither a format nor a site".to_owned()),
        }
    }
}

impl NoteJson {
    fn to_json(&self) -> String {
        // Strings, numbers and booleans always serialise.
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_notes_round_trip() {
        let options = ReadOptions {
            lower_is_better: true,
            sheet: Some("Results".into()),
            ..ReadOptions::default()
        };
        for format in [
            FileFormat::Json,
            FileFormat::CtftimeFeed,
            FileFormat::Table,
            FileFormat::Xlsx,
        ] {
            let sites = ["codeforces".to_owned()];
            let note =
                ReadingNote::format_file(ArchivedBy::Current, format, &options, &sites, true);
            let note = ReadingNote::parse(Some(&note)).unwrap();
            let ReadingNote::File(note) = note else {
                panic!("{note:?}");
            };
            assert_eq!(note.format, format);
            assert_eq!(note.sites, sites);
            assert!(note.has_ratings);
            let has_options = format != FileFormat::Json;
            assert_eq!(note.options == options, has_options);
            assert_eq!(note.reader == ArchivedBy::Current, has_options);
        }
        for (before, reader) in [
            (r#"{"format":"table"}"#, ArchivedBy::WithoutIds),
            (r#"{"format":"table","ids":true}"#, ArchivedBy::WithoutDoubts),
        ] {
            let note = ReadingNote::parse(Some(before)).unwrap();
            assert!(matches!(note, ReadingNote::File(note) if note.reader == reader), "{before}");
        }
        // The format before files had sites.
        let note =
            ReadingNote::format_file(ArchivedBy::Current, FileFormat::Json, &options, &[], false);
        assert_eq!(note, r#"{"format":"json"}"#);
        let answer = ReadingNote::format_answer("codeforces", false);
        assert_eq!(answer, r#"{"site":"codeforces"}"#);
        let site = "codeforces".to_owned();
        assert_eq!(
            ReadingNote::parse(Some(&answer)),
            Ok(ReadingNote::Answer {
                site,
                redacted: false
            })
        );
        let redacted = ReadingNote::format_redacted_file(FileFormat::Table, &[], false);
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
