//! The list of the contests of a source, with the reason why a contest is not rated.

use std::cmp::{Ordering, Reverse};
use std::collections::{HashMap, HashSet};

use clap::Args;
use ranklore_contest::{ContestTime, SourceName, compare_naturally, word_enum};
use ranklore_store::{
    ContestId, ContestListFilter, ContestRow, ContestState, ListedContestRow, RunRow, Store,
};
use serde::Serialize;

use crate::contest::without_password;
use crate::coverage::{Coverage, UnratedReason};
use crate::names::fuzzy::{FoldedText, PartOfName};
use crate::page::{Extent, Page};
use crate::requests::values::{parse_time, plain_words};
use crate::rows::cell::CellValue;
use crate::rows::columns::{COMPLETENESS, Columns, List};
use crate::rows::format::format_count;
use ranklore_replay::{
    Error, RunChoice, find_run_if_rated, find_source, is_current, is_stale, serialize_run,
};

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
#[derive(Args, Clone, Debug, Default)]
pub struct ContestListRequest {
    /// Only contests that ended on or after this date
    #[arg(long, value_name = "DATE", value_parser = parse_time)]
    pub since: Option<ContestTime>,
    /// Only contests that ended before this date
    #[arg(long, value_name = "DATE", value_parser = parse_time)]
    pub until: Option<ContestTime>,
    /// Only contests of this division
    #[arg(long, value_name = "NAME")]
    pub division: Option<String>,
    /// Only contests in this state; withdrawn: also those that the user withdrew
    #[arg(
        long,
        value_name = "STATE",
        value_parser = plain_words::<ContestState>()
    )]
    pub state: Option<ContestState>,
    /// Only contests with this text in the name, or an id that begins with it; case, accents and
    /// punctuation do not matter, numbers match as a whole
    // An id generated from name and date must equal the text.
    #[arg(long, value_name = "TEXT")]
    pub name: Option<String>,
    /// Order: newest first, by name, largest first, or by division
    #[arg(
        long = "sort",
        value_name = "ORDER",
        default_value = "date",
        value_parser = plain_words::<ContestOrder>()
    )]
    pub order: ContestOrder,
    /// Reverse the order
    #[arg(long)]
    pub reverse: bool,
    /// The choice of the run.
    #[command(flatten)]
    pub run: RunChoice,
    /// The rows to return.
    #[command(flatten)]
    pub page: Page,
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

impl List for ContestList {
    type Row = ContestListRow;

    fn columns(&self) -> Columns<'_, ContestListRow> {
        let has_divisions = self.rows.iter().any(|row| row.contest.division.is_some());
        Columns::new()
            .data(&["source"])
            .left(("contest", "id"), |row: &ContestListRow| {
                CellValue::text(&row.contest.external_id)
            })
            .not_on_page()
            .before("division")
            .left("name", |row| CellValue::text(&row.contest.name))
            .titled_on_page("Contest")
            .data(&["event"])
            .left("division", |row| {
                let division = row.contest.division.as_ref();
                division.map_or(CellValue::Unknown, CellValue::text)
            })
            .shown_if(has_divisions)
            .data(&["url", "starts_at"])
            .left(("ends_at", "date"), |row| {
                row.contest.ends_at.map_or(CellValue::Unknown, CellValue::Day)
            })
            .before("name")
            .left("state", |row| row.contest.state.as_str())
            .not_on_page()
            .before("rated_results")
            .data(&["weight", "site_weight"])
            .right("entrants", |row| format_count(row.contest.entrants))
            .data(&["revision", "withdrawn_at"])
            .data(&COMPLETENESS)
            .left(("rated_results", "rated"), |row| match row.unrated {
                Some(reason) => CellValue::Remark(reason.as_str()),
                None => format_count(row.rated_results).into(),
            })
            .important()
            .data(&["unrated"])
    }

    fn extent(&self) -> Option<Extent> {
        Some(Extent::new(self.offset, self.rows.len(), self.total))
    }
}

