//! The answers in `fixtures/reddit` and their requests.

use std::path::PathBuf;

use ranklore_conformance as conformance;
use ranklore_contest::{Entrant, UnixSeconds};
use ranklore_reddit::{RedditSource, SubredditListing};
use ranklore_source::{ContestOutcome, Request, SiteReadError, SiteReading, Source};

/// A fixture file and its request.
#[derive(Clone, Debug)]
pub(crate) struct FixtureAnswer {
    pub(crate) file: &'static str,
    pub(crate) request: Request,
}

/// The thread of most fixtures.
pub(crate) const THREAD_ID: &str = "1a2b3c";

pub(crate) fn all_answers() -> Vec<FixtureAnswer> {
    let answer = |file, request| FixtureAnswer { file, request };
    vec![
        answer("r-LanternTales-top.json", top_request()),
        answer("r-LanternTales-top-3.json", second_page_request()),
        answer("r-LanternTales-new.json", newest_request()),
        answer("comments-1a2b3c.json", thread_request()),
        answer("comments-1a2b3c-later.json", thread_request()),
        answer("comments-1a2b3c-below-k9f03.json", comment_tree_request()),
        answer("comments-1a2b3c-below-removed.json", comment_tree_request()),
        answer("morechildren-1a2b3c.json", more_comments_request()),
        answer("comments-1a2c0z.json", request_for_thread("1a2c0z")),
    ]
}

/// Returns a source with the top five threads and the newest ones back to a time.
pub(crate) fn source() -> RedditSource {
    let since = UnixSeconds::new(1_717_300_000).unwrap();
    RedditSource::new(vec![
        SubredditListing::top("LanternTales", 5).unwrap(),
        SubredditListing::since("LanternTales", since).unwrap(),
    ])
}

pub(crate) fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/reddit"))
}

pub(crate) fn bytes(file: &str) -> Vec<u8> {
    std::fs::read(folder().join(file)).unwrap()
}

pub(crate) fn top_request() -> Request {
    source().initial_requests().remove(0)
}

pub(crate) fn newest_request() -> Request {
    source().initial_requests().remove(1)
}

/// Returns the request that the first page of the top threads leads to.
pub(crate) fn second_page_request() -> Request {
    read_file(&top_request(), "r-LanternTales-top.json").follow.remove(0)
}

/// Returns the request for a listed thread.
pub(crate) fn request_for_thread(id: &str) -> Request {
    let thread = format!(
        r#"{{"kind":"t3","data":{{"id":"{id}","subreddit":"LanternTales","created_utc":1717243200.0}}}}"#
    );
    let list = format!(r#"{{"kind":"Listing","data":{{"children":[{thread}],"after":null}}}}"#);
    let mut listed = read(&top_request(), list.as_bytes()).unwrap().listed;
    listed.remove(0).results.remove(0)
}

pub(crate) fn thread_request() -> Request {
    request_for_thread(THREAD_ID)
}

/// Returns the request for the comments that the thread leaves out.
pub(crate) fn more_comments_request() -> Request {
    read_file(&thread_request(), "comments-1a2b3c.json").parts.remove(0)
}

pub(crate) fn comment_tree_request() -> Request {
    read_file(&thread_request(), "comments-1a2b3c.json").parts.remove(1)
}

pub(crate) fn read_with_status(
    request: &Request,
    status: u16,
    body: &[u8],
) -> Result<SiteReading, SiteReadError> {
    conformance::read_answer(&source(), request, status, body)
}

pub(crate) fn read(request: &Request, body: &[u8]) -> Result<SiteReading, SiteReadError> {
    read_with_status(request, 200, body)
}

pub(crate) fn read_file(request: &Request, file: &str) -> SiteReading {
    read(request, &bytes(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

pub(crate) fn entrants(outcome: &ContestOutcome) -> &[Entrant] {
    match outcome {
        ContestOutcome::Standings { entrants, .. } => entrants,
        other => panic!("{other:?}"),
    }
}

/// Returns name, place and score of each entrant.
pub(crate) fn standings(entrants: &[Entrant]) -> Vec<(&str, u32, f64)> {
    entrants
        .iter()
        .map(|entrant| {
            let place = entrant.outcome.place().unwrap();
            let score = entrant.score.unwrap();
            (entrant.competitor.as_str(), place.get(), score)
        })
        .collect()
}

/// Returns a comment of the thread in the site's layout, with only the fields that are read.
pub(crate) fn comment_json(
    id: &str,
    author: &str,
    score: i64,
    parent: &str,
    replies: &str,
) -> String {
    format!(
        r#"{{"kind":"t1","data":{{"id":"{id}","author":"{author}","score":{score},"score_hidden":false,"subreddit":"LanternTales","link_id":"t3_{THREAD_ID}","parent_id":"{parent}","replies":{replies}}}}}"#
    )
}

pub(crate) fn listing_json(things: &[String]) -> String {
    let things = things.join(",");
    format!(r#"{{"kind":"Listing","data":{{"children":[{things}],"after":null}}}}"#)
}

/// Returns the thread with these comments.
pub(crate) fn thread_json(comments: &[String]) -> String {
    let head = format!(
        r#"{{"kind":"t3","data":{{"id":"{THREAD_ID}","subreddit":"LanternTales","created_utc":1717243200.0}}}}"#
    );
    format!("[{},{}]", listing_json(&[head]), listing_json(comments))
}
