//! Verification detects every kind of defect in an otherwise valid dataset.

use std::fs;
use std::path::Path;

use ranklore_publish::{DatasetFormat, Error, NoExportProgress, verify};
use ranklore_test_support::World;
use serde_json::json;

use super::exports::{Exports as _, exported_sample, files, problems};
use super::reseal::{
    edit_file, edit_manifest, table_file, update_checksums, update_manifest_and_checksums,
};

/// Returns the problems of a CSV dataset after editing a table and updating all checksums.
fn problems_after_edit(table: &str, change: impl FnOnce(String) -> String) -> Vec<String> {
    let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
    edit_file(&table_file(&folder, table), change);
    update_manifest_and_checksums(&folder);
    let mut found_problems = problems(&folder);
    let rows = format!("table {table} as csv has ");
    assert!(
        found_problems.iter().any(|problem| problem.starts_with(&rows)),
        "{found_problems:?}"
    );
    // Drops the digest and count mismatches that every edit of rows causes.
    found_problems.retain(|problem| !problem.starts_with(&rows) && !problem.starts_with("source "));
    found_problems
}

fn problems_after_replace(table: &str, from: &str, to: &str) -> Vec<String> {
    problems_after_edit(table, |text| {
        assert_eq!(text.matches(from).count(), 1, "{from:?} in {text}");
        text.replace(from, to)
    })
}

/// Edits the lines of a text.
fn edit_lines(change: impl FnOnce(&mut Vec<String>)) -> impl FnOnce(String) -> String {
    |text| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        change(&mut lines);
        lines.iter().map(|line| format!("{line}\r\n")).collect()
    }
}

#[test]
fn flipped_byte_in_any_file_is_detected() {
    let (_world, folder) = exported_sample(&DatasetFormat::ALL);
    for (path, bytes) in files(&folder) {
        let full = folder.join(&path);
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 2] ^= 1;
        fs::write(&full, &flipped).unwrap();
        match verify(&folder, &NoExportProgress) {
            Ok(checked) => assert_ne!(checked.problems, Vec::<String>::new(), "{path}"),
            Err(error) => assert_eq!(path, "datapackage.json", "{error}"),
        }
        fs::write(&full, &bytes).unwrap();
    }
    assert_eq!(problems(&folder), Vec::<String>::new());
}

#[test]
fn removed_file_is_detected() {
    let (_world, folder) = exported_sample(&DatasetFormat::ALL);
    for (path, bytes) in files(&folder) {
        let full = folder.join(&path);
        fs::remove_file(&full).unwrap();
        match verify(&folder, &NoExportProgress) {
            Ok(checked) => {
                let named = checked.problems.iter().any(|problem| problem.contains(&path));
                assert!(named, "{path}: {:?}", checked.problems);
            }
            Err(error) => assert!(matches!(error, Error::NoDataset { .. }), "{path}: {error}"),
        }
        fs::write(&full, &bytes).unwrap();
    }
}

#[test]
fn truncated_file_is_detected() {
    let (_world, folder) = exported_sample(&DatasetFormat::ALL);
    for (path, bytes) in files(&folder) {
        let full = folder.join(&path);
        fs::write(&full, &bytes[..bytes.len() - 1]).unwrap();
        if let Ok(checked) = verify(&folder, &NoExportProgress) {
            // The last checksum line is truncated.
            let noticed = !checked.problems.is_empty() || path == "SHA256SUMS";
            assert!(noticed, "{path}");
        }
        fs::write(&full, &bytes).unwrap();
    }
}

#[test]
fn added_file_is_detected() {
    let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    fs::write(folder.join("csv/more.csv"), "mine").unwrap();
    assert_eq!(
        problems(&folder),
        [
            "csv/more.csv is not in SHA256SUMS",
            "notes.txt is not in SHA256SUMS"
        ]
    );
}

