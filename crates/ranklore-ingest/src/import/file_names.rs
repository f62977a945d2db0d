//! Tells from the name of a file how it is packed and which format it has.

use ranklore_contest::word_enum;
use ranklore_formats::FileFormat;

use crate::import::icpc_parts::is_other_endpoint;

word_enum! {
    /// The format that the user states for the documents of an import: of a file that the user
    /// names, whatever its name; of folders and archives, the files whose names fit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum StatedFormat {
        /// Contest files of Elo-MMR, or tables whose rows are JSON objects.
        Json = "json",
        /// A table in any of the forms below, as the name of each file tells.
        Table = "table",
        /// Text separated by commas, semicolons, tabs or bars.
        Csv = "csv",
        /// Text separated by tabs.
        Tsv = "tsv",
        /// Tables of web pages.
        Html = "html",
        /// Excel workbook.
        Xlsx = "xlsx",
        /// Workbook of Excel 5 to 2003.
        Xls = "xls",
        /// Workbook in the open document format.
        Ods = "ods",
        /// JSON Lines: each line is a row.
        Jsonl = "jsonl",
        /// YAML: contest files, or tables whose rows are objects.
        Yaml = "yaml",
        /// Parquet.
        Parquet = "parquet",
        /// Games of chess in PGN; the moves are not read.
        Pgn = "pgn",
        /// Chess tournaments in the report file of FIDE (TRF16).
        Trf = "trf",
        /// Go tournaments in the result table of the European Go Federation.
        H9 = "h9",
        /// Orienteering results in IOF XML 3.0.
        IofXml = "iof-xml",
        /// Tournaments of the Go program OpenGotha.
        OpenGotha = "opengotha",
        /// Swimming results in Lenex 3.0 (.lef, .lxf).
        Lenex = "lenex",
        /// Swimming results of HY-TEK Meet Manager.
        HyTek = "hy3",
        /// Football matches in the JSON of openfootball.
        Openfootball = "openfootball",
        /// Football matches in the text of openfootball.
        FootballText = "football-txt",
        /// Scoreboards of the ICPC contest API: scoreboard.json with teams.json and contest.json
        /// beside it.
        Icpc = "icpc",
        /// Scoreboards of capture-the-flag events, {"standings":[{"pos","team","score"}]}, named and
        /// dated by the file or --start.
        CtftimeFeed = "ctftime-feed",
    }
}

impl StatedFormat {
    /// Returns the format; `None` if the name of each file tells it.
    fn exactly(self) -> Option<FileFormat> {
        match self {
            Self::Table => None,
            Self::Csv => Some(FileFormat::Table),
            // These have the word of the format.
            format => FileFormat::from_word(format.as_str()),
        }
    }

    /// Returns the format of a file in a folder or an archive. `None` if it is passed over.
    pub(crate) fn of_unnamed(format: Option<Self>, name: &str) -> Option<FileFormat> {
        let Some(format) = format else {
            return FileFormat::from_file_name(name);
        };
        match format.exactly() {
            None => FileFormat::of_table_file(name),
            Some(FileFormat::Icpc) if is_other_endpoint(name) => None,
            Some(format) => format.fits_file_name(name).then_some(format),
        }
    }

    /// Returns the format of a file that the user names. `None` if the name does not tell.
    pub(crate) fn of_named(format: Option<Self>, name: &str) -> Option<FileFormat> {
        let exactly = format.and_then(Self::exactly);
        // In folders, such files describe the others, or are notes and programs.
        let documents = [FileFormat::Markdown, FileFormat::Html].into_iter();
        let has_no_ending = !name.is_empty() && !name.contains('.');
        exactly
            .or_else(|| Self::of_unnamed(format, name))
            .or_else(|| documents.clone().find(|format| format.fits_file_name(name)))
            .or_else(|| has_no_ending.then_some(FileFormat::Table))
    }
}

/// How a file is packed, as the end of its name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// A single document.
    Document(Compression),
    /// A tar archive.
    Tar(Compression),
    /// A ZIP archive.
    Zip,
}

/// The compression of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstd,
}

