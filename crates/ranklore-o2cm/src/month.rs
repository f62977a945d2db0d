//! The competitions of a month.

use std::collections::HashMap;

use jiff::civil::Date;
use ranklore_source::{Listed, ReadError, Reading, Stage};

use crate::ask::{self, Month, is_id};
use crate::months::FORM;
use crate::page::{Link, Page, Row};
use crate::text::{form, is_name};

/// Where competitions of today have their results.
const PAGE: &str = "event3.asp";
/// Where those of 2005 and 2006 have theirs, in a form of their own.
const OLD_PAGE: &str = "event2.asp";

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// A row of the list.
struct Competition {
    at: String,
    id: String,
    name: String,
    date: Date,
    /// Whether its results are where they can be read.
    readable: bool,
}

pub(crate) fn read(key: &str, page: &Page, asked: Month) -> Result<Reading, ReadError> {
    if !page.has_form(FORM) {
        let expected = "the form with which months are looked for";
        return Err(ReadError::new(key, format!("form {FORM}"), expected));
    }
    let competitions = competitions(key, page, asked)?;
    let mut reading = Reading::default();
    let mut known: HashMap<&str, &Competition> = HashMap::new();
    for competition in &competitions {
        let Competition { id, date, .. } = competition;
        if let Some(first) = known.get(id.as_str()) {
            if (&first.name, first.date) != (&competition.name, competition.date) {
                let at = competition.at.clone();
                let expected = format!("an id of its own, not {id} again");
                reading.refused.push(ReadError::new(key, at, expected));
            }
            continue;
        }
        known.insert(id, competition);
        let held = Month::new(date.year(), date.month());
        let (Some(held), Some(day)) = (held, ask::midnight(*date)) else {
            let expected = format!("a day of 1990 to 2199, not {date}");
            let at = competition.at.clone();
            reading.refused.push(ReadError::new(key, at, expected));
            continue;
        };
        if !competition.readable {
            reading.warnings.push(format!(
                "competition {id} of {date}: its results stand in {OLD_PAGE}, whose form nobody \
                 knows; it is left out"
            ));
        }
        let results = competition.readable.then(|| ask::competition(id, held));
        reading.listed.push(Listed {
            external_id: id.clone(),
            name: competition.name.clone(),
            event: None,
            division: None,
            ordinal: None,
            url: competition.readable.then(|| ask::url(id)),
            starts_at: None,
            ends_at: Some(day),
            site_weight: None,
            // What is listed has results, or will have them without another word of the list.
            stage: Stage::Finished,
            rateable: competition.readable,
            several: true,
            results: results.into_iter().collect(),
        });
    }
    Ok(reading)
}

fn competitions(key: &str, page: &Page, asked: Month) -> Result<Vec<Competition>, ReadError> {
    let mut competitions: Vec<Competition> = Vec::new();
    let mut years = 0;
    for (table, number) in page.tables.iter().zip(1..) {
        let mut year = None;
        let before = competitions.len() + years;
        for (row, line) in table.rows.iter().zip(1..) {
            let at = format!("table {number}, row {line}");
            let wrong = |expected: String| ReadError::new(key, at.clone(), expected);
            // Above the list there is some space, and the form.
            if (row.is_blank() || row.fields) && competitions.len() + years == before {
                continue;
            }
            if let Some(heading) = row.only().filter(|cell| cell.class == "h3") {
                let found = heading.text.parse::<i16>().ok();
                let Some(found) = found.filter(|year| Month::new(*year, 1).is_some()) else {
                    let found = form(&heading.text);
                    return Err(wrong(format!("a year from 1990 to 2199, not {found}")));
                };
                year = Some(found);
                years += 1;
                continue;
            }
            let (day, link) = parts(row).map_err(wrong)?;
            let competition = competition(day, link, year, asked)
                .map_err(|expected| ReadError::new(key, at.clone(), expected))?;
            competitions.push(Competition { at, ..competition });
        }
    }
    if competitions.len() < page.links {
        let expected = format!(
            "a row for each of {} links, and there are {}",
            page.links,
            competitions.len()
        );
        return Err(ReadError::new(key, ReadError::WHOLE, expected));
    }
    // Where headings part years, a row under the wrong one would be of another year.
    let dates = || competitions.iter().map(|of| of.date);
    if years > 1 && !dates().is_sorted() && !dates().rev().is_sorted() {
        let expected = "competitions in the order of their dates, under the headings of years";
        return Err(ReadError::new(key, ReadError::WHOLE, expected));
    }
    Ok(competitions)
}

/// The day and the link of a competition, in whatever cells they stand.
fn parts(row: &Row) -> Result<(&str, &Link), String> {
    let mut link = None;
    let mut day = None;
    for cell in row.filled() {
        match cell.links.as_slice() {
            [one] if link.is_none() && one.text == cell.text => link = Some(one),
            [] if day.is_none() => day = Some(cell.text.as_str()),
            _ => return Err("one day and one link to a competition, in cells of their own".into()),
        }
    }
    match (day, link) {
        (Some(day), Some(link)) if row.class == "t1n" && !row.stray => Ok((day, link)),
        _ => Err("the year, or a row t1n with the day of a competition and a link to it".into()),
    }
}

fn competition(
    day: &str,
    link: &Link,
    year: Option<i16>,
    asked: Month,
) -> Result<Competition, String> {
    let (month, day) =
        month_and_day(day).ok_or_else(|| format!("a day such as \"Apr 08\", not {}", form(day)))?;
    if year.is_none() && month != asked.month() {
        return Err(format!(
            "a day of {asked}, which was asked for, not one of month {month} of an unknown year"
        ));
    }
    let year = year.unwrap_or(asked.year());
    let date =
        Date::new(year, month, day).map_err(|_| format!("a day, not {year}-{month}-{day}"))?;
    let (path, query) = link.href.split_once('?').unwrap_or((&link.href, ""));
    if path != PAGE && path != OLD_PAGE {
        let expected = format!("a link to {PAGE} or {OLD_PAGE}, not to {}", form(path));
        return Err(expected);
    }
    let query = query.split_once('#').map_or(query, |(query, _)| query);
    let mut fields = form_urlencoded::parse(query.as_bytes());
    let id = fields.find_map(|(name, value)| (name == "event").then_some(value));
    let Some(id) = id.filter(|id| is_id(id)) else {
        return Err(format!(
            "a link with the id of an event, not {}",
            form(query)
        ));
    };
    if !is_name(&link.text) {
        let found = form(&link.text);
        return Err(format!("the name of competition {id}, not {found}"));
    }
    Ok(Competition {
        at: String::new(),
        id: id.into_owned(),
        name: link.text.clone(),
        date,
        readable: path == PAGE,
    })
}

/// `Apr 08`; months in English and short.
fn month_and_day(text: &str) -> Option<(i8, i8)> {
    let (month, day) = text.split_once(' ')?;
    let month = month.to_ascii_lowercase();
    let month = MONTHS.iter().position(|name| *name == month)? as i8 + 1;
    let digits = (1..=2).contains(&day.len()) && day.bytes().all(|byte| byte.is_ascii_digit());
    let day = day.parse().ok().filter(|_| digits)?;
    Some((month, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_one_form() {
        assert_eq!(month_and_day("Apr 08"), Some((4, 8)));
        assert_eq!(month_and_day("DEC 3"), Some((12, 3)));
        for other in [
            "Avr 08",
            "April 08",
            "08 Apr",
            "Apr",
            "Apr +8",
            "Apr 08 2023",
            "",
        ] {
            assert_eq!(month_and_day(other), None, "{other}");
        }
    }
}
