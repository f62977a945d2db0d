//! Splits a PGN text into games and their tags, and skips the moves.

use std::borrow::Cow;
use std::ops::Range;

use ranklore_contest::word_enum;

use crate::vocabulary::nobody::is_nobody;

word_enum! {
    /// A tag that is read. Others are skipped.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Tag {
        Event = "Event",
        Site = "Site",
        Date = "Date",
        Round = "Round",
        White = "White",
        Black = "Black",
        Result = "Result",
        UtcDate = "UTCDate",
        UtcTime = "UTCTime",
        Time = "Time",
        WhiteFideId = "WhiteFideId",
        BlackFideId = "BlackFideId",
        Link = "Link",
        GameUrl = "GameURL",
        GameId = "GameId",
        Variant = "Variant",
    }
}

impl Tag {
    /// Returns the tag of this name. Some programs write other cases than the specification.
    fn from_name(name: &str) -> Option<Self> {
        Self::from_word(name).or_else(|| {
            Self::VARIANTS.into_iter().find(|tag| tag.as_str().eq_ignore_ascii_case(name))
        })
    }
}

/// A text with games, of at most 4 GiB. Its lines end in `\n`.
#[derive(Clone, Copy)]
pub(super) struct GameText<'t>(pub(super) &'t str);

/// Where the tags of a game are in a text.
#[derive(Clone, Copy)]
pub(super) struct GamePosition {
    /// The line of the first tag; the first line is 1.
    pub(super) line: u32,
    start: u32,
    end: u32,
}

/// The tags of a game, as positions in its text.
pub(super) struct Game {
    pub(super) position: GamePosition,
    /// The values without quotes and with escapes, by tag.
    values: [Option<(u32, u32)>; Tag::VARIANTS.len()],
    pub(super) fault: Option<Fault>,
}

/// A part of the text that cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) line: u64,
    pub(super) reason: String,
}

impl Fault {
    fn new(line: u64, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { line, reason }
    }
}

impl<'t> GameText<'t> {
    /// Reads a game again. A document can hold two million games: their positions take 12 bytes
    /// each, and their tags 200.
    pub(super) fn game_at(self, position: GamePosition) -> Game {
        let GamePosition { line, start, end } = position;
        let tags = self.0.get(..end as usize).unwrap_or_default();
        let mut scanner = GameScanner::new(Self(tags));
        scanner.at = start as usize;
        scanner.counted = scanner.at;
        scanner.lines = u64::from(line) - 1;
        Game {
            position,
            ..scanner.read_tags()
        }
    }

    /// Returns the value of a tag without its escapes and the white space around it. `None` if it
    /// is missing or empty, or says that it is unknown.
    pub(super) fn value(self, game: &Game, tag: Tag) -> Option<Cow<'t, str>> {
        let (start, end) = game.values[tag as usize]?;
        let raw = self.0.get(start as usize..end as usize)?.trim();
        if matches!(raw, "" | "?" | "-") {
            None
        } else {
            Some(unescape(raw))
        }
    }

    /// True if a tag says that there is no player, or that the player is not known: `BYE`, `NN`, `?`.
    pub(super) fn names_nobody(self, game: &Game, tag: Tag) -> bool {
        let range = game.values[tag as usize];
        let raw = range.and_then(|(start, end)| self.0.get(start as usize..end as usize));
        raw.map(str::trim)
            .is_some_and(|name| matches!(name, "?" | "-") || is_nobody(name))
    }

    /// Returns the line of a tag, or that of the game without it.
    pub(super) fn line(self, game: &Game, tag: Tag) -> u64 {
        let GamePosition { line, start, .. } = game.position;
        let at = game.values[tag as usize].map_or(start, |(start, _)| start);
        u64::from(line) + count_lines(self.0, start as usize..at as usize)
    }
}

/// Replaces `\"` by a quote and `\\` by a backslash.
fn unescape(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return raw.into();
    }
    let mut plain = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        if let Some(escaped @ ('"' | '\\')) = after.chars().next() {
            plain.push(escaped);
            rest = &after[1..];
        } else {
            plain.push('\\');
            rest = after;
        }
    }
    plain.push_str(rest);
    plain.into()
}