/// Loads a page of the contests of a source.
///
/// # Errors
/// [`Error::NoSource`], [`Error::NoRun`], [`Error::SourceMismatch`],
/// [`Error::NotRatedBySystem`], [`Error::Store`].
pub fn load_contest_list(
    store: &Store,
    source: &SourceName,
    request: &ContestListRequest,
) -> Result<ContestList, Error> {
    let source_id = find_source(store, source)?;
    let run = find_run_if_rated(store, source, &request.run)?;
    let is_current = match &run {
        Some(run) => is_current(store, run)?,
        None => true,
    };
    let filter = ContestListFilter {
        source_id,
        division: request.division.clone(),
        state: request.state,
        since: request.since,
        until: request.until,
    };
    let entries = find_contests(store, &filter, request)?;
    let total = entries.len();
    let contests = load_page(store, entries, request)?;
    let ids: HashSet<ContestId> = contests.iter().map(|contest| contest.contest_id).collect();
    let (coverage, ratings) = match &run {
        Some(run) => (
            Some(Coverage::load(store, run, is_current, &ids)?),
            store.count_ratings_of_contests(run.run_id, ids)?,
        ),
        None => (None, HashMap::new()),
    };
    let rows = contests.into_iter().map(|contest| ContestListRow {
        rated_results: ratings.get(&contest.contest_id).copied().unwrap_or(0),
        unrated: match &coverage {
            Some(coverage) => coverage.unrated_reason(&contest),
            None => UnratedReason::for_all_runs(&contest).or(Some(UnratedReason::NotYet)),
        },
        contest,
    });
    Ok(ContestList {
        stale: run.as_ref().is_some_and(|run| is_stale(run, is_current)),
        total,
        offset: request.page.offset,
        rows: rows.collect(),
        run,
    })
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
    fn new(order: ContestOrder, contest: &ListedContestRow<'_>) -> Self {
        match order {
            ContestOrder::Date => Self::Date,
            ContestOrder::Entrants => Self::Entrants(Reverse(contest.entrants)),
            ContestOrder::Name => Self::Text(Some(FoldedText::fold(contest.name))),
            ContestOrder::Division => Self::Text(contest.division.map(FoldedText::fold)),
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

/// A contest to list.
struct ListEntry {
    key: OrderKey,
    ends_at: Option<i64>,
    contest_id: ContestId,
}

impl ListEntry {
    /// Returns the order of two contests in the list; simultaneous ones are equal.
    fn compare(&self, other: &Self, reverse: bool) -> Ordering {
        let by_key = self.key.compare(&other.key);
        let order = by_key.then_with(|| other.ends_at.cmp(&self.ends_at));
        if reverse { order.reverse() } else { order }
    }
}

/// Returns all contests to list, in no order.
fn find_contests(
    store: &Store,
    filter: &ContestListFilter,
    request: &ContestListRequest,
) -> Result<Vec<ListEntry>, Error> {
    let mut name = request.name.as_deref().map(PartOfName::new);
    let mut entries = Vec::new();
    store.for_each_listed_contest(filter, |contest| {
        let is_match = name.as_mut().is_none_or(|text| {
            text.is_in(contest.name)
                || if is_generated(&contest) {
                    text.is(contest.external_id)
                } else {
                    text.begins(contest.external_id)
                }
        });
        if is_match {
            entries.push(ListEntry {
                key: OrderKey::new(request.order, &contest),
                ends_at: contest.ends_at,
                contest_id: contest.contest_id,
            });
        }
    })?;
    Ok(entries)
}

/// True if the id was generated from the name and the date, such as `Spring Cup@1749427200`.
fn is_generated(contest: &ListedContestRow<'_>) -> bool {
    let parts = contest.external_id.rsplit_once('@');
    let time = parts.and_then(|(_, time)| time.parse().ok());
    contest.ends_at.is_some() && time == contest.ends_at
}

/// Returns the contests of the page in order.
fn load_page(
    store: &Store,
    mut entries: Vec<ListEntry>,
    request: &ContestListRequest,
) -> Result<Vec<ContestRow>, Error> {
    let Page { offset, limit } = request.page;
    let end = offset.saturating_add(limit).min(entries.len());
    if offset >= end {
        return Ok(Vec::new());
    }
    let compare = |a: &ListEntry, b: &ListEntry| a.compare(b, request.reverse);
    // Only the contests of the page, and those simultaneous with its first and last, are loaded.
    let (_, last, further) = entries.select_nth_unstable_by(end - 1, compare);
    let ties = further.iter().filter(|entry| compare(entry, last).is_eq());
    let end_of_ties = end + ties.count();
    further.sort_unstable_by_key(|entry| compare(entry, last));
    entries.truncate(end_of_ties);
    entries.sort_unstable_by(compare);
    let skipped = entries.partition_point(|entry| compare(entry, &entries[offset]).is_lt());
    let mut page = Vec::new();
    for simultaneous in entries[skipped..].chunk_by(|a, b| compare(a, b).is_eq()) {
        let ids = simultaneous.iter().map(|entry| entry.contest_id);
        let mut contests = store.contests_by_id(ids)?;
        contests.sort_unstable_by(ContestRow::replay_order);
        if !request.reverse {
            contests.reverse();
        }
        page.extend(contests);
    }
    let page = page.into_iter().skip(offset - skipped).take(end - offset);
    Ok(page.map(without_password).collect())
}
