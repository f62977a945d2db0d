//! The data dictionary of a card.

use std::fmt::Write;

use crate::describe::Description;
use crate::describe::escape::{code, markdown};
use crate::dictionary::{Reference, Table};

/// Renders every table of the dataset with its columns.
pub(super) fn dictionary(of: &Description) -> String {
    let mut out = "\n## Data dictionary\n".to_owned();
    for table in &of.tables {
        write_table(&mut out, table.table.table());
    }
    out
}

fn write_table(out: &mut String, table: &Table) {
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "\n### {}\n\n{} Key: {}. Order: {}.{}\n\n\
         | column | type | unit | missing | meaning | example |\n\
         | --- | --- | --- | --- | --- | --- |\n",
        table.name,
        markdown(table.meaning),
        names(table.key),
        markdown(table.order),
        table.references.iter().map(reference).collect::<String>(),
    );
    for column in table.columns {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} | {} |",
            column.name,
            column.kind.as_str(),
            markdown(column.unit),
            if column.nullable { "may be" } else { "" },
            markdown(column.meaning),
            code(column.example),
        );
    }
}

fn reference(of: &Reference) -> String {
    let to = of.table.name();
    let there = if of.columns == of.to {
        String::new()
    } else {
        format!("{} of ", names(of.to))
    };
    let refer = if of.columns.len() == 1 {
        "refers"
    } else {
        "refer"
    };
    format!(" {} {refer} to {there}[`{to}`](#{to}).", names(of.columns))
}

fn names(columns: &[&str]) -> String {
    let names: Vec<_> = columns.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
