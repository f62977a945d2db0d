//! Places, statuses, times and numbers of a table.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, Int64Array};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, TimeUnit};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use ranklore_contest::{ContestTime, Quoted, Side};

use crate::error::Failure;
use crate::table::Column;

/// Rank of an entrant that did not finish: below all places.
pub(crate) const UNFINISHED: u32 = u32::MAX;

/// Rank of an entrant that did not take part: the row is left out.
pub(crate) const ABSENT: u32 = u32::MAX - 1;

/// The status of an entrant whose place decides.
const FINISHED: u32 = 0;

/// The words for entrants that did not finish, or were disqualified, and rank below all others.
const UNFINISHED_WORDS: [&str; 4] = ["dnf", "dq", "dsq", "disqualified"];

/// Casts every chunk of a column, and calls `each` with the row and the value.
fn for_each<T: arrow_array::types::ArrowPrimitiveType>(
    column: &Column,
    mut each: impl FnMut(usize, Option<T::Native>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut row = 0;
    let options = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    for chunk in &column.chunks {
        let values = cast_with_options(chunk, &T::DATA_TYPE, &options)
            .map_err(|error| column.refuse(row, format!("{error}; give other values")))?;
        for value in values.as_primitive::<T>() {
            each(row, value)?;
            row += 1;
        }
    }
    Ok(())
}

/// Casts texts and categories, and calls `each` with the row and the text.
fn for_each_text(
    column: &Column,
    mut each: impl FnMut(usize, Option<&str>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut row = 0;
    for chunk in &column.chunks {
        let texts = arrow_cast::cast(chunk, &DataType::Utf8View).map_err(Failure::new)?;
        for text in texts.as_string_view() {
            each(row, text)?;
            row += 1;
        }
    }
    Ok(())
}

fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// Returns the rank of each row: the place, [`UNFINISHED`], or [`ABSENT`]. A status decides; without
/// one a place is needed.
pub(crate) fn read_ranks(places: &Column, status: Option<&Column>) -> Result<Vec<u32>, Failure> {
    let mut ranks = Vec::with_capacity(places.len());
    let data_type = &places.data_type;
    if is_text(data_type) {
        for_each_text(places, |row, text| {
            ranks.push(match text.map(str::trim).filter(|text| !text.is_empty()) {
                None => None,
                Some(text) => Some(parse_place(text).ok_or_else(|| {
                    let text = Quoted(text);
                    places.refuse(row, format!("{text} is not a place such as 1, T3, 3= or dnf"))
                })?),
            });
            Ok(())
        })?;
    } else if data_type.is_numeric() {
        for_each::<Float64Type>(places, |row, place| {
            // pandas has no other missing value in a column of numbers.
            let place = place.filter(|place| !place.is_nan());
            ranks.push(match place {
                Some(place) if place.fract() != 0.0 || !(1.0..4e9).contains(&place) => {
                    let reason = format!(
                        "place {place} is no whole number from 1; give places, or the status dnf"
                    );
                    return Err(places.refuse(row, reason));
                }
                place => place.map(|place| place as u32),
            });
            Ok(())
        })?;
    } else if *data_type == DataType::Null {
        ranks.resize(places.len(), None);
    } else {
        return Err(
            places.refuse_type("places are whole numbers from 1, or texts such as 1 and dnf")
        );
    }
    if let Some(status) = status {
        apply_statuses(status, &mut ranks)?;
    }
    let ranks = ranks.into_iter().enumerate().map(|(row, rank)| {
        rank.ok_or_else(|| {
            let reason = "the place is missing; give a place, or a status such as dnf";
            places.refuse(row, reason)
        })
    });
    ranks.collect()
}

/// Parses `1`, `T3`, `=3`, `3=` and the words of statuses.
fn parse_place(text: &str) -> Option<u32> {
    if let Some(rank) = parse_status(text).filter(|&rank| rank != FINISHED) {
        return Some(rank);
    }
    let number = text.strip_prefix(['T', 't', '=']).unwrap_or(text);
    let number = number.strip_suffix('=').unwrap_or(number);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let place = number.parse().ok().filter(|_| is_number);
    place.filter(|place| (1..ABSENT).contains(place))
}

/// Returns the rank of a status, or [`FINISHED`].
fn parse_status(word: &str) -> Option<u32> {
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "" | "finished" | "ok" => Some(FINISHED),
        "dns" => Some(ABSENT),
        word if UNFINISHED_WORDS.contains(&word) => Some(UNFINISHED),
        _ => None,
    }
}

fn apply_statuses(status: &Column, ranks: &mut [Option<u32>]) -> Result<(), Failure> {
    if status.data_type == DataType::Null {
        return Ok(());
    }
    if !is_text(&status.data_type) {
        return Err(status.refuse_type("statuses are the words dnf, dq, dns and finished"));
    }
    for_each_text(status, |row, word| {
        let rank = parse_status(word.unwrap_or_default().trim()).ok_or_else(|| {
            let word = Quoted(word.unwrap_or_default());
            let reason = format!("{word} is no status; use dnf, dq, dns, finished or nothing");
            status.refuse(row, reason)
        })?;
        if rank != FINISHED {
            ranks[row] = Some(rank);
        }
        Ok(())
    })
}

/// Returns the side of each row, if it has one.
pub(crate) fn read_sides(column: &Column) -> Result<Vec<Option<Side>>, Failure> {
    if column.data_type == DataType::Null {
        return Ok(vec![None; column.len()]);
    }
    if !is_text(&column.data_type) {
        return Err(column.refuse_type("sides are words; use them, or pass side=False"));
    }
    let mut sides = Vec::with_capacity(column.len());
    for_each_text(column, |row, text| {
        let text = text.unwrap_or_default().trim();
        let side = Side::from_word(&text.to_ascii_lowercase());
        if side.is_none() && !text.is_empty() {
            let known = Side::VARIANTS.map(Side::as_str).join(", ");
            let reason = format!("{} is no side; use {known}, or pass side=False", Quoted(text));
            return Err(column.refuse(row, reason));
        }
        sides.push(side);
        Ok(())
    })?;
    Ok(sides)
}

/// Returns the number of each row; a missing one is an error.
pub(crate) fn read_numbers(column: &Column, meaning: &str) -> Result<Vec<f64>, Failure> {
    let numbers = read_optional_numbers(column, meaning)?.into_iter().enumerate();
    let numbers = numbers.map(|(row, number)| {
        number.ok_or_else(|| column.refuse(row, format!("the {meaning} is missing; give a number")))
    });
    numbers.collect()
}

/// Returns the number of each row, if it has one; NaN counts as none.
pub(crate) fn read_optional_numbers(
    column: &Column,
    meaning: &str,
) -> Result<Vec<Option<f64>>, Failure> {
    if !column.data_type.is_numeric() && column.data_type != DataType::Null {
        return Err(column.refuse_type(&format!("a {meaning} is a number")));
    }
    let mut numbers = Vec::with_capacity(column.len());
    for_each::<Float64Type>(column, |_, number| {
        numbers.push(number.filter(|number| !number.is_nan()));
        Ok(())
    })?;
    Ok(numbers)
}

/// Returns the whole number of each row, if it has one.
pub(crate) fn read_integers(column: &Column, meaning: &str) -> Result<Vec<Option<i64>>, Failure> {
    if !column.data_type.is_integer() && column.data_type != DataType::Null {
        return Err(column.refuse_type(&format!("a {meaning} is a whole number")));
    }
    let mut numbers = Vec::with_capacity(column.len());
    for_each::<Int64Type>(column, |_, number| {
        numbers.push(number);
        Ok(())
    })?;
    Ok(numbers)
}

/// Returns the truth of each row; a missing value is false.
pub(crate) fn read_flags(column: &Column) -> Result<Vec<bool>, Failure> {
    let mut flags = Vec::with_capacity(column.len());
    for chunk in &column.chunks {
        match chunk.data_type() {
            DataType::Null => flags.resize(flags.len() + chunk.len(), false),
            DataType::Boolean => {
                flags.extend(chunk.as_boolean().iter().map(|flag| flag.unwrap_or(false)));
            }
            _ => return Err(column.refuse_type("it needs true or false")),
        }
    }
    Ok(flags)
}

/// True if a column has days or times, which order contests without any other column.
pub(crate) fn has_times(column: &Column) -> bool {
    matches!(column.data_type, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..))
}

