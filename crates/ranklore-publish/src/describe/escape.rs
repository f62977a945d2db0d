//! Texts of sites and people, written such that nothing in them breaks out of what they stand in.

use std::fmt::Write;

use serde::Serialize;

/// A text in one line of Markdown, in a cell of a table too: nothing in it is markup, HTML or a
/// link. It must not begin a line, where a hyphen alone is a list.
pub(crate) fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let text = one_line(text);
    for (at, c) in text.char_indices() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '$' | '!' | '@' => {
                out.extend(['\\', c]);
            }
            // Some renderers make links of what begins like an address.
            ':' if text[at..].starts_with("://") => out.push_str("\\:"),
            '.' if text[..at].to_ascii_lowercase().ends_with("www") => out.push_str("\\."),
            c => out.push(c),
        }
    }
    out
}

/// A text as code in one line of Markdown. (Backticks would have to be outnumbered.)
pub(super) fn code(text: &str) -> String {
    format!("<code>{}</code>", markdown(text))
}

/// A text in double quotes, as YAML and JSON have it; where YAML is taken for Markdown it begins
/// no HTML.
pub(super) fn quoted(text: &str) -> String {
    // A text always has a JSON form.
    let quoted = serde_json::to_string(&one_line(text)).unwrap_or_default();
    quoted.replace('<', "\\u003c")
}

/// A document of JSON that may stand in a script of HTML, and shows as it reads.
pub(super) fn json(document: &impl Serialize) -> String {
    // All keys are texts, so that there is a form always.
    let text = serde_json::to_string_pretty(document).unwrap_or_default();
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        if c == '<' || (c != '\n' && steers(c)) {
            // Outside of strings there is none of these.
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

/// A text in braces of `BibTeX`.
pub(super) fn bibtex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
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

/// The text if it is an address that may be linked as it is.
pub(super) fn address(text: &str) -> Option<&str> {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))?;
    let fits = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#&+,;=%".contains(c);
    (!rest.is_empty() && rest.chars().all(fits)).then_some(text)
}

/// The text in one line: what breaks lines is a space, and what else steers is shown as an escape.
fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                out.push(' ');
            }
            c if steers(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Control characters, those that turn, hide or break text, and those that are none. The two
/// joiners stay: many languages write with them.
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        let text = "a|b `c` <script>x</script>\r\n---\n# *d* [e](f) & \\";
        assert_eq!(
            markdown(text),
            r"a\|b \`c\` &lt;script&gt;x&lt;/script&gt;  --- \# \*d\* \[e\](f) &amp; \\"
        );
        assert_eq!(code("x`y"), r"<code>x\`y</code>");
    }

    #[test]
    fn nothing_in_a_text_becomes_a_link() {
        assert_eq!(
            markdown("see https://a.example or WWW.b.example or c@d.example"),
            r"see https\://a.example or WWW\.b.example or c\@d.example"
        );
    }

    #[test]
    fn what_turns_or_hides_text_is_shown() {
        assert_eq!(markdown("a\u{202e}b\0c"), r"a\\u{202e}b\\u{0}c");
        assert_eq!(quoted("a\u{202e}b\u{7f}"), r#""a\\u{202e}b\\u{7f}""#);
        // Joiners are of some languages.
        assert_eq!(markdown("a\u{200d}b"), "a\u{200d}b");
    }

    #[test]
    fn a_quoted_text_is_one_line() {
        assert_eq!(
            quoted("---\n\"x\": # y\u{85}'z'"),
            r#""--- \"x\": # y 'z'""#
        );
    }

    #[test]
    fn json_may_stand_in_html_and_says_the_same() {
        let text = "</script>\u{202e}\u{e0041}\u{2028}";
        let written = json(&[text]);
        assert_eq!(
            written,
            "[\n  \"\\u003c/script>\\u202e\\udb40\\udc41\\u2028\"\n]\n"
        );
        assert_eq!(
            serde_json::from_str::<[String; 1]>(&written).unwrap(),
            [text]
        );
    }

    #[test]
    fn braces_of_bibtex_are_not_closed() {
        assert_eq!(bibtex("a}, b\\c_%"), r"a\}, b\textbackslash{}c\_\%");
    }

    #[test]
    fn only_plain_addresses_are_linked() {
        assert_eq!(
            address("https://a.example/b?c=d"),
            Some("https://a.example/b?c=d")
        );
        for bad in [
            "javascript:alert(1)",
            "https://",
            "https://a.example/>x",
            "https://a.example/ b",
            "https://a.example|b",
            "https://codeforces.com@b.example",
            "//a.example",
        ] {
            assert_eq!(address(bad), None, "{bad}");
        }
    }
}
