//! `ranklore serve`: the process, the checks of requests, the pages, the API, the names.

pub(crate) mod client;
mod comparison;
mod data;
mod floods;
mod names;
mod operation;
mod pages;
mod statistics;

use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

use crate::support::{Scratch, contest};
use client::Served;

#[test]
fn address_is_printed_and_ctrl_c_ends_gracefully() {
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    assert_eq!(served.line, format!("serving http://{}/ until Ctrl-C\n", served.address));
    assert!(served.page("/").contains("<h1>"));
    // An idle connection does not delay the end.
    let idle = served.connect();
    let start = Instant::now();
    let (status, err) = served.stop();
    assert_eq!(status.code(), Some(0), "{err}");
    assert!(start.elapsed() < Duration::from_millis(1_700), "{:?}", start.elapsed());
    // The message is for a server that does not end at once.
    let message = "\nstopping; press Ctrl-C again to stop at once\n";
    assert!(err.is_empty() || err == message, "{err}");
    drop(idle);
    let json = Served::start_with(&scratch, &["--listen", "127.0.0.1:0", "--json"]);
    assert!(json.line.starts_with('{'), "{}", json.line);
}

#[test]
fn missing_database_and_used_port_are_errors() {
    let scratch = Scratch::new();
    scratch.run(&["serve"]).exits(1).says("ranklore demo");
    assert_eq!(scratch.list("."), [""; 0], "no file is made");
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    let again = scratch.run(&["serve", "--listen", &served.address]);
    again.exits(1).says("cannot listen on").says("choose another");
    for wrong in ["8080", "localhost:8080", "http://127.0.0.1"] {
        scratch.run(&["serve", "--listen", wrong]).exits(2).says("127.0.0.1:8080");
    }
    scratch.run(&["serve", "--host", "a/b"]).exits(2).says("ratings.example.org");
}

#[test]
fn other_addresses_than_the_loopback_are_warned_of() {
    let scratch = Scratch::season();
    let (_, err) = Served::start(&scratch).stop();
    assert!(!err.contains("warning"), "{err}");
    let open = Served::start_with(&scratch, &["--listen", "0.0.0.0:0"]);
    let (_, err) = open.stop();
    assert!(err.starts_with("warning: other machines can connect to 0.0.0.0:"), "{err}");
    assert!(err.contains("there is no login"), "{err}");
}

#[test]
fn every_response_has_the_security_headers() {
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    for target in [
        "/",
        "/style.css",
        "/curve.js",
        "/icon.svg",
        "/api/v1/sources",
        "/nothing",
        "/leaderboard?limit=x",
    ] {
        let answer = served.get(target);
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"),
            "{target}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{target}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{target}");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
        assert_eq!(answer.header("access-control-allow-origin"), "");
    }
    let page = served.page("/player/club/ann");
    // The policy forbids styles and scripts within a page.
    let is_inline = page.contains("<script>") || page.contains(" style=");
    assert!(!is_inline, "{page}");
    assert_eq!(page.matches("<script").count(), page.matches("<script src=\"/").count());
}

#[test]
fn requests_for_other_hosts_are_refused() {
    let scratch = Scratch::season();
    let options = ["--listen", "127.0.0.1:0", "--host", "ratings.example"];
    let served = Served::start_with(&scratch, &options);
    for host in [
        "localhost",
        "localhost:1",
        "127.0.0.1",
        "[::1]:80",
        "Ratings.example:443",
    ] {
        assert_eq!(served.get_with("/", &[("Host", host)]).status, 200, "{host}");
    }
    for host in [
        "evil.example",
        "ratings.example.evil.example",
        "192.0.2.7",
        "localhost@evil",
        "a b",
    ] {
        let refused = served.get_with("/api/v1/sources", &[("Host", host)]);
        assert_eq!(refused.status, 421, "{host}");
        assert!(refused.body.contains("--host"), "{}", refused.body);
    }
    let twice =
        "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    let absolute =
        "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let none = "GET / HTTP/1.0\r\n\r\n";
    for request in [twice, absolute, none] {
        assert_eq!(served.send(request).status, 421, "{request}");
    }
}

