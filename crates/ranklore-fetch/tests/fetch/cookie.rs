//! The session cookie of a user, and requests to other hosts.

use std::time::SystemTime;

use ranklore_fetch::{Client, ClientError, FetchError, FetchOptions, HostState, SessionCookie};
use ranklore_source::{MediaKind, OtherHost, Request};
use ranklore_test_support::{Reply, Server};

use crate::test_source::{client_with, fetch, json, options};

const COOKIE: &str = "wick-and-glass%00oil";

fn cookie_options(server: &Server) -> FetchOptions {
    FetchOptions {
        cookie: SessionCookie::new("SESSION", COOKIE.into()).ok(),
        ..options(server)
    }
}

/// Returns options in which `site` is the site itself, and `lists` the host of the paths `lists/`.
fn options_of_two_hosts(site: &Server, lists: &Server) -> FetchOptions {
    let host = OtherHost {
        base_url: lists.url().to_owned().leak(),
        path: "lists/",
    };
    FetchOptions {
        site_url: site.url().to_owned().leak(),
        other_hosts: vec![host].leak(),
        ..cookie_options(site)
    }
}

fn private(path: &str) -> Request {
    Request {
        needs_cookie: true,
        ..Request::get(path, MediaKind::Json, "private results")
    }
}

/// Returns target and cookie of each request.
fn cookies(server: &Server) -> Vec<(String, Option<String>)> {
    let requests = server.received().into_iter();
    requests
        .map(|request| {
            let cookie = request.header("cookie").map(str::to_owned);
            (request.target, cookie)
        })
        .collect()
}

#[tokio::test]
async fn cookie_is_sent_only_with_requests_that_need_it() {
    let server = Server::with_replies([Reply::json("[1]")]);
    let mut client = client_with(cookie_options(&server));
    fetch(&mut client, &private("api/private")).await.unwrap();
    fetch(&mut client, &json()).await.unwrap();
    assert_eq!(
        cookies(&server),
        [
            ("GET /api/private".to_owned(), Some(format!("SESSION={COOKIE}"))),
            ("GET /api/list".to_owned(), None),
        ]
    );
    let text = format!("{client:?} {:?}", cookie_options(&server));
    assert!(!text.contains("wick"), "{text}");
}

#[tokio::test]
async fn other_host_answers_its_paths_without_cookie() {
    let site = Server::with_replies([Reply::json("[1]")]);
    let lists = Server::with_replies([Reply::json("[2]")]);
    let mut client = client_with(options_of_two_hosts(&site, &lists));
    let document = fetch(&mut client, &private("lists/all")).await.unwrap();
    assert_eq!(document.url, format!("{}/lists/all", lists.url()));
    fetch(&mut client, &private("results/1")).await.unwrap();
    assert_eq!(cookies(&lists), [("GET /lists/all".to_owned(), None)]);
    let cookie = Some(format!("SESSION={COOKIE}"));
    assert_eq!(cookies(&site), [("GET /results/1".to_owned(), cookie)]);
}

#[tokio::test]
async fn mirror_answers_paths_of_other_hosts() {
    let mirror = Server::with_replies([Reply::json("[1]")]);
    let lists = Server::new();
    let mut client = client_with(FetchOptions {
        site_url: "https://example.org",
        ..options_of_two_hosts(&mirror, &lists)
    });
    fetch(&mut client, &private("lists/all")).await.unwrap();
    assert_eq!(mirror.targets(), ["GET /lists/all"]);
    assert!(lists.targets().is_empty());
}

#[tokio::test]
async fn redirect_to_another_host_loses_the_cookie() {
    let elsewhere = Server::with_replies([Reply::json("[1]")]);
    let location = format!("{}/api/private", elsewhere.url());
    let server = Server::with_replies([Reply::redirect(302, &location)]);
    let host = elsewhere.url().trim_start_matches("http://").to_owned();
    let mut client = client_with(FetchOptions {
        allow_hosts: vec![host],
        ..cookie_options(&server)
    });
    fetch(&mut client, &private("api/private")).await.unwrap();
    assert_eq!(cookies(&elsewhere), [("GET /api/private".to_owned(), None)]);
}

#[tokio::test]
async fn login_page_ends_the_session() {
    let login = "<html><title>Sign in</title><input type=\"password\"></html>";
    let server = Server::with_replies([Reply::html(200, login)]);
    let mut client = client_with(cookie_options(&server));
    for _ in 0..2 {
        let failed = fetch(&mut client, &private("api/private")).await.unwrap_err();
        assert!(matches!(failed, FetchError::SessionExpired { .. }), "{failed}");
        assert!(failed.is_blocked() && !failed.concerns_host());
    }
    // The cookie is sent once; other requests go on.
    assert_eq!(server.request_count(), 1);
    let failed = fetch(&mut client, &json()).await.unwrap_err();
    assert!(matches!(failed, FetchError::LoginWall { .. }), "{failed}");
}

#[test]
fn unencrypted_host_gets_no_cookie() {
    let options = FetchOptions {
        base_url: "http://mirror.example".to_owned(),
        ..cookie_options(&Server::new())
    };
    let client = Client::new(options, HostState::default(), SystemTime::now());
    assert!(matches!(client, Err(ClientError::Unencrypted { .. })));
}
