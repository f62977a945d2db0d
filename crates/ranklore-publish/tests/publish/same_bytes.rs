//! Equal results give equal bytes, whatever database they are in.

use std::collections::BTreeMap;

use proptest::prelude::*;
use ranklore_contest::{Annotations, CompetitorFacts, Contest};
use ranklore_publish::ExportNaming;
use ranklore_test_support::{World, merge, rename, source, withdraw};

use super::exports::{ExportSpec, Exports as _, SOURCES, contests, files, sample_world};

fn exported_files(world: &World, export: &ExportSpec) -> BTreeMap<String, Vec<u8>> {
    world.export(export).unwrap();
    files(&world.path(export.to))
}

fn assert_equal_files(a: &BTreeMap<String, Vec<u8>>, b: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (path, bytes) in a {
        assert!(b[path] == *bytes, "{path} differs");
    }
}

#[test]
fn export_twice_gives_same_bytes() {
    let mut world = sample_world();
    let run = world.write_run("lantern", "elo", 1500.0);
    for by_year in [false, true] {
        let mut one = ExportSpec::new("one", &SOURCES).with_runs(std::slice::from_ref(&run));
        one.selection.by_year = by_year;
        let other = ExportSpec {
            to: "other",
            ..one.clone()
        };
        assert_equal_files(&exported_files(&world, &one), &exported_files(&world, &other));
    }
}

#[test]
fn order_of_request_does_not_matter() {
    let world = sample_world();
    let turned: Vec<&str> = SOURCES.iter().rev().copied().collect();
    let (mut one, mut other) =
        (ExportSpec::new("one", &SOURCES), ExportSpec::new("other", &turned));
    one.formats.sort();
    other.formats.sort();
    other.formats.reverse();
    assert_equal_files(&exported_files(&world, &one), &exported_files(&world, &other));
}

/// Returns the same results, imported in reverse order.
fn sample_in_reverse_order() -> World {
    let mut world = World::new();
    for (name, mut contests) in contests().into_iter().rev() {
        contests.reverse();
        for contest in contests {
            let report = world.import(name, &[contest]);
            assert_eq!(report.refused.len(), 0, "{:?}", report.refused);
        }
    }
    world
}

#[test]
fn import_order_does_not_matter() {
    let mut world = sample_world();
    let mut turned = sample_in_reverse_order();
    let ids = |world: &World| {
        let name = source("lantern");
        let source_id = world.store.source_id(&name).unwrap().unwrap();
        let contests = world.store.contests_of_source(source_id).unwrap();
        contests.iter().map(|contest| contest.contest_id).collect::<Vec<_>>()
    };
    assert_ne!(ids(&world), ids(&turned));
    let run = world.write_run("lantern", "elo", 1500.0);
    for naming in [
        ExportNaming::Real,
        ExportNaming::Numbers,
        ExportNaming::Pseudonyms([1; 32]),
    ] {
        let export = ExportSpec::new("out", &SOURCES).with_names(naming);
        assert_equal_files(&exported_files(&world, &export), &exported_files(&turned, &export));
        assert_eq!(world.identify(&export.selection), turned.identify(&export.selection));
    }
    // Run numbers differ in the database and are equal in the dataset.
    turned.write_run("gulls", "elo", 1500.0);
    let other = turned.write_run("lantern", "elo", 1500.0);
    assert_ne!(run.run_id, other.run_id);
    let rated = |world: &World, run| {
        exported_files(world, &ExportSpec::new("rated", &SOURCES).with_runs(&[run]))
    };
    let (a, b) = (rated(&world, run), rated(&turned, other));
    assert_equal_files(
        &a.into_iter().filter(|(path, _)| path.contains("rating_run")).collect(),
        &b.into_iter().filter(|(path, _)| path.contains("rating_run")).collect(),
    );
}

/// Returns the snapshot of [`contests`] with one contest of source `lantern` changed.
fn snapshot_after(index: usize, change: impl FnOnce(&mut Contest, &mut Annotations)) -> String {
    let mut all = contests();
    let (contest, annotations) = &mut all.get_mut("lantern").unwrap()[index];
    change(contest, annotations);
    let mut world = World::new();
    for (name, contests) in all {
        let report = world.import(name, &contests);
        assert_eq!(report.refused.len(), 0, "{:?}", report.refused);
    }
    world.identify(&ExportSpec::new("", &SOURCES).selection).to_string()
}

