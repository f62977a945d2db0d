//! The view of one contest: standings, predictions, rating changes and upsets.

pub(crate) mod past_winners;
pub(crate) mod ratings_before;
pub(crate) mod standings;
pub(crate) mod upsets;

use std::collections::{HashMap, HashSet};

use clap::Args;
use ranklore_contest::{ContestTime, EntrantKind, EntrantOutcome, SourceName};
use ranklore_rating::metrics::Metric;
use ranklore_store::{CompetitorId, ContestRow, RatingRow, RunRow, Store};
use serde::{Serialize, Serializer};

use crate::cache::ViewReader;
use crate::contest::past_winners::{PastContest, load_past_winners};
use crate::contest::ratings_before::{ContestInRun, RatingsBefore, load_newcomer_mu};
use crate::contest::standings::Standings;
use crate::contest::upsets::{Upsets, find_upsets};
use crate::coverage::{Coverage, UnratedReason};
use crate::history::serialize_outcome;
use crate::names::find::find_contest;
use crate::names::labels::{CompetitorLabel, Labeller, NamesPolicy};
use crate::page::{Extent, Page};
use crate::ranking::rules::find_display;
use crate::requests::values::parse_end_time;
use crate::rows::cell::CellValue;
use crate::rows::columns::{Columns, List};
use crate::rows::format::format_outcome;
use ranklore_replay::{
    Error, Identities, RunChoice, System, TeamMode, find_run_if_rated, is_stale, rank,
    serialize_run, sum_ratings,
};

/// The run to show a contest by.
#[derive(Args, Clone, Debug, Default)]
pub struct ContestRequest {
    /// The choice of the run. Without a run, the view has no ratings.
    #[command(flatten)]
    pub run: RunChoice,
    /// Fail if the contest ended after this day or time
    #[arg(long, value_name = "DATE", value_parser = parse_end_time)]
    pub as_of: Option<ContestTime>,
    /// The rows to return.
    #[command(flatten)]
    pub page: Page,
    /// The rule for names.
    #[arg(skip)]
    pub names: NamesPolicy,
}

/// A contest: standings, predictions, rating changes.
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
    /// The concordance as published: equal ratings count as right, as do ties.
    pub pair_inversion: Option<f64>,
    /// The distance between their predicted and actual place, in percent; `None` without
    /// predictions.
    pub rank_deviation: Option<f64>,
    /// The probability that the ratings gave to the result of a contest of two; `None` for larger
    /// ones.
    pub result_probability: Option<f64>,
    /// The results that the ratings predicted worst.
    #[serde(flatten)]
    pub upsets: Upsets,
    /// The winners of earlier contests of the same name, newest first.
    pub past_winners: Vec<PastContest>,
    /// The number of rows on all pages.
    pub total: usize,
    /// The number of rows before this page.
    pub offset: usize,
    /// The rows of this page.
    pub rows: ContestRows,
    /// True if the run has a rating of any entrant.
    #[serde(skip)]
    pub is_rated: bool,
    /// True if names were replaced by pseudonyms.
    #[serde(skip)]
    pub pseudonymised: bool,
}

impl ContestView {
    /// Returns the view of a contest without a run; rows and labels are filled in later.
    fn new(contest: ContestRow) -> Self {
        Self {
            run: None,
            stale: false,
            contest,
            unrated: None,
            rated_before: 0,
            concordance: None,
            pair_inversion: None,
            rank_deviation: None,
            result_probability: None,
            upsets: Upsets::default(),
            past_winners: Vec::new(),
            total: 0,
            offset: 0,
            rows: ContestRows::default(),
            is_rated: false,
            pseudonymised: false,
        }
    }
}

/// Rows of the standings. Serialises as a list of [`ContestResult`].
#[derive(Clone, Debug, Default)]
pub struct ContestRows {
    /// The rows as numbers, by place; then entrants that did not finish, then disqualified ones.
    pub entries: Vec<ContestEntry>,
    /// The names of all competitors in the rows and upsets, by the names policy.
    pub labels: HashMap<CompetitorId, CompetitorLabel>,
}

impl ContestRows {
    /// True if the system computed a performance of an entrant.
    #[must_use]
    pub fn has_performances(&self) -> bool {
        let mut ratings = with_members(&self.entries).filter_map(|entry| entry.after);
        ratings.any(|rating| rating.performance.is_some())
    }

