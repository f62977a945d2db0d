//! Numbers as the site writes them.

/// Upper bound of ratings and volatilities: the highest rating ever was below 4,500.
pub(crate) const MAX_RATING: u32 = 10_000;

/// Upper bound of a rating change in one round.
pub(crate) const MAX_RATING_CHANGE: u32 = 1_200;

/// Upper bound of places and numbers of ratings.
pub(crate) const MAX_PLACE: u32 = 1_000_000;

/// Upper bound of the absolute value of points: a round has a few thousand.
const MAX_POINTS: f64 = 1e6;

/// Parses a whole number from 0 to `max`, digits only.
pub(crate) fn parse_whole(text: &[u8], max: u32) -> Option<u32> {
    let digits = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let number = std::str::from_utf8(text).ok().filter(|_| digits)?;
    number.parse().ok().filter(|number| *number <= max)
}

/// Parses a whole number with an optional sign, as in rating changes.
pub(crate) fn parse_signed(text: &[u8]) -> Option<i64> {
    let negative = text.first() == Some(&b'-');
    let sign = usize::from(negative || text.first() == Some(&b'+'));
    let digits = &text[sign..];
    let number = i64::from(parse_whole(digits, MAX_RATING)?);
    Some(if negative { -number } else { number })
}

/// Parses points: `160.98`, `-25.0`.
pub(crate) fn parse_points(text: &[u8]) -> Option<f64> {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let mut parts = unsigned.splitn(2, |byte| *byte == b'.');
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let form = parts.next().is_some_and(digits) && parts.next().is_none_or(digits);
    let number = std::str::from_utf8(text).ok().filter(|_| form)?;
    let points = number.parse::<f64>().ok()?;
    // Adding 0 turns -0 into 0.
    (-MAX_POINTS..=MAX_POINTS).contains(&points).then_some(points + 0.0)
}

/// Returns points in hundredths, the site's precision, so that equal points compare equal.
pub(crate) fn to_hundredths(points: f64) -> i64 {
    (points * 100.0).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_parsed_with_sign_and_fraction() {
        for (text, expected) in [
            ("160.98", Some(160.98)),
            ("0.0", Some(0.0)),
            ("-0.0", Some(0.0)),
            ("-25.0", Some(-25.0)),
            ("1250", Some(1250.0)),
            ("", None),
            ("-", None),
            (".5", None),
            ("5.", None),
            ("1,5", None),
            ("1.5.1", None),
            ("1e3", None),
            ("NaN", None),
            ("inf", None),
            ("+1", None),
            (" 1", None),
            ("1000000.1", None),
        ] {
            assert_eq!(parse_points(text.as_bytes()), expected, "{text}");
        }
        assert!(parse_points(b"-0.0").is_some_and(f64::is_sign_positive));
        assert!(parse_points(&[b'9'; 5000]).is_none());
        assert_eq!(to_hundredths(628.439_999_999), 62_844);
    }

    #[test]
    fn whole_numbers_are_digits_in_range() {
        assert_eq!(parse_whole(b"485", MAX_RATING), Some(485));
        for text in ["", "-1", "1.0", "10001", "18446744073709551617", "x", "+1"] {
            assert_eq!(parse_whole(text.as_bytes(), MAX_RATING), None, "{text}");
        }
        assert_eq!([parse_signed(b"-24"), parse_signed(b"+24")], [Some(-24), Some(24)]);
        assert_eq!([parse_signed(b"--24"), parse_signed(b"")], [None, None]);
    }
}
