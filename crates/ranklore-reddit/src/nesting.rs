//! The nesting depth of documents: threads are trees, and readers recurse into them.

/// The deepest nesting of objects and arrays that is read. A comment takes five levels, and ten
/// levels of comments are requested. Minimising works down to 100 levels
/// ([`ranklore_source::json::try_trim`]) and keeps nothing of deeper documents.
pub(crate) const MAX_NESTING: usize = 90;

/// True if a JSON document is nested deeper than [`MAX_NESTING`]. Ignores syntax errors, which the
/// reader reports.
pub(crate) fn is_too_deep(body: &[u8]) -> bool {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(byte) = body.get(at) {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                if depth > MAX_NESTING {
                    return true;
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => at = end_of_string(body, at),
            _ => {}
        }
        at += 1;
    }
    false
}

/// Returns the end of the string that starts here: its closing quotation mark, or the end of the
/// document.
fn end_of_string(body: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = body.get(at) {
        match byte {
            b'"' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_strings_are_ignored() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(!is_too_deep(nested(MAX_NESTING).as_bytes()));
        assert!(is_too_deep(nested(MAX_NESTING + 1).as_bytes()));
        let wide = format!("[{}1]", "[[]],".repeat(1000));
        assert!(!is_too_deep(wide.as_bytes()));
        let text = format!(r#"["{} \" {}"]"#, "[".repeat(200), "{".repeat(200));
        assert!(!is_too_deep(text.as_bytes()));
        for cut in [&b""[..], b"\"", b"\"\\", b"]]]", b"{\"a"] {
            assert!(!is_too_deep(cut));
        }
    }
}
