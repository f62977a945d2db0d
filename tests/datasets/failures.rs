//! Failing exports: wrong selections, occupied folders and full disks.

#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};

use super::EXPORT_EVERYTHING;
use super::folder::FolderSnapshot;
use crate::support::{CommandOutput, RANKLORE, Scratch, contest};

const EXPORT: [&str; 4] = ["export", "club", "--to", "out"];

/// Asserts that the folder holds only the database: no dataset and no leftovers.
#[track_caller]
fn assert_nothing_left(scratch: &Scratch) {
    assert_eq!(scratch.beside(), [""; 0]);
}

#[test]
fn foreign_folder_is_left_alone() {
    let club = Scratch::club();
    club.write("out/notes.txt", "of mine");
    club.run(&EXPORT)
        .exits(1)
        .says("out exists and is no dataset of Ranklore")
        .says("name another folder or empty it");
    // A foreign Data Package is not a dataset of Ranklore.
    club.write("out/datapackage.json", "{\"name\": \"mine\", \"resources\": []}");
    club.run(&EXPORT).exits(1).says("is no dataset of Ranklore");
    assert_eq!(
        FolderSnapshot::read(&club.path("out")).paths(),
        ["datapackage.json", "notes.txt"]
    );
    club.write("file", "of mine");
    club.run(&["export", "club", "--to", "file"])
        .exits(1)
        .says("file exists and is no dataset");
    assert_eq!(std::fs::read(club.path("file")).unwrap(), b"of mine");
    assert_eq!(club.beside(), ["file", "out"]);
    // An empty folder is accepted.
    std::fs::create_dir(club.path("empty")).unwrap();
    club.ok(&["export", "club", "--to", "empty"]);
}

#[test]
fn foreign_files_in_a_dataset_are_kept() {
    let club = Scratch::club();
    club.ok(&EXPORT);
    let dataset = FolderSnapshot::read(&club.path("out"));
    for (file, named) in [
        (".git/HEAD", ".git"),
        ("csv/mine.csv", "csv/mine.csv"),
        ("notes.md", "notes.md"),
    ] {
        club.write(&format!("out/{file}"), "mine");
        club.run(&EXPORT)
            .exits(1)
            .says(&format!("out contains {named:?}, which does not belong"))
            .says("move it or name another folder");
        assert!(FolderSnapshot::read(&club.path("out")).contains(file));
        let entry = club.path("out").join(named);
        if entry.is_dir() {
            std::fs::remove_dir_all(entry).unwrap();
        } else {
            std::fs::remove_file(entry).unwrap();
        }
        assert_eq!(FolderSnapshot::read(&club.path("out")), dataset);
    }
    club.write("out/.DS_Store", "nobody's");
    club.ok(&EXPORT);
    assert_eq!(FolderSnapshot::read(&club.path("out")), dataset);
}

#[cfg(unix)]
#[test]
fn dataset_behind_symlink_or_here_is_replaced() {
    let club = Scratch::club();
    club.ok(&["export", "club", "--to", "deep/down"]);
    std::os::unix::fs::symlink("deep/down", club.path("out")).unwrap();
    club.ok(&["forget", "--yes", "club", "Oona Pereskaya"]);
    club.ok(&EXPORT);
    assert!(club.path("out").is_symlink());
    assert_eq!(FolderSnapshot::read(&club.path("deep")).find_text("Pereskaya"), None);
    assert_eq!(club.list("deep"), ["down"]);
    let mut command = club.command(&[
        "export",
        "club",
        "--to",
        ".",
        "--db",
        "../../ranklore.sqlite",
    ]);
    command.current_dir(club.path("deep/down"));
    CommandOutput::run(command).exits(0);
    club.ok(&["verify", "deep/down"]);
}

#[test]
fn export_without_matching_contests_is_refused() {
    let club = Scratch::club();
    club.run(&["export", "pub", "--to", "out"]).exits(1).says("it has club");
    club.run(&["export", "club", "--to", "out", "--since", "2100-01-01"])
        .exits(1)
        .says("there is nothing to export: club");
    assert_nothing_left(&club);
    // An existing dataset is unchanged.
    club.ok(&EXPORT);
    let before = FolderSnapshot::read(&club.path("out"));
    club.run(&[&EXPORT[..], &["--since", "2100-01-01"]].concat()).exits(1);
    assert_eq!(FolderSnapshot::read(&club.path("out")), before);
    assert_eq!(club.beside(), ["out"]);
    let empty = Scratch::new();
    empty.run(&EXPORT).exits(1).says("ranklore.sqlite");
    assert_eq!(empty.list("."), [""; 0]);
}

