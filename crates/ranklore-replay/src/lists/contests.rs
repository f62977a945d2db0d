//! The list of the contests of a source, with the reason why a contest is not rated.

use std::cmp::{Ordering, Reverse};
use std::collections::{HashMap, HashSet};

use ranklore_contest::{SourceName, UnixSeconds, compare_naturally, word_enum};
use ranklore_store::{
    ContestId, ContestListFilter, ContestRow, ContestState, ListedContestRow, RunRow, Store,
};
use serde::Serialize;

use crate::error::Error;
use crate::runs::fingerprint::{is_current, is_stale};
use crate::runs::keys::serialize_run;
use crate::runs::lookup::{RunChoice, find_run_if_rated};
use crate::runs::selection::find_source;
use crate::views::coverage::{Coverage, UnratedReason};
use crate::views::fuzzy::FoldedText;
use crate::views::page::Page;

word_enum! {
    /// The order of a list of contests; equal ones are newest first.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum ContestOrder {
        /// Newest first.
        #[default]
        Date = "date",
        /// By name, numbers by value.
        Name = "name",
        /// Largest first.
        Entrants = "entrants",
        /// By division, numbers by value; contests without one come last.
        Division = "division",
    }
}

/// The contests to list.
#[derive(Clone, Debug)]
pub struct ContestListRequest {
    /// The source.
    pub source: SourceName,
    /// The choice of the run.
    pub run: RunChoice,
    /// Only contests that ended at this time or later.
    pub since: Option<UnixSeconds>,
    /// Only contests that ended before this time.
    pub until: Option<UnixSeconds>,
    /// Only contests of this division.
    pub division: Option<String>,
    /// Only contests in this state.
    pub state: Option<ContestState>,
    /// Only contests whose name or external id contains this text, without regard to case and
    /// accents.
    pub name: Option<String>,
    /// The order.
    pub order: ContestOrder,
    /// True for the opposite order.
    pub reverse: bool,
    /// The rows to return.
    pub page: Page,
}

impl ContestListRequest {
    /// Creates a request for all contests, in the default order.
    #[must_use]
    pub const fn new(source: SourceName, run: RunChoice) -> Self {
        Self {
            source,
            run,
            since: None,
            until: None,
            division: None,
            state: None,
            name: None,
            order: ContestOrder::Date,
            reverse: false,
            page: Page::ALL,
        }
    }
}

/// A page of the contests of a source.
#[derive(Clone, Debug, Serialize)]
pub struct ContestList {
    /// The run that the contests are rated in; `None` if there is none.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: Option<RunRow>,
    /// True if results have changed since the run, or an earlier version computed it.
    pub stale: bool,
    /// The number of rows on all pages.
    pub total: usize,
    /// The number of rows before this page.
    pub offset: usize,
    /// The rows of this page.
    pub rows: Vec<ContestListRow>,
}

/// A contest of a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContestListRow {
    /// The contest.
    #[serde(flatten)]
    pub contest: ContestRow,
    /// The number of its ratings in the run.
    pub rated_results: u32,
    /// The reason why it is not rated now; `None` if it is. A stale run may still have ratings of
    /// it.
    pub unrated: Option<UnratedReason>,
}

