//! Movers: the largest changes of ratings since a time, new entries and new peaks.

use std::collections::HashMap;

use ranklore_contest::{ContestTime, SourceName};
use ranklore_rating::{Provisional, Title};
use ranklore_store::{CompetitorId, ProvisionalPlacement, RunRow, Store};
use serde::Serialize;

use crate::error::Error;
use crate::lists::period::{PeriodQuery, PeriodRating};
use crate::runs::fingerprint::{is_current, is_stale};
use crate::runs::keys::serialize_run;
use crate::runs::lineup::CompetitorIndices;
use crate::runs::lookup::{RunChoice, find_run_covering};
use crate::runs::selected_contests::find_source;
use crate::runs::selection::RunSelection;
use crate::views::earlier_ratings::EarlierRatings;
use crate::views::names::{CompetitorLabel, Labeller, NamesPolicy};
use crate::views::ranking::rules::RatingRules;

/// The period of the movers to list.
#[derive(Clone, Debug)]
pub struct MoversRequest {
    /// The source.
    pub source: SourceName,
    /// The choice of the run.
    pub run: RunChoice,
    /// Contests that ended at this time or later are in the period.
    pub since: ContestTime,
    /// Contests that ended before this time are in the period; by default all are.
    pub until: Option<ContestTime>,
    /// True for sigma as stored after the last contest of the period, instead of its growth up to
    /// `until`, or up to the newest contest of the run.
    pub as_stored: bool,
    /// The place of provisional ratings in each list.
    pub provisional: ProvisionalPlacement,
    /// The number of rows of each list at most.
    pub limit: usize,
    /// The rule for names.
    pub names: NamesPolicy,
}

impl MoversRequest {
    /// Creates a request for all movers since a time.
    #[must_use]
    pub const fn new(source: SourceName, run: RunChoice, since: ContestTime) -> Self {
        Self {
            source,
            run,
            since,
            until: None,
            as_stored: false,
            provisional: ProvisionalPlacement::Last,
            limit: usize::MAX,
            names: NamesPolicy::Publishable,
        }
    }
}

/// The largest changes of ratings in a period.
#[derive(Clone, Debug, Serialize)]
pub struct Movers {
    /// The run.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: RunRow,
    /// True if results have changed since the run, or an earlier version computed it.
    pub stale: bool,
    /// The start of the period, in Unix seconds.
    pub since: ContestTime,
    /// The end of the period, in Unix seconds; `None` if it is open.
    pub until: Option<ContestTime>,
    /// The time up to which sigma has grown, in Unix seconds; `None` if it does not grow.
    pub sigma_as_of: Option<i64>,
    /// Contests of the period that the run rated.
    pub contests: usize,
    /// Competitors with a rated contest in the period.
    pub competitors: usize,
    /// The number of these competitors whose rating is provisional at the end of the period.
    pub provisional: usize,
    /// The largest gains of mu, of competitors rated before the period.
    pub gains: Vec<Mover>,
    /// The largest losses of mu, of competitors rated before the period.
    pub losses: Vec<Mover>,
    /// Competitors whose first rated contest is in the period, by falling conservative rating.
    pub new_entries: Vec<Mover>,
    /// Competitors rated before the period whose highest mu was reached in it, by falling highest
    /// mu.
    pub new_peaks: Vec<Mover>,
    /// The place of provisional ratings.
    #[serde(skip)]
    pub provisional_placement: ProvisionalPlacement,
    /// The rule that marks ratings as provisional.
    #[serde(skip)]
    pub rule: Provisional,
    /// True if names were replaced by pseudonyms.
    #[serde(skip)]
    pub pseudonymised: bool,
}

