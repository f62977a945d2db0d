//! Tables in which persons are blanked.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::forget::CannotRedact;
use crate::forget::{Blank, Edit, Reach, ask, blank_between_quotes};
use crate::options::ReadOptions;
use crate::reading::Layout;
use crate::table::columns::Meaning;
use crate::table::formats::raw_cells::each_cell;
use crate::table::formats::sheet;
use crate::table::formats::text::{DELIMITERS, Lines, decode, detect, separator_line};
use crate::table::grid::{letters, trim};

/// What separates names where no rule is kept.
const SEPARATORS: &[char] = &[',', ';', '\t', '|', '"', '\r', '\n'];

/// The same and what else encloses names; it may be part of a name as well.
const PUNCTUATION: &[char] = &[
    ',', ';', '\t', '|', '"', '\r', '\n', '[', ']', '{', '}', ':', '\0',
];

/// What the reader takes the cells of a column for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Persons,
    /// Contests, teams, places, …
    Claimed,
    Unread,
}

/// Says which cells of a table may hold a person.
struct Asked {
    reach: Reach,
    /// The line of the headings; none where no table was found.
    header_line: Option<u64>,
    roles: Vec<Role>,
}

impl Asked {
    fn of(layout: Option<&Layout>, reach: Reach) -> Self {
        let mut roles = Vec::new();
        for column in layout.iter().flat_map(|layout| &layout.columns) {
            while letters(roles.len()) != column.letters {
                roles.push(Role::Unread);
            }
            // In a wide table of teams the column of competitors is one of teams.
            let teams = matches!(Meaning::of(&column.heading), Some((Meaning::Team, _)));
            roles.push(match column.meaning {
                None => Role::Unread,
                Some(word) if word == Meaning::Competitor.word() && !teams => Role::Persons,
                Some(_) => Role::Claimed,
            });
        }
        Self {
            reach,
            header_line: layout.map(|layout| layout.header_line),
            roles,
        }
    }

    fn may_be(&self, line: u64, column: usize) -> bool {
        let role = self.roles.get(column).copied().unwrap_or(Role::Unread);
        match self.header_line {
            Some(header) if line == header => {
                self.reach == Reach::Everything && role == Role::Unread
            }
            Some(header) if line > header => {
                self.reach == Reach::Everything || role != Role::Claimed
            }
            _ => true,
        }
    }
}

/// Blanks cells of a text table where they stand. Nothing if none was blanked.
pub(crate) fn redact_text(
    bytes: &[u8],
    layout: &Layout,
    reach: Reach,
    blank: Blank<'_>,
) -> Option<Vec<u8>> {
    let (text, _) = decode(bytes).ok()?;
    let (table, first_line, stated) = separator_line(&text);
    let delimiter = stated.or_else(|| detect(table).ok())?;
    let asked = Asked::of(Some(layout), reach);
    let blanked = blank_cells(table, first_line, delimiter, &asked, blank)?;
    let before = &text[..text.len() - table.len()];
    Some(encode(bytes, &(before.to_owned() + &blanked)))
}

fn blank_cells(
    text: &str,
    first_line: u64,
    delimiter: u8,
    asked: &Asked,
    blank: Blank<'_>,
) -> Option<String> {
    let mut edit = Edit::new(text.as_bytes());
    let mut lines = Lines::new(text, first_line);
    let mut line = first_line;
    each_cell(text, delimiter, |cell| {
        if cell.column == 0 {
            (line, _) = lines.row(cell.range.start, cell.range.start);
        }
        if asked.may_be(line, cell.column)
            && let Some(by) = ask(blank, trim(cell.value))
        {
            edit.replace(cell.range.clone(), &like(&text[cell.range.clone()], by));
        }
    });
    edit.finish_text()
}

/// A blank in the quotes of the cell it stands for, and with its line ends, so that all lines
/// behind it keep their numbers.
fn like(raw: &str, blank: String) -> String {
    let raw = raw.trim();
    if raw.len() < 2 || !raw.starts_with('"') || !raw.ends_with('"') {
        return blank;
    }
    let line_ends: String = raw.chars().filter(|c| matches!(c, '\r' | '\n')).collect();
    format!("\"{blank}{line_ends}\"")
}

