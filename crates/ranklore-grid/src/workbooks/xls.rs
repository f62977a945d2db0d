//! Reads the cells of .xls workbooks (Excel 5 to 2003). calamine's reader of these takes memory for
//! stated sizes, panics on truncated records, and does not end on a circle of sectors.

use std::collections::BTreeMap;
use std::io::Read;

use calamine::{CellErrorType, DataRef, ExcelDateTime, ExcelDateTimeType};

use super::sheet::{Sheet, SheetCells, Workbook, encrypted, no_workbook, unreadable};
use super::xls_formats::{built_in_format, parse_format};
use super::xls_records::{
    BiffRecord, BiffRecords, SharedTexts, TextForm, TextReader, encoding_of_code_page, kind,
};
use super::zip::BoundedReads;
use crate::document::FileReadError;
use crate::limits::ReadLimits;

const ENDING: &str = ".xls";

/// The first bytes of a compound file, the container of .xls and of encrypted workbooks.
const COMPOUND_FILE_SIGNATURE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// The names of the stream of records, of Excel 97 and Excel 5.
const STREAMS: [&str; 2] = ["Workbook", "Book"];

pub(super) type CompoundFile<'b> = cfb::CompoundFile<BoundedReads<'b>>;

/// Errors if these bytes, which should be a workbook with this ending, are a compound file: a
/// workbook that is encrypted or has the wrong ending.
pub(super) fn check_no_compound_file(bytes: &[u8], ending: &str) -> Result<(), FileReadError> {
    if !bytes.starts_with(COMPOUND_FILE_SIGNATURE) {
        return Ok(());
    }
    let file = CompoundFile::open(BoundedReads::new(bytes)).map_err(|_| no_workbook(ending))?;
    Err(if file.is_stream("EncryptedPackage") {
        encrypted()
    } else if STREAMS.iter().any(|name| file.is_stream(name)) {
        FileReadError::whole_document(
            "this is an .xls workbook: rename it to .xls, or pass --format xls",
        )
    } else {
        no_workbook(ending)
    })
}

/// Returns the stream of records, if there is one.
fn read_stream(file: &mut CompoundFile<'_>) -> Option<Vec<u8>> {
    let name = STREAMS.into_iter().find(|name| file.is_stream(name))?;
    let mut stream = Vec::new();
    file.open_stream(name).ok()?.read_to_end(&mut stream).ok()?;
    Some(stream)
}

pub(super) struct XlsWorkbook {
    stream: Vec<u8>,
    globals: Globals,
    limits: ReadLimits,
    /// The bytes of the stream that may still be read: sheets can overlap.
    left: usize,
}

/// The records before the first sheet.
#[derive(Default)]
struct Globals {
    sheets: Vec<Sheet>,
    /// The offset of each sheet in the stream.
    starts: Vec<usize>,
    form: Option<TextForm>,
    is_1904: bool,
    /// The kind of date that each cell style shows.
    formats: Vec<Option<ExcelDateTimeType>>,
    shared: SharedTexts,
}

impl XlsWorkbook {
    pub(super) fn open(bytes: &[u8], limits: ReadLimits) -> Result<Self, FileReadError> {
        if bytes.starts_with(b"PK\x03\x04") {
            return Err(FileReadError::whole_document(
                "this is no .xls workbook, but one of a newer form: rename it to .xlsx or .ods, or \
                 pass --format xlsx or --format ods",
            ));
        }
        let mut file =
            CompoundFile::open(BoundedReads::new(bytes)).map_err(|_| no_workbook(ENDING))?;
        if file.is_stream("EncryptedPackage") {
            return Err(encrypted());
        }
        let stream = read_stream(&mut file).ok_or_else(|| no_workbook(ENDING))?;
        let globals = Globals::read(&stream, limits)?;
        Ok(Self {
            left: 2 * stream.len(),
            stream,
            globals,
            limits,
        })
    }
}

