//! Dates the contests of a table without dates: from a start, some days apart.

use ranklore_grid::{CommandOptions, Reason};
use std::collections::HashMap;

use crate::options::ReadOptions;
use crate::values::dates::{describe_doubtful_days, find_year_in_file_name};
use ranklore_contest::{ContestTime, Quoted, compare_naturally};

/// Returns the time of the `index`th contest of a table without dates.
pub(crate) fn nth_contest_time(
    options: &ReadOptions,
    start: ContestTime,
    index: usize,
) -> Result<ContestTime, String> {
    i64::try_from(index)
        .ok()
        .and_then(|index| index.checked_mul(i64::from(options.days_between_contests()) * 86_400))
        .and_then(|later| ContestTime::new(start.get().checked_add(later)?))
        .ok_or_else(|| {
            format!(
                "contest {} counted from {start} every {} days would lie after 2199",
                index + 1,
                options.days_between_contests()
            )
        })
}

/// Describes the dates of this number of contests, for the user. `order` says which one is first.
pub(crate) fn describe_numbering(
    options: &ReadOptions,
    start: ContestTime,
    contests: usize,
    order: &str,
) -> String {
    match (contests, options.days_between_contests()) {
        (1, _) => format!("the contest is dated {start}"),
        (_, 1) => format!("contests are dated from {start}, a day apart, {order}"),
        (_, days) => format!("contests are dated from {start}, {days} days apart, {order}"),
    }
}

/// Checks that contests to be numbered in order of appearance do not contradict their own numbers, since
/// a table may list the last round first, and that not all names can be dates.
pub(crate) fn check_numbered_order<'n>(
    names: impl Iterator<Item = &'n str> + Clone,
) -> Result<(), String> {
    if let Some(reason) = describe_doubtful_days(names.clone()) {
        return Err(reason);
    }
    match find_disorder(names) {
        None => Ok(()),
        Some([before, name]) => Err(format!(
            "{before} stands before {name}, and contests without dates are numbered in order of appearance: add dates, or put the contests in order",
            before = Quoted(before),
            name = Quoted(name)
        )),
    }
}

/// Returns the position of each name by its number, if the names differ only in the number at their
/// end: `Race 2`, `Race 1`.
pub(crate) fn order_by_number<N: AsRef<str>>(names: &[N]) -> Option<Vec<usize>> {
    let split = |name: &N| {
        let stem = name.as_ref().trim_end_matches(|c: char| c.is_ascii_digit());
        let number: u64 = name.as_ref()[stem.len()..].parse().ok()?;
        Some((stem.to_owned(), number))
    };
    let numbered = names.iter().map(split).collect::<Option<Vec<_>>>()?;
    let mut sorted: Vec<u64> = numbered.iter().map(|&(_, number)| number).collect();
    sorted.sort_unstable();
    let is_single_series = numbered.windows(2).all(|pair| pair[0].0 == pair[1].0)
        && sorted.windows(2).all(|pair| pair[0] < pair[1]);
    let positions = numbered.iter().map(|(_, number)| sorted.binary_search(number).ok());
    positions.collect::<Option<Vec<_>>>().filter(|_| is_single_series)
}

/// Returns two names in the order of appearance whose numbers have the other order.
pub(crate) fn find_disorder<'n>(names: impl Iterator<Item = &'n str>) -> Option<[&'n str; 2]> {
    let mut last: HashMap<String, &str> = HashMap::new();
    for name in names {
        // Names that differ only in their numbers are one series.
        let pattern = name.replace(|c: char| c.is_ascii_digit(), "");
        if let Some(before) = last.insert(pattern, name)
            && compare_naturally(before, name).is_gt()
        {
            return Some([before, name]);
        }
    }
    None
}

/// Returns the reason to refuse a table without dates in a file of this name.
pub(crate) fn no_dates(file_name: &str) -> Reason {
    let year = find_year_in_file_name(file_name).unwrap_or(2024);
    let option = CommandOptions::new("--start", format!("{year}-01-31"));
    Reason::from(format!(
        "the date is missing; add a date column, write the date into its name, or pass {option} (and --every DAYS) to number contests from that day"
    ))
    .naming([option])
}

/// The message for a contest without a date in a table where others have one.
pub(crate) const MISSING_DATE: &str =
    "the date is missing, but other contests of the table have one; add it here too";
