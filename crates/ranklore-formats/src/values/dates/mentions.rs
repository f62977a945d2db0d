//! Finds out if a document may say when something was, also in a way in which nothing reads dates.

use super::civil::parse_month_name;
use crate::vocabulary::weekdays::parse_weekday;
use crate::vocabulary::words::has_word;

/// Words of periods whose number can be a year: `Fall 23`, `FY19`, `KW 34`.
const PERIODS: &str = "year yr fy jahr annee ano season saison temporada stagione sezon spring summer autumn \
     fall winter herbst kw term semester quarter";

/// True if a text has anything that can be a date: a number like a year or of five digits and more, a pair of
/// short numbers (`3.4.`, `19/20`), a number before a word (`12 ledna`), a digit or a sign of another script, or
/// a word for a month, a day of the week or a longer period. Many texts without dates have one, too.
#[must_use]
pub fn may_mention_time(text: &str) -> bool {
    text.lines().any(line_may_mention_time)
}

fn line_may_mention_time(line: &str) -> bool {
    let is_foreign = |c: char| !c.is_ascii() && (c.is_numeric() || "年月日월".contains(c));
    let is_period = |word: &str| has_word(PERIODS, &word.to_ascii_lowercase());
    let mut words = line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    line.contains(is_foreign)
        || words.any(|word| {
            is_period(word) || parse_month_name(word).is_some() || parse_weekday(word).is_some()
        })
        || split_numbers(line)
            .any(|(digits, rest)| is_long(digits) || is_part_of_date(digits, rest))
}

/// Returns the numbers of a text, each with what follows it. A sign before two digits belongs to them: `'19`.
fn split_numbers(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(|c: char| c.is_ascii_digit())?;
        let begin = rest[..start]
            .char_indices()
            .next_back()
            .filter(|(_, c)| matches!(c, '\'' | '’'));
        let tail = &rest[start..];
        let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let number = &rest[begin.map_or(start, |(index, _)| index)..start + end];
        rest = &tail[end..];
        Some((number, rest))
    })
}

/// True for a number such as 2019, 231220, 43894 and `'19`.
fn is_long(number: &str) -> bool {
    let is_year = || number.parse().is_ok_and(|year: u16| (1583..=2199).contains(&year));
    number.len() > 4 || number.starts_with(['\'', '’']) || (number.len() == 4 && is_year())
}

/// True for a number of one or two digits that another one follows after a mark, or a word.
fn is_part_of_date(number: &str, rest: &str) -> bool {
    let mut after = rest.chars();
    let mark = after.next().filter(|mark| "./- ".contains(*mark));
    if number.len() > 2 || mark.is_none() {
        return false;
    }
    let next = after.as_str().trim_start_matches(' ');
    let count = |is_kind: fn(char) -> bool| next.find(|c| !is_kind(c)).unwrap_or(next.len());
    let digits = count(|c| c.is_ascii_digit());
    let is_pair = mark != Some(' ') && matches!(digits, 1 | 2);
    // No day and no month is 0, as the score of a loser can be.
    let is_zero = [number, &next[..digits]].iter().any(|part| part.bytes().all(|b| b == b'0'));
    (is_pair && !is_zero) || count(char::is_alphabetic) > 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_any_spelling_are_found() {
        for text in [
            "Round 3, 2019",
            "FY2019_final",
            "2019/20",
            "x,20190304,y",
            "week12_231220",
            "12. Mai",
            "A,samstag,B",
            "1556668800",
            "43894",
            "03.04.",
            "liga_23-24",
            "20.12.23 Leeds",
            "Cup '19",
            "Q2’23",
            "Fall 23",
            "12 ledna",
            "12 апреля",
            "5. мар.",
            "四月十二",
            "Cup ٢٠٢١",
            "season_1899",
        ] {
            assert!(may_mention_time(text), "{text}");
        }
        for text in [
            "",
            "Round 3,Ivy,1234",
            "a 1:23:45 b",
            "3 - 0,1-0,0-1",
            "Mayer 7",
            "R12,12,1",
            "20:13.128",
        ] {
            assert!(!may_mention_time(text), "{text}");
        }
    }
}
