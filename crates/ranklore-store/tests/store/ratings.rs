//! Runs and their rating rows.

use ranklore_store::{
    CheckExtent, CompetitorId, ContestId, Error, MetricRow, NewRun, OfficialRow, Problem,
    RatingRow, RunId, StoredEvaluation, WriteBatch, Writer,
};
use ranklore_test_support::{TempDatabase, at, contest, import_contest};

use crate::contests_of_sources;

const RUN: NewRun<'_> = NewRun {
    system: "elo-mmr",
    parameters: "{}",
    selection: r#"{"sources":["club"]}"#,
    engine: "1",
};

const CHAIN: [u8; 32] = [1; 32];

fn writer_with_contests(scratch: &TempDatabase) -> (Writer, Vec<(ContestId, Vec<CompetitorId>)>) {
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    import_contest(&mut batch, "club", 5, &contest("2", 20, &["c", "a", "b"]));
    import_contest(&mut batch, "club", 5, &contest("1", 10, &["a", "b"]));
    batch.commit().unwrap();
    let mut field = Vec::new();
    let contests = writer.ratable_contests(&contests_of_sources(&["club"])).unwrap();
    writer
        .for_each_standing(contests.iter().map(|row| row.contest_id), |id, standings| {
            field.push((id, standings.iter().map(|s| s.competitor_id).collect()));
        })
        .unwrap();
    (writer, field)
}

fn write_run(
    batch: &mut WriteBatch<'_>,
    run: &NewRun<'_>,
    field: &[(ContestId, Vec<CompetitorId>)],
    mu: f64,
) -> RunId {
    let run_id = batch.begin_run(run, at(50)).unwrap();
    batch.truncate_run(run_id, 0).unwrap();
    let mut writer = batch.rating_writer(run_id, field.len());
    for (position, (contest_id, competitors)) in field.iter().enumerate() {
        // Reversed: the order does not matter.
        let rows: Vec<_> = competitors.iter().rev().map(|&id| row(id, mu)).collect();
        writer.write_contest(position, *contest_id, &CHAIN, &rows).unwrap();
    }
    writer.finish().unwrap();
    batch.finish_run(run_id, CHAIN).unwrap();
    run_id
}

fn row(competitor_id: CompetitorId, mu: f64) -> RatingRow {
    RatingRow {
        competitor_id,
        mu: mu + competitor_id.get() as f64 / 3.0,
        sigma: 80.1,
        performance: (mu > 1500.0).then_some(f64::INFINITY),
        volatility: None,
    }
}

#[test]
fn rating_rows_round_trip_bit_for_bit() {
    let scratch = TempDatabase::new();
    let (mut writer, field) = writer_with_contests(&scratch);
    let mut batch = writer.batch().unwrap();
    let run_id = write_run(&mut batch, &RUN, &field, 1600.0);
    batch.commit().unwrap();
    let store = scratch.open_reader();
    let mut stored = Vec::new();
    let ids = field.iter().map(|(id, _)| *id);
    store
        .for_each_rating(run_id, ids, |id, rows| stored.push((id, rows.to_vec())))
        .unwrap();
    let expected: Vec<_> = field
        .iter()
        .map(|(id, competitors)| {
            (*id, competitors.iter().map(|&c| row(c, 1600.0)).collect::<Vec<_>>())
        })
        .collect();
    assert_eq!(stored, expected);
    assert_eq!(store.check().unwrap(), []);
}

#[test]
fn rerun_keeps_id_and_old_rows_until_commit() {
    let scratch = TempDatabase::new();
    let (mut writer, field) = writer_with_contests(&scratch);
    let mut batch = writer.batch().unwrap();
    let first = write_run(&mut batch, &RUN, &field, 1600.0);
    let evaluation = StoredEvaluation {
        metrics: vec![MetricRow {
            slice: "everybody".into(),
            metric: "concordance".into(),
            value: 70.0,
            low: Some(69.5),
            high: None,
        }],
        ..evaluation_of(Some(first))
    };
    batch.replace_evaluation(&evaluation).unwrap();
    batch.replace_evaluation(&evaluation).unwrap();
    let compared = ["elo-mmr", "glicko"].map(|system| StoredEvaluation {
        system: system.into(),
        ..evaluation_of(None)
    });
    for _ in 0..2 {
        batch.replace_comparison(RUN.selection, &compared).unwrap();
    }
    batch.commit().unwrap();
    let run = writer.find_matching_run(RUN.system, RUN.parameters, RUN.selection);
    let run = run.unwrap().unwrap();
    assert_eq!((run.run_id, run.fingerprint), (first, CHAIN));
    assert_eq!((run.contests, run.results), (2, 5));
    assert_eq!(writer.find_matching_run("glicko", "{}", "{}").unwrap(), None);
    assert_eq!(writer.evaluation(first).unwrap(), Some(evaluation));
    assert_eq!(writer.comparison(RUN.selection).unwrap(), compared);
    assert_eq!(writer.comparison("{}").unwrap(), []);

    let reader = scratch.open_reader();
    let mu = || {
        let mut mu = Vec::new();
        let ids = field.iter().map(|(id, _)| *id);
        reader
            .for_each_rating(first, ids, |_, rows| {
                mu.extend(rows.iter().map(|r| r.mu));
            })
            .unwrap();
        mu
    };
    let before = mu();
    let again = NewRun { engine: "2", ..RUN };
    let mut batch = writer.batch().unwrap();
    let second = write_run(&mut batch, &again, &field[..1], 1400.0);
    assert_eq!(second, first);
    assert_eq!(mu(), before);
    assert_eq!(reader.run(first).unwrap().unwrap().engine, "1");
    batch.commit().unwrap();
    assert_eq!(mu().len(), 2);
    assert!(mu().iter().all(|&mu| mu < 1500.0));
    let run = reader.run(first).unwrap().unwrap();
    assert_eq!((run.engine.as_str(), run.contests, run.results), ("2", 1, 2));
    assert_eq!(reader.evaluation(first).unwrap(), None, "they are deleted with the rows");
    assert_eq!(reader.runs().unwrap().len(), 1);
}