#[test]
fn changed_checksums_are_detected() {
    let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
    edit_file(&folder.join("SHA256SUMS"), |text| {
        let line = text.lines().find(|line| line.ends_with("README.md")).unwrap();
        let first = if line.starts_with('0') { "1" } else { "0" };
        text.replace(line, &format!("{first}{}", &line[1..]))
    });
    assert_eq!(problems(&folder), ["README.md does not match its checksum in SHA256SUMS"]);
    update_checksums(&folder);
    assert_eq!(problems(&folder), Vec::<String>::new());
    edit_file(&folder.join("SHA256SUMS"), edit_lines(|all| drop(all.remove(0))));
    assert_eq!(problems(&folder), ["CHANGELOG.md is not in SHA256SUMS"]);
}

#[test]
fn checksums_of_paths_outside_are_detected() {
    let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
    let sum = "0".repeat(64);
    edit_file(&folder.join("SHA256SUMS"), |text| {
        format!("{text}{sum}  ../ranklore.sqlite\n{sum}  /etc/hosts\nhello\n")
    });
    let reported = problems(&folder);
    assert_eq!(reported.len(), 3, "{reported:?}");
    assert!(
        reported.iter().all(|problem| problem.ends_with(": invalid checksum line")),
        "{reported:?}"
    );
}

#[test]
fn missing_row_is_detected() {
    let reported = problems_after_edit("contest", edit_lines(|all| drop(all.remove(3))));
    assert_eq!(
        reported,
        [
            "contest lantern \"10\" has 0 standings, but lists 2 entrants",
            "standing, row 7: it belongs to no contest, or is out of order",
            "rating, row 7: it belongs to no contest, or is out of order",
        ]
    );
}

#[test]
fn duplicate_row_is_detected() {
    let double =
        |at: usize| edit_lines(move |all: &mut Vec<String>| all.insert(at, all[at].clone()));
    let reported = problems_after_edit("contest", double(4));
    assert_eq!(
        reported[0],
        "contest, row 5 (lantern \"10\"): it is a duplicate or out of order"
    );
    let reported = problems_after_edit("standing", double(10));
    assert_eq!(
        reported[..2],
        [
            "standing, row 11 (lantern \"10\", \"owl\"): it is a duplicate",
            "contest lantern \"10\" has 3 standings, but lists 2 entrants",
        ]
    );
    let reported = problems_after_edit("competitor", double(5));
    assert!(reported[0].ends_with("is a duplicate or out of order"));
    let reported = problems_after_edit("member", double(1));
    assert_eq!(reported[0], "member, row 2: ordinal must be 2");
    let reported = problems_after_edit("rating_run", double(1));
    assert_eq!(reported[0], "rating_run, row 2: run must be 2");
    let reported = problems_after_edit("rating", double(1));
    assert!(reported[0].ends_with("is a duplicate or out of order"));
}

#[test]
fn swapped_rows_are_detected() {
    let reported = problems_after_edit("contest", edit_lines(|all| all.swap(3, 4)));
    assert_eq!(reported[1], "contest, row 4 (lantern \"x\"): it is a duplicate or out of order");
    let reported = problems_after_edit("standing", edit_lines(|all| all.swap(4, 5)));
    assert_eq!(reported, ["standing, row 5 (lantern \"9\", \"mossfinch\"): it is out of order"]);
    let reported = problems_after_edit("competitor", edit_lines(|all| all.swap(2, 3)));
    assert_eq!(reported.len(), 1, "{reported:?}");
    let reported = problems_after_edit("rating", edit_lines(|all| all.swap(3, 4)));
    assert_eq!(reported.len(), 1, "{reported:?}");
}

#[test]
fn place_that_breaks_a_tie_is_detected() {
    let reported = problems_after_replace("standing", "tern,2,17", "tern,3,17");
    // Place 3 is valid without a tie for place 2.
    assert_eq!(reported, Vec::<String>::new());
    let reported = problems_after_replace("standing", "mossfinch,2,17", "mossfinch,1,17");
    assert_eq!(
        reported,
        [
            "standing, row 5 (lantern \"9\", \"tern\"): its place is 2, but must be 3, or 1 for a tie"
        ]
    );
    let reported = problems_after_replace("standing", "tern,2,17", "tern,4,17");
    assert_eq!(reported.len(), 1, "{reported:?}");
}

