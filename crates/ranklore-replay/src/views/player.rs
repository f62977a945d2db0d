//! The view of one competitor: rating, history, and ratings in all runs.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use ranklore_contest::{ContestTime, EntrantKind, EntrantOutcome, SourceName};
use ranklore_rating::{Belief, Display, Provisional};
use ranklore_store::{
    CompetitorId, CompetitorRow, ContestId, ContestRow, NameRow, ProvisionalPlacement,
    RatingSummary, ResultRow, RunId, RunRow, Store,
};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::error::Error;
use crate::runs::fingerprint::{is_current, is_stale};
use crate::runs::identities::Identities;
use crate::runs::keys::serialize_run;
use crate::runs::lookup::{RunChoice, find_run_covering};
use crate::runs::selection::RunSelection;
use crate::runs::systems::non_default_parameters;
use crate::runs::teams::{TeamMode, load_rated_teams, rank};
use crate::system_spec::format_setting;
use crate::views::coverage::{Coverage, UnratedReason, contest_times, had_ended};
use crate::views::find::find_competitor;
use crate::views::games::expected::{OwnRatings, set_expected_scores};
use crate::views::games::load::{PlayedGame, load_games};
use crate::views::games::summary::{PlayerGames, summarize_games};
use crate::views::history::{
    ContestSummary, Highlights, PlayerContest, RatingStep, find_highlights,
};
use crate::views::leaderboard::INACTIVE_AFTER_DAYS;
use crate::views::names::{CompetitorLabel, Labeller, NamesPolicy};
use crate::views::page::Page;
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

/// The rating of a competitor in one run.
#[derive(Clone, Debug, Serialize)]
pub struct RunStanding {
    /// The run.
    #[serde(flatten, with = "RunName")]
    pub run: RunRow,
    /// The settings of the run that are not the defaults, in words: parameters, selection, other
    /// sources.
    pub settings: Vec<String>,
    /// The displayed rating.
    pub rating: f64,
    /// True if the rating is provisional.
    pub provisional: bool,
    /// The rating.
    pub mu: f64,
    /// Its uncertainty at the time of the view.
    pub sigma: f64,
    /// Its uncertainty after the last contest.
    pub stored_sigma: f64,
    /// mu − k·sigma, with the default k of the system.
    pub conservative: f64,
    /// Rated contests.
    pub contests: u32,
    /// The change of mu by the last contest; `None` after the first contest.
    pub last_change: Option<f64>,
    /// How ratings are displayed.
    #[serde(skip)]
    pub display: Display,
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
    let store = reader.store;
    let source = &request.source;
    let (name, kind, run, names) = (&request.name, request.kind, &request.run, request.names);
    let found = find_competitor(store, source, name, kind, run, names)?;
    let run = find_run_covering(store, &request.source, &request.run)?;
    let root = store.merge_root(found.competitor_id)?;
    let competitor = store.competitors_by_id([root])?.pop();
    let competitor = competitor.unwrap_or_else(|| found.clone());
    let accounts = load_merged_accounts(store, &found, root)?;
    let ids: Vec<CompetitorId> = std::iter::once(root)
        .chain(accounts.iter().map(|of| of.competitor_id))
        .collect();
    let (alone, in_teams) = load_appearances(store, &ids)?;
    let runs = load_run_standings(store, request, alone.iter().chain(&in_teams), root)?;
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
    let names = if labeller.pseudonymised {
        Vec::new()
    } else {
        store.name_history(root)?
    };
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
    let options = RankingOptions {
        as_of,
        min_contests: 1,
        inactive_after_days: INACTIVE_AFTER_DAYS,
        provisional: ProvisionalPlacement::Last,
        order: None,
        reverse: false,
        since: None,
    };
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

/// Loads the results of accounts: their own, and those of their teams.
fn load_appearances(
    store: &Store,
    accounts: &[CompetitorId],
) -> Result<(Vec<Appearance>, Vec<Appearance>), Error> {
    let alone = store.results_of_competitors(accounts.iter().copied())?;
    let alone = (alone.iter()).map(|of| Appearance::new(of, of.competitor_id, None));
    let in_teams = store.results_of_members(accounts.iter().copied())?;
    let in_teams =
        (in_teams.iter()).map(|(person, of)| Appearance::new(of, *person, Some(of.competitor_id)));
    Ok((alone.collect(), in_teams.collect()))
}

/// The keys of a run in the list of all runs.
#[derive(Serialize)]
#[serde(remote = "RunRow")]
struct RunName {
    run_id: RunId,
    system: String,
}

/// Returns the accounts that count as `root`, in the source of `found`.
fn load_merged_accounts(
    store: &Store,
    found: &CompetitorRow,
    root: CompetitorId,
) -> Result<Vec<CompetitorRow>, Error> {
    let mut merged = store.merges(found.source_id)?;
    merged.retain(|&(_, counts_as)| counts_as == root);
    let mut accounts = store.competitors_by_id(merged.into_iter().map(|of| of.0))?;
    accounts.sort_by(|a, b| a.external_id.cmp(&b.external_id));
    Ok(accounts)
}

/// An account of the competitor in the standings of a contest.
#[derive(Clone, Copy)]
struct Appearance {
    contest: ContestId,
    account: CompetitorId,
    /// The team, if the account is a member of one.
    team: Option<CompetitorId>,
    outcome: EntrantOutcome,
}

impl Appearance {
    fn new(of: &ResultRow, account: CompetitorId, team: Option<CompetitorId>) -> Self {
        Self {
            contest: of.contest_id,
            account,
            team,
            outcome: of.outcome,
        }
    }

