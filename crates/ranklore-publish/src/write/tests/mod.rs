//! Batch boundaries do not affect what is written, hashed and read.

mod sqlite;

use std::path::Path;

use proptest::prelude::*;
use ranklore_contest::{Annotations, Contest, ContestTime, Entrant, EntrantOutcome, Place};
use ranklore_formats::contest_json_with;

use crate::batch::{BATCH_ROWS, RowBatch, Value};
use crate::describe::{DatasetFile, DatasetFormat, Manifest};
use crate::dictionary::TableId;
use crate::digest::{Digest, FORMAT_VERSION, TableHasher};
use crate::read::DatasetTables;
use crate::scan::items::Partition;
use crate::write::{WriteOptions, create_writer};

const TABLE: TableId = TableId::Standing;

fn competitor_name(row: usize) -> String {
    format!("gull{row:06}")
}

fn score(row: usize) -> f64 {
    1e6 - row as f64 / 3.0
}

/// Returns rows `from` to `to` of an endless standing.
fn standing_rows(from: usize, to: usize) -> RowBatch {
    let mut batch = RowBatch::new(TABLE);
    for row in from..to {
        batch.push(&[
            Value::Text("gulls"),
            Value::Text("1"),
            Value::Text("person"),
            Value::Text(&competitor_name(row)),
            Value::Integer(row as i64 + 1),
            Value::Number(score(row)),
            Value::Missing,
            Value::Missing,
            Value::Missing,
        ]);
    }
    batch
}

/// Splits `many` rows at these positions.
fn split_rows(many: usize, at: &[usize]) -> Vec<RowBatch> {
    let mut places: Vec<usize> = at.iter().map(|place| place % (many + 1)).collect();
    places.extend([0, many]);
    places.sort_unstable();
    let pairs = places.windows(2);
    pairs.map(|pair| standing_rows(pair[0], pair[1])).collect()
}

fn digest(batches: &[RowBatch]) -> Digest {
    let mut hasher = TableHasher::new(TABLE);
    for batch in batches {
        hasher.add(batch);
    }
    hasher.finish()
}

/// Returns the contest file of the first `many` rows.
fn contest_json(many: usize) -> String {
    let entrants = (0..many).map(|row| Entrant {
        score: Some(score(row)),
        ..Entrant::person(
            competitor_name(row),
            EntrantOutcome::Finished(Place::from_entrants_above(row as u32)),
        )
    });
    let contest = Contest {
        external_id: "1".to_owned(),
        name: "Round 1".to_owned(),
        event: None,
        division: None,
        ordinal: None,
        url: None,
        starts_at: None,
        ends_at: ContestTime::MIN,
        weight: 1.0,
        site_weight: None,
        performance_ceiling: None,
        entrants: entrants.collect(),
    };
    contest_json_with(&contest, &Annotations::default())
}

/// Writes rows in a format and returns row count and digest as read back.
fn round_trip(format: DatasetFormat, batches: &[RowBatch], root: &Path) -> (u64, Digest) {
    let mut writer = create_writer(format, WriteOptions::default(), root).unwrap();
    for batch in batches {
        writer.write(&Partition::WHOLE, batch).unwrap();
    }
    let many = batches.iter().map(|batch| batch.rows).sum();
    writer.write_file("gulls", &contest_json(many)).unwrap();
    let files = writer.finish().unwrap().into_iter();
    let manifest = Manifest {
        stale_runs: None,
        format_version: FORMAT_VERSION,
        snapshot: Digest([0; 32]),
        formulas_escaped: false,
        since: None,
        program: String::new(),
        commit: None,
        forgotten_names: 0,
        tables: Vec::new(),
        files: files
            .map(|file| DatasetFile {
                format,
                table: file.table,
                path: file.path,
                bytes: 0,
                sha256: Digest([0; 32]),
            })
            .collect(),
        sources: Vec::new(),
    };
    let mut rows = DatasetTables::preferred(root, &manifest).open(TABLE).unwrap();
    let mut number = 0;
    while rows.has_row() {
        number += 1;
        assert_eq!(rows.row_number(), number);
        assert_eq!(rows.integer(4), i64::try_from(number).ok());
        rows.advance().unwrap();
    }
    rows.totals.unwrap()
}

#[test]
fn more_than_one_batch_round_trips_in_every_format() {
    let many = BATCH_ROWS + 1;
    let batches = split_rows(many, &[BATCH_ROWS]);
    let digest = digest(&batches);
    for format in DatasetFormat::ALL {
        let root = tempfile::tempdir().unwrap();
        let back = round_trip(format, &batches, root.path());
        assert_eq!(back, (many as u64, digest), "{format:?}");
    }
}

#[test]
fn batch_is_full_at_row_or_byte_limit() {
    let mut rows = standing_rows(0, BATCH_ROWS - 1);
    assert!(!rows.is_full());
    rows.push(&[Value::Missing; 9]);
    assert!(rows.is_full());
    // Few rows of long texts fill a batch too.
    let mut rows = RowBatch::new(TABLE);
    let long = "a".repeat(1 << 20);
    while !rows.is_full() {
        let text = format!("{}{long}", rows.rows);
        rows.push(
            &[Value::Missing; 3]
                .into_iter()
                .chain([Value::Text(&text)])
                .chain([Value::Missing; 5])
                .collect::<Vec<_>>(),
        );
    }
    assert_eq!(rows.rows, 64);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn batch_boundaries_do_not_change_rows(
        many in 0..200_usize,
        at in prop::collection::vec(any::<usize>(), 0..6),
    ) {
        let expected = digest(&[standing_rows(0, many)]);
        let batches = split_rows(many, &at);
        prop_assert_eq!(digest(&batches), expected);
        prop_assert_ne!(digest(&[standing_rows(0, many + 1)]), expected);
        for format in DatasetFormat::ALL {
            if format == DatasetFormat::EloMmr && many == 0 {
                continue;
            }
            let root = tempfile::tempdir().unwrap();
            let back = round_trip(format, &batches, root.path());
            prop_assert_eq!(back, (many as u64, expected), "{:?}", format);
        }
    }
}