fn count_lines(text: &str, range: Range<usize>) -> u64 {
    let text = text.get(range).unwrap_or_default();
    text.matches('\n').count() as u64
}

/// Finds the games of a text, one after the other.
pub(super) struct GameScanner<'t> {
    bytes: &'t [u8],
    text: &'t str,
    at: usize,
    /// The lines before `counted`.
    lines: u64,
    counted: usize,
    /// Faults outside of games, in the order of the text.
    pub(super) faults: Vec<Fault>,
    /// True if there was a game.
    has_game: bool,
    /// False once a comment was found that is not closed: neither are those after it.
    comments_end: bool,
}

/// A tag, with the positions of its value; or a line that should be one.
enum TagLine {
    Pair(Option<Tag>, Range<usize>),
    /// The end of the line. `None`: not the name of a tag that is skipped.
    Malformed(Option<()>, usize),
}

/// The number of faults outside of games that are kept.
const MAX_FAULTS: usize = 1_000;

impl<'t> GameScanner<'t> {
    pub(super) fn new(text: GameText<'t>) -> Self {
        let GameText(text) = text;
        Self {
            bytes: text.as_bytes(),
            text,
            at: 0,
            lines: 0,
            counted: 0,
            faults: Vec::new(),
            has_game: false,
            comments_end: true,
        }
    }

    /// Returns the line of a position; positions must not decrease.
    fn line_of(&mut self, at: usize) -> u64 {
        self.lines += count_lines(self.text, self.counted..at);
        self.counted = at.max(self.counted);
        1 + self.lines
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Returns the position behind the end of the line.
    fn next_line(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        rest.find('\n').map_or(self.bytes.len(), |end| at + end + 1)
    }

    fn skip_blanks(&self, mut at: usize) -> usize {
        while let Some(b' ' | b'\t' | b'\r') = self.byte(at) {
            at += 1;
        }
        at
    }

    /// True if a tag can begin at this bracket.
    fn is_tag(&self, at: usize) -> bool {
        self.byte(at) == Some(b'[')
            && self
                .byte(self.skip_blanks(at + 1))
                .is_some_and(|byte| byte.is_ascii_alphabetic())
    }

    fn report(&mut self, at: usize, reason: &str) {
        let line = self.line_of(at);
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(Fault::new(line, reason));
        }
    }

    /// Returns the position behind the comment that begins with this brace.
    fn skip_comment(&mut self, at: usize) -> usize {
        let inside = at + 1;
        let rest = self.text.get(inside..).unwrap_or_default();
        let Some(end) = self.comments_end.then(|| rest.find('}')).flatten() else {
            self.comments_end = false;
            self.report(at, "the comment that begins here is not closed; write a } at its end");
            return inside;
        };
        let comment = &rest[..end];
        if comment.contains('\n') && comment.contains("\n[Event \"") {
            self.report(
                at,
                "the comment that begins here holds tags of games, which are not imported; \
                 write a } at its end, or remove the lines with [Event …] from it",
            );
        }
        inside + end + 1
    }

    /// Skips moves and comments up to the next tag at the beginning of a line, or the next event
    /// behind moves. Returns false at the end of the text.
    fn skip_moves(&mut self) -> bool {
        if self.is_tag(self.at) {
            // The text begins with it, or the game before has no moves.
            return true;
        }
        let mut first_move = None;
        let mut begins_line = self.at == 0 || self.byte(self.at - 1) == Some(b'\n');
        let has_tag = loop {
            if begins_line {
                if self.byte(self.at) == Some(b'%') {
                    self.at = self.next_line(self.at);
                    continue;
                }
                self.at = self.skip_blanks(self.at);
                if self.is_tag(self.at) {
                    break true;
                }
                begins_line = false;
            }
            let rest = &self.bytes[self.at.min(self.bytes.len())..];
            let stop = rest
                .iter()
                .position(|byte| matches!(byte, b'\n' | b'{' | b';' | b'['))
                .unwrap_or(rest.len());
            if !self.has_game && first_move.is_none() && !rest[..stop].trim_ascii().is_empty() {
                first_move = Some(self.at);
            }
            self.at += stop;
            match self.byte(self.at) {
                None => break false,
                Some(b'{') => self.at = self.skip_comment(self.at),
                // Some programs write no line break between games.
                Some(b'[') if self.bytes[self.at..].starts_with(b"[Event \"") => break true,
                Some(b'[') => self.at += 1,
                Some(b';') => {
                    self.at = self.next_line(self.at);
                    begins_line = true;
                }
                Some(_) => {
                    self.at += 1;
                    begins_line = true;
                }
            }
        };
        if let Some(at) = first_move.filter(|_| has_tag) {
            // Lines before it may have been counted already.
            let line = 1 + count_lines(self.text, 0..at);
            let reason = "the text before the first tag is not read; begin a game with its tags, \
                          such as [White \"Ada Berg\"]";
            self.faults.push(Fault::new(line, reason));
        }
        has_tag
    }

