//! Names as people type them: found in any case, without accents, and with a typo.

use std::collections::HashSet;

use strsim::osa_distance;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// As many names are offered when none is surely the one.
pub const MAX_CANDIDATES: usize = 8;

/// Longer names are pasted rather than typed. Typos are forgiven up to here, which bounds what a
/// comparison costs.
const LONGEST_TYPED: usize = 64;

/// How a name was found. Numbers are places in the list of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Match {
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
enum Likeness {
    /// It begins with it.
    Start,
    /// Every word of it begins a word, in any order.
    Words,
    /// It is the same with so many typos.
    Typos(usize),
    /// Likewise, but a number in it differs, which is seldom a typo: another round, another year.
    OtherNumber(usize),
    /// It holds it within a word.
    Within,
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
pub fn find_name<'a>(wanted: &str, names: impl Iterator<Item = &'a str> + Clone) -> Match {
    find_named(wanted, names.enumerate())
}

/// As [`find_name`], where one can have several names: each comes with the number of whom it is
/// of, and nobody is found twice.
#[must_use]
pub fn find_named<'a>(
    wanted: &str,
    names: impl Iterator<Item = (usize, &'a str)> + Clone,
) -> Match {
    let exact: Vec<usize> = (names.clone())
        .filter_map(|(index, name)| (name == wanted).then_some(index))
        .collect();
    if !exact.is_empty() {
        return only(exact, Match::Exact);
    }
    let mut folded_wanted = String::new();
    fold(wanted, &mut folded_wanted);
    let wanted = Wanted::new(&folded_wanted);
    if wanted.text.is_empty() {
        return Match::Candidates(Vec::new(), 0);
    }
    let mut same = Vec::new();
    let mut alike = Vec::new();
    // One buffer for all: there may be hundreds of thousands.
    let mut folded = String::new();
    for (index, name) in names.clone() {
        fold(name, &mut folded);
        if folded == wanted.text {
            same.push(index);
        } else if let Some(likeness) = wanted.likeness(&folded) {
            alike.push((likeness, folded.len(), index));
        }
    }
    if !same.is_empty() {
        return only(same, Match::Folded);
    }
    if alike.is_empty() {
        // Seldom needed, and slower than all the rest.
        for (index, name) in names {
            fold(name, &mut folded);
            if let Some(typos) = wanted.typos_by_word(&folded) {
                alike.push((Likeness::WordTypos(typos), folded.len(), index));
            }
        }
    }
    alike.sort_unstable();
    // Of several names of one the best decides.
    let mut found = HashSet::new();
    alike.retain(|&(.., index)| found.insert(index));
    let held_by_some = matches!(alike.last(), Some((Likeness::Within, ..)));
    match alike[..] {
        [(likeness, _, index)] if !matches!(likeness, Likeness::OtherNumber(_)) => {
            Match::Near(index)
        }
        // Sorted: if the first does not hold it, only the last ones can.
        [
            (first @ (Likeness::Typos(_) | Likeness::WordTypos(_)), _, index),
            (second, ..),
            ..,
        ] if first < second && !held_by_some => Match::Near(index),
        _ => only(alike.into_iter().map(|(.., index)| index).collect(), |of| {
            Match::Candidates(vec![of], 0)
        }),
    }
}

/// The match if one name was found, else all of them as candidates.
fn only(mut found: Vec<usize>, one: impl Fn(usize) -> Match) -> Match {
    let mut once = HashSet::new();
    found.retain(|&index| once.insert(index));
    if let [index] = found[..] {
        one(index)
    } else {
        let more = found.len().saturating_sub(MAX_CANDIDATES);
        found.truncate(MAX_CANDIDATES);
        Match::Candidates(found, more)
    }
}

/// Longer names, which nobody is called, are not taken apart.
const MOST_BYTES_BY_WORD: usize = 256;

/// What is wanted, folded, with all that need not be found out anew for each name.
struct Wanted<'a> {
    text: &'a str,
    words: Vec<&'a str>,
    chars: usize,
    letters: u64,
}

