//! The links of pages.

pub(crate) mod site;

use ranklore_replay::RunSelection;
use ranklore_store::RunRow;

use crate::links::site::SiteLinks;
use crate::parameters::{Parameters, link};
use crate::paths::{
    API, HOME, LEADERBOARD, compare_path, contest_path, contests_path, distribution_path,
    movers_path, player_path, players_path, predict_path, records_path,
};

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
        let is_shared = selection.is_some_and(|selection| selection.sources.len() > 1);
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

    fn with_run(&self, path: &str, file: &str) -> String {
        match &self.0 {
            Target::Server { run, .. } => link(path, [("run", &**run)]),
            Target::Site(site) => site.file(file),
        }
    }

    /// Returns the link to a page about all ratings of one source.
    fn with_unshared_run(&self, path: &str, file: &str) -> String {
        match &self.0 {
            Target::Server { is_shared, .. } if *is_shared => path.to_owned(),
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
        self.with_run(&contests_path(source), "contests/index.html")
    }

    pub(crate) fn players(&self, source: &str) -> String {
        self.with_run(&players_path(source), "players/index.html")
    }

    pub(crate) fn distribution(&self, source: &str) -> String {
        self.with_unshared_run(&distribution_path(source), "distribution/index.html")
    }

    pub(crate) fn records(&self, source: &str) -> String {
        self.with_unshared_run(&records_path(source), "records/index.html")
    }

    pub(crate) fn movers(&self, source: &str) -> String {
        self.with_run(&movers_path(source), "movers/index.html")
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
        let path = format!("{API}{path}");
        self.are_live().then(|| parameters.only(names).link(&path, changes))
    }
}
