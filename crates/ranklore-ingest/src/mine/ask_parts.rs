//! Asking for results that stand in parts.

use std::collections::{HashSet, VecDeque};

use ranklore_fetch::Answered;
use ranklore_source::{Listed, Reading, Request};
use ranklore_store::DocumentId;

use crate::derive::parts::MAX_PARTS;
use crate::error::Error;
use crate::mine::archive::archive;
use crate::mine::contest::Missed;
use crate::mine::session::Sync;

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
            if asked.len() + queue.len() > MAX_PARTS {
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
