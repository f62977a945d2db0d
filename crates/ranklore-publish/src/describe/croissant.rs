//! `croissant.json`: the dataset in Croissant 1.1, a JSON-LD vocabulary for machine learning.

use serde::Serialize;
use serde_json::{Value, json};

use crate::describe::escape::{safe_url, to_html_safe_json};
use crate::describe::resource::{DatasetResource, list_resources, list_tables};
use crate::describe::{DatasetDescription, DatasetFormat, SourceMetadata, licence};
use crate::dictionary::{ColumnKind, ColumnSpec, TableId, TableSpec};

/// Renders the file.
pub(crate) fn render_croissant(dataset: &DatasetDescription) -> String {
    let creators = dataset.sources.iter().zip(dataset.credits());
    to_html_safe_json(&Dataset {
        context: context(),
        kind: "sc:Dataset",
        conforms_to: "http://mlcommons.org/croissant/1.1",
        name: &dataset.title,
        alternate_name: dataset.slug(),
        description: "Standings of contests, with ratings.",
        url: "README.md",
        version: dataset.edition(),
        date_published: dataset.last_collected_at().or_else(|| dataset.last_result_at()),
        license: licenses(dataset),
        creator: creators.map(creator).collect(),
        cite_as: dataset.bibtex(),
        keywords: ["contests", "standings", "ratings"],
        distribution: list_resources(dataset).iter().map(distribution).collect(),
        record_set: list_tables(dataset).iter().filter_map(record_set).collect(),
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Dataset<'d> {
    #[serde(rename = "@context")]
    context: Value,
    #[serde(rename = "@type")]
    kind: &'static str,
    conforms_to: &'static str,
    name: &'d str,
    alternate_name: String,
    description: &'static str,
    /// The place of publication is unknown at export, so this is the page beside the file.
    url: &'static str,
    version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published: Option<String>,
    license: Vec<Value>,
    creator: Vec<Organization<'d>>,
    cite_as: String,
    keywords: [&'static str; 3],
    distribution: Vec<Distribution<'d>>,
    record_set: Vec<RecordSet>,
}

/// Returns the context of the standard verbatim: readers look for it.
fn context() -> Value {
    json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "arrayShape": "cr:arrayShape",
        "citeAs": "cr:citeAs",
        "column": "cr:column",
        "conformsTo": "dct:conformsTo",
        "containedIn": "cr:containedIn",
        "cr": "http://mlcommons.org/croissant/",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "dct": "http://purl.org/dc/terms/",
        "description": {"@container": "@language"},
        "equivalentProperty": "cr:equivalentProperty",
        "examples": {"@id": "cr:examples", "@type": "@json"},
        "extract": "cr:extract",
        "field": "cr:field",
        "fileObject": "cr:fileObject",
        "fileProperty": "cr:fileProperty",
        "fileSet": "cr:fileSet",
        "format": "cr:format",
        "includes": "cr:includes",
        "isArray": "cr:isArray",
        "isLiveDataset": "cr:isLiveDataset",
        "jsonPath": "cr:jsonPath",
        "key": "cr:key",
        "md5": "cr:md5",
        "name": {"@container": "@language"},
        "parentField": "cr:parentField",
        "path": "cr:path",
        "recordSet": "cr:recordSet",
        "references": "cr:references",
        "regex": "cr:regex",
        "repeated": "cr:repeated",
        "replace": "cr:replace",
        "samplingRate": "cr:samplingRate",
        "sc": "https://schema.org/",
        "separator": "cr:separator",
        "source": "cr:source",
        "subField": "cr:subField",
        "transform": "cr:transform",
    })
}

/// Returns URLs if every source has a known licence, and the text of the terms otherwise.
fn licenses(dataset: &DatasetDescription) -> Vec<Value> {
    if let Some(licences) = licence::find_licences(&dataset.sources) {
        return licences.iter().map(|licence| licence.url.into()).collect();
    }
    let sources = dataset.sources.iter();
    sources
        .map(|source| match &*source.licence {
            "" => format!("{}: no terms of use are stated", source.name).into(),
            terms => format!("{}: {terms}", source.name).into(),
        })
        .collect()
}

#[derive(Serialize)]
struct Organization<'d> {
    #[serde(rename = "@type")]
    kind: &'static str,
    name: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'d str>,
}

fn creator<'d>((source, credit): (&'d SourceMetadata, &'d str)) -> Organization<'d> {
    Organization {
        kind: "sc:Organization",
        name: credit,
        url: source.homepage.as_deref().and_then(safe_url),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Distribution<'d> {
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "@id")]
    id: String,
    name: String,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_url: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_size: Option<String>,
    encoding_format: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    includes: Option<String>,
}