impl Globals {
    fn read(stream: &[u8], limits: ReadLimits) -> Result<Self, FileReadError> {
        let broken = || unreadable(".xlsx");
        let mut globals = Self::default();
        let mut code_page = 1252;
        let mut styles = Vec::new();
        let mut formats = BTreeMap::new();
        for record in (BiffRecords { stream, at: 0 }) {
            let read = match record.kind {
                kind::BEGIN => globals.read_version(record, code_page),
                kind::ENCRYPTION => return Err(encrypted()),
                kind::CODE_PAGE => record.u16_at(0).map(|page| {
                    code_page = page;
                    if let Some(TextForm::CodePage(encoding)) = &mut globals.form {
                        *encoding = encoding_of_code_page(page);
                    }
                }),
                kind::DATE_MODE => record.u16_at(0).map(|mode| globals.is_1904 = mode == 1),
                kind::CELL_STYLE => record.u16_at(2).map(|format| styles.push(format)),
                kind::FORMAT => {
                    let format = globals.read_format(record, stream);
                    formats.extend(format);
                    format.map(|_| ())
                }
                kind::SHEET => globals.read_sheet(record, stream),
                kind::SHARED_TEXTS => {
                    globals.shared = SharedTexts::read(record, stream, limits)?;
                    Some(())
                }
                kind::END => break,
                _ => Some(()),
            };
            read.ok_or_else(broken)?;
        }
        if globals.form.is_none() {
            return Err(no_workbook(ENDING));
        }
        globals.formats = styles
            .into_iter()
            .map(|id| formats.get(&id).copied().unwrap_or_else(|| built_in_format(id)))
            .collect();
        Ok(globals)
    }

    fn read_version(&mut self, record: BiffRecord<'_>, code_page: u16) -> Option<()> {
        self.form = match record.u16_at(0)? {
            0x0500 => Some(TextForm::CodePage(encoding_of_code_page(code_page))),
            0x0600 => Some(TextForm::Unicode),
            _ => None,
        };
        self.form.map(drop)
    }

    fn read_format(
        &self,
        record: BiffRecord<'_>,
        stream: &[u8],
    ) -> Option<(u16, Option<ExcelDateTimeType>)> {
        let mut code = String::new();
        let mut reader = TextReader::new(record, 2, stream)?;
        match self.form? {
            form @ TextForm::CodePage(_) => reader.read_short(form, &mut code)?,
            form @ TextForm::Unicode => reader.read_long(form, &mut code)?,
        }
        Some((record.u16_at(0)?, parse_format(&code)))
    }

    fn read_sheet(&mut self, record: BiffRecord<'_>, stream: &[u8]) -> Option<()> {
        let [state, content] = record.u16_at(4)?.to_le_bytes();
        // Charts, macros and code are no sheets of cells.
        if content == 0 {
            let mut name = String::new();
            TextReader::new(record, 6, stream)?.read_short(self.form?, &mut name)?;
            self.sheets.push(Sheet {
                name,
                is_hidden: state & 3 != 0,
            });
            self.starts.push(record.u32_at(0)? as usize);
        }
        Some(())
    }
}

impl Workbook for XlsWorkbook {
    fn sheets(&self) -> &[Sheet] {
        &self.globals.sheets
    }

    fn read_cells(&mut self, sheet: usize, cells: &mut SheetCells) -> Result<(), FileReadError> {
        let mut text = String::new();
        for (row, column, at) in self.find_cells(self.globals.starts[sheet])? {
            let value = self
                .read_value(at as usize, column, &mut text)
                .ok_or_else(|| cells.error(row.into(), column.into(), "the cell is broken"))?;
            cells.push_value(row.into(), column.into(), &value)?;
        }
        Ok(())
    }
}

/// A cell: its row, its column, and the offset of its record. The order is that of the sheet.
type CellAddress = (u16, u16, u32);

impl XlsWorkbook {
    /// Returns the cells of the sheet at this offset. Some programs write them column by column.
    fn find_cells(&mut self, start: usize) -> Result<Vec<CellAddress>, FileReadError> {
        let mut cells = Vec::new();
        // Charts lie within a sheet and have cells of their own.
        let mut depth = 0;
        let records = BiffRecords {
            stream: &self.stream,
            at: start,
        };
        for record in records {
            let size = 4 + record.data.len();
            let left = self.left.checked_sub(size);
            self.left = left.ok_or_else(|| unreadable(".xlsx"))?;
            let count = match record.kind {
                kind::BEGIN => {
                    depth += 1;
                    continue;
                }
                kind::END if depth <= 1 => {
                    cells.sort_unstable();
                    return Ok(cells);
                }
                kind::END => {
                    depth -= 1;
                    continue;
                }
                _ if depth != 1 => continue,
                kind::NUMBER
                | kind::SHORT_NUMBER
                | kind::TEXT
                | kind::RICH_TEXT
                | kind::SHARED_TEXT
                | kind::BOOL_OR_ERROR
                | kind::FORMULA => 1,
                kind::NUMBERS => (record.data.len() / 6).saturating_sub(1),
                _ => continue,
            };
            push_cells(&mut cells, record, count).ok_or_else(|| unreadable(".xlsx"))?;
            if cells.len() > self.limits.cells {
                let limit = self.limits.cells;
                return Err(FileReadError::whole_document(format!(
                    "the table has more than {limit} cells: split it into several files"
                )));
            }
        }
        Err(unreadable(".xlsx"))
    }

