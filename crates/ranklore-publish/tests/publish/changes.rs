//! Changes against an older dataset, in `CHANGELOG.md` and in the report.

use std::collections::BTreeMap;
use std::fs;

use ranklore_contest::{Annotations, EntrantOutcome};
use ranklore_publish::{DatasetChanges, DatasetFormat, Error, NoExportProgress, TableId};
use ranklore_test_support::{World, rename, withdraw};

use super::exports::{ExportSpec, Exports as _, SOURCES, contest, contests, sample_world};

fn export() -> ExportSpec {
    ExportSpec::new("out", &SOURCES).with_formats(&[DatasetFormat::Csv])
}

fn changelog(world: &World) -> String {
    fs::read_to_string(world.path("out/CHANGELOG.md")).unwrap()
}

fn keys(changed: &[ranklore_publish::ChangedContest]) -> Vec<&str> {
    changed.iter().map(|contest| contest.contest.as_str()).collect()
}

/// Returns a world without the last contest of source `lantern`, and a complete one with one
/// contest revised.
fn old_and_new() -> (World, World) {
    let mut old = contests();
    old.get_mut("lantern").unwrap().pop();
    let mut new = contests();
    new.remove("gulls");
    let (second, _) = &mut new.get_mut("lantern").unwrap()[1];
    second.entrants[1].outcome = EntrantOutcome::DidNotFinish;
    let world = |all: BTreeMap<&str, Vec<_>>| {
        let mut world = World::new();
        for (name, contests) in all {
            world.import(name, &contests);
        }
        world
    };
    (world(old), world(new))
}

#[test]
fn first_dataset_has_no_changes() {
    let world = sample_world();
    let exported = world.export(&export()).unwrap();
    assert_eq!(exported.changes, None);
    let text = changelog(&world);
    assert_eq!(text.matches("\n## ").count(), 1, "{text}");
    assert!(text.contains("- first export"), "{text}");
}

