//! The formats of numbers that make them dates or durations.

use calamine::ExcelDateTimeType::{self, DateTime, TimeDelta};

/// Returns the kind of date that a format shows which a workbook does not define.
pub(super) fn built_in_format(id: u16) -> Option<ExcelDateTimeType> {
    match id {
        14..=22 | 45 | 47 => Some(DateTime),
        46 => Some(TimeDelta),
        _ => None,
    }
}

/// Returns the kind of date that a format with this code shows, as calamine does for .xlsx: `[h]` is
/// a duration, another letter of a date or time outside of quotes and brackets a date.
pub(super) fn parse_format(code: &str) -> Option<ExcelDateTimeType> {
    let mut rest = code.chars();
    while let Some(char) = rest.next() {
        match char {
            // The next character is literal, a width or a filling.
            '\\' | '_' | '*' => drop(rest.next()),
            '"' => drop(rest.find(|&char| char == '"')),
            '[' => {
                let inside: Vec<char> = rest.by_ref().take_while(|&char| char != ']').collect();
                // Elapsed time, such as [hh]; other brackets hold colours and conditions.
                if ['h', 'm', 's'].iter().any(|unit| {
                    !inside.is_empty() && inside.iter().all(|c| c.eq_ignore_ascii_case(unit))
                }) {
                    return Some(TimeDelta);
                }
            }
            // Further sections are for negative numbers and zero.
            ';' => return None,
            'd' | 'm' | 'y' | 'h' | 's' | 'D' | 'M' | 'Y' | 'H' | 'S' => return Some(DateTime),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_dates_and_durations_are_known() {
        for (code, format) in [
            ("General", None),
            ("0.00E+00", None),
            ("#,##0.0####\" YMD\"", None),
            ("\\Y000000", None),
            ("0_ ;[Red]\\-0\\ ", None),
            ("#,##0\\ [$\u{20bd}-46D]", None),
            ("DD/MM/YY", Some(DateTime)),
            ("[$-404]e\"\u{fc}\"m\"\u{fc}\"d", Some(DateTime)),
            ("H:MM:SS;@", Some(DateTime)),
            ("[h]:mm:ss", Some(TimeDelta)),
            ("[Blue][ss].00", Some(TimeDelta)),
        ] {
            assert_eq!(parse_format(code), format, "{code}");
        }
    }
}