/// Describes a file or the partitions of a table, whose hashes are in `SHA256SUMS` only.
fn distribution<'d>(resource: &DatasetResource<'d>) -> Distribution<'d> {
    let id = resource.name();
    let single = resource.single_file();
    let content = resource.table.map_or("All tables", |t| t.spec().meaning);
    Distribution {
        kind: if single.is_some() {
            "cr:FileObject"
        } else {
            "cr:FileSet"
        },
        name: resource.path().unwrap_or(&id).to_owned(),
        id,
        description: format!("{content} ({})", resource.format.title()),
        content_url: resource.path(),
        content_size: single.map(|file| format!("{} B", file.bytes)),
        encoding_format: encodings(resource.format),
        sha256: single.map(|file| &*file.sha256),
        includes: single.is_none().then(|| resource.glob_pattern()),
    }
}

/// Returns the media types, including those that readers of Croissant expect.
fn encodings(format: DatasetFormat) -> Vec<&'static str> {
    let expected = match format {
        DatasetFormat::Parquet => Some("application/x-parquet"),
        DatasetFormat::JsonLines => Some("application/jsonlines"),
        DatasetFormat::Csv | DatasetFormat::EloMmr | DatasetFormat::Sqlite => None,
    };
    [format.media_type()].into_iter().chain(expected).collect()
}

#[derive(Serialize)]
struct RecordSet {
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "@id")]
    id: &'static str,
    name: &'static str,
    description: String,
    key: Vec<Value>,
    field: Vec<Field>,
}

