//! Name search without regard to case and accents, by parts of names, and with typos.

use std::collections::HashSet;
use std::convert::Infallible;

use strsim::osa_distance;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// The number of candidates returned at most.
pub const MAX_CANDIDATES: usize = 8;

/// The length of a name up to which typos are tolerated. Longer names are pasted, not typed; the
/// limit bounds the cost of a comparison.
const MAX_TYPED_CHARS: usize = 64;

/// The result of a search. Numbers are indices in the list of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameMatch {
    /// One name is identical.
    Exact(usize),
    /// One name differs only in case, accents or white space.
    Folded(usize),
    /// One name is clearly nearest.
    Near(usize),
    /// No name is certain: the candidates, best first, at most [`MAX_CANDIDATES`], and the number
    /// of others.
    Candidates(Vec<usize>, usize),
}

/// The similarity of a name to the query, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Similarity {
    /// The name begins with the query.
    Prefix,
    /// Every word of the query begins a word of the name, in any order.
    WordPrefixes,
    /// The name equals the query with this number of typos.
    Typos(usize),
    /// The same, but a number differs, which is seldom a typo: another round, another year.
    OtherNumber(usize),
    /// The name contains the query within a word.
    Substring,
    /// Every word of the query is a word of the name, with this number of typos in total.
    WordTypos(usize),
}

/// Finds the name that the user means.
///
/// The first of these rules that finds a name decides:
///
/// 1. The name equals the query.
/// 2. The name equals the query after folding: lower case, compatible characters made equal (NFKD),
///    without accents, white space as single spaces.
/// 3. The folded name begins with the query; else each word of the query begins a word of the name;
///    else it equals the query with typos, fewest first; else it contains the query. Among equals
///    the shorter name comes first, then the earlier.
/// 4. Each word of the query is a word of the name, with typos, fewest first.
///
/// A typo is a letter too many, too few or wrong, or two swapped neighbours. Names of up to 2
/// letters may have none, up to 4 one, up to 8 two, up to 64 three, and longer names none.
///
/// If rule 3 or 4 finds a single name, the result is [`Near`](NameMatch::Near); also if one name
/// has fewer typos than all others and no name contains the query. A name whose numbers differ is
/// never near, since "Round 12" is no typo of "Round 13". Several names are candidates.
#[must_use]
pub fn find_name<'a>(wanted: &str, names: impl Iterator<Item = &'a str> + Clone) -> NameMatch {
    find_by_names(wanted, names.enumerate())
}

/// Finds a name like [`find_name`] where items have several names: each name comes with the index
/// of its item, and no item is found twice.
#[must_use]
#[expect(
    clippy::needless_pass_by_value,
    reason = "callers have an iterator, not a place for it"
)]
pub fn find_by_names<'a>(
    wanted: &str,
    names: impl Iterator<Item = (usize, &'a str)> + Clone,
) -> NameMatch {
    let found = search_names(wanted, |each| -> Result<(), Infallible> {
        names.clone().for_each(|(index, name)| each(index, name));
        Ok(())
    });
    match found {
        Ok(found) => found,
        Err(never) => match never {},
    }
}

/// Finds a name like [`find_by_names`] among names that are not in memory: `for_each_name` calls
/// its argument with each index and name, and is called up to twice.
pub(crate) fn search_names<E>(
    wanted: &str,
    mut for_each_name: impl FnMut(&mut dyn FnMut(usize, &str)) -> Result<(), E>,
) -> Result<NameMatch, E> {
    let mut folded_wanted = String::new();
    fold(wanted, &mut folded_wanted);
    let query = FoldedQuery::new(&folded_wanted);
    let mut exact = Vec::new();
    let mut same = Vec::new();
    let mut alike = Vec::new();
    // One buffer for all names: there may be hundreds of thousands.
    let mut folded = String::new();
    for_each_name(&mut |index, name| {
        if name == wanted {
            exact.push(index);
        }
        if !exact.is_empty() || query.text.is_empty() {
            return;
        }
        fold(name, &mut folded);
        if folded == query.text {
            same.push(index);
        } else if let Some(likeness) = query.similarity(&folded) {
            alike.push((likeness, folded.len(), index));
        }
    })?;
    if !exact.is_empty() {
        return Ok(single_or_candidates(exact, NameMatch::Exact));
    }
    if query.text.is_empty() {
        return Ok(NameMatch::Candidates(Vec::new(), 0));
    }
    if !same.is_empty() {
        return Ok(single_or_candidates(same, NameMatch::Folded));
    }
    if alike.is_empty() {
        // This is seldom needed, and slower than the other rules.
        for_each_name(&mut |index, name| {
            fold(name, &mut folded);
            if let Some(typos) = query.count_typos_by_word(&folded) {
                alike.push((Similarity::WordTypos(typos), folded.len(), index));
            }
        })?;
    }
    Ok(nearest(alike))
}

/// Returns the match among similar names: their similarity, folded length and index.
fn nearest(mut alike: Vec<(Similarity, usize, usize)>) -> NameMatch {
    alike.sort_unstable();
    // Of several names of an item the best decides.
    let mut found = HashSet::new();
    alike.retain(|&(.., index)| found.insert(index));
    let held_by_some = matches!(alike.last(), Some((Similarity::Substring, ..)));
    match alike[..] {
        [(likeness, _, index)] if !matches!(likeness, Similarity::OtherNumber(_)) => {
            NameMatch::Near(index)
        }
        // Sorted: if the first name does not contain the query, only the last ones can.
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

/// Returns the match if one item was found, else all as candidates.
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

/// The length of a name up to which its words are compared one by one, in bytes.
const MAX_BYTES_BY_WORD: usize = 256;

/// The folded query, with values computed once for all names.
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
            // Searching hundreds of words would be slow.
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
        // Almost all names are rejected here, before slower comparisons.
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

    /// Returns the total number of typos with which each word of the query is a word of the name:
    /// finds a mistyped part of a name.
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

/// Returns the number of typos that a name of this length may have.
const fn max_typos(chars: usize) -> usize {
    match chars {
        0..=2 => 0,
        3..=4 => 1,
        5..=8 => 2,
        9..=MAX_TYPED_CHARS => 3,
        _ => 0,
    }
}

/// Returns the letters of a text as a set of 64 hash bits.
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

/// Folds a name for comparison: lower case, without accents, with single spaces.
fn fold(name: &str, folded: &mut String) {
    folded.clear();
    if name.is_ascii() {
        // Most names are ASCII and need no tables.
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
        // Letters that have no decomposition but are often typed as others.
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

/// True for accents of Latin, Greek and Cyrillic and points of Hebrew and Arabic. Marks of other
/// classes are letters, such as the vowels of Hindi and Thai and the voicing mark of が.
fn is_accent(c: char) -> bool {
    matches!(canonical_combining_class(c), 10..=36 | 200..=240)
}
