//! The YAML header that Hugging Face reads.

use std::fmt::Write;

use crate::describe::escape::yaml_string;
use crate::describe::resource::{DatasetResource, list_tables};
use crate::describe::{DatasetDescription, DatasetFormat, licence};
use crate::dictionary::{ColumnKind, TableId};

/// Renders the YAML front matter. All strings are quoted as in JSON, which YAML accepts.
pub(super) fn render_header(dataset: &DatasetDescription) -> String {
    let mut out = format!("---\npretty_name: {}\n", yaml_string(&dataset.title));
    match licence::find_licences(&dataset.sources) {
        Some(known) => {
            out.push_str("license:\n");
            for licence in known {
                // Writing to a string cannot fail.
                let _ = writeln!(out, "- {}", yaml_string(licence.hugging_face_id));
            }
        }
        None => out.push_str("license: other\nlicense_name: \"terms-of-the-sources\"\n"),
    }
    out.push_str("tags:\n- \"contests\"\n- \"standings\"\n");
    if !dataset.runs.is_empty() {
        out.push_str("- \"ratings\"\n");
    }
    let rows = dataset.manifest.tables.iter().map(|table| table.rows).sum();
    let _ = write!(out, "size_categories:\n- {}\n", size_category(rows));
    let tables = list_tables(dataset);
    out.push_str(&render_features(&tables));
    if !tables.is_empty() {
        out.push_str("configs:\n");
    }
    for (table, resource) in tables.iter().filter_map(|r| Some((r.table?, r))) {
        let name = yaml_string(table.name());
        let path = yaml_string(&resource.glob_pattern());
        let _ = write!(out, "- config_name: {name}\n  data_files: {path}\n");
        if table == TableId::Standing {
            out.push_str("  default: true\n");
        }
        if resource.format == DatasetFormat::Csv {
            // A competitor may be named `NA`.
            out.push_str("  keep_default_na: false\n  na_values: [\"\"]\n");
        }
    }
    out.push_str("---\n");
    out
}

/// Renders column types for formats that do not store them: a reader would take a key of digits for
/// a number.
fn render_features(tables: &[DatasetResource<'_>]) -> String {
    let mut out = String::new();
    for (table, format) in tables.iter().filter_map(|r| Some((r.table?, r.format))) {
        if format == DatasetFormat::Parquet {
            continue;
        }
        if out.is_empty() {
            out.push_str("dataset_info:\n");
        }
        let name = yaml_string(table.name());
        let _ = write!(out, "- config_name: {name}\n  features:\n");
        for column in table.spec().columns {
            let dtype = match column.kind {
                ColumnKind::Text => "string",
                // Readers do not accept a CSV column without any time as a time column.
                ColumnKind::Time if format == DatasetFormat::Csv => "string",
                ColumnKind::Integer => "int64",
                ColumnKind::Number => "float64",
                ColumnKind::Time => "timestamp[ms, tz=UTC]",
                ColumnKind::Boolean => "bool",
            };
            let name = yaml_string(column.name);
            let _ = write!(out, "  - name: {name}\n    dtype: {}\n", yaml_string(dtype));
        }
    }
    out
}

/// Returns the size category of the Hugging Face hub.
const fn size_category(rows: u64) -> &'static str {
    match rows {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        1_000_000..10_000_000 => "1M<n<10M",
        10_000_000..100_000_000 => "10M<n<100M",
        100_000_000..1_000_000_000 => "100M<n<1B",
        _ => "n>1B",
    }
}
