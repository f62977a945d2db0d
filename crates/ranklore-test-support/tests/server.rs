//! Tests of the server: exact bytes of its replies.
#![expect(
    clippy::unwrap_used,
    reason = "clippy does not treat test helpers as tests"
)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use ranklore_test_support::{Reply, Server};

/// Sends requests on one connection, and reads until the server ends it or 10 s pass.
fn exchange(server: &Server, requests: &[&str]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    for request in requests {
        write!(stream, "{request}").unwrap();
    }
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut read = String::new();
    stream.read_to_string(&mut read).unwrap();
    read
}

const LIST: &str = "GET /list HTTP/1.1\r\nHost: here\r\n\r\n";

#[test]
fn one_connection_carries_several_requests() {
    let server = Server::with_replies([Reply::json("[1]"), Reply::html(404, "<html>")]);
    let read = exchange(&server, &[LIST, LIST]);
    assert_eq!(
        read,
        "HTTP/1.1 200 so\r\nContent-Type: application/json; charset=utf-8\r\n\
         Content-Length: 3\r\n\r\n[1]\
         HTTP/1.1 404 so\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>"
    );
    assert_eq!(server.take_targets(), ["GET /list", "GET /list"]);
    assert_eq!(server.request_count(), 0);
}

#[test]
fn incomplete_replies_end_the_connection() {
    for (reply, end) in [
        (Reply::json("[1").announce_length(99), "Content-Length: 99\r\n\r\n[1"),
        (Reply::json("[1, 2]").cut_after(2), "Content-Length: 6\r\n\r\n[1"),
        (
            Reply::json("[1").leave_chunks_unfinished(),
            "Transfer-Encoding: chunked\r\n\r\n2\r\n[1\r\n",
        ),
    ] {
        let read = exchange(&Server::with_replies([reply]), &[LIST, LIST]);
        assert!(read.ends_with(end), "{read}");
        assert_eq!(read.matches("HTTP/1.1").count(), 1, "{read}");
    }
}

#[test]
fn replies_take_configured_time() {
    let wait = Duration::from_millis(300);
    for (reply, least) in [
        (Reply::json("[1]").delay(wait), wait),
        (Reply::json("[1]").hold(wait), wait),
        (Reply::json(&"[1]".repeat(20)).slowly(), Duration::from_millis(500)),
    ] {
        let start = Instant::now();
        let read = exchange(&Server::with_replies([reply]), &[LIST]);
        assert!(read.ends_with("[1]"), "{read}");
        assert!(start.elapsed() >= least, "{:?}", start.elapsed());
    }
    let silent = Server::with_replies([Reply::never()]);
    assert_eq!(exchange(&silent, &[LIST]), "");
    assert_eq!(silent.request_count(), 1);
}

#[test]
fn replies_match_target_and_form() {
    let server = Server::new();
    server.set_replies("GET /list", [Reply::status(503), Reply::status(200)]);
    server.set_replies("POST /token", [Reply::status(401)]);
    server.set_replies("POST /token key=1", [Reply::status(204)]);
    let form = |body: &str| {
        let length = body.len();
        format!("POST /token HTTP/1.1\r\nContent-Length: {length}\r\n\r\n{body}")
    };
    let requests = [LIST, LIST, LIST, &form("key=1"), &form("key=2"), "GET /x 1"];
    let read = exchange(&server, &requests);
    let statuses = read.match_indices("HTTP/1.1 ");
    let statuses: Vec<&str> = statuses.map(|(at, _)| &read[at + 9..at + 12]).collect();
    assert_eq!(statuses, ["503", "200", "200", "204", "401", "404"]);
    assert_eq!(server.targets()[3..], ["POST /token key=1", "POST /token", "GET /x"]);
    assert_eq!(server.next_reply("GET /list").status, 200);
}

#[test]
fn matching_etag_gets_304() {
    let server = Server::with_replies([Reply::json("[1]").header("ETag", "\"a\"")]);
    let request_with_etag = |etag: &str| {
        let request = format!("GET / HTTP/1.1\r\nIf-None-Match: {etag}\r\n\r\n");
        exchange(&server, &[&request])
    };
    assert!(request_with_etag("\"a\"").starts_with("HTTP/1.1 304 "));
    assert!(request_with_etag("\"b\"").starts_with("HTTP/1.1 200 "));
    let known = server.received()[0].header("if-none-match").unwrap().len();
    assert_eq!(known, 3);
}
