//! Names as people type them: found in any case, without accents, and with a typo.

use std::collections::HashSet;

use strsim::osa_distance;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// As many names are offered when none is surely the one.
pub const MAX_CANDIDATES: usize = 8;

/// Longer names are pasted rather than typed. Typos are forgiven up to here, which bounds what a
/// comparison costs.
const MAX_TYPED_CHARS: usize = 64;

/// How a name was found. Numbers are places in the list of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameMatch {
    /// One name is the same, letter by letter.
    Exact(usize),
    /// One name is the same but for case, accents and white space.
    Folded(usize),
    /// One name is clearly nearest.
    Near(usize),
    /// None is surely the one: those that might be, best first, at most [`MAX_CANDIDATES`], and
    /// how many more there are.
    Candidates(Vec<usize>, usize),
}

/// How a name that is not the same resembles what is wanted, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Similarity {
    /// It begins with it.
    Prefix,
    /// Every word of it begins a word, in any order.
    WordPrefixes,
    /// It is the same with so many typos.
    Typos(usize),
    /// Likewise, but a number in it differs, which is seldom a typo: another round, another year.
    OtherNumber(usize),
    /// It holds it within a word.
    Substring,
    /// Every word of it is one of its words, with so many typos in all.
    WordTypos(usize),
}

/// Finds a name among others.
///
/// The first of these rules that finds a name decides:
///
/// 1. The same, letter by letter.
/// 2. The same after folding: lower case, compatible characters made equal (NFKD), without
///    accents and with white space made single spaces.
/// 3. The names that are like it, all folded: those that begin with it, then those in which each
///    of its words begins a word, then those that are it with typos, fewest first, then those
///    that hold it anywhere. The shorter goes first among equals, then the earlier.
/// 4. The names among whose words each of its words is, with typos, fewest first.
///
/// A typo is a letter too many, too few or wrong, or two neighbours swapped. Names of up to two
/// letters forgive none, of up to four one, of up to eight two, longer ones three, and those
/// beyond what anybody types none again.
///
/// The only name that rule 3 or 4 finds is [`Near`](Match::Near), and so is one with fewer typos
/// than all others where none holds what is wanted; but never one whose numbers differ, since
/// "Round 12" is no typo of "Round 13". Where a rule finds several names, they are candidates.
#[must_use]
pub fn find_name<'a>(wanted: &str, names: impl Iterator<Item = &'a str> + Clone) -> NameMatch {
    find_by_names(wanted, names.enumerate())
}

/// As [`find_name`], where one can have several names: each comes with the number of whom it is
/// of, and nobody is found twice.
#[must_use]
pub fn find_by_names<'a>(
    wanted: &str,
    names: impl Iterator<Item = (usize, &'a str)> + Clone,
) -> NameMatch {
    let exact: Vec<usize> = (names.clone())
        .filter_map(|(index, name)| (name == wanted).then_some(index))
        .collect();
    if !exact.is_empty() {
        return single_or_candidates(exact, NameMatch::Exact);
    }
    let mut folded_wanted = String::new();
    fold(wanted, &mut folded_wanted);
    let wanted = FoldedQuery::new(&folded_wanted);
    if wanted.text.is_empty() {
        return NameMatch::Candidates(Vec::new(), 0);
    }
    let mut same = Vec::new();
    let mut alike = Vec::new();
    // One buffer for all: there may be hundreds of thousands.
    let mut folded = String::new();
    for (index, name) in names.clone() {
        fold(name, &mut folded);
        if folded == wanted.text {
            same.push(index);
        } else if let Some(likeness) = wanted.similarity(&folded) {
            alike.push((likeness, folded.len(), index));
        }
    }
    if !same.is_empty() {
        return single_or_candidates(same, NameMatch::Folded);
    }
    if alike.is_empty() {
        // Seldom needed, and slower than all the rest.
        for (index, name) in names {
            fold(name, &mut folded);
            if let Some(typos) = wanted.count_typos_by_word(&folded) {
                alike.push((Similarity::WordTypos(typos), folded.len(), index));
            }
        }
    }
    alike.sort_unstable();
    // Of several names of one the best decides.
    let mut found = HashSet::new();
    alike.retain(|&(.., index)| found.insert(index));
    let held_by_some = matches!(alike.last(), Some((Similarity::Substring, ..)));
    match alike[..] {
        [(likeness, _, index)] if !matches!(likeness, Similarity::OtherNumber(_)) => {
            NameMatch::Near(index)
        }
        // Sorted: if the first does not hold it, only the last ones can.
        [
            (first @ (Similarity::Typos(_) | Similarity::WordTypos(_)), _, index),
            (second, ..),
            ..,
        ] if first < second && !held_by_some => NameMatch::Near(index),
        _ => single_or_candidates(alike.into_iter().map(|(.., index)| index).collect(), |of| {
            NameMatch::Candidates(vec![of], 0)
        }),
    }
}

/// The match if one name was found, else all of them as candidates.
fn single_or_candidates(mut found: Vec<usize>, one: impl Fn(usize) -> NameMatch) -> NameMatch {
    let mut once = HashSet::new();
    found.retain(|&index| once.insert(index));
    if let [index] = found[..] {
        one(index)
    } else {
        let more = found.len().saturating_sub(MAX_CANDIDATES);
        found.truncate(MAX_CANDIDATES);
        NameMatch::Candidates(found, more)
    }
}