impl<'a> Wanted<'a> {
    fn new(text: &'a str) -> Self {
        let chars = text.chars().count();
        Self {
            text,
            // Looking for hundreds of words would take its time.
            words: if chars <= LONGEST_TYPED {
                text.split(' ').collect()
            } else {
                vec![text]
            },
            chars,
            letters: letters(text),
        }
    }

    fn likeness(&self, name: &str) -> Option<Likeness> {
        let theirs = letters(name);
        // Almost all names end here, before anything that takes time.
        let holds_letters = self.letters & !theirs == 0;
        if holds_letters && name.starts_with(self.text) {
            return Some(Likeness::Start);
        }
        if holds_letters && self.words.iter().all(|word| begins_a_word(word, name)) {
            return Some(Likeness::Words);
        }
        if let Some(typos) = self.typos(name, theirs) {
            return Some(if digits(self.text).eq(digits(name)) {
                Likeness::Typos(typos)
            } else {
                Likeness::OtherNumber(typos)
            });
        }
        (holds_letters && name.contains(self.text)).then_some(Likeness::Within)
    }

    fn typos(&self, name: &str, theirs: u64) -> Option<usize> {
        // One typo adds at most one letter and takes away at most one.
        let missing = (self.letters & !theirs).count_ones();
        let added = (theirs & !self.letters).count_ones();
        let chars = name.chars().count();
        let forgiven = typos_forgiven(chars.min(self.chars));
        let possible = chars.abs_diff(self.chars) <= forgiven
            && missing.max(added) as usize <= forgiven
            && forgiven > 0;
        possible
            .then(|| osa_distance(self.text, name))
            .filter(|typos| *typos <= forgiven)
    }

    /// The typos with which each word is one of the name's: for a part of a name, mistyped.
    fn typos_by_word(&self, name: &str) -> Option<usize> {
        let lengthy = self.chars > LONGEST_TYPED || name.len() > MOST_BYTES_BY_WORD;
        if lengthy {
            return None;
        }
        let typos_of = |word: &&str| {
            let wanted = Wanted::new(word);
            name.split(|c: char| !c.is_alphanumeric())
                .filter(|theirs| digits(word).eq(digits(theirs)))
                .filter_map(|theirs| {
                    if theirs == *word {
                        Some(0)
                    } else {
                        wanted.typos(theirs, letters(theirs))
                    }
                })
                .min()
        };
        self.words.iter().map(typos_of).sum()
    }
}

/// How many typos a name of so many letters may have.
const fn typos_forgiven(chars: usize) -> usize {
    match chars {
        0..=2 => 0,
        3..=4 => 1,
        5..=8 => 2,
        9..=LONGEST_TYPED => 3,
        _ => 0,
    }
}

/// The set of letters of a text, hashed to 64.
fn letters(text: &str) -> u64 {
    text.chars()
        .fold(0, |letters, c| letters | 1 << (u32::from(c) % 64))
}

