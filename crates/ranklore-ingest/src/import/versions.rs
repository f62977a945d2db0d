//! Contests that an earlier version of a document has and its newest version has not.

use std::collections::HashMap;

use ranklore_contest::UnixSeconds;
use ranklore_store::{Decision, DocumentId, SourceId, WriteBatch};

use crate::error::Error;
use crate::import::intake::{DocumentContest, DocumentWarning, Intake};

/// The documents of an import that have earlier versions.
#[derive(Default)]
pub(crate) struct DocumentVersions {
    /// True if contests that are missing are withdrawn, and rated again once they are back.
    pub(crate) replace: bool,
    documents: Vec<NewestVersion>,
    /// The index of the newest version, by newest and by earlier version.
    newest: HashMap<DocumentId, usize>,
}

/// The newest version of a document.
struct NewestVersion {
    document_id: DocumentId,
    key: String,
    /// True if nothing in it was refused.
    is_whole: bool,
    /// The number of contests of earlier versions that are not in it.
    missing: usize,
}

impl DocumentVersions {
    /// Adds a document that was imported, if it has earlier versions.
    pub(crate) fn add(
        &mut self,
        batch: &WriteBatch<'_>,
        source_id: SourceId,
        document_id: DocumentId,
        key: &str,
        is_whole: bool,
    ) -> Result<(), Error> {
        let versions = batch.document_versions(source_id, key)?;
        if versions.len() > 1 {
            let index = self.documents.len();
            self.newest
                .extend(versions.into_iter().map(|id| (id, index)));
            self.documents.push(NewestVersion {
                document_id,
                key: key.to_owned(),
                is_whole,
                missing: 0,
            });
        }
        Ok(())
    }

    /// Compares the stored contests with the documents: reports or withdraws those that are missing,
    /// and reports or restores those that are back.
    pub(crate) fn compare(
        mut self,
        batch: &mut WriteBatch<'_>,
        intake: &mut Intake,
        now: UnixSeconds,
    ) -> Result<(), Error> {
        if self.documents.is_empty() {
            return Ok(());
        }
        let (mut missing, mut back) = (Vec::new(), Vec::new());
        for contest in batch.contests_of_source(intake.source_id)? {
            let newest = contest.document_id.and_then(|id| self.newest.get(&id));
            let Some(document) = newest.and_then(|&index| self.documents.get_mut(index)) else {
                continue;
            };
            // A contest refers to the newest document that has it.
            let is_there = contest.document_id == Some(document.document_id);
            let found = FoundContest {
                document_id: document.document_id,
                contest: DocumentContest {
                    document: document.key.clone(),
                    contest: contest.external_id,
                    name: contest.name,
                },
            };
            match (is_there, contest.withdrawn_at) {
                (true, Some(_)) => back.push(found),
                (false, None) if document.is_whole => missing.push(found),
                // It may be what was refused.
                (false, None) => document.missing += 1,
                _ => {}
            }
        }
        if !(missing.is_empty() && back.is_empty()) {
            let decided = last_decisions(batch, intake.source_id)?;
            missing.retain(|found| !found.is_restored_by_user(&decided));
            back.retain(|found| found.is_withdrawn_by_import(&decided));
        }
        for found in missing {
            let contest = found.contest.contest.clone();
            if self.replace {
                let note = removal_note(&found.contest.document);
                found.decide(batch, intake, &Decision::Withdraw { contest }, &note, now)?;
                intake.report.withdrawn.push(found.contest);
            } else {
                intake.report.removed.push(found.contest);
            }
        }
        for found in back {
            let contest = found.contest.contest.clone();
            if self.replace {
                let note = return_note(&found.contest.document);
                found.decide(batch, intake, &Decision::Restore { contest }, &note, now)?;
                intake.report.restored.push(found.contest);
            } else {
                intake.report.returned.push(found.contest);
            }
        }
        let unclear = self.documents.into_iter().filter(|of| of.missing > 0);
        let warnings = unclear.map(|of| DocumentWarning {
            what: format!(
                "contests of earlier versions that are not read from this one: {}; they stay as \
                 they are, since something in it was refused",
                of.missing
            ),
            document: of.key,
        });
        intake.report.warnings.extend(warnings);
        Ok(())
    }
}

/// A stored contest of a document with several versions.
struct FoundContest {
    /// The newest version.
    document_id: DocumentId,
    contest: DocumentContest,
}

/// The last decision about a contest.
#[derive(Default)]
struct LastDecision {
    withdraws: bool,
    note: Option<String>,
    /// The note of the decision before.
    note_before: Option<String>,
}

type LastDecisions = HashMap<String, LastDecision>;

impl FoundContest {
    /// True if an import withdrew the contest because it was no longer in the document.
    fn is_withdrawn_by_import(&self, decided: &LastDecisions) -> bool {
        let removed = removal_note(&self.contest.document);
        (decided.get(&self.contest.contest))
            .is_some_and(|last| last.withdraws && last.note == Some(removed))
    }

    /// True if the user restored the contest after such a withdrawal: it is to be rated although it
    /// is no longer in the document.
    fn is_restored_by_user(&self, decided: &LastDecisions) -> bool {
        let document = &self.contest.document;
        (decided.get(&self.contest.contest)).is_some_and(|last| {
            !last.withdraws
                && last.note != Some(return_note(document))
                && last.note_before == Some(removal_note(document))
        })
    }

    fn decide(
        &self,
        batch: &mut WriteBatch<'_>,
        intake: &mut Intake,
        decision: &Decision,
        note: &str,
        now: UnixSeconds,
    ) -> Result<(), Error> {
        let document = Some(self.document_id);
        intake.changed |=
            batch.record_decision_by(intake.source_id, document, decision, Some(note), now)?;
        Ok(())
    }
}

/// Returns the note of the withdrawal of a contest that is no longer in a document. It tells such a
/// decision from one by the user.
fn removal_note(document: &str) -> String {
    format!("no longer in {document}")
}

/// Returns the note of a contest that is rated again for being in a document again.
fn return_note(document: &str) -> String {
    format!("in {document} again")
}

/// Returns the last decision about each contest.
fn last_decisions(batch: &WriteBatch<'_>, source_id: SourceId) -> Result<LastDecisions, Error> {
    let mut decided = LastDecisions::new();
    for row in batch.decisions(source_id)? {
        let (withdraws, contest) = match row.decision {
            Decision::Withdraw { contest } => (true, contest),
            Decision::Restore { contest } => (false, contest),
            _ => continue,
        };
        let last = decided.entry(contest).or_default();
        last.note_before = last.note.take();
        last.note = row.note;
        last.withdraws = withdraws;
    }
    Ok(decided)
}
