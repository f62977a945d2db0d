//! The view of one contest: standings, predictions, rating changes and upsets.

use std::collections::{HashMap, HashSet};

use ranklore_contest::{EntrantKind, EntrantOutcome, SourceName, UnixSeconds};
use ranklore_rating::metrics::{self, Accuracy, Prediction};
use ranklore_store::{
    CompetitorId, ContestId, ContestRow, RatingRow, ResultRow, RunId, RunRow, Store, TeamMember,
};
use serde::Serialize;

use crate::error::Error;
use crate::runs::fingerprint::{is_current, is_stale};
use crate::runs::identities::Identities;
use crate::runs::keys::serialize_run;
use crate::runs::lineup::event_numbers;
use crate::runs::lookup::find_run_covering;
use crate::runs::selection::RunSelection;
use crate::runs::systems::System;
use crate::runs::teams::{RatedTeam, TeamMode, load_rated_teams, rank, sum_ratings};
use crate::views::coverage::{Coverage, UnratedReason, contests_of_run};
use crate::views::find::find_contest;
use crate::views::history::serialize_outcome;
use crate::views::names::{CompetitorLabel, Labeller, NamesPolicy};
use crate::views::page::Page;
use crate::views::upsets::{PredictedEntrant, Upsets, find_upsets};

/// A contest, and the run to show it by.
#[derive(Clone, Debug)]
pub struct ContestRequest {
    /// The source of the contest.
    pub source: SourceName,
    /// The external id of the contest, or its name, searched as by [`find_name`](crate::find_name).
    pub contest: String,
    /// The run; by default the newest over the source alone, except `official`. Without a run, the
    /// view has no ratings.
    pub run: Option<RunId>,
    /// The time by which the contest must have ended.
    pub as_of: Option<UnixSeconds>,
    /// The rows to return.
    pub page: Page,
    /// The rule for names.
    pub names: NamesPolicy,
}

/// One contest: standings, predictions, rating changes.
#[derive(Clone, Debug, Serialize)]
pub struct ContestView {
    /// The run of the ratings; `None` if there is no run, and no ratings then.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: Option<RunRow>,
    /// True if results have changed since the run, or an earlier version computed it.
    pub stale: bool,
    /// The contest.
    #[serde(flatten)]
    pub contest: ContestRow,
    /// The reason why it is not rated now; `None` if it is. A stale run may still have ratings of
    /// it.
    pub unrated: Option<UnratedReason>,
    /// The number of entrants with an earlier rating; a team counts if all its rated members have
    /// one.
    pub rated_before: usize,
    /// The share of pairs among them in the predicted order, in percent: 100 is perfect, 50 is
    /// chance; `None` without predictions.
    pub concordance: Option<f64>,
    /// The same as published: equal ratings count as right, as do ties.
    pub pair_inversion: Option<f64>,
    /// The distance between their predicted and actual place, in percent; `None` without
    /// predictions.
    pub rank_deviation: Option<f64>,
    /// The results that the ratings predicted worst.
    #[serde(flatten)]
    pub upsets: Upsets,
    /// The number of rows on all pages.
    pub total: usize,
    /// The number of rows before this page.
    pub offset: usize,
    /// The rows of this page.
    pub rows: Vec<ContestResult>,
    /// All rows, by place; then entrants that did not finish, then disqualified ones.
    #[serde(skip)]
    pub entries: Vec<ContestEntry>,
    /// The names of all competitors in the rows and upsets, by the names policy.
    #[serde(skip)]
    pub labels: HashMap<CompetitorId, CompetitorLabel>,
    /// True if names were replaced by pseudonyms.
    #[serde(skip)]
    pub pseudonymised: bool,
}

impl ContestView {
    /// Returns the view of a contest without a run; rows and labels are filled in later.
    fn new(contest: ContestRow, entries: Vec<ContestEntry>) -> Self {
        Self {
            run: None,
            stale: false,
            contest,
            unrated: None,
            rated_before: 0,
            concordance: None,
            pair_inversion: None,
            rank_deviation: None,
            upsets: Upsets::default(),
            total: entries.len(),
            offset: 0,
            rows: Vec::new(),
            entries,
            labels: HashMap::new(),
            pseudonymised: false,
        }
    }
}