    /// Returns the rows with the names.
    pub fn results(&self) -> impl Iterator<Item = ContestResult> {
        let labels = &self.labels;
        self.entries.iter().filter_map(|entry| {
            let members = entry.members.iter();
            let members = members.filter_map(|member| ContestCompetitor::new(member, labels));
            Some(ContestResult {
                competitor: ContestCompetitor::new(entry, labels)?,
                outcome: entry.outcome,
                kind: labels.get(&entry.competitor_id)?.kind,
                predicted: entry.predicted,
                members: members.collect(),
            })
        })
    }
}

impl Serialize for ContestRows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.results())
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

impl ContestCompetitor {
    fn new(entry: &ContestEntry, labels: &HashMap<CompetitorId, CompetitorLabel>) -> Option<Self> {
        let external_id = |id| Some(labels.get(&id)?.external_id.clone());
        Some(Self {
            competitor: labels.get(&entry.competitor_id)?.clone(),
            counts_as: external_id(entry.counts_as),
            counted: entry.counted,
            counts_in: external_id(entry.counts_in),
            mu_before: entry.mu_before,
            mu: entry.mu(),
            sigma: entry.after.map(|rating| rating.sigma),
            change: entry.change(),
            performance: entry.after.and_then(|rating| rating.performance),
        })
    }
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
    /// The place by rating, and the advantage of a side, among entrants rated before.
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
    /// True if that row is a team whose members are rated.
    pub counts_in_team: bool,
    /// True if the competitor, or every member, has an earlier rating.
    pub rated_before: bool,
    /// The place by rating, and the advantage of a side, among entrants rated before; equals share
    /// the lowest place. `None` for newcomers, for teams with a newcomer, and for members of teams.
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
    /// Returns the rating after the contest; of a team whose members are rated the sum.
    #[must_use]
    pub fn mu(&self) -> Option<f64> {
        if self.members.is_empty() {
            return Some(self.after?.mu);
        }
        let counted = self.members.iter().filter(|member| member.counted);
        let ratings: Option<Vec<f64>> = counted.map(|member| Some(member.after?.mu)).collect();
        let ratings = ratings.filter(|ratings| !ratings.is_empty())?;
        Some(sum_ratings(ratings.into_iter()))
    }

    /// Returns the change of mu by the contest; `None` for newcomers.
    #[must_use]
    pub fn change(&self) -> Option<f64> {
        Some(self.mu()? - self.mu_before?).filter(|_| self.rated_before)
    }
}

/// Returns the entries, each after its members.
fn with_members(entries: &[ContestEntry]) -> impl Iterator<Item = &ContestEntry> {
    let entries = entries.iter();
    entries.flat_map(|entry| entry.members.iter().chain([entry]))
}

/// A line of the standings: a row, or a member of the team in a row.
#[derive(Clone, Copy, Debug)]
pub struct StandingsLine<'v> {
    /// The row or the member.
    pub entry: &'v ContestEntry,
    /// The row of the team of a member.
    pub team: Option<&'v ContestEntry>,
}

impl<'v> StandingsLine<'v> {
    /// Returns the lines of rows: each row, and the members of its team.
    #[must_use]
    pub fn from_entries(entries: &'v [ContestEntry]) -> Vec<Self> {
        let lines = entries.iter().flat_map(|entry| {
            let members = entry.members.iter().map(move |member| Self {
                entry: member,
                team: Some(entry),
            });
            std::iter::once(Self { entry, team: None }).chain(members)
        });
        lines.collect()
    }

    /// Returns the predicted place; empty for a team rated by its members, which have one each.
    fn predicted(&self) -> CellValue {
        let entry = self.entry;
        match entry.predicted {
            Some(place) => CellValue::Words(place.to_string()),
            None if entry.counted && !entry.rated_before && entry.members.is_empty() => {
                CellValue::from("new")
            }
            None => CellValue::Empty,
        }
    }
}

impl<'v> List for &'v ContestView {
    type Row = StandingsLine<'v>;