#[test]
fn only_get_and_head_are_answered() {
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    let send = |method: &str| {
        let host = &served.address;
        served.send(&format!("{method} / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    };
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND"] {
        let refused = send(method);
        assert_eq!((refused.status, refused.header("allow")), (405, "GET, HEAD"), "{method}");
    }
    let head = send("HEAD");
    let get = served.get("/");
    assert_eq!((head.status, &*head.body), (200, ""));
    assert_eq!(head.header("content-length"), get.header("content-length"));
}

#[test]
fn oversized_and_broken_requests_are_refused() {
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    let long = "x".repeat(20_000);
    assert_eq!(served.get(&format!("/players/club?text={long}")).status, 400);
    let many = "limit=1&".repeat(40);
    assert_eq!(served.get(&format!("/leaderboard?{many}")).status, 400);
    let header = served.get_with("/", &[("X-Long", &"x".repeat(200_000))]);
    assert_eq!(header.status, 431);
    for target in [
        "/player/club/%ff",
        "/player/club/a%00b",
        "/player/no%2Fsource/ann",
    ] {
        let status = served.get(target).status;
        assert!([400, 404].contains(&status), "{target}: {status}");
    }
    let mut stream = served.connect();
    stream.write_all(b"\x16\x03\x01\x00\xff nonsense\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert_eq!(served.get("/").status, 200, "the server goes on");
}

#[test]
fn many_clients_read_while_a_writer_rates() {
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..12)
            .map(|_| {
                scope.spawn(|| {
                    for target in ["/", "/leaderboard", "/player/club/ann", "/contest/club/6"] {
                        let page = served.page(target);
                        assert!(page.ends_with("</html>"), "{target}");
                    }
                })
            })
            .collect();
        for id in 7..10 {
            let file = format!("{id}.json");
            scratch.write(&file, contest(id, 10 * id, &[&["ann"], &["bea"]]));
            scratch.ok(&["import", &file, "--source", "club"]);
            scratch.ok(&["rate", "club"]);
        }
        for reader in readers {
            reader.join().unwrap();
        }
    });
    // New ratings are visible without a restart.
    assert!(served.page("/contests/club").contains("/contest/club/9\""));
    assert!(served.page("/leaderboard").contains("9 contests"));
}

/// Another file can have the same results, under other ids of the competitors.
#[test]
fn ratings_are_those_of_the_file_under_the_name() {
    const BOARD: &str = "/api/v1/leaderboard?source=club";
    const CONTEST: &str = "/api/v1/contest/club/2";
    let with = |contests: &[u32]| {
        let scratch = Scratch::new();
        for &id in contests {
            let places: [&[&str]; 4] = match id {
                1 => [&["ann"], &["bob"], &["cy"], &["dee"]],
                2 => [&["dee"], &["eve"], &["bob"], &["flo"]],
                _ => [&["cy"], &["eve"], &["gus"], &["ann"]],
            };
            let file = format!("{id}.json");
            scratch.write(&file, contest(id, id, &places));
            scratch.ok(&["import", &file, "--source", "club"]);
        }
        scratch.ok(&["rate", "club"]);
        scratch
    };
    let (scratch, other) = (with(&[1, 2]), with(&[2, 1, 3]));
    let served = Served::start(&scratch);
    let board = served.page(BOARD);
    // Its ratings before are kept, too.
    served.page(CONTEST);
    for side in ["ranklore.sqlite-wal", "ranklore.sqlite-shm"] {
        let _ = std::fs::remove_file(scratch.path(side));
    }
    std::fs::rename(other.db(), scratch.db()).unwrap();
    let new = Served::start(&scratch);
    assert_ne!(served.page(BOARD), board);
    for path in [BOARD, CONTEST] {
        assert_eq!(served.page(path), new.page(path), "{path}");
    }
}

#[test]
fn another_file_under_the_name_is_read() {
    let scratch = Scratch::season();
    let other = Scratch::club();
    let served = Served::start(&scratch);
    assert!(served.page("/").contains("/player/club/ann"));
    other.ok(&["rate", "club"]);
    other.ok(&["backup", "copy.sqlite"]);
    std::fs::copy(other.path("copy.sqlite"), scratch.path("new.sqlite")).unwrap();
    for side in ["ranklore.sqlite-wal", "ranklore.sqlite-shm"] {
        let _ = std::fs::remove_file(scratch.path(side));
    }
    std::fs::rename(scratch.path("new.sqlite"), scratch.db()).unwrap();
    let page = served.page("/");
    assert!(
        page.contains("Oona Pereskaya") && !page.contains("/player/club/ann\""),
        "{page}"
    );
    std::fs::remove_file(scratch.db()).unwrap();
    let response = served.get("/");
    assert_eq!(
        (response.status, response.header("retry-after")),
        (503, "5"),
        "{}",
        response.body
    );
    assert!(response.body.contains("no data yet"), "{}", response.body);
}
