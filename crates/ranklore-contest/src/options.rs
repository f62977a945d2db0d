//! What a reader must be told: the format, and what a table leaves open.

use serde::{Deserialize, Serialize};

use crate::time::UnixSeconds;

/// The formats contest results come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Contest files in the form of Elo-MMR.
    Json,
    /// A scoreboard as platforms for capture-the-flag events publish it for CTFtime. No ending
    /// means it: it is JSON, too.
    CtftimeFeed,
    /// CSV, semicolon- or tab-separated text.
    Table,
    /// A sheet of an Excel workbook.
    Xlsx,
}

impl Format {
    /// The format a file of this name has, by its ending: `.json`; `.csv`, `.tsv`, `.txt`;
    /// `.xlsx`. Case does not matter; other names have none.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "json" => Some(Self::Json),
            "csv" | "tsv" | "txt" => Some(Self::Table),
            "xlsx" => Some(Self::Xlsx),
            _ => None,
        }
    }

    /// The word for it: `json`, `ctftime-feed`, `table`, `xlsx`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::CtftimeFeed => "ctftime-feed",
            Self::Table => "table",
            Self::Xlsx => "xlsx",
        }
    }

    /// The format of this [word](Self::as_str).
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Json, Self::CtftimeFeed, Self::Table, Self::Xlsx]
            .into_iter()
            .find(|format| format.as_str() == word)
    }

    /// The media type a document of this format is archived under.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json | Self::CtftimeFeed => "application/json",
            Self::Table => "text/csv",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

/// Which of two small numbers in a date such as 03/04/2024 is the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DateOrder {
    /// Day, month, year.
    Dmy,
    /// Month, day, year.
    Mdy,
}

/// What tables and feeds leave open. JSON contest files need none of it.
///
/// The JSON form is stable: it is archived beside a document, so that reading the document
/// again reads the same. Fields that are absent have their defaults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReadOptions {
    /// How ambiguous dates are meant; without it they are refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<DateOrder>,
    /// Scores are times, strokes, penalties: the lowest wins. In a wide table this also says
    /// that the cells are scores and not places.
    pub lower_is_better: bool,
    /// When the first contest of a table without dates was held, or that of a feed; in JSON,
    /// seconds since 1970.
    #[serde(with = "seconds", skip_serializing_if = "Option::is_none")]
    pub start: Option<UnixSeconds>,
    /// Days from one contest of a table without dates to the next, at least 1.
    pub every_days: u32,
    /// The sheet of a workbook to read; without it the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            dates: None,
            lower_is_better: false,
            start: None,
            every_days: 1,
            sheet: None,
        }
    }
}

mod seconds {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use crate::time::UnixSeconds;

    #[expect(clippy::ref_option, reason = "the signature serde asks for")]
    pub(super) fn serialize<S: Serializer>(
        moment: &Option<UnixSeconds>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        moment.map(UnixSeconds::get).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<UnixSeconds>, D::Error> {
        Option::<i64>::deserialize(deserializer)?
            .map(|seconds| {
                UnixSeconds::new(seconds)
                    .ok_or_else(|| de::Error::custom("a time outside 1970 to 2199"))
            })
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_go_by_the_ending() {
        for (name, format) in [
            ("a.json", Some(Format::Json)),
            ("A.B.CSV", Some(Format::Table)),
            ("x.tsv", Some(Format::Table)),
            ("x.Txt", Some(Format::Table)),
            ("x.XLSX", Some(Format::Xlsx)),
            ("x.xls", None),
            ("json", None),
            ("", None),
        ] {
            assert_eq!(Format::from_file_name(name), format, "{name}");
        }
        for format in [
            Format::Json,
            Format::CtftimeFeed,
            Format::Table,
            Format::Xlsx,
        ] {
            assert_eq!(Format::from_word(format.as_str()), Some(format));
        }
    }

    #[test]
    fn the_json_form_of_options_is_stable() {
        let all = ReadOptions {
            dates: Some(DateOrder::Dmy),
            lower_is_better: true,
            start: UnixSeconds::new(86_400),
            every_days: 7,
            sheet: Some("Results".into()),
        };
        let text = r#"{"dates":"dmy","lower_is_better":true,"start":86400,"every_days":7,"sheet":"Results"}"#;
        assert_eq!(serde_json::to_string(&all).unwrap(), text);
        assert_eq!(serde_json::from_str::<ReadOptions>(text).unwrap(), all);
        let none = ReadOptions::default();
        let text = r#"{"lower_is_better":false,"every_days":1}"#;
        assert_eq!(serde_json::to_string(&none).unwrap(), text);
        assert_eq!(serde_json::from_str::<ReadOptions>("{}").unwrap(), none);
        // Options this version does not know would make it read something else.
        assert!(serde_json::from_str::<ReadOptions>(r#"{"page":1}"#).is_err());
        assert!(serde_json::from_str::<ReadOptions>(r#"{"start":-1}"#).is_err());
    }
}
