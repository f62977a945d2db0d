//! A site as its archive has it, and its contests as they are written. Mining and rebuilding both
//! go through here, so they come to the same.

use std::sync::Arc;

use ranklore_contest::{EntrantKind, SourceName, UnixSeconds};
use ranklore_source::{Document, Listed, ReadError, Reading, Searched, Source, redact};
use ranklore_store::{
    Batch, ContestSync, DocumentId, DocumentRow, ListedContest, OfficialRow, Put, RunId, SourceId,
    Store, SyncOutcome, Tombstones,
};

use crate::derived::{Derived, Stood};
use crate::shared::{Said, Shared};
use crate::{Error, RunSelection};

/// A site, read from its archive.
pub(crate) struct Site<'s> {
    pub(crate) source: &'s dyn Source,
    /// What the source is called in the file.
    pub(crate) name: SourceName,
    pub(crate) source_id: SourceId,
    /// Who is forgotten: nobody is called so, whatever a document says.
    pub(crate) forgotten: Tombstones,
    /// Documents that tell of many contests, read once for all of them.
    pub(crate) shared: Shared,
}

impl Site<'_> {
    /// What a document says, in full.
    pub(crate) fn read(
        &self,
        store: &Store,
        row: &DocumentRow,
    ) -> Result<Result<Reading, ReadError>, Error> {
        let document = store.document(row.document_id)?;
        let mut reading = self.source.read(&Document {
            request_key: &row.request_key,
            // What is stored was in range.
            fetched_at: UnixSeconds::new(row.fetched_at).unwrap_or(UnixSeconds::MIN),
            status: row.status.unwrap_or(200),
            body: &document.body,
        });
        if let Ok(reading) = &mut reading
            && self.name.as_str() != self.source.name()
        {
            // Another site in the form of this one: its contests have no pages there.
            for listed in &mut reading.listed {
                listed.url = None;
            }
        }
        if let Ok(reading) = &mut reading
            && !self.forgotten.is_empty()
        {
            reading.forget(self.source, &|name| self.forgotten.blank(name));
        }
        Ok(reading)
    }

    /// A document without those who are forgotten.
    pub(crate) fn redact<'d>(&self, document: &Document<'d>) -> Result<Searched<'d>, Error> {
        if self.forgotten.is_empty() {
            return Ok(Searched::default());
        }
        let blank = |name: &str| self.forgotten.blank(name);
        redact(self.source, document, &blank).map_err(|cannot| Error::CannotForget {
            document: document.request_key.to_owned(),
            why: cannot.to_string(),
        })
    }

    /// As [`Site::read`], once for a document that tells of many contests.
    pub(crate) fn read_once(&self, store: &Store, row: &DocumentRow) -> Result<Said, Error> {
        if let Some(said) = self.shared.get(row.document_id) {
            return Ok(said);
        }
        let said = self.read(store, row)?.map(Arc::new);
        if !said.as_ref().is_ok_and(|of| of.results.len() <= 1) {
            self.shared.keep(row.document_id, said.clone());
        }
        Ok(said)
    }

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
        let settled = read && read_at.is_some_and(|at| at >= self.settled_at(listed));
        let further = &derived.further;
        let reasons = derived.refused.iter();
        let mut reasons = reasons.chain(&further.refused).chain(&further.closed);
        ContestSync {
            external_id: listed.external_id.clone(),
            outcome,
            tried_at,
            read_at,
            due_at: (!settled || !further.refused.is_empty()).then_some(tried_at),
            reason: reasons.next().cloned(),
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

    /// The run of the ratings that the site gave itself.
    pub(crate) fn official_run(
        &self,
        batch: &mut Batch<'_>,
        now: UnixSeconds,
    ) -> Result<RunId, Error> {
        Ok(batch.official_run(&RunSelection::of(&self.name).canonical_json(), now)?)
    }

    /// Writes what the site itself made of a contest that was just put.
    pub(crate) fn put_official(
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
                })
            })
            .collect();
        batch.put_official(run_id, contest_id, &rows)?;
        Ok(())
    }

    /// Until when a contest may change.
    pub(crate) fn settled_at(&self, listed: &Listed) -> i64 {
        // The document of an event is no other's.
        let first = listed.results.first().filter(|_| listed.several);
        if let Some(at) = first.and_then(|first| first.settles_at) {
            return at.get();
        }
        let ends_at = listed.ends_at.map_or(i64::MAX / 2, UnixSeconds::get);
        ends_at + self.source.terms().provisional.as_secs() as i64
    }
}
