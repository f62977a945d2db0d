//! The script of docs/operate.md for a table that is published every week, against a server whose
//! table grows, shrinks, is corrected and fails.

#![cfg(unix)]

use crate::support::pages;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::support::{RANKLORE, Scratch};

const HEADINGS: &str = "contest id,contest,date,place,player\n";
const ROUND_1: &str = "1,Round 1,2024-03-01,1,Ada Lark\n1,Round 1,2024-03-01,2,Bram Okoro\n\
    1,Round 1,2024-03-01,3,Ida Castle\n";
const ROUND_2: &str = "2,Round 2,2024-03-08,1,Ida Castle\n2,Round 2,2024-03-08,2,Ada Lark\n";
const ROUND_2_CORRECTED: &str =
    "2,Round 2,2024-03-08,1,Ada Lark\n2,Round 2,2024-03-08,2,Ida Castle\n";
const ROUND_3: &str = "3,Round 3,2024-03-15,1,Bram Okoro\n3,Round 3,2024-03-15,2,Ida Castle\n";

/// The answer of the server.
#[derive(Clone)]
struct Answer {
    status: &'static str,
    body: String,
    /// The length that the server announces.
    length: usize,
    /// The day of the last change, in May 2024.
    changed: u32,
}

/// A server with one page, on a port of its own.
struct Server {
    url: String,
    answer: Arc<Mutex<Answer>>,
    /// The statuses of the responses.
    sent: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/results.csv", listener.local_addr().unwrap());
        let answer = Arc::new(Mutex::new(Answer {
            status: "404 Not Found",
            body: String::new(),
            length: 0,
            changed: 1,
        }));
        let sent = Arc::new(Mutex::new(Vec::new()));
        let current = Arc::clone(&answer);
        let statuses = Arc::clone(&sent);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut request = String::new();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                while !request.ends_with("\r\n\r\n") {
                    reader.read_line(&mut request).unwrap();
                }
                let Answer {
                    mut status,
                    mut body,
                    mut length,
                    changed,
                } = current.lock().unwrap().clone();
                let weekday = ["Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Mon"];
                let weekday = weekday[changed as usize % 7];
                let date = format!("{weekday}, {changed:02} May 2024 06:00:00 GMT");
                if request.contains(&format!("If-Modified-Since: {date}")) {
                    (status, body, length) = ("304 Not Modified", String::new(), 0);
                }
                statuses.lock().unwrap().push(status[..3].to_owned());
                let head = format!(
                    "HTTP/1.1 {status}\r\nLast-Modified: {date}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
                );
                // curl may have gone away.
                drop(stream.write_all((head + &body).as_bytes()));
            }
        });
        Self { url, answer, sent }
    }

    fn publish(&self, status: &'static str, body: &str, length: usize) {
        let mut answer = self.answer.lock().unwrap();
        *answer = Answer {
            status,
            body: body.to_owned(),
            length,
            changed: answer.changed + 1,
        };
    }

    fn publish_table(&self, rounds: &[&str]) -> String {
        let table = HEADINGS.to_owned() + &rounds.concat();
        self.publish("200 OK", &table, table.len());
        table
    }
}

/// Returns the script of the page, with the address of the server.
fn read_script(url: &str) -> String {
    let page = pages::read("docs/operate.md");
    let (_, section) = page.split_once("\n## A table published every week\n").unwrap();
    let (_, script) = section.split_once("```sh\n").unwrap();
    let (script, _) = script.split_once("```").unwrap();
    let address = "https://league.example.org/results.csv";
    assert_eq!(script.matches(address).count(), 1);
    script.replace(address, url)
}

/// Runs the script with this folder as the home of the user. Returns the exit code and the output.
fn run_script(script: &str, home: &Path) -> (Option<i32>, String) {
    let program = Path::new(RANKLORE).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = std::process::Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{script}")])
        .env("HOME", home)
        .env("PATH", format!("{}:{path}", program.display()))
        .env("no_proxy", "*")
        .env_remove("RANKLORE_DB")
        .env_remove("RUST_LOG")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), text)
}

/// Returns the rated contests and their ratings.
fn contests_and_ratings(scratch: &Scratch, db: &str) -> (Vec<String>, String) {
    let contests = scratch.json(&["contests", "league", "--db", db]);
    let rated = contests["rows"].as_array().unwrap().iter();
    let rated = rated.filter(|contest| contest["withdrawn_at"].is_null());
    let rated = rated.map(|contest| {
        let field = |name: &str| contest[name].to_string();
        format!("{} {} {}", field("name"), field("ends_at"), field("entrants"))
    });
    let ratings = ["leaderboard", "league", "--db", db, "--format", "csv"];
    (rated.collect(), scratch.ok(&ratings).out)
}

