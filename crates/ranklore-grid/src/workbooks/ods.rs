//! Reads the cells of .ods workbooks. calamine's reader of these takes memory for repeated cells.

use std::collections::HashSet;
use std::io::{Cursor, Read};

use calamine::DataRef;
use jiff::civil::DateTime;
use jiff::{SignedDuration, Unit};
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::sheet::{
    Sheet, SheetCells, Workbook, encrypted, no_workbook, unreadable, write_date, write_duration,
    write_value,
};
use super::xls::check_no_compound_file;
use super::zip::check_unpacked;
use crate::document::{FileReadError, MAX_DOCUMENT_BYTES};
use crate::limits::ReadLimits;
use ranklore_contest::Quoted;

const ENDING: &str = ".ods";

/// The most elements within each other.
const MAX_DEPTH: usize = 200;

pub(super) struct OdsWorkbook {
    content: String,
    sheets: Vec<Sheet>,
    /// The offset of the tag that begins each sheet.
    starts: Vec<usize>,
}

impl OdsWorkbook {
    pub(super) fn open(bytes: &[u8], limits: ReadLimits) -> Result<Self, FileReadError> {
        check_no_compound_file(bytes, ENDING)?;
        check_unpacked(bytes, ENDING, MAX_DOCUMENT_BYTES, limits)?;
        let mut archive =
            zip::ZipArchive::new(Cursor::new(bytes)).map_err(|_| no_workbook(ENDING))?;
        // A part of an encrypted workbook has an entry of its key, or the whole is in one part.
        if archive.by_name("encrypted-package").is_ok() {
            return Err(encrypted());
        }
        let manifest = read_part(&mut archive, "META-INF/manifest.xml").unwrap_or_default();
        if manifest.contains("encryption-data") {
            return Err(encrypted());
        }
        let content = read_part(&mut archive, "content.xml").ok_or_else(|| no_workbook(ENDING))?;
        let mut workbook = Self {
            content,
            sheets: Vec::new(),
            starts: Vec::new(),
        };
        workbook.find_sheets()?;
        Ok(workbook)
    }

    fn find_sheets(&mut self) -> Result<(), FileReadError> {
        let mut elements = Elements::new(&self.content);
        let mut style = None;
        let mut hidden: HashSet<String> = HashSet::new();
        loop {
            let at = elements.position();
            match elements.next()? {
                Event::Start(tag) => match tag.name().as_ref() {
                    b"style:style" => style = attribute(&tag, b"style:name"),
                    b"style:table-properties" => {
                        let display = attribute(&tag, b"table:display");
                        if display.is_some_and(|display| display == "false") {
                            hidden.extend(style.take());
                        }
                    }
                    // Tables that are copies of other documents have no names.
                    b"table:dde-link" => elements.skip()?,
                    b"table:table" => {
                        let style = attribute(&tag, b"table:style-name");
                        self.sheets.push(Sheet {
                            name: attribute(&tag, b"table:name").unwrap_or_default(),
                            is_hidden: style.is_some_and(|style| hidden.contains(&style)),
                        });
                        self.starts.push(at);
                        elements.skip()?;
                    }
                    _ => {}
                },
                Event::Eof => return Ok(()),
                _ => {}
            }
        }
    }
}

/// Returns the text of a part of the archive, whose size is checked. `None` if it has none.
fn read_part(archive: &mut zip::ZipArchive<Cursor<&[u8]>>, name: &str) -> Option<String> {
    let mut text = String::new();
    let part = archive.by_name(name).ok()?;
    let mut part = part.take(MAX_DOCUMENT_BYTES as u64);
    part.read_to_string(&mut text).ok()?;
    Some(text)
}

impl Workbook for OdsWorkbook {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read_cells(&mut self, sheet: usize, cells: &mut SheetCells) -> Result<(), FileReadError> {
        let reader = SheetReader {
            elements: Elements::new(&self.content[self.starts[sheet]..]),
            row: 0,
            most_text: cells.limits().row_bytes,
            cells,
        };
        reader.read()
    }
}

/// The elements of a document, whose depth is bounded.
struct Elements<'c> {
    reader: Reader<&'c [u8]>,
    depth: usize,
}

impl<'c> Elements<'c> {
    fn new(content: &'c str) -> Self {
        let mut reader = Reader::from_str(content);
        reader.config_mut().expand_empty_elements = true;
        Self { reader, depth: 0 }
    }

    fn position(&self) -> usize {
        self.reader.buffer_position() as usize
    }

