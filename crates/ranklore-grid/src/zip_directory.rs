//! Bounds the directory of a ZIP archive before a library reads it into memory.

use std::io::{self, Read, Seek, SeekFrom};

/// The most entries of a workbook.
pub(crate) const MAX_WORKBOOK_ENTRIES: u64 = 1 << 16;

/// Checks that no directory of a ZIP archive states more entries than `most`, and returns to the
/// start of the archive.
///
/// Only directories in the ZIP64 form can state more than 65,535 entries. The crate zip reserves
/// memory for the number stated, which may be a lie. Any such record in the file counts, wherever
/// it is, since a reader may look for the directory anywhere.
///
/// # Errors
/// [`io::ErrorKind::FileTooLarge`] if a directory states more; other errors of reading.
pub fn check_zip_directory(archive: &mut (impl Read + Seek), most: u64) -> io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    let mut overlap = 0;
    loop {
        let count = archive.read(&mut buffer[overlap..])?;
        let filled = overlap + count;
        if count == 0 {
            break;
        }
        for record in buffer[..filled].windows(RECORD_BYTES) {
            if stated_entries(record).is_some_and(|entries| entries > most) {
                let reason = format!("more than {most} entries");
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
            }
        }
        // A record may lie across two reads.
        overlap = filled.min(RECORD_BYTES - 1);
        buffer.copy_within(filled - overlap..filled, 0);
    }
    archive.seek(SeekFrom::Start(0)).map(drop)
}

/// The bytes of the end record of a ZIP64 directory, without extensions.
const RECORD_BYTES: usize = 56;

/// Returns the number of entries that a record states, if this is the end record of a directory.
fn stated_entries(record: &[u8]) -> Option<u64> {
    if !record.starts_with(b"PK\x06\x06") {
        return None;
    }
    let number_at = |at: usize| -> Option<u64> {
        let bytes = record.get(at..at + 8)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    };
    // Four bytes may be equal by chance; the size of the record is the rest of it.
    let size = number_at(4)?;
    let is_record = (RECORD_BYTES as u64 - 12..1 << 20).contains(&size);
    is_record.then(|| number_at(24).max(number_at(32))).flatten()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Returns an archive with bytes before the end record of a directory of this many entries.
    fn archive(before: usize, entries: u64) -> Vec<u8> {
        let mut bytes = vec![b'x'; before];
        bytes.extend(b"PK\x06\x06");
        bytes.extend(44_u64.to_le_bytes());
        bytes.extend([0; 12]);
        bytes.extend(entries.to_le_bytes());
        bytes.extend(entries.to_le_bytes());
        bytes.extend([0; 16]);
        bytes
    }

    #[test]
    fn stated_entries_are_bounded_wherever_the_record_is() {
        for before in [
            0,
            1,
            (64 << 10) - 56,
            (64 << 10) - 55,
            (64 << 10) - 1,
            64 << 10,
        ] {
            let check =
                |entries| check_zip_directory(&mut Cursor::new(archive(before, entries)), 9);
            assert!(check(9).is_ok(), "{before}");
            let error = check(10).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::FileTooLarge, "{before}");
        }
    }

    #[test]
    fn real_archives_pass() {
        let mut bytes = Vec::new();
        let mut writer = zip::ZipWriter::new(Cursor::new(&mut bytes));
        let options = zip::write::SimpleFileOptions::default();
        for name in ["a.csv", "b.csv"] {
            writer.start_file(name, options).unwrap();
        }
        writer.finish().unwrap();
        assert!(check_zip_directory(&mut Cursor::new(bytes), 1).is_ok());
    }
}
