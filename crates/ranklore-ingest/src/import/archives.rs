//! Reads documents out of compressed files and archives, without unpacking them to disk. Names of
//! entries are keys, never paths.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;
use ranklore_formats::{MAX_DOCUMENT_BYTES, check_zip_directory};
use zip::result::ZipError;

use crate::error::Error;
use crate::import::file_names::{Compression, Packing, StatedFormat, is_about_folder, is_hidden};
use crate::import::input_document::InputDocument;

/// The most that an archive may contain.
#[derive(Clone, Copy)]
struct ArchiveLimits {
    /// Entries, folders among them.
    entries: u64,
    /// Bytes of all entries and headers, unpacked.
    bytes: u64,
}

const LIMITS: ArchiveLimits = ArchiveLimits {
    entries: 1 << 20,
    bytes: 64 << 30,
};

/// Reads the documents of a tar or ZIP archive. `each` also gets the number of bytes of the file
/// read so far. Returns the number of entries that hold no results.
pub(crate) fn read_archive(
    path: &Path,
    packing: Packing,
    stated_format: Option<StatedFormat>,
    each: impl FnMut(InputDocument, u64) -> ControlFlow<()>,
) -> Result<u64, Error> {
    let file = File::open(path).map_err(Error::unreadable(path))?;
    let mut entries = EntryReader {
        stated_format,
        each,
        limits: LIMITS,
        has_documents: false,
        passed_over: 0,
    };
    let result = match packing {
        Packing::Zip => entries.read_zip(file),
        Packing::Tar(compression) | Packing::Document(compression) => {
            entries.read_tar(file, compression)
        }
    };
    result.map_err(|source| {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::FileTooLarge => Error::ArchiveTooLarge { path, source },
            _ => Error::DamagedArchive { path, source },
        }
    })?;
    if entries.has_documents {
        Ok(entries.passed_over)
    } else {
        let path = path.to_owned();
        Err(Error::NothingToImport { path })
    }
}

/// Returns a reader of what a file or an entry is before its compression.
pub(crate) fn decompress<'r>(
    from: impl BufRead + 'r,
    compression: Compression,
) -> io::Result<Box<dyn Read + 'r>> {
    Ok(match compression {
        Compression::None => Box::new(from),
        Compression::Gzip => Box::new(MultiGzDecoder::new(from)),
        Compression::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(from)?),
    })
}

