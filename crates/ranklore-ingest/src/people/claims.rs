//! Claims of contest files about competitors: names and merges.

use std::collections::HashSet;

use ranklore_contest::{EntrantKind, Quoted, UnixSeconds};
use ranklore_formats::DatedName;
use ranklore_store::{
    Decision, DecisionAction, DocumentId, Error as StoreError, SourceId, WriteBatch,
};

use crate::error::Error;

/// A claim about a competitor: kind, external id, and the name or the id it is merged into.
pub(crate) type IdentityClaim = (EntrantKind, String, String);

/// True if both are names of one competitor.
pub(crate) fn is_same_competitor(a: &DatedName, b: &DatedName) -> bool {
    (a.kind, &a.competitor) == (b.kind, &b.competitor)
}

/// The note of merges from files.
const FILE_MERGE_NOTE: &str = "as the imported file says";

/// Returns the decision to merge as a file claims.
pub(crate) fn merge_decision((kind, subject, into): IdentityClaim) -> Decision {
    Decision {
        action: DecisionAction::Merge,
        kind: Some(kind),
        subject,
        object: Some(into),
    }
}

/// The merges in documents, each once, with the first document and its key.
#[derive(Default)]
pub(crate) struct MergeClaims {
    claims: Vec<(Decision, DocumentId, String)>,
    known: HashSet<Decision>,
}

impl MergeClaims {
    pub(crate) fn add(&mut self, document_id: DocumentId, key: &str, merges: Vec<IdentityClaim>) {
        for merge in merges.into_iter().map(merge_decision) {
            if self.known.insert(merge.clone()) {
                self.claims.push((merge, document_id, key.to_owned()));
            }
        }
    }

    /// Deletes the merges that these claims of undone documents led to and that no other document
    /// claims. A merge that the user has split since has no effect, and stays: the documents may be
    /// imported again.
    pub(crate) fn retract(
        &self,
        batch: &mut WriteBatch<'_>,
        source_id: SourceId,
        undone: &HashSet<Decision>,
    ) -> Result<(), Error> {
        if undone.is_empty() {
            return Ok(());
        }
        let mut split = HashSet::new();
        // Newest first, so that a later split is known when its merge comes.
        for row in batch.decisions(source_id)?.into_iter().rev() {
            let decision = row.decision;
            let is_retracted = row.note.as_deref() == Some(FILE_MERGE_NOTE)
                && undone.contains(&decision)
                && !self.known.contains(&decision);
            let competitor = (decision.kind, decision.subject);
            if decision.action == DecisionAction::Split {
                split.insert(competitor);
            } else if is_retracted && !split.contains(&competitor) {
                batch.delete_decision(row.decision_id)?;
            }
        }
        Ok(())
    }

    /// Applies the merges, except those decided before, since the user may have split them again.
    /// Calls `refuse` with the document and the reason for a conflicting merge. Returns true if
    /// anything changed.
    pub(crate) fn apply(
        self,
        batch: &mut WriteBatch<'_>,
        source_id: SourceId,
        now: UnixSeconds,
        mut refuse: impl FnMut(&str, String),
    ) -> Result<bool, Error> {
        if self.claims.is_empty() {
            return Ok(false);
        }
        let decisions = batch.decisions(source_id)?.into_iter();
        let decided: HashSet<Decision> = decisions.map(|row| row.decision).collect();
        let mut changed = false;
        for (merge, document_id, key) in self.claims {
            if decided.contains(&merge) {
                continue;
            }
            let document = Some(document_id);
            let note = Some(FILE_MERGE_NOTE);
            match batch.record_decision_by(source_id, document, &merge, note, now) {
                Ok(is_changed) => changed |= is_changed,
                Err(StoreError::InvalidDecision { reason }) => {
                    let subject = Quoted(&merge.subject);
                    let into = Quoted(merge.object.as_deref().unwrap_or_default());
                    refuse(&key, format!("{subject} cannot be merged into {into}: {reason}"));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(changed)
    }
}
