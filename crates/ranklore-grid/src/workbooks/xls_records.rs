//! The records of an .xls workbook (BIFF), and the texts in them.

use encoding_rs::{Encoding, WINDOWS_1252};

use super::sheet::unreadable;
use super::zip::too_many_texts;
use crate::document::FileReadError;
use crate::limits::ReadLimits;

/// The kinds of records that are read. A cell of text refers to a shared text or has its own.
pub(super) mod kind {
    pub(crate) const FORMULA: u16 = 0x0006;
    pub(crate) const END: u16 = 0x000a;
    pub(crate) const DATE_MODE: u16 = 0x0022;
    pub(crate) const ENCRYPTION: u16 = 0x002f;
    pub(crate) const CONTINUE: u16 = 0x003c;
    pub(crate) const CODE_PAGE: u16 = 0x0042;
    pub(crate) const SHEET: u16 = 0x0085;
    pub(crate) const NUMBERS: u16 = 0x00bd;
    pub(crate) const RICH_TEXT: u16 = 0x00d6;
    pub(crate) const CELL_STYLE: u16 = 0x00e0;
    pub(crate) const SHARED_TEXTS: u16 = 0x00fc;
    pub(crate) const SHARED_TEXT: u16 = 0x00fd;
    pub(crate) const NUMBER: u16 = 0x0203;
    pub(crate) const TEXT: u16 = 0x0204;
    pub(crate) const BOOL_OR_ERROR: u16 = 0x0205;
    pub(crate) const FORMULA_TEXT: u16 = 0x0207;
    pub(crate) const ARRAY: u16 = 0x0221;
    pub(crate) const DATA_TABLE: u16 = 0x0236;
    pub(crate) const SHORT_NUMBER: u16 = 0x027e;
    pub(crate) const FORMAT: u16 = 0x041e;
    pub(crate) const SHARED_FORMULA: u16 = 0x04bc;
    pub(crate) const BEGIN: u16 = 0x0809;

    const BLANKS: u16 = 0x00be;
    const BLANK: u16 = 0x0201;
    const ROW: u16 = 0x0208;

    /// The kinds that a sheet has for each row or cell, and that have no text of their own.
    pub(crate) const WITHOUT_TEXT: [u16; 8] = [
        SHARED_TEXT,
        NUMBER,
        SHORT_NUMBER,
        NUMBERS,
        BOOL_OR_ERROR,
        BLANK,
        BLANKS,
        ROW,
    ];
}

/// A record of a stream.
#[derive(Clone, Copy)]
pub(super) struct BiffRecord<'s> {
    pub(super) kind: u16,
    /// The offset in the stream.
    pub(super) at: usize,
    pub(super) data: &'s [u8],
}

impl BiffRecord<'_> {
    fn bytes_at<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.data.get(at..at + N)?.try_into().ok()
    }

    pub(super) fn u16_at(&self, at: usize) -> Option<u16> {
        self.bytes_at(at).map(u16::from_le_bytes)
    }

    pub(super) fn u32_at(&self, at: usize) -> Option<u32> {
        self.bytes_at(at).map(u32::from_le_bytes)
    }

    pub(super) fn f64_at(&self, at: usize) -> Option<f64> {
        self.bytes_at(at).map(f64::from_le_bytes)
    }
}

/// The records of a stream from an offset on. Ends at a truncated record.
#[derive(Clone)]
pub(super) struct BiffRecords<'s> {
    pub(super) stream: &'s [u8],
    pub(super) at: usize,
}

impl<'s> Iterator for BiffRecords<'s> {
    type Item = BiffRecord<'s>;

    fn next(&mut self) -> Option<BiffRecord<'s>> {
        let rest = self.stream.get(self.at..)?;
        let (&[kind, kind_high, length, length_high], rest) = rest.split_first_chunk()?;
        let length = u16::from_le_bytes([length, length_high]);
        let record = BiffRecord {
            kind: u16::from_le_bytes([kind, kind_high]),
            at: self.at,
            data: rest.get(..length.into())?,
        };
        self.at += 4 + record.data.len();
        Some(record)
    }
}

/// The form of texts, which differs between Excel 5 and Excel 97.
#[derive(Clone, Copy)]
pub(super) enum TextForm {
    /// Characters of a code page.
    CodePage(&'static Encoding),
    /// UTF-16, or its low bytes alone.
    Unicode,
}

/// Returns the encoding of a code page.
pub(super) fn encoding_of_code_page(page: u16) -> &'static Encoding {
    let label = match page {
        866 => "ibm866",
        874 => "windows-874",
        932 => "shift_jis",
        936 => "gbk",
        949 => "euc-kr",
        950 => "big5",
        1250..=1258 => &format!("windows-{page}"),
        10_000 | 0x8000 => "macintosh",
        _ => "windows-1252",
    };
    Encoding::for_label(label.as_bytes()).unwrap_or(WINDOWS_1252)
}

/// Reads texts, which can continue in the records that follow.
pub(super) struct TextReader<'s> {
    part: &'s [u8],
    records: BiffRecords<'s>,
    units: Vec<u16>,
}

