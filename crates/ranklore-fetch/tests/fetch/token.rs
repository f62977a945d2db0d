//! Bearer tokens and secrecy of credentials.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use ranklore_fetch::{
    Client, ClientError, Credentials, FetchError, FetchOptions, HostState, Rejection,
};
use ranklore_source::TokenTerms;
use ranklore_test_support::{Reply, Server};
use tokio::time::{advance, pause, resume};

use crate::test_source::{client_with, fetch, json, options};
use crate::virtual_time::VirtualTimeClient;

const ID: &str = "jetty-program";
const SECRET: &str = "oil-of-whales";
/// `jetty-program:oil-of-whales`.
const BASIC: &str = "amV0dHktcHJvZ3JhbTpvaWwtb2Ytd2hhbGVz";
/// Beginning of all test tokens.
const TOKEN_PREFIX: &str = "wick-and-glass";
const TOKEN_REQUEST: &str = "POST /api/token";
const LIST_REQUEST: &str = "GET /api/list";

fn token_options(server: &Server) -> FetchOptions {
    FetchOptions {
        token: Some(TokenTerms {
            url: "https://accounts.example.org/api/token",
            form: &[("grant_type", "client_credentials")],
            registration_url: "https://example.org/programs",
        }),
        credentials: Credentials::new(ID.into(), SECRET.into()).ok(),
        ..options(server)
    }
}

fn token_reply(number: usize, expires_in: u64) -> Reply {
    Reply::json(&format!(
        r#"{{"access_token":"{TOKEN_PREFIX}-{number}","token_type":"bearer","expires_in":{expires_in},"scope":"*"}}"#
    ))
}

/// Returns a server that issues numbered tokens and sends this reply to other requests.
fn token_server(expires_in: u64, reply: impl Fn(usize) -> Reply + Send + Sync + 'static) -> Server {
    Server::with_handler(move |count, line| match line {
        TOKEN_REQUEST => token_reply(count, expires_in),
        _ => reply(count),
    })
}

/// Returns the `Authorization` header of each request.
fn authorizations(server: &Server) -> Vec<String> {
    let requests = server.received();
    let authorization = |request: &ranklore_test_support::ReceivedRequest| {
        request.header("authorization").map(str::to_owned)
    };
    requests
        .iter()
        .map(|request| authorization(request).unwrap_or_default())
        .collect()
}

/// Returns all texts of an error and the client.
fn all_texts(failed: &FetchError, client: &Client) -> String {
    format!("{failed} {failed:?} {} {client:?}", failed.redacted())
}

fn assert_no_secrets(text: &str) {
    for secret in [ID, SECRET, BASIC, TOKEN_PREFIX, "amV0dHkt", "wick-"] {
        assert!(!text.contains(secret), "{text}");
    }
}

#[tokio::test]
async fn token_is_requested_once_and_reused() {
    let server = token_server(3_600, |_| Reply::json("[1]"));
    let mut client = client_with(token_options(&server));
    for _ in 0..3 {
        fetch(&mut client, &json()).await.unwrap();
    }
    assert_eq!(server.targets(), [TOKEN_REQUEST, LIST_REQUEST, LIST_REQUEST, LIST_REQUEST]);
    let bearer = format!("Bearer {TOKEN_PREFIX}-0");
    let basic = format!("Basic {BASIC}");
    assert_eq!(authorizations(&server), [&*basic, &*bearer, &*bearer, &*bearer]);
    let first = &server.received()[0];
    assert_eq!(first.body, "grant_type=client_credentials");
    assert!(first.header("user-agent").unwrap().contains("Ranklore"));
}

#[tokio::test]
async fn no_token_terms_send_no_authorization() {
    let server = token_server(3_600, |_| Reply::json("[1]"));
    let mut client = client_with(FetchOptions {
        token: None,
        ..token_options(&server)
    });
    fetch(&mut client, &json()).await.unwrap();
    assert_eq!(authorizations(&server), [""]);
}

