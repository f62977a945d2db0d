//! Damaged and invalid datasets.

use ranklore_store::Store;
use ranklore_test_support::rewrite_ratings;
use serde_json::json;

use super::EXPORT_EVERYTHING;
use super::folder::FolderSnapshot;
use crate::support::{Scratch, fixtures};

fn exported_club() -> Scratch {
    let club = super::rated_club();
    club.ok(&EXPORT_EVERYTHING);
    club
}

/// Edits a file of the dataset.
fn edit_file(scratch: &Scratch, file: &str, edit: impl FnOnce(String) -> String) {
    let text = FolderSnapshot::read(&scratch.path("out")).text(file).to_owned();
    let changed = edit(text.clone());
    assert_ne!(changed, text);
    scratch.write(&format!("out/{file}"), changed);
}

#[test]
fn each_damaged_file_is_named() {
    let club = exported_club();
    let snapshot = FolderSnapshot::read(&club.path("out"));
    for path in snapshot.paths() {
        let file = club.path("out").join(path);
        let bytes = std::fs::read(&file).unwrap();
        let mut spoiled = bytes.clone();
        match spoiled.len() {
            0 => spoiled.push(b'\n'),
            length => spoiled[length / 2] ^= 1,
        }
        std::fs::write(&file, &spoiled).unwrap();
        let done = club.run(&["verify", "out", "--no-import"]).exits(1);
        let named = [path, "SHA256SUMS"]
            .iter()
            .any(|name| (done.out.clone() + &done.err).contains(name));
        assert!(named, "{path}: {}{}", done.out, done.err);
        std::fs::write(&file, bytes).unwrap();
    }
    club.ok(&["verify", "out", "--no-import"]);
}

#[test]
fn missing_and_extra_files_are_named() {
    let club = exported_club();
    std::fs::remove_file(club.path("out/jsonl/member.jsonl")).unwrap();
    club.write("out/csv/more.csv", "a\n");
    let done = club.run(&["verify", "out"]).exits(1).says("problems");
    assert!(
        done.out.contains("jsonl/member.jsonl is missing or not a regular file"),
        "{}",
        done.out
    );
    assert!(done.out.contains("csv/more.csv is not in SHA256SUMS"), "{}", done.out);
    assert!(!done.out.contains("no problems"));
}

#[test]
fn changed_result_is_reported_in_json() {
    let club = exported_club();
    edit_file(&club, "csv/standing.csv", |csv| csv.replacen(",Oona Pereskaya,", ",Nobody,", 1));
    let done = club.run(&["verify", "out", "--json"]).exits(1);
    let report = done.json();
    let problems = report["problems"].as_array().unwrap();
    let is_reported =
        |words: &str| problems.iter().any(|problem| problem.as_str().unwrap().contains(words));
    assert!(
        is_reported("csv/standing.csv does not match its checksum in SHA256SUMS"),
        "{problems:?}"
    );
    assert!(is_reported("table standing as csv"), "{problems:?}");
    assert_eq!(report["problems_in_all"], problems.len());
}

#[test]
fn no_import_skips_the_import_check() {
    let club = exported_club();
    let ok = club.ok(&["verify", "out", "--no-import"]);
    assert!(!ok.out.contains("imported"), "{}", ok.out);
    let ok = club.json(&["verify", "out", "--no-import"]);
    assert_eq!(ok["problems"], json!([]));
}

#[test]
fn missing_dataset_is_reported_with_advice() {
    let scratch = Scratch::new();
    let club = fixtures().join("club");
    for folder in [club.to_str().unwrap(), "nowhere"] {
        let done = scratch.run(&["verify", folder]).exits(1);
        done.says("is no dataset: there is no datapackage.json in it")
            .says("name a folder that ranklore export wrote");
    }
    scratch.write("mine/datapackage.json", "{}");
    scratch.run(&["verify", "mine"]).exits(1).says("is not from Ranklore");
    let club = exported_club();
    edit_file(&club, "datapackage.json", |text| {
        text.replace("\"format_version\": 2", "\"format_version\": 99")
    });
    club.run(&["verify", "out"]).exits(1).says("update Ranklore");
    let other = Scratch::new();
    other
        .run(&["import", club.path("out").to_str().unwrap()])
        .exits(1)
        .says("update Ranklore");
    assert_eq!(other.list("."), [""; 0], "no file is made");
}

/// A link may lead anywhere, and reading a pipe never ends.
#[cfg(unix)]
#[test]
fn special_files_are_not_opened() {
    let club = exported_club();
    let file = club.path("out/csv/standing.csv");
    std::fs::remove_file(&file).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&file).status();
    assert!(made.unwrap().success());
    let named = "csv/standing.csv is missing or not a regular file";
    let done = club.run(&["verify", "out"]).exits(1);
    assert!(done.out.contains(named), "{}", done.out);
    club.run(&["import", "out"]).exits(1).says(named);
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
    let done = club.run(&["verify", "out"]).exits(1);
    assert!(done.out.contains(named), "{}", done.out);
    let sums = club.path("out/SHA256SUMS");
    std::fs::remove_file(&sums).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&sums).status();
    assert!(made.unwrap().success());
    let done = club.run(&["verify", "out"]).exits(1);
    let named = "SHA256SUMS: it is a pipe, not a file";
    assert!(done.out.contains(named), "{}", done.out);
}

#[test]
fn ratings_that_do_not_follow_from_results_are_a_problem() {
    let club = super::rated_club();
    // Writes false ratings as if they had been computed.
    let mut writer = Store::open_writer(club.db(), "a test").unwrap();
    let run = writer.runs().unwrap().remove(0);
    rewrite_ratings(&mut writer, run.run_id, |rows| {
        for row in rows {
            row.mu += 1.0;
        }
    });
    drop(writer);
    club.ok(&["check"]);
    club.ok(&EXPORT_EVERYTHING);
    let done = club.run(&["verify", "out"]).exits(1);
    assert_eq!(done.out, "the ratings of run 1 (elo-mmr) do not follow from the results\n");
}

#[test]
fn stale_run_need_not_follow_from_results() {
    let club = super::rated_club();
    club.ok(&["withdraw", "club", "2"]);
    club.ok(&EXPORT_EVERYTHING);
    club.ok(&["verify", "out"]).says(
        "run 1 (elo-mmr) were not compared with its results: the dataset says that it is stale",
    );
}
