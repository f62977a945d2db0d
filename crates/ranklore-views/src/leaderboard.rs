//! The leaderboard: a page of the competitors of a run.

use std::collections::HashMap;
use std::mem;

use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_rating::{Display, Provisional, Title};
use ranklore_store::{CompetitorId, ProvisionalPlacement, RunId, RunRow, Store};
use serde::Serialize;

use crate::cache::ViewReader;
use crate::names::labels::{CompetitorLabel, Labeller, NamesPolicy};
use crate::page::{Extent, Page};
use crate::ranking::earlier_ratings::EarlierRatings;
use crate::ranking::order::LeaderboardOrder;
use crate::ranking::ratings::load_mu_before;
use crate::ranking::rules::RatingRules;
use crate::ranking::{INACTIVE_AFTER_DAYS, RankedCompetitor, Ranking, RankingOptions};
use crate::requests::parse::Contradiction;
use crate::requests::values::{parse_end_time, parse_factor, parse_source, parse_time, words};
use crate::rows::cell::CellValue;
use crate::rows::columns::{Columns, List};
use ranklore_replay::{Error, RunChoice, find_run, is_current, is_stale, serialize_run};

/// The leaderboard to load, and its filters.
#[derive(Args, Clone, Debug)]
pub struct LeaderboardRequest {
    /// Rated source; of a run over several sources, all of them [default: the only one of the database]
    #[arg(id = "source", value_name = "SOURCE", value_parser = parse_source)]
    pub sources: Vec<SourceName>,
    /// The choice of the run.
    #[command(flatten)]
    pub run: RunChoice,
    /// Only competitors with at least N rated contests
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub min_contests: u32,
    /// A competitor without a contest in the last DAYS of the run is inactive
    #[arg(long = "inactive-after", value_name = "DAYS", default_value_t = INACTIVE_AFTER_DAYS)]
    pub inactive_after_days: u32,
    /// List the inactive competitors
    #[arg(long)]
    pub inactive: bool,
    /// Show the state at the end of this day, or at this time
    #[arg(long, value_name = "DATE", value_parser = parse_end_time)]
    pub as_of: Option<ContestTime>,
    /// Show sigma as stored after the last contest, without its growth since
    #[arg(long)]
    pub as_stored: bool,
    /// Rank by mu − K·sigma [default: 3; 2 for elo-r; 0 for systems without uncertainty]
    #[arg(long, value_name = "K", value_parser = parse_factor)]
    pub k: Option<f64>,
    /// Number to order by, highest first [default: conservative, or rating without uncertainty]
    // A request with `k` is in the order of the conservative rating by default.
    #[arg(long = "sort", value_name = "COLUMN")]
    pub order: Option<LeaderboardOrder>,
    /// Order by the lowest first
    // Provisional ratings that come last still do.
    #[arg(long)]
    pub reverse: bool,
    /// Place of provisional ratings
    #[arg(long, value_name = "HOW", default_value = "last", value_parser = words::<ProvisionalPlacement>())]
    pub provisional: ProvisionalPlacement,
    /// Add the change of mu since this day or time
    #[arg(long, value_name = "DATE", value_parser = parse_time)]
    pub since: Option<ContestTime>,
    /// The rows to return.
    #[command(flatten)]
    pub page: Page,
    /// The rule for names.
    #[arg(skip)]
    pub names: NamesPolicy,
}

impl LeaderboardRequest {
    /// Creates a request for the current leaderboard of a run, with the default filters.
    #[must_use]
    pub fn from_run(run: RunId) -> Self {
        Self::new(Vec::new(), run.into())
    }

    /// Creates a request for the whole current leaderboard, with the default filters.
    #[must_use]
    pub const fn new(sources: Vec<SourceName>, run: RunChoice) -> Self {
        Self {
            sources,
            run,
            as_of: None,
            as_stored: false,
            min_contests: 1,
            inactive_after_days: INACTIVE_AFTER_DAYS,
            k: None,
            order: None,
            reverse: false,
            provisional: ProvisionalPlacement::Last,
            since: None,
            inactive: false,
            page: Page::ALL,
            names: NamesPolicy::Publishable,
        }
    }