    /// Returns the value of the cell in this column whose record is at this offset.
    fn read_value<'t>(
        &'t self,
        at: usize,
        column: u16,
        text: &'t mut String,
    ) -> Option<DataRef<'t>> {
        let stream = &self.stream[..];
        let mut records = BiffRecords { stream, at };
        let record = records.next()?;
        let format = |at| record.u16_at(at).map(|style| self.format(style));
        text.clear();
        Some(match record.kind {
            kind::NUMBER => self.number(record.f64_at(6)?, format(4)?),
            kind::SHORT_NUMBER => self.number(short_number(record.u32_at(6)?), format(4)?),
            kind::NUMBERS => {
                let index = column.checked_sub(record.u16_at(2)?)?;
                let at = 4 + 6 * usize::from(index);
                self.number(short_number(record.u32_at(at + 2)?), format(at)?)
            }
            kind::SHARED_TEXT => DataRef::SharedString(self.globals.shared.get(record.u32_at(6)?)?),
            kind::BOOL_OR_ERROR => match record.u16_at(6)?.to_le_bytes() {
                [value, 0] => DataRef::Bool(value != 0),
                [code, _] => error_value(code)?,
            },
            kind::FORMULA => match record.data.get(6..14)? {
                [2, _, code, _, _, _, 0xff, 0xff] => error_value(*code)?,
                [1, _, value, _, _, _, 0xff, 0xff] => DataRef::Bool(*value != 0),
                [0, _, _, _, _, _, 0xff, 0xff] => {
                    // The records that describe a shared formula are before its text.
                    let skipped = [
                        kind::SHARED_FORMULA,
                        kind::ARRAY,
                        kind::DATA_TABLE,
                        kind::CONTINUE,
                    ];
                    let next = records.find(|next| !skipped.contains(&next.kind));
                    let formula_text = next.filter(|next| next.kind == kind::FORMULA_TEXT)?;
                    TextReader::new(formula_text, 0, stream)?
                        .read_long(self.globals.form?, text)?;
                    DataRef::SharedString(text)
                }
                [_, _, _, _, _, _, 0xff, 0xff] => DataRef::Empty,
                _ => self.number(record.f64_at(6)?, format(4)?),
            },
            _ => {
                TextReader::new(record, 6, stream)?.read_long(self.globals.form?, text)?;
                DataRef::SharedString(text)
            }
        })
    }

    fn format(&self, style: u16) -> Option<ExcelDateTimeType> {
        self.globals.formats.get(usize::from(style)).copied().flatten()
    }

    fn number(&self, value: f64, format: Option<ExcelDateTimeType>) -> DataRef<'static> {
        let is_1904 = self.globals.is_1904;
        format.map_or(DataRef::Float(value), |kind| {
            DataRef::DateTime(ExcelDateTime::new(value, kind, is_1904))
        })
    }
}

fn push_cells(cells: &mut Vec<CellAddress>, record: BiffRecord<'_>, count: usize) -> Option<()> {
    let row = record.u16_at(0)?;
    let first = record.u16_at(2)?;
    let at = u32::try_from(record.at).ok()?;
    for index in 0..count {
        let column = first.checked_add(u16::try_from(index).ok()?)?;
        cells.push((row, column, at));
    }
    Some(())
}

/// Decodes a number of four bytes: a float or an integer, divided by 100 or not.
fn short_number(bits: u32) -> f64 {
    let value = if bits & 2 == 0 {
        f64::from_bits(u64::from(bits & !3) << 32)
    } else {
        f64::from((bits as i32) >> 2)
    };
    if bits & 1 == 0 { value } else { value / 100.0 }
}

fn error_value(code: u8) -> Option<DataRef<'static>> {
    Some(DataRef::Error(match code {
        0x00 => CellErrorType::Null,
        0x07 => CellErrorType::Div0,
        0x0f => CellErrorType::Value,
        0x17 => CellErrorType::Ref,
        0x1d => CellErrorType::Name,
        0x24 => CellErrorType::Num,
        0x2a => CellErrorType::NA,
        0x2b => CellErrorType::GettingData,
        _ => return None,
    }))
}
