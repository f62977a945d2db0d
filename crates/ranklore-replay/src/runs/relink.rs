//! Runs over results of which only names change.

use ranklore_contest::SourceName;
use ranklore_store::{Batch, ContestId, ContestRow, RunRow, Store};

use crate::error::Error;
use crate::runs::fingerprint::{Chain, is_current};
use crate::runs::identities::Identities;
use crate::runs::lineup::Replay;
use crate::runs::selection::RunSelection;
use crate::runs::teams::Teams;

/// A run that matches the results, and those of its inputs that may depend on names.
#[derive(PartialEq)]
pub struct CurrentRun {
    run: RunRow,
    /// The contests in replay order: ids, which may contain names, order those that end at the same
    /// time.
    contests: Vec<ContestId>,
    identities: Identities,
    /// Hash of the teams: of a person's tied teams the first by name counts.
    crews: Option<[u8; 32]>,
}

/// Returns the runs over a source that match the results.
///
/// # Errors
/// [`Error::Store`].
pub fn current_runs(batch: &Batch<'_>, source: &SourceName) -> Result<Vec<CurrentRun>, Error> {
    let mut current = Vec::new();
    for run in batch.runs()? {
        let selection = RunSelection::from_canonical_json(&run.selection);
        if !selection.sources.contains(source) {
            continue;
        }
        match selection.contests(batch) {
            Ok(contests) if is_current(batch, &run, &contests)? => {
                current.push(CurrentRun::of(batch, run, &contests)?);
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
pub fn relink(batch: &mut Batch<'_>, current: Vec<CurrentRun>) -> Result<(), Error> {
    for before in current {
        // The selected division may have contained the name.
        let Some(run) = batch.run(before.run.run_id)? else {
            continue;
        };
        let selection = RunSelection::from_canonical_json(&run.selection);
        let contests = selection.contests_if_any(batch)?;
        let now = CurrentRun::of(batch, before.run.clone(), &contests)?;
        // Changed merges, starting ratings or replay order would change ratings.
        if now != before {
            continue;
        }
        let CurrentRun {
            run, identities, ..
        } = now;
        let (system, parameters) = (&run.system, &run.parameters);
        let chain = Chain::of(batch, &contests, &identities, system, parameters)?;
        batch.relink_run(run.run_id, chain.links())?;
    }
    Ok(())
}

impl CurrentRun {
    fn of(store: &Store, run: RunRow, contests: &[ContestRow]) -> Result<Self, Error> {
        let identities = Identities::load(store, contests, Teams::of_run(&run.parameters))?;
        let crews = match identities.teams {
            Teams::Whole => None,
            Teams::Members => Some(Replay::load(store, contests, 0, &identities)?.digest()),
        };
        Ok(Self {
            run,
            contests: contests.iter().map(|contest| contest.contest_id).collect(),
            identities,
            crews,
        })
    }
}
