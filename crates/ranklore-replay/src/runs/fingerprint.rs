//! The chain of a run: for each contest a hash of everything that its ratings depend on, those
//! before it included. Where the chains of a run and of the results part, the past changed.

use ranklore_contest::ContentHash;
use ranklore_rating::ENGINE;
use ranklore_store::{ContestRow, RunRow, Store};

use crate::error::Error;
use crate::runs::identities::Identities;
use crate::runs::teams::Teams;

/// A hash for each contest, in the order of replay.
pub(crate) struct Chain {
    begin: [u8; 32],
    links: Vec<[u8; 32]>,
}

impl Chain {
    pub(crate) fn of(
        store: &Store,
        contests: &[ContestRow],
        identities: &Identities,
        system: &str,
        parameters: &str,
    ) -> Result<Self, Error> {
        let mut hasher = blake3::Hasher::new();
        for word in [ENGINE, system, parameters] {
            text(&mut hasher, word);
        }
        let begin = *hasher.finalize().as_bytes();
        let mut last = begin;
        let remarks = identities.remarks(store)?;
        let mut links = Vec::with_capacity(contests.len());
        for contest in contests {
            hasher.reset();
            hasher.update(&last);
            text(&mut hasher, &contest.source);
            let hash = contest.content_hash.as_ref().map(ContentHash::as_bytes);
            hasher.update(hash.unwrap_or(&[0; 32]));
            for remark in remarks.get(&contest.contest_id).into_iter().flatten() {
                hasher.update(&remark.account.get().to_le_bytes());
                hasher.update(&remark.counts_as.get().to_le_bytes());
                let mu = remark.start.map(|start| start.mu);
                let sigma = remark.start.and_then(|start| start.sigma);
                for number in [mu, sigma] {
                    hasher.update(&[u8::from(number.is_some())]);
                    hasher.update(&number.unwrap_or(0.0).to_bits().to_le_bytes());
                }
            }
            last = *hasher.finalize().as_bytes();
            links.push(last);
        }
        Ok(Self { begin, links })
    }

    /// The hash up to and with the contest at `position`.
    pub(crate) fn link(&self, position: usize) -> &[u8; 32] {
        &self.links[position]
    }

    /// The hashes of all contests.
    pub(crate) fn links(&self) -> impl Iterator<Item = &[u8; 32]> {
        self.links.iter()
    }

    /// The hash of everything.
    pub(crate) fn end(&self) -> [u8; 32] {
        self.links.last().copied().unwrap_or(self.begin)
    }

    /// How many contests from the first on a run rated as they are now.
    pub(crate) fn in_common(&self, store: &Store, run: &RunRow) -> Result<usize, Error> {
        let rated = store.run_contests(run.run_id)?;
        let same = rated.iter().zip(&self.links);
        Ok(same
            .take_while(|(rated, link)| rated.chain == **link)
            .count())
    }
}

/// True if a run was made of the results as they are now; `contests` are those it selects.
///
/// # Errors
/// [`Error::Store`].
pub fn is_current(store: &Store, run: &RunRow, contests: &[ContestRow]) -> Result<bool, Error> {
    let identities = Identities::load(store, contests, Teams::of_run(&run.parameters))?;
    let chain = Chain::of(store, contests, &identities, &run.system, &run.parameters)?;
    Ok(chain.end() == run.fingerprint)
}

/// With its length in front, so that no two different lists of texts are the same bytes.
fn text(hasher: &mut blake3::Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}
