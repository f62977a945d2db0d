//! Redirects.

use ranklore_fetch::{FetchError, FetchOptions, Rejection};
use ranklore_source::{MediaKind, Request};
use ranklore_test_support::{Reply, Server};

use crate::test_source::{client_with, failure, fetch, fetch_once, json, options};

#[tokio::test]
async fn redirect_on_same_host_is_followed() {
    let server = Server::with_handler(|_, line| match line {
        "GET /api/list" => Reply::redirect(301, "list2?a=1#part"),
        "GET /api/list2?a=1" => Reply::redirect(307, "/list3"),
        _ => Reply::json("[1]"),
    });
    let fresh = fetch_once(&server, &json()).await.unwrap();
    assert_eq!(fresh.url, format!("{}/list3", server.url()));
    assert_eq!(server.targets(), ["GET /api/list", "GET /api/list2?a=1", "GET /list3"]);
}

#[tokio::test]
async fn form_is_resent_for_status_308_only() {
    for (status, line, body) in [
        (303, "GET /b", ""),
        (302, "GET /b", ""),
        (308, "POST /b", "x=1"),
    ] {
        let server = Server::with_handler(move |_, line| match line {
            "POST /a" => Reply::redirect(status, "/b"),
            _ => Reply::json("[1]"),
        });
        let request = Request::post("a", MediaKind::Json, "a").with_form_field("x", 1);
        fetch_once(&server, &request).await.unwrap();
        let request = &server.received()[1];
        assert_eq!((request.target.as_str(), request.body.as_str()), (line, body), "{status}");
    }
}

#[tokio::test]
async fn request_limit_counts_every_request() {
    let server = Server::with_handler(|_, line| match line {
        "GET /robots.txt" => Reply::status(404),
        "GET /api/list" => Reply::redirect(301, "/list2"),
        _ => Reply::status(503),
    });
    let mut client = client_with(FetchOptions {
        obey_robots: true,
        max_requests: Some(3),
        ..options(&server)
    });
    let failed = fetch(&mut client, &json()).await.unwrap_err();
    assert!(matches!(failed, FetchError::RequestLimitReached { limit: 3, .. }), "{failed:?}");
    assert_eq!(client.requests(), 3);
    assert_eq!(server.targets(), ["GET /robots.txt", "GET /api/list", "GET /list2"]);
    let failed = fetch(&mut client, &json()).await.unwrap_err();
    assert!(failed.to_string().contains("the limit of 3 requests"), "{failed}");
    assert_eq!(server.targets().len(), 3);
}

#[tokio::test]
async fn redirect_loop_ends() {
    let server = Server::with_replies([Reply::redirect(302, "/api/list")]);
    let (failed, requests) = failure(&server, &json()).await;
    assert!(matches!(failed, FetchError::TooManyRedirects { limit: 5, .. }), "{failed:?}");
    assert_eq!(requests, 6);
}

#[tokio::test]
async fn other_host_is_refused_unless_allowed() {
    let other = Server::with_replies([Reply::json("[1]")]);
    let port = other.port();
    let to = format!("http://localhost:{port}/api/list?token=hush");
    let server = Server::with_replies([Reply::redirect(302, &to)]);
    let (failed, requests) = failure(&server, &json()).await;
    let FetchError::RedirectRefused { to, reason, .. } = &failed else {
        panic!("{failed:?}");
    };
    assert_eq!(*to, format!("http://localhost:{port}/api/list?token=***"));
    assert_eq!(*reason, "it is another host");
    assert_eq!((requests, other.request_count()), (1, 0));

    let mut client = client_with(FetchOptions {
        allow_hosts: vec![format!("localhost:{port}")],
        ..options(&server)
    });
    fetch(&mut client, &json()).await.unwrap();
    assert_eq!(other.request_count(), 1);
}

#[tokio::test]
async fn other_port_and_scheme_are_refused() {
    for (to, reason) in [
        ("http://127.0.0.1:1/x", "another host"),
        ("//example.org/x", "another host"),
        ("ftp://127.0.0.1/x", "neither http nor https"),
        ("file:///etc/hostname", "neither http nor https"),
        ("http://[", "not a URL"),
        (&*format!("/{}", "a".repeat(120_000)), "longer than 8,192 bytes"),
    ] {
        let (failed, requests) =
            failure(&Server::with_replies([Reply::redirect(302, to)]), &json()).await;
        assert!(matches!(failed, FetchError::RedirectRefused { .. }), "{failed:?}");
        assert!(failed.to_string().contains(reason), "{failed}");
        assert!(failed.to_string().len() < 600, "{failed}");
        assert_eq!(requests, 1);
    }
}

#[tokio::test]
async fn redirect_without_location_is_refused() {
    let (failed, _) =
        failure(&Server::with_replies([Reply::status(302).body("moved")]), &json()).await;
    assert!(
        matches!(failed, FetchError::Refused(Rejection { status: 302, .. })),
        "{failed:?}"
    );
}