    /// Parses a tag. Quotes within a value may lack their backslash, and the last backslash may
    /// belong to a path and not to the quote.
    fn parse_tag(&self, at: usize) -> TagLine {
        let name = self.skip_blanks(at + 1);
        let rest = &self.bytes[name.min(self.bytes.len())..];
        let name_bytes = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_');
        let name_end = name + name_bytes.count();
        let tag = self.text.get(name..name_end).and_then(Tag::from_name);
        let skipped = (name_end > name && tag.is_none()).then_some(());
        let quote = self.skip_blanks(name_end);
        if self.byte(quote) != Some(b'"') {
            return TagLine::Malformed(skipped, self.next_line(name_end));
        }
        let start = quote + 1;
        let mut end = start;
        while let Some(byte) = self.byte(end).filter(|byte| *byte != b'\n') {
            match byte {
                b'\\' if matches!(self.byte(end + 1), Some(b'"' | b'\\')) => end += 2,
                b'"' if self.byte(self.skip_blanks(end + 1)) == Some(b']') => {
                    return TagLine::Pair(tag, start..end);
                }
                _ => end += 1,
            }
        }
        let line = self.text.get(start..end).unwrap_or_default();
        match line.trim_end().strip_suffix("\"]") {
            Some(value) => TagLine::Pair(tag, start..start + value.len()),
            None => TagLine::Malformed(skipped, self.next_line(end)),
        }
    }

    /// Skips blank lines and comments after a tag. Returns true if a tag follows, and true if there
    /// is a blank line before it.
    fn skip_to_tag(&mut self) -> (bool, bool) {
        let mut ends = 0;
        let mut has_blank_line = false;
        loop {
            self.at = self.skip_blanks(self.at);
            match self.byte(self.at) {
                Some(b'\n') => {
                    ends += 1;
                    has_blank_line |= ends > 1;
                    self.at += 1;
                    if self.byte(self.at) == Some(b'%') {
                        self.at = self.next_line(self.at);
                    }
                }
                Some(b'{') => {
                    self.at = self.skip_comment(self.at);
                    ends = 0;
                }
                Some(b';') => {
                    self.at = self.next_line(self.at);
                    ends = 1;
                }
                _ => return (self.is_tag(self.at), has_blank_line),
            }
        }
    }

    /// Reads the tags of the game that begins here.
    fn read_tags(&mut self) -> Game {
        let mut game = Game {
            position: GamePosition {
                line: self.line_of(self.at) as u32,
                start: self.at as u32,
                end: 0,
            },
            values: [None; Tag::VARIANTS.len()],
            fault: None,
        };
        let mut is_after_blank_line = false;
        loop {
            let at = self.at;
            match self.parse_tag(at) {
                TagLine::Pair(None, value) => self.at = value.end + 1,
                TagLine::Pair(Some(tag), value) => {
                    let earlier = game.values[tag as usize];
                    let range = (value.start as u32, value.end as u32);
                    if earlier.is_some() && (is_after_blank_line || tag == Tag::Event) {
                        // The game before has no moves.
                        return game;
                    }
                    let text = |(start, end)| self.text.get(start as usize..end as usize);
                    if earlier.is_some_and(|earlier| text(earlier) != text(range)) {
                        let reason = format!(
                            "the tag {} has two values; remove one, or write a blank line before \
                             the next game",
                            tag.as_str()
                        );
                        let fault = Fault::new(self.line_of(at), reason);
                        game.fault.get_or_insert(fault);
                    }
                    game.values[tag as usize] = earlier.or(Some(range));
                    self.at = value.end + 1;
                }
                TagLine::Malformed(skipped, end) => {
                    if skipped.is_none() {
                        let reason = "this is not a tag such as [White \"Ada Berg\"]; write its \
                                      value in quotes, and close the bracket";
                        let fault = Fault::new(self.line_of(at), reason);
                        game.fault.get_or_insert(fault);
                    }
                    // The end of the line is still to be counted.
                    self.at = end - usize::from(self.byte(end - 1) == Some(b'\n'));
                }
            }
            self.at = match self.byte(self.skip_blanks(self.at)) {
                Some(b']') => self.skip_blanks(self.at) + 1,
                _ => self.at,
            };
            let (is_tag, has_blank_line) = self.skip_to_tag();
            if !is_tag {
                return game;
            }
            is_after_blank_line = has_blank_line;
        }
    }
}

