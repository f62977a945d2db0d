//! The words for statuses in one table: those that the user states, then the known ones.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::values::cells::CellStatus;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_contest::{Quoted, shorten};
use ranklore_grid::{CommandOptions, FileReadError, Reason, trim_cell};

/// The number of unknown words that a message lists.
const MAX_LISTED_WORDS: usize = 6;

/// Longer cells are no words for a status.
const MAX_WORD_CHARS: usize = 40;

/// Words for laps behind the winner.
const LAP_WORDS: &str = "lap laps lapped runde runden tour tours vuelta vueltas";

/// The words for statuses in one table.
#[derive(Clone)]
pub(crate) struct StatusWords {
    /// Stated words of letters, as [`normalise_word`] returns them.
    words: HashMap<String, CellStatus>,
    /// Stated words with digits or without letters, compared verbatim.
    verbatim: HashMap<String, CellStatus>,
}

impl StatusWords {
    /// Errors if two stated words are the same without case, accents and punctuation and have
    /// different meanings.
    pub(crate) fn new(stated_words: &BTreeMap<String, CellStatus>) -> Result<Self, FileReadError> {
        let mut words = HashMap::new();
        let mut verbatim = HashMap::new();
        for (word, &status) in stated_words {
            let word = trim_cell(word);
            let letters = normalise_word(word);
            let earlier = if letters.is_empty() || has_digit(word) {
                verbatim.insert(word.to_owned(), status)
            } else {
                words.insert(letters, status)
            };
            if let Some(other) = earlier.filter(|&other| other != status) {
                return Err(FileReadError::whole_document(format!(
                    "--status says that {word} means {} and {}; state one",
                    other.as_str(),
                    status.as_str(),
                    word = Quoted(word)
                )));
            }
        }
        Ok(Self { words, verbatim })
    }

    /// Returns the words of each column. A stated number is a status in the first column that has it,
    /// and a result in the others.
    pub(crate) fn by_column<'t, I: Iterator<Item = &'t str>, const N: usize>(
        &self,
        columns: [I; N],
    ) -> [Self; N] {
        let is_number = |word: &str| has_digit(word) && !word.contains(char::is_alphabetic);
        let words = self.verbatim.keys().filter(|word| is_number(word));
        let mut numbers: HashSet<&str> = words.map(String::as_str).collect();
        columns.map(|cells| {
            let mut words = self.clone();
            words.verbatim.retain(|word, _| !is_number(word) || numbers.contains(&**word));
            if !numbers.is_empty() {
                for cell in cells {
                    numbers.remove(cell);
                }
            }
            words
        })
    }

    /// Errors if a stated word is in none of these cells.
    pub(crate) fn check_occurrence<'t>(
        &self,
        stated_words: &BTreeMap<String, CellStatus>,
        cells: impl Iterator<Item = &'t str>,
    ) -> Result<(), FileReadError> {
        if stated_words.is_empty() {
            return Ok(());
        }
        let mut absent: HashMap<String, &str> = stated_words
            .keys()
            .map(|word| (self.key(trim_cell(word)), word.as_str()))
            .collect();
        for cell in cells.filter(|cell| self.find_stated(cell).is_some()) {
            absent.remove(&self.key(cell));
            if absent.is_empty() {
                return Ok(());
            }
        }
        match absent.values().min() {
            None => Ok(()),
            Some(word) => Err(FileReadError::whole_document(format!(
                "no status, place or score is {word}, as --status says; write the word as in the file",
                word = Quoted(word)
            ))),
        }
    }

    /// Adds the codes of orienteering, unless the user states their meaning.
    pub(crate) fn add_race_codes(&mut self) {
        for code in ["0", "1", "2", "3", "4", "5"] {
            if let Some(status) = parse_race_code(code) {
                self.verbatim.entry(code.to_owned()).or_insert(status);
            }
        }
    }

    fn key(&self, word: &str) -> String {
        if self.verbatim.contains_key(word) {
            word.to_owned()
        } else {
            normalise_word(word)
        }
    }

    /// Returns the status that the user states for a cell.
    pub(crate) fn find_stated(&self, cell: &str) -> Option<CellStatus> {
        if let Some(&status) = self.verbatim.get(cell) {
            return Some(status);
        }
        // Normalising each cell would be slow.
        if self.words.is_empty() || cell.is_empty() || has_digit(cell) {
            return None;
        }
        self.words.get(&normalise_word(cell)).copied()
    }

    /// Parses a status. A competitor that was lapped has finished, if there is a place.
    pub(crate) fn parse(&self, cell: &str) -> Option<CellStatus> {
        self.find_stated(cell)
            .or_else(|| CellStatus::parse(cell))
            .or_else(|| (cell == "*").then_some(CellStatus::DidNotStart))
            .or_else(|| is_laps_behind(cell).then_some(CellStatus::Finished))
    }

    /// True if a cell says that a competitor was lapped: `LAP`, `+1 lap`.
    pub(crate) fn is_lapped(&self, cell: &str) -> bool {
        is_laps_behind(cell) && self.find_stated(cell).is_none()
    }

    /// True if a cell may mean that the competitor or the opponent did not take part: `*`,
    /// `walkover`.
    pub(crate) fn is_walkover(&self, cell: &str) -> bool {
        // Most cells are numbers.
        let first = cell.bytes().find(u8::is_ascii_alphanumeric);
        let walkover = cell == "*"
            || (matches!(first, Some(b'W' | b'w'))
                && has_word("walkover wo", &normalise_word(cell)));
        walkover && self.find_stated(cell).is_none()
    }

    /// True if a cell may be a word for a status that is not known.
    pub(crate) fn is_unknown_word(&self, cell: &str) -> bool {
        !has_digit(cell)
            && cell.chars().any(char::is_alphabetic)
            && !is_long(cell)
            && self.parse(cell).is_none()
    }
}

