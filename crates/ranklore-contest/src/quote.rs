//! Values from outside, quoted in messages.

use std::borrow::Cow;
use std::fmt;

/// The most characters of a value from outside that a message shows.
const MAX_SHOWN: usize = 200;

/// A value from outside, such as a cell or a name, displayed in quotes and with escapes, and in
/// full up to 200 characters. Of a longer one the beginning and the end are displayed.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'v>(pub &'v str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", shorten(self.0))
    }
}

/// Returns a value from outside as it is up to 200 characters, and else its beginning and its end
/// with … between them.
#[must_use]
pub fn shorten(value: &str) -> Cow<'_, str> {
    if value.len() <= MAX_SHOWN || value.chars().nth(MAX_SHOWN).is_none() {
        return value.into();
    }
    let half = (MAX_SHOWN - 1) / 2;
    let mut chars = value.char_indices();
    let start = chars.nth(MAX_SHOWN - 1 - half).map_or(0, |(at, _)| at);
    let mut reversed = value.char_indices().rev();
    let end = reversed.nth(half - 1).map_or(0, |(at, _)| at);
    format!("{}…{}", &value[..start], &value[end..]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_cut_in_the_middle() {
        let full = "é".repeat(MAX_SHOWN);
        assert_eq!(shorten(&full), full);
        let long = format!("start{}end", "é".repeat(1_000_000));
        let short = shorten(&long);
        assert_eq!(short.chars().count(), MAX_SHOWN);
        assert!(short.starts_with("starté") && short.ends_with("éend"), "{short}");
        assert_eq!(short.matches('…').count(), 1);
        assert_eq!(Quoted("a\n\"b\"").to_string(), r#""a\n\"b\"""#);
    }
}
