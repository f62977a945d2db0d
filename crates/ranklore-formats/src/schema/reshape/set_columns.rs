//! Joins the columns of the sets of games into one column of results.

use std::borrow::Cow;

use crate::options::{ReadOptions, StatedLayout};
use crate::schema::header_row::SEARCHED_ROWS;
use crate::values::cells::is_blank;
use crate::values::set_scores::is_set;
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_grid::{CellGrid, FileReadError};

const SET_WORDS: &str = "set sets satz manche parcial sett szett сет партия";

/// Headings of the last set, which may be shorter.
const DECIDERS: &str =
    "tiebreak matchtiebreak supertiebreak mtb decider decidingset entscheidungssatz";

/// Returns the table with one column of results, if columns headed "Set 1", "Set 2" hold the scores
/// of sets.
pub(crate) fn join_set_columns(
    grid: &CellGrid,
    options: &ReadOptions,
) -> Result<Option<CellGrid>, FileReadError> {
    let may_be_games = matches!(options.layout, None | Some(StatedLayout::Games));
    if !grid.limits().reader.refuses_doubts() || !may_be_games {
        return Ok(None);
    }
    let mut rows = 0..grid.row_count().min(SEARCHED_ROWS);
    let Some((header_row, columns)) =
        rows.find_map(|row| Some((row, find_set_columns(grid, row)?)))
    else {
        return Ok(None);
    };
    let headings: Vec<&str> = columns.iter().map(|&c| grid.cell(header_row, c)).collect();
    if headings.iter().any(|&heading| options.columns.contains_key(heading)) {
        return Ok(None);
    }
    let headings = headings.join(", ");
    let joined = grid.map_cells(|row, column, cell| {
        if !columns.contains(&column) || row < header_row {
            Cow::Borrowed(cell)
        } else if column != columns[0] {
            Cow::Borrowed("")
        } else if row == header_row {
            Cow::Owned(format!("result ({headings})"))
        } else {
            let sets = columns.iter().map(|&set| grid.cell(row, set));
            let sets: Vec<&str> = sets.filter(|set| !is_blank(set)).collect();
            Cow::Owned(sets.join(" "))
        }
    });
    let mut joined = joined.ok_or_else(|| FileReadError::whole_document("is too large"))?;
    joined.notes.push(format!("the sets in {headings} are read as one result"));
    Ok(Some(joined))
}

/// Returns the columns of the first set, the second and so on, if all their cells are sets.
fn find_set_columns(grid: &CellGrid, header_row: usize) -> Option<Vec<usize>> {
    let words: Vec<String> = grid.cells(header_row).map(normalise_word).collect();
    let find = |number: usize| {
        words.iter().position(|word| {
            let base = word.strip_suffix(&number.to_string());
            base.is_some_and(|base| has_word(SET_WORDS, base))
        })
    };
    let mut columns: Vec<usize> = (1..).map_while(find).collect();
    if columns.len() < 2 {
        return None;
    }
    columns.extend(words.iter().position(|word| has_word(DECIDERS, word)));
    let rows = header_row + 1..grid.row_count();
    let mut sets = rows
        .flat_map(|row| columns.iter().map(move |&column| grid.cell(row, column)))
        .filter(|cell| !is_blank(cell))
        .peekable();
    (sets.peek().is_some() && sets.all(is_set)).then_some(columns)
}
