//! The pages of a site: the file, the parameters, and the function that makes it.

use std::sync::Arc;

use ranklore_contest::SourceName;
use ranklore_store::CompetitorId;
use ranklore_views::ViewReader;

use crate::content::Content;
use crate::failure::Failure;
use crate::links::site::{SiteLinks, SitePages, list_page};
use crate::pages;
use crate::pages::request::PageRequest;
use crate::parameters::Parameters;
use crate::paths::{BasePath, SourcePage};
use crate::site::SiteError;
use crate::site::choice::{SiteChoice, SitePlayer};

/// Receives the path and the bytes of a page.
pub(super) type PutPage<'p> = dyn FnMut(&str, &[u8]) -> Result<(), SiteError> + 'p;

/// A page of a site, or a list of several pages.
#[derive(Clone, Copy, Debug)]
pub(super) enum SitePage<'c> {
    Home,
    Leaderboard,
    /// A page about the source.
    Source(SourcePage),
    Player(&'c SitePlayer),
    /// The contest with this id.
    Contest(&'c str),
}

impl<'c> SitePage<'c> {
    /// Returns all pages of a site, the largest lists first.
    pub(super) fn all(choice: &'c SiteChoice) -> Vec<Self> {
        let lists = [
            SourcePage::Players,
            SourcePage::Contests,
            SourcePage::Compare,
        ];
        let ratings = [
            SourcePage::Movers,
            SourcePage::Distribution,
            SourcePage::Records,
        ];
        let mut pages = vec![Self::Home];
        pages.extend(lists.map(Self::Source));
        if choice.is_rated {
            pages.push(Self::Leaderboard);
            pages.extend(ratings.map(Self::Source));
            pages.extend(choice.players.iter().map(Self::Player));
        }
        // The oldest first: the ratings before a contest are read on from those before the last one.
        pages.extend(choice.contests.iter().rev().map(|id| Self::Contest(id)));
        pages
    }

    /// Makes the page, or all pages of the list, and passes each with its path to `write_page`.
    pub(super) fn render(
        self,
        reader: ViewReader<'_>,
        source: &SourceName,
        pages: &Arc<SitePages>,
        write_page: &mut PutPage<'_>,
    ) -> Result<(), SiteError> {
        let (folder, name) = self.place(pages);
        let links = SiteLinks {
            up: if folder.is_empty() { "" } else { "../" },
            name: name.to_owned(),
            pages: Arc::clone(pages),
        };
        let mut index = 0;
        let mut next_offset = Some(0);
        while let Some(offset) = next_offset.take() {
            let parameters = self.parameters(source, offset);
            let request = PageRequest {
                reader,
                parameters: &parameters,
                today: None,
                base: &BasePath::default(),
                site: Some(&links),
                competitor: self.competitor(),
            };
            let path = |index| match (folder, list_page(name, index)) {
                ("", file) => file,
                (folder, file) => format!("{folder}/{file}"),
            };
            let contents = self.show(&request, source);
            for content in contents.map_err(|f| SiteError::of_page(&path(index), &f))? {
                write_page(&path(index), &content.body)?;
                next_offset = content.next_offset;
                index += 1;
            }
        }
        Ok(())
    }

    /// Returns the competitor of the page.
    const fn competitor(self) -> Option<CompetitorId> {
        match self {
            Self::Player(player) => Some(player.competitor_id),
            _ => None,
        }
    }

    /// Returns the folder, and the name of the first file without its ending.
    fn place<'p>(&self, pages: &'p SitePages) -> (&'static str, &'p str) {
        // All pages that are listed have names.
        match self {
            Self::Home => ("", "index"),
            Self::Leaderboard => ("leaderboard", "index"),
            Self::Source(page) => (page.as_str(), "index"),
            Self::Player(player) => ("player", pages.player(&player.id).unwrap_or("index")),
            Self::Contest(id) => ("contest", pages.contest(id).unwrap_or("index")),
        }
    }

    fn parameters(self, source: &SourceName, offset: usize) -> Parameters {
        let offset = offset.to_string();
        let mut parameters = vec![("offset", &*offset)];
        match self {
            Self::Home | Self::Leaderboard => parameters.push(("source", source.as_str())),
            Self::Source(SourcePage::Players) => parameters.push(("sort", "name")),
            // The page of a competitor changes only with results: sigma grows on leaderboards.
            Self::Player(player) => {
                parameters.extend([("as-stored", "true"), ("kind", player.kind.as_str())]);
            }
            _ => {}
        }
        Parameters::from_pairs(&parameters)
    }

    /// Makes the page, or all pages of a list that is loaded once.
    fn show(self, request: &PageRequest<'_>, source: &SourceName) -> Result<Vec<Content>, Failure> {
        let page = match self {
            Self::Home => pages::home::show(request),
            Self::Leaderboard => pages::leaderboard::show(request),
            Self::Source(SourcePage::Players) => return pages::players::show_all(request, source),
            Self::Source(page) => pages::show_source(page)(request, source),
            Self::Player(player) => pages::player::show(request, source, &player.id),
            Self::Contest(id) => return pages::contest::show_all(request, source, id),
        };
        Ok(vec![page?])
    }
}
