//! Loading instructions of a card, one line per program.

use std::fmt::Write;

use crate::describe::resource::{DatasetResource, list_resources, list_tables};
use crate::describe::{DatasetDescription, DatasetFormat};
use crate::dictionary::{ColumnKind, TableId};

/// Renders the lines for one table in the preferred format, and for SQLite.
pub(super) fn render_loading(of: &DatasetDescription) -> String {
    let mut out = String::new();
    let tables = list_tables(of);
    let example = (tables.iter())
        .find(|of| of.table == Some(TableId::Standing))
        .or_else(|| tables.first());
    if let Some((table, resource)) = example.and_then(|of| Some((of.table?, of))) {
        out.push_str("| with | |\n| --- | --- |\n");
        for (program, line) in loading_lines(table, resource) {
            // Writing to a string cannot fail; no line contains a `|`.
            let _ = writeln!(out, "| {program} | `{line}` |");
        }
    }
    for file in (list_resources(of).iter()).filter(|of| of.format == DatasetFormat::Sqlite) {
        if out.is_empty() {
            out.push_str("| with | |\n| --- | --- |\n");
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

/// Returns pairs of a program and its code to load a table. Keys may look like numbers or null
/// values, so programs that guess types are given the text columns.
fn loading_lines(table: TableId, of: &DatasetResource<'_>) -> Vec<(&'static str, String)> {
    let name = table.name();
    let path = of.glob_pattern();
    // Readers that accept a folder find the partitions of a table in it.
    let whole = of.path().unwrap_or_else(|| of.common_folder());
    let texts = |word: &str| {
        (table.spec().columns.iter())
            .filter(|column| column.kind == ColumnKind::Text)
            .map(|column| format!("'{}': {word}", column.name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let lines = match of.format {
        DatasetFormat::Csv => [
            format!(
                "SELECT * FROM read_csv('{path}', types = {{{}}})",
                texts("'VARCHAR'")
            ),
            format!(
                "pl.read_csv('{path}', schema_overrides={{{}}})",
                texts("pl.String")
            ),
            format!(
                "pd.read_csv('{path}', dtype={{{}}}, keep_default_na=False, na_values=[''])",
                texts("str")
            ),
            format!("spark.read.csv('{path}', header=True, multiLine=True, escape='\"')"),
            // Reads all columns as text.
            format!("SessionContext().read_csv('{path}', schema_infer_max_records=0)"),
        ],
        DatasetFormat::JsonLines => [
            format!("SELECT * FROM '{path}'"),
            format!("pl.read_ndjson('{path}')"),
            format!("pd.read_json('{path}', lines=True, dtype=False)"),
            format!("spark.read.json('{path}')"),
            format!("SessionContext().read_json('{path}', file_extension='.jsonl')"),
        ],
        DatasetFormat::Parquet | DatasetFormat::EloMmr | DatasetFormat::Sqlite => {
            // Ignores partition columns in folder names: the files hold these columns, and a source
            // named `2024` must stay text.
            let (duckdb, pandas, spark) = match of.path() {
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
                format!("pd.read_parquet('{whole}'{pandas})"),
                format!("spark.read.parquet('{whole}'{spark})"),
                format!("SessionContext().read_parquet('{whole}')"),
            ]
        }
    };
    // `load_dataset` takes a folder path or a name on the hub.
    let hub = format!("datasets.load_dataset('/path/to/FOLDER', '{name}')");
    let programs = ["DuckDB", "Polars", "pandas", "Spark", "DataFusion"];
    let mut lines: Vec<_> = programs.into_iter().zip(lines).collect();
    lines.push(("Hugging Face", hub));
    lines
}
