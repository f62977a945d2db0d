//! Two competitors against each other: their meetings, and the chances of the next one.

use std::collections::{BTreeSet, HashMap, HashSet};

use ranklore_contest::{ContestTime, EntrantKind, Side, SourceName};
use ranklore_store::{CompetitorId, CompetitorRow, ContestId, ContestRow, RunRow, Store};
use serde::Serialize;

use crate::coverage::{UnratedReason, had_ended};
use crate::games::expected::set_expected_scores;
use crate::games::load::load_games;
use crate::games::record::{
    GameOutcome, GameRecord, GameSide, PlayedGame, SideRecord, records_by_side,
};
use crate::names::find::find_competitor;
use crate::names::labels::{CompetitorLabel, Labeller, NamesPolicy};
use crate::page::{Extent, Page};
use crate::predictions::field::{
    PredictedField, PredictionRequest, PredictionView, load_prediction,
};
use crate::ranking::rules::find_display;
use crate::rows::cell::CellValue;
use crate::rows::columns::{Columns, List};
use ranklore_replay::{
    Error, Identities, RunChoice, System, TeamMode, find_run_if_rated, is_current, is_stale,
    serialize_run,
};

/// Two competitors, and the run to compare them by.
#[derive(Clone, Debug)]
pub struct VersusRequest {
    /// The source of the competitors.
    pub source: SourceName,
    /// The competitors by external id or name, searched as by [`find_name`](crate::find_name).
    pub names: [String; 2],
    /// The choice of the run. Without a run, the view has no ratings and no chances.
    pub run: RunChoice,
    /// The time up to which contests count; by default all count.
    pub as_of: Option<ContestTime>,
    /// True for sigma as stored after the last contest, instead of its growth.
    pub as_stored: bool,
    /// The meetings to return, the newest first.
    pub page: Page,
    /// The rule for names.
    pub policy: NamesPolicy,
}

/// Two competitors against each other. Records are those of the first.
#[derive(Clone, Debug, Serialize)]
pub struct VersusView {
    /// The run; `None` if there is none, and no ratings then.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: Option<RunRow>,
    /// True if results have changed since the run, or an earlier version computed it.
    pub stale: bool,
    /// The time up to which sigma has grown, in Unix seconds; `None` if it does not grow.
    pub sigma_as_of: Option<i64>,
    /// The source.
    pub source: SourceName,
    /// The first competitor.
    pub first: Opponent,
    /// The second competitor.
    pub second: Opponent,
    /// The chances of the next game; `None` without a run, or if its system has no win
    /// probabilities.
    pub next: Option<NextGame>,
    /// The games of the first against the second.
    pub record: GameRecord,
    /// The games on each side of the first, if sides are stored.
    pub sides: Vec<SideRecord>,
    /// The number of meetings on all pages.
    pub total: usize,
    /// The number of meetings before this page.
    pub offset: usize,
    /// The meetings of this page, the newest first.
    pub rows: Vec<Meeting>,
    /// The names that were found under another name than the requested one, each with that.
    #[serde(skip)]
    pub inexact: Vec<(String, String)>,
    /// The number of decimals of mu and sigma.
    #[serde(skip)]
    pub decimals: u8,
    /// True if names were replaced by pseudonyms.
    #[serde(skip)]
    pub pseudonymised: bool,
}

/// A competitor of the two, with its rating for the next game.
#[derive(Clone, Debug, Serialize)]
pub struct Opponent {
    /// The competitor.
    #[serde(flatten)]
    pub competitor: CompetitorLabel,
    /// Person, team or couple.
    pub kind: EntrantKind,
    /// The rating; of newcomers the initial one; `None` without chances.
    pub mu: Option<f64>,
    /// The uncertainty at the time of the view.
    pub sigma: Option<f64>,
    /// True if the run has a rating of the competitor.
    pub rated: bool,
}

