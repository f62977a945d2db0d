//! Quotes of text tables that stand elsewhere than those of CSV: around whole lines, or behind blanks.

use crate::delimiters::DELIMITERS;

/// Returns the lines without quotes if each is one quoted cell with delimiters: `"1,Ada,9"`.
pub(crate) fn unquote_lines(text: &str) -> Option<String> {
    let mut unquoted = String::new();
    for line in text.lines() {
        let cell = match line.trim_end() {
            "" => "",
            line => line.strip_prefix('"')?.strip_suffix('"')?,
        };
        let is_row = cell.bytes().any(|byte| DELIMITERS.contains(&byte));
        if cell.contains('"') || !(is_row || cell.is_empty()) {
            return None;
        }
        unquoted.push_str(cell);
        unquoted.push('\n');
    }
    Some(unquoted).filter(|text| !text.trim().is_empty())
}

/// Returns the text without blanks before quoted cells, `1, "Ann, Ada"`, if there are some and each quote
/// begins or ends a cell of one line, or is doubled within.
pub(crate) fn close_up_quotes(text: &str, delimiter: u8) -> Option<String> {
    let delimiter = char::from(delimiter);
    let is_blank = |c: char| c == ' ' && c != delimiter;
    if !text.contains(&format!("{delimiter} ")) || !text.contains(" \"") {
        return None;
    }
    let mut closed_up = String::with_capacity(text.len());
    let mut has_blanks = false;
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        loop {
            let cell = rest.trim_start_matches(is_blank);
            let end = match cell.strip_prefix('"') {
                Some(quoted) => {
                    has_blanks |= cell.len() < rest.len();
                    rest = cell;
                    1 + find_closing_quote(quoted)?
                }
                None => 0,
            };
            let after = &rest[end..];
            let next = after.find(delimiter).unwrap_or(after.len());
            let is_closed = end == 0 || after[..next].trim().is_empty();
            if !is_closed || after[..next].contains('"') {
                return None;
            }
            let next = end + next;
            let width = rest[next..].chars().next().map_or(0, char::len_utf8);
            closed_up.push_str(&rest[..next + width]);
            rest = &rest[next + width..];
            if width == 0 {
                break;
            }
        }
    }
    has_blanks.then_some(closed_up)
}

/// Returns the offset behind the quote that closes a cell. Two quotes are one within it.
fn find_closing_quote(quoted: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + quoted[from..].find('"')?;
        if !quoted[at + 1..].starts_with('"') {
            return Some(at + 1);
        }
        from = at + 2;
    }
}
