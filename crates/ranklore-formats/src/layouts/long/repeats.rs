//! Finds rows of a contest that repeat another, and rows that sum up the others.

use std::collections::{HashMap, HashSet};

use super::rows::LongRow;
use crate::layouts::standings::RowMark;
use crate::schema::people::names::NameColumns;
use crate::schema::table::HeaderTable;
use crate::values::rankings::{is_gapless, is_ranking};
use crate::vocabulary::kinds::is_summary_label;
use crate::vocabulary::words::{has_word, split_words};

/// Returns the rows of a contest that are equal to an earlier one in every cell, up to the end of the
/// shorter one. None if the places
/// count them: two people of one name who share a place.
pub(super) fn find_repeated_rows(table: &HeaderTable, rows: &[LongRow<'_>]) -> HashSet<usize> {
    let mut first_rows: HashMap<(&str, Option<&String>), &LongRow<'_>> = HashMap::new();
    let mut repeated = HashSet::new();
    for line in find_tied_rows(rows) {
        // Equal rows without a name are different entrants.
        let Some(result) = line.result.as_ref().filter(|result| !result.competitor.is_empty())
        else {
            continue;
        };
        // The members of a team have a row each.
        let key = (&*result.competitor, result.members.first());
        let first = *first_rows.entry(key).or_insert(line);
        let has_equal_members =
            first.result.as_ref().is_some_and(|first| first.members == result.members);
        if first.row != line.row && has_equal_members && are_equal(table, [first.row, line.row]) {
            repeated.insert(line.row);
        }
    }
    let rank = |is_counted: &dyn Fn(usize) -> bool| {
        let counted = rows.iter().filter(|line| is_counted(line.row));
        let mut places: Vec<u32> = counted.filter_map(place).collect();
        places.sort_unstable();
        is_ranking(places)
    };
    if !repeated.is_empty() && rank(&|_| true) && !rank(&|row| !repeated.contains(&row)) {
        repeated.clear();
    }
    repeated
}

/// Returns the rows without a place of competitors who have one in another row, as drivers of shared
/// cars have: the other places are in order, and nothing tells the rows apart but their results.
pub(super) fn find_unplaced_repeats(
    table: &HeaderTable,
    results: [Option<usize>; 3],
    rows: &[LongRow<'_>],
) -> HashSet<usize> {
    let mut repeats = HashSet::new();
    let mut places: Vec<u32> = rows.iter().filter_map(place).collect();
    let results_count = rows.iter().filter(|line| line.result.is_some()).count();
    let are_all_placed = places.len() == results_count;
    if places.is_empty() || are_all_placed || !table.grid.limits().reader.refuses_doubts() {
        return repeats;
    }
    places.sort_unstable();
    if !is_gapless(places) {
        return repeats;
    }
    let mut rows_by_name: HashMap<&str, Vec<&LongRow<'_>>> = HashMap::new();
    for line in rows {
        // Entrants without a name are different ones.
        let person = line
            .result
            .as_ref()
            .filter(|result| result.members.is_empty() && !result.competitor.is_empty());
        if let Some(result) = person {
            rows_by_name.entry(&result.competitor).or_default().push(line);
        }
    }
    for lines in rows_by_name.into_values().filter(|lines| lines.len() > 1) {
        let (placed, unplaced): (Vec<_>, Vec<_>) =
            lines.into_iter().partition(|line| place(line).is_some());
        let [placed] = placed[..] else {
            continue;
        };
        let is_other = |line: &&LongRow<'_>| {
            line.result.as_ref().is_some_and(|result| result.mark == RowMark::Disqualified)
                || !differ_in_results_only(table, results, [placed.row, line.row])
        };
        if !unplaced.iter().any(is_other) {
            repeats.extend(unplaced.iter().map(|line| line.row));
        }
    }
    repeats
}

/// Words of headings of results beside places, scores and statuses.
const RESULT_WORDS: &str =
    "lap laps runden tours vueltas time gap interval reason status points pts";

/// True if two rows are equal but for these columns and other results.
fn differ_in_results_only(
    table: &HeaderTable,
    results: [Option<usize>; 3],
    rows: [usize; 2],
) -> bool {
    (0..table.grid.width(table.header_row)).all(|column| {
        let [one, two] = rows.map(|row| table.grid.cell(row, column));
        let words = split_words(table.heading(column));
        one == two
            || results.contains(&Some(column))
            || words.iter().any(|word| has_word(RESULT_WORDS, word))
    })
}

/// True if two rows are equal, or if one begins with all cells of the other: three or more.
fn are_equal(table: &HeaderTable, [one, two]: [usize; 2]) -> bool {
    let widths = [one, two].map(|row| table.grid.width(row));
    let mut pairs = table.grid.cells(one).zip(table.grid.cells(two));
    (widths[0] == widths[1] || widths.iter().all(|&width| width > 2)) && pairs.all(|(a, b)| a == b)
}

/// Returns the rows that may be equal to another: if the rows stand in the order of the places, those
/// with the place of a neighbour. Hashing all names would take time.
fn find_tied_rows<'r, 't>(rows: &'r [LongRow<'t>]) -> Vec<&'r LongRow<'t>> {
    let places: Option<Vec<u32>> = rows
        .iter()
        .map(|line| match line.result.as_ref().map(|result| result.mark) {
            Some(RowMark::Place(place)) => Some(place),
            Some(RowMark::Score(_)) => None,
            Some(RowMark::DidNotFinish | RowMark::Disqualified) | None => Some(u32::MAX),
        })
        .collect();
    let Some(places) = places.filter(|places| places.is_sorted()) else {
        return rows.iter().collect();
    };
    let is_tied = |index: usize| {
        let next = places.get(index + 1);
        next == Some(&places[index]) || (index > 0 && places[index - 1] == places[index])
    };
    let tied = rows.iter().enumerate().filter(|&(index, _)| is_tied(index));
    tied.map(|(_, line)| line).collect()
}