/// Returns the time of each row in seconds since 1970. Days are their midnight in UTC, times without
/// a zone are in UTC, parts of a second are cut off. Whole numbers are seconds.
pub(crate) fn read_times(column: &Column) -> Result<Vec<i64>, Failure> {
    let mut times = Vec::with_capacity(column.len());
    if is_text(&column.data_type) {
        for_each_text(column, |row, text| {
            let text = text.ok_or_else(|| refuse_missing_time(column, row))?.trim();
            let time = parse_time(text).ok_or_else(|| {
                column
                    .refuse(row, format!("{}; parse the column first", describe_unread_time(text)))
            })?;
            times.push(time.get());
            Ok(())
        })?;
        return Ok(times);
    }
    for chunk in &column.chunks {
        let row = times.len();
        let seconds = to_seconds(column, chunk)?;
        for (index, time) in seconds.iter().enumerate() {
            let row = row + index;
            let time = time.ok_or_else(|| refuse_missing_time(column, row))?;
            if ContestTime::new(time).is_none() {
                let reason = format!("the time {time} s since 1970 is not from 1583 to 2199");
                return Err(column.refuse(row, reason));
            }
            if column.data_type.is_integer() {
                check_seconds(time).map_err(|reason| column.refuse(row, reason))?;
            }
            times.push(time);
        }
    }
    Ok(times)
}

