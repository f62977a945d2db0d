//! The archived answers of a site, from which its source assembles contests.

use std::cell::RefCell;
use std::sync::Arc;

use ranklore_source::assemble::{AnswerArchive, AnswerId, ArchivedAnswer, Assembly};
use ranklore_source::{Request, SiteListing, SiteReadError, SiteReading};
use ranklore_store::{DocumentId, DocumentRow, Store};

use crate::derive::site::Site;
use crate::error::Error;

impl Site<'_> {
    /// Assembles the contest or event `listed` from the archive in `store`.
    pub(crate) fn assemble(&self, store: &Store, listed: &SiteListing) -> Result<Assembly, Error> {
        let archive = SiteArchive {
            site: self,
            store,
            error: RefCell::new(None),
        };
        let assembly = self.source.assemble(listed, &archive);
        match archive.error.into_inner() {
            Some(error) => Err(error),
            None => Ok(assembly),
        }
    }
}

/// The archive of one site. A source has no access to database errors: the first one is kept here,
/// and the source sees no answers from then on.
struct SiteArchive<'a> {
    site: &'a Site<'a>,
    store: &'a Store,
    error: RefCell<Option<Error>>,
}

impl SiteArchive<'_> {
    fn record_error(&self, error: impl Into<Error>) {
        self.error.borrow_mut().get_or_insert(error.into());
    }
}

impl AnswerArchive for SiteArchive<'_> {
    fn answers(&self, request: &Request) -> Vec<ArchivedAnswer> {
        let documents = self.store.documents_for_request(self.site.source_id, &request.key());
        let mut rows = documents.unwrap_or_else(|error| {
            self.record_error(error);
            Vec::new()
        });
        if self.error.borrow().is_some() {
            rows.clear();
        }
        // Rows come newest first, so the row before is the newer answer.
        let mut newer: Option<&DocumentRow> = None;
        let answers = rows.iter().map(|row| ArchivedAnswer {
            id: AnswerId(row.document_id.get()),
            request_key: row.request_key.clone(),
            fetched_at: row.fetched_at,
            is_repeat: newer.replace(row).is_some_and(|newer| is_same(newer, row)),
        });
        answers.collect()
    }

    fn read(&self, answer: &ArchivedAnswer) -> Result<Arc<SiteReading>, SiteReadError> {
        let document_id = DocumentId::new(answer.id.0);
        self.site.read_cached(self.store, document_id).unwrap_or_else(|error| {
            self.record_error(error);
            let expected = "a readable database";
            Err(SiteReadError::whole_document(&answer.request_key, expected))
        })
    }
}

/// An answer together with the unbroken run of identical answers before it.
pub(crate) struct DistinctAnswer {
    /// The newest answer of the run.
    pub(crate) newest: DocumentRow,
    /// The time when the first answer of the run was fetched, in Unix seconds.
    pub(crate) first_fetched_at: i64,
    /// The first answer of the run.
    pub(crate) first_id: DocumentId,
}

/// Returns the answers that differ from their predecessor. Rows and answers are ordered newest
/// first.
pub(crate) fn distinct_answers(rows: Vec<DocumentRow>) -> Vec<DistinctAnswer> {
    let mut answers: Vec<DistinctAnswer> = Vec::new();
    for row in rows {
        match answers.last_mut() {
            Some(last) if is_same(&last.newest, &row) => {
                last.first_fetched_at = row.fetched_at;
                last.first_id = row.document_id;
            }
            _ => answers.push(DistinctAnswer {
                first_fetched_at: row.fetched_at,
                first_id: row.document_id,
                newest: row,
            }),
        }
    }
    answers
}

fn is_same(a: &DocumentRow, b: &DocumentRow) -> bool {
    a.blake3 == b.blake3 && a.status == b.status
}
