//! The paths of pages.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use ranklore_store::RunRow;

use crate::parameters::{Parameters, link};

pub(crate) const HOME: &str = "/";
pub(crate) const LEADERBOARD: &str = "/leaderboard";
pub(crate) const STYLE: &str = "/style.css";
pub(crate) const ICON: &str = "/icon.svg";
/// The prefix of the pages as JSON and CSV.
pub(crate) const API: &str = "/api/v1";

/// All characters but those that RFC 3986 leaves as they are.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

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

/// Returns the path of the API for a page, with those of its parameters that the API has.
pub(crate) fn data_link(
    path: &str,
    parameters: &Parameters,
    names: &[&str],
    changes: &[(&str, &str)],
) -> String {
    parameters
        .only(names)
        .link(&format!("{API}{path}"), changes)
}

/// The run of the links of a page: that of the page, unless it is the default.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunLinks(String);

impl RunLinks {
    /// Links to other pages keep the run if the user chose one.
    pub(crate) fn new(run: Option<&RunRow>, is_chosen: bool) -> Self {
        let chosen = run.filter(|_| is_chosen);
        Self(chosen.map_or_else(String::new, |run| run.run_id.to_string()))
    }

    pub(crate) fn player(&self, source: &str, id: &str) -> String {
        link(&player_path(source, id), [("run", &*self.0)])
    }

    pub(crate) fn contest(&self, source: &str, id: &str) -> String {
        link(&contest_path(source, id), [("run", &*self.0)])
    }

    pub(crate) fn contests(&self, source: &str) -> String {
        link(&contests_path(source), [("run", &*self.0)])
    }

    pub(crate) fn leaderboard(&self, source: &str) -> String {
        // A run over several sources is found by its number alone.
        match &*self.0 {
            "" => link(LEADERBOARD, [("source", source)]),
            run => link(LEADERBOARD, [("run", run)]),
        }
    }

    /// Returns the number of the run; empty for the default.
    pub(crate) fn run(&self) -> &str {
        &self.0
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
            let decoded = percent_encoding::percent_decode_str(last)
                .decode_utf8()
                .unwrap();
            assert_eq!(id_of_segment(&decoded), id);
        }
    }
}
