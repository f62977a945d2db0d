//! Writes a derived contest. Syncs, list updates and rebuilds all write through this module.

use std::time::{Duration, Instant};

use ranklore_contest::{ContentHash, Contest, EntrantKind, UnixSeconds};
use ranklore_replay::RunSelection;
use ranklore_source::Listed;
use ranklore_source::assemble::{AssembledContest, Assembly};
use ranklore_store::{
    Batch, Completeness, ContestState, DocumentId, ListedContest, OfficialRow, Put, SourceId,
};

use crate::derive::contest::Derived;
use crate::derive::site::Site;
use crate::derive::sync_state::Occasion;
use crate::error::Error;
use crate::log::log_contest;

/// The changes made by writing a derived contest or event, and what is to be reported.
#[derive(Default)]
pub(crate) struct Outcome {
    /// The change to each contest with results, and the number of its results.
    pub(crate) written: Vec<(Put, usize)>,
    /// The assembled answers, without the contests.
    pub(crate) assembly: Assembly,
    /// The counts that make the contest incomplete, if it is.
    pub(crate) held_back: Option<Completeness>,
    /// True if content was deleted that no remaining document has.
    pub(crate) lost: bool,
}

/// A contest with results and the document they are from.
pub(crate) struct ContestToWrite<'c> {
    pub(crate) document_id: DocumentId,
    pub(crate) contest: &'c Contest,
    pub(crate) hash: ContentHash,
    pub(crate) state: ContestState,
    pub(crate) rated: bool,
}

impl ContestToWrite<'_> {
    /// Writes and logs the contest. `took` is the time it took to read it.
    pub(crate) fn write(
        &self,
        batch: &mut Batch<'_>,
        source: &str,
        source_id: SourceId,
        took: Duration,
    ) -> Result<Put, Error> {
        let began = Instant::now();
        let contest = self.contest;
        let put = batch.put_contest(
            source_id,
            self.document_id,
            contest,
            self.hash,
            self.state,
            self.rated,
        )?;
        let results = contest.entrants.len();
        let took = took + began.elapsed();
        log_contest(source, &contest.external_id, results, Some(put), took);
        Ok(put)
    }
}

impl Site<'_> {
    /// Derives the contest or event `listed` and writes the result: contests, official ratings,
    /// sync state and deletions. `list` is the document that lists it.
    pub(crate) fn update(
        &self,
        batch: &mut Batch<'_>,
        listed: &Listed,
        list: Option<DocumentId>,
        occasion: &Occasion<'_>,
        now: UnixSeconds,
    ) -> Result<Outcome, Error> {
        let derived = self.derive(batch, listed)?;
        self.write(batch, listed, list, derived, occasion, now)
    }

    /// Writes an existing derivation like [`Site::derive_and_write`].
    pub(crate) fn write(
        &self,
        batch: &mut Batch<'_>,
        listed: &Listed,
        list: Option<DocumentId>,
        mut derived: Derived,
        occasion: &Occasion<'_>,
        now: UnixSeconds,
    ) -> Result<Outcome, Error> {
        let mut outcome = Outcome::default();
        if let Occasion::Asked { deletable, .. } = occasion {
            outcome.lost = self.delete_superseded(batch, listed, &derived, deletable)?;
        }
        if derived.takes_results {
            batch.take_results(self.source_id, &listed.external_id)?;
        }
        let before = batch.contest_sync(self.source_id, &listed.external_id)?;
        let sync = self.sync_state(listed, &derived, before.as_ref(), occasion);
        let known = sync.as_ref().or(before.as_ref());
        let completeness = known.and_then(|sync| sync.completeness.clone());
        let completeness = completeness.filter(Completeness::holds_back);
        outcome.held_back = completeness.filter(|_| derived.hold_back());
        if derived.contests.is_empty() && !derived.assembly.is_event {
            self.write_listed(batch, listed, list, &derived)?;
        }
        let mut took = derived.took;
        for derived in &derived.contests {
            let assembled = &derived.assembled;
            let contest = ContestToWrite {
                document_id: DocumentId::new(assembled.read_from.0),
                contest: &assembled.contest,
                hash: derived.hash,
                state: derived.state,
                rated: assembled.rated,
            };
            let took = std::mem::take(&mut took);
            let put = contest.write(batch, self.name.as_str(), self.source_id, took)?;
            if !assembled.official.is_empty() {
                self.write_official(batch, assembled, now)?;
            }
            outcome
                .written
                .push((put, assembled.contest.entrants.len()));
        }
        if let Some(sync) = sync.filter(|sync| before.as_ref() != Some(sync)) {
            batch.put_contest_sync(self.source_id, &sync)?;
        }
        outcome.assembly = derived.assembly;
        Ok(outcome)
    }

    /// Writes a contest without results from its list entry.
    fn write_listed(
        &self,
        batch: &mut Batch<'_>,
        listed: &Listed,
        list: Option<DocumentId>,
        derived: &Derived,
    ) -> Result<(), Error> {
        let began = Instant::now();
        if let Some(list) = list {
            batch.put_listed(
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
        log_contest(
            self.name.as_str(),
            &listed.external_id,
            0,
            None,
            derived.took + began.elapsed(),
        );
        Ok(())
    }

    /// Writes the site's own ratings into the run `official`, creating it if necessary.
    fn write_official(
        &self,
        batch: &mut Batch<'_>,
        assembled: &AssembledContest,
        now: UnixSeconds,
    ) -> Result<(), Error> {
        let run_id = batch.official_run(&RunSelection::of(&self.name).canonical_json(), now)?;
        let external_id = &assembled.contest.external_id;
        let Some(contest_id) = batch.contest_id_of(self.source_id, external_id)? else {
            return Ok(());
        };
        // Members of a team are persons of their own.
        let official = &assembled.official;
        let people = official.iter().map(|rating| &*rating.competitor);
        let people = batch.competitor_ids(self.source_id, EntrantKind::Person, people)?;
        let rows = people.into_iter().zip(official);
        let rows: Vec<OfficialRow> = rows
            .filter_map(|(person, rating)| {
                Some(OfficialRow {
                    competitor_id: person?,
                    before: rating.before,
                    after: rating.after,
                    volatility: rating.volatility,
                })
            })
            .collect();
        batch.put_official(run_id, contest_id, &rows)?;
        Ok(())
    }
}
