//! The list of months.

use ranklore_source::html::HtmlPage;
use ranklore_source::{SiteReadError, SiteReading};

use crate::requests::{self, Month};
use crate::text::mask_letters;

/// Maximum number of years; a page with more is refused.
const MAX_YEARS: i16 = 100;

/// Name of the form that selects a month.
pub(crate) const FORM_NAME: &str = "FilterList";

/// Reads the start page: requests the months from the first it offers to the one it shows, the
/// current one.
pub(crate) fn read(key: &str, page: &HtmlPage) -> Result<SiteReading, SiteReadError> {
    let (first, selected, last) = parse_bounds(key, page, "inyear", (1990, 2199))?;
    let (january, month, december) = parse_bounds(key, page, "inmonth", (1, 12))?;
    if (january, december) != (1, 12) {
        let expected = format!("months from 1 to 12, not from {january} to {december}");
        return Err(SiteReadError::new(key, field_path("inmonth"), expected));
    }
    if last - first > MAX_YEARS {
        let expected = format!("at most {MAX_YEARS} years, not those from {first} to {last}");
        return Err(SiteReadError::new(key, field_path("inyear"), expected));
    }
    let last_number = if selected == last { month } else { 12 };
    let invalid = || SiteReadError::new(key, field_path("inyear"), "a month of 1990 to 2199");
    let last_month = Month::new(last, last_number as i8).ok_or_else(invalid)?;
    let mut month = Month::new(first, 1).ok_or_else(invalid)?;
    let mut reading = SiteReading::default();
    while month <= last_month {
        reading.follow.push(requests::month(month));
        let Some(next) = month.next() else { break };
        month = next;
    }
    Ok(reading)
}

fn field_path(field: &str) -> String {
    format!("form {FORM_NAME}, field {field}")
}

/// Returns the minimum, the value and the maximum of a field.
fn parse_bounds(
    key: &str,
    page: &HtmlPage,
    name: &str,
    (least, most): (i16, i16),
) -> Result<(i16, i16, i16), SiteReadError> {
    let Some(field) = page.field(name).filter(|_| page.has_form(FORM_NAME)) else {
        let expected = "this field in the form that selects a month";
        return Err(SiteReadError::new(key, field_path(name), expected));
    };
    let parse_number = |text: &str, attribute: &str| {
        let number = text.trim().parse::<i16>().ok();
        let in_range = number.filter(|number| (least..=most).contains(number));
        in_range.ok_or_else(|| {
            let text = mask_letters(text);
            let expected =
                format!("a number from {least} to {most} as its {attribute}, not {text}");
            SiteReadError::new(key, field_path(name), expected)
        })
    };
    let min = parse_number(&field.min, "min")?;
    let value = parse_number(&field.value, "value")?;
    let max = parse_number(&field.max, "max")?;
    if min <= value && value <= max {
        Ok((min, value, max))
    } else {
        let expected = format!("a value from its min to its max, not {value} of {min} to {max}");
        Err(SiteReadError::new(key, field_path(name), expected))
    }
}
