//! Bounds of messages: text from outside may have any length.

use std::borrow::Cow;

use serde_json::Value;

use super::{escape_json, format_count};

/// Longest line on standard error, in bytes.
const MAX_MESSAGE_BYTES: usize = 4_096;

/// Room in a line for the words that replace what is left out.
const NOTICE_BYTES: usize = 64;

/// Longest value from outside in a message, in characters.
const MAX_VALUE_CHARS: usize = 200;

/// Cuts a long message in the middle: the remedy is at its end.
pub(crate) fn bound_message(message: String) -> String {
    cut_middle(&message, MAX_MESSAGE_BYTES).unwrap_or(message)
}

/// Escapes a line of JSON for a terminal, and cuts the strings of a long one, which stays JSON.
pub(crate) fn bound_json(line: &str) -> String {
    let escaped = escape_json(line);
    if escaped.len() <= MAX_MESSAGE_BYTES {
        return escaped;
    }
    let Ok(mut value) = serde_json::from_str::<Value>(line) else {
        return bound_message(escaped);
    };
    // An escape may take six times the bytes of its character.
    let mut bounded = String::new();
    for bytes in [MAX_MESSAGE_BYTES / 2, MAX_MESSAGE_BYTES / 8] {
        bound_strings(&mut value, bytes);
        bounded = escape_json(&value.to_string());
        if bounded.len() <= MAX_MESSAGE_BYTES {
            break;
        }
    }
    bounded
}

fn bound_strings(value: &mut Value, bytes: usize) {
    match value {
        Value::String(text) => {
            if let Some(cut) = cut_middle(text, bytes) {
                *text = cut;
            }
        }
        Value::Object(members) => {
            members.values_mut().for_each(|member| bound_strings(member, bytes));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| bound_strings(item, bytes)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Cuts a long value from outside to [`MAX_VALUE_CHARS`], in the middle.
pub(crate) fn bound_value(value: &str) -> Cow<'_, str> {
    // Bytes first: counting the characters of a short value is not needed.
    if value.len() <= MAX_VALUE_CHARS || value.chars().nth(MAX_VALUE_CHARS).is_none() {
        return value.into();
    }
    let half = (MAX_VALUE_CHARS - 1) / 2;
    let mut cut: String = value.chars().take(half).chain(['…']).collect();
    let end = value.char_indices().rev().nth(half - 1);
    cut.push_str(end.map_or("", |(at, _)| &value[at..]));
    cut.into()
}

/// Returns the text cut to so many bytes, if it has more.
fn cut_middle(text: &str, bytes: usize) -> Option<String> {
    if text.len() <= bytes {
        return None;
    }
    let half = (bytes - NOTICE_BYTES) / 2;
    let start = text.floor_char_boundary(half);
    let end = text.ceil_char_boundary(text.len() - half);
    let left_out = format_count((end - start) as u64);
    let head = &text[..start];
    let tail = &text[end..];
    Some(format!("{head} … ({left_out} bytes left out) … {tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_message_keeps_start_and_remedy() {
        for text in ["x", "ä", "王", "\u{1b}"] {
            let message = format!("error: {}: name another file", text.repeat(1_000_000));
            let line = bound_message(message);
            assert!((3_900..=4_096).contains(&line.len()), "{}", line.len());
            assert!(line.starts_with(&format!("error: {text}")));
            assert!(line.ends_with(": name another file"), "{line}");
            assert!(line.contains(" bytes left out) … "), "{line}");
        }
        for length in [0, 1, 4_096] {
            let short = "x".repeat(length);
            assert_eq!(bound_message(short.clone()), short);
        }
        assert!(bound_message("x".repeat(4_097)).contains("left out"));
    }

    #[test]
    fn long_line_of_json_stays_json() {
        for text in ["x", "\"", "\u{1}", "\u{9b}", "\u{e0041}", "王"] {
            let line = serde_json::json!({"level": "ERROR", "message": text.repeat(100_000)});
            let json = bound_json(&line.to_string());
            assert!(json.len() <= 4_096, "{}", json.len());
            let event: Value = serde_json::from_str(&json).unwrap();
            assert_eq!(event["level"], "ERROR");
            assert!(event["message"].as_str().unwrap().starts_with(text));
        }
        assert_eq!(bound_json("{}"), "{}");
    }

    #[test]
    fn long_value_keeps_its_ends() {
        let name = format!("start{}end", "王".repeat(1_000));
        let cut = bound_value(&name).into_owned();
        assert_eq!(cut.chars().count(), 199);
        assert!(cut.starts_with("start王") && cut.ends_with("王end"));
        for name in ["", "a", &"王".repeat(200)] {
            assert_eq!(bound_value(name), name);
        }
    }
}
