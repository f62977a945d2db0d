//! Writes contests of a site as they were derived, with what was learned about them.

use std::time::Instant;

use ranklore_contest::{EntrantKind, UnixSeconds};
use ranklore_replay::RunSelection;
use ranklore_source::Listed;
use ranklore_store::{
    Batch, ContestSync, DocumentId, ListedContest, OfficialRow, Put, RunId, SyncOutcome,
};

use crate::derive::derived::{Derived, Stood};
use crate::derive::site::Site;
use crate::error::Error;
use crate::log::log_contest;

impl Site<'_> {
    /// What is known of a contest after it was asked about at `tried_at`, and its results read, if
    /// they can be, at `read_at`: times of the clock, which what is archived need not have come
    /// at, if a clock was wrong once. `read_before` is when they were last read before.
    pub(crate) fn learned(
        &self,
        listed: &Listed,
        derived: &Derived,
        tried_at: i64,
        read_at: i64,
        read_before: Option<i64>,
    ) -> ContestSync {
        let outcome = derived
            .newest
            .map_or(SyncOutcome::NotYet, |newest| newest.outcome);
        // A closed door says nothing of what is behind it.
        let read = derived.newest.is_some()
            && !matches!(outcome, SyncOutcome::Refused | SyncOutcome::Blocked);
        let read_at = if read { Some(read_at) } else { read_before };
        // What was read again, and came before, has not come to rest by that.
        let came_at = derived.newest.map(|newest| newest.fetched_at);
        let rests = |at: Option<i64>| at.is_some_and(|at| at >= self.settled_at(listed));
        let settled = read && rests(read_at) && rests(came_at);
        let further = &derived.further;
        let reasons = derived.refused.iter();
        let mut reasons = reasons.chain(&further.refused).chain(&further.closed);
        let closed = || "the site does not let it be read".to_owned();
        ContestSync {
            external_id: listed.external_id.clone(),
            outcome,
            tried_at,
            read_at,
            due_at: (!settled || !further.refused.is_empty()).then_some(tried_at),
            reason: (reasons.next().cloned())
                .or_else(|| (outcome == SyncOutcome::Blocked).then(closed)),
        }
    }

    /// Writes a contest as it was derived, and says what became of its results, if it has any.
    /// `list` is what it is listed in.
    pub(crate) fn put(
        &self,
        batch: &mut Batch<'_>,
        listed: &Listed,
        derived: &Derived,
        list: Option<DocumentId>,
    ) -> Result<Option<Put>, Error> {
        let began = Instant::now();
        let put = self.write(batch, listed, derived, list)?;
        let results = derived.stood.as_ref().map(|of| of.contest.entrants.len());
        log_contest(
            self.name.as_str(),
            &listed.external_id,
            results.unwrap_or_default(),
            put,
            derived.took + began.elapsed(),
        );
        Ok(put)
    }

    fn write(
        &self,
        batch: &mut Batch<'_>,
        listed: &Listed,
        derived: &Derived,
        list: Option<DocumentId>,
    ) -> Result<Option<Put>, Error> {
        if let Some(stood) = &derived.stood {
            let put = batch.put_hashed_contest(
                self.source_id,
                stood.document_id,
                &stood.contest,
                stood.hash,
                derived.state,
                self.source.rates(&stood.contest),
            );
            return Ok(Some(put?));
        }
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
        Ok(None)
    }

    /// Writes every contest of what was listed as it was derived, with the ratings that the site
    /// gave itself, in the run `official`, which is made if need be. Says what became of each.
    pub(crate) fn put_each(
        &self,
        batch: &mut Batch<'_>,
        listed: &Listed,
        derived: &Derived,
        list: Option<DocumentId>,
        official: &mut Option<RunId>,
        now: UnixSeconds,
    ) -> Result<Vec<Option<Put>>, Error> {
        let mut puts = Vec::new();
        for (listed, derived) in derived.each(listed) {
            puts.push(self.put(batch, listed, derived, list)?);
            if let Some(stood) = derived.stood.as_ref().filter(|of| !of.official.is_empty()) {
                let run_id = match *official {
                    Some(run_id) => run_id,
                    None => self.official_run(batch, now)?,
                };
                *official = Some(run_id);
                self.put_official(batch, run_id, stood)?;
            }
        }
        Ok(puts)
    }

    /// The run of the ratings that the site gave itself.
    fn official_run(&self, batch: &mut Batch<'_>, now: UnixSeconds) -> Result<RunId, Error> {
        Ok(batch.official_run(&RunSelection::of(&self.name).canonical_json(), now)?)
    }

    /// Writes what the site itself made of a contest that was just put.
    fn put_official(
        &self,
        batch: &mut Batch<'_>,
        run_id: RunId,
        stood: &Stood,
    ) -> Result<(), Error> {
        let external_id = &stood.contest.external_id;
        let Some(contest_id) = batch.contest_id_of(self.source_id, external_id)? else {
            return Ok(());
        };
        // Those who stood in a team are people of their own.
        let people = (stood.official.iter()).map(|rating| &*rating.competitor);
        let people = batch.competitor_ids(self.source_id, EntrantKind::Person, people)?;
        let rows = people.into_iter().zip(&stood.official);
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
