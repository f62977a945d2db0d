//! Contests that an earlier version of a document has and its newest version has not.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::iter::repeat;

use ranklore_contest::UnixSeconds;
use ranklore_store::{
    ContestRow, Decision, DecisionAction, DocumentId, Error as StoreError, SourceId, WriteBatch,
};

use crate::derive::reread::reread_document;
use crate::error::Error;
use crate::import::intake::Intake;
use crate::import::report::DocumentContest;
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
pub(crate) struct NewestVersion {
    pub(crate) document_id: DocumentId,
    pub(crate) key: String,
    /// True if nothing in it was refused.
    pub(crate) is_whole: bool,
    /// Earlier documents with the same bytes, read with other dates.
    pub(crate) same_bytes: Vec<DocumentId>,
}

/// Contests that differ between the database and the documents.
#[derive(Default)]
struct Differences {
    /// Stored contests that no document has.
    missing: Vec<FoundContest>,
    /// Contests withdrawn by an import that a document has again.
    returned: Vec<FoundContest>,
    /// The number of contests that are missing from each version, by its index, where something was
    /// refused: they may be among the refused ones.
    unread: BTreeMap<usize, usize>,
}

impl DocumentVersions {
    /// Adds a document that was imported, if it has earlier versions.
    pub(crate) fn add(
        &mut self,
        batch: &WriteBatch<'_>,
        source_id: SourceId,
        version: NewestVersion,
    ) -> Result<(), Error> {
        let mut versions = batch.document_versions(source_id, &version.key)?;
        versions.extend(&version.same_bytes);
        if versions.len() > 1 {
            let index = self.documents.len();
            self.newest.extend(versions.into_iter().map(|id| (id, index)));
            self.documents.push(version);
        }
        Ok(())
    }

    /// Compares the stored contests with the documents: reports or withdraws those that are missing
    /// from every document, and reports or restores those that are back in any.
    pub(crate) fn compare(
        self,
        batch: &mut WriteBatch<'_>,
        intake: &mut Intake,
        now: UnixSeconds,
    ) -> Result<(), Error> {
        let decisions = last_decisions(batch, intake.source_id)?;
        if self.documents.is_empty() && !decisions.values().any(|last| last.withdrawn_by_import) {
            return Ok(());
        }
        let mut differences = self.find_differences(batch, intake, &decisions)?;
        self.keep_contests_of_others(batch, intake.source_id, &mut differences.missing)?;
        let missing = differences.missing.into_iter().zip(repeat(true));
        let returned = differences.returned.into_iter().zip(repeat(false));
        for (contest, is_missing) in missing.chain(returned) {
            if self.replace {
                contest.decide(batch, intake, is_missing, now)?;
            }
            let report = &mut intake.report;
            let contests = match (is_missing, self.replace) {
                (true, true) => &mut report.withdrawn,
                (true, false) => &mut report.removed,
                (false, true) => &mut report.restored,
                (false, false) => &mut report.returned,
            };
            contests.push(contest.contest);
        }
        for (index, count) in differences.unread {
            let warning = format!(
                "contests of earlier versions that are not read from this one: {count}; they stay as \
                 they are, since something in it was refused"
            );
            intake.report.warn(&self.documents[index].key, warning);
        }
        Ok(())
    }

    /// Returns the stored contests that are missing from the documents, or back in them.
    fn find_differences(
        &self,
        batch: &WriteBatch<'_>,
        intake: &Intake,
        decisions: &HashMap<String, LastDecision>,
    ) -> Result<Differences, Error> {
        let mut differences = Differences::default();
        for row in self.find_candidates(batch, intake, decisions)? {
            let last = decisions.get(&row.external_id);
            let is_withdrawn = row.withdrawn_at.is_some();
            // Any document of this import may have it, also one older than the stored version.
            if let Some((document_id, key)) = intake.find_document(&row.external_id) {
                if is_withdrawn && last.is_some_and(|last| last.withdrawn_by_import) {
                    let returned = FoundContest::new(row, document_id, key);
                    differences.returned.push(returned);
                }
                continue;
            }
            let Some(&index) = row.document_id.and_then(|id| self.newest.get(&id)) else {
                continue;
            };
            let version = &self.documents[index];
            // A newer version of this program may refuse it in the same document.
            let is_in_newest = row.document_id == Some(version.document_id);
            if is_in_newest || is_withdrawn || last.is_some_and(|last| last.restored_by_user) {
                continue;
            }
            if version.is_whole {
                let missing = FoundContest::new(row, version.document_id, &version.key);
                differences.missing.push(missing);
            } else {
                *differences.unread.entry(index).or_default() += 1;
            }
        }
        Ok(differences)
    }

