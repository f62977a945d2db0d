//! The paths of pages, and the links to them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use ranklore_replay::RunSelection;
use ranklore_store::RunRow;

use crate::parameters::{Parameters, link};
use crate::site::links::SiteLinks;

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

/// The links of a page: to other pages of the server, or to files of a static site.
#[derive(Clone, Debug)]
pub(crate) struct Links(Target);

#[derive(Clone, Debug)]
enum Target {
    /// Links keep the number of the run if the user chose one; else it is empty.
    Server {
        run: String,
        /// True if the run has other sources, too: pages about all ratings are of one source.
        is_shared: bool,
    },
    Site(SiteLinks),
}

impl Links {
    /// Links to pages of the server, with the run that the user chose.
    pub(crate) fn to_server(chosen: Option<&RunRow>) -> Self {
        let run = chosen.map_or_else(String::new, |run| run.run_id.to_string());
        let selection = chosen.map(|run| RunSelection::from_canonical_json(&run.selection));
        let is_shared = selection.is_some_and(|of| of.sources.len() > 1);
        Self(Target::Server { run, is_shared })
    }

    pub(crate) const fn to_site(links: SiteLinks) -> Self {
        Self(Target::Site(links))
    }

    /// True if a server answers: pages can have forms and parameters.
    pub(crate) const fn are_live(&self) -> bool {
        matches!(self.0, Target::Server { .. })
    }

    /// True unless the links are those of a site without ratings, which has no pages of competitors.
    pub(crate) fn are_rated(&self) -> bool {
        match &self.0 {
            Target::Server { .. } => true,
            Target::Site(site) => site.are_rated(),
        }
    }

    /// Returns the number of the run that the user chose; else it is empty.
    pub(crate) fn run(&self) -> &str {
        match &self.0 {
            Target::Server { run, .. } => run,
            Target::Site(_) => "",
        }
    }

    fn with_run(&self, path: &str, file: impl FnOnce(&SiteLinks) -> String) -> String {
        match &self.0 {
            Target::Server { run, .. } => link(path, [("run", &**run)]),
            Target::Site(site) => file(site),
        }
    }

    /// Returns the link to a page about all ratings of one source.
    fn of_one_source(&self, path: &str, file: impl FnOnce(&SiteLinks) -> String) -> String {
        match &self.0 {
            Target::Server {
                is_shared: true, ..
            } => path.to_owned(),
            _ => self.with_run(path, file),
        }
    }

    /// Returns the link to a file that is part of the program, such as the style sheet.
    pub(crate) fn asset(&self, path: &str) -> String {
        match &self.0 {
            Target::Server { .. } => path.to_owned(),
            Target::Site(site) => site.file(path.trim_start_matches('/')),
        }
    }

    /// Returns the link to the home page, with the lists of a source.
    pub(crate) fn home(&self, source: Option<&str>) -> String {
        match &self.0 {
            Target::Server { .. } => link(HOME, [("source", source.unwrap_or_default())]),
            Target::Site(site) => site.file("index.html"),
        }
    }

    pub(crate) fn leaderboard(&self, source: &str) -> String {
        match &self.0 {
            // A run over several sources is found by its number alone.
            Target::Server { run, .. } if run.is_empty() => link(LEADERBOARD, [("source", source)]),
            Target::Server { run, .. } => link(LEADERBOARD, [("run", &**run)]),
            Target::Site(site) => site.file("leaderboard/index.html"),
        }
    }

    pub(crate) fn contests(&self, source: &str) -> String {
        self.with_run(&contests_path(source), |site| {
            site.file("contests/index.html")
        })
    }

    pub(crate) fn players(&self, source: &str) -> String {
        self.with_run(&players_path(source), |site| {
            site.file("players/index.html")
        })
    }

    pub(crate) fn distribution(&self, source: &str) -> String {
        self.of_one_source(&distribution_path(source), |site| {
            site.file("distribution/index.html")
        })
    }

    pub(crate) fn records(&self, source: &str) -> String {
        self.of_one_source(&records_path(source), |site| {
            site.file("records/index.html")
        })
    }

    pub(crate) fn movers(&self, source: &str) -> String {
        self.with_run(&movers_path(source), |site| site.file("movers/index.html"))
    }

    /// Returns the link to the comparisons of a source, which are of all its runs.
    pub(crate) fn compare(&self, source: &str) -> String {
        match &self.0 {
            Target::Server { .. } => compare_path(source),
            Target::Site(site) => site.file("compare/index.html"),
        }
    }

    /// Returns the link to the predictions of a source; none on a site, which cannot compute them.
    pub(crate) fn predict(&self, source: &str) -> Option<String> {
        match &self.0 {
            Target::Server { run, .. } => Some(link(&predict_path(source), [("run", &**run)])),
            Target::Site(_) => None,
        }
    }

    /// Returns the link to a competitor; none if the site has no page of it.
    pub(crate) fn player(&self, source: &str, id: &str) -> Option<String> {
        match &self.0 {
            Target::Server { run, .. } => Some(link(&player_path(source, id), [("run", &**run)])),
            Target::Site(site) => site.player(source, id),
        }
    }

    /// Returns the link to a contest; none if the site has no page of it.
    pub(crate) fn contest(&self, source: &str, id: &str) -> Option<String> {
        match &self.0 {
            Target::Server { run, .. } => Some(link(&contest_path(source, id), [("run", &**run)])),
            Target::Site(site) => site.contest(source, id),
        }
    }

    /// Returns the link to the part of this page's list that begins after `offset` rows.
    pub(crate) fn list_page(
        &self,
        path: &str,
        parameters: &Parameters,
        offset: usize,
        limit: usize,
    ) -> String {
        match &self.0 {
            Target::Server { .. } => {
                let offset = match offset {
                    0 => String::new(),
                    offset => offset.to_string(),
                };
                parameters.link(path, &[("offset", &offset)])
            }
            Target::Site(site) => site.list_page(offset / limit.max(1)),
        }
    }

    /// Returns the path of the API with the same values; none for a site without a server.
    pub(crate) fn data(
        &self,
        path: &str,
        parameters: &Parameters,
        names: &[&str],
        changes: &[(&str, &str)],
    ) -> Option<String> {
        let known = || parameters.only(names);
        (self.are_live()).then(|| known().link(&format!("{API}{path}"), changes))
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