/// A competitor in the standings, alone or in a team, as views return it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContestCompetitor {
    /// The competitor.
    #[serde(flatten)]
    pub competitor: CompetitorLabel,
    /// The external id of the competitor for whom the result counts in the run.
    pub counts_as: Option<String>,
    /// True if the result counts.
    pub counted: bool,
    /// The external id of the row of these standings that counts for the competitor.
    pub counts_in: Option<String>,
    /// The rating before the contest.
    pub mu_before: Option<f64>,
    /// The rating after the contest.
    pub mu: Option<f64>,
    /// The uncertainty after the contest.
    pub sigma: Option<f64>,
    /// The change of mu; `None` for newcomers.
    pub change: Option<f64>,
    /// The performance in this contest alone, in systems that have it.
    pub performance: Option<f64>,
}

/// A row of the standings, as views return it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContestResult {
    /// The competitor.
    #[serde(flatten)]
    pub competitor: ContestCompetitor,
    /// Place or status.
    #[serde(flatten, serialize_with = "serialize_outcome")]
    pub outcome: EntrantOutcome,
    /// Person, team or couple.
    pub kind: EntrantKind,
    /// The place by rating among entrants rated before.
    pub predicted: Option<u32>,
    /// The members of a team, if the run rates members.
    pub members: Vec<ContestCompetitor>,
}

/// A row of the standings, or a member of its team.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestEntry {
    /// The competitor.
    pub competitor_id: CompetitorId,
    /// Place or status; of a member, that of the team.
    pub outcome: EntrantOutcome,
    /// The competitor for whom it counts in the run: the same unless merged.
    pub counts_as: CompetitorId,
    /// True if it counts: no other account or team of the same competitor placed better in this
    /// contest.
    pub counted: bool,
    /// The competitor of the row that counts: this row, or another one of these standings.
    pub counts_in: CompetitorId,
    /// True if the competitor, or every member, has an earlier rating.
    pub rated_before: bool,
    /// The place by rating among entrants rated before; equal ratings share the lowest place.
    /// `None` for newcomers, for teams with a newcomer, and for members of teams.
    pub predicted: Option<u32>,
    /// The rating before the contest; of newcomers the initial rating; of a team whose members are
    /// rated the sum. `None` if the row does not count.
    pub mu_before: Option<f64>,
    /// The rating row after the contest; `None` if the row does not count or is not rated, and for
    /// a team whose members are rated.
    pub after: Option<RatingRow>,
    /// The members as published, if the run rates members.
    pub members: Vec<ContestEntry>,
}

impl ContestEntry {
    fn new(competitor_id: CompetitorId, counts_as: CompetitorId, outcome: EntrantOutcome) -> Self {
        Self {
            competitor_id,
            outcome,
            counts_as,
            counted: false,
            counts_in: competitor_id,
            rated_before: false,
            predicted: None,
            mu_before: None,
            after: None,
            members: Vec::new(),
        }
    }

    /// Returns the rating after the contest; of a team whose members are rated the sum.
    #[must_use]
    pub fn mu(&self) -> Option<f64> {
        if self.members.is_empty() {
            return Some(self.after?.mu);
        }
        let counted = self.members.iter().filter(|of| of.counted);
        let after: Option<Vec<f64>> = counted.map(|of| Some(of.after?.mu)).collect();
        let after = after.filter(|after| !after.is_empty())?;
        Some(sum_ratings(after.into_iter()))
    }

    /// Returns the competitors that the run rates here: the members of a team that count, or the
    /// entrant itself.
    fn rated_competitors(&self) -> impl Iterator<Item = CompetitorId> + '_ {
        let alone = self.counted && self.members.is_empty();
        let members = self.members.iter().filter(|member| member.counted);
        (alone.then_some(self.counts_as).into_iter()).chain(members.map(|of| of.counts_as))
    }

    /// Returns the change of mu by the contest; `None` for newcomers.
    #[must_use]
    pub fn change(&self) -> Option<f64> {
        Some(self.mu()? - self.mu_before?).filter(|_| self.rated_before)
    }
}

/// Loads the view of a contest, with the ratings of a run before and after it.
///
/// # Errors
/// [`Error::NoContest`], [`Error::NotEnded`], [`Error::NoSource`], [`Error::NoRun`],
/// [`Error::SourceMismatch`], [`Error::Store`].
pub fn load_contest_view(store: &Store, request: &ContestRequest) -> Result<ContestView, Error> {
    let mut view = contest_with_entries(store, request)?;
    let page = request.page.select(&view.entries);
    let upsets = view.upsets.above.iter().chain(&view.upsets.below);
    let upsets = upsets.map(|upset| &view.entries[upset.entry]);
    let named = (page.iter().copied().chain(upsets))
        .flat_map(|entry| entry.members.iter().chain([entry]))
        .flat_map(|of| [of.competitor_id, of.counts_as, of.counts_in]);
    let mut labeller = Labeller::load(store, request.names)?;
    let labels = labeller.load_labels(store, named)?;
    let rows = (page.into_iter())
        .filter_map(|entry| result(entry, &labels))
        .collect();
    let Upsets { above, below } = &mut view.upsets;
    for upset in above.iter_mut().chain(below) {
        let competitor = view.entries[upset.entry].competitor_id;
        upset.competitor = labels.get(&competitor).cloned();
    }
    Ok(ContestView {
        rows,
        offset: request.page.offset,
        labels,
        pseudonymised: labeller.pseudonymised,
        ..view
    })
}