/// The chances of the next game, for the first competitor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NextGame {
    /// The probability that it wins.
    pub win: f64,
    /// The probability of a draw; 0 in systems without draws.
    pub draw: f64,
    /// The probability that it loses.
    pub loss: f64,
    /// The expected score: a draw counts one half.
    pub expected: f64,
}

/// A game between the two.
#[derive(Clone, Debug, Serialize)]
pub struct Meeting {
    /// The external id of the contest.
    pub contest: String,
    /// The name of the contest.
    pub name: String,
    /// The time of the result, in Unix seconds.
    pub ends_at: Option<i64>,
    /// The result of the first.
    pub result: GameOutcome,
    /// The expected score of the first; `None` if the run does not rate the game.
    pub expected: Option<f64>,
    /// The first.
    pub first: MeetingEntrant,
    /// The second.
    pub second: MeetingEntrant,
}

/// A competitor of the two in a game.
#[derive(Clone, Debug, Serialize)]
pub struct MeetingEntrant {
    /// The side, if known.
    pub side: Option<Side>,
    /// The team, if the run rates its members.
    #[serde(serialize_with = "CompetitorLabel::serialize_id")]
    pub team: Option<CompetitorLabel>,
    /// The rating before the game, of a team the sum of its members; `None` if the run does not
    /// rate the game.
    pub mu: Option<f64>,
    /// True if it has an earlier rating in the run.
    pub rated_before: bool,
}

impl List for VersusView {
    type Row = Meeting;

    fn columns(&self) -> Columns<'_, Meeting> {
        let points = |mu: Option<f64>| mu.map(|mu| CellValue::Points(mu, self.decimals));
        let rows = &self.rows;
        Columns::new()
            .data(&["contest"])
            .left(("name", "contest"), |meeting: &Meeting| CellValue::text(&meeting.name))
            .left(("ends_at", "date"), |meeting| meeting.ends_at.map(CellValue::Day))
            .before("name")
            .left("result", |meeting| meeting.result.as_str())
            .important()
            .right("expected", |meeting| meeting.expected.map(|score| format!("{score:.2}")))
            .shown_if_any(rows)
            .left(("first.side", "side"), |meeting| meeting.first.side.map(Side::as_str))
            .shown_if_any(rows)
            .before("expected")
            .data(&["first.team"])
            .right(("first.mu", "mu"), move |meeting| points(meeting.first.mu))
            .shown_if_any(rows)
            .data(&["first.rated_before", "second.side", "second.team"])
            .right(("second.mu", "opponent mu"), move |meeting| points(meeting.second.mu))
            .shown_if_any(rows)
            .data(&["second.rated_before"])
            .left(("teams", ""), Meeting::describe_teams)
            .shown_if_any(rows)
            .not_in_data()
    }

    fn extent(&self) -> Option<Extent> {
        Some(Extent::new(self.offset, self.rows.len(), self.total))
    }
}

impl Meeting {
    /// Describes the teams in which both were; `None` if they were in none.
    fn describe_teams(&self) -> Option<CellValue> {
        let teams = [&self.first.team, &self.second.team];
        let names = teams.map(|team| team.as_ref().map(|team| &team.name));
        Some(CellValue::Text(match names {
            [None, None] => return None,
            [Some(team), None] => format!("in {team}"),
            [None, Some(team)] => format!("against {team}"),
            [Some(team), Some(other)] => format!("in {team} against {other}"),
        }))
    }
}

