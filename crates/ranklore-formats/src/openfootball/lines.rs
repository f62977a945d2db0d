//! Lines of football.txt: days and matches.

use jiff::civil::{Date, Weekday};

use ranklore_contest::{Quoted, shorten};

use super::Score;
use super::results::{parse_goals, split_score, split_word};

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

/// Words that say that a score may not count, or that it is not that of a match.
const DOUBTS: [&str; 11] = [
    "agg",
    "aggregate",
    "awd",
    "awarded",
    "abandoned",
    "annulled",
    "cancelled",
    "postponed",
    "void",
    "walkover",
    "w/o",
];

/// A day, which can lack its year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DayText {
    weekday: Option<Weekday>,
    month: i8,
    day: i8,
    year: Option<i16>,
}

impl DayText {
    /// True if the day is written with its year.
    pub(super) const fn has_year(self) -> bool {
        self.year.is_some()
    }

    /// Returns the date in one of these years, which the weekday tells apart, else the half of the
    /// season: from August to May.
    pub(super) fn resolve(self, years: Option<(i16, i16)>) -> Result<Date, String> {
        let (first, second) = match (self.year, years) {
            (Some(year), _) => (year, year),
            (None, Some(years)) => years,
            (None, None) => {
                return Err(
                    "the year is missing: write it behind the date or in the title".to_owned()
                );
            }
        };
        let date = |year| Date::new(year, self.month, self.day).ok();
        let fits = |date: &Date| self.weekday.is_none_or(|weekday| date.weekday() == weekday);
        let first_date = date(first).filter(fits);
        let second_date = date(second).filter(fits).filter(|_| second != first);
        match (first_date, second_date) {
            (Some(date), None) | (None, Some(date)) => Ok(date),
            (Some(first_date), Some(_)) if self.month >= 8 => Ok(first_date),
            (Some(_), Some(second_date)) if self.month <= 5 => Ok(second_date),
            (Some(_), Some(_)) => {
                Err(format!("the day can be in {first} or {second}: write the year behind it"))
            }
            (None, None) if second == first => {
                Err(format!("{first} has no such day with this weekday"))
            }
            (None, None) => {
                Err(format!("neither {first} nor {second} has such a day with this weekday"))
            }
        }
    }
}

/// A match, with its score if it was played.
#[derive(Debug)]
pub(super) struct MatchLine<'l> {
    pub(super) number: Option<i64>,
    pub(super) day: Option<DayText>,
    pub(super) teams: [&'l str; 2],
    pub(super) score: Option<Score>,
    /// True if the line names the ground.
    pub(super) has_ground: bool,
}

/// Splits a day off the beginning of a line: `Sat Jun 26 2021`, `[Fri Aug/11]`, `26 June`.
pub(super) fn split_day(line: &str) -> Option<(DayText, &str)> {
    let line = line.trim_start();
    let (text, behind) = match line.strip_prefix('[') {
        Some(inner) => inner.split_once(']')?,
        None => (line, ""),
    };
    let (first, rest) = split_word(text);
    let weekday = WEEKDAYS
        .iter()
        .find(|(name, _)| is_name(first, name))
        .map(|(_, weekday)| *weekday);
    let (month, rest) = split_word(if weekday.is_some() { rest } else { text });
    let (month, day, rest) = if let Some((month, day)) = month.split_once('/') {
        (month, day, rest)
    } else {
        let (day, rest) = split_word(rest);
        (month, day, rest)
    };
    let (month, day) = if month.starts_with(|c: char| c.is_ascii_digit()) {
        (day, month)
    } else {
        (month, day)
    };
    let month = MONTHS.iter().position(|name| is_name(month, name))?;
    let day: i8 = day
        .trim_end_matches([',', '.'])
        .parse()
        .ok()
        .filter(|day| (1..=31).contains(day))?;
    let (word, behind_year) = split_word(rest);
    let year = Some(word).filter(|word| word.len() == 4).and_then(|word| word.parse().ok());
    let rest = if year.is_some() { behind_year } else { rest };
    if line.starts_with('[') && !rest.trim().is_empty() {
        return None;
    }
    let day = DayText {
        weekday,
        month: month as i8 + 1,
        day,
        year,
    };
    Some((day, if line.starts_with('[') { behind } else { rest }))
}

/// True for the name of a month or weekday, or its first three letters.
fn is_name(word: &str, name: &str) -> bool {
    let word = word.trim_end_matches([',', '.']);
    word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(&name[..3])
}

