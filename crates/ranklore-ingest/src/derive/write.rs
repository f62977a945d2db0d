//! Writes a derived contest. Syncs, list updates and rebuilds all write through this module.

use std::borrow::Cow;
use std::time::Instant;

use ranklore_source::SiteListing;
use ranklore_source::assemble::Assembly;
use ranklore_store::{
    Completeness, ContestUpsert, DocumentId, ListedContest, UpsertOutcome, WriteBatch,
};

use crate::derive::contest::Derivation;
use crate::derive::site::Site;
use crate::derive::sync_state::{SyncOccasion, SyncTrigger};
use crate::error::Error;
use crate::log::log_contest;

/// The changes made by writing a derived contest or event, and what is to be reported.
#[derive(Default)]
pub(crate) struct WriteOutcome {
    /// The change to each contest with results, and the number of its results.
    pub(crate) written: Vec<(UpsertOutcome, usize)>,
    /// The assembled answers, without the contests.
    pub(crate) assembly: Assembly,
    /// The counts that make the contest incomplete, if it is.
    pub(crate) incomplete: Option<Completeness>,
    /// True if content was deleted that no remaining document has.
    pub(crate) deleted_last_copy: bool,
}

impl Site<'_> {
    /// Writes what was derived of the contest or event `listed`: contests, official ratings, sync
    /// state and deletions.
    pub(crate) fn write(
        &self,
        batch: &mut WriteBatch<'_>,
        listed: &SiteListing,
        mut derived: Derivation,
        occasion: &SyncOccasion<'_>,
    ) -> Result<WriteOutcome, Error> {
        let mut outcome = WriteOutcome::default();
        if let SyncTrigger::Requested(requested) = &occasion.trigger {
            outcome.deleted_last_copy =
                self.delete_superseded(batch, listed, &derived, requested.deletable)?;
        }
        if derived.deletes_results && batch.delete_results(self.source_id, &listed.external_id)? {
            outcome.written.push((UpsertOutcome::Withdrawn, 0));
        }
        let before = batch.contest_sync(self.source_id, &listed.external_id)?;
        let sync = self.sync_state(listed, &derived, before.as_ref(), occasion);
        let current = sync.as_ref().or(before.as_ref());
        outcome.incomplete = current
            .and_then(|sync| sync.completeness.clone())
            .filter(Completeness::is_held_back)
            .filter(|_| derived.mark_incomplete());
        if derived.contests.is_empty() && !derived.assembly.is_event {
            self.write_listed(batch, listed, &derived)?;
        }
        // The log counts the time of reading the documents for the first contest.
        let mut read_duration = derived.read_duration;
        for contest in &derived.contests {
            let assembled = &contest.assembled;
            let upsert = ContestUpsert {
                contest: Cow::Borrowed(&assembled.contest),
                hash: contest.hash,
                state: contest.state,
                rated: assembled.rated,
            };
            let start = Instant::now();
            let document_id = DocumentId::new(assembled.read_from.0);
            let change = batch.upsert_contest(self.source_id, document_id, upsert)?;
            let duration = std::mem::take(&mut read_duration) + start.elapsed();
            let results = assembled.contest.entrants.len();
            let id = &assembled.contest.external_id;
            log_contest(self.name.as_str(), id, results, Some(change), duration);
            if !assembled.official.is_empty() {
                self.insert_official(batch, assembled, occasion.now)?;
            }
            outcome.written.push((change, results));
        }
        // An unchanged state is not written again.
        if let Some(sync) = sync.filter(|sync| before.as_ref() != Some(sync)) {
            batch.upsert_contest_sync(self.source_id, &sync)?;
        }
        outcome.assembly = derived.assembly;
        Ok(outcome)
    }

    /// Writes a contest without results from its list entry.
    fn write_listed(
        &self,
        batch: &mut WriteBatch<'_>,
        listed: &SiteListing,
        derived: &Derivation,
    ) -> Result<(), Error> {
        let start = Instant::now();
        if let Some(list) = derived.list {
            batch.upsert_listed_contest(
                self.source_id,
                list,
                &ListedContest {
                    external_id: &listed.external_id,
                    name: &listed.name,
                    event: listed.event.as_deref(),
                    division: listed.division.as_deref(),
                    ordinal: listed.ordinal,
                    url: listed.url.as_deref(),
                    starts_at: listed.starts_at,
                    ends_at: listed.ends_at,
                },
                derived.state,
            )?;
        }
        let duration = derived.read_duration + start.elapsed();
        log_contest(self.name.as_str(), &listed.external_id, 0, None, duration);
        Ok(())
    }
}