/// Parses the code of a status, as software for orienteering writes it.
pub(crate) fn parse_race_code(cell: &str) -> Option<CellStatus> {
    Some(match cell {
        "0" => CellStatus::Finished,
        "1" => CellStatus::DidNotStart,
        "2" | "5" => CellStatus::DidNotFinish,
        "3" | "4" => CellStatus::Disqualified,
        _ => return None,
    })
}

/// Words for those who took part out of competition, whom no result counts.
const GUESTS: &str = "g guests gast";

/// True if a word means that a competitor took part out of competition.
fn is_guest(word: &str) -> bool {
    has_word(GUESTS, &normalise_word(word))
}

/// Returns the option that gives a word the meaning of a status.
pub(crate) fn status_option(word: &str, status: &str) -> CommandOptions {
    CommandOptions::new("--status", format!("{}={status}", shorten(word)))
}

/// Adds to the reason to refuse a place the options for a number that stands for none, as 0 does.
pub(crate) fn refuse_number(cell: &str, reason: Reason) -> Reason {
    if cell.parse::<i64>().is_err() {
        return reason;
    }
    let cases = [
        (status_option(cell, "dnf"), "if such competitors did not finish"),
        (status_option(cell, "dns"), "if they did not take part"),
    ];
    Reason::with_options(reason.text, cases)
}

/// True if there are more different words than can be listed, and most do not recur, as statuses do.
pub(crate) fn are_names(words: &[&str]) -> bool {
    let different: HashSet<&str> = words.iter().copied().collect();
    different.len() > MAX_LISTED_WORDS && 2 * different.len() > words.len()
}

/// Returns the options that give these unknown words a meaning, or `None` without words. A word
/// comes with true if it stands beside the first place: that competitor finished, as do those with the
/// most frequent word.
pub(crate) fn status_options<'t>(words: impl Iterator<Item = (&'t str, bool)>) -> Option<Reason> {
    let mut listed: Vec<&str> = Vec::new();
    let mut winners: Vec<&str> = Vec::new();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut has_more = false;
    for (word, is_winner) in words.filter(|(word, _)| !is_long(word) && !is_heading(word)) {
        *counts.entry(word).or_default() += 1;
        if is_winner && !winners.contains(&word) && winners.len() < MAX_LISTED_WORDS {
            winners.push(word);
        }
        if listed.contains(&word) {
            continue;
        }
        if listed.len() == MAX_LISTED_WORDS {
            has_more = true;
        } else {
            listed.push(word);
        }
    }
    let total: usize = counts.values().sum();
    let status = |word| {
        // Most competitors finish.
        let is_usual = counts.len() > 1 && 2 * counts[word] > total;
        if is_guest(word) {
            "dns"
        } else if winners.contains(&word) || is_usual {
            "finished"
        } else {
            "dnf"
        }
    };
    let options = listed.iter().map(|word| status_option(word, status(*word)));
    let options = options.reduce(CommandOptions::and)?;
    let advice = match listed[..] {
        [word] if is_guest(word) => {
            format!(
                "if {word:?} took part out of competition, pass {options}, which leaves such rows out"
            )
        }
        [word] => format!("if {word:?} is a status, pass {options} (dnf, dq, dns or finished)"),
        _ => format!(
            "if these are statuses, pass {options}{} (dnf, dq, dns or finished)",
            if has_more { " and so on" } else { "" }
        ),
    };
    // The status is an example, and no option to try.
    Some(Reason::from(advice))
}

/// Returns the options that read these words as not finished, and as absent.
pub(crate) fn unplaced_options<'t>(words: impl Iterator<Item = &'t str>) -> Vec<CommandOptions> {
    let words: BTreeSet<&str> = words.collect();
    let options = ["dnf", "dns"].into_iter().filter_map(|status| {
        let options = words.iter().map(|word| {
            let status = if is_guest(word) { "dns" } else { status };
            status_option(word, status)
        });
        options.reduce(CommandOptions::and)
    });
    let mut options: Vec<CommandOptions> = options.collect();
    options.dedup();
    options
}