fn place(line: &LongRow<'_>) -> Option<u32> {
    match line.result.as_ref()?.mark {
        RowMark::Place(place) => Some(place),
        RowMark::Score(_) | RowMark::DidNotFinish | RowMark::Disqualified => None,
    }
}

/// Rows below a contest whose name is a label such as "Total".
#[derive(Default)]
pub(super) struct LabelledRows {
    /// Rows with the sum or the average of the scores above.
    pub(super) sums: Vec<usize>,
    /// Rows with other scores, or without one.
    pub(super) doubtful: Vec<usize>,
}

/// Finds the last rows of a contest that are named like summaries.
pub(super) fn find_labelled_rows(
    table: &HeaderTable,
    names: &NameColumns,
    rows: &[LongRow<'_>],
    score: Option<usize>,
) -> LabelledRows {
    let is_labelled = |line: &&LongRow<'_>| is_summary_label(names.cell(table, line.row));
    let count = rows.iter().rev().take_while(is_labelled).count();
    let mut labelled_rows = LabelledRows::default();
    if count == 0 {
        return labelled_rows;
    }
    let (above, labelled) = rows.split_at(rows.len() - count);
    let scores: Vec<f64> = above.iter().filter_map(|line| line.result.as_ref()?.score).collect();
    let sum: f64 = scores.iter().sum();
    let average = sum / scores.len().max(1) as f64;
    for line in labelled.iter().filter(|line| line.result.is_some()) {
        let value = line.result.as_ref().and_then(|result| result.score);
        let rounding = rounding_error(table.cell(line.row, score));
        let sums_up = value.is_some_and(|value| {
            scores.len() > 1 && [sum, average].iter().any(|total| (value - total).abs() <= rounding)
        });
        if sums_up {
            labelled_rows.sums.push(line.row);
        } else {
            labelled_rows.doubtful.push(line.row);
        }
    }
    labelled_rows
}

/// Returns the largest difference between a number and its text: half of the last digit.
fn rounding_error(cell: &str) -> f64 {
    let decimals = cell.rsplit_once(['.', ',']).map_or(0, |(_, decimals)| decimals.len());
    0.5 * 10_f64.powi(-(decimals.min(9) as i32)) + 1e-9
}
