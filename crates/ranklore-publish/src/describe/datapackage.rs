//! `datapackage.json`: the dataset as a Data Package 2, with the property that Ranklore reads.

use serde::Serialize;
use serde_json::{Value, json};

use crate::describe::edition::REPOSITORY;
use crate::describe::escape::{safe_url, to_html_safe_json};
use crate::describe::manifest::ManifestProperty;
use crate::describe::resource::{DatasetResource, list_resources, resource_name};
use crate::describe::{DatasetDescription, DatasetFormat, SourceMetadata, licence};
use crate::dictionary::{ColumnKind, ColumnSpec, TableReference, TableSpec};

const PROFILE: &str = "https://datapackage.org/profiles/2.0/datapackage.json";

/// Renders the file.
pub(crate) fn render_datapackage(dataset: &DatasetDescription) -> String {
    let resources = list_resources(dataset);
    let described = resources.iter().map(|r| resource(dataset, r, &resources));
    to_html_safe_json(&Package {
        profile: PROFILE,
        name: dataset.slug(),
        id: dataset.snapshot.to_string(),
        title: &dataset.title,
        description: "Standings of contests, with ratings: see README.md.",
        homepage: REPOSITORY,
        version: dataset.edition(),
        created: dataset.last_collected_at(),
        keywords: ["contests", "standings", "ratings"],
        contributors: contributors(dataset),
        licenses: licenses(dataset),
        sources: dataset.sources.iter().map(source).collect(),
        resources: described.collect(),
        ranklore: ManifestProperty::from_description(dataset),
    })
}

#[derive(Serialize)]
struct Package<'d> {
    #[serde(rename = "$schema")]
    profile: &'static str,
    name: String,
    id: String,
    title: &'d str,
    description: &'static str,
    homepage: &'static str,
    version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<String>,
    keywords: [&'static str; 3],
    contributors: Vec<Contributor<'d>>,
    licenses: Vec<License>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<Source<'d>>,
    resources: Vec<PackageResource<'d>>,
    ranklore: ManifestProperty,
}

#[derive(Serialize)]
struct Contributor<'d> {
    title: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'d str>,
    roles: [&'static str; 1],
}

/// Returns the sources to credit, and the program as data collector.
fn contributors(dataset: &DatasetDescription) -> Vec<Contributor<'_>> {
    let sources = dataset.sources.iter().zip(dataset.credits());
    let creators = sources.map(|(source, title)| Contributor {
        title,
        path: source.homepage.as_deref().and_then(safe_url),
        roles: ["creator"],
    });
    let program = Contributor {
        title: "Ranklore",
        path: Some(REPOSITORY),
        roles: ["dataCollector"],
    };
    creators.chain([program]).collect()
}

#[derive(Serialize)]
struct License {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
    path: &'static str,
    title: &'static str,
}

fn licenses(dataset: &DatasetDescription) -> Vec<License> {
    let Some(licences) = licence::find_licences(&dataset.sources) else {
        return vec![License {
            name: None,
            path: "README.md",
            title: "What each source says, in README.md",
        }];
    };
    licences
        .into_iter()
        .map(|licence| License {
            name: Some(licence.spdx),
            path: licence.url,
            title: licence.spdx,
        })
        .collect()
}

#[derive(Serialize)]
struct Source<'d> {
    title: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'d str>,
}

fn source(metadata: &SourceMetadata) -> Source<'_> {
    Source {
        title: &metadata.name,
        path: metadata.homepage.as_deref().and_then(safe_url),
    }
}

#[derive(Serialize)]
struct PackageResource<'d> {
    name: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    path: Paths<'d>,
    title: String,
    description: String,
    format: &'static str,
    mediatype: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dialect: Option<Dialect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<Schema>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Paths<'d> {
    One(&'d str),
    /// The standard has no place for their lengths and hashes, so these are in [`ManifestProperty`].
    Parts(Vec<&'d str>),
}

/// States the defaults of the standard, as readers otherwise guess from the first lines.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Dialect {
    header: bool,
    delimiter: &'static str,
    line_terminator: &'static str,
    quote_char: &'static str,
    double_quote: bool,
    skip_initial_space: bool,
}

