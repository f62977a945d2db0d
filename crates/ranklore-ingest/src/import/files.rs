//! Finds the documents behind the paths of an import: files, folders, archives, standard input.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ranklore_contest::compare_naturally;
use ranklore_formats::FileFormat;
use ranklore_store::check_regular_file;

use crate::error::Error;
use crate::import::archives::{decompress, read_archive, read_bounded};
use crate::import::file_names::{Compression, Packing, StatedFormat, is_about_folder, is_hidden};
use crate::import::icpc_parts::{IcpcParts, scoreboard_companions};
use crate::import::input_document::InputDocument;

/// The inputs of an import.
#[derive(Clone, Debug, Default)]
pub struct ImportInputs {
    /// The files, folders and archives; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// The format of the documents. `None`: as their names tell.
    pub format: Option<StatedFormat>,
    /// The file name of standard input. `None`: `stdin`, with the ending of the format.
    pub stdin_name: Option<String>,
}

impl From<Vec<PathBuf>> for ImportInputs {
    fn from(paths: Vec<PathBuf>) -> Self {
        Self {
            paths,
            ..Self::default()
        }
    }
}

/// The documents at the paths of an import, in a fixed order.
#[derive(Debug)]
pub(crate) struct Inputs {
    items: Vec<Input>,
    stated_format: Option<StatedFormat>,
    /// The size of all files, for progress.
    pub(crate) total_bytes: u64,
    /// Files in folders and archives that hold no results: of unknown types, or readme.txt.
    pub(crate) passed_over: u64,
}

/// A file, or standard input.
#[derive(Debug)]
struct Input {
    /// The path; `-` is standard input.
    path: PathBuf,
    bytes: u64,
    content: InputContent,
}

#[derive(Debug)]
enum InputContent {
    /// A document: its key, its format and its compression, which is unknown of standard input.
    Document(String, FileFormat, Option<Compression>),
    Archive(Packing),
}

impl Inputs {
    /// Lists the files at the paths without reading them. Files in folders are ordered by name with
    /// numbers by value: `2.json` before `10.json`.
    pub(crate) fn find(request: &ImportInputs) -> Result<Self, Error> {
        let mut inputs = Self {
            items: Vec::new(),
            stated_format: request.format,
            total_bytes: 0,
            passed_over: 0,
        };
        for path in &request.paths {
            if path.as_os_str() == "-" {
                inputs.add_stdin(request)?;
                continue;
            }
            let count_before = inputs.items.len();
            let metadata = std::fs::metadata(path).map_err(Error::unreadable(path))?;
            if metadata.is_dir() {
                inputs.add_folder(path, path)?;
            } else {
                check_regular_file(&metadata).map_err(Error::unreadable(path))?;
                inputs.add_named_file(request, path, metadata.len());
            }
            if inputs.items.len() == count_before {
                let path = path.clone();
                return Err(if metadata.is_dir() {
                    Error::NothingToImport { path }
                } else {
                    Error::UnknownFileType { path }
                });
            }
        }
        Ok(inputs)
    }

