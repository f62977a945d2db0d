//! Quotes words for a shell, in messages with commands and options.

/// Returns a word quoted for a shell if it needs quotes.
#[must_use]
pub fn quote_for_shell(word: &str) -> String {
    let mut chars = word.chars();
    if !word.is_empty() && chars.all(|c| c.is_alphanumeric() || "-_.=:+/".contains(c)) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_special_characters_are_quoted() {
        for (word, quoted) in [
            ("Board=division", "Board=division"),
            ("Schütze", "Schütze"),
            ("a/b.csv", "a/b.csv"),
            ("Race No.", "'Race No.'"),
            ("", "''"),
            ("$(x)", "'$(x)'"),
            ("it's", r"'it'\''s'"),
            ("*", "'*'"),
        ] {
            assert_eq!(quote_for_shell(word), quoted);
        }
    }
}