    /// Checks that the parameters agree.
    ///
    /// # Errors
    /// Errors if `since`, `as_of` and `order` contradict each other.
    pub fn check(&self) -> Result<(), Contradiction> {
        Err(Contradiction(match (self.order, self.since, self.as_of) {
            (_, Some(since), Some(as_of)) if since > as_of => {
                "{since} is later than {as-of}; give an earlier {since}"
            }
            (Some(LeaderboardOrder::Since), None, _) => {
                "{sort since} orders by the change since a day; name it with {since DATE}"
            }
            (Some(LeaderboardOrder::Change), Some(_), _) => {
                "{sort change} orders by the change by the last contest; with {since} use \
                 {sort since}, or leave out {since}"
            }
            _ => return Ok(()),
        }))
    }
}

/// A page of the competitors of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Leaderboard {
    /// The run.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: RunRow,
    /// Contests that the run rated, and that had ended by the requested time.
    pub contests: u64,
    /// True if results have changed since the run, or an earlier version computed it.
    pub stale: bool,
    /// k of the conservative rating.
    pub k: f64,
    /// The number that orders the rows.
    pub sort: LeaderboardOrder,
    /// The rating that gives the places: [`Leaderboard::sort`] if that is a rating, else the default
    /// of the system.
    pub ranked_by: LeaderboardOrder,
    /// True if the lowest comes first.
    #[serde(skip)]
    pub reverse: bool,
    /// The time since which changes are shown, in Unix seconds.
    pub since: Option<i64>,
    /// The end of the newest rated contest, in Unix seconds; `None` if no contest was rated by
    /// `as_of`.
    pub newest_contest_at: Option<i64>,
    /// The time up to which sigma has grown, in Unix seconds; `None` if it does not grow.
    pub sigma_as_of: Option<i64>,
    /// The number of active competitors.
    pub active: usize,
    /// The number of inactive competitors.
    pub inactive: usize,
    /// The number of provisional ratings among the active, or the inactive, competitors.
    pub provisional: usize,
    /// The number of rows on all pages.
    pub total: usize,
    /// The number of rows before this page.
    pub offset: usize,
    /// The rows of this page.
    pub rows: Vec<LeaderboardRow>,
    /// The place of provisional ratings.
    #[serde(skip)]
    pub provisional_placement: ProvisionalPlacement,
    /// The rule that marks ratings as provisional.
    #[serde(skip)]
    pub rule: Provisional,
    /// The formula of the displayed rating.
    #[serde(skip)]
    pub display: Display,
    /// The titles of the system; empty without.
    #[serde(skip)]
    pub titles: &'static [Title],
    /// True if names were replaced by pseudonyms.
    #[serde(skip)]
    pub pseudonymised: bool,
}

/// A competitor on a leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeaderboardRow {
    /// The competitor.
    #[serde(flatten)]
    pub competitor: CompetitorLabel,
    /// True if active.
    pub active: bool,
    /// Place and rating.
    #[serde(flatten)]
    pub standing: RankedCompetitor,
    /// The change of mu since [`Leaderboard::since`]; `None` without a rating then.
    pub change_since: Option<f64>,
}

impl List for Leaderboard {
    type Row = LeaderboardRow;

    fn columns(&self) -> Columns<'_, LeaderboardRow> {
        let display = &self.display;
        let points = |number| CellValue::Points(number, display.decimals);
        let change = |change| CellValue::Change(change, display.decimals);
        let has_provisional = self.rows.iter().any(|row| row.standing.provisional);
        Columns::new()
            .right("place", |row: &LeaderboardRow| row.standing.place.to_string())
            .left("name", |row| CellValue::text(&row.competitor.name))
            .data(&["external_id", "active"])
            .right("rating", move |LeaderboardRow { standing, .. }| {
                CellValue::rating(display, standing.rating, standing.provisional)
                    .aligned_with(has_provisional)
            })
            .important()
            .data(&["provisional"])
            .left("title", |row| row.standing.title.unwrap_or(""))
            .shown_if(!self.titles.is_empty())
            .before("rating")
            .right("conservative", move |row| points(row.standing.conservative))
            .shown_if(self.k > 0.0)
            .explained("lower bound of the rating")
            .right("mu", move |row| points(row.standing.mu))
            .not_on_page()
            .right("sigma", move |row| points(row.standing.sigma))
            .wide()
            .explained("uncertainty of the rating")
            .right("stored_sigma", move |row| points(row.standing.stored_sigma))
            .shown_if(self.sigma_as_of.is_some())
            .not_on_page()
            .right("contests", |row| row.standing.contests.to_string())
            .wide()
            .right("last_change", move |row| change(row.standing.last_change))
            .titled_on_page("Change")
            .explained("change by the last contest")
            .right("peak_mu", move |row| points(row.standing.peak_mu))
            .not_on_page()
            .left(("last_contest_at", "last contest"), |row| {
                CellValue::Day(row.standing.last_contest_at)
            })
            .wide()
            .right("change_since", move |row| change(row.change_since))
            .important()
            // A narrow terminal drops the number that orders the list first.
            .before("conservative")
            .only_if(self.since.is_some())
            .ordered_by(self.sort.column())
    }

    fn extent(&self) -> Option<Extent> {
        Some(Extent::new(self.offset, self.rows.len(), self.total))
    }
}