fn result(
    entry: &ContestEntry,
    labels: &HashMap<CompetitorId, CompetitorLabel>,
) -> Option<ContestResult> {
    let competitor = |of: &ContestEntry| {
        let id = |id: CompetitorId| Some(labels.get(&id)?.external_id.clone());
        Some(ContestCompetitor {
            competitor: labels.get(&of.competitor_id)?.clone(),
            counts_as: id(of.counts_as),
            counted: of.counted,
            counts_in: id(of.counts_in),
            mu_before: of.mu_before,
            mu: of.mu(),
            sigma: of.after.map(|after| after.sigma),
            change: of.change(),
            performance: of.after.and_then(|after| after.performance),
        })
    };
    Some(ContestResult {
        competitor: competitor(entry)?,
        outcome: entry.outcome,
        kind: labels.get(&entry.competitor_id)?.kind,
        predicted: entry.predicted,
        members: entry.members.iter().filter_map(competitor).collect(),
    })
}

fn contest_with_entries(store: &Store, request: &ContestRequest) -> Result<ContestView, Error> {
    let contest = find_contest(store, &request.source, &request.contest)?;
    check_ended(&contest, request.as_of)?;
    let run = match find_run_covering(store, &request.source, request.run) {
        Err(Error::NotRated { .. }) => return view_without_run(store, contest),
        run => run?,
    };
    let selection = RunSelection::from_canonical_json(&run.selection);
    let selected = selection.contests_if_any(store)?;
    let made_of = contests_of_run(store, &run, &selected)?;
    let identities = Identities::load_for_run(store, &selected, &run)?;
    let mut unrated = Coverage::load(store, &run, &selected)?.unrated_reason(&contest);
    let after = load_ratings_after(store, &run, contest.contest_id)?;
    let results = store.results_of_contest(contest.contest_id)?;
    // An account that was merged after the run counted for itself in it.
    let counts_as = |account| {
        if after.contains_key(&account) {
            account
        } else {
            identities.resolve(account)
        }
    };
    let mut entries = build_entries(&results, counts_as);
    if identities.teams == TeamMode::Members {
        let ranks = entries
            .iter()
            .map(|of| (of.competitor_id, rank(of.outcome)));
        let crews = load_rated_teams(store, contest.contest_id, ranks, counts_as)?;
        let members = store.members_of_contest(contest.contest_id)?;
        assign_teams(&mut entries, &members, &crews, counts_as);
    }

    let rated: Vec<CompetitorId> = (entries.iter())
        .flat_map(ContestEntry::rated_competitors)
        .collect();
    let earlier = earlier_contests(&made_of, &contest);
    let accounts = |rated: CompetitorId| -> Vec<CompetitorId> {
        if after.contains_key(&rated) {
            // Accounts merged into it after the run counted for themselves.
            vec![rated]
        } else {
            identities.accounts(rated).collect()
        }
    };
    let known = load_ratings_before(store, &run, &earlier, &rated, &identities, accounts)?;
    let event = event_numbers(earlier.iter().copied().chain([&contest])).pop();
    let newcomer = System::from_run(&run)
        .ok()
        .zip(event)
        .map(|(system, event)| system.rating.newcomer_mu(event));
    if unrated.is_none() && after.is_empty() {
        unrated = Some(UnratedReason::NotYet);
    }
    let before = |counts_as: CompetitorId| {
        let start = identities.starting_rating(counts_as).map(|start| start.mu);
        known.get(&counts_as).copied().or(start).or(newcomer)
    };
    let rate = |entry: &mut ContestEntry| {
        let all_known = (entry.rated_competitors()).all(|of| known.contains_key(&of));
        entry.rated_before = all_known;
        if entry.members.is_empty() {
            entry.after = after.get(&entry.counts_as).copied();
        }
        let all: Option<Vec<f64>> = entry.rated_competitors().map(before).collect();
        entry.mu_before = all.map(|all| sum_ratings(all.into_iter()));
    };
    for entry in entries.iter_mut().filter(|entry| entry.counted) {
        (entry.members.iter_mut())
            .filter(|member| member.counted)
            .for_each(rate);
        rate(entry);
    }
    let known = predict_places(&mut entries);
    let accuracy = accuracy(&entries);
    let finite = |value: f64| value.is_finite().then_some(value);
    let predicted: Vec<PredictedEntrant> = (entries.iter().enumerate())
        .filter_map(|(index, entry)| {
            Some(PredictedEntrant {
                entry: index,
                rank: rank(entry.outcome),
                predicted: entry.predicted?,
            })
        })
        .collect();
    Ok(ContestView {
        stale: is_stale(&run, is_current(store, &run, &selected)?),
        run: Some(run),
        unrated,
        rated_before: known,
        concordance: finite(accuracy.concordance()),
        pair_inversion: finite(accuracy.pair_inversion()),
        rank_deviation: finite(accuracy.rank_deviation()),
        upsets: find_upsets(&predicted),
        ..ContestView::new(contest, entries)
    })
}

