//! Answers: content with its `ETag`, or the failure as a page or as JSON.

mod cache;

use std::fmt::Write as _;
use std::future::{Ready, ready};
use std::sync::Arc;
use std::time::Duration;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LINK, RETRY_AFTER};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use ranklore_contest::UnixSeconds;
use ranklore_store::Store;
use ranklore_views::ViewReader;
use serde_json::json;
use tokio::time::{Instant, timeout};

use crate::answers::cache::AnswerCache;
use crate::content::{Content, HTML, JSON};
use crate::database::Database;
use crate::failure::Failure;
use crate::hosts::Hosts;
use crate::pages::layout::failure_page;
use crate::parameters::Parameters;
use crate::paths::API;

/// The parts of the server that all requests share.
#[derive(Clone, Debug)]
pub(crate) struct App {
    pub(crate) database: Arc<Database>,
    pub(crate) answer_cache: Arc<AnswerCache>,
    pub(crate) hosts: Arc<Hosts>,
    pub(crate) version: &'static str,
    pub(crate) now: fn() -> UnixSeconds,
}

impl App {
    /// Returns the day, counted from 1970, in UTC.
    pub(crate) fn today(&self) -> i64 {
        (self.now)().get() / 86_400
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
            Self::Page => {
                ([(CONTENT_TYPE, HTML)], failure_page(failure).into_string().into_bytes())
            }
            Self::Data => {
                let choices = failure.choices.iter();
                let choices: Vec<_> = choices
                    .map(|choice| json!({"text": choice.text, "link": choice.link}))
                    .collect();
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
    // The job takes the parameters, and the link to the next page is made after it.
    let list_parameters = parameters.clone();
    let version = app.version;
    let today = app.today();
    let known_tags = parse_tags(&parts.headers);
    let cache = Arc::clone(&app.answer_cache);
    let deadline = Instant::now() + app.database.time_limit();
    // The API has paths of the same names as the pages.
    let target = format!("{form:?} {}", parts.uri);
    let turn = app.answer_cache.turn(&target);
    // Large answers are not kept, so that waiting for an equal one does not help.
    let turn_guard = timeout(TURN_TIME, turn.lock()).await;
    let answer = app.database.read(deadline, move |reader| {
        let snapshot = reader.store.snapshot()?;
        let tag = etag(reader.store, version, today)?;
        if form == Form::Data {
            check_tag(&parameters, &tag)?;
        }
        if known_tags.iter().any(|known| *known == tag || known == "*") {
            return Ok(Answer::NotModified(tag));
        }
        if let Some(content) = cache.get(&tag, &target) {
            return Ok(Answer::New(content, tag));
        }
        let content = make(reader, &parameters)?;
        drop(snapshot);
        cache.insert(&tag, target, &content);
        Ok(Answer::New(content, tag))
    });
    let answer = answer.await;
    drop(turn_guard);
    match answer {
        Ok(Answer::New(content, tag)) => {
            let next_offset = content.next_offset.filter(|_| form == Form::Data);
            let mut response = with_tag(content.into_response(), &tag);
            if let Some(offset) = next_offset {
                // The path of a nested router has no prefix.
                let path = format!("{API}{}", parts.uri.path());
                let changes = [("offset", &*offset.to_string()), ("tag", unquoted(&tag))];
                let link = format!("<{}>; rel=\"next\"", list_parameters.link(&path, &changes));
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
        Some(page_tag) if page_tag != unquoted(tag) => Err(Failure::new(
            StatusCode::CONFLICT,
            "the database, or the day, has changed since the page before; begin again without \
             \"offset\" and \"tag\"",
        )),
        _ => Ok(()),
    }
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
    // A tag must not have quotes.
    tag.extend(version.chars().map(|c| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' => c,
        _ => '-',
    }));
    // Writing to a string does not fail.
    let _ = write!(tag, "-{today}-");
    for byte in &store.state_hash()?[..16] {
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    Ok(tag)
}

/// Returns the tags of `If-None-Match`, which may be `*` for any.
fn parse_tags(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all(IF_NONE_MATCH).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        // The comparison is weak: proxies that compress mark tags as weak.
        .map(|tag| tag.trim().trim_start_matches("W/").to_owned())
        .collect()
}

/// Answers with a file that is part of the program.
pub(crate) fn fixed(media_type: &'static str, body: &'static str) -> Ready<Response> {
    let headers = [(CONTENT_TYPE, media_type), (CACHE_CONTROL, "max-age=3600")];
    ready((headers, body).into_response())
}
