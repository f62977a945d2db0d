//! Name search without regard to case and accents, by parts of names, and with typos.

use std::cmp::Reverse;
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

/// The number of similar names that are ranked by the prominence of their items. Of more, only the
/// most similar and shortest are: it bounds memory and time if everything is similar.
const MAX_RANKED: usize = 1_000;

/// The result of a search. Numbers are indices in the list of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameMatch {
    /// A single name is identical.
    Exact(usize),
    /// A single name differs only in case, accents or white space.
    Folded(usize),
    /// A single name is clearly nearest.
    Near(usize),
    /// Several names match: the best, at most [`MAX_CANDIDATES`], and the number of others.
    Candidates(Vec<usize>, usize),
    /// No name matches: those that differ in a number, nearest first, at most [`MAX_CANDIDATES`].
    Nearest(Vec<usize>),
}

/// The similarity of a name to the query, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Similarity {
    /// The name has the words of the query, and differs only in punctuation.
    SameWords,
    /// The name begins with the query.
    Prefix,
    /// The words of the query, with a number, follow one another in the name.
    Phrase,
    /// Every word of the query begins a word of the name, in any order.
    WordPrefixes,
    /// The name equals the query with this number of typos.
    Typos(usize),
    /// The name contains the query within a word.
    Substring,
    /// Every word of the query is a word of the name, with this number of typos in total.
    WordTypos(usize),
    /// The words are similar, but a number differs by this much, which is seldom a typo: another
    /// round, another year.
    OtherNumber(u64),
}

/// Finds the name that the user means.
///
/// The first of these rules that finds a name decides:
///
/// 1. The name equals the query.
/// 2. The name equals the query after folding: lower case, compatible characters made equal (NFKD),
///    without accents, white space as single spaces.
/// 3. The folded name has the same several words as the query, with other punctuation; else it
///    begins with the query; else it contains the words of the query in sequence, one of them a
///    number; else each word of the query begins a word of the name; else it equals the query with
///    typos, fewest first; else it contains the query. Among equals the shorter name comes first,
///    then the earlier.
/// 4. Each word of the query is a word of the name, with typos, fewest first.
///
/// A typo is a letter too many, too few or wrong, or two swapped neighbours. Names of up to 2
/// letters may have none, up to 4 one, up to 8 two, up to 64 three, and longer names none. A number
/// matches only as a whole: "Round 1" and "Round 12" are no typos or parts of "Round 13".
///
/// If rule 3 or 4 finds a single name, the result is [`Near`](NameMatch::Near); also if the first is
/// the only one with the words of the query in sequence, or if one name has fewer typos than all
/// others and no name contains the query. Several names are
/// [`Candidates`](NameMatch::Candidates). If no name matches, names that differ in a number are
/// [`Nearest`](NameMatch::Nearest).
#[must_use]
pub fn find_name<'a>(query: &str, names: impl Iterator<Item = &'a str> + Clone) -> NameMatch {
    find_by_names(query, names.enumerate())
}

/// Finds a name like [`find_name`] where items have several names: each name comes with the index
/// of its item, and no item is found twice.
#[must_use]
#[expect(
    clippy::needless_pass_by_value,
    reason = "callers have an iterator, not a place for it"
)]
pub fn find_by_names<'a>(
    query: &str,
    names: impl Iterator<Item = (usize, &'a str)> + Clone,
) -> NameMatch {
    let Ok(name_match) = search_names(
        query,
        |each| {
            names.clone().for_each(|(index, name)| each(index, name));
            Ok::<_, Infallible>(())
        },
        |_| Ok(()),
    );
    name_match
}

