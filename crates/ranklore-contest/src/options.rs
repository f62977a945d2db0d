//! Options of readers: the format, and the answers to questions that a table leaves open.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::table::ColumnMeaning;
use crate::time::UnixSeconds;

/// The format of a file with contest results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileFormat {
    /// Contest files in the JSON format of Elo-MMR.
    Json,
    /// A scoreboard as capture-the-flag platforms publish it for CTFtime. No file extension implies
    /// it, since it is JSON too.
    CtftimeFeed,
    /// CSV, or text separated by semicolons, tabs or bars.
    Table,
    /// A sheet of an Excel workbook.
    Xlsx,
}

impl FileFormat {
    /// Returns the format for a file name by its extension: `.json`; `.csv`, `.tsv`, `.txt`;
    /// `.xlsx`. Ignores case; returns `None` for other names.
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

    /// Returns the name of the format: `json`, `ctftime-feed`, `table`, `xlsx`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::CtftimeFeed => "ctftime-feed",
            Self::Table => "table",
            Self::Xlsx => "xlsx",
        }
    }

    /// Returns the format with this [name](Self::as_str).
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Json, Self::CtftimeFeed, Self::Table, Self::Xlsx]
            .into_iter()
            .find(|format| format.as_str() == word)
    }

    /// Returns the media type under which documents of this format are archived.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json | Self::CtftimeFeed => "application/json",
            Self::Table => "text/csv",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

/// The order of day and month in a date such as 03/04/2024.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DateOrder {
    /// Day, month, year.
    Dmy,
    /// Month, day, year.
    Mdy,
}

/// Options for tables and feeds. JSON contest files need none.
///
/// The JSON form is stable: it is archived with a document, so that reading the document again
/// gives the same result. Absent fields have their defaults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReadOptions {
    /// The order in ambiguous dates; `None` refuses them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<DateOrder>,
    /// True if the lowest score wins, as for times, strokes and penalties. In a wide table it also
    /// means that the cells are scores and not places.
    pub lower_is_better: bool,
    /// The time of a feed, or of the first contest of a table without dates; in JSON, seconds since
    /// 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<UnixSeconds>,
    /// Days between contests of a table without dates, at least 1.
    pub every_days: u32,
    /// The sheet of a workbook to read; `None` means the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The meanings of columns by heading, which take precedence over what Ranklore recognises.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, ColumnMeaning>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            dates: None,
            lower_is_better: false,
            start: None,
            every_days: 1,
            sheet: None,
            columns: BTreeMap::new(),
        }
    }
}

impl ReadOptions {
    /// Returns the names that the options quote from a document: the sheet and headings.
    pub fn quoted_names(&self) -> impl Iterator<Item = &str> {
        let headings = self.columns.keys().map(String::as_str);
        self.sheet.as_deref().into_iter().chain(headings)
    }

    /// Replaces these names by what `replace` returns, if it returns something.
    pub fn replace_quoted_names(&mut self, replace: impl Fn(&str) -> Option<String>) {
        if let Some(sheet) = &mut self.sheet
            && let Some(other) = replace(sheet)
        {
            *sheet = other;
        }
        self.columns = std::mem::take(&mut self.columns)
            .into_iter()
            .map(|(heading, meaning)| (replace(&heading).unwrap_or(heading), meaning))
            .collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_follows_file_extension() {
        for (name, format) in [
            ("a.json", Some(FileFormat::Json)),
            ("A.B.CSV", Some(FileFormat::Table)),
            ("x.tsv", Some(FileFormat::Table)),
            ("x.Txt", Some(FileFormat::Table)),
            ("x.XLSX", Some(FileFormat::Xlsx)),
            ("x.xls", None),
            ("json", None),
            ("", None),
        ] {
            assert_eq!(FileFormat::from_file_name(name), format, "{name}");
        }
        for format in [
            FileFormat::Json,
            FileFormat::CtftimeFeed,
            FileFormat::Table,
            FileFormat::Xlsx,
        ] {
            assert_eq!(FileFormat::from_word(format.as_str()), Some(format));
        }
    }

    #[test]
    fn quoted_names_are_replaced() {
        let mut options = ReadOptions {
            sheet: Some("Ada's cup".into()),
            columns: [("Ada".to_owned(), ColumnMeaning::Ignore)].into(),
            ..ReadOptions::default()
        };
        options.replace_quoted_names(|name| {
            name.contains("Ada").then(|| name.replace("Ada", "someone"))
        });
        let names: Vec<&str> = options.quoted_names().collect();
        assert_eq!(names, ["someone's cup", "someone"]);
    }

    #[test]
    fn options_json_is_stable() {
        let all = ReadOptions {
            dates: Some(DateOrder::Dmy),
            lower_is_better: true,
            start: UnixSeconds::new(86_400),
            every_days: 7,
            sheet: Some("Results".into()),
            columns: [("Race No.".to_owned(), ColumnMeaning::ContestId)].into(),
        };
        let text = r#"{"dates":"dmy","lower_is_better":true,"start":86400,"every_days":7,"sheet":"Results","columns":{"Race No.":"contest id"}}"#;
        assert_eq!(serde_json::to_string(&all).unwrap(), text);
        assert_eq!(serde_json::from_str::<ReadOptions>(text).unwrap(), all);
        let none = ReadOptions::default();
        let text = r#"{"lower_is_better":false,"every_days":1}"#;
        assert_eq!(serde_json::to_string(&none).unwrap(), text);
        assert_eq!(serde_json::from_str::<ReadOptions>("{}").unwrap(), none);
        // Unknown options would change the reading.
        assert!(serde_json::from_str::<ReadOptions>(r#"{"page":1}"#).is_err());
        assert!(serde_json::from_str::<ReadOptions>(r#"{"start":-1}"#).is_err());
    }
}
