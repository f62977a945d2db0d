//! The hash chain of a run: for each contest the hash of all inputs of its ratings, including those
//! of the contests before it. The first difference between the chains of a run and of the results
//! is the first change.

use std::cmp::Ordering;

use ranklore_contest::ContentHash;
use ranklore_rating::ENGINE_VERSION;
use ranklore_store::{ContestRow, OFFICIAL, RunRow, Store};

use crate::error::Error;
use crate::runs::identities::Identities;

/// Hashes of the contests in replay order.
pub(crate) struct HashChain {
    seed: [u8; 32],
    hashes: Vec<[u8; 32]>,
}

impl HashChain {
    pub(crate) fn load(
        store: &Store,
        contests: &[ContestRow],
        identities: &Identities,
        system: &str,
        parameters: &str,
    ) -> Result<Self, Error> {
        let mut hasher = blake3::Hasher::new();
        for word in [ENGINE_VERSION, system, parameters] {
            hash_text(&mut hasher, word);
        }
        let seed = *hasher.finalize().as_bytes();
        let mut last = seed;
        let remarks = identities.entrant_overrides(store)?;
        let mut hashes = Vec::with_capacity(contests.len());
        for contest in contests {
            hasher.reset();
            hasher.update(&last);
            hash_text(&mut hasher, &contest.source);
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
            hashes.push(last);
        }
        Ok(Self { seed, hashes })
    }

    /// Returns the hash up to and including the contest at `position`.
    pub(crate) fn hash_at(&self, position: usize) -> &[u8; 32] {
        &self.hashes[position]
    }

    /// Returns the hashes of all contests.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = &[u8; 32]> {
        self.hashes.iter()
    }

    /// Returns the hash of all inputs.
    pub(crate) fn last_hash(&self) -> [u8; 32] {
        self.hashes.last().copied().unwrap_or(self.seed)
    }

    /// Returns the number of leading contests whose inputs are unchanged since a run.
    pub(crate) fn common_prefix_len(&self, store: &Store, run: &RunRow) -> Result<usize, Error> {
        let rated = store.run_contests(run.run_id)?;
        let pairs = rated.iter().zip(&self.hashes);
        Ok(pairs.take_while(|(of, hash)| of.chain == **hash).count())
    }
}

/// True if the results are unchanged since a run; `contests` are those that it selects.
///
/// # Errors
/// [`Error::Store`].
pub fn is_current(store: &Store, run: &RunRow, contests: &[ContestRow]) -> Result<bool, Error> {
    let identities = Identities::load_for_run(store, contests, run)?;
    let chain = HashChain::load(store, contests, &identities, &run.system, &run.parameters)?;
    Ok(chain.last_hash() == run.fingerprint)
}

/// True if rating a run again would change it. A run of a site's own ratings is never stale: they
/// are not computed here.
pub(crate) fn is_stale(run: &RunRow, is_current: bool) -> bool {
    !is_current && run.system != OFFICIAL
}

/// Returns the reason why a stale run is stale, as a clause.
#[must_use]
pub fn describe_staleness(run: &RunRow) -> &'static str {
    let engine = |version: &str| version.parse::<u32>().ok();
    match engine(&run.engine).cmp(&engine(ENGINE_VERSION)) {
        Ordering::Less => "an earlier version of Ranklore computed it",
        Ordering::Equal => "results have changed since the run",
        Ordering::Greater => "a later version of Ranklore computed it",
    }
}

/// Hashes a text with its length in front, so that different lists never yield the same bytes.
fn hash_text(hasher: &mut blake3::Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}
