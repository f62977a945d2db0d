//! Parsers for the values of parameters.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ranklore_contest::{ContestTime, EntrantKind, SourceName, WordEnum};

/// Parses a source name.
///
/// # Errors
/// The reason why the word is none.
pub fn parse_source(word: &str) -> Result<SourceName, String> {
    SourceName::new(word).map_err(|error| error.to_string())
}

/// The forms of a time.
pub const EXPECTED_TIME: &str = "expected a day such as 2024-01-31, or a moment such as \
     2024-01-31T18:00:00Z or 2024-01-31T18:00:00+01:00";

/// Parses the time of a contest: a day (midnight UTC) or an ISO 8601 timestamp.
///
/// # Errors
/// The form that is expected.
pub fn parse_time(word: &str) -> Result<ContestTime, String> {
    ContestTime::parse(word).ok_or_else(|| format!("{EXPECTED_TIME}, from 1583 to 2199"))
}

/// Parses a day (its last second) or an ISO 8601 timestamp.
///
/// # Errors
/// The form that is expected.
pub fn parse_end_time(word: &str) -> Result<ContestTime, String> {
    ContestTime::parse_end(word).ok_or_else(|| format!("{EXPECTED_TIME}, from 1583 to 2199"))
}

/// Parses a number of 0 or more.
///
/// # Errors
/// The form that is expected.
pub fn parse_factor(word: &str) -> Result<f64, String> {
    match word.parse::<f64>() {
        Ok(factor) if factor.is_finite() && factor >= 0.0 => Ok(factor),
        _ => Err("expected a number of 0 or more, such as 3".to_owned()),
    }
}

/// Parses a kind of competitor.
///
/// # Errors
/// The words that are expected.
pub fn parse_kind(word: &str) -> Result<EntrantKind, String> {
    EntrantKind::from_word(word).ok_or_else(|| "expected person, team or couple".to_owned())
}

/// Returns the words of an enum, each with its meaning as help.
pub fn possible_values<E: WordEnum>() -> impl Iterator<Item = PossibleValue> {
    let words = E::WORDS.iter().zip(E::MEANINGS);
    words.map(|(word, meaning)| {
        let help = meaning.trim().trim_end_matches('.');
        PossibleValue::new(*word).help(help)
    })
}

/// Returns a parser of the words of an enum.
#[must_use]
pub fn words<E: WordEnum>() -> impl TypedValueParser<Value = E> {
    let parser = PossibleValuesParser::new(possible_values::<E>());
    parser.try_map(|word| E::find(&word).ok_or("no such word"))
}

/// Returns a parser of the words of an enum without help.
pub(crate) fn plain_words<E: WordEnum>() -> impl TypedValueParser<Value = E> {
    let parser = PossibleValuesParser::new(E::WORDS);
    parser.try_map(|word| E::find(&word).ok_or("no such word"))
}
