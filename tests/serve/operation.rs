//! What an operator sees and sets: the log, the counters, proxies, a base path, other origins,
//! compression; and a database that others damage.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::json;

use super::client::Served;
use crate::support::{Scratch, contest};

fn start(scratch: &Scratch, options: &[&str]) -> Served {
    Served::start_with(scratch, &[&["--listen", "127.0.0.1:0"], options].concat())
}

#[test]
fn each_answer_is_logged_without_names_in_parameters() {
    let scratch = Scratch::season();
    let options = ["-v", "--trusted-proxy", "127.0.0.1"];
    let served = start(&scratch, &options);
    let forwarded = [("X-Forwarded-For", "198.51.100.1, 203.0.113.7")];
    served.get_with("/players/club?text=ann", &forwarded);
    served.get("/api/v1/nothing?name=bea");
    let (_, log) = served.stop();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("ranklore::access")).collect();
    assert_eq!(lines.len(), 2, "{log}");
    for part in [
        "method=GET",
        "path=\"/players/club\"",
        "status=200",
        "duration_ms=",
        "bytes=",
    ] {
        assert!(lines[0].contains(part), "{part}: {log}");
    }
    assert!(
        lines[0].contains("peer=203.0.113.7") && lines[1].contains("peer=127.0.0.1"),
        "{log}"
    );
    assert!(lines[1].contains("status=404"), "{log}");
    assert!(!log.contains("ann") && !log.contains("bea"), "{log}");

    let served = start(&scratch, &["-vv"]);
    // Whoever connects without a trusted proxy is the client.
    served.get_with("/players/club?text=ann", &forwarded);
    let (_, log) = served.stop();
    assert!(log.contains("query=\"text=ann\"") && log.contains("peer=127.0.0.1"), "{log}");
}

#[test]
fn counters_have_an_address_of_their_own() {
    let scratch = Scratch::season();
    let served = start(&scratch, &["--metrics", "127.0.0.1:0", "--json"]);
    assert_eq!(served.get("/metrics").status, 404);
    served.page("/leaderboard");
    served.page("/leaderboard");
    let metrics = served.metrics("/metrics");
    for line in [
        "ranklore_answers_total{status=\"200\"} 2",
        "ranklore_answers_total{status=\"404\"} 1",
        "ranklore_kept_answers 1",
        "ranklore_queries_running{lane=\"quick\"} 0",
        "ranklore_queries_waiting{lane=\"slow\"} 0",
        "# TYPE ranklore_connections gauge",
        "ranklore_kept_answer_age_seconds{answer=\"oldest\"} ",
    ] {
        assert!(metrics.contains(line), "{line} is not in {metrics}");
    }
    assert!(!served.metrics("/leaderboard").contains("ranklore_"));
}

#[test]
fn pages_below_a_path_link_to_each_other() {
    let scratch = Scratch::season();
    let served = start(&scratch, &["--base-path", "/ratings"]);
    assert!(served.line.contains("/ratings/ until"), "{}", served.line);
    for outside in ["/", "/ratings", "/leaderboard", "/ratingsx/"] {
        let answer = served.get(outside);
        assert_eq!((answer.status, answer.header("location")), (307, "/ratings/"), "{outside}");
    }
    let mut pages = vec!["/ratings/".to_owned()];
    let mut visited = 0;
    while let Some(path) = pages.get(visited).cloned() {
        visited += 1;
        let answer = served.get(&path);
        assert!([200, 404].contains(&answer.status), "{path}: {}", answer.status);
        for attribute in ["href=\"", "src=\"", "action=\""] {
            for link in answer.body.split(attribute).skip(1) {
                let link = link.split('"').next().unwrap().replace("&amp;", "&");
                if link.starts_with('#') || link.starts_with("http") {
                    continue;
                }
                assert!(link.starts_with("/ratings/"), "{link} on {path}");
                if !pages.contains(&link) && pages.len() < 60 {
                    pages.push(link);
                }
            }
        }
    }
    assert!(visited > 20, "{pages:?}");
    let failure = served.get("/ratings/api/v1/player/club/nobody");
    assert!(
        failure.body.contains("\"/ratings/players/club?text=nobody\""),
        "{}",
        failure.body
    );
    let list = served.get("/ratings/api/v1/players/club?limit=1");
    assert!(list.header("link").starts_with("</ratings/api/v1/players/club?"));
    scratch.run(&["serve", "--base-path", "ratings"]).exits(2).says("/ratings/");
}

