//! Invalid responses: each is an error of its own, never an empty contest.

use std::time::Duration;

use ranklore_fetch::{FetchError, FetchOptions, Rejection};
use ranklore_source::Request;
use ranklore_test_support::{Reply, Server};

use crate::test_source::{
    client, client_with, failure, fetch, fetch_once, json, options, page, text,
};

const CHALLENGE: &str =
    "<!DOCTYPE html><html lang=\"en-US\"><head><title>Just a moment...</title></head></html>";

#[tokio::test]
async fn three_challenges_cool_host_down() {
    let server = Server::with_replies([Reply::html(403, CHALLENGE)]);
    let mut client = client_with(FetchOptions {
        interval: Duration::from_millis(1),
        cool_down: Duration::from_mins(10),
        ..options(&server)
    });
    // The first request fails after one retry; the third challenge starts the cool-down.
    let first = fetch(&mut client, &json()).await.unwrap_err();
    assert!(
        matches!(first, FetchError::Challenge(Rejection { status: 403, .. })),
        "{first:?}"
    );
    assert!(first.to_string().contains("Just a moment..."), "{first}");
    assert!(first.is_blocked() && !first.concerns_host());
    assert_eq!(server.request_count(), 2);
    let second = fetch(&mut client, &page()).await.unwrap_err();
    assert!(matches!(second, FetchError::CoolingDown { .. }), "{second:?}");
    assert!(second.to_string().contains("Just a moment..."), "{second}");
    assert_eq!(server.request_count(), 3);
    assert!(client.state().not_before.is_some());
    fetch(&mut client, &json()).await.unwrap_err();
    assert_eq!(server.request_count(), 3);
}

#[tokio::test]
async fn success_resets_challenge_count() {
    let server = Server::with_handler(|count, _| match count {
        2 => Reply::json("[1]"),
        _ => Reply::html(403, CHALLENGE),
    });
    let mut client = client_with(FetchOptions {
        interval: Duration::from_millis(1),
        ..options(&server)
    });
    fetch(&mut client, &json()).await.unwrap_err();
    fetch(&mut client, &json()).await.unwrap();
    let failed = fetch(&mut client, &json()).await.unwrap_err();
    assert!(matches!(failed, FetchError::Challenge { .. }), "{failed:?}");
}

#[tokio::test]
async fn mirror_without_interval_never_cools_down() {
    let server = Server::with_replies([Reply::html(403, CHALLENGE)]);
    let mut client = client(&server);
    for _ in 0..4 {
        let failed = fetch(&mut client, &json()).await.unwrap_err();
        assert!(matches!(failed, FetchError::Challenge { .. }), "{failed:?}");
    }
    assert_eq!(server.request_count(), 8);
    assert_eq!(client.state().not_before, None);
}

#[tokio::test]
async fn invalid_response_is_retried_once() {
    for accident in [
        Reply::html(200, CHALLENGE),
        Reply::html(200, "<html>maintenance"),
        Reply::json("[1, 2"),
        Reply::json("nonsense"),
        Reply::json(""),
        Reply::status(200).header("Content-Type", "image/png").body("x"),
    ] {
        let server = Server::with_replies([accident, Reply::json("[1]")]);
        assert_eq!(fetch_once(&server, &json()).await.unwrap().body, b"[1]");
    }
}

/// Returns the error of a server that always sends this reply. It is requested twice.
async fn persistent_failure(request: &Request, reply: Reply) -> FetchError {
    let server = Server::with_replies([reply]);
    let (failed, tries) = failure(&server, request).await;
    assert_eq!(tries, 2, "{failed:?}");
    assert!(failed.to_string().contains(server.url()), "{failed}");
    failed
}

#[tokio::test]
async fn block_message_is_reported() {
    let body = "<html><body>You have been temporarily blocked by administrator</body></html>";
    let failed = persistent_failure(&json(), Reply::html(403, body)).await;
    assert!(
        matches!(failed, FetchError::Blocked(Rejection { status: 403, .. })),
        "{failed:?}"
    );
    assert!(failed.to_string().contains("by the administrator"), "{failed}");
}

