//! Failing disks, files and writers give clear errors and lose nothing. docs/faults.md lists the
//! faults with the files of their tests.

#![cfg(unix)]

use crate::support::dump;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{
    CommandOutput, RANKLORE, Scratch, archive, contest, fixtures, large_contest, store_noise,
};
use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_store::{Error, Store};

const IMPORT: [&str; 4] = ["import", "rounds.tar.zst", "--source", "club"];

/// Returns a database and an archive of contests large enough to fill small disks.
fn scratch_with_rounds() -> Scratch {
    let scratch = Scratch::new();
    let files: Vec<(String, String)> =
        (1..=30).map(|id| (format!("{id}.json"), large_contest(id, 200))).collect();
    let files = files.iter().map(|(name, file)| (&**name, file.as_bytes()));
    scratch.write("rounds.tar.zst", archive(files));
    scratch
}

fn copy_of(scratch: &Scratch) -> Scratch {
    let copy = Scratch::new();
    for name in scratch.list(".") {
        std::fs::copy(scratch.path(&name), copy.path(&name)).unwrap();
    }
    copy
}

/// Returns a command that runs the program after these shell commands.
fn command_after_setup(setup: &str, scratch: &Scratch, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{setup} && exec \"$0\" \"$@\""), RANKLORE])
        .args(arguments)
        .current_dir(scratch.path("."))
        .env_remove("RANKLORE_DB")
        .stdin(Stdio::null());
    command
}

/// Runs the same in its own mount namespace, if the system allows that.
#[cfg(target_os = "linux")]
fn run_with_mount(setup: &str, scratch: &Scratch, arguments: &[&str]) -> Option<CommandOutput> {
    const UNSHARE: [&str; 3] = ["--user", "--map-root-user", "--mount"];
    let mounts = ["mount", "-t", "tmpfs", "none", "/mnt"];
    let tried = Command::new("unshare").args(UNSHARE).args(mounts).output();
    if !tried.is_ok_and(|tried| tried.status.success()) {
        eprintln!("not tested: this user cannot mount file systems here");
        return None;
    }
    let inner = command_after_setup(setup, scratch, arguments);
    let mut command = Command::new("unshare");
    command
        .args(UNSHARE)
        .arg(inner.get_program())
        .args(inner.get_args())
        .current_dir(scratch.path("."))
        .env_remove("RANKLORE_DB")
        .stdin(Stdio::null());
    Some(CommandOutput::run(command))
}

/// Runs the program bound by file permissions; root drops the capabilities to bypass them. `None`
/// if root cannot.
fn run_without_root_access(scratch: &Scratch, arguments: &[&str]) -> Option<CommandOutput> {
    const DROPPED_CAPABILITIES: &str = "--bounding-set=-dac_override,-dac_read_search";
    // An unreadable file shows whether permissions apply.
    let shut = scratch.path("shut");
    std::fs::write(&shut, "").unwrap();
    set_mode(&shut, 0o000);
    let is_bound = |reads: &mut Command| {
        let read = reads.arg("cat").arg(&shut).stdin(Stdio::null()).output();
        read.is_ok_and(|read| String::from_utf8_lossy(&read.stderr).contains("denied"))
    };
    let prefix: &[&str] = if is_bound(&mut Command::new("env")) {
        &["env"]
    } else if is_bound(Command::new("setpriv").arg(DROPPED_CAPABILITIES)) {
        &["setpriv", DROPPED_CAPABILITIES]
    } else {
        eprintln!("not tested: permissions do not bind this user");
        &[]
    };
    std::fs::remove_file(&shut).unwrap();
    let mut command = Command::new(prefix.first()?);
    command
        .args(&prefix[1..])
        .arg(RANKLORE)
        .args(arguments)
        .current_dir(scratch.path("."))
        .env_remove("RANKLORE_DB")
        .stdin(Stdio::null());
    Some(CommandOutput::run(command))
}

fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn exhausted_quota_is_reported_and_loses_nothing() {
    let fresh = scratch_with_rounds();
    let imported = copy_of(&fresh);
    imported.ok(&IMPORT);
    let rated = copy_of(&imported);
    rated.ok(&["rate", "club"]);
    for (prepared, command, complete) in [
        (&fresh, &IMPORT[..], &imported),
        (&imported, &["rate", "club"], &rated),
    ] {
        let mut refused = 0;
        // The shell counts blocks of 512 bytes or 1 KiB.
        for blocks in [0, 1, 8, 100, 200, 300, 400] {
            let scratch = copy_of(prepared);
            let setup = format!("trap '' XFSZ && ulimit -f {blocks}");
            let done = CommandOutput::run(command_after_setup(&setup, &scratch, command));
            if done.code == Some(0) {
                continue;
            }
            refused += 1;
            done.exits(1)
                .says("ranklore.sqlite could not be written")
                .says("make room and run the same command again");
            match Store::open_reader(scratch.db()) {
                Err(Error::Missing { .. } | Error::Empty { .. }) => {
                    assert!(!prepared.db().exists());
                }
                Ok(store) => {
                    assert_eq!(store.check().unwrap(), []);
                    if prepared.db().exists() {
                        let before = prepared.content_hash();
                        assert!(store.content_hash().unwrap() == before, "{blocks}");
                    }
                }
                Err(error) => panic!("{blocks}: {error}"),
            }
            scratch.ok(command);
            assert!(scratch.content_hash() == complete.content_hash());
        }
        assert!(refused >= 4, "{command:?}: {refused}");
    }
}

#[test]
fn full_disk_during_search_keeps_finished_trials() {
    const TUNE: [&str; 7] = [
        "tune",
        "club",
        "--system=glicko",
        "--train=50",
        "--slice=all",
        "--sampler=random",
        "--trials=64",
    ];
    let trials = |scratch: &Scratch| {
        let sql = "SELECT concat_ws(' ', number, state, parameters, rungs) FROM trial
            WHERE state <> 'running' ORDER BY number";
        scratch.rows(sql)
    };
    let prepared = scratch_with_rounds();
    prepared.ok(&IMPORT);
    let undisturbed = copy_of(&prepared);
    undisturbed.ok(&TUNE);
    let all = trials(&undisturbed);
    let mut parts = 0;
    for blocks in [0, 8, 100, 200, 400, 800] {
        let scratch = copy_of(&prepared);
        let setup = format!("trap '' XFSZ && ulimit -f {blocks}");
        let done = CommandOutput::run(command_after_setup(&setup, &scratch, &TUNE));
        if done.code == Some(0) {
            continue;
        }
        done.exits(1)
            .says("ranklore.sqlite could not be written")
            .says("make room and run the same command again");
        assert_eq!(scratch.store().check().unwrap(), []);
        let finished = trials(&scratch);
        assert!(finished.iter().all(|trial| all.contains(trial)), "{blocks}");
        parts += usize::from(!finished.is_empty());
        scratch.ok(&TUNE);
        assert_eq!(trials(&scratch), all, "{blocks}");
    }
    assert!(parts > 0, "no disk had room for a part of the trials");
}

