//! Requests to a site.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use ranklore_contest::{Anonymiser, UnixSeconds};
use serde::{Deserialize, Serialize};

/// The HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// GET, without a body.
    Get,
    /// POST with the fields of [`Request::form`], URL-encoded.
    Post,
}

/// The expected kind of response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaKind {
    /// A JSON value.
    Json,
    /// An HTML page.
    Html,
    /// Any other text.
    Text,
}

/// A request for one document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The HTTP method.
    pub method: Method,
    /// The path below the site's root, as sent, without a leading slash: `api/contest.list`. It
    /// contains neither a space nor `?`.
    pub path: String,
    /// The query parameters, not encoded, in the order in which they are sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub query: Vec<(String, String)>,
    /// The form fields, not encoded; empty for [`Method::Get`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub form: Vec<(String, String)>,
    /// The expected kind of response.
    pub expects: MediaKind,
    /// The description for users: `contest 1000`, `the list of contests`.
    pub what: String,
    /// The time from which an answer is settled: one fetched then or later is requested again only
    /// by a full sync. `None`: it may always change.
    ///
    /// For documents that do not belong to a single contest, such as the page of a past month. For
    /// those in [`SiteListing::results`](crate::SiteListing::results), the end of the contest and
    /// [`Terms::provisional_period`](crate::Terms::provisional_period) decide. Not part of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settles_at: Option<UnixSeconds>,
    /// The age at which a settled answer is requested once more, for late corrections by the site.
    /// `None`: only by a full sync. Not part of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renewed_after: Option<Duration>,
    /// The time before which the request is not sent, such as the start of a year. Not part of the
    /// key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opens_at: Option<UnixSeconds>,
    /// The range in which the contests that the answer lists or describes end. A sync of a period,
    /// or of a few contests, requests only lists that may have one of them. `None`: any time. Not
    /// part of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covers: Option<RangeInclusive<UnixSeconds>>,
    /// True if the site answers only with the session cookie of a user
    /// ([`Terms::cookie`](crate::Terms::cookie)). Not part of the key.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_cookie: bool,
}

impl Request {
    /// Returns a GET request.
    #[must_use]
    pub fn get(path: impl Into<String>, expects: MediaKind, what: impl Into<String>) -> Self {
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
            needs_cookie: false,
        }
    }

    /// Returns a POST request.
    #[must_use]
    pub fn post(path: impl Into<String>, expects: MediaKind, what: impl Into<String>) -> Self {
        Self {
            method: Method::Post,
            ..Self::get(path, expects, what)
        }
    }

    /// Adds a query parameter.
    #[must_use]
    pub fn with_parameter(mut self, name: impl Into<String>, value: impl fmt::Display) -> Self {
        self.query.push((name.into(), value.to_string()));
        self
    }

    /// Adds a form field.
    #[must_use]
    pub fn with_form_field(mut self, name: impl Into<String>, value: impl fmt::Display) -> Self {
        self.form.push((name.into(), value.to_string()));
        self
    }

    /// True if the request may be sent at this time.
    #[must_use]
    pub fn is_open(&self, now: UnixSeconds) -> bool {
        self.opens_at.is_none_or(|at| at <= now)
    }

    /// True if an answer from `fetched_at` is still valid at the time `now`. One from the future is
    /// not: it was fetched with a wrong clock.
    #[must_use]
    pub fn is_settled(&self, fetched_at: i64, now: UnixSeconds) -> bool {
        let now = now.get();
        let settles_at = self.settles_at.map(UnixSeconds::get);
        settles_at.is_some_and(|at| (at..=now).contains(&fetched_at))
            && self.renewed_after.is_none_or(|pause| now - fetched_at < pause.as_secs() as i64)
    }

    /// Returns the key under which answers are archived: the method, the path, and the parameters
    /// and fields in the order of their names, so that equal requests have equal keys.
    ///
    /// Parameters and fields are URL-encoded like a browser's form. They never contain a space, so
    /// spaces separate the parts of the key.
    #[must_use]
    pub fn key(&self) -> String {
        let method = match self.method {
            Method::Get => "GET",
            Method::Post => "POST",
        };
        let mut key = format!("{method} {}", self.path);
        if !self.query.is_empty() {
            key.push('?');
            key.push_str(&encode_sorted(&self.query));
        }
        if !self.form.is_empty() {
            key.push(' ');
            key.push_str(&encode_sorted(&self.form));
        }
        key
    }
}

/// The parts of a [`Request::key`]: the only information about the request that a reader of a
/// document has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestKey<'a> {
    /// The HTTP method.
    pub method: Method,
    /// [`Request::path`].
    pub path: &'a str,
    query: &'a str,
    form: &'a str,
}

impl<'a> RequestKey<'a> {
    /// Parses a key; `None` if it is not one that [`Request::key`] returns.
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

