//! Contests that an earlier version of a document has and its newest version has not.

use std::collections::{HashMap, HashSet};

use ranklore_contest::UnixSeconds;
use ranklore_store::{ContestRow, Decision, DocumentId, Error as StoreError, SourceId, WriteBatch};

use crate::error::Error;
use crate::import::intake::{DocumentContest, Intake};
use crate::import::reread::reread_document;
use crate::reading_note::ReadingNote;

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

    /// Compares the stored contests with the documents: reports or withdraws those that are missing
    /// from every document, and reports or restores those that are back in any.
    pub(crate) fn compare(
        mut self,
        batch: &mut WriteBatch<'_>,
        intake: &mut Intake,
        now: UnixSeconds,
    ) -> Result<(), Error> {
        let decided = last_decisions(batch, intake.source_id)?;
        if self.documents.is_empty() && !decided.values().any(|last| last.withdrawn_by_import) {
            return Ok(());
        }
        let (mut missing, mut back) = (Vec::new(), Vec::new());
        for contest in self.find_candidates(batch, intake, &decided)? {
            let last = decided.get(&contest.external_id);
            let is_withdrawn = contest.withdrawn_at.is_some();
            let found = |document_id, key: &str| FoundContest {
                document_id,
                contest: DocumentContest {
                    document: key.to_owned(),
                    contest: contest.external_id.clone(),
                    name: contest.name.clone(),
                },
            };
            // Any document of this import may have it, also one older than the stored version.
            if let Some((document_id, key)) = intake.find_document(&contest.external_id) {
                if is_withdrawn && last.is_some_and(|last| last.withdrawn_by_import) {
                    back.push(found(document_id, key));
                }
                continue;
            }
            let newest = contest.document_id.and_then(|id| self.newest.get(&id));
            let Some(document) = newest.and_then(|&index| self.documents.get_mut(index)) else {
                continue;
            };
            // A newer version of this program may refuse it in the same document.
            let is_there = contest.document_id == Some(document.document_id);
            if is_there || is_withdrawn || last.is_some_and(|last| last.restored_by_user) {
                continue;
            }
            if document.is_whole {
                missing.push(found(document.document_id, &document.key));
            } else {
                // It may be what was refused.
                document.missing += 1;
            }
        }
        self.keep_contests_of_others(batch, intake.source_id, &mut missing)?;
        for found in missing {
            let contest = found.contest.contest.clone();
            if self.replace {
                let note = format!("no longer in {}", found.contest.document);
                found.decide(batch, intake, &Decision::Withdraw { contest }, &note, now)?;
                intake.report.withdrawn.push(found.contest);
            } else {
                intake.report.removed.push(found.contest);
            }
        }
        for found in back {
            let contest = found.contest.contest.clone();
            if self.replace {
                let note = format!("in {} again", found.contest.document);
                found.decide(batch, intake, &Decision::Restore { contest }, &note, now)?;
                intake.report.restored.push(found.contest);
            } else {
                intake.report.returned.push(found.contest);
            }
        }
        for of in self.documents.into_iter().filter(|of| of.missing > 0) {
            let what = format!(
                "contests of earlier versions that are not read from this one: {}; they stay as \
                 they are, since something in it was refused",
                of.missing
            );
            intake.report.warn(&of.key, what);
        }
        Ok(())
    }

    /// Returns the contests that an earlier version of a document has, and those that an import
    /// withdrew, in the order of the replay: only they can be missing or back.
    fn find_candidates(
        &self,
        batch: &WriteBatch<'_>,
        intake: &Intake,
        decided: &HashMap<String, LastDecision>,
    ) -> Result<Vec<ContestRow>, Error> {
        let newest = |index: usize| self.documents.get(index).map(|of| of.document_id);
        let earlier = (self.newest.iter())
            .filter(|&(&id, &index)| newest(index) != Some(id))
            .map(|(&id, _)| id);
        let mut contests = batch.contests_from_documents(intake.source_id, earlier)?;
        let withdrawn = decided.iter().filter(|(_, last)| last.withdrawn_by_import);
        for (external_id, _) in withdrawn {
            let id = batch.contest_id_in_source(intake.source_id, external_id)?;
            contests.extend(batch.contests_by_id(id)?);
        }
        contests.sort_unstable_by(ContestRow::replay_order);
        contests.dedup_by_key(|contest| contest.contest_id);
        Ok(contests)
    }

    /// Keeps contests that the newest version of another file of the source has, by reading these
    /// files again. This is rare: there must be contests that no document of this import has.
    fn keep_contests_of_others(
        &self,
        batch: &WriteBatch<'_>,
        source_id: SourceId,
        missing: &mut Vec<FoundContest>,
    ) -> Result<(), Error> {
        if missing.is_empty() {
            return Ok(());
        }
        let forgotten = batch.tombstones(source_id)?;
        let mut seen = HashSet::new();
        for row in batch.documents(source_id)?.iter().rev() {
            let is_file = matches!(
                ReadingNote::parse(row.reading.as_deref()),
                Ok(ReadingNote::File(_))
            );
            if !seen.insert(&row.request_key)
                || !is_file
                || self.newest.contains_key(&row.document_id)
            {
                continue;
            }
            let reading = match reread_document(batch, row, &forgotten, |_, _| false) {
                // Without --replace it does not matter.
                Err(Error::Store(StoreError::DamagedDocument { .. })) if !self.replace => continue,
                read => read?,
            };
            let ids: HashSet<&str> = (reading.iter())
                .flat_map(|reading| reading.contests.external_ids())
                .collect();
            missing.retain(|found| !ids.contains(&*found.contest.contest));
            if missing.is_empty() {
                break;
            }
        }
        Ok(())
    }
}

/// A stored contest that is missing or back.
struct FoundContest {
    /// The newest version of the document that it is missing from, or the document that has it.
    document_id: DocumentId,
    contest: DocumentContest,
}

impl FoundContest {
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

/// The outcome of the decisions about a contest.
#[derive(Default)]
struct LastDecision {
    /// True if any of the last withdrawals in a row, without a restoration between them, is that of
    /// an import.
    after_import: bool,
    /// True if the last decision is the withdrawal by an import.
    withdrawn_by_import: bool,
    /// True if the last decision is a restoration by the user after a withdrawal by an import: the
    /// contest is to be rated although it is no longer in the document.
    restored_by_user: bool,
}

/// Returns the outcome for each contest with decisions.
fn last_decisions(
    batch: &WriteBatch<'_>,
    source_id: SourceId,
) -> Result<HashMap<String, LastDecision>, Error> {
    let mut decided: HashMap<String, LastDecision> = HashMap::new();
    // The contests whose last decision is a withdrawal.
    let mut withdrawn = HashSet::new();
    for row in batch.decisions(source_id)? {
        let by_import = row.document_id.is_some();
        match row.decision {
            Decision::Withdraw { contest } => {
                let is_first = withdrawn.insert(contest.clone());
                let last = decided.entry(contest).or_default();
                last.after_import = by_import || (last.after_import && !is_first);
                last.withdrawn_by_import = by_import;
                last.restored_by_user = false;
            }
            Decision::Restore { contest } => {
                // Without a withdrawal before it, that of an import was undone.
                let after_undo = !withdrawn.remove(&contest);
                let last = decided.entry(contest).or_default();
                last.restored_by_user = !by_import && (after_undo || last.after_import);
                last.withdrawn_by_import = false;
            }
            _ => {}
        }
    }
    Ok(decided)
}