/// Loads a page of the contests of a source. By date and without a text, it reads no other page.
///
/// # Errors
/// [`Error::NoSource`], [`Error::NoRun`], [`Error::SourceMismatch`],
/// [`Error::NotRatedBySystem`], [`Error::Store`].
pub fn load_contest_list(
    store: &Store,
    request: &ContestListRequest,
) -> Result<ContestList, Error> {
    let source_id = find_source(store, &request.source)?;
    let run = find_run_if_rated(store, &request.source, &request.run)?;
    let is_current = run.as_ref().map(|run| is_current(store, run));
    let is_current = is_current.transpose()?.unwrap_or(true);
    let filter = ContestListFilter {
        source_id,
        division: request.division.clone(),
        state: request.state,
        since: request.since,
        until: request.until,
    };
    let (ids, total) = match (&request.name, request.order) {
        (None, ContestOrder::Date) => load_page(store, &filter, request)?,
        _ => sort_all(store, &filter, request)?,
    };
    let contests = store.contests_by_id(ids)?;
    let shown: HashSet<ContestId> = contests.iter().map(|of| of.contest_id).collect();
    let (coverage, ratings) = match &run {
        Some(run) => (
            Some(Coverage::load(store, run, is_current, &shown)?),
            store.count_ratings_of_contests(run.run_id, shown)?,
        ),
        None => (None, HashMap::new()),
    };
    let row = |contest: ContestRow| ContestListRow {
        rated_results: ratings.get(&contest.contest_id).copied().unwrap_or(0),
        unrated: match &coverage {
            Some(coverage) => coverage.unrated_reason(&contest),
            None => UnratedReason::for_all_runs(&contest).or(Some(UnratedReason::NotYet)),
        },
        contest,
    };
    Ok(ContestList {
        stale: run.as_ref().is_some_and(|run| is_stale(run, is_current)),
        total,
        offset: request.page.offset,
        rows: contests.into_iter().map(row).collect(),
        run,
    })
}

/// Returns the contests of a page by date, and the number on all pages.
fn load_page(
    store: &Store,
    filter: &ContestListFilter,
    request: &ContestListRequest,
) -> Result<(Vec<ContestId>, usize), Error> {
    let Page { offset, limit } = request.page;
    let mut ids = Vec::new();
    store.for_each_listed_contest(filter, request.reverse, (offset, limit), |of| {
        ids.push(of.contest_id);
    })?;
    Ok((ids, store.count_listed_contests(filter)? as usize))
}

/// The key of a contest in the order of a list.
#[derive(PartialEq, Eq)]
enum OrderKey {
    /// The date: the database has the order.
    Date,
    Entrants(Reverse<u32>),
    /// The folded name or division; contests without one come last.
    Text(Option<String>),
}

impl OrderKey {
    fn new(order: ContestOrder, of: &ListedContestRow<'_>) -> Self {
        match order {
            ContestOrder::Date => Self::Date,
            ContestOrder::Entrants => Self::Entrants(Reverse(of.entrants)),
            ContestOrder::Name => Self::Text(Some(FoldedText::fold(of.name))),
            ContestOrder::Division => Self::Text(of.division.map(FoldedText::fold)),
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Entrants(a), Self::Entrants(b)) => a.cmp(b),
            (Self::Text(Some(a)), Self::Text(Some(b))) => compare_naturally(a, b),
            (Self::Text(a), Self::Text(b)) => a.is_none().cmp(&b.is_none()),
            _ => Ordering::Equal,
        }
    }
}

/// Returns the contests of a page, and the number on all pages, from all that pass the filter.
fn sort_all(
    store: &Store,
    filter: &ContestListFilter,
    request: &ContestListRequest,
) -> Result<(Vec<ContestId>, usize), Error> {
    let mut wanted = request.name.as_deref().map(FoldedText::new);
    let mut found: Vec<(OrderKey, ContestId)> = Vec::new();
    let all = (0, usize::MAX);
    store.for_each_listed_contest(filter, false, all, |of| {
        let mut is_wanted = |name: &str| wanted.as_mut().is_none_or(|text| text.is_in(name));
        if is_wanted(of.name) || is_wanted(of.external_id) {
            found.push((OrderKey::new(request.order, &of), of.contest_id));
        }
    })?;
    // Stable: equal ones stay newest first.
    found.sort_by(|a, b| a.0.compare(&b.0));
    if request.reverse {
        found.reverse();
    }
    let total = found.len();
    let ids = request.page.select(found).into_iter().map(|of| of.1);
    Ok((ids.collect(), total))
}
