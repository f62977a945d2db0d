//! Inserts the contests and starting ratings of a document into the database and reports them.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::time::Instant;

use ranklore_contest::{
    BETWEEN_PLAYERS, EntrantKind, ResultState, SourceName, UnixSeconds, shorten,
};
use ranklore_formats::{FileReadError, FileReading, TableShape};
use ranklore_replay::{NoProgress, Progress};
use ranklore_store::{
    ContestState, ContestUpsert, DocumentId, NameRow, SourceId, UpsertOutcome, WriteBatch,
};

use crate::derive::official::replace_file_ratings;
use crate::error::Error;
use crate::import::dates::time_bound::{FutureContests, TimeBound};
use crate::import::report::{
    DocumentLayout, ImportReport, MAX_REPORTED, duplicate_contest_message, push_reported,
    refuse_document,
};
use crate::log::log_contest;
use crate::people::claims::{MergeClaims, is_same_competitor};

/// The most refusals of one document that are noted line by line.
const MAX_NOTED_REFUSALS: usize = 10;

/// True if a game of people in the document is named after both of them.
pub(crate) fn names_players(reading: &FileReading) -> bool {
    let mut layouts = reading.layout.iter().chain(&reading.other_layouts);
    let are_games = layouts.any(|layout| layout.shape == TableShape::Games);
    reading.contests.iter().any(|contest| {
        let [one, two] = &contest.entrants[..] else {
            return false;
        };
        let mut texts = [&contest.name, &contest.external_id].into_iter();
        one.kind != EntrantKind::Team
            && texts.any(|text| {
                let is_of_players = are_games
                    || one.side.is_some()
                    || (text.contains(&one.competitor) && text.contains(&two.competitor));
                text.contains(BETWEEN_PLAYERS) && is_of_players
            })
    })
}

/// True if something of the document was not refused.
pub(crate) fn is_useful(reading: &FileReading) -> bool {
    reading.refused.is_empty()
        || !reading.contests.is_empty()
        || !reading.names.is_empty()
        || !reading.starting_ratings.is_empty()
        || !reading.merges.is_empty()
}

/// An archived document of an import: its id and its key.
pub(crate) type ImportedDocument<'k> = (DocumentId, &'k str);

/// Inserts the documents of one import. If several documents have the same contest, the first one
/// counts and the others are refused; the refusal is stored for rebuilds.
pub(crate) struct Intake {
    /// The name of the source.
    pub(crate) source: String,
    pub(crate) source_id: SourceId,
    pub(crate) report: ImportReport,
    /// The time of the import, which bounds those of contests; `None` without a bound.
    pub(crate) time_bound: Option<TimeBound>,
    /// True if anything was written.
    pub(crate) changed: bool,
    now: UnixSeconds,
    /// The contests of this import and their documents.
    known: KnownContests,
    /// The competitors whose starting rating this import changed.
    started: HashSet<(EntrantKind, String)>,
    /// The merges in the documents.
    pub(crate) merges: MergeClaims,
}

/// The contests of an import and their documents. Holds hashes of ids: a table can have a million.
#[derive(Default)]
struct KnownContests {
    /// The index of the document of each contest, by 16 bytes of the BLAKE3 hash of its external id.
    contests: HashMap<[u8; 16], u32>,
    /// The documents and their keys.
    documents: Vec<(DocumentId, String)>,
}

impl KnownContests {
    /// Adds a contest of the document `key`, which is the last one or a new one. Returns the key of
    /// the document that has a contest of this id already.
    fn add(&mut self, external_id: &str, document_id: DocumentId, key: &str) -> Option<&str> {
        if self.documents.last().is_none_or(|(last, _)| *last != document_id) {
            self.documents.push((document_id, key.to_owned()));
        }
        let last = self.documents.len() as u32 - 1;
        match self.contests.entry(hash_id(external_id)) {
            Entry::Occupied(first) => Some(&self.documents[*first.get() as usize].1),
            Entry::Vacant(entry) => {
                entry.insert(last);
                None
            }
        }
    }

    /// Returns the document of a contest and its key.
    fn find(&self, external_id: &str) -> Option<(DocumentId, &str)> {
        let index = *self.contests.get(&hash_id(external_id))?;
        let (document_id, key) = &self.documents[index as usize];
        Some((*document_id, key))
    }
}

fn hash_id(external_id: &str) -> [u8; 16] {
    let hash = blake3::hash(external_id.as_bytes());
    *hash.as_bytes().first_chunk().unwrap_or(&[0; 16])
}

