//! Recognises texts in the older encodings of Latin letters by the languages of their words: "Michał"
//! reads as "Micha³" in windows-1252, and "Jiří" as "Jiøí".

use std::collections::HashMap;

use encoding_rs::{
    Encoding, ISO_8859_2, MACINTOSH, WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257,
};

/// The no-break space of windows-1252.
const NO_BREAK_SPACE: u8 = 0xa0;

/// The fewest bytes of a word whose marks tell the encoding, and of one with signs: cm³ is none.
const MIN_LETTERS: usize = 3;
const MIN_LETTERS_AND_SIGNS: usize = 4;

/// Bytes of š and ž, which Western names seldom have, in windows-1250 and windows-1252.
const CARONS: &[u8] = b"\x8a\x8e\x9a\x9e";

/// Bytes of č, ě, ř, ů and other letters with carons or rings, which are Western letters in windows-1252.
const CZECH: &[u8] = b"\xc8\xcc\xd8\xd9\xe8\xec\xf8\xf9\xef\xf2\x9d";

/// Bytes of å and æ, with capitals. Czech and Slovak have none of the letters that they are there.
const NORDIC: &[u8] = b"\xc5\xc6\xe5\xe6";

/// Bytes of letters beside which ő and ű are õ and û: å, æ, ç, ã, ä and ø.
const NOT_HUNGARIAN: &[u8] = b"\xc3\xc4\xc5\xc6\xc7\xd8\xe3\xe4\xe5\xe6\xe7\xf8";

/// A language, by its letters beyond ASCII and the pairs of letters that it hardly has. `^` begins a
/// word, `$` ends it.
struct Language {
    letters: &'static str,
    unusual: &'static str,
}

const fn language(letters: &'static str, unusual: &'static str) -> Language {
    Language { letters, unusual }
}

/// The languages of the texts in an encoding.
struct LatinEncoding {
    encoding: &'static Encoding,
    languages: &'static [Language],
}

const fn encoded(encoding: &'static Encoding, languages: &'static [Language]) -> LatinEncoding {
    LatinEncoding {
        encoding,
        languages,
    }
}

/// Vowels beside which ø is no ø, but ř in another encoding.
const NO_NORDIC: &str = "øa øi øo øu øí øá aø eø iø oø uø íø áø æa æe æi æo æu iæ aæ eæ oæ uæ ^ð";

/// Vowels beside which è is no è, but č in another encoding.
const NO_FRENCH: &str = "èa èe èi èo èu aè è$ iæ eæ aæ iœ œn œl œk œc œw œm œp";

/// Pairs with š that ö makes in Mac Roman.
const NO_CARON: &str = "jš mš bš gš sš hš ršm ršl ršd ršg ršn";

const FRENCH: Language = language("àâæçéèêëîïôœùûü", NO_FRENCH);
const GERMAN: Language = language("äöüßé", "");
const SPANISH: Language = language("áéíñóúü", "ñs ñc ñk ñd ñg ñt ñb ñl ñr");
const ESTONIAN: Language = language("äõöüšž", NO_CARON);

const WESTERN: &[Language] = &[
    language("áðéíóúýþæö", "aþ eþ iþ oþ uþ yþ þ$ yý ^ð iæ aæ eæ oæ uæ"),
    language("áðíóúýæø", NO_NORDIC),
    GERMAN,
    FRENCH,
    SPANISH,
    language(
        "áâãàçéêíóôõú",
        "õ$ õs õk õd õr õg õm õn õt õp õl õb ãn ãr ãl ãt ãd ãc ãz ãb ãp ãv ãg ãm",
    ),
    language(
        "àèéìòóù",
        "^è aè èa èe èi èo èu ìm ìd ìk ìn ìl ìj ìt ìs ìr ìc ìp òk òa òo òi òe",
    ),
    language("àçèéíïòóúü", NO_FRENCH),
    language("æøåéóòôê", NO_NORDIC),
    language("åäöéüšž", NO_CARON),
    ESTONIAN,
    language("éèëïóöüáê", NO_FRENCH),
    language("âêîôûëç", ""),
    language("áäéíóôúýšž", NO_CARON),
    language("áéíóöúü", ""),
    language("çöüâîû", ""),
];

/// Bytes of ð, þ and ý with capitals, which are ğ, ş, ı and İ in Turkish texts.
const TURKISH_LETTERS: &[u8] = b"\xd0\xdd\xde\xf0\xfd\xfe";

/// Bytes of õ, which is ő in Hungarian texts.
const LONG_O: &[u8] = b"\xd5\xf5";

