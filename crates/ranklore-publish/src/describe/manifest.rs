//! The manifest: a property of `datapackage.json` that Ranklore reads back.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use ranklore_contest::{SourceName, describe_json_error};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::describe::DatasetFormat;
use crate::dictionary::{ColumnKind, TableId};
use crate::digest::{Digest, FORMAT_VERSION};
use crate::error::Error;
use crate::text::parse_value;

/// The file name.
const MANIFEST_FILE: &str = "datapackage.json";

/// Maximum bytes of the file. A dataset with one file per contest of the largest sites has a few
/// megabytes.
const MAX_MANIFEST_BYTES: u64 = 64 << 20;

/// The manifest of a dataset; as read, its claims are not verified yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The format version, at most the one that this program writes.
    pub format_version: u32,
    /// The digest that identifies the results.
    pub snapshot: Digest,
    /// The version of the exporting program.
    pub program: String,
    /// The commit that the program was built from, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// True if CSV texts that spreadsheets take for formulas are prefixed with an apostrophe.
    #[serde(rename = "defused")]
    pub formulas_escaped: bool,
    /// Contests before this time are left out: a time such as `2024-03-01T12:00:00Z`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The number of forgotten names in the exported database, over all its sources.
    #[serde(rename = "forgotten", default, skip_serializing_if = "is_zero")]
    pub forgotten_names: u64,
    /// The numbers of the runs that are stale: their ratings are of older results. `None` in
    /// datasets of earlier versions, which do not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale_runs: Option<Vec<i64>>,
    /// The sources, each once, sorted by name.
    pub sources: Vec<ManifestSource>,
    /// The tables, each once.
    pub tables: Vec<TableSummary>,
    /// The table files, at least one. Paths are unique and stay within the folder.
    pub files: Vec<DatasetFile>,
}

/// A source in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestSource {
    /// The name of the source.
    #[serde(deserialize_with = "deserialize_source_name")]
    pub name: SourceName,
    /// The naming of competitors: `real`, `pseudonym` or `none`.
    #[serde(rename = "names")]
    pub name_policy: String,
    /// The sites that the results are from, whatever the name of the source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sites: Vec<String>,
    /// True if the terms of the sites restrict publication.
    pub by_permission: bool,
    /// The number of contests.
    pub contests: u64,
    /// The number of rows in their standings.
    pub standings: u64,
    /// The number of competitors.
    pub competitors: u64,
}

/// Size and digest of a table.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct TableSummary {
    /// The table.
    #[serde(rename = "name")]
    pub table: TableId,
    /// The number of rows.
    pub rows: u64,
    /// The digest of the rows.
    pub digest: Digest,
}

/// A table file of a dataset.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DatasetFile {
    /// The format of the file.
    pub format: DatasetFormat,
    /// The table that the file holds; `None` if it holds rows of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableId>,
    /// The path relative to the dataset folder, with slashes.
    pub path: String,
    /// The length in bytes.
    pub bytes: u64,
    /// The SHA-256.
    pub sha256: Digest,
}

impl Manifest {
    /// Reads the manifest of the dataset in a folder. The file is untrusted: at most 64 MiB are
    /// read, and its paths stay within the folder (symbolic links may leave it).
    ///
    /// # Errors
    /// [`Error::NoDataset`] if the folder holds no dataset of Ranklore, [`Error::Newer`] if its
    /// format version is newer, [`Error::Invalid`] if a value is invalid, and [`Error::Io`] if the
    /// file cannot be read.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(MANIFEST_FILE);
        let no_dataset = |reason: String| Error::NoDataset {
            path: folder.to_owned(),
            reason,
        };
        if !path.is_file() {
            return Err(no_dataset(format!("there is no {MANIFEST_FILE} in it")));
        }
        let file = File::open(&path).map_err(Error::from_io(&path))?;
        let mut text = Vec::new();
        file.take(MAX_MANIFEST_BYTES + 1)
            .read_to_end(&mut text)
            .map_err(Error::from_io(&path))?;
        if text.len() as u64 > MAX_MANIFEST_BYTES {
            let reason = format!("its {MANIFEST_FILE} is longer than 64 MiB");
            return Err(no_dataset(reason));
        }
        let versioned: Package<Version> = serde_json::from_slice(&text).map_err(|error| {
            no_dataset(format!("its {MANIFEST_FILE} is not from Ranklore: {error}"))
        })?;
        let version = versioned.ranklore.format_version;
        if version > u64::from(FORMAT_VERSION) {
            return Err(Error::Newer {
                path: folder.to_owned(),
                version,
                known: FORMAT_VERSION,
            });
        }
        let invalid = |reason: String| Error::invalid(path.display(), reason);
        let package: Package<Self> =
            serde_json::from_slice(&text).map_err(|error| invalid(describe_json_error(&error)))?;
        package.ranklore.validate().map_err(invalid)
    }

    /// Returns the manifest if its entries are complete, unique and valid.
    fn validate(self) -> Result<Self, String> {
        require_unique("source", self.sources.iter().map(|source| source.name.as_str()))?;
        require_unique("table", self.tables.iter().map(|summary| summary.table.name()))?;
        require_unique("file", self.files.iter().map(|file| &*file.path))?;
        if self.tables.len() != TableId::ALL.len() || self.files.is_empty() {
            return Err(format!(
                "expected {} tables and at least 1 file, found {} and {}",
                TableId::ALL.len(),
                self.tables.len(),
                self.files.len()
            ));
        }
        self.files.iter().try_for_each(DatasetFile::validate)?;
        if let Some(since) = &self.since
            && parse_value(since, ColumnKind::Time).is_none()
        {
            return Err(format!("since must be a time in UTC, not {since:?}"));
        }
        let mut policies = self.sources.iter().map(|source| &*source.name_policy);
        match policies.find(|names| !matches!(*names, "real" | "pseudonym" | "none")) {
            Some(names) => Err(format!("names must be real, pseudonym or none, not {names:?}")),
            None => Ok(self),
        }
    }

    /// Returns the entry of a table.
    #[must_use]
    pub fn table(&self, table: TableId) -> TableSummary {
        let summary = self.tables.iter().find(|summary| summary.table == table);
        summary.copied().unwrap_or(TableSummary {
            table,
            rows: 0,
            digest: Digest([0; 32]),
        })
    }

    /// Returns the formats of the dataset, the preferred one for reading first.
    #[must_use]
    pub fn formats(&self) -> Vec<DatasetFormat> {
        DatasetFormat::ALL
            .into_iter()
            .filter(|format| self.files.iter().any(|file| file.format == *format))
            .collect()
    }
}