    /// Returns the contests that an earlier version of a document has, and those that an import
    /// withdrew, in the order of the replay: only they can be missing or back.
    fn find_candidates(
        &self,
        batch: &WriteBatch<'_>,
        intake: &Intake,
        decisions: &HashMap<String, LastDecision>,
    ) -> Result<Vec<ContestRow>, Error> {
        let earlier = self
            .newest
            .iter()
            .filter(|&(&id, &index)| self.documents[index].document_id != id)
            .map(|(&id, _)| id);
        let mut contests = batch.contests_from_documents(intake.source_id, earlier)?;
        let withdrawn = decisions.iter().filter(|(_, last)| last.withdrawn_by_import);
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
        let mut newest_keys = HashSet::new();
        for row in batch.documents(source_id)?.iter().rev() {
            let is_file =
                matches!(ReadingNote::parse(row.reading.as_deref()), Ok(ReadingNote::File(_)));
            if !newest_keys.insert(&row.request_key)
                || !is_file
                || self.newest.contains_key(&row.document_id)
            {
                continue;
            }
            let reading = match reread_document(batch, row, &forgotten, |_, _| false) {
                // Without --replace it does not matter.
                Err(Error::Store(StoreError::DamagedDocument { .. })) if !self.replace => continue,
                result => result?,
            };
            let ids: HashSet<&str> =
                reading.iter().flat_map(|reading| reading.contests.external_ids()).collect();
            missing.retain(|missing| !ids.contains(&*missing.contest.contest));
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
    fn new(row: ContestRow, document_id: DocumentId, key: &str) -> Self {
        Self {
            document_id,
            contest: DocumentContest {
                document: key.to_owned(),
                contest: row.external_id,
                name: row.name,
            },
        }
    }

    /// Records the decision of this import about the contest: it is withdrawn if it is missing,
    /// otherwise restored.
    fn decide(
        &self,
        batch: &mut WriteBatch<'_>,
        intake: &mut Intake,
        is_missing: bool,
        now: UnixSeconds,
    ) -> Result<(), Error> {
        let document = &self.contest.document;
        let (action, note) = if is_missing {
            (DecisionAction::Withdraw, format!("no longer in {document}"))
        } else {
            (DecisionAction::Restore, format!("in {document} again"))
        };
        let decision = Decision::new(action, &*self.contest.contest);
        let document_id = Some(self.document_id);
        let source_id = intake.source_id;
        intake.changed |=
            batch.record_decision_by(source_id, document_id, &decision, Some(&note), now)?;
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
    let mut decisions: HashMap<String, LastDecision> = HashMap::new();
    // The contests whose last decision is a withdrawal.
    let mut withdrawn = HashSet::new();
    for row in batch.decisions(source_id)? {
        let by_import = row.document_id.is_some();
        let contest = row.decision.subject;
        match row.decision.action {
            DecisionAction::Withdraw => {
                let is_first = withdrawn.insert(contest.clone());
                let last = decisions.entry(contest).or_default();
                last.after_import = by_import || (last.after_import && !is_first);
                last.withdrawn_by_import = by_import;
                last.restored_by_user = false;
            }
            DecisionAction::Restore => {
                // Without a withdrawal before it, that of an import was undone.
                let after_undo = !withdrawn.remove(&contest);
                let last = decisions.entry(contest).or_default();
                last.restored_by_user = !by_import && (after_undo || last.after_import);
                last.withdrawn_by_import = false;
            }
            _ => {}
        }
    }
    Ok(decisions)
}
