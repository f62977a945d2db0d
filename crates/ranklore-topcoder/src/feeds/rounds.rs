//! The list of rounds.

use std::collections::HashSet;

use jiff::civil::{DateTime, date};
use ranklore_source::{SiteReadError, SiteReading};

use crate::contests::ListedRound;
use crate::feeds::reader::FeedReader;
use crate::feeds::row::FeedRow;
use crate::requests::{self, TopcoderRequest};
use crate::values::new_york::NewYorkClock;

pub(crate) const ROOT_ELEMENT: &str = "dd_round_list";

const FIELDS: [&str; 5] = [
    "round_id",
    "full_name",
    "short_name",
    "round_type_desc",
    "date",
];
const ROUND_ID: usize = 0;
const FULL_NAME: usize = 1;
const SHORT_NAME: usize = 2;
const DATE: usize = 4;

pub(crate) fn read(key: &str, body: &[u8]) -> Result<SiteReading, SiteReadError> {
    let mut feed = FeedReader::open(key, body, ROOT_ELEMENT)?;
    let new_york = NewYorkClock::new()
        .map_err(|error| SiteReadError::whole_document(key, format!("a clock: {error}")))?;
    let mut row = FeedRow::new(key, &FIELDS);
    let mut reading = SiteReading::default();
    let mut numbers = HashSet::new();
    while row.next(&mut feed)? {
        match parse_round(&row, &new_york, &mut numbers) {
            Ok(round) => {
                let number = round.number;
                let contests = round.contests(|_| TopcoderRequest::RoundResults(number));
                reading.listed.extend(contests);
            }
            Err(error) => reading.refused.push(error),
        }
    }
    if reading.listed.is_empty() {
        let expected = "rounds: there were more than a thousand by 2024";
        let no_rounds = SiteReadError::new(key, ROOT_ELEMENT, expected);
        return Err(reading.refused.into_iter().next().unwrap_or(no_rounds));
    }
    Ok(reading)
}

/// Parses the round of a row, and adds its number.
fn parse_round(
    row: &FeedRow<'_, { FIELDS.len() }>,
    new_york: &NewYorkClock,
    numbers: &mut HashSet<u32>,
) -> Result<ListedRound, SiteReadError> {
    row.check_complete()?;
    let number = row.parse_field(ROUND_ID, "the number of a round", |bytes| {
        requests::parse_number(std::str::from_utf8(bytes).ok()?)
    })?;
    // Short names distinguish rounds with the same full name.
    let name = match row.bytes(SHORT_NAME) {
        Some(_) => row.parse_name(SHORT_NAME)?,
        None => row.parse_name(FULL_NAME)?,
    };
    let starts_at = row.parse_field(DATE, "a time such as 2001-05-08 21:00", |bytes| {
        new_york.to_utc(parse_date_time(bytes)?)
    })?;
    if !numbers.insert(number) {
        return Err(row.value_error(ROUND_ID, "a round once"));
    }
    Ok(ListedRound {
        number,
        name,
        starts_at,
    })
}

/// Parses a time such as `2001-05-08 21:00`; no other format.
fn parse_date_time(bytes: &[u8]) -> Option<DateTime> {
    let form = b"0000-00-00 00:00";
    let mut pairs = bytes.iter().zip(form);
    let has_form = pairs.all(|(byte, form_byte)| match form_byte {
        b'0' => byte.is_ascii_digit(),
        mark => byte == mark,
    });
    if bytes.len() != form.len() || !has_form {
        return None;
    }
    let number = |from: usize, to: usize| {
        let digits = bytes[from..to].iter();
        digits.fold(0_i16, |number, digit| number * 10 + i16::from(*digit - b'0'))
    };
    let small = |from: usize| number(from, from + 2) as i8;
    let day = jiff::civil::Date::new(number(0, 4), small(5), small(8)).ok()?;
    let time = jiff::civil::Time::new(small(11), small(14), 0, 0).ok()?;
    (day >= date(1990, 1, 1)).then(|| day.to_datetime(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_parsed_in_one_format() {
        let text = |bytes: &[u8]| parse_date_time(bytes).map(|time| time.to_string());
        assert_eq!(text(b"2001-05-08 21:00").as_deref(), Some("2001-05-08T21:00:00"));
        for other in [
            "",
            "2001-05-08",
            "2001-05-08T21:00",
            "2001-05-08 21:00:00",
            "08.05.2001 21:00",
            "2001-13-08 21:00",
            "2001-02-29 21:00",
            "2001-05-08 24:00",
            "0001-05-08 21:00",
            "2001-05-08 -1:00",
        ] {
            assert_eq!(text(other.as_bytes()), None, "{other}");
        }
    }
}
