//! Import of datasets.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::EXPORT_EVERYTHING;
use super::folder::FolderSnapshot;
use crate::support::{Scratch, contest, fixtures};

/// Returns a dataset of two sources in `out`.
fn club_and_pub() -> Scratch {
    let club = Scratch::club();
    club.write("pub.json", contest(1, 1, &[&["a"], &["b"]]));
    club.ok(&["import", "pub.json", "--source", "pub"]);
    club.ok(&["export", "club", "pub", "--to", "out"]);
    club
}

fn out_path(scratch: &Scratch) -> String {
    scratch.path("out").to_str().unwrap().to_owned()
}

#[test]
fn sources_can_be_renamed_on_import() {
    let club = Scratch::club();
    club.ok(&EXPORT_EVERYTHING[..4]);
    let other = Scratch::new();
    let done = other.ok(&["import", &out_path(&club), "--source", "harbour"]);
    assert!(done.out.starts_with("harbour: 6 contests"), "{}", done.out);
    assert_eq!(other.rows("SELECT name FROM source"), ["harbour"]);
    let both = club_and_pub();
    let other = Scratch::new();
    other
        .run(&["import", &out_path(&both), "--source", "harbour"])
        .exits(2)
        .says("several sources, which keep their names: leave out --source");
    assert_eq!(other.list("."), [""; 0]);
    let done = other.ok(&["import", &out_path(&both)]);
    assert!(done.out.starts_with("club: 6 contests"), "{}", done.out);
    assert!(done.out.contains("\npub: 1 contest with 2 results"), "{}", done.out);
    let report = other.json(&["import", &out_path(&both)]);
    let sources: Vec<_> = report.as_array().unwrap().iter().map(|row| &row["source"]).collect();
    assert_eq!(sources, [&json!("club"), &json!("pub")]);
}

#[test]
fn every_format_imports_equally_and_twice_adds_nothing() {
    let club = club_and_pub();
    for form in ["parquet", "csv", "jsonl", "elo-mmr", "sqlite"] {
        club.ok(&["export", "club", "pub", "--to", "out", "--format", form]);
        club.ok(&["verify", "out"]);
        let other = Scratch::new();
        other.ok(&["import", &out_path(&club)]);
        assert_eq!(other.content_hash(), club.content_hash(), "{form}");
        let before = other.everything();
        let again = other.ok(&["import", &out_path(&club)]);
        assert!(again.out.contains("0 new, 0 revised, 6 unchanged"), "{}", again.out);
        assert!(other.everything() == before, "{form}");
        other.ok(&["rebuild"]);
        assert_eq!(other.content_hash(), club.content_hash(), "{form}");
    }
}

#[test]
fn later_dataset_adds_new_and_corrected_contests() {
    let club = club_and_pub();
    let other = Scratch::new();
    other.ok(&["import", &out_path(&club)]);
    club.write("pub.json", contest(1, 1, &[&["b"], &["a"]]));
    club.write("pub2.json", contest(2, 2, &[&["b"], &["a"]]));
    club.ok(&["import", "pub.json", "pub2.json", "--source", "pub"]);
    club.ok(&["export", "club", "pub", "--to", "out"]);
    let done = other.ok(&["import", &out_path(&club)]);
    assert!(done.out.contains("1 new, 1 revised, 0 unchanged"), "{}", done.out);
    other.ok(&["export", "club", "pub", "--to", "out"]);
    let tables = |scratch: &Scratch| FolderSnapshot::read(&scratch.path("out")).tables();
    assert_eq!(tables(&other), tables(&club));
}

#[test]
fn invalid_dataset_is_refused_as_a_whole() {
    let club = club_and_pub();
    // Edits the second source: the first must not be imported without it.
    let csv = FolderSnapshot::read(&club.path("out")).text("csv/standing.csv").to_owned();
    club.write("out/csv/standing.csv", csv.replace("pub,1,person,b", "pub,1,person,c"));
    let other = Scratch::new();
    for options in [&[][..], &["--dry-run"]] {
        let done = other.run(&[&["import", &out_path(&club)][..], options].concat()).exits(1);
        done.says("is not a valid dataset: ")
            .says("csv/standing.csv")
            .says("ranklore verify ");
        assert_eq!(other.list("."), [""; 0]);
    }
    let done = other.run(&["import", &out_path(&club)]).exits(1);
    done.says("nothing was imported");
    // Existing data is unchanged.
    club.run(&["import", "out"]).exits(1);
    assert_eq!(club.store().check().unwrap(), []);
}

#[test]
fn files_that_are_no_dataset_need_source_name() {
    let scratch = Scratch::new();
    let club = fixtures().join("club");
    let club = club.to_str().unwrap();
    scratch
        .run(&["import", club])
        .exits(2)
        .says("--source NAME is missing")
        .says("such as --source club;")
        .says("only a dataset");
    scratch
        .run(&["import", "Spring Run (2024).csv"])
        .exits(2)
        .says("such as --source spring-run-2024;");
    let both = club_and_pub();
    scratch
        .run(&["import", &out_path(&both), club, "--source", "club"])
        .exits(2)
        .says("is a dataset; import it in a command without other paths");
    assert_eq!(scratch.list("."), [""; 0]);
}

#[test]
fn dry_run_shows_changes_of_a_dataset() {
    let both = club_and_pub();
    let scratch = Scratch::new();
    let done = scratch.ok(&["import", &out_path(&both), "--dry-run"]);
    assert!(done.out.contains("club:\n"), "{}", done.out);
    assert!(
        done.out
            .contains("dry run, nothing written: 6 contests with 33 results, 0 refused\npub:\n"),
        "{}",
        done.out
    );
    assert!(done.out.contains("Round 1"), "{}", done.out);
    let report = scratch.json(&["import", &out_path(&both), "--dry-run"]);
    assert_eq!(report[1]["source"], "pub");
    assert_eq!(report[1]["contests"][0]["name"], "Round 1");
    assert_eq!(report[0]["results"], 33);
    both.ok(&["export", "pub", "--to", "out"]);
    let report = scratch.json(&["import", &out_path(&both), "--dry-run", "--source", "inn"]);
    assert_eq!((&report["source"], &report["dry_run"]), (&json!("inn"), &json!(true)));
    assert_eq!(scratch.list("."), [""; 0]);
}

