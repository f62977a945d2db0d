//! Finds the date in a file name, where it may touch letters: `R3_04.05.2024`, `results20240504`.

use super::cells::parse_written_date;
use super::civil::{is_number, parse_month_name, split_runs};
use super::{DateError, DateRules};
use ranklore_contest::ContestTime;

/// Returns the only date in a file name without its extension; `None` if there is none. Only days
/// count, with the time after a `T`: a year or a month may be that of a whole season.
pub(crate) fn find_date_in_file_name(
    stem: &str,
    rules: DateRules,
) -> Option<Result<ContestTime, DateError>> {
    let runs = split_runs(stem);
    let mut only_date: Option<Result<ContestTime, DateError>> = None;
    let mut from = 0;
    while from < runs.len() {
        let Some((count, date)) = parse_date(&runs[from..], rules) else {
            from += 1;
            continue;
        };
        match only_date {
            Some(first) if first != date => return Some(Err(DateError::Several)),
            _ => only_date = Some(date),
        }
        from += count;
    }
    only_date
}

/// Returns the year from 1900 on in the name of a file, if its number of four digits is the only one.
/// Folders do not count.
#[must_use]
pub fn find_year_in_file_name(path: &str) -> Option<u16> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let mut years = split_runs(name).into_iter().filter(|run| is_number(run) && run.len() == 4);
    let year = years.next()?.parse().ok().filter(|year| (1900..=2199).contains(year));
    year.filter(|_| years.next().is_none())
}

/// Parses the date at the beginning, and returns its number of runs.
fn parse_date(runs: &[&str], rules: DateRules) -> Option<(usize, Result<ContestTime, DateError>)> {
    let (count, mut text) = find_day(runs)?;
    let mut used = count;
    if let [t, clock, ..] = runs[count..]
        && t.eq_ignore_ascii_case("t")
        && is_number(clock)
        && matches!(clock.len(), 4 | 6)
    {
        let second = if clock.len() == 6 { &clock[4..] } else { "00" };
        text = format!("{text} {}:{}:{second}", &clock[..2], &clock[2..4]);
        used += 2;
    }
    match parse_written_date(&text, rules) {
        Err(DateError::Other) => None,
        time => Some((used, time)),
    }
}

/// Returns the number of runs of a day, and its text as [`parse_written_date`] reads it.
fn find_day(runs: &[&str]) -> Option<(usize, String)> {
    fn is_mark(run: &str) -> bool {
        matches!(run, "-" | "." | "_" | " ")
    }
    if let [day, ..] = runs
        && is_number(day)
        && day.len() == 8
    {
        return Some((1, (*day).to_owned()));
    }
    if let [a, mark, b, other, c, ..] = *runs
        && [a, b, c].iter().all(|run| is_number(run))
        && mark == other
        && is_mark(mark)
    {
        let lengths = (a.len(), b.len(), c.len());
        if !matches!(lengths, (4, 1..=2, 1..=2) | (1..=2, 1..=2, 4)) {
            return None;
        }
        let mark = if mark == "." { '.' } else { '-' };
        return Some((5, format!("{a}{mark}{b}{mark}{c}")));
    }
    // 4 May 2024, May-4-2024, 2024may4: marks are optional.
    let mut parts = Vec::new();
    let mut used = 0;
    for run in runs {
        let is_part = is_number(run) || parse_month_name(run).is_some();
        if is_part {
            parts.push(*run);
        } else if parts.is_empty() || !is_mark(run) {
            break;
        }
        used += 1;
        if parts.len() == 3 {
            break;
        }
    }
    let months = parts.iter().filter(|part| !is_number(part)).count();
    let has_year = parts.iter().any(|part| is_number(part) && part.len() == 4);
    (parts.len() == 3 && months == 1 && has_year).then(|| (used, parts.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::DateOrder;

    #[test]
    fn only_year_in_file_name_is_found() {
        for (stem, year) in [
            ("harbour_run_2025", Some(2025)),
            ("harbour2025final", Some(2025)),
            ("season 1998-99", Some(1998)),
            ("results", None),
            ("under_1800", None),
            ("2019_2020", None),
            ("id20250", None),
            ("2019/results", None),
        ] {
            assert_eq!(find_year_in_file_name(stem), year, "{stem}");
        }
    }

    #[test]
    fn dates_in_file_names_are_found() {
        for (stem, expected) in [
            ("2024-05-04_results", Some("2024-05-04")),
            ("results-20240504", Some("2024-05-04")),
            ("results20240504final", Some("2024-05-04")),
            ("R3_04.05.2024", Some("2024-05-04")),
            ("results_2024-05-04T1930", Some("2024-05-04T19:30:00Z")),
            ("results_20240504T193015", Some("2024-05-04T19:30:15Z")),
            ("run_2024_05_04", Some("2024-05-04")),
            ("open-4-May-2024", Some("2024-05-04")),
            ("open_may4_2024", Some("2024-05-04")),
            ("tour1903-07-19", Some("1903-07-19")),
            ("2024-05-04_copy_2024-05-04", Some("2024-05-04")),
            ("2024-05-04_2024-05-05", Some("Several")),
            ("results_03-04-2024", Some("Ambiguous")),
            ("results_25-12-2024", Some("2024-12-25")),
            ("results_1066-10-14", Some("Outside")),
            // Years, months and numbers.
            ("season 2024", None),
            ("results-2024-05", None),
            ("results_2024-02-30", None),
            ("round_12-13-14", None),
            ("id123456789", None),
            ("99999999", None),
            ("", None),
        ] {
            let found =
                find_date_in_file_name(stem, DateRules::default()).map(|found| match found {
                    Ok(time) => time.to_string(),
                    Err(error) => format!("{error:?}"),
                });
            assert_eq!(found.as_deref(), expected, "{stem}");
        }
        let rules = Some(DateOrder::Mdy).into();
        let found = find_date_in_file_name("results_03-04-2024", rules);
        assert_eq!(found.unwrap().unwrap().to_string(), "2024-03-04");
    }
}
