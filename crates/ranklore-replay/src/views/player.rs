//! The view of one competitor: rating, history, and ratings in all runs.

pub(crate) mod appearances;
pub(crate) mod run_standings;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ranklore_contest::{ContestTime, EntrantKind, SourceName};
use ranklore_rating::{Belief, Display, Provisional};
use ranklore_store::{CompetitorId, CompetitorRow, ContestId, ContestRow, NameRow, RunRow, Store};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::error::{Error, NameNotFound};
use crate::runs::fingerprint::{is_current, is_stale};
use crate::runs::identities::Identities;
use crate::runs::keys::serialize_run;
use crate::runs::lookup::{RunChoice, find_run_covering};
use crate::runs::teams::TeamMode;
use crate::views::coverage::{Coverage, UnratedReason, contest_times, had_ended};
use crate::views::find::find_competitor;
use crate::views::games::expected::{OwnRatings, set_expected_scores};
use crate::views::games::load::{PlayedGame, load_games};
use crate::views::games::summary::{PlayerGames, summarize_games};
use crate::views::history::{
    ContestSummary, Highlights, PlayerContest, RatingStep, find_highlights, load_rating_steps,
};
use crate::views::names::{CompetitorLabel, Labeller, NamesPolicy};
use crate::views::page::Page;
use crate::views::player::appearances::{
    load_appearances, load_contests, load_merged_accounts, select_appearances,
};
use crate::views::player::run_standings::{RunStanding, load_run_standings};
use crate::views::ranking::cache::ViewReader;
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

/// One competitor: rating, highlights and contests.
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
    #[serde(serialize_with = "CompetitorLabel::serialize_id")]
    pub found: CompetitorLabel,
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
        let mut rated = self.rows.iter().filter_map(|of| of.rating.as_ref());
        rated.any(|step| step.performance.is_some())
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
    let of = standing.into();
    let row = of.map(|of| &of.row);
    let mut keys = serializer.serialize_map(Some(14))?;
    keys.serialize_entry("active", &of.map(|of| of.active))?;
    keys.serialize_entry("place", &row.map(|row| row.place))?;
    keys.serialize_entry("among", &of.map(|of| of.among))?;
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
    let (source, run, names) = (&request.source, &request.run, request.names);
    let (name, kind) = (&request.name, request.kind);
    let found = find_competitor(reader.store, source, name, kind, run, names)?;
    load_view_of(reader, request, found)
}

/// Loads the view of a competitor that is found already: its name is not searched.
///
/// # Errors
/// Those of [`load_player_view`].
pub fn load_found_player_view<'s>(
    reader: impl Into<ViewReader<'s>>,
    request: &PlayerRequest,
    found: CompetitorId,
) -> Result<PlayerView, Error> {
    let reader = reader.into();
    let row = reader.store.competitors_by_id([found])?.pop();
    // A search by name could find what a pseudonym hides.
    let row = row.ok_or_else(|| NameNotFound {
        wanted: request.name.clone(),
        source_name: request.source.clone(),
        candidates: Vec::new(),
        more: 0,
        matching: false,
    });
    let row = row.map_err(|none| Error::NoCompetitor(Box::new(none)))?;
    load_view_of(reader, request, row)
}

fn load_view_of(
    reader: ViewReader<'_>,
    request: &PlayerRequest,
    found: CompetitorRow,
) -> Result<PlayerView, Error> {
    let store = reader.store;
    let source = &request.source;
    let run = find_run_covering(store, &request.source, &request.run)?;
    let root = store.merge_root(found.competitor_id)?;
    let competitor = store.competitors_by_id([root])?.pop();
    let competitor = competitor.unwrap_or_else(|| found.clone());
    let accounts = load_merged_accounts(store, &found, root)?;
    let ids: Vec<CompetitorId> = std::iter::once(root)
        .chain(accounts.iter().map(|of| of.competitor_id))
        .collect();
    let (alone, in_teams) = load_appearances(store, &ids)?;
    let (times, shown) = (
        (request.as_of, request.as_stored),
        alone.iter().chain(&in_teams),
    );
    let runs = load_run_standings(store, source, times, shown, root)?;
    let identities = Identities::load_for_view(store, &run)?;
    let (appearances, passed_over) = match identities.teams {
        TeamMode::Whole => (alone, in_teams),
        TeamMode::Members => ([alone, in_teams].concat(), Vec::new()),
    };
    let passed_over = passed_over.iter().map(|of| of.contest);
    let team_contests = load_contests(store, passed_over, request.as_of)?.len();
    let counting = select_appearances(store, &run, root, appearances, &identities)?;
    let is_current = is_current(store, &run)?;
    let contests = load_contests(store, counting.keys().copied(), request.as_of)?;
    let rated = find_rated_contests(store, &run, is_current, &contests, request.as_of)?;
    let steps = load_rating_steps(store, &run, rated.into_iter(), root)?;
    let own_ratings = find_ratings_before(&steps);
    let steps: HashMap<ContestId, RatingStep> = steps.into_iter().collect();
    let shown = counting.keys().copied().collect();
    let coverage = load_coverage(store, &run, is_current, shown, &steps)?;
    let rules = RatingRules::load(store, &run, request.as_stored)?;
    let (rules, standing) = load_standing(reader, &run, rules, root, request.as_of)?;
    let mut labeller = Labeller::load(store, request.names)?;
    let teams = counting.values().filter_map(|of| of.team);
    let teams = labeller.load_labels(store, teams.collect::<HashSet<_>>())?;
    let shared = |(id, label): (CompetitorId, CompetitorLabel)| (id, Arc::new(label));
    let teams: HashMap<_, _> = teams.into_iter().map(shared).collect();
    let is_called = [&found.name, &found.external_id].contains(&&request.name);
    let found = labeller.label(found);
    let kind = competitor.kind;
    let competitor = labeller.label(competitor);
    let accounts: Vec<_> = accounts.into_iter().map(|of| labeller.label(of)).collect();
    let by_id = accounts.iter().chain([&competitor]).cloned();
    let by_id: HashMap<_, _> = by_id.map(|of| shared((of.competitor_id, of))).collect();
    let history: Vec<PlayerContest> = contests
        .into_iter()
        .filter_map(|contest| {
            let appearance = counting.get(&contest.contest_id)?;
            let account = by_id.get(&appearance.account);
            let account = account.or_else(|| by_id.get(&competitor.competitor_id))?;
            let rating = steps.get(&contest.contest_id).copied();
            let without = || match identities.teams {
                _ if !is_current => UnratedReason::NotYet,
                TeamMode::Members if kind != EntrantKind::Person => UnratedReason::MembersRated,
                _ => UnratedReason::Excluded,
            };
            let without = rating.is_none().then(without);
            Some(PlayerContest {
                unrated: coverage.unrated_reason(&contest).or(without),
                contest: ContestSummary::from(contest),
                account: Arc::clone(account),
                team: appearance.team.and_then(|team| teams.get(&team).cloned()),
                outcome: appearance.outcome,
                rating,
            })
        })
        .collect();
    let names = load_names(store, &labeller, root)?;
    let games = load_player_games(store, &run, &identities, root, &history, &own_ratings)?;
    let games = summarize_games(store, &mut labeller, &history, &games, request.opponents)?;
    Ok(PlayerView {
        stale: is_stale(&run, is_current),
        k: rules.k,
        sigma_as_of: rules.growth.as_of(),
        display: rules.display,
        rule: rules.provisional,
        source: source.clone(),
        exact: is_called || found.name == request.name,
        found,
        competitor,
        kind,
        accounts,
        names,
        standing,
        highlights: find_highlights(&history),
        games,
        runs,
        team_contests,
        total: history.len(),
        offset: request.page.offset,
        rows: request.page.select(history.iter().rev().cloned()),
        history,
        pseudonymised: labeller.pseudonymised,
        run,
    })
}

