//! One spelling of each name: texts that look equal have equal bytes.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Returns a text with composed letters (NFC), and one space in place of white space within a line
/// between its words. macOS writes ë as two characters; spreadsheets have spaces that do not break.
#[must_use]
pub fn normalise_spelling(text: &str) -> Cow<'_, str> {
    if is_normalised(text) {
        return Cow::Borrowed(text);
    }
    let mut spelling = String::with_capacity(text.len());
    for c in text.nfc() {
        // A line break can separate names.
        if matches!(c, '\n' | '\r') || !c.is_whitespace() {
            spelling.push(c);
        } else if !spelling.ends_with(' ') {
            spelling.push(' ');
        }
    }
    Cow::Owned(spelling)
}

/// True if a text has the spelling that [`normalise_spelling`] returns.
fn is_normalised(text: &str) -> bool {
    let has_plain_spaces = !text.contains("  ")
        && text.chars().all(|c| !c.is_whitespace() || matches!(c, ' ' | '\n' | '\r'));
    has_plain_spaces && (text.is_ascii() || is_nfc(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_that_look_equal_become_equal() {
        for (text, expected) in [
            ("Zoe\u{308} A\u{30a}lder", "Zoë Ålder"),
            ("Zoë\u{a0}Ålder", "Zoë Ålder"),
            ("Bo\t\u{2009} Roe", "Bo Roe"),
            ("Bo  Roe", "Bo Roe"),
            ("Bo\nCy", "Bo\nCy"),
            ("ｶ", "ｶ"),
        ] {
            assert_eq!(normalise_spelling(text), expected, "{text:?}");
            assert!(matches!(normalise_spelling(expected), Cow::Borrowed(_)));
        }
    }
}
