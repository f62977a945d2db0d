//! Bounds workbooks that are ZIP archives of XML, and the reads of libraries that open workbooks.

use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};

use super::sheet::no_workbook;
use crate::document::FileReadError;
use crate::limits::ReadLimits;
use crate::zip_directory::{MAX_WORKBOOK_ENTRIES, check_zip_directory};

/// Bytes that a library can read only so often: a broken workbook can point to one part from many
/// places, each of which would be read anew.
pub(crate) struct BoundedReads<'b> {
    bytes: Cursor<&'b [u8]>,
    left: usize,
}

impl<'b> BoundedReads<'b> {
    /// Allows each byte to be read four times, and 1 MiB more for small workbooks.
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self {
            bytes: Cursor::new(bytes),
            left: bytes.len().saturating_mul(4).saturating_add(1 << 20),
        }
    }
}

impl Read for BoundedReads<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        let left = self.left.checked_sub(count);
        self.left = left.ok_or_else(|| io::Error::other("the document is read in circles"))?;
        Ok(count)
    }
}

impl Seek for BoundedReads<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

/// Unpacks the archive into nothing and errors if it exceeds a limit. Declared sizes may be wrong,
/// so the bytes are counted. calamine uses the same crate to unpack, so both see the same entries.
pub(super) fn check_unpacked(
    bytes: &[u8],
    ending: &str,
    limit: usize,
    limits: ReadLimits,
) -> Result<(), FileReadError> {
    let corrupt = || no_workbook(ending);
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
            let first = part.first();
            self.is_markup =
                first.is_some_and(|b| matches!(b, b'<' | 0xef) || b.is_ascii_whitespace());
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
            let limit = limits.row_bytes >> 20;
            return Err(FileReadError::whole_document(format!(
                "the workbook has a cell of more than {limit} MiB: shorten it"
            )));
        }
        // A shared text has four tags, and takes about 60 bytes besides its characters.
        if is_shared && (self.bytes > limits.shared_bytes || self.tags / 4 > limits.results) {
            return Err(too_many_texts(limits));
        }
        Ok(())
    }
}

/// Returns the error for a workbook whose cells share too many or too long texts.
pub(super) fn too_many_texts(limits: ReadLimits) -> FileReadError {
    FileReadError::whole_document(format!(
        "the cells of the workbook have more than {} MiB or {} different texts: \
         save the sheet as CSV, or split it",
        limits.shared_bytes >> 20,
        limits.results
    ))
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
        assert_eq!(check_unpacked(&honest, ".xlsx", 100_000, ReadLimits::NEW), Ok(()));
        let error = check_unpacked(&honest, ".xlsx", 99_999, ReadLimits::NEW)
            .unwrap_err()
            .to_string();
        assert!(error.contains("more than the limit of 99999 bytes"), "{error}");
        // The declared size is at offset 24 of the central directory entry.
        let mut lying = honest;
        let entry = lying.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
        lying[entry + 24..entry + 28].copy_from_slice(&10_u32.to_le_bytes());
        assert!(check_unpacked(&lying, ".xlsx", 50_000, ReadLimits::NEW).is_err());
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
    fn bytes_are_not_read_in_circles() {
        let bytes = vec![b'x'; 1 << 20];
        let mut reads = BoundedReads::new(&bytes);
        for _ in 0..5 {
            reads.seek(SeekFrom::Start(0)).unwrap();
            assert_eq!(io::copy(&mut reads, &mut io::sink()).unwrap(), 1 << 20);
        }
        reads.seek(SeekFrom::Start(0)).unwrap();
        assert!(io::copy(&mut reads, &mut io::sink()).is_err());
    }
}
