//! Parses scores and other numbers, with any grouping and decimal mark.
//!
//! The mark in `1,234` may be a decimal mark or group thousands. The unambiguous values of the
//! column decide: `12,5`, `0,123`, `1,234.5`, `1,234,567`, and `1234`, which shows that thousands
//! are not grouped. If none decides, a point is a decimal point unless cells are separated by
//! semicolons, which suggests decimal commas, or a number such as 998 stands beside it; a comma is
//! refused.

use crate::options::DecimalMark;
use crate::values::statuses::has_digit;
use ranklore_contest::Quoted;
use ranklore_grid::{CellGrid, CommandOptions, Reason};

/// The facts about a table that decide the marks of its numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NumberRules {
    /// The mark that the user states.
    pub(crate) stated_mark: Option<DecimalMark>,
    /// True if the document separates cells by semicolons.
    semicolons: bool,
    /// True if 1.234 beside 998 has two readings. In other formats than text, a point is a decimal
    /// point.
    doubts_points: bool,
}

impl NumberRules {
    pub(crate) fn from_grid(grid: &CellGrid) -> Self {
        let is_text = grid.sheet.is_none() && grid.records.is_none();
        Self {
            stated_mark: None,
            semicolons: grid.semicolons,
            doubts_points: is_text && grid.limits().reader.refuses_doubts(),
        }
    }
}

/// Evidence about the decimal and grouping marks of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a piece of evidence, and any may come with any other"
)]
pub(crate) struct NumberStyle {
    has_decimal_comma: bool,
    has_decimal_point: bool,
    has_ungrouped_thousands: bool,
    /// True if a number without a mark is near 1,000: beside it, 1.234 is hardly a fraction.
    has_hundreds: bool,
    /// True if `E` is even par: 0 among strokes below and above it.
    pub(crate) is_to_par: bool,
    rules: NumberRules,
}

/// True for the even par of golf.
pub(crate) fn is_even_par(cell: &str) -> bool {
    cell == "E"
}

/// The reason why a cell is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberError {
    /// The mark may group thousands or be a decimal mark.
    Ambiguous,
    /// Not a number.
    NotANumber,
}

impl NumberError {
    /// Returns the reason to refuse this cell.
    pub(crate) fn reason(self, subject: &str, cell: &str) -> Reason {
        let number = Quoted(cell);
        if self == Self::NotANumber {
            return Reason::from(format!("{subject} {number} is not a number"));
        }
        let option = |mark: DecimalMark| CommandOptions::new("--decimal-mark", mark.as_str());
        let (fraction, thousand) = if cell.contains(',') {
            (DecimalMark::Comma, DecimalMark::Point)
        } else {
            (DecimalMark::Point, DecimalMark::Comma)
        };
        let problem = format!(
            "{subject} {number} may be a thousand or a fraction, and no other value of the column shows which"
        );
        let cases = [
            (option(thousand), "if it is a thousand"),
            (option(fraction), "if it is a fraction"),
        ];
        Reason::with_options(problem, cases)
    }
}

/// The marks of a number, as far as the number alone determines them.
enum Separators {
    /// Digits without marks.
    Plain,
    /// The mark can only be a decimal mark.
    Decimal(char),
    /// The mark can only group thousands.
    Grouping(char),
    /// A mark, followed by three digits.
    Ambiguous(char),
}