impl Iterator for GameScanner<'_> {
    type Item = Game;

    fn next(&mut self) -> Option<Game> {
        if !self.skip_moves() {
            return None;
        }
        self.has_game = true;
        let mut game = self.read_tags();
        game.position.end = self.at as u32;
        Some(game)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    #[test]
    fn games_without_moves_are_found() {
        let text = GameText(
            "a club\n\n[White \"Ada\"]\n{ note }\n[Black \"Bea\"] [Black \"Cleo\"]\n\n\
             [White \"Cleo\"]\n[Black Dot]\n[Result \"*\"\n\n1. e4 { [White \"x\"] } *\n\
             % [White \"y\"]\n  [Event \"Open\"][Event \"Blitz\"]\n\n{ note } [Event \"Cup\"]",
        );
        let games: Vec<Game> = GameScanner::new(text).collect();
        let lines = games.iter().map(|game| game.position.line);
        assert_eq!(lines.collect::<Vec<_>>(), [3, 7, 13, 13, 15]);
        let faults = games.iter().map(|game| game.fault.is_some());
        assert_eq!(faults.collect::<Vec<_>>(), [true, true, false, false, false]);
        let event = |game| text.value(game, Tag::Event);
        assert_eq!(event(&games[3]).unwrap(), "Blitz");
        assert_eq!(event(&games[4]).unwrap(), "Cup");
    }

    const FRAGMENTS: [&str; 22] = [
        "[Event \"Open\"]",
        "[White \"Ada\"]",
        "[White \"Bea\"]",
        "[black \"C:\\\"]",
        "[Black \"Dov \\\"Ace\\\"\"]",
        "[Annotator \"Eve\"]",
        "[White ",
        "[Result \"*",
        "[",
        "]",
        "\"",
        "\"]",
        "\\",
        "{",
        "}",
        ";",
        "%",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "1. e4 é",
    ];

    proptest! {
        #[test]
        fn game_is_read_again_alike(fragments in vec(select(&FRAGMENTS[..]), 0..40)) {
            let text = fragments.concat();
            let text = GameText(&text);
            for game in GameScanner::new(text) {
                let again = text.game_at(game.position);
                prop_assert_eq!(again.values, game.values);
                prop_assert_eq!(again.fault, game.fault);
            }
        }
    }

    /// Quadratic time is minutes here.
    #[test]
    fn hostile_lines_take_linear_time() {
        let repeat = 1_000_000;
        for (text, expected) in [
            ("[Event\"\"]".repeat(repeat), repeat),
            ("[A\"\"]".repeat(repeat), 1),
            (format!("[White \"a\"]\n{}", "{".repeat(repeat)), 1),
            ("[White \"a\"]{\n\n".repeat(repeat), repeat),
        ] {
            let text = GameText(&text);
            let games = GameScanner::new(text).map(|game| text.game_at(game.position));
            assert_eq!(games.count(), expected);
        }
    }

    #[test]
    fn escapes_are_removed() {
        for (raw, plain) in [
            ("Ada", "Ada"),
            (r#"Dov \"Ace\""#, "Dov \"Ace\""),
            (r"a\\b", r"a\b"),
            (r"C:\games\", r"C:\games\"),
        ] {
            assert_eq!(unescape(raw), plain, "{raw}");
        }
    }
}
