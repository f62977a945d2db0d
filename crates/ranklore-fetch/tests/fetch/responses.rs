//! Valid responses.

use std::io::Write;
use std::time::SystemTime;

use ranklore_fetch::{FetchOptions, FetchOutcome, Validators};
use ranklore_source::{MediaKind, Request};
use ranklore_test_support::{Reply, Server};

use crate::test_source::{
    TestSource, client, client_with, fetch, fetch_once, json, options, page, text,
};

const GOOD: &str = r#"{"status":"OK","result":[1,2]}"#;

#[tokio::test]
async fn response_is_returned_with_metadata() {
    let server = Server::with_replies([Reply::json(GOOD)
        .header("ETag", "\"abc\"")
        .header("Last-Modified", "Sat, 21 Nov 2026 16:00:00 GMT")]);
    let request = json().with_parameter("lang", "en").with_parameter("what", "a&b c");
    let fresh = fetch_once(&server, &request).await.unwrap();
    assert_eq!(fresh.body, GOOD.as_bytes());
    assert_eq!(fresh.status, 200);
    assert_eq!(fresh.url, format!("{}/api/list?lang=en&what=a%26b+c", server.url()));
    assert_eq!(fresh.validators.etag.as_deref(), Some("\"abc\""));
    let modified = fresh.validators.last_modified.as_deref();
    assert_eq!(modified, Some("Sat, 21 Nov 2026 16:00:00 GMT"));
    assert_eq!(fresh.media_type.as_deref(), Some("application/json; charset=utf-8"));
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    assert!(now.as_secs().abs_diff(fresh.fetched_at.get().unsigned_abs()) <= 60);

    let request = &server.received()[0];
    assert_eq!(request.target, "GET /api/list?lang=en&what=a%26b+c");
    assert_eq!(request.header("accept"), Some("application/json"));
    let accepted = request.header("accept-encoding").unwrap();
    for coding in ["gzip", "zstd"] {
        assert!(accepted.contains(coding), "{accepted}");
    }
}

#[tokio::test]
async fn byte_order_mark_before_json_is_skipped() {
    let marked = format!("\u{feff}{GOOD}");
    let server = Server::with_replies([Reply::new(200, "application/json", marked.clone())]);
    assert_eq!(fetch_once(&server, &json()).await.unwrap().body, GOOD.as_bytes());
    // Interfaces whose answers may be pages, too.
    let server = Server::with_replies([Reply::new(200, "application/json", marked)]);
    assert_eq!(fetch_once(&server, &text()).await.unwrap().body, GOOD.as_bytes());
    let page_text = "\u{feff}<html>an event";
    let server = Server::with_replies([Reply::html(200, page_text)]);
    assert_eq!(fetch_once(&server, &page()).await.unwrap().body, page_text.as_bytes());
}

#[tokio::test]
async fn user_agent_names_version_and_contact() {
    let server = Server::with_replies([Reply::json(GOOD)]);
    let mut client = client_with(FetchOptions {
        contact: "mailto:me@example.org".into(),
        ..options(&server)
    });
    fetch(&mut client, &json()).await.unwrap();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        server.received()[0].header("user-agent"),
        Some(format!("Ranklore/{version} (+mailto:me@example.org)").as_str())
    );
}

#[tokio::test]
async fn form_is_sent_urlencoded() {
    let server = Server::with_replies([Reply::html(200, "<html>an event")]);
    let request = Request::post("event3.asp", MediaKind::Html, "an event")
        .with_form_field("selEnt", "")
        .with_form_field("event", "a&b =c");
    fetch_once(&server, &request).await.unwrap();
    let request = &server.received()[0];
    assert_eq!(request.target, "POST /event3.asp");
    assert_eq!(request.body, "selEnt=&event=a%26b+%3Dc");
    assert_eq!(request.header("content-type"), Some("application/x-www-form-urlencoded"));
}

#[tokio::test]
async fn mirror_may_have_base_path() {
    let server = Server::with_replies([Reply::json(GOOD)]);
    let mut client = client_with(FetchOptions {
        base_url: format!("{}/mirrors/site/", server.url()),
        ..options(&server)
    });
    fetch(&mut client, &json()).await.unwrap();
    assert_eq!(server.targets(), ["GET /mirrors/site/api/list"]);
}

#[tokio::test]
async fn classified_error_response_is_returned() {
    let body = r#"{"status":"FAILED","comment":"contestId: Contest not found"}"#;
    for status in [400, 404, 500] {
        let reply = Reply::status(status);
        let server =
            Server::with_replies([reply.header("Content-Type", "application/json").body(body)]);
        let fresh = fetch_once(&server, &json()).await.unwrap();
        assert_eq!((fresh.status, fresh.body.as_slice()), (status, body.as_bytes()));
        assert_eq!(server.request_count(), 1);
    }
    let server = Server::with_replies([Reply::html(404, "<html>no such event")]);
    assert_eq!(fetch_once(&server, &page()).await.unwrap().status, 404);
}

