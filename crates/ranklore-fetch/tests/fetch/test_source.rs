//! A test source, and a client for it.

use std::borrow::Cow;
use std::convert::Infallible;
use std::time::{Duration, SystemTime};

use ranklore_fetch::{Client, FetchError, FetchOptions, FetchOutcome, FetchedDocument, HostState};
use ranklore_source::{
    Classification, Document, MediaKind, Profile, Request, SiteReadError, SiteReading, Source,
    Terms,
};
use ranklore_test_support::Server;

pub(crate) struct TestSource;

static PROFILE: Profile = Profile::new(
    "site",
    Terms {
        interval: Duration::from_secs(2),
        ..Terms::new("https://example.org")
    },
);

impl Source for TestSource {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn initial_requests(&self) -> Vec<Request> {
        Vec::new()
    }

    fn classify(&self, _request: &Request, _status: u16, body: &[u8]) -> Classification {
        let text = String::from_utf8_lossy(body);
        if text.contains("Call limit exceeded") {
            Classification::RetryLater("call limit exceeded".into())
        } else if text.contains("temporarily blocked") {
            Classification::Blocked("blocked by the administrator".into())
        } else if text.contains("nonsense") {
            Classification::Invalid("nonsense".into())
        } else {
            Classification::Answer
        }
    }

    fn minimise<'b>(&self, _request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        Cow::Borrowed(body)
    }

    fn read(&self, _document: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        Ok(SiteReading::default())
    }
}

/// Options without interval and `robots.txt`, and with a short back-off.
pub(crate) fn options(server: &Server) -> FetchOptions {
    FetchOptions {
        base_url: server.url().to_owned(),
        interval: Duration::ZERO,
        obey_robots: false,
        timeout: Duration::from_secs(5),
        backoff: Duration::from_millis(5),
        ..FetchOptions::from_terms(&PROFILE.terms)
    }
}

pub(crate) fn client_with(options: FetchOptions) -> Client {
    Client::new(options, HostState::default(), SystemTime::now()).unwrap()
}

pub(crate) fn client(server: &Server) -> Client {
    client_with(options(server))
}

pub(crate) fn json() -> Request {
    Request::get("api/list", MediaKind::Json, "the list")
}

pub(crate) fn page() -> Request {
    Request::get("results/5", MediaKind::Html, "results 5")
}

pub(crate) fn text() -> Request {
    Request::get("list.csv", MediaKind::Text, "the list")
}

pub(crate) async fn fetch(
    client: &mut Client,
    request: &Request,
) -> Result<FetchedDocument, FetchError> {
    match client.fetch(&TestSource, request, None).await? {
        FetchOutcome::Fresh(fresh) => Ok(fresh),
        FetchOutcome::NotModified { url, .. } => panic!("not modified: {url}"),
    }
}

pub(crate) async fn fetch_once(
    server: &Server,
    request: &Request,
) -> Result<FetchedDocument, FetchError> {
    fetch(&mut client(server), request).await
}

/// Saves the host state nowhere.
pub(crate) const DISCARD_STATE: fn(HostState) -> Result<(), Infallible> = |_| Ok(());

/// Returns the error and the number of attempts.
pub(crate) async fn failure(server: &Server, request: &Request) -> (FetchError, usize) {
    let failed = fetch_once(server, request).await.unwrap_err();
    (failed, server.request_count())
}