/// Finds a name like [`find_by_names`] among names that are not in memory: `for_each_name` calls
/// its argument with each index and name, and is called up to twice. Among equally similar names
/// those of the items with the largest `prominence` come first.
pub(crate) fn search_names<E, P: Ord>(
    query: &str,
    mut for_each_name: impl FnMut(&mut dyn FnMut(usize, &str)) -> Result<(), E>,
    prominence: impl FnMut(usize) -> Result<P, E>,
) -> Result<NameMatch, E> {
    let text = FoldedText::fold(query);
    let folded_query = FoldedQuery::new(&text);
    let mut exact_matches = Vec::new();
    let mut folded_matches = Vec::new();
    let mut similar_names = SimilarNames::default();
    // One buffer for all names: there may be hundreds of thousands.
    let mut folded = String::new();
    for_each_name(&mut |index, name| {
        if name == query {
            exact_matches.push(index);
        }
        if !exact_matches.is_empty() || text.is_empty() {
            return;
        }
        fold(name, &mut folded);
        if folded == text {
            folded_matches.push(index);
        } else if let Some(similarity) = folded_query.similarity(&folded) {
            similar_names.add(similarity, folded.len(), index);
        }
    })?;
    if !exact_matches.is_empty() {
        return single_or_candidates(exact_matches, NameMatch::Exact, prominence);
    }
    if text.is_empty() {
        return Ok(NameMatch::Nearest(Vec::new()));
    }
    if !folded_matches.is_empty() {
        return single_or_candidates(folded_matches, NameMatch::Folded, prominence);
    }
    if !similar_names.has_match {
        // This is seldom needed, and slower than the other rules.
        for_each_name(&mut |index, name| {
            fold(name, &mut folded);
            let similarity = match folded_query.count_typos_by_word(&folded) {
                Some(typos) => Some(Similarity::WordTypos(typos)),
                None => folded_query.other_number(&folded),
            };
            if let Some(similarity) = similarity {
                similar_names.add(similarity, folded.len(), index);
            }
        })?;
    }
    similar_names.nearest(prominence)
}

/// The names that are similar to a query, in bounded memory.
#[derive(Default)]
struct SimilarNames {
    /// Similarity, folded length and index.
    names: Vec<(Similarity, usize, usize)>,
    /// The number of names left out, none of them better than those kept.
    left_out: usize,
    /// True if a name matches, and does not only differ in a number. Those that do are dropped.
    has_match: bool,
    /// True if the query is in the middle of a word of a name.
    has_substring: bool,
}

impl SimilarNames {
    fn add(&mut self, similarity: Similarity, length: usize, index: usize) {
        let is_match = !matches!(similarity, Similarity::OtherNumber(_));
        if is_match && !self.has_match {
            *self = Self::default();
            self.has_match = true;
        } else if self.has_match && !is_match {
            return;
        }
        self.has_substring |= similarity == Similarity::Substring;
        self.names.push((similarity, length, index));
        if self.names.len() >= 4 * MAX_RANKED {
            self.keep_best();
        }
    }

    /// Sorts the names, keeps the best of each item, and of these the best.
    fn keep_best(&mut self) {
        self.names.sort_unstable();
        let mut items = HashSet::new();
        self.names.retain(|&(.., index)| items.insert(index));
        self.left_out += self.names.len().saturating_sub(MAX_RANKED);
        self.names.truncate(MAX_RANKED);
    }

    /// Returns the match among the names.
    fn nearest<E, P: Ord>(
        mut self,
        mut prominence: impl FnMut(usize) -> Result<P, E>,
    ) -> Result<NameMatch, E> {
        self.keep_best();
        match self.names[..] {
            [(.., index)] if self.has_match => return Ok(NameMatch::Near(index)),
            [
                (first @ (Similarity::SameWords | Similarity::Phrase), _, index),
                (second, ..),
                ..,
            ] if first < second => return Ok(NameMatch::Near(index)),
            [
                (first @ (Similarity::Typos(_) | Similarity::WordTypos(_)), _, index),
                (second, ..),
                ..,
            ] if first < second && !self.has_substring => return Ok(NameMatch::Near(index)),
            _ => {}
        }
        let mut ranked = Vec::with_capacity(self.names.len());
        for (similarity, length, index) in self.names {
            let key = (similarity, Reverse(prominence(index)?), length, index);
            ranked.push(key);
        }
        ranked.sort_unstable();
        let more = ranked.len().saturating_sub(MAX_CANDIDATES) + self.left_out;
        ranked.truncate(MAX_CANDIDATES);
        let indices = ranked.into_iter().map(|(.., index)| index).collect();
        Ok(if self.has_match {
            NameMatch::Candidates(indices, more)
        } else {
            NameMatch::Nearest(indices)
        })
    }
}

