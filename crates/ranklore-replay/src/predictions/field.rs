//! Prediction of a field: the expected order, and the win probabilities of pairs.

use std::collections::{HashMap, HashSet};

use ranklore_contest::{ContestTime, EntrantKind, EntrantOutcome, Side, SourceName};
use ranklore_rating::{Belief, CompetitorIndex, WinModel};
use ranklore_store::{CompetitorId, ContestRow, RunRow, Store};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::error::Error;
use crate::runs::fingerprint::{is_current, is_stale};
use crate::runs::identities::Identities;
use crate::runs::keys::serialize_run;
use crate::runs::lookup::{RunChoice, find_run_covering};
use crate::runs::systems::System;
use crate::runs::teams::{TeamMode, load_rated_teams, rank};
use crate::views::contest::ratings_before::load_newcomer_mu;
use crate::views::earlier_ratings::EarlierRatings;
use crate::views::find::{find_competitor, find_contest};
use crate::views::history::ContestSummary;
use crate::views::names::{CompetitorLabel, Labeller, NamesPolicy};
use crate::views::ranking::rules::TimedGrowth;

/// The most entrants of a predicted field: each has a probability against each other.
pub const MAX_FIELD: usize = 20_000;

/// The most entrants of a field whose pairs are listed.
pub const MAX_LISTED_FIELD: usize = 100;

/// A field to predict, and the run that predicts it.
#[derive(Clone, Debug)]
pub struct PredictionRequest {
    /// The source of the competitors.
    pub source: SourceName,
    /// The entrants.
    pub field: PredictedField,
    /// The choice of the run.
    pub run: RunChoice,
    /// The time up to which contests count. By default all, or of the field of a contest those that
    /// ended before its start.
    pub as_of: Option<ContestTime>,
    /// True for sigma as stored after the last contest, instead of its growth.
    pub as_stored: bool,
    /// The rule for names.
    pub names: NamesPolicy,
}

/// The entrants to predict.
#[derive(Clone, Debug)]
pub enum PredictedField {
    /// Competitors by external id or name, searched as by [`find_name`](crate::find_name).
    Names(Vec<String>),
    /// Competitors that were found before, of any kind.
    Competitors(Vec<CompetitorId>),
    /// The entrants of a contest that was held, by its external id or name.
    Contest(String),
}

/// A predicted field.
#[derive(Clone, Debug, Serialize)]
pub struct PredictionView {
    /// The run that predicts.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: RunRow,
    /// True if results have changed since the run, or an earlier version computed it.
    pub stale: bool,
    /// The contest whose entrants are predicted.
    pub contest: Option<ContestSummary>,
    /// Contests count that ended before this time, in Unix seconds; `None` if all count.
    pub before: Option<i64>,
    /// The time up to which sigma has grown, in Unix seconds; `None` if it does not grow.
    pub sigma_as_of: Option<i64>,
    /// The entrants, in the expected order.
    pub rows: Vec<PredictedCompetitor>,
    /// The pairs, in the expected order; empty in fields of more than [`MAX_LISTED_FIELD`].
    pub pairs: Vec<PredictedPair>,
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

/// An entrant of a predicted field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PredictedCompetitor {
    /// The competitor.
    #[serde(flatten)]
    pub competitor: CompetitorLabel,
    /// The rating before; of newcomers the initial one, of a team whose members are rated the sum.
    pub mu: f64,
    /// The uncertainty at the time of the prediction.
    pub sigma: f64,
    /// True if the run has an earlier rating of the competitor, or of all members.
    pub rated_before: bool,
    /// The expected place: 1, and for each other entrant the probability that it places above; a
    /// tie counts one half.
    pub expected_place: f64,
    /// Place or status in the contest.
    #[serde(flatten, serialize_with = "serialize_optional_outcome")]
    pub outcome: Option<EntrantOutcome>,
}

/// The prediction of a pair; the probabilities add up to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PredictedPair {
    /// The external id of the first.
    pub first: String,
    /// The external id of the second.
    pub second: String,
    /// The probability that the first places above the second.
    pub above: f64,
    /// The probability that they tie.
    pub tied: f64,
    /// The probability that the first places below the second.
    pub below: f64,
}

/// Serialises a place or status; both are null if there is none.
fn serialize_optional_outcome<'a, S: Serializer>(
    outcome: impl Into<Option<&'a EntrantOutcome>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let outcome = outcome.into();
    let mut keys = serializer.serialize_map(Some(2))?;
    keys.serialize_entry("place", &outcome.and_then(|of| of.place()))?;
    keys.serialize_entry("status", &outcome.and_then(|of| of.status()))?;
    keys.end()
}

/// An entrant before its ratings are loaded.
struct Entrant {
    competitor: CompetitorId,
    /// Its rated members; an individual is its own.
    people: Vec<CompetitorId>,
    outcome: Option<EntrantOutcome>,
    /// True if it has the first move or plays at home.
    has_advantage: bool,
}

