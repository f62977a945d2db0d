//! Equal results give equal bytes, whatever database they are in.

use std::collections::BTreeMap;

use proptest::prelude::*;
use ranklore_contest::{Beside, Contest, Known};
use ranklore_publish::Naming;
use ranklore_test_support::{World, merge, rename, source, withdraw};

use super::exports::{Export, Exports as _, SOURCES, contests, files, lanterns};

fn written(world: &World, export: &Export) -> BTreeMap<String, Vec<u8>> {
    world.export(export).unwrap();
    files(&world.path(export.to))
}

fn equal(a: &BTreeMap<String, Vec<u8>>, b: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (path, bytes) in a {
        assert!(b[path] == *bytes, "{path} differs");
    }
}

#[test]
fn the_same_file_is_written_the_same_twice() {
    let mut world = lanterns();
    let run = world.write_run("lantern", "elo", 1500.0);
    for by_year in [false, true] {
        let mut one = Export::of("one", &SOURCES).with(std::slice::from_ref(&run));
        one.selection.by_year = by_year;
        let other = Export {
            to: "other",
            ..one.clone()
        };
        equal(&written(&world, &one), &written(&world, &other));
    }
}

#[test]
fn the_order_of_what_is_asked_for_does_not_matter() {
    let world = lanterns();
    let turned: Vec<&str> = SOURCES.iter().rev().copied().collect();
    let (mut one, mut other) = (Export::of("one", &SOURCES), Export::of("other", &turned));
    one.formats.sort();
    other.formats.sort();
    other.formats.reverse();
    equal(&written(&world, &one), &written(&world, &other));
}

/// Returns the same results, imported in reverse order.
fn turned() -> World {
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
fn the_order_in_which_results_came_does_not_matter() {
    let (mut world, mut turned) = (lanterns(), turned());
    let ids = |world: &World| {
        let name = source("lantern");
        let source_id = world.store.source_id(&name).unwrap().unwrap();
        let contests = world.store.contests_of(source_id).unwrap();
        contests.iter().map(|of| of.contest_id).collect::<Vec<_>>()
    };
    assert_ne!(ids(&world), ids(&turned));
    let run = world.write_run("lantern", "elo", 1500.0);
    for naming in [Naming::Real, Naming::Numbers, Naming::Pseudonyms([1; 32])] {
        let export = Export::of("out", &SOURCES).named(naming);
        equal(&written(&world, &export), &written(&turned, &export));
        assert_eq!(
            world.identify(&export.selection),
            turned.identify(&export.selection)
        );
    }
    // Run numbers differ in the database and are equal in the dataset.
    turned.write_run("gulls", "elo", 1500.0);
    let other = turned.write_run("lantern", "elo", 1500.0);
    assert_ne!(run.run_id, other.run_id);
    let rated = |world: &World, run| written(world, &Export::of("rated", &SOURCES).with(&[run]));
    let (a, b) = (rated(&world, run), rated(&turned, other));
    equal(
        &a.into_iter()
            .filter(|(path, _)| path.contains("rating_run"))
            .collect(),
        &b.into_iter()
            .filter(|(path, _)| path.contains("rating_run"))
            .collect(),
    );
}

/// Returns the snapshot of [`contests`] with one contest of source `lantern` changed.
fn changed(index: usize, change: impl FnOnce(&mut Contest, &mut Beside)) -> String {
    let mut all = contests();
    let (contest, beside) = &mut all.get_mut("lantern").unwrap()[index];
    change(contest, beside);
    let mut world = World::new();
    for (name, contests) in all {
        let report = world.import(name, &contests);
        assert_eq!(report.refused.len(), 0, "{:?}", report.refused);
    }
    world
        .identify(&Export::of("", &SOURCES).selection)
        .to_string()
}

#[test]
fn whatever_is_changed_is_another_snapshot() {
    let mut all = vec![
        changed(0, |_, _| {}),
        changed(0, |contest, _| contest.entrants[0].score = Some(4306.25)),
        changed(0, |contest, _| contest.entrants[0].penalty = None),
        changed(0, |contest, _| contest.entrants[2].competitor.push('s')),
        changed(0, |contest, _| {
            contest.entrants[3].outcome = ranklore_contest::Outcome::Disqualified;
        }),
        changed(0, |_, beside| {
            beside.competitors[0].name = Some("Bea".to_owned());
        }),
        changed(0, |_, beside| drop(beside.competitors.remove(2))),
        changed(0, |_, beside| beside.rated = false),
        changed(1, |contest, _| contest.weight = 2.0),
        changed(1, |contest, _| contest.name.push('!')),
        changed(1, |contest, _| contest.ordinal = None),
        changed(1, |contest, _| contest.url = None),
        changed(1, |contest, _| contest.starts_at = None),
        changed(1, |contest, _| contest.site_weight = None),
        changed(2, |contest, _| contest.entrants.swap(0, 1)),
    ];
    all.sort();
    let many = all.len();
    all.dedup();
    assert_eq!(all.len(), many);
}

#[test]
fn decisions_of_people_are_another_snapshot() {
    let mut world = lanterns();
    let selection = Export::of("", &SOURCES).selection;
    let mut all = vec![world.identify(&selection).to_string()];
    for decision in [
        withdraw("10"),
        rename("tern", "Terry"),
        merge("tern", "mossfinch"),
    ] {
        assert!(world.decide("lantern", &decision).unwrap());
        all.push(world.identify(&selection).to_string());
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 4);
}

#[test]
fn ratings_are_no_other_snapshot() {
    let mut world = lanterns();
    let export = Export::of("out", &SOURCES);
    let before = world.export(&export).unwrap().snapshot;
    let run = world.write_run("lantern", "elo", 1500.0);
    let with = export.with(&[run]);
    assert_eq!(world.export(&with).unwrap().snapshot, before);
    assert_eq!(world.identify(&with.selection), before);
}

#[test]
fn forms_are_no_other_snapshot() {
    let world = lanterns();
    let mut snapshots = Vec::new();
    for form in ranklore_publish::Format::ALL {
        let export = Export::of("out", &SOURCES).in_forms(&[form]);
        snapshots.push(world.export(&export).unwrap().snapshot);
    }
    assert!(snapshots.iter().all(|of| *of == snapshots[0]));
}

/// The snapshot of the first order.
static FIRST: std::sync::OnceLock<[String; 2]> = std::sync::OnceLock::new();

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_import_gives_the_same_snapshot(
        order in Just((0..24_usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let mut world = World::new();
        for index in &order {
            let place = |who: usize| u32::try_from(who + 1).ok();
            let names: Vec<String> = (0..5).map(|who| format!("p{}", (index * 7 + who * 3) % 11)).collect();
            let standings: Vec<_> = names.iter().enumerate().map(|(who, name)| (&**name, place(who))).collect();
            let contest = super::exports::contest(&index.to_string(), 1_000 + (*index as i64 / 3), &standings);
            let beside = Beside {
                competitors: vec![Known {
                    name: Some(format!("Name {}", names[0])),
                    ..super::exports::known(ranklore_contest::EntrantKind::Person, &names[0])
                }],
                ..Beside::default()
            };
            world.import("gulls", &[(contest, beside)]);
        }
        let said = ["real", "none"].map(|naming| {
            let naming = if naming == "real" { Naming::Real } else { Naming::Numbers };
            let export = Export::of("", &["gulls"]).named(naming);
            world.identify(&export.selection).to_string()
        });
        prop_assert_eq!(FIRST.get_or_init(|| said.clone()), &said);
    }
}
