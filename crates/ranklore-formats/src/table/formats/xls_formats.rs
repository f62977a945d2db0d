//! The formats of numbers that make them dates or durations.

/// The kind of value that a number is shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberFormat {
    Number,
    Date,
    Duration,
}

impl NumberFormat {
    /// Returns the format that a workbook does not define.
    pub(super) fn built_in(id: u16) -> Self {
        match id {
            14..=22 | 45 | 47 => Self::Date,
            46 => Self::Duration,
            _ => Self::Number,
        }
    }

    /// Returns the format with this code, as calamine does for .xlsx: `[h]` is a duration, another
    /// letter of a date or time outside of quotes and brackets a date.
    pub(super) fn from_code(code: &str) -> Self {
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
                        return Self::Duration;
                    }
                }
                // Further sections are for negative numbers and zero.
                ';' => return Self::Number,
                'd' | 'm' | 'y' | 'h' | 's' | 'D' | 'M' | 'Y' | 'H' | 'S' => return Self::Date,
                _ => {}
            }
        }
        Self::Number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_dates_and_durations_are_known() {
        for (code, format) in [
            ("General", NumberFormat::Number),
            ("0.00E+00", NumberFormat::Number),
            ("#,##0.0####\" YMD\"", NumberFormat::Number),
            ("\\Y000000", NumberFormat::Number),
            ("0_ ;[Red]\\-0\\ ", NumberFormat::Number),
            ("#,##0\\ [$\u{20bd}-46D]", NumberFormat::Number),
            ("DD/MM/YY", NumberFormat::Date),
            ("[$-404]e\"\u{fc}\"m\"\u{fc}\"d", NumberFormat::Date),
            ("H:MM:SS;@", NumberFormat::Date),
            ("[h]:mm:ss", NumberFormat::Duration),
            ("[Blue][ss].00", NumberFormat::Duration),
        ] {
            assert_eq!(NumberFormat::from_code(code), format, "{code}");
        }
    }
}