    fn columns(&self) -> Columns<'_, StandingsLine<'v>> {
        let decimals = self.run.as_ref().map_or(0, |run| find_display(run).decimals);
        let points = move |number: Option<f64>| {
            number.map_or(CellValue::Empty, |number| CellValue::Points(number, decimals))
        };
        // Columns without values are left out.
        let has_run = self.run.is_some();
        let is_rated = has_run && self.is_rated;
        Columns::new()
            .right("place", |line: &StandingsLine<'_>| match line.team {
                None => format_outcome(line.entry.outcome),
                Some(_) => String::new(),
            })
            .data(&["status"])
            .left("name", |line| {
                let indent = line.team.map_or("", |_| "  ");
                CellValue::text(indent.to_owned() + self.name(line.entry.competitor_id))
            })
            .data(&["external_id", "kind", "counts_as", "counted", "counts_in"])
            .right("predicted", StandingsLine::predicted)
            .shown_if(has_run)
            .explained("place by rating among those rated before")
            .right("mu_before", move |line| points(line.entry.mu_before))
            .shown_if(has_run)
            .titled_on_page("Before")
            .right("mu", move |line| points(line.entry.mu()))
            .shown_if(is_rated)
            .titled_on_page("After")
            .important()
            .data(&["sigma"])
            .right("change", move |line| match line.entry.change() {
                None if line.entry.mu().is_none() || !line.entry.members.is_empty() => {
                    CellValue::Empty
                }
                change => CellValue::Change(change, decimals),
            })
            .shown_if(is_rated)
            .important()
            .right("performance", move |line| {
                points(line.entry.after.and_then(|after| after.performance))
            })
            .shown_if(is_rated && self.rows.has_performances())
            .wide()
            .data(&["members"])
            .left(("remark", ""), |line| self.remark(line))
            .titled_on_page("Note")
            .not_in_data()
            .wide()
    }

    fn extent(&self) -> Option<Extent> {
        Some(Extent::new(self.offset, self.rows.entries.len(), self.total))
    }
}

impl ContestView {
    /// Returns the name of a competitor in the rows or upsets.
    #[must_use]
    pub fn name(&self, id: CompetitorId) -> &str {
        self.rows.labels.get(&id).map_or("?", |label| &label.name)
    }

    /// Returns the row and the name under which a competitor counts, if not those of this row.
    fn remark(&self, line: &StandingsLine<'_>) -> String {
        let StandingsLine { entry, team } = line;
        let counts_as = self.name(entry.counts_as);
        let is_merged = entry.counts_as != entry.competitor_id;
        if entry.counted && entry.members.is_empty() && is_merged {
            return format!("counts as {counts_as}");
        } else if entry.counted {
            return String::new();
        } else if !entry.members.is_empty() {
            return "all members count elsewhere".to_owned();
        }
        match team {
            Some(team) if team.competitor_id == entry.counts_in => "listed twice".to_owned(),
            _ if entry.counts_in_team => format!("counts in {}", self.name(entry.counts_in)),
            Some(_) => "counts alone".to_owned(),
            None if is_merged => format!("{counts_as} did better, which counts"),
            None => "another account did better, which counts".to_owned(),
        }
    }
}

/// Loads the view of a contest, with the ratings of a run before and after it. The contest is named by
/// its external id, or by its name, searched as by [`find_name`](crate::find_name).
///
/// # Errors
/// [`Error::NoContest`], [`Error::NotEnded`], [`Error::NoSource`], [`Error::NoRun`],
/// [`Error::SourceMismatch`], [`Error::Store`].
pub fn load_contest_view<'s>(
    reader: impl Into<ViewReader<'s>>,
    source: &SourceName,
    contest: &str,
    request: &ContestRequest,
) -> Result<ContestView, Error> {
    let reader = reader.into();
    let store = reader.store;
    let contest = without_password(find_contest(store, source, contest)?);
    check_ended(&contest, request.as_of)?;
    let run = find_run_if_rated(store, source, &request.run)?;
    let (mut view, standings) = match run {
        Some(run) => view_with_run(reader, run, contest)?,
        None => view_without_run(store, contest)?,
    };
    let page = request.page.select(&standings.entrants);
    let run_id = view.run.as_ref().map(|run| run.run_id);
    let key = run_id.map(|run_id| (run_id, view.contest.contest_id));
    let entries = standings.entries(store, key, &page)?;
    let Upsets { above, below } = &mut view.upsets;
    let upsets = above.iter().chain(below.iter());
    let competitors = with_members(&entries)
        .flat_map(|entry| [entry.competitor_id, entry.counts_as, entry.counts_in])
        .chain(upsets.map(|upset| standings.entrants[upset.entry].competitor_id));
    let mut labeller = Labeller::load(store, request.names)?;
    let labels = labeller.load_labels(store, competitors)?;
    let past_winners = load_past_winners(reader, &view.contest, &mut labeller)?;
    for upset in above.iter_mut().chain(below) {
        let entrant = &standings.entrants[upset.entry];
        upset.competitor = labels.get(&entrant.competitor_id).cloned();
        upset.status = entrant.outcome.status();
    }
    Ok(ContestView {
        past_winners,
        total: standings.entrants.len(),
        rows: ContestRows { entries, labels },
        offset: request.page.offset,
        pseudonymised: labeller.pseudonymised,
        ..view
    })
}

