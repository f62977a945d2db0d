//! The competitions of a month.

use std::collections::HashMap;

use jiff::civil::Date;
use ranklore_contest::UnixSeconds;
use ranklore_source::html::{HtmlLink, HtmlPage, HtmlRow};
use ranklore_source::{SiteListing, SiteReadError, SiteReading, Stage};

use crate::months::FORM_NAME;
use crate::requests::{self, Month, is_competition_id, links_to_page};
use crate::text::{is_name, mask_letters};

/// Page with the results of current competitions.
const RESULTS_PAGE: &str = "event3.asp";
/// Page with the results of 2005 and 2006, in another form.
const OLD_RESULTS_PAGE: &str = "event2.asp";

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Name of competition pages, without the version.
const COMPETITION_PAGE: &str = "event";

/// A row of the list.
struct CompetitionRow {
    /// The table and the row on the page.
    location: String,
    /// The id as the site writes it.
    id: String,
    name: String,
    date: Date,
    month: Month,
    ends_at: UnixSeconds,
    /// True if the results are on a page that can be read.
    readable: bool,
}

/// The year of the rows below a heading.
#[derive(Clone, Copy)]
enum HeadingYear {
    /// Without a heading: the requested year.
    Requested,
    Known(i16),
    /// The heading has no year.
    Unknown,
}

pub(crate) fn read(
    key: &str,
    page: &HtmlPage,
    requested: Month,
) -> Result<SiteReading, SiteReadError> {
    if !page.has_form(FORM_NAME) {
        let expected = "the form that selects a month";
        let at = format!("form {FORM_NAME}");
        return Err(SiteReadError::new(key, at, expected));
    }
    let (competitions, mut refused) = parse_list(key, page, requested);
    // If no row can be read, the page has another form.
    if competitions.is_empty() && !refused.is_empty() {
        return Err(refused.swap_remove(0));
    }
    // Below a wrong heading a row would get the wrong year.
    let months = competitions.iter().map(|competition| competition.month);
    if !months.clone().is_sorted() && !months.rev().is_sorted() {
        let expected = "competitions in the order of their months";
        return Err(SiteReadError::whole_document(key, expected));
    }
    let mut reading = SiteReading::default();
    let mut first_rows: HashMap<String, &CompetitionRow> = HashMap::new();
    for competition in &competitions {
        let CompetitionRow { id, date, .. } = competition;
        let external_id = requests::competition_id(id);
        if let Some(first) = first_rows.get(&external_id) {
            if (&first.name, first.date) != (&competition.name, competition.date) {
                let at = competition.location.clone();
                let expected = format!("a unique id, not {id} again");
                refused.push(SiteReadError::new(key, at, expected));
            }
            continue;
        }
        first_rows.insert(external_id.clone(), competition);
        if !competition.readable {
            reading.warnings.push(format!(
                "competition {id} of {date} left out: its results are in {OLD_RESULTS_PAGE}, whose format \
                 is unknown"
            ));
        }
        let is_readable = competition.readable;
        let results = is_readable.then(|| requests::competition(id, competition.month));
        // A listed competition has results, or gets them without a change of the list.
        reading.listed.push(SiteListing {
            url: is_readable.then(|| requests::competition_url(id)),
            ends_at: Some(competition.ends_at),
            rateable: is_readable,
            results: results.into_iter().collect(),
            ..SiteListing::new(external_id, &competition.name, Stage::Finished)
        });
    }
    reading.refused = refused;
    Ok(reading)
}

/// Parses every row of the list, anywhere on the page. Ignores other content. Also returns the errors
/// of invalid rows and other refused parts.
fn parse_list(
    key: &str,
    page: &HtmlPage,
    requested: Month,
) -> (Vec<CompetitionRow>, Vec<SiteReadError>) {
    let mut competitions = Vec::new();
    let mut refused = Vec::new();
    let mut linked = 0;
    for (table, number) in page.tables.iter().zip(1..) {
        let mut year = HeadingYear::Requested;
        for (row, line) in table.rows.iter().zip(1..) {
            let at = || format!("table {number}, row {line}");
            if is_list_row(row) {
                linked += row.links().filter(|link| is_competition_link(link)).count();
                match parse_competition(row, at(), year, requested) {
                    Ok(competition) => competitions.push(competition),
                    Err(expected) => refused.push(SiteReadError::new(key, at(), expected)),
                }
            } else if let Some(heading_year) = parse_heading(row) {
                year = heading_year;
                if matches!(year, HeadingYear::Unknown) {
                    let expected = "a year from 1990 to 2199, in a heading h3";
                    refused.push(SiteReadError::new(key, at(), expected));
                }
            }
        }
    }
    let links = page.links().filter(|link| is_competition_link(link)).count();
    if linked < links {
        let expected = format!("a row for each of {links} links to competitions, not {linked}");
        refused.push(SiteReadError::whole_document(key, expected));
    }
    (competitions, refused)
}

