//! Answers that differ only in numbers that a site varies at random.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ranklore_contest::Contest;
use ranklore_source::{Request, SiteListing};
use ranklore_store::{DocumentId, Store, WriteBatch};

use crate::derive::contest::Derivation;
use crate::derive::site::Site;
use crate::error::Error;

impl Site<'_> {
    /// Derives a contest before new answers about it arrive, if the site varies numbers at random.
    pub(crate) fn derive_before_answers(
        &self,
        store: &Store,
        listed: &SiteListing,
        list: Option<DocumentId>,
    ) -> Result<Option<Derivation>, Error> {
        let mut keys = listed.results.iter().map(Request::key);
        if keys.any(|key| self.source.without_noise(&key, b"{}").is_some()) {
            return self.derive(store, listed, list).map(Some);
        }
        Ok(None)
    }

    /// Returns the contest after new answers; or, if these differ from the earlier ones by noise only,
    /// deletes them and returns the contest before: without them a rebuild gives it too. `archived`
    /// has the new answers by request key.
    pub(crate) fn drop_noise(
        &self,
        batch: &mut WriteBatch<'_>,
        before: Derivation,
        after: Derivation,
        archived: &[(String, DocumentId)],
    ) -> Result<Derivation, Error> {
        if !self.differs_by_noise(batch, &before, &after)? {
            return Ok(after);
        }
        for (_, document_id) in archived {
            batch.delete_document(*document_id)?;
        }
        Ok(before)
    }

    /// True if a contest after new answers has the order that it had before, and the answers differ
    /// only in numbers that the site varies at random.
    fn differs_by_noise(
        &self,
        store: &Store,
        before: &Derivation,
        after: &Derivation,
    ) -> Result<bool, Error> {
        let ([old], [new]) = (&before.contests[..], &after.contests[..]) else {
            return Ok(false);
        };
        let is_usable = |derived: &Derivation| {
            let assembly = &derived.assembly;
            assembly.refused.is_none() && assembly.newest_answers == assembly.result_answers
        };
        Ok(is_usable(before)
            && is_usable(after)
            && has_same_order(&old.assembled.contest, &new.assembled.contest)
            && self.load_without_noise(store, before)? == self.load_without_noise(store, after)?)
    }

    /// Returns the answers that a contest comes from, by request key, without random numbers.
    fn load_without_noise(
        &self,
        store: &Store,
        derived: &Derivation,
    ) -> Result<BTreeMap<String, Option<Vec<u8>>>, Error> {
        let mut answers = BTreeMap::new();
        for answer in &derived.assembly.result_answers {
            let document = store.document(DocumentId::new(answer.0))?;
            let key = document.row.request_key;
            let stable = self.source.without_noise(&key, &document.body).map(Cow::into_owned);
            answers.insert(key, stable);
        }
        Ok(answers)
    }
}

/// True if two results of a contest are equal but for the scores.
fn has_same_order(a: &Contest, b: &Contest) -> bool {
    let without_scores = |contest: &Contest| {
        let mut contest = contest.clone();
        for entrant in &mut contest.entrants {
            entrant.score = None;
        }
        contest
    };
    without_scores(a) == without_scores(b)
}