/// Loads two competitors against each other. Reads only the contests of both, and of the run their
/// order.
///
/// # Errors
/// [`Error::NoCompetitor`], [`Error::SameCompetitor`], [`Error::NoSource`], [`Error::NoRun`],
/// [`Error::SourceMismatch`], [`Error::DamagedParameters`], [`Error::TeamOfMembers`],
/// [`Error::Store`].
pub fn load_versus(store: &Store, request: &VersusRequest) -> Result<VersusView, Error> {
    let [first, second] = &request.names;
    let accounts = [
        find_account(store, request, first)?,
        find_account(store, request, second)?,
    ];
    let roots = [
        store.merge_root(accounts[0].competitor_id)?,
        store.merge_root(accounts[1].competitor_id)?,
    ];
    let mut labeller = Labeller::load(store, request.policy)?;
    let inexact = find_inexact(&mut labeller, request, &accounts);
    if roots[0] == roots[1] {
        let [first, second] = request.names.clone();
        return Err(Error::SameCompetitor { first, second });
    }
    let run = find_run_if_rated(store, &request.source, &request.run)?;
    let identities = match &run {
        Some(run) => Identities::load_for_view(store, run)?,
        None => Identities::load(store, [accounts[0].source_id], TeamMode::Whole)?,
    };
    let prediction = predict(store, request, run.as_ref())?;
    let prediction = prediction.as_ref();
    let contests = load_common_contests(store, &identities, roots, request.as_of)?;
    let ids = contests.iter().map(|contest| contest.contest_id);
    let mut games = load_games(store, &identities, ids, roots[0], Some(roots[1]))?;
    if let Some(run) = &run {
        set_expected_scores(store, run, &identities, &mut games, roots[0], None)?;
    }
    let mut record = GameRecord::default();
    for game in &games {
        record.add(game);
    }
    let page = request.page.select(games.iter().rev());
    let rows = list_meetings(store, &mut labeller, &contests, roots, page)?;
    let [first, second] = accounts;
    let first = load_opponent(store, &mut labeller, first, prediction)?;
    let second = load_opponent(store, &mut labeller, second, prediction)?;
    Ok(VersusView {
        stale: match &run {
            Some(run) => is_stale(run, is_current(store, run)?),
            None => false,
        },
        sigma_as_of: prediction.and_then(|view| view.sigma_as_of),
        source: request.source.clone(),
        first,
        second,
        next: prediction.and_then(|view| next_game(view, roots[0])),
        record,
        sides: records_by_side(games.iter()),
        total: games.len(),
        offset: request.page.offset,
        rows,
        inexact,
        decimals: run.as_ref().map_or(0, |run| find_display(run).decimals),
        pseudonymised: labeller.pseudonymised,
        run,
    })
}

fn find_account(
    store: &Store,
    request: &VersusRequest,
    name: &str,
) -> Result<CompetitorRow, Error> {
    let VersusRequest { source, run, .. } = request;
    find_competitor(store, source, name, None, run, request.policy)
}

/// Returns the names that are not exactly those of the accounts, each with the account's.
fn find_inexact(
    labeller: &mut Labeller,
    request: &VersusRequest,
    accounts: &[CompetitorRow; 2],
) -> Vec<(String, String)> {
    let mut inexact = Vec::new();
    for (name, account) in request.names.iter().zip(accounts) {
        let is_called = [&account.external_id, &account.name].contains(&name);
        let label = labeller.label(account.clone());
        if !is_called && label.name != *name {
            inexact.push((name.clone(), label.name));
        }
    }
    inexact
}

/// Predicts the next game by the code of `predict`; `None` without a run, and for a system without
/// win probabilities.
fn predict(
    store: &Store,
    request: &VersusRequest,
    run: Option<&RunRow>,
) -> Result<Option<PredictionView>, Error> {
    let Some(run) = run else {
        return Ok(None);
    };
    if System::from_run_if_known(run)?.is_none() {
        return Ok(None);
    }
    let field = PredictionRequest {
        source: request.source.clone(),
        field: PredictedField::Names(request.names.to_vec()),
        run: run.run_id.into(),
        as_of: request.as_of,
        as_stored: request.as_stored,
        names: request.policy,
    };
    load_prediction(store, &field).map(Some)
}

