//! Finds and reads the documents behind the paths of an import: files, folders, archives.

use std::cell::Cell;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ranklore_contest::compare_naturally;
use ranklore_formats::{FileFormat, MAX_DOCUMENT_BYTES};

use ranklore_store::check_regular_file;

use crate::error::Error;

/// One document in a file or an archive.
pub(crate) struct InputDocument {
    /// The path relative to the folder or archive given on the command line; the file name for a
    /// file. A later version of the document has the same key.
    pub(crate) key: String,
    pub(crate) format: FileFormat,
    /// The bytes, or the reason why there are none.
    pub(crate) bytes: Result<Vec<u8>, String>,
}

impl InputDocument {
    /// Returns a contest file that the program made.
    pub(crate) const fn contest_file(key: String, bytes: Vec<u8>) -> Self {
        Self {
            key,
            format: FileFormat::Json,
            bytes: Ok(bytes),
        }
    }
}

/// The documents at the paths of an import, in a fixed order.
#[derive(Debug)]
pub(crate) struct Inputs {
    found: Vec<Input>,
    /// The format of `.json` files.
    json: FileFormat,
    /// The size of all files, for progress.
    pub(crate) total_bytes: u64,
    /// Files in folders and archives that hold no results: of unknown types, or readme.txt.
    pub(crate) passed_over: u64,
}

#[derive(Debug)]
enum Input {
    File {
        key: String,
        format: FileFormat,
        path: PathBuf,
        bytes: u64,
    },
    Archive {
        path: PathBuf,
        bytes: u64,
    },
}

impl Inputs {
    /// Lists the files at the paths without reading them. Files in folders are ordered by name with
    /// numbers by value: `2.json` before `10.json`. `.json` files have the format `json`.
    pub(crate) fn find(paths: &[PathBuf], json: FileFormat) -> Result<Self, Error> {
        let mut inputs = Self {
            found: Vec::new(),
            json,
            total_bytes: 0,
            passed_over: 0,
        };
        for path in paths {
            let before = inputs.found.len();
            let metadata = std::fs::metadata(path).map_err(Error::unreadable(path))?;
            if metadata.is_dir() {
                inputs.add_folder(path, path)?;
            } else {
                check_regular_file(&metadata).map_err(Error::unreadable(path))?;
                inputs.add_file(path, file_name(path), metadata.len());
                if inputs.found.len() == before {
                    return Err(Error::UnknownFileType { path: path.clone() });
                }
            }
            if inputs.found.len() == before {
                return Err(Error::NothingToImport { path: path.clone() });
            }
        }
        Ok(inputs)
    }

    fn add_folder(&mut self, root: &Path, folder: &Path) -> Result<(), Error> {
        let entries = std::fs::read_dir(folder)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(Error::unreadable(folder))?;
        let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
        paths.sort_by(|a, b| compare_naturally(&file_name(a), &file_name(b)));
        for path in paths {
            if is_hidden(&file_name(&path)) {
                continue;
            }
            let below = path.strip_prefix(root).unwrap_or(&path);
            let key = below.to_string_lossy().replace('\\', "/");
            match std::fs::metadata(&path) {
                // Links to folders are not followed, since they may form a cycle.
                Ok(metadata) if metadata.is_dir() => {
                    if !path.is_symlink() {
                        self.add_folder(root, &path)?;
                    }
                }
                Ok(metadata) if metadata.is_file() && !is_about_folder(&key) => {
                    self.add_file(&path, key, metadata.len());
                }
                // Reading a pipe or a device would block.
                Ok(_) => self.passed_over += 1,
                // A dangling link, for example: reading it fails and names it.
                Err(_) => self.add_file(&path, key, 0),
            }
        }
        Ok(())
    }