/// Parses a match. `None` for a line that is none.
///
/// # Errors
/// The reason why a match cannot be read.
pub(super) fn parse_match(line: &str) -> Result<Option<MatchLine<'_>>, String> {
    let (line, ground) = line.split_once('@').map_or((line, None), |(line, g)| (line, Some(g)));
    let (number, line) = split_number(line);
    let (day, line) = split_day(line).map_or((None, line), |(day, rest)| (Some(day), rest));
    let line = skip_time(line);
    let (line, note) = line.split_once('[').map_or((line, None), |(line, note)| (line, Some(note)));
    let separated = find_word(line, |word| matches!(word, "v" | "vs" | "vs."))
        .or_else(|| find_word(line, |word| parse_goals(word).is_some()))
        .or_else(|| find_word(line, |word| word == "-"));
    let Some((first, word, behind)) = separated else {
        return Ok(None);
    };
    let (score, second) = if parse_goals(word).is_some() {
        let from_score = &line[first.len()..];
        let (score, second) = split_score(from_score)
            .ok_or_else(|| format!("the score {} cannot be read", from_score.trim()))?;
        if first.ends_with("  ") && !second.is_empty() && !second.starts_with("  ") {
            return Err("two blanks must stand between the score and the second team".to_owned());
        }
        (Some(score), second)
    } else {
        match find_word(behind, |word| parse_goals(word).is_some()) {
            None => (None, behind),
            Some((second, ..)) => match split_score(&behind[second.len()..]) {
                Some((score, rest)) if rest.trim().is_empty() => (Some(score), second),
                _ => return Err(format!("the score of {} cannot be read", line.trim())),
            },
        }
    };
    let teams = [first.trim(), second.trim()];
    if teams.iter().all(|team| team.is_empty()) || (teams[0].is_empty() && score.is_some()) {
        return Ok(None);
    }
    teams.iter().try_for_each(|team| check_team(team))?;
    if let Some(note) = note {
        check_note(note, score.is_some())?;
    }
    Ok(Some(MatchLine {
        number,
        day,
        teams,
        score,
        has_ground: ground.is_some(),
    }))
}

/// Splits the number of a match off a line: `(12)`.
fn split_number(line: &str) -> (Option<i64>, &str) {
    let inner = line.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
    match inner.and_then(|(number, rest)| Some((number.parse().ok()?, rest))) {
        Some((number, rest)) => (Some(number), rest),
        None => (None, line),
    }
}

/// Returns a line without the time at its beginning: `15:00`, `20.45`, `18:00 UTC+3`.
pub(super) fn skip_time(line: &str) -> &str {
    let is_time = |word: &str| {
        word.split_once([':', '.', 'h']).is_some_and(|(hours, minutes)| {
            let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            (1..=2).contains(&hours.len()) && minutes.len() == 2 && digits(hours) && digits(minutes)
        })
    };
    let (word, rest) = split_word(line);
    if !is_time(word) {
        return line;
    }
    let (zone, behind_zone) = split_word(rest);
    if zone.trim_start_matches('(').starts_with("UTC") {
        behind_zone
    } else {
        rest
    }
}

/// Returns the texts before, within and behind the first word of a kind.
fn find_word(line: &str, is_searched: impl Fn(&str) -> bool) -> Option<(&str, &str, &str)> {
    let mut rest = line;
    loop {
        let (word, behind) = split_word(rest);
        if word.is_empty() {
            return None;
        }
        if is_searched(word.trim_end_matches(',')) {
            let start = line.len() - behind.len() - word.len();
            return Some((&line[..start], word.trim_end_matches(','), behind));
        }
        rest = behind;
    }
}

/// Errors if a text says that a score may not count.
pub(super) fn check_doubts(text: &str) -> Result<(), String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '/');
    match words.map(str::to_lowercase).find(|word| DOUBTS.contains(&&**word)) {
        None => Ok(()),
        Some(word) => Err(format!(
            "{} can mean that a score does not count: remove it, or the match",
            Quoted(&word)
        )),
    }
}

/// Errors if a text is hardly the name of a team.
fn check_team(team: &str) -> Result<(), String> {
    if team.is_empty() {
        return Err("a team is missing".to_owned());
    }
    if team.starts_with('(') || team.contains("  ") || team.contains([';', ':', '|', ',', '\t']) {
        return Err(format!("{} is not the name of a team", Quoted(&shorten(team))));
    }
    check_doubts(team)
}

/// Errors if a note such as `[awarded]` says that the score may not count.
fn check_note(note: &str, has_score: bool) -> Result<(), String> {
    let note = note.trim_end().trim_end_matches(']');
    let is_unplayed = matches!(&*note.to_lowercase(), "postponed" | "cancelled" | "canceled");
    if is_unplayed && !has_score {
        return Ok(());
    }
    Err(format!(
        "the note [{note}] is not known: remove the match, or the note if the score counts"
    ))
}
