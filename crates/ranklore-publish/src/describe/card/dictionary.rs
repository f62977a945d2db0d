//! The data dictionary of a card.

use std::fmt::Write;

use crate::describe::DatasetDescription;
use crate::describe::escape::{escape_markdown, markdown_code};
use crate::dictionary::{TableReference, TableSpec};

/// Renders every table of the dataset with its columns.
pub(super) fn render_dictionary(dataset: &DatasetDescription) -> String {
    let mut out = "\n## Data dictionary\n".to_owned();
    for table in &dataset.manifest.tables {
        push_table(&mut out, table.table.spec());
    }
    out
}

fn push_table(out: &mut String, table: &TableSpec) {
    let references = table.references.iter().map(format_reference);
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "\n### {}\n\n{} Key: {}. Order: {}.{}\n\n\
         | column | type | unit | missing | meaning | example |\n\
         | --- | --- | --- | --- | --- | --- |\n",
        table.name,
        escape_markdown(table.meaning),
        format_names(table.key),
        escape_markdown(table.order),
        references.collect::<String>(),
    );
    for column in table.columns {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} | {} |",
            column.name,
            column.kind.as_str(),
            escape_markdown(column.unit),
            if column.nullable { "may be" } else { "" },
            escape_markdown(column.meaning),
            markdown_code(column.example),
        );
    }
}

fn format_reference(reference: &TableReference) -> String {
    let to = reference.table.name();
    let target = if reference.columns == reference.to {
        String::new()
    } else {
        format!("{} of ", format_names(reference.to))
    };
    let verb = if reference.columns.len() == 1 {
        "refers"
    } else {
        "refer"
    };
    format!(" {} {verb} to {target}[`{to}`](#{to}).", format_names(reference.columns))
}

fn format_names(columns: &[&str]) -> String {
    let names: Vec<_> = columns.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
