//! Reads one sheet of a workbook into a grid.

use std::io::{self, Cursor, Read};

use calamine::{DataRef, ExcelDateTime, Reader, Xlsx};

use super::text::too_many_columns;
use crate::reading::{FileReadError, Location, MAX_DOCUMENT_BYTES};
use crate::table::grid::{CellGrid, MAX_COLUMNS, column_letters};

/// Reads a sheet of a workbook into a grid: the one with this name, else the first.
pub(crate) fn read_sheet(bytes: &[u8], sheet: Option<&str>) -> Result<CellGrid, FileReadError> {
    check_unpacked_size(bytes, MAX_DOCUMENT_BYTES)?;
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
                "the workbook has no sheet {sheet:?}; its sheets: {}",
                names.join(", ")
            ))
        })?,
        None => names
            .first()
            .ok_or_else(|| FileReadError::whole_document("the workbook has no sheets"))?,
    };
    // Read cell by cell: calamine's ranges are dense, and two cells far apart would exhaust memory.
    let mut cells = workbook.worksheet_cells_reader(name).map_err(corrupt)?;
    let mut grid = CellGrid::default();
    grid.sheet = Some(name.clone());
    grid.notes.push(format!("the sheet is {name:?}"));
    let mut last: Option<(u32, u32)> = None;
    let mut text = String::new();
    while let Some(cell) = cells.next_cell().map_err(corrupt)? {
        let (row, column) = cell.get_position();
        let here = |why: String| {
            let at = format!(
                "{name}!{}{}",
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
            return Err(too_many_columns(u64::from(row) + 1, column as usize + 1));
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
                grid.begin_row(u64::from(row) + 1);
                0
            }
        };
        let blanks = (from..column).all(|_| grid.push_cell(""));
        if !(blanks && grid.push_cell(&text)) {
            return Err(here("the sheet is too long".to_owned()));
        }
        last = Some((row, column));
    }
    grid.drop_blank_row();
    Ok(grid)
}

/// Unpacks the archive into a sink and errors if it exceeds the limit. Declared sizes may be wrong,
/// so the bytes are counted. calamine uses the same crate to unpack, so both see the same entries.
fn check_unpacked_size(bytes: &[u8], limit: usize) -> Result<(), FileReadError> {
    let corrupt = || {
        FileReadError::whole_document(
            "this is not an .xlsx workbook, or it is broken: open it and save it again as .xlsx",
        )
    };
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|_| corrupt())?;
    let mut left = limit as u64;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|_| corrupt())?;
        let unpacked =
            io::copy(&mut entry.take(left + 1), &mut io::sink()).map_err(|_| corrupt())?;
        left = left.checked_sub(unpacked).ok_or_else(|| {
            FileReadError::whole_document(format!(
                "the workbook unpacks to more than the limit of {limit} bytes"
            ))
        })?;
    }
    Ok(())
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
            return Err(format!("{value:?} is a duration; format the cell as text"));
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
        assert_eq!(check_unpacked_size(&honest, 100_000), Ok(()));
        let error = check_unpacked_size(&honest, 99_999)
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
        assert!(check_unpacked_size(&lying, 50_000).is_err());
    }

    #[test]
    fn non_workbook_is_reported() {
        for bytes in [&b""[..], b"PK", b"name,place\nAda,1"] {
            let error = read_sheet(bytes, None).err().unwrap().to_string();
            assert!(error.contains("not an .xlsx workbook"), "{error}");
        }
        let error = read_sheet(&zip_archive(10), None)
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains("cannot be read"), "{error}");
    }
}
