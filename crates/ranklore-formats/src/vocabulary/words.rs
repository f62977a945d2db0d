//! The words of headings and cells, without case, accents and punctuation.

use unicode_normalization::char::decompose_canonical;

/// Returns a heading without its units: `Time (s)`, `Score [pts]`.
pub(crate) fn strip_brackets(heading: &str) -> String {
    let mut depth = 0_usize;
    heading
        .chars()
        .filter(|c| match c {
            '(' | '[' | '{' => {
                depth += 1;
                false
            }
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                false
            }
            _ => depth == 0,
        })
        .collect()
}

/// True if a space-separated list contains a word.
pub(crate) fn has_word(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

/// Returns the normalised words of a heading. A capital letter after a small one begins a word, and so
/// does a number: `blueTeamName`, `player_1`, `id2`.
pub(crate) fn split_words(heading: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut last = ' ';
    for c in strip_brackets(heading).chars() {
        let begins_word = !c.is_alphanumeric()
            || c.is_ascii_digit() != last.is_ascii_digit()
            || (c.is_uppercase() && last.is_lowercase());
        if begins_word && !word.is_empty() {
            words.push(normalise_word(&word));
            word.clear();
        }
        if c.is_alphanumeric() {
            word.push(c);
        }
        last = c;
    }
    if !word.is_empty() {
        words.push(normalise_word(&word));
    }
    words
}

/// Returns the letters and digits of a text, in lower case. Latin and Greek ones have no accents.
pub(crate) fn normalise_word(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()) {
        match strip_accent(c) {
            'ø' => plain.push('o'),
            'ł' => plain.push('l'),
            'đ' => plain.push('d'),
            'ı' => plain.push('i'),
            // The sigma that ends a word; in capital letters both are one.
            'ς' => plain.push('σ'),
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            c => plain.push(c),
        }
    }
    plain
}

/// Returns a Latin or Greek letter without its accents. Those of other scripts make another letter.
fn strip_accent(c: char) -> char {
    if !matches!(c, '\u{c0}'..='\u{3ff}' | '\u{1e00}'..='\u{1fff}') {
        return c;
    }
    let mut letter = None;
    decompose_canonical(c, |part| {
        letter.get_or_insert(part);
    });
    letter.unwrap_or(c)
}
