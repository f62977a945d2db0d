//! Finding whom a person means: by the name as it stands, else by one like it.

use ranklore_contest::{EntrantKind, SourceName, UnixSeconds};
use ranklore_store::{CompetitorRow, ContestRow, RunId, RunRow, SourceId, Store};

use crate::selection::no_source;
use crate::{Error, Match, RunSelection, find_name, find_run};

/// The source of this name.
///
/// # Errors
/// [`Error::NoSource`], with those there are.
pub fn find_source(store: &Store, source: &SourceName) -> Result<SourceId, Error> {
    match store.source_id(source)? {
        Some(source_id) => Ok(source_id),
        None => Err(no_source(store, source)?),
    }
}

/// The competitor called so: by what its source calls it, or by the name it is shown under. If
/// nobody is, the one whose name is clearly the nearest; the caller should say so.
///
/// # Errors
/// [`Error::NoSource`]; [`Error::NoCompetitor`], with the names that come near.
pub fn find_competitor(
    store: &Store,
    source: &SourceName,
    wanted: &str,
    kind: Option<EntrantKind>,
) -> Result<CompetitorRow, Error> {
    match named(store, source, wanted, kind)? {
        Named::One(competitor) => Ok(competitor),
        Named::Others(mut competitors) => {
            let names = competitors.iter().map(|of| of.name.as_str());
            match find_name(wanted, names) {
                Match::Exact(index) | Match::Folded(index) | Match::Near(index) => {
                    Ok(competitors.swap_remove(index))
                }
                Match::Candidates(indices) => {
                    let candidates = indices.iter().map(|&index| &competitors[index]);
                    Err(no_competitor(source, wanted, candidates))
                }
            }
        }
    }
}

/// As [`find_competitor`], but nobody is taken for somebody else: for what cannot be undone.
///
/// # Errors
/// As [`find_competitor`].
pub fn competitor_named(
    store: &Store,
    source: &SourceName,
    wanted: &str,
    kind: Option<EntrantKind>,
) -> Result<CompetitorRow, Error> {
    match named(store, source, wanted, kind)? {
        Named::One(competitor) => Ok(competitor),
        Named::Others(competitors) => {
            let names = competitors.iter().map(|of| of.name.as_str());
            let indices = match find_name(wanted, names) {
                Match::Exact(index) | Match::Folded(index) | Match::Near(index) => vec![index],
                Match::Candidates(indices) => indices,
            };
            let candidates = indices.iter().map(|&index| &competitors[index]);
            Err(no_competitor(source, wanted, candidates))
        }
    }
}

/// The contest of this id within its source, else the one called so, else the one whose name is
/// clearly the nearest; the caller should say so.
///
/// # Errors
/// [`Error::NoSource`]; [`Error::NoContest`], with the contests that come near.
pub(crate) fn find_contest(
    store: &Store,
    source: &SourceName,
    wanted: &str,
) -> Result<ContestRow, Error> {
    match nearest_contest(store, source, wanted)? {
        NearestContest::Named(contest) | NearestContest::Near(contest) => Ok(contest),
        NearestContest::Others(contests) => Err(no_contest(source, wanted, &contests)),
    }
}

/// As [`find_contest`], but none is taken for another: for what changes ratings.
///
/// # Errors
/// As [`find_contest`].
pub(crate) fn contest_named(
    store: &Store,
    source: &SourceName,
    wanted: &str,
) -> Result<ContestRow, Error> {
    match nearest_contest(store, source, wanted)? {
        NearestContest::Named(contest) => Ok(contest),
        NearestContest::Near(contest) => Err(no_contest(source, wanted, &[contest])),
        NearestContest::Others(contests) => Err(no_contest(source, wanted, &contests)),
    }
}

enum NearestContest {
    /// By its id, or by its name as it is written.
    Named(ContestRow),
    Near(ContestRow),
    /// None that is surely the one: those that might be.
    Others(Vec<ContestRow>),
}

