//! Descriptions of fictitious datasets for tests.

use crate::describe::{
    DatasetDescription, DatasetFile, DatasetFormat, RunMetadata, SourceMetadata, TableSummary,
};
use crate::dictionary::TableId;
use crate::digest::Digest;

/// Returns a dataset in all formats with two sources, the second under pseudonyms, and one run; one
/// file per table.
pub(super) fn description() -> DatasetDescription {
    let mut files = Vec::new();
    for (format, folder) in [
        (DatasetFormat::Csv, "csv"),
        (DatasetFormat::JsonLines, "jsonl"),
        (DatasetFormat::Parquet, "parquet"),
    ] {
        for table in TableId::ALL {
            files.push(dataset_file(
                format,
                Some(table),
                &format!("{folder}/{}.{folder}", table.name()),
            ));
        }
    }
    files.push(dataset_file(
        DatasetFormat::EloMmr,
        None,
        "elo-mmr/lantern/1.json",
    ));
    files.push(dataset_file(
        DatasetFormat::EloMmr,
        None,
        "elo-mmr/lantern/2.json",
    ));
    files.push(dataset_file(DatasetFormat::Sqlite, None, "ranklore.sqlite"));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    DatasetDescription {
        title: "Lanterns & gulls".to_owned(),
        version: "0.1.0".to_owned(),
        commit: Some("0123abc".to_owned()),
        snapshot: Digest([0xab; 32]),
        sources: vec![
            SourceMetadata {
                name: "lantern".to_owned(),
                sites: vec!["lantern".to_owned()],
                homepage: Some("https://lantern.example".to_owned()),
                attribution: "Lantern (https://lantern.example)".to_owned(),
                licence: "The site names no licence.".to_owned(),
                by_permission: true,
                name_policy: "pseudonym".to_owned(),
                contests: 2,
                standings: 1_234,
                competitors: 700,
                // 2022-10-20T16:35:00Z and 2024-02-29T12:00:00Z.
                ends_at: Some((1_666_283_700, 1_709_208_000)),
                // Two days of March 2024.
                collected_at: Some((1_709_251_200, 1_709_337_600)),
                refused: vec![
                    (
                        "17".to_owned(),
                        Some("no place for <b>Moss|gull</b>".to_owned()),
                    ),
                    ("18".to_owned(), None),
                ],
                total_refused: 5,
                incomplete: vec![(
                    "21".to_owned(),
                    "476 of 543 comments arrived; left out".to_owned(),
                )],
                total_incomplete: 1,
            },
            SourceMetadata {
                name: "gulls".to_owned(),
                sites: Vec::new(),
                homepage: None,
                attribution: String::new(),
                licence: String::new(),
                by_permission: false,
                name_policy: "real".to_owned(),
                contests: 1,
                standings: 3,
                competitors: 3,
                ends_at: Some((1_700_000_000, 1_700_000_000)),
                collected_at: None,
                refused: Vec::new(),
                total_refused: 0,
                incomplete: Vec::new(),
                total_incomplete: 0,
            },
        ],
        runs: vec![RunMetadata {
            system: "elo-mmr".to_owned(),
            parameters: r#"{"rho":1.0}"#.to_owned(),
            selection: r#"{"sources":["lantern"]}"#.to_owned(),
            engine: "3".to_owned(),
            stale: Some("results have changed since the run"),
        }],
        tables: (TableId::ALL.into_iter())
            .map(|table| TableSummary {
                table,
                rows: 1_000 + table.index() as u64,
                digest: Digest([table.index() as u8; 32]),
            })
            .collect(),
        files,
        formulas_escaped: true,
        since: None,
        forgotten_names: 0,
    }
}

/// Returns the same dataset as Parquet only, partitioned by source and year.
pub(super) fn partitioned_description() -> DatasetDescription {
    let mut of = description();
    of.formulas_escaped = false;
    of.files.clear();
    for table in TableId::ALL {
        let name = table.name();
        let parts: &[&str] = match table {
            TableId::RatingRun => &["parquet/rating_run.parquet"],
            TableId::Competitor => &["source=gulls", "source=lantern"],
            _ => &[
                "source=gulls/year=2023",
                "source=lantern/year=2022",
                "source=lantern/year=2024",
            ],
        };
        for part in parts {
            let path = match table {
                TableId::RatingRun => (*part).to_owned(),
                _ => format!("parquet/{name}/{part}/0.parquet"),
            };
            of.files
                .push(dataset_file(DatasetFormat::Parquet, Some(table), &path));
        }
    }
    of.files.sort_by(|a, b| a.path.cmp(&b.path));
    of
}

fn dataset_file(format: DatasetFormat, table: Option<TableId>, path: &str) -> DatasetFile {
    DatasetFile {
        format,
        table,
        path: path.to_owned(),
        bytes: 17,
        sha256: "5c".repeat(32),
    }
}
