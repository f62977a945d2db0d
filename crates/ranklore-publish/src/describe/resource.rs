//! Resources of a dataset: the files of one table in one format.

use crate::describe::{DatasetDescription, DatasetFile, DatasetFormat};
use crate::dictionary::TableId;

/// The files of one table in one format; for formats without table files, all files.
#[derive(Clone, Debug)]
pub(super) struct DatasetResource<'d> {
    pub(super) format: DatasetFormat,
    pub(super) table: Option<TableId>,
    /// The files, sorted by path; at least one.
    pub(super) files: Vec<&'d DatasetFile>,
}

/// Returns all resources, ordered by format and table.
pub(super) fn list_resources(dataset: &DatasetDescription) -> Vec<DatasetResource<'_>> {
    let mut resources = Vec::new();
    for format in DatasetFormat::ALL {
        for table in TableId::ALL.into_iter().map(Some).chain([None]) {
            let mut files: Vec<_> = dataset
                .manifest
                .files
                .iter()
                .filter(|file| file.format == format && file.table == table)
                .collect();
            files.sort_by(|a, b| a.path.cmp(&b.path));
            resources.push(DatasetResource {
                format,
                table,
                files,
            });
        }
    }
    resources.retain(|resource| !resource.files.is_empty());
    resources
}

/// Returns the tables in the first format with table files that the dataset has: Parquet, CSV or
/// JSON Lines.
pub(super) fn list_tables(dataset: &DatasetDescription) -> Vec<DatasetResource<'_>> {
    let mut resources = list_resources(dataset);
    resources.retain(|resource| resource.table.is_some());
    // Resources are in the order of preference.
    let first = resources.first().map(|resource| resource.format);
    resources.retain(|resource| Some(resource.format) == first);
    resources
}

impl<'d> DatasetResource<'d> {
    /// Returns a machine-readable name such as `rating-run-csv`.
    pub(super) fn name(&self) -> String {
        match self.table {
            Some(table) => resource_name(table, self.format),
            None => self.format.as_str().to_owned(),
        }
    }

    /// Returns the path if the resource is a single file.
    pub(super) fn path(&self) -> Option<&'d str> {
        self.single_file().map(|file| &*file.path)
    }

    /// Returns the file if there is only one.
    pub(super) fn single_file(&self) -> Option<&'d DatasetFile> {
        match self.files[..] {
            [file] => Some(file),
            _ => None,
        }
    }

    /// Returns the common folder of all files, without a trailing slash.
    pub(super) fn common_folder(&self) -> &'d str {
        let (Some(first), Some(last)) = (self.files.first(), self.files.last()) else {
            return "";
        };
        // The files are sorted, so the first and the last share what all share.
        let pairs = first.path.bytes().zip(last.path.bytes());
        let common = pairs.take_while(|(a, b)| a == b).count();
        let common_bytes = &first.path.as_bytes()[..common];
        let slash = common_bytes.iter().rposition(|&byte| byte == b'/');
        &first.path[..slash.unwrap_or(0)]
    }

    /// Returns the path, or a glob pattern that matches these files only.
    pub(super) fn glob_pattern(&self) -> String {
        let name = self.files.first().map_or("", |file| &*file.path);
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        match (self.path(), self.common_folder()) {
            (Some(path), _) => path.to_owned(),
            (None, "") => format!("**/*.{ending}"),
            (None, folder) => format!("{folder}/**/*.{ending}"),
        }
    }
}

/// Returns the resource name of a table in a format.
pub(super) fn resource_name(table: TableId, format: DatasetFormat) -> String {
    format!("{}-{}", table.name().replace('_', "-"), format.as_str())
}

impl DatasetFormat {
    /// Returns the registered media type, or the most common one.
    pub(super) const fn media_type(self) -> &'static str {
        match self {
            Self::Parquet => "application/vnd.apache.parquet",
            Self::Csv => "text/csv",
            Self::JsonLines => "application/x-ndjson",
            Self::EloMmr => "application/json",
            Self::Sqlite => "application/vnd.sqlite3",
        }
    }

    /// Returns the display name.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Parquet => "Parquet",
            Self::Csv => "CSV",
            Self::JsonLines => "JSON Lines",
            Self::EloMmr => "contest files in the form of Elo-MMR",
            Self::Sqlite => "SQLite",
        }
    }

    /// Returns the text encoding of a text format.
    pub(super) const fn encoding(self) -> Option<&'static str> {
        match self {
            Self::Csv | Self::JsonLines | Self::EloMmr => Some("utf-8"),
            Self::Parquet | Self::Sqlite => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::fixtures;

    #[test]
    fn partitions_form_one_resource() {
        let dataset = fixtures::partitioned_description();
        let all = list_resources(&dataset);
        let standing = all.iter().find(|r| r.name() == "standing-parquet");
        let standing = standing.unwrap();
        assert_eq!(standing.files.len(), 3);
        assert!(standing.path().is_none());
        assert_eq!(standing.common_folder(), "parquet/standing");
        assert_eq!(standing.glob_pattern(), "parquet/standing/**/*.parquet");
    }

    #[test]
    fn resource_order_ignores_file_order() {
        let dataset = fixtures::partitioned_description();
        let mut reversed = dataset.clone();
        reversed.manifest.files.reverse();
        let names = |dataset: &DatasetDescription| -> Vec<_> {
            let paths = |r: DatasetResource<'_>| r.files.iter().map(|f| f.path.clone()).collect();
            list_resources(dataset).into_iter().map(paths).collect::<Vec<Vec<_>>>()
        };
        assert_eq!(names(&dataset), names(&reversed));
    }

    #[test]
    fn formats_without_tables_are_one_resource() {
        let dataset = fixtures::description();
        let resources = list_resources(&dataset);
        let names: Vec<_> = resources.iter().map(DatasetResource::name).collect();
        assert!(names.contains(&"rating-run-csv".to_owned()), "{names:?}");
        assert_eq!(names.iter().filter(|name| *name == "elo-mmr").count(), 1);
        assert_eq!(names.iter().filter(|name| *name == "sqlite").count(), 1);
    }
}
