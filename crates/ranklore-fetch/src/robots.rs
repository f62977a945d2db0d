//! `robots.txt` by RFC 9309.

use std::time::Duration;

use percent_encoding::percent_encode_byte;
use reqwest::Url;

/// Bytes of a `robots.txt` that are read; the RFC requires at least 500 KiB.
pub(crate) const MAX_BYTES: usize = 512 << 10;
/// Product token of Ranklore in `User-agent` lines.
const PRODUCT: &str = "ranklore";

/// Rules of a `robots.txt` for one program: those of the groups that name it, or else of the groups
/// for `*`.
#[derive(Debug, Default)]
pub(crate) struct Robots {
    rules: Vec<Rule>,
    /// The `Crawl-delay`, a common extension of the RFC.
    pub(crate) crawl_delay: Option<Duration>,
}

#[derive(Debug)]
struct Rule {
    allow: bool,
    /// Normalised; `*` and a final `$` are wildcards.
    pattern: String,
    /// The line as written, for messages.
    line: String,
}

/// The group of rules that the current line belongs to.
#[derive(Default)]
struct Group {
    is_for_product: bool,
    is_for_anybody: bool,
    /// True if its rules have begun: a further user agent begins a new group.
    has_rules: bool,
}

impl Robots {
    /// Parses the rules for Ranklore.
    pub(crate) fn parse(text: &str) -> Self {
        Self::parse_for(PRODUCT, text)
    }

    /// Parses the rules for a product token.
    fn parse_for(product: &str, text: &str) -> Self {
        let mut named = None::<Self>;
        let mut anybody = Self::default();
        let mut group = Group::default();
        let text = text.trim_start_matches('\u{feff}');
        for line in text.split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default().trim();
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let key = key.trim().to_ascii_lowercase();
            let value = value.trim();
            if key == "user-agent" {
                if group.has_rules {
                    group = Group::default();
                }
                group.is_for_anybody |= value == "*";
                if product_token(value).eq_ignore_ascii_case(product) {
                    group.is_for_product = true;
                    named.get_or_insert_default();
                }
                continue;
            }
            // Other lines, such as Sitemap, belong to no group and end none.
            if !matches!(key.as_str(), "allow" | "disallow" | "crawl-delay") {
                continue;
            }
            group.has_rules = true;
            if group.is_for_product
                && let Some(named) = &mut named
            {
                named.add_line(&key, value, line);
            }
            if group.is_for_anybody {
                anybody.add_line(&key, value, line);
            }
        }
        named.unwrap_or(anybody)
    }

    fn add_line(&mut self, key: &str, value: &str, line: &str) {
        if key == "crawl-delay" {
            let seconds = value.parse().ok();
            let delay = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            self.crawl_delay = self.crawl_delay.max(delay);
        } else if !value.is_empty() {
            self.rules.push(Rule {
                allow: key == "allow",
                pattern: normalise(value, true),
                line: line.to_owned(),
            });
        }
    }

    /// Returns the line that disallows a path with its query: the longest matching pattern, unless
    /// an allowing pattern is as long.
    pub(crate) fn disallow_rule(&self, path: &str) -> Option<&str> {
        let path = normalise(path, false);
        if path == "/robots.txt" {
            return None;
        }
        let fitting = self.rules.iter().filter(|rule| rule.matches(&path));
        let rule = fitting.max_by_key(|rule| (rule.pattern.len(), rule.allow))?;
        (!rule.allow).then_some(&rule.line)
    }

    pub(crate) fn disallow_rule_for_url(&self, url: &Url) -> Option<&str> {
        match url.query() {
            Some(query) => self.disallow_rule(&format!("{}?{query}", url.path())),
            None => self.disallow_rule(url.path()),
        }
    }
}

impl Rule {
    /// Matches each piece between stars at its first occurrence. There is no backtracking, so
    /// matching is linear.
    fn matches(&self, path: &str) -> bool {
        let (pattern, to_end) = match self.pattern.strip_suffix('$') {
            Some(pattern) => (pattern, true),
            None => (self.pattern.as_str(), false),
        };
        let mut pieces = pattern.split('*');
        let Some(mut rest) = path.strip_prefix(pieces.next().unwrap_or_default()) else {
            return false;
        };
        let mut pieces: Vec<_> = pieces.collect();
        let Some(last) = pieces.pop() else {
            return !to_end || rest.is_empty();
        };
        for piece in pieces {
            match rest.find(piece) {
                Some(at) => rest = &rest[at + piece.len()..],
                None => return false,
            }
        }
        if to_end {
            rest.ends_with(last)
        } else {
            rest.contains(last)
        }
    }
}

/// Returns the product token that begins a `User-agent` value.
fn product_token(value: &str) -> &str {
    let end = value.find(|char: char| !char.is_ascii_alphabetic() && char != '-' && char != '_');
    &value[..end.unwrap_or(value.len())]
}