#[test]
fn any_change_gives_another_snapshot() {
    let mut all = vec![
        snapshot_after(0, |_, _| {}),
        snapshot_after(0, |contest, _| contest.entrants[0].score = Some(4306.25)),
        snapshot_after(0, |contest, _| contest.entrants[0].penalty = None),
        snapshot_after(0, |contest, _| contest.entrants[2].competitor.push('s')),
        snapshot_after(0, |contest, _| {
            contest.entrants[3].outcome = ranklore_contest::EntrantOutcome::Disqualified;
        }),
        snapshot_after(0, |_, annotations| {
            annotations.competitors[0].name = Some("Bea".to_owned());
        }),
        snapshot_after(0, |_, annotations| drop(annotations.competitors.remove(2))),
        snapshot_after(0, |_, annotations| annotations.rated = false),
        snapshot_after(1, |contest, _| contest.weight = 2.0),
        snapshot_after(1, |contest, _| contest.name.push('!')),
        snapshot_after(1, |contest, _| contest.ordinal = None),
        snapshot_after(1, |contest, _| contest.url = None),
        snapshot_after(1, |contest, _| contest.starts_at = None),
        snapshot_after(1, |contest, _| contest.site_weight = None),
        snapshot_after(2, |contest, _| contest.entrants.swap(0, 1)),
    ];
    all.sort();
    let many = all.len();
    all.dedup();
    assert_eq!(all.len(), many);
}

#[test]
fn decisions_give_another_snapshot() {
    let mut world = sample_world();
    let selection = ExportSpec::new("", &SOURCES).selection;
    let mut all = vec![world.identify(&selection).to_string()];
    for decision in [
        withdraw("10"),
        rename("tern", "Terry"),
        merge("tern", "mossfinch"),
    ] {
        assert!(world.record_decision("lantern", &decision).unwrap());
        all.push(world.identify(&selection).to_string());
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 4);
}

#[test]
fn ratings_do_not_change_the_snapshot() {
    let mut world = sample_world();
    let export = ExportSpec::new("out", &SOURCES);
    let before = world.export(&export).unwrap().snapshot;
    let run = world.write_run("lantern", "elo", 1500.0);
    let with = export.with_runs(&[run]);
    assert_eq!(world.export(&with).unwrap().snapshot, before);
    assert_eq!(world.identify(&with.selection), before);
}

#[test]
fn format_does_not_change_the_snapshot() {
    let world = sample_world();
    let mut snapshots = Vec::new();
    for form in ranklore_publish::DatasetFormat::ALL {
        let export = ExportSpec::new("out", &SOURCES).with_formats(&[form]);
        snapshots.push(world.export(&export).unwrap().snapshot);
    }
    assert!(snapshots.iter().all(|snapshot| *snapshot == snapshots[0]));
}

/// The snapshot of the first order.
static FIRST_SNAPSHOT: std::sync::OnceLock<[String; 2]> = std::sync::OnceLock::new();

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn any_import_order_gives_the_same_snapshot(
        order in Just((0..24_usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let mut world = World::new();
        for index in &order {
            let place = |index_in_field: usize| u32::try_from(index_in_field + 1).ok();
            let names: Vec<String> = (0..5).map(|index_in_field| format!("p{}", (index * 7 + index_in_field * 3) % 11)).collect();
            let standings: Vec<_> = names.iter().enumerate().map(|(index_in_field, name)| (&**name, place(index_in_field))).collect();
            let contest = super::exports::contest(&index.to_string(), 1_000 + (*index as i64 / 3), &standings);
            let annotations = Annotations {
                competitors: vec![CompetitorFacts {
                    name: Some(format!("Name {}", names[0])),
                    ..super::exports::competitor_facts(ranklore_contest::EntrantKind::Person, &names[0])
                }],
                ..Annotations::default()
            };
            world.import("gulls", &[(contest, annotations)]);
        }
        let snapshots = ["real", "none"].map(|naming| {
            let naming = if naming == "real" { ExportNaming::Real } else { ExportNaming::Numbers };
            let export = ExportSpec::new("", &["gulls"]).with_names(naming);
            world.identify(&export.selection).to_string()
        });
        prop_assert_eq!(FIRST_SNAPSHOT.get_or_init(|| snapshots.clone()), &snapshots);
    }
}
