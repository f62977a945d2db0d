//! Writes a derived contest. Syncs, list updates and rebuilds all write through this module.

use std::borrow::Cow;
use std::collections::HashSet;
use std::iter::repeat_n;
use std::time::{Duration, Instant};

use ranklore_source::SiteListing;
use ranklore_source::assemble::Assembly;
use ranklore_store::{
    Completeness, ContestSync, ContestUpsert, DocumentId, ListedContest, UpsertOutcome, WriteBatch,
};

use crate::derive::contest::{Derivation, DerivedContest};
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
        derived: Derivation,
        occasion: &SyncOccasion<'_>,
    ) -> Result<WriteOutcome, Error> {
        let mut outcomes = self.write_together(batch, vec![(listed, derived)], occasion)?;
        Ok(outcomes.pop().unwrap_or_default())
    }

    /// Writes several contests or events like [`Site::write`], and returns the outcome of each. New
    /// contests of a document are inserted together, since the statements would cost more than the
    /// rows.
    pub(crate) fn write_together(
        &self,
        batch: &mut WriteBatch<'_>,
        mut listings: Vec<(&SiteListing, Derivation)>,
        occasion: &SyncOccasion<'_>,
    ) -> Result<Vec<WriteOutcome>, Error> {
        let mut outcomes = Vec::with_capacity(listings.len());
        let mut syncs = Vec::new();
        for (listed, derived) in &mut listings {
            let (outcome, sync) = self.write_before_results(batch, listed, derived, occasion)?;
            outcomes.push(outcome);
            syncs.extend(sync);
        }
        let derived_contests = listings.iter().flat_map(|(_, derived)| &derived.contests);
        let contests: Vec<&DerivedContest> = derived_contests.collect();
        let read_duration = listings.iter().map(|(_, derived)| derived.read_duration).sum();
        let changes = self.write_results(batch, &contests, read_duration)?;
        let written = contests.iter().zip(&changes);
        // A contest that is not new may have official ratings that its site took back.
        let rated = written.filter(|(contest, change)| {
            !contest.assembled.official.is_empty() || **change != UpsertOutcome::Added
        });
        let rated = rated.map(|(contest, _)| &contest.assembled);
        self.insert_official(batch, rated, occasion.now)?;
        let mut changes = changes.into_iter();
        for sync in &syncs {
            batch.upsert_contest_sync(self.source_id, sync)?;
        }
        for (outcome, (_, derived)) in outcomes.iter_mut().zip(listings) {
            let sizes = derived.contests.iter().map(DerivedContest::result_count);
            outcome.written.extend(changes.by_ref().zip(sizes));
            outcome.assembly = derived.assembly;
        }
        Ok(outcomes)
    }

    /// Writes what precedes the results of a contest or event: deletions, and its list entry if it
    /// has no results. Returns the sync state to write, unless it is unchanged.
    fn write_before_results(
        &self,
        batch: &mut WriteBatch<'_>,
        listed: &SiteListing,
        derived: &mut Derivation,
        occasion: &SyncOccasion<'_>,
    ) -> Result<(WriteOutcome, Option<ContestSync>), Error> {
        let mut outcome = WriteOutcome::default();
        if let SyncTrigger::Requested(requested) = &occasion.trigger {
            outcome.deleted_last_copy =
                self.delete_superseded(batch, listed, derived, requested.deletable)?;
        }
        if derived.deletes_results && batch.delete_results(self.source_id, &listed.external_id)? {
            outcome.written.push((UpsertOutcome::Withdrawn, 0));
        }
        let before = batch.contest_sync(self.source_id, &listed.external_id)?;
        let sync = self.sync_state(listed, derived, before.as_ref(), occasion);
        let current = sync.as_ref().or(before.as_ref());
        outcome.incomplete = current
            .and_then(|sync| sync.completeness.clone())
            .filter(Completeness::is_held_back)
            .filter(|_| derived.mark_incomplete());
        if derived.contests.is_empty() && !derived.assembly.is_event {
            self.write_listed(batch, listed, derived)?;
        }
        Ok((outcome, sync.filter(|sync| before.as_ref() != Some(sync))))
    }

    /// Writes contests with their standings, and returns the change to each.
    fn write_results(
        &self,
        batch: &mut WriteBatch<'_>,
        contests: &[&DerivedContest],
        read_duration: Duration,
    ) -> Result<Vec<UpsertOutcome>, Error> {
        let mut changes = Vec::with_capacity(contests.len());
        let start = Instant::now();
        for group in group_by_document(contests) {
            let document_id = DocumentId::new(group[0].assembled.read_from.0);
            let upserts = group.iter().map(|contest| ContestUpsert {
                contest: Cow::Borrowed(&contest.assembled.contest),
                hash: contest.hash,
                state: contest.state,
                rated: contest.assembled.rated,
            });
            batch.upsert_contests(self.source_id, document_id, upserts, |written, change| {
                changes.extend(repeat_n(change, written.len()));
            })?;
        }
        // The log shares the time of reading and writing among contests that are written together.
        let duration = (read_duration + start.elapsed()) / contests.len().max(1) as u32;
        for (contest, change) in contests.iter().zip(&changes) {
            let id = &contest.assembled.contest.external_id;
            let results = contest.result_count();
            log_contest(self.name.as_str(), id, results, Some(*change), duration);
        }
        Ok(changes)
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

/// Groups consecutive contests of one document; in no group is a contest twice.
fn group_by_document<'c, 'd>(contests: &'c [&'d DerivedContest]) -> Vec<&'c [&'d DerivedContest]> {
    let mut groups = Vec::new();
    let mut ids = HashSet::new();
    let mut start = 0;
    for (end, contest) in contests.iter().enumerate() {
        let assembled = &contest.assembled;
        let is_same_document = contests[start].assembled.read_from == assembled.read_from;
        if !is_same_document || !ids.insert(&assembled.contest.external_id) {
            groups.push(&contests[start..end]);
            start = end;
            ids = HashSet::from([&assembled.contest.external_id]);
        }
    }
    groups.extend(contests.get(start..).filter(|group| !group.is_empty()));
    groups
}
