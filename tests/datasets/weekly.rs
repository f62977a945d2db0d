//! Repeated exports of a dataset.

use serde_json::json;

use super::folder::FolderSnapshot;
use crate::support::{Scratch, contest};

const EXPORT: [&str; 4] = ["export", "club", "--to", "out"];

fn changelog(scratch: &Scratch, folder: &str) -> String {
    FolderSnapshot::read(&scratch.path(folder)).text("CHANGELOG.md").to_owned()
}

/// Adds a contest after all others.
fn add_contest(scratch: &Scratch) {
    scratch.write("new.json", contest(70, 30, &[&["Oona Pereskaya"], &["newcomer"]]));
    scratch.ok(&["import", "new.json", "--source", "club"]);
}

#[test]
fn changes_are_printed_and_added_to_changelog() {
    let club = Scratch::club();
    let first = club.ok(&EXPORT);
    assert!(!first.out.contains("against"), "{}", first.out);
    let before = changelog(&club, "out");
    assert!(before.contains("- first export"), "{before}");

    let same = club.ok(&EXPORT);
    assert!(same.out.ends_with("\nno changes since the previous dataset\n"), "{}", same.out);
    assert_eq!(changelog(&club, "out"), before);

    add_contest(&club);
    let new = club.ok(&EXPORT);
    let summary = "changes since the previous dataset: 1 contest new, 0 revised, 0 removed; CHANGELOG.md \
        lists them\n";
    assert!(new.out.ends_with(summary), "{}", new.out);
    let after = changelog(&club, "out");
    assert!(
        after.contains("- 1 contest new:\n  - 2023-12-15 club Round 70, 2 entrants\n"),
        "{after}"
    );
    assert!(after.contains("- first export"), "history stays: {after}");

    club.write("new.json", contest(70, 30, &[&["newcomer"], &["Oona Pereskaya"]]));
    club.ok(&["import", "new.json", "--source", "club"]);
    let report = club.json(&EXPORT);
    assert_eq!(report["changes"]["revised"], 1);
    club.ok(&["withdraw", "club", "70"]);
    let report = club.json(&EXPORT);
    // The contest stays, but is no longer rated.
    assert_eq!(report["changes"]["revised"], 1);
    let late = club.json(&[&EXPORT[..], &["--since", "2023-12-01"]].concat());
    assert_eq!(late["changes"]["removed"], 6);
    assert_eq!(late["changes"]["added"], 0);
    club.ok(&["verify", "out"]);
}

#[test]
fn changed_ratings_are_reported() {
    let club = Scratch::club();
    club.ok(&["rate", "club"]);
    let export = [&EXPORT[..], &["--with", "ratings"]].concat();
    club.ok(&export);
    club.ok(&["source", "set", "club", "system=glicko"]);
    club.ok(&["rate", "club"]);
    let done = club.ok(&export);
    assert!(done.out.contains(", different ratings; CHANGELOG.md"), "{}", done.out);
    assert!(changelog(&club, "out").contains("- ratings: changed"));
}

#[test]
fn baseline_can_be_another_dataset() {
    let club = Scratch::club();
    club.ok(&EXPORT);
    let old = FolderSnapshot::read(&club.path("out"));
    add_contest(&club);
    let report = club.json(&["export", "club", "--to", "new", "--diff", "out"]);
    assert_eq!(
        (&report["changes"]["added"], &report["changes"]["from"]),
        (&json!(1), &club.json(&["verify", "out"])["snapshot"])
    );
    assert!(changelog(&club, "new").contains("Round 70"));
    assert_eq!(FolderSnapshot::read(&club.path("out")), old, "it is left alone");
    // An invalid baseline is reported before anything is written.
    let done = club.run(&["export", "club", "--to", "other", "--diff", "nowhere"]);
    done.exits(1)
        .says("nowhere is no dataset")
        .says("name a folder that ranklore export wrote");
    assert!(!club.path("other").exists());
}

#[test]
fn since_by_year_and_title_are_applied() {
    let club = Scratch::club();
    add_contest(&club);
    club.write("later.json", contest(71, 400, &[&["newcomer"], &["Oona Pereskaya"]]));
    club.ok(&["import", "later.json", "--source", "club"]);
    let report = club.json(&["export", "club", "--to", "late", "--since", "2023-12-01"]);
    assert_eq!(report["rows"]["contest"], 2);
    assert_eq!(report["rows"]["competitor"], 2, "nobody who stands nowhere");
    let title = ["--title", "The *harbour* club", "--partition-by", "year"];
    club.ok(&[&EXPORT[..], &title].concat());
    let out = FolderSnapshot::read(&club.path("out"));
    let parts: Vec<&str> = out
        .paths()
        .into_iter()
        .filter(|path| path.starts_with("parquet/contest"))
        .collect();
    assert_eq!(
        parts,
        [
            "parquet/contest/source=club/year=2023/0.parquet",
            "parquet/contest/source=club/year=2024/0.parquet",
        ]
    );
    assert!(out.text("README.md").contains("# The \\*harbour\\* club\n"));
    let package: serde_json::Value = serde_json::from_str(out.text("datapackage.json")).unwrap();
    assert_eq!(package["title"], "The *harbour* club");
    for dataset in ["late", "out"] {
        club.ok(&["verify", dataset]);
    }
    // Changing the layout leaves no file of the old one.
    club.ok(&EXPORT);
    assert!(
        !FolderSnapshot::read(&club.path("out"))
            .paths()
            .iter()
            .any(|path| path.contains("year="))
    );
}

#[test]
fn escaped_formulas_are_imported_unchanged() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 1, &[&["=1+1"], &["'quoted"], &["ada"]]));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&[&EXPORT[..], &["--format", "csv", "--escape-formulas"]].concat());
    let out = FolderSnapshot::read(&scratch.path("out"));
    assert!(out.text("csv/standing.csv").contains("'=1+1"));
    scratch.ok(&["verify", "out"]);
    let other = Scratch::new();
    other.ok(&["import", scratch.path("out").to_str().unwrap()]);
    assert_eq!(other.content_hash(), scratch.content_hash());
}