#[test]
fn place_below_one_is_detected() {
    for place in ["0", "-1"] {
        let reported = problems_after_replace(
            "standing",
            "larkspur7,1,4306.5",
            &format!("larkspur7,{place},4306.5"),
        );
        assert_eq!(reported.len(), 1, "{reported:?}");
        assert!(
            reported[0].contains(&format!("its place is {place}, but must be 1")),
            "{reported:?}"
        );
    }
}

#[test]
fn place_with_status_is_detected() {
    let both = ["owl,4,,,dnf,\r\n", "owl,,,,,\r\n", "owl,,,,late,\r\n"];
    for row in both {
        let reported = problems_after_replace("standing", "owl,,,,dnf,\r\n", row);
        let expected = "it must have either a place or a status of dnf or dq";
        assert!(reported[0].ends_with(expected), "{reported:?}");
    }
}

#[test]
fn unknown_side_is_detected() {
    let reported = problems_after_replace("standing", "owl,,,,dnf,\r\n", "owl,,,,dnf,left\r\n");
    assert!(reported[0].ends_with("its side \"left\" is unknown"), "{reported:?}");
}

#[test]
fn missing_competitor_is_detected() {
    let reported = problems_after_edit(
        "competitor",
        edit_lines(|all| {
            all.retain(|line| !line.starts_with("lantern,person,mossfinch"));
        }),
    );
    assert_eq!(reported.len(), 4, "{reported:?}");
    let is_missing = |reported: &String| {
        reported.ends_with("its competitor is missing from the table competitor")
    };
    assert!(reported.iter().all(is_missing), "{reported:?}");
    let reported = problems_after_edit(
        "competitor",
        edit_lines(|all| {
            all.retain(|line| !line.starts_with("gulls,person,Dot"));
        }),
    );
    assert_eq!(reported, ["member, row 1: person \"Dot\" is missing from the table competitor"]);
    let reported = problems_after_edit(
        "competitor",
        edit_lines(|all| {
            all.retain(|line| !line.starts_with("lantern,person,wren"));
        }),
    );
    assert_eq!(reported, ["competitor, row 9: merged_into names no competitor of the table"]);
}

#[test]
fn members_without_team_are_detected() {
    let reported = problems_after_replace("member", "Dot & Ida,2", "Dot & Ida,3");
    assert_eq!(reported, ["member, row 2: ordinal must be 2"]);
    let reported = problems_after_replace("member", "Eve & Fay,2", "Dot & Ida,3");
    assert_eq!(reported.len(), 1, "{reported:?}");
}

#[test]
fn wrong_entrant_count_is_detected() {
    let reported = problems_after_edit("contest", |text| text.replace(",4\r\n", ",5\r\n"));
    assert_eq!(reported, ["contest lantern \"9\" has 4 standings, but lists 5 entrants"]);
}

#[test]
fn end_before_start_and_wrong_order_are_detected() {
    let reported =
        problems_after_replace("contest", "2020-09-13T10:26:40Z", "2020-09-13T12:26:41Z");
    assert_eq!(reported, ["contest, row 2 (lantern \"9\"): it ends before it starts"]);
    let reported =
        problems_after_replace("contest", "2020-09-13T12:26:40Z", "2022-09-13T12:26:40Z");
    let expected = "it is a duplicate or out of order";
    assert!(reported[0].ends_with(expected), "{reported:?}");
}

#[test]
fn invalid_state_and_weight_are_detected() {
    let reported = problems_after_replace("contest", ",provisional,", ",running,");
    assert_eq!(
        reported,
        ["contest, row 1 (gulls \"7\"): its state is not provisional, final or unrated"]
    );
    let reported = problems_after_replace("contest", ",false,0.5,", ",false,0,");
    assert!(reported[0].contains("its weight lies outside"), "{reported:?}");
}

