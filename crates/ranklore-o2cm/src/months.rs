//! The list of months.

use ranklore_source::html::Page;
use ranklore_source::{ReadError, Reading};

use crate::ask::{self, Month};
use crate::text::form;

/// Maximum number of years; a page with more is refused.
const MAX_YEARS: i16 = 100;

/// Name of the form that selects a month.
pub(crate) const FORM: &str = "FilterList";

/// Reads the start page: requests the months from the first it offers to the one it shows, the
/// current one.
pub(crate) fn read(key: &str, page: &Page) -> Result<Reading, ReadError> {
    let (first, shown, last) = bounds(key, page, "inyear", (1990, 2199))?;
    let (january, month, december) = bounds(key, page, "inmonth", (1, 12))?;
    if (january, december) != (1, 12) {
        let expected = format!("months from 1 to 12, not from {january} to {december}");
        return Err(ReadError::new(key, at("inmonth"), expected));
    }
    if last - first > MAX_YEARS {
        let expected = format!("at most {MAX_YEARS} years, not those from {first} to {last}");
        return Err(ReadError::new(key, at("inyear"), expected));
    }
    let until = if shown == last { month } else { 12 };
    let none = || ReadError::new(key, at("inyear"), "a month of 1990 to 2199");
    let until = Month::new(last, until as i8).ok_or_else(none)?;
    let mut month = Month::new(first, 1).ok_or_else(none)?;
    let mut reading = Reading::default();
    while month <= until {
        reading.follow.push(ask::month(month));
        let Some(next) = month.next() else { break };
        month = next;
    }
    Ok(reading)
}

fn at(field: &str) -> String {
    format!("form {FORM}, field {field}")
}

/// Returns the minimum, the value and the maximum of a field.
fn bounds(
    key: &str,
    page: &Page,
    name: &str,
    (least, most): (i16, i16),
) -> Result<(i16, i16, i16), ReadError> {
    let Some(field) = page.field(name).filter(|_| page.has_form(FORM)) else {
        let expected = "this field in the form that selects a month";
        return Err(ReadError::new(key, at(name), expected));
    };
    let number = |text: &str, which: &str| {
        let number = text.trim().parse::<i16>().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| {
            let found = form(text);
            let expected = format!("a number from {least} to {most} as its {which}, not {found}");
            ReadError::new(key, at(name), expected)
        })
    };
    let min = number(&field.min, "min")?;
    let shown = number(&field.value, "value")?;
    let max = number(&field.max, "max")?;
    if min <= shown && shown <= max {
        Ok((min, shown, max))
    } else {
        let expected = format!("a value from its min to its max, not {shown} of {min} to {max}");
        Err(ReadError::new(key, at(name), expected))
    }
}
