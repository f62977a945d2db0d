//! Decides what a column headed only "id" identifies.

use std::collections::{HashMap, HashSet};

use super::identities::is_absent;
use crate::reading::FileReadError;
use crate::table::columns::{ColumnMeaning, normalise_word};
use crate::table::header::HeaderTable;
use crate::table::values::cells::is_blank;

/// Reads a column headed only "id" as that of the competitor if each id has one name, each name one
/// id, and an id recurs. Notes that it is not read if no id recurs, since it may number the rows.
/// Errors otherwise: it may identify contests, or number the rows of each.
pub(in crate::table) fn recognise_bare_id(table: &mut HeaderTable) -> Result<(), FileReadError> {
    if !table.grid.recognises_ids() || table.has_column(ColumnMeaning::CompetitorId) {
        return Ok(());
    }
    let mut columns = table.unknown_columns.iter().copied();
    let Some(column) = columns.find(|&c| normalise_word(table.heading(c)) == "id") else {
        return Ok(());
    };
    let option = |meaning| table.column_option(column, meaning);
    let described = table.describe_column(column);
    match find_recurrence(table, column) {
        Recurrence::OfCompetitors => {
            table.set_column(ColumnMeaning::CompetitorId, column);
            Ok(())
        }
        Recurrence::Never => {
            let note = format!(
                "{described} may number the rows and is not read: pass --column {} if it identifies competitors",
                option(ColumnMeaning::CompetitorId)
            );
            table.grid.notes.push(note);
            Ok(())
        }
        Recurrence::Other => {
            let contests = if table.has_column(ColumnMeaning::ContestId) {
                String::new()
            } else {
                format!("--column {} or ", option(ColumnMeaning::ContestId))
            };
            let reason = format!(
                "{described} repeats with different names, and does not say what it identifies: pass {contests}--column {} or --column {}",
                option(ColumnMeaning::CompetitorId),
                option(ColumnMeaning::Ignore)
            );
            Err(table.refuse_column(column, reason))
        }
    }
}

enum Recurrence {
    /// An id recurs. Each has one name, and each name one id.
    OfCompetitors,
    /// No id recurs.
    Never,
    /// An id has several names, or a name several ids.
    Other,
}

fn find_recurrence(table: &HeaderTable, column: usize) -> Recurrence {
    let name_column = table.name_column();
    let mut names: HashMap<&str, &str> = HashMap::new();
    let mut pairs: HashSet<(&str, &str)> = HashSet::new();
    let mut has_recurring_id = false;
    let mut has_one_name_each = true;
    for row in table.data_rows() {
        let id = table.grid.cell(row, column);
        let name = table.grid.cell(row, name_column);
        if is_absent(id) || is_blank(name) {
            continue;
        }
        has_recurring_id |= !pairs.insert((id, name));
        has_one_name_each &= *names.entry(id).or_insert(name) == name;
    }
    let distinct_names: HashSet<&str> = names.values().copied().collect();
    match (has_recurring_id, has_one_name_each) {
        (true, true) if distinct_names.len() == names.len() => Recurrence::OfCompetitors,
        (false, true) => Recurrence::Never,
        _ => Recurrence::Other,
    }
}
