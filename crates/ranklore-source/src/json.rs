//! Helpers for JSON documents: classifying answers, parsing with the path of errors, and removing
//! members without changing other bytes.

mod classify;
mod entries;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

pub use classify::{classify, classify_failure, quote_excerpt};
pub use entries::{Entry, valid_entries};
use ranklore_contest::describe_json_error;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::{SiteReadError, remove_ranges};

/// The maximum length of an error message in characters: documents may contain anything.
const MAX_MESSAGE_CHARS: usize = 300;

/// Parses one JSON value as a `T`, which may borrow from the document.
///
/// Parses valid documents once, at full speed. Parses others again to find the path of the invalid
/// field.
///
/// # Errors
/// [`SiteReadError`] with `document`, the path of the field (`result[3].rank`; the parent of a
/// missing field) and the expected data.
pub fn parse<'a, T: Deserialize<'a>>(document: &str, body: &'a [u8]) -> Result<T, SiteReadError> {
    serde_json::from_slice(body).map_err(|error| {
        locate_error::<T>(document, body).unwrap_or_else(|| whole_document_error(document, &error))
    })
}

fn locate_error<'a, T: Deserialize<'a>>(document: &str, body: &'a [u8]) -> Option<SiteReadError> {
    if let Err(error) = std::str::from_utf8(body) {
        let expected = format!("text in UTF-8: {error}");
        return Some(SiteReadError::whole_document(document, expected));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let error = serde_path_to_error::deserialize::<_, T>(&mut deserializer).err()?;
    let path = error.path().to_string();
    // A question mark stands for a member whose name was not read.
    match path.trim_end_matches('?').trim_end_matches('.') {
        "" => Some(whole_document_error(document, error.inner())),
        path => {
            let expected = shorten(&describe_json_error(error.inner()));
            Some(SiteReadError::new(document, shorten(path), expected))
        }
    }
}

fn whole_document_error(document: &str, error: &serde_json::Error) -> SiteReadError {
    SiteReadError::whole_document(document, shorten(&describe_json_error(error)))
}

/// Shortens and escapes a message, which may quote the document.
fn shorten(text: &str) -> String {
    let mut chars = text.chars();
    let mut short = String::new();
    for character in chars.by_ref().take(MAX_MESSAGE_CHARS) {
        if character.is_control() {
            short.extend(character.escape_default());
        } else {
            short.push(character);
        }
    }
    if chars.next().is_some() {
        short.push('…');
    }
    short
}

/// Returns the document with only the members at these paths, their contents and their parents; the
/// paths are those of [`trim`].
#[must_use]
pub fn keep<'b>(body: &'b [u8], paths: &[&str]) -> Cow<'b, [u8]> {
    trim(body, |path| {
        if paths.contains(&path) {
            MemberAction::Keep
        } else if paths.iter().any(|kept_path| {
            let rest = kept_path.strip_prefix(path);
            rest.is_some_and(|rest| rest.starts_with('.'))
        }) {
            MemberAction::Descend
        } else {
            MemberAction::Drop
        }
    })
}

/// The treatment of a member of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberAction {
    /// Keep it with its contents.
    Keep,
    /// Remove it with its contents.
    Drop,
    /// Keep it, and decide about each member of the objects in it.
    Descend,
}

/// Returns the document without the members that `choose` drops; all other bytes stay unchanged.
///
/// `choose` gets the names of the members from the outermost on, joined by dots, without elements
/// of arrays: `result.contest.name`. (A dot in a name becomes a NUL, so that no name looks like a
/// path.) Returns the borrowed document if nothing is dropped, or if it is not JSON in UTF-8, which
/// reading it reports.
///
/// Trimming again changes nothing.
pub fn trim(body: &[u8], choose: impl Fn(&str) -> MemberAction) -> Cow<'_, [u8]> {
    try_trim(body, choose).unwrap_or(Cow::Borrowed(body))
}

