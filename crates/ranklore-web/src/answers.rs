//! Answers: content with its `ETag`, or the failure as a page or as JSON.

mod cache;
mod shared_look;

use std::fmt::Write as _;
use std::future::{Ready, ready};
use std::sync::Arc;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LINK, RETRY_AFTER};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use ranklore_contest::UnixSeconds;
use ranklore_store::Store;
use ranklore_views::ViewReader;
use serde_json::json;
use tokio::time::{Instant, timeout_at};

use crate::answers::cache::AnswerCache;
use crate::answers::shared_look::SharedLook;
use crate::content::{Content, HTML, JSON};
use crate::database::Database;
use crate::database::slots::TooManyRequests;
use crate::failure::Failure;
use crate::hosts::Hosts;
use crate::pages::layout::failure_page;
use crate::parameters::Parameters;
use crate::paths::{API, BasePath};
use crate::peer::Peer;

/// The parts of the server that all requests share.
#[derive(Clone, Debug)]
pub(crate) struct App {
    pub(crate) database: Arc<Database>,
    pub(crate) answer_cache: Arc<AnswerCache>,
    /// Looks up the tag of the state of the database.
    pub(crate) tag: Arc<SharedLook<String>>,
    pub(crate) hosts: Arc<Hosts>,
    pub(crate) base: BasePath,
    pub(crate) version: &'static str,
    pub(crate) now: fn() -> UnixSeconds,
}

impl App {
    /// Returns the day, counted from 1970, in UTC.
    pub(crate) fn today(&self) -> i64 {
        (self.now)().get() / 86_400
    }

