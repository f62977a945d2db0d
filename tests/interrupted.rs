//! Ctrl-C and kill -9: the same command completes interrupted work without loss or duplicates. A
//! named pipe slows an import down, so that it can be interrupted anywhere.

#![cfg(unix)]

use crate::support::dump;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Scratch, append, archive, large_contest, send_signal};

/// Contests in a slow import.
const CONTESTS: u32 = 40;
const IMPORT: [&str; 4] = ["import", "rounds.tar.zst", "--source", "club"];

fn files(count: u32, entrants: u32) -> Vec<(String, String)> {
    let file = |id| {
        let contest = large_contest(id, entrants);
        let field = format!("{{\"comment\":\"{}\",", incompressible_text(id));
        (format!("rounds/{id}.json"), contest.replacen('{', &field, 1))
    };
    (1..=count).map(file).collect()
}

/// Returns incompressible text without a meaning in the document: a few contests of it exceed the
/// pipe buffer, so the earlier ones must have been read.
fn incompressible_text(id: u32) -> String {
    let mut seed = u64::from(id);
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        char::from(b'0' + (seed >> 58) as u8).to_string().replace('\\', "z")
    };
    (0..12_000).map(|_| next()).collect()
}

fn pack(files: &[(String, String)]) -> Vec<u8> {
    archive(files.iter().map(|(name, file)| (name.as_str(), file.as_bytes())))
}

