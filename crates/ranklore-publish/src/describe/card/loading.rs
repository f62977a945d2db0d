//! How a card says that a dataset is loaded, a line for each program.

use std::fmt::Write;

use crate::describe::resource::{Resource, resources, tables_in};
use crate::describe::{Description, Format};
use crate::dictionary::{Kind, TableId};

/// Lines for the form that is read best, by the example of one table; and one for SQLite.
pub(super) fn loading(of: &Description) -> String {
    let mut out = String::new();
    let tables = tables_in(of, &[Format::Parquet, Format::Csv, Format::JsonLines]);
    let example = (tables.iter())
        .find(|of| of.table == Some(TableId::Standing))
        .or_else(|| tables.first());
    if let Some((table, resource)) = example.and_then(|of| Some((of.table?, of))) {
        out.push_str("| with | |\n| --- | --- |\n");
        for (program, line) in lines(table, resource) {
            // Writing to a string cannot fail; there is no upright in any line.
            let _ = writeln!(out, "| {program} | `{line}` |");
        }
    }
    for file in (resources(of).iter()).filter(|of| of.format == Format::Sqlite) {
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
    format!("\n## How to load it\n\nIn the folder of the dataset:\n\n{out}")
}

/// Programs, and what to tell each to get a table. Keys look like numbers or like words for
/// nothing at times: programs that guess are told what is a text.
fn lines(table: TableId, of: &Resource<'_>) -> Vec<(&'static str, String)> {
    let name = table.name();
    let path = of.pattern();
    // Readers that take folders find the parts of a table in one.
    let whole = of.path().unwrap_or_else(|| of.folder());
    let texts = |word: &str| {
        let columns = table.table().columns.iter();
        let texts = columns.filter(|column| column.kind == Kind::Text);
        let texts = texts.map(|column| format!("'{}': {word}", column.name));
        texts.collect::<Vec<_>>().join(", ")
    };
    // It wants the folder by name, or where it is on the hub.
    let hub = (
        "Hugging Face",
        format!("datasets.load_dataset('/path/to/FOLDER', '{name}')"),
    );
    let mut lines = match of.format {
        Format::Csv => vec![
            (
                "DuckDB",
                format!(
                    "SELECT * FROM read_csv('{path}', types = {{{}}})",
                    texts("'VARCHAR'")
                ),
            ),
            (
                "Polars",
                format!(
                    "pl.read_csv('{path}', schema_overrides={{{}}})",
                    texts("pl.String")
                ),
            ),
            (
                "pandas",
                format!(
                    "pd.read_csv('{path}', dtype={{{}}}, keep_default_na=False, na_values=[''])",
                    texts("str")
                ),
            ),
            (
                "Spark",
                format!("spark.read.csv('{path}', header=True, multiLine=True, escape='\"')"),
            ),
            (
                "DataFusion",
                // All columns as texts.
                format!("SessionContext().read_csv('{path}', schema_infer_max_records=0)"),
            ),
        ],
        Format::JsonLines => vec![
            ("DuckDB", format!("SELECT * FROM '{path}'")),
            ("Polars", format!("pl.read_ndjson('{path}')")),
            (
                "pandas",
                format!("pd.read_json('{path}', lines=True, dtype=False)"),
            ),
            ("Spark", format!("spark.read.json('{path}')")),
            (
                "DataFusion",
                format!("SessionContext().read_json('{path}', file_extension='.jsonl')"),
            ),
        ],
        Format::Parquet | Format::EloMmr | Format::Sqlite => {
            // The columns that the names of folders tell of are in the files already, and there
            // a source called 2024 is a text.
            let (duckdb, pandas, spark) = match of.path() {
                Some(_) => (format!("'{path}'"), "", ""),
                None => (
                    format!("read_parquet('{path}', hive_partitioning = false)"),
                    ", partitioning=None",
                    ", recursiveFileLookup=True",
                ),
            };
            vec![
                ("DuckDB", format!("SELECT * FROM {duckdb}")),
                ("Polars", format!("pl.read_parquet('{path}')")),
                ("pandas", format!("pd.read_parquet('{whole}'{pandas})")),
                ("Spark", format!("spark.read.parquet('{whole}'{spark})")),
                (
                    "DataFusion",
                    format!("SessionContext().read_parquet('{whole}')"),
                ),
            ]
        }
    };
    lines.push(hub);
    lines
}
