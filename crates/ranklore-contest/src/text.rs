//! Counts, times and words for a shell as text, in messages and pages.

use jiff::Timestamp;

/// Formats a count with separators: 1,371,813.
#[must_use]
pub fn format_count(count: u64) -> String {
    let digits = count.to_string();
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
#[must_use]
pub fn format_plural(number: u64, one: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {one}{ending}", format_count(number))
}

/// Formats a time, in seconds since 1970, by a pattern of strftime: `%Y-%m-%d`. Returns `?` outside
/// the years that have such a text.
#[must_use]
pub fn format_time(seconds: i64, pattern: &str) -> String {
    let moment = Timestamp::from_second(seconds);
    moment.map_or_else(|_| "?".to_owned(), |at| at.strftime(pattern).to_string())
}

/// Returns a word quoted for a shell if it needs quotes.
#[must_use]
pub fn quote_for_shell(word: &str) -> String {
    let mut chars = word.chars();
    if !word.is_empty() && chars.all(|c| c.is_alphanumeric() || "-_.=:+/".contains(c)) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_separators() {
        for (count, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_371_813, "1,371,813"),
        ] {
            assert_eq!(format_count(count), text);
        }
        assert_eq!(format_plural(1, "contest"), "1 contest");
        assert_eq!(format_plural(2_000, "contest"), "2,000 contests");
    }

    #[test]
    fn time_without_text_is_a_question_mark() {
        assert_eq!(format_time(86_400, "%Y-%m-%d"), "1970-01-02");
        assert_eq!(format_time(i64::MAX, "%Y-%m-%d"), "?");
    }

    #[test]
    fn words_with_special_characters_are_quoted() {
        for (word, quoted) in [
            ("Board=division", "Board=division"),
            ("Schütze", "Schütze"),
            ("a/b.csv", "a/b.csv"),
            ("Race No.", "'Race No.'"),
            ("", "''"),
            ("$(x)", "'$(x)'"),
            ("it's", r"'it'\''s'"),
            ("*", "'*'"),
        ] {
            assert_eq!(quote_for_shell(word), quoted);
        }
    }
}