/// Reads a document, unless it is larger than the limit for documents. `size` is the size stated by
/// the folder or archive, which may be wrong.
pub(crate) fn read_bounded(from: impl Read, size: u64) -> io::Result<Result<Vec<u8>, String>> {
    let limit = MAX_DOCUMENT_BYTES as u64;
    let mut bytes = Vec::new();
    if size <= limit {
        bytes.reserve_exact(size as usize);
        from.take(limit + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 <= limit {
            return Ok(Ok(bytes));
        }
    }
    Ok(Err(format!(
        "is larger than the {} MiB a document may have: split it",
        limit >> 20
    )))
}

/// Reads the documents among the entries of an archive.
struct EntryReader<F> {
    stated_format: Option<StatedFormat>,
    each: F,
    limits: ArchiveLimits,
    /// True if a document was read.
    has_documents: bool,
    passed_over: u64,
}

impl<F: FnMut(InputDocument, u64) -> ControlFlow<()>> EntryReader<F> {
    fn read_tar(&mut self, file: File, compression: Compression) -> io::Result<()> {
        let read_bytes = Rc::new(Cell::new(0));
        let counting_reader = CountingReader {
            from: file,
            read: Rc::clone(&read_bytes),
        };
        let header_room = Cell::new(0);
        let mut archive = tar::Archive::new(BoundedReader {
            from: decompress(BufReader::new(counting_reader), compression)?,
            remaining: &header_room,
            left: self.limits.bytes,
        });
        let mut entries = archive.entries()?;
        let mut gap_bytes = MAX_HEADER_BYTES;
        for number in 0.. {
            header_room.set(gap_bytes);
            let Some(entry) = entries.next() else {
                break;
            };
            let mut entry = entry?;
            header_room.set(u64::MAX);
            self.check_count(number)?;
            if let Some(key) = tar_entry_key(&entry) {
                let size = entry.size();
                let flow = self.read_entry(&key, &mut entry, size, read_bytes.get())?;
                if flow.is_break() {
                    return Ok(());
                }
            }
            // Reads the entry to its end, so that only headers remain before the next one. Sparse
            // entries are skipped by the next step: reading them would produce as many zeros as
            // they claim.
            gap_bytes = MAX_HEADER_BYTES;
            if entry.header().entry_type().is_gnu_sparse() {
                gap_bytes += MAX_DOCUMENT_BYTES as u64;
            } else {
                io::copy(&mut entry, &mut io::sink())?;
            }
        }
        // The checksum of the compression follows the last entry.
        header_room.set(u64::MAX);
        io::copy(&mut archive.into_inner(), &mut io::sink())?;
        Ok(())
    }

    fn read_zip(&mut self, mut file: File) -> io::Result<()> {
        check_zip_directory(&mut file, self.limits.entries)?;
        let mut archive = zip::ZipArchive::new(BufReader::new(file))?;
        let mut read_bytes = 0;
        let mut unpacked_left = self.limits.bytes;
        for index in 0..archive.len() {
            self.check_count(index as u64)?;
            let key = archive.name_for_index(index).and_then(visible_key);
            let mut entry = match archive.by_index(index) {
                Ok(entry) => entry,
                Err(error) => {
                    let reason = reason_of_entry(error)?;
                    if self.refuse_entry(key, &reason, read_bytes).is_break() {
                        break;
                    }
                    continue;
                }
            };
            read_bytes += entry.compressed_size();
            let Some(key) = key.filter(|_| entry.is_file()) else {
                continue;
            };
            let size = entry.size();
            let mut unpacked = BoundedReader {
                from: &mut entry,
                remaining: &Cell::new(u64::MAX),
                left: unpacked_left,
            };
            let flow = self.read_entry(&key, &mut unpacked, size, read_bytes)?;
            unpacked_left = unpacked.left;
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Reads an entry, if it is a document.
    fn read_entry(
        &mut self,
        key: &str,
        entry: &mut dyn Read,
        size: u64,
        read: u64,
    ) -> io::Result<ControlFlow<()>> {
        let Some((key, format, compression)) = self.document(key) else {
            self.passed_over += 1;
            return Ok(ControlFlow::Continue(()));
        };
        self.has_documents = true;
        let bytes = match compression {
            Compression::None => read_bounded(entry, size)?,
            _ => decompress(BufReader::new(entry), compression)
                .and_then(|unpacked| read_bounded(unpacked, 0))
                .unwrap_or_else(|error| Err(format!("cannot be read: {error}"))),
        };
        let document = InputDocument { key, format, bytes };
        Ok((self.each)(document, read))
    }

    /// Reports an entry that cannot be unpacked, if it is a document.
    fn refuse_entry(&mut self, key: Option<String>, reason: &str, read: u64) -> ControlFlow<()> {
        let Some((key, format, _)) = key.and_then(|key| self.document(&key)) else {
            self.passed_over += 1;
            return ControlFlow::Continue(());
        };
        self.has_documents = true;
        let bytes = Err(format!("{reason}: unpack the archive and import its files"));
        (self.each)(InputDocument { key, format, bytes }, read)
    }

    /// Returns the key, the format and the compression of a document.
    fn document(&self, key: &str) -> Option<(String, ranklore_formats::FileFormat, Compression)> {
        let (Packing::Document(compression), key) = Packing::from_name(key) else {
            return None;
        };
        let format =
            StatedFormat::of_unnamed(self.stated_format, key).filter(|_| !is_about_folder(key))?;
        Some((key.to_owned(), format, compression))
    }

    fn check_count(&self, index: u64) -> io::Result<()> {
        if index < self.limits.entries {
            return Ok(());
        }
        Err(too_large(format!("more than {} entries", self.limits.entries)))
    }
}

/// Returns the reason why this entry of a ZIP archive cannot be unpacked and others may be, or the
/// error of the archive.
fn reason_of_entry(error: ZipError) -> io::Result<String> {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => Ok("is encrypted".to_owned()),
        ZipError::UnsupportedArchive(reason) => Ok(format!("cannot be unpacked ({reason})")),
        ZipError::CompressionMethodNotSupported(method) => {
            Ok(format!("cannot be unpacked (compression method {method})"))
        }
        error => Err(error.into()),
    }
}

/// Returns the key of an entry, or `None` for hidden files and anything but files.
fn tar_entry_key(entry: &tar::Entry<'_, impl Read>) -> Option<String> {
    // Links and devices have no bytes of their own.
    if !entry.header().entry_type().is_file() {
        return None;
    }
    visible_key(&String::from_utf8_lossy(&entry.path_bytes()))
}

/// Returns the key of an entry of this name, or `None` if it is hidden.
fn visible_key(name: &str) -> Option<String> {
    let key = name.trim_start_matches("./");
    let is_visible = !key.split('/').any(is_hidden);
    is_visible.then(|| key.to_owned())
}

fn too_large(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, reason)
}

/// The most bytes between two entries of an archive: headers and long names, which are read into
/// memory whole.
const MAX_HEADER_BYTES: u64 = 1 << 20;

/// Reads at most the remaining number of bytes, then fails.
struct BoundedReader<'r, R> {
    from: R,
    /// The rest for the headers before an entry.
    remaining: &'r Cell<u64>,
    /// The rest for the archive.
    left: u64,
}

