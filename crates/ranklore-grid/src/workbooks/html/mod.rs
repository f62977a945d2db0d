//! Reads the tables of HTML pages, and of Markdown with HTML: each is a sheet, named by its caption or
//! the heading above it.

mod cells;

use std::cell::RefCell;
use std::collections::HashSet;

use encoding_rs::Encoding;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use self::cells::{TableBuilder, TableCells, is_hidden};
use super::markdown::{MAX_TABLES, too_many_tables, unique_name};
use super::sheet::{Sheet, SheetCells, Workbook};
use crate::document::FileReadError;
use crate::encodings::decode_text;
use crate::limits::ReadLimits;

/// The bytes that the tokenizer gets at once.
const CHUNK_BYTES: usize = 64 << 10;

/// The bytes at the beginning of a page that state its encoding, as in HTML.
const MAX_META_BYTES: usize = 1_024;

/// The most tables within each other.
const MAX_NESTING: usize = 16;

/// The longest title of a table in bytes.
const MAX_TITLE_BYTES: usize = 1_000;

/// A page with its tables.
pub(super) struct HtmlTables {
    sheets: Vec<Sheet>,
    tables: Vec<TableCells>,
}

impl HtmlTables {
    pub(super) fn open(bytes: &[u8], limits: ReadLimits) -> Result<Self, FileReadError> {
        let text = decode_page(bytes)?;
        let reader = PageReader::new(limits);
        let tokenizer = Tokenizer::new(PageSink(RefCell::new(reader)), TokenizerOpts::default());
        let input = BufferQueue::default();
        let mut rest = &*text;
        while !rest.is_empty() && tokenizer.sink.0.borrow().failure.is_none() {
            let (chunk, behind) = rest.split_at(rest.ceil_char_boundary(CHUNK_BYTES));
            input.push_back(chunk.into());
            let _ = tokenizer.feed(&input);
            rest = behind;
        }
        tokenizer.end();
        let reader = tokenizer.sink.0.into_inner();
        reader.failure.map_or(Ok(()), Err)?;
        if !reader.open_tables.is_empty() {
            let reason = "the page breaks off within a table: download it again";
            return Err(FileReadError::whole_document(reason));
        }
        let mut names = HashSet::new();
        let filled = reader.tables.into_iter().filter(|(_, table)| !table.cells.is_empty());
        let (sheets, tables) = filled
            .map(|(title, table)| {
                let name = unique_name(if title.is_empty() { "Table" } else { &title }, &mut names);
                let is_hidden = false;
                (Sheet { name, is_hidden }, table)
            })
            .unzip();
        Ok(Self { sheets, tables })
    }
}

impl Workbook for HtmlTables {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read_cells(&mut self, sheet: usize, cells: &mut SheetCells) -> Result<(), FileReadError> {
        let table = &self.tables[sheet];
        let mut start = 0;
        for &(row, column, end) in &table.cells {
            cells.push_text(row, column, &table.text[start..end])?;
            start = end;
        }
        Ok(())
    }
}

/// Decodes a page that is not UTF-8 from the encoding that it states, else from that of its letters.
fn decode_page(bytes: &[u8]) -> Result<String, FileReadError> {
    let beginning = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_META_BYTES)]);
    let label = beginning
        .split_once("charset=")
        .map(|(_, behind)| behind.trim_start_matches(['"', '\'']));
    let is_label = |c: char| c.is_ascii_alphanumeric() || "-_:".contains(c);
    let label = label.and_then(|label| label.split(|c| !is_label(c)).next());
    match label.and_then(|label| Encoding::for_label(label.as_bytes())) {
        Some(encoding) if std::str::from_utf8(bytes).is_err() => {
            Ok(encoding.decode(bytes).0.into_owned())
        }
        _ => Ok(decode_text(bytes.into())?.0),
    }
}

struct PageSink(RefCell<PageReader>);

