//! Enums of words as values of options.

use ranklore_contest::WordEnum;

use crate::exit::WrongUsage;
use crate::output::join_words;

pub(crate) use ranklore_views::values::{possible_values, words};

/// Parses the word of a `--format` that `command` has in place of the global one. Errors if it was
/// given before `command`, where other words are valid.
pub(crate) fn parse_format<E: WordEnum>(word: &str, command: &str) -> Result<E, WrongUsage> {
    E::find(word).ok_or_else(|| {
        let words = join_words(E::WORDS);
        WrongUsage(format!(
            "--format of {command} is a format of files: {words}; --json prints the result as JSON"
        ))
    })
}
