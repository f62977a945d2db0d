//! Descriptions of fictitious datasets for tests.

use ranklore_contest::SourceName;

use crate::describe::{
    DatasetDescription, DatasetFile, DatasetFormat, Manifest, ManifestSource, RunMetadata,
    SourceMetadata, TableSummary,
};
use crate::dictionary::TableId;
use crate::digest::{Digest, FORMAT_VERSION};

/// Returns a dataset in all formats with two sources, the second under pseudonyms, and one run; one
/// file per table.
pub(super) fn description() -> DatasetDescription {
    DatasetDescription {
        title: "Lanterns & gulls".to_owned(),
        manifest: manifest(),
        sources: vec![lantern(), gulls()],
        runs: vec![RunMetadata {
            system: "elo-mmr".to_owned(),
            parameters: r#"{"rho":1.0}"#.to_owned(),
            selection: r#"{"sources":["lantern"]}"#.to_owned(),
            engine: "3".to_owned(),
            stale: Some("results have changed since the run"),
        }],
    }
}

fn manifest() -> Manifest {
    Manifest {
        format_version: FORMAT_VERSION,
        snapshot: Digest([0xab; 32]),
        program: "0.1.0".to_owned(),
        commit: Some("0123abc".to_owned()),
        formulas_escaped: true,
        since: None,
        forgotten_names: 0,
        stale_runs: Some(vec![1]),
        sources: vec![
            ManifestSource {
                name: SourceName::new("lantern").unwrap(),
                name_policy: "pseudonym".to_owned(),
                sites: vec!["lantern".to_owned()],
                by_permission: true,
                contests: 2,
                standings: 1_234,
                competitors: 700,
            },
            ManifestSource {
                name: SourceName::new("gulls").unwrap(),
                name_policy: "real".to_owned(),
                sites: Vec::new(),
                by_permission: false,
                contests: 1,
                standings: 3,
                competitors: 3,
            },
        ],
        tables: TableId::ALL
            .map(|table| TableSummary {
                table,
                rows: 1_000 + table.index() as u64,
                digest: Digest([table.index() as u8; 32]),
            })
            .into(),
        files: dataset_files(),
    }
}

/// Returns a source with all metadata.
fn lantern() -> SourceMetadata {
    SourceMetadata {
        name: "lantern".to_owned(),
        sites: vec!["lantern".to_owned()],
        homepage: Some("https://lantern.example".to_owned()),
        attribution: "Lantern (https://lantern.example)".to_owned(),
        licence: "The site names no licence.".to_owned(),
        by_permission: true,
        // 2022-10-20T16:35:00Z and 2024-02-29T12:00:00Z.
        ends_at: Some((1_666_283_700, 1_709_208_000)),
        // Two days of March 2024.
        collected_at: Some((1_709_251_200, 1_709_337_600)),
        refused: vec![
            ("17".to_owned(), Some("no place for <b>Moss|gull</b>".to_owned())),
            ("18".to_owned(), None),
        ],
        total_refused: 5,
        incomplete: vec![("21".to_owned(), "476 of 543 comments arrived; left out".to_owned())],
        total_incomplete: 1,
    }
}

/// Returns a source without terms.
fn gulls() -> SourceMetadata {
    SourceMetadata {
        name: "gulls".to_owned(),
        ends_at: Some((1_700_000_000, 1_700_000_000)),
        ..SourceMetadata::default()
    }
}

fn dataset_files() -> Vec<DatasetFile> {
    let mut files = Vec::new();
    for format in [
        DatasetFormat::Csv,
        DatasetFormat::JsonLines,
        DatasetFormat::Parquet,
    ] {
        for table in TableId::ALL {
            let path = format!("{0}/{1}.{0}", format.as_str(), table.name());
            files.push(dataset_file(format, Some(table), &path));
        }
    }
    for path in ["elo-mmr/lantern/1.json", "elo-mmr/lantern/2.json"] {
        files.push(dataset_file(DatasetFormat::EloMmr, None, path));
    }
    files.push(dataset_file(DatasetFormat::Sqlite, None, "ranklore.sqlite"));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// Returns the same dataset as Parquet only, partitioned by source and year.
pub(super) fn partitioned_description() -> DatasetDescription {
    let mut dataset = description();
    dataset.manifest.formulas_escaped = false;
    dataset.manifest.files.clear();
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
            dataset
                .manifest
                .files
                .push(dataset_file(DatasetFormat::Parquet, Some(table), &path));
        }
    }
    dataset.manifest.files.sort_by(|a, b| a.path.cmp(&b.path));
    dataset
}

fn dataset_file(format: DatasetFormat, table: Option<TableId>, path: &str) -> DatasetFile {
    DatasetFile {
        format,
        table,
        path: path.to_owned(),
        bytes: 17,
        sha256: Digest([0x5c; 32]),
    }
}
