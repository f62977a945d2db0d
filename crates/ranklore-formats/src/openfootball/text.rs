//! Matches in football.txt, the text of openfootball.
//!
//! A title (`= Harbour League 2021/22`) is followed by rounds (`▪ Matchday 1`), days
//! (`Sat Aug 14 2021`, `[Fri Aug/11]`) and matches (`Gulls  2-1 (1-0)  Ropewalk`,
//! `Gulls v Ropewalk  2-1`). Goals in brackets and lines such as `Referee: …` are not read.
//! Source: <https://github.com/openfootball/spec>.

use std::borrow::Cow;

use jiff::civil::Date;
use ranklore_contest::{Quoted, shorten};
use ranklore_grid::{FileReadError, Location, ReadLimits, decode_text};
use serde::de::IgnoredAny;

use super::lines::{DayText, MatchLine, check_doubts, parse_match, skip_time, split_day};
use super::results::parse_goals;
use super::{Match, PlayedMatch, TeamName, add_contests, note_unplayed};
use crate::layouts::long::file_stem;
use crate::reading::Candidates;

/// The marks of rounds.
const ROUND_MARKS: [char; 6] = ['▪', '»', '▸', '•', '■', '►'];

/// The first words of rounds that have no mark.
const ROUND_WORDS: [&str; 12] = [
    "matchday",
    "round",
    "group",
    "quarter-finals",
    "quarterfinals",
    "semi-finals",
    "semifinals",
    "final",
    "third",
    "third-place",
    "playoffs",
    "play-offs",
];

/// True if a text begins with a title, and has a day and a match.
pub(crate) fn is_football_text(beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning);
    let mut lines = text.lines().filter(|line| !strip_comment(line).trim().is_empty());
    let is_match = |line: &str| matches!(parse_match(strip_comment(line)), Ok(Some(_)));
    let is_day = |line: &str| split_day(strip_comment(line)).is_some();
    lines.next().is_some_and(|line| line.trim_start().starts_with("= "))
        && text.lines().any(is_day)
        && text.lines().any(is_match)
}

/// Reads the matches of a text. Those without a score are left out and counted.
///
/// # Errors
/// [`FileReadError`] for the first line that is neither a match nor understood: it could be a day or a
/// round of the matches below it.
pub(crate) fn read(
    bytes: &[u8],
    file_name: &str,
    limits: ReadLimits,
) -> Result<Candidates, FileReadError> {
    let (text, note) = decode_text(bytes.into())?;
    let mut reader = TextReader::default();
    for (number, line) in (1..).zip(text.lines()) {
        let read = reader.read_line(strip_comment(line), number);
        read.map_err(|reason| FileReadError::new(Location::Line(number), reason))?;
        if reader.played.len() > limits.results / 2 {
            let limit = limits.results / 2;
            let reason = format!("the document has more than {limit} matches; split it");
            return Err(FileReadError::whole_document(reason));
        }
    }
    let mut candidates = Candidates::default();
    candidates.warnings.extend(note);
    reader.refused.into_iter().for_each(|refusal| candidates.refuse(None, refusal));
    note_unplayed(&mut candidates, reader.unplayed);
    let event = reader.title.unwrap_or_else(|| file_stem(file_name).to_owned());
    add_contests(&mut candidates, reader.played, &event);
    Ok(candidates)
}

/// Returns a line without the comment at its end.
fn strip_comment(line: &str) -> &str {
    let comment = line
        .match_indices('#')
        .find(|(at, _)| line[..*at].is_empty() || line[..*at].ends_with(char::is_whitespace));
    comment.map_or(line, |(at, _)| &line[..at])
}

/// The most days from a day back to the one above it: rounds are not always in order.
const MAX_DAYS_BACK: i32 = 180;

/// Reads the lines of a text one by one.
#[derive(Default)]
struct TextReader {
    title: Option<String>,
    /// The years of the season, or that of the last day and the next one.
    years: Option<(i16, i16)>,
    round: Option<String>,
    date: Option<Date>,
    /// The day above, also of another round.
    latest_day: Option<Date>,
    /// True if matches have groups or grounds.
    is_tournament: bool,
    skipped: Option<SkippedLines>,
    played: Vec<PlayedMatch<'static>>,
    unplayed: usize,
    /// Matches that cannot be read.
    refused: Vec<(Location, String)>,
}

/// Lines that are not read until their end.
enum SkippedLines {
    /// Goals, until the brackets are closed.
    Goals { open_brackets: usize },
    /// A line such as `Referee: …` with those that continue it, further right or behind a comma.
    Property { indent: usize, has_more: bool },
}

impl TextReader {
    fn read_line(&mut self, line: &str, number: u64) -> Result<(), String> {
        let text = line.trim();
        if self.skip_line(line) || text.is_empty() {
            return Ok(());
        }
        if let Some(title) = text.strip_prefix('=') {
            self.read_title(title.trim_matches(['=', ' ']));
            return Ok(());
        }
        if let Some(round) = parse_round(text) {
            self.read_round(round);
            return Ok(());
        }
        if let Some((day, rest)) = split_day(text) {
            let rest = skip_time(rest).trim();
            if rest.is_empty() || rest.starts_with('@') {
                self.is_tournament |= rest.starts_with('@');
                return self.read_day(day);
            }
        }
        if begins_goals(text) {
            check_doubts(text)?;
            self.skipped = Some(SkippedLines::Goals { open_brackets: 0 });
            self.skip_line(line);
            return Ok(());
        }
        if is_property(text) {
            check_doubts(text)?;
            self.skipped = Some(SkippedLines::Property {
                indent: line.len() - line.trim_start().len(),
                has_more: text.ends_with([',', ';', '-']),
            });
            return Ok(());
        }
        match parse_match(text) {
            Ok(Some(game)) => self.read_match(&game, number),
            Err(reason) => {
                // The line has a score or a sign between teams: it is no day of other matches.
                self.refused.push((Location::Line(number), reason));
                Ok(())
            }
            Ok(None) => Err(format!(
                "{} is no round, day or match of football.txt: put # before it if it is a comment",
                Quoted(&shorten(text))
            )),
        }
    }

