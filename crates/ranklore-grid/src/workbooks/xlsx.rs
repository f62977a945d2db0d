//! Reads the cells of .xlsx workbooks.

use calamine::{Reader, SheetType, SheetVisible, Xlsx};

use super::sheet::{Sheet, SheetCells, Workbook, unreadable};
use super::xls::check_no_compound_file;
use super::zip::{BoundedReads, check_unpacked};
use crate::document::{FileReadError, MAX_DOCUMENT_BYTES};
use crate::limits::ReadLimits;

const ENDING: &str = ".xlsx";

pub(super) struct XlsxWorkbook<'b> {
    workbook: Xlsx<BoundedReads<'b>>,
    sheets: Vec<Sheet>,
}

impl<'b> XlsxWorkbook<'b> {
    pub(super) fn open(bytes: &'b [u8], limits: ReadLimits) -> Result<Self, FileReadError> {
        check_no_compound_file(bytes, ENDING)?;
        check_unpacked(bytes, ENDING, MAX_DOCUMENT_BYTES, limits)?;
        let workbook = Xlsx::new(BoundedReads::new(bytes)).map_err(|_| unreadable(ENDING))?;
        let sheets = workbook
            .sheets_metadata()
            .iter()
            .filter(|sheet| sheet.typ == SheetType::WorkSheet)
            .map(|sheet| Sheet {
                name: sheet.name.clone(),
                is_hidden: sheet.visible != SheetVisible::Visible,
            })
            .collect();
        Ok(Self { workbook, sheets })
    }
}

impl Workbook for XlsxWorkbook<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read_cells(&mut self, sheet: usize, cells: &mut SheetCells) -> Result<(), FileReadError> {
        let name = &self.sheets[sheet].name;
        // Read cell by cell: calamine's ranges are dense, and two cells far apart would exhaust
        // memory.
        let reader = self.workbook.worksheet_cells_reader(name);
        let mut reader = reader.map_err(|_| unreadable(ENDING))?;
        while let Some(cell) = reader.next_cell().map_err(|_| unreadable(ENDING))? {
            let (row, column) = cell.get_position();
            cells.push_value(row, column, cell.get_value())?;
        }
        Ok(())
    }
}
