//! Columns that are headed with a status and say yes or no: `DNF` with an x, `retired` with true.

use super::remarks::agrees_with_places;
use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::joined_columns::JoinedColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank, parse_place};
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_grid::{FileReadError, Reason};

/// Headings of columns that say who finished.
const FINISHED_HEADINGS: &str = "finished finisher completed";

/// Headings of columns that say who did not, as words for statuses.
const STATUS_HEADINGS: &str = "dnf dns dsq dq disq disqualified didnotfinish didnotstart retired withdrew \
     withdrawn abandoned abandon abandonne abandono aufgegeben nichtangetreten noshow absent scratched guest";

/// Reads columns of flags as the statuses of their headings. Errors if one with a place that counts is
/// flagged.
pub(super) fn flags_of_statuses(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let statuses = table.claims(ColumnMeaning::Status);
    let is_stated = statuses.iter().any(|claim| claim.0 == MatchStrength::Stated);
    // "Finished" can head places.
    let places = table.claims(ColumnMeaning::Place).iter();
    let vague = places.filter(|claim| claim.0 == MatchStrength::Vague);
    let claimed = statuses.iter().chain(vague).map(|claim| claim.1);
    let mut columns: Vec<usize> = table.unknown_columns.iter().copied().chain(claimed).collect();
    columns.sort_unstable();
    let flags = columns
        .into_iter()
        .filter_map(|column| Some((column, find_flag(table, column)?)));
    let flags: Vec<(usize, Join)> = flags.collect();
    let is_flag = |column: usize| flags.iter().any(|flag| flag.0 == column);
    if flags.is_empty()
        || !statuses.iter().all(|claim| is_flag(claim.1))
        || !table.grid.limits().reader.refuses_doubts()
    {
        return Ok(None);
    }
    for &(column, join) in flags.iter().filter(|_| !is_stated) {
        let is_unplaced = |row: usize| !join(&[table.grid.cell(row, column)]).is_empty();
        if !agrees_with_places(table, is_unplaced) {
            return Err(refuse_flag(table, column, ColumnMeaning::Place, is_unplaced));
        }
        // Without places, a score can count or not.
        let has_places = table.first_column(ColumnMeaning::Place).is_some();
        if !has_places && table.data_rows().any(|row| is_unplaced(row) && has_score(table, row)) {
            return Err(refuse_flag(table, column, ColumnMeaning::Score, is_unplaced));
        }
    }
    let columns: Vec<usize> = flags.iter().map(|flag| flag.0).collect();
    let note = format!(
        "{} holds statuses, which decide who started and finished",
        table.describe_columns(&columns)
    );
    let mut changes: Vec<Change> =
        flags.into_iter().map(|(column, join)| join_columns(&[column], join)).collect();
    changes.push(join_columns(&columns, |statuses| {
        statuses.iter().find(|status| !status.is_empty()).unwrap_or(&"").to_string()
    }));
    changes.push(Change::Means(ColumnMeaning::Status, columns[0]));
    changes.push(Change::Note(note.clone()));
    Ok(Some(Evidence::new(note, changes)))
}

/// The status in the cells of a row, empty for a finisher.
type Join = fn(&[&str]) -> String;

fn join_columns(columns: &[usize], join: Join) -> Change {
    let columns = columns.iter().map(|&column| (column, ColumnMeaning::Status)).collect();
    Change::Join(JoinedColumns { columns, join })
}

