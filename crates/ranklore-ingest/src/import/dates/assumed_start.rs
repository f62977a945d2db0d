//! The date of a table without one. If it is the only contest of its source, each day gives the same
//! ratings.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use ranklore_contest::{ContestTime, SourceName, UnixSeconds};
use ranklore_formats::{CommandOptions, ReadOptions, find_year_in_file_name, read};
use ranklore_store::{SourceId, Store, compress};

use crate::error::Error;
use crate::import::files::{ImportInputs, Inputs};
use crate::import::input_document::InputDocument;
use crate::reading_note::ReadingNote;

/// A start that the user did not state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssumedStart {
    /// The date.
    pub start: ContestTime,
    /// The reason for this date: a fragment of a sentence.
    pub reason: &'static str,
}

/// Returns the date for a file, if a date alone is missing, it is one contest, and the source has no
/// other. The same bytes keep the date with which they were imported. `store` is `None` if there is no
/// database yet.
///
/// # Errors
/// The errors of [`crate::import()`] for the paths, and [`Error::Store`].
pub fn assume_start(
    store: Option<&Store>,
    source: &SourceName,
    inputs: &ImportInputs,
    options: &ReadOptions,
    now: UnixSeconds,
) -> Result<Option<AssumedStart>, Error> {
    let is_small_file = matches!(&inputs.paths[..], [path] if is_small_file(path));
    if options.start.is_some() || !is_small_file {
        return Ok(None);
    }
    let mut documents = Vec::new();
    Inputs::find(inputs)?.read(|document, _| {
        documents.push(document);
        if documents.len() > 1 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    let [document] = &documents[..] else {
        return Ok(None);
    };
    if !lacks_only_date(document, options) {
        return Ok(None);
    }
    let source_id = store.map(|store| store.source_id(source)).transpose()?.flatten();
    let assumed = match store.zip(source_id) {
        Some((store, source_id)) => match find_archived_start(store, source_id, document)? {
            None if !store.contests_of_source(source_id)?.is_empty() => return Ok(None),
            archived => archived.unwrap_or_else(|| choose_day(&document.key, now)),
        },
        None => choose_day(&document.key, now),
    };
    let dated = ReadOptions {
        start: Some(assumed.start),
        ..options.clone()
    };
    Ok(is_single_contest(document, &dated).then_some(assumed))
}

/// The most bytes of a file that is read once more for its date: 4 MiB, some 100,000 results.
const MAX_FILE_BYTES: u64 = 4 << 20;

fn is_small_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.len() <= MAX_FILE_BYTES)
}

/// True if a start is all that the refusals of a document ask for.
fn lacks_only_date(document: &InputDocument, options: &ReadOptions) -> bool {
    let Ok(bytes) = &document.bytes else {
        return false;
    };
    let is_start = |option: &CommandOptions| option.words()[0] == "--start";
    match read(document.format, bytes, &document.key, options) {
        Err(error) => !error.options.is_empty() && error.options.iter().all(is_start),
        // A contest without its date is not the only one.
        Ok(_) => false,
    }
}

/// True if a document is read whole with these options, as one contest with two results or more, or as
/// its divisions, and if places decide, or scores in whose order the rows stand: else nobody has said
/// that the highest is the best.
fn is_single_contest(document: &InputDocument, options: &ReadOptions) -> bool {
    let Ok(bytes) = &document.bytes else {
        return false;
    };
    read(document.format, bytes, &document.key, options).is_ok_and(|reading| {
        let contests = &reading.contests;
        let has_results = contests.iter().any(|contest| contest.entrants.len() > 1);
        // People who return have results of several days.
        let mut competitors = HashSet::new();
        let is_division = contests.iter().all(|contest| {
            contest.division.is_some()
                && Some(contest.ends_at) == options.start
                && contest.entrants.into_iter().all(|e| competitors.insert((e.kind, e.competitor)))
        });
        let is_in_order = reading.layout.as_ref().is_none_or(|layout| {
            layout.best_first || layout.columns.iter().any(|column| column.meaning == Some("place"))
        });
        let is_single = contests.len() == 1 || is_division;
        has_results && is_single && is_in_order && reading.refused.is_empty()
    })
}

/// Returns the start with which the newest version of a document was read, if it has the same bytes.
fn find_archived_start(
    store: &Store,
    source_id: SourceId,
    document: &InputDocument,
) -> Result<Option<AssumedStart>, Error> {
    let Some(newest) = store.newest_document(source_id, &document.key)? else {
        return Ok(None);
    };
    let body = document.bytes.as_ref().ok().and_then(|bytes| compress(bytes).ok());
    let has_same_bytes = body.is_some_and(|body| *body.blake3() == newest.blake3);
    let note = ReadingNote::parse(newest.reading.as_deref());
    let start = match note {
        Ok(ReadingNote::File(note)) if has_same_bytes => note.options.start,
        _ => None,
    };
    Ok(start.map(|start| AssumedStart {
        start,
        reason: "as these bytes were before",
    }))
}

/// Returns the last day of the year in the name of a file, if it is past, else today.
fn choose_day(key: &str, now: UnixSeconds) -> AssumedStart {
    let end_of_year = find_year_in_file_name(key)
        .and_then(|year| ContestTime::parse(&format!("{year}-12-31")))
        .filter(|day| day.get() <= now.get());
    let today = ContestTime::new(now.get() - now.get().rem_euclid(86_400));
    match end_of_year {
        Some(start) => AssumedStart {
            start,
            reason: "the last day of the year in the file name",
        },
        None => AssumedStart {
            start: today.unwrap_or(ContestTime::MAX),
            reason: "the day of the import",
        },
    }
}