    fn add_file(&mut self, path: &Path, key: String, bytes: u64) {
        let path = path.to_owned();
        if is_archive(&key) {
            self.found.push(Input::Archive { path, bytes });
        } else if let Some(format) = FileFormat::from_file_name(&key) {
            self.found.push(Input::File {
                key,
                format,
                path,
                bytes,
            });
        } else {
            self.passed_over += 1;
            return;
        }
        self.total_bytes += bytes;
    }

    /// Reads all documents, one at a time, until `each` breaks. `each` also gets the number of
    /// bytes read so far. Returns the number of skipped files.
    pub(crate) fn read(
        self,
        mut each: impl FnMut(InputDocument, u64) -> ControlFlow<()>,
    ) -> Result<u64, Error> {
        let json = self.json;
        let mut each = |mut found: InputDocument, done: u64| {
            if found.format == FileFormat::Json {
                found.format = json;
            }
            each(found, done)
        };
        let mut passed_over = self.passed_over;
        let mut done = 0;
        let mut keys = UniqueKeys::default();
        for input in self.found {
            match input {
                Input::File {
                    key,
                    format,
                    path,
                    bytes,
                } => {
                    done += bytes;
                    let read = File::open(&path).and_then(|file| read_bounded(file, bytes));
                    let found = InputDocument {
                        key: keys.make_unique(key, &path, None),
                        format,
                        bytes: read.unwrap_or_else(|error| Err(format!("cannot be read: {error}"))),
                    };
                    if each(found, done).is_break() {
                        return Ok(passed_over);
                    }
                }
                Input::Archive { path, bytes } => {
                    let mut stop = false;
                    passed_over += read_archive(&path, |mut found, read| {
                        found.key = keys.make_unique(found.key.clone(), &path, Some(&found.key));
                        let flow = each(found, done + read.min(bytes));
                        stop = flow.is_break();
                        flow
                    })?;
                    if stop {
                        return Ok(passed_over);
                    }
                    done += bytes;
                }
            }
        }
        Ok(passed_over)
    }
}

/// The keys of one import. Two documents with one key would count as two versions of one document.
#[derive(Default)]
struct UniqueKeys(HashSet<String>);

impl UniqueKeys {
    /// Returns `key` if it is unused, else `key` prefixed with the given path, numbered if
    /// necessary.
    fn make_unique(&mut self, key: String, path: &Path, within: Option<&str>) -> String {
        if self.0.insert(key.clone()) {
            return key;
        }
        let path = path.to_string_lossy().replace('\\', "/");
        let longer = match within {
            Some(within) => format!("{path}/{within}"),
            None => path,
        };
        let mut candidate = longer.clone();
        let mut number = 1;
        while !self.0.insert(candidate.clone()) {
            number += 1;
            candidate = format!("{longer}#{number}");
        }
        candidate
    }
}

/// Reads a `.tar.zst` without unpacking it to disk. Entry names are keys, never paths.
fn read_archive(
    path: &Path,
    mut each: impl FnMut(InputDocument, u64) -> ControlFlow<()>,
) -> Result<u64, Error> {
    let failed = |source| Error::DamagedArchive {
        path: path.to_owned(),
        source,
    };
    let read = Arc::new(AtomicU64::new(0));
    let counted = CountingReader {
        file: File::open(path).map_err(Error::unreadable(path))?,
        read: Arc::clone(&read),
    };
    let decoder =
        zstd::stream::read::Decoder::with_buffer(BufReader::new(counted)).map_err(failed)?;
    let room = Cell::new(0);
    let mut archive = tar::Archive::new(BoundedReader {
        from: decoder,
        remaining: &room,
    });
    let mut passed_over = 0;
    let mut any = false;
    let mut entries = archive.entries().map_err(failed)?;
    let mut before = MAX_HEADER_BYTES;
    loop {
        room.set(before);
        let Some(entry) = entries.next() else {
            break;
        };
        let mut entry = entry.map_err(failed)?;
        room.set(u64::MAX);
        match entry_key(&entry).map(|key| (FileFormat::from_file_name(&key), key)) {
            None => {}
            Some((None, _)) => passed_over += 1,
            Some((Some(_), key)) if is_about_folder(&key) => passed_over += 1,
            Some((Some(format), key)) => {
                any = true;
                let size = entry.size();
                let found = InputDocument {
                    key,
                    format,
                    bytes: read_bounded(&mut entry, size).map_err(failed)?,
                };
                if each(found, read.load(Ordering::Relaxed)).is_break() {
                    break;
                }
            }
        }
        // Reads the entry to its end, so that only headers remain before the next one. Sparse
        // entries are skipped by the next step: reading them would produce as many zeros as they
        // claim.
        before = MAX_HEADER_BYTES;
        if entry.header().entry_type().is_gnu_sparse() {
            before += MAX_DOCUMENT_BYTES as u64;
        } else {
            io::copy(&mut entry, &mut io::sink()).map_err(failed)?;
        }
    }
    let path = path.to_owned();
    if any {
        Ok(passed_over)
    } else {
        Err(Error::NothingToImport { path })
    }
}

