//! Words for errors of the JSON parser, whose own name types and tokens of programs.

use crate::quote::{Quoted, shorten};

/// Describes an error of the JSON parser, without its place.
#[must_use]
pub fn describe_json_error(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return "this is not JSON: it ends too early".to_owned();
    }
    let text = error.to_string();
    let message = text.rsplit_once(" at line ").map_or(&*text, |(message, _)| message);
    match message {
        "number out of range" => return "the number is out of range".to_owned(),
        "recursion limit exceeded" => return "the JSON is nested too deep".to_owned(),
        _ if error.is_syntax() => return "this is not JSON".to_owned(),
        _ => {}
    }
    if let Some(field) = message.strip_prefix("missing field ") {
        return format!("the field {} is missing", Quoted(field.trim_matches('`')));
    }
    if let Some(field) = message.strip_prefix("duplicate field ") {
        return format!("the field {} stands twice", Quoted(field.trim_matches('`')));
    }
    if let Some((word, expected)) = message
        .strip_prefix("unknown variant ")
        .and_then(|rest| rest.split_once(", expected "))
    {
        let expected = expected.trim_start_matches("one of ").replace('`', "\"");
        let word = Quoted(word.trim_matches('`'));
        return format!("{word} is unknown: expected {expected}");
    }
    let prefixes = ["invalid type: ", "invalid value: ", "invalid length "];
    let mismatch = prefixes.iter().find_map(|p| message.strip_prefix(p));
    match mismatch.and_then(|rest| rest.rsplit_once(", expected ")) {
        Some((value, expected)) => {
            format!("expected {}, found {}", plain_type(expected), plain_value(value))
        }
        None => shorten(message).into_owned(),
    }
}

/// Returns the plain words for a type of the program.
fn plain_type(expected: &str) -> String {
    if let Some(length) = expected.strip_prefix("a tuple of size ") {
        return format!("an array of {length}");
    }
    let plain = match expected {
        "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a sequence" => "an array",
        "a map" => "an object",
        other if other.starts_with("struct ") => "an object",
        other => other,
    };
    plain.to_owned()
}

/// Returns the plain words for a value.
fn plain_value(text: &str) -> String {
    let (kind, value) = text.split_once(' ').unwrap_or((text, ""));
    match kind {
        "null" => "null".to_owned(),
        "map" => "an object".to_owned(),
        "sequence" => "an array".to_owned(),
        "string" | "character" => format!("the text {}", shorten(value)),
        "boolean" | "integer" => value.trim_matches('`').to_owned(),
        "floating" => value.trim_start_matches("point ").trim_matches('`').to_owned(),
        // The length of an array.
        _ if kind.bytes().all(|byte| byte.is_ascii_digit()) => format!("an array of {kind}"),
        _ => shorten(text).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only its errors are used")]
    struct Sample {
        name: String,
        time: Option<i64>,
        state: Option<crate::ResultState>,
        row: Option<(u32, f64)>,
        rated: Option<bool>,
    }

    #[test]
    fn errors_use_plain_words() {
        for (json, says) in [
            ("{}", "the field \"name\" is missing"),
            (r#"{"name":"a","name":"b"}"#, "the field \"name\" stands twice"),
            (r#"{"name":1}"#, "expected a string, found 1"),
            (r#"{"name":null}"#, "expected a string, found null"),
            (
                r#"{"name":"a","time":"noon"}"#,
                "expected a whole number, found the text \"noon\"",
            ),
            (r#"{"name":"a","time":1.5}"#, "expected a whole number, found 1.5"),
            (r#"{"name":"a","time":{}}"#, "expected a whole number, found an object"),
            (
                r#"{"name":"a","state":"done"}"#,
                "\"done\" is unknown: expected \"provisional\", \"final\", \"unrated\"",
            ),
            (r#"{"name":"a","row":[1]}"#, "expected an array of 2, found an array of 1"),
            (r#"{"name":"a","row":[-1,2]}"#, "expected a whole number, found -1"),
            (r#"{"name":"a","rated":[]}"#, "expected true or false, found an array"),
            (r#"{"name":"a","rated":1e400}"#, "the number is out of range"),
            ("name,place", "this is not JSON"),
            (r#"{"name":"a","#, "this is not JSON: it ends too early"),
        ] {
            let error = serde_json::from_str::<Sample>(json).unwrap_err();
            assert_eq!(describe_json_error(&error), says, "{json}: {error}");
        }
    }
}
