//! The process that holds the write lock, as the text of the lock file names it.

use std::fmt;

use serde::Serialize;

/// Maximum length in bytes of a lock file's text, read or written.
pub(crate) const MAX_TEXT_BYTES: usize = 200;

/// The process that holds the lock, in words: "process 4711 (ranklore import) since
/// 2026-11-21T08:54:59Z".
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LockHolder(String);

impl LockHolder {
    pub(crate) fn unknown() -> Self {
        Self("another process".to_owned())
    }

    /// Creates a holder from the text of a lock file, without control characters.
    pub(crate) fn from_text(bytes: &[u8]) -> Self {
        let text = printable(&String::from_utf8_lossy(bytes));
        if text.is_empty() {
            Self::unknown()
        } else {
            Self(text)
        }
    }
}

impl fmt::Display for LockHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the first [`MAX_TEXT_BYTES`] bytes without control characters, and without characters
/// that hide or reorder text.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        // The rule of the command line in its `output.rs`, and the two joiners as well: no text
        // here needs them.
        let is_hidden = matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
        if c.is_control() || is_hidden {
            continue;
        }
        if out.len() + c.len_utf8() > MAX_TEXT_BYTES {
            break;
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_text_is_stripped_of_control_chars() {
        let nasty = b"pid 1\x1b[2J\r\n\x07\xff\xe2\x80\xae\xd8\x9cevil";
        let holder = LockHolder::from_text(nasty).to_string();
        assert_eq!(holder, "pid 1[2J\u{fffd}evil");
        assert_eq!(LockHolder::from_text(&vec![b'x'; 100_000]).to_string().len(), MAX_TEXT_BYTES);
        assert_eq!(LockHolder::from_text(b" \n").to_string(), " ");
        assert_eq!(LockHolder::from_text(b"\n"), LockHolder::unknown());
    }
}
