//! Reads one sheet of a workbook into a grid.

use std::io::{BufRead, BufReader, Cursor, Read};

use calamine::{DataRef, ExcelDateTime, Reader, Xlsx};

use super::text::too_many_columns;
use crate::limits::ReadLimits;
use crate::reading::{FileReadError, Location, MAX_DOCUMENT_BYTES};
use crate::table::grid::{CellGrid, MAX_COLUMNS, column_letters};
use crate::zip_directory::{MAX_WORKBOOK_ENTRIES, check_zip_directory};
use ranklore_contest::{Quoted, shorten};

/// Reads a sheet of a workbook into a grid: the one with this name, else the first.
pub(crate) fn read_sheet(
    bytes: &[u8],
    sheet: Option<&str>,
    limits: ReadLimits,
) -> Result<CellGrid, FileReadError> {
    check_unpacked(bytes, MAX_DOCUMENT_BYTES, limits)?;
    let corrupt = |_: calamine::XlsxError| {
        FileReadError::whole_document(
            "this workbook cannot be read: open it and save it again as .xlsx",
        )
    };
    let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(corrupt)?;
    let names = workbook.sheet_names();
    let name = match sheet {
        Some(sheet) => names.iter().find(|name| *name == sheet).ok_or_else(|| {
            FileReadError::whole_document(format!(
                "the workbook has no sheet {}; its sheets: {}",
                Quoted(sheet),
                list_sheets(&names)
            ))
        })?,
        None => names
            .first()
            .ok_or_else(|| FileReadError::whole_document("the workbook has no sheets"))?,
    };
    // Read cell by cell: calamine's ranges are dense, and two cells far apart would exhaust memory.
    let mut cells = workbook.worksheet_cells_reader(name).map_err(corrupt)?;
    let mut grid = CellGrid::new(limits);
    let shown = shorten(name).into_owned();
    grid.notes.push(format!("the sheet is {}", Quoted(name)));
    let mut last: Option<(u32, u32)> = None;
    let mut text = String::new();
    while let Some(cell) = cells.next_cell().map_err(corrupt)? {
        let (row, column) = cell.get_position();
        let here = |why: String| {
            let at = format!(
                "{shown}!{}{}",
                column_letters(column as usize),
                row.saturating_add(1)
            );
            FileReadError::new(Location::Cell(at), why)
        };
        text.clear();
        write_value(&mut text, cell.get_value()).map_err(here)?;
        if text.is_empty() {
            continue;
        }
        if column as usize >= MAX_COLUMNS {
            return Err(too_many_columns(u64::from(row) + 1));
        }
        let from = match last {
            Some((last_row, last_column)) if last_row == row && last_column < column => {
                last_column + 1
            }
            Some((last_row, _)) if last_row >= row => {
                return Err(here("the cells of the sheet are out of order".to_owned()));
            }
            _ => {
                grid.drop_blank_row();
                grid.begin_row(u64::from(row) + 1).map_err(here)?;
                0
            }
        };
        let mut blanks = from..column;
        (blanks.try_for_each(|_| grid.push_cell("")))
            .and_then(|()| grid.push_cell(&text))
            .map_err(here)?;
        last = Some((row, column));
    }
    grid.drop_blank_row();
    grid.sheet = Some(shown);
    Ok(grid)
}

/// The number of sheets that a message lists.
const MAX_LISTED_SHEETS: usize = 10;

fn list_sheets(names: &[String]) -> String {
    let listed = names.iter().take(MAX_LISTED_SHEETS);
    let mut listed: Vec<_> = listed.map(|name| shorten(name)).collect();
    if names.len() > MAX_LISTED_SHEETS {
        listed.push(format!("and {} more", names.len() - MAX_LISTED_SHEETS).into());
    }
    listed.join(", ")
}

