//! What a source asks a site for.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use ranklore_contest::{Forgetting, UnixSeconds};
use serde::{Deserialize, Serialize};

/// How it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Nothing is sent but the address.
    Get,
    /// The fields of [`Request::form`] are sent along, URL-encoded.
    Post,
}

/// What an answer must look like, before anybody reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// One JSON value.
    Json,
    /// A page.
    Html,
    /// Anything else that is text.
    Text,
}

/// One document that a source wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// How to ask.
    pub method: Method,
    /// Below the site's root, without a slash at the start, as it is sent: `api/contest.list`.
    /// Neither a space nor `?` stands in it.
    pub path: String,
    /// What stands behind `?`, not yet encoded, in the order to send it in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub query: Vec<(String, String)>,
    /// The fields of a form, not yet encoded; empty for [`Method::Get`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub form: Vec<(String, String)>,
    /// What the answer must look like.
    pub expects: Form,
    /// For people: `contest 1000`, `the list of contests`.
    pub what: String,
    /// When the answer has come to rest: one that came at this moment or later is not asked for
    /// again but by a full sync. `None`: it may always change.
    ///
    /// For documents that are no single contest's, such as the page of a past month; of those
    /// that [`Listed::results`](crate::Listed::results) names, the end of the contest and
    /// [`Terms::provisional`](crate::Terms::provisional) say the same. No part of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settles_at: Option<UnixSeconds>,
    /// So much later an answer that has come to rest is asked for once more after all: for what
    /// the site may still correct. `None`: never again but by a full sync. No part of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renewed_after: Option<Duration>,
    /// Before this moment there is nothing to ask for, and nobody does: a year that has not
    /// begun. No part of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opens_at: Option<UnixSeconds>,
    /// The time in which contests end that the answer lists or describes. A sync of a window of
    /// time, or of a few contests, requests only lists that may have one of them. `None`: any
    /// time. No part of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covers: Option<RangeInclusive<UnixSeconds>>,
}

impl Request {
    /// A document to get by its address alone.
    #[must_use]
    pub fn get(path: impl Into<String>, expects: Form, what: impl Into<String>) -> Self {
        Self {
            method: Method::Get,
            path: path.into(),
            query: Vec::new(),
            form: Vec::new(),
            expects,
            what: what.into(),
            settles_at: None,
            renewed_after: None,
            opens_at: None,
            covers: None,
        }
    }

    /// A document to get by sending a form.
    #[must_use]
    pub fn post(path: impl Into<String>, expects: Form, what: impl Into<String>) -> Self {
        Self {
            method: Method::Post,
            ..Self::get(path, expects, what)
        }
    }

    /// With one more parameter behind the address.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl fmt::Display) -> Self {
        self.query.push((name.into(), value.to_string()));
        self
    }

    /// With one more field of the form.
    #[must_use]
    pub fn with_field(mut self, name: impl Into<String>, value: impl fmt::Display) -> Self {
        self.form.push((name.into(), value.to_string()));
        self
    }

    /// As [`Request::settles_at`].
    #[must_use]
    pub fn settling(mut self, at: UnixSeconds) -> Self {
        self.settles_at = Some(at);
        self
    }

    /// As [`Request::renewed_after`].
    #[must_use]
    pub fn renewed_after(mut self, pause: Duration) -> Self {
        self.renewed_after = Some(pause);
        self
    }

    /// As [`Request::opens_at`].
    #[must_use]
    pub fn opening(mut self, at: UnixSeconds) -> Self {
        self.opens_at = Some(at);
        self
    }

    /// Whether there is something to ask for at this time.
    #[must_use]
    pub fn is_open(&self, now: UnixSeconds) -> bool {
        self.opens_at.is_none_or(|at| at <= now)
    }

    /// Whether an answer that came at `fetched_at` will do at the time `now`. One of the future
    /// came by a clock that was wrong, and will not.
    #[must_use]
    pub fn is_settled(&self, fetched_at: i64, now: UnixSeconds) -> bool {
        let rested = |at: UnixSeconds| (at.get()..=now.get()).contains(&fetched_at);
        let young = |pause: Duration| now.get() - fetched_at < pause.as_secs() as i64;
        self.settles_at.is_some_and(rested) && self.renewed_after.is_none_or(young)
    }

    /// What answers are archived under: method, path, and the parameters and fields in the order
    /// of their names, so that the same question has one key however it was put.
    ///
    /// Parameters and fields are URL-encoded as by a browser's form. A space never stands in
    /// them, so the parts of the key, set apart by spaces, can be told from each other.
    #[must_use]
    pub fn key(&self) -> String {
        let method = match self.method {
            Method::Get => "GET",
            Method::Post => "POST",
        };
        let mut key = format!("{method} {}", self.path);
        if !self.query.is_empty() {
            key.push('?');
            key.push_str(&sorted(&self.query));
        }
        if !self.form.is_empty() {
            key.push(' ');
            key.push_str(&sorted(&self.form));
        }
        key
    }
}

/// What was asked for, taken apart again from [`Request::key`]: whoever reads a document has
/// nothing else to know its question by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked<'a> {
    /// How it was asked for.
    pub method: Method,
    /// [`Request::path`].
    pub path: &'a str,
    query: &'a str,
    form: &'a str,
}

