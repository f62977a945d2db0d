//! Finds statuses in columns whose headings do not say so, such as remarks.

use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank, parse_place};
use crate::values::rankings::is_gapless;
use crate::values::statuses::{StatusWords, has_digit, status_option};
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::is_time_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_grid::{FileReadError, Reason};

/// Words that are hardly anything but statuses. NC is a state, EX and RAF are clubs.
const DEFINITE_WORDS: &str = "dnf dns dsq dq disq disqualified didnotfinish didnotstart \
     retired withdrew withdrawn";

/// Words of races that are hardly anything but statuses in place of a finish. Guests and boats with redress
/// have results of their own.
const FINISH_WORDS: &str = "ret rtd raf dnc dne ocs ufd bfd nsc";

/// Headings of the time at which competitors finish.
const FINISHES: &str = "fin finish finished corrected correctedtime correctedtimes";

/// Reads a column of statuses whose heading does not say so, if it agrees with the places. Errors if
/// it contradicts them, or has other texts too: then a place may be none.
pub(super) fn statuses_in_other_columns(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    if table.has_column(ColumnMeaning::Status) {
        return Ok(None);
    }
    let words = StatusWords::new(&options.statuses)?;
    for column in other_columns(table) {
        let is_beside_times = is_finish(table, column);
        // Beside times, other words such as RET are statuses, too.
        let reads_words = is_beside_times && !have_points(table, column);
        let is_status = |cell: &str| is_definite(cell) || (reads_words && replaces_finish(cell));
        let first = table.data_rows().find(|&row| is_status(table.grid.cell(row, column)));
        let Some(row) = first.filter(|_| !table.values(column).all(is_status)) else {
            continue;
        };
        let style = table.number_style(Some(column));
        let is_result = |cell: &str| style.parse(cell).is_ok() || parse_place(cell).is_some();
        if table.values(column).any(is_result) {
            if are_statuses_among_times(table, &words, column) {
                return Ok(Some(read_statuses(table, column)));
            }
            let contradiction = find_placed(table, column, is_status);
            let Some((row, place)) = contradiction.filter(|_| is_beside_times) else {
                continue;
            };
            return Err(refuse_status(table, [row, column], place));
        }
        let mut cells = table.values(column).filter(|cell| !is_blank(cell));
        if cells.all(|cell| words.parse(cell).is_some())
            && agrees_with_places(table, |row| is_unplaced(table, &words, [row, column]))
        {
            return Ok(Some(read_statuses(table, column)));
        }
        let place = table.cell(row, table.first_column(ColumnMeaning::Place));
        if parse_place(place).is_some() {
            return Err(refuse_status(table, [row, column], place));
        }
    }
    Ok(None)
}

/// Errors if a number such as 999 stands for no place: it is far above the places of the others, which
/// have no gap.
pub(super) fn placeholders_among_places(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(&(strength, column)) = table.claims(ColumnMeaning::Place).first() else {
        return Ok(None);
    };
    let is_nines = |cell: &str| cell.len() > 1 && cell.bytes().all(|byte| byte == b'9');
    if strength == MatchStrength::Stated || !table.values(column).any(is_nines) {
        return Ok(None);
    }
    let words = StatusWords::new(&options.statuses)?;
    let statuses = table.first_column(ColumnMeaning::Status);
    let place = |row: usize| {
        let cell = table.grid.cell(row, column);
        let cells = [cell, table.cell(row, statuses)];
        let has_status = cells
            .iter()
            .any(|cell| words.parse(cell).is_some_and(|status| status != CellStatus::Finished));
        parse_place(cell).filter(|_| !has_status)
    };
    let placeholder = table.contest_rows().iter().find_map(|rows| {
        let placed = rows.iter().filter_map(|&row| Some((place(row)?, row)));
        let mut placed: Vec<(u32, usize)> = placed.collect();
        placed.sort_unstable();
        let &(highest, last) = placed.last()?;
        let others = || placed.iter().map(|&(place, _)| place).filter(|&place| place < highest);
        let is_far = others().next_back().is_some_and(|other| highest > 2 * other);
        (is_far && is_nines(table.grid.cell(last, column)) && is_gapless(others())).then_some(last)
    });
    let Some(row) = placeholder else {
        return Ok(None);
    };
    let cell = table.grid.cell(row, column);
    let cases = [
        (status_option(cell, "dnf"), "if such competitors did not finish"),
        (status_option(cell, "dns"), "if they did not take part"),
        (table.column_option(column, ColumnMeaning::Place), "if it is a place"),
    ];
    let problem = format!("{cell} is far above the places of the others, which have no gap");
    Err(FileReadError::new(
        table.grid.location(row, column),
        Reason::with_options(problem, cases),
    ))
}

/// True if a cell is hardly anything but a status.
fn is_definite(cell: &str) -> bool {
    // Most cells are numbers or names: looking up each would be slow.
    let first = cell.bytes().find(u8::is_ascii_alphabetic);
    let may_be_status = matches!(first, Some(b'D' | b'd' | b'R' | b'r' | b'W' | b'w'));
    may_be_status && cell.len() <= 20 && has_word(DEFINITE_WORDS, &normalise_word(cell))
}

