//! What files say of competitors beside results: what they are called, and as whom they count.

use std::collections::HashSet;

use ranklore_contest::{EntrantKind, UnixSeconds};
use ranklore_store::{Batch, Decision, Error as StoreError, SourceId};

use crate::error::Error;

/// Something said of a competitor: its kind, what identifies it, and its name or as whom it counts.
pub(crate) type Saying = (EntrantKind, String, String);

/// The reason that is noted for merges.
const AS_THE_FILE_SAYS: &str = "as the imported file says";

/// Merges that documents tell of, each once, with the document.
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

    /// Decides them, but for those that were decided before: a person may have split them since.
    /// One that does not fit is handed over with its document and the reason. Returns whether
    /// anything is other than before.
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
