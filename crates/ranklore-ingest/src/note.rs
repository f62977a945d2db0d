//! How a document is to be read, noted beside it so that a rebuild reads the same.

use ranklore_contest::{Format, ReadOptions};
use serde::{Deserialize, Serialize};

/// The note, as JSON in the archive. Its form is stable.
#[derive(Serialize)]
#[serde(untagged)]
enum Written<'a> {
    File {
        format: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        options: Option<&'a ReadOptions>,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        sites: &'a [String],
    },
    Answer {
        site: &'a str,
    },
}

/// A note read back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReadingNote {
    /// A file.
    File(FileNote),
    /// What a site answered: it is read by what knows the site of this name, whatever the source
    /// is called.
    Answer { site: String },
}

/// How a file is to be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileNote {
    pub(crate) format: Format,
    pub(crate) options: ReadOptions,
    /// The sites that its results are from, whose terms hold for them.
    pub(crate) sites: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    format: Option<String>,
    options: Option<ReadOptions>,
    #[serde(default)]
    sites: Vec<String>,
    site: Option<String>,
}

impl ReadingNote {
    /// The note of a file of this format, read with these options, with results of these sites.
    pub(crate) fn of_file(format: Format, options: &ReadOptions, sites: &[String]) -> String {
        Written::File {
            format: format.as_str(),
            options: (format != Format::Json).then_some(options),
            sites,
        }
        .json()
    }

    /// The note of an answer of the site of this name.
    pub(crate) fn of_answer(site: &str) -> String {
        Written::Answer { site }.json()
    }

    /// The note of an archived document.
    ///
    /// # Errors
    /// Why it says nothing: a fragment of a sentence.
    pub(crate) fn parse(json: Option<&str>) -> Result<Self, String> {
        let json = json.ok_or("it is not noted how it is to be read")?;
        let found: Found = serde_json::from_str(json)
            .map_err(|error| format!("how it is to be read is not understood: {error}"))?;
        match found {
            Found {
                format: Some(word),
                options,
                sites,
                site: None,
            } => {
                let format = Format::from_word(&word)
                    .ok_or_else(|| format!("its format {word:?} is not known here"))?;
                let options = options.unwrap_or_default();
                Ok(Self::File(FileNote {
                    format,
                    options,
                    sites,
                }))
            }
            Found {
                format: None,
                options: None,
                sites,
                site: Some(site),
            } if sites.is_empty() => Ok(Self::Answer { site }),
            _ => Err("how it is to be read is neither a format nor a site".to_owned()),
        }
    }
}

impl Written<'_> {
    fn json(&self) -> String {
        // Words, numbers and truth values always have a JSON form.
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
        // As it was before files had sites.
        let note = ReadingNote::of_file(Format::Json, &options, &[]);
        assert_eq!(note, r#"{"format":"json"}"#);
        let answer = ReadingNote::of_answer("codeforces");
        assert_eq!(answer, r#"{"site":"codeforces"}"#);
        let site = "codeforces".to_owned();
        assert_eq!(
            ReadingNote::parse(Some(&answer)),
            Ok(ReadingNote::Answer { site })
        );
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