/// Returns the competitor that an account counts for, with its rating in the prediction.
fn load_opponent(
    store: &Store,
    labeller: &mut Labeller,
    account: CompetitorRow,
    prediction: Option<&PredictionView>,
) -> Result<Opponent, Error> {
    let root = store.merge_root(account.competitor_id)?;
    let competitor = store.competitors_by_id([root])?.pop();
    let competitor = labeller.label(competitor.unwrap_or(account));
    let rating = prediction.and_then(|prediction| {
        let mut rows = prediction.rows.iter();
        rows.find(|row| row.competitor.competitor_id == root)
    });
    Ok(Opponent {
        kind: competitor.kind,
        competitor,
        mu: rating.map(|row| row.mu),
        sigma: rating.map(|row| row.sigma),
        rated: rating.is_some_and(|row| row.rated_before),
    })
}

/// Returns the chances of a competitor in a prediction of two.
fn next_game(prediction: &PredictionView, first: CompetitorId) -> Option<NextGame> {
    let pair = prediction.pairs.first()?;
    let is_favourite = prediction.rows.first()?.competitor.competitor_id == first;
    let (win, loss) = if is_favourite {
        (pair.above, pair.below)
    } else {
        (pair.below, pair.above)
    };
    Some(NextGame {
        win,
        draw: pair.tied,
        loss,
        expected: win + 0.5 * pair.tied,
    })
}

/// Loads the contests of two in which both competitors are, with a result that counts, in the order of
/// replay.
fn load_common_contests(
    store: &Store,
    identities: &Identities,
    [first, second]: [CompetitorId; 2],
    as_of: Option<ContestTime>,
) -> Result<Vec<ContestRow>, Error> {
    let first_accounts: Vec<CompetitorId> = identities.accounts(first).collect();
    let mut first_contests: HashSet<ContestId> = HashSet::new();
    identities.for_each_contest_of(store, first_accounts, |_, contest| {
        first_contests.insert(contest);
    })?;
    let second_accounts: Vec<CompetitorId> = identities.accounts(second).collect();
    let mut common = BTreeSet::new();
    identities.for_each_contest_of(store, second_accounts, |_, contest| {
        common.extend(first_contests.get(&contest).copied());
    })?;
    let mut contests = store.contests_by_id(common)?;
    contests.retain(|contest| {
        let counts = UnratedReason::for_all_runs(contest).is_none();
        // Both may meet in larger contests too, which are no games.
        contest.entrants == 2 && counts && had_ended(contest.ends_at, as_of)
    });
    contests.sort_unstable_by(ContestRow::replay_order);
    Ok(contests)
}

/// Describes games; `contests` has theirs.
fn list_meetings(
    store: &Store,
    labeller: &mut Labeller,
    contests: &[ContestRow],
    roots: [CompetitorId; 2],
    games: Vec<&PlayedGame>,
) -> Result<Vec<Meeting>, Error> {
    let contests: HashMap<ContestId, &ContestRow> =
        contests.iter().map(|contest| (contest.contest_id, contest)).collect();
    let sides = games.iter().flat_map(|game| [&game.own, &game.other]);
    let teams: HashSet<CompetitorId> = sides
        .map(|side| side.competitor)
        .filter(|competitor| !roots.contains(competitor))
        .collect();
    let teams = labeller.load_labels(store, teams)?;
    let entrant = |side: &GameSide| MeetingEntrant {
        side: side.side,
        team: teams.get(&side.competitor).cloned(),
        mu: side.mu,
        rated_before: side.mu.is_some() && side.rated_before,
    };
    let meetings = games.into_iter().filter_map(|game| {
        let contest = contests.get(&game.contest)?;
        Some(Meeting {
            contest: contest.external_id.clone(),
            name: contest.name.clone(),
            ends_at: contest.ends_at,
            result: game.result,
            expected: game.expected,
            first: entrant(&game.own),
            second: entrant(&game.other),
        })
    });
    Ok(meetings.collect())
}