/// Returns the view of a contest of a source without a run.
fn view_without_run(store: &Store, contest: ContestRow) -> Result<ContestView, Error> {
    let identities = Identities::load(store, std::slice::from_ref(&contest), TeamMode::Whole)?;
    let results = store.results_of_contest(contest.contest_id)?;
    let entries = build_entries(&results, |account| identities.resolve(account));
    let counted = entries.iter().filter(|entry| entry.counted);
    let ranks: HashSet<u32> = counted.map(|entry| rank(entry.outcome)).collect();
    let unrated = match UnratedReason::for_all_runs(&contest) {
        None if ranks.len() > 1 => UnratedReason::NotYet,
        kept_out => kept_out.unwrap_or(UnratedReason::NoOrder),
    };
    Ok(ContestView {
        unrated: Some(unrated),
        ..ContestView::new(contest, entries)
    })
}

fn check_ended(contest: &ContestRow, as_of: Option<UnixSeconds>) -> Result<(), Error> {
    let ends_at = contest.ends_at.and_then(UnixSeconds::new);
    match (as_of, ends_at) {
        (Some(as_of), Some(at)) if at <= as_of => Ok(()),
        (None, _) => Ok(()),
        (Some(_), ended_at) => Err(Error::NotEnded {
            contest: contest.name.clone(),
            ended_at,
        }),
    }
}

/// Sorts the standings and marks the rows that count. Of several accounts of one competitor the
/// best counts, as in a replay.
fn build_entries(
    results: &[ResultRow],
    counts_as: impl Fn(CompetitorId) -> CompetitorId,
) -> Vec<ContestEntry> {
    let entry = |of: &ResultRow| {
        ContestEntry::new(of.competitor_id, counts_as(of.competitor_id), of.outcome)
    };
    let mut entries: Vec<ContestEntry> = results.iter().map(entry).collect();
    entries.sort_by_key(|of| (rank(of.outcome), of.outcome.status(), of.competitor_id));
    let mut counted = HashMap::new();
    // Unfinished entrants have no order: of their accounts the one with the lower id counts.
    let mut by_rank: Vec<usize> = (0..entries.len()).collect();
    by_rank.sort_by_key(|&index| (rank(entries[index].outcome), entries[index].competitor_id));
    for index in by_rank {
        let entry = &mut entries[index];
        entry.counts_in = *counted
            .entry(entry.counts_as)
            .or_insert(entry.competitor_id);
        entry.counted = entry.counts_in == entry.competitor_id;
    }
    entries
}

/// Puts members into their teams, and marks the rows that count, as in a replay.
fn assign_teams(
    entries: &mut [ContestEntry],
    members: &[TeamMember],
    crews: &[RatedTeam],
    counts_as: impl Fn(CompetitorId) -> CompetitorId,
) {
    let counts_in: HashMap<CompetitorId, CompetitorId> = (crews.iter())
        .flat_map(|crew| crew.people.iter().map(|&person| (person, crew.account)))
        .collect();
    let mut seats: HashMap<CompetitorId, Vec<CompetitorId>> = HashMap::new();
    for member in members {
        (seats.entry(member.competitor_id).or_default()).push(member.person_id);
    }
    for entry in entries {
        let team = entry.competitor_id;
        let Some(people) = seats.remove(&team) else {
            entry.counts_in = counts_in.get(&entry.counts_as).copied().unwrap_or(team);
            entry.counted = entry.counts_in == team;
            continue;
        };
        // Only the members of a team count, also if the team was merged into another.
        (entry.counts_as, entry.counts_in) = (team, team);
        let mut seated = HashSet::new();
        for person in people {
            let mut member = ContestEntry::new(person, counts_as(person), entry.outcome);
            member.counts_in = counts_in.get(&member.counts_as).copied().unwrap_or(team);
            // A member that is listed twice counts once.
            member.counted = member.counts_in == team && seated.insert(member.counts_as);
            entry.members.push(member);
        }
        entry.counted = entry.members.iter().any(|member| member.counted);
    }
}

