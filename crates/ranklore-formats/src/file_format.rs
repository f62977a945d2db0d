//! The formats of documents, and the endings of their file names.

use ranklore_contest::word_enum;
use ranklore_grid::is_ruler_below;
use serde::de::IgnoredAny;

use crate::openfootball::text::is_football_text;

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
        /// Tables in Markdown. The beginning of a text tells, or the ending if the user names the file:
        /// in folders, Markdown describes the others.
        Markdown = "markdown",
        /// Tables in HTML: a page, or Markdown with HTML tables. Its file names are like those of
        /// Markdown.
        Html = "html",
        /// Text separated by tabs, whatever else it contains.
        Tsv = "tsv",
        /// A sheet of an Excel workbook.
        Xlsx = "xlsx",
        /// JSON whose objects are the rows of a table.
        JsonTable = "json-table",
        /// JSON Lines: each line is an object, which is a row of a table.
        JsonLines = "jsonl",
        /// YAML, read as the JSON of the same values.
        Yaml = "yaml",
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
        /// Football matches in football.txt, the text of openfootball.
        FootballText = "football-txt",
        /// A tournament report of FIDE: games of chess.
        Trf = "trf",
        /// A result table of the European Go Federation.
        H9 = "h9",
        /// Results of races in the XML of the International Orienteering Federation.
        IofXml = "iof-xml",
        /// A tournament of the Go program OpenGotha. No file extension implies it, since it is XML.
        OpenGotha = "opengotha",
        /// Results of a swimming meet in Lenex.
        Lenex = "lenex",
        /// Results of a swimming meet from HY-TEK Meet Manager.
        HyTek = "hy3",
    }
}

/// The formats that the ending of a file name implies.
const BY_ENDING: [FileFormat; 14] = [
    FileFormat::Json,
    FileFormat::Table,
    FileFormat::Xlsx,
    FileFormat::JsonLines,
    FileFormat::Yaml,
    FileFormat::Parquet,
    FileFormat::Xls,
    FileFormat::Ods,
    FileFormat::Pgn,
    FileFormat::Trf,
    FileFormat::H9,
    FileFormat::IofXml,
    FileFormat::Lenex,
    FileFormat::HyTek,
];

impl FileFormat {
    /// True if the results are rows of a table.
    #[must_use]
    pub const fn is_table(self) -> bool {
        matches!(
            self,
            Self::Table
                | Self::Tsv
                | Self::Markdown
                | Self::Html
                | Self::Xlsx
                | Self::Xls
                | Self::Ods
                | Self::JsonTable
                | Self::JsonLines
                | Self::Yaml
                | Self::Parquet
        )
    }

    /// Returns the format for a file name by its ending, in any case: `.json`; `.csv`, `.tsv`,
    /// `.txt`; `.xlsx`, `.xls`, `.ods`; `.jsonl`, `.ndjson`; `.yaml`, `.yml`; `.parquet`; `.pgn`; `.trf`, `.trfx`; `.h9`;
    /// `.xml`; `.lef`, `.lxf`; `.hy3`.
    /// `None` for other names. [`of_json`](Self::of_json) tells whether JSON is a table,
    /// [`of_text`](Self::of_text) whether text is one, [`of_xml`](Self::of_xml) which results are in
    /// XML.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        BY_ENDING.into_iter().find(|format| format.fits_file_name(name))
    }

    /// Returns the format for the file name of a table. `None` if such a file is no table.
    #[must_use]
    pub fn of_table_file(name: &str) -> Option<Self> {
        match Self::from_file_name(name)? {
            Self::Json => Some(Self::JsonTable),
            Self::Pgn
            | Self::Trf
            | Self::H9
            | Self::IofXml
            | Self::OpenGotha
            | Self::Lenex
            | Self::HyTek => None,
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
            Self::Yaml => &["yaml", "yml"],
            Self::Parquet => &["parquet"],
            Self::Table => &["csv", "tsv", "txt"],
            Self::Markdown => &["md", "markdown", "txt", "csv"],
            Self::Html => &["html", "htm", "xhtml"],
            Self::Tsv => &["tsv", "csv", "txt"],
            Self::Xlsx => &["xlsx"],
            Self::Xls => &["xls"],
            Self::Ods => &["ods"],
            Self::Pgn => &["pgn"],
            Self::FootballText => &["txt"],
            Self::Trf => &["trf", "trfx", "txt"],
            Self::H9 => &["h9", "h2", "h0", "txt"],
            Self::IofXml | Self::OpenGotha => &["xml"],
            Self::Lenex => &["lef", "lxf", "xml"],
            Self::HyTek => &["hy3", "txt"],
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
            Self::Yaml => "application/yaml",
            Self::Parquet => "application/vnd.apache.parquet",
            Self::Table => "text/csv",
            Self::Markdown => "text/markdown",
            Self::Html => "text/html",
            Self::Tsv => "text/tab-separated-values",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Xls => "application/vnd.ms-excel",
            Self::Ods => "application/vnd.oasis.opendocument.spreadsheet",
            Self::Pgn => "application/vnd.chess-pgn",
            Self::FootballText | Self::Trf | Self::H9 | Self::HyTek => "text/plain",
            Self::IofXml | Self::OpenGotha | Self::Lenex => "application/xml",
        }
    }
}