fn nearest_contest(
    store: &Store,
    source: &SourceName,
    wanted: &str,
) -> Result<NearestContest, Error> {
    let source_id = find_source(store, source)?;
    if let Some(contest) = store.contest(source, wanted)? {
        return Ok(NearestContest::Named(contest));
    }
    let mut contests = store.contests_of(source_id)?;
    let names = contests.iter().map(|of| of.name.as_str());
    Ok(match find_name(wanted, names) {
        Match::Exact(index) => NearestContest::Named(contests.swap_remove(index)),
        Match::Folded(index) | Match::Near(index) => {
            NearestContest::Near(contests.swap_remove(index))
        }
        Match::Candidates(indices) => {
            let candidates = indices.iter().map(|&index| contests[index].clone());
            NearestContest::Others(candidates.collect())
        }
    })
}

fn no_contest(source: &SourceName, wanted: &str, candidates: &[ContestRow]) -> Error {
    Error::NoContest {
        wanted: wanted.to_owned(),
        source_name: source.to_string(),
        candidates: candidates.iter().map(contest_words).collect(),
    }
}

fn contest_words(contest: &ContestRow) -> String {
    let called = if contest.name == contest.external_id {
        String::new()
    } else {
        format!(", called {:?}", contest.name)
    };
    let ended = contest.ends_at.and_then(UnixSeconds::new);
    let ended = ended.map_or_else(String::new, |at| format!(", of {at}"));
    format!("{:?}{called}{ended}", contest.external_id)
}

/// The run asked for, which must be over this source among others, or the newest over this
/// source alone.
///
/// # Errors
/// As [`find_run`].
pub(crate) fn find_run_with(
    store: &Store,
    source: &SourceName,
    run: Option<RunId>,
) -> Result<RunRow, Error> {
    if run.is_none() {
        return find_run(store, std::slice::from_ref(source), None);
    }
    let run = find_run(store, &[], run)?;
    let of = RunSelection::from_canonical_json(&run.selection);
    if of.sources.contains(source) {
        Ok(run)
    } else {
        Err(Error::OtherSources {
            run: run.run_id.get(),
            of: of.source_words(),
            asked: source.to_string(),
        })
    }
}

enum Named {
    One(CompetitorRow),
    /// Nobody is called so, or several are: those to choose from.
    Others(Vec<CompetitorRow>),
}

fn named(
    store: &Store,
    source: &SourceName,
    wanted: &str,
    kind: Option<EntrantKind>,
) -> Result<Named, Error> {
    let source_id = find_source(store, source)?;
    let of_kind = |of: &CompetitorRow| kind.is_none_or(|kind| of.kind == kind);
    let mut called = store.competitors_called(source_id, wanted)?;
    called.retain(of_kind);
    // What the source itself calls so goes before names that were given.
    if called.iter().any(|of| of.external_id == wanted) {
        called.retain(|of| of.external_id == wanted);
    }
    if called.len() == 1 {
        return Ok(Named::One(called.swap_remove(0)));
    }
    if called.is_empty() {
        called = store.competitors_of(source_id)?;
        called.retain(of_kind);
    }
    Ok(Named::Others(called))
}

fn no_competitor<'a>(
    source: &SourceName,
    wanted: &str,
    candidates: impl Iterator<Item = &'a CompetitorRow>,
) -> Error {
    let candidates = candidates.map(|of| {
        let kind = match of.kind {
            EntrantKind::Person => String::new(),
            kind => format!(" ({})", kind.as_str()),
        };
        if of.name == of.external_id {
            format!("{:?}{kind}", of.name)
        } else {
            format!("{:?}, called {:?}{kind}", of.external_id, of.name)
        }
    });
    Error::NoCompetitor {
        wanted: wanted.to_owned(),
        source_name: source.to_string(),
        candidates: candidates.collect(),
    }
}