impl NumberStyle {
    /// Collects the evidence of a column's values.
    pub(crate) fn from_cells<'c>(cells: impl Iterator<Item = &'c str>, rules: NumberRules) -> Self {
        let mut style = Self {
            rules,
            ..Self::default()
        };
        for cell in cells {
            let Some(bare) = strip_digit_gaps(cell) else {
                continue;
            };
            match classify_separators(&bare) {
                Some(Separators::Decimal(',') | Separators::Grouping('.')) => {
                    style.has_decimal_comma = true;
                }
                Some(Separators::Decimal(_) | Separators::Grouping(_)) => {
                    style.has_decimal_point = true;
                }
                // Blanks or apostrophes group the digits, so a missing mark proves nothing.
                Some(Separators::Plain)
                    if cell.trim_start_matches(['-', '+', '−']).len()
                        == bare.trim_start_matches('-').len() =>
                {
                    let digits = bare.trim_start_matches('-').len();
                    style.has_ungrouped_thousands |= digits >= 4;
                    style.has_hundreds |= digits == 3;
                }
                _ => {}
            }
        }
        style
    }

    /// Returns the style of a column that has `E`: strokes below and above par, if all numbers have a sign,
    /// and some a plus.
    pub(crate) fn with_even_par<'c>(self, cells: impl Iterator<Item = &'c str>) -> Self {
        let mut has_plus = false;
        let mut numbers = cells.filter(|cell| has_digit(cell));
        let are_signed = numbers.all(|cell| {
            has_plus |= cell.starts_with('+');
            cell == "0" || cell.starts_with(['+', '-', '−'])
        });
        Self {
            is_to_par: are_signed && has_plus,
            ..self
        }
    }

    /// Parses a number; times such as `1:23:45.6` and `12:34` are in seconds.
    pub(crate) fn parse(self, cell: &str) -> Result<f64, NumberError> {
        if self.is_to_par && is_even_par(cell) {
            return Ok(0.0);
        }
        if is_time(cell) {
            return parse_time(cell).ok_or(NumberError::NotANumber);
        }
        let bare = strip_digit_gaps(cell).ok_or(NumberError::NotANumber)?;
        let point = match classify_separators(&bare).ok_or(NumberError::NotANumber)? {
            Separators::Plain => None,
            Separators::Decimal(mark) => Some(mark),
            Separators::Grouping(',') => Some('.'),
            Separators::Grouping(_) => Some(','),
            Separators::Ambiguous(mark) => {
                let (points, groups) = match mark {
                    ',' => (self.has_decimal_comma, self.has_decimal_point),
                    _ => (self.has_decimal_point, self.has_decimal_comma),
                };
                let other = if mark == ',' { '.' } else { ',' };
                match (points, groups) {
                    // What other cells show is no doubt that an option could settle.
                    (true, false) => Some(mark),
                    (false, true) => Some(other),
                    _ if let Some(decimal_mark) = self.rules.stated_mark => {
                        let is_decimal = (mark == ',') == (decimal_mark == DecimalMark::Comma);
                        Some(if is_decimal { mark } else { other })
                    }
                    (true, true) => return Err(NumberError::Ambiguous),
                    _ if self.has_ungrouped_thousands => Some(mark),
                    _ if self.has_hundreds && self.rules.doubts_points => {
                        return Err(NumberError::Ambiguous);
                    }
                    _ if mark == '.' && !self.rules.semicolons => Some('.'),
                    _ => return Err(NumberError::Ambiguous),
                }
            }
        };
        let digits: String = bare
            .chars()
            .filter_map(|c| match c {
                ',' | '.' => (Some(c) == point).then_some('.'),
                c => Some(c),
            })
            .collect();
        match digits.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(NumberError::NotANumber),
        }
    }
}

/// Returns the digits and marks of a number, with a leading `-` if it is negative. Leaves out white
/// space and apostrophes between groups of three digits.
fn strip_digit_gaps(cell: &str) -> Option<String> {
    let (sign, rest) = match cell.chars().next()? {
        c @ ('-' | '−') => ("-", &cell[c.len_utf8()..]),
        '+' => ("", &cell[1..]),
        _ => ("", cell),
    };
    if rest.len() > 40 {
        return None;
    }
    if rest.contains(is_gap) {
        let integer = rest.split(['.', ',']).next().unwrap_or_default();
        if !is_grouped(integer, is_gap) || rest[integer.len()..].contains(is_gap) {
            return None;
        }
    }
    let digits: String = rest.chars().filter(|&c| !is_gap(c)).collect();
    let fits = digits.bytes().any(|b| b.is_ascii_digit())
        && digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','));
    fits.then(|| format!("{sign}{digits}"))
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\'' | '’')
}

