//! Finds competitors and contests by name: exactly, else by a similar name.

use std::cmp::Ordering;

use ranklore_contest::{ContestTime, EntrantKind, SourceName};
use ranklore_store::{CompetitorId, CompetitorRow, ContestId, ContestRow, SourceId, Store};

use crate::names::fuzzy::{NameMatch, find_by_names, search_names};
use crate::names::labels::{CompetitorLabel, Labeller, NamesPolicy};
use crate::names::pseudonyms::Pseudonyms;
use ranklore_replay::{Error, NameNotFound, RunChoice, find_run_covering, find_source};

/// Finds a competitor by its external id or its name. If there is none, finds it by its pseudonym, or
/// by the clearly nearest current or earlier name; the caller should report that. Equally near
/// names are ordered by the ratings of the chosen run.
///
/// # Errors
/// [`Error::NoSource`]; [`Error::NoCompetitor`], with the nearest names, by the policy.
pub(crate) fn find_competitor(
    store: &Store,
    source: &SourceName,
    name: &str,
    kind: Option<EntrantKind>,
    run: &RunChoice,
    names: NamesPolicy,
) -> Result<CompetitorRow, Error> {
    let result = search_competitors(store, source, name, kind, run)?.exact_or_near();
    result.or_else(|similar| {
        let labeller = Labeller::load(store, names)?;
        Err(similar.no_competitor(source, name, labeller))
    })
}

/// Finds a competitor by its external id, exact name or pseudonym only: for changes that cannot be
/// undone.
///
/// # Errors
/// [`Error::NoSource`]; [`Error::NoCompetitor`], with the nearest names as stored.
pub fn find_competitor_exact(
    store: &Store,
    source: &SourceName,
    name: &str,
    kind: Option<EntrantKind>,
) -> Result<CompetitorRow, Error> {
    let result = search_competitors(store, source, name, kind, &RunChoice::default())?;
    // The user changes their own database, and needs the stored names to name a competitor.
    let labeller = Labeller::as_stored();
    result.exact().map_err(|similar| similar.no_competitor(source, name, labeller))
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
    name: &str,
    kind: Option<EntrantKind>,
) -> Result<Vec<CompetitorLabel>, Error> {
    let source_id = find_source(store, source)?;
    let mut labeller = Labeller::load(store, NamesPolicy::Publishable)?;
    let pseudonyms = &labeller.pseudonyms;
    let mut rows = load_exact(store, source_id, name, |row| {
        has_kind(row.kind, kind) && pseudonyms.pseudonym_for(row).is_none()
    })?;
    if rows.is_empty() && pseudonyms.hides_people_of(source_id) {
        let mut pseudonymous = None;
        store.for_each_competitor_name(source_id, |competitor| {
            if has_kind(competitor.kind, kind)
                && pseudonyms.pseudonym_of_names(&competitor).as_deref() == Some(name)
            {
                pseudonymous.get_or_insert(competitor.competitor_id);
            }
        })?;
        rows = store.competitors_by_id(pseudonymous)?;
    }
    Ok(rows.into_iter().map(|row| labeller.label(row)).collect())
}

/// Loads the competitors with exactly this id, else those with this name, which pass a filter. Ids of
/// the source take precedence over names, which have no index.
fn load_exact(
    store: &Store,
    source_id: SourceId,
    name: &str,
    mut filter: impl FnMut(&CompetitorRow) -> bool,
) -> Result<Vec<CompetitorRow>, Error> {
    for load in [Store::competitors_with_id, Store::competitors_named] {
        let mut rows = load(store, source_id, name)?;
        rows.retain(&mut filter);
        if !rows.is_empty() {
            return Ok(rows);
        }
    }
    Ok(Vec::new())
}

/// True if a competitor is of the requested kind; any is if none is requested.
pub(crate) fn has_kind(kind: EntrantKind, requested: Option<EntrantKind>) -> bool {
    requested.is_none_or(|requested| kind == requested)
}

/// Finds a contest by its external id, else by its name, else by the clearly nearest name; the
/// caller should report that.
///
/// # Errors
/// [`Error::NoSource`]; [`Error::NoContest`], with the nearest contests.
pub(crate) fn find_contest(
    store: &Store,
    source: &SourceName,
    name: &str,
) -> Result<ContestRow, Error> {
    let result = search_contests(store, source, name)?.exact_or_near();
    result.map_err(|similar| similar.no_contest(source, name))
}

/// Finds a contest by its external id or exact name only: for changes of the database.
///
/// # Errors
/// [`Error::NoSource`]; [`Error::NoContest`], with the nearest contests.
pub fn find_contest_exact(
    store: &Store,
    source: &SourceName,
    name: &str,
) -> Result<ContestRow, Error> {
    let result = search_contests(store, source, name)?.exact();
    result.map_err(|similar| similar.no_contest(source, name))
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
    /// The number of further items.
    more: usize,
    /// True if the names match; else they differ in a number.
    matching: bool,
}

impl<T> Similar<T> {
    fn not_found(
        self,
        source: &SourceName,
        name: &str,
        describe: impl FnMut(T) -> String,
    ) -> NameNotFound {
        NameNotFound {
            requested_name: name.to_owned(),
            source_name: source.clone(),
            candidates: self.items.into_iter().map(describe).collect(),
            more: self.more,
            matching: self.matching,
        }
    }
}

impl Similar<ContestRow> {
    fn no_contest(self, source: &SourceName, name: &str) -> Error {
        let error = self.not_found(source, name, |row| describe_contest(&row));
        Error::NoContest(Box::new(error))
    }
}

