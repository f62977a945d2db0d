//! Recognises texts in the older encodings of Central Europe, whose bytes are Latin letters in
//! windows-1252 too: "Michał" reads as "Micha³", "Jiří" as "Jiøí".

use encoding_rs::{Encoding, ISO_8859_2, WINDOWS_1250, WINDOWS_1252};

/// The fewest letters of a word whose marks tell the encoding: cm³ is none.
const MIN_LETTERS: usize = 4;

/// Bytes of š and ž, which Western names seldom have, in windows-1250 and windows-1252.
const CARONS: &[u8] = b"\x8a\x8e\x9a\x9e";

/// Bytes of č, ě, ř, ů and other letters with carons or rings, which are Western letters in windows-1252.
const CZECH: &[u8] = b"\xc8\xcc\xd8\xd9\xe8\xec\xf8\xf9\xef\xf2\x9d";

/// Bytes of ł, ę, ć, ń, ś, ź and ż.
const POLISH: &[u8] = b"\xb3\xa3\xea\xe6\xf1\x9c\x9f\xbf\xaf";

/// Bytes of å and æ, with capitals. Czech and Slovak have none of the letters that they are there.
const NORDIC: &[u8] = b"\xc5\xc6\xe5\xe6";

/// Bytes of letters beside which ő and ű are õ and û: å, æ, ç, ã, ä and ø.
const NOT_HUNGARIAN: &[u8] = b"\xc3\xc4\xc5\xc6\xc7\xd8\xe3\xe4\xe5\xe6\xe7\xf8";

/// Returns the encoding of Central Europe that a text of Latin letters is in, if its words show it.
pub(crate) fn detect(bytes: &[u8]) -> Option<&'static Encoding> {
    let words: Vec<&[u8]> = bytes
        .split(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic())
        .map(trim_quotes)
        .filter(|word| word.len() >= MIN_LETTERS && !word.is_ascii() && has_vowel(word))
        .collect();
    let valid = |encoding| words.iter().filter(|word| is_word(word, encoding)).count();
    let western = valid(WINDOWS_1252);
    let windows = valid(WINDOWS_1250);
    let iso = valid(ISO_8859_2);
    let has = |bytes| words.iter().filter(|word| has_any(word, bytes)).count();
    let is_broken = 20 * (words.len() - western) > words.len();
    if is_broken && 50 * windows.max(iso) >= 49 * words.len() {
        return match windows.cmp(&iso) {
            std::cmp::Ordering::Less => Some(ISO_8859_2),
            std::cmp::Ordering::Greater => Some(WINDOWS_1250),
            // ą is š in the other.
            std::cmp::Ordering::Equal => match (has(CZECH), has(POLISH)) {
                (czech, polish) if polish > 2 * czech => Some(WINDOWS_1250),
                (czech, polish) if czech > 2 * polish => Some(ISO_8859_2),
                _ => None,
            },
        };
    }
    let are_carons = 5 * has(CARONS) > words.len() && has(CZECH) > 0 && has(NORDIC) == 0;
    (windows == words.len() && (are_carons || is_hungarian(&words))).then_some(WINDOWS_1250)
}

/// True if words have ő and ű in places where õ and û are unusual.
fn is_hungarian(words: &[&[u8]]) -> bool {
    let has_pair = |bytes: &[u8]| words.iter().any(|word| has_any(word, bytes));
    let ends_long = words.iter().any(|word| matches!(word, [.., 0xf5 | 0xd5]));
    let is_portuguese = words
        .iter()
        .any(|word| word.windows(2).any(|pair| pair[0] == 0xf5 && pair[1] == b'e'));
    has_pair(b"\xf5\xd5")
        && (ends_long || has_pair(b"\xfb\xdb"))
        && !is_portuguese
        && !has_pair(NOT_HUNGARIAN)
}

/// True if a word in this encoding has only letters, and small ones behind the first small one.
fn is_word(word: &[u8], encoding: &'static Encoding) -> bool {
    let (text, failed) = encoding.decode_without_bom_handling(word);
    let mut is_small = false;
    !failed
        && text.chars().all(|c| {
            let is_regular =
                c.is_alphabetic() && !matches!(c, 'ª' | 'º') && !(is_small && c.is_uppercase());
            is_small |= c.is_lowercase();
            is_regular
        })
}

fn has_any(word: &[u8], bytes: &[u8]) -> bool {
    word.iter().any(|byte| bytes.contains(byte))
}

fn has_vowel(word: &[u8]) -> bool {
    word.iter().any(|byte| b"aeiouyAEIOUY".contains(byte))
}

/// Returns a word without quotes, dashes and no-break spaces around it.
fn trim_quotes(word: &[u8]) -> &[u8] {
    let is_mark = |byte: &u8| matches!(byte, 0x82 | 0x84 | 0x85 | 0x91..=0x97 | 0xa0 | 0xa7 | 0xb0);
    let start = word.iter().position(|byte| !is_mark(byte)).unwrap_or(word.len());
    let end = word.iter().rposition(|byte| !is_mark(byte)).map_or(start, |last| last + 1);
    &word[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(encoding: &'static Encoding, text: &str) -> Option<&'static Encoding> {
        let (bytes, _, failed) = encoding.encode(text);
        assert!(!failed, "{text}");
        detect(&bytes)
    }

    const CZECH_NAMES: &str = "Jiří Kovář;Tomáš Žižka;Eva Němcová;Zdeněk Růžička";
    const POLISH_NAMES: &str = "Michał Wójcik;Łukasz Dąbek;Grażyna Śliwa;Paweł Gołąb";

    #[test]
    fn central_european_words_are_recognised() {
        for text in [
            CZECH_NAMES,
            POLISH_NAMES,
            "Gergő Fűri;Ágnes Erdő;Zoltán Szűcs",
            "Matej Črnič;Špela Žagar;Tomaž Košir",
            "place,name\n1,Michał\n",
        ] {
            assert_eq!(detected(WINDOWS_1250, text), Some(WINDOWS_1250), "{text}");
        }
        for text in [CZECH_NAMES, POLISH_NAMES] {
            assert_eq!(detected(ISO_8859_2, text), Some(ISO_8859_2), "{text}");
        }
    }

    #[test]
    fn western_words_are_not() {
        for text in [
            "Müller;Zoë Schröder;Jürgen Groß",
            "Hélène Lefèvre;Benoît Août;Noël",
            "Bjørn Åsen;Søren Kjær;Jákup á Høvdi",
            "João Simões;Inês Conceição;Camões",
            "Kõiv Jõgi;Ülo Väli;Mäe Šein",
            "Nicolò Rossi;Bjørn Dahl;Hélène Roy;Iñaki Peña;Jürgen Ölz",
            "Ñandú ¿Quién? Íñigo 1º",
            "Hubraum cm³;Österle",
            "„Blitz“ – Ångström…",
            "",
        ] {
            assert_eq!(detected(WINDOWS_1252, text), None, "{text}");
        }
    }
}
