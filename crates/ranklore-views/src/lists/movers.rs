//! Movers: the largest changes of ratings since a time, new entries and new peaks.

use std::collections::HashMap;

use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_rating::{Display, Provisional, Title};
use ranklore_store::{CompetitorId, ProvisionalPlacement, RunRow, Store};
use serde::Serialize;

use crate::lists::period::{PeriodQuery, PeriodRating};
use crate::names::labels::{CompetitorLabel, Labeller, NamesPolicy};
use crate::ranking::earlier_ratings::EarlierRatings;
use crate::ranking::rules::{RatingRules, find_display};
use crate::requests::values::{parse_time, words};
use crate::rows::cell::CellValue;
use crate::rows::columns::{Columns, List};
use ranklore_replay::{
    CompetitorIndices, Error, RunChoice, RunSelection, find_run_covering, find_source, is_current,
    is_stale, serialize_run,
};

/// The period of the movers to list.
#[derive(Args, Clone, Debug)]
pub struct MoversRequest {
    /// Compare with the ratings before the contests that ended on or after this date
    #[arg(long, value_name = "DATE", value_parser = parse_time)]
    pub since: ContestTime,
    /// Only contests that ended before this date
    #[arg(long, value_name = "DATE", value_parser = parse_time)]
    pub until: Option<ContestTime>,
    /// Place of provisional ratings in each list
    #[arg(long, value_name = "HOW", default_value = "last", value_parser = words::<ProvisionalPlacement>())]
    pub provisional: ProvisionalPlacement,
    /// The choice of the run.
    #[command(flatten)]
    pub run: RunChoice,
    /// Show sigma as stored after the last contest of the period, without its growth since
    #[arg(long)]
    pub as_stored: bool,
    /// Rows of each list [default: 10 in tables and Markdown, all in the other formats]
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    pub limit: usize,
    /// The rule for names.
    #[arg(skip)]
    pub names: NamesPolicy,
}

impl MoversRequest {
    /// Creates a request for all movers since a time.
    #[must_use]
    pub const fn new(run: RunChoice, since: ContestTime) -> Self {
        Self {
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

/// A list of movers.
#[derive(Clone, Copy, Debug)]
pub struct MoverList<'m> {
    /// The key of the list.
    pub key: &'static str,
    /// The title of the list.
    pub title: &'static str,
    /// The rows.
    pub rows: &'m [Mover],
    display: Display,
}

impl Movers {
    /// Returns the lists.
    #[must_use]
    pub fn lists(&self) -> [MoverList<'_>; 4] {
        let display = find_display(&self.run);
        [
            ("gains", "largest gains", &*self.gains),
            ("losses", "largest losses", &self.losses),
            ("new_entries", "new entries", &self.new_entries),
            (NEW_PEAKS, "new peaks", &self.new_peaks),
        ]
        .map(|(key, title, rows)| MoverList {
            key,
            title,
            rows,
            display,
        })
    }

    /// Returns the rows of all lists, one list after the other.
    #[must_use]
    pub fn rows(&self) -> Vec<ListedMover<'_>> {
        let lists = self.lists().into_iter();
        let rows = lists.flat_map(|list| {
            let rows = list.rows.iter();
            rows.map(move |mover| ListedMover {
                list: list.key,
                mover,
            })
        });
        rows.collect()
    }
}

/// The key of the list of new peaks.
const NEW_PEAKS: &str = "new_peaks";

/// A row of one of the lists.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ListedMover<'m> {
    /// The key of the list.
    pub list: &'static str,
    /// The competitor.
    #[serde(flatten)]
    pub mover: &'m Mover,
}

impl MoverList<'_> {
    /// Returns mu after the last contest of the period.
    #[must_use]
    pub const fn mu(&self, row: &Mover) -> CellValue {
        CellValue::Points(row.mu, self.display.decimals)
    }
}

impl List for MoverList<'_> {
    type Row = Mover;

    fn columns(&self) -> Columns<'_, Mover> {
        let display = &self.display;
        let points = |number| CellValue::Points(number, display.decimals);
        let has_provisional = self.rows.iter().any(|row| row.provisional);
        Columns::new()
            .left("name", |row: &Mover| CellValue::text(&row.competitor.name))
            .data(&["external_id"])
            .right("rating", move |row| {
                CellValue::rating(display, row.rating, row.provisional)
                    .aligned_with(has_provisional)
            })
            .not_on_page()
            .important()
            .data(&["provisional", "title", "conservative"])
            .right("mu_before", move |row| row.mu_before.map_or(CellValue::Unknown, points))
            .titled_on_page("From")
            .right("mu", |row| self.mu(row))
            .titled_on_page("To")
            .data(&["sigma", "stored_sigma"])
            .right("change", |row| CellValue::Change(row.change, display.decimals))
            .important()
            .right(("peak_mu", "peak"), move |row| points(row.peak_mu))
            .shown_if(self.key == NEW_PEAKS)
            .not_on_page()
            .important()
            .right("contests", |row| row.contests.to_string())
            .not_on_page()
            .left(("last_contest_at", "last contest"), |row| CellValue::Day(row.last_contest_at))
            .not_on_page()
    }
}

impl<'m> List for Vec<ListedMover<'m>> {
    type Row = ListedMover<'m>;

    fn columns(&self) -> Columns<'_, ListedMover<'m>> {
        let list = MoverList {
            key: "",
            title: "",
            rows: &[],
            display: Display::default(),
        };
        Columns::new().data(&["list"]).data_of(&list.columns())
    }
}

/// Loads the movers of a period.
///
/// # Errors
/// [`Error::NoRun`], [`Error::SourceMismatch`], [`Error::NotRated`], [`Error::NotRatedBySystem`],
/// [`Error::OnlyPartialRuns`], [`Error::NoSource`], [`Error::Store`].
pub fn load_movers(
    store: &Store,
    source: &SourceName,
    request: &MoversRequest,
) -> Result<Movers, Error> {
    let run = find_run_covering(store, source, &request.run)?;
    let stale = is_stale(&run, is_current(store, &run)?);
    let mut rules = RatingRules::load(store, &run, request.as_stored)?;
    let until = request.until;
    rules.growth.set_time_or_newest(store, &run, until)?;
    let mut earlier_ratings = EarlierRatings::load(store, &run, request.since)?;
    let members = load_members(store, &run, source)?;
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
