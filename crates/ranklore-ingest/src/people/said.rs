//! Claims of contest files about competitors: names and merges.

use std::collections::HashSet;

use ranklore_contest::{EntrantKind, UnixSeconds};
use ranklore_store::{Batch, Decision, Error as StoreError, SourceId};

use crate::error::Error;

/// A claim about a competitor: kind, external id, and the name or the id it is merged into.
pub(crate) type Saying = (EntrantKind, String, String);

/// The note of merges from files.
const AS_THE_FILE_SAYS: &str = "as the imported file says";

/// The merges in documents, each once, with the first document.
#[derive(Default)]
pub(crate) struct Merges {
    found: Vec<(Saying, String)>,
    known: HashSet<Saying>,
}

impl Merges {
    pub(crate) fn add(&mut self, document: &str, merges: Vec<Saying>) {
        for merge in merges {
            if self.known.insert(merge.clone()) {
                self.found.push((merge, document.to_owned()));
            }
        }
    }

    /// Applies the merges, except those decided before, since the user may have split them again.
    /// Calls `refuse` with the document and the reason for a conflicting merge. Returns true if
    /// anything changed.
    pub(crate) fn decide(
        self,
        batch: &mut Batch<'_>,
        source_id: SourceId,
        now: UnixSeconds,
        mut refuse: impl FnMut(&str, String),
    ) -> Result<bool, Error> {
        let mut changed = false;
        if self.found.is_empty() {
            return Ok(changed);
        }
        let decisions = batch.decisions(source_id)?.into_iter();
        let decided: HashSet<Saying> = decisions
            .filter_map(|row| match row.decision {
                Decision::Merge {
                    kind,
                    subject,
                    into,
                } => Some((kind, subject, into)),
                _ => None,
            })
            .collect();
        for (merge, document) in self.found {
            if decided.contains(&merge) {
                continue;
            }
            let (kind, subject, into) = merge;
            let refused = format!("{subject:?} cannot be merged into {into:?}");
            let decision = Decision::Merge {
                kind,
                subject,
                into,
            };
            match batch.decide(source_id, &decision, Some(AS_THE_FILE_SAYS), now) {
                Ok(news) => changed |= news,
                Err(StoreError::InvalidDecision { reason }) => {
                    refuse(&document, format!("{refused}: {reason}"));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(changed)
    }
}
