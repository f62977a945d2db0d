//! Finds competitors and contests by name: exactly, else by a similar name.

use std::cmp::Ordering;

use ranklore_contest::{ContestTime, EntrantKind, SourceName};
use ranklore_store::{CompetitorId, CompetitorRow, ContestId, ContestRow, Store};

use crate::error::{Error, NameNotFound};
use crate::runs::lookup::{RunChoice, find_run_covering};
use crate::runs::selection::find_source;
use crate::views::fuzzy::{NameMatch, find_by_names, search_names};
use crate::views::names::{CompetitorLabel, Labeller, NamesPolicy};
use crate::views::pseudonyms::Pseudonyms;

/// Finds a competitor by its external id or its name. If there is none, finds it by its pseudonym, or
/// by the clearly nearest current or earlier name; the caller should report that. Equally near
/// names are ordered by the ratings of the chosen run.
///
/// # Errors
/// [`Error::NoSource`]; [`Error::NoCompetitor`], with the nearest names, by the policy.
pub(crate) fn find_competitor(
    store: &Store,
    source: &SourceName,
    wanted: &str,
    kind: Option<EntrantKind>,
    run: &RunChoice,
    names: NamesPolicy,
) -> Result<CompetitorRow, Error> {
    let found = search_competitors(store, source, wanted, kind, run)?;
    let found = found.exact_or_near();
    let similar = match found {
        Ok(found) => return Ok(found),
        Err(similar) => similar,
    };
    let mut labeller = Labeller::load(store, names)?;
    let similar = similar.map(|of| describe_competitor(&labeller.label(of)));
    Err(Error::NoCompetitor(Box::new(
        similar.not_found(source, wanted),
    )))
}

/// Finds a competitor by its external id, exact name or pseudonym only: for changes that cannot be
/// undone.
///
/// # Errors
/// [`Error::NoSource`]; [`Error::NoCompetitor`], with the nearest names as stored.
pub fn find_competitor_exact(
    store: &Store,
    source: &SourceName,
    wanted: &str,
    kind: Option<EntrantKind>,
) -> Result<CompetitorRow, Error> {
    let run = RunChoice::default();
    let found = search_competitors(store, source, wanted, kind, &run)?.exact();
    found.map_err(|similar| {
        // The user changes their own database, and needs the stored names to name a competitor.
        let mut labeller = Labeller::as_stored();
        let similar = similar.map(|of| describe_competitor(&labeller.label(of)));
        Error::NoCompetitor(Box::new(similar.not_found(source, wanted)))
    })
}

/// Finds the competitors of a source that views of any reader show under exactly this id or name:
/// those with this id, else those with this name, else the one with this pseudonym. A name that a
/// pseudonym replaces finds nobody, so that whoever knows a name does not learn the pseudonym.
///
/// # Errors
/// [`Error::NoSource`], [`Error::Store`].
pub fn find_shown_competitors(
    store: &Store,
    source: &SourceName,
    wanted: &str,
    kind: Option<EntrantKind>,
) -> Result<Vec<CompetitorLabel>, Error> {
    let source_id = find_source(store, source)?;
    let mut labeller = Labeller::load(store, NamesPolicy::Publishable)?;
    let is_of_kind = |of: EntrantKind| kind.is_none_or(|kind| of == kind);
    let mut found = Vec::new();
    for load in [Store::competitors_with_id, Store::competitors_named] {
        if found.is_empty() {
            found = load(store, source_id, wanted)?;
            found.retain(|of| is_of_kind(of.kind) && !labeller.hides(of));
        }
    }
    if found.is_empty() && labeller.hides_people_of(source_id) {
        let mut pseudonymous = None;
        store.for_each_competitor_name(source_id, |of| {
            if is_of_kind(of.kind) && labeller.pseudonym(&of).as_deref() == Some(wanted) {
                pseudonymous.get_or_insert(of.competitor_id);
            }
        })?;
        found = store.competitors_by_id(pseudonymous)?;
    }
    Ok(found.into_iter().map(|of| labeller.label(of)).collect())
}

/// Finds a contest by its external id, else by its name, else by the clearly nearest name; the
/// caller should report that.
///
/// # Errors
/// [`Error::NoSource`]; [`Error::NoContest`], with the nearest contests.
pub(crate) fn find_contest(
    store: &Store,
    source: &SourceName,
    wanted: &str,
) -> Result<ContestRow, Error> {
    let found = search_contests(store, source, wanted)?.exact_or_near();
    found.map_err(|similar| {
        let similar = similar.map(|of| describe_contest(&of));
        Error::NoContest(Box::new(similar.not_found(source, wanted)))
    })
}

