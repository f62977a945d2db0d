//! The words of headings and cells, without case, accents and punctuation.

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

/// Returns the letters and digits of a text, in lower case, without accents.
pub(crate) fn normalise_word(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'à'..='å' | 'ā' | 'ă' | 'ą' => plain.push('a'),
            'ç' | 'ć' | 'č' => plain.push('c'),
            'è'..='ë' | 'ē' | 'ę' | 'ě' => plain.push('e'),
            'ì'..='ï' | 'ī' => plain.push('i'),
            'ñ' | 'ń' | 'ň' => plain.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => plain.push('o'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' => plain.push('u'),
            'ý' | 'ÿ' => plain.push('y'),
            'ř' | 'ŕ' => plain.push('r'),
            'š' | 'ś' | 'ş' | 'ș' => plain.push('s'),
            'ť' | 'ț' | 'ţ' => plain.push('t'),
            'ď' | 'đ' => plain.push('d'),
            'ľ' | 'ł' => plain.push('l'),
            'ğ' => plain.push('g'),
            'ž' | 'ź' | 'ż' => plain.push('z'),
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            c if c.is_alphanumeric() => plain.push(c),
            _ => {}
        }
    }
    plain
}
