//! Lookup of runs: by id, or the newest over given sources.

use std::collections::BTreeSet;

use ranklore_contest::SourceName;
use ranklore_store::{RunId, RunRow, Store};

use crate::error::Error;
use crate::runs::selection::{RunSelection, find_source};

/// Returns the run with the given id, or the newest over exactly these sources. If both are given,
/// the run must be over these sources.
///
/// # Errors
/// [`Error::NoRun`], [`Error::SourceMismatch`], [`Error::NotRated`], [`Error::NoSource`].
pub fn find_run(
    store: &Store,
    sources: &[SourceName],
    run: Option<RunId>,
) -> Result<RunRow, Error> {
    let asked = RunSelection::from_sources(sources);
    if let Some(run_id) = run {
        let Some(run) = store.run(run_id)? else {
            return Err(Error::NoRun {
                run: run_id.get(),
                known: store.runs()?.iter().map(|run| run.run_id.get()).collect(),
            });
        };
        let of = RunSelection::from_canonical_json(&run.selection);
        let names =
            |of: &RunSelection| of.sources.iter().cloned().collect::<BTreeSet<SourceName>>();
        if !sources.is_empty() && names(&of) != names(&asked) {
            return Err(Error::SourceMismatch {
                run: run_id.get(),
                of: of.format_sources(),
                asked: asked.format_sources(),
            });
        }
        return Ok(run);
    }
    for name in sources {
        find_source(store, name)?;
    }
    store.newest_run(sources)?.ok_or_else(|| Error::NotRated {
        selection: Box::new(asked),
    })
}

/// Returns all runs over exactly these sources, oldest first.
///
/// # Errors
/// [`Error::NotRated`], [`Error::NoSource`].
pub fn find_all_runs(store: &Store, sources: &[SourceName]) -> Result<Vec<RunRow>, Error> {
    // Errors for an unknown source and for sources without a run.
    find_run(store, sources, None)?;
    let asked: BTreeSet<&SourceName> = sources.iter().collect();
    let mut runs = store.runs()?;
    runs.retain(|run| {
        let of = RunSelection::from_canonical_json(&run.selection).sources;
        of.iter().collect::<BTreeSet<_>>() == asked
    });
    Ok(runs)
}

/// Returns the run with the given id, which must cover this source, or the newest over this source
/// alone.
///
/// # Errors
/// The errors of [`find_run`].
pub(crate) fn find_run_covering(
    store: &Store,
    source: &SourceName,
    run: Option<RunId>,
) -> Result<RunRow, Error> {
    // The newest run over the source alone covers it.
    let alone = std::slice::from_ref(source);
    let run = find_run(store, if run.is_some() { &[] } else { alone }, run)?;
    let of = RunSelection::from_canonical_json(&run.selection);
    if of.sources.contains(source) {
        return Ok(run);
    }
    Err(Error::SourceMismatch {
        run: run.run_id.get(),
        of: of.format_sources(),
        asked: source.to_string(),
    })
}
