//! Links, pipes, devices and sockets in the place of files, and signals that end commands.

#![cfg(unix)]

use std::os::unix::fs::{FileTypeExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::{CommandOutput, RANKLORE, Scratch, contest, large_contest, send_signal};
use ranklore_store::Store;

fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

/// Runs the program with a limit of blocks on file sizes.
fn run_limited(scratch: &Scratch, blocks: u32, arguments: &[&str]) -> CommandOutput {
    let mut command = Command::new("sh");
    let script = format!("ulimit -f {blocks} && exec \"$0\" \"$@\"");
    command
        .args(["-c", &script, RANKLORE])
        .args(arguments)
        .current_dir(scratch.path("."))
        .env_remove("RANKLORE_DB")
        .stdin(Stdio::null());
    CommandOutput::run(command)
}

#[test]
fn hard_linked_database_is_refused_by_writers() {
    let scratch = Scratch::club();
    scratch.write("a.json", contest(99, 99, &[&["a"], &["b"]]));
    scratch.ok(&["rate", "club"]);
    std::fs::hard_link(scratch.db(), scratch.path("other.sqlite")).unwrap();
    let before = std::fs::read(scratch.db()).unwrap();
    for name in ["ranklore.sqlite", "other.sqlite"] {
        for command in [
            &["import", "a.json", "--source", "club"][..],
            &["rate", "club", "--all"],
            &["forget", "--yes", "club", "Oona Pereskaya"],
            &["withdraw", "club", "1"],
            &["rebuild", "club"],
            &["prune"],
            &["check", "--repair"],
        ] {
            let done = scratch.run(&[command, &["--db", name]].concat());
            // Each command has its own arguments; none may write.
            assert_ne!(done.code, Some(0), "{command:?}");
            assert!(
                done.code == Some(2) || done.err.contains("has 2 names (hard links)"),
                "{command:?}: {}",
                done.err
            );
        }
        scratch.ok(&["leaderboard", "club", "--db", name]);
        let copy = format!("copy of {name}");
        scratch.ok(&["backup", &copy, "--db", name]);
        scratch.ok(&["import", "a.json", "--source", "club", "--db", &copy]);
    }
    assert!(std::fs::read(scratch.db()).unwrap() == before);
    std::fs::remove_file(scratch.path("other.sqlite")).unwrap();
    scratch.ok(&["import", "a.json", "--source", "club"]);
}

#[test]
fn symlink_to_database_has_its_lock() {
    let scratch = Scratch::club();
    symlink("ranklore.sqlite", scratch.path("link.sqlite")).unwrap();
    let writer = Store::open_writer(scratch.db(), "a test").unwrap();
    let rate = ["rate", "club", "--db", "link.sqlite"];
    scratch.run(&rate).exits(5).says("a test");
    drop(writer);
    scratch.ok(&rate);
    assert!(!scratch.path("link.sqlite.lock").exists());
}

#[test]
fn dangling_link_is_refused() {
    let scratch = Scratch::new();
    scratch.write("a.json", contest(1, 1, &[&["a"], &["b"]]));
    symlink("missing", scratch.path("link")).unwrap();
    scratch
        .run(&["import", "a.json", "--source", "club", "--db", "link"])
        .exits(1)
        .says("link is a link to a missing file");
    assert_eq!(scratch.list("."), ["a.json", "link"]);
}

#[test]
fn foreign_lock_file_is_refused_unchanged() {
    let scratch = Scratch::club();
    let lock = scratch.path("ranklore.sqlite.lock");
    scratch.write("notes", "process my notes");
    std::fs::remove_file(&lock).unwrap();
    symlink("notes", &lock).unwrap();
    let refused = |kind: &str| {
        let done = scratch.run(&["rate", "club"]).exits(1);
        done.says("ranklore.sqlite.lock is").says(kind).says("move it away");
        scratch.ok(&["status"]);
        assert_eq!(std::fs::read(scratch.path("notes")).unwrap(), b"process my notes");
    };
    refused("a symbolic link");
    std::fs::remove_file(&lock).unwrap();
    std::fs::hard_link(scratch.path("notes"), &lock).unwrap();
    refused("a hard link");
    std::fs::remove_file(&lock).unwrap();
    make_pipe(&lock);
    refused("a pipe");
    std::fs::remove_file(&lock).unwrap();
    scratch.ok(&["rate", "club"]);
}

#[test]
fn special_file_as_database_is_named() {
    let scratch = Scratch::new();
    scratch.write("a.json", contest(1, 1, &[&["a"], &["b"]]));
    make_pipe(&scratch.path("pipe"));
    symlink("pipe", scratch.path("link")).unwrap();
    let socket = UnixListener::bind(scratch.path("socket")).unwrap();
    std::fs::create_dir(scratch.path("folder")).unwrap();
    let before = scratch.list(".");
    for (path, kind) in [
        ("pipe", "pipe is a pipe"),
        ("link", "pipe is a pipe"),
        ("socket", "socket is a socket"),
        ("folder", "folder is a folder"),
        ("/dev/null", "/dev/null is a device"),
    ] {
        for command in [
            &["status"][..],
            &["import", "a.json", "--source", "club"],
            &["rate", "club"],
            &["backup", "copy"],
        ] {
            let done = scratch.run(&[command, &["--db", path]].concat()).exits(1);
            done.says(kind).says("name another file with --db");
        }
    }
    drop(socket);
    assert_eq!(scratch.list("."), before);
    assert!(!Path::new("/dev/null.lock").exists());
}

#[test]
fn special_file_as_input_is_refused_unopened() {
    let scratch = Scratch::new();
    scratch.write("a.json", contest(1, 1, &[&["a"], &["b"]]));
    for name in ["a.csv", "a.tar.zst", "mapping.toml", "RC"] {
        make_pipe(&scratch.path(name));
    }
    symlink("a.csv", scratch.path("link.csv")).unwrap();
    symlink("/dev/zero", scratch.path("zero.json")).unwrap();
    for (command, message) in [
        (&["import", "a.csv", "--source", "club"][..], "it is a pipe"),
        (&["import", "link.csv", "--source", "club"], "it is a pipe"),
        (&["import", "a.tar.zst", "--source", "club"], "it is a pipe"),
        (&["import", "zero.json", "--source", "club"], "it is a device"),
        (&["import", "a.csv", "--source", "club", "--dry-run"], "it is a pipe"),
        (
            &[
                "import",
                "a.json",
                "--source",
                "club",
                "--mapping",
                "mapping.toml",
            ],
            "mapping.toml cannot be read: it is a pipe",
        ),
        (&["mine", "reddit", "--from-dump", "RC"], "it is a pipe"),
    ] {
        scratch.run(command).exits(1).says(message);
    }
    assert!(!scratch.db().exists());
    assert!(std::fs::symlink_metadata(scratch.path("a.csv")).unwrap().file_type().is_fifo());
}

#[test]
fn file_size_limit_is_reported_by_every_writer() {
    let fresh = Scratch::new();
    for id in 1..=20 {
        fresh.write(&format!("{id}.json"), large_contest(id, 100));
    }
    let names: Vec<String> = (1..=20).map(|id| format!("{id}.json")).collect();
    let mut import = vec!["import"];
    import.extend(names.iter().map(String::as_str));
    import.extend(["--source", "club"]);
    let imported = fresh.copy();
    imported.ok(&import);
    let forget = ["forget", "--yes", "club", "player 7"];
    for (prepared, command) in [
        (&fresh, &import[..]),
        (&imported, &["rate", "club"]),
        (&imported, &["backup", "copy.sqlite"]),
        (&imported, &["export", "club", "--to", "out"]),
        (&imported, &forget),
    ] {
        let mut refused = 0;
        for blocks in [0, 8, 40, 64, 128, 200, 400] {
            let scratch = prepared.copy();
            let before = scratch.db().exists().then(|| scratch.content_hash());
            let done = run_limited(&scratch, blocks, command);
            let context = format!("{command:?} with {blocks}: {}", done.err);
            if done.code == Some(0) {
                continue;
            }
            refused += 1;
            assert_eq!(done.code, Some(1), "{context}");
            let promised = ["could not be written", "make room and run the same command"];
            let promised = promised.iter().any(|words| done.err.contains(words));
            assert!(promised, "{context}");
            assert!(!scratch.path("copy.sqlite").exists(), "{context}");
            let is_forgotten = command[0] == "forget" && scratch.json(&["status"])["unswept"] == 1;
            if is_forgotten {
                // The names are replaced; the message names this command.
                scratch.ok(&["forget", "--yes", "club"]);
                scratch.content_hash();
                continue;
            }
            if let Some(before) = before {
                assert!(scratch.content_hash() == before, "{context}");
            }
            scratch.ok(command);
        }
        assert!(refused > 0, "{command:?}");
    }
}

/// Starts a command that does not end by itself: standard output is a pipe that nobody reads.
fn spawn_stalled(scratch: &Scratch, arguments: &[&str]) -> Child {
    scratch
        .command(arguments)
        .env("RANKLORE_READ_PIPES", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn signal_ends_a_reader_that_prints_into_a_full_pipe() {
    let scratch = Scratch::new();
    scratch.write("a.json", large_contest(1, 2_000));
    scratch.ok(&["import", "a.json", "--source", "club"]);
    for signal in ["-INT", "-TERM"] {
        let command = ["contest", "club", "1", "--json", "--limit", "2000"];
        let child = spawn_stalled(&scratch, &command);
        std::thread::sleep(std::time::Duration::from_millis(700));
        send_signal(&child, signal);
        let output = wait_without_reading(child);
        assert_eq!(output.0, Some(130), "{}", output.1);
        assert!(output.1.contains("interrupted: "), "{}", output.1);
        assert_eq!(output.1.lines().count(), 1, "{}", output.1);
    }
}

#[test]
fn signal_ends_a_blocked_writer_and_the_second_at_once() {
    let scratch = Scratch::new();
    make_pipe(&scratch.path("a.csv"));
    for signals in [1, 2] {
        let child = spawn_stalled(&scratch, &["import", "a.csv", "--source", "club"]);
        // Opened without a writer, the pipe blocks the import for ever.
        std::thread::sleep(std::time::Duration::from_millis(500));
        for _ in 0..signals {
            send_signal(&child, "-TERM");
            std::thread::sleep(std::time::Duration::from_millis(300));
        }
        let (code, err) = wait_without_reading(child);
        assert_eq!(code, Some(130), "{err}");
        assert!(err.contains("stopping at the next contest"), "{err}");
        assert_eq!(err.contains("interrupted: "), signals == 1, "{err}");
    }
}

/// Waits for the end without reading standard output. Returns the exit code and standard error.
fn wait_without_reading(mut child: Child) -> (Option<i32>, String) {
    use std::io::Read;
    let out = child.stdout.take();
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    let code = child.wait().unwrap().code();
    drop(out);
    (code, err)
}