const CENTRAL: &[Language] = &[
    language("ąćęłńóśźż", "gź hź jź kź lź mź nź pź rź sź tź wź"),
    language("áčďéěíňóřšťúůýž", ""),
    language("áäčďéíĺľňóôŕšťúýž", ""),
    language("áéíóöőúüű", ""),
    language("čćđšž", ""),
    language("ăâîşţ", ""),
    GERMAN,
];

const TURKISH: &[Language] = &[language("çğıöşüâîû\u{307}", "^ğ"), GERMAN, FRENCH, SPANISH];

const BALTIC: &[Language] = &[
    language("āčēģīķļņōŗšūž", ""),
    language("ąčęėįšųūž", ""),
    ESTONIAN,
];

const OTHERS: [LatinEncoding; 5] = [
    encoded(WINDOWS_1250, CENTRAL),
    encoded(ISO_8859_2, CENTRAL),
    encoded(WINDOWS_1254, TURKISH),
    encoded(WINDOWS_1257, BALTIC),
    encoded(MACINTOSH, WESTERN),
];

/// The languages of the words of a text in an encoding.
#[derive(Default)]
struct Survey {
    /// Words with signs or with capitals behind small letters.
    broken: usize,
    /// Words of no language, with these.
    foreign: usize,
    /// The number of words of each set of languages.
    languages: HashMap<u32, usize>,
}

impl Survey {
    fn new(words: &[&[u8]], latin: &LatinEncoding) -> Self {
        let mut survey = Self::default();
        for word in words {
            match find_languages(word, latin) {
                None => {
                    survey.broken += 1;
                    survey.foreign += 1;
                }
                Some(0) => survey.foreign += 1,
                Some(set) => *survey.languages.entry(set).or_default() += 1,
            }
        }
        survey
    }

    /// Returns the least number of languages that the words need, or nearly so.
    fn count_languages(&self) -> usize {
        let mut rest = self.languages.clone();
        let mut count = 0;
        while !rest.is_empty() {
            let words = |language: u32| -> usize {
                rest.iter().filter(|(set, _)| *set >> language & 1 == 1).map(|(_, n)| n).sum()
            };
            let best = (0..u32::BITS).max_by_key(|&language| words(language)).unwrap_or_default();
            rest.retain(|set, _| set >> best & 1 == 0);
            count += 1;
        }
        count
    }
}

