//! A site that cannot be reached.

use super::*;

const NOBODY: [&str; 6] = [
    "mine",
    "codeforces",
    "--base-url",
    "http://127.0.0.1:1",
    "--interval",
    "30",
];

#[test]
fn unreachable_site_leaves_no_database() {
    let scratch = Scratch::new();
    let done = scratch.run(&NOBODY).exits(1);
    assert!(done.err.contains("could not be reached"), "{}", done.err);
    assert!(!scratch.db().exists());
}

#[test]
fn unreachable_site_leaves_no_trace_in_file_of_another() {
    let scratch = Scratch::club();
    let before = scratch.content_hash();
    let status = scratch.ok(&["status"]).out;
    scratch.run(&NOBODY).exits(1);
    assert_eq!(scratch.content_hash(), before);
    assert_eq!(scratch.rows("SELECT name FROM source"), ["club"]);
    assert_eq!(scratch.count("SELECT count(*) FROM host"), 0);
    assert_eq!(scratch.ok(&["status"]).out, status);
}

#[test]
fn unreachable_known_site_is_in_status_until_it_answers() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    scratch.ok(&["rate", "codeforces"]);
    let before = scratch.ok(&["status"]).out;
    scratch.run(&NOBODY).exits(1);
    let status = scratch.ok(&["status"]).out;
    assert!(status.contains("\ncodeforces: the last sync failed: "), "{status}");
    assert!(status.contains("could not be reached"), "{status}");
    scratch.ok(&mine(&site, &[]));
    let after = scratch.ok(&["status"]).out;
    assert!(after.ends_with("\neverything is up to date\n"), "{after}");
    assert!(before.ends_with("\neverything is up to date\n"), "{before}");
}

/// A site that answered before is worth all attempts: here it stops to accept connections after
/// the list.
#[test]
fn site_that_answered_is_tried_five_times() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let body = json!({"status": "OK", "result": [contest_list_entry(1, 300)]}).to_string();
    let serving = std::thread::spawn(move || {
        // The check of the connection comes first, and sends nothing.
        drop(listener.accept().unwrap());
        let (mut stream, _) = listener.accept().unwrap();
        let _ = std::io::Read::read(&mut stream, &mut [0; 4096]).unwrap();
        let media = "application/json";
        let length = body.len();
        let head = format!("HTTP/1.1 200 so\r\nContent-Type: {media}\r\nContent-Length: {length}");
        write!(stream, "{head}\r\nConnection: close\r\n\r\n{body}").unwrap();
    });
    let scratch = Scratch::new();
    let arguments = [
        "mine",
        "codeforces",
        "--base-url",
        &url,
        "--interval",
        "0",
        "-v",
    ];
    let done = scratch.run(&arguments).exits(1);
    serving.join().unwrap();
    let failed = done.err.matches("contestId=1&lang=en: unreachable").count();
    assert_eq!(failed, 5, "{}", done.err);
    assert_eq!(scratch.rows("SELECT entrants FROM contest"), ["0"]);
}
