//! Sheets of workbooks, whatever the format of the workbook: their names, and their cells as a grid.

use calamine::{DataRef, ExcelDateTime, ExcelDateTimeType};

use crate::document::{FileReadError, Location};
use crate::grid::{CellGrid, MAX_COLUMNS, column_letters, list_names};
use crate::limits::ReadLimits;
use crate::lists::end_decimal;
use crate::text::too_many_columns;
use ranklore_contest::{Quoted, shorten};

/// A workbook whose sheets can be read one at a time.
pub trait Workbook {
    /// Returns the sheets of cells, in the order of the workbook.
    fn sheets(&self) -> &[Sheet];

    /// Reads the cells of the sheet with this index, row by row.
    ///
    /// # Errors
    /// [`FileReadError`] if the sheet is broken, or exceeds the limits.
    fn read_cells(&mut self, sheet: usize, cells: &mut SheetCells) -> Result<(), FileReadError>;
}

/// A sheet of a workbook.
#[derive(Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The name.
    pub name: String,
    /// True if the spreadsheet program does not show it.
    pub is_hidden: bool,
}

/// Reads a sheet into a grid.
///
/// # Errors
/// [`FileReadError`] if the sheet is broken, or exceeds the limits.
pub fn read_sheet(
    workbook: &mut dyn Workbook,
    sheet: usize,
    limits: ReadLimits,
) -> Result<CellGrid, FileReadError> {
    let mut cells = SheetCells::new(&workbook.sheets()[sheet].name, limits);
    workbook.read_cells(sheet, &mut cells)?;
    Ok(cells.into_grid())
}

/// The number of sheets that a message lists.
const MAX_LISTED_SHEETS: usize = 10;

/// Lists the names of sheets for a message.
pub fn list_sheets<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    list_names(names.map(shorten), MAX_LISTED_SHEETS)
}

/// The error for a workbook that its reader does not understand.
pub(super) fn unreadable(ending: &str) -> FileReadError {
    FileReadError::whole_document(format!(
        "this workbook cannot be read: open it and save it again as {ending}"
    ))
}

/// The error for a document that is no workbook of this format.
pub(super) fn no_workbook(ending: &str) -> FileReadError {
    FileReadError::whole_document(format!(
        "this is not an {ending} workbook, or it is broken: open it and save it again as {ending}"
    ))
}

/// The error for a workbook with a password.
pub(super) fn encrypted() -> FileReadError {
    FileReadError::whole_document(
        "the workbook is encrypted: open it and save it again without a password",
    )
}

/// The cells of a sheet, which a reader adds row by row and from left to right.
pub struct SheetCells {
    /// The cells, and the name of the sheet for locations.
    grid: CellGrid,
    last: Option<(u32, u32)>,
    text: String,
}

impl SheetCells {
    pub(super) fn new(name: &str, limits: ReadLimits) -> Self {
        let mut grid = CellGrid::new(limits);
        grid.sheet = Some(shorten(name).into_owned());
        Self {
            grid,
            last: None,
            text: String::new(),
        }
    }

    /// Adds a value. Empty cells between two values are added by themselves.
    pub(super) fn push_value(
        &mut self,
        row: u32,
        column: u32,
        value: &DataRef<'_>,
    ) -> Result<(), FileReadError> {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        let outcome = write_value(&mut text, value)
            .map_err(|reason| self.error(row, column, reason))
            .and_then(|()| self.push_text(row, column, &text));
        self.text = text;
        outcome
    }

    /// Adds a text, as [`push_value`](Self::push_value) does.
    pub(super) fn push_text(
        &mut self,
        row: u32,
        column: u32,
        text: &str,
    ) -> Result<(), FileReadError> {
        if text.is_empty() {
            return Ok(());
        }
        if column as usize >= MAX_COLUMNS {
            return Err(too_many_columns(u64::from(row) + 1));
        }
        self.grid
            .check_length(text, "the cell")
            .map_err(|reason| self.error(row, column, reason))?;
        let from = match self.last {
            Some((last_row, last_column)) if last_row == row && last_column < column => {
                last_column + 1
            }
            Some(last) if last == (row, column) => {
                return Err(self.error(row, column, "the sheet has this cell twice"));
            }
            Some((last_row, _)) if last_row >= row => {
                return Err(self.error(row, column, "the cells of the sheet are out of order"));
            }
            _ => {
                self.grid.drop_blank_row();
                self.grid
                    .begin_row(u64::from(row) + 1)
                    .map_err(|reason| self.error(row, column, reason))?;
                0
            }
        };
        let mut blank_columns = from..column;
        blank_columns
            .try_for_each(|_| self.grid.push_cell(""))
            .and_then(|()| self.grid.push_cell(text))
            .map_err(|reason| self.error(row, column, reason))?;
        self.last = Some((row, column));
        Ok(())
    }