/// Unpacks the archive into nothing and errors if it exceeds a limit. Declared sizes may be wrong,
/// so the bytes are counted. calamine uses the same crate to unpack, so both see the same entries.
fn check_unpacked(bytes: &[u8], limit: usize, limits: ReadLimits) -> Result<(), FileReadError> {
    let corrupt = || {
        FileReadError::whole_document(
            "this is not an .xlsx workbook, or it is broken: open it and save it again as .xlsx",
        )
    };
    check_zip_directory(&mut Cursor::new(bytes), MAX_WORKBOOK_ENTRIES).map_err(|_| corrupt())?;
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|_| corrupt())?;
    let mut left = limit as u64;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|_| corrupt())?;
        let name = entry.name().to_ascii_lowercase();
        let is_shared = name.ends_with("sharedstrings.xml");
        let mut markup = MarkupScan::default();
        let mut unpacked = BufReader::new(entry.take(left + 1));
        loop {
            let part = unpacked.fill_buf().map_err(|_| corrupt())?;
            let length = part.len();
            if length == 0 {
                break;
            }
            left = left.checked_sub(length as u64).ok_or_else(|| {
                FileReadError::whole_document(format!(
                    "the workbook unpacks to more than the limit of {limit} bytes"
                ))
            })?;
            markup.scan(part);
            markup.check(is_shared, limits)?;
            unpacked.consume(length);
        }
    }
    Ok(())
}

/// Sizes in a part of a workbook that decide how much memory calamine takes for it.
#[derive(Default)]
struct MarkupScan {
    is_markup: bool,
    bytes: usize,
    tags: usize,
    /// The bytes since the last tag began, and the most there were.
    since_tag: usize,
    longest: usize,
}

impl MarkupScan {
    fn scan(&mut self, part: &[u8]) {
        // Pictures are no markup, which begins with a tag, white space or the mark of UTF-8.
        if self.bytes == 0 {
            let begins = |byte: &u8| matches!(byte, b'<' | 0xef) || byte.is_ascii_whitespace();
            self.is_markup = part.first().is_some_and(begins);
        }
        self.bytes += part.len();
        if !self.is_markup {
            return;
        }
        for (index, piece) in part.split(|&byte| byte == b'<').enumerate() {
            if index > 0 {
                self.tags += 1;
                self.since_tag = 0;
            }
            self.since_tag += piece.len();
            self.longest = self.longest.max(self.since_tag);
        }
    }

    fn check(&self, is_shared: bool, limits: ReadLimits) -> Result<(), FileReadError> {
        if self.longest > limits.row_bytes {
            return Err(FileReadError::whole_document(format!(
                "the workbook has a cell of more than {} MiB: shorten it",
                limits.row_bytes >> 20
            )));
        }
        // A shared text has four tags, and takes about 60 bytes besides its characters.
        if is_shared && (self.bytes > limits.shared_bytes || self.tags / 4 > limits.results) {
            return Err(FileReadError::whole_document(format!(
                "the cells of the workbook have more than {} MiB or {} different texts: \
                 save the sheet as CSV, or split it",
                limits.shared_bytes >> 20,
                limits.results
            )));
        }
        Ok(())
    }
}

/// Writes the value in the form of a text table: decimal points, ISO dates.
fn write_value(text: &mut String, value: &DataRef<'_>) -> Result<(), String> {
    use std::fmt::Write as _;
    let written = match value {
        DataRef::Empty => Ok(()),
        DataRef::String(value) | DataRef::DateTimeIso(value) => text.write_str(value),
        DataRef::SharedString(value) => text.write_str(value),
        DataRef::Int(value) => write!(text, "{value}"),
        DataRef::Float(value) => {
            let written = write!(text, "{value}");
            // In text, 1.234 may mean a thousand; in a numeric cell it does not.
            if text
                .split_once('.')
                .is_some_and(|(_, decimals)| decimals.len() == 3)
            {
                text.push('0');
            }
            written
        }
        DataRef::Bool(value) => write!(text, "{value}"),
        DataRef::DateTime(value) => return write_time(text, value),
        DataRef::DurationIso(value) => {
            return Err(format!(
                "{} is a duration; format the cell as text",
                Quoted(value)
            ));
        }
        DataRef::Error(error) => write!(text, "{error}"),
    };
    // Writing to a string cannot fail.
    written.map_err(|error| error.to_string())
}

