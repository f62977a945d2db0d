//! The words that stand in place of a competitor: a bye, and a player whose name is not known.

use super::words::{has_word, normalise_word};

const NOBODY: &str = "bye freilos spielfrei exempt exento descansa descanso riposa riposo nn nomennescio \
     missingplayer";

/// The first two letters of these words.
const BEGINNINGS: [[u8; 2]; 9] = [
    *b"by", *b"fr", *b"sp", *b"ex", *b"de", *b"ri", *b"nn", *b"no", *b"mi",
];

/// The length of the longest word with its punctuation.
const MAX_BYTES: usize = 16;

/// True for a word that names nobody: `BYE`, `Freilos`, `N.N.`.
pub(crate) fn is_nobody(name: &str) -> bool {
    // Normalising each name would be slow.
    let mut letters = name.bytes().filter(u8::is_ascii_alphanumeric);
    let beginning = [letters.next(), letters.next()].map(|b| b.unwrap_or(0).to_ascii_lowercase());
    name.len() <= MAX_BYTES
        && BEGINNINGS.contains(&beginning)
        && name.chars().all(|c| c.is_alphanumeric() || ". ()-".contains(c))
        && has_word(NOBODY, &normalise_word(name))
}

/// Words for people whose names are not known or not published. One of them alone can be a name.
const UNKNOWN: &str = "unknown unknownplayer unknownrunner unknownathlete missingplayer unbekannt \
     inconnu inconnue desconocido desconocida nn tba tbd";

/// True for a word that names nobody if it stands in several contests: `Unknown`, `N/N`.
pub(crate) fn is_unknown_name(name: &str) -> bool {
    name.len() <= MAX_BYTES
        && name.as_bytes().first().is_some_and(|first| b"uUmMiIdDnNtT(".contains(first))
        && has_word(UNKNOWN, &normalise_word(name))
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
