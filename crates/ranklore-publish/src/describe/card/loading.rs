//! Loading instructions of a card, one line per program.

use std::fmt::Write;

use crate::describe::resource::{DatasetResource, list_resources, list_tables};
use crate::describe::{DatasetDescription, DatasetFormat};
use crate::dictionary::{ColumnKind, TableId};

const HEADING: &str = "| with | |\n| --- | --- |\n";

/// The programs with code for every format.
const PROGRAMS: [&str; 5] = ["DuckDB", "Polars", "pandas", "Spark", "DataFusion"];

/// Renders the lines for one table in the preferred format, and for SQLite.
pub(super) fn render_loading(dataset: &DatasetDescription) -> String {
    let mut out = String::new();
    let tables = list_tables(dataset);
    let example = tables
        .iter()
        .find(|resource| resource.table == Some(TableId::Standing))
        .or_else(|| tables.first());
    if let Some((table, resource)) = example.and_then(|resource| Some((resource.table?, resource)))
    {
        out.push_str(HEADING);
        for (program, line) in loading_lines(table, resource) {
            // Writing to a string cannot fail; no line contains a `|`.
            let _ = writeln!(out, "| {program} | `{line}` |");
        }
    }
    let resources = list_resources(dataset);
    for file in resources.iter().filter(|r| r.format == DatasetFormat::Sqlite) {
        if out.is_empty() {
            out.push_str(HEADING);
        }
        let path = file.path().unwrap_or_default();
        let _ = writeln!(
            out,
            "| SQLite | `sqlite3 {path} 'SELECT * FROM standing LIMIT 10'` |\n\
             | Datasette | `datasette {path}` |"
        );
    }
    if out.is_empty() {
        return out;
    }
    format!("\n## Loading\n\nIn the folder of the dataset:\n\n{out}")
}

/// Returns pairs of a program and its code to load a table.
fn loading_lines(
    table: TableId,
    resource: &DatasetResource<'_>,
) -> impl Iterator<Item = (&'static str, String)> {
    let path = resource.glob_pattern();
    let lines = match resource.format {
        DatasetFormat::Csv => csv_lines(table, &path),
        DatasetFormat::JsonLines => [
            format!("SELECT * FROM '{path}'"),
            format!("pl.read_ndjson('{path}')"),
            format!("pd.read_json('{path}', lines=True, dtype=False)"),
            format!("spark.read.json('{path}')"),
            format!("SessionContext().read_json('{path}', file_extension='.jsonl')"),
        ],
        DatasetFormat::Parquet | DatasetFormat::EloMmr | DatasetFormat::Sqlite => {
            parquet_lines(resource, &path)
        }
    };
    // `load_dataset` takes a folder path or a name on the hub.
    let hub = format!("datasets.load_dataset('/path/to/FOLDER', '{}')", table.name());
    PROGRAMS.into_iter().zip(lines).chain([("Hugging Face", hub)])
}

/// Returns the code for CSV. Keys may look like numbers or null values, so programs that guess
/// types are given the text columns.
fn csv_lines(table: TableId, path: &str) -> [String; PROGRAMS.len()] {
    let text_columns = |kind: &str| {
        let columns = table.spec().columns.iter();
        columns
            .filter(|column| column.kind == ColumnKind::Text)
            .map(|column| format!("'{}': {kind}", column.name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let [duckdb, polars, pandas] = ["'VARCHAR'", "pl.String", "str"].map(text_columns);
    [
        format!("SELECT * FROM read_csv('{path}', types = {{{duckdb}}})"),
        format!("pl.read_csv('{path}', schema_overrides={{{polars}}})"),
        format!("pd.read_csv('{path}', dtype={{{pandas}}}, keep_default_na=False, na_values=[''])"),
        format!("spark.read.csv('{path}', header=True, multiLine=True, escape='\"')"),
        // Reads all columns as text.
        format!("SessionContext().read_csv('{path}', schema_infer_max_records=0)"),
    ]
}

fn parquet_lines(resource: &DatasetResource<'_>, path: &str) -> [String; PROGRAMS.len()] {
    // Readers that accept a folder find the partitions of a table in it.
    let folder = resource.path().unwrap_or_else(|| resource.common_folder());
    // Ignores partition columns in folder names: the files hold these columns, and a source named
    // `2024` must stay text.
    let (duckdb, pandas, spark) = match resource.path() {
        Some(_) => (format!("'{path}'"), "", ""),
        None => (
            format!("read_parquet('{path}', hive_partitioning = false)"),
            ", partitioning=None",
            ", recursiveFileLookup=True",
        ),
    };
    [
        format!("SELECT * FROM {duckdb}"),
        format!("pl.read_parquet('{path}')"),
        format!("pd.read_parquet('{folder}'{pandas})"),
        format!("spark.read.parquet('{folder}'{spark})"),
        format!("SessionContext().read_parquet('{folder}')"),
    ]
}