impl<'s> TextReader<'s> {
    /// Starts at an offset of a record of this stream.
    pub(super) fn new(record: BiffRecord<'s>, offset: usize, stream: &'s [u8]) -> Option<Self> {
        Some(Self {
            part: record.data.get(offset..)?,
            records: BiffRecords {
                stream,
                at: record.at + 4 + record.data.len(),
            },
            units: Vec::new(),
        })
    }

    /// Goes on with the next record if it continues this one.
    fn continue_part(&mut self) -> Option<()> {
        let mut records = self.records.clone();
        let next = records.next().filter(|next| next.kind == kind::CONTINUE)?;
        self.records = records;
        self.part = next.data;
        Some(())
    }

    /// True if no bytes are left.
    fn is_at_end(&mut self) -> bool {
        while self.part.is_empty() {
            if self.continue_part().is_none() {
                return true;
            }
        }
        false
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        if self.is_at_end() {
            return None;
        }
        let (bytes, rest) = self.part.split_at_checked(N)?;
        self.part = rest;
        bytes.try_into().ok()
    }

    fn skip(&mut self, mut count: usize) -> Option<()> {
        while count > 0 {
            if self.is_at_end() {
                return None;
            }
            let skipped = count.min(self.part.len());
            self.part = &self.part[skipped..];
            count -= skipped;
        }
        Some(())
    }

    /// Reads a text with a length of one byte.
    pub(super) fn read_short(&mut self, form: TextForm, text: &mut String) -> Option<()> {
        let [length] = self.take()?;
        self.read_counted(length.into(), form, text)
    }

    /// Reads a text with a length of two bytes.
    pub(super) fn read_long(&mut self, form: TextForm, text: &mut String) -> Option<()> {
        let length = u16::from_le_bytes(self.take()?);
        self.read_counted(length.into(), form, text)
    }

    fn read_counted(&mut self, length: usize, form: TextForm, text: &mut String) -> Option<()> {
        match form {
            TextForm::CodePage(encoding) => {
                let (bytes, rest) = self.part.split_at_checked(length)?;
                self.part = rest;
                text.push_str(&encoding.decode_without_bom_handling(bytes).0);
                Some(())
            }
            TextForm::Unicode if length == 0 => Some(()),
            TextForm::Unicode => {
                let [flags] = self.take()?;
                self.read_units(length, flags & 1 != 0, text)
            }
        }
    }

    /// Reads a shared text, with its phonetic and formatting data.
    fn read_rich(&mut self, text: &mut String) -> Option<()> {
        let length = u16::from_le_bytes(self.take()?);
        let [flags] = self.take()?;
        let runs = match flags & 8 {
            0 => 0,
            _ => u16::from_le_bytes(self.take()?),
        };
        let extension = match flags & 4 {
            0 => 0,
            _ => u32::from_le_bytes(self.take()?),
        };
        self.read_units(length.into(), flags & 1 != 0, text)?;
        self.skip(4 * usize::from(runs))?;
        self.skip(extension as usize)
    }

    /// Reads characters. Where they continue in another record, a flag says again how wide they are.
    fn read_units(&mut self, length: usize, mut is_wide: bool, text: &mut String) -> Option<()> {
        self.units.clear();
        while self.units.len() < length {
            if self.part.is_empty() {
                self.continue_part()?;
                let (flags, rest) = self.part.split_first()?;
                is_wide = flags & 1 != 0;
                self.part = rest;
                continue;
            }
            let width = if is_wide { 2 } else { 1 };
            let count = (length - self.units.len()).min(self.part.len() / width);
            if count == 0 {
                return None;
            }
            let (units, rest) = self.part.split_at(count * width);
            self.part = rest;
            if is_wide {
                let pairs = units.chunks_exact(2);
                self.units.extend(pairs.map(|pair| u16::from_le_bytes([pair[0], pair[1]])));
            } else {
                self.units.extend(units.iter().map(|&byte| u16::from(byte)));
            }
        }
        let chars = char::decode_utf16(self.units.iter().copied());
        text.extend(chars.map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)));
        Some(())
    }
}

/// The texts that the cells of a workbook share.
#[derive(Default)]
pub(super) struct SharedTexts {
    text: String,
    /// The end of each text.
    ends: Vec<u32>,
}

impl SharedTexts {
    /// Reads the record of shared texts.
    pub(super) fn read(
        record: BiffRecord<'_>,
        stream: &[u8],
        limits: ReadLimits,
    ) -> Result<Self, FileReadError> {
        let broken = || unreadable(".xlsx");
        let mut shared = Self::default();
        let mut reader = TextReader::new(record, 8, stream).ok_or_else(broken)?;
        while !reader.is_at_end() {
            reader.read_rich(&mut shared.text).ok_or_else(broken)?;
            let end = u32::try_from(shared.text.len()).unwrap_or(u32::MAX);
            if end as usize > limits.shared_bytes || shared.ends.len() >= limits.results {
                return Err(too_many_texts(limits));
            }
            shared.ends.push(end);
        }
        Ok(shared)
    }

    /// Returns the text with this index.
    pub(super) fn get(&self, index: u32) -> Option<&str> {
        let index = index as usize;
        let end = *self.ends.get(index)? as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.text.get(start as usize..end)
    }

    /// Returns the texts in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).filter_map(|index| self.get(index))
    }
}
