//! Quoting of table and column names for SQL.

/// Returns the names quoted and separated by commas; a name may hold any character.
pub(super) fn quote_names<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names = names.into_iter();
    let quoted: Vec<_> = names.map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
    quoted.join(", ")
}