impl<'a> Asked<'a> {
    /// Takes a key apart; `None` where it is none that [`Request::key`] gives.
    #[must_use]
    pub fn parse(request_key: &'a str) -> Option<Self> {
        let (method, rest) = request_key.split_once(' ')?;
        let method = match method {
            "GET" => Method::Get,
            "POST" => Method::Post,
            _ => return None,
        };
        let (address, form) = rest.split_once(' ').unwrap_or((rest, ""));
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        Some(Self {
            method,
            path,
            query,
            form,
        })
    }

    /// The parameter behind the address, or else the field of the form, of this name, decoded.
    /// The first in the order of the key where there are several.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        [self.query, self.form]
            .into_iter()
            .flat_map(|pairs| form_urlencoded::parse(pairs.as_bytes()))
            .find_map(|(found, value)| (found == name).then_some(value))
    }
}

/// Puts blanks in place of forgotten persons in the parameters and fields of a key, or within the
/// name of a file. The path of a request stays.
pub fn forget_in_key(key: &mut String, forgetting: &mut Forgetting<'_>) {
    let Some(asked) = Asked::parse(key) else {
        forgetting.text(key);
        return;
    };
    let pairs = |encoded: &str| -> Vec<(String, String)> {
        let pairs = form_urlencoded::parse(encoded.as_bytes());
        pairs
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect()
    };
    let mut request = Request {
        method: asked.method,
        query: pairs(asked.query),
        form: pairs(asked.form),
        ..Request::get(asked.path, Form::Text, "")
    };
    let mut any = false;
    for (_, value) in request.query.iter_mut().chain(&mut request.form) {
        any |= forget_in_value(value, forgetting);
    }
    if any {
        *key = request.key();
    }
}

/// Puts blanks in place of forgotten persons in the value of a parameter: one name, or several
/// separated by commas or semicolons. Returns true if there were any.
pub(crate) fn forget_in_value(value: &mut String, forgetting: &mut Forgetting<'_>) -> bool {
    let mut any = false;
    let parts = value.split_inclusive([',', ';']).map(|part| {
        let name = part.trim_end_matches([',', ';']);
        let mut blanked = name.to_owned();
        any |= forgetting.person(&mut blanked);
        blanked + &part[name.len()..]
    });
    let blanked: String = parts.collect();
    if any {
        *value = blanked;
    }
    any
}

fn sorted(pairs: &[(String, String)]) -> String {
    let mut pairs: Vec<_> = pairs.iter().collect();
    pairs.sort();
    let encoded = pairs
        .iter()
        .map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
    encoded.collect::<Vec<_>>().join("&")
}

/// `application/x-www-form-urlencoded`, by the URL Standard.
fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_has_one_key_however_it_is_put() {
        let there = Request::get("api/contest.list", Form::Json, "the list")
            .with("lang", "en")
            .with("gym", false);
        let back = Request::get("api/contest.list", Form::Json, "contests")
            .with("gym", false)
            .with("lang", "en");
        assert_eq!(there.key(), "GET api/contest.list?gym=false&lang=en");
        assert_eq!(there.key(), back.key());
    }

    #[test]
    fn an_answer_rests_from_its_time_on_until_it_is_to_be_renewed() {
        let at = |seconds| UnixSeconds::new(seconds).unwrap();
        let request = Request::get("x", Form::Json, "x");
        assert!(!request.is_settled(5, at(5)));
        let settling = request.clone().settling(at(10));
        let found = [5, 10, 15, 16].map(|fetched_at| settling.is_settled(fetched_at, at(15)));
        assert_eq!(found, [false, true, true, false]);
        let renewed = settling.renewed_after(Duration::from_secs(3));
        let found = [5, 10, 12, 13, 15].map(|fetched_at| renewed.is_settled(fetched_at, at(15)));
        assert_eq!(found, [false, false, false, true, true]);
        assert!(request.is_open(at(0)));
        let opening = request.opening(at(10));
        assert_eq!([9, 10].map(|now| opening.is_open(at(now))), [false, true]);
    }

    #[test]
    fn fields_and_parameters_are_told_apart() {
        let form = Request::post("event3.asp", Form::Html, "a competition")
            .with("x", 1)
            .with_field("selEnt", "")
            .with_field("event", "a&b =c");
        assert_eq!(form.key(), "POST event3.asp?x=1 event=a%26b+%3Dc&selEnt=");
    }

    #[test]
    fn a_key_is_taken_apart_into_what_it_was_made_of() {
        let key = Request::post("event3.asp", Form::Html, "a competition")
            .with("x", "ä")
            .with_field("event", "a&b =c")
            .with_field("selEnt", "")
            .key();
        let asked = Asked::parse(&key).unwrap();
        assert_eq!((asked.method, asked.path), (Method::Post, "event3.asp"));
        assert_eq!(asked.get("x").as_deref(), Some("ä"));
        assert_eq!(asked.get("event").as_deref(), Some("a&b =c"));
        assert_eq!(asked.get("selEnt").as_deref(), Some(""));
        assert_eq!(asked.get("selDiv"), None);
        assert_eq!(Asked::parse("GET default.asp").unwrap().get("x"), None);
        for no_key in ["", "GET", "PUT x", "fixtures/round-1.json"] {
            assert_eq!(Asked::parse(no_key), None, "{no_key:?}");
        }
    }
}
