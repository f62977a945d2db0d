//! Finding a run: by its id, else the newest over the same sources.

use std::collections::BTreeSet;

use ranklore_contest::SourceName;
use ranklore_store::{RunId, RunRow, Store};

use crate::error::Error;
use crate::runs::selection::RunSelection;
use crate::runs::selection::no_source;

/// The run asked for by its id, or the newest of these sources. If both are given, the run must
/// be over these sources.
///
/// # Errors
/// [`Error::NoRun`], [`Error::OtherSources`], [`Error::NotRated`], [`Error::NoSource`].
pub fn find_run(
    store: &Store,
    sources: &[SourceName],
    run: Option<RunId>,
) -> Result<RunRow, Error> {
    if let Some(run_id) = run {
        if let Some(run) = store.run(run_id)? {
            let of = RunSelection::from_canonical_json(&run.selection);
            let asked = RunSelection {
                sources: sources.to_vec(),
                ..RunSelection::default()
            };
            let names = |selection: &RunSelection| {
                let names = selection.sources.iter().map(ToString::to_string);
                names.collect::<BTreeSet<String>>()
            };
            if !sources.is_empty() && names(&of) != names(&asked) {
                return Err(Error::OtherSources {
                    run: run_id.get(),
                    of: of.source_words(),
                    asked: asked.source_words(),
                });
            }
            return Ok(run);
        }
        let known = store.runs()?.iter().map(|run| run.run_id.get()).collect();
        return Err(Error::NoRun {
            run: run_id.get(),
            known,
        });
    }
    for name in sources {
        if store.source_id(name)?.is_none() {
            return Err(no_source(store, name)?);
        }
    }
    store.newest_run(sources)?.ok_or_else(|| Error::NotRated {
        selection: Box::new(RunSelection {
            sources: sources.to_vec(),
            ..RunSelection::default()
        }),
    })
}

/// The run asked for, which must be over this source among others, or the newest over this
/// source alone.
///
/// # Errors
/// Those of [`find_run`].
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
