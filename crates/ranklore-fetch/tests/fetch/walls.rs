//! Invalid responses: each is an error of its own, never an empty contest.

use std::time::Duration;

use ranklore_fetch::{Failed, Options, Rejection};
use ranklore_source::Request;
use ranklore_test_support::{Reply, Server};

use crate::site::{ask, ask_once, client, client_with, failure, json, options, page, text};

const CHALLENGE: &str =
    "<!DOCTYPE html><html lang=\"en-US\"><head><title>Just a moment...</title></head></html>";

#[tokio::test]
async fn three_challenges_in_a_row_set_the_host_aside() {
    let server = Server::with_replies([Reply::html(403, CHALLENGE)]);
    let mut client = client_with(Options {
        interval: Duration::from_millis(1),
        aside: Duration::from_mins(10),
        ..options(&server)
    });
    // The first request fails after one retry; the third challenge starts the cool-down.
    let first = ask(&mut client, &json()).await.unwrap_err();
    assert!(
        matches!(first, Failed::Challenge(Rejection { status: 403, .. })),
        "{first:?}"
    );
    assert!(first.to_string().contains("Just a moment..."), "{first}");
    assert!(first.is_blocked() && !first.concerns_host());
    assert_eq!(server.count(), 2);
    let second = ask(&mut client, &page()).await.unwrap_err();
    assert!(matches!(second, Failed::SetAside { .. }), "{second:?}");
    assert!(second.to_string().contains("Just a moment..."), "{second}");
    assert_eq!(server.count(), 3);
    assert!(client.state().not_before.is_some());
    ask(&mut client, &json()).await.unwrap_err();
    assert_eq!(server.count(), 3);
}

#[tokio::test]
async fn an_answer_in_between_counts_anew() {
    let server = Server::with_handler(|count, _| match count {
        2 => Reply::json("[1]"),
        _ => Reply::html(403, CHALLENGE),
    });
    let mut client = client_with(Options {
        interval: Duration::from_millis(1),
        ..options(&server)
    });
    ask(&mut client, &json()).await.unwrap_err();
    ask(&mut client, &json()).await.unwrap();
    let failed = ask(&mut client, &json()).await.unwrap_err();
    assert!(matches!(failed, Failed::Challenge { .. }), "{failed:?}");
}

#[tokio::test]
async fn ones_own_mirror_is_never_set_aside() {
    let server = Server::with_replies([Reply::html(403, CHALLENGE)]);
    let mut client = client(&server);
    for _ in 0..4 {
        let failed = ask(&mut client, &json()).await.unwrap_err();
        assert!(matches!(failed, Failed::Challenge { .. }), "{failed:?}");
    }
    assert_eq!(server.count(), 8);
    assert_eq!(client.state().not_before, None);
}

#[tokio::test]
async fn one_bad_answer_may_be_an_accident() {
    for accident in [
        Reply::html(200, CHALLENGE),
        Reply::html(200, "<html>maintenance"),
        Reply::json("[1, 2"),
        Reply::json("nonsense"),
        Reply::json(""),
        Reply::status(200)
            .header("Content-Type", "image/png")
            .body("x"),
    ] {
        let server = Server::with_replies([accident, Reply::json("[1]")]);
        assert_eq!(ask_once(&server, &json()).await.unwrap().body, b"[1]");
    }
}

/// Returns the error of a server that always sends this reply. It is requested twice.
async fn named(request: &Request, reply: Reply) -> Failed {
    let server = Server::with_replies([reply]);
    let (failed, tries) = failure(&server, request).await;
    assert_eq!(tries, 2, "{failed:?}");
    assert!(failed.to_string().contains(server.url()), "{failed}");
    failed
}

#[tokio::test]
async fn a_block_in_the_words_of_the_site() {
    let body = "<html><body>You have been temporarily blocked by administrator</body></html>";
    let failed = named(&json(), Reply::html(403, body)).await;
    assert!(
        matches!(failed, Failed::Blocked(Rejection { status: 403, .. })),
        "{failed:?}"
    );
    assert!(
        failed.to_string().contains("by the administrator"),
        "{failed}"
    );
}