/// Predicts a field from the ratings of a run.
///
/// # Errors
/// [`Error::NoCompetitor`], [`Error::NoContest`], [`Error::NoSource`], [`Error::NoRun`],
/// [`Error::SourceMismatch`], [`Error::NotRated`], [`Error::NoWinModel`], [`Error::FieldSize`],
/// [`Error::TeamOfMembers`], [`Error::Store`].
pub fn load_prediction(
    store: &Store,
    request: &PredictionRequest,
) -> Result<PredictionView, Error> {
    let contest = match &request.field {
        PredictedField::Names(_) | PredictedField::Competitors(_) => None,
        PredictedField::Contest(wanted) => Some(find_contest(store, &request.source, wanted)?),
    };
    let run = find_run_covering(store, &request.source, &request.run)?;
    let system = System::from_run(&run).map_err(|_| Error::NoWinModel {
        system: run.system.clone(),
    })?;
    let identities = Identities::load_for_view(store, &run)?;
    let mut inexact = Vec::new();
    let entrants = match (&request.field, &contest) {
        (PredictedField::Names(names), _) => {
            find_entrants(store, request, names, &identities, &mut inexact)?
        }
        (PredictedField::Competitors(ids), _) => {
            let mut entrants = Vec::with_capacity(ids.len());
            let mut labeller = Labeller::load(store, request.names)?;
            for found in store.competitors_by_id(ids.iter().copied())? {
                add_entrant(&mut entrants, &identities, &labeller.label(found))?;
            }
            entrants
        }
        (_, Some(contest)) => contest_entrants(store, contest, &identities)?,
        _ => Vec::new(),
    };
    if !(2..=MAX_FIELD).contains(&entrants.len()) {
        return Err(Error::FieldSize {
            entrants: entrants.len(),
            max: MAX_FIELD,
        });
    }
    let before = match (request.as_of, &contest) {
        (Some(as_of), _) => ContestTime::new(as_of.get() + 1),
        (None, Some(contest)) => (contest.starts_at.or(contest.ends_at)).and_then(ContestTime::new),
        (None, None) => None,
    };
    let mut growth = TimedGrowth::new(&system);
    if !request.as_stored {
        growth.set_time_or_newest(store, &run, request.as_of.or(before))?;
    }
    let mut ratings = Ratings {
        // All contests that the run rates ended by then.
        earlier: EarlierRatings::load(store, &run, before.unwrap_or(ContestTime::MAX))?,
        newcomer: Belief {
            mu: load_newcomer_mu(store, &run, contest.as_ref(), before)?
                .unwrap_or_else(|| system.rating.mu(CompetitorIndex::MAX)),
            ..system.rating.belief(CompetitorIndex::MAX)
        },
        growth,
        identities: &identities,
    };
    let mut beliefs = Vec::with_capacity(entrants.len());
    for entrant in &entrants {
        beliefs.push(ratings.load(&entrant.people)?);
    }
    // What is compared: ratings, and the advantage of a side.
    let shown = beliefs.clone();
    if let [first, second] = &*entrants
        && first.has_advantage != second.has_advantage
    {
        beliefs[usize::from(second.has_advantage)].0.mu += system.rating.advantage();
    }
    let model = system.rating.win_model();
    let places = expected_places(&beliefs, &model);
    let mut order: Vec<usize> = (0..entrants.len()).collect();
    order.sort_by(|&a, &b| {
        let by_name = || entrants[a].competitor.cmp(&entrants[b].competitor);
        places[a].total_cmp(&places[b]).then_with(by_name)
    });
    let mut labeller = Labeller::load(store, request.names)?;
    let labels = labeller.load_labels(store, entrants.iter().map(|of| of.competitor))?;
    let row = |&index: &usize| {
        let (belief, rated_before) = shown[index];
        Some(PredictedCompetitor {
            competitor: labels.get(&entrants[index].competitor)?.clone(),
            mu: belief.mu,
            sigma: belief.variance.sqrt(),
            rated_before,
            expected_place: places[index],
            outcome: entrants[index].outcome,
        })
    };
    let rows: Vec<PredictedCompetitor> = order.iter().filter_map(row).collect();
    let pairs = if rows.len() <= MAX_LISTED_FIELD {
        let ordered: Vec<Belief> = order.iter().map(|&index| beliefs[index].0).collect();
        list_pairs(&rows, &ordered, &model)
    } else {
        Vec::new()
    };
    Ok(PredictionView {
        stale: is_stale(&run, is_current(store, &run)?),
        contest: contest.map(ContestSummary::from),
        before: before.map(ContestTime::get),
        sigma_as_of: growth.as_of(),
        rows,
        pairs,
        inexact,
        decimals: system.rating.display().decimals,
        pseudonymised: labeller.pseudonymised,
        run,
    })
}

/// Finds the named competitors; one that is named twice, also by two accounts, counts once.
fn find_entrants(
    store: &Store,
    request: &PredictionRequest,
    names: &[String],
    identities: &Identities,
    inexact: &mut Vec<(String, String)>,
) -> Result<Vec<Entrant>, Error> {
    let mut labeller = Labeller::load(store, request.names)?;
    let mut entrants: Vec<Entrant> = Vec::with_capacity(names.len());
    for name in names {
        let found = find_competitor(
            store,
            &request.source,
            name,
            None,
            &request.run,
            request.names,
        )?;
        let is_called = [&found.external_id, &found.name].contains(&name);
        let found = labeller.label(found);
        add_entrant(&mut entrants, identities, &found)?;
        if !is_called && found.name != *name {
            inexact.push((name.clone(), found.name));
        }
    }
    Ok(entrants)
}