impl FileFormat {
    /// Returns the format of a text document by its beginning: [`Pgn`](Self::Pgn), [`Trf`](Self::Trf),
    /// [`H9`](Self::H9), [`HyTek`](Self::HyTek), [`FootballText`](Self::FootballText),
    /// [`Html`](Self::Html), [`Markdown`](Self::Markdown),
    /// [`JsonLines`](Self::JsonLines), one of [`of_json`](Self::of_json) or [`of_xml`](Self::of_xml),
    /// else [`Table`](Self::Table).
    #[must_use]
    pub fn of_text(bytes: &[u8]) -> Self {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        let beginning = &text[..text.len().min(SEARCHED_BYTES)];
        if text.starts_with(b"[Event \"") {
            Self::Pgn
        } else if [&b"<?xml"[..], b"<ResultList", b"<Tournament", b"<LENEX"]
            .iter()
            .any(|s| text.starts_with(s))
        {
            Self::of_xml(text)
        } else if is_html(text) {
            Self::Html
        } else if let Some(json) = find_json_format(text) {
            json
        } else if is_trf(beginning) {
            Self::Trf
        } else if is_h9(beginning) {
            Self::H9
        } else if is_hytek(beginning) {
            Self::HyTek
        } else if is_football_text(beginning) {
            Self::FootballText
        } else if is_markdown(beginning) {
            Self::Markdown
        } else {
            Self::Table
        }
    }

    /// Returns the format of a document that is named like Markdown: [`Html`](Self::Html) if it has no
    /// other tables.
    #[must_use]
    pub fn of_markdown(bytes: &[u8]) -> Self {
        let tag = b"<table";
        let has_tag = || bytes.windows(tag.len()).any(|run| run.eq_ignore_ascii_case(tag));
        if !is_markdown(bytes) && has_tag() {
            Self::Html
        } else {
            Self::Markdown
        }
    }

    /// Returns the format of a document that is named `.xls`: [`Html`](Self::Html) if it is a page, as
    /// which many sites export tables for Excel.
    #[must_use]
    pub fn of_xls(bytes: &[u8]) -> Self {
        if is_html(bytes) {
            Self::Html
        } else {
            Self::Xls
        }
    }

    /// Returns the format of XML by the name of its first element; [`IofXml`](Self::IofXml) if it is
    /// another.
    #[must_use]
    pub fn of_xml(bytes: &[u8]) -> Self {
        let beginning = &bytes[..bytes.len().min(SEARCHED_BYTES)];
        // Tags of instructions, comments and document types begin with ? or !.
        let mut tags = beginning.split(|byte| *byte == b'<').skip(1);
        let root = tags.find(|tag| tag.first().is_some_and(u8::is_ascii_alphabetic));
        let name = root.and_then(|tag| tag.split(|byte| !byte.is_ascii_alphanumeric()).next());
        match name {
            Some(b"LENEX") => Self::Lenex,
            Some(b"Tournament") => Self::OpenGotha,
            _ => Self::IofXml,
        }
    }
}

/// The bytes at the beginning of a text that tell its format.
const SEARCHED_BYTES: usize = 16 << 10;

/// True if the bytes begin like HTML. Servers also answer so in place of a table.
pub(crate) fn is_html(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    [&b"<!doctype html"[..], b"<html", b"<table"]
        .iter()
        .any(|tag| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag)))
}

/// Returns the format of JSON or JSON Lines; `None` for a text that is neither. Text that begins like
/// an object is JSON even if it is broken.
fn find_json_format(text: &[u8]) -> Option<FileFormat> {
    let mut marks = text.iter().copied().filter(|byte| !byte.is_ascii_whitespace());
    let begins_object = match (marks.next()?, marks.next()?) {
        (b'{', mark) => mark == b'"',
        (b'[', mark) => mark == b'{',
        _ => return None,
    };
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    let is_object = text.starts_with(b"{");
    match (values.next()?, values.next()) {
        (Ok(_), Some(Ok(_))) if is_object => Some(FileFormat::JsonLines),
        (Ok(_), None) => Some(FileFormat::of_json(text)),
        _ => begins_object.then(|| FileFormat::of_json(text)),
    }
}

/// True if the text begins with the name of a tournament or a player, and has players.
fn is_trf(text: &[u8]) -> bool {
    let is_player = |line: &[u8]| line.starts_with(b"001 ") && line.len() > MIN_TRF_PLAYER;
    let mut lines = text.split(|byte| matches!(byte, b'\r' | b'\n'));
    (text.starts_with(b"012 ") || text.starts_with(b"001 ")) && lines.any(is_player)
}

/// The columns of a player in a report before the points.
const MIN_TRF_PLAYER: usize = 80;

/// True if the text has headings of a table with a ruler below them.
fn is_markdown(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let before = std::iter::once("").chain(text.lines());
    let mut lines = before.zip(text.lines()).zip(text.lines().skip(1));
    lines.any(|((before, headings), ruler)| is_ruler_below(ruler, [before, headings]))
}