fn is_competition_link(link: &HtmlLink) -> bool {
    links_to_page(&link.href, COMPETITION_PAGE)
}

/// True if a row belongs to the list, valid or not: it has a link to a competition, or a day.
fn is_list_row(row: &HtmlRow) -> bool {
    row.links().any(is_competition_link)
        || row.cells.iter().any(|cell| parse_month_and_day(&cell.text).is_some())
}

/// Returns the year of a heading; `None` if the row is no heading.
fn parse_heading(row: &HtmlRow) -> Option<HeadingYear> {
    let is_heading = row.cells.iter().any(|cell| cell.class == "h3");
    let text = row.only_non_empty_cell().map_or("", |cell| &cell.text);
    let year = text.parse::<i16>().ok();
    match year.filter(|year| Month::new(*year, 1).is_some()) {
        Some(year) if is_heading => Some(HeadingYear::Known(year)),
        // It resembles a heading, or stands in its place.
        year => (is_heading || year.is_some()).then_some(HeadingYear::Unknown),
    }
}

/// Parses the competition of a row; errors with the expected form.
fn parse_competition(
    row: &HtmlRow,
    location: String,
    year: HeadingYear,
    requested: Month,
) -> Result<CompetitionRow, String> {
    let (day, link) = day_and_link(row)?;
    let (month, day) = parse_month_and_day(day)
        .ok_or_else(|| format!("a day such as \"Apr 08\", not {}", mask_letters(day)))?;
    let year = match year {
        HeadingYear::Known(year) => year,
        HeadingYear::Requested if month == requested.month() => requested.year(),
        HeadingYear::Requested => {
            return Err(format!(
                "a day of {requested}, as requested, not of month {month} of an unknown year"
            ));
        }
        HeadingYear::Unknown => return Err("a year in the heading above".to_owned()),
    };
    let (date, ends_at, held_month) = Date::new(year, month, day)
        .ok()
        .and_then(|date| Some((date, requests::midnight(date)?, Month::new(year, month)?)))
        .ok_or_else(|| format!("a day of 1990 to 2199, not {year}-{month}-{day}"))?;
    let (path, query) = link.href.split_once('?').unwrap_or((&link.href, ""));
    let readable = path.eq_ignore_ascii_case(RESULTS_PAGE);
    if !readable && !path.eq_ignore_ascii_case(OLD_RESULTS_PAGE) {
        let masked = mask_letters(path);
        let expected = format!("a link to {RESULTS_PAGE} or {OLD_RESULTS_PAGE}, not to {masked}");
        return Err(expected);
    }
    let query = query.split_once('#').map_or(query, |(query, _)| query);
    let mut fields = form_urlencoded::parse(query.as_bytes());
    let id = fields.find_map(|(name, value)| (name == "event").then_some(value));
    let Some(id) = id.filter(|id| is_competition_id(id)) else {
        let masked = mask_letters(query);
        return Err(format!("a link with the id of an event, not {masked}"));
    };
    if !is_name(&link.text) {
        let text = mask_letters(&link.text);
        return Err(format!("the name of competition {id}, not {text}"));
    }
    Ok(CompetitionRow {
        location,
        id: id.into_owned(),
        name: link.text.clone(),
        date,
        month: held_month,
        ends_at,
        readable,
    })
}

/// Returns the day and the link of a row, in any order of cells.
fn day_and_link(row: &HtmlRow) -> Result<(&str, &HtmlLink), String> {
    let mut link = None;
    let mut day = None;
    for cell in row.non_empty_cells() {
        match cell.links.as_slice() {
            [one] if link.is_none() && one.text == cell.text => link = Some(one),
            [] if day.is_none() => day = Some(cell.text.as_str()),
            _ => return Err("one day and one link to a competition, in cells of their own".into()),
        }
    }
    match (day, link) {
        (Some(day), Some(link)) if row.class == "t1n" => Ok((day, link)),
        _ => Err("a row t1n with the day of a competition and a link to it".into()),
    }
}

/// Parses a day such as `Apr 08`.
fn parse_month_and_day(text: &str) -> Option<(i8, i8)> {
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
    fn day_is_parsed_in_one_format() {
        assert_eq!(parse_month_and_day("Apr 08"), Some((4, 8)));
        assert_eq!(parse_month_and_day("DEC 3"), Some((12, 3)));
        for other in [
            "Avr 08",
            "April 08",
            "08 Apr",
            "Apr",
            "Apr +8",
            "Apr 08 2023",
            "",
        ] {
            assert_eq!(parse_month_and_day(other), None, "{other}");
        }
    }
}