#[tokio::test]
async fn token_is_renewed_minute_before_expiry() {
    let server = token_server(3_600, |_| Reply::json("[1]"));
    let mut client = client_with(token_options(&server));
    // Seconds before each request; the test itself takes less than 1 min.
    for (passes, request_count) in [(0, 2), (3_480, 3), (60, 5), (60, 6)] {
        pause();
        advance(Duration::from_secs(passes)).await;
        resume();
        fetch(&mut client, &json()).await.unwrap();
        assert_eq!(server.request_count(), request_count, "{passes}");
    }
    assert_eq!(
        server.targets(),
        [
            TOKEN_REQUEST,
            LIST_REQUEST,
            LIST_REQUEST,
            TOKEN_REQUEST,
            LIST_REQUEST,
            LIST_REQUEST
        ]
    );
    assert_eq!(authorizations(&server)[4], format!("Bearer {TOKEN_PREFIX}-3"));
}

#[tokio::test]
async fn rejected_token_is_renewed_silently() {
    let server = token_server(3_600, |count| match count {
        1 => Reply::status(401).body("temporarily blocked"),
        _ => Reply::json("[1]"),
    });
    let mut client = client_with(token_options(&server));
    client.on_wait(|wait| panic!("{wait:?}"));
    fetch(&mut client, &json()).await.unwrap();
    assert_eq!(server.targets(), [TOKEN_REQUEST, LIST_REQUEST, TOKEN_REQUEST, LIST_REQUEST]);
    assert_eq!(authorizations(&server)[3], format!("Bearer {TOKEN_PREFIX}-2"));
}

#[tokio::test]
async fn token_is_renewed_once_per_request() {
    let server = token_server(3_600, |_| Reply::status(401).body("temporarily blocked"));
    let mut client = client_with(token_options(&server));
    let failed = fetch(&mut client, &json()).await.unwrap_err();
    assert!(
        matches!(failed, FetchError::Blocked(Rejection { status: 401, .. })),
        "{failed:?}"
    );
    // A blocked request is retried once.
    assert_eq!(
        server.targets(),
        [
            TOKEN_REQUEST,
            LIST_REQUEST,
            TOKEN_REQUEST,
            LIST_REQUEST,
            LIST_REQUEST
        ]
    );
}