#[test]
fn full_disk_stops_no_reader() {
    let scratch = scratch_with_rounds();
    scratch.ok(&IMPORT);
    scratch.ok(&["rate", "club"]);
    let leaderboard = scratch.ok(&["leaderboard", "club"]).out;
    // Not even an index beside the file can be made.
    let setup = "trap '' XFSZ && ulimit -f 0";
    let command = command_after_setup(setup, &scratch, &["leaderboard", "club"]);
    assert_eq!(CommandOutput::run(command).exits(0).out, leaderboard);
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_reported_and_leaves_no_partial_data() {
    let scratch = scratch_with_rounds();
    std::fs::create_dir(scratch.path("disk")).unwrap();
    for size in ["4k", "100k", "400k"] {
        let setup = format!("mount -t tmpfs -o size={size} none disk && touch disk/full");
        let arguments = [&IMPORT[..], &["--db", "disk/full"]].concat();
        let Some(done) = run_with_mount(&setup, &scratch, &arguments) else {
            return;
        };
        done.exits(1).says("no space left to write").says("the database is unchanged");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn archive_sort_without_space_changes_nothing() {
    let scratch = Scratch::club();
    scratch.write("RS", dump::threads(20));
    scratch.write("RC", dump::comments(20, 200));
    let before = scratch.content_hash();
    std::fs::create_dir(scratch.path("tmp")).unwrap();
    let setup = "mount -t tmpfs -o size=64k none tmp && export TMPDIR=$PWD/tmp";
    let mine = ["mine", "reddit", "--from-dump", "RS", "RC"];
    let Some(done) = run_with_mount(setup, &scratch, &mine) else {
        return;
    };
    done.exits(1)
        .says("tmp: temporary files cannot be used: No space left")
        .says("make room, or set TMPDIR to another folder");
    assert_eq!(scratch.content_hash(), before);
    scratch.ok(&mine);
}

#[cfg(target_os = "linux")]
#[test]
fn vacuum_uses_temporary_folder_not_memory() {
    let scratch = Scratch::club();
    let mut writer = Store::open_writer(scratch.db(), "a test").unwrap();
    let mut batch = writer.batch().unwrap();
    // More than the SQLite cache, in a source that `forget` does not search.
    let noise = SourceName::new("noise").unwrap();
    let noise = batch.get_or_insert_source(&noise, UnixSeconds::MIN).unwrap();
    for seed in 0..40 {
        store_noise(&mut batch, noise, &seed.to_string(), seed);
    }
    batch.commit().unwrap();
    drop(writer);
    std::fs::create_dir(scratch.path("tmp")).unwrap();
    let setup = "mount -t tmpfs -o size=1m none tmp && export SQLITE_TMPDIR=$PWD/tmp";
    let forget = ["forget", "--yes", "club", "Oona Pereskaya"];
    let Some(done) = run_with_mount(setup, &scratch, &forget) else {
        return;
    };
    done.exits(1).says("no space left to write");
    assert_eq!(scratch.json(&["status"])["unswept"], 1);
    scratch.ok(&["forget", "--yes", "club"]);
    assert_eq!(scratch.json(&["status"])["unswept"], 0);
}

#[cfg(target_os = "linux")]
#[test]
fn read_only_disk_allows_reading() {
    const MOUNT_READ_ONLY: &str = "mount --bind . . && mount -o remount,ro,bind . && cd \"$PWD\"";
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    scratch.write("a.json", contest(99, 99, &[&["a"], &["b"]]));
    let expected = scratch.ok(&["leaderboard", "club"]).out;
    let before = scratch.content_hash();
    let Some(board) = run_with_mount(MOUNT_READ_ONLY, &scratch, &["leaderboard", "club"]) else {
        return;
    };
    assert_eq!(board.exits(0).out, expected);
    let elsewhere = Scratch::new();
    let copy = elsewhere.db();
    let backup = run_with_mount(MOUNT_READ_ONLY, &scratch, &["backup", copy.to_str().unwrap()]);
    backup.unwrap().exits(0);
    assert!(elsewhere.content_hash() == before);
    for command in [
        &["import", "a.json", "--source", "club"][..],
        &["rate", "club"],
    ] {
        let done = run_with_mount(MOUNT_READ_ONLY, &scratch, command).unwrap().exits(1);
        done.says("cannot be written to").says("make the file and its folder writable");
    }
    assert!(scratch.content_hash() == before);
}

#[test]
fn read_only_folder_allows_reading() {
    let scratch = Scratch::new();
    scratch.write("in/a.json", contest(1, 1, &[&["a"], &["b"]]));
    let on = |arguments: &[&str]| scratch.run(&[arguments, &["--db", "in/a.sqlite"]].concat());
    on(&["import", "in", "--source", "club"]).exits(0);
    on(&["rate", "club"]).exits(0);
    let folder = scratch.path("in");
    let before = scratch.list("in");
    set_mode(&folder, 0o555);
    let bound = |arguments: &[&str]| {
        run_without_root_access(&scratch, &[arguments, &["--db", "in/a.sqlite"]].concat())
    };
    let board = bound(&["leaderboard", "club"]);
    let backup = bound(&["backup", "copy.sqlite"]);
    let into = bound(&["backup", "in/copy.sqlite"]);
    let rate = bound(&["rate", "club", "--all"]);
    set_mode(&folder, 0o755);
    let Some(board) = board else {
        return;
    };
    board.exits(0);
    backup.unwrap().exits(0);
    scratch.ok(&["check", "--db", "copy.sqlite"]);
    let into = into.unwrap().exits(1);
    into.says("in/copy.sqlite.lock cannot be written to");
    rate.unwrap().exits(1).says("cannot be written to");
    assert_eq!(scratch.list("in"), before);
}

#[test]
fn unreadable_and_unwritable_files_are_distinguished() {
    let scratch = Scratch::club();
    scratch.write("in/x", "");
    std::fs::copy(scratch.db(), scratch.path("in/a.sqlite")).unwrap();
    set_mode(&scratch.db(), 0o000);
    set_mode(&scratch.path("in"), 0o000);
    for command in [
        &["status"][..],
        &["rate", "club"],
        &["backup", "copy.sqlite"],
        &["status", "--db", "in/a.sqlite"],
    ] {
        let Some(done) = run_without_root_access(&scratch, command) else {
            break;
        };
        done.exits(1).says(".sqlite cannot be read").says("permission");
    }
    set_mode(&scratch.path("in"), 0o755);
    // The path exists, but is not writable.
    set_mode(&scratch.db(), 0o444);
    if let Some(done) = run_without_root_access(&scratch, &["rate", "club"]) {
        done.exits(1).says("ranklore.sqlite cannot be written to");
        let backup = run_without_root_access(&scratch, &["backup", "copy.sqlite"]);
        backup.unwrap().exits(0);
        scratch.ok(&["check", "--db", "copy.sqlite"]);
    }
    set_mode(&scratch.db(), 0o644);
}

#[test]
fn foreign_file_gets_no_lock_file() {
    let scratch = Scratch::new();
    scratch.write("a.json", contest(1, 0, &[&["a"], &["b"]]));
    scratch.write("short.txt", "notes");
    scratch.write("long.txt", "my notes ".repeat(1000));
    let other = rusqlite::Connection::open(scratch.path("other.db")).unwrap();
    other.execute_batch("CREATE TABLE mine (x)").unwrap();
    drop(other);
    let before = scratch.list(".");
    for file in ["short.txt", "long.txt", "other.db"] {
        let content = std::fs::read(scratch.path(file)).unwrap();
        for command in [
            &["import", "a.json", "--source", "club"][..],
            &["rate", "club"],
        ] {
            let done = scratch.run(&[command, &["--db", file]].concat()).exits(1);
            done.says(file).says("name another file with --db");
        }
        assert!(std::fs::read(scratch.path(file)).unwrap() == content);
    }
    assert_eq!(scratch.list("."), before);
}

#[test]
fn truncated_database_is_reported_and_not_written() {
    const PAGE_BYTES: usize = 8192;
    let intact = Scratch::club();
    intact.ok(&["rate", "club"]);
    let bytes = std::fs::read(intact.db()).unwrap();
    let last = bytes.len();
    for cut in [
        50,
        100,
        4000,
        PAGE_BYTES,
        PAGE_BYTES + 1,
        3 * PAGE_BYTES,
        last / 2,
        last - PAGE_BYTES,
        last - 1,
    ] {
        let scratch = Scratch::new();
        scratch.write("ranklore.sqlite", &bytes[..cut]);
        scratch.write("a.json", contest(99, 99, &[&["a"], &["b"]]));
        for command in [
            &["leaderboard", "club"][..],
            &["rate", "club"],
            &["import", "a.json", "--source", "club"],
        ] {
            let done = scratch.run(command).exits(1);
            done.says("ranklore.sqlite is damaged").says("restore a backup");
        }
        assert!(std::fs::read(scratch.db()).unwrap() == bytes[..cut], "{cut}");
    }
    let scratch = Scratch::new();
    scratch.write("ranklore.sqlite", "");
    scratch.run(&["leaderboard", "club"]).exits(1).says("import results first");
}

#[test]
fn damaged_wal_loses_only_its_own_commits() {
    let scratch = scratch_with_rounds();
    scratch.ok(&IMPORT);
    let imported = scratch.content_hash();
    // Killed after the commit: the run is in the write-ahead log only.
    let reader = scratch.store();
    let hold = reader.snapshot().unwrap();
    scratch.ok(&["rate", "club"]);
    let killed = copy_of(&scratch);
    drop(hold);
    drop(reader);
    let rated = scratch.content_hash();
    let log = killed.path("ranklore.sqlite-wal");
    let bytes = std::fs::read(&log).unwrap();
    assert!(bytes.len() > 100_000, "{}", bytes.len());
    for (damage, left) in [
        ("whole", bytes.clone()),
        ("cut", bytes[..bytes.len() / 2].to_vec()),
        ("cut within its header", bytes[..20].to_vec()),
        ("garbage", b"garbage ".repeat(10_000)),
        ("empty", Vec::new()),
    ] {
        let scratch = copy_of(&killed);
        // A power cut may lose this file; SQLite recreates it.
        let _ = std::fs::remove_file(scratch.path("ranklore.sqlite-shm"));
        scratch.write("ranklore.sqlite-wal", left);
        let expected = if damage == "whole" { rated } else { imported };
        assert!(copy_of(&scratch).content_hash() == expected, "{damage}");
        scratch.ok(&["rate", "club"]);
        assert!(scratch.content_hash() == rated, "{damage}");
    }
}

#[test]
fn tests_named_in_faults_md_exist() {
    let root = fixtures().join("..");
    let text = std::fs::read_to_string(root.join("docs/faults.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| "));
    let mut checked = 0;
    for row in rows.filter(|row| !row.starts_with("| fault |") && !row.starts_with("| **")) {
        let cell = row.trim_end_matches('|').rsplit('|').next().unwrap();
        let paths: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        assert!(!paths.is_empty(), "no test in {row}");
        for path in paths {
            assert!(root.join(path).exists(), "there is no {path}");
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}
