//! What files say of competitors beside results: what they are called, and as whom they count.

use std::collections::HashSet;

use ranklore_contest::EntrantKind;
use ranklore_store::{Batch, Decision, Error as StoreError};

use crate::called::named_by_hand;
use crate::import::Sink;
use crate::intake::Intake;
use crate::{Error, Watch};

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
}

impl Intake {
    /// Calls competitors as a document says that is newer than all before.
    pub(crate) fn call<'s>(
        &mut self,
        batch: &mut Batch<'_>,
        names: impl IntoIterator<Item = &'s Saying>,
    ) -> Result<(), Error> {
        for (kind, competitor, name) in names {
            let competitor = batch.competitor(self.source_id, *kind, competitor)?;
            self.changed |= batch.call(competitor, name, &[])?;
        }
        Ok(())
    }
}

impl Sink<'_> {
    /// Calls competitors as a document says that was not there before, but for whom a person gave
    /// a name.
    pub(crate) fn call(&mut self, names: &[Saying]) -> Result<(), Error> {
        if names.is_empty() {
            return Ok(());
        }
        let by_hand = match self.named_by_hand.take() {
            Some(by_hand) => by_hand,
            None => named_by_hand(&self.batch, self.intake.source_id)?,
        };
        let said = names.iter().filter(|(kind, competitor, _)| {
            by_hand.is_empty() || !by_hand.contains(&(*kind, competitor.clone()))
        });
        self.intake.call(&mut self.batch, said)?;
        self.named_by_hand = Some(by_hand);
        Ok(())
    }

    /// Decides the merges that documents tell of, but for those that were decided before: a
    /// person may have split them since. One that does not fit is refused.
    pub(crate) fn merge(&mut self, watch: &dyn Watch) -> Result<(), Error> {
        let merges = std::mem::take(&mut self.intake.merges).found;
        if merges.is_empty() {
            return Ok(());
        }
        let source_id = self.intake.source_id;
        let decisions = self.batch.decisions(source_id)?.into_iter();
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
        for (merge, document) in merges {
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
            let note = Some(AS_THE_FILE_SAYS);
            match self.batch.decide(source_id, &decision, note, self.now) {
                Ok(news) => self.intake.changed |= news,
                Err(StoreError::InvalidDecision { reason }) => {
                    let what = format!("{refused}: {reason}");
                    self.intake.refuse(&document, what, watch);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}
