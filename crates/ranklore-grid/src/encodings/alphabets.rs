//! Recognises texts in the older encodings of Cyrillic and Greek letters, whose bytes are letters in
//! each of them: `Иванов` of windows-1251 reads as `хБЮМНБ` in KOI8-R.

use encoding_rs::{Encoding, IBM866, ISO_8859_5, KOI8_U, WINDOWS_1251, WINDOWS_1253};

/// KOI8-U has the letters of KOI8-R.
const ENCODINGS: [&Encoding; 5] = [WINDOWS_1251, KOI8_U, IBM866, ISO_8859_5, WINDOWS_1253];

/// The fewest letters of a word whose capitals tell the encoding.
const MIN_LETTERS: usize = 3;

/// The fewest letters of a word that hardly lacks a vowel.
const MIN_LETTERS_WITH_VOWEL: usize = 4;

const VOWELS: &str = "аеёиоуыэюяіїєαεηιουωάέήίόύώ";

/// Returns the encodings in which 19 of 20 words are words.
pub(crate) fn find_fitting(bytes: &[u8]) -> impl Iterator<Item = &'static Encoding> {
    let runs = bytes.split(u8::is_ascii).filter(|run| run.len() >= MIN_LETTERS);
    let words: Vec<&[u8]> = runs.collect();
    ENCODINGS.into_iter().filter(move |encoding| {
        let valid = words.iter().filter(|word| is_word(word, encoding)).count();
        !words.is_empty() && 20 * (words.len() - valid) <= words.len()
    })
}

/// True if a word in this encoding has letters of one alphabet with a vowel, and small ones behind the
/// first small one.
fn is_word(word: &[u8], encoding: &'static Encoding) -> bool {
    let (text, failed) = encoding.decode_without_bom_handling(word);
    let is_cyrillic = |c: char| ('\u{400}'..='\u{45f}').contains(&c) || matches!(c, 'Ґ' | 'ґ');
    let is_greek = |c: char| ('\u{370}'..='\u{3ff}').contains(&c) && c.is_alphabetic();
    let cases: Vec<bool> = text.chars().map(char::is_lowercase).collect();
    let has_vowel = || text.to_lowercase().chars().any(|c| VOWELS.contains(c));
    !failed
        && (text.chars().all(is_cyrillic) || text.chars().all(is_greek))
        && cases.is_sorted()
        && (cases.len() < MIN_LETTERS_WITH_VOWEL || has_vowel())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUSSIAN: &str = "место;имя\n1;Иванов Пётр\n2;Щукина Анна\n3;Жуков Ян\n";
    const GREEK: &str = "θέση;όνομα\n1;Παπαδόπουλος\n2;Νικολάου\n";

    fn fitting(encoding: &'static Encoding, text: &str) -> Vec<&'static Encoding> {
        let (bytes, _, failed) = encoding.encode(text);
        assert!(!failed, "{text}");
        find_fitting(&bytes).collect()
    }

    #[test]
    fn one_encoding_fits_words() {
        for encoding in [WINDOWS_1251, KOI8_U, IBM866, ISO_8859_5] {
            assert_eq!(fitting(encoding, RUSSIAN), [encoding]);
        }
        assert_eq!(fitting(WINDOWS_1251, "Шевченко Їжак, Гліб Ґудзь"), [WINDOWS_1251]);
        assert_eq!(fitting(WINDOWS_1253, GREEK), [WINDOWS_1253]);
    }

    #[test]
    fn other_texts_fit_none() {
        for (encoding, text) in [
            (encoding_rs::GB18030, "名次,姓名\n1,赵小燕\n2,吴雨\n3,杨柳\n4,徐志\n"),
            (encoding_rs::EUC_JP, "順位,氏名\n1,山田 はなこ\n2,鈴木 タロウ\n"),
            (encoding_rs::SHIFT_JIS, "順位,氏名\n1,田中\n2,佐藤\n"),
            (encoding_rs::BIG5, "名次,姓名\n1,陳小明\n2,林美麗\n"),
            (encoding_rs::WINDOWS_1252, "Müller, Zoë"),
        ] {
            assert!(fitting(encoding, text).is_empty(), "{text}");
        }
    }
}