/// Compares the contests and ratings with those of a fresh import of the table.
fn assert_same_as_fresh(home: &Scratch, table: &str) {
    let fresh = Scratch::new();
    fresh.write("results.csv", table);
    fresh.ok(&["import", "results.csv", "--source", "league"]);
    fresh.ok(&["rate", "league"]);
    let updated = contests_and_ratings(home, "league/ranklore.sqlite");
    assert_eq!(updated, contests_and_ratings(&fresh, "ranklore.sqlite"));
    assert!(!updated.0.is_empty());
}

#[test]
fn table_that_grows_shrinks_and_is_corrected_gives_ratings_of_fresh_import() {
    let server = Server::start();
    let script = read_script(&server.url);
    let home = Scratch::new();
    for (rounds, summary) in [
        (&[ROUND_1][..], "1 new"),
        (&[ROUND_1, ROUND_2], "1 new"),
        (&[ROUND_1, ROUND_2_CORRECTED], "1 revised"),
        (&[ROUND_1], "withdrawn"),
        (&[ROUND_1, ROUND_2, ROUND_3], "ratings again"),
    ] {
        let table = server.publish_table(rounds);
        let (code, output) = run_script(&script, &home.path("."));
        assert_eq!(code, Some(0), "{output}");
        assert!(output.contains(summary), "{summary}: {output}");
        assert_same_as_fresh(&home, &table);
        // An unchanged table is not downloaded.
        let (code, output) = run_script(&script, &home.path("."));
        assert_eq!((code, output.as_str()), (Some(0), ""));
    }
    let sent = server.sent.lock().unwrap();
    assert_eq!(*sent, ["200", "304"].repeat(5));
}

#[test]
fn failed_downloads_and_error_pages_withdraw_nothing() {
    let server = Server::start();
    let script = read_script(&server.url);
    let home = Scratch::new();
    let (code, output) = run_script(&script, &home.path("."));
    assert_eq!(code, Some(22), "curl reports the status: {output}");
    let table = server.publish_table(&[ROUND_1, ROUND_2]);
    assert_eq!(run_script(&script, &home.path(".")).0, Some(0));
    // Without its tags it would be a table that has lost a round.
    let page = format!("\n<!DOCTYPE html>\n<html>\n{HEADINGS}{ROUND_1}</html>\n");
    let page = page.as_str();
    let cut = &table[..table.len() - 12];
    for (status, body, length, code) in [
        ("503 Service Unavailable", page, page.len(), 22),
        // Curl reports a transfer that ends early.
        ("200 OK", cut, table.len(), 18),
        ("200 OK", cut, cut.len(), 0),
        ("200 OK", page, page.len(), 0),
        ("200 OK", HEADINGS, HEADINGS.len(), 0),
        ("200 OK", "", 0, 0),
    ] {
        server.publish(status, body, length);
        let (exit, output) = run_script(&script, &home.path("."));
        assert_eq!(exit, Some(code), "{output}");
        let names_refusal = code != 0 || output.contains("refused 1 item");
        assert!(names_refusal, "{body}: {output}");
        assert_same_as_fresh(&home, &table);
    }
    // What was refused is downloaded again, although the server has nothing newer.
    let (_, output) = run_script(&script, &home.path("."));
    assert!(output.contains("the table is empty"), "{output}");
    server.publish_table(&[ROUND_1, ROUND_2, ROUND_3]);
    let (code, output) = run_script(&script, &home.path("."));
    assert!(code == Some(0) && output.contains("1 new"), "{output}");
}

#[test]
fn document_without_contests_withdraws_nothing() {
    let home = Scratch::new();
    let import = ["import", "a.json", "--source", "league", "--replace"];
    home.write("a.json", crate::support::contest(1, 1, &[&["ann"], &["bea"]]));
    home.ok(&import);
    home.write("a.json", "[]");
    let refused = home.run(&import).exits(3);
    assert!(refused.err.contains("no contests"), "{}", refused.err);
    let withdrawn = "SELECT count(*) FROM contest WHERE withdrawn_at IS NOT NULL";
    assert_eq!(home.rows(withdrawn), ["0"]);
}