    fn next(&mut self) -> Result<Event<'c>, FileReadError> {
        let event = self.reader.read_event().map_err(|_| unreadable(ENDING))?;
        match event {
            Event::Start(_) if self.depth == MAX_DEPTH => return Err(unreadable(ENDING)),
            Event::Start(_) => self.depth += 1,
            Event::End(_) => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        Ok(event)
    }

    /// Returns the next tag that begins an element, `None` at the end of the element that is this
    /// deep.
    fn next_start(&mut self, outside: usize) -> Result<Option<BytesStart<'c>>, FileReadError> {
        loop {
            match self.next()? {
                Event::Start(tag) => return Ok(Some(tag)),
                Event::End(_) if self.depth == outside => return Ok(None),
                Event::Eof => return Err(unreadable(ENDING)),
                _ => {}
            }
        }
    }

    /// Skips the rest of the element that has begun last.
    fn skip(&mut self) -> Result<(), FileReadError> {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside {
            if matches!(self.next()?, Event::Eof) {
                return Err(unreadable(ENDING));
            }
        }
        Ok(())
    }
}

/// Returns the value of an attribute.
fn attribute(tag: &BytesStart<'_>, name: &[u8]) -> Option<String> {
    let mut attributes = tag.attributes();
    let mut unchecked = attributes.with_checks(false).flatten();
    let attribute = unchecked.find(|attribute| attribute.key.as_ref() == name)?;
    let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
    Some(value.into_owned())
}

/// Returns the number of times that a row or cell is repeated.
fn repeats(tag: &BytesStart<'_>, name: &[u8]) -> u32 {
    let count = attribute(tag, name).and_then(|count| count.parse::<u64>().ok());
    count.map_or(1, |count| u32::try_from(count).unwrap_or(u32::MAX))
}

struct SheetReader<'r, 'c> {
    elements: Elements<'c>,
    cells: &'r mut SheetCells,
    row: u32,
    /// The most bytes of a cell.
    most_text: usize,
}

/// A cell that is not empty: its first column, the times that it is repeated, and its text.
type RepeatedCell = (u32, u32, String);

impl SheetReader<'_, '_> {
    fn read(mut self) -> Result<(), FileReadError> {
        self.elements.next()?;
        while let Some(tag) = self.elements.next_start(0)? {
            match tag.name().as_ref() {
                b"table:table-row" => self.read_row(&tag)?,
                // Rows that are headings, or can be folded.
                b"table:table-header-rows" | b"table:table-rows" | b"table:table-row-group" => {}
                _ => self.elements.skip()?,
            }
        }
        Ok(())
    }

    fn read_row(&mut self, tag: &BytesStart<'_>) -> Result<(), FileReadError> {
        let outside = self.elements.depth - 1;
        let repeated = repeats(tag, b"table:number-rows-repeated");
        let mut row: Vec<RepeatedCell> = Vec::new();
        let mut column: u32 = 0;
        while let Some(tag) = self.elements.next_start(outside)? {
            if !matches!(tag.name().as_ref(), b"table:table-cell" | b"table:covered-table-cell") {
                self.elements.skip()?;
                continue;
            }
            let count = repeats(&tag, b"table:number-columns-repeated");
            let mut text = String::new();
            self.read_cell(&tag, column, &mut text)?;
            if !text.is_empty() {
                row.push((column, count, text));
            }
            column = column.saturating_add(count);
        }
        // Blank rows up to the end of the sheet are usual; filled ones count against the limits.
        if !row.is_empty() {
            for index in 0..repeated {
                for (first, count, text) in &row {
                    for column in 0..*count {
                        let column = first.saturating_add(column);
                        let row = self.row.saturating_add(index);
                        self.cells.push_text(row, column, text)?;
                    }
                }
            }
        }
        self.row = self.row.saturating_add(repeated);
        Ok(())
    }

