//! Handles of people who are forgotten, wherever they stand in an answer.

use std::borrow::Cow;

use ranklore_source::json::redact_members;
use ranklore_source::{Document, Redacted};

use crate::ask::{self, Question};

/// Whose values are handles, and where a refusal names one.
const MEMBERS: [&str; 3] = ["handle", "preparedBy", "comment"];

pub(crate) fn redact<'d>(
    document: &Document<'d>,
    blank: &dyn Fn(&str) -> Option<String>,
) -> Option<Redacted<'d>> {
    let asked = match Question::parse(document.request_key) {
        Some(Question::Info(handles)) => handles,
        _ => Vec::new(),
    };
    let key = redact_key(&asked, blank);
    let body = redact_members(document.body, &MEMBERS, &|text| {
        blank(text).or_else(|| redact_comment(text, &asked, blank))
    });
    if key.is_none() && body.is_none() {
        return None;
    }
    Some(Redacted {
        request_key: key.map_or(Cow::Borrowed(document.request_key), Cow::Owned),
        body: body.map_or(Cow::Borrowed(document.body), Cow::Owned),
    })
}

/// A blank stands where the handle stood, since answers come in the order of the question.
fn redact_key(asked: &[String], blank: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let blanks: Vec<Option<String>> = asked.iter().map(|handle| blank(handle)).collect();
    if blanks.iter().all(Option::is_none) {
        return None;
    }
    let handles = asked.iter().zip(&blanks);
    let handles: Vec<&str> = handles
        .map(|(handle, blank)| blank.as_deref().unwrap_or(handle))
        .collect();
    Some(ask::info(&handles).key())
}

/// The comment may have the handle in other case than it was asked about.
fn redact_comment(
    comment: &str,
    asked: &[String],
    blank: &dyn Fn(&str) -> Option<String>,
) -> Option<String> {
    let (before, rest) = comment.split_once("User with handle ")?;
    let (named, after) = rest.split_once(" not found")?;
    let mut handles = asked
        .iter()
        .filter(|handle| handle.eq_ignore_ascii_case(named));
    let by = blank(named).or_else(|| handles.find_map(|handle| blank(handle)))?;
    Some(format!("{before}User with handle {by} not found{after}"))
}
