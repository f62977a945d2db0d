//! The strings of JSON, found and decoded where they stand, also where the JSON is damaged.

use std::borrow::Cow;

/// Where the next quote is that no backslash escapes; the end where there is none.
pub(super) fn closing_quote(bytes: &[u8], from: usize) -> usize {
    let mut escaped = false;
    let rest = bytes.get(from..).unwrap_or_default();
    let quote = rest.iter().position(|byte| {
        let found = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        found
    });
    quote.map_or(bytes.len(), |quote| from + quote)
}

/// What stands in a string, without its quotes. Where its escapes or its encoding are wrong,
/// as well as it can be told.
pub(super) fn decode(string: &[u8]) -> Cow<'_, str> {
    if string.contains(&b'\\') {
        let quoted = [b"\"", string, b"\""].concat();
        if let Ok(decoded) = serde_json::from_slice::<String>(&quoted) {
            return Cow::Owned(decoded);
        }
    }
    match std::str::from_utf8(string) {
        Ok(string) => Cow::Borrowed(string),
        Err(_) => {
            encoding_rs::WINDOWS_1252
                .decode_without_bom_handling(string)
                .0
        }
    }
}
