//! The competitors and contests that get a page of their own.

use std::collections::HashSet;
use std::sync::Arc;

use ranklore_contest::{ContestTime, EntrantKind};
use ranklore_store::{CompetitorId, Store};
use ranklore_views::{ContestListRequest, PlayerListRequest, load_contest_list, load_player_list};

use crate::links::site::SitePages;
use crate::site::{SiteError, SiteOptions};

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
        let source = &options.source;
        let players_request = PlayerListRequest {
            as_stored: true,
            ..PlayerListRequest::default()
        };
        let list = load_player_list(store, source, &players_request)?;
        let is_rated = list.run.is_some();
        let mut ids = HashSet::new();
        let players: Vec<SitePlayer> = list
            .rows
            .into_iter()
            // A person and a team can share an id: links lead to the higher one.
            .filter(|row| ids.insert(row.competitor.external_id.clone()))
            // The page of a competitor shows ratings.
            .filter(|_| is_rated)
            .filter(|row| row.contests >= options.min_contests && is_recent(row.last_contest_at))
            .take(options.players.unwrap_or(usize::MAX))
            .map(|row| SitePlayer {
                competitor_id: row.competitor.competitor_id,
                id: row.competitor.external_id,
                name: row.competitor.name,
                kind: row.kind,
            })
            .collect();
        let contests: Vec<String> =
            load_contest_list(store, source, &ContestListRequest::default())?
                .rows
                .into_iter()
                // The pages of both players have the games.
                .filter(|row| row.contest.entrants != 2 && is_recent(row.contest.ends_at))
                .map(|row| row.contest.external_id)
                .collect();
        let pages = SitePages::new(
            source.as_str(),
            is_rated,
            players.iter().map(|player| &*player.id),
            contests.iter().map(|id| &**id),
        );
        Ok(Self {
            is_rated,
            players,
            contests,
            pages: Arc::new(pages),
        })
    }
}
