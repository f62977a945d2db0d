//! Property test: a pruned archive gives the same database as the whole archive.

use std::cell::Cell;
use std::fmt::Write as _;

use proptest::prelude::*;
use ranklore_contest::UnixSeconds;
use ranklore_ingest::{ImportRequest, PruneRequest, forget, import, preview_prune, prune, rebuild};
use ranklore_replay::{NoProgress, rate};
use ranklore_store::{Store, Writer};
use ranklore_test_support::{RunSpec, TempDatabase, at, merge, rename, source, withdraw};

use super::import_request;

thread_local! {
    /// The current time; advances by 1 s with each step.
    static NOW: Cell<i64> = const { Cell::new(1_800_000_000) };
}

fn now() -> UnixSeconds {
    at(NOW.get())
}

const FILES: u64 = 4;
const VERSIONS: u64 = 3;

#[derive(Clone, Debug)]
enum Step {
    /// Imports these versions of these files together.
    Import(Vec<(u64, u64)>),
    /// Prunes documents of this many steps ago.
    Prune(i64),
    Rate,
    Merge(u64, u64),
    Rename(u64),
    Withdraw(u64),
    Forget(u64),
    Rebuild,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => prop::collection::vec((0..FILES, 0..VERSIONS), 1..4).prop_map(Step::Import),
        3 => (0..6_i64).prop_map(Step::Prune),
        1 => Just(Step::Rate),
        1 => (0..6_u64, 0..6_u64).prop_map(|(a, b)| Step::Merge(a, b)),
        1 => (0..6_u64).prop_map(Step::Rename),
        1 => (0..4_u64).prop_map(Step::Withdraw),
        1 => (0..6_u64).prop_map(Step::Forget),
        1 => Just(Step::Rebuild),
    ]
}

/// Returns a table with some of four contests among six people, some with a starting rating.
/// Several files have the same contest with different results.
fn table(file: u64, version: u64) -> String {
    let mut seed = file * VERSIONS + version + 1;
    let mut next = |below: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut table = "contest,date,place,name,starting rating\n".to_owned();
    for contest in 0..4 {
        if next(2) == 0 {
            continue;
        }
        let from = next(6);
        for place in 0..2 + next(4) {
            let rating = if next(3) == 0 {
                1400 + next(3) * 100
            } else {
                0
            };
            let rating = if rating == 0 {
                String::new()
            } else {
                rating.to_string()
            };
            let person = (from + place) % 6;
            let _ = writeln!(
                table,
                "round {contest},2024-01-0{},{},person {person},{rating}",
                contest + 1,
                place + 1
            );
        }
    }
    table
}

fn apply_step(scratch: &TempDatabase, writer: &mut Writer, step: &Step, prunes: bool) {
    match step {
        Step::Import(files) => {
            // The folder does not exist before the first import.
            let _ = std::fs::remove_dir_all(scratch.path("in"));
            for &(file, version) in files {
                scratch.write(&format!("in/{file}.csv"), table(file, version));
            }
            let request = ImportRequest {
                clock: now,
                ..import_request(scratch)
            };
            import(writer, &request, &NoProgress).unwrap();
        }
        &Step::Prune(ago) => {
            if !prunes {
                return;
            }
            let request = PruneRequest {
                source: None,
                until: at(NOW.get() - ago),
            };
            let before = writer.content_hash().unwrap();
            let would = preview_prune(writer, &request).unwrap();
            assert_eq!(prune(writer, &request).unwrap(), would);
            assert_eq!(prune(writer, &request).unwrap().documents, 0);
            assert_eq!(writer.content_hash().unwrap(), before);
            assert_eq!(writer.check().unwrap(), []);
        }
        // Fails if there is nothing to rate.
        Step::Rate => drop(rate(writer, RunSpec::elo_mmr(&().into()).request(), &NoProgress)),
        Step::Rebuild => drop(rebuild(writer, &[], now, &NoProgress).unwrap()),
        Step::Forget(person) => {
            // Fails if no person has this name.
            let name = format!("person {person}");
            drop(forget(writer, &source("club"), &name, now(), &NoProgress));
        }
        Step::Merge(..) | Step::Rename(_) | Step::Withdraw(_) => decide(writer, step),
    }
}

/// Makes a decision; an invalid one is refused in both databases alike.
fn decide(writer: &mut Writer, step: &Step) {
    let Some(club) = writer.source_id(&source("club")).unwrap() else {
        return;
    };
    let decision = match step {
        Step::Merge(a, b) => merge(&format!("person {a}"), &format!("person {b}")),
        Step::Rename(a) => rename(&format!("person {a}"), &format!("the name of {a}")),
        Step::Withdraw(contest) => {
            let contests = writer.all_contests().unwrap();
            let Some(row) = contests.get(*contest as usize) else {
                return;
            };
            withdraw(&row.external_id)
        }
        _ => return,
    };
    let mut batch = writer.batch().unwrap();
    if batch.record_decision(club, &decision, None, now()).is_ok() {
        batch.commit().unwrap();
    }
}

fn open_writer(scratch: &TempDatabase, name: &str) -> Writer {
    Store::open_writer(scratch.path(name), "a test").unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 25,
        ..ProptestConfig::default()
    })]

    #[test]
    fn pruned_archive_rebuilds_like_whole_archive(
        steps in prop::collection::vec(step(), 3..14),
    ) {
        let scratch = TempDatabase::new();
        let (mut full, mut pruned) = (open_writer(&scratch, "whole"), open_writer(&scratch, "pruned"));
        for step in steps.iter().chain([&Step::Rate, &Step::Prune(0)]) {
            NOW.set(NOW.get() + 1);
            apply_step(&scratch, &mut full, step, false);
            apply_step(&scratch, &mut pruned, step, true);
            let a = full.content_hash().unwrap();
            let b = pruned.content_hash().unwrap();
            prop_assert_eq!(a, b, "{:?}", step);
        }
        let before = full.content_hash().unwrap();
        // If all contests are withdrawn, the run keeps its ratings until a rebuild empties it.
        let something = rate(&mut full, RunSpec::elo_mmr(&().into()).request(), &NoProgress).is_ok();
        rebuild(&mut full, &[], now, &NoProgress).unwrap();
        let after = full.content_hash().unwrap();
        if something {
            prop_assert_eq!(after, before, "without pruning");
        }
        rebuild(&mut pruned, &[], now, &NoProgress).unwrap();
        prop_assert_eq!(pruned.content_hash().unwrap(), after);
        prop_assert_eq!(pruned.check().unwrap(), []);
    }
}
