//! The views of requests: parameters in, the values of the command line out.

pub(crate) mod comparison;
pub(crate) mod prediction;
pub(crate) mod statistics;

use axum::http::StatusCode;
use ranklore_contest::{EntrantKind, SourceName};
use ranklore_store::{CompetitorId, Store};
use ranklore_views::{
    CompetitorLabel, ContestView, Leaderboard, LeaderboardRequest, Page, PlayerRequest, PlayerView,
    ViewReader, find_shown_competitors, load_contest_view, load_found_player_view,
    load_leaderboard,
};

use crate::failure::{Choice, Failure};
use crate::parameters::{Parameters, Rows, link, parse_source};
use crate::paths::{LEADERBOARD, SourcePage, player_path};

/// Loads a leaderboard. Without a source and a run it is that of the only source.
pub(crate) fn leaderboard(
    reader: ViewReader<'_>,
    parameters: &Parameters,
    rows: Rows,
) -> Result<Leaderboard, Failure> {
    let mut request: LeaderboardRequest = parameters.list_request(rows)?;
    if request.sources.is_empty() && request.run.run.is_none() {
        request.sources = vec![only_source(reader.store)?];
    }
    request.check().map_err(|error| Failure::bad_request(error.with_parameters()))?;
    Ok(load_leaderboard(reader, &request)?)
}

/// Returns the only source; errors if there are several.
fn only_source(store: &Store) -> Result<SourceName, Failure> {
    let names = store.source_names_in_use()?;
    match &names[..] {
        [] => Err(Failure::unavailable(
            "the database has no data yet; try again after the first import",
        )),
        [name] => parse_source(name),
        _ => {
            let choices = names
                .iter()
                .map(|name| Choice::with_link(name, link(LEADERBOARD, [("source", &**name)])));
            let message = "the database has several sources; give one as \"source\"";
            Err(Failure::bad_request(message).with_choices(choices))
        }
    }
}

/// A competitor as a URL names it.
pub(crate) struct PlayerKey<'p> {
    pub(crate) source: &'p SourceName,
    pub(crate) name: &'p str,
    pub(crate) kind: Option<EntrantKind>,
    /// The row with this name, if it is known.
    pub(crate) known_id: Option<CompetitorId>,
}

impl<'p> PlayerKey<'p> {
    pub(crate) const fn new(
        source: &'p SourceName,
        name: &'p str,
        kind: Option<EntrantKind>,
    ) -> Self {
        Self {
            source,
            name,
            kind,
            known_id: None,
        }
    }
}

/// Finds the competitor that views show under a name or id; if there are several, each has a link.
/// A visitor who knows a name that is not shown must not learn the pseudonym.
pub(crate) fn find_shown(
    store: &Store,
    player: &PlayerKey<'_>,
    link_to: impl Fn(&CompetitorLabel) -> String,
) -> Result<CompetitorLabel, Failure> {
    let PlayerKey { source, name, .. } = player;
    let mut matches = find_shown_competitors(store, source, name, player.kind)?;
    if matches.len() > 1 {
        let choices = matches.iter().map(|label| {
            let kind = label.kind.as_str();
            let text = format!("{} ({}, {kind})", label.name, label.external_id);
            Choice::with_link(text, link_to(label))
        });
        let message = format!("{source} has several competitors \"{name}\"");
        return Err(Failure::new(StatusCode::MULTIPLE_CHOICES, message).with_choices(choices));
    }
    matches.pop().ok_or_else(|| {
        let search = link(&SourcePage::Players.path(source.as_str()), [("text", *name)]);
        let choice = Choice::with_link("Search the competitors", search);
        let message = format!("there is no competitor \"{name}\" in {source}");
        Failure::not_found(message).with_choices([choice])
    })
}

/// Loads a competitor. Finds only the ids and names that views show: a visitor who knows a name
/// must not learn the pseudonym.
pub(crate) fn player(
    reader: ViewReader<'_>,
    name: &PlayerKey<'_>,
    parameters: &Parameters,
    page: Page,
) -> Result<PlayerView, Failure> {
    let competitor_id = match name.known_id {
        Some(known_id) => known_id,
        None => {
            find_shown(reader.store, name, |label| label_link(name.source, label))?.competitor_id
        }
    };
    let mut request: PlayerRequest = parameters.request()?;
    request.kind = name.kind;
    request.opponents = request.opponents.or(Some(10));
    request.page = page;
    Ok(load_found_player_view(reader, name.source, name.name, &request, competitor_id)?)
}

fn label_link(source: &SourceName, label: &CompetitorLabel) -> String {
    let path = player_path(source.as_str(), &label.external_id);
    link(&path, [("kind", label.kind.as_str())])
}

/// Loads a contest by its id.
pub(crate) fn contest(
    reader: ViewReader<'_>,
    source: &SourceName,
    id: &str,
    parameters: &Parameters,
    rows: Rows,
) -> Result<ContestView, Failure> {
    if reader.store.contest(source, id)?.is_none() {
        let search = link(&SourcePage::Contests.path(source.as_str()), [("name", id)]);
        let choice = Choice::with_link("Search the contests", search);
        let message = format!("there is no contest \"{id}\" in {source}");
        return Err(Failure::not_found(message).with_choices([choice]));
    }
    Ok(load_contest_view(reader, source, id, &parameters.list_request(rows)?)?)
}
