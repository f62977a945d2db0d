//! Numbers, dates and names as text.

use jiff::Timestamp;
use maud::{Markup, html};
use ranklore_contest::EntrantOutcome;

/// The most characters of a name in a title or a tooltip.
const MAX_SHORT_CHARS: usize = 80;

/// Formats rating points with the decimals of the system; −0.3 is 0, not -0.
pub(crate) fn points(points: f64, decimals: u8) -> String {
    let text = format!("{points:.*}", usize::from(decimals));
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|byte| b"0.".contains(&byte)) => zero.to_owned(),
        Some(digits) => format!("−{digits}"),
        None => text,
    }
}

/// Formats rating points; empty if there are none.
pub(crate) fn optional_points(value: Option<f64>, decimals: u8) -> String {
    value.map_or_else(String::new, |value| points(value, decimals))
}

/// Formats a coordinate of a drawing.
pub(crate) fn coordinate(number: f64) -> String {
    format!("{number:.1}")
}

/// Formats a change with its sign.
pub(crate) fn signed(change: f64, decimals: u8) -> String {
    match points(change, decimals) {
        text if text.starts_with('−') => text,
        text => format!("+{text}"),
    }
}

/// Formats a count with separators: 1,371,813.
pub(crate) fn count(count: impl TryInto<u64>) -> String {
    let digits = count.try_into().unwrap_or(u64::MAX).to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a count with its noun: `1 contest`, `2 contests`.
pub(crate) fn plural(number: impl TryInto<u64>, one: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {one}{ending}", count(number))
}

/// Formats a time as a day.
pub(crate) fn day(seconds: i64) -> String {
    time(seconds, "%Y-%m-%d")
}

/// Formats a time to the minute.
pub(crate) fn minute(seconds: i64) -> String {
    time(seconds, "%Y-%m-%d %H:%M UTC")
}

fn time(seconds: i64, format: &str) -> String {
    let moment = Timestamp::from_second(seconds);
    moment.map_or_else(|_| "?".to_owned(), |at| at.strftime(format).to_string())
}

/// Returns a day as an element that programs can read; empty if there is none.
pub(crate) fn day_element(seconds: Option<i64>) -> Markup {
    html! {
        @if let Some(seconds) = seconds {
            time datetime=(time(seconds, "%Y-%m-%dT%H:%M:%SZ")) { (day(seconds)) }
        }
    }
}

/// Returns the place, or the status such as `dnf`.
pub(crate) fn outcome(outcome: EntrantOutcome) -> String {
    match outcome.place() {
        Some(place) => place.get().to_string(),
        None => outcome.status().unwrap_or_default().to_owned(),
    }
}

/// Returns a name from outside as an element, so that its direction does not change the text around
/// it.
pub(crate) fn name(name: &str) -> Markup {
    html! { bdi { (visible(name)) } }
}

/// Replaces control characters, which have no place in HTML.
fn visible(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

/// Returns a name for titles and tooltips, which cannot contain elements: without characters that
/// change the direction of text, and cut after 80 characters.
pub(crate) fn short(text: &str) -> String {
    let mut chars = text.chars().filter(|&c| !changes_direction(c));
    let mut start: String = chars.by_ref().take(MAX_SHORT_CHARS).collect();
    if chars.next().is_some() {
        start.push('…');
    }
    visible(&start)
}

/// True for the Unicode characters that embed, override, isolate or mark a direction.
fn changes_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_separators_and_signs() {
        assert_eq!(count(1_371_813_u64), "1,371,813");
        assert_eq!(plural(1_u64, "contest"), "1 contest");
        assert_eq!(plural(2_000_u64, "contest"), "2,000 contests");
        assert_eq!(points(-0.4, 0), "0");
        assert_eq!(points(-12.25, 1), "−12.2");
        assert_eq!(signed(12.0, 0), "+12");
        assert_eq!(signed(-12.0, 0), "−12");
    }

    #[test]
    fn names_cannot_change_the_page() {
        let html = name("<b>\u{202e}\"&\u{0}").into_string();
        assert_eq!(html, "<bdi>&lt;b&gt;\u{202e}&quot;&amp;\u{fffd}</bdi>");
        assert_eq!(short("a\u{202e}b\u{2067}c\u{1b}"), "abc\u{fffd}");
        assert_eq!(short(&"x".repeat(1_000)).chars().count(), 81);
        assert_eq!(short("Šárka"), "Šárka");
    }
}