fn write_time(text: &mut String, value: &ExcelDateTime) -> Result<(), String> {
    use std::fmt::Write as _;
    let serial = value.as_f64();
    if !serial.is_finite() || !(0.0..3_000_000.0).contains(&serial) {
        return Err(format!("{serial} is not a date"));
    }
    // A cell that shows only a time of day is in effect a duration.
    let written = if value.is_duration() || serial < 1.0 {
        let milliseconds = (serial * 86_400_000.0).round() as u64;
        let (seconds, fraction) = (milliseconds / 1000, milliseconds % 1000);
        let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        match fraction {
            0 => write!(text, "{h}:{m:02}:{s:02}"),
            _ => write!(text, "{h}:{m:02}:{s:02}.{fraction:03}"),
        }
    } else {
        let (year, month, day, h, m, s, _) = value.to_ymd_hms_milli();
        match (h, m, s) {
            (0, 0, 0) => write!(text, "{year:04}-{month:02}-{day:02}"),
            _ => write!(text, "{year:04}-{month:02}-{day:02} {h:02}:{m:02}:{s:02}"),
        }
    };
    written.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn zip_archive(size: usize) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .compression_level(Some(6));
        writer.start_file("xl/workbook.xml", options).unwrap();
        writer.write_all(&vec![b' '; size]).unwrap();
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn oversized_workbook_is_refused() {
        let honest = zip_archive(100_000);
        assert!(honest.len() < 1_000);
        assert_eq!(check_unpacked(&honest, 100_000, ReadLimits::NEW), Ok(()));
        let error = check_unpacked(&honest, 99_999, ReadLimits::NEW)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("more than the limit of 99999 bytes"),
            "{error}"
        );
        // The declared size is at offset 24 of the central directory entry.
        let mut lying = honest;
        let entry = lying.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
        lying[entry + 24..entry + 28].copy_from_slice(&10_u32.to_le_bytes());
        assert!(check_unpacked(&lying, 50_000, ReadLimits::NEW).is_err());
    }

    #[test]
    fn long_texts_of_workbooks_are_refused_before_they_are_read() {
        let limits = ReadLimits {
            row_bytes: 1_000,
            shared_bytes: 10_000,
            results: 100,
            ..ReadLimits::NEW
        };
        let scan = |parts: &[&[u8]], is_shared| {
            let mut markup = MarkupScan::default();
            for part in parts {
                markup.scan(part);
            }
            markup.check(is_shared, limits)
        };
        let half = [b'x'; 600];
        assert!(scan(&[b"<v>", &half, b"</v><v>", &half], false).is_ok());
        assert!(scan(&[b"<v>", &half, &half], false).is_err());
        let many = b"<si><t>a</t></si>".repeat(101);
        assert!(scan(&[&many], false).is_ok());
        assert!(scan(&[&many], true).is_err());
        let long = b"<si><t>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".repeat(200);
        assert!(scan(&[&long], false).is_ok());
        assert!(scan(&[&long], true).is_err());
    }

    #[test]
    fn non_workbook_is_reported() {
        for bytes in [&b""[..], b"PK", b"name,place\nAda,1"] {
            let error = read_sheet(bytes, None, ReadLimits::NEW)
                .err()
                .unwrap()
                .to_string();
            assert!(error.contains("not an .xlsx workbook"), "{error}");
        }
        let error = read_sheet(&zip_archive(10), None, ReadLimits::NEW)
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains("cannot be read"), "{error}");
    }
}
