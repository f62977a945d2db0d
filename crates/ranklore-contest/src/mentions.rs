//! Searches longer texts for names in any case, Unicode form or escape.
//!
//! The search does not know the names: it offers every run of words to the caller, who compares
//! hashes. [`SearchedName`] is the form in which names and runs of words are compared.

use std::collections::BTreeSet;
use std::ops::Range;

use quick_xml::escape::resolve_html5_entity;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The fewest letters and digits of a name that is searched for in longer texts: shorter ones look
/// like ordinary words. In a script without spaces one character less is enough.
const MIN_NAME_CHARS: usize = 3;

/// The first word of placeholders for forgotten persons.
const PLACEHOLDER_WORD: &str = "forgotten";

/// The size of a chunk in bytes: texts are searched in chunks to bound memory.
const CHUNK_BYTES: usize = 1 << 20;

/// The longest escape within an escape of one character, in bytes.
const MAX_ESCAPE_BYTES: usize = 64;

/// The overlap of chunks in bytes: the longest name in its longest escape fits in.
const OVERLAP_BYTES: usize = 16 << 10;

/// A name in the form in which longer texts are searched for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedName {
    /// The words in lower case, decomposed. Words of a name with spaces are separated by one space;
    /// other names keep their separators.
    pub key: String,
    /// The number of words.
    pub words: usize,
}

impl SearchedName {
    /// Returns the form of a name, or `None` for a number or a name too short to be distinct.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        let words = Words::parse(name);
        let all = 0..words.ranges.len();
        if all.is_empty() || words.has_placeholder {
            return None;
        }
        let spaced = name.trim().contains(char::is_whitespace);
        let folded = if spaced {
            &words.spaced
        } else {
            &words.verbatim
        };
        let key = folded.slice(&all);
        let characters = name.chars().filter(|c| c.is_alphanumeric()).count();
        let unspaced = key.chars().any(is_written_without_spaces);
        let shortest = MIN_NAME_CHARS - usize::from(unspaced);
        let searched = characters >= shortest && key.chars().any(char::is_alphabetic);
        searched.then(|| Self {
            key: key.to_owned(),
            words: all.len(),
        })
    }
}

/// Returns a name in lower case, decomposed, with single spaces, so that spellings of one name
/// compare equal.
#[must_use]
pub fn fold_name(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for word in name.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        fold_into(&mut folded, word);
    }
    folded
}

/// Returns true if `is_name` accepts a run of words of the text. `lengths` are the word counts to
/// try.
pub fn mentions_name(
    text: &str,
    lengths: &BTreeSet<usize>,
    is_name: &dyn Fn(&str) -> bool,
) -> bool {
    overlapping_chunks(text).any(|piece| {
        let words = Words::parse(piece);
        (0..words.ranges.len()).any(|first| {
            lengths.iter().any(|length| {
                let run = first..first + length;
                run.end <= words.ranges.len() && words.keys(&run).into_iter().any(is_name)
            })
        })
    })
}

/// Replaces the names in a text. `blank` is called for every run of words, the longest first, with
/// its key and its original spelling. Returns `None` if the text has no name.
pub fn replace_names(
    text: &str,
    lengths: &BTreeSet<usize>,
    blank: &dyn Fn(&str, &str) -> Option<String>,
) -> Option<String> {
    let words = Words::parse(text);
    let mut replaced = String::new();
    let mut first = 0;
    let mut copied = 0;
    while first < words.ranges.len() {
        // The longest first: a shorter name may be a part of it.
        let longest = lengths.iter().rev().find_map(|length| {
            let run = first..first + length;
            if run.end > words.ranges.len() {
                return None;
            }
            let range = words.ranges[first].start..words.ranges[run.end - 1].end;
            let mut keys = words.keys(&run).into_iter();
            let placeholder = keys.find_map(|key| blank(key, &text[range.clone()]))?;
            Some((run.end, range, placeholder))
        });
        match longest {
            Some((next, range, placeholder)) => {
                replaced.push_str(&text[copied..range.start]);
                replaced.push_str(&placeholder);
                copied = range.end;
                first = next;
            }
            None => first += 1,
        }
    }
    (copied > 0).then(|| replaced + &text[copied..])
}

