//! Decodes texts: UTF-8, UTF-16, and older encodings of Europe, Japan and China.

mod alphabets;
mod latin;

use std::borrow::Cow;

use encoding_rs::{EUC_JP, Encoding, GB18030, SHIFT_JIS, UTF_8, WINDOWS_1252};

use crate::document::{FileReadError, Location};

/// The encodings of two bytes a character that a text without a mark can have.
pub(crate) const DOUBLE_BYTE: [&Encoding; 3] = [SHIFT_JIS, EUC_JP, GB18030];

/// The bytes at the beginning of a document that tell that it is no text.
const BINARY_SAMPLE_BYTES: usize = 1_024;

/// The fewest characters of two bytes whose frequencies tell Chinese from Japanese.
const MIN_COUNTED: usize = 8;

/// Decodes UTF-8, UTF-16 with a byte order mark, or else Shift-JIS, EUC-JP, GB18030 or an encoding of
/// Cyrillic or Greek letters if the bytes fit one of them and are hardly Latin letters, or else an
/// encoding of Latin letters by the languages of the words. The note names an older encoding.
///
/// # Errors
/// [`FileReadError`] if the text is not in the encoding of its mark, or fits several older ones.
pub fn decode_text(bytes: Cow<'_, [u8]>) -> Result<(String, Option<String>), FileReadError> {
    if let Some((encoding, mark)) = Encoding::for_bom(&bytes)
        && encoding != UTF_8
    {
        let (text, failed) = encoding.decode_without_bom_handling(&bytes[mark..]);
        if failed {
            return Err(not_in_encoding(encoding));
        }
        return Ok((text.into_owned(), None));
    }
    let error = match String::from_utf8(bytes.into_owned()) {
        Ok(mut text) => {
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            return Ok((text, None));
        }
        Err(error) => error,
    };
    let valid = error.utf8_error().valid_up_to();
    let bytes = error.into_bytes();
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(not_in_encoding(UTF_8));
    }
    let line = bytes[..valid].split(|&b| b == b'\n').count();
    let encoding = detect_encoding(&bytes, line)?;
    let (text, _) = encoding.decode_without_bom_handling(&bytes);
    let name = if encoding == WINDOWS_1252 {
        "Latin-1 (windows-1252)"
    } else {
        encoding.name()
    };
    let note = format!("read as {name}, since line {line} is not UTF-8");
    Ok((text.into_owned(), Some(note)))
}

fn not_in_encoding(encoding: &'static Encoding) -> FileReadError {
    FileReadError::whole_document(format!(
        "the byte order mark says {}, but the text is not; save it again as UTF-8",
        encoding.name()
    ))
}

/// Returns the encoding of a text that is not UTF-8 on this line.
fn detect_encoding(bytes: &[u8], line: usize) -> Result<&'static Encoding, FileReadError> {
    // A program or an image, which has no letters.
    if bytes[..bytes.len().min(BINARY_SAMPLE_BYTES)].contains(&0) {
        return Ok(WINDOWS_1252);
    }
    let double_byte = || DOUBLE_BYTE.into_iter().filter(|encoding| fits(bytes, encoding));
    let mut fitting: Vec<&'static Encoding> = if is_latin(bytes) {
        Vec::new()
    } else {
        double_byte().chain(alphabets::find_fitting(bytes)).collect()
    };
    if fitting.is_empty() {
        match latin::detect(bytes) {
            Ok(encoding) => return Ok(encoding),
            Err(encodings) => fitting = encodings,
        }
    }
    match fitting[..] {
        [only] => Ok(only),
        _ => choose(bytes, &fitting).ok_or_else(|| {
            let commands = fitting.iter().map(|encoding| {
                let name = encoding.name();
                format!("iconv -f {name} -t UTF-8 if it is {name}")
            });
            let commands: Vec<String> = commands.collect();
            let reason = format!(
                "the text is not UTF-8 and fits several encodings: convert the file with {}",
                commands.join(", or with ")
            );
            FileReadError::new(Location::Line(line as u64), reason)
        }),
    }
}

/// True if at most a third of the runs of bytes beyond ASCII are unlikely in a text of Latin
/// letters: an accented letter seldom stands beside two others.
fn is_latin(bytes: &[u8]) -> bool {
    let runs = || bytes.split(u8::is_ascii).filter(|run| !run.is_empty());
    let is_unlikely = |run: &&[u8]| run.len() > 2 || !run.iter().copied().all(is_latin_mark);
    3 * runs().filter(is_unlikely).count() <= runs().count()
}

/// True for a letter, or a mark that is usual in texts, in windows-1252.
fn is_latin_mark(byte: u8) -> bool {
    matches!(
        byte,
        0x80 | 0x85 | 0x8a | 0x8c | 0x8e | 0x91..=0x94 | 0x96 | 0x97 | 0x99 | 0x9a | 0x9c | 0x9e
            | 0x9f | 0xa0 | 0xa1 | 0xa3 | 0xa7 | 0xa9..=0xab | 0xae | 0xb0 | 0xb2..=0xb4 | 0xb7
            | 0xb9..=0xbd | 0xbf..=0xd6 | 0xd8..=0xf6 | 0xf8..=0xff
    )
}

