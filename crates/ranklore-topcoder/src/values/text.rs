//! Decoding and checking of text.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

/// Maximum length of a handle or a round's name, in characters.
const MAX_NAME_CHARS: usize = 200;

/// Encoding of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    /// ISO-8859-1, decoded as its superset Windows-1252, as browsers do.
    Latin1,
}

impl Encoding {
    /// Guesses the encoding of a page, whose declaration is unreliable.
    pub(crate) fn guess(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(_) => Self::Utf8,
            Err(_) => Self::Latin1,
        }
    }

    /// Decodes the bytes; `None` if they are invalid.
    pub(crate) fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        if bytes.is_ascii() || self == Self::Utf8 {
            return std::str::from_utf8(bytes).ok().map(Cow::Borrowed);
        }
        Some(WINDOWS_1252.decode_without_bom_handling(bytes).0)
    }
}

/// True if the text is plausible as a name: 1 to 200 characters, not blank, no control or
/// replacement characters.
pub(crate) fn is_name(text: &str) -> bool {
    let mut length = 0;
    let sound = text.chars().all(|character| {
        length += 1;
        !character.is_control() && character != '\u{fffd}'
    });
    sound && (1..=MAX_NAME_CHARS).contains(&length) && !text.trim().is_empty()
}

/// True if this is the number of a coder, or the pseudonym that earlier versions of Ranklore wrote
/// into archived responses for an anonymised one.
pub(crate) fn is_coder_id(id: &str) -> bool {
    let is_pseudonym = id.starts_with("forgotten-");
    let digits = id.strip_prefix("forgotten-").unwrap_or(id);
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (is_pseudonym && id.len() <= 32 || !id.starts_with('0') && id.len() <= 12)
}

/// Masks letters for error messages, which are stored and must not contain names. Each run of
/// letters becomes `x`; at most about 40 bytes.
pub(crate) fn mask_letters(text: &[u8]) -> String {
    const BYTES: usize = 40;
    let mut form = String::from('"');
    let mut letters = false;
    for (count, byte) in text.iter().enumerate() {
        if count == BYTES * 4 || form.len() > BYTES {
            form.push('…');
            break;
        }
        let letter = byte.is_ascii_alphabetic() || !byte.is_ascii();
        if !letter {
            form.extend(char::from(*byte).escape_debug());
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
    fn iso_8859_1_is_read_as_windows_1252() {
        let decode = |encoding: Encoding, bytes| encoding.decode(bytes).map(Cow::into_owned);
        let latin = Encoding::Latin1;
        assert_eq!(decode(latin, b"m\xf6we \x96").as_deref(), Some("möwe –"));
        assert_eq!(decode(Encoding::Utf8, b"m\xf6we"), None);
        assert_eq!(decode(Encoding::Utf8, "möwe".as_bytes()).as_deref(), Some("möwe"));
    }

    #[test]
    fn coder_ids_are_numbers_or_pseudonyms() {
        for id in ["7", "40000011", "forgotten-1"] {
            assert!(is_coder_id(id), "{id}");
        }
        for other in [
            "",
            "0",
            "07",
            "-7",
            "7.0",
            "tin_kettle",
            "forgotten",
            "forgotten-x",
        ] {
            assert!(!is_coder_id(other), "{other}");
        }
        assert!(!is_coder_id(&"1".repeat(13)));
    }

    #[test]
    fn masked_text_has_no_names() {
        assert_eq!(mask_letters(b"tin_kettle 7"), "\"x_x 7\"");
        assert_eq!(mask_letters(b"\x1b[1m\xff"), "\"\\u{1b}[1x\"");
        assert!(mask_letters(&[b'1'; 9000]).len() < 60);
        assert!(mask_letters(&[b'a'; 9000]).len() < 60);
    }

    #[test]
    fn names_are_bounded_without_controls() {
        assert!(is_name("sloe gin"));
        for other in ["", " ", "a\u{7}", "a\u{fffd}"] {
            assert!(!is_name(other), "{other:?}");
        }
        assert!(!is_name(&"a".repeat(201)));
    }
}
