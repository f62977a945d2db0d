//! The view of one competitor: rating, history, and ratings in all runs.

pub(crate) mod accounts;
pub(crate) mod appearances;
pub(crate) mod results;
pub(crate) mod run_standings;

use ranklore_contest::{ContestTime, EntrantKind, SourceName};
use ranklore_rating::{Display, Provisional};
use ranklore_store::{CompetitorId, CompetitorRow, NameRow, RunRow};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::error::{Error, NameNotFound};
use crate::runs::fingerprint::is_stale;
use crate::runs::keys::serialize_run;
use crate::runs::lookup::{RunChoice, find_run_covering};
use crate::views::cache::ViewReader;
use crate::views::find::find_competitor;
use crate::views::games::summary::{PlayerGames, summarize_games};
use crate::views::history::{Highlights, PlayerContest, find_highlights};
use crate::views::names::{CompetitorLabel, Labeller, NamesPolicy};
use crate::views::page::Page;
use crate::views::player::accounts::PlayerAccounts;
use crate::views::player::appearances::load_appearances;
use crate::views::player::results::PlayerResults;
use crate::views::player::run_standings::{RunStanding, load_run_standings};
use crate::views::ranking::rules::RatingRules;
use crate::views::ranking::{RankedCompetitor, Ranking, RankingOptions};

/// A competitor, and the run to show it by.
#[derive(Clone, Debug)]
pub struct PlayerRequest {
    /// The source of the competitor.
    pub source: SourceName,
    /// The external id or name of the competitor, searched as by [`find_name`](crate::find_name).
    pub name: String,
    /// The kind of the competitor: person, team or couple; by default any.
    pub kind: Option<EntrantKind>,
    /// The choice of the run.
    pub run: RunChoice,
    /// The time up to which contests count; by default all count.
    pub as_of: Option<ContestTime>,
    /// True for sigma as stored after the last contest, instead of its growth up to `as_of`, or up
    /// to the newest contest of the run.
    pub as_stored: bool,
    /// The contests to return, the newest first.
    pub page: Page,
    /// The most opponents in games to return, those with the most games first.
    pub opponents: usize,
    /// The rule for names.
    pub names: NamesPolicy,
}

/// A competitor: rating, highlights and contests.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerView {
    /// The run of the history.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: RunRow,
    /// True if results have changed since the run, or an earlier version computed it.
    pub stale: bool,
    /// k of the conservative rating.
    pub k: f64,
    /// The time up to which sigma of the standing has grown, in Unix seconds; `None` if it does not
    /// grow.
    pub sigma_as_of: Option<i64>,
    /// The formula of the displayed rating.
    #[serde(skip)]
    pub display: Display,
    /// The rule that marks ratings as provisional.
    #[serde(skip)]
    pub rule: Provisional,
    /// The source.
    pub source: SourceName,
    /// The competitor that the results count for.
    #[serde(flatten)]
    pub competitor: CompetitorLabel,
    /// Person, team or couple.
    pub kind: EntrantKind,
    /// The competitor that was found: another one if it was merged.
    #[serde(rename = "found", serialize_with = "CompetitorLabel::serialize_id")]
    pub found_account: CompetitorLabel,
    /// True if the requested name is exactly the name, id or pseudonym of the competitor found.
    #[serde(skip)]
    pub exact: bool,
    /// The accounts merged into the competitor, by external id.
    pub accounts: Vec<CompetitorLabel>,
    /// Names over time; empty if there was only one, or if names must not be shown.
    pub names: Vec<NameRow>,
    /// Place and rating in the run; `None` if it has not rated the competitor.
    #[serde(flatten, serialize_with = "serialize_standing")]
    pub standing: Option<PlayerStanding>,
    /// Contests that stand out; `None` if no contest is rated.
    pub highlights: Option<Highlights>,
    /// The games, which are contests of two entrants; `None` if there are none.
    #[serde(rename = "record")]
    pub games: Option<PlayerGames>,
    /// The rating in each run that rated the competitor, oldest first.
    pub runs: Vec<RunStanding>,
    /// The number of contests in teams that are not part of the history, since the run rates whole
    /// teams.
    pub team_contests: usize,
    /// The number of contests on all pages.
    pub total: usize,
    /// The number of contests before this page.
    pub offset: usize,
    /// The contests of this page, the newest first.
    pub rows: Vec<PlayerContest>,
    /// All contests of all accounts in the order of replay; if the run rates members, also those
    /// of the competitor's teams.
    #[serde(skip)]
    pub history: Vec<PlayerContest>,
    /// True if names were replaced by pseudonyms.
    #[serde(skip)]
    pub pseudonymised: bool,
}

impl PlayerView {
    /// True if the system computed a performance in a contest of this page.
    #[must_use]
    pub fn has_performances(&self) -> bool {
        let mut steps = self.rows.iter().filter_map(|row| row.rating.as_ref());
        steps.any(|step| step.performance.is_some())
    }
}

/// A place on the leaderboard.
#[derive(Clone, Debug)]
pub struct PlayerStanding {
    /// Place and rating; the place is among the active or among the inactive competitors.
    pub row: RankedCompetitor,
    /// True if the competitor is active.
    pub active: bool,
    /// The number of active, or of inactive, competitors.
    pub among: usize,
}