/// Returns the match if it is a single item, else all as candidates.
fn single_or_candidates<E, P: Ord>(
    mut indices: Vec<usize>,
    single: impl Fn(usize) -> NameMatch,
    mut prominence: impl FnMut(usize) -> Result<P, E>,
) -> Result<NameMatch, E> {
    let mut items = HashSet::new();
    indices.retain(|&index| items.insert(index));
    if let [index] = indices[..] {
        return Ok(single(index));
    }
    let more = indices.len().saturating_sub(MAX_CANDIDATES);
    indices.truncate(MAX_RANKED);
    let mut ranked = Vec::with_capacity(indices.len());
    for index in indices {
        ranked.push((Reverse(prominence(index)?), index));
    }
    ranked.sort_unstable();
    ranked.truncate(MAX_CANDIDATES);
    let indices = ranked.into_iter().map(|(_, index)| index).collect();
    Ok(NameMatch::Candidates(indices, more))
}

/// The length of a name up to which its words are compared one by one, in bytes.
const MAX_BYTES_BY_WORD: usize = 256;

/// A folded text that was typed, with values computed once for all names.
struct Typed<'a> {
    text: &'a str,
    chars: usize,
    letters: u64,
}

impl<'a> Typed<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            chars: text.chars().count(),
            letters: letter_mask(text),
        }
    }

    fn count_typos(&self, name: &str, name_letters: u64) -> Option<usize> {
        // One typo adds at most one letter and takes away at most one.
        let missing = (self.letters & !name_letters).count_ones();
        let added = (name_letters & !self.letters).count_ones();
        let chars = name.chars().count();
        let forgiven = max_typos(chars.min(self.chars));
        let possible = chars.abs_diff(self.chars) <= forgiven
            && missing.max(added) as usize <= forgiven
            && forgiven > 0;
        possible
            .then(|| osa_distance(self.text, name))
            .filter(|typos| *typos <= forgiven)
    }
}

/// The folded query and its words.
struct FoldedQuery<'a> {
    text: Typed<'a>,
    words: Vec<Typed<'a>>,
    /// The words without punctuation.
    phrase: Vec<&'a str>,
    phrase_letters: u64,
}

impl<'a> FoldedQuery<'a> {
    fn new(text: &'a str) -> Self {
        let typed = Typed::new(text);
        let phrase: Vec<&str> = split_words(text).collect();
        Self {
            phrase_letters: phrase.iter().fold(0, |letters, word| letters | letter_mask(word)),
            phrase,
            // Searching hundreds of words would be slow.
            words: if typed.chars <= MAX_TYPED_CHARS {
                text.split(' ').map(Typed::new).collect()
            } else {
                vec![Typed::new(text)]
            },
            text: typed,
        }
    }

    fn similarity(&self, name: &str) -> Option<Similarity> {
        let name_letters = letter_mask(name);
        // Almost all names are rejected here, before slower comparisons.
        let text = self.text.text;
        let phrase = self.find_phrase(name, name_letters);
        if phrase == Some(Similarity::SameWords) {
            return phrase;
        }
        let holds_letters = self.text.letters & !name_letters == 0;
        if holds_letters && name.starts_with(text) && !cuts_number(name, 0, text.len()) {
            return Some(Similarity::Prefix);
        }
        if phrase.is_some() {
            return phrase;
        }
        if holds_letters && self.words.iter().all(|word| starts_a_word(word.text, name)) {
            return Some(Similarity::WordPrefixes);
        }
        if let Some(typos) = self.text.count_typos(name, name_letters) {
            return Some(if numbers(text).eq(numbers(name)) {
                Similarity::Typos(typos)
            } else {
                Similarity::OtherNumber(self.number_distance(name))
            });
        }
        let is_part = holds_letters && find_uncut(text, name, |_| true);
        is_part.then_some(Similarity::Substring)
    }