/// An encoding, and the least number of languages that the words need in it.
type Fitting = (usize, &'static Encoding);

/// Returns the encoding that a text of Latin letters is in, as its words show, or else several that it
/// can be in.
pub(crate) fn detect(bytes: &[u8]) -> Result<&'static Encoding, Vec<&'static Encoding>> {
    let words = find_words(bytes);
    let western = Survey::new(&words, &encoded(WINDOWS_1252, WESTERN));
    if 20 * western.foreign <= words.len() {
        return if is_central(&words) {
            Ok(WINDOWS_1250)
        } else {
            find_rival(&words).map_or(Ok(WINDOWS_1252), |rival| Err(vec![WINDOWS_1252, rival]))
        };
    }
    let fitting = find_fitting(&words);
    let best = fitting.iter().map(|(count, _)| *count).min();
    let fewest = fitting.iter().filter(|(count, _)| Some(*count) == best);
    let fewest: Vec<&'static Encoding> = fewest.map(|(_, encoding)| *encoding).collect();
    let decode = |encoding: &'static Encoding| encoding.decode_without_bom_handling(bytes).0;
    match fewest[..] {
        [] if 20 * western.broken <= words.len() => Ok(WINDOWS_1252),
        [] => {
            let others = OTHERS.iter().map(|latin| latin.encoding);
            Err([WINDOWS_1252].into_iter().chain(others).collect())
        }
        [first, ref others @ ..] if others.iter().all(|other| decode(other) == decode(first)) => {
            Ok(first)
        }
        _ => Err(fewest),
    }
}

/// Returns the different words that are not ASCII.
fn find_words(bytes: &[u8]) -> Vec<&[u8]> {
    let is_blank =
        |byte: &u8| *byte == NO_BREAK_SPACE || byte.is_ascii() && !byte.is_ascii_alphabetic();
    let words = bytes.split(is_blank).flat_map(split_at_marks);
    let words = words.map(trim_quotes).filter(|word| {
        let mut encodings = [WINDOWS_1252, MACINTOSH].into_iter();
        word.len() >= MIN_LETTERS
            && !word.is_ascii()
            && has_vowel(word)
            && (word.len() >= MIN_LETTERS_AND_SIGNS
                || encodings.any(|encoding| is_word(word, encoding)))
    });
    let mut words: Vec<&[u8]> = words.collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Returns the encodings in which the words are those of languages.
fn find_fitting(words: &[&[u8]]) -> Vec<Fitting> {
    let surveys = OTHERS.iter().map(|latin| (latin.encoding, Survey::new(words, latin)));
    let fitting = surveys.filter(|(_, survey)| 50 * survey.foreign <= words.len());
    let fitting = fitting.map(|(encoding, survey)| {
        // Baltic texts are rare.
        let rarity = usize::from(encoding == WINDOWS_1257);
        (survey.count_languages() + rarity, encoding)
    });
    fitting.collect()
}

/// Returns the other encoding that words can be in which are Western, but unusual.
fn find_rival(words: &[&[u8]]) -> Option<&'static Encoding> {
    // Many Czech words end in ý.
    let may_be_turkish = |word: &&[u8]| has_any(&word[..word.len() - 1], TURKISH_LETTERS);
    let rival = if words.iter().any(may_be_turkish) {
        WINDOWS_1254
    } else if words.iter().any(|word| has_any(word, LONG_O)) && !is_portuguese(words) {
        WINDOWS_1250
    } else {
        return None;
    };
    // Hungarian alone has ő.
    let is_rival =
        |(count, encoding): &Fitting| *encoding == rival && (*count == 1 || rival == WINDOWS_1254);
    find_fitting(words).iter().any(is_rival).then_some(rival)
}

/// True if words that can be Western are those of Central Europe.
fn is_central(words: &[&[u8]]) -> bool {
    let has = |bytes| words.iter().filter(|word| has_any(word, bytes)).count();
    let central = Survey::new(words, &OTHERS[0]);
    let are_carons = 5 * has(CARONS) > words.len() && has(CZECH) > 0 && has(NORDIC) == 0;
    central.broken == 0 && (are_carons || is_hungarian(words))
}

/// True if words have ő and ű in places where õ and û are unusual.
fn is_hungarian(words: &[&[u8]]) -> bool {
    let has_pair = |bytes: &[u8]| words.iter().any(|word| has_any(word, bytes));
    let ends_long = words.iter().any(|word| matches!(word, [.., 0xf5 | 0xd5]));
    has_pair(LONG_O)
        && (ends_long || has_pair(b"\xfb\xdb"))
        && !is_portuguese(words)
        && !has_pair(NOT_HUNGARIAN)
}

fn is_portuguese(words: &[&[u8]]) -> bool {
    let has_pair = |word: &&[u8]| word.windows(2).any(|pair| pair == b"\xf5e");
    words.iter().any(has_pair)
}

/// Returns the languages that have the letters of a word, as bits. `None` if not all are letters, or some
/// are capitals behind small ones.
fn find_languages(word: &[u8], latin: &LatinEncoding) -> Option<u32> {
    if !is_word(word, latin.encoding) {
        return None;
    }
    let (text, _) = latin.encoding.decode_without_bom_handling(word);
    let text = format!("^{}$", text.to_lowercase());
    // Each ř has a vowel beside it, each ø in its place has none.
    let lacks_vowel = text.split_once('ř').is_some_and(|(before, behind)| {
        !before.ends_with(is_vowel) && !behind.starts_with(is_vowel)
    });
    let mut languages = 0;
    for (bit, language) in latin.languages.iter().enumerate() {
        let has_letters = text.chars().all(|c| c.is_ascii() || language.letters.contains(c));
        let is_unusual = language.unusual.split_whitespace().any(|pair| text.contains(pair));
        languages |= u32::from(has_letters && !is_unusual && !lacks_vowel) << bit;
    }
    Some(languages)
}

/// True if a word in this encoding has only letters, and small ones behind the first small one and
/// before a capital beyond ASCII: `MŸller` is none.
fn is_word(word: &[u8], encoding: &'static Encoding) -> bool {
    let (text, failed) = encoding.decode_without_bom_handling(word);
    let mut is_small = false;
    let mut has_late_capital = false;
    let mut letters = text.chars().enumerate();
    !failed
        && letters.all(|(index, c)| {
            let is_mixed = has_late_capital && c.is_lowercase() && !is_small;
            let is_regular =
                c.is_alphabetic() && !matches!(c, 'ª' | 'º') && !(is_small && is_late_capital(c));
            is_small |= c.is_lowercase();
            has_late_capital = index > 0 && c.is_uppercase() && !c.is_ascii();
            is_regular && !is_mixed
        })
}

/// True for a capital that no name has behind small letters; `McGrégor` has another.
fn is_late_capital(c: char) -> bool {
    c.is_uppercase() && !c.is_ascii()
}

fn is_vowel(c: char) -> bool {
    "aeiouyáéěíóúůý".contains(c)
}

fn has_any(word: &[u8], bytes: &[u8]) -> bool {
    word.iter().any(|byte| bytes.contains(byte))
}

fn has_vowel(word: &[u8]) -> bool {
    word.iter().any(|byte| {
        b"aeiouyAEIOUY\x8a\x8c\x8e\x8f\x9a\x9f\xe1\xe4\xe9\xec\xed\xf3\xf6\xfa\xfc\xfd"
            .contains(byte)
    })
}

/// Splits a word at the apostrophes and dashes of windows-1252 before a capital or an s, as in O’Neill,
/// and at the point of l·l. These bytes are small letters in Mac Roman, which no capital follows.
fn split_at_marks(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(word);
    std::iter::from_fn(move || {
        let word = rest?;
        let mark = (1..word.len().saturating_sub(1)).find(|&index| match word[index] {
            0x92 if word[index + 1..] == *b"s" => true,
            0x92 | 0x96 | 0x97 => word[index + 1].is_ascii_uppercase(),
            0xb7 => (word[index - 1], word[index + 1]) == (b'l', b'l'),
            _ => false,
        });
        rest = mark.map(|index| &word[index + 1..]);
        Some(&word[..mark.unwrap_or(word.len())])
    })
}

/// Returns a word without quotes, dashes and signs around it. Quotes that open stand before it, those
/// that close behind: elsewhere they are letters of Mac Roman.
fn trim_quotes(word: &[u8]) -> &[u8] {
    // Also ¿, ¡ and «, which are hardly initials in other encodings.
    let opens =
        |byte: &u8| matches!(byte, 0x82 | 0x84 | 0x91..=0x97 | 0xa1 | 0xa7 | 0xab | 0xb0 | 0xbf);
    let closes =
        |byte: &u8| matches!(byte, 0x85 | 0x92..=0x94 | 0x96 | 0x97 | 0x99 | 0xae | 0xb0 | 0xbb);
    let start = word.iter().position(|byte| !opens(byte)).unwrap_or(word.len());
    let end = word.iter().rposition(|byte| !closes(byte));
    let end = end.map_or(start, |last| last + 1).max(start);
    &word[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(encoding: &'static Encoding, text: &str) -> &'static str {
        let (bytes, _, failed) = encoding.encode(text);
        assert!(!failed, "{text}");
        detect(&bytes).map_or("several", Encoding::name)
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
            "Eva Němcová",
            "Ştefan Popa;Răzvan Bălan",
            "Kovačić;Perić",
        ] {
            assert_eq!(detected(WINDOWS_1250, text), "windows-1250", "{text}");
        }
        for text in [CZECH_NAMES, POLISH_NAMES, "Zbigniew Gąska;Łukasz Śliwa"] {
            assert_eq!(detected(ISO_8859_2, text), "ISO-8859-2", "{text}");
        }
    }

    #[test]
    fn other_words_are_recognised() {
        for (encoding, text) in [
            (WINDOWS_1254, "Işıl Yıldız;Gökhan Şahin;Çağla Doğan"),
            (WINDOWS_1254, "Mustafa Yılmaz;Emre Güneş"),
            (WINDOWS_1257, "Jānis Bērziņš;Līga Ozoliņa;Kārlis Šteins"),
        ] {
            assert_eq!(detected(encoding, text), encoding.name(), "{text}");
        }
        // The library writes no Mac Roman.
        for bytes in [
            &b"Zo\x91 M\x9fller;Andr\x8e G\x97mez;J\x9frgen Gro\xa7"[..],
            b"J\x9frgen",
        ] {
            assert_eq!(detect(bytes), Ok(MACINTOSH));
        }
    }

    #[test]
    fn words_of_several_encodings_decide_nothing() {
        assert_eq!(detected(WINDOWS_1254, "Doğan"), "several");
        assert_eq!(detected(WINDOWS_1250, "Dąbek"), "several");
    }

    #[test]
    fn western_words_stay_western() {
        for text in [
            "Müller;Zoë Schröder;Jürgen Groß",
            "Hélène Lefèvre;Benoît Août;Noël",
            "Bjørn Åsen;Søren Kjær;Jákup á Høvdi",
            "João Simões;Inês Conceição;Camões",
            "Kõiv Jõgi;Ülo Väli;Mäe Šein",
            "Nicolò Rossi;Bjørn Dahl;Hélène Roy;Iñaki Peña;Jürgen Ölz",
            "Þórður Ægisson;Sæþór Már;Guðrún Ýr;Sigurðsson",
            "Høyer;Bøe;Jørgensen;Sørlie",
            "Ñandú ¿Quién? Íñigo 1º",
            "Hubraum cm³;Österle",
            "„Blitz“ – Ångström…",
            "",
        ] {
            assert_eq!(detected(WINDOWS_1252, text), "windows-1252", "{text}");
        }
    }
}