#[test]
fn decisions_and_starting_ratings_are_imported() {
    let scratch = Scratch::new();
    scratch.write(
        "a.csv",
        "contest,date,player,place,start rating\nX,2024-01-01,ada,1,1700\nX,2024-01-01,bea,2,\n\
         X,2024-01-01,cyd,3,\nY,2024-01-08,ada l,2,\nY,2024-01-08,bea,1,\n",
    );
    scratch.ok(&["import", "a.csv", "--source", "club"]);
    scratch.ok(&["competitor", "merge", "club", "ada l", "ada"]);
    scratch.ok(&["competitor", "rename", "club", "bea", "Beatrix Moor"]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&EXPORT_EVERYTHING);
    scratch.ok(&["verify", "out"]);
    let other = Scratch::new();
    other.ok(&["import", &out_path(&scratch)]);
    other.ok(&["rate", "club"]);
    other.ok(&EXPORT_EVERYTHING);
    let tables = |club: &Scratch| FolderSnapshot::read(&club.path("out")).tables();
    assert_eq!(tables(&other), tables(&scratch));
    let board = |club: &Scratch| club.json(&["leaderboard", "club"])["rows"].clone();
    assert_eq!(board(&other), board(&scratch));
}

/// Person 2 of one dataset is not person 2 of the other.
#[test]
fn numbers_of_two_datasets_are_not_mixed() {
    let club = Scratch::club();
    let numbered = ["export", "club", "--to", "out", "--names", "none"];
    club.ok(&numbered);
    let other = Scratch::new();
    other.ok(&["import", &out_path(&club)]);
    let before = other.everything();
    other.ok(&["import", &out_path(&club)]);
    club.write("early.json", contest(900, 1, &[&["zed"], &["Oona Pereskaya"]]));
    club.ok(&["import", "early.json", "--source", "club"]);
    club.ok(&numbered);
    other
        .run(&["import", &out_path(&club)])
        .exits(1)
        .says("a dataset without names numbers people differently");
    assert!(other.everything() == before);
    other.ok(&["import", &out_path(&club), "--source", "later"]);
}

#[test]
fn site_terms_apply_under_any_source_name() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 1, &[&["gulls"], &["otters"]]));
    scratch.ok(&["import", "1.json", "--source", "ctftime"]);
    scratch.ok(&["export", "ctftime", "--to", "out", "--i-have-permission"]);
    let mut from = out_path(&scratch);
    let mut hands = Vec::new();
    // Passes from database to database, and through every command that rewrites documents.
    for (name, forgets) in [("mine", false), ("yours", true), ("theirs", false)] {
        let other = Scratch::new();
        other.ok(&["import", &from, "--source", name]);
        if forgets {
            other.ok(&["forget", "--yes", name, "otters"]);
        }
        other.ok(&["rebuild", name]);
        other
            .run(&["export", name, "--to", "out"])
            .exits(1)
            .says("the terms of ctftime do not allow everyone to publish the results");
        other.ok(&["export", name, "--to", "out", "--i-have-permission"]);
        let card = std::fs::read_to_string(other.path("out/README.md")).unwrap();
        assert!(card.contains("CTFtime"), "{card}");
        from = out_path(&other);
        hands.push(other);
    }
}

/// Edits the entry of the only source in the manifest and updates the checksums.
fn edit_source(scratch: &Scratch, change: impl FnOnce(&mut Value)) {
    let path = scratch.path("out/datapackage.json");
    let before = std::fs::read_to_string(&path).unwrap();
    let mut package: Value = serde_json::from_str(&before).unwrap();
    change(&mut package["ranklore"]["sources"][0]);
    let after = package.to_string();
    std::fs::write(path, &after).unwrap();
    let path = scratch.path("out/SHA256SUMS");
    let sums = std::fs::read_to_string(&path).unwrap();
    let sum = |text: &str| format!("{:x}", Sha256::digest(text));
    let sealed = sums.replace(&sum(&before), &sum(&after));
    assert_ne!(sealed, sums);
    std::fs::write(path, sealed).unwrap();
}

#[test]
fn site_terms_apply_by_source_name_alone() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 1, &[&["gulls"], &["otters"]]));
    scratch.ok(&["import", "1.json", "--source", "ctftime"]);
    scratch.ok(&["export", "ctftime", "--to", "out", "--i-have-permission"]);
    edit_source(&scratch, |source| {
        source.as_object_mut().unwrap().remove("sites").unwrap();
    });
    let other = Scratch::new();
    other.ok(&["import", &out_path(&scratch), "--source", "mine"]);
    other
        .run(&["export", "mine", "--to", "out"])
        .exits(1)
        .says("the terms of ctftime do not allow everyone to publish the results");
}

#[test]
fn results_of_unknown_site_keep_their_name() {
    let club = Scratch::club();
    club.ok(&EXPORT_EVERYTHING[..4]);
    edit_source(&club, |source| {
        source["sites"] = json!(["unheard-of"]);
        source["by_permission"] = json!(true);
    });
    let other = Scratch::new();
    other
        .run(&["import", &out_path(&club), "--source", "mine"])
        .exits(2)
        .says("by the terms of a site that is not known here");
    other.ok(&["import", &out_path(&club)]);
}