#[test]
fn ratings_need_a_run_over_the_same_sources() {
    let club = Scratch::club();
    let ratings = [&EXPORT[..], &["--with", "ratings"]].concat();
    club.run(&ratings).exits(1).says("ranklore rate club");
    let db = [&ratings[..], &["--db", "ranklore.sqlite"]].concat();
    club.run(&db).exits(1).says("ranklore rate club --db ranklore.sqlite");
    club.run(&[&EXPORT[..], &["--run", "9"]].concat()).exits(1);
    assert_nothing_left(&club);
    club.write("other.json", contest(1, 1, &[&["a"], &["b"]]));
    club.ok(&["import", "other.json", "--source", "other"]);
    std::fs::remove_file(club.path("other.json")).unwrap();
    club.ok(&["rate", "club", "other", "--together"]);
    club.run(&[&EXPORT[..], &["--run", "1"]].concat())
        .exits(2)
        .says("run 1 includes other, which is not exported");
    club.run(&[&EXPORT[..], &["--with", "ratings", "--format", "elo-mmr"]].concat())
        .exits(2)
        .says("the format elo-mmr has no ratings");
    assert_nothing_left(&club);
    let both = [
        "export", "other", "club", "club", "--to", "out", "--run", "1",
    ];
    let report = club.json(&both);
    assert_eq!((&report["rows"]["rating"], &report["rows"]["contest"]), (&29.into(), &7.into()));
    // Several runs, in any order.
    club.ok(&["rate", "other", "club"]);
    let runs = |ids: [&str; 2]| {
        let [one, two] = ids;
        let to = ["--to", "out", "--run", one, "--run", two];
        let report = club.json(&[&["export", "club", "other"][..], &to].concat());
        assert_eq!(report["rows"]["rating_run"], 2);
        FolderSnapshot::read(&club.path("out"))
    };
    assert_eq!(runs(["2", "3"]), runs(["3", "2"]));
}

#[test]
fn stale_ratings_are_labelled() {
    let club = Scratch::club();
    club.ok(&["rate", "club"]);
    club.write("7.json", contest(7, 40, &[&["Oona Pereskaya"], &["newcomer"]]));
    club.ok(&["import", "7.json", "--source", "club"]);
    let done = club.ok(&EXPORT_EVERYTHING);
    done.says(
        "run 1 is stale: 1 contest newer than this run; run `ranklore rate club`, then export again",
    );
    let out = FolderSnapshot::read(&club.path("out"));
    assert!(
        out.text("README.md")
            .contains("- Run 1 (elo-mmr) is stale: results have changed")
    );
    club.ok(&["verify", "out"]);
    club.ok(&["rate", "club"]);
    assert!(!club.ok(&EXPORT_EVERYTHING).err.contains("have changed"));
    assert!(!FolderSnapshot::read(&club.path("out")).text("README.md").contains("stale"));
}

#[test]
fn hostile_name_cannot_control_the_terminal() {
    const HOSTILE_NAME: &str = "a\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}|*`b";
    let scratch = Scratch::new();
    let round = |id: u32, day: u32| {
        let text = contest(id, day, &[&[HOSTILE_NAME], &["ada"]]);
        let mut round: serde_json::Value = serde_json::from_str(&text).unwrap();
        round["name"] = format!("Round {HOSTILE_NAME}").into();
        round.to_string()
    };
    scratch.write("1.json", round(1, 1));
    scratch.run(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let mut outputs = vec![scratch.ok(&EXPORT_EVERYTHING)];
    scratch.write("2.json", round(2, 2));
    scratch.run(&["import", "2.json", "--source", "club"]);
    outputs.push(scratch.ok(&["export", "club", "--to", "out", "--title", HOSTILE_NAME]));
    outputs.push(scratch.ok(&["verify", "out"]));
    let path = scratch.path("out/csv/standing.csv");
    let csv = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, csv.replace(",person,", ",nobody\u{1b}[2J,")).unwrap();
    outputs.push(scratch.run(&["verify", "out"]).exits(1));
    outputs.push(scratch.run(&["import", "out"]).exits(1));
    let odd = "odd\u{1b}[2J".to_owned();
    outputs.push(scratch.ok(&["export", "club", "--to", &odd]));
    outputs.push(scratch.run(&["verify", &format!("{odd}/csv")]).exits(1));
    let other = Scratch::new();
    outputs.push(other.ok(&["import", scratch.path(&odd).to_str().unwrap(), "--dry-run"]));
    for done in &outputs {
        let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!done.out.contains(steers), "{:?}", done.out);
        assert!(!done.err.contains(steers), "{:?}", done.err);
    }
}