/// True if marks split the text into groups of three characters; the first may have fewer.
fn is_grouped(text: &str, is_mark: impl Fn(char) -> bool) -> bool {
    let mut groups = text.split(is_mark);
    groups.next().is_some_and(|g| (1..=3).contains(&g.len()))
        && groups.all(|group| group.len() == 3)
}

/// Classifies the marks of a number; `None` if it is not a valid number.
fn classify_separators(bare: &str) -> Option<Separators> {
    let bare = bare.trim_start_matches('-');
    let count = |mark: char| bare.matches(mark).count();
    match (count('.'), count(',')) {
        (0, 0) => Some(Separators::Plain),
        (1, 0) | (0, 1) => {
            let mark = if bare.contains('.') { '.' } else { ',' };
            let (integer, decimals) = bare.split_once(mark)?;
            let groupable = decimals.len() == 3
                && (1..=3).contains(&integer.len())
                && !integer.starts_with('0');
            Some(if groupable {
                Separators::Ambiguous(mark)
            } else {
                Separators::Decimal(mark)
            })
        }
        (_, 0) => is_grouped(bare, |c| c == '.').then_some(Separators::Grouping('.')),
        (0, _) => is_grouped(bare, |c| c == ',').then_some(Separators::Grouping(',')),
        _ => {
            // The last mark is the decimal mark and occurs once; the other groups the digits before
            // it.
            let (point, group) = if bare.rfind('.') > bare.rfind(',') {
                ('.', ',')
            } else {
                (',', '.')
            };
            let (integer, decimals) = bare.split_once(point)?;
            (is_grouped(integer, |c| c == group) && decimals.bytes().all(|b| b.is_ascii_digit()))
                .then_some(Separators::Decimal(point))
        }
    }
}

/// True if a cell is a time: `12:34`, `1:23:45.6`, `1h 36m 02s`.
pub(crate) fn is_time(cell: &str) -> bool {
    cell.contains(':') || parse_units(cell).is_some()
}

/// Parses a time with units, two at least: `1h 36m 02s`. `12m` may be metres.
fn parse_units(cell: &str) -> Option<f64> {
    // Most cells are numbers.
    if cell.len() > 20 || !cell.ends_with(['h', 'm', 's']) {
        return None;
    }
    let mut rest = cell;
    let mut total = 0;
    let mut decimals = "";
    let mut count = 0;
    for (unit, seconds) in [('h', 3600), ('m', 60), ('s', 1)] {
        let Some((number, others)) = rest.split_once(unit) else {
            continue;
        };
        let mut integer = number.trim();
        if unit == 's'
            && let Some(parts) = integer.split_once('.')
        {
            (integer, decimals) = parts;
        }
        let value = Some(integer).filter(|text| are_digits(text))?.parse::<u128>().ok();
        total += value.filter(|value| count == 0 || *value < 60)? * seconds;
        rest = others;
        count += 1;
    }
    let is_whole = count > 1 && rest.is_empty();
    is_whole.then(|| join_decimals(total, decimals)).flatten()
}

fn parse_time(cell: &str) -> Option<f64> {
    if !cell.contains(':') {
        return parse_units(cell);
    }
    let (whole, decimals) = match cell.split_once(['.', ',']) {
        Some((whole, decimals)) => (whole, Some(decimals).filter(|text| !text.is_empty())?),
        None => (cell, ""),
    };
    let mut total = 0;
    let mut count = 0;
    for part in whole.split(':') {
        let value = part.parse::<u128>().ok().filter(|_| part.len() <= 6 && are_digits(part))?;
        if count > 0 && (part.len() != 2 || value >= 60) {
            return None;
        }
        total = total * 60 + value;
        count += 1;
    }
    (2..=3).contains(&count).then(|| join_decimals(total, decimals)).flatten()
}

