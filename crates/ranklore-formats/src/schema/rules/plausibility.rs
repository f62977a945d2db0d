//! Rules that ask whether the cells of a column allow the meaning that its heading proposes.

use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank, parse_place};
use crate::values::rankings::{are_ranking, is_ranking};
use crate::values::statuses::{StatusWords, has_digit, status_option};
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_grid::{FileReadError, Reason};

/// The largest usual weight of a contest. Body weights and weight classes are larger.
const MAX_CONTEST_WEIGHT: f64 = 20.0;

/// The smallest usual maximum of starting ratings, on any scale of ratings. Positions on a grid,
/// seeds and marks of one to five are smaller.
const MIN_RATING: f64 = 100.0;

/// Drops a column of weights that are those of competitors, such as 57 kg.
pub(super) fn weights_of_contests(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let &[(strength, column)] = table.claims(ColumnMeaning::Weight) else {
        return Ok(None);
    };
    let are_weights = strength == MatchStrength::Stated || are_contest_weights(table, column);
    Ok((!are_weights).then(|| {
        let kind = "holds weights that are hardly those of contests";
        drop_column(table, column, kind, ColumnMeaning::Weight)
    }))
}

/// True if all cells of a column can be weights of contests, or its heading says that they are.
pub(crate) fn are_contest_weights(table: &HeaderTable, column: usize) -> bool {
    if !has_word("weight gewicht", &normalise_word(table.heading(column))) {
        return true;
    }
    let style = table.number_style(Some(column));
    let mut cells = table.values(column).filter(|cell| !is_blank(cell));
    cells.all(|cell| style.parse(cell).is_ok_and(|weight| weight <= MAX_CONTEST_WEIGHT))
}

/// Drops a column with a vague heading such as "rating" whose numbers lie on no scale of ratings.
pub(super) fn starting_ratings(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(&(MatchStrength::Vague, column)) = table.claims(ColumnMeaning::StartingRating).first()
    else {
        return Ok(None);
    };
    let style = table.number_style(Some(column));
    let cells = || table.values(column).filter(|cell| !is_blank(cell));
    let is_low = |cell: &str| style.parse(cell).is_ok_and(|rating| rating.abs() < MIN_RATING);
    let are_no_ratings = cells().next().is_some() && (cells().all(is_low) || are_ranking(cells()));
    Ok(are_no_ratings.then(|| {
        let kind = "holds numbers that are hardly ratings";
        drop_column(table, column, kind, ColumnMeaning::StartingRating)
    }))
}

/// Drops a column with a vague heading such as "state" whose cells are other words, or statuses that
/// contradict the results. Errors if statuses under a definite heading contradict the first place.
pub(super) fn statuses(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(&(strength, column)) = table.claims(ColumnMeaning::Status).first() else {
        return Ok(None);
    };
    if strength == MatchStrength::Stated || !options.statuses.is_empty() {
        return Ok(None);
    }
    let words = StatusWords::new(&options.statuses)?;
    if strength == MatchStrength::Vague {
        let mut cells = table.values(column).filter(|cell| !is_blank(cell));
        let has_other_word = cells.any(|cell| words.parse(cell).is_none());
        let are_none = has_other_word || contradict_results(table, column, &words);
        return Ok(are_none.then(|| {
            let kind = "holds words that are hardly statuses";
            drop_column(table, column, kind, ColumnMeaning::Status)
        }));
    }
    let Some(place) = table.first_column(ColumnMeaning::Place) else {
        return Ok(None);
    };
    let first = table.data_rows().find(|&row| {
        parse_place(table.grid.cell(row, place)) == Some(1)
            && words.parse(table.grid.cell(row, column)) == Some(CellStatus::DidNotFinish)
            && are_ranking(table.values(place).filter(|cell| parse_place(cell).is_some()))
    });
    first.map_or(Ok(None), |row| {
        let word = table.grid.cell(row, column);
        let cases = [
            (status_option(word, "finished"), "if the word means so"),
            (table.ignore_option(column), "if the column holds no statuses"),
        ];
        let problem = format!("the first place has the status {word:?}");
        let reason = Reason::with_options(problem, cases);
        Err(FileReadError::new(table.grid.location(row, column), reason))
    })
}

/// True if a competitor whom the words call unplaced stands above one who finished, or most are
/// unplaced.
fn contradict_results(table: &HeaderTable, column: usize, words: &StatusWords) -> bool {
    let is_unplaced = |row: usize| {
        let status = words.parse(table.grid.cell(row, column));
        status.is_some_and(|status| status != CellStatus::Finished)
    };
    let Some(place) = table.first_column(ColumnMeaning::Place) else {
        let unplaced = table.data_rows().filter(|&row| is_unplaced(row)).count();
        return 2 * unplaced > table.data_rows().len();
    };
    let place = |row: usize| parse_place(table.grid.cell(row, place));
    let places = table.data_rows().filter_map(|row| Some((place(row)?, is_unplaced(row))));
    let mut places: Vec<(u32, bool)> = places.collect();
    places.sort_unstable();
    let first_unplaced = places.iter().position(|&(_, is_unplaced)| is_unplaced);
    // NC and AB are states and provinces, too.
    let mut cells = table.values(column).filter(|cell| !is_blank(cell));
    let are_abbreviations =
        cells.all(|cell| cell.len() == 2 && cell.chars().all(|c| c.is_ascii_uppercase()));
    first_unplaced.is_some_and(|first| {
        let has_lower_finisher = places[first..].iter().any(|&(_, is_unplaced)| !is_unplaced);
        first == 0
            || are_abbreviations
            || (has_lower_finisher && is_ranking(places.iter().map(|&(place, _)| place)))
    })
}

/// Finds the column that says why competitors have no place, beside results of the others: a time, a
/// gap or "DNF". It is more exact than "NC" in the column of places.
pub(super) fn statuses_beside_results(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(place) = table.first_column(ColumnMeaning::Place) else {
        return Ok(None);
    };
    if table.has_column(ColumnMeaning::Status) {
        return Ok(None);
    }
    let is_unplaced = |row: usize| {
        CellStatus::parse(table.grid.cell(row, place)) == Some(CellStatus::DidNotFinish)
    };
    let unplaced: Vec<usize> = table.data_rows().filter(|&row| is_unplaced(row)).collect();
    let tells_statuses = |column: usize| {
        let status = |row: usize| CellStatus::parse(table.grid.cell(row, column));
        unplaced
            .iter()
            .all(|&row| status(row).is_some_and(|s| s != CellStatus::Finished))
            && table.data_rows().all(|row| {
                let cell = table.grid.cell(row, column);
                is_blank(cell) || has_digit(cell) || status(row).is_some()
            })
    };
    let mut unknown_columns = table.unknown_columns.iter().copied();
    let column = unknown_columns.find(|&column| !unplaced.is_empty() && tells_statuses(column));
    Ok(column.map(|column| {
        let observation = format!(
            "{} has a status wherever {} has no place",
            table.describe_column(column),
            table.describe_column(place)
        );
        let note = Change::Note(format!("{observation}: it decides who started and finished"));
        Evidence::new(observation, vec![Change::Means(ColumnMeaning::Status, column), note])
    }))
}

/// Returns the evidence that a column is not read, with the option that reads it.
fn drop_column(table: &HeaderTable, column: usize, kind: &str, meaning: ColumnMeaning) -> Evidence {
    let observation = format!("{} {kind}", table.describe_column(column));
    let note = format!("{observation}: pass {} if they are", table.column_option(column, meaning));
    Evidence::new(observation, vec![Change::MeansNothing(column), Change::Note(note)])
}
