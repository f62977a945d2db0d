//! Replacing parts of bytes, from the first to the last.

use std::ops::Range;

/// Bytes in which parts are replaced; all others stay as they are.
pub(crate) struct Edit<'b> {
    bytes: &'b [u8],
    edited: Option<Vec<u8>>,
    /// How far the bytes are taken over into what is edited.
    done: usize,
}

impl<'b> Edit<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self {
            bytes,
            edited: None,
            done: 0,
        }
    }

    /// Replaces a part that lies behind those replaced before.
    pub(crate) fn replace(&mut self, part: Range<usize>, by: &str) {
        let edited = self
            .edited
            .get_or_insert_with(|| Vec::with_capacity(self.bytes.len()));
        edited.extend_from_slice(&self.bytes[self.done..part.start]);
        edited.extend_from_slice(by.as_bytes());
        self.done = part.end;
    }

    /// The bytes with the parts replaced; nothing if none was.
    pub(crate) fn finish(self) -> Option<Vec<u8>> {
        let mut edited = self.edited?;
        edited.extend_from_slice(&self.bytes[self.done..]);
        Some(edited)
    }

    /// The same of what is a text, in which whole characters were replaced.
    pub(crate) fn finish_text(self) -> Option<String> {
        self.finish()
            .and_then(|bytes| String::from_utf8(bytes).ok())
    }
}
