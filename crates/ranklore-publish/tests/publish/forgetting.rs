//! Exports before and after a person is forgotten.

use std::fs;

use ranklore_contest::{Annotations, CompetitorFacts, EntrantKind};
use ranklore_ingest::forget;
use ranklore_publish::{DatasetFormat, ExportNaming};
use ranklore_test_support::{World, at, source};

use super::exports::{ExportSpec, Exports as _, competitor_facts, contest, files, sample_world};
use super::privacy::{contains, readable_files};

/// Spellings of the person's name, and a contest named after her.
const ADA_SPELLINGS: [&str; 4] = ["ada-bell", "Ada Bell", "ADA-BELL", "Bell"];

const NAME_POLICIES: [ExportNaming; 3] = [
    ExportNaming::Real,
    ExportNaming::Pseudonyms([9; 32]),
    ExportNaming::Numbers,
];

/// Returns a world with Ada Bell in two contests, one of them named after her.
fn world_with_ada() -> World {
    let mut world = sample_world();
    let annotations = Annotations {
        competitors: vec![CompetitorFacts {
            name: Some("Ada Bell".to_owned()),
            ..competitor_facts(EntrantKind::Person, "ada-bell")
        }],
        ..Annotations::default()
    };
    let standings = [("ada-bell", Some(1)), ("owl", Some(2)), ("tern", None)];
    let first = contest("11", 1_660_000_000, &standings);
    let mut named_after = contest("12", 1_670_000_000, &standings);
    "Ada Bell Cup".clone_into(&mut named_after.name);
    world.import("lantern", &[(first, annotations), (named_after, Annotations::default())]);
    world
}

/// Renames the contest and forgets the person.
fn forget_ada(world: &mut World) {
    let standings = [("ada-bell", Some(1)), ("owl", Some(2)), ("tern", None)];
    let mut renamed = contest("12", 1_670_000_000, &standings);
    "Winter Cup".clone_into(&mut renamed.name);
    world.import("lantern", &[(renamed, Annotations::default())]);
    let lantern = source("lantern");
    let silent = &ranklore_replay::NoProgress;
    forget(&mut world.store, &lantern, "ada-bell", at(1_800_000_000), silent).unwrap();
}

fn export(naming: ExportNaming) -> ExportSpec {
    ExportSpec::new("out", &["lantern"]).with_names(naming)
}

fn changelog(world: &World) -> String {
    fs::read_to_string(world.path("out/CHANGELOG.md")).unwrap()
}

#[test]
fn forgotten_name_is_in_no_byte_of_later_export() {
    for naming in NAME_POLICIES {
        for by_year in [false, true] {
            let mut world = world_with_ada();
            let runs = [world.write_run("lantern", "elo", 1500.0)];
            let mut export = export(naming).with_runs(&runs);
            export.selection.by_year = by_year;
            world.export(&export).unwrap();
            let before = readable_files(&world.path("out"));
            let is_named = |bytes: &Vec<u8>| contains(bytes, b"Ada Bell");
            assert!(before.values().any(is_named), "{naming:?}");
            forget_ada(&mut world);
            // The first export replaces a dataset with the name, the second one without.
            for _ in 0..2 {
                world.export(&export).unwrap();
                for (path, bytes) in readable_files(&world.path("out")) {
                    for name in ADA_SPELLINGS {
                        let has_name = path.contains(name) || contains(&bytes, name.as_bytes());
                        assert!(!has_name, "{name} is in {path} ({naming:?})");
                    }
                }
            }
            let left = files(world.folder()).into_keys();
            let left: Vec<String> = left.filter(|path| path.starts_with(".out")).collect();
            assert_eq!(left, Vec::<String>::new());
        }
    }
}

#[test]
fn changelog_does_not_reveal_forgotten_person() {
    for naming in NAME_POLICIES {
        let mut world = world_with_ada();
        let export = export(naming).with_formats(&[DatasetFormat::Csv]);
        let first = world.export(&export).unwrap();
        forget_ada(&mut world);
        let second = world.export(&export).unwrap();
        assert_eq!(second.changes, None);
        let remark = second.remarks.last().unwrap();
        assert!(remark.starts_with("people were forgotten"), "{remark}");
        let to = second.snapshot.to_string();
        let expected = format!(
            "# Changes\n\nThe newest first, by snapshot.\n\n## {}\n\n- people were forgotten: other \
             changes and earlier entries are omitted\n",
            &to[..12]
        );
        assert_eq!(changelog(&world), expected, "{naming:?}");
        // The hash would allow testing a guessed name.
        for (path, bytes) in readable_files(&world.path("out")) {
            let older = &first.snapshot.to_string()[..12];
            assert!(!contains(&bytes, older.as_bytes()), "{path}");
        }
        let new = contest("13", 1_680_000_000, &[("tern", Some(1)), ("owl", Some(2))]);
        world.import("lantern", &[(new, Annotations::default())]);
        let third = world.export(&export).unwrap();
        assert_eq!(third.changes.unwrap().added[0].contest, "13");
        let history = expected.split_once("\n## ").unwrap().1;
        assert!(changelog(&world).ends_with(history), "{naming:?}");
    }
}

#[test]
fn changelog_against_other_dataset_hides_forgotten() {
    let mut world = world_with_ada();
    let old = export(ExportNaming::Real).with_formats(&[DatasetFormat::Csv]);
    world.export(&old).unwrap();
    forget_ada(&mut world);
    let against = ExportSpec {
        to: "new",
        against: Some(world.path("out")),
        ..old
    };
    assert_eq!(world.export(&against).unwrap().changes, None);
    let text = fs::read_to_string(world.path("new/CHANGELOG.md")).unwrap();
    assert!(text.contains("- people were forgotten"), "{text}");
    assert_eq!(text.matches("\n## ").count(), 1, "{text}");
}

#[test]
fn damaged_dataset_loses_history_of_forgotten() {
    let mut world = world_with_ada();
    let export = export(ExportNaming::Real).with_formats(&[DatasetFormat::Csv]);
    world.export(&export).unwrap();
    fs::remove_file(world.path("out/csv/standing.csv")).unwrap();
    forget_ada(&mut world);
    world.export(&export).unwrap();
    assert_eq!(changelog(&world).matches("\n## ").count(), 1);
}