    /// Adds a file that the user names, and the other parts of a scoreboard.
    fn add_named_file(&mut self, request: &ImportInputs, path: &Path, bytes: u64) {
        let name = file_name(path);
        self.add_file(path, &name, bytes, StatedFormat::of_named);
        if self.stated_format != Some(StatedFormat::Icpc) {
            return;
        }
        for part in scoreboard_companions(&name) {
            let part_path = path.with_file_name(part);
            // A part that the user names too is added in its own turn.
            if !request.paths.contains(&part_path)
                && let Ok(metadata) = std::fs::metadata(&part_path)
            {
                self.add_file(&part_path, part, metadata.len(), StatedFormat::of_named);
            }
        }
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
                    self.add_file(&path, &key, metadata.len(), StatedFormat::of_unnamed);
                }
                // Reading a pipe or a device would block.
                Ok(_) => self.passed_over += 1,
                // A dangling link, for example: reading it fails and names it.
                Err(_) => self.add_file(&path, &key, 0, StatedFormat::of_unnamed),
            }
        }
        Ok(())
    }

    fn add_file(
        &mut self,
        path: &Path,
        key: &str,
        bytes: u64,
        choose_format: fn(Option<StatedFormat>, &str) -> Option<FileFormat>,
    ) {
        let content = match Packing::from_name(key) {
            (Packing::Document(compression), key) => {
                let Some(format) = choose_format(self.stated_format, key) else {
                    self.passed_over += 1;
                    return;
                };
                InputContent::Document(key.to_owned(), format, Some(compression))
            }
            (packing, _) => InputContent::Archive(packing),
        };
        self.items.push(Input {
            path: path.to_owned(),
            bytes,
            content,
        });
        self.total_bytes += bytes;
    }

    fn add_stdin(&mut self, request: &ImportInputs) -> Result<(), Error> {
        let name = match request.stdin_name.as_deref().map(Packing::from_name) {
            None => None,
            Some((Packing::Document(_), name)) => Some(name),
            Some(_) => return Err(Error::StdinArchive),
        };
        let format = StatedFormat::of_named(request.format, name.unwrap_or_default())
            .ok_or(Error::StdinFormat)?;
        let key = name.map_or_else(|| format!("stdin.{}", format.ending()), str::to_owned);
        self.items.push(Input {
            path: PathBuf::from("-"),
            bytes: 0,
            content: InputContent::Document(key, format, None),
        });
        Ok(())
    }

    /// Reads all documents, one at a time, until `each` breaks. `each` also gets the number of
    /// bytes read so far. Returns the number of skipped files.
    pub(crate) fn read(
        self,
        mut each: impl FnMut(InputDocument, u64) -> ControlFlow<()>,
    ) -> Result<u64, Error> {
        let mut parts = IcpcParts::default();
        let has_stated_format = self.stated_format.is_some();
        let (passed_over, done) = self.read_files(|mut document, done| {
            match (document.format, &document.bytes) {
                // JSON is a contest file, a table or matches.
                (FileFormat::Json, Ok(bytes)) => document.format = FileFormat::of_json(bytes),
                (FileFormat::Table, Ok(bytes)) => {
                    let format = FileFormat::of_text(bytes);
                    if !has_stated_format || format == FileFormat::Markdown {
                        document.format = format;
                    }
                }
                (FileFormat::Markdown, Ok(bytes)) if !has_stated_format => {
                    document.format = FileFormat::of_markdown(bytes);
                }
                (FileFormat::Xls, Ok(bytes)) => document.format = FileFormat::of_xls(bytes),
                (FileFormat::IofXml, Ok(bytes)) if !has_stated_format => {
                    document.format = FileFormat::of_xml(bytes);
                }
                _ => {}
            }
            let joined = match document.format {
                FileFormat::Icpc => parts.add(document),
                _ => Some(document),
            };
            joined.map_or(ControlFlow::Continue(()), |document| each(document, done))
        })?;
        for document in parts.finish() {
            if each(document, done).is_break() {
                break;
            }
        }
        Ok(passed_over)
    }

    /// Reads like [`Inputs::read`], with each file as a document, and also returns the number of
    /// bytes.
    fn read_files(
        self,
        mut each: impl FnMut(InputDocument, u64) -> ControlFlow<()>,
    ) -> Result<(u64, u64), Error> {
        let mut passed_over = self.passed_over;
        let mut done = 0;
        let mut keys = UniqueKeys::default();
        for Input {
            path,
            bytes,
            content,
        } in self.items
        {
            let flow = match content {
                InputContent::Document(key, format, compression) => {
                    done += bytes;
                    let content = match compression {
                        Some(compression) => read_file(&path, compression, bytes),
                        None => read_stdin(),
                    };
                    let key = keys.make_unique(key, &path, None);
                    each(InputDocument::from_read(key, format, content), done)
                }
                InputContent::Archive(packing) => {
                    let mut flow = ControlFlow::Continue(());
                    passed_over +=
                        read_archive(&path, packing, self.stated_format, |mut entry, read| {
                            entry.key =
                                keys.make_unique(entry.key.clone(), &path, Some(&entry.key));
                            flow = each(entry, done + read.min(bytes));
                            flow
                        })?;
                    if flow.is_continue() {
                        done += bytes;
                    }
                    flow
                }
            };
            if flow.is_break() {
                break;
            }
        }
        Ok((passed_over, done))
    }
}

/// Reads a file of `bytes` bytes that may be compressed.
fn read_file(
    path: &Path,
    compression: Compression,
    bytes: u64,
) -> io::Result<Result<Vec<u8>, String>> {
    let file = File::open(path)?;
    match compression {
        Compression::None => read_bounded(file, bytes),
        _ => read_bounded(decompress(BufReader::new(file), compression)?, 0),
    }
}

/// Reads standard input, whose first bytes tell its compression.
fn read_stdin() -> io::Result<Result<Vec<u8>, String>> {
    let mut stdin = io::stdin().lock();
    let mut start = Vec::new();
    (&mut stdin).take(4).read_to_end(&mut start)?;
    // The magic numbers of gzip and Zstandard.
    let compression = match start[..] {
        [0x1f, 0x8b, ..] => Compression::Gzip,
        [0x28, 0xb5, 0x2f, 0xfd] => Compression::Zstd,
        _ => Compression::None,
    };
    let input = BufReader::new(start.chain(stdin));
    read_bounded(decompress(input, compression)?, 0)
}

/// The keys of one import. Two documents with one key would count as two versions of one document.
#[derive(Default)]
struct UniqueKeys(HashSet<String>);

impl UniqueKeys {
    /// Returns `key` if it is unused, else `key` prefixed with the given path, numbered if
    /// necessary.
    fn make_unique(&mut self, key: String, path: &Path, archive_key: Option<&str>) -> String {
        if self.0.insert(key.clone()) {
            return key;
        }
        let path = path.to_string_lossy().replace('\\', "/");
        let full_key = match archive_key {
            Some(archive_key) => format!("{path}/{archive_key}"),
            None => path,
        };
        let mut candidate = full_key.clone();
        let mut number = 1;
        while !self.0.insert(candidate.clone()) {
            number += 1;
            candidate = format!("{full_key}#{number}");
        }
        candidate
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