const CSV: Dialect = Dialect {
    header: true,
    delimiter: ",",
    line_terminator: "\r\n",
    quote_char: "\"",
    double_quote: true,
    skip_initial_space: false,
};

fn resource<'d>(
    dataset: &DatasetDescription,
    described: &DatasetResource<'d>,
    resources: &[DatasetResource<'d>],
) -> PackageResource<'d> {
    let format = described.format;
    let single = described.single_file();
    let table = described.table.map(crate::dictionary::TableId::spec);
    let mut description = table.map_or_else(
        || format!("All tables as {}.", format.title()),
        |table| format!("{} Order: {}.", table.meaning, table.order),
    );
    if format == DatasetFormat::EloMmr {
        "Contests with their standings, one a file.".clone_into(&mut description);
    }
    if format == DatasetFormat::Csv && dataset.formulas_escaped {
        description
            .push_str(" Texts that spreadsheets take for formulas have an apostrophe in front.");
    }
    PackageResource {
        name: described.name(),
        kind: table.map(|_| "table"),
        path: match described.path() {
            Some(path) => Paths::One(path),
            None => Paths::Parts(described.files.iter().map(|file| &*file.path).collect()),
        },
        title: table.map_or_else(
            || format.title().to_owned(),
            |table| format!("{} ({})", table.name, format.title()),
        ),
        description,
        format: format.extension(),
        mediatype: format.media_type(),
        encoding: format.encoding(),
        bytes: single.map(|file| file.bytes),
        hash: single.map(|file| format!("sha256:{}", file.sha256)),
        dialect: (format == DatasetFormat::Csv).then_some(CSV),
        schema: table.map(|table| schema(table, format, resources)),
    }
}

impl DatasetFormat {
    /// Returns the format name of the standard.
    const fn extension(self) -> &'static str {
        match self {
            Self::EloMmr => "json",
            other => other.as_str(),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Schema {
    fields: Vec<Field>,
    missing_values: [&'static str; 1],
    primary_key: &'static [&'static str],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    foreign_keys: Vec<ForeignKey>,
}

#[derive(Serialize)]
struct Field {
    name: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    description: &'static str,
    /// The value as in CSV: the standard requires a string.
    example: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    unit: &'static str,
    constraints: Value,
}

#[derive(Serialize)]
struct ForeignKey {
    fields: &'static [&'static str],
    reference: ReferenceTarget,
}

#[derive(Serialize)]
struct ReferenceTarget {
    resource: String,
    fields: &'static [&'static str],
}