fn begins_a_word(word: &str, name: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn find(wanted: &str, names: &[&str]) -> Match {
        find_name(wanted, names.iter().copied())
    }

    fn candidates(indices: &[usize]) -> Match {
        Match::Candidates(indices.to_vec(), 0)
    }

    #[test]
    fn the_same_name_is_found_first() {
        let names = ["anna", "Anna", "Ánna", "Annas"];
        assert_eq!(find("Anna", &names), Match::Exact(1));
        assert_eq!(find("Annas", &names), Match::Exact(3));
        assert_eq!(find("ANNA", &names), candidates(&[0, 1, 2]));
        assert_eq!(find("x", &["x", "y", "x"]), candidates(&[0, 2]));
        assert_eq!(find("", &["", "y"]), Match::Exact(0));
        let many = ["x"; 20];
        let first = Match::Candidates((0..8).collect(), 12);
        assert_eq!(find("x", &many), first);
        assert_eq!(find("X", &many), first);
        assert_eq!(find("x", &["xy"; 20]), first);
    }

    #[test]
    fn somebody_of_several_names_is_found_once() {
        let names = [
            (0, "Ngozi A."),
            (1, "Tobias"),
            (0, "Ngozi Abanwe"),
            (0, "NGOZI A."),
        ];
        let find = |wanted| find_named(wanted, names.iter().copied());
        assert_eq!(find("ngozi"), Match::Near(0));
        assert_eq!(find("ngozi a."), Match::Folded(0));
        assert_eq!(find("ngozi abnawe"), Match::Near(0));
        assert_eq!(find("abanwe ngozi"), Match::Near(0));
        let alike = [(0, "mika"), (0, "mikel"), (1, "mikulas")];
        assert_eq!(
            find_named("mik", alike.iter().copied()),
            candidates(&[0, 1])
        );
    }

    #[test]
    fn case_accents_and_white_space_do_not_matter() {
        for (wanted, name) in [
            ("sarka novakova", "Šárka Nováková"),
            ("ŠÁRKA NOVÁKOVÁ", "Šárka Nováková"),
            (" šárka \t nováková\n", "Šárka\u{a0}Nováková"),
            ("S\u{30c}a\u{301}rka", "Šárka"),
            ("lodz", "Łódź"),
            ("Soren Weiss", "Søren Weiß"),
            ("ISTANBUL", "İstanbul"),
            ("diyarbakir", "Diyarbakır"),
            ("ΣΊΣΥΦΟΣ", "Σίσυφος"),
            ("алексей", "АЛЕКСЕЙ"),
            ("Алексеи", "Алексей"),
            ("fullwidth", "Ｆｕｌｌｗｉｄｔｈ"),
            ("שלום", "שָׁלוֹם"),
            ("محمد", "مُحَمَّد"),
            ("한국", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}"),
        ] {
            let names = ["somebody else", name];
            assert_eq!(find(wanted, &names), Match::Folded(1), "{wanted} {name}");
        }
    }

    #[test]
    fn marks_that_make_another_letter_matter() {
        for (wanted, name) in [("राम", "रम"), ("かき", "がき"), ("กุ", "กู")]
        {
            assert_eq!(find(wanted, &[name]), candidates(&[]), "{wanted} {name}");
        }
    }

    #[test]
    fn typos_are_forgiven_by_length() {
        for (wanted, name, found) in [
            ("ab", "ac", false),
            ("abc", "abd", true),
            ("abcd", "acbd", true),
            ("abcd", "axyd", false),
            ("abcde", "axyde", true),
            ("abcdefgh", "badcefgh", true),
            ("abcdefgh", "axyzefgh", false),
            ("abcdefghi", "axyzefghi", true),
            ("abcdefghi", "wxyzefghi", false),
            ("Marne Holoway-Diaz", "Maren Holloway-Diaz", true),
        ] {
            let expected = if found {
                Match::Near(0)
            } else {
                candidates(&[])
            };
            assert_eq!(find(wanted, &[name]), expected, "{wanted} {name}");
            assert_eq!(find(name, &[wanted]), expected, "{name} {wanted}");
        }
    }

    #[test]
    fn the_nearest_is_taken_only_if_it_is_clear() {
        // Fewer typos than the other.
        assert_eq!(find("tuorist", &["tourists", "tourist"]), Match::Near(1));
        assert_eq!(
            find("petrovic", &["petrovcky", "petrowic", "xetrovickx"]),
            Match::Near(1)
        );
        // As many.
        assert_eq!(
            find("novik", &["novak", "somebody", "novek"]),
            candidates(&[0, 2])
        );
        // One of the others holds it.
        assert_eq!(
            find("mila", &["mika", "camilan", "Mila Novak", "mina"]),
            candidates(&[2, 0, 3, 1])
        );
    }

    #[test]
    fn a_part_is_enough_if_there_is_one() {
        let names = ["Petr Novák", "Jana Nováková", "Jan Dvořák", "Marjana Lee"];
        assert_eq!(find("dvor", &names), Match::Near(2));
        assert_eq!(find("dvorak jan", &names), Match::Near(2));
        assert_eq!(find("novak", &names), candidates(&[0, 1]));
        assert_eq!(find("jan", &names), candidates(&[2, 1, 3]));
        assert_eq!(find("vák", &names), candidates(&[0, 1]));
        assert_eq!(find("zzz", &names), candidates(&[]));
        for nothing in ["", " ", "\u{301}"] {
            assert_eq!(find(nothing, &names), candidates(&[]));
        }
    }

    #[test]
    fn a_part_may_be_mistyped() {
        let names = [
            "Maren Holloway-Diaz",
            "Marek Hollander",
            "Aren Diaz",
            "R2 D2",
        ];
        assert_eq!(find("maren holoway", &names), Match::Near(0));
        assert_eq!(find("dias", &names), candidates(&[2, 0]));
        assert_eq!(find("hollowai", &names), Match::Near(0));
        assert_eq!(find("marex", &names), candidates(&[1, 0]));
        assert_eq!(find("holloway x", &names), candidates(&[]));
        let rounds = ["Spring Open, round 12", "Autumn Open, round 13"];
        assert_eq!(find("sprnig round 12", &rounds), Match::Near(0));
        assert_eq!(find("sprnig round 13", &rounds), candidates(&[]));
    }

    #[test]
    fn another_number_is_offered_and_not_taken() {
        assert_eq!(
            find("Spring Round 12", &["Spring Round 13"]),
            candidates(&[0])
        );
        assert_eq!(
            find("Sprnig Round 12", &["Spring Round 13", "Spring Round 12"]),
            Match::Near(1)
        );
        assert_eq!(
            find("round 1", &["Round 12", "Round 13"]),
            candidates(&[0, 1])
        );
    }

    #[test]
    fn long_names_are_found_as_they_are_or_in_part() {
        let name: String = "very long ".repeat(100);
        assert_eq!(find(&name.to_uppercase(), &["x", &name]), Match::Folded(1));
        assert_eq!(find(&name[..500], &["x", &name]), Match::Near(1));
        let typo = name.replacen('v', "w", 1);
        assert_eq!(find(&typo, &["x", &name]), candidates(&[]));
    }

    /// A name with one typo in it.
    fn typo(name: &str, at: usize, kind: u8, letter: char) -> String {
        let mut letters: Vec<char> = name.chars().collect();
        let at = at % letters.len();
        match kind {
            0 => letters[at] = letter,
            1 => letters.insert(at, letter),
            2 => drop(letters.remove(at)),
            _ => letters.swap(at, (at + 1) % name.chars().count()),
        }
        letters.into_iter().collect()
    }

    proptest! {
        #[test]
        fn a_name_is_found_by_itself(
            names in prop::collection::vec("\\PC{0,6}", 1..20),
            one in any::<prop::sample::Index>(),
        ) {
            let index = one.index(names.len());
            let same = names.iter().filter(|name| **name == names[index]).count();
            match find_name(&names[index], names.iter().map(String::as_str)) {
                Match::Exact(found) => prop_assert_eq!((found, same), (index, 1)),
                Match::Candidates(found, more) => {
                    prop_assert!(same > 1 && found.len() == same.min(MAX_CANDIDATES));
                    prop_assert_eq!(found.len() + more, same);
                    prop_assert!(found.iter().all(|&found| names[found] == names[index]));
                }
                other => prop_assert!(false, "{other:?}"),
            }
        }

        #[test]
        fn a_long_name_is_found_in_spite_of_a_typo(
            mut names in prop::collection::vec("[a-z]{1,5}", 0..20),
            name in "[A-Zäß王]{10,30}",
            place in any::<prop::sample::Index>(),
            at in 0_usize..30,
            kind in 0_u8..4,
            letter in prop::char::range('a', 'z'),
        ) {
            let index = place.index(names.len() + 1);
            names.insert(index, name.clone());
            // Swapping the last letter with the first would be two typos.
            let wanted = typo(&name, at % (name.chars().count() - 1), kind, letter);
            let found = find_name(&wanted, names.iter().map(String::as_str));
            prop_assert!(
                [Match::Exact(index), Match::Folded(index), Match::Near(index)].contains(&found),
                "{} {}: {:?}", wanted, name, found
            );
        }

        #[test]
        fn any_text_is_looked_for(wanted in any::<String>(), names in any::<Vec<String>>()) {
            let found = find_name(&wanted, names.iter().map(String::as_str));
            if let Match::Candidates(found, _) = found {
                prop_assert!(found.len() <= MAX_CANDIDATES);
                prop_assert!(found.iter().all(|index| *index < names.len()));
            }
        }
    }
}
