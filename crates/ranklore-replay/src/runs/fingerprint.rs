//! The hash chain of a run: for each contest the hash of all inputs of its ratings, including those
//! of the contests before it. The first difference between the chains of a run and of the results
//! is the first change.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

use ranklore_rating::ENGINE_VERSION;
use ranklore_store::{ContestId, ContestIds, OFFICIAL, RatableContest, RunRow, SourceId, Store};

use crate::error::Error;
use crate::runs::identities::{EntrantOverride, Identities};
use crate::runs::selection::RunSelection;
use crate::runs::weights::Weights;

/// Hashes of the contests in replay order. They are computed when they are needed: a million would
/// take 32 MB.
pub(crate) struct HashChain<'c> {
    contests: &'c [RatableContest],
    sources: HashMap<SourceId, String>,
    overrides: HashMap<ContestId, Vec<EntrantOverride>>,
    weights: Weights,
    seed: [u8; 32],
}

impl<'c> HashChain<'c> {
    pub(crate) fn load(
        store: &Store,
        contests: &'c [RatableContest],
        identities: &Identities,
        system: &str,
        parameters: &str,
    ) -> Result<Self, Error> {
        let mut hasher = blake3::Hasher::new();
        for word in [ENGINE_VERSION, system, parameters] {
            hash_text(&mut hasher, word);
        }
        Ok(Self {
            contests,
            sources: store.source_names()?,
            overrides: identities.entrant_overrides(store)?,
            weights: Weights::from_run_parameters(parameters),
            seed: *hasher.finalize().as_bytes(),
        })
    }

    /// Returns the chain of contests that follow those of a run, whose teams are not rated by
    /// members.
    pub(crate) fn continue_run(
        store: &Store,
        run: &RunRow,
        contests: &'c [RatableContest],
        identities: &Identities,
    ) -> Result<Self, Error> {
        let ids = contests.iter().map(|contest| contest.contest_id);
        Ok(Self {
            contests,
            sources: store.source_names()?,
            overrides: identities.entrant_overrides_of(store, ids)?,
            weights: Weights::from_run_parameters(&run.parameters),
            seed: run.fingerprint,
        })
    }

    /// Returns the hashes of all contests, each of everything up to and including the contest.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = [u8; 32]> + '_ {
        let mut hasher = blake3::Hasher::new();
        let mut last = self.seed;
        self.contests.iter().map(move |contest| {
            hasher.reset();
            hasher.update(&last);
            let source = self.sources.get(&contest.source_id);
            hash_text(&mut hasher, source.map_or("", String::as_str));
            hasher.update(&contest.content_hash);
            if self.weights.depend_on_selection() {
                hasher.update(&contest.relative_duration.to_bits().to_le_bytes());
            }
            let overrides = self.overrides.get(&contest.contest_id);
            for entrant in overrides.into_iter().flatten() {
                hasher.update(&entrant.account.get().to_le_bytes());
                hasher.update(&entrant.counts_as.get().to_le_bytes());
                let mu = entrant.start.map(|start| start.mu);
                let sigma = entrant.start.and_then(|start| start.sigma);
                for number in [mu, sigma] {
                    hasher.update(&[u8::from(number.is_some())]);
                    hasher.update(&number.unwrap_or(0.0).to_bits().to_le_bytes());
                }
            }
            last = *hasher.finalize().as_bytes();
            last
        })
    }

    /// Returns the hash of all inputs.
    pub(crate) fn last_hash(&self) -> [u8; 32] {
        self.hashes().last().unwrap_or(self.seed)
    }

    /// Returns the number of leading contests whose inputs are unchanged since a run.
    pub(crate) fn common_prefix_len(&self, store: &Store, run: &RunRow) -> Result<usize, Error> {
        let mut hashes = self.hashes();
        let mut count = 0;
        let mut unchanged = 0;
        let mut is_unchanged = true;
        store.for_each_run_contest(run.run_id, |contest| {
            count += 1;
            let hash = hashes.next();
            // A contest without a stored hash is unchanged if the next one with its hash is.
            if is_unchanged && contest.chain.is_some() {
                is_unchanged = hash == contest.chain;
                unchanged = if is_unchanged { count } else { unchanged };
            }
        })?;
        Ok(unchanged)
    }
}

/// Returns a hash of all results of contests in replay order, by which two databases can be compared.
///
/// # Errors
/// [`Error::Store`].
pub fn hash_standings(
    store: &Store,
    contests: &[RatableContest],
    identities: &Identities,
) -> Result<[u8; 32], Error> {
    Ok(HashChain::load(store, contests, identities, "", "")?.last_hash())
}

/// Counts the contests that a run selects and that were not there, or not to be rated, when it was
/// rated.
///
/// # Errors
/// [`Error::Store`].
pub fn count_new_contests(store: &Store, run: &RunRow) -> Result<u64, Error> {
    let filter = RunSelection::from_canonical_json(&run.selection).contest_filter();
    if let Some(newest) = run.newest_contest_id
        && store.has_uncorrected_sources(run)?
    {
        let new = store.ratable_contests_with_ids(&filter, ContestIds::After(newest))?;
        return Ok(new.len() as u64);
    }
    Ok(store.count_new_contests(run.run_id, &filter)?)
}

/// True if the results are unchanged since a run. Compares change counters; if they differ, looks for
/// new contests, and if there are none, compares the hashes of all contests.
///
/// # Errors
/// [`Error::Store`], [`Error::NoSource`].
pub fn is_current(store: &Store, run: &RunRow) -> Result<bool, Error> {
    if run.engine == ENGINE_VERSION && store.has_unchanged_sources(run)? {
        return Ok(true);
    }
    if count_new_contests(store, run)? > 0 {
        return Ok(false);
    }
    if run.engine == ENGINE_VERSION && store.has_uncorrected_sources(run)? {
        return Ok(true);
    }
    let contests = RunSelection::from_canonical_json(&run.selection).contests_if_any(store)?;
    let identities = Identities::load_for_run(store, &contests, run)?;
    let chain = HashChain::load(store, &contests, &identities, &run.system, &run.parameters)?;
    Ok(chain.last_hash() == run.fingerprint)
}

/// True if rating a run again would change it. A run of a site's own ratings is never stale: they
/// are not computed here.
#[must_use]
pub fn is_stale(run: &RunRow, is_current: bool) -> bool {
    !is_current && run.system != OFFICIAL
}

/// The reason why a run is stale. Displays as a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Staleness {
    /// The run selects this number of contests that are newer than it.
    NewContests(u64),
    /// Results have changed, or another version computed the run; the reason in words.
    Changed(&'static str),
}

impl Staleness {
    /// Finds the reason why a stale run is stale.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn find(store: &Store, run: &RunRow) -> Result<Self, Error> {
        let newer = if run.engine == ENGINE_VERSION {
            count_new_contests(store, run)?
        } else {
            0
        };
        Ok(match newer {
            0 => Self::Changed(describe_staleness(run)),
            newer => Self::NewContests(newer),
        })
    }
}

impl fmt::Display for Staleness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NewContests(1) => f.write_str("1 contest newer than this run"),
            Self::NewContests(newer) => write!(f, "{newer} contests newer than this run"),
            Self::Changed(reason) => f.write_str(reason),
        }
    }
}

/// Returns the reason why a stale run is stale, as a clause, without looking for new contests.
#[must_use]
pub fn describe_staleness(run: &RunRow) -> &'static str {
    let [run_engine, engine] = [&*run.engine, ENGINE_VERSION].map(|v| v.parse::<u32>().ok());
    match run_engine.cmp(&engine) {
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