fn spawn(scratch: &Scratch, arguments: &[&str]) -> Child {
    let mut command = scratch.command(arguments);
    command
        .env("RANKLORE_READ_PIPES", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for the process, with a timeout.
fn wait_for_output(mut child: Child) -> Output {
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > Duration::from_mins(2) {
            child.kill().unwrap();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// Feeds contests to an import through a named pipe. After `halfway` contests the import gets a
/// signal; feeding continues until the import stops reading. Returns its status and its messages.
fn interrupted_import(
    scratch: &Scratch,
    options: &[&str],
    halfway: usize,
    name: &str,
) -> (Output, String) {
    let pipe = scratch.path("rounds.tar.zst");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child = spawn(scratch, &[&IMPORT[..], options].concat());
    let mut err = BufReader::new(child.stderr.take().unwrap());
    let mut messages = String::new();
    // Opens once the import opens the pipe.
    let feed = std::fs::File::options().write(true).open(&pipe).unwrap();
    let mut feed = zstd::Encoder::new(feed, 1).unwrap();
    for (index, (name_of, file)) in files(CONTESTS, 60).iter().enumerate() {
        if index == halfway {
            send_signal(&child, name);
            while !messages.contains("stopping at the next contest") {
                if err.read_line(&mut messages).unwrap() == 0 {
                    break;
                }
            }
        }
        send_file(&mut feed, name_of, file);
    }
    drop(feed);
    let output = wait_for_output(child);
    err.read_to_string(&mut messages).unwrap();
    std::fs::remove_file(pipe).unwrap();
    (output, messages)
}

/// Appends a file to a tar stream. Errors if the reader is gone, which callers ignore.
fn send_file(feed: &mut impl Write, name: &str, file: &str) {
    let mut tar = tar::Builder::new(Vec::new());
    append(&mut tar, name, file.as_bytes());
    let _ = feed.write_all(tar.get_ref()).and_then(|()| feed.flush());
}

/// Returns the content hash of an undisturbed import.
fn hash_of_complete_import() -> [u8; 32] {
    let scratch = Scratch::new();
    scratch.write("rounds.tar.zst", pack(&files(CONTESTS, 60)));
    scratch.ok(&IMPORT);
    scratch.content_hash()
}

#[test]
fn ctrl_c_during_import_keeps_finished_contests() {
    let scratch = Scratch::new();
    for signal in ["-INT", "-TERM"] {
        let (output, err) = interrupted_import(&scratch, &[], 20, signal);
        assert_eq!(output.status.code(), Some(130), "{err}");
        assert!(err.contains("run the same command again"), "{err}");
        let contests = scratch.count("SELECT count(*) FROM contest");
        assert!(contests > 0 && contests < i64::from(CONTESTS), "{contests}: {err}");
        // Whole contests only.
        assert_eq!(scratch.count("SELECT count(*) FROM standing"), contests * 60);
        assert_eq!(scratch.store().check().unwrap(), []);
    }
    scratch.write("rounds.tar.zst", pack(&files(CONTESTS, 60)));
    scratch.ok(&IMPORT);
    assert_eq!(scratch.content_hash(), hash_of_complete_import());
    assert_eq!(scratch.count("SELECT count(*) FROM document"), i64::from(CONTESTS));
}

#[test]
fn killed_import_leaves_file_unchanged() {
    let expected = hash_of_complete_import();
    for halfway in [1, 17, 39] {
        let scratch = Scratch::new();
        let (output, _) = interrupted_import(&scratch, &[], halfway, "-KILL");
        assert_eq!(output.status.signal(), Some(9));
        assert_eq!(scratch.count("SELECT count(*) FROM contest"), 0);
        scratch.write("rounds.tar.zst", pack(&files(CONTESTS, 60)));
        scratch.ok(&IMPORT);
        assert_eq!(scratch.content_hash(), expected, "after {halfway}");
    }
}

#[test]
fn killed_correction_leaves_file_unchanged() {
    let scratch = Scratch::new();
    // Other entrants of the same contests.
    let other: Vec<(String, String)> = files(CONTESTS, 20);
    scratch.write("rounds.tar.zst", pack(&other));
    scratch.ok(&IMPORT);
    let before = scratch.content_hash();
    std::fs::remove_file(scratch.path("rounds.tar.zst")).unwrap();
    interrupted_import(&scratch, &[], 20, "-KILL");
    assert_eq!(scratch.content_hash(), before);
    scratch.write("rounds.tar.zst", pack(&files(CONTESTS, 60)));
    scratch.ok(&IMPORT);
    assert_eq!(scratch.content_hash(), hash_of_complete_import());
    assert_eq!(scratch.count("SELECT min(revision) FROM contest"), 2);
}

#[test]
fn ctrl_c_while_reading_archives_writes_nothing() {
    let scratch = Scratch::new();
    let pipe = scratch.path("RC");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let mut child = spawn(&scratch, &["mine", "reddit", "--from-dump", "RC"]);
    let mut err = BufReader::new(child.stderr.take().unwrap());
    // Opens once the program opens the pipe.
    let mut feed = std::fs::File::options().write(true).open(&pipe).unwrap();
    let comments = dump::comments(10, 10);
    feed.write_all(comments.as_bytes()).unwrap();
    send_signal(&child, "-INT");
    let mut messages = String::new();
    // A program that stops at once does not announce it.
    while !messages.contains("stopping") && err.read_line(&mut messages).unwrap() > 0 {}
    // The reader may wait for more input.
    while feed.write_all(comments.as_bytes()).is_ok() {}
    let output = wait_for_output(child);
    err.read_to_string(&mut messages).unwrap();
    assert_eq!(output.status.code(), Some(130), "{messages}");
    assert!(messages.contains("interrupted: nothing was written"), "{messages}");
    assert_eq!(scratch.count("SELECT count(*) FROM document"), 0);
}

/// Returns a database whose rating takes a while.
fn large_club() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("rounds.tar.zst", pack(&files(150, 400)));
    scratch.ok(&IMPORT);
    scratch
}

/// Starts rating and waits until it holds the lock.
fn start_rating(scratch: &Scratch) -> Child {
    let child = spawn(scratch, &["rate", "club"]);
    let begin = Instant::now();
    let lock = scratch.path("ranklore.sqlite.lock");
    while !std::fs::read_to_string(&lock).is_ok_and(|holder| holder.contains("ranklore rate")) {
        assert!(begin.elapsed() < Duration::from_mins(1));
    }
    child
}

#[test]
fn interrupted_rating_writes_nothing() {
    let scratch = large_club();
    let before = scratch.everything();
    let child = start_rating(&scratch);
    send_signal(&child, "-INT");
    let output = wait_for_output(child);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(err.contains("nothing was written, everything is as it was"), "{err}");
    assert_eq!(output.stdout, b"");
    assert!(scratch.everything() == before);

    let copy = || {
        let copy = Scratch::new();
        std::fs::copy(scratch.db(), copy.db()).unwrap();
        copy
    };
    let undisturbed = copy();
    let begin = Instant::now();
    undisturbed.ok(&["rate", "club"]);
    let duration = begin.elapsed();
    let expected = undisturbed.content_hash();
    let mut killed = 0;
    for part in [40, 10, 4, 2] {
        let scratch = copy();
        let child = start_rating(&scratch);
        std::thread::sleep(duration / part);
        send_signal(&child, "-KILL");
        // A fast machine may be done already.
        if wait_for_output(child).status.signal() == Some(9) {
            killed += 1;
            // A busy machine may have committed already.
            let left = scratch.everything();
            assert!(left == before || scratch.content_hash() == expected, "killed after 1/{part}");
        }
        scratch.ok(&["rate", "club"]);
        assert_eq!(scratch.content_hash(), expected);
    }
    assert!(killed > 0);
    scratch.ok(&["rate", "club"]);
    // An existing run stays unchanged while it is rated again.
    scratch.write("new.json", large_contest(151, 100));
    scratch.ok(&["import", "new.json", "--source", "club"]);
    let before = scratch.everything();
    let child = start_rating(&scratch);
    send_signal(&child, "-INT");
    assert_eq!(wait_for_output(child).status.code(), Some(130));
    assert!(scratch.everything() == before);
}

#[test]
fn ctrl_c_during_dry_run_exits_130() {
    let scratch = Scratch::new();
    let (output, messages) = interrupted_import(&scratch, &["--dry-run"], 20, "-INT");
    assert_eq!(output.status.code(), Some(130), "{messages}");
    assert!(!scratch.db().exists());
}

#[test]
fn ctrl_c_during_rating_keeps_finished_runs() {
    let scratch = large_club();
    scratch.write("1.json", large_contest(1, 10));
    scratch.ok(&["import", "1.json", "--source", "small"]);
    for json in [&["--json"][..], &[]] {
        // Rated again in every round.
        let rating = "DELETE FROM rating; DELETE FROM run_contest; DELETE FROM current_rating;
             DELETE FROM rating_run; DELETE FROM sqlite_sequence";
        let connection = rusqlite::Connection::open(scratch.db()).unwrap();
        connection.execute_batch(rating).unwrap();
        drop(connection);
        let child = spawn(&scratch, &[&["rate", "small", "club"], json].concat());
        let begin = Instant::now();
        while scratch.count("SELECT count(*) FROM rating_run") == 0 {
            assert!(begin.elapsed() < Duration::from_mins(1));
        }
        send_signal(&child, "-INT");
        let output = wait_for_output(child);
        assert_eq!(output.status.code(), Some(130));
        let runs = scratch.rows("SELECT run_id, selection FROM rating_run");
        assert_eq!(runs, [r#"1|{"sources":["small"]}"#]);
        let out = String::from_utf8(output.stdout).unwrap();
        if json.is_empty() {
            assert!(out.contains("small") && !out.contains("club"), "{out}");
        } else {
            let rated: serde_json::Value = serde_json::from_str(&out).unwrap();
            assert_eq!(rated.as_array().unwrap().len(), 1);
            assert_eq!(rated[0]["sources"], serde_json::json!(["small"]));
        }
    }
}