impl TokenSink for PageSink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut reader = self.0.borrow_mut();
        match token {
            Token::CharacterTokens(text) => reader.push_text(&text),
            Token::TagToken(tag) => {
                let read = reader.read_tag(&tag);
                reader.failure = reader.failure.take().or(read.err());
                let kind = Some(&*tag.name).filter(|_| tag.kind == TagKind::StartTag);
                reader.raw = kind.and_then(raw_kind);
                if let Some(raw) = reader.raw {
                    return TokenSinkResult::RawData(raw);
                }
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// Returns the kind of the text in an element that shows none.
fn raw_kind(name: &str) -> Option<RawKind> {
    match name {
        "script" => Some(RawKind::ScriptData),
        "style" | "iframe" | "noembed" | "noframes" | "xmp" => Some(RawKind::Rawtext),
        "textarea" | "title" => Some(RawKind::Rcdata),
        _ => None,
    }
}

/// Collects the tables of a page.
struct PageReader {
    /// The heading above the next table.
    title: String,
    /// The text of a line outside of tables, of a heading after `#`, or of a caption.
    line: String,
    raw: Option<RawKind>,
    open_tables: Vec<OpenTable>,
    /// All tables in their order, with their titles.
    tables: Vec<(String, TableCells)>,
    limits: ReadLimits,
    failure: Option<FileReadError>,
}

/// A table that is not closed yet.
struct OpenTable {
    index: usize,
    builder: TableBuilder,
    is_in_caption: bool,
    /// True in a row that a browser does not show.
    skips_row: bool,
}

impl PageReader {
    const fn new(limits: ReadLimits) -> Self {
        Self {
            title: String::new(),
            line: String::new(),
            raw: None,
            open_tables: Vec::new(),
            tables: Vec::new(),
            limits,
            failure: None,
        }
    }

    fn read_tag(&mut self, tag: &Tag) -> Result<(), FileReadError> {
        let is_start = tag.kind == TagKind::StartTag;
        match &*tag.name {
            "table" if is_start => return self.open_table(),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if self.open_tables.is_empty() => {
                self.end_line();
                self.line.push_str(if is_start { "#" } else { "" });
                return Ok(());
            }
            _ => {}
        }
        let Some(table) = self.open_tables.last_mut() else {
            return Ok(());
        };
        let (title, cells) = &mut self.tables[table.index];
        match &*tag.name {
            "table" => {
                table.builder.end_row(cells)?;
                self.limits.cells = self.limits.cells.saturating_sub(table.builder.placed_cells);
                self.limits.sheet_bytes = self.limits.sheet_bytes.saturating_sub(cells.text.len());
                self.open_tables.pop();
            }
            "caption" => {
                let caption = std::mem::take(&mut self.line);
                if table.is_in_caption && !caption.trim().is_empty() {
                    caption.trim().clone_into(title);
                }
                table.is_in_caption = is_start;
            }
            "tr" => {
                table.builder.end_row(cells)?;
                table.skips_row = is_start && is_hidden(tag);
                if is_start && !table.skips_row {
                    table.builder.begin_row();
                }
            }
            "thead" | "tbody" | "tfoot" => table.builder.end_group(cells)?,
            "td" | "th" => {
                table.is_in_caption = false;
                table.builder.end_cell(cells)?;
                if is_start && !table.skips_row {
                    table.builder.begin_cell(tag);
                }
            }
            _ => table.builder.read_inner_tag(tag),
        }
        Ok(())
    }

    fn push_text(&mut self, text: &str) {
        if self.raw.is_some() {
            return;
        }
        match self.open_tables.last_mut() {
            Some(table) if !table.is_in_caption => table.builder.push_text(text),
            Some(_) => push_title(&mut self.line, text),
            None => {
                for part in text.split_inclusive('\n') {
                    push_title(&mut self.line, part);
                    // The line of a heading in Markdown.
                    if part.ends_with('\n') && !self.line.starts_with("#\n") {
                        self.end_line();
                    }
                }
            }
        }
    }

    /// Takes a line that begins with `#` as the title of the tables below it.
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if line.starts_with('#') {
            line.trim_matches(|c: char| c == '#' || c.is_whitespace())
                .clone_into(&mut self.title);
        }
    }

    fn open_table(&mut self) -> Result<(), FileReadError> {
        self.end_line();
        if self.tables.len() >= MAX_TABLES {
            return Err(too_many_tables());
        }
        if self.open_tables.len() >= MAX_NESTING {
            let reason = format!("more than {MAX_NESTING} tables are within each other");
            return Err(FileReadError::whole_document(reason));
        }
        self.open_tables.push(OpenTable {
            index: self.tables.len(),
            builder: TableBuilder::new(self.limits),
            is_in_caption: false,
            skips_row: false,
        });
        self.tables.push((self.title.clone(), TableCells::default()));
        Ok(())
    }
}

/// Appends a text to a title up to its limit.
fn push_title(title: &mut String, text: &str) {
    let room = MAX_TITLE_BYTES.saturating_sub(title.len());
    title.push_str(&text[..text.floor_char_boundary(room)]);
}

#[cfg(test)]
mod tests {
    use super::super::sheet::read_sheet;
    use super::*;

    /// Returns the names of the tables and their rows, with bars between cells.
    fn read(page: &str) -> Result<Vec<(String, Vec<String>)>, String> {
        let limits = ReadLimits::NEW;
        let mut tables =
            HtmlTables::open(page.as_bytes(), limits).map_err(|error| error.to_string())?;
        (0..tables.sheets().len())
            .map(|sheet| {
                let name = tables.sheets()[sheet].name.clone();
                let grid =
                    read_sheet(&mut tables, sheet, limits).map_err(|error| error.to_string())?;
                let rows =
                    (0..grid.row_count()).map(|row| grid.cells(row).collect::<Vec<_>>().join("|"));
                Ok((name, rows.collect()))
            })
            .collect()
    }

    fn rows(table: &str) -> Vec<String> {
        read(&format!("<table>{table}</table>")).unwrap().remove(0).1
    }

    #[test]
    fn tables_are_named_by_headings_and_captions() {
        let page = "<!doctype html><title>x</title><style>table{}</style><h2>Cup &amp; <b>Co</b></h2>\n\
                    <table><tr><th>Pos<th>Name<tr><td>1<td>Ann</table><p># no</p>\
                    <table><caption>Final</caption><tr><td>2</td></tr></table><table></table>\n\
                    ## Third ##\n\n<table><td>3</table>";
        let tables = read(page).unwrap();
        let names: Vec<&str> = tables.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["Cup & Co", "Final", "Third"]);
        assert_eq!(tables[0].1, ["Pos|Name", "1|Ann"]);
    }

    #[test]
    fn cells_are_what_a_browser_shows() {
        for (table, expected) in [
            ("<tr><td> Ann \n <b>Lark</b><td>A<br>B", "Ann Lark|A\nB"),
            ("<td>Ann<sup><a href='#f'>1</a></sup><td>1<sup>st</sup>", "Ann|1st"),
            ("<td>Ann<sup>2</sup><td>3<sup>1</sup>", "Ann|3 1"),
            (
                "<td>Ann<!-- x --><script>if (a<b) '</td>'</script><td>M&uuml;ller",
                "Ann|Müller",
            ),
            (
                "<td><span style='display: none'>0001</span>1<td><i hidden>x<i>y</i></i>Bo",
                "1|Bo",
            ),
            ("<td><p hidden>lost<td>Bo", "|Bo"),
        ] {
            assert_eq!(rows(table), [expected], "{table}");
        }
    }

    #[test]
    fn stated_encoding_decodes_page() {
        for (page, name) in [
            (&b"<meta charset=\"windows-1250\"><table><td>\xc8ern\xfd</table>"[..], "Černý"),
            (b"<meta charset=latin1><table><td>Zo\xc3\xab</table>", "Zoë"),
            (b"<table><td>Zo\xeb</table>", "Zoë"),
        ] {
            let mut tables = HtmlTables::open(page, ReadLimits::NEW).unwrap();
            let grid = read_sheet(&mut tables, 0, ReadLimits::NEW).unwrap();
            assert_eq!(grid.cell(0, 0), name);
        }
    }

    #[test]
    fn spanning_cells_reach_down_and_right() {
        let table = "<tr><th rowspan=2>Pos<th colspan=2>Race<th>Sum<tr><th>A<th>B\
                     <tr><td rowspan=2>1<td>5<td>6<td>11<tr><td>7<td>4<td>11<tr><td>3<td>1";
        assert_eq!(rows(table), ["Pos|Race||Sum", "Pos|A|B", "1|5|6|11", "1|7|4|11", "3|1"]);
        let groups = "<tbody><tr><td rowspan=0>1<td>a</tbody><tbody><tr><td>2<td>b</tbody>";
        assert_eq!(rows(groups), ["1|a", "2|b"]);
    }

    #[test]
    fn inner_tables_are_tables_of_their_own() {
        let page = "<table><tr><td>menu<td><table><tr><td>1<td>Ann</table>rest</table>";
        let tables = read(page).unwrap();
        assert_eq!(tables[0].1, ["menu|rest"]);
        assert_eq!(tables[1].1, ["1|Ann"]);
    }

    #[test]
    fn limits_apply() {
        let nested = "<table><td>".repeat(20) + &"</table>".repeat(20);
        assert!(read(&nested).unwrap_err().contains("16 tables are within each other"));
        let many = "<table><td>x</table>".repeat(5_000);
        assert!(read(&many).unwrap_err().contains("more than 4096 tables"));
        let wide = "<table><td colspan=1000>a<td colspan=1000>b<td>c</table>";
        assert!(read(wide).unwrap_err().contains("more than 2000 columns"));
        assert!(read("<table><td>1").unwrap_err().contains("breaks off within a table"));
        let long_text = "a".repeat(3_000);
        let rows = "<tr>".repeat(65_000);
        let tall = format!("<table><td rowspan=65534>{long_text}{rows}</table>");
        assert!(read(&tall).err().unwrap().contains("128 MiB of text"));
    }
}
