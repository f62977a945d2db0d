//! Extracts the texts of any document: JSON, a table, a page, a workbook or unknown bytes.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};
use zip::result::ZipError;

use crate::reading::{FileReadError, MAX_DOCUMENT_BYTES};
use crate::table::formats::{parquet, xls_texts};
use crate::zip_directory::{MAX_WORKBOOK_ENTRIES, check_zip_directory};

/// The signature of a ZIP archive; workbooks are ZIP archives.
const ZIP_SIGNATURE: &[u8] = b"PK\x03\x04";

/// A document that cannot be searched, such as a broken workbook.
#[derive(Debug, thiserror::Error)]
pub enum Unsearchable {
    /// A broken archive.
    #[error("the document cannot be searched: {0}")]
    Archive(#[from] ZipError),
    /// A broken Parquet file.
    #[error("the document cannot be searched: {0}")]
    Parquet(FileReadError),
}

/// Calls `is_found` with the texts of a document until it returns true: the document in every
/// possible encoding, markup also without its tags, JSON and PGN also without their escapes, the files of a
/// workbook and their names, the values of a Parquet file.
///
/// # Errors
/// [`Unsearchable`] for an archive or a Parquet file that is broken, encrypted, or unpacks to more
/// than [`MAX_DOCUMENT_BYTES`].
pub fn any_text(bytes: &[u8], is_found: &dyn Fn(&str) -> bool) -> Result<bool, Unsearchable> {
    let mut left = MAX_DOCUMENT_BYTES as u64;
    any_text_bounded(bytes, is_found, &mut left)
}

/// Does the same as [`any_text`], with `left` as the remaining bytes that archives may unpack to.
fn any_text_bounded(
    bytes: &[u8],
    is_found: &dyn Fn(&str) -> bool,
    left: &mut u64,
) -> Result<bool, Unsearchable> {
    // Search an archive as plain text too: comments follow its files.
    if any_plain_text(bytes, is_found) || xls_texts::any_text(bytes, is_found) {
        return Ok(true);
    }
    if bytes.starts_with(parquet::SIGNATURE) {
        let values = parquet::search(bytes.to_vec(), is_found);
        return values.map_err(Unsearchable::Parquet);
    }
    if !bytes.starts_with(ZIP_SIGNATURE) {
        return Ok(false);
    }
    check_zip_directory(&mut Cursor::new(bytes), MAX_WORKBOOK_ENTRIES).map_err(ZipError::Io)?;
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes))?;
    for index in 0..archive.len() {
        let file = archive.by_index(index)?;
        if is_found(file.name()) {
            return Ok(true);
        }
        let mut unpacked = Vec::new();
        let mut bounded = file.take(*left + 1);
        let length = bounded.read_to_end(&mut unpacked).map_err(ZipError::Io)?;
        *left = left
            .checked_sub(length as u64)
            .ok_or(ZipError::InvalidArchive("it unpacks to too many bytes".into()))?;
        if any_text_bounded(&unpacked, is_found, left)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn any_plain_text(bytes: &[u8], is_found: &dyn Fn(&str) -> bool) -> bool {
    decode_candidates(bytes).any(|text| {
        is_found(&text)
            || text.contains('<') && ["", " "].iter().any(|by| is_found(&strip_tags(&text, by)))
            || text.contains("\\u") && is_found(&unescape(&text))
            || text.contains("\\\"") && is_found(&text.replace("\\\"", "\""))
    })
}

/// Decodes the bytes in every encoding that they may have.
fn decode_candidates(bytes: &[u8]) -> impl Iterator<Item = Cow<'_, str>> {
    let utf_8 = String::from_utf8_lossy(bytes);
    let is_utf_8 = matches!(utf_8, Cow::Borrowed(_));
    // UTF-16 may be valid UTF-8; then about every second byte is zero.
    let zeros: usize = bytes.iter().map(|byte| usize::from(*byte == 0)).sum();
    let has_mark = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let may_be_utf_16 = has_mark || zeros > bytes.len() / 8;
    let encodings = [
        (UTF_16LE, may_be_utf_16),
        (UTF_16BE, may_be_utf_16),
        (WINDOWS_1252, !is_utf_8),
    ];
    let possible = encodings.into_iter().filter(|(_, is_possible)| *is_possible);
    std::iter::once(utf_8)
        .chain(possible.map(|(encoding, _)| encoding.decode_without_bom_handling(bytes).0))
}

/// Replaces the escapes of JSON such as `\u00eb` by their characters.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut units = Vec::new();
    let mut rest = text;
    while let Some((before, escaped)) = rest.split_once("\\u") {
        plain.push_str(before);
        rest = escaped;
        // Characters beyond 16 bits are two escapes.
        while let Some(digits) = rest.get(..4)
            && let Ok(unit) = u16::from_str_radix(digits, 16)
        {
            units.push(unit);
            let Some(next) = rest[4..].strip_prefix("\\u") else {
                rest = &rest[4..];
                break;
            };
            rest = next;
        }
        let chars = char::decode_utf16(units.drain(..));
        plain.extend(chars.map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)));
    }
    plain.push_str(rest);
    plain
}

fn strip_tags(text: &str, by: &str) -> String {
    let mut left = String::with_capacity(text.len());
    for part in text.split('<') {
        match part.split_once('>') {
            Some((_, behind)) if !left.is_empty() || !text.starts_with(part) => {
                left.push_str(by);
                left.push_str(behind);
            }
            _ => left.push_str(part),
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(bytes: &[u8], name: &str) -> bool {
        any_text(bytes, &|text| text.contains(name)).unwrap()
    }

    #[test]
    fn texts_are_found_in_every_encoding() {
        let utf_16 = |to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            "x Zoë y".encode_utf16().flat_map(to_bytes).collect()
        };
        for bytes in [
            "x Zoë y".as_bytes(),
            b"x Zo\xeb y",
            &utf_16(u16::to_le_bytes),
            &utf_16(u16::to_be_bytes),
            "x <b>Zo</b>ë y".as_bytes(),
            b"<i>x</i> Zo<b>\xeb</b> y",
        ] {
            assert!(finds(bytes, "Zoë"), "{bytes:?}");
            assert!(!finds(bytes, "Zoé"), "{bytes:?}");
        }
    }

    #[test]
    fn escapes_of_json_become_characters() {
        assert_eq!(unescape(r"Zo\u00eb \ud83d\ude00\u0041 \u12"), "Zoë 😀A 12");
        assert_eq!(unescape(r"\u00E9\ud83d \uq"), "é\u{fffd} q");
        assert!(finds(br#"{"coach":"Zo\u00eb"}"#, "Zoë"));
    }

    #[test]
    fn escaped_quotes_become_quotes() {
        assert!(finds(br#"[White "Dov \"Ace\" Lind"]"#, "Dov \"Ace\" Lind"));
    }

    #[test]
    fn tags_are_removed_or_become_spaces() {
        assert_eq!(strip_tags("a<b>b</b> <c", ""), "ab c");
        assert_eq!(strip_tags("Ada<br>Bell", " "), "Ada Bell");
        assert_eq!(strip_tags("a > b", ""), "a > b");
        assert_eq!(strip_tags("<t>Ada</t>", ""), "Ada");
    }

    #[test]
    fn broken_archive_is_unsearchable() {
        assert!(any_text(b"PK\x03\x04 and no more", &|_| false).is_err());
    }
}