/// Returns the statuses that a column flags, if it has cells of both kinds and no others.
fn find_flag(table: &HeaderTable, column: usize) -> Option<Join> {
    let heading = table.heading(column);
    let word = heading.rsplit('.').next().unwrap_or(heading);
    let says_who_finished = has_word(FINISHED_HEADINGS, &normalise_word(word));
    let is_elimination = normalise_word(word) == "eliminated";
    let is_status = has_word(STATUS_HEADINGS, &normalise_word(word));
    let join: Join = match CellStatus::parse(word).filter(|_| is_status) {
        Some(CellStatus::DidNotFinish) => {
            |cells| set_status(cells[0], true, CellStatus::DidNotFinish)
        }
        Some(CellStatus::Disqualified) => {
            |cells| set_status(cells[0], true, CellStatus::Disqualified)
        }
        Some(CellStatus::DidNotStart) => {
            |cells| set_status(cells[0], true, CellStatus::DidNotStart)
        }
        _ if is_elimination => |cells| set_status(cells[0], true, CellStatus::Disqualified),
        _ if says_who_finished => |cells| set_status(cells[0], false, CellStatus::DidNotFinish),
        _ => return None,
    };
    let flags = || table.values(column).map(parse_flag);
    let has = |flag| flags().any(|known| known == Some(flag));
    let is_marked = if says_who_finished {
        has(true) && has(false)
    } else {
        has(true) && !flags().all(|flag| flag == Some(true))
    };
    let are_flags = table.values(column).all(|cell| is_blank(cell) || parse_flag(cell).is_some());
    // Numbers can be counts, such as the unfinished races of a season, and those eliminated from a
    // knockout have places.
    let are_counts = (table.values(column).any(|cell| matches!(cell, "0" | "1")) || is_elimination)
        && !table.data_rows().all(|row| {
            let is_unplaced = !join(&[table.grid.cell(row, column)]).is_empty();
            let place = table.first_column(ColumnMeaning::Place);
            let cell = table.cell(row, place);
            // A dash stands for the absent, and scores rank the others of a qualification.
            let is_unranked = if is_elimination {
                cell.is_empty() && !has_score(table, row)
            } else {
                is_blank(cell)
            };
            place.is_some() && (!is_unplaced || is_unranked)
        });
    (is_marked && are_flags && !are_counts).then_some(join)
}

/// True if a row has a score other than 0.
fn has_score(table: &HeaderTable, row: usize) -> bool {
    let score = table.cell(row, table.first_column(ColumnMeaning::Score));
    !is_blank(score) && score.contains(|c: char| c.is_ascii_digit() && c != '0')
}

fn set_status(cell: &str, flag: bool, status: CellStatus) -> String {
    if parse_flag(cell) == Some(flag) {
        status.as_str().to_owned()
    } else {
        String::new()
    }
}

/// Returns the truth that a cell marks.
fn parse_flag(cell: &str) -> Option<bool> {
    match &*cell.to_lowercase() {
        "x" | "yes" | "y" | "true" | "1" | "ja" | "j" | "oui" | "si" | "sí" | "✓" | "✔" => {
            Some(true)
        }
        "no" | "n" | "false" | "0" | "nein" | "non" => Some(false),
        _ => None,
    }
}

/// Returns the error for a flag beside a place or a score.
fn refuse_flag(
    table: &HeaderTable,
    column: usize,
    rank: ColumnMeaning,
    is_unplaced: impl Fn(usize) -> bool,
) -> FileReadError {
    let rank_cell = |row: usize| table.cell(row, table.first_column(rank));
    let has_rank = |row: usize| match rank {
        ColumnMeaning::Score => has_score(table, row),
        _ => parse_place(rank_cell(row)).is_some(),
    };
    let row = table.data_rows().find(|row| is_unplaced(*row) && has_rank(*row));
    let row = row.unwrap_or(table.header_row);
    let problem = format!(
        "{} says {:?} beside the {} {}",
        table.describe_column(column),
        table.grid.cell(row, column),
        rank.as_str(),
        rank_cell(row)
    );
    let cases = [
        (
            table.column_option(column, ColumnMeaning::Status),
            "if such competitors have no place",
        ),
        (table.ignore_option(column), "if they count like the others"),
    ];
    FileReadError::new(table.grid.location(row, column), Reason::with_options(problem, cases))
}