/// The part of a Data Package that Ranklore reads.
#[derive(Deserialize)]
struct Package<T> {
    ranklore: T,
}

/// The field that every format version has.
#[derive(Deserialize)]
struct Version {
    format_version: u64,
}

impl DatasetFile {
    fn validate(&self) -> Result<(), String> {
        let Self { format, path, .. } = self;
        let holds_one_table = !matches!(format, DatasetFormat::EloMmr | DatasetFormat::Sqlite);
        if holds_one_table != self.table.is_some() {
            return Err(format!(
                "{path:?}: a file of format {} must name {} table",
                format.as_str(),
                if holds_one_table { "one" } else { "no" },
            ));
        }
        if !is_safe_relative_path(path) {
            return Err(format!("{path:?} is no path below the dataset folder"));
        }
        Ok(())
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// True if a path with slashes stays below its folder on every system. Rejects colons, which may
/// follow a drive letter.
pub(crate) fn is_safe_relative_path(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | ".."))
        && !path.contains(|c: char| c.is_control() || matches!(c, '\\' | ':'))
}

fn require_unique<'n>(kind: &str, mut names: impl Iterator<Item = &'n str>) -> Result<(), String> {
    let mut earlier_names = BTreeSet::new();
    match names.find(|name| !earlier_names.insert(*name)) {
        Some(duplicate) => Err(format!("duplicate {kind} {duplicate:?}")),
        None => Ok(()),
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_text(deserializer, parse_digest)
    }
}

