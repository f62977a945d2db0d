//! The dates of a table without any. If its contests are the only ones of their source, each day gives the
//! same ratings.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use ranklore_contest::{ContestTime, SourceName, UnixSeconds};
use ranklore_formats::{
    CommandOptions, FileReading, ReadOptions, TableShape, find_year_in_file_name, may_mention_time,
    read,
};
use ranklore_store::{SourceId, Store, compress};

use crate::error::Error;
use crate::import::files::{ImportInputs, Inputs};
use crate::import::input_document::InputDocument;
use crate::reading_note::ReadingNote;

/// A start that the user did not state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssumedStart {
    /// The date of the first contest.
    pub start: ContestTime,
    /// The time of the last contest.
    pub end: ContestTime,
    /// The number of contests.
    pub contests: usize,
    /// The reason for these dates: a fragment of a sentence about the last one.
    pub reason: &'static str,
}

/// Returns the date for a file, if a date alone is missing, and the source has no contests of other files.
/// Games keep their distances, as with a stated start: the last has the date for a single one.
/// The same bytes keep the date with which they were imported. `store` is `None` if there is no database
/// yet.
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
    let Some((store, source_id)) = store.zip(source_id) else {
        return Ok(choose_start(document, options, now));
    };
    match find_archived_start(store, source_id, document, options)? {
        Some(start) => Ok(DatedReading::read(document, options, start)
            .filter(|dated| dated.is_single() || dated.are_games())
            .map(|dated| dated.assume(0, "as these bytes were before"))),
        None if store.contests_of_source(source_id)?.is_empty() => {
            Ok(choose_start(document, options, now))
        }
        None => Ok(None),
    }
}

/// Returns a start for a document that is new.
fn choose_start(
    document: &InputDocument,
    options: &ReadOptions,
    now: UnixSeconds,
) -> Option<AssumedStart> {
    let (day, reason) = choose_day(&document.key, now);
    let dated = DatedReading::read(document, options, day)?;
    if dated.is_single() {
        return Some(dated.assume(0, reason));
    }
    let days = (dated.end().get() - day.get()).div_euclid(SECONDS_A_DAY);
    if !dated.are_games() || days >= MAX_DAYS || may_mention_time_of_games(document) {
        return None;
    }
    // Days without a year are not moved by a start. One day more moves a single day too.
    let distance = (days + 1) * SECONDS_A_DAY;
    let earlier = DatedReading::read(document, options, ContestTime::new(day.get() - distance)?)?;
    let [contests, moved] = [&dated, &earlier].map(|dated| dated.reading.contests.iter());
    let is_moved = contests.len() == moved.len()
        && contests
            .zip(moved)
            .all(|(one, other)| one.ends_at.get() - other.ends_at.get() == distance);
    is_moved.then(|| dated.assume(days, reason))
}

/// The days from which games do not fit in the year of a file name.
const MAX_DAYS: i64 = 365;

/// True if the bytes of a document, which may be no text, or its name can say when its contests were. A year
/// in the name that dates them says no more.
fn may_mention_time_of_games(document: &InputDocument) -> bool {
    let text = document.bytes.as_ref().ok().and_then(|bytes| str::from_utf8(bytes).ok());
    let year = find_year_in_file_name(&document.key).map(|year| year.to_string());
    let name = document.key.replace(year.as_deref().unwrap_or("/"), "/");
    text.is_none_or(may_mention_time) || may_mention_time(&name)
}

const SECONDS_A_DAY: i64 = 86_400;

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

/// A document that is read whole with a start.
struct DatedReading {
    reading: FileReading,
    start: ContestTime,
}

impl DatedReading {
    /// Returns `None` if something is refused, or if no contest has two results.
    fn read(document: &InputDocument, options: &ReadOptions, start: ContestTime) -> Option<Self> {
        let options = ReadOptions {
            start: Some(start),
            ..options.clone()
        };
        let bytes = document.bytes.as_ref().ok()?;
        let reading = read(document.format, bytes, &document.key, &options).ok()?;
        let has_results = reading.contests.iter().any(|contest| contest.entrants.len() > 1);
        (has_results && reading.refused.is_empty()).then_some(Self { reading, start })
    }

    /// True if this is one contest, or its divisions, with places or in the order of its scores.
    fn is_single(&self) -> bool {
        let contests = &self.reading.contests;
        (contests.len() == 1 || self.are_divisions()) && self.is_in_order()
    }

    /// True if the contests are divisions of one day. People who return have results of several days.
    fn are_divisions(&self) -> bool {
        let mut competitors = HashSet::new();
        self.reading.contests.iter().all(|contest| {
            contest.division.is_some()
                && contest.ends_at == self.start
                && contest.entrants.into_iter().all(|e| competitors.insert((e.kind, e.competitor)))
        })
    }

    /// True if these are games. An import of all of them with another start is refused: of other contests,
    /// which their dates tell apart, both would count.
    fn are_games(&self) -> bool {
        self.reading
            .layout
            .as_ref()
            .is_some_and(|layout| layout.shape == TableShape::Games)
    }

    /// True if places decide, or scores in whose order the rows stand: else nobody has said that the
    /// highest is the best.
    fn is_in_order(&self) -> bool {
        self.reading.layout.as_ref().is_none_or(|layout| {
            layout.best_first || layout.columns.iter().any(|column| column.meaning == Some("place"))
        })
    }

    /// Returns the time of the last contest.
    fn end(&self) -> ContestTime {
        self.reading
            .contests
            .iter()
            .map(|contest| contest.ends_at)
            .max()
            .unwrap_or(self.start)
    }

    /// Returns the start that dates the contests this many days before.
    fn assume(&self, days_before: i64, reason: &'static str) -> AssumedStart {
        let move_back = |time: ContestTime| {
            ContestTime::new(time.get() - days_before * SECONDS_A_DAY).unwrap_or(time)
        };
        AssumedStart {
            start: move_back(self.start),
            end: move_back(self.end()),
            contests: self.reading.contests.len(),
            reason,
        }
    }
}

/// Returns the start with which the newest version of a document was read, if it has the same bytes and
/// was read with the same days between contests.
fn find_archived_start(
    store: &Store,
    source_id: SourceId,
    document: &InputDocument,
    options: &ReadOptions,
) -> Result<Option<ContestTime>, Error> {
    let Some(newest) = store.newest_document(source_id, &document.key)? else {
        return Ok(None);
    };
    let body = document.bytes.as_ref().ok().and_then(|bytes| compress(bytes).ok());
    let has_same_bytes = body.is_some_and(|body| *body.blake3() == newest.blake3);
    Ok(match ReadingNote::parse(newest.reading.as_deref()) {
        Ok(ReadingNote::File(note))
            if has_same_bytes && note.options.every_days == options.every_days =>
        {
            note.options.start
        }
        _ => None,
    })
}

/// Returns the last day of the year in the name of a file, if it is past, else today, and the reason.
fn choose_day(key: &str, now: UnixSeconds) -> (ContestTime, &'static str) {
    let end_of_year = find_year_in_file_name(key)
        .and_then(|year| ContestTime::parse(&format!("{year}-12-31")))
        .filter(|day| day.get() <= now.get());
    let today = ContestTime::new(now.get() - now.get().rem_euclid(SECONDS_A_DAY));
    match end_of_year {
        Some(day) => (day, "the last day of the year in the file name"),
        None => (today.unwrap_or(ContestTime::MAX), "the day of the import"),
    }
}