/// Returns the key of an archive entry, or `None` for hidden files and anything but files.
fn entry_key(entry: &tar::Entry<'_, impl Read>) -> Option<String> {
    // Links and devices have no bytes of their own.
    if !entry.header().entry_type().is_file() {
        return None;
    }
    let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
    let key = name.trim_start_matches("./").to_owned();
    (!key.split('/').any(is_hidden)).then_some(key)
}

/// Reads a document, unless it is larger than the limit for documents. `size` is the size stated by
/// the folder or archive, which may be wrong.
fn read_bounded(from: impl Read, size: u64) -> std::io::Result<Result<Vec<u8>, String>> {
    let limit = MAX_DOCUMENT_BYTES as u64;
    let mut bytes = Vec::new();
    if size <= limit {
        bytes.reserve_exact(size as usize);
        from.take(limit + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 <= limit {
            return Ok(Ok(bytes));
        }
    }
    let limit = limit >> 20;
    Ok(Err(format!(
        "is larger than the {limit} MiB a document may have: split it"
    )))
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

/// Hidden files belong to other programs; `~` marks lock files of spreadsheets.
fn is_hidden(name: &str) -> bool {
    name.starts_with(['.', '~']) && name != ".."
}

/// True for texts that describe a folder: they are no tables.
fn is_about_folder(key: &str) -> bool {
    let name = key.rsplit('/').next().unwrap_or(key).to_ascii_lowercase();
    let words = [
        "readme",
        "license",
        "licence",
        "copying",
        "notice",
        "changelog",
        "authors",
    ];
    (name.strip_suffix(".txt")).is_some_and(|stem| words.contains(&stem))
}

fn is_archive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".tar.zst", ".tzst"].iter().any(|end| name.ends_with(end))
}

/// The most bytes between two entries of an archive: headers and long names, which are read into
/// memory whole.
const MAX_HEADER_BYTES: u64 = 1 << 20;

/// Reads at most the remaining number of bytes, then fails.
struct BoundedReader<'r, R> {
    from: R,
    remaining: &'r Cell<u64>,
}

impl<R: Read> Read for BoundedReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = self.remaining.get();
        if room == 0 {
            return Err(io::Error::other("the header of an entry is too long"));
        }
        let most = usize::try_from(room).map_or(buffer.len(), |room| room.min(buffer.len()));
        let count = self.from.read(&mut buffer[..most])?;
        self.remaining.set(room - count as u64);
        Ok(count)
    }
}

/// A file that counts the bytes read.
struct CountingReader {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
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
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                buffer.fill(b' ');
                Ok(buffer.len())
            }
        }
        let declared = read_bounded(Endless, 10 << 30).unwrap().unwrap_err();
        assert!(declared.contains("256 MiB"), "{declared}");
        let lying = read_bounded(Endless, 5).unwrap().unwrap_err();
        assert!(lying.contains("256 MiB"), "{lying}");
    }
}