/// A competitor in a list of movers, with its ratings in the period.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mover {
    /// The competitor.
    #[serde(flatten)]
    pub competitor: CompetitorLabel,
    /// The displayed rating after the last contest of the period.
    pub rating: f64,
    /// True if that rating is provisional.
    pub provisional: bool,
    /// The title of the site for it, in systems of sites with titles.
    pub title: Option<&'static str>,
    /// mu − k·sigma, with the default k of the system.
    pub conservative: f64,
    /// mu before the period; `None` for new entries.
    pub mu_before: Option<f64>,
    /// mu after the last contest of the period.
    pub mu: f64,
    /// The uncertainty at the end of the period.
    pub sigma: f64,
    /// The uncertainty after the last contest of the period.
    pub stored_sigma: f64,
    /// The change of mu in the period; `None` for new entries.
    pub change: Option<f64>,
    /// The highest mu up to the end of the period.
    pub peak_mu: f64,
    /// Rated contests in the period.
    pub contests: u32,
    /// The end of the last one, in Unix seconds.
    pub last_contest_at: i64,
}

/// Loads the movers of a period.
///
/// # Errors
/// [`Error::NoRun`], [`Error::SourceMismatch`], [`Error::NotRated`], [`Error::NotRatedBySystem`],
/// [`Error::OnlyPartialRuns`], [`Error::NoSource`], [`Error::Store`].
pub fn load_movers(store: &Store, request: &MoversRequest) -> Result<Movers, Error> {
    let run = find_run_covering(store, &request.source, &request.run)?;
    let stale = is_stale(&run, is_current(store, &run)?);
    let mut rules = RatingRules::load(store, &run, request.as_stored)?;
    let until = request.until;
    rules.growth.set_time_or_newest(store, &run, until)?;
    let mut earlier_ratings = EarlierRatings::load(store, &run, request.since)?;
    let members = load_members(store, &run, &request.source)?;
    let query = PeriodQuery {
        store,
        run: &run,
        members: members.as_ref(),
        since: request.since,
        until,
    };
    let period = query.load(stale, &mut earlier_ratings)?;
    let lists = Lists {
        rules,
        placement: request.provisional,
        limit: request.limit,
        ratings: &period.ratings,
    };
    let gains = lists.page(|rating| rating.change().filter(|&change| change > 0.0));
    let losses = lists.page(|rating| {
        let change = rating.change().filter(|&change| change < 0.0);
        change.map(|change| -change)
    });
    let entries = lists.page(|rating| match rating.mu_before {
        None => Some(lists.rules.conservative(rating.mu, lists.sigma(rating))),
        Some(_) => None,
    });
    let peaks = lists.new_peaks(&mut earlier_ratings)?;
    let mut labeller = Labeller::load(store, request.names)?;
    let rows = [&gains, &losses, &entries, &peaks].into_iter().flatten();
    let labels = labeller.load_labels(store, rows.map(|rating| rating.competitor_id))?;
    let ratings = period.ratings.iter();
    let provisional = ratings.filter(|row| lists.is_provisional(row));
    Ok(Movers {
        stale,
        since: request.since,
        until,
        sigma_as_of: lists.rules.growth.as_of(),
        contests: period.contests,
        competitors: period.ratings.len(),
        provisional: provisional.count(),
        gains: lists.movers(&gains, &labels, &mut earlier_ratings)?,
        losses: lists.movers(&losses, &labels, &mut earlier_ratings)?,
        new_entries: lists.movers(&entries, &labels, &mut earlier_ratings)?,
        new_peaks: lists.movers(&peaks, &labels, &mut earlier_ratings)?,
        provisional_placement: request.provisional,
        rule: lists.rules.provisional,
        pseudonymised: labeller.pseudonymised,
        run,
    })
}

/// Loads the competitors of a source; `None` if a run is over no other source.
fn load_members(
    store: &Store,
    run: &RunRow,
    source: &SourceName,
) -> Result<Option<CompetitorIndices>, Error> {
    let sources = RunSelection::from_canonical_json(&run.selection).sources;
    if sources.iter().all(|name| name == source) {
        return Ok(None);
    }
    let mut members = CompetitorIndices::default();
    let mut competitors = Vec::new();
    store.for_each_competitor_name(find_source(store, source)?, |competitor| {
        members.find_or_add(competitor.competitor_id, &mut competitors);
    })?;
    Ok(Some(members))
}

