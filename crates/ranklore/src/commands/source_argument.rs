//! The argument SOURCE, which can be left out if the database, or the chosen run, has one source.

use anyhow::bail;
use ranklore_contest::SourceName;
use ranklore_replay::{RunKey, RunSelection, find_run_by_key};
use ranklore_store::{RunRow, Store};

use crate::exit::WrongUsage;
use crate::output::join_words;
use crate::values;

/// Returns the named sources; if there are none, the only source of the database.
///
/// # Errors
/// Errors if none is named and the database has no source, or several.
pub(crate) fn resolve_sources(
    store: &Store,
    sources: Vec<SourceName>,
) -> anyhow::Result<Vec<SourceName>> {
    if sources.is_empty() {
        Ok(vec![resolve_source(store, None, None)?])
    } else {
        Ok(sources)
    }
}

/// Returns the run of `[SOURCE…] RUN`: the last word, if it is the name of a run and of no source.
///
/// # Errors
/// Errors if the run does not cover exactly the sources before it.
pub(crate) fn find_named_run(store: &Store, words: &[String]) -> anyhow::Result<Option<RunRow>> {
    let Some((name, sources)) = words.split_last() else {
        return Ok(None);
    };
    if store.source_names_in_use()?.contains(name) {
        return Ok(None);
    }
    let mut runs = store.runs()?.into_iter();
    let Some(run) = runs.find(|run| run.name.as_ref() == Some(name)) else {
        return Ok(None);
    };
    let selection = RunSelection::from_canonical_json(&run.selection);
    let mut covered: Vec<&str> = selection.sources.iter().map(SourceName::as_str).collect();
    let mut named: Vec<&str> = sources.iter().map(String::as_str).collect();
    covered.sort_unstable();
    named.sort_unstable();
    if !named.is_empty() && named != covered {
        bail!(WrongUsage(format!(
            "run \"{name}\" is one of {}; name no other source before it",
            join_words(covered)
        )));
    }
    Ok(Some(run))
}

/// Parses the names of sources.
///
/// # Errors
/// Errors if a word cannot be the name of a source.
pub(crate) fn parse_sources(words: &[String]) -> Result<Vec<SourceName>, WrongUsage> {
    let sources = words.iter().map(|word| values::parse_source(word).map_err(WrongUsage));
    sources.collect()
}

/// Returns the named source, else the only source of the chosen run, or of the database.
///
/// # Errors
/// Errors if none is named and the run or database has no source, or several.
pub(crate) fn resolve_source(
    store: &Store,
    source: Option<SourceName>,
    run: Option<&RunKey>,
) -> anyhow::Result<SourceName> {
    find_only_source(store, source, run, "name one")
}

/// Returns the source of `[SOURCE] NAME`: the named source, else the only source of the chosen run,
/// or of the database.
///
/// # Errors
/// Errors if none is named and the run or database has no source, or several, or one called NAME.
pub(crate) fn resolve_source_before(
    store: &Store,
    source: Option<SourceName>,
    name: &str,
    run: Option<&RunKey>,
) -> anyhow::Result<SourceName> {
    if source.is_none() && store.source_names_in_use()?.iter().any(|s| s == name) {
        bail!(WrongUsage(format!(
            "\"{name}\" is a source, and the name to find is missing: put it after {name}, also if \
             both are \"{name}\""
        )));
    }
    find_only_source(store, source, run, &format!("put one before \"{name}\""))
}

/// Returns the source and the text of `[SOURCE] [TEXT]`. A single word is the source if the database
/// has one of this name, or several sources and no run is chosen; else it is the text.
///
/// # Errors
/// Errors if no source is named and the database has none, or several.
pub(crate) fn resolve_source_or_text(
    store: &Store,
    first: Option<String>,
    text: Option<String>,
    run: Option<&RunKey>,
) -> anyhow::Result<(SourceName, Option<String>)> {
    let Some(first) = first else {
        return Ok((resolve_source(store, None, run)?, text));
    };
    let names = store.source_names_in_use()?;
    if text.is_none() && (run.is_some() || names.len() == 1) && !names.contains(&first) {
        return Ok((resolve_source(store, None, run)?, Some(first)));
    }
    let source = SourceName::new(first.as_str());
    Ok((source.map_err(|error| WrongUsage(error.to_string()))?, text))
}

/// Returns the named source, else the only source of the chosen run, or of the database. `remedy` is
/// the advice if there are several.
fn find_only_source(
    store: &Store,
    source: Option<SourceName>,
    run: Option<&RunKey>,
    remedy: &str,
) -> anyhow::Result<SourceName> {
    if let Some(source) = source {
        return Ok(source);
    }
    if let Some(key) = run {
        let run = find_run_by_key(store, key)?;
        let sources = RunSelection::from_canonical_json(&run.selection).sources;
        return match <[SourceName; 1]>::try_from(sources) {
            Ok([name]) => Ok(name),
            Err(sources) => bail!(WrongUsage(format!(
                "run {key} has several sources; {remedy}: {}",
                join_words(sources.iter().map(SourceName::as_str))
            ))),
        };
    }
    match &store.source_names_in_use()?[..] {
        [] => bail!(ranklore_store::Error::Empty {
            path: store.path().to_owned()
        }),
        [name] => Ok(SourceName::new(name.as_str())?),
        names => bail!(WrongUsage(format!(
            "the database has several sources; {remedy}: {}",
            join_words(names)
        ))),
    }
}