fn view_with_run(
    reader: ViewReader<'_>,
    run: RunRow,
    contest: ContestRow,
) -> Result<(ContestView, Standings), Error> {
    let store = reader.store;
    let run_contest = ContestInRun::load(store, &run, &contest)?;
    let is_current = run_contest.is_current;
    let ids = HashSet::from([contest.contest_id]);
    let coverage = Coverage::load(store, &run, is_current, &ids)?;
    let rated = &run_contest.rated;
    let missing_reason = rated.is_empty().then_some(UnratedReason::NotYet);
    let unrated = coverage.unrated_reason(&contest).or(missing_reason);
    let mut standings = Standings::load(store, &contest, &run_contest.identities, rated)?;
    let competitors = standings.counted_competitors();
    let before = RatingsBefore::load(reader, &run_contest, competitors)?;
    let newcomer = load_newcomer_mu(store, &run, Some(&contest), None)?;
    standings.set_ratings_before(&before, newcomer)?;
    let result_probability = match System::from_run_if_known(&run)? {
        Some(system) => {
            standings.set_advantage(system.rating.advantage());
            standings.result_probability(&before, &system, newcomer)?
        }
        None => None,
    };
    // A contest can have a million entrants: their ratings are no longer needed.
    drop(before);
    let is_rated = standings.is_rated(&run_contest.rated);
    drop(run_contest);
    let rated_before = standings.predict_places();
    let accuracy = standings.accuracy();
    let view = ContestView {
        stale: is_stale(&run, is_current),
        run: Some(run),
        unrated,
        is_rated,
        rated_before,
        concordance: accuracy.value(Metric::Concordance),
        pair_inversion: accuracy.value(Metric::PairInversion),
        rank_deviation: accuracy.value(Metric::RankDeviation),
        result_probability,
        upsets: find_upsets(&standings.predicted_entrants()),
        ..ContestView::new(contest)
    };
    Ok((view, standings))
}

/// Returns the view of a contest of a source without a run.
fn view_without_run(store: &Store, contest: ContestRow) -> Result<(ContestView, Standings), Error> {
    let identities = Identities::load(store, [contest.source_id], TeamMode::Whole)?;
    let standings = Standings::load(store, &contest, &identities, &HashSet::new())?;
    let counted = standings.entrants.iter().filter(|row| row.counted);
    let ranks: HashSet<u32> = counted.map(|row| rank(row.outcome)).collect();
    let unrated = match UnratedReason::for_all_runs(&contest) {
        None if ranks.len() > 1 => UnratedReason::NotYet,
        reason => reason.unwrap_or(UnratedReason::NoOrder),
    };
    let view = ContestView {
        unrated: Some(unrated),
        ..ContestView::new(contest)
    };
    Ok((view, standings))
}

/// Returns a contest without its web address if that has a user or a password.
pub(crate) fn without_password(mut contest: ContestRow) -> ContestRow {
    contest.url.take_if(|url| {
        let address = url.split_once("://").map_or(url.as_str(), |(_, address)| address);
        let host = address.split(['/', '?', '#']).next();
        host.is_some_and(|host| host.contains('@'))
    });
    contest
}

fn check_ended(contest: &ContestRow, as_of: Option<ContestTime>) -> Result<(), Error> {
    let ends_at = contest.ends_at.and_then(ContestTime::new);
    match (as_of, ends_at) {
        (Some(as_of), Some(at)) if at <= as_of => Ok(()),
        (None, _) => Ok(()),
        (Some(_), ended_at) => Err(Error::NotEnded {
            contest: contest.name.clone(),
            ended_at,
        }),
    }
}
