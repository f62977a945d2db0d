//! The formats of documents, and the endings of their file names.

use ranklore_contest::word_enum;

word_enum! {
    /// The format of a file with contest results. The archive keeps its word.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum FileFormat {
        /// Contest files in the JSON format of Elo-MMR.
        Json = "json",
        /// A scoreboard as capture-the-flag platforms publish it for CTFtime. No file extension
        /// implies it, since it is JSON too.
        CtftimeFeed = "ctftime-feed",
        /// A scoreboard of the ICPC contest API with its contest and teams. No file extension implies
        /// it.
        Icpc = "icpc",
        /// CSV, or text separated by semicolons, tabs or bars.
        Table = "table",
        /// Text separated by tabs, whatever else it contains.
        Tsv = "tsv",
        /// A sheet of an Excel workbook.
        Xlsx = "xlsx",
        /// JSON whose objects are the rows of a table.
        JsonTable = "json-table",
        /// JSON Lines: each line is an object, which is a row of a table.
        JsonLines = "jsonl",
        /// A Parquet file, whose rows are those of a table.
        Parquet = "parquet",
        /// A sheet of an Excel workbook of Excel 5 to 2003.
        Xls = "xls",
        /// A sheet of an OpenDocument workbook.
        Ods = "ods",
        /// Games of chess in portable game notation.
        Pgn = "pgn",
        /// Matches of a season or a tournament in the JSON of openfootball. No file extension
        /// implies it.
        Openfootball = "openfootball",
    }
}

/// The formats that the ending of a file name implies.
const BY_ENDING: [FileFormat; 8] = [
    FileFormat::Json,
    FileFormat::Table,
    FileFormat::Xlsx,
    FileFormat::JsonLines,
    FileFormat::Parquet,
    FileFormat::Xls,
    FileFormat::Ods,
    FileFormat::Pgn,
];

impl FileFormat {
    /// Returns the format for a file name by its ending, in any case: `.json`; `.csv`, `.tsv`,
    /// `.txt`; `.xlsx`, `.xls`, `.ods`; `.jsonl`, `.ndjson`; `.parquet`; `.pgn`.
    /// `None` for other names. [`of_json`](Self::of_json) tells whether JSON is a table,
    /// [`of_text`](Self::of_text) whether text is one.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        BY_ENDING.into_iter().find(|format| format.fits_file_name(name))
    }

    /// Returns the format for the file name of a table. `None` if such a file is no table.
    #[must_use]
    pub fn of_table_file(name: &str) -> Option<Self> {
        match Self::from_file_name(name)? {
            Self::Json => Some(Self::JsonTable),
            Self::Pgn => None,
            table => Some(table),
        }
    }

    /// Returns true if files of this format have the ending of this name.
    #[must_use]
    pub fn fits_file_name(self, name: &str) -> bool {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        ending.is_some_and(|ending| {
            let mut endings = self.endings().iter();
            endings.any(|known| known.eq_ignore_ascii_case(ending))
        })
    }

    /// Returns the ending of the names of its files, without the dot.
    #[must_use]
    pub fn ending(self) -> &'static str {
        self.endings()[0]
    }

    const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Json | Self::CtftimeFeed | Self::Icpc | Self::JsonTable | Self::Openfootball => {
                &["json"]
            }
            Self::JsonLines => &["jsonl", "ndjson"],
            Self::Parquet => &["parquet"],
            Self::Table => &["csv", "tsv", "txt"],
            Self::Tsv => &["tsv", "csv", "txt"],
            Self::Xlsx => &["xlsx"],
            Self::Xls => &["xls"],
            Self::Ods => &["ods"],
            Self::Pgn => &["pgn"],
        }
    }

    /// Returns the media type under which documents of this format are archived.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json | Self::CtftimeFeed | Self::Icpc | Self::JsonTable | Self::Openfootball => {
                "application/json"
            }
            Self::JsonLines => "application/jsonl",
            Self::Parquet => "application/vnd.apache.parquet",
            Self::Table => "text/csv",
            Self::Tsv => "text/tab-separated-values",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Xls => "application/vnd.ms-excel",
            Self::Ods => "application/vnd.oasis.opendocument.spreadsheet",
            Self::Pgn => "application/vnd.chess-pgn",
        }
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
            ("x.jsonl", Some(FileFormat::JsonLines)),
            ("x.ndjson", Some(FileFormat::JsonLines)),
            ("x.parquet", Some(FileFormat::Parquet)),
            ("x.xls", Some(FileFormat::Xls)),
            ("x.Ods", Some(FileFormat::Ods)),
            ("x.PGN", Some(FileFormat::Pgn)),
            ("x.dat", None),
            ("json", None),
            ("", None),
        ] {
            assert_eq!(FileFormat::from_file_name(name), format, "{name}");
        }
    }
}
