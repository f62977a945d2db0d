//! Results that stand in parts, of which one leads to the next: the comments of a thread.

use std::collections::{HashSet, VecDeque};

use ranklore_source::{ContestOutcome, ReadError, Reading, Request};
use ranklore_store::{DocumentId, DocumentRow, Store};

use crate::derive::site::Site;
use crate::error::Error;

/// So many parts a contest has at most: there is always a next one where a site makes them up.
pub(crate) const MAX_PARTS: usize = 20_000;

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
            if taken.len() + queue.len() > MAX_PARTS {
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
