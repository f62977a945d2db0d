//! The page that lists rounds, with the contents of the feed.

use std::collections::HashSet;

use jiff::civil::Date;
use ranklore_source::html::{HtmlLink, HtmlPage, HtmlRow, Table};
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
    let lists = |table: &&Table| {
        table
            .rows
            .iter()
            .any(|row| round_links(row).next().is_some())
    };
    let mut tables = page.tables.iter().filter(lists);
    let rows = tables.next().map_or(&[][..], |table| &table.rows);
    if tables.next().is_some() {
        return Err(SiteReadError::new(key, "the rounds", "rounds in one table"));
    }
    for (row, line) in rows.iter().zip(0_usize..) {
        let wrong = |expected: String| SiteReadError::new(key, format!("row[{line}]"), expected);
        let mut links = round_links(row);
        let Some(link) = links.next() else {
            let of_round = row
                .cells
                .iter()
                .any(|cell| parse_date(&cell.text).is_some());
            // Other rows may only precede the first round.
            let among = !numbers.is_empty() && row.non_empty_cells().count() > 1;
            if of_round || among {
                return Err(wrong("a link to a round".to_owned()));
            }
            continue;
        };
        if links.next().is_some() {
            return Err(wrong("one round".to_owned()));
        }
        let number = link.parameter("rd").and_then(requests::parse_number);
        let number = number.filter(|number| numbers.insert(*number));
        let Some(number) = number else {
            return Err(wrong(format!(
                "a round once, not {}",
                mask_letters(link.href.as_bytes())
            )));
        };
        if !is_name(&link.text) {
            return Err(wrong("the name of a round".to_owned()));
        }
        let began = parse_row_date(row)
            .and_then(|day| new_york.to_utc(day.to_datetime(jiff::civil::Time::MIN)));
        let Some(began) = began else {
            return Err(wrong("one day such as 05.08.2001".to_owned()));
        };
        let round = ListedRound {
            number,
            name: link.text.clone(),
            starts_at: began,
        };
        let contests = round.contests(|division| TopcoderRequest::RoundStats(number, division));
        reading.listed.extend(contests);
    }
    if numbers.is_empty() && from == 1 {
        return Err(SiteReadError::new(key, "the rounds", "at least one round"));
    }
    if numbers.len() >= MATCHES_PER_PAGE as usize {
        let next = TopcoderRequest::MatchList(from.saturating_add(MATCHES_PER_PAGE));
        // A number out of range leads to no request.
        let next = next.to_request();
        reading
            .follow
            .extend(TopcoderRequest::parse(&next.key()).map(|_| next));
    }
    Ok(reading)
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
    let number = |part: &str, length: usize| {
        let digits = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<i16>().ok().filter(|_| digits)
    };
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