#[tokio::test]
async fn login_pages() {
    let form = "<html><title>Sign in</title><form><input type=\"password\"></form>";
    let failed = named(&json(), Reply::html(200, form)).await;
    assert!(matches!(failed, Failed::LoginWall { .. }), "{failed:?}");
    assert!(failed.to_string().contains("Sign in"), "{failed}");

    let server = Server::with_handler(|_, line| match line {
        "GET /enter?back=5" => Reply::html(200, "<html>Who are you?"),
        _ => Reply::redirect(302, "/enter?back=5"),
    });
    for request in [json(), page()] {
        let failed = ask_once(&server, &request).await.unwrap_err();
        let Failed::LoginWall { url, .. } = &failed else {
            panic!("{failed:?}");
        };
        assert_eq!(*url, format!("{}/enter?back=5", server.url()));
    }
}

#[tokio::test]
async fn a_page_where_json_was_due() {
    let body = "<!DOCTYPE html>\n<html><head><title> Codeforces\n is down </title>";
    for reply in [
        Reply::html(200, body),
        Reply::html(404, body),
        // The body decides, not the declared type.
        Reply::json(body),
    ] {
        let failed = named(&json(), reply).await;
        assert!(matches!(failed, Failed::HtmlForJson { .. }), "{failed:?}");
        assert!(
            failed.to_string().contains("Codeforces is down"),
            "{failed}"
        );
    }
}

#[tokio::test]
async fn json_that_ends_in_the_middle() {
    for body in [
        "{\"status\":\"OK\",\"result\":[{\"id\":1",
        "[1,",
        "\"a",
        "{",
    ] {
        let failed = named(&json(), Reply::json(body)).await;
        assert!(matches!(failed, Failed::TruncatedJson { .. }), "{failed:?}");
    }
    let failed = named(&json(), Reply::json("[1] and more\nand more")).await;
    assert!(matches!(failed, Failed::NotJson { .. }), "{failed:?}");
    assert!(failed.to_string().contains("[1] and more)"), "{failed}");
}

#[tokio::test]
async fn nothing_at_all() {
    for (request, reply) in [
        (json(), Reply::json("")),
        (json(), Reply::json(" \n")),
        (page(), Reply::html(200, "\u{feff}")),
        (text(), Reply::status(204)),
    ] {
        let failed = named(&request, reply).await;
        assert!(matches!(failed, Failed::Empty { .. }), "{failed:?}");
    }
}

#[tokio::test]
async fn a_kind_that_was_not_due() {
    for (request, media, body) in [
        (json(), "image/png", "\u{1}PNG"),
        (json(), "text/csv", "a,b"),
        (page(), "application/pdf", "%PDF"),
        (text(), "application/zip", "PK"),
    ] {
        let reply = Reply::status(200).header("Content-Type", media).body(body);
        let failed = named(&request, reply).await;
        assert!(matches!(failed, Failed::WrongType { .. }), "{failed:?}");
        assert!(failed.to_string().contains(media), "{failed}");
        assert!(!failed.to_string().contains('\u{1}'), "{failed}");
    }
}

#[tokio::test]
async fn what_the_source_cannot_read() {
    let failed = named(&json(), Reply::json("\"nonsense\"")).await;
    assert!(matches!(failed, Failed::Unreadable { .. }), "{failed:?}");
}

#[tokio::test]
async fn a_plain_no_is_not_asked_again() {
    for status in [401, 403, 404, 410, 418] {
        let reply = Reply::status(status)
            .header("Content-Type", "text/plain")
            .body("Nope\nreally");
        let (failed, tries) = failure(&Server::with_replies([reply]), &json()).await;
        assert!(matches!(failed, Failed::Refused { .. }), "{failed:?}");
        assert!(
            failed
                .to_string()
                .contains(&format!("HTTP {status} (Nope)")),
            "{failed}"
        );
        assert_eq!(tries, 1);
    }
}
