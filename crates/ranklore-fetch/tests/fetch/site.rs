//! A test source, and a client for it.

use std::borrow::Cow;
use std::convert::Infallible;
use std::time::{Duration, SystemTime};

use ranklore_fetch::{Answered, Client, Failed, Fresh, HostState, Options};
use ranklore_source::{
    Document, Form, Profile, ReadError, Reading, Request, Source, Terms, Verdict,
};
use ranklore_test_support::Server;

pub(crate) struct Site;

static PROFILE: Profile = Profile::new(
    "site",
    Terms {
        interval: Duration::from_secs(2),
        ..Terms::new("https://example.org")
    },
);

impl Source for Site {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn start(&self) -> Vec<Request> {
        Vec::new()
    }

    fn classify(&self, _request: &Request, _status: u16, body: &[u8]) -> Verdict {
        let text = String::from_utf8_lossy(body);
        if text.contains("Call limit exceeded") {
            Verdict::RetryLater("call limit exceeded".into())
        } else if text.contains("temporarily blocked") {
            Verdict::Blocked("blocked by the administrator".into())
        } else if text.contains("nonsense") {
            Verdict::Invalid("nonsense".into())
        } else {
            Verdict::Answer
        }
    }

    fn minimise<'b>(&self, _request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        Cow::Borrowed(body)
    }

    fn read(&self, _document: &Document<'_>) -> Result<Reading, ReadError> {
        Ok(Reading::default())
    }
}

/// Options without interval and `robots.txt`, and with a short back-off.
pub(crate) fn options(server: &Server) -> Options {
    Options {
        base_url: server.url().to_owned(),
        interval: Duration::ZERO,
        robots: false,
        timeout: Duration::from_secs(5),
        backoff: Duration::from_millis(5),
        ..Options::of(&PROFILE.terms)
    }
}

pub(crate) fn client_with(options: Options) -> Client {
    Client::new(options, HostState::default(), SystemTime::now()).unwrap()
}

pub(crate) fn client(server: &Server) -> Client {
    client_with(options(server))
}

pub(crate) fn json() -> Request {
    Request::get("api/list", Form::Json, "the list")
}

pub(crate) fn page() -> Request {
    Request::get("results/5", Form::Html, "results 5")
}

pub(crate) fn text() -> Request {
    Request::get("list.csv", Form::Text, "the list")
}

pub(crate) async fn ask(client: &mut Client, request: &Request) -> Result<Fresh, Failed> {
    match client.fetch(&Site, request, None).await? {
        Answered::Fresh(fresh) => Ok(fresh),
        Answered::NotModified { url, .. } => panic!("not modified: {url}"),
    }
}

pub(crate) async fn ask_once(server: &Server, request: &Request) -> Result<Fresh, Failed> {
    ask(&mut client(server), request).await
}

/// Saves the host state nowhere.
pub(crate) const NOWHERE: fn(HostState) -> Result<(), Infallible> = |_| Ok(());

/// Returns the error and the number of attempts.
pub(crate) async fn failure(server: &Server, request: &Request) -> (Failed, usize) {
    let failed = ask_once(server, request).await.unwrap_err();
    (failed, server.count())
}
