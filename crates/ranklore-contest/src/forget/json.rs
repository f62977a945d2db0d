//! The strings of JSON documents, in place.

use std::collections::HashMap;

use super::edit::Edit;
use super::places::{Place, Somebody, Text, each_string, is_key};
use super::strings::{closing_quote, decode};
use super::{Blank, Reach, ask};
use crate::reading::is_too_long;

/// Blanks strings, keys among them, of what is known to be JSON. Nothing if none was blanked.
pub(super) fn blank_strings(bytes: &[u8], reach: Reach, blank: Blank<'_>) -> Option<Vec<u8>> {
    // What those are called who are to be forgotten: only the file says so.
    let mut called = HashMap::new();
    each_string(bytes, |text, somebody| {
        if let Some(by) = called_by(&text, somebody, blank) {
            called.insert(text.string.into_owned(), by);
        }
    });
    let mut edit = Edit::new(bytes);
    each_string(bytes, |text, somebody| {
        let by = match text.place {
            Place::Claimed if reach != Reach::Everything => None,
            Place::Claimed | Place::Open => ask(blank, &text.string),
            Place::Unread => {
                ask(blank, &text.string).or_else(|| called.get(&*text.string).cloned())
            }
            Place::Called => called_by(&text, somebody, blank).or_else(|| {
                // A team is called what it is called, even if a person is called the same.
                let own = somebody.is_some_and(|of| of.ids.iter().any(|id| *id == text.string));
                if own { None } else { ask(blank, &text.string) }
            }),
        };
        if let Some(by) = by {
            edit.replace(text.range, &literal(by));
        }
    });
    edit.finish()
}

/// The blank of whom this is a name of, if that is somebody to be forgotten.
fn called_by(text: &Text<'_>, somebody: Option<&Somebody>, blank: Blank<'_>) -> Option<String> {
    let somebody = somebody.filter(|of| of.is_person() && text.place == Place::Called)?;
    // What is refused for its length stays refused.
    let a_name = !text.string.is_empty() && !is_too_long(&text.string);
    let mut ids = somebody.ids.iter().filter(|_| a_name);
    ids.find_map(|id| ask(blank, id))
}

/// Blanks the strings that are values of members called `members`, at any depth; all other bytes
/// stay as they are. Of what is no JSON, such as an answer that was cut off, what lies between
/// any two quotes is blanked. Nothing if nobody is named.
#[must_use]
pub fn redact_members(
    bytes: &[u8],
    members: &[&str],
    blank: &dyn Fn(&str) -> Option<String>,
) -> Option<Vec<u8>> {
    if serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_err() {
        return blank_quoted(bytes, blank);
    }
    let mut edit = Edit::new(bytes);
    let (mut at, mut names_somebody) = (0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let end = closing_quote(bytes, at + 1);
                let string = &bytes[at + 1..end];
                if is_key(bytes, end) {
                    names_somebody = members.contains(&&*decode(string));
                } else if names_somebody && let Some(by) = ask(blank, &decode(string)) {
                    edit.replace(at..end + 1, &literal(by));
                }
                at = end;
            }
            b',' | b'[' | b'{' => names_somebody = false,
            _ => {}
        }
        at += 1;
    }
    edit.finish()
}

/// Blanks what lies between any two neighbouring quotes. Where JSON is damaged, nobody knows
/// which quotes open a string and which close one.
pub(crate) fn blank_between_quotes(text: &str, blank: Blank<'_>) -> Option<String> {
    // Whole strings are replaced, so it stays a text.
    String::from_utf8(blank_quoted(text.as_bytes(), blank)?).ok()
}

fn blank_quoted(bytes: &[u8], blank: Blank<'_>) -> Option<Vec<u8>> {
    let mut edit = Edit::new(bytes);
    let mut open = closing_quote(bytes, 0);
    while open < bytes.len() {
        let close = closing_quote(bytes, open + 1);
        if close < bytes.len()
            && let Some(by) = ask(blank, &decode(&bytes[open + 1..close]))
        {
            let literal = literal(by);
            edit.replace(open + 1..close, &literal[1..literal.len() - 1]);
        }
        open = close;
    }
    edit.finish()
}

/// A string with its quotes and escapes.
fn literal(string: String) -> String {
    serde_json::Value::from(string).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ada(name: &str) -> Option<String> {
        (name == "Ada \"é\"").then(|| "forgotten-1".to_owned())
    }

    #[test]
    fn strings_are_decoded_and_all_else_stays() {
        let text = br#" {"Ada \"\u00e9\"" : ["Ada \"\u00E9\"", "Ada", "\ud800", 1.50e0]} "#;
        let blanked = blank_strings(text, Reach::Everything, &ada).unwrap();
        assert_eq!(
            String::from_utf8(blanked).unwrap(),
            r#" {"forgotten-1" : ["forgotten-1", "Ada", "\ud800", 1.50e0]} "#
        );
        assert_eq!(blank_strings(b"[\"Ada\"]", Reach::Everything, &ada), None);
    }

    #[test]
    fn what_a_contest_is_called_is_its_own() {
        let bea = |name: &str| ["Bea", "id"].contains(&name).then(|| "x-1".to_owned());
        let text = br#"[{"n\u0061me":"Bea","id":"Bea","by":"Bea","standings":[["Bea",0,0]]}]"#;
        let blanked = blank_strings(text, Reach::Unclaimed, &bea).unwrap();
        assert_eq!(
            String::from_utf8(blanked).unwrap(),
            r#"[{"n\u0061me":"Bea","id":"Bea","by":"x-1","standings":[["x-1",0,0]]}]"#
        );
    }

    #[test]
    fn only_members_of_these_names_are_blanked() {
        let blank = |name: &str| (name == "ada").then(|| "forgotten-1".to_owned());
        let by = |text: &str| {
            redact_members(text.as_bytes(), &["by"], &blank)
                .map(|bytes| String::from_utf8(bytes).unwrap())
        };
        for (text, blanked) in [
            (
                r#" {"by" : "ada", "to":"ada", "in":[{"b\u0079":"\u0061da","n":1.50}]}"#,
                r#" {"by" : "forgotten-1", "to":"ada", "in":[{"b\u0079":"forgotten-1","n":1.50}]}"#,
            ),
            (
                r#"{"by":["ada"],"ada":{"by":"ada","by":"bea"}}"#,
                r#"{"by":["ada"],"ada":{"by":"forgotten-1","by":"bea"}}"#,
            ),
            // Nobody knows what was cut off.
            (r#"{"to":"ada","by":"a"#, r#"{"to":"forgotten-1","by":"a"#),
        ] {
            assert_eq!(by(text).as_deref(), Some(blanked));
            assert_eq!(by(blanked), None);
        }
        for text in [
            r#"{"by":"adam","to":"ada"}"#,
            r#"{"by":7,"x":"ada"}"#,
            "",
            "\"",
        ] {
            assert_eq!(by(text), None, "{text}");
        }
    }

    #[test]
    fn damage_hides_nobody_behind_it() {
        let text = r#"{"name": "Round 1, "standings": [["Ada \"é\"", 0, 0]"#;
        let blanked = blank_between_quotes(text, &ada).unwrap();
        assert_eq!(
            blanked,
            r#"{"name": "Round 1, "standings": [["forgotten-1", 0, 0]"#
        );
        for text in ["", "\"", "\\", "\"\\\"", "\\\"Ada", "\"\""] {
            assert_eq!(blank_between_quotes(text, &ada), None);
            let _ = blank_strings(text.as_bytes(), Reach::Everything, &ada);
        }
    }
}