#[test]
fn invalid_starting_ratings_are_detected() {
    for wrong in [",,80,", ",1620.5,0,", ",1620.5,-80,"] {
        let reported = problems_after_replace("competitor", ",1620.5,80,", wrong);
        assert!(reported[0].contains("start_sigma"), "{reported:?}");
    }
}

#[test]
fn ratings_without_run_or_negative_are_detected() {
    let reported = problems_after_edit("rating", |text| text.replace("gulls,7,1,", "gulls,7,3,"));
    assert_eq!(
        reported,
        vec![
            "rating, row 1 (\"7\"): its run does not exist".to_owned(),
            "rating, row 2 (\"7\"): its run does not exist".to_owned()
        ]
    );
    let reported = problems_after_edit("rating", |text| text.replacen(",0.1,", ",-0.1,", 1));
    assert_eq!(reported, ["rating, row 1 (\"7\"): its sigma is below 0"]);
    let reported = problems_after_edit("rating_run", |text| text.replacen("{\"\"rho", "{rho", 1));
    assert_eq!(reported.len(), 1, "{reported:?}");
}

#[test]
fn changed_digest_is_detected() {
    let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
    edit_manifest(&folder, |package| {
        package["ranklore"]["tables"][1]["digest"] = json!("0".repeat(64));
    });
    update_manifest_and_checksums(&folder);
    let reported = problems(&folder);
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert_eq!(reported[0], "table standing as csv has rows that do not match its digest");
    assert!(reported[1].starts_with("snapshot is "), "{reported:?}");
}

#[test]
fn changed_row_count_is_detected() {
    let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
    edit_manifest(&folder, |package| {
        package["ranklore"]["tables"][2]["rows"] = json!(5);
    });
    update_manifest_and_checksums(&folder);
    assert_eq!(problems(&folder), ["table member as csv has 4 rows, but the manifest lists 5"]);
}

#[test]
fn changed_snapshot_is_detected() {
    let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
    edit_manifest(&folder, |package| {
        package["ranklore"]["snapshot"] = json!("0".repeat(64));
    });
    update_manifest_and_checksums(&folder);
    let reported = problems(&folder);
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert!(reported[0].starts_with("snapshot is 0000"), "{reported:?}");
}

#[test]
fn changed_file_length_is_detected() {
    let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
    edit_manifest(&folder, |package| {
        package["ranklore"]["files"][0]["bytes"] = json!(u64::MAX);
    });
    update_checksums(&folder);
    let reported = problems(&folder);
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert!(reported[0].starts_with("csv/competitor.csv has "), "{reported:?}");
}

#[test]
fn checksums_differing_from_manifest_are_detected() {
    let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
    edit_manifest(&folder, |package| {
        package["ranklore"]["files"][0]["sha256"] = json!("0".repeat(64));
    });
    update_checksums(&folder);
    assert_eq!(
        problems(&folder),
        ["SHA256SUMS and datapackage.json have different checksums of csv/competitor.csv"]
    );
}

#[test]
fn undeclared_or_miscounted_source_is_detected() {
    let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
    let package = fs::read(folder.join("datapackage.json")).unwrap();
    let problems_after = |change: &dyn Fn(&mut serde_json::Value)| {
        fs::write(folder.join("datapackage.json"), &package).unwrap();
        edit_manifest(&folder, |package| {
            change(&mut package["ranklore"]["sources"]);
        });
        update_manifest_and_checksums(&folder);
        problems(&folder)
    };
    let missing = problems_after(&|sources| drop(sources.as_array_mut().unwrap().remove(0)));
    assert_eq!(missing, ["source gulls has results, but is missing from the manifest"]);
    for member in ["contests", "standings", "competitors"] {
        let wrong = problems_after(&|sources| sources[1][member] = json!(100));
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains("lantern") && wrong[0].contains(member), "{wrong:?}");
    }
}

