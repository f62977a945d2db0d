//! The texts of a workbook, wherever in its archive they stand.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use zip::result::ZipError;

use super::{Blank, CannotRedact, ask};
use crate::reading::MAX_DOCUMENT_BYTES;

/// Whether a workbook mentions somebody who is to be forgotten: in a cell of any sheet, the
/// name of a sheet, a comment, a property. An error where not all of it can be seen.
pub(super) fn mentions(workbook: &[u8], blank: Blank<'_>) -> Result<bool, CannotRedact> {
    search(workbook, blank).map_err(|error| CannotRedact {
        mentions: false,
        why: format!("this workbook cannot be seen through: {error}"),
    })
}

fn search(workbook: &[u8], blank: Blank<'_>) -> Result<bool, ZipError> {
    let mut archive = zip::ZipArchive::new(Cursor::new(workbook))?;
    let mut left = MAX_DOCUMENT_BYTES as u64;
    for index in 0..archive.len() {
        let mut xml = Vec::new();
        let unpacked = (archive.by_index(index)?.take(left + 1)).read_to_end(&mut xml)?;
        left = left
            .checked_sub(unpacked as u64)
            .ok_or(ZipError::InvalidArchive("it unpacks to too much".into()))?;
        // What is no text is a picture.
        if std::str::from_utf8(&xml).is_ok_and(|xml| in_markup(xml, blank)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Looks between tags and into attributes that are names.
fn in_markup(xml: &str, blank: Blank<'_>) -> bool {
    let known = |text: &str| ask(blank, unescape(text).trim()).is_some();
    // A cell with parts in bold has its text in pieces, between `<si>` or `<is>` and its end.
    let mut pieces = String::new();
    for tag in xml.split('<') {
        let (tag, text) = tag.split_once('>').unwrap_or((tag, ""));
        let (element, _) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        match element {
            "si" | "is" => pieces.clear(),
            "/si" | "/is" if known(&pieces) => return true,
            // A number may stand for a text that lies elsewhere.
            "v" if text.parse::<f64>().is_ok() => continue,
            _ => {}
        }
        pieces.push_str(text);
        if known(text) || names(tag).any(known) {
            return true;
        }
    }
    false
}

/// The values of the attributes that are called names.
fn names(tag: &str) -> impl Iterator<Item = &str> {
    let mut parts = tag.split(['"', '\'']);
    std::iter::from_fn(move || Some((parts.next()?, parts.next()?)))
        .filter(|(attribute, _)| attribute.to_ascii_lowercase().ends_with("name="))
        .map(|(_, value)| value)
}

/// Resolves character references.
fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split('&');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let reference = part.split_once(';').and_then(|(name, rest)| {
            let code = match name {
                "amp" => return Some(('&', rest)),
                "lt" => return Some(('<', rest)),
                "gt" => return Some(('>', rest)),
                "quot" => return Some(('"', rest)),
                "apos" => return Some(('\'', rest)),
                number => number.strip_prefix('#')?,
            };
            let code = match code.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => code.parse(),
            };
            Some((char::from_u32(code.ok()?)?, rest))
        });
        if let Some((c, rest)) = reference {
            plain.push(c);
            plain.push_str(rest);
        } else {
            plain.push('&');
            plain.push_str(part);
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_wherever_they_stand() {
        let blank = |name: &str| (name == "Ada & \"é\"").then(String::new);
        for xml in [
            "<t>Ada &amp; &quot;&#233;&quot;</t>",
            "<t> Ada &#x26; \"é\"\n</t>",
            "<sheet id='1' name='Ada &amp; &quot;é&quot;'/>",
            "<si><r><t>Ada </t></r><r><b/><t>&amp; \"</t></r><t>é\"</t></si>",
        ] {
            assert!(in_markup(xml, &blank), "{xml}");
        }
        for xml in [
            "",
            "<",
            "<t>Ada &amp; é</t>",
            "&",
            "&#;&#x110000;&amp",
            "><'",
        ] {
            assert!(!in_markup(xml, &blank), "{xml}");
        }
    }
    #[test]
    fn numbers_and_places_are_no_names() {
        let blank = |name: &str| ["7", "A7"].contains(&name).then(String::new);
        let number = "<c r=\"A7\" s='7' t=\"s\"><v>7</v></c>";
        assert!(!in_markup(number, &blank));
        assert!(in_markup("<c t='inlineStr'><is><t>7</t></is></c>", &blank));
        assert!(in_markup("<sheet sheetId='1' name='A7'/>", &blank));
    }
}
