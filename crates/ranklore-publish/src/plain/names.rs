//! Names of tables and columns, quoted for SQL.

/// Returns the names in quotes with commas between them; a name may hold any character.
pub(super) fn quote_names<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names = names.into_iter();
    let quoted: Vec<_> = names
        .map(|name| format!("\"{}\"", name.replace('"', "\"\"")))
        .collect();
    quoted.join(", ")
}
