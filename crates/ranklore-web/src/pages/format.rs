//! Numbers, dates and names as text.

use maud::{Markup, html};
use ranklore_contest::format_time;
use ranklore_views::format::format_points;
pub(crate) use ranklore_views::format::{
    format_count as count, format_day as day, format_plural as plural,
};

/// The most characters of a name in a title or a tooltip.
const MAX_SHORT_CHARS: usize = 80;

/// Formats rating points with the decimals of the system, and a minus sign in place of a hyphen.
pub(crate) fn points(points: f64, decimals: u8) -> String {
    format_points(points, decimals).replace('-', "−")
}

/// Formats rating points; empty if there are none.
pub(crate) fn optional_points(value: Option<f64>, decimals: u8) -> String {
    value.map_or_else(String::new, |value| points(value, decimals))
}

/// Formats a change with its sign.
pub(crate) fn signed(change: f64, decimals: u8) -> String {
    match points(change, decimals) {
        text if text.starts_with('−') => text,
        text => format!("+{text}"),
    }
}

/// Formats a time to the minute.
pub(crate) fn minute(seconds: i64) -> String {
    format_time(seconds, "%Y-%m-%d %H:%M UTC")
}

/// Returns a day as an element that programs can read; empty if there is none.
pub(crate) fn day_element(seconds: Option<i64>) -> Markup {
    html! {
        @if let Some(seconds) = seconds {
            time datetime=(format_time(seconds, "%Y-%m-%dT%H:%M:%SZ")) { (day(seconds)) }
        }
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
