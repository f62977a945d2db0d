//! Runs over results of which only names change.

use ranklore_contest::SourceName;
use ranklore_rating::AllTied;
use ranklore_store::{ContestId, RatableContest, RunRow, Store, WriteBatch};

use crate::error::Error;
use crate::runs::fingerprint::{HashChain, is_current};
use crate::runs::identities::Identities;
use crate::runs::lineup::Replay;
use crate::runs::selection::RunSelection;
use crate::runs::teams::TeamMode;

/// A run that matches the results, and those of its inputs that may depend on names.
#[derive(PartialEq)]
pub struct CurrentRun {
    run: RunRow,
    /// The contests in replay order: ids, which may contain names, order those that end at the same
    /// time.
    contests: Vec<ContestId>,
    identities: Identities,
    /// Hash of the teams: of a person's tied teams the first by name counts.
    team_digest: Option<[u8; 32]>,
}

/// Returns the runs over a source that match the results.
///
/// # Errors
/// [`Error::Store`].
pub fn current_runs(batch: &WriteBatch<'_>, source: &SourceName) -> Result<Vec<CurrentRun>, Error> {
    let mut current = Vec::new();
    for run in batch.runs()? {
        let selection = RunSelection::from_canonical_json(&run.selection);
        if !selection.sources.contains(source) {
            continue;
        }
        match selection.contests(batch) {
            Ok(contests) if is_current(batch, &run)? => {
                current.push(CurrentRun::load(batch, run, &contests)?);
            }
            Ok(_) | Err(Error::NoContests { .. } | Error::NoSource { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(current)
}

/// Keeps the ratings of these runs if only names changed: updates their fingerprints.
///
/// # Errors
/// [`Error::Store`].
pub fn refresh_fingerprints(
    batch: &mut WriteBatch<'_>,
    current: Vec<CurrentRun>,
) -> Result<(), Error> {
    for before in current {
        // The selected division may have contained the name.
        let Some(run) = batch.run(before.run.run_id)? else {
            continue;
        };
        let selection = RunSelection::from_canonical_json(&run.selection);
        let contests = selection.contests_if_any(batch)?;
        let now = CurrentRun::load(batch, before.run.clone(), &contests)?;
        // Changed merges, starting ratings or replay order would change ratings.
        if now == before {
            let CurrentRun {
                run, identities, ..
            } = &now;
            let chain =
                HashChain::load(batch, &contests, identities, &run.system, &run.parameters)?;
            let hashes: Vec<[u8; 32]> = chain.hashes().collect();
            batch.update_run_chain(run.run_id, hashes.iter())?;
            batch.record_source_changes(run.run_id)?;
        }
    }
    Ok(())
}

impl CurrentRun {
    fn load(store: &Store, run: RunRow, contests: &[RatableContest]) -> Result<Self, Error> {
        let identities = Identities::load_for_run(store, contests, &run)?;
        let team_digest = match identities.teams {
            TeamMode::Whole => None,
            TeamMode::Members => Some(
                Replay::load(store, contests, 0, &identities, AllTied::default())?.team_digest(),
            ),
        };
        Ok(Self {
            run,
            contests: contests.iter().map(|contest| contest.contest_id).collect(),
            identities,
            team_digest,
        })
    }
}
