//! Escaping of text from sites and users for Markdown, YAML, JSON, HTML and `BibTeX`.

use std::fmt::Write;

use serde::Serialize;

/// Escapes text for one line of Markdown or a table cell: no markup, HTML or links. The result must
/// not begin a line, where a lone hyphen starts a list.
#[must_use]
pub fn escape_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let text = to_one_line(text);
    for (at, c) in text.char_indices() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '$' | '!' | '@' => {
                out.extend(['\\', c]);
            }
            // Some renderers link anything that looks like a URL.
            ':' if text[at..].starts_with("://") => out.push_str("\\:"),
            '.' if text[..at].to_ascii_lowercase().ends_with("www") => out.push_str("\\."),
            c => out.push(c),
        }
    }
    out
}

/// Formats text as inline code of Markdown. `<code>` avoids counting backticks.
pub(super) fn markdown_code(text: &str) -> String {
    format!("<code>{}</code>", escape_markdown(text))
}

/// Quotes text for YAML and JSON, without `<`, in case the YAML is rendered as Markdown.
pub(super) fn yaml_string(text: &str) -> String {
    // Strings always serialize.
    let quoted = serde_json::to_string(&to_one_line(text)).unwrap_or_default();
    quoted.replace('<', "\\u003c")
}

/// Serializes to JSON that is safe in an HTML script and free of invisible characters.
pub(super) fn to_html_safe_json(document: &impl Serialize) -> String {
    // All keys are strings, so serialization cannot fail.
    let text = serde_json::to_string_pretty(document).unwrap_or_default();
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        if c == '<' || (c != '\n' && is_unsafe_char(c)) {
            // These characters occur within JSON strings only.
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out.push('\n');
    out
}

/// Escapes text for a braced value of `BibTeX`.
pub(super) fn escape_bibtex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in to_one_line(text).chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// Returns the text if it is an HTTP URL of harmless characters.
pub(super) fn safe_url(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let is_harmless =
        rest.chars().all(|c| c.is_ascii_alphanumeric() || "-._~:/?#&+,;=%".contains(c));
    (!rest.is_empty() && is_harmless).then_some(text)
}

/// Joins the lines of a text with spaces and shows unsafe characters as escapes.
fn to_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                out.push(' ');
            }
            c if is_unsafe_char(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// True for control, bidirectional, invisible and non-characters. The two joiners are allowed: many
/// languages need them.
fn is_unsafe_char(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_never_becomes_markup() {
        let text = "a|b `c` <script>x</script>\r\n---\n# *d* [e](f) & \\";
        assert_eq!(
            escape_markdown(text),
            r"a\|b \`c\` &lt;script&gt;x&lt;/script&gt;  --- \# \*d\* \[e\](f) &amp; \\"
        );
        assert_eq!(markdown_code("x`y"), r"<code>x\`y</code>");
    }

    #[test]
    fn text_never_becomes_a_link() {
        assert_eq!(
            escape_markdown("see https://a.example or WWW.b.example or c@d.example"),
            r"see https\://a.example or WWW\.b.example or c\@d.example"
        );
    }

    #[test]
    fn control_characters_are_shown_escaped() {
        assert_eq!(escape_markdown("a\u{202e}b\0c"), r"a\\u{202e}b\\u{0}c");
        assert_eq!(yaml_string("a\u{202e}b\u{7f}"), r#""a\\u{202e}b\\u{7f}""#);
        // Some languages need the joiners.
        assert_eq!(escape_markdown("a\u{200d}b"), "a\u{200d}b");
    }

    #[test]
    fn quoted_text_is_one_line() {
        assert_eq!(yaml_string("---\n\"x\": # y\u{85}'z'"), r#""--- \"x\": # y 'z'""#);
    }

    #[test]
    fn json_is_safe_in_html_and_round_trips() {
        let text = "</script>\u{202e}\u{e0041}\u{2028}";
        let written = to_html_safe_json(&[text]);
        assert_eq!(written, "[\n  \"\\u003c/script>\\u202e\\udb40\\udc41\\u2028\"\n]\n");
        assert_eq!(serde_json::from_str::<[String; 1]>(&written).unwrap(), [text]);
    }

    #[test]
    fn bibtex_braces_are_escaped() {
        assert_eq!(escape_bibtex("a}, b\\c_%"), r"a\}, b\textbackslash{}c\_\%");
    }

    #[test]
    fn only_plain_urls_are_accepted() {
        assert_eq!(safe_url("https://a.example/b?c=d"), Some("https://a.example/b?c=d"));
        for bad in [
            "javascript:alert(1)",
            "https://",
            "https://a.example/>x",
            "https://a.example/ b",
            "https://a.example|b",
            "https://codeforces.com@b.example",
            "//a.example",
        ] {
            assert_eq!(safe_url(bad), None, "{bad}");
        }
    }
}