/// The rules by which the lists are made from the ratings of a period.
struct Lists<'p> {
    rules: RatingRules,
    placement: ProvisionalPlacement,
    limit: usize,
    ratings: &'p [PeriodRating],
}

impl<'p> Lists<'p> {
    /// Returns the ratings that have a number, by falling number, then by competitor.
    fn sorted(&self, number: impl Fn(&PeriodRating) -> Option<f64>) -> Vec<&'p PeriodRating> {
        let entries = self.ratings.iter().filter_map(|rating| {
            let is_provisional = self.is_provisional(rating);
            let is_last = match self.placement {
                ProvisionalPlacement::Exclude if is_provisional => return None,
                ProvisionalPlacement::Only if !is_provisional => return None,
                placement => is_provisional && placement == ProvisionalPlacement::Last,
            };
            Some((is_last, number(rating)?, rating))
        });
        let mut entries: Vec<_> = entries.collect();
        entries.sort_unstable_by(|(a_last, a_number, a), (b_last, b_number, b)| {
            a_last
                .cmp(b_last)
                .then_with(|| b_number.total_cmp(a_number))
                .then_with(|| a.competitor_id.cmp(&b.competitor_id))
        });
        entries.into_iter().map(|(.., rating)| rating).collect()
    }

    /// Returns the first rows of [`Self::sorted`].
    fn page(&self, number: impl Fn(&PeriodRating) -> Option<f64>) -> Vec<&'p PeriodRating> {
        let mut sorted = self.sorted(number);
        sorted.truncate(self.limit);
        sorted
    }

    /// Returns the first ratings that are new peaks, highest first.
    fn new_peaks(
        &self,
        earlier_ratings: &mut EarlierRatings<'_>,
    ) -> Result<Vec<&'p PeriodRating>, Error> {
        let mut peaks = Vec::new();
        for rating in self.sorted(|rating| rating.may_be_new_peak().then_some(rating.highest_mu)) {
            if peaks.len() == self.limit {
                break;
            }
            if rating.is_new_peak(earlier_ratings)? {
                peaks.push(rating);
            }
        }
        Ok(peaks)
    }

    /// Returns sigma at the end of the period.
    fn sigma(&self, rating: &PeriodRating) -> f64 {
        let growth = self.rules.growth;
        growth.sigma(rating.sigma, rating.volatility, rating.last_contest_at)
    }

    fn is_provisional(&self, rating: &PeriodRating) -> bool {
        let rule = self.rules.provisional;
        rule.is_provisional(self.sigma(rating), rating.all_contests)
    }

    fn movers(
        &self,
        ratings: &[&PeriodRating],
        labels: &HashMap<CompetitorId, CompetitorLabel>,
        earlier_ratings: &mut EarlierRatings<'_>,
    ) -> Result<Vec<Mover>, Error> {
        let mut movers = Vec::with_capacity(ratings.len());
        for row in ratings {
            let Some(competitor) = labels.get(&row.competitor_id) else {
                continue;
            };
            let display = &self.rules.display;
            let sigma = self.sigma(row);
            let rating = display.rating(row.mu, sigma, row.all_contests, row.last_contest_at);
            movers.push(Mover {
                competitor: competitor.clone(),
                rating,
                provisional: self.is_provisional(row),
                title: Title::for_rating(self.rules.titles, rating).map(|title| title.name),
                conservative: self.rules.conservative(row.mu, sigma),
                mu_before: row.mu_before,
                mu: row.mu,
                sigma,
                stored_sigma: row.sigma,
                change: row.change(),
                peak_mu: row.peak_mu(earlier_ratings)?,
                contests: row.contests,
                last_contest_at: row.last_contest_at,
            });
        }
        Ok(movers)
    }
}
