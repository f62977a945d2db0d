//! The paths of pages.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

pub(crate) const HOME: &str = "/";
pub(crate) const LEADERBOARD: &str = "/leaderboard";
pub(crate) const STYLE: &str = "/style.css";
pub(crate) const ICON: &str = "/icon.svg";
/// The script that adds zoom and hover to rating curves, and the library that it uses.
pub(crate) const CURVE_SCRIPT: &str = "/curve.js";
pub(crate) const CHART_SCRIPT: &str = "/uplot.js";
pub(crate) const CHART_STYLE: &str = "/uplot.css";
/// The list of the parts of the search index of a static site.
pub(crate) const SEARCH_INDEX: &str = "/search/index.json";
/// The script that searches it.
pub(crate) const SEARCH_SCRIPT: &str = "/search.js";
/// The prefix of the pages as JSON and CSV.
pub(crate) const API: &str = "/api/v1";

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

/// Returns the path of the contests of a source.
pub(crate) fn contests_path(source: &str) -> String {
    format!("/contests/{source}")
}

/// Returns the path of the competitors of a source.
pub(crate) fn players_path(source: &str) -> String {
    format!("/players/{source}")
}

/// Returns the path of the distribution of ratings of a source.
pub(crate) fn distribution_path(source: &str) -> String {
    format!("/distribution/{source}")
}

/// Returns the path of the records of a source.
pub(crate) fn records_path(source: &str) -> String {
    format!("/records/{source}")
}

/// Returns the path of the movers of a source.
pub(crate) fn movers_path(source: &str) -> String {
    format!("/movers/{source}")
}

/// Returns the path of predictions of a source.
pub(crate) fn predict_path(source: &str) -> String {
    format!("/predict/{source}")
}

/// Returns the path of comparisons of a source.
pub(crate) fn compare_path(source: &str) -> String {
    format!("/compare/{source}")
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
