//! The competitors and contests that get a page of their own.

use std::collections::HashSet;
use std::sync::Arc;

use ranklore_contest::{ContestTime, EntrantKind};
use ranklore_replay::{
    ContestListRequest, PlayerListRequest, RunChoice, load_contest_list, load_player_list,
};
use ranklore_store::{CompetitorId, Store};

use crate::assets::{ASSETS, Asset, SITE_SEARCH};
use crate::site::links::SitePages;
use crate::site::search::index_files;
use crate::site::{SiteError, SiteOptions};

/// A file of a site, which is not a page: its path and its bytes.
pub(super) type SiteFile = (String, Vec<u8>);

/// A competitor with a page.
#[derive(Debug)]
pub(super) struct SitePlayer {
    pub(super) competitor_id: CompetitorId,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) kind: EntrantKind,
}

/// The pages of a site.
#[derive(Debug)]
pub(super) struct SiteChoice {
    pub(super) players: Vec<SitePlayer>,
    /// The ids of the contests.
    pub(super) contests: Vec<String>,
    pub(super) pages: Arc<SitePages>,
    /// True if the source has ratings.
    pub(super) is_rated: bool,
}

impl SiteChoice {
    pub(super) fn load(store: &Store, options: &SiteOptions) -> Result<Self, SiteError> {
        let since = options.since.map(ContestTime::get);
        let is_recent =
            |at: Option<i64>| since.is_none_or(|since| at.is_some_and(|at| at >= since));
        let source = || options.source.clone();
        let list = PlayerListRequest {
            as_stored: true,
            ..PlayerListRequest::new(source(), RunChoice::default())
        };
        let list = load_player_list(store, &list)?;
        let is_rated = list.run.is_some();
        let mut ids = HashSet::new();
        let players: Vec<SitePlayer> = (list.rows.into_iter())
            // A person and a team can share an id: links lead to the higher one.
            .filter(|of| ids.insert(of.competitor.external_id.clone()))
            // The page of a competitor shows ratings.
            .filter(|_| is_rated)
            .filter(|of| of.contests >= options.min_contests && is_recent(of.last_contest_at))
            .take(options.players.unwrap_or(usize::MAX))
            .map(|of| SitePlayer {
                competitor_id: of.competitor.competitor_id,
                id: of.competitor.external_id,
                name: of.competitor.name,
                kind: of.kind,
            })
            .collect();
        let contests = ContestListRequest::new(source(), RunChoice::default());
        let contests: Vec<String> = (load_contest_list(store, &contests)?.rows.into_iter())
            // The pages of both players have the games.
            .filter(|of| of.contest.entrants != 2 && is_recent(of.contest.ends_at))
            .map(|of| of.contest.external_id)
            .collect();
        let pages = SitePages::new(
            options.source.as_str(),
            is_rated,
            players.iter().map(|of| &*of.id),
            contests.iter().map(|of| &**of),
        );
        Ok(Self {
            is_rated,
            players,
            contests,
            pages: Arc::new(pages),
        })
    }

    /// Returns the files that are no pages: style, scripts, the search index.
    pub(super) fn fixed_files(&self) -> Vec<SiteFile> {
        let assets = ASSETS.iter().chain([&SITE_SEARCH]);
        let file = |of: &Asset| (of.path[1..].to_owned(), of.body.as_bytes().to_vec());
        let mut files: Vec<SiteFile> = assets.map(file).collect();
        // GitHub takes the files as they are.
        files.push((".nojekyll".to_owned(), Vec::new()));
        files.extend(index_files(&self.players, &self.pages));
        files
    }
}
