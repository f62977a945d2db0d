//! Places that run on from class to class, 1 to 11 and 12 to 41, beside points that each class counts alone.

use std::collections::HashSet;

use super::placed_rows::place;
use super::rows::LongRow;
use super::separation::UnreadColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::CellStatus;
use crate::values::rankings::are_ranking;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::rounds::is_non_round_heading;
use crate::vocabulary::words::{has_word, split_words};
use ranklore_grid::{CommandOptions, Reason};

/// The fewest steps from a place to the next within classes whose points hardly agree by chance.
const MIN_STEPS: usize = 5;

/// The least share of a class that the first of the next one beats, if both are ranked apart. Of the two halves
/// of a league, few teams have more points than the last above them.
const MIN_BEATEN: f64 = 0.5;

/// The rows of one class, in the order of their places.
type Class<'r> = &'r [(u32, usize)];

/// Returns the reason to refuse places of which each class has an unbroken range, if a column of numbers
/// follows them within each class, and begins anew in the next.
pub(super) fn describe_ranges(rows: &[LongRow<'_>], unread: &UnreadColumns<'_>) -> Option<Reason> {
    let UnreadColumns { table, columns, .. } = *unread;
    let refuses_doubts = table.grid.limits().reader.refuses_doubts();
    let place_column = columns.place.filter(|_| refuses_doubts)?;
    let mut placed: Vec<(u32, usize)> =
        rows.iter().filter_map(|row| Some((place(row)?, row.row))).collect();
    placed.sort_unstable();
    let numbers = || columns.score.iter().chain(&unread.unread).copied();
    // Numbers such as laps that follow the places of all speak for one ranking.
    let follows_all = |column| {
        let numbers = numbers_of(table, &placed, column);
        let counts_rows =
            || are_ranking(placed.iter().map(|&(_, row)| table.grid.cell(row, column)));
        numbers.is_some_and(|numbers| find_direction(&[numbers]).is_some()) && !counts_rows()
    };
    if columns.score.is_some_and(|score| never_contradicts(table, &placed, score)) {
        return None;
    }
    let (class, points, is_highest_first) = unread.unread.iter().find_map(|&class| {
        let classes = find_ranges(table, &placed, class)?;
        // Ages, years and numbers of starters are no points, nor are the places of each class.
        let is_other = |&column: &usize| {
            is_non_round_heading(table.heading(column))
                || classes.iter().all(|class| is_ranked(table, class, column))
        };
        let mut points = numbers().filter(|column| !is_other(column));
        points.find_map(|column| Some((class, column, counts_alone(table, &classes, column)?)))
    })?;
    if numbers().any(follows_all) {
        return None;
    }
    let mut by_points = table.ignore_option(place_column);
    if columns.score != Some(points) {
        by_points = by_points.and(table.column_option(points, ColumnMeaning::Score));
    }
    // Without places, the class would divide.
    by_points = by_points.and(table.ignore_option(class));
    if !is_highest_first {
        by_points = by_points.and(CommandOptions::lower_is_better());
    }
    let [class_name, points_name, place_name] =
        [class, points, place_column].map(|column| table.describe_column(column));
    let problem = format!(
        "the places in {place_name} run on from one value of {class_name} to the next, and contradict {points_name}"
    );
    let division = table.column_option(class, ColumnMeaning::Division);
    let cases = [
        (division, "if each is a contest of its own".to_owned()),
        (by_points, format!("if {points_name} ranks all")),
        (table.ignore_option(class), "if the places do".to_owned()),
    ];
    Some(Reason::with_options(problem, cases))
}

/// Words of finals, laps and the like, whose competitors are ranked together: the first of a final for
/// places 5 to 8 is often faster than the last of the other.
const PARTS_OF_ONE_RANKING: &str = "final finals finale semi semis semifinal semifinals quarter quarters \
     quarterfinal quarterfinals round rounds runde heat phase section stage session qualification qualified qualifying qual \
     eliminated reached gap lap laps status result medal note notes comment comments remark remarks promotion \
     promoted relegation relegated championship playoff playoffs playout safe zone group";

/// True if a word of a heading or cell names a part of one ranking.
fn names_part(text: &str) -> bool {
    split_words(text).iter().any(|word| has_word(PARTS_OF_ONE_RANKING, word))
}

/// True if the numbers of a column never go against the places.
fn never_contradicts(table: &HeaderTable, placed: &[(u32, usize)], column: usize) -> bool {
    let style = table.number_style(Some(column));
    let numbers = placed
        .iter()
        .filter_map(|&(_, row)| style.parse(table.grid.cell(row, column)).ok());
    let numbers: Vec<f64> = numbers.collect();
    let differ = numbers.first() != numbers.last();
    differ && (numbers.is_sorted() || numbers.is_sorted_by(|one, two| one >= two))
}

/// True if a column ranks the rows of a class from 1.
fn is_ranked(table: &HeaderTable, class: Class<'_>, column: usize) -> bool {
    are_ranking(class.iter().map(|&(_, row)| table.grid.cell(row, column)))
}

/// Returns the classes of a column of words if the places of none lie between those of another, and two
/// classes have two rows or more.
fn find_ranges<'r>(
    table: &HeaderTable,
    placed: &'r [(u32, usize)],
    column: usize,
) -> Option<Vec<Class<'r>>> {
    let name = |row: usize| table.grid.cell(row, column);
    let classes: Vec<Class<'_>> = placed.chunk_by(|one, two| name(one.1) == name(two.1)).collect();
    let are_apart = classes.windows(2).all(|pair| {
        let [one, two] = [pair[0].last(), pair[1].first()];
        one.map(|&(place, _)| place) < two.map(|&(place, _)| place)
    });
    // Most columns are no classes by their rows, which take less time to look at than words.
    if !are_apart || classes.iter().filter(|class| class.len() > 1).count() < 2 {
        return None;
    }
    let mut known = HashSet::new();
    let are_classes = classes.iter().filter_map(|class| class.first()).all(|&(_, row)| {
        name(row).contains(char::is_alphabetic)
            && known.insert(name(row))
            && CellStatus::parse(name(row)).is_none()
            && !names_part(name(row))
    });
    (are_classes && !names_part(table.heading(column))).then_some(classes)
}

