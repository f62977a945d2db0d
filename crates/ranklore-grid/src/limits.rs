//! Limits of readers, which bound the memory of a reading.

use crate::document::MAX_DOCUMENT_BYTES;

/// The most results of a new document: four times the rows of a worksheet.
pub const MAX_RESULTS: usize = 4 << 20;

/// The reader that read a document when it was imported, from the oldest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArchivedBy {
    /// A reader that recognised no headings of competitor ids, and took the years 30 to 69 for 2030 to
    /// 2069 and 2024.10 for a month.
    WithoutIds,
    /// A reader that read rows with more cells than headings, the other contests of documents whose
    /// dates have several readings, and ids in JSON in place of the objects that have them.
    WithoutDoubts,
    /// A reader of new documents.
    Current,
}

impl ArchivedBy {
    /// True if headings of competitor ids are recognised.
    #[must_use]
    pub fn recognises_ids(self) -> bool {
        self > Self::WithoutIds
    }

    /// True if the years 30 to 69 are 2030 to 2069, and 2024.10 is a month.
    #[must_use]
    pub fn guesses_dates(self) -> bool {
        self == Self::WithoutIds
    }

    /// True if a row with more cells than headings and a date with several readings refuse what they
    /// belong to.
    #[must_use]
    pub fn refuses_doubts(self) -> bool {
        self > Self::WithoutDoubts
    }

    /// True if rows of JSON are joined with the objects that they name by ids.
    #[must_use]
    pub fn joins_objects(self) -> bool {
        self > Self::WithoutDoubts
    }
}

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
    /// The reader that reads the document, or read it when it was imported.
    pub reader: ArchivedBy,
}

impl ReadLimits {
    /// The limits of a new document.
    pub const NEW: Self = Self {
        results: MAX_RESULTS,
        cells: 16 << 20,
        sheet_bytes: 128 << 20,
        row_bytes: 1 << 20,
        shared_bytes: 64 << 20,
        reader: ArchivedBy::Current,
    };

    /// The limits of an archived document, which may be older than those of new ones: a rebuild
    /// reads what was imported.
    pub const ARCHIVED: Self = Self {
        results: u32::MAX as usize,
        cells: u32::MAX as usize,
        sheet_bytes: 2 * MAX_DOCUMENT_BYTES,
        row_bytes: MAX_DOCUMENT_BYTES,
        shared_bytes: MAX_DOCUMENT_BYTES,
        reader: ArchivedBy::WithoutIds,
    };
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self::NEW
    }
}