    /// Writes the value of a cell: that of its attribute, or else its text.
    fn read_cell(
        &mut self,
        tag: &BytesStart<'_>,
        column: u32,
        text: &mut String,
    ) -> Result<(), FileReadError> {
        let is_error = attribute(tag, b"calcext:value-type").is_some_and(|kind| kind == "error");
        let kind = attribute(tag, b"office:value-type").unwrap_or_default();
        let name: &[u8] = match &*kind {
            "float" | "percentage" | "currency" => b"office:value",
            "date" => b"office:date-value",
            "time" => b"office:time-value",
            "boolean" => b"office:boolean-value",
            _ => b"office:string-value",
        };
        let Some(value) = attribute(tag, name).filter(|_| !is_error) else {
            return self.read_text(column, text);
        };
        self.elements.skip()?;
        let written = match &*kind {
            "float" | "percentage" | "currency" => match value.parse() {
                Ok(number) => write_value(text, &DataRef::Float(number)),
                Err(_) => Err(format!("{} is not a number", Quoted(&value))),
            },
            "date" => {
                write_iso_date(text, &value);
                Ok(())
            }
            "time" => write_iso_duration(text, &value),
            _ => {
                text.push_str(&value);
                Ok(())
            }
        };
        written.map_err(|reason| self.cells.error(self.row, column, reason))
    }

    /// Writes the paragraphs of a cell, without comments and drawings.
    fn read_text(&mut self, column: u32, text: &mut String) -> Result<(), FileReadError> {
        let outside = self.elements.depth - 1;
        let mut paragraphs = 0_usize;
        let mut is_within = false;
        loop {
            match self.elements.next()? {
                Event::Start(tag) => match tag.name().as_ref() {
                    b"text:p" | b"text:h" => {
                        text.push_str(if paragraphs == 0 { "" } else { "\n" });
                        paragraphs += 1;
                        is_within = true;
                    }
                    b"text:s" => {
                        let count = repeats(&tag, b"text:c") as usize;
                        text.extend(std::iter::repeat_n(' ', count.min(self.most_text + 1)));
                    }
                    b"text:tab" => text.push('\t'),
                    b"text:line-break" => text.push('\n'),
                    b"text:note" | b"text:ruby-text" => self.elements.skip()?,
                    name if !name.starts_with(b"text:") => self.elements.skip()?,
                    _ => {}
                },
                Event::Text(part) if is_within => {
                    push_collapsed(text, &part.decode().map_err(|_| unreadable(ENDING))?);
                }
                Event::CData(part) if is_within => {
                    push_collapsed(text, &part.decode().map_err(|_| unreadable(ENDING))?);
                }
                Event::GeneralRef(reference) if is_within => {
                    push_reference(text, &reference).ok_or_else(|| unreadable(ENDING))?;
                }
                Event::End(_) if self.elements.depth == outside => return Ok(()),
                Event::End(tag) if matches!(tag.name().as_ref(), b"text:p" | b"text:h") => {
                    is_within = false;
                }
                Event::Eof => return Err(unreadable(ENDING)),
                _ => {}
            }
            if text.len() > self.most_text {
                // The reader of cells says what the limit is.
                return self.cells.push_text(self.row, column, text);
            }
        }
    }
}

/// Adds a part of a text; white space between words counts once.
fn push_collapsed(text: &mut String, part: &str) {
    for char in part.chars() {
        if !matches!(char, ' ' | '\t' | '\n' | '\r') {
            text.push(char);
        } else if !text.is_empty() && !text.ends_with([' ', '\t', '\n']) {
            text.push(' ');
        }
    }
}

/// Adds what a reference stands for: a character by number, or one of the five of XML.
fn push_reference(text: &mut String, reference: &BytesRef<'_>) -> Option<()> {
    match reference.resolve_char_ref().ok()? {
        Some(char) => text.push(char),
        None => text.push_str(resolve_xml_entity(&reference.decode().ok()?)?),
    }
    Some(())
}

/// Writes a date such as `2024-03-01T19:30:00`, or the text as it is. Programs compute it from a
/// fraction of days, so that it is rounded to milliseconds.
fn write_iso_date(text: &mut String, value: &str) {
    let parsed = value.parse().ok();
    match parsed.and_then(|date: DateTime| date.round(Unit::Millisecond).ok()) {
        Some(date) => write_date(
            text,
            date.year().into(),
            (date.month(), date.day()),
            (date.hour(), date.minute(), date.second()),
        ),
        None => text.push_str(value),
    }
}

/// Writes a duration such as `PT12H34M56.7S`.
fn write_iso_duration(text: &mut String, value: &str) -> Result<(), String> {
    let duration: Option<SignedDuration> = value.parse().ok();
    let milliseconds = duration.map(|duration| (duration.as_secs_f64() * 1000.0).round());
    match milliseconds.filter(|count| (0.0..3_000_000.0 * 86_400_000.0).contains(count)) {
        Some(milliseconds) => {
            write_duration(text, milliseconds as u64);
            Ok(())
        }
        None => Err(format!("{} is not a time", Quoted(value))),
    }
}