impl<R: Read> Read for BoundedReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = self.remaining.get();
        if room == 0 {
            return Err(io::Error::other("the header of an entry is too long"));
        }
        if self.left == 0 {
            return Err(too_large("more bytes, unpacked, than an archive may have".to_owned()));
        }
        let room = room.min(self.left);
        let most = usize::try_from(room).map_or(buffer.len(), |room| room.min(buffer.len()));
        let count = self.from.read(&mut buffer[..most])?;
        self.remaining.set(self.remaining.get() - count as u64);
        self.left -= count as u64;
        Ok(count)
    }
}

/// Counts the bytes read.
struct CountingReader<R> {
    from: R,
    read: Rc<Cell<u64>>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(buffer)?;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oversized_document_is_refused() {
        struct Endless;
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer.fill(b' ');
                Ok(buffer.len())
            }
        }
        let declared = read_bounded(Endless, 10 << 30).unwrap().unwrap_err();
        assert!(declared.contains("256 MiB"), "{declared}");
        let lying = read_bounded(Endless, 5).unwrap().unwrap_err();
        assert!(lying.contains("256 MiB"), "{lying}");
    }

    /// Reads an archive within limits and returns its keys, or the error.
    fn keys(packing: Packing, bytes: &[u8], limits: ArchiveLimits) -> io::Result<Vec<String>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        std::fs::write(&path, bytes).unwrap();
        let mut keys = Vec::new();
        let mut entries = EntryReader {
            stated_format: None,
            each: |document: InputDocument, _| {
                keys.push(document.key);
                ControlFlow::Continue(())
            },
            limits,
            has_documents: false,
            passed_over: 0,
        };
        let file = File::open(&path).unwrap();
        match packing {
            Packing::Zip => entries.read_zip(file),
            _ => entries.read_tar(file, Compression::None),
        }
        .map(|()| keys)
    }

    #[test]
    fn entries_and_unpacked_bytes_of_an_archive_are_bounded() {
        let zeros = vec![b' '; 100_000];
        let mut tar = tar::Builder::new(Vec::new());
        let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for name in ["a.csv", "b.csv", "c.csv"] {
            let mut header = tar::Header::new_ustar();
            header.set_size(zeros.len() as u64);
            tar.append_data(&mut header, name, &zeros[..]).unwrap();
            let options = zip::write::SimpleFileOptions::default();
            zip.start_file(name, options).unwrap();
            io::Write::write_all(&mut zip, &zeros).unwrap();
        }
        let tar = tar.into_inner().unwrap();
        let zip = zip.finish().unwrap().into_inner();
        for (packing, bytes) in [(Packing::Tar(Compression::None), tar), (Packing::Zip, zip)] {
            let limits = |entries, bytes| ArchiveLimits { entries, bytes };
            assert_eq!(keys(packing, &bytes, limits(3, 400_000)).unwrap().len(), 3);
            for limits in [limits(2, 400_000), limits(3, 250_000)] {
                let error = keys(packing, &bytes, limits).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::FileTooLarge, "{packing:?}");
            }
        }
    }
}
