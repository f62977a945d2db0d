//! The page that lists rounds, with the contents of the feed.

use std::collections::HashSet;

use jiff::civil::Date;
use ranklore_source::html::{HtmlLink, HtmlPage, HtmlRow};
use ranklore_source::{SiteReadError, SiteReading};

use crate::contests::ListedRound;
use crate::requests::{self, MATCHES_PER_PAGE, TopcoderRequest};
use crate::values::new_york::NewYorkClock;
use crate::values::text::{is_name, mask_letters};

pub(crate) fn read(key: &str, page: &HtmlPage, from: u32) -> Result<SiteReading, SiteReadError> {
    let new_york = NewYorkClock::new()
        .map_err(|error| SiteReadError::whole_document(key, format!("a clock: {error}")))?;
    let mut reading = SiteReading::default();
    let mut numbers = HashSet::new();
    let mut rounds = 0;
    for (row, line) in find_rows(key, page)?.iter().zip(0_usize..) {
        match parse_round(row, &new_york, &mut numbers) {
            Ok(Some(round)) => {
                let number = round.number;
                let contests =
                    round.contests(|division| TopcoderRequest::RoundStats(number, division));
                reading.listed.extend(contests);
                rounds += 1;
            }
            Ok(None) => {}
            Err(expected) => {
                let at = format!("row[{line}]");
                reading.refused.push(SiteReadError::new(key, at, expected));
                rounds += 1;
            }
        }
    }
    // If no round can be read, the format has changed.
    if reading.listed.is_empty() && !reading.refused.is_empty() {
        return Err(reading.refused.swap_remove(0));
    }
    if rounds == 0 && from == 1 {
        return Err(SiteReadError::new(key, "the rounds", "at least one round"));
    }
    if rounds >= MATCHES_PER_PAGE {
        let next_list = TopcoderRequest::MatchList(from.saturating_add(MATCHES_PER_PAGE));
        // A number out of range leads to no request.
        let request = next_list.to_request();
        reading.follow.extend(TopcoderRequest::parse(&request.key()).map(|_| request));
    }
    Ok(reading)
}

/// Returns the rows of the only table with rounds, or none.
fn find_rows<'p>(key: &str, page: &'p HtmlPage) -> Result<&'p [HtmlRow], SiteReadError> {
    let mut tables = page.tables.iter().filter(|table| {
        let mut rows = table.rows.iter();
        rows.any(|row| round_links(row).next().is_some())
    });
    let rows = tables.next().map_or(&[][..], |table| &table.rows);
    match tables.next() {
        Some(_) => Err(SiteReadError::new(key, "the rounds", "rounds in one table")),
        None => Ok(rows),
    }
}

/// Parses the round of a row, and adds its number. `None` if the row has no round; errors with the
/// expected form.
fn parse_round(
    row: &HtmlRow,
    new_york: &NewYorkClock,
    numbers: &mut HashSet<u32>,
) -> Result<Option<ListedRound>, String> {
    let mut links = round_links(row);
    let Some(link) = links.next() else {
        let has_date = row.cells.iter().any(|cell| parse_date(&cell.text).is_some());
        // Other rows may only precede the first round.
        let is_among_rounds = !numbers.is_empty() && row.non_empty_cells().count() > 1;
        return if has_date || is_among_rounds {
            Err("a link to a round".to_owned())
        } else {
            Ok(None)
        };
    };
    if links.next().is_some() {
        return Err("one round".to_owned());
    }
    let number = link
        .parameter("rd")
        .and_then(requests::parse_number)
        .filter(|number| numbers.insert(*number))
        .ok_or_else(|| format!("a round once, not {}", mask_letters(link.href.as_bytes())))?;
    if !is_name(&link.text) {
        return Err("the name of a round".to_owned());
    }
    let starts_at = parse_row_date(row)
        .and_then(|day| new_york.to_utc(day.to_datetime(jiff::civil::Time::MIN)))
        .ok_or("one day such as 05.08.2001")?;
    Ok(Some(ListedRound {
        number,
        name: link.text.clone(),
        starts_at,
    }))
}

/// Returns the links to rounds in a row.
fn round_links(row: &HtmlRow) -> impl Iterator<Item = &HtmlLink> {
    row.links().filter(|link| {
        link.parameter("c") == Some("round_overview") && link.parameter("rd").is_some()
    })
}

/// Returns the only date of a row, `05.08.2001` with the month first.
fn parse_row_date(row: &HtmlRow) -> Option<Date> {
    let mut days = row.cells.iter().filter_map(|cell| parse_date(&cell.text));
    let day = days.next()?;
    days.next().is_none().then_some(day)
}

fn parse_date(text: &str) -> Option<Date> {
    fn number(part: &str, length: usize) -> Option<i16> {
        let fits = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse().ok().filter(|_| fits)
    }
    let mut parts = text.split('.');
    let month = number(parts.next()?, 2)?;
    let day = number(parts.next()?, 2)?;
    let year = number(parts.next()?, 4)?;
    let date = Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok()?;
    parts.next().is_none().then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_is_parsed_in_one_format() {
        let text = |day: &str| parse_date(day).map(|day| day.to_string());
        assert_eq!(text("05.08.2001").as_deref(), Some("2001-05-08"));
        for other in [
            "",
            "5.8.2001",
            "2001.05.08",
            "13.08.2001",
            "05.08.01",
            "05.08.2001.",
            "485",
        ] {
            assert_eq!(text(other), None, "{other}");
        }
    }
}
