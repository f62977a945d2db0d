//! Exports before and after a person is forgotten.

use std::fs;

use ranklore_contest::{Beside, EntrantKind, Known};
use ranklore_ingest::forget;
use ranklore_publish::{Format, Naming};
use ranklore_test_support::{World, at, source};

use super::exports::{Export, Exports as _, contest, files, known, lanterns};
use super::privacy::{holds, readable};

/// Spellings of the person's name, and a contest named after her.
const CALLED: [&str; 4] = ["ada-bell", "Ada Bell", "ADA-BELL", "Bell"];

const NAMINGS: [Naming; 3] = [Naming::Real, Naming::Pseudonyms([9; 32]), Naming::Numbers];

/// Returns a world with Ada Bell in two contests, one of them named after her.
fn with_ada() -> World {
    let mut world = lanterns();
    let beside = Beside {
        competitors: vec![Known {
            name: Some("Ada Bell".to_owned()),
            ..known(EntrantKind::Person, "ada-bell")
        }],
        ..Beside::default()
    };
    let standings = [("ada-bell", Some(1)), ("owl", Some(2)), ("tern", None)];
    let first = contest("11", 1_660_000_000, &standings);
    let mut named_after = contest("12", 1_670_000_000, &standings);
    "Ada Bell Cup".clone_into(&mut named_after.name);
    world.import(
        "lantern",
        &[(first, beside), (named_after, Beside::default())],
    );
    world
}

/// Renames the contest and forgets the person.
fn forget_ada(world: &mut World) {
    let standings = [("ada-bell", Some(1)), ("owl", Some(2)), ("tern", None)];
    let mut renamed = contest("12", 1_670_000_000, &standings);
    "Winter Cup".clone_into(&mut renamed.name);
    world.import("lantern", &[(renamed, Beside::default())]);
    let lantern = source("lantern");
    let silent = &ranklore_replay::Silent;
    forget(
        &mut world.store,
        &lantern,
        "ada-bell",
        at(1_800_000_000),
        silent,
    )
    .unwrap();
}

fn export(naming: Naming) -> Export {
    Export::of("out", &["lantern"]).named(naming)
}

fn changelog(world: &World) -> String {
    fs::read_to_string(world.path("out/CHANGELOG.md")).unwrap()
}

#[test]
fn name_is_in_no_byte_of_later_export() {
    for naming in NAMINGS {
        for by_year in [false, true] {
            let mut world = with_ada();
            let runs = [world.write_run("lantern", "elo", 1500.0)];
            let mut export = export(naming).with(&runs);
            export.selection.by_year = by_year;
            world.export(&export).unwrap();
            let before = readable(&world.path("out"));
            let is_named = |bytes: &Vec<u8>| holds(bytes, b"Ada Bell");
            assert!(before.values().any(is_named), "{naming:?}");
            forget_ada(&mut world);
            // The first export replaces a dataset with the name, the second one without.
            for _ in 0..2 {
                world.export(&export).unwrap();
                for (path, bytes) in readable(&world.path("out")) {
                    for name in CALLED {
                        let found = path.contains(name) || holds(&bytes, name.as_bytes());
                        assert!(!found, "{name} is in {path} ({naming:?})");
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
fn changelog_does_not_tell_who_was_forgotten() {
    for naming in NAMINGS {
        let mut world = with_ada();
        let export = export(naming).in_forms(&[Format::Csv]);
        let first = world.export(&export).unwrap();
        forget_ada(&mut world);
        let second = world.export(&export).unwrap();
        assert_eq!(second.changes, None);
        let remark = second.remarks.last().unwrap();
        assert!(remark.starts_with("people were forgotten"), "{remark}");
        let to = second.snapshot.to_string();
        let begun = format!(
            "# Changes\n\nThe newest first, by snapshot.\n\n## {}\n\n- people were forgotten: other \
             changes and earlier entries are omitted\n",
            &to[..12]
        );
        assert_eq!(changelog(&world), begun, "{naming:?}");
        // The hash would allow testing a guessed name.
        for (path, bytes) in readable(&world.path("out")) {
            let older = &first.snapshot.to_string()[..12];
            assert!(!holds(&bytes, older.as_bytes()), "{path}");
        }
        let new = contest("13", 1_680_000_000, &[("tern", Some(1)), ("owl", Some(2))]);
        world.import("lantern", &[(new, Beside::default())]);
        let third = world.export(&export).unwrap();
        assert_eq!(third.changes.unwrap().added[0].contest, "13");
        let history = begun.split_once("\n## ").unwrap().1;
        assert!(changelog(&world).ends_with(history), "{naming:?}");
    }
}

#[test]
fn changelog_of_another_dataset_does_not_tell_who_was_forgotten() {
    let mut world = with_ada();
    let old = export(Naming::Real).in_forms(&[Format::Csv]);
    world.export(&old).unwrap();
    forget_ada(&mut world);
    let against = Export {
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
fn damaged_dataset_keeps_no_history_of_forgotten_people() {
    let mut world = with_ada();
    let export = export(Naming::Real).in_forms(&[Format::Csv]);
    world.export(&export).unwrap();
    fs::remove_file(world.path("out/csv/standing.csv")).unwrap();
    forget_ada(&mut world);
    world.export(&export).unwrap();
    assert_eq!(changelog(&world).matches("\n## ").count(), 1);
}
