//! Prediction of a field: the expected order, and the win probabilities of pairs.

use std::collections::{HashMap, HashSet};

use ranklore_contest::{ContestTime, EntrantKind, EntrantOutcome, Side, SourceName};
use ranklore_rating::{Belief, CompetitorIndex, WinModel};
use ranklore_store::{CompetitorId, ContestRow, RunRow, Store};
use serde::Serialize;

use crate::contest::ratings_before::load_newcomer_mu;
use crate::history::{ContestSummary, serialize_outcome};
use crate::names::find::{find_competitor, find_contest};
use crate::names::labels::{CompetitorLabel, Labeller, NamesPolicy};
use crate::ranking::earlier_ratings::EarlierRatings;
use crate::ranking::rules::TimedGrowth;
use crate::rating_periods::RatingPeriods;
use crate::rows::cell::CellValue;
use crate::rows::columns::{Columns, List};
use crate::rows::format::format_outcome;
use ranklore_replay::{
    Error, Identities, RunChoice, System, TeamMode, find_run_covering, is_current, is_stale,
    load_rated_teams, rank, serialize_run,
};

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
    #[serde(flatten, serialize_with = "serialize_outcome")]
    pub outcome: Option<EntrantOutcome>,
}

/// The prediction of a pair; the probabilities add up to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PredictedPair {
    /// The external id of the first.
    pub first: String,
    /// The external id of the second.
    pub second: String,
    /// The names of both: a person and a team can share an id.
    #[serde(skip)]
    pub names: [String; 2],
    /// The probability that the first places above the second.
    pub above: f64,
    /// The probability that they tie.
    pub tied: f64,
    /// The probability that the first places below the second.
    pub below: f64,
}

impl List for PredictionView {
    type Row = PredictedCompetitor;

    fn columns(&self) -> Columns<'_, PredictedCompetitor> {
        let points = |number| CellValue::Points(number, self.decimals);
        Columns::new()
            .left("name", |row: &PredictedCompetitor| CellValue::text(&row.competitor.name))
            .data(&["external_id"])
            .right("mu", move |row| points(row.mu))
            .right("sigma", move |row| points(row.sigma))
            .wide()
            .explained("uncertainty of the rating")
            .left(("rated_before", ""), |row| {
                if row.rated_before {
                    CellValue::Empty
                } else {
                    CellValue::from("not rated before")
                }
            })
            .titled_on_page("Remark")
            .before("status")
            .right("expected_place", |row| CellValue::from(format!("{:.2}", row.expected_place)))
            .important()
            .before("name")
            .right("place", |row| row.outcome.map(format_outcome))
            .shown_if(self.contest.is_some())
            .data(&["status"])
    }
}

impl List for Vec<PredictedPair> {
    type Row = PredictedPair;

    fn columns(&self) -> Columns<'_, PredictedPair> {
        let percent = |share: f64| CellValue::from(format!("{:.1} %", 100.0 * share));
        Columns::new()
            .left("first", |pair: &PredictedPair| CellValue::text(&pair.names[0]))
            .left("second", |pair| CellValue::text(&pair.names[1]))
            .right(("above", "first ahead"), move |pair| percent(pair.above))
            .important()
            .right(("tied", "tie"), move |pair| percent(pair.tied))
            .shown_if(self.iter().any(|pair| pair.tied > 0.0))
            .right(("below", "second ahead"), move |pair| percent(pair.below))
    }
}

/// An entrant before its ratings are loaded.
struct Entrant {
    competitor: CompetitorId,
    /// The rated members; an individual is its own.
    people: Vec<CompetitorId>,
    outcome: Option<EntrantOutcome>,
    /// True if it has the first move or plays at home.
    has_advantage: bool,
}