    /// Returns the similarity of a name that has the words of the query in sequence. Punctuation
    /// around a single word means something: "C++".
    fn find_phrase(&self, name: &str, name_letters: u64) -> Option<Similarity> {
        let words = &self.phrase[..];
        if words.len() < 2 || self.phrase_letters & !name_letters != 0 {
            return None;
        }
        let name_words: Vec<&str> = split_words(name).collect();
        if name_words == words {
            return Some(Similarity::SameWords);
        }
        let has_number = words.iter().any(|word| numbers(word).next().is_some());
        (has_number && name_words.windows(words.len()).any(|part| part == words))
            .then_some(Similarity::Phrase)
    }

    /// Returns [`Similarity::OtherNumber`] if each word of the query, without its numbers, begins a
    /// word of the name.
    fn other_number(&self, name: &str) -> Option<Similarity> {
        let text = self.text.text;
        if self.text.chars > MAX_TYPED_CHARS || numbers(text).next().is_none() {
            return None;
        }
        let is_letter = |c: char| c.is_alphanumeric() && !c.is_numeric();
        let mut words = text.split(|c| !is_letter(c)).filter(|word| !word.is_empty());
        let begins_words = words.all(|word| {
            find_uncut(word, name, |at| !name[..at].chars().next_back().is_some_and(is_letter))
        });
        (text.contains(is_letter) && begins_words && numbers(name).next().is_some())
            .then(|| Similarity::OtherNumber(self.number_distance(name)))
    }

    /// Returns the sum of the differences between the numbers of the query and those of the name.
    fn number_distance(&self, name: &str) -> u64 {
        // Numbers too large to parse are the largest.
        let value = |number: &str| number.parse().unwrap_or(u64::MAX);
        let mut name_numbers = numbers(name).map(value);
        let distances = numbers(self.text.text).map(value).map(|number: u64| {
            let name_number = name_numbers.next();
            name_number.map_or(u64::MAX, |name_number| number.abs_diff(name_number))
        });
        distances.fold(0, u64::saturating_add)
    }

    /// Returns the total number of typos with which each word of the query is a word of the name:
    /// finds a mistyped part of a name.
    fn count_typos_by_word(&self, name: &str) -> Option<usize> {
        if self.text.chars > MAX_TYPED_CHARS || name.len() > MAX_BYTES_BY_WORD {
            return None;
        }
        let typos = self.words.iter().map(|word| {
            let typos = split_words(name).filter_map(|name_word| {
                if name_word == word.text {
                    return Some(0);
                }
                let typos = word.count_typos(name_word, letter_mask(name_word))?;
                numbers(word.text).eq(numbers(name_word)).then_some(typos)
            });
            typos.min()
        });
        typos.sum()
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
    text.chars().fold(0, |letters, c| letters | 1 << (u32::from(c) % 64))
}

/// True if a word of the name begins with this word.
fn starts_a_word(word: &str, name: &str) -> bool {
    find_uncut(word, name, |at| {
        let before = name[..at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric())
    })
}

/// True if the name contains the part, without cutting a number, at a place that fits.
fn find_uncut(part: &str, name: &str, fits: impl Fn(usize) -> bool) -> bool {
    name.match_indices(part)
        .any(|(at, _)| fits(at) && !cuts_number(name, at, at + part.len()))
}

/// True if a part of the name begins or ends within a number.
fn cuts_number(name: &str, begin: usize, end: usize) -> bool {
    let is_within_number = |at: usize| {
        let (before, after) = name.split_at(at);
        let is_number = |c: Option<char>| c.is_some_and(char::is_numeric);
        is_number(before.chars().next_back()) && is_number(after.chars().next())
    };
    is_within_number(begin) || is_within_number(end)
}

/// Returns the numbers in a text.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_numeric()).filter(|digits| !digits.is_empty())
}