    /// Returns true for a line that belongs to goals or a property above.
    fn skip_line(&mut self, line: &str) -> bool {
        let text = line.trim();
        match &mut self.skipped {
            Some(SkippedLines::Goals { open_brackets }) => {
                let opened = text.matches(['(', '[']).count();
                let closed = text.matches([')', ']']).count();
                *open_brackets = (*open_brackets + opened).saturating_sub(closed);
                if *open_brackets == 0 {
                    self.skipped = None;
                }
                true
            }
            Some(SkippedLines::Property { indent, has_more }) => {
                let is_further = line.len() - line.trim_start().len() > *indent;
                if text.is_empty() || !(is_further || *has_more) {
                    self.skipped = None;
                    return false;
                }
                *has_more = text.ends_with([',', ';', '-']);
                true
            }
            None => false,
        }
    }

    fn read_title(&mut self, title: &str) {
        if self.title.is_none() {
            self.years = find_years(title);
            self.title = Some(title.to_owned());
        } else {
            self.read_round(title);
        }
    }

    fn read_round(&mut self, round: &str) {
        let is_group = round.to_lowercase().starts_with("group");
        self.is_tournament |= is_group;
        self.date = None;
        self.round = Some(round.to_owned()).filter(|_| !is_group);
    }

    fn read_day(&mut self, day: DayText) -> Result<(), String> {
        let date = day.resolve(self.years)?;
        if let Some(before) = self.latest_day.replace(date)
            && !day.has_year()
            && before.since(date).is_ok_and(|span| span.get_days() > MAX_DAYS_BACK)
        {
            return Err(
                "the day is months before the one above: write the year behind it".to_owned()
            );
        }
        if self.years.is_none() {
            self.years = Some((date.year(), date.year() + 1));
        }
        self.date = Some(date);
        Ok(())
    }

    fn read_match(&mut self, game: &MatchLine<'_>, number: u64) -> Result<(), String> {
        if let Some(day) = game.day {
            self.read_day(day)?;
        }
        self.is_tournament |= game.has_ground;
        let Some(score) = game.score else {
            self.unplayed += 1;
            return Ok(());
        };
        let date = self.date.ok_or("the day is missing: write it above the match")?;
        let [first, second] = game.teams.map(|team| TeamName::Name(team.to_owned()));
        self.played.push(PlayedMatch {
            at: Location::Line(number),
            round: self.round.clone().map(Cow::Owned),
            game: Match {
                num: game.number,
                date: Some(date.to_string()),
                team1: first,
                team2: second,
                score: Some(score),
                group: self.is_tournament.then_some(IgnoredAny),
                ..Match::default()
            },
        });
        Ok(())
    }
}

/// Returns the name of a round. The days behind `|` and the teams of a group are not read.
fn parse_round(text: &str) -> Option<&str> {
    let name = text.split('|').next().unwrap_or_default();
    let marked = name.strip_prefix(ROUND_MARKS).map(str::trim);
    let name = name.trim().trim_end_matches(':');
    let first_word = name.split([' ', ',']).next().unwrap_or_default().to_lowercase();
    let is_round = ROUND_WORDS.contains(&&*first_word)
        && !name.contains("  ")
        && name.split_whitespace().all(|word| parse_goals(word).is_none() && word != "v");
    marked.or_else(|| is_round.then_some(name))
}

/// True for goals with their minutes, such as `(Lark 12, 40; Roe 7)` or `[Lark 12']`, but not for the
/// number of a match: `(12)`.
fn begins_goals(text: &str) -> bool {
    let end = text.find([')', ']']).unwrap_or(text.len());
    let goals = text[..end].trim_start_matches(['(', '[']);
    let has_minutes = goals.contains(|c: char| c.is_ascii_digit())
        && goals.split_whitespace().all(|word| parse_goals(word).is_none())
        && !goals.bytes().all(|byte| byte.is_ascii_digit());
    has_minutes && (text.starts_with('(') || text.starts_with('[') && goals.contains('\''))
}

/// True for a line such as `Referee: …`, or that of a team with its players.
fn is_property(text: &str) -> bool {
    text.split_once(':').is_some_and(|(name, value)| {
        let has_score = name.split_whitespace().any(|word| parse_goals(word).is_some());
        !has_score
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && !name.contains("  ")
            && (value.is_empty() || value.starts_with(char::is_whitespace))
    })
}

/// Returns the year in a title, or both of a season: `2021/22`, `2021-22`.
fn find_years(title: &str) -> Option<(i16, i16)> {
    title.split_whitespace().rev().find_map(|word| {
        let (first, second) = word.split_once(['/', '-']).unwrap_or((word, ""));
        let year: i16 = Some(first).filter(|first| first.len() == 4)?.parse().ok()?;
        if second.is_empty() {
            return Some((year, year));
        }
        let next = year.checked_add(1)?;
        let is_next = second.len() >= 2 && next.to_string().ends_with(second);
        is_next.then_some((year, next))
    })
}
