//! Export, verification, import and replacement of datasets, and the privacy of names.

mod damaged;
mod failures;
mod folder;
mod importing;
#[cfg(unix)]
mod killed;
mod one_table;
mod privacy;
mod weekly;

use crate::mine_ctftime::site as ctftime;
use crate::mine_o2cm::ball;
use crate::mine_topcoder::site as topcoder;
use crate::support::Scratch;
use folder::FolderSnapshot;
use serde_json::json;

const ALL_FORMATS: &str = "parquet,csv,jsonl,elo-mmr,sqlite";

/// Exports `club` with ratings in all formats to `out`.
const EXPORT_EVERYTHING: [&str; 8] = [
    "export",
    "club",
    "--to",
    "out",
    "--format",
    ALL_FORMATS,
    "--with",
    "ratings",
];

fn rated_club() -> Scratch {
    let club = Scratch::club();
    club.ok(&["rate", "club"]);
    club
}

#[test]
fn export_verify_import_export_round_trips() {
    let club = rated_club();
    let done = club.ok(&EXPORT_EVERYTHING);
    let lines: Vec<&str> = done.out.lines().collect();
    let begin = "out: 6 contests with 33 results of 8 competitors, 27 ratings; ";
    assert!(lines[0].starts_with(begin), "{}", done.out);
    let snapshot = lines[1].strip_prefix("snapshot ").unwrap();
    assert_eq!((lines.len(), snapshot.len()), (2, 64), "{}", done.out);
    let out = FolderSnapshot::read(&club.path("out"));
    for file in [
        "CHANGELOG.md",
        "README.md",
        "SHA256SUMS",
        "croissant.json",
        "csv/standing.csv",
        "datapackage.json",
        "jsonl/rating.jsonl",
        "parquet/standing.parquet",
    ] {
        assert!(out.contains(file), "no {file} in {:?}", out.paths());
    }
    let checked = club.ok(&["verify", "out"]);
    assert!(checked.out.starts_with("no problems: "), "{}", checked.out);
    assert!(checked.out.contains("imported into an empty database; snapshot "));
    assert!(checked.out.contains(snapshot));

    let other = Scratch::new();
    let out_path = club.path("out");
    let imported = other.ok(&["import", out_path.to_str().unwrap()]);
    assert_eq!(
        imported.out,
        "club: 6 contests with 33 results from 6 documents: 6 new, 0 revised, 0 unchanged\n"
    );
    let imported = imported.says("computed 1 run of the dataset from these results");
    imported.says("next: ranklore leaderboard club");
    let hash = ["check", "--hash"];
    assert_eq!(other.ok(&hash).out, club.ok(&hash).out);
    let again = other.json(&EXPORT_EVERYTHING);
    assert_eq!(again["snapshot"], snapshot);
    assert_eq!(out.tables(), FolderSnapshot::read(&other.path("out")).tables());
}

#[test]
fn json_reports_written_and_verified_files() {
    let club = rated_club();
    let exported = club.json(&EXPORT_EVERYTHING);
    assert_eq!(
        exported["rows"],
        json!({"contest": 6, "standing": 33, "member": 0, "competitor": 8, "rating": 27,
            "rating_run": 1})
    );
    let out = FolderSnapshot::read(&club.path("out"));
    assert_eq!(exported["folder"], "out");
    assert_eq!(exported["files"], out.paths().len());
    assert_eq!(exported["changes"], json!(null));
    assert_eq!(exported["remarks"], json!([]));
    let bytes = exported["bytes"].as_u64().unwrap();
    let checked = club.json(&["verify", "out"]);
    assert_eq!(checked["snapshot"], exported["snapshot"]);
    assert_eq!(checked["problems"], json!([]));
    assert_eq!(checked["problems_in_all"], 0);
    assert_eq!(checked["bytes"], bytes, "all but the sums themselves");
    let other = Scratch::new();
    let imported = other.json(&["import", club.path("out").to_str().unwrap()]);
    assert_eq!(imported["source"], "club");
    assert_eq!(imported["contests"]["added"], 6);
}

#[test]
fn same_results_give_the_same_bytes() {
    let club = rated_club();
    club.ok(&EXPORT_EVERYTHING);
    club.ok(&[
        "export",
        "club",
        "--to",
        "more/again/",
        "--format",
        ALL_FORMATS,
        "--with",
        "ratings",
    ]);
    let [one, other] = ["out", "more/again"].map(|name| FolderSnapshot::read(&club.path(name)));
    assert_eq!(one, other);
}
