//! Documents with the bytes or the games of an earlier one that was read with other dates: their
//! contests have other ids, so that each would be stored twice.

use std::collections::{HashMap, HashSet};

use ranklore_formats::{FileReading, ReadOptions, TableShape};
use ranklore_store::{CompressedBody, ContestRow, DocumentRow, SourceId, WriteBatch};

use crate::error::Error;
use crate::reading_note::ReadingNote;

/// The archived documents of a source by the hash of their bytes.
pub(crate) struct DocumentsByBytes(HashMap<[u8; 32], Vec<DocumentRow>>);

impl DocumentsByBytes {
    pub(crate) fn load(batch: &WriteBatch<'_>, source_id: SourceId) -> Result<Self, Error> {
        let mut documents: HashMap<_, Vec<DocumentRow>> = HashMap::new();
        for row in batch.documents(source_id)? {
            documents.entry(row.blake3).or_default().push(row);
        }
        Ok(Self(documents))
    }

    /// Returns the documents with these bytes that were read with other dates.
    pub(crate) fn with_other_dates(
        &self,
        body: &CompressedBody,
        options: &ReadOptions,
    ) -> impl Iterator<Item = &DocumentRow> {
        let same_bytes = self.0.get(body.blake3()).into_iter().flatten();
        same_bytes.filter(move |row| has_other_dates(row, options))
    }
}

/// True if a document was read with these options, except for the dates.
fn has_other_dates(row: &DocumentRow, options: &ReadOptions) -> bool {
    let Ok(ReadingNote::File(note)) = ReadingNote::parse(row.reading.as_deref()) else {
        return false;
    };
    !note.redacted
        && note.options != *options
        && without_dates(note.options) == without_dates(options.clone())
}

/// True if options date the contests of a document.
pub(crate) const fn have_dates(options: &ReadOptions) -> bool {
    options.start.is_some() || options.every_days.is_some() || options.dates.is_some()
}

fn without_dates(options: ReadOptions) -> ReadOptions {
    ReadOptions {
        start: None,
        every_days: None,
        dates: None,
        ..options
    }
}

/// Returns the reason to refuse a reading, if contests of these documents are not in it.
pub(crate) fn describe_other_dates(
    batch: &WriteBatch<'_>,
    source_id: SourceId,
    same_bytes: &[DocumentRow],
    reading: &FileReading,
) -> Result<Option<String>, Error> {
    let Some(first) = same_bytes.first() else {
        return Ok(None);
    };
    let contests = find_other_contests(batch, source_id, same_bytes, reading)?;
    Ok((!contests.is_empty()).then(|| {
        format!(
            "these are the bytes of {}, imported before with other dates (--start, --every or --dates): \
             its contests would count twice; pass --replace to withdraw the earlier ones, or another \
             --source to keep both",
            first.request_key
        )
    }))
}

/// Returns the reason to refuse games without dates if the newest document of this name has all of
/// its games under other ids: they were read with another start, or by an earlier version.
pub(crate) fn describe_moved_games(
    batch: &WriteBatch<'_>,
    source_id: SourceId,
    key: &str,
    reading: &FileReading,
) -> Result<Option<String>, Error> {
    let has_undated_games = reading.layout.as_ref().is_some_and(|layout| {
        let mut meanings = layout.columns.iter().filter_map(|column| column.meaning);
        layout.shape == TableShape::Games && meanings.all(|meaning| meaning != "date")
    });
    if !has_undated_games {
        return Ok(None);
    }
    let Some(earlier) = batch.newest_document(source_id, key)? else {
        return Ok(None);
    };
    let contests = find_other_contests(batch, source_id, &[earlier], reading)?;
    let mut names: HashMap<String, usize> = HashMap::new();
    for contest in reading.contests.iter() {
        *names.entry(contest.name).or_default() += 1;
    }
    let has_all = contests.iter().all(|contest| {
        let count = names.get_mut(&contest.name).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    });
    Ok((contests.len() > 1 && has_all).then(|| {
        format!(
            "all games of {key}, imported before with another date or by an earlier version, are in it \
             and would count twice: pass --replace to withdraw the earlier ones, or rename the file to \
             keep both"
        )
    }))
}

/// Returns the contests of documents that a reading has not.
fn find_other_contests(
    batch: &WriteBatch<'_>,
    source_id: SourceId,
    documents: &[DocumentRow],
    reading: &FileReading,
) -> Result<Vec<ContestRow>, Error> {
    let ids: HashSet<&str> = reading.contests.external_ids().collect();
    let documents = documents.iter().map(|row| row.document_id);
    let mut contests = batch.contests_from_documents(source_id, documents)?;
    contests
        .retain(|contest| contest.withdrawn_at.is_none() && !ids.contains(&*contest.external_id));
    Ok(contests)
}