/// Predicts a field from the ratings of a run.
///
/// # Errors
/// [`Error::NoCompetitor`], [`Error::NoContest`], [`Error::NoSource`], [`Error::NoRun`],
/// [`Error::SourceMismatch`], [`Error::NotRated`], [`Error::DamagedParameters`],
/// [`Error::NoWinModel`], [`Error::FieldSize`], [`Error::TeamOfMembers`], [`Error::Store`].
pub fn load_prediction(
    store: &Store,
    request: &PredictionRequest,
) -> Result<PredictionView, Error> {
    let contest = match &request.field {
        PredictedField::Names(_) | PredictedField::Competitors(_) => None,
        PredictedField::Contest(name) => Some(find_contest(store, &request.source, name)?),
    };
    let run = find_run_covering(store, &request.source, &request.run)?;
    let system = System::from_run_if_known(&run)?.ok_or_else(|| Error::NoWinModel {
        system: run.system.clone(),
    })?;
    let identities = Identities::load_for_view(store, &run)?;
    let mut inexact = Vec::new();
    let contest_row = contest.as_ref();
    let entrants = find_field(store, request, contest_row, &identities, &mut inexact)?;
    let end = find_end(request, contest_row);
    let mut growth = TimedGrowth::new(&system);
    if !request.as_stored {
        growth.set_time_or_newest(store, &run, request.as_of.or(end))?;
    }
    let period_start = match contest_row {
        Some(contest) if request.as_of.is_none() => find_period_start(store, &run, contest)?,
        _ => None,
    };
    let before = period_start.or(end).min(end);
    let mut ratings = Ratings {
        // All contests that the run rates ended by then.
        earlier: EarlierRatings::load(store, &run, before.unwrap_or(ContestTime::MAX))?,
        newcomer: Belief {
            mu: load_newcomer_mu(store, &run, contest_row, before)?
                .unwrap_or_else(|| system.rating.mu(CompetitorIndex::MAX)),
            ..system.rating.belief(CompetitorIndex::MAX)
        },
        growth,
        identities: &identities,
    };
    let mut rated = Vec::with_capacity(entrants.len());
    for entrant in &entrants {
        rated.push(ratings.load(&entrant.people)?);
    }
    let prediction = FieldPrediction::new(&entrants, &rated, &system);
    let mut labeller = Labeller::load(store, request.names)?;
    let labels = labeller.load_labels(store, entrants.iter().map(|e| e.competitor))?;
    let rows = prediction.list_rows(&labels);
    Ok(PredictionView {
        stale: is_stale(&run, is_current(store, &run)?),
        contest: contest.map(ContestSummary::from),
        before: before.map(ContestTime::get),
        sigma_as_of: growth.as_of(),
        pairs: prediction.list_pairs(&rows),
        rows,
        inexact,
        decimals: system.rating.display().decimals,
        pseudonymised: labeller.pseudonymised,
        run,
    })
}

/// Returns the time before which contests count; `None` if all count.
fn find_end(request: &PredictionRequest, contest: Option<&ContestRow>) -> Option<ContestTime> {
    match (request.as_of, contest) {
        // Contests that ended at this very second count too.
        (Some(as_of), _) => ContestTime::new(as_of.get() + 1),
        (None, Some(contest)) => {
            let start = contest.starts_at.or(contest.ends_at);
            start.and_then(ContestTime::new)
        }
        (None, None) => None,
    }
}

/// Returns the end of the first contest in the rating period of a contest: those before count.
fn find_period_start(
    store: &Store,
    run: &RunRow,
    contest: &ContestRow,
) -> Result<Option<ContestTime>, Error> {
    let first = RatingPeriods::load(store, run)?.first_contest_before(contest);
    let first = store.contests_by_id([first])?.pop();
    Ok(first.and_then(|first| first.ends_at).and_then(ContestTime::new))
}