/// Returns the contests of the run before this one.
fn earlier_contests<'r>(made_of: &'r [ContestRow], contest: &ContestRow) -> Vec<&'r ContestRow> {
    let all = made_of.iter();
    if made_of.iter().any(|of| of.contest_id == contest.contest_id) {
        all.take_while(|of| of.contest_id != contest.contest_id)
            .collect()
    } else {
        all.filter(|of| of.replay_order(contest).is_lt()).collect()
    }
}

/// Loads mu after the latest earlier contest of the run, by any of their `accounts`, for each of
/// `rated` that has one. Reads the contests of these competitors only.
fn load_ratings_before(
    store: &Store,
    run: &RunRow,
    earlier: &[&ContestRow],
    rated: &[CompetitorId],
    identities: &Identities,
    accounts: impl Fn(CompetitorId) -> Vec<CompetitorId>,
) -> Result<HashMap<CompetitorId, f64>, Error> {
    let positions: HashMap<ContestId, usize> =
        earlier.iter().map(|of| of.contest_id).zip(0..).collect();
    let mut stood: HashMap<CompetitorId, Vec<usize>> = HashMap::new();
    for &counts_as in rated {
        let mut theirs = Vec::new();
        // Contests under merged accounts are included.
        let all: Vec<CompetitorId> = identities.accounts(counts_as).collect();
        identities.for_each_contest_of(store, all, |_, contest| {
            theirs.extend(positions.get(&contest));
        })?;
        theirs.sort_unstable();
        theirs.dedup();
        stood.insert(counts_as, theirs);
    }
    let mut known = HashMap::new();
    // The latest contest nearly always has a rating row. If it has none, because it has no order
    // for example, the contest before it is next.
    while !stood.is_empty() {
        let mut keys = Vec::with_capacity(stood.len());
        stood.retain(|&competitor, positions| {
            let latest = positions.pop().map(|position| earlier[position].contest_id);
            if let Some(contest) = latest {
                let accounts = accounts(competitor).into_iter();
                keys.extend(accounts.map(|account| (contest, account, competitor)));
            }
            latest.is_some()
        });
        // In the order of the table.
        keys.sort_unstable();
        let rows = store.ratings_at(run.run_id, keys.iter().map(|key| (key.0, key.1)))?;
        for (&(_, account, competitor), row) in keys.iter().zip(rows) {
            let Some(row) = row else { continue };
            // The competitor's own row takes precedence over that of another account.
            if account == competitor || !known.contains_key(&competitor) {
                known.insert(competitor, row.mu);
            }
            stood.remove(&competitor);
        }
    }
    Ok(known)
}

fn load_ratings_after(
    store: &Store,
    run: &RunRow,
    contest: ContestId,
) -> Result<HashMap<CompetitorId, RatingRow>, Error> {
    let mut after = HashMap::new();
    store.for_each_rating(run.run_id, [contest], |_, rows| {
        after.extend(rows.iter().map(|&row| (row.competitor_id, row)));
    })?;
    Ok(after)
}

/// Sets the predicted place of entrants rated before, and returns their number.
fn predict_places(entries: &mut [ContestEntry]) -> usize {
    let rating = |entry: &ContestEntry| entry.mu_before.filter(|_| entry.rated_before);
    let mut ratings: Vec<f64> = entries.iter().filter_map(rating).collect();
    ratings.sort_unstable_by(|a, b| b.total_cmp(a));
    for entry in entries {
        entry.predicted =
            rating(entry).map(|mu| ratings.partition_point(|&rating| rating > mu) as u32 + 1);
    }
    ratings.len()
}

/// Returns the accuracy of the predictions of this contest alone, by the rules of evaluations.
fn accuracy(entries: &[ContestEntry]) -> Accuracy {
    let mut prediction = Prediction::default();
    let mut last = None;
    for entry in entries.iter().filter(|entry| entry.counted) {
        let rank = rank(entry.outcome);
        if last.replace(rank).is_some_and(|last| last != rank) {
            prediction.groups.push(prediction.mu.len() as u32);
        }
        prediction.mu.push(entry.mu_before.unwrap_or(0.0));
        prediction
            .earlier
            .push(u32::from(entry.predicted.is_some()));
    }
    prediction.groups.push(prediction.mu.len() as u32);
    let [everybody, ..] = metrics::evaluate(&[prediction]);
    everybody
}