    /// Returns the error for a cell.
    pub(super) fn error(&self, row: u32, column: u32, reason: impl Into<String>) -> FileReadError {
        let letters = column_letters(column as usize);
        let sheet = self.grid.sheet.as_deref().unwrap_or_default();
        let cell = format!("{sheet}!{letters}{}", u64::from(row) + 1);
        FileReadError::new(Location::Cell(cell), reason)
    }

    /// Returns the limits of the sheet.
    pub(super) const fn limits(&self) -> ReadLimits {
        self.grid.limits()
    }

    fn into_grid(mut self) -> CellGrid {
        self.grid.drop_blank_row();
        self.grid
    }
}

/// Writes the value in the form of a text table: decimal points, ISO dates.
pub(super) fn write_value(text: &mut String, value: &DataRef<'_>) -> Result<(), String> {
    use std::fmt::Write as _;
    let written = match value {
        DataRef::Empty => Ok(()),
        DataRef::String(value) | DataRef::DateTimeIso(value) => text.write_str(value),
        DataRef::SharedString(value) => text.write_str(value),
        DataRef::Int(value) => write!(text, "{value}"),
        DataRef::Float(value) => {
            let written = write!(text, "{value}");
            end_decimal(text);
            written
        }
        DataRef::Bool(value) => write!(text, "{value}"),
        DataRef::DateTime(value) => return write_time(text, value),
        DataRef::DurationIso(value) => {
            let quoted = Quoted(value);
            return Err(format!("{quoted} is a duration; format the cell as text"));
        }
        DataRef::Error(error) => write!(text, "{error}"),
    };
    // Writing to a string cannot fail.
    written.map_err(|error| error.to_string())
}

fn write_time(text: &mut String, value: &ExcelDateTime) -> Result<(), String> {
    let serial = value.as_f64();
    if !serial.is_finite() || !(MIN_SERIAL..3_000_000.0).contains(&serial) {
        return Err(format!("{serial} is not a date"));
    }
    if serial < 0.0 {
        // Those of the epoch 1904 are no dates in Excel, and a negative time of day is none.
        let is_early = *value == ExcelDateTime::new(serial, ExcelDateTimeType::DateTime, false);
        return if is_early && serial <= -1.0 {
            write_early_date(text, serial)
        } else {
            Err(format!("{serial} is not a date"))
        };
    }
    // A cell that shows only a time of day is in effect a duration.
    if value.is_duration() || serial < 1.0 {
        write_duration(text, (serial * 86_400_000.0).round() as u64);
        return Ok(());
    }
    let (year, month, day, h, m, s, _) = value.to_ymd_hms_milli();
    write_date(text, i64::from(year), (month, day), (h, m, s));
    Ok(())
}

/// The serial number of 1583-01-01, before which no contest lies.
const MIN_SERIAL: f64 = -115_780.0;

/// Writes a date before 1899-12-30, the epoch of serial numbers.
fn write_early_date(text: &mut String, serial: f64) -> Result<(), String> {
    let epoch = jiff::civil::date(1899, 12, 30).at(0, 0, 0, 0);
    let seconds = (serial * 86_400.0).round() as i64;
    let time = epoch
        .checked_add(jiff::SignedDuration::from_secs(seconds))
        .map_err(|_| format!("{serial} is not a date"))?;
    let day = (time.month(), time.day());
    let clock = (time.hour(), time.minute(), time.second());
    write_date(text, i64::from(time.year()), day, clock);
    Ok(())
}

/// Writes a duration of milliseconds.
pub(super) fn write_duration(text: &mut String, milliseconds: u64) {
    let seconds = milliseconds / 1000;
    let hours = seconds / 3600;
    let minutes = seconds / 60 % 60;
    let clock = format!("{hours}:{minutes:02}:{:02}", seconds % 60);
    text.push_str(&clock);
    let fraction = milliseconds % 1000;
    if fraction > 0 {
        let decimals = format!(".{fraction:03}");
        text.push_str(&decimals);
    }
}

/// Writes a date, and the time of day unless it is midnight.
pub(super) fn write_date<N: std::fmt::Display>(
    text: &mut String,
    year: i64,
    (month, day): (N, N),
    (h, m, s): (N, N, N),
) {
    let date = format!("{year:04}-{month:02}-{day:02}");
    let time = format!("{h:02}:{m:02}:{s:02}");
    text.push_str(&date);
    if time != "00:00:00" {
        text.push(' ');
        text.push_str(&time);
    }
}
