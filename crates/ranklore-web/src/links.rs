//! The links of pages.

pub(crate) mod site;

use clap::Args;
use ranklore_replay::RunSelection;
use ranklore_store::RunRow;
use ranklore_views::parameter_names;

use crate::links::site::SiteLinks;
use crate::parameters::{Parameters, link};
use crate::paths::{API, BasePath, HOME, LEADERBOARD, SourcePage, contest_path, player_path};

/// The links of a page: to other pages of the server, or to files of a static site.
#[derive(Clone, Debug)]
pub(crate) struct Links(Target);

#[derive(Clone, Debug)]
enum Target {
    /// Links keep the number of the run if the user chose one; else it is empty.
    Server {
        base: BasePath,
        run: String,
        /// True if the run has other sources, too: pages about all ratings are of one source.
        is_shared: bool,
    },
    Site(SiteLinks),
}

impl Links {
    /// Links to pages of the server, with the run that the user chose.
    pub(crate) fn to_server(base: &BasePath, chosen: Option<&RunRow>) -> Self {
        let run = chosen.map_or_else(String::new, |run| run.run_id.to_string());
        let selection = chosen.map(|run| RunSelection::from_canonical_json(&run.selection));
        let is_shared = selection.is_some_and(|selection| selection.sources.len() > 1);
        Self(Target::Server {
            base: base.clone(),
            run,
            is_shared,
        })
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

    /// Returns the link to a file that is part of the program, such as the style sheet.
    pub(crate) fn asset(&self, path: &str) -> String {
        match &self.0 {
            Target::Server { base, .. } => base.link(path),
            Target::Site(site) => site.file(path.trim_start_matches('/')),
        }
    }

    /// Returns the path that a form of the server sends its fields to.
    pub(crate) fn form(&self, path: &str) -> String {
        self.asset(path)
    }

    /// Returns the link to the home page, with the lists of a source.
    pub(crate) fn home(&self, source: Option<&str>) -> String {
        match &self.0 {
            Target::Server { base, .. } => {
                link(&base.link(HOME), [("source", source.unwrap_or_default())])
            }
            Target::Site(site) => site.file("index.html"),
        }
    }

    pub(crate) fn leaderboard(&self, source: &str) -> String {
        match &self.0 {
            // A run over several sources is found by its number alone.
            Target::Server { base, run, .. } => {
                let parameter = if run.is_empty() {
                    ("source", source)
                } else {
                    ("run", &**run)
                };
                link(&base.link(LEADERBOARD), [parameter])
            }
            Target::Site(site) => site.file("leaderboard/index.html"),
        }
    }

    /// True if the pages of a source include this one: a site cannot predict, and without ratings has
    /// only lists and comparisons.
    pub(crate) fn have(&self, page: SourcePage) -> bool {
        match page {
            SourcePage::Contests | SourcePage::Players | SourcePage::Compare => true,
            SourcePage::Movers | SourcePage::Distribution | SourcePage::Records => self.are_rated(),
            SourcePage::Predict => self.are_live(),
        }
    }

    /// Returns the link to a page about a source.
    pub(crate) fn page(&self, page: SourcePage, source: &str) -> String {
        let (base, run, is_shared) = match &self.0 {
            Target::Server {
                base,
                run,
                is_shared,
            } => (base, run, *is_shared),
            Target::Site(site) => return site.file(&format!("{}/index.html", page.as_str())),
        };
        let path = base.link(&page.path(source));
        match page {
            // Comparisons are of all runs of a source, these ratings of one source.
            SourcePage::Compare => path,
            SourcePage::Distribution | SourcePage::Records if is_shared => path,
            _ => link(&path, [("run", &**run)]),
        }
    }

    /// Returns the link to a competitor; none if the site has no page of it.
    pub(crate) fn player(&self, source: &str, id: &str) -> Option<String> {
        match &self.0 {
            Target::Server { base, run, .. } => {
                Some(link(&base.link(&player_path(source, id)), [("run", &**run)]))
            }
            Target::Site(site) => site.player(source, id),
        }
    }

    /// Returns the link to a contest; none if the site has no page of it.
    pub(crate) fn contest(&self, source: &str, id: &str) -> Option<String> {
        match &self.0 {
            Target::Server { base, run, .. } => {
                Some(link(&base.link(&contest_path(source, id)), [("run", &**run)]))
            }
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
            Target::Server { base, .. } => {
                let offset = match offset {
                    0 => String::new(),
                    offset => offset.to_string(),
                };
                parameters.link(&base.link(path), &[("offset", &offset)])
            }
            Target::Site(site) => site.list_page(offset / limit.max(1)),
        }
    }

    /// Returns the path of the API with the same values; none for a site without a server.
    pub(crate) fn data<R: Args>(
        &self,
        path: &str,
        parameters: &Parameters,
        changes: &[(&str, &str)],
    ) -> Option<String> {
        let Target::Server { base, .. } = &self.0 else {
            return None;
        };
        let path = base.link(&format!("{API}{path}"));
        Some(parameters.only(&parameter_names::<R>()).link(&path, changes))
    }
}
