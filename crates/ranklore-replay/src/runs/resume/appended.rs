//! Runs to which only new contests are to be added at the end. The contests before them are not
//! loaded, so that the cost is that of the new contests and of the careers of their entrants.

use ranklore_rating::ENGINE_VERSION;
use ranklore_store::{ContestId, ContestIds, RatableContest, RunRow, Store};

use crate::error::Error;
use crate::runs::contest_size::is_oversized;
use crate::runs::identities::Identities;
use crate::runs::rating_period::RatingPeriod;
use crate::runs::selection::RunSelection;
use crate::runs::systems::System;
use crate::runs::teams::TeamMode;

/// More new contests than this are not worth a lookup of each entrant's career.
const MAX_NEW: usize = 4096;

/// The contests that a run needs to continue after all of its contests.
pub(crate) struct AppendedContests {
    pub(crate) identities: Identities,
    /// The earlier contests of the new contests' entrants, then the new contests, in replay order.
    pub(crate) contests: Vec<RatableContest>,
    /// Number of earlier contests in `contests`.
    pub(crate) earlier: usize,
    /// Number of contests of the run that are not in `contests`.
    pub(crate) omitted: usize,
}

impl AppendedContests {
    /// Returns the contests if everything that the run was computed from is unchanged, and all new
    /// contests follow in replay order; otherwise all contests must be compared.
    pub(crate) fn find(
        store: &Store,
        run: &RunRow,
        selection: &RunSelection,
        system: &System,
    ) -> Result<Option<Self>, Error> {
        let (Some(newest), Some(_)) = (run.newest_contest_id, run.competitors) else {
            return Ok(None);
        };
        let newcomers = [0, 1].map(|event| system.rating.newcomer_mu(event).to_bits());
        let numbers_events = newcomers[0] != newcomers[1];
        if run.engine != ENGINE_VERSION
            || run.parameters != system.parameters
            || system.teams != TeamMode::Whole
            || numbers_events
            || system.period == Some(RatingPeriod::Event)
            || !store.has_uncorrected_sources(run)?
        {
            return Ok(None);
        }
        let Some((last_position, last)) = store.last_run_contest(run.run_id)? else {
            return Ok(None);
        };
        let positions = last_position + 1;
        let filter = selection.contest_filter();
        let new = store.ratable_contests_with_ids(&filter, ContestIds::After(newest))?;
        let weight = |of: &RatableContest| system.weights.weight_of(of);
        let oversized = |of: &RatableContest| is_oversized(system.about, weight(of), of.entrants);
        if new.is_empty()
            || new.len() > MAX_NEW
            || new.iter().any(oversized)
            // Some contests may have been too large: their number is reported.
            || system.about.max_entrants.is_some() && run.contests != positions as u64
        {
            return Ok(None);
        }
        let identities = Identities::load_for_view(store, run)?;
        let mut ids = earlier_contests(store, &new, &identities)?;
        if ids.len() * 2 > positions + MAX_NEW {
            return Ok(None);
        }
        ids.push(last);
        ids.extend(new.iter().map(|contest| contest.contest_id));
        ids.sort_unstable();
        ids.dedup();
        let mut contests = store.ratable_contests_with_ids(&filter, ContestIds::Among(&ids))?;
        let earlier = contests.len() - new.len();
        let is_earlier = |of: &RatableContest| of.contest_id <= newest;
        let in_order = contests[..earlier].iter().all(is_earlier)
            && earlier > 0
            && contests[earlier - 1].contest_id == last;
        let same_period = system.period.is_some_and(|period| {
            in_order && period.number(&contests[earlier - 1]) == period.number(&contests[earlier])
        });
        if !in_order || same_period || earlier > positions {
            return Ok(None);
        }
        system.weights.apply(&mut contests);
        Ok(Some(Self {
            identities,
            contests,
            earlier,
            omitted: positions - earlier,
        }))
    }
}

/// Returns the contests up to now of the entrants of contests, in no order and with repetitions.
fn earlier_contests(
    store: &Store,
    contests: &[RatableContest],
    identities: &Identities,
) -> Result<Vec<ContestId>, Error> {
    let mut competitors = Vec::new();
    let ids = contests.iter().map(|contest| contest.contest_id);
    store.for_each_standing(ids, |_, standings| {
        competitors.extend(
            standings
                .iter()
                .map(|of| identities.resolve(of.competitor_id)),
        );
    })?;
    competitors.sort_unstable();
    competitors.dedup();
    let accounts: Vec<_> = (competitors.into_iter())
        .flat_map(|competitor| identities.accounts(competitor))
        .collect();
    let mut ids = Vec::new();
    identities.for_each_contest_of(store, accounts, |_, contest| ids.push(contest))?;
    Ok(ids)
}
