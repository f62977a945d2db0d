//! Movers: the largest changes of ratings since a time, new entries and new peaks.

use std::collections::HashMap;

use ranklore_contest::{ContestTime, SourceName};
use ranklore_rating::{Provisional, Title};
use ranklore_store::{CompetitorId, ProvisionalPlacement, RunRow, Store};
use serde::Serialize;

use crate::error::Error;
use crate::lists::period::{PeriodRating, load_period};
use crate::runs::fingerprint::{is_current, is_stale};
use crate::runs::keys::serialize_run;
use crate::runs::lineup::CompetitorIndices;
use crate::runs::lookup::{RunChoice, find_run_covering};
use crate::runs::selection::{RunSelection, find_source};
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
    /// Those of them with a provisional rating at its end.
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
    /// Its uncertainty at the end of the period.
    pub sigma: f64,
    /// Its uncertainty after the last contest of the period.
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
    (rules.growth).set_time_or_newest(store, &run, request.until)?;
    let mut earlier = EarlierRatings::load(store, &run, request.since)?;
    let times = (request.since, request.until);
    let members = load_members(store, &run, &request.source)?;
    let period = load_period(store, &run, members.as_ref(), stale, times, &mut earlier)?;
    let lists = Lists {
        rules,
        placement: request.provisional,
        limit: request.limit,
        ratings: &period.ratings,
    };
    let gains = lists.page(|of| of.change().filter(|&change| change > 0.0));
    let losses = lists.page(|of| {
        of.change()
            .filter(|&change| change < 0.0)
            .map(|change| -change)
    });
    let entries = lists.page(|of| match of.mu_before {
        None => Some(lists.rules.conservative(of.mu, lists.sigma(of))),
        Some(_) => None,
    });
    let mut peaks = Vec::new();
    for of in lists.sorted(|of| of.may_be_new_peak().then_some(of.highest_mu)) {
        if peaks.len() == request.limit {
            break;
        }
        if of.is_new_peak(&mut earlier)? {
            peaks.push(of);
        }
    }
    let mut labeller = Labeller::load(store, request.names)?;
    let listed = [&gains, &losses, &entries, &peaks];
    let ids = listed.into_iter().flatten().map(|of| of.competitor_id);
    let labels = labeller.load_labels(store, ids)?;
    let mut movers = |list: Vec<&PeriodRating>| lists.movers(&list, &labels, &mut earlier);
    Ok(Movers {
        stale,
        since: request.since,
        until: request.until,
        sigma_as_of: lists.rules.growth.as_of(),
        contests: period.contests,
        competitors: period.ratings.len(),
        provisional: (period.ratings.iter().filter(|of| lists.is_provisional(of))).count(),
        gains: movers(gains)?,
        losses: movers(losses)?,
        new_entries: movers(entries)?,
        new_peaks: movers(peaks)?,
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
    if sources.iter().all(|of| of == source) {
        return Ok(None);
    }
    let (mut members, mut competitors) = (CompetitorIndices::default(), Vec::new());
    store.for_each_competitor_name(find_source(store, source)?, |of| {
        members.find_or_add(of.competitor_id, &mut competitors);
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
        let entry = |of: &'p PeriodRating| {
            let provisional = self.is_provisional(of);
            let is_last = match self.placement {
                ProvisionalPlacement::Exclude if provisional => return None,
                ProvisionalPlacement::Only if !provisional => return None,
                placement => provisional && placement == ProvisionalPlacement::Last,
            };
            Some((is_last, number(of)?, of))
        };
        let mut entries: Vec<_> = self.ratings.iter().filter_map(entry).collect();
        entries.sort_unstable_by(|a, b| {
            (a.0.cmp(&b.0))
                .then_with(|| b.1.total_cmp(&a.1))
                .then_with(|| a.2.competitor_id.cmp(&b.2.competitor_id))
        });
        entries.into_iter().map(|(_, _, of)| of).collect()
    }

    /// Returns the first rows of [`Self::sorted`].
    fn page(&self, number: impl Fn(&PeriodRating) -> Option<f64>) -> Vec<&'p PeriodRating> {
        let mut sorted = self.sorted(number);
        sorted.truncate(self.limit);
        sorted
    }

    /// Returns sigma at the end of the period.
    fn sigma(&self, of: &PeriodRating) -> f64 {
        let growth = self.rules.growth;
        growth.sigma(of.sigma, of.volatility, of.last_contest_at)
    }

    fn is_provisional(&self, of: &PeriodRating) -> bool {
        (self.rules.provisional).is_provisional(self.sigma(of), of.all_contests)
    }

    fn movers(
        &self,
        ratings: &[&PeriodRating],
        labels: &HashMap<CompetitorId, CompetitorLabel>,
        earlier: &mut EarlierRatings<'_>,
    ) -> Result<Vec<Mover>, Error> {
        let mut movers = Vec::with_capacity(ratings.len());
        for of in ratings {
            let Some(competitor) = labels.get(&of.competitor_id) else {
                continue;
            };
            let display = &self.rules.display;
            let sigma = self.sigma(of);
            let rating = display.rating(of.mu, sigma, of.all_contests, of.last_contest_at);
            movers.push(Mover {
                competitor: competitor.clone(),
                rating,
                provisional: self.is_provisional(of),
                title: Title::of(self.rules.titles, rating).map(|title| title.name),
                conservative: self.rules.conservative(of.mu, sigma),
                mu_before: of.mu_before,
                mu: of.mu,
                sigma,
                stored_sigma: of.sigma,
                change: of.change(),
                peak_mu: of.peak_mu(earlier)?,
                contests: of.contests,
                last_contest_at: of.last_contest_at,
            });
        }
        Ok(movers)
    }
}
