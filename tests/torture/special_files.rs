//! Pipes, devices, sockets, folders and dangling links in place of files.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::Round;
use crate::operations::{Operations, assert_no_crash, copy_files};
use crate::support::{CommandOutput, Scratch, contest};

/// The time after which a command counts as hanging. No command reads more than 256 MiB.
const HANGS_AFTER: Duration = Duration::from_secs(30);

const KINDS: [&str; 7] = [
    "pipe",
    "link to a pipe",
    "null",
    "zero",
    "socket",
    "folder",
    "dangling link",
];

/// Commands on the file called `special`.
const COMMANDS: &[&[&str]] = &[
    &["status", "--db", "special"],
    &["check", "--db", "special"],
    &["leaderboard", "club", "--db", "special"],
    &["rate", "club", "--db", "special"],
    &["import", "a.json", "--source", "club", "--db", "special"],
    &["forget", "--yes", "club", "a", "--db", "special"],
    &["backup", "copy.sqlite", "--db", "special"],
    &["backup", "special", "--force"],
    &["export", "club", "--to", "special/below"],
    &["import", "special", "--source", "club"],
    &[
        "import",
        "a.csv",
        "--source",
        "club",
        "--mapping",
        "special",
    ],
    &[
        "mine",
        "reddit",
        "--subreddit",
        "LanternTales",
        "--base-url",
        "http://127.0.0.1:9",
    ],
];

pub(crate) fn prepare(_: &Rc<Operations>) -> Round {
    let start = Scratch::new();
    start.write("a.json", contest(1, 1, &[&["a"], &["b"]]));
    start.write("a.csv", "date,name,place\n2024-03-01,a,1\n2024-03-01,b,2\n");
    start.ok(&["import", "a.json", "--source", "club"]);
    start.ok(&["rate", "club"]);
    Box::new(move |scratch, random| {
        copy_files(&start, scratch);
        std::fs::create_dir_all(scratch.path("config/ranklore")).unwrap();
        let command = *random.pick(COMMANDS);
        let kind = *random.pick(&KINDS);
        let context = format!("{command:?} with a {kind}");
        // The configuration is the special file of the last command.
        let name = if command[0] == "mine" {
            "config/ranklore/config.toml"
        } else {
            "special"
        };
        create(scratch, kind, name);
        let before = names(scratch);
        let done = run(scratch, command, &context);
        assert_no_crash(&done, &context);
        // A dangling link in place of a database is a database to create, and a folder may be
        // imported or exported to.
        let may_succeed = match command {
            ["import", "a.json", ..] => kind == "dangling link",
            ["import", "special", ..] | ["export", ..] => kind == "folder",
            _ => false,
        };
        if may_succeed && done.code == Some(0) {
            return "done";
        }
        assert!(
            matches!(done.code, Some(1..=3)),
            "{context}: exit code {:?}: {}",
            done.code,
            done.err
        );
        assert!(!done.err.trim().is_empty(), "{context}: no message: {}", done.err);
        let mut after = names(scratch);
        // The lock of a database or a target that is no special file.
        after.retain(|name| before.contains(name) || name != "ranklore.sqlite.lock");
        assert_eq!(after, before, "{context}: files appeared or vanished");
        for device in ["/dev/null.lock", "/dev/zero.lock"] {
            assert!(!std::path::Path::new(device).exists(), "{context}: {device} was created");
        }
        "refused"
    })
}

fn create(scratch: &Scratch, kind: &str, name: &str) {
    let path = scratch.path(name);
    let pipe = |path: &std::path::Path| {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    match kind {
        "pipe" => pipe(&path),
        "link to a pipe" => {
            pipe(&scratch.path("pipe"));
            symlink(scratch.path("pipe"), &path).unwrap();
        }
        "null" => symlink("/dev/null", &path).unwrap(),
        "zero" => symlink("/dev/zero", &path).unwrap(),
        // The socket file outlives its listener.
        "socket" => drop(UnixListener::bind(&path).unwrap()),
        "folder" => std::fs::create_dir(&path).unwrap(),
        "dangling link" => symlink("missing", &path).unwrap(),
        other => panic!("no such kind: {other}"),
    }
}

/// Returns the names in the folder and below, without reading special files.
fn names(scratch: &Scratch) -> Vec<String> {
    let mut names = scratch.list(".");
    names.extend(scratch.list("config/ranklore"));
    names
}

/// Runs the command, which must end in time.
fn run(scratch: &Scratch, command: &[&str], context: &str) -> CommandOutput {
    let mut command = scratch.command(command);
    command
        .env("XDG_CONFIG_HOME", scratch.path("config"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > HANGS_AFTER {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{context}: it does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    CommandOutput {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
