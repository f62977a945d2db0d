//! Results that stand in parts, of which one leads to the next: the comments of a thread.

use std::collections::{HashSet, VecDeque};

use ranklore_fetch::Answered;
use ranklore_source::{ContestOutcome, Listed, ReadError, Reading, Request};
use ranklore_store::{DocumentId, DocumentRow, Store};

use crate::Error;
use crate::archive::archive;
use crate::learn::Missed;
use crate::site::Site;
use crate::sync::Sync;

/// So many parts a contest has at most: there is always a next one where a site makes them up.
pub(crate) const MAX_PARTS: usize = 20_000;

/// What came of asking for the parts of a contest.
#[derive(Default)]
pub(crate) struct AskedFor {
    /// The documents that came, by their questions.
    pub(crate) archived: Vec<(String, DocumentId)>,
    /// The first question without an answer.
    pub(crate) missed: Option<Missed>,
}

impl Sync<'_, '_> {
    /// Asks for the parts of a contest that the answers to its questions lead to, one after the
    /// other until one does not come. Each is archived by itself, and those answers before them:
    /// no part is older than what leads to it.
    pub(crate) fn ask_for_parts(
        &mut self,
        contest: &Listed,
        answers: &[(&Request, Answered)],
    ) -> Result<AskedFor, Error> {
        let mut asked_for = AskedFor::default();
        let mut queue = VecDeque::new();
        for (request, answered) in answers {
            let Some(reading) = self.keep_part(contest, request, answered, &mut asked_for)? else {
                return Ok(asked_for);
            };
            queue.extend(reading.follow);
        }
        let mut asked = HashSet::new();
        while let Some(request) = queue.pop_front() {
            if !asked.insert(request.key()) {
                continue;
            }
            // Whoever reads them says that there are too many.
            if asked.len() > MAX_PARTS {
                break;
            }
            match self.ask(&request)? {
                Ok(answered) => {
                    let reading = self.keep_part(contest, &request, &answered, &mut asked_for)?;
                    queue.extend(reading.into_iter().flat_map(|of| of.follow));
                }
                Err(failed) => {
                    asked_for.missed = Some((request, failed));
                    break;
                }
            }
        }
        Ok(asked_for)
    }

    /// Archives an answer and gives what it says, if it can be read; nothing where it names
    /// somebody who is forgotten and cannot be kept.
    fn keep_part(
        &mut self,
        contest: &Listed,
        request: &Request,
        answered: &Answered,
        asked_for: &mut AskedFor,
    ) -> Result<Option<Reading>, Error> {
        let mut batch = self.store.batch()?;
        let Ok(document_id) = archive(&mut batch, &self.site, request, answered)? else {
            return Ok(None);
        };
        batch.commit()?;
        let key = request.key();
        if self.site.honours_deletions() {
            let keys = self.keys.entry(contest.external_id.clone()).or_default();
            keys.insert(key.clone());
        }
        asked_for.archived.push((key, document_id));
        let row = self.store.document(document_id)?.row;
        let reading = self.site.read(self.store, &row)?;
        Ok(Some(reading.unwrap_or_default()))
    }
}

/// One part of a contest.
pub(crate) struct Part {
    pub(crate) document_id: DocumentId,
    pub(crate) reading: Reading,
}

impl Site<'_> {
    /// The parts that a first document of a contest leads to, in the order in which they are led
    /// to, each once; or why one is lacking. They are what came after it, and before the next first
    /// document: scores of one day are not added to those of another.
    pub(crate) fn parts(
        &self,
        store: &Store,
        first: &DocumentRow,
        next: Option<DocumentId>,
        follow: &[Request],
    ) -> Result<Result<Vec<Part>, ReadError>, Error> {
        let lacking = |expected: String| {
            let document = first.request_key.as_str();
            Ok(Err(ReadError::new(document, ReadError::WHOLE, expected)))
        };
        let came_with = |row: &DocumentRow| {
            row.document_id > first.document_id && next.is_none_or(|next| row.document_id < next)
        };
        let mut parts = Vec::new();
        let mut taken = HashSet::new();
        let mut queue: VecDeque<String> = follow.iter().map(Request::key).collect();
        while let Some(key) = queue.pop_front() {
            if !taken.insert(key.clone()) {
                continue;
            }
            if parts.len() == MAX_PARTS {
                return lacking(format!("at most {MAX_PARTS} parts"));
            }
            let answers = store.answers(self.source_id, &key)?.into_iter();
            let Some(row) = answers.into_iter().find(came_with) else {
                return lacking(format!("all that it leads to: {key} has no answer"));
            };
            let reading = match self.read(store, &row)? {
                Ok(reading) if adds(&reading) => reading,
                Ok(_) => return lacking(format!("all that it leads to: {key} is not given")),
                Err(error) => return Ok(Err(error)),
            };
            queue.extend(reading.follow.iter().map(Request::key));
            parts.push(Part {
                document_id: row.document_id,
                reading,
            });
        }
        Ok(Ok(parts))
    }
}

/// Whether a document says anything of how a contest came out, be it that nobody stands there.
fn adds(reading: &Reading) -> bool {
    let mut outcomes = reading.results.iter().map(|of| &of.outcome);
    outcomes.all(|of| {
        matches!(
            of,
            ContestOutcome::Stood { .. } | ContestOutcome::NothingYet
        )
    })
}