/// Finds a contest by its external id or exact name only: for changes of the database.
///
/// # Errors
/// [`Error::NoSource`]; [`Error::NoContest`], with the nearest contests.
pub fn find_contest_exact(
    store: &Store,
    source: &SourceName,
    wanted: &str,
) -> Result<ContestRow, Error> {
    let found = search_contests(store, source, wanted)?.exact();
    found.map_err(|similar| {
        let similar = similar.map(|of| describe_contest(&of));
        Error::NoContest(Box::new(similar.not_found(source, wanted)))
    })
}

enum SearchResult<T> {
    /// The item with exactly this name.
    Exact(T),
    /// The item whose name is clearly the nearest.
    Near(T),
    /// No item is certain.
    Similar(Similar<T>),
}

/// The items with similar names, best first.
struct Similar<T> {
    items: Vec<T>,
    /// The number of others.
    more: usize,
    /// True if the names match; else they differ in a number.
    matching: bool,
}

impl<T> Similar<T> {
    fn map<U>(self, describe: impl FnMut(T) -> U) -> Similar<U> {
        let Self {
            items,
            more,
            matching,
        } = self;
        let items = items.into_iter().map(describe).collect();
        Similar {
            items,
            more,
            matching,
        }
    }
}

impl Similar<String> {
    fn not_found(self, source: &SourceName, wanted: &str) -> NameNotFound {
        NameNotFound {
            wanted: wanted.to_owned(),
            source_name: source.clone(),
            candidates: self.items,
            more: self.more,
            matching: self.matching,
        }
    }
}

impl<T> SearchResult<T> {
    /// Returns the item with exactly this name; else those with similar names.
    fn exact(self) -> Result<T, Similar<T>> {
        match self {
            Self::Exact(one) => Ok(one),
            Self::Near(candidate) => Err(Similar {
                items: vec![candidate],
                more: 0,
                matching: true,
            }),
            Self::Similar(similar) => Err(similar),
        }
    }

    /// Returns the item with exactly this name, or the nearest; else those with similar names.
    fn exact_or_near(self) -> Result<T, Similar<T>> {
        match self {
            Self::Near(one) => Ok(one),
            other => other.exact(),
        }
    }

    /// Returns the items whose indices were found; `load` returns that of an index.
    fn from_match<E>(
        found: NameMatch,
        mut load: impl FnMut(usize) -> Result<Option<T>, E>,
    ) -> Result<Self, E> {
        let is_exact = matches!(found, NameMatch::Exact(_));
        let (indices, more, matching) = match found {
            NameMatch::Exact(index) | NameMatch::Folded(index) | NameMatch::Near(index) => {
                match load(index)? {
                    Some(item) if is_exact => return Ok(Self::Exact(item)),
                    Some(item) => return Ok(Self::Near(item)),
                    None => (Vec::new(), 0, false),
                }
            }
            NameMatch::Candidates(indices, more) => (indices, more, true),
            NameMatch::Nearest(indices) => (indices, 0, false),
        };
        let mut items = Vec::new();
        for index in indices {
            items.extend(load(index)?);
        }
        Ok(Self::Similar(Similar {
            items,
            more,
            matching,
        }))
    }
}

/// The rating, last contest and number of contests of a competitor in a run, by which equally
/// similar names are ordered.
type Prominence = Option<(i64, i64, u32)>;

/// Returns a function that loads the prominence of a competitor in the run that the user would see,
/// if there is one.
fn load_prominence<'a>(
    store: &'a Store,
    source: &SourceName,
    choice: &RunChoice,
) -> Result<impl Fn(usize) -> Result<Prominence, Error> + 'a, Error> {
    let run_id = match find_run_covering(store, source, choice) {
        Ok(run) => Some(run.run_id),
        Err(error @ Error::Store(_)) => return Err(error),
        // The names are found without ratings too.
        Err(_) => None,
    };
    Ok(move |index| {
        let Some(run_id) = run_id else {
            return Ok(None);
        };
        let root = store.merge_root(CompetitorId::new(index as i64))?;
        let rating = store.current_rating(run_id, root)?;
        // Competitors with the same rating in whole points are ordered by their activity.
        Ok(rating.map(|of| (of.mu.round() as i64, of.last_contest_at, of.contests)))
    })
}