/// Loads a page of the leaderboard of a run.
///
/// # Errors
/// The errors of [`find_run`], and [`Error::Store`].
pub fn load_leaderboard<'s>(
    reader: impl Into<ViewReader<'s>>,
    request: &LeaderboardRequest,
) -> Result<Leaderboard, Error> {
    let reader = reader.into();
    let store = reader.store;
    let run = find_run(store, &request.sources, &request.run)?;
    let stale = is_stale(&run, is_current(store, &run)?);
    let mut ranking = load_ranking(reader, &run, request)?;
    let active = !request.inactive;
    let page = ranking.page(store, active, request.page)?;
    let mut labeller = Labeller::load(store, request.names)?;
    let ids = page.iter().map(|row| row.competitor_id);
    let mut labels = labeller.load_labels(store, ids.clone())?;
    let mu_before = load_mu_since(store, &run, request, &mut ranking, ids)?;
    let rows = page.into_iter().filter_map(|standing| {
        let mu_before = mu_before.get(&standing.competitor_id);
        Some(LeaderboardRow {
            competitor: labels.remove(&standing.competitor_id)?,
            active,
            change_since: mu_before.map(|mu_before| standing.mu - mu_before),
            standing,
        })
    });
    let counts = ranking.counts;
    Ok(Leaderboard {
        contests: match request.as_of {
            Some(time) => store.count_run_contests_by(run.run_id, time)?,
            None => run.contests,
        },
        stale,
        k: ranking.rules.k,
        sort: ranking.order,
        ranked_by: ranking.ranked_by,
        reverse: request.reverse,
        since: request.since.map(ContestTime::get),
        newest_contest_at: ranking.newest_contest_at,
        sigma_as_of: ranking.rules.growth.as_of(),
        active: counts.active as usize,
        inactive: counts.inactive as usize,
        provisional: if active {
            counts.active_provisional as usize
        } else {
            counts.inactive_provisional as usize
        },
        total: ranking.count_listed(active),
        offset: request.page.offset,
        rows: rows.collect(),
        provisional_placement: request.provisional,
        rule: ranking.rules.provisional,
        display: ranking.rules.display,
        titles: ranking.rules.titles,
        pseudonymised: labeller.pseudonymised,
        run,
    })
}

/// Loads the ranking by the filters and the order of a request.
fn load_ranking(
    reader: ViewReader<'_>,
    run: &RunRow,
    request: &LeaderboardRequest,
) -> Result<Ranking, Error> {
    let mut rules = RatingRules::load(reader.store, run, request.as_stored)?;
    let mut order = request.order;
    if let Some(k) = request.k {
        rules.k = k;
        order = order.or(Some(LeaderboardOrder::Conservative));
    }
    let options = RankingOptions {
        as_of: request.as_of,
        min_contests: request.min_contests,
        inactive_after_days: request.inactive_after_days,
        provisional: request.provisional,
        order,
        reverse: request.reverse,
        since: request.since,
    };
    Ranking::load(reader.store, reader.rankings(), run, rules, options)
}

/// Loads mu of these competitors at the time since which changes are shown, and possibly that of
/// others.
fn load_mu_since(
    store: &Store,
    run: &RunRow,
    request: &LeaderboardRequest,
    ranking: &mut Ranking,
    competitors: impl Iterator<Item = CompetitorId>,
) -> Result<HashMap<CompetitorId, f64>, Error> {
    match request.since {
        None => Ok(HashMap::new()),
        // The rows are sorted by the change since then: all are loaded already.
        Some(_) if ranking.order == LeaderboardOrder::Since => {
            Ok(mem::take(&mut ranking.mu_before))
        }
        Some(since) if request.page == Page::ALL => load_mu_before(store, run, since),
        Some(since) => EarlierRatings::load(store, run, since)?.last_of_all(competitors),
    }
}