/// Does the same as [`trim`], but returns `None` if the document cannot be searched: it is not JSON
/// in UTF-8, or nests deeper than 100 levels. For sources that must not archive unknown members.
pub fn try_trim(body: &[u8], choose: impl Fn(&str) -> MemberAction) -> Option<Cow<'_, [u8]>> {
    serde_json::from_slice::<&RawValue>(body).ok()?;
    let mut trimmer = Trimmer {
        body,
        path: String::new(),
        cuts: Vec::new(),
        choose,
    };
    let document = TrimmedValue {
        start: trimmer.skip_space(0),
        trimmer: &mut trimmer,
        descend: true,
        depth: 0,
    };
    document.deserialize(&mut serde_json::Deserializer::from_slice(body)).ok()?;
    Some(remove_ranges(body, &trimmer.cuts))
}

/// The depth limit of objects that are searched.
const MAX_DEPTH: usize = 100;

struct Trimmer<'b, F> {
    body: &'b [u8],
    path: String,
    /// The ranges to remove, in order, without overlap.
    cuts: Vec<Range<usize>>,
    choose: F,
}

impl<F> Trimmer<'_, F> {
    fn skip_space(&self, at: usize) -> usize {
        let rest = self.body[at..].iter();
        at + rest.take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    /// Returns the end of a value in the body.
    fn end_offset(&self, value: &RawValue) -> usize {
        let text = value.get();
        text.as_ptr().addr() - self.body.as_ptr().addr() + text.len()
    }
}

/// A value in the body. Deserialising it collects the ranges to remove, and returns its end.
struct TrimmedValue<'t, 'b, F> {
    trimmer: &'t mut Trimmer<'b, F>,
    /// The start of the value.
    start: usize,
    descend: bool,
    depth: usize,
}

impl<'de, F: Fn(&str) -> MemberAction> DeserializeSeed<'de> for TrimmedValue<'_, '_, F> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        if self.descend && self.depth > MAX_DEPTH {
            return Err(D::Error::custom("too deep"));
        }
        match self.trimmer.body.get(self.start) {
            Some(b'{' | b'[') if self.descend => deserializer.deserialize_any(self),
            _ => Ok(self.trimmer.end_offset(Deserialize::deserialize(deserializer)?)),
        }
    }
}

impl<'de, F: Fn(&str) -> MemberAction> Visitor<'de> for TrimmedValue<'_, '_, F> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<usize, A::Error> {
        let Self { trimmer, depth, .. } = self;
        let mut at = trimmer.skip_space(self.start + 1);
        while let Some(end) = items.next_element_seed(TrimmedValue {
            trimmer,
            start: at,
            descend: true,
            depth: depth + 1,
        })? {
            at = trimmer.skip_space(end);
            if trimmer.body[at] == b',' {
                at = trimmer.skip_space(at + 1);
            }
        }
        Ok(at + 1)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<usize, A::Error> {
        let Self { trimmer, depth, .. } = self;
        let mut start = self.start + 1;
        let mut end = trimmer.skip_space(start);
        let mut any_stays = false;
        while let Some(name) = members.next_key::<&RawValue>()? {
            let length = trimmer.path.len();
            push_name(&mut trimmer.path, name.get()).map_err(A::Error::custom)?;
            let choice = (trimmer.choose)(&trimmer.path);
            let colon = trimmer.skip_space(trimmer.end_offset(name));
            let value = TrimmedValue {
                start: trimmer.skip_space(colon + 1),
                trimmer,
                descend: choice == MemberAction::Descend,
                depth: depth + 1,
            };
            end = members.next_value_seed(value)?;
            end = trimmer.skip_space(end);
            trimmer.path.truncate(length);
            if choice != MemberAction::Drop {
                any_stays = true;
            } else if any_stays {
                // Remove the comma before it too.
                trimmer.cuts.push(start - 1..end);
            } else {
                let comma = trimmer.body[end] == b',';
                trimmer.cuts.push(start..end + usize::from(comma));
            }
            start = end + 1;
        }
        Ok(end + 1)
    }
}