fn search_competitors(
    store: &Store,
    source: &SourceName,
    wanted: &str,
    kind: Option<EntrantKind>,
    run: &RunChoice,
) -> Result<SearchResult<CompetitorRow>, Error> {
    let source_id = find_source(store, source)?;
    let has_kind = |of: EntrantKind| kind.is_none_or(|kind| of == kind);
    let is_of_kind = |of: &CompetitorRow| has_kind(of.kind);
    // Ids of the source take precedence over names, which have no index.
    let mut called = store.competitors_with_id(source_id, wanted)?;
    called.retain(is_of_kind);
    if called.is_empty() {
        called = store.competitors_named(source_id, wanted)?;
        called.retain(is_of_kind);
    }
    if called.len() == 1 {
        return Ok(SearchResult::Exact(called.swap_remove(0)));
    }
    let load = |index: usize| -> Result<Option<CompetitorRow>, Error> {
        let id = CompetitorId::new(index as i64);
        Ok(store.competitors_by_id([id])?.pop())
    };
    if !called.is_empty() {
        let names = called
            .iter()
            .flat_map(|of| names_with_id(of.competitor_id, &of.name, &of.external_id));
        return SearchResult::from_match(find_by_names(wanted, names), load);
    }
    let prominence = load_prominence(store, source, run)?;
    let pseudonyms = Pseudonyms::load(store)?;
    let mut pseudonymous = None;
    let earlier = store.renamed_competitors(source_id)?;
    // Competitors are searched by id: a source can have a million.
    let for_each_name = |each: &mut dyn FnMut(usize, &str)| -> Result<(), Error> {
        store.for_each_competitor_name(source_id, |of| {
            if has_kind(of.kind) {
                if pseudonyms.pseudonym_of_names(&of).as_deref() == Some(wanted) {
                    pseudonymous.get_or_insert(of.competitor_id);
                }
                names_with_id(of.competitor_id, of.name, of.external_id)
                    .for_each(|(id, name)| each(id, name));
            }
        })?;
        for (id, name) in &earlier {
            let of_kind = match kind {
                None => true,
                Some(_) => store.competitors_by_id([*id])?.iter().any(is_of_kind),
            };
            if of_kind {
                each(id.get() as usize, name);
            }
        }
        Ok(())
    };
    let found = search_names(wanted, for_each_name, prominence)?;
    if let Some(id) = pseudonymous
        && let Some(competitor) = store.competitors_by_id([id])?.pop()
    {
        return Ok(SearchResult::Exact(competitor));
    }
    Ok(match SearchResult::from_match(found, load)? {
        // Current names were found above: this is an earlier name.
        SearchResult::Exact(competitor) => SearchResult::Near(competitor),
        found => found,
    })
}

/// Returns the name and the external id of a competitor, each with the number of its row.
fn names_with_id<'a>(
    competitor: CompetitorId,
    name: &'a str,
    external_id: &'a str,
) -> impl Iterator<Item = (usize, &'a str)> + Clone {
    let other = (external_id != name).then_some(external_id);
    (std::iter::once(name).chain(other)).map(move |name| (competitor.get() as usize, name))
}

fn search_contests(
    store: &Store,
    source: &SourceName,
    wanted: &str,
) -> Result<SearchResult<ContestRow>, Error> {
    let source_id = find_source(store, source)?;
    if let Some(contest) = store.contest(source, wanted)? {
        return Ok(SearchResult::Exact(contest));
    }
    // Contests are searched by id: a source can have a million.
    let for_each_name = |each: &mut dyn FnMut(usize, &str)| -> Result<(), Error> {
        Ok(store.for_each_contest_name(source_id, |id, name| each(id.get() as usize, name))?)
    };
    let load = |index: usize| -> Result<Option<ContestRow>, Error> {
        let id = ContestId::new(index as i64);
        Ok(store.contests_by_id([id])?.pop())
    };
    // Of equally similar names the newest comes first.
    let found = search_names(wanted, for_each_name, |index| {
        Ok(load(index)?.map(InReplayOrder))
    })?;
    SearchResult::from_match(found, load)
}

/// A contest, ordered by time.
struct InReplayOrder(ContestRow);

impl Ord for InReplayOrder {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.replay_order(&other.0)
    }
}

impl PartialOrd for InReplayOrder {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for InReplayOrder {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for InReplayOrder {}

fn describe_contest(contest: &ContestRow) -> String {
    let called = if contest.name == contest.external_id {
        String::new()
    } else {
        format!(", called \"{}\"", contest.name)
    };
    let ended = contest.ends_at.and_then(ContestTime::new);
    let ended = ended.map_or_else(String::new, |at| format!(", of {at}"));
    format!("\"{}\"{called}{ended}", contest.external_id)
}

fn describe_competitor(of: &CompetitorLabel) -> String {
    let kind = match of.kind {
        EntrantKind::Person => String::new(),
        kind => format!(" ({})", kind.as_str()),
    };
    if of.name == of.external_id {
        format!("\"{}\"{kind}", of.name)
    } else {
        format!("\"{}\", called \"{}\"{kind}", of.external_id, of.name)
    }
}