/// True if all bytes are characters of this encoding that texts in it have.
fn fits(bytes: &[u8], encoding: &'static Encoding) -> bool {
    let (text, failed) = encoding.decode_without_bom_handling(bytes);
    if failed || !text.chars().all(is_east_asian) {
        return false;
    }
    if encoding == GB18030 {
        // The characters of the older GB 2312, which are the usual ones, have two high bytes.
        let high = bytes.iter().filter(|byte| **byte >= 0xa1).count();
        let characters = text.chars().filter(|c| !c.is_ascii()).count();
        return 3 * high >= 4 * characters;
    }
    // Each byte of other encodings can be a katakana of half width in Shift-JIS.
    let wide = text.chars().filter(|c| !c.is_ascii());
    let narrow = wide.clone().filter(|c| ('\u{ff61}'..='\u{ff9f}').contains(c)).count();
    2 * narrow <= wide.count()
}

/// True for ASCII, Han, kana, and the marks used with them.
fn is_east_asian(c: char) -> bool {
    matches!(c, '\0'..='\x7f' | '°' | '±' | '·' | '×' | '\u{2010}'..='\u{26ff}'
        | '\u{3000}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
}

/// Chooses between EUC-JP, which has kana, and GB18030, whose frequent characters include those from
/// 0xD0 on: in EUC-JP they are rare.
fn choose(bytes: &[u8], fitting: &[&'static Encoding]) -> Option<&'static Encoding> {
    if fitting != [EUC_JP, GB18030] {
        return None;
    }
    let runs = bytes.split(u8::is_ascii);
    let leads = runs.flat_map(|run| run.chunks(2)).map(|pair| pair[0]);
    if leads.clone().any(|lead| matches!(lead, 0xa4 | 0xa5)) {
        return Some(EUC_JP);
    }
    let characters = leads.clone().filter(|lead| *lead >= 0xb0).count();
    let late = leads.filter(|lead| *lead >= 0xd0).count();
    (characters >= MIN_COUNTED && 6 * late > characters).then_some(GB18030)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{KOI8_U, WINDOWS_1251};

    use super::*;

    const JAPANESE: &str = "順位,氏名\n1,山田 はなこ\n2,鈴木 タロウ\n";
    const CHINESE: &str = "名次,姓名\n1,赵小燕\n2,吴雨\n3,杨柳\n4,徐志\n";

    fn decode(encoding: &'static Encoding, text: &str) -> Result<(String, Option<String>), String> {
        let (bytes, _, failed) = encoding.encode(text);
        assert!(!failed, "{text}");
        decode_text(bytes).map_err(|error| error.to_string())
    }

    #[test]
    fn older_encodings_are_recognised() {
        for (encoding, text) in [
            (SHIFT_JIS, JAPANESE),
            (EUC_JP, JAPANESE),
            (GB18030, CHINESE),
            (SHIFT_JIS, "順位,氏名\n1,田中\n2,佐藤\n"),
            (WINDOWS_1251, "место;имя\n1;Иванов Пётр\n2;Щукина Анна\n"),
        ] {
            let (decoded, note) = decode(encoding, text).unwrap();
            assert_eq!(decoded, text, "{encoding:?}");
            assert!(note.unwrap().starts_with(&format!("read as {}", encoding.name())));
        }
    }

    #[test]
    fn latin_letters_stay_latin() {
        for text in [
            "Müller",
            "Schröder,Zoë\n",
            "place;name\n1;“Ångström” – André\n",
            "Ærø,ÅÄÖ,É",
            "name\nSean O’Neill\nAnn\u{a0}Lee\n",
            "Smith–Jones,Café Racers™,Women’s Club,Col·lell\n",
            "McGrégor,José DeLéon\n",
        ] {
            let (decoded, note) = decode(WINDOWS_1252, text).unwrap();
            assert_eq!(decoded, text);
            assert!(note.unwrap().starts_with("read as Latin-1"));
        }
    }

    #[test]
    fn capitals_of_several_alphabets_need_conversion() {
        let error = decode(WINDOWS_1251, "ЛЮБОВЬ ЮНГА\n").unwrap_err();
        assert!(error.contains("fits several encodings"), "{error}");
        assert!(error.contains(&format!("if it is {}", KOI8_U.name())), "{error}");
    }

    #[test]
    fn kanji_without_kana_need_conversion() {
        let error = decode(EUC_JP, "氏名\n田中\n佐藤\n").unwrap_err();
        assert!(error.starts_with("line 1: the text is not UTF-8 and fits several"), "{error}");
        assert!(error.contains("iconv -f EUC-JP -t UTF-8 if it is EUC-JP, or with"), "{error}");
    }
}