/// Finds the entrants of a request; `contest` is that of the request, if there is one. Adds names
/// that are not exact, each with the name that was found.
fn find_field(
    store: &Store,
    request: &PredictionRequest,
    contest: Option<&ContestRow>,
    identities: &Identities,
    inexact: &mut Vec<(String, String)>,
) -> Result<Vec<Entrant>, Error> {
    let entrants = match (&request.field, contest) {
        (PredictedField::Names(names), _) => {
            find_entrants(store, request, names, identities, inexact)?
        }
        (PredictedField::Competitors(ids), _) => {
            let mut entrants = Vec::with_capacity(ids.len());
            let mut labeller = Labeller::load(store, request.names)?;
            for row in store.competitors_by_id(ids.iter().copied())? {
                add_entrant(&mut entrants, identities, &labeller.label(row))?;
            }
            entrants
        }
        (_, Some(contest)) => load_contest_entrants(store, contest, identities)?,
        _ => Vec::new(),
    };
    if !(2..=MAX_FIELD).contains(&entrants.len()) {
        return Err(Error::FieldSize {
            entrants: entrants.len(),
            max: MAX_FIELD,
        });
    }
    Ok(entrants)
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
    let PredictionRequest { source, run, .. } = request;
    let mut entrants: Vec<Entrant> = Vec::with_capacity(names.len());
    for name in names {
        let row = find_competitor(store, source, name, None, run, request.names)?;
        let is_called = [&row.external_id, &row.name].contains(&name);
        let competitor = labeller.label(row);
        add_entrant(&mut entrants, identities, &competitor)?;
        if !is_called && competitor.name != *name {
            inexact.push((name.clone(), competitor.name));
        }
    }
    Ok(entrants)
}

/// Adds a competitor, unless it is in the field already.
fn add_entrant(
    entrants: &mut Vec<Entrant>,
    identities: &Identities,
    competitor: &CompetitorLabel,
) -> Result<(), Error> {
    if identities.teams == TeamMode::Members && competitor.kind != EntrantKind::Person {
        let team = competitor.name.clone();
        return Err(Error::TeamOfMembers { team });
    }
    let competitor = identities.resolve(competitor.competitor_id);
    if entrants.iter().all(|entrant| entrant.competitor != competitor) {
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
fn load_contest_entrants(
    store: &Store,
    contest: &ContestRow,
    identities: &Identities,
) -> Result<Vec<Entrant>, Error> {
    let mut results = HashMap::new();
    let mut ranks = Vec::new();
    store.for_each_result(contest.contest_id, |row| {
        results.insert(row.competitor_id, (row.outcome, row.side));
        ranks.push((row.competitor_id, rank(row.outcome)));
    })?;
    let resolve = |account| identities.resolve(account);
    let teams: Vec<(CompetitorId, Vec<CompetitorId>)> = match identities.teams {
        TeamMode::Members => load_rated_teams(store, contest.contest_id, ranks, resolve)?
            .into_iter()
            .map(|team| (team.account, team.people))
            .collect(),
        TeamMode::Whole => {
            // Of several accounts of a competitor the best place counts.
            ranks.sort_by_key(|&(account, rank)| (rank, account));
            let mut counted = HashSet::new();
            let accounts = ranks.into_iter();
            accounts
                .map(|(account, _)| (account, vec![resolve(account)]))
                .filter(|(_, people)| counted.insert(people[0]))
                .collect()
        }
    };
    // As in a replay, a side counts only in games of two.
    let is_game = results.len() == 2;
    let entrants = teams.into_iter().map(|(account, people)| {
        let (outcome, side) = results.get(&account).copied().unzip();
        Entrant {
            competitor: account,
            people,
            outcome,
            has_advantage: is_game && side.flatten().is_some_and(Side::has_advantage),
        }
    });
    Ok(entrants.collect())
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
        let mut are_rated = true;
        for &person in people {
            let row = self.earlier.last(person)?;
            are_rated &= row.is_some();
            members.push(match row {
                Some((row, ends_at)) => {
                    let sigma = self.growth.sigma(row.sigma, row.volatility, ends_at);
                    Belief::new(row.mu, sigma)
                }
                None => match self.identities.starting_rating(person) {
                    Some(start) => Belief {
                        mu: start.mu,
                        variance: start.sigma.map_or(self.newcomer.variance, |s| s * s),
                        members: 1,
                    },
                    None => self.newcomer,
                },
            });
        }
        Ok((Belief::from_members(members), are_rated))
    }
}

/// The predicted order of a field.
struct FieldPrediction<'f> {
    entrants: &'f [Entrant],
    /// The rating of each entrant, and true if all its members have one.
    ratings: &'f [(Belief, bool)],
    /// The ratings that are compared: with the advantage of a side.
    compared: Vec<Belief>,
    model: WinModel,
    places: Vec<f64>,
    /// The indices of the entrants in the expected order.
    order: Vec<usize>,
}