    /// Returns the query parameter with this name, or else the form field, decoded. Returns the
    /// first if there are several.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<Cow<'a, str>> {
        [self.query, self.form]
            .into_iter()
            .flat_map(|pairs| form_urlencoded::parse(pairs.as_bytes()))
            .find_map(|(key, value)| (key == name).then_some(value))
    }
}

/// Replaces forgotten persons by placeholders in the parameters and fields of a key, or in a file
/// name. The path of a request stays.
pub fn anonymise_key(key: &mut String, anonymiser: &mut Anonymiser<'_>) {
    let Some(parsed) = RequestKey::parse(key) else {
        anonymiser.anonymise_text(key);
        return;
    };
    let mut request = Request {
        method: parsed.method,
        query: decode_pairs(parsed.query),
        form: decode_pairs(parsed.form),
        ..Request::get(parsed.path, MediaKind::Text, "")
    };
    let mut has_changed = false;
    for (_, value) in request.query.iter_mut().chain(&mut request.form) {
        has_changed |= anonymise_value(value, anonymiser);
    }
    if has_changed {
        *key = request.key();
    }
}

fn decode_pairs(encoded: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(encoded.as_bytes())
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect()
}

/// Replaces forgotten persons by placeholders in the value of a parameter: one name, or several
/// separated by commas or semicolons. Returns true if it replaced any.
pub(crate) fn anonymise_value(value: &mut String, anonymiser: &mut Anonymiser<'_>) -> bool {
    let mut has_changed = false;
    let parts = value.split_inclusive([',', ';']).map(|part| {
        let name = part.trim_end_matches([',', ';']);
        let mut blanked = name.to_owned();
        has_changed |= anonymiser.anonymise_person(&mut blanked);
        blanked + &part[name.len()..]
    });
    let blanked: String = parts.collect();
    if has_changed {
        *value = blanked;
    }
    has_changed
}

fn encode_sorted(pairs: &[(String, String)]) -> String {
    let mut pairs: Vec<_> = pairs.iter().collect();
    pairs.sort();
    let encoded = pairs.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    encoded.collect::<Vec<_>>().join("&")
}

/// Encodes as `application/x-www-form-urlencoded`, by the URL Standard.
fn encode(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_ignores_parameter_order() {
        let there = Request::get("api/contest.list", MediaKind::Json, "the list")
            .with_parameter("lang", "en")
            .with_parameter("gym", false);
        let back = Request::get("api/contest.list", MediaKind::Json, "contests")
            .with_parameter("gym", false)
            .with_parameter("lang", "en");
        assert_eq!(there.key(), "GET api/contest.list?gym=false&lang=en");
        assert_eq!(there.key(), back.key());
    }

    #[test]
    fn answer_is_settled_until_renewal() {
        let at = |seconds| UnixSeconds::new(seconds).unwrap();
        let request = Request::get("x", MediaKind::Json, "x");
        assert!(!request.is_settled(5, at(5)));
        let settling = Request {
            settles_at: Some(at(10)),
            ..request.clone()
        };
        let found = [5, 10, 15, 16].map(|fetched_at| settling.is_settled(fetched_at, at(15)));
        assert_eq!(found, [false, true, true, false]);
        let renewed = Request {
            renewed_after: Some(Duration::from_secs(3)),
            ..settling
        };
        let found = [5, 10, 12, 13, 15].map(|fetched_at| renewed.is_settled(fetched_at, at(15)));
        assert_eq!(found, [false, false, false, true, true]);
        assert!(request.is_open(at(0)));
        let opening = Request {
            opens_at: Some(at(10)),
            ..request
        };
        assert_eq!([9, 10].map(|now| opening.is_open(at(now))), [false, true]);
    }

    #[test]
    fn key_separates_fields_from_parameters() {
        let form = Request::post("event3.asp", MediaKind::Html, "a competition")
            .with_parameter("x", 1)
            .with_form_field("selEnt", "")
            .with_form_field("event", "a&b =c");
        assert_eq!(form.key(), "POST event3.asp?x=1 event=a%26b+%3Dc&selEnt=");
    }

    #[test]
    fn parsed_key_returns_its_parts() {
        let key = Request::post("event3.asp", MediaKind::Html, "a competition")
            .with_parameter("x", "ä")
            .with_form_field("event", "a&b =c")
            .with_form_field("selEnt", "")
            .key();
        let asked = RequestKey::parse(&key).unwrap();
        assert_eq!((asked.method, asked.path), (Method::Post, "event3.asp"));
        assert_eq!(asked.parameter("x").as_deref(), Some("ä"));
        assert_eq!(asked.parameter("event").as_deref(), Some("a&b =c"));
        assert_eq!(asked.parameter("selEnt").as_deref(), Some(""));
        assert_eq!(asked.parameter("selDiv"), None);
        assert_eq!(RequestKey::parse("GET default.asp").unwrap().parameter("x"), None);
        for no_key in ["", "GET", "PUT x", "fixtures/round-1.json"] {
            assert_eq!(RequestKey::parse(no_key), None, "{no_key:?}");
        }
    }
}