/// Serialises a place on the leaderboard into the object that contains it; if the run has not rated
/// the competitor, all values are null and the number of contests is 0.
fn serialize_standing<'a, S: Serializer>(
    standing: impl Into<Option<&'a PlayerStanding>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let standing = standing.into();
    let row = standing.map(|standing| &standing.row);
    let mut keys = serializer.serialize_map(Some(14))?;
    keys.serialize_entry("active", &standing.map(|standing| standing.active))?;
    keys.serialize_entry("place", &row.map(|row| row.place))?;
    keys.serialize_entry("among", &standing.map(|standing| standing.among))?;
    keys.serialize_entry("rating", &row.map(|row| row.rating))?;
    keys.serialize_entry("provisional", &row.map(|row| row.provisional))?;
    keys.serialize_entry("title", &row.and_then(|row| row.title))?;
    keys.serialize_entry("conservative", &row.map(|row| row.conservative))?;
    keys.serialize_entry("mu", &row.map(|row| row.mu))?;
    keys.serialize_entry("sigma", &row.map(|row| row.sigma))?;
    keys.serialize_entry("stored_sigma", &row.map(|row| row.stored_sigma))?;
    keys.serialize_entry("contests", &row.map_or(0, |row| row.contests))?;
    keys.serialize_entry("last_change", &row.and_then(|row| row.last_change))?;
    keys.serialize_entry("peak_mu", &row.map(|row| row.peak_mu))?;
    keys.serialize_entry("last_contest_at", &row.map(|row| row.last_contest_at))?;
    keys.end()
}

/// Loads the view of a competitor. Except for the place on the leaderboard, it reads only the
/// contests of the competitor.
///
/// # Errors
/// [`Error::NoCompetitor`], [`Error::NoSource`], [`Error::NoRun`], [`Error::SourceMismatch`],
/// [`Error::NotRated`], [`Error::Store`].
pub fn load_player_view<'s>(
    reader: impl Into<ViewReader<'s>>,
    request: &PlayerRequest,
) -> Result<PlayerView, Error> {
    let reader = reader.into();
    let account = find_competitor(
        reader.store,
        &request.source,
        &request.name,
        request.kind,
        &request.run,
        request.names,
    )?;
    load_view_of(reader, request, account)
}

/// Loads the view of a competitor that is found already: its name is not searched.
///
/// # Errors
/// Those of [`load_player_view`].
pub fn load_found_player_view<'s>(
    reader: impl Into<ViewReader<'s>>,
    request: &PlayerRequest,
    competitor: CompetitorId,
) -> Result<PlayerView, Error> {
    let reader = reader.into();
    let account = reader.store.competitors_by_id([competitor])?.pop();
    // A search by name could find what a pseudonym hides.
    let account = account.ok_or_else(|| {
        Error::NoCompetitor(Box::new(NameNotFound {
            requested_name: request.name.clone(),
            source_name: request.source.clone(),
            candidates: Vec::new(),
            more: 0,
            matching: false,
        }))
    })?;
    load_view_of(reader, request, account)
}

fn load_view_of(
    reader: ViewReader<'_>,
    request: &PlayerRequest,
    account: CompetitorRow,
) -> Result<PlayerView, Error> {
    let store = reader.store;
    let run = find_run_covering(store, &request.source, &request.run)?;
    let mut labeller = Labeller::load(store, request.names)?;
    let is_called = [&account.name, &account.external_id].contains(&&request.name);
    let mut accounts = PlayerAccounts::load(store, &mut labeller, account)?;
    let root = accounts.root;
    let appearances = load_appearances(store, &accounts.ids())?;
    let (own_results, team_results) = &appearances;
    let all_results = own_results.iter().chain(team_results);
    let times = (request.as_of, request.as_stored);
    let runs = load_run_standings(store, &request.source, times, all_results, root)?;
    let (contests, results) = PlayerResults::load(store, &run, root, request.as_of, appearances)?;
    let (rules, standing) = load_standing(reader, &run, root, request)?;
    accounts.load_teams(store, &mut labeller, &results.appearances)?;
    let history: Vec<PlayerContest> = contests
        .into_iter()
        .filter_map(|contest| results.describe_contest(contest, &accounts))
        .collect();
    // None if one of the names must not be shown.
    let names = if labeller.pseudonymised {
        Vec::new()
    } else {
        store.name_history(root)?
    };
    let played = results.load_games(&history)?;
    let games = summarize_games(store, &mut labeller, &history, &played, request.opponents)?;
    Ok(PlayerView {
        stale: is_stale(&run, results.is_current),
        k: rules.k,
        sigma_as_of: rules.growth.as_of(),
        display: rules.display,
        rule: rules.provisional,
        source: request.source.clone(),
        exact: is_called || accounts.account.name == request.name,
        found_account: accounts.account,
        kind: accounts.competitor.kind,
        competitor: accounts.competitor,
        accounts: accounts.merged,
        names,
        standing,
        highlights: find_highlights(&history),
        games,
        runs,
        team_contests: results.team_contests,
        total: history.len(),
        offset: request.page.offset,
        rows: request.page.select(history.iter().rev().cloned()),
        history,
        pseudonymised: labeller.pseudonymised,
        run,
    })
}

/// Loads the place of a competitor among the active or the inactive ones, and the rules of the run.
fn load_standing(
    reader: ViewReader<'_>,
    run: &RunRow,
    competitor: CompetitorId,
    request: &PlayerRequest,
) -> Result<(RatingRules, Option<PlayerStanding>), Error> {
    let rules = RatingRules::load(reader.store, run, request.as_stored)?;
    let options = RankingOptions::usual(request.as_of);
    let ranking = Ranking::load(reader.store, reader.rankings(), run, rules, options)?;
    let place = ranking.find(reader.store, competitor)?;
    let standing = place.map(|(row, active)| PlayerStanding {
        row,
        active,
        among: ranking.count_listed(active),
    });
    Ok((ranking.rules, standing))
}
