//! Extracts the texts of any document: JSON, a table, a page, a workbook or unknown bytes.

use std::borrow::Cow;
use std::io::{self, Cursor, Read};

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::document::MAX_DOCUMENT_BYTES;
use crate::encodings::DOUBLE_BYTE;
use crate::json::yaml::convert_yaml;
use crate::parquet;
use crate::workbooks::xls_texts;
use crate::zip_directory::{MAX_WORKBOOK_ENTRIES, check_zip_directory};

/// The signature of a ZIP archive; workbooks are ZIP archives.
const ZIP_SIGNATURE: &[u8] = b"PK\x03\x04";

/// Calls `is_found` with the texts of a document until it returns true: the document in every
/// possible encoding, markup also without its tags, the files of a workbook and their names, the
/// values of a Parquet file. `is_found` resolves escapes, as
/// [`mentions_name`](ranklore_contest::mentions_name) does.
///
/// # Errors
/// An error for an archive or a Parquet file that is broken, encrypted, or unpacks to more
/// than [`MAX_DOCUMENT_BYTES`].
pub fn any_text(bytes: &[u8], is_found: &dyn Fn(&str) -> bool) -> io::Result<bool> {
    let mut left = MAX_DOCUMENT_BYTES as u64;
    any_text_bounded(bytes, is_found, &mut left)
}

/// Does the same as [`any_text`], with `left` as the remaining bytes that archives may unpack to.
fn any_text_bounded(
    bytes: &[u8],
    is_found: &dyn Fn(&str) -> bool,
    left: &mut u64,
) -> io::Result<bool> {
    // Search an archive as plain text too: comments follow its files.
    if any_plain_text(bytes, is_found) || xls_texts::any_text(bytes, is_found) {
        return Ok(true);
    }
    if bytes.starts_with(parquet::SIGNATURE) {
        return parquet::search(bytes.to_vec(), is_found).map_err(io::Error::other);
    }
    if !bytes.starts_with(ZIP_SIGNATURE) {
        return Ok(false);
    }
    check_zip_directory(&mut Cursor::new(bytes), MAX_WORKBOOK_ENTRIES)?;
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes))?;
    for index in 0..archive.len() {
        let file = archive.by_index(index)?;
        if is_found(file.name()) {
            return Ok(true);
        }
        let mut unpacked = Vec::new();
        let mut bounded = file.take(*left + 1);
        let length = bounded.read_to_end(&mut unpacked)?;
        *left = left
            .checked_sub(length as u64)
            .ok_or_else(|| io::Error::other("it unpacks to too many bytes"))?;
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
            || resolve_yaml(&text).is_some_and(|json| is_found(&json))
    })
}

/// Returns the values of a text that can be YAML with escapes, such as `"Zo\xEB"`, that other formats
/// do not have.
fn resolve_yaml(text: &str) -> Option<String> {
    let may_be_yaml = text.contains('\\') && text.contains(':') || text.contains("''");
    let json =
        (may_be_yaml && !text.starts_with(['{', '[', '<'])).then(|| convert_yaml(text.as_bytes()));
    String::from_utf8(json?.ok()?).ok()
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
    let double_byte = DOUBLE_BYTE.map(|encoding| (encoding, !is_utf_8));
    let possible = encodings.into_iter().chain(double_byte).filter(|(_, is_possible)| *is_possible);
    std::iter::once(utf_8)
        .chain(possible.map(|(encoding, _)| encoding.decode_without_bom_handling(bytes).0))
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
            b"- place: 1\n  name: \"x Zo\\xEB y\"\n",
        ] {
            assert!(finds(bytes, "Zoë"), "{bytes:?}");
            assert!(!finds(bytes, "Zoé"), "{bytes:?}");
        }
    }

    #[test]
    fn texts_are_found_in_east_asian_encodings() {
        for encoding in DOUBLE_BYTE {
            let (bytes, _, _) = encoding.encode("x 山田 y");
            assert!(finds(&bytes, "山田"), "{encoding:?}");
        }
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
