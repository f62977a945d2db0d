//! The view of one competitor: rating, history, and ratings in all runs.

pub(crate) mod accounts;
pub(crate) mod appearances;
pub(crate) mod results;
pub(crate) mod run_standings;

use clap::Args;
use ranklore_contest::{ContestTime, EntrantKind, SourceName};
use ranklore_rating::{Display, Provisional};
use ranklore_store::{CompetitorId, CompetitorRow, NameRow, RunRow};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::cache::ViewReader;
use crate::games::summary::{PlayerGames, summarize_games};
use crate::history::{Highlights, PlayerContest, RatingStep, find_highlights};
use crate::names::find::find_competitor;
use crate::names::labels::{CompetitorLabel, Labeller, NamesPolicy};
use crate::page::{Extent, Page};
use crate::player::accounts::PlayerAccounts;
use crate::player::appearances::load_appearances;
use crate::player::results::PlayerResults;
use crate::player::run_standings::{RunStanding, load_run_standings};
use crate::ranking::rules::RatingRules;
use crate::ranking::{RankedCompetitor, Ranking, RankingOptions};
use crate::requests::values::{parse_end_time, parse_kind};
use crate::rows::cell::CellValue;
use crate::rows::columns::{COMPLETENESS, Columns, List};
use crate::rows::format::format_completeness;
use ranklore_replay::{Error, NameNotFound, RunChoice, find_run_covering, is_stale, serialize_run};

/// The run and the parts of the view of a competitor.
#[derive(Args, Clone, Debug, Default)]
pub struct PlayerRequest {
    /// The choice of the run.
    #[command(flatten)]
    pub run: RunChoice,
    /// Only competitors of this kind: person, team or couple
    #[arg(long, value_name = "KIND", value_parser = parse_kind)]
    pub kind: Option<EntrantKind>,
    /// Show the state at the end of this day, or at this time
    #[arg(long, value_name = "DATE", value_parser = parse_end_time)]
    pub as_of: Option<ContestTime>,
    /// Show sigma as stored after the last contest, without its growth since
    #[arg(long)]
    pub as_stored: bool,
    /// Opponents in games of two to list, or all [default: 10 in tables and Markdown, all in JSON]
    // Those with the most games come first.
    #[arg(long, value_name = "N", value_parser = parse_opponents)]
    pub opponents: Option<usize>,
    /// The rows to return.
    #[command(flatten)]
    pub page: Page,
    /// The rule for names.
    #[arg(skip)]
    pub names: NamesPolicy,
}

/// Parses a number of opponents or `all`.
fn parse_opponents(word: &str) -> Result<usize, String> {
    match word {
        "all" => Ok(usize::MAX),
        number => number.parse().map_err(|_| "expected a number or all".to_owned()),
    }
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

impl List for PlayerView {
    type Row = PlayerContest;

    fn columns(&self) -> Columns<'_, PlayerContest> {
        let decimals = self.display.decimals;
        let points = move |row: &PlayerContest, number: fn(&RatingStep) -> Option<f64>| {
            let number = row.rating.as_ref().and_then(number);
            number.map_or(CellValue::Empty, |number| CellValue::Points(number, decimals))
        };
        Columns::new()
            .data(&["contest"])
            .left(("name", "contest"), |row: &PlayerContest| CellValue::text(&row.contest.name))
            .left(("ends_at", "date"), |row| row.contest.ends_at.map(CellValue::Day))
            .before("name")
            .data(&["entrants", "account", "team"])
            .right("place", PlayerContest::place)
            .data(&["status"])
            .right("before", move |row| points(row, |step| Some(step.mu - step.change?)))
            .only_on_page()
            .right("mu", move |row| points(row, |step| Some(step.mu)))
            .titled_on_page("After")
            .important()
            .right("sigma", move |row| points(row, |step| Some(step.sigma)))
            .before("unrated")
            .wide()
            .right("performance", move |row| points(row, |step| step.performance))
            .shown_if_any(&self.rows)
            .before("before")
            .wide()
            .right("change", move |row| {
                let step = row.rating.as_ref();
                step.map_or(CellValue::Empty, |step| CellValue::Change(step.change, decimals))
            })
            .important()
            .data(&["unrated"])
            .data(&COMPLETENESS)
            .left(("remark", ""), |row| self.remark(row))
            .titled_on_page("Note")
            .not_in_data()
            .wide()
    }

    fn extent(&self) -> Option<Extent> {
        Some(Extent::new(self.offset, self.rows.len(), self.total))
    }
}

