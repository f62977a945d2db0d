//! `datapackage.json`: the dataset as a Data Package 2, with the property that Ranklore reads.

use serde::Serialize;
use serde_json::json;

use crate::describe::edition::REPOSITORY;
use crate::describe::escape::{safe_url, to_html_safe_json};
use crate::describe::json::{Json, object};
use crate::describe::resource::{DatasetResource, list_resources, resource_name};
use crate::describe::{DatasetDescription, DatasetFormat, Manifest, licence};
use crate::dictionary::{ColumnKind, ColumnSpec, TableReference, TableSpec};

/// Renders the file.
pub(crate) fn render_datapackage(dataset: &DatasetDescription) -> String {
    let resources = list_resources(dataset);
    let described = resources.iter().map(|r| resource(dataset, r, &resources));
    let sources = dataset.sources.iter().map(|source| {
        object! {
            "title": &*source.name,
            "path": source.homepage.as_deref().and_then(safe_url),
        }
    });
    let description = object! {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": dataset.slug(),
        "id": dataset.manifest.snapshot.to_string(),
        "title": &*dataset.title,
        "description": "Standings of contests, with ratings: see README.md.",
        "homepage": REPOSITORY,
        "version": dataset.edition(),
        "created": dataset.last_collected_at(),
        "keywords": vec!["contests", "standings", "ratings"],
        "contributors": contributors(dataset),
        "licenses": licenses(dataset),
        "sources": non_empty(sources.collect()),
        "resources": described.collect::<Vec<_>>(),
    };
    to_html_safe_json(&Package {
        description,
        ranklore: &dataset.manifest,
    })
}

#[derive(Serialize)]
struct Package<'d> {
    #[serde(flatten)]
    description: Json,
    ranklore: &'d Manifest,
}

/// Returns the list, or `None` if it is empty.
fn non_empty(list: Vec<Json>) -> Option<Vec<Json>> {
    Some(list).filter(|list| !list.is_empty())
}

/// Returns the sources to credit, and the program as data collector.
fn contributors(dataset: &DatasetDescription) -> Vec<Json> {
    let sources = dataset.sources.iter().zip(dataset.credits());
    let creators = sources.map(|(source, title)| {
        let path = source.homepage.as_deref().and_then(safe_url);
        object! { "title": title, "path": path, "roles": vec!["creator"] }
    });
    let program =
        object! { "title": "Ranklore", "path": REPOSITORY, "roles": vec!["dataCollector"] };
    creators.chain([program]).collect()
}

fn licenses(dataset: &DatasetDescription) -> Vec<Json> {
    let Some(licences) = licence::find_licences(&dataset.sources) else {
        return vec![object! {
            "path": "README.md",
            "title": "What each source says, in README.md",
        }];
    };
    licences
        .into_iter()
        .map(|known| object! { "name": known.spdx, "path": known.url, "title": known.spdx })
        .collect()
}

fn resource(
    dataset: &DatasetDescription,
    described: &DatasetResource<'_>,
    resources: &[DatasetResource<'_>],
) -> Json {
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
    if format == DatasetFormat::Csv && dataset.manifest.formulas_escaped {
        description
            .push_str(" Texts that spreadsheets take for formulas have an apostrophe in front.");
    }
    // The standard has no place for the lengths and hashes of several files, so these are in the
    // manifest only.
    let path: Json = match described.path() {
        Some(path) => path.into(),
        None => described.files.iter().map(|file| &*file.path).collect::<Vec<_>>().into(),
    };
    object! {
        "name": described.name(),
        "type": table.map(|_| "table"),
        "path": path,
        "title": table.map_or_else(
            || format.title().to_owned(),
            |table| format!("{} ({})", table.name, format.title()),
        ),
        "description": description,
        "format": match format {
            DatasetFormat::EloMmr => "json",
            other => other.as_str(),
        },
        "mediatype": format.media_type(),
        "encoding": format.encoding(),
        "bytes": single.map(|file| file.bytes),
        "hash": single.map(|file| format!("sha256:{}", file.sha256)),
        "dialect": (format == DatasetFormat::Csv).then(csv_dialect),
        "schema": table.map(|table| schema(table, format, resources)),
    }
}

/// Returns the defaults of the standard, as readers otherwise guess from the first lines.
fn csv_dialect() -> Json {
    object! {
        "header": true,
        "delimiter": ",",
        "lineTerminator": "\r\n",
        "quoteChar": "\"",
        "doubleQuote": true,
        "skipInitialSpace": false,
    }
}

fn schema(table: &TableSpec, format: DatasetFormat, resources: &[DatasetResource<'_>]) -> Json {
    let references = table.references.iter().filter(|to| {
        let has_target = resources
            .iter()
            .any(|target| target.format == format && target.table == Some(to.table));
        has_target && is_never_null(table, to)
    });
    let foreign_keys = references.map(|to| {
        object! {
            "fields": to.columns.to_vec(),
            "reference": object! {
                "resource": resource_name(to.table, format),
                "fields": to.to.to_vec(),
            },
        }
    });
    object! {
        "fields": table.columns.iter().map(field).collect::<Vec<_>>(),
        "missingValues": vec![""],
        "primaryKey": table.key.to_vec(),
        "foreignKeys": non_empty(foreign_keys.collect()),
    }
}

/// True if no column of the reference is nullable. The standard does not define a foreign key with
/// a partially missing value, and readers look up such rows.
fn is_never_null(table: &TableSpec, to: &TableReference) -> bool {
    let mut columns = table.columns.iter();
    columns.all(|column| !column.nullable || !to.columns.contains(&column.name))
}

fn field(column: &ColumnSpec) -> Json {
    object! {
        "name": column.name,
        "type": match column.kind {
            ColumnKind::Text => "string",
            ColumnKind::Integer => "integer",
            ColumnKind::Number => "number",
            ColumnKind::Time => "datetime",
            ColumnKind::Boolean => "boolean",
        },
        "description": column.meaning,
        // The value as in CSV: the standard requires a string.
        "example": column.example,
        "unit": Some(column.unit).filter(|unit| !unit.is_empty()),
        "constraints": json!({"required": !column.nullable}),
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
        assert_eq!(package["$schema"], "https://datapackage.org/profiles/2.0/datapackage.json");
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
        reversed.manifest.files.reverse();
        let text = render_datapackage(&dataset);
        assert_eq!(text, render_datapackage(&dataset));
        // Only the manifest keeps the file order of the exporter.
        assert_eq!(rendered(&dataset)["resources"], rendered(&reversed)["resources"]);
        assert!(text.ends_with("}\n") && !text.contains('<'));
    }
}
