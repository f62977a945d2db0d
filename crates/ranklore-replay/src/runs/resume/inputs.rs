//! The contests that a rating needs: all, or only those that are appended and what came before them.

use ranklore_rating::SystemInfo;
use ranklore_store::{RatableContest, RunRow, Store};

use crate::error::Error;
use crate::runs::contest_size::{exclude_oversized_contests, find_oversized_contests};
use crate::runs::fingerprint::HashChain;
use crate::runs::identities::Identities;
use crate::runs::rating_period::RatingPeriod;
use crate::runs::resume::appended::AppendedContests;
use crate::runs::selection::RunSelection;
use crate::runs::systems::System;
use crate::runs::weights::Weights;

/// The contests that a rating needs.
pub(crate) struct RunInputs {
    /// All contests of the run in replay order; if contests are appended to it, those that
    /// [`AppendedContests`] returns.
    pub(crate) contests: Vec<RatableContest>,
    pub(crate) identities: Identities,
    pub(crate) is_appended: bool,
    /// If contests are appended: the number of earlier ones in `contests`.
    pub(crate) earlier: usize,
    /// The number of contests of the run that are not in `contests`.
    pub(crate) omitted: usize,
    /// The number of contests that are too large.
    pub(crate) unsupported: u64,
}

impl RunInputs {
    pub(crate) fn load(
        store: &Store,
        run: Option<&RunRow>,
        selection: &RunSelection,
        system: &System,
        skip_unsupported: bool,
    ) -> Result<Self, Error> {
        if let Some(run) = run
            && let Some(appended) = AppendedContests::find(store, run, selection, system)?
        {
            return Ok(Self {
                contests: appended.contests,
                identities: appended.identities,
                is_appended: true,
                earlier: appended.earlier,
                omitted: appended.omitted,
                unsupported: 0,
            });
        }
        let mut contests = selection.contests(store)?;
        system.weights.apply(&mut contests);
        if let Some(period) = system.period {
            period.check_order(store, &contests)?;
        }
        let unsupported = exclude_oversized(store, system.about, skip_unsupported, &mut contests)?;
        let sources = contests.iter().map(|contest| contest.source_id);
        Ok(Self {
            identities: Identities::load(store, sources, system.teams)?,
            contests,
            is_appended: false,
            earlier: 0,
            omitted: 0,
            unsupported,
        })
    }

    /// Returns the hash chain: of all contests, or of the appended ones only.
    pub(crate) fn chain(
        &self,
        store: &Store,
        run: Option<&RunRow>,
        system: &System,
    ) -> Result<HashChain<'_>, Error> {
        if let Some(run) = run.filter(|_| self.is_appended) {
            let appended = &self.contests[self.earlier..];
            return HashChain::continue_run(store, run, appended, &self.identities);
        }
        HashChain::load(store, &self.contests, &self.identities, system.name, &system.parameters)
    }

    /// Returns the number of contests at the start of `contests` whose ratings stay.
    pub(crate) fn count_unchanged(
        &self,
        store: &Store,
        run: Option<&RunRow>,
        chain: &HashChain<'_>,
        period: Option<RatingPeriod>,
    ) -> Result<usize, Error> {
        let unchanged = match run {
            // Contests are appended only if nothing before them changed.
            _ if self.is_appended => self.earlier,
            Some(run) => chain.common_prefix_len(store, run)?,
            None => 0,
        };
        // All contests of a period are rated against the ratings from before it.
        Ok(period.map_or(unchanged, |period| period.floor_position(&self.contests, unchanged)))
    }

    /// Returns the number of contests of the run.
    pub(crate) const fn count(&self) -> u64 {
        (self.omitted + self.contests.len()) as u64
    }
}

/// Excludes the contests that are too large for the system, and counts them; unless they are to be
/// skipped, they are an error.
fn exclude_oversized(
    store: &Store,
    system: &SystemInfo,
    skip_unsupported: bool,
    contests: &mut [RatableContest],
) -> Result<u64, Error> {
    // The weights are those of the run already.
    let oversized = find_oversized_contests(store, system, Weights::Own, contests)?;
    let count = oversized.as_ref().map_or(0, |oversized| oversized.contests);
    if let Some(oversized) = oversized.filter(|_| !skip_unsupported) {
        return Err(Error::OversizedContests(Box::new(oversized)));
    }
    exclude_oversized_contests(system, contests);
    Ok(count)
}