/// Returns the problems of a dataset in two formats after editing one and updating all checksums.
fn problems_of_format(form: DatasetFormat, edit_it: impl FnOnce(&Path)) -> Vec<String> {
    let (_world, folder) = exported_sample(&[DatasetFormat::Parquet, form]);
    edit_it(&folder);
    update_manifest_and_checksums(&folder);
    problems(&folder)
}

#[test]
fn differences_between_formats_are_detected() {
    let reported = problems_of_format(DatasetFormat::Csv, |folder| {
        edit_file(&folder.join("csv/standing.csv"), |text| text.replace("4306.5", "4306.25"));
    });
    assert_eq!(reported, ["table standing as csv has rows that do not match its digest"]);
    let reported = problems_of_format(DatasetFormat::JsonLines, |folder| {
        edit_file(&folder.join("jsonl/standing.jsonl"), |text| text.replace("4306.5", "4306.25"));
    });
    assert_eq!(reported, ["table standing as jsonl has rows that do not match its digest"]);
    let reported = problems_of_format(DatasetFormat::EloMmr, |folder| {
        edit_file(&folder.join("elo-mmr/lantern/000001.json"), |text| {
            text.replace("4306.5", "4306.25")
        });
    });
    assert_eq!(reported, ["table standing as elo-mmr has rows that do not match its digest"]);
    let reported = problems_of_format(DatasetFormat::Sqlite, |folder| {
        let connection = rusqlite::Connection::open(folder.join("dataset.sqlite")).unwrap();
        let changed =
            connection.execute("UPDATE standing SET score = 4306.25 WHERE score > 18", []);
        assert_eq!(changed.unwrap(), 1);
    });
    assert_eq!(reported, ["table standing as sqlite has rows that do not match its digest"]);
}

#[test]
fn missing_partition_is_detected() {
    let mut world = super::exports::sample_world();
    let run = world.write_run("lantern", "elo", 1500.0);
    let mut export = super::exports::ExportSpec::new("out", &super::exports::SOURCES)
        .with_formats(&[DatasetFormat::Parquet])
        .with_runs(&[run]);
    export.selection.by_year = true;
    world.export(&export).unwrap();
    let folder = world.path("out");
    assert_eq!(problems(&folder), Vec::<String>::new());
    edit_manifest(&folder, |package| {
        let files = package["ranklore"]["files"].as_array_mut().unwrap();
        files.retain(|file| {
            !file["path"].as_str().unwrap().ends_with("source=lantern/year=2020/0.parquet")
        });
    });
    update_manifest_and_checksums(&folder);
    let reported = problems(&folder);
    assert!(
        reported
            .iter()
            .any(|problem| problem.starts_with("table standing as parquet has ")),
        "{reported:?}"
    );
}

#[test]
fn places_not_following_scores_are_a_warning() {
    let mut world = World::new();
    let places = [
        ([1, 2, 3], [2.0, 3.0, 1.0]),
        // A tie with different scores.
        ([1, 1, 3], [3.0, 2.0, 1.0]),
        // Valid, with the lowest score first.
        ([1, 1, 3], [1.0, 1.0, 2.0]),
    ];
    for ((places, scores), id) in places.into_iter().zip(1..) {
        let [a, b, c] = places.map(Some);
        let mut contest =
            super::exports::contest(&id.to_string(), 1_000 * id, &[("a", a), ("b", b), ("c", c)]);
        for (entrant, score) in contest.entrants.iter_mut().zip(scores) {
            entrant.score = Some(score);
        }
        world.import("gulls", &[(contest, ranklore_contest::Annotations::default())]);
    }
    let exported = world.export(&super::exports::ExportSpec::new("out", &["gulls"])).unwrap();
    let [remark] = &exported.remarks[..] else {
        panic!("{:?}", exported.remarks);
    };
    assert!(remark.starts_with("in 2 contests "), "{remark}");
}