#[tokio::test]
async fn refused_credentials_report_only_code() {
    for (status, code) in [(200, "invalid_grant"), (401, "invalid_client")] {
        let body = format!(r#"{{"error":"{code}","error_description":"{ID} is nobody"}}"#);
        let server = Server::with_replies([Reply::status(status).body(body)]);
        let mut client = client_with(token_options(&server));
        let failed = fetch(&mut client, &json()).await.unwrap_err();
        assert_eq!(
            failed.to_string(),
            format!(
                "{}/api/token rejects the credentials (HTTP {status}: {code}); check id and secret, \
                 and that the program is still registered",
                server.url()
            )
        );
        assert!(failed.concerns_host() && !failed.is_blocked());
        assert_eq!(server.targets(), [TOKEN_REQUEST]);
        assert_no_secrets(&all_texts(&failed, &client));
    }
}

#[tokio::test]
async fn failed_token_request_is_retried() {
    let server = Server::with_handler(|count, line| match (count, line) {
        (0, _) => Reply::status(503),
        (1, _) => token_reply(1, 3_600).announce_length(9_999),
        (2, _) => Reply::status(429).header("Retry-After", "0"),
        (_, TOKEN_REQUEST) => token_reply(3, 3_600),
        _ => Reply::json("[1]"),
    });
    let mut client = client_with(token_options(&server));
    fetch(&mut client, &json()).await.unwrap();
    assert_eq!(
        server.targets(),
        [
            TOKEN_REQUEST,
            TOKEN_REQUEST,
            TOKEN_REQUEST,
            TOKEN_REQUEST,
            LIST_REQUEST
        ]
    );
}

#[tokio::test]
async fn invalid_token_response_is_refused_unquoted() {
    let large = "x".repeat(20_000);
    for (body, word) in [
        (format!(r#"{{"access_token":"{TOKEN_PREFIX}"#), "expected a token"),
        (
            format!(
                r#"{{"access_token":"{TOKEN_PREFIX}","token_type":"bearer","expires_in":"{TOKEN_PREFIX}"}}"#
            ),
            "expected a token",
        ),
        (format!("<html><title>{TOKEN_PREFIX}"), "expected a token"),
        (large, "larger than 16384 bytes"),
    ] {
        let server = Server::with_replies([Reply::json(&body)]);
        let mut client = client_with(token_options(&server));
        let failed = fetch(&mut client, &json()).await.unwrap_err();
        let texts = all_texts(&failed, &client);
        assert!(texts.contains(word), "{texts}");
        assert_no_secrets(&texts);
        assert!(server.targets().iter().all(|line| line == TOKEN_REQUEST));
    }
}

#[tokio::test]
async fn other_host_receives_no_token() {
    let other = Server::with_replies([Reply::status(401).body("[1]"), Reply::json("[1]")]);
    let to = format!("http://localhost:{}/api/list", other.port());
    let server = token_server(3_600, move |count| match count {
        1 => Reply::redirect(302, "/here"),
        _ => Reply::redirect(307, &to),
    });
    let mut client = client_with(FetchOptions {
        allow_hosts: vec![format!("localhost:{}", other.port())],
        ..token_options(&server)
    });
    let fresh = fetch(&mut client, &json()).await.unwrap();
    assert_eq!(fresh.status, 401);
    assert_eq!(server.targets(), [TOKEN_REQUEST, LIST_REQUEST, "GET /here"]);
    // The same host still receives the token.
    assert_eq!(authorizations(&server)[2], format!("Bearer {TOKEN_PREFIX}-0"));
    assert_eq!(authorizations(&other), [""]);
}

#[tokio::test]
async fn token_request_follows_no_redirect() {
    let other = Server::with_replies([token_reply(0, 3_600)]);
    for (status, to) in [
        (307, format!("http://localhost:{}/token", other.port())),
        (308, "/elsewhere".to_owned()),
        (302, "/elsewhere".to_owned()),
    ] {
        let server = Server::with_replies([Reply::redirect(status, &to)]);
        let mut client = client_with(FetchOptions {
            allow_hosts: vec![format!("localhost:{}", other.port())],
            ..token_options(&server)
        });
        let failed = fetch(&mut client, &json()).await.unwrap_err();
        assert!(matches!(failed, FetchError::RedirectRefused { .. }), "{failed:?}");
        assert_eq!((server.request_count(), other.request_count()), (1, 0));
    }
}

#[test]
fn token_request_keeps_pace() {
    let interval = Duration::from_secs(2);
    let server = token_server(3_600, |count| match count {
        1 | 4 => Reply::status(401),
        _ => Reply::json("[1]"),
    });
    let paced = FetchOptions {
        interval,
        ..token_options(&server)
    };
    let mut lapse = VirtualTimeClient::new(&server, paced);
    for _ in 0..2 {
        lapse.fetch(&json()).unwrap();
    }
    assert_eq!(
        server.targets(),
        [
            TOKEN_REQUEST,
            LIST_REQUEST,
            TOKEN_REQUEST,
            LIST_REQUEST,
            LIST_REQUEST,
            TOKEN_REQUEST,
            LIST_REQUEST
        ]
    );
    let gaps = lapse.gaps();
    assert_eq!(gaps.len(), 6);
    assert!(gaps.iter().all(|gap| *gap >= interval), "{gaps:?}");
}

#[tokio::test]
async fn response_echoing_secret_is_discarded() {
    let echo = format!("{TOKEN_PREFIX}-0");
    let line = format!("you sent Bearer {echo}");
    let long = format!("{} {line}", "x".repeat(200));
    let location = format!("/{echo}");
    for reply in [
        Reply::json(&format!("[\"{line}\"]")),
        Reply::status(400).body(&line),
        Reply::html(403, &format!("<title>{long}</title>")),
        Reply::status(500).body(&line),
        Reply::json("[1]").header("ETag", &echo),
        Reply::redirect(302, &location),
        Reply::redirect(302, &format!("ftp:{location}")),
    ] {
        let server = token_server(3_600, move |_| reply.clone());
        let mut client = client_with(token_options(&server));
        let failed = fetch(&mut client, &json()).await.unwrap_err();
        assert!(matches!(failed, FetchError::SecretEchoed { .. }), "{failed:?}");
        assert_eq!(server.targets(), [TOKEN_REQUEST, LIST_REQUEST]);
        assert_no_secrets(&all_texts(&failed, &client));
    }
    // The site also knows the credentials the token was issued for.
    for secret in [SECRET, BASIC] {
        let line = format!("[\"{secret}\"]");
        let server = token_server(3_600, move |_| Reply::json(&line));
        let mut client = client_with(token_options(&server));
        let failed = fetch(&mut client, &json()).await.unwrap_err();
        assert!(matches!(failed, FetchError::SecretEchoed { .. }), "{failed:?}");
    }
    let server = Server::with_replies([Reply::redirect(302, &format!("ftp:/{BASIC}"))]);
    let mut client = client_with(token_options(&server));
    let failed = fetch(&mut client, &json()).await.unwrap_err();
    assert_no_secrets(&all_texts(&failed, &client));
    let server =
        Server::with_replies([Reply::status(400).body(format!("{{\"error\":\"{SECRET}\"}}"))]);
    let mut client = client_with(token_options(&server));
    let failed = fetch(&mut client, &json()).await.unwrap_err();
    assert!(matches!(failed, FetchError::SecretEchoed { .. }), "{failed:?}");
    assert_no_secrets(&all_texts(&failed, &client));
}

#[tokio::test]
async fn errors_and_waits_reveal_no_secret() {
    let heard = Arc::new(Mutex::new(String::new()));
    for reply in [
        Reply::status(503).body("busy"),
        Reply::json("[1").announce_length(99),
        Reply::json("[1"),
        Reply::html(200, "<html>"),
        Reply::status(404),
        Reply::redirect(302, "http://127.0.0.1:1/x"),
        Reply::json("[1]").header("Content-Encoding", "gzip"),
    ] {
        let server = token_server(3_600, move |_| reply.clone());
        let options = FetchOptions {
            max_attempts: 2,
            ..token_options(&server)
        };
        assert_no_secrets(&format!("{options:?} {options:#?}"));
        let mut client = client_with(options);
        let hears = Arc::clone(&heard);
        client.on_wait(move |wait| {
            let text = format!("{} {wait:?}", wait.reason);
            hears.lock().unwrap().push_str(&text);
        });
        let failed = fetch(&mut client, &json()).await.unwrap_err();
        assert_no_secrets(&all_texts(&failed, &client));
    }
    let heard = heard.lock().unwrap();
    assert!(heard.contains("HTTP 503"), "{heard}");
    assert_no_secrets(&heard);
}

#[test]
fn client_needs_credentials_and_https() {
    let server = token_server(3_600, |_| Reply::json("[1]"));
    let new = |options| {
        let client = Client::new(options, HostState::default(), SystemTime::now());
        client.map(|_| ()).unwrap_err()
    };
    let error = new(FetchOptions {
        credentials: None,
        ..token_options(&server)
    });
    assert!(matches!(error, ClientError::MissingCredentials { .. }));
    assert!(error.to_string().contains("https://example.org/programs"));
    let error = new(FetchOptions {
        base_url: "http://example.org/mirror".to_owned(),
        ..token_options(&server)
    });
    assert!(matches!(error, ClientError::Unencrypted { .. }), "{error}");
    assert_eq!(server.request_count(), 0);
}
