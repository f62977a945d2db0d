//! The YAML header that Hugging Face reads.

use std::fmt::Write;

use crate::describe::escape::quoted;
use crate::describe::resource::{Resource, tables_in};
use crate::describe::{Description, Format, licence};
use crate::dictionary::{Kind, TableId};

/// Renders the YAML front matter. All strings are quoted as in JSON, which YAML accepts.
pub(super) fn header(of: &Description) -> String {
    let mut out = format!("---\npretty_name: {}\n", quoted(&of.title));
    match licence::known(&of.sources) {
        Some(known) => {
            out.push_str("license:\n");
            for licence in known {
                // Writing to a string cannot fail.
                let _ = writeln!(out, "- {}", quoted(licence.hub));
            }
        }
        None => out.push_str("license: other\nlicense_name: \"terms-of-the-sources\"\n"),
    }
    out.push_str("tags:\n- \"contests\"\n- \"standings\"\n");
    if !of.runs.is_empty() {
        out.push_str("- \"ratings\"\n");
    }
    let rows = of.tables.iter().map(|table| table.rows).sum();
    let _ = write!(out, "size_categories:\n- {}\n", size(rows));
    let tables = tables_in(of, &[Format::Parquet, Format::Csv, Format::JsonLines]);
    out.push_str(&features(&tables));
    if !tables.is_empty() {
        out.push_str("configs:\n");
    }
    for (table, resource) in tables.iter().filter_map(|of| Some((of.table?, of))) {
        let name = quoted(table.name());
        let path = quoted(&resource.pattern());
        let _ = write!(out, "- config_name: {name}\n  data_files: {path}\n");
        if table == TableId::Standing {
            out.push_str("  default: true\n");
        }
        if resource.format == Format::Csv {
            // A competitor may be named `NA`.
            out.push_str("  keep_default_na: false\n  na_values: [\"\"]\n");
        }
    }
    out.push_str("---\n");
    out
}

/// Renders column types for formats that do not store them: a reader would take a key of digits for
/// a number.
fn features(tables: &[Resource<'_>]) -> String {
    let mut out = String::new();
    let typeless = |of: &&Resource<'_>| of.format != Format::Parquet;
    let typeless = tables.iter().filter(typeless);
    for (table, format) in typeless.filter_map(|of| Some((of.table?, of.format))) {
        if out.is_empty() {
            out.push_str("dataset_info:\n");
        }
        let _ = write!(
            out,
            "- config_name: {}\n  features:\n",
            quoted(table.name())
        );
        for column in table.table().columns {
            let dtype = match column.kind {
                Kind::Text => "string",
                // Readers do not accept a CSV column without any time as a time column.
                Kind::Time if format == Format::Csv => "string",
                Kind::Integer => "int64",
                Kind::Number => "float64",
                Kind::Time => "timestamp[ms, tz=UTC]",
                Kind::Boolean => "bool",
            };
            let name = quoted(column.name);
            let _ = write!(out, "  - name: {name}\n    dtype: {}\n", quoted(dtype));
        }
    }
    out
}

/// Returns the size category of the Hugging Face hub.
const fn size(rows: u64) -> &'static str {
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
