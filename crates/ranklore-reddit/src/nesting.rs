//! How deep a document is nested: threads are trees, and whoever reads one goes down into it.

/// So many objects and lists lie within each other at most. A comment takes five of them, and ten
/// levels of comments are asked for. Texts are taken out of documents down to a hundred levels
/// ([`ranklore_source::json::searched`]), and nothing is kept of those that are deeper.
pub(crate) const MAX_NESTING: usize = 90;

/// Whether a document of JSON goes deeper. Never an error: of what is no JSON, whoever reads it
/// says so.
pub(crate) fn is_too_deep(body: &[u8]) -> bool {
    let (mut depth, mut at) = (0_usize, 0);
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

/// Where the string ends that begins here: the closing quotation mark, or the end of it all.
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
    fn brackets_count_outside_of_strings() {
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