impl Intake {
    /// Returns the document of this import that has a contest, and the key of the document.
    pub(crate) fn find_document(&self, external_id: &str) -> Option<(DocumentId, &str)> {
        self.known.find(external_id)
    }

    pub(crate) fn new(source: &str, source_id: SourceId, now: UnixSeconds) -> Self {
        Self {
            source: source.to_owned(),
            source_id,
            report: ImportReport::default(),
            time_bound: None,
            changed: false,
            now,
            known: KnownContests::default(),
            started: HashSet::new(),
            merges: MergeClaims::default(),
        }
    }

    /// Starts a new import: contests seen before are no duplicates any more.
    pub(crate) fn start_new_import(&mut self) {
        self.known = KnownContests::default();
    }

    /// Inserts the contests, starting ratings and merges of a document; display names are set
    /// elsewhere. Interruptions come between documents, so that an archived document is stored
    /// whole.
    pub(crate) fn insert_reading(
        &mut self,
        batch: &mut WriteBatch<'_>,
        (document_id, key): ImportedDocument<'_>,
        reading: Result<FileReading, FileReadError>,
        watch: &dyn Progress,
    ) -> Result<(), Error> {
        let Some(reading) = self.report_reading(key, reading, watch) else {
            return Ok(());
        };
        let duplicates = self.refuse_duplicates(batch, (document_id, key), &reading, watch)?;
        let future = self.insert_contests(batch, document_id, &reading, &duplicates)?;
        if let Some(future) = future {
            self.report_future(batch, (document_id, key), &future, watch)?;
        }
        let source = SourceName::new(&self.source).map_err(Error::invalid_request)?;
        replace_file_ratings(batch, &source, self.source_id, (document_id, &reading), self.now)?;
        for (kind, competitor, rating) in reading.starting_ratings {
            let is_changed = batch.set_starting_rating(
                self.source_id,
                document_id,
                kind,
                &competitor,
                rating,
            )?;
            self.changed |= is_changed;
            // Two documents of one import may have different ratings for one competitor.
            if is_changed && self.started.insert((kind, competitor)) {
                self.report.starting_ratings += 1;
            }
        }
        self.merges.add(document_id, key, reading.merges);
        Ok(())
    }

    /// Refuses the contests whose ids another document of this import has, and returns their
    /// indices.
    fn refuse_duplicates(
        &mut self,
        batch: &mut WriteBatch<'_>,
        (document_id, key): ImportedDocument<'_>,
        reading: &FileReading,
        watch: &dyn Progress,
    ) -> Result<HashSet<usize>, Error> {
        let mut duplicates = HashSet::new();
        for (index, id) in reading.contests.external_ids().enumerate() {
            if let Some(first) = self.known.add(id, document_id, key) {
                let contest = reading.contests.get(index);
                let reason = contest.map(|contest| duplicate_contest_message(&contest, first));
                self.refuse(key, reason.unwrap_or_default(), watch);
                self.changed |= batch.reject_contest(self.source_id, document_id, id)?;
                duplicates.insert(index);
            }
        }
        Ok(duplicates)
    }

    /// Refuses the contests that end too late, and warns about others that end after now.
    fn report_future(
        &mut self,
        batch: &mut WriteBatch<'_>,
        (document_id, key): ImportedDocument<'_>,
        future: &FutureContests,
        watch: &dyn Progress,
    ) -> Result<(), Error> {
        if let Some(reason) = future.refusal() {
            self.refuse(key, reason, watch);
        }
        for id in &future.refused_ids {
            self.changed |= batch.reject_contest(self.source_id, document_id, id)?;
        }
        if let Some(warning) = future.warning() {
            self.report.warn(key, warning);
        }
        Ok(())
    }