/// Loads the names of a competitor over time; none if one of its names must not be shown.
fn load_names(
    store: &Store,
    labeller: &Labeller,
    competitor: CompetitorId,
) -> Result<Vec<NameRow>, Error> {
    if labeller.pseudonymised {
        return Ok(Vec::new());
    }
    Ok(store.name_history(competitor)?)
}

/// Loads the coverage of contests by a run that has these ratings.
fn load_coverage(
    store: &Store,
    run: &RunRow,
    is_current: bool,
    mut shown: HashSet<ContestId>,
    steps: &HashMap<ContestId, RatingStep>,
) -> Result<Coverage, Error> {
    if !is_current {
        return Coverage::load(store, run, is_current, &shown);
    }
    shown.retain(|of| !steps.contains_key(of));
    let mut coverage = Coverage::load(store, run, is_current, &shown)?;
    coverage.add_rated(steps.keys().copied());
    Ok(coverage)
}

/// Loads the games in a history, with their expected scores. `own` has the ratings before all contests
/// that the run rates.
fn load_player_games(
    store: &Store,
    run: &RunRow,
    identities: &Identities,
    root: CompetitorId,
    history: &[PlayerContest],
    own: &OwnRatings,
) -> Result<Vec<PlayedGame>, Error> {
    let counting = history.iter().filter(|of| {
        of.contest.entrants == 2 && !of.unrated.is_some_and(UnratedReason::is_for_all_runs)
    });
    let contests = counting.map(|of| of.contest.contest_id);
    let mut games = load_games(store, identities, contests, root, None)?;
    set_expected_scores(store, run, identities, &mut games, root, Some(own))?;
    Ok(games)
}

/// Loads the place of a competitor among the active or the inactive ones, and the rules of the run.
fn load_standing(
    reader: ViewReader<'_>,
    run: &RunRow,
    rules: RatingRules,
    competitor: CompetitorId,
    as_of: Option<ContestTime>,
) -> Result<(RatingRules, Option<PlayerStanding>), Error> {
    let options = RankingOptions::usual(as_of);
    let ranking = Ranking::load(reader, run, rules, options)?;
    let standing = ranking
        .find(reader.store, competitor)?
        .map(|(row, active)| PlayerStanding {
            row,
            active,
            among: ranking.listed(active),
        });
    Ok((ranking.rules, standing))
}

/// Returns the contests in which a run can have rated a competitor, in the order of the run; `shown`
/// are those of its accounts.
fn find_rated_contests(
    store: &Store,
    run: &RunRow,
    is_current: bool,
    shown: &[ContestRow],
    as_of: Option<ContestTime>,
) -> Result<Vec<ContestId>, Error> {
    if is_current {
        return Ok(shown.iter().map(|of| of.contest_id).collect());
    }
    // Accounts may have been split off since the run.
    let mut times = contest_times(store, run)?;
    times.retain(|&(_, ends_at)| had_ended(ends_at, as_of));
    Ok(times.into_iter().map(|of| of.0).collect())
}

/// Returns the rating before each of these contests, which are in the order of the run.
fn find_ratings_before(steps: &[(ContestId, RatingStep)]) -> OwnRatings {
    let mut last = None;
    let before = steps.iter().map(|(contest, step)| {
        let after = Belief::new(step.mu, step.sigma);
        (*contest, last.replace(after))
    });
    before.collect()
}