impl Similar<CompetitorRow> {
    fn no_competitor(self, source: &SourceName, name: &str, mut labeller: Labeller) -> Error {
        let describe = |row| describe_competitor(&labeller.label(row));
        Error::NoCompetitor(Box::new(self.not_found(source, name, describe)))
    }
}

impl<T> SearchResult<T> {
    /// Returns the item with exactly this name; else those with similar names.
    fn exact(self) -> Result<T, Similar<T>> {
        match self {
            Self::Exact(item) => Ok(item),
            Self::Near(item) => Err(Similar {
                items: vec![item],
                more: 0,
                matching: true,
            }),
            Self::Similar(similar) => Err(similar),
        }
    }

    /// Returns the item with exactly this name, or the nearest; else those with similar names.
    fn exact_or_near(self) -> Result<T, Similar<T>> {
        match self {
            Self::Near(item) => Ok(item),
            result => result.exact(),
        }
    }

    /// Returns the items of a match; `load` returns that of an index.
    fn from_match<E>(
        name_match: NameMatch,
        mut load: impl FnMut(usize) -> Result<Option<T>, E>,
    ) -> Result<Self, E> {
        let is_exact = matches!(name_match, NameMatch::Exact(_));
        let (indices, more, matching) = match name_match {
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
        Ok(rating.map(|row| (row.mu.round() as i64, row.last_contest_at, row.contests)))
    })
}

fn search_competitors(
    store: &Store,
    source: &SourceName,
    name: &str,
    kind: Option<EntrantKind>,
    run: &RunChoice,
) -> Result<SearchResult<CompetitorRow>, Error> {
    let source_id = find_source(store, source)?;
    let mut exact = load_exact(store, source_id, name, |row| has_kind(row.kind, kind))?;
    if exact.len() == 1 {
        return Ok(SearchResult::Exact(exact.swap_remove(0)));
    }
    let load = |index: usize| -> Result<Option<CompetitorRow>, Error> {
        let id = CompetitorId::new(index as i64);
        Ok(store.competitors_by_id([id])?.pop())
    };
    if !exact.is_empty() {
        let names = exact
            .iter()
            .flat_map(|row| names_with_id(row.competitor_id, &row.name, &row.external_id));
        return SearchResult::from_match(find_by_names(name, names), load);
    }
    let prominence = load_prominence(store, source, run)?;
    let pseudonyms = Pseudonyms::load(store)?;
    let mut pseudonymous = None;
    let earlier_names = store.renamed_competitors(source_id)?;
    // Competitors are searched by id: a source can have a million.
    let name_match = search_names(
        name,
        |each| {
            store.for_each_competitor_name(source_id, |row| {
                if has_kind(row.kind, kind) {
                    if pseudonyms.pseudonym_of_names(&row).as_deref() == Some(name) {
                        pseudonymous.get_or_insert(row.competitor_id);
                    }
                    names_with_id(row.competitor_id, row.name, row.external_id)
                        .for_each(|(id, name)| each(id, name));
                }
            })?;
            for (id, name) in &earlier_names {
                let is_of_kind = |row: &CompetitorRow| has_kind(row.kind, kind);
                if kind.is_none() || store.competitors_by_id([*id])?.iter().any(is_of_kind) {
                    each(id.get() as usize, name);
                }
            }
            Ok(())
        },
        prominence,
    )?;
    if let Some(id) = pseudonymous
        && let Some(competitor) = store.competitors_by_id([id])?.pop()
    {
        return Ok(SearchResult::Exact(competitor));
    }
    Ok(match SearchResult::from_match(name_match, load)? {
        // Current names were searched above: this is an earlier name.
        SearchResult::Exact(competitor) => SearchResult::Near(competitor),
        result => result,
    })
}

/// Returns the name and the external id of a competitor, each with the number of its row.
fn names_with_id<'a>(
    competitor: CompetitorId,
    name: &'a str,
    external_id: &'a str,
) -> impl Iterator<Item = (usize, &'a str)> + Clone {
    let names = std::iter::once(name).chain((external_id != name).then_some(external_id));
    names.map(move |name| (competitor.get() as usize, name))
}

fn search_contests(
    store: &Store,
    source: &SourceName,
    name: &str,
) -> Result<SearchResult<ContestRow>, Error> {
    let source_id = find_source(store, source)?;
    if let Some(contest) = store.contest(source, name)? {
        return Ok(SearchResult::Exact(contest));
    }
    let load = |index: usize| -> Result<Option<ContestRow>, Error> {
        let id = ContestId::new(index as i64);
        Ok(store.contests_by_id([id])?.pop())
    };
    let name_match = search_names(
        name,
        // Contests are searched by id: a source can have a million.
        |each| {
            Ok::<_, Error>(
                store.for_each_contest_name(source_id, |id, name| each(id.get() as usize, name))?,
            )
        },
        // Of equally similar names the newest comes first.
        |index| Ok(load(index)?.map(InReplayOrder)),
    )?;
    SearchResult::from_match(name_match, load)
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
    let name = if contest.name == contest.external_id {
        String::new()
    } else {
        format!(", called \"{}\"", contest.name)
    };
    let ends_at = contest.ends_at.and_then(ContestTime::new);
    let end = ends_at.map_or_else(String::new, |ends_at| format!(", of {ends_at}"));
    format!("\"{}\"{name}{end}", contest.external_id)
}

fn describe_competitor(competitor: &CompetitorLabel) -> String {
    let CompetitorLabel {
        name, external_id, ..
    } = competitor;
    let kind = match competitor.kind {
        EntrantKind::Person => String::new(),
        kind => format!(" ({})", kind.as_str()),
    };
    if name == external_id {
        format!("\"{name}\"{kind}")
    } else {
        format!("\"{external_id}\", called \"{name}\"{kind}")
    }
}
