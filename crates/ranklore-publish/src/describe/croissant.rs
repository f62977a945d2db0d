//! `croissant.json`: the dataset in Croissant 1.1, a JSON-LD vocabulary for machine learning.

use serde_json::{Value, json};

use crate::describe::escape::{safe_url, to_html_safe_json};
use crate::describe::json::{Json, object};
use crate::describe::resource::{DatasetResource, list_resources, list_tables};
use crate::describe::{DatasetDescription, DatasetFormat, licence};
use crate::dictionary::{ColumnKind, ColumnSpec, TableId};

/// Renders the file.
pub(crate) fn render_croissant(dataset: &DatasetDescription) -> String {
    let creators = dataset.sources.iter().zip(dataset.credits()).map(|(source, credit)| {
        object! {
            "@type": "sc:Organization",
            "name": credit,
            "url": source.homepage.as_deref().and_then(safe_url),
        }
    });
    to_html_safe_json(&object! {
        "@context": context(),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": &*dataset.title,
        "alternateName": dataset.slug(),
        "description": "Standings of contests, with ratings.",
        // The place of publication is unknown at export, so this is the page beside the file.
        "url": "README.md",
        "version": dataset.edition(),
        "datePublished": dataset.last_collected_at().or_else(|| dataset.last_result_at()),
        "license": licenses(dataset),
        "creator": creators.collect::<Vec<_>>(),
        "citeAs": dataset.bibtex(),
        "keywords": vec!["contests", "standings", "ratings"],
        "distribution": list_resources(dataset).iter().map(distribution).collect::<Vec<_>>(),
        "recordSet": list_tables(dataset).iter().filter_map(record_set).collect::<Vec<_>>(),
    })
}

/// The terms of Croissant that are named `cr:` and their own name.
const TERMS: &str = "arrayShape citeAs column containedIn equivalentProperty extract field \
    fileObject fileProperty fileSet format includes isArray isLiveDataset jsonPath key md5 \
    parentField path recordSet references regex repeated replace samplingRate separator source \
    subField transform";

/// Returns the context of the standard verbatim: readers look for it.
fn context() -> Value {
    let mut context = json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "dct": "http://purl.org/dc/terms/",
        "description": {"@container": "@language"},
        "examples": {"@id": "cr:examples", "@type": "@json"},
        "name": {"@container": "@language"},
        "sc": "https://schema.org/",
    });
    for term in TERMS.split_whitespace() {
        context[term] = format!("cr:{term}").into();
    }
    context
}

/// Returns URLs if every source has a known licence, and the text of the terms otherwise.
fn licenses(dataset: &DatasetDescription) -> Vec<String> {
    if let Some(licences) = licence::find_licences(&dataset.sources) {
        return licences.iter().map(|licence| licence.url.to_owned()).collect();
    }
    let sources = dataset.sources.iter();
    sources
        .map(|source| match &*source.licence {
            "" => format!("{}: no terms of use are stated", source.name),
            terms => format!("{}: {terms}", source.name),
        })
        .collect()
}

/// Describes a file or the partitions of a table, whose hashes are in `SHA256SUMS` only.
fn distribution(resource: &DatasetResource<'_>) -> Json {
    let id = resource.name();
    let single = resource.single_file();
    let content = resource.table.map_or("All tables", |t| t.spec().meaning);
    object! {
        "@type": if single.is_some() { "cr:FileObject" } else { "cr:FileSet" },
        "@id": &*id,
        "name": resource.path().unwrap_or(&id),
        "description": format!("{content} ({})", resource.format.title()),
        "contentUrl": resource.path(),
        "contentSize": single.map(|file| format!("{} B", file.bytes)),
        "encodingFormat": encodings(resource.format),
        "sha256": single.map(|file| file.sha256.to_string()),
        "includes": single.is_none().then(|| resource.glob_pattern()),
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

fn record_set(resource: &DatasetResource<'_>) -> Option<Json> {
    let table = resource.table?;
    let spec = table.spec();
    let references = spec.references.iter().map(|to| {
        let columns = to.columns.join(", ");
        format!(" {columns}: of {} ({}).", to.table.name(), to.to.join(", "))
    });
    let keys = spec.key.iter().map(|key| object! { "@id": field_id(table, key) });
    let fields = spec.columns.iter().map(|column| field(resource, table, column));
    Some(object! {
        "@type": "cr:RecordSet",
        "@id": spec.name,
        "name": spec.name,
        "description": format!("{}{}", spec.meaning, references.collect::<String>()),
        "key": keys.collect::<Vec<_>>(),
        "field": fields.collect::<Vec<_>>(),
    })
}

fn field(resource: &DatasetResource<'_>, table: TableId, column: &ColumnSpec) -> Json {
    let file = || object! { "@id": resource.name() };
    let is_single = resource.single_file().is_some();
    let unit = match column.unit {
        "" => String::new(),
        unit => format!(" Unit: {unit}."),
    };
    object! {
        "@type": "cr:Field",
        "@id": field_id(table, column.name),
        "name": column.name,
        "description": format!("{}{unit}", column.meaning),
        "dataType": match column.kind {
            ColumnKind::Text => "sc:Text",
            ColumnKind::Integer => "cr:Int64",
            ColumnKind::Number => "cr:Float64",
            ColumnKind::Time => "sc:DateTime",
            ColumnKind::Boolean => "sc:Boolean",
        },
        "source": object! {
            "fileObject": is_single.then(file),
            "fileSet": (!is_single).then(file),
            "extract": object! { "column": column.name },
        },
        "references": reference(table, column.name),
    }
}

/// Returns the field that a single column refers to. Croissant cannot express references of several
/// columns: readers join by each referencing field, and a join by one of several columns gives
/// wrong rows. The table description names those references instead.
fn reference(table: TableId, column: &str) -> Option<Json> {
    let mut references = table.spec().references.iter();
    let to = references.find(|to| to.columns == [column] && to.table != table)?;
    // Readers require the target to be an object with a field.
    Some(object! { "field": object! { "@id": field_id(to.table, to.to.first()?) } })
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
            description.manifest.files.retain(|file| file.format != format);
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