/// Returns the seconds since 1970 of a time outside of tables: an ISO text or a number.
#[pyfunction]
pub(crate) fn read_time(time: &Bound<'_, PyAny>) -> PyResult<i64> {
    let Ok(text) = time.extract::<String>() else {
        let seconds = time.extract().ok().filter(|_| !time.is_instance_of::<PyBool>());
        let seconds = seconds.ok_or_else(|| {
            Failure::new(format!("the time {time} is no date, time or whole number of seconds"))
        })?;
        check_seconds(seconds).map_err(Failure::new)?;
        return Ok(seconds);
    };
    let time = parse_time(text.trim()).map(ContestTime::get);
    Ok(time.ok_or_else(|| Failure::new(describe_unread_time(&text)))?)
}

fn describe_unread_time(text: &str) -> String {
    let text = Quoted(text);
    format!("{text} is no time such as 2024-03-01 or 2024-03-01T19:30:00Z from 1583 to 2199")
}

/// Errors if a number may be another one than seconds since 1970.
fn check_seconds(seconds: i64) -> Result<(), String> {
    if seconds.unsigned_abs() >= 100_000_000 {
        return Ok(());
    }
    Err(format!(
        "{seconds} may be a round, a year or a serial number, not seconds since 1970, which have 9 \
         or 10 digits; give days or times"
    ))
}

fn refuse_missing_time(column: &Column, row: usize) -> Failure {
    column.refuse(row, "the time is missing; give a time, or remove the row")
}

/// Parses a day or a time; without a zone it is in UTC.
fn parse_time(text: &str) -> Option<ContestTime> {
    ContestTime::parse(text).or_else(|| {
        let has_time = text.len() > "2024-03-01".len();
        ContestTime::parse(&format!("{text}Z")).filter(|_| has_time)
    })
}

/// Returns the seconds since 1970 of days, times and whole numbers.
fn to_seconds(column: &Column, chunk: &ArrayRef) -> Result<Int64Array, Failure> {
    let units_per_second = match chunk.data_type() {
        DataType::Timestamp(TimeUnit::Millisecond, _) | DataType::Date64 => 1_000,
        DataType::Timestamp(TimeUnit::Microsecond, _) => 1_000_000,
        DataType::Timestamp(TimeUnit::Nanosecond, _) => 1_000_000_000,
        DataType::Date32 | DataType::Timestamp(TimeUnit::Second, _) | DataType::Null => 1,
        data_type if data_type.is_integer() => 1,
        _ => {
            return Err(
                column.refuse_type("times are days, times, ISO texts or seconds since 1970")
            );
        }
    };
    let seconds_per_unit = if *chunk.data_type() == DataType::Date32 {
        86_400
    } else {
        1
    };
    // Days are 32 bits wide.
    let chunk = match chunk.data_type() {
        DataType::Date32 => arrow_cast::cast(chunk, &DataType::Int32).map_err(Failure::new)?,
        _ => std::sync::Arc::clone(chunk),
    };
    let numbers = arrow_cast::cast(&chunk, &DataType::Int64).map_err(Failure::new)?;
    let numbers = numbers.as_primitive::<Int64Type>();
    if (units_per_second, seconds_per_unit) == (1, 1) {
        return Ok(numbers.clone());
    }
    Ok(numbers.unary(|number| number.div_euclid(units_per_second) * seconds_per_unit))
}
