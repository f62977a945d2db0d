//! A document to import: its bytes, and what is read from them ahead of the writer.

use std::io;

use ranklore_contest::{ForgottenNames as _, Quoted};
use ranklore_formats::{FileFormat, FileReadError, FileReading, ReadOptions, read};
use ranklore_store::{CompressedBody, Tombstones, compress};

use crate::people::redaction::{Origin, may_mention, redact_file};

/// A document in a file or an archive.
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

    /// Returns a document with the result of reading it.
    pub(crate) fn from_read(
        key: String,
        format: FileFormat,
        content: io::Result<Result<Vec<u8>, String>>,
    ) -> Self {
        let bytes = content.unwrap_or_else(|error| Err(format!("cannot be read: {error}")));
        Self { key, format, bytes }
    }

    /// Reads a document, replaces the names of forgotten persons and compresses it.
    pub(crate) fn prepare(
        self,
        options: &ReadOptions,
        forgotten: &Tombstones,
        done: u64,
    ) -> PreparedDocument {
        let format = self.format;
        let mut key = self.key;
        let contents = self.bytes.and_then(|bytes| {
            // A large table takes the place of its bytes.
            if bytes.len() > LARGE_DOCUMENT && forgotten.is_empty() {
                return Ok(DocumentContents {
                    body: compress_body(&bytes)?,
                    redacted_body: None,
                    options: options.clone(),
                    reading: read(format, bytes, &key, options),
                });
            }
            let (body, reading) =
                rayon::join(|| compress_body(&bytes), || read(format, &bytes, &key, options));
            let mut contents = DocumentContents {
                body: body?,
                redacted_body: None,
                options: options.clone(),
                reading,
            };
            if !forgotten.is_empty() {
                contents.redact(&mut key, &bytes, forgotten)?;
            }
            Ok(contents)
        });
        PreparedDocument {
            key,
            format,
            contents,
            progress: done,
        }
    }
}

/// A document that was read and compressed, ready to be stored.
pub(crate) struct PreparedDocument {
    pub(crate) key: String,
    pub(crate) format: FileFormat,
    pub(crate) contents: Result<DocumentContents, String>,
    pub(crate) progress: u64,
}

/// The contents of a document.
pub(crate) struct DocumentContents {
    pub(crate) body: CompressedBody,
    /// The redacted body to archive, if the document names a forgotten person.
    pub(crate) redacted_body: Option<CompressedBody>,
    /// The read options to archive, without the names of forgotten persons.
    pub(crate) options: ReadOptions,
    pub(crate) reading: Result<FileReading, FileReadError>,
}

/// The size from which a document is compressed and then read, and not both at once: 16 MiB.
const LARGE_DOCUMENT: usize = 16 << 20;

fn compress_body(bytes: &[u8]) -> Result<CompressedBody, String> {
    compress(bytes).map_err(|error| format!("cannot be compressed: {error}"))
}

impl DocumentContents {
    /// Redacts the contents and the key of a document with these bytes if they name a forgotten
    /// person.
    fn redact(
        &mut self,
        key: &mut String,
        bytes: &[u8],
        forgotten: &Tombstones,
    ) -> Result<(), String> {
        check_blank_names(&self.reading, forgotten)?;
        let origin = Origin {
            key: key.as_str(),
            is_request: false,
            url: None,
            options: Some(&self.options),
        };
        let redaction =
            redact_file(origin, &mut self.reading, || may_mention(bytes, forgotten), forgotten);
        if let Some(redaction) = redaction {
            self.redacted_body = Some(compress_body(&redaction.body)?);
            *key = redaction.request_key;
        }
        self.options = redact_options(std::mem::take(&mut self.options), forgotten);
        Ok(())
    }
}

/// Replaces the names of forgotten persons in the names that options quote.
pub(crate) fn redact_options(mut options: ReadOptions, forgotten: &Tombstones) -> ReadOptions {
    options.replace_quoted_names(|name| forgotten.replace_in_text(name));
    options
}

/// Refuses a document in which a person has the name of a blank: the two would be merged and could
/// not be separated again, so the whole document is refused.
fn check_blank_names(
    reading: &Result<FileReading, FileReadError>,
    forgotten: &Tombstones,
) -> Result<(), String> {
    let mut persons = reading.iter().flat_map(FileReading::persons);
    if let Some(name) = persons.find(|name| forgotten.is_blank(name)) {
        return Err(format!(
            "{} is the blank of a forgotten person of this source, and both would be merged; the \
             document was refused: use another name in it",
            Quoted(&name)
        ));
    }
    let mut ids = reading.iter().flat_map(|reading| reading.contests.external_ids());
    match ids.find(|id| forgotten.contains_blank(id)) {
        None => Ok(()),
        Some(id) => Err(format!(
            "the id of contest {} has the blank of a forgotten person of this source and may be \
             ambiguous; the document was refused: use another id in it",
            Quoted(id)
        )),
    }
}
