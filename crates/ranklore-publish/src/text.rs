//! Conversion between values and text.

use std::borrow::Cow;
use std::fmt::Write;

use ranklore_contest::ContestTime;

use crate::batch::Value;
use crate::dictionary::ColumnKind;

/// Appends a value as in CSV: nothing if missing, times as `2024-03-01T12:00:00Z`, numbers so that
/// they round-trip.
pub(crate) fn format_value(out: &mut String, value: Value<'_>) {
    // Writing to a string cannot fail.
    let _ = match value {
        Value::Missing => Ok(()),
        Value::Text(text) => out.write_str(text),
        Value::Integer(value) => write!(out, "{value}"),
        Value::Number(value) => out.write_str(&format_number(value)),
        Value::Time(seconds) => out.write_str(&format_time(seconds)),
        Value::Boolean(value) => write!(out, "{value}"),
    };
}

/// Returns the shortest decimal that round-trips; integers have no point.
fn format_number(value: f64) -> String {
    let text =
        serde_json::Number::from_f64(value).map_or_else(String::new, |number| number.to_string());
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// Formats a time in ISO 8601.
pub(crate) fn format_time(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds)
        .map_or_else(|_| String::new(), |at| at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

/// Formats the day of a time, in UTC.
pub(crate) fn format_day(seconds: i64) -> String {
    let mut time = format_time(seconds);
    time.truncate("2024-03-01".len());
    time
}

/// Parses text as a value of this kind.
pub(crate) fn parse_value(text: &str, kind: ColumnKind) -> Option<Value<'_>> {
    match kind {
        ColumnKind::Text => Some(Value::Text(text)),
        ColumnKind::Integer => text.parse().ok().map(Value::Integer),
        ColumnKind::Number => {
            let value: f64 = text.parse().ok()?;
            value.is_finite().then_some(Value::Number(value))
        }
        ColumnKind::Time => {
            let timestamp: jiff::Timestamp = text.parse().ok()?;
            let is_whole = timestamp.subsec_nanosecond() == 0;
            let time = ContestTime::new(timestamp.as_second()).filter(|_| is_whole)?;
            Some(Value::Time(time.get()))
        }
        ColumnKind::Boolean => text.parse().ok().map(Value::Boolean),
    }
}

/// Prefixes text with an apostrophe if a spreadsheet would take it for a formula, or if it begins
/// with an apostrophe.
#[must_use]
pub fn escape_formula(text: &str) -> Cow<'_, str> {
    if needs_apostrophe(text) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Reverses [`escape_formula`]; `None` if the text cannot be its result.
pub(crate) fn unescape_formula(text: &str) -> Option<&str> {
    match text.strip_prefix('\'') {
        Some(rest) => needs_apostrophe(rest).then_some(rest),
        None => (!needs_apostrophe(text)).then_some(text),
    }
}

fn needs_apostrophe(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\''])
}
