//! Competitors in tables in which no heading names any: nations, clubs, and the only names beside a ranking.

use std::collections::{BTreeMap, HashSet};

use crate::values::cells::is_blank;
use crate::values::rankings::are_ranking;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::{
    SeasonStatistic, describes_contest, is_boat_heading, is_club_heading, is_contest_part_heading,
    is_country_heading, is_further_name_heading, is_opponent_heading, is_place_or_role_heading,
    is_season_heading, is_second_person_heading, is_work_heading,
};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::places::is_compound_place;
use crate::vocabulary::seats::heading_word;
use crate::vocabulary::words::has_word;
use ranklore_grid::CellGrid;

/// The least number of places that are a ranking beside names below an unknown heading.
const MIN_RANKED: usize = 3;

/// Headings of things that a competitor has or gets.
const THINGS: &str = "photo image picture certificate prize award hometown host word trend";

/// The number of rows whose texts are compared.
const COMPARED_ROWS: usize = 1_000;

/// Returns the column of nations, clubs or other names that compete, if no heading names competitors.
pub(crate) fn find_unnamed(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Option<usize> {
    find_nations(grid, row, stated_meanings)
        .or_else(|| find_further_names(grid, row, stated_meanings))
        .or_else(|| find_clubs(grid, row, stated_meanings))
        .or_else(|| find_ranked(grid, row, stated_meanings))
}

/// Returns the only column whose texts differ from row to row, beside places that rank all rows, if its heading has
/// no meaning.
fn find_ranked(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Option<usize> {
    if grid.has_letters || !grid.limits().reader.refuses_doubts() {
        return None;
    }
    let cells = |column: usize| (row + 1..grid.row_count()).map(move |row| grid.cell(row, column));
    let meaning = |column: usize| {
        let heading = grid.cell(row, column);
        match stated_meanings.get(heading) {
            Some(&meaning) => Some((meaning, MatchStrength::Stated)),
            None => ColumnMeaning::from_heading(heading),
        }
    };
    let is_place = |&column: &usize| {
        meaning(column).is_some_and(|(meaning, strength)| {
            meaning == ColumnMeaning::Place && strength != MatchStrength::Vague
        })
    };
    let mut places = (0..grid.width(row)).filter(is_place);
    let place = places.next().filter(|_| places.next().is_none())?;
    if grid.row_count() < row + MIN_RANKED + 1 || !are_ranking(cells(place)) {
        return None;
    }
    // Each competitor has one place. 1h 20m is a result, M1 the place of a class, a.jpg a photo.
    let is_name = |cell: &str| {
        let is_code = cell.len() < 5 && cell.contains(|c: char| c.is_ascii_digit());
        let is_link = cell.contains(['/', '@'])
            || cell.rsplit_once('.').is_some_and(|(_, ending)| ending.len() == 3);
        cell.contains(char::is_alphabetic)
            && !cell.starts_with(|c: char| c.is_ascii_digit())
            && !is_code
            && !is_link
    };
    // The people have numbers.
    if grid.cells(row).any(is_boat_heading) {
        return None;
    }
    let are_names = |&column: &usize| {
        let mut distinct = HashSet::new();
        cells(column).all(|cell| is_name(cell) && distinct.insert(cell))
    };
    let mut columns = (0..grid.width(row)).filter(are_names);
    let names = columns.next().filter(|_| columns.next().is_none())?;
    let heading = grid.cell(row, names);
    let names_others = meaning(names).is_some()
        || describes_contest(heading)
        || is_second_person_heading(heading)
        || is_contest_part_heading(heading)
        || is_season_heading(heading)
        || (is_place_or_role_heading(heading) && !is_club_heading(heading))
        || has_word(THINGS, &heading_word(heading));
    (!names_others).then_some(names)
}

/// Returns the only column of clubs, beside one of opponents that has some of them.
fn find_clubs(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Option<usize> {
    let find_only = |is_kind: &dyn Fn(&str) -> bool| {
        let headings = grid.cells(row).enumerate();
        let mut columns = headings
            .filter(|(_, heading)| is_kind(heading) && !stated_meanings.contains_key(*heading));
        let first = columns.next()?.0;
        columns.next().is_none().then_some(first)
    };
    let names = |column| -> HashSet<&str> {
        let rows = (row + 1..grid.row_count()).take(COMPARED_ROWS);
        rows.map(|row| grid.cell(row, column)).filter(|cell| !is_blank(cell)).collect()
    };
    let clubs = find_only(&is_club_heading)?;
    let opponents = find_only(&is_opponent_heading)?;
    let has_rivals = !names(clubs).is_disjoint(&names(opponents));
    (has_rivals && !grid.has_letters && grid.limits().reader.refuses_doubts()).then_some(clubs)
}

/// Returns the column of nations that compete.
fn find_nations(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Option<usize> {
    let is_nation = |cell: &str| cell.len() > 1 && !cell.contains(|c: char| c.is_ascii_digit());
    find_headed(grid, row, stated_meanings, is_country_heading, is_nation)
}

/// Returns the column of models, bots or nicknames that compete. Beside nations, these may.
fn find_further_names(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Option<usize> {
    let is_name = |cell: &str| cell.contains(char::is_alphabetic);
    let names = find_headed(grid, row, stated_meanings, is_further_name_heading, is_name);
    names.filter(|_| !grid.cells(row).any(is_country_heading))
}

/// Returns the only column with a kind of heading, with a name in each row, beside places, scores, or wins and
/// losses. `None` if another column may hold names.
fn find_headed(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
    is_headed: fn(&str) -> bool,
    is_name: impl Fn(&str) -> bool,
) -> Option<usize> {
    if grid.has_letters || !grid.limits().reader.refuses_doubts() || row + 1 >= grid.row_count() {
        return None;
    }
    let names = |&column: &usize| {
        let heading = grid.cell(row, column);
        is_headed(heading) && !stated_meanings.contains_key(heading)
    };
    let mut columns = (0..grid.width(row)).filter(names);
    let names = columns.next().filter(|_| columns.next().is_none())?;
    let are_names = (row + 1..grid.row_count()).all(|row| is_name(grid.cell(row, names)));
    let may_hold_names = |column: usize| {
        let heading = grid.cell(row, column);
        column != names
            && !is_place_or_role_heading(heading)
            && !is_work_heading(heading)
            && stated_meanings.get(heading) != Some(&ColumnMeaning::Ignore)
            && may_name_people(grid, row, [column, names])
    };
    let has_names = (0..grid.width(row)).any(may_hold_names);
    (are_names && !has_names && has_results(grid, row, stated_meanings)).then_some(names)
}

/// True if a row of headings has places or scores, or wins and losses.
fn has_results(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> bool {
    let is_result = |heading: &str| {
        let known = || ColumnMeaning::from_heading(heading).map(|known| known.0);
        let meaning = stated_meanings.get(heading).copied().or_else(known);
        matches!(meaning, Some(ColumnMeaning::Place | ColumnMeaning::Score))
            || is_compound_place(heading)
    };
    let counts = |kind| {
        let mut headings = grid.cells(row);
        headings.any(|heading| SeasonStatistic::from_heading(heading) == Some(kind))
    };
    grid.cells(row).any(is_result)
        || (counts(SeasonStatistic::Wins) && counts(SeasonStatistic::Losses))
}

/// True if a column has several texts without digits, and most nations have one of their own.
fn may_name_people(grid: &CellGrid, row: usize, [column, nations]: [usize; 2]) -> bool {
    let is_text = |cell: &str| {
        cell.len() > 2
            && cell.contains(char::is_alphabetic)
            && !cell.contains(|c: char| c.is_ascii_digit())
    };
    let mut texts = HashSet::new();
    let mut nations_of_texts = HashSet::new();
    for row in (row + 1..grid.row_count()).take(COMPARED_ROWS) {
        let cell = grid.cell(row, column);
        if is_text(cell) {
            texts.insert(cell);
            nations_of_texts.insert(grid.cell(row, nations));
        }
    }
    texts.len() > 1 && 2 * texts.len() > nations_of_texts.len()
}