fn deserialize_text<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> Result<T, D::Error> {
    parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

fn deserialize_source_name<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<SourceName, D::Error> {
    deserialize_text(deserializer, |name| SourceName::new(name).map_err(|error| error.to_string()))
}

/// Parses 64 lower-case hexadecimal digits.
fn parse_digest(text: &str) -> Result<Digest, String> {
    let mut digest = [0; 32];
    let digits = text.as_bytes();
    if digits.len() != 64 || !digits.iter().all(|d| matches!(d, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(format!("a hash must have 64 lower-case hexadecimal digits, not {text:?}"));
    }
    for (byte, pair) in digest.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = pair.iter().fold(0, |byte, digit| {
            let value = (*digit as char).to_digit(16).unwrap_or_default();
            byte << 4 | value as u8
        });
    }
    Ok(Digest(digest))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::describe::{datapackage, fixtures};

    fn read_manifest(text: &str) -> Result<Manifest, Error> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(MANIFEST_FILE), text).unwrap();
        Manifest::read(folder.path())
    }

    /// Returns the error for a dataset whose manifest was edited.
    fn corrupted_reason(change: impl FnOnce(&mut Json)) -> String {
        let text = datapackage::render_datapackage(&fixtures::description());
        let mut package: Json = serde_json::from_str(&text).unwrap();
        change(&mut package["ranklore"]);
        match read_manifest(&package.to_string()) {
            Err(Error::Invalid { reason, .. }) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn manifest_round_trips() {
        let mut dataset = fixtures::partitioned_description();
        dataset.manifest.since = Some("2020-09-13T12:26:40Z".to_owned());
        let manifest = read_manifest(&datapackage::render_datapackage(&dataset)).unwrap();
        assert_eq!(manifest.format_version, FORMAT_VERSION);
        assert_eq!(manifest.snapshot, dataset.manifest.snapshot);
        assert_eq!(manifest.since, dataset.manifest.since);
        assert!(!manifest.formulas_escaped);
        for (read, written) in manifest.files.iter().zip(&dataset.manifest.files) {
            assert_eq!(format!("{read:?}"), format!("{written:?}"));
        }
        assert_eq!(manifest.files.len(), dataset.manifest.files.len());
        assert_eq!(manifest.tables[3].table, TableId::Competitor);
        assert_eq!(manifest.tables[3].digest, dataset.manifest.tables[3].digest);
        assert_eq!(manifest.tables[3].rows, 1_003);
        let source = &manifest.sources[0];
        assert_eq!((source.name.as_str(), &*source.name_policy), ("lantern", "pseudonym"));
        assert_eq!(source.standings, 1_234);
        assert!(
            read_manifest(&datapackage::render_datapackage(&fixtures::description()))
                .unwrap()
                .formulas_escaped
        );
    }

    #[test]
    fn foreign_folder_is_not_a_dataset() {
        let folder = tempfile::tempdir().unwrap();
        let missing = Manifest::read(folder.path()).unwrap_err();
        assert!(
            missing
                .to_string()
                .ends_with("is no dataset: there is no datapackage.json in it")
        );
        for text in [
            "",
            "[]",
            "{}",
            r#"{"resources":[]}"#,
            r#"{"ranklore":{}}"#,
            "\u{fffd}",
        ] {
            assert!(matches!(read_manifest(text), Err(Error::NoDataset { .. })), "{text}");
        }
    }

    #[test]
    fn newer_format_version_is_reported() {
        let text = r#"{"ranklore":{"format_version":7,"snapshot":[]}}"#;
        assert!(matches!(
            read_manifest(text),
            Err(Error::Newer {
                version: 7,
                known: FORMAT_VERSION,
                ..
            })
        ));
    }

    #[test]
    fn paths_outside_folder_are_rejected() {
        for path in [
            "",
            "/etc/passwd",
            "../x.csv",
            "csv/../../x.csv",
            "csv/..",
            "./csv",
            "csv//x",
            "csv/",
            "csv\\x",
            "C:/x",
            "C:x",
            "csv/x\0",
        ] {
            let reason = corrupted_reason(|facts| facts["files"][0]["path"] = path.into());
            assert!(reason.ends_with("is no path below the dataset folder"), "{reason}");
        }
        // A name may contain two dots.
        assert!(is_safe_relative_path("parquet/standing/source=a..b/0.parquet"));
    }

    #[test]
    fn duplicate_entries_are_rejected() {
        for what in ["files", "tables", "sources"] {
            let reason = corrupted_reason(|facts| facts[what][1] = facts[what][0].clone());
            assert!(reason.starts_with("duplicate "), "{reason}");
        }
    }

    #[test]
    fn invalid_values_are_rejected() {
        type Change = fn(&mut Json);
        let cases: [(&str, Change); 11] = [
            ("a hash must have 64", |facts| {
                facts["snapshot"] = "ab".into();
            }),
            ("a hash must have 64", |facts| {
                facts["snapshot"] = "AB".repeat(32).into();
            }),
            ("a hash must have 64", |facts| {
                facts["snapshot"] = "+1".repeat(32).into();
            }),
            ("a hash must have 64", |facts| {
                facts["files"][0]["sha256"] = "é".repeat(32).into();
            }),
            ("\"xls\" is unknown", |facts| {
                facts["files"][0]["format"] = "xls".into();
            }),
            ("\"x\" is unknown", |facts| {
                facts["tables"][0]["name"] = "x".into();
            }),
            ("must name one table", |facts| {
                facts["files"][0]["table"] = Json::Null;
            }),
            ("must name no table", |facts| {
                facts["files"][0]["format"] = "sqlite".into();
            }),
            ("since must be a time", |facts| {
                facts["since"] = "yesterday".into();
            }),
            ("names must be real", |facts| {
                facts["sources"][0]["names"] = "x".into();
            }),
            ("is not a source name", |facts| {
                facts["sources"][0]["name"] = "../x".into();
            }),
        ];
        for (reason, change) in cases {
            let message = corrupted_reason(change);
            assert!(message.contains(reason), "{message}");
        }
        let message = corrupted_reason(|facts| facts["tables"][0]["rows"] = json!(-1));
        assert!(message.contains("expected a whole number, found -1"), "{message}");
    }

    #[test]
    fn oversized_manifest_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let file = File::create(folder.path().join(MANIFEST_FILE)).unwrap();
        file.set_len(MAX_MANIFEST_BYTES + 1).unwrap();
        let error = Manifest::read(folder.path()).unwrap_err();
        assert!(error.to_string().contains("longer than 64 MiB"), "{error}");
    }
}