#[tokio::test]
async fn login_pages_are_reported() {
    let form = "<html><title>Sign in</title><form><input type=\"password\"></form>";
    let failed = persistent_failure(&json(), Reply::html(200, form)).await;
    assert!(matches!(failed, FetchError::LoginWall { .. }), "{failed:?}");
    assert!(failed.to_string().contains("Sign in"), "{failed}");

    let server = Server::with_handler(|_, line| match line {
        "GET /enter?back=5" => Reply::html(200, "<html>Who are you?"),
        _ => Reply::redirect(302, "/enter?back=5"),
    });
    for request in [json(), page()] {
        let failed = fetch_once(&server, &request).await.unwrap_err();
        let FetchError::LoginWall { url, .. } = &failed else {
            panic!("{failed:?}");
        };
        assert_eq!(*url, format!("{}/enter?back=5", server.url()));
    }
}

#[tokio::test]
async fn html_instead_of_json_is_reported() {
    let body = "<!DOCTYPE html>\n<html><head><title> Codeforces\n is down </title>";
    for reply in [
        Reply::html(200, body),
        Reply::html(400, body),
        // The body decides, not the declared type.
        Reply::json(body),
    ] {
        let failed = persistent_failure(&json(), reply).await;
        assert!(matches!(failed, FetchError::HtmlInsteadOfJson { .. }), "{failed:?}");
        assert!(failed.to_string().contains("Codeforces is down"), "{failed}");
    }
}

#[tokio::test]
async fn page_with_status_404_is_an_answer_if_its_source_says_so() {
    let server = Server::with_replies([Reply::html(404, "<html>Not found</html>")]);
    let document = fetch_once(&server, &json()).await.unwrap();
    assert_eq!(document.status, 404);
}

#[tokio::test]
async fn truncated_json_is_reported() {
    for body in [
        "{\"status\":\"OK\",\"result\":[{\"id\":1",
        "[1,",
        "\"a",
        "{",
    ] {
        let failed = persistent_failure(&json(), Reply::json(body)).await;
        assert!(matches!(failed, FetchError::TruncatedJson { .. }), "{failed:?}");
    }
    let failed = persistent_failure(&json(), Reply::json("[1] and more\nand more")).await;
    assert!(matches!(failed, FetchError::NotJson { .. }), "{failed:?}");
    assert!(failed.to_string().contains("[1] and more)"), "{failed}");
}

#[tokio::test]
async fn empty_response_is_reported() {
    for (request, reply) in [
        (json(), Reply::json("")),
        (json(), Reply::json(" \n")),
        (page(), Reply::html(200, "\u{feff}")),
        (text(), Reply::status(204)),
    ] {
        let failed = persistent_failure(&request, reply).await;
        assert!(matches!(failed, FetchError::Empty { .. }), "{failed:?}");
    }
}

#[tokio::test]
async fn wrong_media_type_is_reported() {
    for (request, media, body) in [
        (json(), "image/png", "\u{1}PNG"),
        (json(), "text/csv", "a,b"),
        (page(), "application/pdf", "%PDF"),
        (text(), "application/zip", "PK"),
    ] {
        let reply = Reply::status(200).header("Content-Type", media).body(body);
        let failed = persistent_failure(&request, reply).await;
        assert!(matches!(failed, FetchError::WrongMediaType { .. }), "{failed:?}");
        assert!(failed.to_string().contains(media), "{failed}");
        assert!(!failed.to_string().contains('\u{1}'), "{failed}");
    }
}

#[tokio::test]
async fn unreadable_response_is_reported() {
    let failed = persistent_failure(&json(), Reply::json("\"nonsense\"")).await;
    assert!(matches!(failed, FetchError::Unreadable { .. }), "{failed:?}");
}

#[tokio::test]
async fn plain_refusal_is_not_retried() {
    for status in [401, 403, 404, 410, 418] {
        let reply = Reply::status(status).header("Content-Type", "text/plain").body("Nope\nreally");
        let (failed, tries) = failure(&Server::with_replies([reply]), &json()).await;
        assert!(matches!(failed, FetchError::Refused { .. }), "{failed:?}");
        assert!(failed.to_string().contains(&format!("HTTP {status} (Nope)")), "{failed}");
        assert_eq!(tries, 1);
    }
}