/// Normalises percent-encoding: non-ASCII octets are encoded, unreserved ones decoded, hexadecimal
/// digits upper-case. In a path, `*` and `$` are literal and encoded too.
fn normalise(text: &str, is_pattern: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        let mut ahead = bytes.clone();
        let digits =
            [ahead.next(), ahead.next()].map(|byte| byte.and_then(|b| char::from(b).to_digit(16)));
        match (byte, digits) {
            (b'%', [Some(high), Some(low)]) => {
                bytes = ahead;
                let byte = (high << 4 | low) as u8;
                if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                    out.push(char::from(byte));
                } else {
                    out.push_str(percent_encode_byte(byte));
                }
            }
            (b'*' | b'$', _) if !is_pattern => out.push_str(percent_encode_byte(byte)),
            _ if byte.is_ascii_graphic() => out.push(char::from(byte)),
            _ => out.push_str(percent_encode_byte(byte)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(text: &str, path: &str) -> bool {
        Robots::parse(text).disallow_rule(path).is_none()
    }

    #[test]
    fn specific_group_overrides_wildcard() {
        let text = "User-agent: *\nDisallow: /a\n\nUser-agent: ranklore\nDisallow: /b\n";
        assert!(is_allowed(text, "/a"));
        assert!(!is_allowed(text, "/b"));
        assert!(Robots::parse_for("other", text).disallow_rule("/a").is_some());
        assert!(Robots::parse_for("other", text).disallow_rule("/b").is_none());
    }

    #[test]
    fn groups_with_same_agent_are_merged() {
        let text = "user-agent: RankLore/2.0\ndisallow: /a\n\
                    User-Agent: x\nDisallow: /x\n\
                    User-agent: y\nUser-agent: RANKLORE\nDisallow: /b\n";
        assert!(!is_allowed(text, "/a"));
        assert!(!is_allowed(text, "/b"));
        assert!(is_allowed(text, "/x"));
        assert!(Robots::parse_for("y", text).disallow_rule("/b").is_some());
        // A longer name is another program.
        assert!(is_allowed("User-agent: ranklore-images\nDisallow: /", "/"));
    }

    #[test]
    fn group_without_rules_allows_all() {
        let text = "User-agent: *\nDisallow: /\n\nUser-agent: ranklore\nDisallow:\n";
        assert!(is_allowed(text, "/anything"));
        assert!(is_allowed("User-agent: *\nDisallow: /\nUser-agent: ranklore\n", "/"));
        assert!(is_allowed("", "/"));
        assert!(is_allowed("<html><p>Disallow: /</p></html>", "/"));
    }

    #[test]
    fn sitemap_line_keeps_group_open() {
        let text = "User-agent: ranklore\nSitemap: https://example.org/map.xml\nUser-agent: x\nDisallow: /a\n";
        assert!(!is_allowed(text, "/a"));
    }

    #[test]
    fn longest_pattern_wins_and_tie_allows() {
        let text = "User-agent: *\nAllow: /pages/results.\nDisallow: /pages/results.csv\nDisallow: /pages/\nAllow: /pages/\nAllow: /open\n";
        assert!(is_allowed(text, "/pages/results.html"));
        assert!(!is_allowed(text, "/pages/results.csv"));
        assert!(is_allowed(text, "/pages/other"));
        assert!(is_allowed(text, "/elsewhere"));
        assert_eq!(
            Robots::parse(text).disallow_rule("/pages/results.csv?a=1"),
            Some("Disallow: /pages/results.csv")
        );
    }

    #[test]
    fn wildcards_anchors_and_comments_are_parsed() {
        let text = "\u{feff}User-agent: * # all\r\nDisallow: *.gif$ # pictures\r\nDisallow: /a/*/b*c\rDisallow: /exact$\nDisallow: /*?print=\n";
        assert!(!is_allowed(text, "/x/y.gif"));
        assert!(is_allowed(text, "/x/y.gif?z"));
        assert!(!is_allowed(text, "/a/1/2/b3c4"));
        assert!(is_allowed(text, "/a/1/2/c3b4"));
        assert!(!is_allowed(text, "/exact"));
        assert!(is_allowed(text, "/exactly"));
        assert!(!is_allowed(text, "/page?print=1"));
        assert!(!is_allowed("User-agent: *\nDisallow: /$", "/"));
        assert!(is_allowed("User-agent: *\nDisallow: /$", "/a"));
        // The last piece must not overlap the pieces before it.
        assert!(is_allowed("User-agent: *\nDisallow: /ab*ab$", "/ab"));
    }

    #[test]
    fn percent_encoding_is_normalised() {
        for (pattern, path, forbidden) in [
            ("/foo/bar?baz=quz", "/foo/bar?baz=quz", true),
            ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", false),
            ("/foo/ツ", "/foo/%E3%83%84", true),
            ("/foo/%E3%83%84", "/foo/%e3%83%84", true),
            ("/foo/%62%61%7A", "/foo/baz", true),
            ("/foo/baz", "/foo/b%61z", true),
            ("/a%2Fb", "/a/b", false),
            ("/star%2A", "/star*", true),
            ("/star%2A", "/starfish", false),
            ("/cost%24", "/cost$5", true),
            ("/50%", "/50%off", true),
        ] {
            let text = format!("User-agent: *\nDisallow: {pattern}\n");
            assert_eq!(!is_allowed(&text, path), forbidden, "{pattern} {path}");
        }
    }

    #[test]
    fn robots_txt_itself_is_always_allowed() {
        assert!(is_allowed("User-agent: *\nDisallow: /\n", "/robots.txt"));
        assert!(!is_allowed("User-agent: *\nDisallow: /\n", "/robots.txt.bak"));
    }

    #[test]
    fn matching_takes_linear_time() {
        let text = format!("User-agent: *\nDisallow: /{}b\n", "a*".repeat(5_000));
        assert!(is_allowed(&text, &format!("/{}", "a".repeat(20_000))));
    }

    #[test]
    fn crawl_delays_are_read() {
        let delay = |value: &str| {
            Robots::parse(&format!("User-agent: *\nCrawl-delay: {value}\n")).crawl_delay
        };
        assert_eq!(delay("2.5"), Some(Duration::from_millis(2_500)));
        for nothing in ["-1", "soon", "NaN", "inf", ""] {
            assert_eq!(delay(nothing), None, "{nothing}");
        }
    }
}