    /// Inserts the contests of a document, except duplicates and those that end too late.
    fn insert_contests(
        &mut self,
        batch: &mut WriteBatch<'_>,
        document_id: DocumentId,
        reading: &FileReading,
        duplicates: &HashSet<usize>,
    ) -> Result<Option<FutureContests>, Error> {
        let mut future = self.time_bound.map(FutureContests::new);
        let contests = reading.contests.iter().enumerate();
        let new_contests = contests.filter(|(index, contest)| {
            !duplicates.contains(index)
                && future.as_mut().is_none_or(|future| future.accept(contest))
        });
        let upserts = new_contests.map(|(_, contest)| {
            let (state, rated) = reading.state_of(&contest.external_id);
            let state = match state {
                ResultState::Provisional => ContestState::Provisional,
                ResultState::Final => ContestState::Final,
                ResultState::Unrated => ContestState::Unrated,
            };
            ContestUpsert::from_owned(contest, state, rated)
        });
        // The log shares the time of a written group among its contests.
        let mut start = Instant::now();
        batch.upsert_contests(self.source_id, document_id, upserts, |written, change| {
            let duration = start.elapsed() / written.len() as u32;
            start = Instant::now();
            for ContestUpsert { contest, .. } in written {
                let id = &contest.external_id;
                let results = contest.entrants.len();
                log_contest(&self.source, id, results, Some(change), duration);
                self.count_contest(change, results);
            }
        })?;
        Ok(future)
    }

    /// Reports a document that was read, with its layouts, its warnings and what is refused.
    pub(crate) fn report_reading(
        &mut self,
        key: &str,
        reading: Result<FileReading, FileReadError>,
        watch: &dyn Progress,
    ) -> Option<FileReading> {
        self.report.documents += 1;
        let mut reading = match reading {
            Ok(reading) => reading,
            Err(error) => {
                self.refuse(key, error.to_string(), watch);
                return None;
            }
        };
        self.refuse_parts(key, &reading, watch);
        let report = &mut self.report;
        for layout in reading.layout.take().into_iter().chain(reading.other_layouts.drain(..)) {
            let document = shorten(key).into_owned();
            push_reported(&mut report.layouts, DocumentLayout { document, layout });
        }
        for warning in reading.warnings.drain(..) {
            report.warn(key, warning);
        }
        Some(reading)
    }

    /// Reports the refused parts of a document.
    fn refuse_parts(&mut self, key: &str, reading: &FileReading, watch: &dyn Progress) {
        // A file of another kind can have thousands of errors: the report has more of them than the
        // terminal.
        let refused = &reading.refused;
        let (noted, rest) = refused.split_at(refused.len().min(MAX_NOTED_REFUSALS));
        for refusal in noted {
            self.refuse(key, refusal.to_string(), watch);
        }
        let was_full = self.report.refused.len() >= MAX_REPORTED;
        for refusal in rest {
            self.refuse(key, refusal.to_string(), &NoProgress);
        }
        self.report.total_refused += reading.omitted_refusals;
        let unnoted = rest.len() as u64 + reading.omitted_refusals;
        if unnoted > 0 && !was_full {
            watch.refused(&format!("{}: and {unnoted} more", shorten(key)));
        }
    }

    /// Sets the names in a document newer than all before, of competitors for whom `is_free` is true.
    pub(crate) fn set_names(
        &mut self,
        batch: &mut WriteBatch<'_>,
        reading: &FileReading,
        is_free: impl Fn(EntrantKind, &str) -> bool,
    ) -> Result<(), Error> {
        for (kind, competitor, name) in &reading.names {
            if is_free(*kind, competitor) {
                let competitor =
                    batch.get_or_insert_competitor(self.source_id, *kind, competitor)?;
                self.changed |= batch.set_name(competitor, name, &[])?;
            }
        }
        // Those of one competitor, whom an id identifies, at a time.
        for names in reading.dated_names.chunk_by(is_same_competitor) {
            let kind = names[0].kind;
            let competitor = &names[0].competitor;
            if !is_free(kind, competitor) {
                continue;
            }
            let competitor = batch.get_or_insert_competitor(self.source_id, kind, competitor)?;
            let rows = names.iter().map(|dated| NameRow {
                name: dated.name.clone(),
                first_seen_at: dated.first_seen_at.get(),
                last_seen_at: dated.last_seen_at.get(),
            });
            self.changed |= batch.add_dated_names(competitor, &rows.collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// Counts a contest that was written.
    pub(crate) fn count_contest(&mut self, change: UpsertOutcome, entrants: usize) {
        self.report.contests.count(change);
        self.changed |= !matches!(change, UpsertOutcome::Unchanged | UpsertOutcome::Superseded);
        self.report.results += entrants as u64;
    }

    pub(crate) fn refuse(&mut self, document: &str, reason: String, watch: &dyn Progress) {
        let refused = refuse_document(document, reason);
        let line = format!("{}: {}", refused.document, refused.what);
        self.report.total_refused += 1;
        if push_reported(&mut self.report.refused, refused) {
            watch.refused(&line);
        }
    }
}
