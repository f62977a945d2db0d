//! A document to import, before it is read.

use std::io;

use ranklore_formats::FileFormat;

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
}
