//! The archived answers of a site, from which its source assembles contests.

use std::cell::RefCell;
use std::sync::Arc;

use ranklore_source::assemble::{Answer, AnswerId, Archive, Assembly};
use ranklore_source::{Listed, ReadError, Reading, Request};
use ranklore_store::{DocumentId, DocumentRow, Store};

use crate::derive::site::Site;
use crate::error::Error;

impl Site<'_> {
    /// Assembles the contest or event `listed` from the archive in `store`.
    pub(crate) fn assemble(&self, store: &Store, listed: &Listed) -> Result<Assembly, Error> {
        let archive = SiteArchive {
            site: self,
            store,
            failed: RefCell::new(None),
        };
        let assembly = self.source.assemble(listed, &archive);
        match archive.failed.into_inner() {
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
    failed: RefCell<Option<Error>>,
}

impl SiteArchive<'_> {
    fn fail(&self, error: impl Into<Error>) {
        self.failed.borrow_mut().get_or_insert(error.into());
    }
}

impl Archive for SiteArchive<'_> {
    fn answers(&self, request: &Request) -> Vec<Answer> {
        let rows = match self.store.answers(self.site.source_id, &request.key()) {
            Ok(rows) if self.failed.borrow().is_none() => rows,
            Ok(_) => Vec::new(),
            Err(error) => {
                self.fail(error);
                Vec::new()
            }
        };
        let mut newer: Option<&DocumentRow> = None;
        let answers = rows.iter().map(|row| Answer {
            id: AnswerId(row.document_id.get()),
            request_key: row.request_key.clone(),
            fetched_at: row.fetched_at,
            repeated: newer.replace(row).is_some_and(|newer| is_same(newer, row)),
        });
        answers.collect()
    }

    fn read(&self, answer: &Answer) -> Result<Arc<Reading>, ReadError> {
        let document_id = DocumentId::new(answer.id.0);
        self.site
            .read_once(self.store, document_id)
            .unwrap_or_else(|error| {
                self.fail(error);
                let expected = "a readable database";
                Err(ReadError::whole(&*answer.request_key, expected))
            })
    }
}

/// An answer together with the unbroken run of identical answers before it.
pub(crate) struct Answers {
    /// The newest answer of the run.
    pub(crate) newest: DocumentRow,
    /// The time when the first answer of the run was fetched, in Unix seconds.
    pub(crate) since: i64,
}

/// Returns the answers that differ from their predecessor. Rows and answers are ordered newest
/// first.
pub(crate) fn distinct(rows: Vec<DocumentRow>) -> Vec<Answers> {
    let mut answers: Vec<Answers> = Vec::new();
    for row in rows {
        match answers.last_mut() {
            Some(last) if is_same(&last.newest, &row) => last.since = row.fetched_at,
            _ => answers.push(Answers {
                since: row.fetched_at,
                newest: row,
            }),
        }
    }
    answers
}

fn is_same(a: &DocumentRow, b: &DocumentRow) -> bool {
    a.blake3 == b.blake3 && a.status == b.status
}
