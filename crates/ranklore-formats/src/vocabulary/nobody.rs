//! The words that stand in place of a competitor: a bye, and a player whose name is not known.

use super::words::{has_word, normalise_word};

const NOBODY: &str =
    "bye freilos spielfrei exempt exento descansa descanso riposa riposo nn nomennescio";

/// The length of the longest word with its punctuation.
const MAX_BYTES: usize = 16;

/// True for a word that names nobody: `BYE`, `Freilos`, `N.N.`.
pub(crate) fn is_nobody(name: &str) -> bool {
    // Normalising each name would be slow.
    let initials = b"BbFfSsEeDdRrNn";
    name.len() <= MAX_BYTES
        && name
            .bytes()
            .find(u8::is_ascii_alphanumeric)
            .is_some_and(|b| initials.contains(&b))
        && name.chars().all(|c| c.is_alphanumeric() || ". ()-".contains(c))
        && has_word(NOBODY, &normalise_word(name))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ] {
            assert!(is_nobody(name), "{name}");
        }
        for name in ["", "Bye, Ann", "Nina", ";nn", "Ann", "7", "N"] {
            assert!(!is_nobody(name), "{name}");
        }
    }
}