#[test]
fn added_revised_and_removed_contests_are_listed() {
    let (before, now) = old_and_new();
    let first = before.export(&export()).unwrap();
    let against = ExportSpec {
        against: Some(before.path("out")),
        ..export()
    };
    let exported = now.export(&against).unwrap();
    let changes = exported.changes.unwrap();
    assert_eq!(changes.from, first.snapshot.to_string());
    assert_eq!(changes.to, exported.snapshot.to_string());
    assert_eq!(keys(&changes.added), ["x"]);
    assert_eq!(keys(&changes.revised), ["10"]);
    assert_eq!(keys(&changes.removed), ["7"]);
    let removed = &changes.removed[0];
    assert_eq!((removed.source.as_str(), removed.entrants), ("gulls", 2));
    assert_eq!((removed.name.as_str(), removed.ends_at), ("Lantern Round 7", 1_650_000_000));
    assert!(!changes.ratings_changed && changes.competitors_changed);
    assert_eq!(changes.rows, [(TableId::Member, 4, 0), (TableId::Competitor, 11, 5)]);
    let text = changelog(&now);
    for line in [
        "- 1 contest new:\n  - 2021-12-20 lantern Lantern Round x, 2 entrants\n",
        "- 1 contest revised:\n  - 2021-12-20 lantern Lantern Round 10, 2 entrants\n",
        "- 1 contest removed:\n  - 2022-04-15 gulls Lantern Round 7, 2 entrants\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let again =
        DatasetChanges::between(&before.path("out"), &now.path("out"), &NoExportProgress).unwrap();
    assert_eq!(again, changes);
}

#[test]
fn changes_do_not_depend_on_format() {
    let (before, now) = old_and_new();
    before.export(&export()).unwrap();
    let mut exported = Vec::new();
    for form in DatasetFormat::ALL {
        let against = ExportSpec {
            against: Some(before.path("out")),
            ..export().with_formats(&[form])
        };
        exported.push(now.export(&against).unwrap().changes.unwrap());
    }
    assert!(exported.iter().all(|changes| *changes == exported[0]), "{exported:?}");
}

#[test]
fn replaced_dataset_keeps_its_changelog() {
    let mut world = sample_world();
    world.export(&export()).unwrap();
    let first = changelog(&world);
    let new = contest("11", 1_660_000_000, &[("tern", Some(1)), ("owl", Some(2))]);
    world.import("lantern", &[(new, Annotations::default())]);
    let exported = world.export(&export()).unwrap();
    assert_eq!(keys(&exported.changes.unwrap().added), ["11"]);
    let second = changelog(&world);
    assert_eq!(second.matches("\n## ").count(), 2, "{second}");
    let history = first.split_once("\n## ").unwrap().1;
    assert!(second.ends_with(history), "{second}");
    assert!(world.record_decision("lantern", &withdraw("11")).unwrap());
    let exported = world.export(&export()).unwrap();
    assert_eq!(keys(&exported.changes.unwrap().revised), ["11"]);
    let third = changelog(&world);
    assert_eq!(third.matches("\n## ").count(), 3, "{third}");
    assert!(third.ends_with(second.split_once("\n## ").unwrap().1), "{third}");
}

#[test]
fn dataset_with_damaged_tables_is_replaced() {
    // Half a line, a missing line, another number, a missing file.
    let damages: [fn(&str) -> Option<String>; 4] = [
        |csv| Some(csv[..csv.len() / 2].to_owned()),
        |csv| Some(csv[..=csv.trim_end().rfind('\n').unwrap()].to_owned()),
        |csv| Some(csv.replacen(",2,", ",3,", 1)),
        |_| None,
    ];
    for damage in damages {
        let mut world = sample_world();
        world.export(&export()).unwrap();
        let first = changelog(&world);
        let path = world.path("out/csv/standing.csv");
        let csv = fs::read_to_string(&path).unwrap();
        match damage(&csv) {
            Some(damaged) => {
                assert_ne!(damaged, csv);
                fs::write(&path, damaged).unwrap();
            }
            None => fs::remove_file(&path).unwrap(),
        }
        let new = contest("11", 1_660_000_000, &[("tern", Some(1)), ("owl", Some(2))]);
        world.import("lantern", &[(new, Annotations::default())]);
        // An explicit baseline that is damaged is an error.
        let to = world.path("out");
        let against = ExportSpec {
            against: Some(to.clone()),
            ..ExportSpec::new("other", &SOURCES)
        };
        world.export(&against).unwrap_err();
        let exported = world.export(&export()).unwrap();
        assert_eq!(exported.changes, None);
        let remark = exported.remarks.last().unwrap();
        assert!(remark.starts_with("changes are unknown"), "{remark}");
        let second = changelog(&world);
        assert!(second.contains("\n- changes are unknown"), "{second}");
        let history = first.split_once("\n## ").unwrap().1;
        assert!(second.ends_with(history), "{second}");
        let checked = ranklore_publish::verify(&to, &NoExportProgress).unwrap();
        assert_eq!(checked.problems, Vec::<String>::new());
    }
}

#[cfg(unix)]
#[test]
fn dataset_with_unreadable_file_is_left_alone() {
    let mut world = sample_world();
    world.export(&export()).unwrap();
    let path = world.path("out/csv/standing.csv");
    let csv = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("standing.csv", &path).unwrap();
    let new = contest("11", 1_660_000_000, &[("tern", Some(1)), ("owl", Some(2))]);
    world.import("lantern", &[(new, Annotations::default())]);
    let before = changelog(&world);
    let error = world.export(&export()).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
    assert_eq!(changelog(&world), before);
    // A retry may open it.
    fs::remove_file(&path).unwrap();
    fs::write(&path, csv).unwrap();
    let exported = world.export(&export()).unwrap();
    assert_eq!(keys(&exported.changes.unwrap().added), ["11"]);
}

#[test]
fn unchanged_export_adds_no_changelog_entry() {
    let mut world = sample_world();
    for _ in 0..3 {
        let exported = world.export(&export()).unwrap();
        assert!(exported.changes.is_none_or(|changes| changes.is_empty()));
    }
    let text = changelog(&world);
    assert_eq!(text.matches("\n## ").count(), 1, "{text}");
    let run = world.write_run("lantern", "elo", 1500.0);
    let exported = world.export(&export().with_runs(&[run])).unwrap();
    let changes = exported.changes.unwrap();
    assert!(changes.ratings_changed && !changes.competitors_changed && !changes.is_empty());
    let with_ratings = changelog(&world);
    assert_eq!(with_ratings.matches("\n## ").count(), 2, "{with_ratings}");
    assert!(with_ratings.contains("- ratings: changed"), "{with_ratings}");
}

#[test]
fn changed_ratings_with_equal_counts_are_listed() {
    let mut world = sample_world();
    let run = world.write_run("lantern", "elo", 1500.0);
    world.export(&export().with_runs(std::slice::from_ref(&run))).unwrap();
    let mut other = contests();
    let (first, _) = &mut other.get_mut("lantern").unwrap()[0];
    assert_eq!(first.external_id, "9");
    let mut again = World::new();
    for (name, contests) in contests() {
        again.import(name, &contests);
    }
    let run = again.write_run("lantern", "elo", 1600.0);
    let against = ExportSpec {
        against: Some(world.path("out")),
        ..export().with_runs(&[run])
    };
    let changes = again.export(&against).unwrap().changes.unwrap();
    assert!(changes.ratings_changed && !changes.is_empty() && changes.rows.is_empty());
    assert!(changelog(&again).contains("- ratings: changed"));
}

#[test]
fn renamed_competitor_is_listed_without_contests() {
    let mut world = sample_world();
    world.export(&export()).unwrap();
    assert!(world.record_decision("lantern", &rename("tern", "Terry")).unwrap());
    let changes = world.export(&export()).unwrap().changes.unwrap();
    assert!(changes.competitors_changed && changes.revised.is_empty() && !changes.is_empty());
    let text = changelog(&world);
    assert!(text.contains("- competitors: some added, removed or renamed"), "{text}");
}

#[test]
fn invalid_baseline_writes_nothing() {
    let world = sample_world();
    let against = ExportSpec {
        against: Some(world.path("nowhere")),
        ..export()
    };
    let error = world.export(&against).unwrap_err();
    assert!(matches!(error, Error::NoDataset { .. }), "{error}");
    assert!(!world.path("out").exists());
}
