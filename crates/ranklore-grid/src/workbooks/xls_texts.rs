//! Extracts the texts of an .xls workbook, for the search for names. The bytes around a text can look
//! like letters, and a text can continue in another record.

use std::borrow::Cow;
use std::io::Read;

use encoding_rs::{Encoding, UTF_16LE, WINDOWS_1252};

use super::xls::CompoundFile;
use super::xls_records::{
    BiffRecord, BiffRecords, SharedTexts, TextForm, TextReader, encoding_of_code_page, kind,
};
use super::zip::BoundedReads;
use crate::limits::ReadLimits;

/// Calls `is_found` with the texts of a compound file until it returns true. Returns false for other
/// files.
pub(crate) fn any_text(bytes: &[u8], is_found: &dyn Fn(&str) -> bool) -> bool {
    let Ok(mut file) = CompoundFile::open(BoundedReads::new(bytes)) else {
        return false;
    };
    let entries = file.walk().filter(cfb::Entry::is_stream);
    let paths: Vec<_> = entries.map(|entry| entry.path().to_owned()).collect();
    paths.into_iter().any(|path| {
        let mut stream = Vec::new();
        let opened = file.open_stream(&path);
        opened.is_ok_and(|mut opened| opened.read_to_end(&mut stream).is_ok())
            && (any_decoded(&stream, is_found) || any_text_of_records(&stream, is_found))
    })
}

/// Decodes bytes that may have any alignment.
fn any_decoded(bytes: &[u8], is_found: &dyn Fn(&str) -> bool) -> bool {
    let odd = bytes.get(1..).unwrap_or_default();
    let decode = |encoding: &'static Encoding, bytes| encoding.decode_without_bom_handling(bytes).0;
    let wide = [bytes, odd].map(|bytes| decode(UTF_16LE, bytes));
    // The length before a wide text and its flag look like one of these letters.
    let is_flag = |char: char| matches!(char, '\u{100}'..='\u{1ff}');
    wide.into_iter()
        .flat_map(|text| [Cow::Owned(text.replace(is_flag, " ")), text])
        .chain([decode(WINDOWS_1252, bytes)])
        .any(|text| is_found(&text))
}

/// Reads a stream as records of a workbook.
fn any_text_of_records(stream: &[u8], is_found: &dyn Fn(&str) -> bool) -> bool {
    let mut form = TextForm::Unicode;
    let mut texts = String::new();
    for record in (BiffRecords { stream, at: 0 }) {
        match (record.kind, record.u16_at(0)) {
            (kind::BEGIN, Some(0x0500)) => form = TextForm::CodePage(WINDOWS_1252),
            (kind::CODE_PAGE, Some(page)) if matches!(form, TextForm::CodePage(_)) => {
                form = TextForm::CodePage(encoding_of_code_page(page));
            }
            (kind::SHARED_TEXTS, _) => {
                let shared = SharedTexts::read(record, stream, ReadLimits::ARCHIVED);
                for text in shared.unwrap_or_default().iter() {
                    texts.push_str(text);
                    texts.push_str(SEPARATOR);
                }
            }
            _ => {}
        }
        // Millions of cells have a number, or refer to a shared text.
        if !kind::WITHOUT_TEXT.contains(&record.kind) {
            read_text(record, stream, form, &mut texts);
            texts.push_str(SEPARATOR);
            if any_decoded(record.data, is_found) {
                return true;
            }
        }
        if texts.len() > 1 << 20 {
            if is_found(&texts) {
                return true;
            }
            texts.clear();
        }
    }
    is_found(&texts)
}

/// Separates texts, so that the words of two are not one name.
const SEPARATOR: &str = "\n|\n";

/// Reads the text of a record that has one.
fn read_text(
    record: BiffRecord<'_>,
    stream: &[u8],
    form: TextForm,
    text: &mut String,
) -> Option<()> {
    let reader = |at| TextReader::new(record, at, stream);
    match record.kind {
        kind::TEXT | kind::RICH_TEXT => reader(6)?.read_long(form, text),
        kind::FORMULA_TEXT => reader(0)?.read_long(form, text),
        kind::SHEET => reader(6)?.read_short(form, text),
        _ => None,
    }
}
