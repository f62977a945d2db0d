//! Answers: content with its `ETag`, or the failure as a page or as JSON.

use std::fmt::Write as _;
use std::future::{Ready, ready};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LINK, RETRY_AFTER,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::Markup;
use ranklore_replay::ViewReader;
use ranklore_store::Store;
use serde_json::json;
use tokio::time::{Instant, timeout};

use crate::failure::{Choice, Failure};
use crate::links::API;
use crate::pages::layout::failure_page;
use crate::parameters::Parameters;
use crate::routes::App;

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";

/// The content of an answer.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    media_type: &'static str,
    body: Bytes,
    /// The name under which browsers save it; without, they show it.
    file_name: Option<&'static str>,
    /// The rows before the next page of a list.
    next_offset: Option<usize>,
}

/// Returns the rows before the next page of a list; none on the last page.
pub(crate) const fn next_offset(offset: usize, shown: usize, total: usize) -> Option<usize> {
    let end = offset.saturating_add(shown);
    if shown > 0 && end < total {
        Some(end)
    } else {
        None
    }
}

impl Content {
    pub(crate) fn json(value: &impl serde::Serialize) -> Result<Self, Failure> {
        let body = serde_json::to_vec(value).map_err(|error| Failure::internal(&error))?;
        Ok(Self {
            media_type: JSON,
            body: without_spare(body),
            file_name: None,
            next_offset: None,
        })
    }

    pub(crate) fn csv(body: Vec<u8>, file_name: &'static str) -> Self {
        Self {
            media_type: "text/csv; charset=utf-8",
            body: without_spare(body),
            file_name: Some(file_name),
            next_offset: None,
        }
    }

    /// Adds the rows before the next page of the list.
    pub(crate) fn with_next(self, next_offset: Option<usize>) -> Self {
        Self {
            next_offset,
            ..self
        }
    }

    /// Returns the bytes, and the rows before the next page of the list if there is one.
    pub(crate) fn into_parts(self) -> (Bytes, Option<usize>) {
        (self.body, self.next_offset)
    }

    pub(crate) const fn len(&self) -> usize {
        self.body.len()
    }
}

/// Returns bytes that take no more memory than they are: answers are kept.
fn without_spare(mut body: Vec<u8>) -> Bytes {
    body.shrink_to_fit();
    body.into()
}

impl From<Markup> for Content {
    fn from(page: Markup) -> Self {
        Self {
            media_type: HTML,
            body: without_spare(page.into_string().into_bytes()),
            file_name: None,
            next_offset: None,
        }
    }
}

/// The form of an answer, which a failure has too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Page,
    Data,
}