impl PlayerView {
    /// Returns the reason that a contest is not rated, the share that arrived if it is incomplete,
    /// the account if it is a merged one, and the team.
    fn remark(&self, row: &PlayerContest) -> String {
        let prefix = if row.rating.is_some() { "now " } else { "" };
        let reason = row.unrated.map(|reason| prefix.to_owned() + reason.as_str());
        let completeness = row.contest.completeness.as_ref();
        let arrived = completeness.filter(|_| row.contest.is_incomplete).map(format_completeness);
        let is_merged = row.account.competitor_id != self.competitor.competitor_id;
        let account = is_merged.then(|| format!("as {}", row.account.external_id));
        let team = row.team.as_ref().map(|team| format!("in {}", team.name));
        let facts = [reason, arrived, account, team].into_iter().flatten();
        facts.collect::<Vec<_>>().join(", ")
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
    source: &SourceName,
    name: &str,
    request: &PlayerRequest,
) -> Result<PlayerView, Error> {
    let reader = reader.into();
    let PlayerRequest {
        kind, run, names, ..
    } = request;
    let account = find_competitor(reader.store, source, name, *kind, run, *names)?;
    load_view_of(reader, source, name, request, account)
}

/// Loads the view of a competitor that is found already: its name is not searched.
///
/// # Errors
/// Those of [`load_player_view`].
pub fn load_found_player_view<'s>(
    reader: impl Into<ViewReader<'s>>,
    source: &SourceName,
    name: &str,
    request: &PlayerRequest,
    competitor: CompetitorId,
) -> Result<PlayerView, Error> {
    let reader = reader.into();
    let account = reader.store.competitors_by_id([competitor])?.pop();
    // A search by name could find what a pseudonym hides.
    let account = account.ok_or_else(|| {
        Error::NoCompetitor(Box::new(NameNotFound {
            requested_name: name.to_owned(),
            source_name: source.clone(),
            candidates: Vec::new(),
            more: 0,
            matching: false,
        }))
    })?;
    load_view_of(reader, source, name, request, account)
}

fn load_view_of(
    reader: ViewReader<'_>,
    source: &SourceName,
    name: &str,
    request: &PlayerRequest,
    account: CompetitorRow,
) -> Result<PlayerView, Error> {
    let store = reader.store;
    let run = find_run_covering(store, source, &request.run)?;
    let mut labeller = Labeller::load(store, request.names)?;
    let is_called = [&*account.name, &*account.external_id].contains(&name);
    let mut accounts = PlayerAccounts::load(store, &mut labeller, account)?;
    let root = accounts.root;
    let appearances = load_appearances(store, &accounts.ids())?;
    let (own_results, team_results) = &appearances;
    let all_results = own_results.iter().chain(team_results);
    let times = (request.as_of, request.as_stored);
    let runs = load_run_standings(store, source, times, all_results, root)?;
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
    let opponents = request.opponents.unwrap_or(usize::MAX);
    let games = summarize_games(store, &mut labeller, &history, &played, opponents)?;
    Ok(PlayerView {
        stale: is_stale(&run, results.is_current),
        k: rules.k,
        sigma_as_of: rules.growth.as_of(),
        display: rules.display,
        rule: rules.provisional,
        source: source.clone(),
        exact: is_called || accounts.account.name == name,
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
