//! Cells of JSON scalars.

use std::borrow::Cow;

use crate::lists::end_decimal;
use ranklore_contest::describe_json_error;

/// Returns the cell of a text, number, boolean or null.
pub(super) fn scalar_text(json: &str) -> Result<Cow<'_, str>, String> {
    match json.as_bytes() {
        [b'"', text @ .., b'"'] if !text.contains(&b'\\') => {
            Ok(Cow::Borrowed(&json[1..json.len() - 1]))
        }
        [b'"', ..] => serde_json::from_str::<String>(json)
            .map(Cow::Owned)
            .map_err(|error| describe_json_error(&error)),
        [b'n', ..] => Ok(Cow::Borrowed("")),
        [b't' | b'f', ..] => Ok(Cow::Borrowed(json)),
        _ => Ok(number_text(json)),
    }
}

/// Returns a number as it is written, but without an exponent.
fn number_text(json: &str) -> Cow<'_, str> {
    if json.contains(['e', 'E']) {
        return match json.parse::<f64>() {
            Ok(number) if number.is_finite() => Cow::Owned(number.to_string()),
            _ => Cow::Borrowed(json),
        };
    }
    if !json.contains('.') {
        return Cow::Borrowed(json);
    }
    let mut number = json.to_owned();
    end_decimal(&mut number);
    Cow::Owned(number)
}