impl Form {
    /// Returns the response to a request that failed.
    pub(crate) fn failure(self, failure: &Failure) -> Response {
        let body = match self {
            Self::Page => (
                [(CONTENT_TYPE, HTML)],
                failure_page(failure).into_string().into_bytes(),
            ),
            Self::Data => {
                let choice = |of: &Choice| json!({"text": of.text, "link": of.link});
                let choices: Vec<_> = failure.choices.iter().map(choice).collect();
                let json = json!({"error": failure.message, "choices": choices});
                ([(CONTENT_TYPE, JSON)], json.to_string().into_bytes())
            }
        };
        let mut response = (failure.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if failure.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}

/// The answer to a request for something that the database has.
enum Answer {
    New(Content, String),
    NotModified(String),
}

/// The longest time that a request waits for an equal one.
const TURN_TIME: Duration = Duration::from_secs(5);

/// Answers a request: parses the parameters, and makes the content from one state of the database,
/// unless the client has that of the same state.
pub(crate) async fn answer(
    app: &App,
    parts: &Parts,
    form: Form,
    make: impl FnOnce(ViewReader<'_>, &Parameters) -> Result<Content, Failure> + Send + 'static,
) -> Response {
    let parameters = match Parameters::parse(parts.uri.query()) {
        Ok(parameters) => parameters,
        Err(failure) => return form.failure(&failure),
    };
    // The path of a nested router has no prefix.
    let (asked, path) = (parameters.clone(), format!("{API}{}", parts.uri.path()));
    let (version, today) = (app.version, app.today());
    let known = KnownTags::from_headers(&parts.headers);
    let kept = Arc::clone(&app.kept);
    let deadline = Instant::now() + app.database.time_limit();
    // The API has paths of the same names as the pages.
    let target = format!("{form:?} {}", parts.uri);
    let turn = app.kept.turn(&target);
    // Large answers are not kept, so that waiting for an equal one does not help.
    let turn = timeout(TURN_TIME, turn.lock()).await;
    let job = move |reader: ViewReader<'_>| {
        let store = reader.store;
        let snapshot = store.snapshot()?;
        let tag = etag(store, version, today)?;
        if form == Form::Data {
            check_tag(&parameters, &tag)?;
        }
        if known.contain(&tag) {
            return Ok(Answer::NotModified(tag));
        }
        if let Some(content) = kept.get(&tag, &target) {
            return Ok(Answer::New(content, tag));
        }
        let content = make(reader, &parameters)?;
        drop(snapshot);
        kept.put(&tag, target, &content);
        Ok(Answer::New(content, tag))
    };
    let answer = app.database.read(deadline, job).await;
    drop(turn);
    match answer {
        Ok(Answer::New(content, tag)) => {
            let next = content.next_offset.filter(|_| form == Form::Data);
            let mut response = with_tag(content_response(content), &tag);
            if let Some(offset) = next {
                let changes = [("offset", &*offset.to_string()), ("tag", unquoted(&tag))];
                let link = format!("<{}>; rel=\"next\"", asked.link(&path, &changes));
                if let Ok(link) = HeaderValue::from_str(&link) {
                    response.headers_mut().insert(LINK, link);
                }
            }
            response
        }
        Ok(Answer::NotModified(tag)) => with_tag(StatusCode::NOT_MODIFIED.into_response(), &tag),
        Err(failure) => form.failure(&failure),
    }
}

/// Returns a tag as the value of a parameter.
fn unquoted(tag: &str) -> &str {
    tag.trim_matches('"')
}

/// Errors if the pages of a list before this one were of another state: rows could be missing, or
/// come twice.
fn check_tag(parameters: &Parameters, tag: &str) -> Result<(), Failure> {
    match parameters.text("tag")? {
        Some(asked) if asked != unquoted(tag) => Err(Failure::new(
            StatusCode::CONFLICT,
            "the database, or the day, has changed since the page before; begin again without \
             \"offset\" and \"tag\"",
        )),
        _ => Ok(()),
    }
}

fn content_response(content: Content) -> Response {
    let media_type = [(CONTENT_TYPE, content.media_type)];
    let mut response = (media_type, Body::from(content.body)).into_response();
    if let Some(name) = content.file_name {
        let value = format!("attachment; filename=\"{name}\"");
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(CONTENT_DISPOSITION, value);
        }
    }
    response
}

fn with_tag(mut response: Response, tag: &str) -> Response {
    let headers = response.headers_mut();
    // Every use asks whether it is still valid.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(ETAG, tag);
    }
    response
}

/// Returns the `ETag` of all pages: that of the program, of the day and of the state of the database.
/// It changes with every run and every revision of a contest, and with every other change that a page
/// can show: names, merges, syncs. Which sources are overdue changes with the day.
fn etag(store: &Store, version: &str, today: i64) -> Result<String, Failure> {
    let mut tag = "\"".to_owned();
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '.' {
            c
        } else {
            '-'
        }
    };
    tag.extend(version.chars().map(plain));
    // Writing to a string does not fail.
    let _ = write!(tag, "-{today}-");
    for byte in &store.state_hash()?[..16] {
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    Ok(tag)
}

/// The tags of `If-None-Match`.
struct KnownTags(Vec<String>);

impl KnownTags {
    fn from_headers(headers: &HeaderMap) -> Self {
        let values = headers.get_all(IF_NONE_MATCH).iter();
        let values = values.filter_map(|value| value.to_str().ok());
        let tags = values.flat_map(|value| value.split(','));
        // The comparison is weak: proxies that compress mark tags as weak.
        let tags = tags.map(|tag| tag.trim().trim_start_matches("W/").to_owned());
        Self(tags.collect())
    }

    fn contain(&self, tag: &str) -> bool {
        self.0.iter().any(|known| known == tag || known == "*")
    }
}

/// Answers with a file that is part of the program.
pub(crate) fn fixed(media_type: &'static str, body: &'static str) -> Ready<Response> {
    let headers = [(CONTENT_TYPE, media_type), (CACHE_CONTROL, "max-age=3600")];
    ready((headers, body).into_response())
}