/// Splits a text into overlapping chunks at character boundaries.
fn overlapping_chunks(text: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(0_usize);
    std::iter::from_fn(move || {
        let start = next?;
        let end = text.ceil_char_boundary(start.saturating_add(CHUNK_BYTES));
        next = (end < text.len()).then_some(end);
        Some(&text[start..text.ceil_char_boundary(end.saturating_add(OVERLAP_BYTES))])
    })
}

/// The case-folded words of a text.
#[derive(Default)]
struct Words {
    /// The byte range of each word in the text.
    ranges: Vec<Range<usize>>,
    /// The words with their original separators.
    verbatim: FoldedWords,
    /// The words with one space in place of space-like separators.
    spaced: FoldedWords,
    /// True if the text has placeholders, which do not count as words.
    has_placeholder: bool,
}

/// Case-folded words in one buffer.
#[derive(Default)]
struct FoldedWords {
    text: String,
    ranges: Vec<Range<usize>>,
}

impl Words {
    fn parse(text: &str) -> Self {
        let mut words = Self::default();
        let mut word = String::new();
        let mut gap = String::new();
        // The range of the word being read, and true if further letters may extend it.
        let mut current: Option<(Range<usize>, bool)> = None;
        let mut at = 0;
        while at < text.len() {
            if current.is_none()
                && let Some(length) = placeholder_length(&text[at..])
            {
                words.has_placeholder = true;
                gap.push(char::REPLACEMENT_CHARACTER);
                at += length;
                continue;
            }
            // Fast path: almost all characters are ASCII letters and digits.
            let rest = text.as_bytes()[at..].iter();
            let letters = rest.take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let (c, length) = match letters {
                0 => decode_char(&text[at..]),
                _ => ('a', letters),
            };
            let range = at..at + length;
            at = range.end;
            if is_ignored(c) {
                continue;
            }
            let is_word = is_written_without_spaces(c);
            let is_letter = is_combining_mark(c) || c.is_alphanumeric();
            if let Some((range, _)) = current.take_if(|(_, is_extensible)| {
                !is_letter || !is_combining_mark(c) && (is_word || !*is_extensible)
            }) {
                words.push(range, &word, &mut gap);
                word.clear();
            }
            if !is_letter {
                if !(c.is_whitespace() || c == '\u{200b}') {
                    gap.push(c);
                } else if !gap.ends_with(' ') {
                    gap.push(' ');
                }
                continue;
            }
            match letters {
                0 => word.push(c),
                _ => word.push_str(&text[range.clone()]),
            }
            match &mut current {
                Some((current, _)) => current.end = range.end,
                None => current = Some((range, !is_word)),
            }
        }
        if let Some((range, _)) = current {
            words.push(range, &word, &mut gap);
        }
        words
    }

    fn push(&mut self, range: Range<usize>, word: &str, gap: &mut String) {
        self.ranges.push(range);
        self.verbatim.push(gap, word);
        let spaced = !gap.is_empty() && gap.chars().all(is_space_like);
        self.spaced.push(if spaced { " " } else { gap }, word);
        gap.clear();
    }

    /// Returns the distinct forms of a run of words.
    fn keys(&self, run: &Range<usize>) -> impl IntoIterator<Item = &str> {
        let verbatim = self.verbatim.slice(run);
        let spaced = self.spaced.slice(run);
        std::iter::once(verbatim).chain((spaced != verbatim).then_some(spaced))
    }
}

impl FoldedWords {
    fn push(&mut self, gap: &str, word: &str) {
        self.text.push_str(gap);
        let start = self.text.len();
        fold_into(&mut self.text, word);
        self.ranges.push(start..self.text.len());
    }

    fn slice(&self, run: &Range<usize>) -> &str {
        &self.text[self.ranges[run.start].start..self.ranges[run.end - 1].end]
    }
}

