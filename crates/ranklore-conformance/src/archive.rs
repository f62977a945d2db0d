//! An in-memory archive to test [`Source::assemble`].

use std::sync::Arc;

use ranklore_contest::UnixSeconds;

use ranklore_source::assemble::{AnswerArchive, AnswerId, ArchivedAnswer};
use ranklore_source::{Document, Request, SiteReadError, SiteReading, Source};

/// Answers of a source, one second apart.
#[derive(Clone)]
pub struct MemoryArchive<'a> {
    source: &'a dyn Source,
    answers: Vec<(String, u16, Vec<u8>)>,
}

impl<'a> MemoryArchive<'a> {
    /// Returns an archive without answers.
    #[must_use]
    pub const fn new(source: &'a dyn Source) -> Self {
        Self {
            source,
            answers: Vec::new(),
        }
    }

    /// Archives a minimised answer and returns its number.
    pub fn add(&mut self, request: &Request, status: u16, body: &[u8]) -> AnswerId {
        let key = request.key();
        let body = self.source.minimise(&key, body).into_owned();
        self.answers.push((key, status, body));
        AnswerId(self.answers.len() as i64 - 1)
    }
}

impl AnswerArchive for MemoryArchive<'_> {
    fn answers(&self, request: &Request) -> Vec<ArchivedAnswer> {
        let key = request.key();
        let mut newer = None;
        let rows = self.answers.iter().enumerate().rev();
        rows.filter(|(_, row)| row.0 == key)
            .map(|(index, row)| ArchivedAnswer {
                id: AnswerId(index as i64),
                request_key: key.clone(),
                fetched_at: index as i64,
                is_repeat: newer.replace(row) == Some(row),
            })
            .collect()
    }

    fn read(&self, answer: &ArchivedAnswer) -> Result<Arc<SiteReading>, SiteReadError> {
        let row = usize::try_from(answer.id.0).ok();
        let Some((key, status, body)) = row.and_then(|row| self.answers.get(row)) else {
            let expected = "an answer of this archive";
            return Err(SiteReadError::whole_document(&*answer.request_key, expected));
        };
        let reading = self.source.read(&Document {
            request_key: key,
            fetched_at: UnixSeconds::new(answer.fetched_at).unwrap_or(UnixSeconds::MIN),
            status: *status,
            body,
        });
        reading.map(Arc::new)
    }
}