/// True if a word is the heading of places, scores or names, which a table may repeat among its rows.
fn is_heading(word: &str) -> bool {
    use ColumnMeaning::{Competitor, Place, Score};
    ColumnMeaning::from_heading(word).is_some_and(|(meaning, strength)| {
        [Competitor, Place, Score].contains(&meaning) && strength < MatchStrength::Vague
    })
}

fn is_long(word: &str) -> bool {
    word.chars().count() > MAX_WORD_CHARS
}

pub(crate) fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// True for `LAP`, `+1 lap`, `-2 LAP`. `12 laps` without a sign may be a result.
fn is_laps_behind(cell: &str) -> bool {
    // Most cells are numbers.
    if cell.len() > 20 || !cell.ends_with(char::is_alphabetic) {
        return false;
    }
    let unsigned = cell.trim_start_matches(['+', '-', '−', '–']);
    let word = unsigned.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let counted = unsigned.len() != word.len();
    (!counted || unsigned.len() != cell.len()) && has_word(LAP_WORDS, &normalise_word(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use CellStatus::{DidNotFinish, DidNotStart, Disqualified, Finished};

    fn words(stated: &[(&str, CellStatus)]) -> StatusWords {
        let stated = stated.iter().map(|&(word, status)| (word.to_owned(), status));
        StatusWords::new(&stated.collect()).unwrap()
    }

    #[test]
    fn lapped_competitors_are_recognised() {
        let words = words(&[]);
        for cell in ["LAP", "lapped", "+1 lap", "+2 Laps", "-2 LAP", "+1 Runde"] {
            assert!(words.is_lapped(cell), "{cell}");
            assert_eq!(words.parse(cell), Some(Finished), "{cell}");
        }
        for cell in ["", "2", "12 laps", "+1", "12:34", "overlap", "+1 lap down"] {
            assert!(!words.is_lapped(cell), "{cell}");
            assert_eq!(words.parse(cell), None, "{cell}");
        }
    }

    #[test]
    fn star_is_a_status_only_alone() {
        let words = words(&[]);
        assert_eq!(words.parse("*"), Some(DidNotStart));
        for cell in ["3*", "**", "*1", "."] {
            assert_eq!(words.parse(cell), None, "{cell}");
        }
    }

    #[test]
    fn stated_words_take_precedence() {
        let words = words(&[
            ("m.p.", Disqualified),
            ("DNF", DidNotStart),
            ("*", Finished),
            ("+3L", DidNotFinish),
            ("99", DidNotFinish),
            ("LAP", DidNotStart),
        ]);
        for (cell, status) in [
            ("MP", Disqualified),
            ("dnf", DidNotStart),
            ("*", Finished),
            ("+3L", DidNotFinish),
            ("99", DidNotFinish),
            ("lap", DidNotStart),
        ] {
            assert_eq!(words.parse(cell), Some(status), "{cell}");
        }
        assert!(!words.is_lapped("LAP") && !words.is_walkover("*"));
        for cell in ["+3l", "9", "mp1"] {
            assert_eq!(words.parse(cell), None, "{cell}");
        }
    }

    #[test]
    fn contradictory_words_are_refused() {
        let stated = [("mp", DidNotFinish), ("MP.", Disqualified)];
        let stated = stated.map(|(word, status)| (word.to_owned(), status));
        let error = StatusWords::new(&stated.into()).err().unwrap().to_string();
        assert!(error.contains("\"mp\" means dq and dnf; state one"), "{error}");
    }

    #[test]
    fn options_quote_each_unknown_word_once() {
        let options = |words: &[&'static str]| {
            let advice = status_options(words.iter().map(|&word| (word, word == "running")));
            advice.map(|reason| reason.text)
        };
        assert_eq!(
            options(&["crash", "running"]).unwrap(),
            "if these are statuses, pass --status crash=dnf --status running=finished (dnf, dq, dns or finished)"
        );
        assert_eq!(options(&[]), None);
        assert_eq!(
            options(&["mp", "mp"]).unwrap(),
            "if \"mp\" is a status, pass --status mp=dnf (dnf, dq, dns or finished)"
        );
        assert_eq!(
            options(&["mp", "not there"]).unwrap(),
            "if these are statuses, pass --status mp=dnf --status 'not there=dnf' (dnf, dq, dns or finished)"
        );
        assert_eq!(
            options(&["ok!", "mp", "ok!", "ok!"]).unwrap(),
            "if these are statuses, pass --status 'ok!=finished' --status mp=dnf (dnf, dq, dns or finished)"
        );
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        assert!(are_names(&names));
        assert!(!are_names(&[names, names].concat()));
        let many = options(&names).unwrap();
        assert!(many.contains("--status f=dnf and so on ("), "{many}");
    }
}