fn schema(
    table: &'static TableSpec,
    format: DatasetFormat,
    resources: &[DatasetResource<'_>],
) -> Schema {
    let references = table.references.iter();
    let foreign_keys = references.filter(|to| {
        let has_target = resources
            .iter()
            .any(|target| target.format == format && target.table == Some(to.table));
        has_target && is_never_null(table, to)
    });
    Schema {
        fields: table.columns.iter().map(field).collect(),
        missing_values: [""],
        primary_key: table.key,
        foreign_keys: foreign_keys
            .map(|to| ForeignKey {
                fields: to.columns,
                reference: ReferenceTarget {
                    resource: resource_name(to.table, format),
                    fields: to.to,
                },
            })
            .collect(),
    }
}

/// True if no column of the reference is nullable. The standard does not define a foreign key with
/// a partially missing value, and readers look up such rows.
fn is_never_null(table: &TableSpec, to: &TableReference) -> bool {
    let mut columns = table.columns.iter();
    columns.all(|column| !column.nullable || !to.columns.contains(&column.name))
}

fn field(column: &'static ColumnSpec) -> Field {
    Field {
        name: column.name,
        kind: match column.kind {
            ColumnKind::Text => "string",
            ColumnKind::Integer => "integer",
            ColumnKind::Number => "number",
            ColumnKind::Time => "datetime",
            ColumnKind::Boolean => "boolean",
        },
        description: column.meaning,
        example: column.example,
        unit: column.unit,
        constraints: json!({"required": !column.nullable}),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::describe::fixtures;

    fn rendered(description: &DatasetDescription) -> Value {
        serde_json::from_str(&render_datapackage(description)).unwrap()
    }

    fn resource_named<'v>(package: &'v Value, name: &str) -> &'v Value {
        let all = package["resources"].as_array().unwrap();
        all.iter().find(|object| object["name"] == name).unwrap()
    }

    #[test]
    fn every_table_and_format_is_a_resource() {
        let package = rendered(&fixtures::description());
        assert_eq!(package["$schema"], PROFILE);
        assert_eq!(package["resources"].as_array().unwrap().len(), 6 * 3 + 2);
        let csv = resource_named(&package, "rating-run-csv");
        assert_eq!(csv["path"], "csv/rating_run.csv");
        assert_eq!(csv["mediatype"], "text/csv");
        assert_eq!(csv["bytes"], 17);
        assert_eq!(csv["hash"], format!("sha256:{}", "5c".repeat(32)));
        assert_eq!(csv["dialect"]["lineTerminator"], "\r\n");
        assert_eq!(resource_named(&package, "standing-parquet")["encoding"], Value::Null);
        assert_eq!(resource_named(&package, "sqlite")["schema"], Value::Null);
    }

    #[test]
    fn partitions_are_paths_of_one_resource() {
        let package = rendered(&fixtures::partitioned_description());
        let standing = resource_named(&package, "standing-parquet");
        assert_eq!(standing["path"].as_array().unwrap().len(), 3);
        assert_eq!(standing["hash"], Value::Null);
        let files = package["ranklore"]["files"].as_array().unwrap();
        let path = &standing["path"][1];
        let file = files.iter().find(|file| file["path"] == *path).unwrap();
        assert_eq!(file["sha256"], "5c".repeat(32));
    }

    #[test]
    fn schema_has_types_keys_and_required_columns() {
        let package = rendered(&fixtures::description());
        let schema = &resource_named(&package, "standing-csv")["schema"];
        let place = schema["fields"]
            .as_array()
            .unwrap()
            .iter()
            .find(|field| field["name"] == "place")
            .unwrap();
        assert_eq!(place["type"], "integer");
        assert_eq!(place["example"], "17");
        assert_eq!(place["constraints"]["required"], false);
        assert_eq!(schema["primaryKey"][3], "competitor");
        let to = &schema["foreignKeys"][1];
        assert_eq!(to["reference"]["resource"], "competitor-csv");
        assert_eq!(to["fields"][1], "kind");
    }

    #[test]
    fn nullable_reference_is_not_a_foreign_key() {
        let package = rendered(&fixtures::description());
        let schema = &resource_named(&package, "competitor-csv")["schema"];
        assert_eq!(schema["foreignKeys"], Value::Null);
    }

    #[test]
    fn creation_time_is_last_collection() {
        let mut dataset = fixtures::description();
        assert_eq!(rendered(&dataset)["created"], "2024-03-02T00:00:00Z");
        dataset.sources.iter_mut().for_each(|source| source.collected_at = None);
        assert_eq!(rendered(&dataset)["created"], Value::Null);
    }

    #[test]
    fn known_licences_are_named() {
        let mut dataset = fixtures::description();
        assert_eq!(rendered(&dataset)["licenses"][0]["path"], "README.md");
        for source in &mut dataset.sources {
            "CC0-1.0".clone_into(&mut source.licence);
        }
        assert_eq!(rendered(&dataset)["licenses"][0]["name"], "CC0-1.0");
    }

    #[test]
    fn unsafe_urls_are_omitted() {
        let mut dataset = fixtures::description();
        dataset.sources[0].homepage = Some("javascript:alert(1)".to_owned());
        let package = rendered(&dataset);
        assert_eq!(package["sources"][0]["path"], Value::Null);
        assert_eq!(package["contributors"][0]["path"], Value::Null);
    }

    #[test]
    fn datapackage_is_deterministic() {
        let dataset = fixtures::description();
        let mut reversed = dataset.clone();
        reversed.files.reverse();
        let text = render_datapackage(&dataset);
        assert_eq!(text, render_datapackage(&dataset));
        // Only the manifest keeps the file order of the exporter.
        assert_eq!(rendered(&dataset)["resources"], rendered(&reversed)["resources"]);
        assert!(text.ends_with("}\n") && !text.contains('<'));
    }
}