/// Blanks names in what is no table: between quotes, in cells split by any delimiter, and
/// between any two marks. Nothing if none was blanked.
pub(crate) fn redact_scraps(
    bytes: &[u8],
    blank: Blank<'_>,
) -> Result<Option<Vec<u8>>, CannotRedact> {
    let (text, is_text) = match decode(bytes) {
        Ok((text, _)) if !text.contains('\0') => (text, true),
        _ => (WINDOWS_1252.decode(bytes).0, false),
    };
    let asked = Asked::of(None, Reach::Everything);
    let mut blanked = blank_between_quotes(&text, blank);
    for delimiter in DELIMITERS {
        let text = blanked.as_deref().unwrap_or(&text);
        blanked = blank_cells(text, 1, delimiter, &asked, blank).or(blanked);
    }
    for marks in [SEPARATORS, PUNCTUATION] {
        let text = blanked.as_deref().unwrap_or(&text);
        blanked = blank_between(marks, text, blank).or(blanked);
    }
    if is_text {
        Ok(blanked.map(|text| encode(bytes, &text)))
    } else {
        Err(CannotRedact {
            mentions: blanked.is_some(),
            why: "this is neither text nor a workbook, so names cannot be told in it".to_owned(),
        })
    }
}

fn blank_between(marks: &[char], text: &str, blank: Blank<'_>) -> Option<String> {
    let mut edit = Edit::new(text.as_bytes());
    let mut begin = 0;
    for part in text.split_inclusive(marks) {
        let inner = part.trim_end_matches(marks);
        let name = trim(inner);
        if let Some(by) = ask(blank, name) {
            let from = begin + inner.find(name).unwrap_or_default();
            edit.replace(from..from + name.len(), &by);
        }
        begin += part.len();
    }
    edit.finish_text()
}

/// The text in the encoding of these bytes.
fn encode(like: &[u8], text: &str) -> Vec<u8> {
    let with_mark = |mark: usize, bytes: &mut dyn Iterator<Item = u8>| {
        like[..mark].iter().copied().chain(bytes).collect()
    };
    match Encoding::for_bom(like) {
        Some((encoding, mark)) if encoding == UTF_16LE => {
            with_mark(mark, &mut text.encode_utf16().flat_map(u16::to_le_bytes))
        }
        Some((encoding, mark)) if encoding == UTF_16BE => {
            with_mark(mark, &mut text.encode_utf16().flat_map(u16::to_be_bytes))
        }
        Some((_, mark)) => [&like[..mark], text.as_bytes()].concat(),
        None if std::str::from_utf8(like).is_ok() => text.as_bytes().to_vec(),
        None => {
            let (latin, _, failed) = WINDOWS_1252.encode(text);
            // Bytes that are UTF-8 by accident would be read as such.
            if failed || std::str::from_utf8(&latin).is_ok() {
                text.as_bytes().to_vec()
            } else {
                latin.into_owned()
            }
        }
    }
}

/// A sheet as a text table.
pub(crate) struct SheetAsText {
    pub(crate) csv: Vec<u8>,
    /// Whether a cell of it was blanked.
    pub(crate) blanked: bool,
}

/// Writes the sheet that is read as a text table with cells blanked; nothing where the sheet
/// cannot be read.
pub(crate) fn redact_workbook(
    bytes: &[u8],
    options: &ReadOptions,
    layout: Option<&Layout>,
    reach: Reach,
    blank: Blank<'_>,
) -> Option<SheetAsText> {
    let grid = sheet::grid(bytes, options.sheet.as_deref()).ok()?;
    let asked = Asked::of(layout, reach);
    // Stated, the delimiter need not be found.
    let mut writer = csv::WriterBuilder::new()
        .flexible(true)
        .from_writer(b"sep=,\n".to_vec());
    let mut blanked = false;
    for row in 0..grid.rows() {
        for (column, cell) in grid.cells(row).enumerate() {
            let by = (asked.may_be(grid.line(row), column))
                .then(|| ask(blank, cell))
                .flatten();
            blanked |= by.is_some();
            match by {
                Some(by) => writer.write_field(by),
                None => writer.write_field(without_controls(cell)),
            }
            .ok()?;
        }
        writer.write_record(None::<&[u8]>).ok()?;
    }
    let csv = writer.into_inner().ok()?;
    Some(SheetAsText { csv, blanked })
}

/// A text table can hold no control characters.
fn without_controls(cell: &str) -> String {
    cell.chars()
        .filter(|c| !c.is_control() || c.is_whitespace())
        .collect()
}