#[tokio::test]
async fn unchanged_document_is_not_modified() {
    let server = Server::with_replies([Reply::status(304).header("ETag", "\"abc\"")]);
    let known = Validators {
        etag: Some("\"abc\"".into()),
        last_modified: Some("Sat, 21 Nov 2026 16:00:00 GMT".into()),
    };
    let answered = client(&server).fetch(&TestSource, &json(), Some(&known)).await.unwrap();
    let FetchOutcome::NotModified { url, .. } = answered else {
        panic!("{answered:?}");
    };
    assert_eq!(url, format!("{}/api/list", server.url()));
    let request = &server.received()[0];
    assert_eq!(request.header("if-none-match"), Some("\"abc\""));
    assert_eq!(request.header("if-modified-since"), Some("Sat, 21 Nov 2026 16:00:00 GMT"));
    // A 304 to an unconditional request is an error.
    let failed = fetch_once(&server, &json()).await.unwrap_err();
    assert!(failed.to_string().contains("HTTP 304"), "{failed}");
}

#[tokio::test]
async fn compressed_responses_are_decoded() {
    let body = r#"{"packed":"again, and again, and again"}"#;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(body.as_bytes()).unwrap();
    for (coding, packed) in [
        ("gzip", gzip.finish().unwrap()),
        ("zstd", zstd::encode_all(body.as_bytes(), 3).unwrap()),
    ] {
        let reply = Reply::json("").header("Content-Encoding", coding).body(packed);
        let server = Server::with_replies([reply]);
        let fresh = fetch_once(&server, &json()).await.unwrap();
        assert_eq!(String::from_utf8(fresh.body).unwrap(), body, "{coding}");
    }
}

#[tokio::test]
async fn unrequested_encoding_is_refused() {
    for coding in ["br", "deflate", "gzip, br"] {
        let reply = Reply::json(GOOD).header("Content-Encoding", coding);
        let failed = fetch_once(&Server::with_replies([reply]), &json()).await;
        let failed = failed.unwrap_err().to_string();
        assert!(failed.contains("was cut off"), "{coding}: {failed}");
    }
    for coding in ["identity", "", "utf-8"] {
        let reply = Reply::json(GOOD).header("Content-Encoding", coding);
        let fresh = fetch_once(&Server::with_replies([reply]), &json()).await;
        assert_eq!(fresh.unwrap().body, GOOD.as_bytes(), "{coding}");
    }
    // An error is recognised by its status.
    let reply = Reply::status(429).header("Content-Encoding", "br").body("x");
    let failed = fetch_once(&Server::with_replies([reply]), &json()).await;
    let failed = failed.unwrap_err().to_string();
    assert!(failed.contains("429"), "{failed}");
}

#[tokio::test]
async fn compatible_media_types_are_accepted() {
    for (request, media, body) in [
        (json(), "text/plain", GOOD),
        (json(), "application/problem+json", GOOD),
        (json(), "text/javascript", GOOD),
        (page(), "application/xhtml+xml", "<html/>"),
        (text(), "text/csv", "a,b"),
        (text(), "application/rss+xml", "<rss/>"),
    ] {
        let reply = Reply::status(200).header("Content-Type", media).body(body);
        let fresh = fetch_once(&Server::with_replies([reply]), &request).await.unwrap();
        assert_eq!(fresh.body, body.as_bytes(), "{media}");
    }
    let undeclared = Server::with_replies([Reply::status(200).body(GOOD)]);
    assert_eq!(fetch_once(&undeclared, &json()).await.unwrap().media_type, None);
}

#[tokio::test]
async fn secrets_are_sent_but_redacted_in_output() {
    let server = Server::with_replies([Reply::json(GOOD), Reply::status(403)]);
    let mut client = client_with(FetchOptions {
        base_url: format!("http://me:hush@127.0.0.1:{}", server.port()),
        ..options(&server)
    });
    let request = json()
        .with_parameter("apiKey", "hush")
        .with_parameter("apiSig", "hush")
        .with_parameter("time", 5);
    let fresh = fetch(&mut client, &request).await.unwrap();
    let failed = fetch(&mut client, &request).await.unwrap_err();
    for text in [
        fresh.url,
        failed.to_string(),
        format!("{failed:?} {client:?}"),
    ] {
        assert!(!text.contains("hush"), "{text}");
        assert!(!text.contains("me:"), "{text}");
    }
    assert!(failed.to_string().contains("apiKey=***&apiSig=***&time=5"), "{failed}");
    let request = &server.received()[0];
    assert!(request.target.contains("apiKey=hush"));
    assert!(request.header("authorization").is_some());
}
