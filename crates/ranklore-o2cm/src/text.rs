//! Decoding and checking of text.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

/// Maximum length of a name of a person, heat or competition, in characters.
pub(crate) const MAX_NAME_CHARS: usize = 200;

/// Decodes a page: UTF-8 if valid, else Windows-1252, as browsers read ISO-8859-1.
pub(crate) fn decode(body: &[u8]) -> Cow<'_, str> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    match std::str::from_utf8(body) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(body).0,
    }
}

/// True if the text is plausible as a name: 1 to 200 characters, no control or replacement
/// characters.
pub(crate) fn is_name(text: &str) -> bool {
    let mut length = 0;
    let sound = text.chars().all(|character| {
        length += 1;
        !character.is_control() && character != '\u{fffd}'
    });
    sound && (1..=MAX_NAME_CHARS).contains(&length)
}

/// Masks letters for error messages, which are stored and must not contain names. Each run of
/// letters becomes `x`; at most 60 characters.
pub(crate) fn mask_letters(text: &str) -> String {
    const CHARS: usize = 60;
    let mut form = String::from('"');
    let mut letters = false;
    for (count, character) in text.chars().enumerate() {
        if count == CHARS * 4 || form.len() > CHARS {
            form.push('…');
            break;
        }
        let letter = character.is_alphabetic();
        if !letter {
            form.extend(character.escape_debug());
        } else if !letters {
            form.push('x');
        }
        letters = letter;
    }
    form.push('"');
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_utf_8_or_windows_1252() {
        assert_eq!(decode("Zoë".as_bytes()), "Zoë");
        assert_eq!(decode("\u{feff}Zoë".as_bytes()), "Zoë");
        assert_eq!(decode(b"Zo\xeb \x96"), "Zoë –");
    }

    #[test]
    fn masked_text_has_no_names() {
        assert_eq!(mask_letters("8) 143 Ada Vale & Zoë - CA"), "\"8) 143 x x & x - x\"");
        assert_eq!(mask_letters("\u{1b}[1m"), "\"\\u{1b}[1x\"");
        assert!(mask_letters(&"1".repeat(9000)).chars().count() < 70);
        assert!(mask_letters(&"a".repeat(9000)).chars().count() < 70);
    }

    #[test]
    fn names_are_bounded_without_controls() {
        assert!(is_name("Ada Vale-Oar"));
        assert!(!is_name(""));
        assert!(!is_name("Ada\u{81}"));
        assert!(!is_name(&"a".repeat(201)));
    }
}