fn fold_into(folded: &mut String, word: &str) {
    if word.is_ascii() {
        folded.extend(word.chars().map(|c| c.to_ascii_lowercase()));
        return;
    }
    // Upper case first: it maps "ß" to "ss" and both lower-case sigmas to one.
    let upper = word.nfkd().flat_map(char::to_uppercase);
    let lower: String = upper.flat_map(char::to_lowercase).collect();
    folded.extend(lower.nfkd());
}

/// True for characters that replace a space in file names and URLs.
const fn is_space_like(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '_' | '-' | '.' | '+')
}

/// Returns the length of the placeholder at the start of a text, also in the form used in file
/// names: `forgotten-1`, `Forgotten_1-5ae2c4`.
fn placeholder_length(text: &str) -> Option<usize> {
    let word = text.get(..PLACEHOLDER_WORD.len())?;
    if !word.eq_ignore_ascii_case(PLACEHOLDER_WORD) {
        return None;
    }
    let part = |from: usize, is_part: fn(&u8) -> bool| {
        let (separator, rest) = text.as_bytes().get(from..)?.split_first()?;
        let length = rest.iter().take_while(|byte| is_part(byte)).count();
        matches!(separator, b'-' | b'_' | b' ').then_some(length)
    };
    let number = part(word.len(), u8::is_ascii_digit).filter(|digits| *digits > 0)?;
    let end = word.len() + 1 + number;
    match part(end, u8::is_ascii_hexdigit) {
        Some(6) => Some(end + 7),
        _ => Some(end),
    }
}

/// True for soft hyphens, joiners and byte order marks: they do not separate words.
const fn is_ignored(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200c}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// True for letters of scripts without spaces between words: Thai to Myanmar, Khmer, kana, Han.
/// Each such letter counts as a word.
const fn is_written_without_spaces(c: char) -> bool {
    matches!(
        c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
            | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3ffff}'
    )
}

/// Returns the first character of a non-empty text and its length in bytes, resolving URL
/// (`%C3%A9`), JSON (`\u00e9`) and HTML (`&eacute;`) escapes.
fn decode_char(text: &str) -> (char, usize) {
    let (decoded, length) = unescape_char(text);
    // An escaped character may begin another escape: JSON within JSON, HTML within JSON.
    if length > 1 && matches!(decoded, '\\' | '&') {
        let rest = &text[length..];
        let rest = &rest[..rest.floor_char_boundary(MAX_ESCAPE_BYTES)];
        let inner = [decoded.encode_utf8(&mut [0; 4]), rest].concat();
        let (inner_decoded, inner_length) = decode_char(&inner);
        if inner_length > 1 {
            return (inner_decoded, length + inner_length - 1);
        }
    }
    (decoded, length)
}

fn unescape_char(text: &str) -> (char, usize) {
    let first = text.chars().next().unwrap_or_default();
    let decoded = match first {
        '%' => decode_percent_escape(text.as_bytes()),
        '\\' => decode_backslash_escape(text.as_bytes()),
        '&' => decode_html_entity(text),
        // CSV doubles quotes within a cell.
        '"' => text.starts_with("\"\"").then_some(('"', 2)),
        '\u{2018}' | '\u{2019}' | '\u{2bc}' | '`' => Some(('\'', first.len_utf8())),
        _ => None,
    };
    decoded.unwrap_or((first, first.len_utf8()))
}

fn decode_percent_escape(text: &[u8]) -> Option<(char, usize)> {
    let mut bytes = [0; 4];
    let mut at = 0;
    for index in 0..bytes.len() {
        if text.get(at) != Some(&b'%') {
            return None;
        }
        at += 1;
        // The percent sign itself may be escaped, once for each encoding of the URL.
        while let Some([b'2', b'5', digits @ ..]) = text.get(at..at + 4)
            && parse_hex(digits).is_some()
        {
            at += 2;
        }
        bytes[index] = (parse_hex(text.get(at..at + 2)?)? & 0xff) as u8;
        at += 2;
        if let Ok(decoded) = std::str::from_utf8(&bytes[..=index]) {
            return Some((decoded.chars().next()?, at));
        }
    }
    None
}