/// Returns an evaluation without metrics.
fn evaluation_of(run_id: Option<RunId>) -> StoredEvaluation {
    StoredEvaluation {
        run_id,
        system: RUN.system.into(),
        parameters: RUN.parameters.into(),
        selection: RUN.selection.into(),
        settings: "{}".into(),
        evaluated_at: 60,
        seconds: Some(0.5),
        bytes: None,
        metrics: Vec::new(),
    }
}

#[test]
fn comparisons_of_a_source_are_deleted() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let other = r#"{"sources":["lantern","other"]}"#;
    for selection in [RUN.selection, other] {
        let evaluation = StoredEvaluation {
            selection: selection.into(),
            ..evaluation_of(None)
        };
        batch.replace_comparison(selection, &[evaluation]).unwrap();
    }
    batch.delete_comparisons("lantern").unwrap();
    assert_eq!(batch.comparison(RUN.selection).unwrap().len(), 1);
    assert_eq!(batch.comparison(other).unwrap(), []);
    batch.commit().unwrap();
    assert_eq!(writer.check().unwrap(), []);
}

#[test]
fn selection_of_a_run_must_be_json() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let bad = NewRun {
        selection: "{",
        ..RUN
    };
    assert!(batch.begin_run(&bad, at(5)).is_err());
}

#[test]
fn clear_official_run_keeps_other_runs() {
    let scratch = TempDatabase::new();
    let (mut writer, field) = writer_with_contests(&scratch);
    let (contest_id, people) = &field[0];
    for runs_beside in [false, true] {
        let mut batch = writer.batch().unwrap();
        let official = batch.get_or_insert_official_run(RUN.selection, at(5)).unwrap();
        let rows: Vec<_> = people
            .iter()
            .map(|&competitor_id| OfficialRow {
                competitor_id,
                before: None,
                after: 1400.0,
                volatility: Some(310.0),
            })
            .collect();
        batch.replace_official_ratings(official, &[(*contest_id, rows)]).unwrap();
        let other_run = runs_beside.then(|| write_run(&mut batch, &RUN, &field, 1600.0));
        batch.clear_official_run(official).unwrap();
        let count = |run_id: RunId| {
            let mut count = 0;
            let ids = field.iter().map(|(id, _)| *id);
            let counted = batch.for_each_rating(run_id, ids, |_, rows| count += rows.len());
            counted.map(|()| count).unwrap()
        };
        assert_eq!(count(official), 0);
        assert_eq!(other_run.map(count), runs_beside.then_some(5));
        let runs = batch.runs().unwrap();
        let run = runs.iter().find(|run| run.run_id == official).unwrap();
        assert_eq!((run.contests, run.results), (0, 0));
    }
}

#[test]
fn nan_and_duplicate_ratings_are_rejected() {
    let scratch = TempDatabase::new();
    let (mut writer, field) = writer_with_contests(&scratch);
    let mut batch = writer.batch().unwrap();
    let run_id = batch.begin_run(&RUN, at(5)).unwrap();
    let (contest_id, entrants) = &field[0];
    let good = row(entrants[0], 1600.0);
    for bad in [
        [row(entrants[1], f64::NAN), good],
        [
            RatingRow {
                performance: Some(f64::NAN),
                ..row(entrants[1], 1.0)
            },
            good,
        ],
        [
            RatingRow {
                volatility: Some(f64::NAN),
                ..row(entrants[1], 1.0)
            },
            good,
        ],
        [good, good],
    ] {
        let error = batch
            .rating_writer(run_id, 0)
            .write_contest(0, *contest_id, &CHAIN, &bad)
            .unwrap_err();
        assert!(matches!(error, Error::InvalidRatings { .. }), "{error:?}");
    }
}

#[test]
fn content_hash_covers_every_rating_bit() {
    let scratch = TempDatabase::new();
    let (mut writer, field) = writer_with_contests(&scratch);
    let mut hash = |mu: f64| {
        let mut batch = writer.batch().unwrap();
        write_run(&mut batch, &RUN, &field, mu);
        batch.content_hash().unwrap()
    };
    let first = hash(1400.0);
    assert_eq!(hash(1400.0), first);
    assert_ne!(hash(1400.0_f64.next_up()), first);
}

#[test]
fn check_finds_missing_run_rows() {
    let scratch = TempDatabase::new();
    let (mut writer, field) = writer_with_contests(&scratch);
    let mut batch = writer.batch().unwrap();
    let run_id = write_run(&mut batch, &RUN, &field, 1600.0);
    batch.commit().unwrap();
    let raw = scratch.open_raw();
    raw.execute("UPDATE rating_run SET results = 6", []).unwrap();
    let quick = writer.check_with(CheckExtent::Quick, &mut |_, _, _| {});
    assert!(matches!(quick.unwrap()[..], [Problem::RunRowCount { actual: 5, .. }]));
    let problems = writer.check().unwrap();
    assert_eq!(
        problems,
        [
            Problem::Rows {
                table: "rating_run"
            },
            Problem::RunRowCount {
                run_id,
                expected: 6,
                actual: 5
            }
        ]
    );
}
