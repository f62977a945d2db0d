//! Problems that the check finds, and valid states that it accepts.

use ranklore_contest::EntrantKind;
use ranklore_store::{Decision, Problem};
use ranklore_test_support::{TempDatabase, at, contest, import_contest, source};

use crate::maintenance::filled_database;

#[test]
fn check_finds_cycles_bad_rows_and_pending_vacuum() {
    let scratch = filled_database(2);
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let club = batch.source_id(&source("club")).unwrap().unwrap();
    for (subject, into) in [("ada", "dot"), ("dot", "eve")] {
        let decision = Decision::Merge {
            kind: EntrantKind::Person,
            subject: subject.into(),
            into: into.into(),
        };
        assert!(batch.record_decision(club, &decision, None, at(1)).unwrap());
    }
    batch.commit().unwrap();
    assert_eq!(writer.check().unwrap(), [], "a chain is not a cycle");
    let mut batch = writer.batch().unwrap();
    batch.add_tombstone(club, "zoe", at(1)).unwrap();
    batch.commit().unwrap();
    let unswept = Problem::PendingVacuum {
        persons: 1,
        source_name: "club".into(),
    };
    assert_eq!(
        unswept.to_string(),
        "1 forgotten person is still in free pages"
    );
    assert_eq!(writer.check().unwrap(), [unswept]);
    writer.vacuum(at(2)).unwrap();
    drop(writer);
    scratch
        .open_raw()
        .execute_batch(
            "UPDATE competitor SET merged_into =
                 (SELECT competitor_id FROM competitor WHERE external_id = 'ada')
             WHERE external_id = 'eve';
             INSERT INTO rating_run VALUES (1, 's', '{}', '{}', 'e', 1, 1, 2, 2, zeroblob(32));
             INSERT INTO run_contest VALUES (1, 0, 1, 1, zeroblob(32)), (1, 1, 2, 1, zeroblob(32));
             INSERT INTO rating (run_id, contest_id, competitor_id, mu, sigma)
             VALUES (1, 1, 1, 0, 0), (1, 1, 2, 0, 0);",
        )
        .unwrap();
    let problems = scratch.open_reader().check().unwrap();
    assert!(
        matches!(
            &problems[..],
            [Problem::MergeCycle { .. }, Problem::RunMismatch { reason, .. }]
                if reason.starts_with("2 of its contests")
        ),
        "{problems:?}"
    );
    let chain = "UPDATE run_contest SET chain = randomblob(32)";
    scratch.open_raw().execute_batch(chain).unwrap();
    let problems = scratch.open_reader().check().unwrap();
    assert!(
        matches!(
            &problems[..],
            [Problem::MergeCycle { .. }, Problem::RunMismatch { reason, .. }]
                if reason.starts_with("its last hash")
        ),
        "{problems:?}"
    );
}

/// Creates competitors that are merged in a cycle, which no decision can create.
fn merge_cycle(members: i64) -> TempDatabase {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let names: Vec<String> = (0..members).map(|member| format!("p{member}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    import_contest(&mut batch, "club", 1, &contest("x", 5, &names));
    batch.commit().unwrap();
    drop(writer);
    scratch
        .open_raw()
        .execute_batch(
            "UPDATE competitor SET merged_into = coalesce(
                 (SELECT min(competitor_id) FROM competitor AS next
                  WHERE next.competitor_id > competitor.competitor_id),
                 (SELECT min(competitor_id) FROM competitor))",
        )
        .unwrap();
    scratch
}

#[test]
fn merge_cycle_terminates() {
    let scratch = merge_cycle(50);
    let store = scratch.open_reader();
    let club = store.source_id(&source("club")).unwrap().unwrap();
    let begun = std::time::Instant::now();
    let merges = store.merges(club).unwrap();
    assert_eq!(merges.len(), 50);
    for (account, _) in merges {
        store.merge_root(account).unwrap();
    }
    // Quadratic steps took a minute.
    let took = begun.elapsed();
    assert!(took < std::time::Duration::from_secs(5), "{took:?}");
    assert!(matches!(
        store.check().unwrap()[..],
        [Problem::MergeCycle { .. }]
    ));
}

#[test]
fn check_finds_merges_across_sources_and_kinds() {
    let scratch = filled_database(1);
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    import_contest(&mut batch, "other", 1, &contest("x", 5, &["ada", "bo"]));
    batch.commit().unwrap();
    drop(writer);
    for (into, in_source) in [("the bees", "club"), ("ada", "other")] {
        scratch
            .open_raw()
            .execute(
                "UPDATE competitor SET merged_into =
                     (SELECT competitor_id FROM competitor JOIN source USING (source_id)
                      WHERE external_id = ?1 AND kind = iif(?1 = 'ada', 'person', 'team')
                      AND source.name = ?2)
                 WHERE external_id = 'eve'",
                [into, in_source],
            )
            .unwrap();
        let problems = scratch.open_reader().check().unwrap();
        let [problem] = &problems[..] else {
            panic!("{problems:?}");
        };
        let said = problem.to_string();
        assert!(said.contains("\"eve\" of club"), "{said}");
    }
}

#[test]
fn check_during_writes_finds_nothing() {
    let scratch = filled_database(200);
    let mut writer = scratch.open_writer();
    let reader = scratch.open_reader();
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            // Each commit changes the entrants of the contest that the check reads last.
            for round in 0.. {
                if done.load(std::sync::atomic::Ordering::Relaxed) {
                    break;
                }
                let order = ["a", "b", "c", "d", "e"];
                let contest = contest("199", 2_000, &order[..2 + round % 4]);
                let mut batch = writer.batch().unwrap();
                import_contest(&mut batch, "club", 1_000 + round as i64, &contest);
                batch.commit().unwrap();
            }
        });
        let found: Vec<_> = (0..5).map(|_| reader.check()).collect();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        for found in found {
            assert_eq!(found.unwrap(), []);
        }
    });
    // Within a snapshot the check reads one state anyway.
    let _snapshot = reader.snapshot().unwrap();
    assert_eq!(reader.check().unwrap(), []);
}