fn decode_backslash_escape(text: &[u8]) -> Option<(char, usize)> {
    let unit = |at: usize| match text.get(at..at + 6)? {
        [b'\\', b'u' | b'U', digits @ ..] => parse_hex(digits),
        _ => None,
    };
    match *text.get(1)? {
        b'n' | b'r' | b't' | b'b' | b'f' => Some((' ', 2)),
        b'x' => Some((char::from_u32(parse_hex(text.get(2..4)?)?)?, 4)),
        b'u' if text.get(2) == Some(&b'{') => {
            let digits = text[3..].iter().take(6).take_while(|byte| byte.is_ascii_hexdigit());
            let end = 3 + digits.count();
            let closed = text.get(end) == Some(&b'}');
            Some((char::from_u32(parse_hex(&text[3..end])?)?, end + 1)).filter(|_| closed)
        }
        escaped @ (b'"' | b'\'' | b'/' | b'\\') => Some((char::from(escaped), 2)),
        b'u' | b'U' => {
            let first = unit(0)?;
            if let Some(c) = char::from_u32(first) {
                return Some((c, 6));
            }
            let decoded = unit(6).and_then(|second| {
                let pair = [first as u16, second as u16];
                char::decode_utf16(pair).next()?.ok()
            });
            // Half of a pair separates words.
            Some(decoded.map_or((char::REPLACEMENT_CHARACTER, 6), |c| (c, 12)))
        }
        _ => None,
    }
}

/// Decodes an HTML character reference. The semicolon may be missing, as in browsers; then the
/// longest known name counts.
fn decode_html_entity(text: &str) -> Option<(char, usize)> {
    /// The longest HTML entity name has 31 letters.
    const MAX_ENTITY_BYTES: usize = 33;
    let rest = text.as_bytes()[1..].iter();
    let length = rest
        .take(MAX_ENTITY_BYTES)
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#')
        .count();
    let is_closed = text.as_bytes().get(length + 1) == Some(&b';');
    let shortest = if is_closed { length } else { 2 };
    (shortest..=length).rev().find_map(|length| {
        let name = &text[1..=length];
        let decoded = match name.strip_prefix('#') {
            None => resolve_html5_entity(name)?.chars().next()?,
            Some(number) => {
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(digits) => parse_hex(digits.as_bytes())?,
                    None => number.parse().ok()?,
                };
                char::from_u32(code)?
            }
        };
        Some((decoded, 1 + length + usize::from(is_closed)))
    })
}