/// A text to find in names without regard to case and accents.
pub(crate) struct FoldedText {
    text: String,
    /// A buffer for all names.
    name: String,
}

impl FoldedText {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            text: Self::fold(text),
            name: String::new(),
        }
    }

    /// True if a name contains the text.
    pub(crate) fn is_in(&mut self, name: &str) -> bool {
        fold(name, &mut self.name);
        self.name.contains(&self.text)
    }

    /// Returns a name in the form in which names are compared.
    pub(crate) fn fold(name: &str) -> String {
        let mut folded = String::new();
        fold(name, &mut folded);
        folded
    }
}

/// A part of names to find without regard to case, accents and the punctuation between words, with
/// whole numbers.
pub(crate) struct PartOfName {
    text: String,
    /// The words, if there are several.
    words: Option<String>,
    /// Buffers for all names.
    name: String,
    name_words: String,
}

impl PartOfName {
    pub(crate) fn new(text: &str) -> Self {
        let text = FoldedText::fold(text);
        let mut words = String::new();
        join_words(&text, &mut words);
        Self {
            text,
            // Punctuation around a single word means something: "C++".
            words: Some(words).filter(|words| words.contains(' ')),
            name: String::new(),
            name_words: String::new(),
        }
    }

    /// True if a name contains the text: "round 100" is in "Round #100 (Div. 2)", "round 10" is not.
    pub(crate) fn is_in(&mut self, name: &str) -> bool {
        fold(name, &mut self.name);
        find_uncut(&self.text, &self.name, |_| true)
            || self.words.as_ref().is_some_and(|words| {
                join_words(&self.name, &mut self.name_words);
                find_uncut(words, &self.name_words, |_| true)
            })
    }

    /// True if an id equals the text, or begins with it.
    pub(crate) fn begins(&mut self, id: &str) -> bool {
        fold(id, &mut self.name);
        find_uncut(&self.text, &self.name, |at| at == 0)
    }

    /// True if an id equals the text.
    pub(crate) fn is(&mut self, id: &str) -> bool {
        fold(id, &mut self.name);
        self.name == self.text
    }
}

/// Returns the words of a text, which are letters and digits.
fn split_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Joins the words of a text with single spaces.
fn join_words(text: &str, words: &mut String) {
    words.clear();
    for word in split_words(text) {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_names_ignore_punctuation_and_have_whole_numbers() {
        let name = "Codeforces Round #100 (Div. 2)";
        for text in [
            "round 100",
            "ROUND #100",
            "round 100 div 2",
            "orces ro",
            "100",
            "#100",
        ] {
            assert!(PartOfName::new(text).is_in(name), "{text}");
        }
        for text in ["round 10", "round 1001", "00", "100 2", "div 100", "r100"] {
            assert!(!PartOfName::new(text).is_in(name), "{text}");
        }
        // Punctuation of a single word is searched.
        assert!(PartOfName::new("c++").is_in("C++ Cup"));
        assert!(!PartOfName::new("c++").is_in("C Cup"));
    }

    #[test]
    fn ids_begin_with_parts_with_whole_numbers() {
        assert!(PartOfName::new("17").begins("17-final"));
        assert!(!PartOfName::new("17").begins("1749"));
        assert!(!PartOfName::new("17").begins("final-17"));
        assert!(PartOfName::new("24@1749427200").is("24@1749427200"));
        assert!(!PartOfName::new("24").is("24@1749427200"));
    }
}
