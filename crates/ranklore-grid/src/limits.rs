//! Limits of readers, which bound the memory of a reading.

use crate::document::MAX_DOCUMENT_BYTES;

/// The most results of a new document: four times the rows of a worksheet.
pub const MAX_RESULTS: usize = 4 << 20;

/// The limits that apply while a document is read. Rows and cells of a table count before anything
/// else is known about them, so that memory follows the limits and not the input.
#[derive(Clone, Copy, Debug)]
pub struct ReadLimits {
    /// The most rows of a table below its headings, and the most results of a document.
    pub results: usize,
    /// The most cells of a table, empty ones included.
    pub cells: usize,
    /// The most bytes of the cells of a workbook, which can share texts.
    pub sheet_bytes: usize,
    /// The most bytes of a row of a text table, and of a cell of a workbook.
    pub row_bytes: usize,
    /// The most bytes of the texts that the cells of a workbook share.
    pub shared_bytes: usize,
    /// True if headings of competitor ids are recognised. Older versions read such tables by name.
    pub recognises_ids: bool,
    /// True if the years 30 to 69 are 2030 to 2069, and 2024.10 is a month, as older versions read
    /// them.
    pub guesses_dates: bool,
    /// True if a row with more cells than headings and a date with several readings refuse what they
    /// belong to. Older versions read such rows, and the other contests of such documents.
    pub refuses_doubts: bool,
    /// True if rows of JSON are joined with the objects that they name by ids. Older versions read the
    /// ids.
    pub joins_objects: bool,
}

impl ReadLimits {
    /// The limits of a new document.
    pub const NEW: Self = Self {
        results: MAX_RESULTS,
        cells: 16 << 20,
        sheet_bytes: 128 << 20,
        row_bytes: 1 << 20,
        shared_bytes: 64 << 20,
        recognises_ids: true,
        guesses_dates: false,
        refuses_doubts: true,
        joins_objects: true,
    };

    /// The limits of an archived document, which may be older than those of new ones: a rebuild
    /// reads what was imported.
    pub const ARCHIVED: Self = Self {
        results: u32::MAX as usize,
        cells: u32::MAX as usize,
        sheet_bytes: 2 * MAX_DOCUMENT_BYTES,
        row_bytes: MAX_DOCUMENT_BYTES,
        shared_bytes: MAX_DOCUMENT_BYTES,
        recognises_ids: false,
        guesses_dates: true,
        refuses_doubts: false,
        joins_objects: false,
    };
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self::NEW
    }
}
