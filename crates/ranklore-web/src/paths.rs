//! The paths of pages.

use std::sync::Arc;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use ranklore_contest::word_enum;

pub(crate) const HOME: &str = "/";
pub(crate) const LEADERBOARD: &str = "/leaderboard";
pub(crate) const STYLE: &str = "/style.css";
pub(crate) const ICON: &str = "/icon.svg";
/// The script that adds zoom and hover to rating curves.
pub(crate) const CURVE_SCRIPT: &str = "/curve.js";
/// The list of the parts of the search index of a static site.
pub(crate) const SEARCH_INDEX: &str = "/search/index.json";
/// The script that searches it.
pub(crate) const SEARCH_SCRIPT: &str = "/search.js";
/// The counters of the server, at an address of their own.
pub(crate) const METRICS: &str = "/metrics";
/// The prefix of the pages as JSON and CSV.
pub(crate) const API: &str = "/api/v1";

/// The path below which a proxy shows the server, without the slash at its end; empty for all of a
/// host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BasePath(Arc<str>);

impl BasePath {
    /// Takes a path such as `/ratings/`.
    pub(crate) fn new(path: &str) -> Self {
        Self(path.trim_end_matches('/').into())
    }

    /// Returns a path of the server as browsers ask for it.
    pub(crate) fn link(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }

    /// Returns the path of the server that a browser asked for; none for another path of the host.
    pub(crate) fn strip<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(&*self.0).filter(|path| path.starts_with('/'))
    }
}

/// All characters but those that RFC 3986 leaves as they are.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns an id as a segment of a path. Browsers resolve `.` and `..`, also escaped ones, so that
/// these get a tilde, as do ids that begin with one.
fn segment(id: &str) -> String {
    let mark = if id.starts_with('~') || matches!(id, "." | "..") {
        "~"
    } else {
        ""
    };
    format!("{mark}{}", utf8_percent_encode(id, ESCAPED))
}

/// Returns the id of a decoded segment.
pub(crate) fn id_of_segment(segment: &str) -> &str {
    segment.strip_prefix('~').unwrap_or(segment)
}

/// Returns the path of a competitor.
pub(crate) fn player_path(source: &str, id: &str) -> String {
    format!("/player/{source}/{}", segment(id))
}

/// Returns the path of a contest.
pub(crate) fn contest_path(source: &str, id: &str) -> String {
    format!("/contest/{source}/{}", segment(id))
}

word_enum! {
    /// A page about a source.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum SourcePage {
        Contests = "contests",
        Players = "players",
        Movers = "movers",
        Distribution = "distribution",
        Records = "records",
        Compare = "compare",
        Predict = "predict",
    }
}

impl SourcePage {
    /// Returns the path of the page.
    pub(crate) fn path(self, source: &str) -> String {
        format!("/{}/{source}", self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_survive_paths() {
        for (id, path) in [
            ("ann", "/player/club/ann"),
            ("a/b?c#d", "/player/club/a%2Fb%3Fc%23d"),
            (".", "/player/club/~."),
            ("..", "/player/club/~.."),
            ("~x", "/player/club/~~x"),
            ("\"<Š>", "/player/club/%22%3C%C5%A0%3E"),
        ] {
            assert_eq!(player_path("club", id), path);
            let last = path.rsplit('/').next().unwrap();
            let decoded = percent_encoding::percent_decode_str(last).decode_utf8().unwrap();
            assert_eq!(id_of_segment(&decoded), id);
        }
    }
}