/// Longer names, which nobody is called, are not taken apart.
const MAX_BYTES_BY_WORD: usize = 256;

/// What is wanted, folded, with all that need not be found out anew for each name.
struct FoldedQuery<'a> {
    text: &'a str,
    words: Vec<&'a str>,
    chars: usize,
    letters: u64,
}

impl<'a> FoldedQuery<'a> {
    fn new(text: &'a str) -> Self {
        let chars = text.chars().count();
        Self {
            text,
            // Looking for hundreds of words would take its time.
            words: if chars <= MAX_TYPED_CHARS {
                text.split(' ').collect()
            } else {
                vec![text]
            },
            chars,
            letters: letter_mask(text),
        }
    }

    fn similarity(&self, name: &str) -> Option<Similarity> {
        let theirs = letter_mask(name);
        // Almost all names end here, before anything that takes time.
        let holds_letters = self.letters & !theirs == 0;
        if holds_letters && name.starts_with(self.text) {
            return Some(Similarity::Prefix);
        }
        if holds_letters && self.words.iter().all(|word| starts_a_word(word, name)) {
            return Some(Similarity::WordPrefixes);
        }
        if let Some(typos) = self.count_typos(name, theirs) {
            return Some(if digits(self.text).eq(digits(name)) {
                Similarity::Typos(typos)
            } else {
                Similarity::OtherNumber(typos)
            });
        }
        (holds_letters && name.contains(self.text)).then_some(Similarity::Substring)
    }

    fn count_typos(&self, name: &str, theirs: u64) -> Option<usize> {
        // One typo adds at most one letter and takes away at most one.
        let missing = (self.letters & !theirs).count_ones();
        let added = (theirs & !self.letters).count_ones();
        let chars = name.chars().count();
        let forgiven = max_typos(chars.min(self.chars));
        let possible = chars.abs_diff(self.chars) <= forgiven
            && missing.max(added) as usize <= forgiven
            && forgiven > 0;
        possible
            .then(|| osa_distance(self.text, name))
            .filter(|typos| *typos <= forgiven)
    }

    /// The typos with which each word is one of the name's: for a part of a name, mistyped.
    fn count_typos_by_word(&self, name: &str) -> Option<usize> {
        let lengthy = self.chars > MAX_TYPED_CHARS || name.len() > MAX_BYTES_BY_WORD;
        if lengthy {
            return None;
        }
        let typos_of = |word: &&str| {
            let wanted = FoldedQuery::new(word);
            name.split(|c: char| !c.is_alphanumeric())
                .filter(|theirs| digits(word).eq(digits(theirs)))
                .filter_map(|theirs| {
                    if theirs == *word {
                        Some(0)
                    } else {
                        wanted.count_typos(theirs, letter_mask(theirs))
                    }
                })
                .min()
        };
        self.words.iter().map(typos_of).sum()
    }
}

/// How many typos a name of so many letters may have.
const fn max_typos(chars: usize) -> usize {
    match chars {
        0..=2 => 0,
        3..=4 => 1,
        5..=8 => 2,
        9..=MAX_TYPED_CHARS => 3,
        _ => 0,
    }
}

/// The set of letters of a text, hashed to 64.
fn letter_mask(text: &str) -> u64 {
    text.chars()
        .fold(0, |letters, c| letters | 1 << (u32::from(c) % 64))
}

fn starts_a_word(word: &str, name: &str) -> bool {
    name.match_indices(word).any(|(at, _)| {
        let before = name[..at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric())
    })
}

fn digits(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_numeric())
}

/// Writes the name as it is compared: in lower case, without accents, with single spaces.
fn fold(name: &str, folded: &mut String) {
    folded.clear();
    if name.is_ascii() {
        // Most names are, and need no tables.
        for c in name.chars() {
            push_folded(folded, c.to_ascii_lowercase());
        }
    } else {
        for c in name.nfkd().flat_map(char::to_lowercase) {
            push_folded(folded, c);
        }
    }
    if folded.ends_with(' ') {
        folded.pop();
    }
}

fn push_folded(folded: &mut String, c: char) {
    match c {
        _ if c.is_whitespace() => {
            if !folded.is_empty() && !folded.ends_with(' ') {
                folded.push(' ');
            }
        }
        _ if c.is_ascii() => folded.push(c),
        // Letters that do not decompose but are often typed as others.
        'ß' => folded.push_str("ss"),
        'æ' => folded.push_str("ae"),
        'œ' => folded.push_str("oe"),
        'ø' => folded.push('o'),
        'ł' => folded.push('l'),
        'đ' | 'ð' => folded.push('d'),
        'ħ' => folded.push('h'),
        'ı' => folded.push('i'),
        'ς' => folded.push('σ'),
        _ if is_accent(c) => {}
        _ => folded.push(c),
    }
}

/// Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic. Marks of other classes are
/// letters to their readers, as the vowels of Hindi and Thai are, and what makes か into が.
fn is_accent(c: char) -> bool {
    matches!(canonical_combining_class(c), 10..=36 | 200..=240)
}