    /// Returns the competitor of the row of the standings.
    fn row(&self) -> CompetitorId {
        self.team.unwrap_or(self.account)
    }

    fn rank(&self) -> (u32, CompetitorId) {
        (rank(self.outcome), self.account)
    }
}

/// Selects what counts for `root` in each contest. Of several accounts or teams the best counts, as
/// in a replay. An account that counted for itself in the run, because it was merged later, counts
/// only if there is no other.
fn select_appearances(
    store: &Store,
    run: &RunRow,
    root: CompetitorId,
    appearances: Vec<Appearance>,
    identities: &Identities,
) -> Result<HashMap<ContestId, Appearance>, Error> {
    let mut all: HashMap<ContestId, Vec<(bool, Appearance)>> = HashMap::new();
    for appearance in appearances {
        let key = (appearance.contest, appearance.account);
        let for_itself = appearance.account != root
            && (store.ratings_at(run.run_id, [key])?.iter()).any(Option::is_some);
        (all.entry(appearance.contest).or_default()).push((for_itself, appearance));
    }
    let mut counting = HashMap::new();
    for (contest, mut of) in all {
        let least = of.iter().any(|(for_itself, _)| !for_itself);
        of.retain(|(for_itself, _)| !(least && *for_itself));
        let mut row = None;
        if of.len() > 1 && identities.teams == TeamMode::Members {
            let results = store.results_of_contest(contest)?;
            let ranks = (results.iter()).map(|of| (of.competitor_id, rank(of.outcome)));
            let crews = load_rated_teams(store, contest, ranks, |of| identities.resolve(of))?;
            let crew = crews.into_iter().find(|crew| crew.people.contains(&root));
            row = crew.map(|crew| crew.account);
        }
        let best = of
            .into_iter()
            .map(|(_, appearance)| appearance)
            .min_by_key(|of| (Some(of.row()) != row, of.rank()));
        counting.extend(best.map(|best| (contest, best)));
    }
    Ok(counting)
}

/// Loads the contests with these ids that had ended by `as_of`, in the order of replay.
fn load_contests(
    store: &Store,
    ids: impl Iterator<Item = ContestId>,
    as_of: Option<ContestTime>,
) -> Result<Vec<ContestRow>, Error> {
    // In the order of the table, which reads each page once.
    let mut contests = store.contests_by_id(ids.collect::<BTreeSet<_>>())?;
    contests.retain(|contest| had_ended(contest.ends_at, as_of));
    contests.sort_unstable_by(ContestRow::replay_order);
    Ok(contests)
}

/// Returns those of `wanted` that a run was computed from, in its order; all, as in `contests`, for a
/// run of an older version, which did not store them.
fn contests_in_run_order(
    store: &Store,
    run: &RunRow,
    contests: &[ContestId],
    wanted: &HashSet<ContestId>,
) -> Result<Vec<ContestId>, Error> {
    let mut is_stored = false;
    let mut in_order = Vec::new();
    store.for_each_run_contest(run.run_id, |rated| {
        is_stored = true;
        in_order.extend(Some(rated.contest_id).filter(|id| wanted.contains(id)));
    })?;
    Ok(if is_stored {
        in_order
    } else {
        contests.to_vec()
    })
}

/// Contests whose ratings are loaded together: a run can have a million.
const CHUNK_CONTESTS: usize = 4096;

/// Loads the ratings of a competitor after these contests, which are in the order of the run.
/// Contests without a rating are left out.
fn load_rating_steps(
    store: &Store,
    run: &RunRow,
    contests: impl Iterator<Item = ContestId>,
    competitor: CompetitorId,
) -> Result<Vec<(ContestId, RatingStep)>, Error> {
    let mut before: Option<f64> = None;
    let mut steps = Vec::new();
    let mut contests = contests.peekable();
    while contests.peek().is_some() {
        let chunk: Vec<ContestId> = contests.by_ref().take(CHUNK_CONTESTS).collect();
        let keys = chunk.iter().map(|&contest| (contest, competitor));
        let rows = store.ratings_at(run.run_id, keys)?;
        steps.extend(chunk.into_iter().zip(rows).filter_map(|(contest, row)| {
            let row = row?;
            let change = before.replace(row.mu).map(|before| row.mu - before);
            let step = RatingStep {
                mu: row.mu,
                sigma: row.sigma,
                performance: row.performance,
                change,
                volatility: row.volatility,
            };
            Some((contest, step))
        }));
    }
    Ok(steps)
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

/// Loads the rating of a competitor in each run over the source, alone or with others.
fn load_run_standings<'a>(
    store: &Store,
    request: &PlayerRequest,
    appearances: impl Iterator<Item = &'a Appearance>,
    competitor: CompetitorId,
) -> Result<Vec<RunStanding>, Error> {
    let source = &request.source;
    let appearances: Vec<ContestId> = appearances.map(|of| of.contest).collect();
    let mut standings = Vec::new();
    for run in store.runs()? {
        let selection = RunSelection::from_canonical_json(&run.selection);
        if !selection.sources.contains(source) {
            continue;
        }
        let of = if request.as_of.is_none() && run.competitors.is_some() {
            store.current_rating(run.run_id, competitor)?
        } else {
            let rows = load_contests(store, appearances.iter().copied(), request.as_of)?;
            let contests: Vec<ContestId> = rows.iter().map(|of| of.contest_id).collect();
            let wanted: HashSet<ContestId> = contests.iter().copied().collect();
            let order = contests_in_run_order(store, &run, &contests, &wanted)?;
            let rated = load_rating_steps(store, &run, order.into_iter(), competitor)?;
            let ends_at: HashMap<ContestId, Option<i64>> = (rows.iter())
                .map(|of| (of.contest_id, of.ends_at))
                .collect();
            let mut summary = RatingSummary::default();
            for ((_, step), position) in rated.iter().zip(0..) {
                summary.add(position, step.mu, step.sigma, step.volatility);
            }
            rated.last().map(|(last, _)| {
                let ends_at = ends_at.get(last).copied().flatten();
                summary.current_rating(competitor, ends_at.unwrap_or(0))
            })
        };
        let Some(of) = of else {
            continue;
        };
        let mut rules = RatingRules::load(store, &run, request.as_stored)?;
        (rules.growth).set_time_or_newest(store, &run, request.as_of)?;
        // The place is not shown.
        let row = rules.row(0, &of);
        standings.push(RunStanding {
            settings: describe_settings(&run, &selection, source),
            run,
            rating: row.rating,
            provisional: row.provisional,
            mu: row.mu,
            sigma: row.sigma,
            stored_sigma: row.stored_sigma,
            conservative: row.conservative,
            contests: row.contests,
            last_change: row.last_change,
            display: rules.display,
        });
    }
    Ok(standings)
}

fn describe_settings(run: &RunRow, selection: &RunSelection, source: &SourceName) -> Vec<String> {
    let mut words: Vec<String> = (non_default_parameters(&run.system, &run.parameters).iter())
        .map(|(key, value)| format_setting(key, value))
        .collect();
    words.extend(selection.describe_filters());
    let others = selection.sources.iter().filter(|name| *name != source);
    words.extend(others.map(|name| format!("with {name}")));
    words
}