/// True if the text begins with a header such as `; EV[Harbour Open]`.
fn is_h9(text: &[u8]) -> bool {
    let lines = text.split(|byte| matches!(byte, b'\r' | b'\n'));
    let mut header = lines.take_while(|line| line.starts_with(b";"));
    header.any(|line| {
        let tag = line[1..].trim_ascii_start();
        [b"EV[", b"DT[", b"HA["].iter().any(|start| tag.starts_with(*start))
    })
}

/// True if the first line is that of a HY-TEK file: `A107Results From MM to TM    Hy-Tek, Ltd`.
fn is_hytek(text: &[u8]) -> bool {
    let first_line = text.split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
    let vendor = b"Hy-Tek";
    first_line.strip_prefix(b"A1").is_some_and(|rest| {
        let has_type = rest.len() > 2 && rest[..2].iter().all(u8::is_ascii_digit);
        has_type && rest.windows(vendor.len()).any(|run| run == vendor)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginning_tells_format_of_text() {
        let player = format!("001    1      Lark, Ada{}", " ".repeat(70));
        for (text, format) in [
            ("[Event \"x\"]", FileFormat::Pgn),
            ("\u{feff}\r\n[Event \"x\"]", FileFormat::Pgn),
            ("[event],name\n", FileFormat::Table),
            ("place,name\n", FileFormat::Table),
            ("", FileFormat::Table),
            (&format!("012 Harbour Open\r{player}\r"), FileFormat::Trf),
            (&player, FileFormat::Trf),
            ("012 Harbour Open\n001 Ada\n", FileFormat::Table),
            ("001 Ada;1\n002 Bea;2\n", FileFormat::Table),
            ("; CL[A]\n;EV[Harbour Open]\n", FileFormat::H9),
            ("; place,name\n", FileFormat::Table),
            ("A107Results From MM to TM    Hy-Tek, Ltd\r\nB1", FileFormat::HyTek),
            ("A1,Ada\nA2,Hy-Tek", FileFormat::Table),
            ("A107Ada\nHy-Tek", FileFormat::Table),
            ("# Cup\n| a | b |\n|--:|---|\n| 1 | 2 |\n", FileFormat::Markdown),
            ("a|b\n1|2\n---|---\n", FileFormat::Markdown),
            ("a|b\n1|-\n-|-\n", FileFormat::Table),
            ("<?xml version=\"1.0\"?>", FileFormat::IofXml),
            ("<?xml version=\"1.0\"?>\n<!-- x --><Tournament a=\"b\">", FileFormat::OpenGotha),
            ("<Tournament>", FileFormat::OpenGotha),
            ("<LENEX version=\"3.0\">", FileFormat::Lenex),
            ("<Tournaments>", FileFormat::IofXml),
            (" <!DOCTYPE HTML>\n<p>", FileFormat::Html),
            ("<table class=\"x\">", FileFormat::Html),
            ("{ \"Ada\": {\"wins\": 1} }", FileFormat::JsonTable),
            ("[{\"time_seconds\": 1}]", FileFormat::Json),
            ("{\"place\": 1}\n{\"place\": 2}\n", FileFormat::JsonLines),
            ("{\"place\": 1,", FileFormat::Json),
            ("[Event] Cup\n1. Ada\n", FileFormat::Table),
            ("[[\"Ada\", 1]]", FileFormat::Json),
            ("[1],Ada\n[2],Bea\n", FileFormat::Table),
        ] {
            assert_eq!(FileFormat::of_text(text.as_bytes()), format, "{text}");
        }
    }

    #[test]
    fn tables_of_html_are_found_in_other_files() {
        let page = b"# Cup\n\n<TABLE><tr><td>1</td></tr></TABLE>\n";
        assert_eq!(FileFormat::of_markdown(page), FileFormat::Html);
        assert_eq!(FileFormat::of_markdown(b"a|b\n---|---\n<table>"), FileFormat::Markdown);
        assert_eq!(FileFormat::of_markdown(b"# Cup\n"), FileFormat::Markdown);
        assert_eq!(FileFormat::of_xls(b"\n<html xmlns:x>"), FileFormat::Html);
        assert_eq!(FileFormat::of_xls(b"\xd0\xcf\x11\xe0"), FileFormat::Xls);
    }

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
            ("x.YML", Some(FileFormat::Yaml)),
            ("x.parquet", Some(FileFormat::Parquet)),
            ("x.xls", Some(FileFormat::Xls)),
            ("x.Ods", Some(FileFormat::Ods)),
            ("x.PGN", Some(FileFormat::Pgn)),
            ("x.trfx", Some(FileFormat::Trf)),
            ("x.h9", Some(FileFormat::H9)),
            ("x.xml", Some(FileFormat::IofXml)),
            ("x.LXF", Some(FileFormat::Lenex)),
            ("x.HY3", Some(FileFormat::HyTek)),
            ("x.dat", None),
            ("json", None),
            ("", None),
        ] {
            assert_eq!(FileFormat::from_file_name(name), format, "{name}");
        }
    }
}
