//! Dates the contests of a long table: by a column, by their names, or counted from a start.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::rows::ContestRowGroup;
use crate::layouts::numbering::{
    MISSING_DATE, check_numbered_order, describe_numbering, find_disorder, no_dates,
    nth_contest_time, order_by_number,
};
use crate::options::ReadOptions;
use crate::schema::long::LongSource;
use crate::schema::table::HeaderTable;
use crate::values::dates::{
    self, DateError, DateRules, DateStyle, PeriodNotes, ReadDate, find_date,
};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_contest::ContestTime;
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The times of contests, in their order.
pub(super) struct ContestTimes {
    pub(super) times: Vec<Result<ContestTime, String>>,
    /// The number of times that are counted from the start.
    pub(super) numbered: usize,
}

type NameDate = Option<Result<ReadDate, DateError>>;

/// Returns the time of each contest. Errors if the table has no dates and no start is given, or if
/// the contests to be numbered contradict their own numbers.
pub(super) fn date_contests(
    contests: &[ContestRowGroup<'_>],
    source: LongSource<'_>,
    notes: &mut Vec<String>,
) -> Result<ContestTimes, FileReadError> {
    let times = if source.columns.date.is_some() {
        let dates = contests.iter().map(|contest| contest.date);
        dates.map(|date| date.ok_or_else(|| "no row has a date".to_owned())).collect()
    } else {
        let dates = find_dates_in_names(contests, source, notes)?;
        // Dates in names take precedence over numbering.
        if dates.iter().all(Option::is_none) {
            return number_contests(contests, source, notes);
        }
        notes.push("dates are taken from the names of contests".to_owned());
        let dated = contests.iter().zip(dates);
        dated
            .map(|(contest, date)| match date {
                Some(Ok(date)) => Ok(date.time),
                Some(Err(error)) => Err(error.message(&contest.name)),
                None => Err(MISSING_DATE.to_owned()),
            })
            .collect()
    };
    Ok(ContestTimes { times, numbered: 0 })
}

/// Numbers the contests from the start, by the numbers that tell them apart or else in order of
/// appearance. Divisions of one event have one number.
fn number_contests(
    contests: &[ContestRowGroup<'_>],
    source: LongSource<'_>,
    notes: &mut Vec<String>,
) -> Result<ContestTimes, FileReadError> {
    let LongSource { table, options, .. } = source;
    let start = options
        .start
        .ok_or_else(|| table.refuse_headings(describe_missing_dates(table, source.file_name)))?;
    let mut numbers = HashMap::new();
    let mut names: Vec<Cow<'_, str>> = Vec::new();
    let mut appearances = Vec::with_capacity(contests.len());
    for contest in contests {
        let appearance = *numbers.entry(contest.event_key()).or_insert_with(|| {
            // A column of numbers says more than the names.
            let ordinal = table.cell(contest.row, source.columns.ordinal);
            names.push(match (ordinal, contest.group.event) {
                ("", "") => contest.name.as_str().into(),
                ("", event) => format!("{event} {}", contest.name).into(),
                (_, event) => format!("{event} {ordinal}").trim_start().to_owned().into(),
            });
            names.len() - 1
        });
        appearances.push(appearance);
    }
    let numbered = names.len();
    let is_disordered = find_disorder(names.iter().map(AsRef::as_ref)).is_some();
    let positions = is_disordered.then(|| order_by_number(&names)).flatten();
    if positions.is_none() {
        check_numbered_order(names.iter().map(AsRef::as_ref))
            .map_err(|reason| table.refuse_headings(reason))?;
    }
    let order = match positions {
        Some(_) => "in order of their numbers",
        None => "in order of appearance",
    };
    let positions = positions.unwrap_or_else(|| (0..numbered).collect());
    let times = appearances
        .into_iter()
        .map(|index| nth_contest_time(options, start, positions[index]));
    let times = times.collect();
    notes.push(describe_numbering(options, start, numbered, order));
    Ok(ContestTimes { times, numbered })
}

/// Returns the reason to refuse a table without dates, with the title or a column that may hold them.
pub(crate) fn describe_missing_dates(table: &HeaderTable, file_name: &str) -> Reason {
    if let Some((row, day)) = find_title_date(table) {
        let option = CommandOptions::new("--start", day.to_string());
        let title = table.grid.row_location(row);
        let problem =
            format!("no column dates the contests, and {title} above the headings has a date");
        return Reason::with_options(problem, [(option, "if it is that of the contest")]);
    }
    let mut columns = table.unknown_columns.iter().copied();
    match columns.find(|&column| has_word(PERIOD_WORDS, &normalise_word(table.heading(column)))) {
        None => no_dates(file_name),
        Some(column) => {
            let option = table.column_option(column, ColumnMeaning::Date);
            let column = table.describe_column(column);
            let mut reason = no_dates(file_name);
            let advice = format!("if {column} dates the contests, pass {option}");
            reason.append(Reason::from(advice).naming([option]));
            reason
        }
    }
}

/// Returns the only date above the headings, with its row.
fn find_title_date(table: &HeaderTable) -> Option<(usize, ContestTime)> {
    let rules = DateRules::new(&ReadOptions::default(), table.grid.limits());
    let rows =
        (0..table.header_row).flat_map(|row| table.grid.cells(row).map(move |cell| (row, cell)));
    let mut dates = rows.filter_map(|(row, cell)| Some((row, find_date(cell, rules)?)));
    let (row, date) = dates.next()?;
    Some((row, date.ok()?)).filter(|_| dates.next().is_none())
}

/// Headings of columns that may date contests, as [`normalise_word`] returns them.
const PERIOD_WORDS: &str =
    "year season month week jahr saison monat woche annee mois semaine ano temporada mes semana";

/// Returns the date in the name of each contest. Periods count only if the start is not given or not
/// used, and the name of the file only if it has the only date of a single contest.
fn find_dates_in_names(
    contests: &[ContestRowGroup<'_>],
    source: LongSource<'_>,
    notes: &mut Vec<String>,
) -> Result<Vec<NameDate>, FileReadError> {
    let LongSource { table, options, .. } = source;
    let names = contests.iter().map(|contest| &*contest.name);
    let words = names.clone().flat_map(str::split_whitespace);
    let style = DateStyle::from_cells(words, DateRules::new(options, table.grid.limits()));
    let mut dates: Vec<NameDate> = Vec::with_capacity(contests.len());
    for contest in contests {
        dates.push(match dates::find_day(&contest.name, style.rules) {
            // With a start, a name with several dates counts as one without.
            Some(Err(DateError::Several)) if options.start.is_some() => None,
            date => date.map(|date| date.map(ReadDate::from)),
        });
    }
    if options.start.is_some() && dates.iter().all(Option::is_none) {
        return check_names(names, dates, style, source, notes);
    }
    let mut periods = PeriodNotes::default();
    let undated = contests.iter().zip(&mut dates).filter(|(_, d)| d.is_none());
    for (contest, date) in undated {
        *date = dates::find_period(&contest.name, style);
        if let Some(Ok(date)) = date {
            periods.add(&contest.name, *date);
        }
    }
    notes.extend(periods.into_notes());
    let keys: HashSet<_> = contests.iter().map(ContestRowGroup::event_key).collect();
    if keys.len() == 1 && dates.iter().all(Option::is_none) {
        let date = find_file_date(table, source.file_name, options);
        dates.fill(date.map(|(_, date)| date.map(ReadDate::from)));
        return Ok(dates);
    }
    check_names(names, dates, style, source, notes)
}

/// Errors if the dates in names have several readings. Notes if the names decide it.
fn check_names<'n>(
    names: impl Iterator<Item = &'n str>,
    dates: Vec<NameDate>,
    style: DateStyle,
    source: LongSource<'_>,
    notes: &mut Vec<String>,
) -> Result<Vec<NameDate>, FileReadError> {
    let dated = names.zip(&dates).filter(|(_, date)| date.is_some());
    let note = style.check(dated.map(|(name, _)| name));
    notes.extend(note.map_err(|reason| source.table.refuse_headings(reason))?);
    Ok(dates)
}

/// Returns the date in the name of the sheet, or else of the file, and that name.
pub(crate) fn find_file_date<'t>(
    table: &'t HeaderTable,
    file_name: &'t str,
    options: &ReadOptions,
) -> Option<(&'t str, Result<ContestTime, DateError>)> {
    // The name of a sheet comes before that of its workbook.
    let sheet_name = table.grid.contest_name.as_deref();
    let mut names = sheet_name.into_iter().chain([file_stem(file_name)]);
    let rules = DateRules::new(options, table.grid.limits());
    names.find_map(|name| Some((name, dates::find_date_in_file_name(name, rules)?)))
}

/// Returns the file name without folders and extension.
pub(crate) fn file_stem(file_name: &str) -> &str {
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}
