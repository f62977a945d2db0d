//! The cell of an array: its elements, separated as members of a team are.

use crate::grid::trim_cell;
use ranklore_contest::{Quoted, shorten};

/// The text between two elements.
const SEPARATOR: char = ';';

/// Adds an element to the cell of an array; blank ones are left out.
///
/// # Errors
/// The reason, if the elements are names and this one would become two.
pub(crate) fn push_element(cell: &mut String, text: &str, are_names: bool) -> Result<(), String> {
    let text = trim_cell(text);
    if text.is_empty() {
        return Ok(());
    }
    if are_names && text.contains(SEPARATOR) {
        return Err(format!(
            "{} has a semicolon, which separates names: write the names as one text and pass \
             --members with their separator",
            Quoted(&shorten(text))
        ));
    }
    if !cell.is_empty() {
        cell.push(SEPARATOR);
    }
    cell.push_str(text);
    Ok(())
}

/// Ends a decimal number so that it is read as one. In text, 1.234 may mean a thousand.
pub(crate) fn end_decimal(number: &mut String) {
    let decimals = number.rsplit_once('.').map_or(0, |(_, decimals)| decimals.len());
    if decimals == 3 {
        number.push('0');
    }
}
