//! Problems that the check finds, and valid states that it accepts.

use ranklore_store::{
    ContestFilter, MetricRow, NewRun, Problem, RatingRow, Repair, Standing, StoredEvaluation,
    Writer,
};
use ranklore_test_support::{
    TempDatabase, add_tombstone, at, contest, import_contest, merge, source,
};

use crate::maintenance::filled_database;

#[test]
fn check_finds_cycles_bad_rows_and_pending_vacuum() {
    let scratch = filled_database(2);
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let club = batch.source_id(&source("club")).unwrap().unwrap();
    for (subject, into) in [("ada", "dot"), ("dot", "eve")] {
        assert!(batch.record_decision(club, &merge(subject, into), None, at(1)).unwrap());
    }
    batch.commit().unwrap();
    assert_eq!(writer.check().unwrap(), [], "a chain is not a cycle");
    let mut batch = writer.batch().unwrap();
    add_tombstone(&mut batch, club, "zoe");
    batch.commit().unwrap();
    let unswept = Problem::PendingVacuum {
        persons: 1,
        source_name: "club".into(),
    };
    assert_eq!(unswept.to_string(), "1 forgotten person is still in free pages");
    assert_eq!(writer.check().unwrap(), [unswept]);
    writer.vacuum(at(2)).unwrap();
    drop(writer);
    scratch
        .open_raw()
        .execute_batch(
            "UPDATE competitor SET merged_into =
                 (SELECT competitor_id FROM competitor WHERE external_id = 'ada')
             WHERE external_id = 'eve';
             INSERT INTO rating_run VALUES (1, 's', '{}', '{}', 'e', 1, 1, 2, 2, zeroblob(32),
                 NULL, NULL, NULL, NULL, NULL);
             INSERT INTO run_contest VALUES (1, 0, 1, 1, zeroblob(32), 0), (1, 1, 2, 1, zeroblob(32), 0);
             INSERT INTO rating (run_id, contest_id, competitor_id, mu, sigma)
             VALUES (1, 1, 1, 0, 0), (1, 1, 2, 0, 0);",
        )
        .unwrap();
    let problems = scratch.open_reader().check().unwrap();
    assert!(
        matches!(
            &problems[..],
            [
                Problem::MergeCycle { .. },
                Problem::Rows {
                    table: "competitor"
                },
                Problem::Rows {
                    table: "rating_run"
                },
                Problem::Rows {
                    table: "run_contest"
                },
                Problem::Ratings { contests: 2, .. },
            ]
        ),
        "{problems:?}"
    );
    let chain = "UPDATE run_contest SET chain = randomblob(32)";
    scratch.open_raw().execute_batch(chain).unwrap();
    let problems = scratch.open_reader().check().unwrap();
    assert!(
        matches!(
            &problems[..],
            [Problem::MergeCycle { .. }, Problem::RunMismatch { reason, .. }, ..]
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
    let start = std::time::Instant::now();
    let merges = store.merges(club).unwrap();
    assert_eq!(merges.len(), 50);
    for (account, _) in merges {
        store.merge_root(account).unwrap();
    }
    // Quadratic steps took a minute.
    let took = start.elapsed();
    assert!(took < std::time::Duration::from_secs(5), "{took:?}");
    assert!(matches!(
        store.check().unwrap()[..],
        [
            Problem::MergeCycle { .. },
            Problem::Rows {
                table: "competitor"
            }
        ]
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
        let [
            problem,
            Problem::Rows {
                table: "competitor",
            },
        ] = &problems[..]
        else {
            panic!("{problems:?}");
        };
        let message = problem.to_string();
        assert!(message.contains("\"eve\" of club"), "{message}");
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
        let checks: Vec<_> = (0..5).map(|_| reader.check()).collect();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        for checks in checks {
            assert_eq!(checks.unwrap(), []);
        }
    });
    // Within a snapshot the check reads one state anyway.
    let _snapshot = reader.snapshot().unwrap();
    assert_eq!(reader.check().unwrap(), []);
}

/// Returns a file with rows in every table but those of mining, and a run.
fn rated_database() -> TempDatabase {
    let scratch = filled_database(3);
    let mut writer = scratch.open_writer();
    let contests: Vec<_> = writer
        .ratable_contests(&ContestFilter {
            sources: vec![source("club")],
            ..ContestFilter::default()
        })
        .unwrap();
    let mut batch = writer.batch().unwrap();
    let run = NewRun {
        system: "s",
        parameters: "{}",
        selection: r#"{"sources":["club"]}"#,
        engine: "e",
    };
    let run_id = batch.begin_run(&run, at(5)).unwrap();
    let mut standings = Vec::new();
    let ids = contests.iter().map(|contest| contest.contest_id);
    batch
        .for_each_standing(ids, |contest, rows| {
            standings.push((contest, rows.to_vec()));
        })
        .unwrap();
    let mut ratings = batch.rating_writer(run_id, standings.len());
    for (position, (contest, rows)) in standings.iter().enumerate() {
        let row = |standing: &Standing| RatingRow {
            competitor_id: standing.competitor_id,
            mu: 1500.25,
            sigma: 80.0,
            performance: Some(1600.0),
            volatility: None,
        };
        let rows: Vec<_> = rows.iter().map(row).collect();
        let chain = [position as u8; 32];
        ratings.write_contest(position, *contest, &chain, &rows).unwrap();
    }
    ratings.finish().unwrap();
    let last = [standings.len() as u8 - 1; 32];
    batch.finish_run(run_id, last).unwrap();
    let run = batch.run(run_id).unwrap().unwrap();
    batch.rebuild_current_ratings(&run).unwrap();
    batch.record_source_changes(run_id).unwrap();
    batch.commit().unwrap();
    assert!(writer.runs().unwrap()[0].competitors > Some(0));
    assert_eq!(writer.check().unwrap(), []);
    drop(writer);
    scratch
}

#[test]
fn altered_cells_of_every_table_are_found() {
    let scratch = rated_database();
    let raw = scratch.open_raw();
    let columns: Vec<(String, String, String)> = raw
        .prepare(
            "SELECT t.name, c.name, c.type FROM pragma_table_list AS t
                 JOIN pragma_table_info(t.name) AS c
             WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%'",
        )
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let intact = std::fs::read(scratch.database()).unwrap();
    drop(raw);
    let mut altered = 0;
    let values = columns.iter().flat_map(|(table, column, kind)| {
        let values: &[&str] = match &**kind {
            "INTEGER" => &["coalesce(?, 0) + 1", "9223372036854775807"],
            "REAL" => &["coalesce(?, 0) + 0.5", "9e999"],
            "TEXT" => &["coalesce(?, '') || ' '"],
            _ => &["coalesce(?, x'') || x'00'"],
        };
        let value = move |value: &&str| (table, column, value.replace('?', column));
        values.iter().map(value)
    });
    for (table, column, value) in values {
        let raw = scratch.open_raw();
        // A condition of the schema, or a key, refuses some of them.
        let rows = raw.execute(&format!("UPDATE {table} SET {column} = {value}"), []);
        drop(raw);
        if rows.is_ok_and(|rows| rows > 0) {
            altered += 1;
            let problems = scratch.open_reader().check().unwrap();
            assert!(!problems.is_empty(), "{table}.{column} = {value}");
            std::fs::write(scratch.database(), &intact).unwrap();
        }
    }
    assert!(altered > 60, "{altered}");
    assert_eq!(scratch.open_reader().check().unwrap(), []);
}

#[test]
fn deleted_and_replaced_rows_leave_hashes_that_fit() {
    let scratch = rated_database();
    let mut writer = scratch.open_writer();
    writer.vacuum(at(7)).unwrap();
    let mut batch = writer.batch().unwrap();
    let run_id = batch.runs().unwrap()[0].run_id;
    let evaluation = StoredEvaluation {
        run_id: Some(run_id),
        system: "elo-mmr".into(),
        parameters: "{}".into(),
        selection: "{}".into(),
        settings: "{}".into(),
        evaluated_at: 8,
        seconds: None,
        bytes: None,
        metrics: vec![MetricRow {
            slice: "everybody".into(),
            metric: "concordance".into(),
            value: 1.0,
            low: None,
            high: None,
        }],
    };
    batch.replace_evaluation(&evaluation).unwrap();
    batch.replace_evaluation(&evaluation).unwrap();
    batch.commit().unwrap();
    assert_eq!(writer.check().unwrap(), []);
    // What is rolled back changes no hash.
    let mut batch = writer.batch().unwrap();
    batch.delete_run(run_id).unwrap();
    drop(batch);
    let mut batch = writer.batch().unwrap();
    batch.replace_evaluation(&evaluation).unwrap();
    batch.commit().unwrap();
    assert_eq!(writer.check().unwrap(), []);
    let mut batch = writer.batch().unwrap();
    batch.delete_run(run_id).unwrap();
    let club = batch.source_id(&source("club")).unwrap().unwrap();
    batch.clear_source(club).unwrap();
    batch.commit().unwrap();
    assert_eq!(writer.check().unwrap(), []);
}

#[test]
fn repair_cuts_runs_before_altered_ratings() {
    let scratch = rated_database();
    let alter = "UPDATE rating SET mu = mu + 500
         WHERE contest_id = (SELECT contest_id FROM run_contest WHERE position = 1)";
    scratch.open_raw().execute_batch(alter).unwrap();
    let mut writer = scratch.open_writer();
    let run = writer.runs().unwrap().remove(0);
    let problems = writer.check().unwrap();
    assert!(matches!(&problems[..], [Problem::Ratings { contests: 1, .. }]), "{problems:?}");
    assert!(writer.verify_ratings(run.run_id).is_err());
    let repairs = writer.repair().unwrap();
    assert_eq!(
        repairs,
        [Repair::TruncatedRun {
            run_id: run.run_id,
            remaining: 1,
            deleted: run.contests - 1
        }]
    );
    assert_eq!(writer.check().unwrap(), []);
    let cut = writer.runs().unwrap().remove(0);
    assert_eq!(cut.contests, 1);
    assert!(!writer.has_unchanged_sources(&cut).unwrap());
    let mut current = Vec::new();
    writer
        .for_each_current_rating(cut.run_id, |row| current.push(row.contests))
        .unwrap();
    assert_eq!(current.len() as u64, cut.results);
    assert!(current.iter().all(|&contests| contests == 1));
    assert_ne!(cut.fingerprint, run.fingerprint);
    assert_eq!(writer.repair().unwrap(), []);
}

#[test]
fn repair_computes_wrong_current_ratings_again() {
    let wrong = [
        ("UPDATE current_rating SET mu = mu + 1", None),
        ("DELETE FROM current_rating", None),
        (
            "DELETE FROM current_rating WHERE competitor_id =
                 (SELECT min(competitor_id) FROM current_rating)",
            Some(1),
        ),
        (
            "UPDATE current_rating SET change = 0.5, peak_mu = 1501 WHERE competitor_id =
                 (SELECT max(competitor_id) FROM current_rating)",
            Some(1),
        ),
    ];
    for (sql, number) in wrong {
        let scratch = rated_database();
        let mut writer = scratch.open_writer();
        let run = writer.runs().unwrap().remove(0);
        let load = |writer: &Writer| {
            let mut rows = Vec::new();
            let each = |row| rows.push(row);
            writer.for_each_current_rating(run.run_id, each).unwrap();
            rows
        };
        let before = load(&writer);
        scratch.open_raw().execute_batch(sql).unwrap();
        let expected = Problem::CurrentRatings {
            run_id: run.run_id,
            system: run.system.clone(),
            competitors: number.or(run.competitors).unwrap(),
        };
        assert_eq!(writer.check().unwrap(), [expected], "{sql}");
        // The ratings themselves can be published.
        writer.verify_ratings(run.run_id).unwrap();
        let rebuilt = Repair::RebuiltCurrentRatings { run_id: run.run_id };
        assert_eq!(writer.repair().unwrap(), [rebuilt], "{sql}");
        assert_eq!(writer.check().unwrap(), []);
        assert_eq!(load(&writer), before);
        assert_eq!(writer.runs().unwrap(), std::slice::from_ref(&run));
    }
}

#[test]
fn current_ratings_of_corrected_contest_are_not_wrong() {
    let scratch = rated_database();
    let mut writer = scratch.open_writer();
    let run = writer.runs().unwrap().remove(0);
    let mut batch = writer.batch().unwrap();
    // Another end of the last contest: the run is stale, not damaged.
    import_contest(&mut batch, "club", 2, &contest("2", 90_000, &["ada", "eve"]));
    batch.commit().unwrap();
    assert!(!writer.has_unchanged_sources(&run).unwrap());
    assert_eq!(writer.check().unwrap(), []);
}

#[test]
fn repair_accepts_rows_that_nothing_reproduces() {
    let scratch = rated_database();
    let alter = "UPDATE sync_run SET added = added + 1; UPDATE competitor SET name = name || '!'";
    scratch.open_raw().execute_batch(alter).unwrap();
    let mut writer = scratch.open_writer();
    assert!(writer.verify_tables().is_err());
    let repaired = writer.repair().unwrap();
    let remaining = writer.check().unwrap();
    // Names are left to a rebuild.
    assert_eq!(
        remaining,
        [Problem::Rows {
            table: "competitor"
        }]
    );
    let accepted = Repair::AcceptedRows { table: "sync_run" };
    assert!(repaired.is_empty() || repaired == [accepted], "{repaired:?}");
}

#[test]
fn altered_schema_is_found() {
    let scratch = rated_database();
    let alter = "PRAGMA writable_schema = ON;
         UPDATE sqlite_schema SET sql = replace(sql, 'weight > 0', 'weight < 9')
         WHERE name = 'contest'";
    scratch.open_raw().execute_batch(alter).unwrap();
    let problems = scratch.open_reader().check().unwrap();
    assert!(
        matches!(&problems[..], [Problem::Schema { object }] if object == "table contest"),
        "{problems:?}"
    );
}