/// Adds a competitor, unless it is in the field already.
fn add_entrant(
    entrants: &mut Vec<Entrant>,
    identities: &Identities,
    found: &CompetitorLabel,
) -> Result<(), Error> {
    if identities.teams == TeamMode::Members && found.kind != EntrantKind::Person {
        let team = found.name.clone();
        return Err(Error::TeamOfMembers { team });
    }
    let competitor = identities.resolve(found.competitor_id);
    if entrants.iter().all(|of| of.competitor != competitor) {
        entrants.push(Entrant {
            competitor,
            people: vec![competitor],
            outcome: None,
            has_advantage: false,
        });
    }
    Ok(())
}

/// Loads the entrants of a contest that count in the run.
fn contest_entrants(
    store: &Store,
    contest: &ContestRow,
    identities: &Identities,
) -> Result<Vec<Entrant>, Error> {
    let mut outcomes = HashMap::new();
    let mut ranks = Vec::new();
    store.for_each_result(contest.contest_id, |of| {
        outcomes.insert(of.competitor_id, (of.outcome, of.side));
        ranks.push((of.competitor_id, rank(of.outcome)));
    })?;
    let resolve = |of| identities.resolve(of);
    let crews = match identities.teams {
        TeamMode::Members => load_rated_teams(store, contest.contest_id, ranks, resolve)?
            .into_iter()
            .map(|crew| (crew.account, crew.people))
            .collect(),
        TeamMode::Whole => {
            // Of several accounts of a competitor the best place counts.
            ranks.sort_by_key(|&(account, rank)| (rank, account));
            let mut counted = HashSet::new();
            let mut crews = Vec::with_capacity(ranks.len());
            for (account, _) in ranks {
                let competitor = resolve(account);
                if counted.insert(competitor) {
                    crews.push((account, vec![competitor]));
                }
            }
            crews
        }
    };
    // As in a replay: only in games of two.
    let is_game = outcomes.len() == 2;
    let entrant = |(account, people)| Entrant {
        competitor: account,
        people,
        outcome: outcomes.get(&account).map(|of| of.0),
        has_advantage: (outcomes.get(&account).filter(|_| is_game))
            .is_some_and(|of| of.1.is_some_and(Side::has_advantage)),
    };
    Ok(crews.into_iter().map(entrant).collect())
}

/// The ratings of competitors before a time.
struct Ratings<'a> {
    earlier: EarlierRatings<'a>,
    newcomer: Belief,
    growth: TimedGrowth,
    identities: &'a Identities,
}

impl Ratings<'_> {
    /// Loads the rating of an entrant: the sum over these people. The flag is true if all have one.
    fn load(&mut self, people: &[CompetitorId]) -> Result<(Belief, bool), Error> {
        let mut members = Vec::with_capacity(people.len());
        let mut rated = true;
        for &person in people {
            let row = self.earlier.last(person)?;
            rated &= row.is_some();
            members.push(match row {
                Some((row, ends_at)) => {
                    let sigma = self.growth.sigma(row.sigma, row.volatility, ends_at);
                    Belief::new(row.mu, sigma)
                }
                None => match self.identities.starting_rating(person) {
                    Some(start) => Belief {
                        mu: start.mu,
                        variance: start.sigma.map_or(self.newcomer.variance, |of| of * of),
                        members: 1,
                    },
                    None => self.newcomer,
                },
            });
        }
        Ok((Belief::from_members(members), rated))
    }
}

/// Returns the expected place of each entrant.
fn expected_places(field: &[(Belief, bool)], model: &WinModel) -> Vec<f64> {
    let mut places = vec![1.0; field.len()];
    for (index, &(first, _)) in field.iter().enumerate() {
        for (offset, &(second, _)) in field[index + 1..].iter().enumerate() {
            let score = model.win_probability(first, second).expected_score();
            places[index] += 1.0 - score;
            places[index + 1 + offset] += score;
        }
    }
    places
}

fn list_pairs(
    rows: &[PredictedCompetitor],
    beliefs: &[Belief],
    model: &WinModel,
) -> Vec<PredictedPair> {
    let mut pairs = Vec::with_capacity(rows.len() * (rows.len() - 1) / 2);
    for (index, first) in rows.iter().enumerate() {
        for (offset, second) in rows[index + 1..].iter().enumerate() {
            let chances = model.win_probability(beliefs[index], beliefs[index + 1 + offset]);
            pairs.push(PredictedPair {
                first: first.competitor.external_id.clone(),
                second: second.competitor.external_id.clone(),
                above: chances.above,
                tied: chances.tied,
                below: (1.0 - chances.above - chances.tied).max(0.0),
            });
        }
    }
    pairs
}