fn parse_hex(digits: &[u8]) -> Option<u32> {
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replace(name: &str, text: &str) -> Option<String> {
        let searched = SearchedName::new(name).unwrap();
        let lengths = BTreeSet::from([searched.words]);
        let blank = |key: &str, _: &str| (key == searched.key).then(|| "X".to_owned());
        let replaced = replace_names(text, &lengths, &blank);
        let mentioned = mentions_name(text, &lengths, &|key| key == searched.key);
        assert_eq!(mentioned, replaced.is_some(), "{text}");
        replaced
    }

    #[test]
    fn names_are_found_in_every_spelling() {
        for text in [
            "Zoë Bell",
            "ZOË BELL",
            "Zoe\u{308} Bell",
            "zoë  bell",
            "Zoë\tBell",
            "Zo\\u00eb Bell",
            "Zo\\u00EB\\u0020Bell",
            "Zo&euml; Bell",
            "Zo&#235;&nbsp;Bell",
            "Zo&#xEB; Bell",
            "Zo%C3%AB%20Bell",
            "Zo%c3%ab+Bell",
            "Zoë_Bell",
            "zoë-bell",
            "Ｚｏë Ｂell",
            "Zo\u{ad}ë Bell",
            "Zoë\u{200b}Bell",
            "Zo\\\\u00eb Bell",
            "Zo\\u{eb}\\bBell",
            "Zo\\xeb Bell",
            "Zo&amp;euml; Bell",
            "Zo&euml&#32Bell",
            "Zo%25C3%25AB%2520Bell",
        ] {
            assert_eq!(replace("Zoë Bell", text).as_deref(), Some("X"), "{text}");
            let within = format!("protest by {text}'s father, upheld");
            let left = "protest by X's father, upheld";
            assert_eq!(replace("Zoë Bell", &within).as_deref(), Some(left));
        }
        for quoted in [
            "Sean \"Red\" O'Lee",
            "Sean \\\"Red\\\" O\u{2019}Lee",
            "sean \"\"red\"\" O&#39;Lee",
        ] {
            assert_eq!(replace("Sean \"Red\" O'Lee", quoted).as_deref(), Some("X"), "{quoted}");
        }
        assert_eq!(replace("Zoë Bell", "Zo&euml&nbspBell").unwrap(), "X");
        let emoji = "\\ud83c\\udfb2 dice_9";
        assert_eq!(replace("dice_9", emoji).unwrap(), "\\ud83c\\udfb2 X");
        let half = "\\ud83cZo\\u00eb Bell\\ud83d";
        assert_eq!(replace("Zoë Bell", half).unwrap(), "\\ud83cX\\ud83d");
    }

    #[test]
    fn other_words_do_not_match() {
        for text in [
            "Zoë Bellow",
            "Zoë, Bell",
            "Zoë (Bell)",
            "Zoë",
            "Bell Zoë",
            "",
        ] {
            assert_eq!(replace("Zoë Bell", text), None, "{text}");
        }
        for text in ["ada-bell", "ada.bell", "ada bell", "adabell"] {
            assert_eq!(replace("ada_bell", text), None, "{text}");
        }
        assert_eq!(replace("Mary-Ann O'Lee", "mary_ann_o'lee.csv").unwrap(), "X.csv");
    }

    #[test]
    fn placeholders_do_not_match() {
        for text in [
            "forgotten-1",
            "Forgotten_12 cup",
            "forgotten-1-5ae2c4.csv",
            "x forgotten 3",
        ] {
            assert_eq!(replace("forgotten", text), None, "{text}");
            assert_eq!(SearchedName::new(text), None, "{text}");
        }
        assert_eq!(replace("forgotten", "forgotten cup").unwrap(), "X cup");
        let twice = replace("forgotten", "forgotten-1 is forgotten").unwrap();
        assert_eq!(twice, "forgotten-1 is X");
    }

    #[test]
    fn scripts_without_spaces_are_searched_by_character() {
        assert_eq!(replace("李娜", "由李娜提出").unwrap(), "由X提出");
        assert_eq!(replace("李娜", "李安娜"), None);
    }

    #[test]
    fn short_and_numeric_names_are_unsearchable() {
        for name in ["", "a", "7", "40000011", "!!", "Al", "x1", "2024-05"] {
            assert_eq!(SearchedName::new(name), None, "{name}");
        }
        for name in ["Ada", "x1yz", "李娜", "ab9c"] {
            assert!(SearchedName::new(name).is_some(), "{name}");
        }
    }

    #[test]
    fn name_across_chunk_boundary_is_found() {
        let name = SearchedName::new("Zoë Bell").unwrap();
        let lengths = BTreeSet::from([name.words]);
        for shift in [0, 3, 9] {
            let text = format!(
                "{}Zoë Bell{}",
                "é ".repeat(CHUNK_BYTES / 3).split_at(3 * shift).1,
                " x".repeat(CHUNK_BYTES)
            );
            assert!(mentions_name(&text, &lengths, &|key| key == name.key), "{shift}");
        }
    }

    #[test]
    fn broken_escapes_are_text() {
        for text in [
            "%",
            "%C3",
            "%C3%zz",
            "\\",
            "\\u12",
            "\\ud83c\\u0041",
            "&",
            "&;",
            "&#;",
            "&#x110000;",
            "&nosuch;",
        ] {
            assert_eq!(replace("Zoë Bell", text), None);
            let text = format!("{text} Zoë Bell");
            assert!(replace("Zoë Bell", &text).is_some(), "{text}");
        }
    }

    #[test]
    fn folding_ignores_case_and_spacing() {
        for (one, other) in [
            ("STRASSE", "straße"),
            ("Ada  Bell ", "ada bell"),
            ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
        ] {
            assert_eq!(fold_name(one), fold_name(other));
        }
        assert_ne!(fold_name("ada_bell"), fold_name("ada-bell"));
    }
}