/// Returns the columns that are not read, or by a vague heading while another column ranks.
fn other_columns(table: &HeaderTable) -> Vec<usize> {
    use ColumnMeaning::{Place, Score};
    let claims: Vec<(MatchStrength, usize)> = [Place, Score]
        .iter()
        .flat_map(|&meaning| table.claims(meaning))
        .copied()
        .collect();
    let mut columns = table.unknown_columns.clone();
    if claims.len() > 1 {
        let vague = claims.iter().filter(|claim| claim.0 == MatchStrength::Vague);
        columns.extend(vague.map(|claim| claim.1));
    }
    columns
}

/// True if a column such as "Time/Retired" says who of those with a place did not finish, as the column
/// of places does not.
fn are_statuses_among_times(table: &HeaderTable, words: &StatusWords, column: usize) -> bool {
    let Some(place) = table.first_column(ColumnMeaning::Place) else {
        return false;
    };
    let names_retirement = normalise_word(table.heading(column)).contains("retired");
    let is_time_or_status =
        |cell: &str| is_blank(cell) || has_digit(cell) || words.parse(cell).is_some();
    (is_finish(table, column)
        || (names_retirement
            && table.values(column).all(is_time_or_status)
            && !table.values(place).any(|cell| words.parse(cell).is_some())))
        && agrees_with_places(table, |row| is_unplaced(table, words, [row, column]))
}

/// True if a column that is not read has the finish of the race, by its heading: `Finish`, `Time`.
fn is_finish(table: &HeaderTable, column: usize) -> bool {
    use ColumnMeaning::{Place, Score};
    let heading = table.heading(column);
    let is_time = is_time_heading(heading)
        && matches!(ColumnMeaning::from_heading(heading), Some((Score, _)));
    // Without scores, the finish is one.
    table.grid.limits().reader.refuses_doubts()
        && table.has_column(Score)
        && ![Place, Score]
            .iter()
            .any(|&meaning| table.first_column(meaning) == Some(column))
        && (is_time || has_word(FINISHES, &normalise_word(heading)))
}

/// Returns a row with a place beside a status in a column, and the place.
fn find_placed(
    table: &HeaderTable,
    column: usize,
    is_status: impl Fn(&str) -> bool,
) -> Option<(usize, &str)> {
    let mut placed = table
        .data_rows()
        .map(|row| (row, table.cell(row, table.first_column(ColumnMeaning::Place))))
        .filter(|(_, place)| parse_place(place).is_some());
    placed.find(|&(row, _)| is_status(table.grid.cell(row, column)))
}

/// True for words that stand in place of the finish of a race, such as RET.
fn replaces_finish(cell: &str) -> bool {
    CellStatus::parse(cell).is_some() && has_word(FINISH_WORDS, &normalise_word(cell))
}

/// True if a row without a finish has a place and points as finishers have: fewer than the winner, or no
/// more than its place. Boats that retire have more, one for each that started and another.
fn have_points(table: &HeaderTable, column: usize) -> bool {
    let [place, score] =
        [ColumnMeaning::Place, ColumnMeaning::Score].map(|meaning| table.first_column(meaning));
    let style = table.number_style(score);
    let points = |row: usize| style.parse(table.cell(row, score)).ok();
    let place = |row: usize| parse_place(table.cell(row, place));
    table.contest_rows().iter().any(|rows| {
        let most = rows.iter().find(|&&row| place(row) == Some(1)).and_then(|&row| points(row));
        rows.iter().any(|&row| {
            let (Some(place), Some(points)) = (place(row), points(row)) else {
                return false;
            };
            replaces_finish(table.grid.cell(row, column))
                && points > 0.0
                && (points <= f64::from(place) || most.is_some_and(|most| points < most))
        })
    })
}

/// True if the status of a row is not that of a finisher.
fn is_unplaced(table: &HeaderTable, words: &StatusWords, [row, column]: [usize; 2]) -> bool {
    let status = words.parse(table.grid.cell(row, column));
    status.is_some_and(|status| status != CellStatus::Finished)
}

/// True if all who did not finish stand below the finishers of their contest, or have no place.
pub(super) fn agrees_with_places(table: &HeaderTable, is_unplaced: impl Fn(usize) -> bool) -> bool {
    let place = table.first_column(ColumnMeaning::Place);
    table.contest_rows().iter().all(|rows| {
        let placed =
            rows.iter().filter_map(|&row| Some((parse_place(table.cell(row, place))?, row)));
        let (unplaced, finished): (Vec<_>, Vec<_>) = placed.partition(|&(_, row)| is_unplaced(row));
        let last = finished.iter().map(|&(place, _)| place).max();
        unplaced.iter().all(|&(place, _)| last.is_none_or(|last| place > last))
    })
}

fn read_statuses(table: &HeaderTable, column: usize) -> Evidence {
    let observation = format!("{} holds statuses", table.describe_column(column));
    let note = format!(
        "{observation}, which decide who started and finished: pass {} if they do not",
        table.ignore_option(column)
    );
    let changes = vec![
        Change::Means(ColumnMeaning::Status, column),
        Change::Note(note),
    ];
    Evidence::new(observation, changes)
}

/// Returns the error for a status beside a place.
fn refuse_status(table: &HeaderTable, [row, column]: [usize; 2], place: &str) -> FileReadError {
    let word = table.grid.cell(row, column);
    let problem =
        format!("{} says {word:?} beside the place {place}", table.describe_column(column));
    let status = table.column_option(column, ColumnMeaning::Status);
    let cases = [
        (status, "if such competitors have no place"),
        (table.ignore_option(column), "if the places count"),
    ];
    FileReadError::new(table.grid.location(row, column), Reason::with_options(problem, cases))
}