#[test]
fn pages_of_named_origins_may_read_answers() {
    let scratch = Scratch::season();
    let served = start(&scratch, &["--cors", "https://club.example"]);
    let origin = |origin| served.get_with("/api/v1/sources", &[("Origin", origin)]);
    let allowed = origin("https://club.example");
    assert_eq!(allowed.header("access-control-allow-origin"), "https://club.example");
    assert!(allowed.header("access-control-expose-headers").contains("etag"));
    assert_eq!(origin("https://evil.example").header("access-control-allow-origin"), "");
    let host = &served.address;
    let preflight = served.send(&format!(
        "OPTIONS /api/v1/sources HTTP/1.1\r\nHost: {host}\r\nOrigin: https://club.example\r\n\
         Access-Control-Request-Method: GET\r\n\
         Access-Control-Request-Headers: if-none-match\r\nConnection: close\r\n\r\n"
    ));
    assert_eq!(preflight.status, 200);
    assert!(preflight.header("access-control-allow-headers").contains("if-none-match"));
    let all = start(&scratch, &["--cors", "*"]);
    let answer = all.get_with("/api/v1/sources", &[("Origin", "https://any.example")]);
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    scratch
        .run(&["serve", "--cors", "club.example"])
        .exits(2)
        .says("https://club.example");
}

#[test]
fn text_is_compressed_and_its_tag_still_valid() {
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    let plain = served.get("/leaderboard");
    assert_eq!(plain.header("content-encoding"), "");
    assert!(plain.header("vary").contains("accept-encoding"), "{plain:?}");
    for encoding in ["gzip", "zstd"] {
        let mut stream = served.connect();
        let host = &served.address;
        write!(
            stream,
            "GET /leaderboard HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: {encoding}\r\n\
             Connection: close\r\n\r\n"
        )
        .unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        assert!(text.contains(&format!("content-encoding: {encoding}\r\n")), "{text}");
        assert!(bytes.len() < plain.body.len() / 2, "{} bytes", bytes.len());
        let tag = text.split("etag: ").nth(1).and_then(|rest| rest.split("\r\n").next()).unwrap();
        assert!(tag.starts_with("w/\""), "{tag}");
        let tag = tag.replacen("w/", "W/", 1);
        assert_eq!(served.get_with("/leaderboard", &[("If-None-Match", &tag)]).status, 304);
    }
}

#[test]
fn any_state_is_one_of_an_existing_page_only() {
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    let any = [("If-None-Match", "*")];
    assert_eq!(served.get_with("/leaderboard", &any).status, 304);
    assert_eq!(served.get_with("/player/club/nobody", &any).status, 404);
    assert_eq!(served.get_with("/leaderboard?limit=x", &any).status, 400);
}

#[test]
fn addresses_with_passwords_are_not_shown() {
    let scratch = Scratch::new();
    for (id, url) in [
        (1, "https://ann:sesame@results.example/1"),
        (2, "https://results.example/2?to=a@b.example"),
    ] {
        let mut file: serde_json::Value =
            serde_json::from_str(&contest(id, id, &[&["ann"], &["bea"]])).unwrap();
        file["url"] = json!(url);
        scratch.write(&format!("{id}.json"), file.to_string());
    }
    scratch.ok(&["import", ".", "--source", "club"]);
    let served = Served::start(&scratch);
    for target in [
        "/contest/club/1",
        "/api/v1/contest/club/1",
        "/api/v1/contests/club",
    ] {
        let body = served.page(target);
        assert!(!body.contains("sesame"), "{target}: {body}");
    }
    assert!(
        served
            .page("/contest/club/2")
            .contains("https://results.example/2?to=a@b.example")
    );
    let contest_text = scratch.ok(&["contest", "club", "1"]).out;
    assert!(!contest_text.contains("sesame"), "{contest_text}");
}

/// The server answers, whatever happens to the file, and shows it again once it is whole.
#[test]
fn damaged_files_end_no_server() {
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    let page = served.page("/leaderboard");
    let whole = fs::read(scratch.db()).unwrap();
    let index = scratch.path("ranklore.sqlite-shm");
    let answers = |what: &str| {
        for target in ["/", "/leaderboard?k=1", "/api/v1/records/club"] {
            let status = served.get(target).status;
            assert!([200, 500, 503].contains(&status), "{what}: {target}: {status}");
        }
    };
    for length in [0, 100, 4_096] {
        File::options().write(true).open(&index).unwrap().set_len(length).unwrap();
        answers("an index that is cut");
    }
    assert_eq!(served.page("/leaderboard"), page);
    for length in [0, 1, whole.len() as u64 / 2] {
        File::options().write(true).open(scratch.db()).unwrap().set_len(length).unwrap();
        answers("a file that is cut");
        fs::write(scratch.db(), &whole).unwrap();
    }
    fs::write(scratch.db(), vec![0x5a; whole.len()]).unwrap();
    answers("garbage");
    fs::write(scratch.db(), &whole).unwrap();
    fs::rename(scratch.db(), scratch.path("away")).unwrap();
    answers("a missing file");
    fs::rename(scratch.path("away"), scratch.db()).unwrap();
    let lock = rusqlite::Connection::open(scratch.db()).unwrap();
    lock.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        .unwrap_or_default();
    answers("a locked file");
    drop(lock);
    assert_eq!(served.page("/leaderboard"), page);
    let (status, log) = served.stop();
    assert_eq!(status.code(), Some(0), "{log}");
}

#[test]
fn many_idle_connections_leave_room() {
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    let idle: Vec<TcpStream> = (0..700).map(|_| served.connect()).collect();
    assert_eq!(served.get("/leaderboard").status, 200);
    drop(idle);
}