/// Runs the program after these shell commands in its own mount namespace. `None` if the system
/// does not allow that.
#[cfg(target_os = "linux")]
fn run_with_mount(setup: &str, scratch: &Scratch, arguments: &[&str]) -> Option<CommandOutput> {
    const UNSHARE: [&str; 3] = ["--user", "--map-root-user", "--mount"];
    let mut tried = Command::new("unshare");
    tried.args(UNSHARE).args(["mount", "-t", "tmpfs", "none", "/mnt"]);
    if !tried.output().is_ok_and(|tried| tried.status.success()) {
        eprintln!("not tested: this user cannot mount file systems here");
        return None;
    }
    let mut command = Command::new("unshare");
    command
        .args(UNSHARE)
        .args([
            "sh",
            "-c",
            &format!("{setup} && exec \"$0\" \"$@\""),
            RANKLORE,
        ])
        .args(arguments)
        .current_dir(scratch.path("."))
        .env_remove("RANKLORE_DB")
        .stdin(Stdio::null());
    Some(CommandOutput::run(command))
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_during_export_is_reported() {
    let club = Scratch::club();
    std::fs::create_dir(club.path("disk")).unwrap();
    for form in ["parquet", "csv", "sqlite"] {
        let setup = "mount -t tmpfs -o size=48k none disk";
        let export = ["export", "club", "--to", "disk/out", "--format", form];
        let Some(done) = run_with_mount(setup, &club, &export) else {
            return;
        };
        done.exits(1)
            .says("nothing was exported: ")
            .says("o space left")
            .says("make room and run the same command again");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn exhausted_quota_keeps_the_older_dataset() {
    let club = Scratch::club();
    club.ok(&["rate", "club"]);
    club.ok(&EXPORT_EVERYTHING);
    let before = FolderSnapshot::read(&club.path("out"));
    // The shell counts blocks of 512 bytes or 1 KiB; the journal of SQLite takes 32 KiB.
    for (form, limit) in [("sqlite", 70), ("parquet,csv,jsonl", 66)] {
        let setup = format!("trap '' XFSZ && ulimit -f {limit} && exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command
            .args(["-c", &setup, RANKLORE])
            .args(&EXPORT_EVERYTHING[..4])
            .args(["--format", form])
            .current_dir(club.path("."))
            .env_remove("RANKLORE_DB")
            .stdin(Stdio::null());
        let done = CommandOutput::run(command).exits(1).says("nothing was exported: ");
        done.says("make room and run the same command again");
        assert_eq!(FolderSnapshot::read(&club.path("out")), before, "{limit}");
        assert_eq!(club.beside(), ["out"]);
    }
    club.ok(&EXPORT_EVERYTHING);
}

#[cfg(unix)]
#[test]
fn concurrent_exports_are_refused() {
    let club = Scratch::club();
    let lock = std::fs::File::create(club.path(".out.ranklore-lock")).unwrap();
    lock.lock().unwrap();
    club.run(&EXPORT).exits(5).says("out: wait for it to end");
    drop(lock);
    club.ok(&EXPORT);
    assert_eq!(club.beside(), ["out"]);
}

/// The run has a rating of a person without results; the dataset does not.
#[test]
fn stale_run_omits_people_without_results() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 1, &[&["ada"], &["bea"], &["cyd"]]));
    scratch.write("2.json", contest(2, 2, &[&["bea"], &["ada"]]));
    scratch.ok(&["import", "1.json", "2.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch.write("1.json", contest(1, 1, &[&["ada"], &["bea"]]));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&EXPORT_EVERYTHING);
    scratch.ok(&["verify", "out"]);
    let out = FolderSnapshot::read(&scratch.path("out"));
    assert!(!out.text("csv/rating.csv").contains("cyd"));
    assert!(!out.text("csv/competitor.csv").contains("cyd"));
}