fn record_set(resource: &DatasetResource<'_>) -> Option<RecordSet> {
    let table = resource.table?;
    let TableSpec {
        name,
        meaning,
        columns,
        key,
        references,
        ..
    } = *table.spec();
    let reference_texts = references.iter().map(|to| {
        let columns = to.columns.join(", ");
        format!(" {columns}: of {} ({}).", to.table.name(), to.to.join(", "))
    });
    let keys = key.iter().map(|k| json!({"@id": field_id(table, k)}));
    let fields = columns.iter().map(|c| field(resource, table, c));
    Some(RecordSet {
        kind: "cr:RecordSet",
        id: name,
        name,
        description: format!("{meaning}{}", reference_texts.collect::<String>()),
        key: keys.collect(),
        field: fields.collect(),
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Field {
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "@id")]
    id: String,
    name: &'static str,
    description: String,
    data_type: &'static str,
    source: Source,
    #[serde(skip_serializing_if = "Option::is_none")]
    references: Option<Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Source {
    #[serde(skip_serializing_if = "Option::is_none")]
    file_object: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_set: Option<Value>,
    extract: Value,
}

fn field(resource: &DatasetResource<'_>, table: TableId, column: &'static ColumnSpec) -> Field {
    let file = Some(json!({"@id": resource.name()}));
    let (file_object, file_set) = match resource.single_file() {
        Some(_) => (file, None),
        None => (None, file),
    };
    let unit = match column.unit {
        "" => String::new(),
        unit => format!(" Unit: {unit}."),
    };
    Field {
        kind: "cr:Field",
        id: field_id(table, column.name),
        name: column.name,
        description: format!("{}{unit}", column.meaning),
        data_type: match column.kind {
            ColumnKind::Text => "sc:Text",
            ColumnKind::Integer => "cr:Int64",
            ColumnKind::Number => "cr:Float64",
            ColumnKind::Time => "sc:DateTime",
            ColumnKind::Boolean => "sc:Boolean",
        },
        source: Source {
            file_object,
            file_set,
            extract: json!({"column": column.name}),
        },
        references: reference(table, column.name),
    }
}

/// Returns the field that a single column refers to. Croissant cannot express references of several
/// columns: readers join by each referencing field, and a join by one of several columns gives
/// wrong rows. The table description names those references instead.
fn reference(table: TableId, column: &str) -> Option<Value> {
    let mut references = table.spec().references.iter();
    let to = references.find(|to| to.columns == [column] && to.table != table)?;
    // Readers require the target to be an object with a field.
    Some(json!({"field": {"@id": field_id(to.table, to.to.first()?)}}))
}

fn field_id(table: TableId, column: &str) -> String {
    format!("{}/{column}", table.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::fixtures;

    fn rendered(description: &DatasetDescription) -> Value {
        serde_json::from_str(&render_croissant(description)).unwrap()
    }

    fn with_id<'v>(all: &'v Value, id: &str) -> &'v Value {
        let all = all.as_array().unwrap();
        all.iter().find(|object| object["@id"] == id).unwrap()
    }

    #[test]
    fn files_have_sizes_and_hashes() {
        let dataset = rendered(&fixtures::description());
        let file = with_id(&dataset["distribution"], "standing-csv");
        assert_eq!(file["@type"], "cr:FileObject");
        assert_eq!(file["contentUrl"], "csv/standing.csv");
        assert_eq!(file["contentSize"], "17 B");
        assert_eq!(file["sha256"], "5c".repeat(32));
        assert_eq!(file["encodingFormat"][0], "text/csv");
        let games = with_id(&dataset["distribution"], "elo-mmr");
        assert_eq!(games["includes"], "elo-mmr/lantern/**/*.json");
    }

    #[test]
    fn fields_refer_to_one_format() {
        let mut description = fixtures::description();
        for (format, id) in [
            (DatasetFormat::Parquet, "standing-parquet"),
            (DatasetFormat::Csv, "standing-csv"),
            (DatasetFormat::JsonLines, "standing-jsonl"),
        ] {
            let dataset = rendered(&description);
            let standing = with_id(&dataset["recordSet"], "standing");
            for field in standing["field"].as_array().unwrap() {
                assert_eq!(field["source"]["fileObject"]["@id"], id);
            }
            description.files.retain(|file| file.format != format);
        }
        assert_eq!(rendered(&description)["recordSet"], json!([]));
    }

    #[test]
    fn fields_have_types_and_keys() {
        let dataset = rendered(&fixtures::description());
        let standing = with_id(&dataset["recordSet"], "standing");
        assert_eq!(standing["key"][1]["@id"], "standing/contest");
        let contest = with_id(&standing["field"], "standing/contest");
        assert_eq!(contest["dataType"], "sc:Text");
        assert_eq!(contest["source"]["extract"]["column"], "contest");
        let score = with_id(&standing["field"], "standing/score");
        assert_eq!(score["dataType"], "cr:Float64");
        assert_eq!(score["references"], Value::Null);
        let contest = with_id(&dataset["recordSet"], "contest");
        let ends_at = with_id(&contest["field"], "contest/ends_at");
        assert_eq!(ends_at["dataType"], "sc:DateTime");
    }

    #[test]
    fn partitions_form_a_file_set() {
        let dataset = rendered(&fixtures::partitioned_description());
        let set = with_id(&dataset["distribution"], "standing-parquet");
        assert_eq!(set["@type"], "cr:FileSet");
        assert_eq!(set["includes"], "parquet/standing/**/*.parquet");
        let standing = with_id(&dataset["recordSet"], "standing");
        let field = with_id(&standing["field"], "standing/place");
        assert_eq!(field["source"]["fileSet"]["@id"], "standing-parquet");
    }

    #[test]
    fn only_single_column_references_are_listed() {
        let dataset = rendered(&fixtures::description());
        let sets = dataset["recordSet"].as_array().unwrap();
        let fields = sets.iter().flat_map(|set| set["field"].as_array().unwrap());
        let with = fields.filter(|field| !field["references"].is_null());
        let ids: Vec<_> = with
            .map(|field| (&field["@id"], &field["references"]["field"]["@id"]))
            .collect();
        assert_eq!(ids, [(&json!("rating/run"), &json!("rating_run/run"))]);
        let standing = with_id(&dataset["recordSet"], "standing");
        assert_eq!(
            standing["description"],
            "One result of a competitor in a contest. source, contest: of contest (source, \
             contest). source, kind, competitor: of competitor (source, kind, competitor)."
        );
    }

    #[test]
    fn publication_date_is_last_collection_or_result() {
        let mut dataset = fixtures::description();
        assert_eq!(rendered(&dataset)["datePublished"], "2024-03-02T00:00:00Z");
        dataset.sources.iter_mut().for_each(|source| source.collected_at = None);
        assert_eq!(rendered(&dataset)["datePublished"], "2024-02-29T12:00:00Z");
    }

    #[test]
    fn known_licences_become_urls() {
        let mut dataset = fixtures::description();
        assert_eq!(rendered(&dataset)["license"][0], "lantern: The site names no licence.");
        for source in &mut dataset.sources {
            "CC0-1.0".clone_into(&mut source.licence);
        }
        assert_eq!(
            rendered(&dataset)["license"],
            json!(["https://creativecommons.org/publicdomain/zero/1.0/"])
        );
    }
}
