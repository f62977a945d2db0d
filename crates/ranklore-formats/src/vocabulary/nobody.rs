//! The words that stand in place of a competitor: a bye, a forfeit, and a player whose name is not known.

use super::words::{has_word, normalise_word};

const NOBODY: &str = "bye freilos spielfrei exempt exento descansa descanso riposa riposo nn nomennescio \
     missingplayer";

/// The first two letters of these words.
const BEGINNINGS: [&[u8; 2]; 9] = [
    b"by", b"fr", b"sp", b"ex", b"de", b"ri", b"nn", b"no", b"mi",
];

/// The length of the longest word with its punctuation.
const MAX_BYTES: usize = 16;

/// True for a word that names nobody: `BYE`, `Freilos`, `N.N.`.
pub(crate) fn is_nobody(name: &str) -> bool {
    begins_with(&BEGINNINGS, name)
        && name.chars().all(|c| c.is_alphanumeric() || ". ()-".contains(c))
        && has_word(NOBODY, &normalise_word(name))
}

/// True for a short name that begins with two of these letters. Normalising each name would be slow.
fn begins_with(beginnings: &[&[u8; 2]], name: &str) -> bool {
    let mut letters = name.bytes().filter(u8::is_ascii_alphanumeric);
    let beginning = [letters.next(), letters.next()].map(|b| b.unwrap_or(0).to_ascii_lowercase());
    name.len() <= MAX_BYTES && beginnings.contains(&&beginning)
}

/// Words for a game without an opponent, beside a bye.
const FORFEITS: [&str; 8] = [
    "forfeit",
    "forfeited",
    "forfeiture",
    "forfait",
    "walkover",
    "noshow",
    "kampflos",
    "nichtangetreten",
];

/// Words for such a game that a person may have as a handle.
const FORFEIT_CODES: [&str; 12] = [
    "ff",
    "wo",
    "dns",
    "dnp",
    "dnf",
    "dq",
    "withdrew",
    "withdrawn",
    "cancelled",
    "canceled",
    "postponed",
    "abandoned",
];

/// True for a word that stands in place of an opponent who did not play: `Forfeit`, `no-show`.
pub(crate) fn is_forfeit(name: &str) -> bool {
    is_word_of(&FORFEITS, name)
}

/// True for a word that stands in place of an opponent who did not play, or is a handle: `ff`, `w/o`.
pub(crate) fn is_forfeit_code(name: &str) -> bool {
    // Wo is a name.
    let is_name = name.len() == 2 && name != name.to_lowercase() && name != name.to_uppercase();
    is_word_of(&FORFEIT_CODES, name) && !is_name
}

/// True if a name is one of these words, in any case and with punctuation.
fn is_word_of(words: &[&str], name: &str) -> bool {
    let letters = name.bytes().filter(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_lowercase());
    name.len() <= MAX_BYTES
        && words.iter().any(|word| letters.clone().eq(word.bytes()))
        && name.chars().all(|c| c.is_ascii_alphanumeric() || ". ()-/".contains(c))
}

/// Words for people whose names are not known or not published. One of them alone can be a name.
const UNKNOWN: &str = "unknown unknownplayer unknownrunner unknownathlete missingplayer unbekannt \
     inconnu inconnue desconocido desconocida nn tba tbd";

/// The first two letters of these words.
const UNKNOWN_BEGINNINGS: [&[u8; 2]; 6] = [b"un", b"mi", b"in", b"de", b"nn", b"tb"];

/// True for a word that names nobody if it stands in several contests: `Unknown`, `N/N`.
pub(crate) fn is_unknown_name(name: &str) -> bool {
    begins_with(&UNKNOWN_BEGINNINGS, name) && has_word(UNKNOWN, &normalise_word(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_unknown_names_are_known() {
        for name in ["Unknown", "N/N", "(unknown)", "Missing Player"] {
            assert!(is_unknown_name(name), "{name}");
        }
        for word in UNKNOWN.split(' ') {
            assert!(is_unknown_name(word), "{word}");
        }
        for name in ["", "Ann Unknown", "Nina", "Private", "Anonymous"] {
            assert!(!is_unknown_name(name), "{name}");
        }
    }

    #[test]
    fn forfeits_are_known() {
        for name in ["Forfeit", "(forfeited)", "Walk-over", "No show"] {
            assert!(is_forfeit(name) && !is_forfeit_code(name), "{name}");
        }
        for name in ["ff", "F.F.", "w/o", "W.O.", "DNS"] {
            assert!(is_forfeit_code(name) && !is_forfeit(name), "{name}");
        }
        for name in ["", "Fé F", "ff7", "Wo", "Wo, Ann", "Forfeit Ann", "Walk"] {
            assert!(!is_forfeit_code(name) && !is_forfeit(name), "{name}");
        }
    }

    #[test]
    fn byes_and_unknown_players_are_nobody() {
        for name in [
            "BYE",
            "bye",
            "(bye)",
            "Freilos",
            "spielfrei",
            "descansa",
            "NN",
            "N.N.",
            "n. n.",
            "Missing Player",
        ] {
            assert!(is_nobody(name), "{name}");
        }
        for word in NOBODY.split(' ') {
            assert!(is_nobody(word), "{word}");
        }
        for name in ["", "Bye, Ann", "Nina", ";nn", "Ann", "7", "N", "Missy"] {
            assert!(!is_nobody(name), "{name}");
        }
    }
}