impl Packing {
    /// Returns the packing of a file, and the name of its document: that of the file without the
    /// ending of a compression.
    pub(crate) fn from_name(name: &str) -> (Self, &str) {
        const ARCHIVES: [(&str, Packing); 6] = [
            (".zip", Packing::Zip),
            (".tar", Packing::Tar(Compression::None)),
            (".tar.gz", Packing::Tar(Compression::Gzip)),
            (".tgz", Packing::Tar(Compression::Gzip)),
            (".tar.zst", Packing::Tar(Compression::Zstd)),
            (".tzst", Packing::Tar(Compression::Zstd)),
        ];
        let lower = name.to_ascii_lowercase();
        let archive = ARCHIVES.iter().find(|(ending, _)| lower.ends_with(ending));
        if let Some((_, packing)) = archive {
            return (*packing, name);
        }
        for (ending, compression) in [(".gz", Compression::Gzip), (".zst", Compression::Zstd)] {
            if lower.ends_with(ending) {
                let document = &name[..name.len() - ending.len()];
                return (Self::Document(compression), document);
            }
        }
        (Self::Document(Compression::None), name)
    }
}

/// True for files of other programs; `~` marks lock files of spreadsheets.
pub(crate) fn is_hidden(name: &str) -> bool {
    name.starts_with(['.', '~']) && name != ".."
}

/// True for texts that describe a folder: they are no tables.
pub(crate) fn is_about_folder(key: &str) -> bool {
    let name = key.rsplit('/').next().unwrap_or(key).to_ascii_lowercase();
    let words = [
        "readme",
        "license",
        "licence",
        "copying",
        "notice",
        "changelog",
        "authors",
    ];
    name.strip_suffix(".txt").is_some_and(|stem| words.contains(&stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_follows_the_end_of_the_name() {
        use Compression::{Gzip, None, Zstd};
        for (name, packing, document) in [
            ("a.csv", Packing::Document(None), "a.csv"),
            ("a.CSV.GZ", Packing::Document(Gzip), "a.CSV"),
            ("a.json.zst", Packing::Document(Zstd), "a.json"),
            ("a.tar", Packing::Tar(None), "a.tar"),
            ("a.tar.gz", Packing::Tar(Gzip), "a.tar.gz"),
            ("a.TGZ", Packing::Tar(Gzip), "a.TGZ"),
            ("a.tar.zst", Packing::Tar(Zstd), "a.tar.zst"),
            ("a.zip", Packing::Zip, "a.zip"),
            ("gz", Packing::Document(None), "gz"),
        ] {
            assert_eq!(Packing::from_name(name), (packing, document), "{name}");
        }
    }

    #[test]
    fn stated_format_chooses_files() {
        let table = Some(StatedFormat::Table);
        for (stated, name, unnamed, named) in [
            (None, "a.csv", Some(FileFormat::Table), Some(FileFormat::Table)),
            (None, "a.dat", None, None),
            (None, "a.lxf", Some(FileFormat::Lenex), Some(FileFormat::Lenex)),
            (Some(StatedFormat::HyTek), "a.dat", None, Some(FileFormat::HyTek)),
            (Some(StatedFormat::Csv), "a.dat", None, Some(FileFormat::Table)),
            (
                Some(StatedFormat::CtftimeFeed),
                "a.json",
                Some(FileFormat::CtftimeFeed),
                Some(FileFormat::CtftimeFeed),
            ),
            (Some(StatedFormat::Tsv), "a.txt", Some(FileFormat::Tsv), Some(FileFormat::Tsv)),
            (Some(StatedFormat::Json), "a.csv", None, Some(FileFormat::Json)),
            (table, "a.xlsx", Some(FileFormat::Xlsx), Some(FileFormat::Xlsx)),
            (table, "a.dat", None, None),
            (Some(StatedFormat::Icpc), "cup/groups.json", None, Some(FileFormat::Icpc)),
        ] {
            assert_eq!(StatedFormat::of_unnamed(stated, name), unnamed, "{stated:?} {name}");
            assert_eq!(StatedFormat::of_named(stated, name), named, "{stated:?} {name}");
        }
    }
}