    /// Returns the response to a request that failed.
    pub(crate) fn failure(&self, form: Form, failure: &Failure) -> Response {
        let base = &self.base;
        let body = match form {
            Form::Page => {
                ([(CONTENT_TYPE, HTML)], failure_page(failure, base).into_string().into_bytes())
            }
            Form::Data => {
                let choices = failure.choices.iter();
                let choices: Vec<_> = choices
                    .map(|choice| {
                        let link = choice.link.as_deref().map(|link| base.link(link));
                        json!({"text": choice.text, "link": link})
                    })
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

/// The form of an answer, which a failure has too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Page,
    Data,
}

/// Answers a request: parses the parameters, and makes the content from one state of the database,
/// unless the client has that of the same state, or the content is kept.
pub(crate) async fn answer(
    app: &App,
    parts: &Parts,
    form: Form,
    make: impl FnOnce(ViewReader<'_>, &Parameters) -> Result<Content, Failure> + Send + 'static,
) -> Response {
    let request = AnswerRequest {
        app,
        parts,
        form,
        deadline: Instant::now() + app.database.time_limit(),
    };
    request.answer(make).await.unwrap_or_else(|failure| app.failure(form, &failure))
}

/// A request for something that the database may have.
#[derive(Clone, Copy)]
struct AnswerRequest<'r> {
    app: &'r App,
    parts: &'r Parts,
    form: Form,
    deadline: Instant,
}

impl AnswerRequest<'_> {
    async fn answer(
        self,
        make: impl FnOnce(ViewReader<'_>, &Parameters) -> Result<Content, Failure> + Send + 'static,
    ) -> Result<Response, Failure> {
        let parameters = Parameters::parse(self.parts.uri.query())?;
        let known_tags = parse_tags(&self.parts.headers);
        // The API has paths of the same names as the pages.
        let target = format!("{:?} {}", self.form, self.parts.uri);
        let asks_for_state = !known_tags.is_empty() || !matches!(parameters.text("tag"), Ok(None));
        let mut tag = None;
        // An answer that must be made finds the state itself.
        if asks_for_state || self.app.answer_cache.has(&target) {
            let state = self.load_tag().await?;
            self.check_tag(&parameters, &state)?;
            if known_tags.contains(&state) {
                return Ok(with_tag(StatusCode::NOT_MODIFIED.into_response(), &state));
            }
            tag = Some(state);
        }
        let (content, tag) = self.find_or_make(target, tag, parameters.clone(), make).await?;
        self.check_tag(&parameters, &tag)?;
        // Any state will do, but what does not exist has none.
        if known_tags.iter().any(|known| known == "*") {
            return Ok(with_tag(StatusCode::NOT_MODIFIED.into_response(), &tag));
        }
        let next_offset = content.next_offset.filter(|_| self.form == Form::Data);
        let mut response = with_tag(content.into_response(), &tag);
        if let Some(offset) = next_offset {
            // The path of a nested router has no prefix.
            let path = self.app.base.link(&format!("{API}{}", self.parts.uri.path()));
            let changes = [("offset", &*offset.to_string()), ("tag", unquoted(&tag))];
            let link = format!("<{}>; rel=\"next\"", parameters.link(&path, &changes));
            if let Ok(link) = HeaderValue::from_str(&link) {
                response.headers_mut().insert(LINK, link);
            }
        }
        Ok(response)
    }

    /// Loads the tag of the state of the database, after this request came.
    async fn load_tag(self) -> Result<String, Failure> {
        let (version, today) = (self.app.version, self.app.today());
        let load = move |store: &Store| {
            let _snapshot = store.snapshot()?;
            etag(store, version, today)
        };
        let look = self.app.database.read_state(self.deadline, load);
        let tag = timeout_at(self.deadline, self.app.tag.share(look)).await;
        let tag = tag.unwrap_or_else(|_| Err(TooManyRequests.into()))?;
        self.app.answer_cache.drop_other_states(&tag);
        Ok(tag)
    }

    /// Returns the content for the state with this tag if it is kept. Else makes it, with the tag of
    /// the state then; of equal requests one does so, and the others wait for it.
    async fn find_or_make(
        self,
        target: String,
        mut tag: Option<String>,
        parameters: Parameters,
        make: impl FnOnce(ViewReader<'_>, &Parameters) -> Result<Content, Failure> + Send + 'static,
    ) -> Result<(Content, String), Failure> {
        let cache = &self.app.answer_cache;
        if let Some(answer) = cache.get_with_tag(&target, tag.as_deref()) {
            return Ok(answer);
        }
        let turn = cache.turn(&target);
        let Ok(_turn) = timeout_at(self.deadline, turn.lock()).await else {
            return Err(TooManyRequests.into());
        };
        if tag.is_none() && cache.has(&target) {
            tag = Some(self.load_tag().await?);
        }
        if let Some(answer) = cache.get_with_tag(&target, tag.as_deref()) {
            return Ok(answer);
        }
        let lane = parameters.lane(self.parts.uri.path());
        let peer = Peer::from_extensions(&self.parts.extensions);
        let (version, today) = (self.app.version, self.app.today());
        let cache = Arc::clone(cache);
        let job = move |reader: ViewReader<'_>| {
            let snapshot = reader.store.snapshot()?;
            let tag = etag(reader.store, version, today)?;
            let content = make(reader, &parameters)?;
            drop(snapshot);
            cache.insert(target, tag.clone(), content.clone());
            Ok((content, tag))
        };
        self.app.database.read(lane, peer, self.deadline, job).await
    }

    /// Errors if the pages of a list before this one were of another state: rows could be missing, or
    /// come twice.
    fn check_tag(self, parameters: &Parameters, tag: &str) -> Result<(), Failure> {
        match parameters.text("tag") {
            Ok(Some(page_tag)) if self.form == Form::Data && page_tag != unquoted(tag) => {
                Err(Failure::new(
                    StatusCode::CONFLICT,
                    "the database, or the day, has changed since the page before; begin again \
                     without \"offset\" and \"tag\"",
                ))
            }
            Err(failure) if self.form == Form::Data => Err(failure),
            _ => Ok(()),
        }
    }
}

/// Returns a tag as the value of a parameter.
fn unquoted(tag: &str) -> &str {
    tag.trim_matches('"')
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
