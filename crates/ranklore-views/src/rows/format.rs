//! Texts of numbers, dates and places.

use ranklore_contest::{EntrantOutcome, format_time};
use ranklore_rating::Display;
use ranklore_store::Completeness;

/// Formats a count as [`ranklore_contest::format_count`].
pub fn format_count(count: impl TryInto<u64>) -> String {
    ranklore_contest::format_count(count.try_into().unwrap_or(u64::MAX))
}

/// Formats a count with its noun as [`ranklore_contest::format_plural`].
pub fn format_plural(number: impl TryInto<u64>, one: &str) -> String {
    ranklore_contest::format_plural(number.try_into().unwrap_or(u64::MAX), one)
}

/// Formats rating points with the decimals of the system ([`Display::decimals`]); −0.3 is 0, not -0.
#[must_use]
pub fn format_points(points: f64, decimals: u8) -> String {
    let text = format!("{points:.*}", usize::from(decimals));
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|byte| b"0.".contains(&byte)) => zero.to_owned(),
        _ => text,
    }
}

/// Formats a change of rating points with its sign: +12, -3, +0.
#[must_use]
pub fn format_signed(change: f64, decimals: u8) -> String {
    let points = format_points(change, decimals);
    if points.starts_with('-') {
        points
    } else {
        format!("+{points}")
    }
}

/// Formats a rating change; `new` without an earlier rating.
#[must_use]
pub fn format_change(change: Option<f64>, decimals: u8) -> String {
    change.map_or_else(|| "new".to_owned(), |c| format_signed(c, decimals))
}

/// Formats a displayed rating; a provisional one ends with a question mark.
#[must_use]
pub fn format_rating(display: &Display, rating: f64, provisional: bool) -> String {
    let mark = if provisional { "?" } else { "" };
    format_points(rating, display.rating_decimals()) + mark
}

/// Formats a score, which is a multiple of one half: `8` or `8.5`.
#[must_use]
pub fn format_score(score: f64) -> String {
    let units = format_count(score as u64);
    if score.fract() == 0.0 {
        units
    } else {
        units + ".5"
    }
}

/// Formats the share that arrived of an incomplete contest: `476 of 543 comments arrived`.
#[must_use]
pub fn format_completeness(completeness: &Completeness) -> String {
    let arrived = format_count(completeness.arrived);
    let announced = format_count(completeness.announced);
    format!("{arrived} of {announced} {} arrived", completeness.items)
}

/// Formats a time to the minute.
#[must_use]
pub fn format_minute(seconds: i64) -> String {
    format_time(seconds, "%Y-%m-%d %H:%M")
}

/// Formats a time as a day.
#[must_use]
pub fn format_day(seconds: i64) -> String {
    format_time(seconds, "%Y-%m-%d")
}

/// Returns the place, or the status such as `dnf`.
#[must_use]
pub fn format_outcome(outcome: EntrantOutcome) -> String {
    match outcome.place() {
        Some(place) => place.get().to_string(),
        None => outcome.status().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_decimals_of_the_scale_and_zero_has_no_sign() {
        assert_eq!(format_points(25.349, 2), "25.35");
        assert_eq!(format_points(-1204.4, 0), "-1204");
        assert_eq!(format_points(-0.4, 0), "0");
        assert_eq!(format_points(-0.004, 2), "0.00");
        assert_eq!(format_signed(-0.4, 0), "+0");
        assert_eq!(format_signed(-0.4, 1), "-0.4");
        assert_eq!(format_change(Some(12.0), 0), "+12");
    }
}