/// Adds a member name, given in its quoted form.
fn push_name(path: &mut String, quoted: &str) -> serde_json::Result<()> {
    if !path.is_empty() {
        path.push('.');
    }
    if quoted.contains(['\\', '.']) {
        path.push_str(&serde_json::from_str::<String>(quoted)?.replace('.', "\0"));
    } else {
        path.push_str(quoted.trim_matches('"'));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Row {
        #[expect(dead_code, reason = "only its path is used")]
        rank: u32,
    }

    #[derive(Debug, Deserialize)]
    struct Answer {
        #[expect(dead_code, reason = "only its path is used")]
        result: Vec<Row>,
    }

    #[test]
    fn error_names_field_path() {
        let error = |body: &str| parse::<Answer>("GET x", body.as_bytes()).unwrap_err();
        for (body, at, says) in [
            (r#"{"result":[{"rank":1},{"rank":-1}]}"#, "result[1].rank", "-1"),
            (r#"{"result":[{"rank":1},{}]}"#, "result[1]", "the field \"rank\" is missing"),
            (r#"{"result":[{"rank":1"#, "result[0]", "ends too early"),
            (r#"{"result":[]} x"#, SiteReadError::WHOLE_DOCUMENT, "not JSON"),
            ("[", SiteReadError::WHOLE_DOCUMENT, "ends too early"),
            ("", SiteReadError::WHOLE_DOCUMENT, "ends too early"),
        ] {
            let error = error(body);
            assert_eq!(error.document, "GET x");
            assert_eq!(error.at, at, "{body}: {error}");
            assert!(error.expected.contains(says), "{body}: {error}");
        }
        assert_eq!(shorten("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        let long = format!(r#"{{"result":[{{"rank":"{}"}}]}}"#, "x".repeat(5000));
        assert!(error(&long).expected.chars().count() <= MAX_MESSAGE_CHARS + 1);
    }

    fn without_secrets(path: &str) -> MemberAction {
        match path {
            "result" | "result.in" => MemberAction::Descend,
            _ if path.ends_with("secret") => MemberAction::Drop,
            _ => MemberAction::Keep,
        }
    }

    #[test]
    fn trim_leaves_other_bytes_unchanged() {
        for (body, left) in [
            (r#"{"a":1}"#, r#"{"a":1}"#),
            (r#"{"secret":1}"#, "{}"),
            (r#"{"secret":1,"a":2}"#, r#"{"a":2}"#),
            (r#"{ "a" : 2 , "secret" : 1 }"#, r#"{ "a" : 2 }"#),
            (r#"{"a":2,"secret":[1,{"x":"}"}],"b":3}"#, r#"{"a":2,"b":3}"#),
            (r#"{"secret":1,"a":2,"secret":3,"secret":4}"#, r#"{"a":2}"#),
            (
                r#"{"result":[{"secret":"\"]","n":1.50},{}, 7, {"in":{"secret":0}}]}"#,
                r#"{"result":[{"n":1.50},{}, 7, {"in":{}}]}"#,
            ),
            (r#"{"sec\u0072et":1,"a":2}"#, r#"{"a":2}"#),
            (r#"{"result.secret":1}"#, r"{}"),
            (r#"{"other":{"secret":1}}"#, r#"{"other":{"secret":1}}"#),
        ] {
            let trimmed = trim(body.as_bytes(), without_secrets);
            assert_eq!(std::str::from_utf8(&trimmed).unwrap(), left, "{body}");
            assert_eq!(trim(&trimmed, without_secrets), trimmed, "{body}");
        }
    }

    #[test]
    fn keep_leaves_only_listed_members() {
        let body = r#"{"now":1,"rows":[{"rank":1,"rank.x":2,"ranks":3,"in":{"a":1,"b":2}}],"r":0}"#;
        let kept = keep(body.as_bytes(), &["rows.rank", "rows.in.b", "rowdy"]);
        let left = r#"{"rows":[{"rank":1,"in":{"b":2}}]}"#;
        assert_eq!(std::str::from_utf8(&kept).unwrap(), left);
    }

    #[test]
    fn non_json_is_left_unchanged() {
        for body in [
            &b""[..],
            b"{\"secret\":1",
            b"<html>",
            b"{\"secret\":\"\xff\"}",
            b"{\"secret\":1}}",
        ] {
            assert!(matches!(trim(body, without_secrets), Cow::Borrowed(same) if same == body));
            assert_eq!(try_trim(body, without_secrets), None);
        }
        assert!(try_trim(b"{\"a\":1}", without_secrets).is_some());
        let deep = format!("{}{}", "[".repeat(102), "]".repeat(102));
        assert_eq!(try_trim(deep.as_bytes(), without_secrets), None);
        let odd_name = br#"{"\ud800":1,"secret":2}"#;
        assert_eq!(try_trim(odd_name, without_secrets), None);
    }
}
