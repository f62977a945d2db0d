//! Finds numbers among scores that hardly are results of their own.

use crate::values::cells::is_blank;
use crate::values::numbers::{NumberStyle, is_time};
use crate::values::statuses::{StatusWords, has_digit, status_option};
use ranklore_contest::Quoted;
use ranklore_grid::Reason;

/// The ratio of the lowest score to a negative number that stands for none, such as -1.
const MIN_SENTINEL_RATIO: f64 = 50.0;

/// Returns the row of a gap to another competitor, such as +12.3, beside times, and the reason to
/// refuse it.
pub(crate) fn find_gap(cells: &[(usize, &str)], words: &StatusWords) -> Option<(usize, Reason)> {
    let is_gap =
        |cell: &str| cell.starts_with('+') && has_digit(cell) && words.parse(cell).is_none();
    let mut times = cells.iter().filter(|(_, cell)| is_time(cell) && !cell.starts_with('+'));
    times.next()?;
    let &(row, cell) = cells.iter().find(|(_, cell)| is_gap(cell))?;
    let reason = format!(
        "{} stands beside times and is a gap to another competitor: write the whole time in each row, or places instead of times",
        Quoted(cell)
    );
    Some((row, reason.into()))
}

/// Returns the row of a number that stands for no result and would win if the lowest does, and the
/// reason to refuse it: a time of 0, or -1 among times in hundredths.
pub(crate) fn find_missing_score(
    cells: &[(usize, &str)],
    style: NumberStyle,
    words: &StatusWords,
    are_times: bool,
) -> Option<(usize, Reason)> {
    let results = cells.iter().filter(|(_, cell)| !is_blank(cell) && words.parse(cell).is_none());
    let numbers = results.filter_map(|&(row, cell)| Some((row, cell, style.parse(cell).ok()?)));
    let numbers: Vec<(usize, &str, f64)> = numbers.collect();
    let positive = numbers.iter().map(|number| number.2).filter(|&number| number > 0.0);
    let lowest = positive.fold(f64::INFINITY, f64::min);
    let is_missing = |number: f64| {
        if number < 0.0 {
            number.abs() * MIN_SENTINEL_RATIO < lowest
        } else {
            are_times && number == 0.0
        }
    };
    let &(row, cell, _) =
        numbers.iter().find(|number| lowest.is_finite() && is_missing(number.2))?;
    let cases = [
        (status_option(cell, "dnf"), "if such competitors did not finish"),
        (status_option(cell, "dns"), "if they did not take part"),
        (status_option(cell, "finished"), "if the score counts"),
    ];
    let problem = format!("{} would win, and hardly is a result", Quoted(cell));
    Some((row, Reason::with_options(problem, cases)))
}