fn are_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whole seconds with their decimals. A sum of 120 and 17.58 would not be 137.58.
fn join_decimals(seconds: u128, decimals: &str) -> Option<f64> {
    are_digits(decimals).then(|| format!("{seconds}.{decimals}").parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(cell: &str, others: &[&str]) -> Result<f64, NumberError> {
        let cells = others.iter().copied().chain([cell]);
        let rules = NumberRules {
            doubts_points: true,
            ..NumberRules::default()
        };
        NumberStyle::from_cells(cells, rules).parse(cell)
    }

    #[test]
    fn unambiguous_numbers_are_parsed() {
        for (cell, expected) in [
            ("12", 12.0),
            ("-3", -3.0),
            ("−3", -3.0),
            ("+3", 3.0),
            ("12.5", 12.5),
            ("12,5", 12.5),
            ("0,123", 0.123),
            ("0.123", 0.123),
            ("1,234.5", 1234.5),
            ("1.234,5", 1234.5),
            ("1 234", 1234.0),
            ("1\u{a0}234,5", 1234.5),
            ("1'234.50", 1234.5),
            ("1,234,567", 1_234_567.0),
            ("1.234.567", 1_234_567.0),
            ("12345.678", 12345.678),
            (".5", 0.5),
            ("5.", 5.0),
            ("1,2345", 1.2345),
            ("1:23:45.6", 5025.6),
            ("12:34", 754.0),
            ("1:02,5", 62.5),
            ("2:17.58", 137.58),
            ("1:02:17.58", 3737.58),
            ("1h 36m 02s", 5762.0),
            ("2m 17.58s", 137.58),
            ("1m36.5s", 96.5),
        ] {
            assert_eq!(read(cell, &[]), Ok(expected), "{cell}");
        }
        for cell in [
            "",
            "-",
            "NaN",
            "inf",
            "1e5",
            "x",
            "12 pts",
            "1,23,4",
            "1.2.3",
            "1 23",
            "1,234.5.6",
            "1.234,5,6",
            "1:2",
            "1:60",
            "1:2:3:4",
            "-1:30",
            "--1",
            "12:34:",
            "12m",
            "1m 75s",
            "6.1m 2s",
            "2s 1m",
            "1,2:30",
            ",",
            ".",
        ] {
            assert_eq!(read(cell, &[]), Err(NumberError::NotANumber), "{cell}");
        }
    }

    #[test]
    fn column_decides_separator_meaning() {
        for (cell, others, expected) in [
            ("1,234", &["1,234.5"][..], 1234.0),
            ("1,234", &["12.5"], 1234.0),
            ("1,234", &["12,5"], 1.234),
            ("1,234", &["0,5", "1.234.567"], 1.234),
            ("1,234", &["1234"], 1.234),
            ("1.234", &["12,5"], 1234.0),
            ("1.234", &["12.5"], 1.234),
            ("1.234", &[], 1.234),
        ] {
            assert_eq!(read(cell, others), Ok(expected), "{cell} among {others:?}");
        }
        for others in [&[][..], &["12"], &["12.5", "12,5"]] {
            assert_eq!(read("1,234", others), Err(NumberError::Ambiguous), "{others:?}");
        }
        assert_eq!(read("1.234", &["98"]), Ok(1.234));
        assert_eq!(read("1.234", &["998"]), Err(NumberError::Ambiguous));
        let stated = |mark| NumberRules {
            stated_mark: Some(mark),
            ..NumberRules::default()
        };
        for (mark, cell, expected) in [
            (DecimalMark::Point, "1.234", 1.234),
            (DecimalMark::Point, "1,234", 1234.0),
            (DecimalMark::Comma, "1.234", 1234.0),
            (DecimalMark::Comma, "1,234", 1.234),
        ] {
            let style = NumberStyle::from_cells(["998"].into_iter(), stated(mark));
            assert_eq!(style.parse(cell), Ok(expected), "{mark:?} {cell}");
        }
        let semicolons = NumberRules {
            semicolons: true,
            ..NumberRules::default()
        };
        let semicolons = NumberStyle::from_cells(["1.234"].into_iter(), semicolons);
        assert_eq!(semicolons.parse("1.234"), Err(NumberError::Ambiguous));
    }
}