impl<'f> FieldPrediction<'f> {
    fn new(entrants: &'f [Entrant], ratings: &'f [(Belief, bool)], system: &System) -> Self {
        let mut compared: Vec<Belief> = ratings.iter().map(|&(belief, _)| belief).collect();
        if let [first, second] = entrants
            && first.has_advantage != second.has_advantage
        {
            compared[usize::from(second.has_advantage)].mu += system.rating.advantage();
        }
        let model = system.rating.win_model();
        let places = expected_places(&compared, &model);
        let mut order: Vec<usize> = (0..entrants.len()).collect();
        order.sort_by(|&a, &b| {
            let by_place = places[a].total_cmp(&places[b]);
            by_place.then_with(|| entrants[a].competitor.cmp(&entrants[b].competitor))
        });
        Self {
            entrants,
            ratings,
            compared,
            model,
            places,
            order,
        }
    }

    /// Lists the entrants that have a label, in the expected order.
    fn list_rows(
        &self,
        labels: &HashMap<CompetitorId, CompetitorLabel>,
    ) -> Vec<PredictedCompetitor> {
        let rows = self.order.iter().filter_map(|&index| {
            let (belief, rated_before) = self.ratings[index];
            let entrant = &self.entrants[index];
            Some(PredictedCompetitor {
                competitor: labels.get(&entrant.competitor)?.clone(),
                mu: belief.mu,
                sigma: belief.variance.sqrt(),
                rated_before,
                expected_place: self.places[index],
                outcome: entrant.outcome,
            })
        });
        rows.collect()
    }

    /// Lists the pairs of these rows, which are all entrants in the expected order; none of a field
    /// that is too large.
    fn list_pairs(&self, rows: &[PredictedCompetitor]) -> Vec<PredictedPair> {
        if rows.len() > MAX_LISTED_FIELD {
            return Vec::new();
        }
        let order = self.order.iter();
        let beliefs: Vec<Belief> = order.map(|&index| self.compared[index]).collect();
        let mut pairs = Vec::with_capacity(rows.len() * (rows.len() - 1) / 2);
        for (index, first) in rows.iter().enumerate() {
            for (second, &belief) in rows.iter().zip(&beliefs).skip(index + 1) {
                let chances = self.model.win_probability(beliefs[index], belief);
                pairs.push(PredictedPair {
                    first: first.competitor.external_id.clone(),
                    second: second.competitor.external_id.clone(),
                    names: [first, second].map(|row| row.competitor.name.clone()),
                    above: chances.above,
                    tied: chances.tied,
                    below: (1.0 - chances.above - chances.tied).max(0.0),
                });
            }
        }
        pairs
    }
}

/// Returns the expected place of each entrant.
fn expected_places(field: &[Belief], model: &WinModel) -> Vec<f64> {
    let mut places = vec![1.0; field.len()];
    for (index, &first) in field.iter().enumerate() {
        for (offset, &second) in field[index + 1..].iter().enumerate() {
            let score = model.win_probability(first, second).expected_score();
            places[index] += 1.0 - score;
            places[index + 1 + offset] += score;
        }
    }
    places
}