/// Returns true if the numbers of a column fall with the places of each class and begin anew in the next,
/// and false if they rise so.
fn counts_alone(table: &HeaderTable, classes: &[Class<'_>], column: usize) -> Option<bool> {
    let numbers = classes.iter().map(|class| numbers_of(table, class, column));
    let numbers: Vec<Vec<f64>> = numbers.collect::<Option<_>>()?;
    let falls = find_direction(&numbers)?;
    // The share of a class that the first of the next one beats.
    let beaten = numbers.windows(2).map(|pair| {
        let first = pair[1][0];
        let beaten = pair[0].iter().filter(|&&number| {
            if falls {
                first > number
            } else {
                first < number
            }
        });
        beaten.count() as f64 / pair[0].len() as f64
    });
    let beaten: Vec<f64> = beaten.collect();
    let begin_anew =
        beaten.iter().all(|&share| share > 0.0) && beaten.iter().any(|&share| share >= MIN_BEATEN);
    begin_anew.then_some(falls)
}

/// Returns the number of each row in a column, if all have one.
fn numbers_of(table: &HeaderTable, rows: Class<'_>, column: usize) -> Option<Vec<f64>> {
    let style = table.number_style(Some(column));
    rows.iter()
        .map(|&(_, row)| style.parse(table.grid.cell(row, column)).ok())
        .collect()
}

/// Returns true if numbers in the order of places fall within each class, and false if they rise.
fn find_direction(classes: &[Vec<f64>]) -> Option<bool> {
    let steps = || classes.iter().flat_map(|class| class.windows(2));
    let falls = steps().filter(|pair| pair[0] > pair[1]).count();
    let rises = steps().filter(|pair| pair[0] < pair[1]).count();
    (falls.min(rises) == 0 && falls.max(rises) >= MIN_STEPS).then_some(falls > 0)
}
