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
        if !can_append(run, system) || !store.has_uncorrected_sources(run)? {
            return Ok(None);
        }
        let Some((last_position, last)) = store.last_run_contest(run.run_id)? else {
            return Ok(None);
        };
        let positions = last_position + 1;
        let filter = selection.contest_filter();
        let new = store.ratable_contests_with_ids(&filter, ContestIds::After(newest))?;
        if new.is_empty()
            || new.len() > MAX_NEW
            || new.iter().any(|contest| {
                let weight = system.weights.weight_of(contest);
                is_oversized(system.about, weight, contest.entrants)
            })
            // Some contests may have been too large: their number is reported.
            || system.about.max_entrants.is_some() && run.contests != positions as u64
        {
            return Ok(None);
        }
        let identities = Identities::load_for_view(store, run)?;
        let mut ids = load_earlier_contests(store, &new, &identities)?;
        if ids.len() * 2 > positions + MAX_NEW {
            return Ok(None);
        }
        ids.push(last);
        ids.extend(new.iter().map(|contest| contest.contest_id));
        ids.sort_unstable();
        ids.dedup();
        let mut contests = store.ratable_contests_with_ids(&filter, ContestIds::Among(&ids))?;
        let earlier = contests.len() - new.len();
        if earlier > positions || !follow_last(&contests, earlier, last, newest, system.period) {
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

/// True if a system can continue a run of this version without its earlier contests.
fn can_append(run: &RunRow, system: &System) -> bool {
    run.engine == ENGINE_VERSION
        && run.parameters == system.parameters
        && system.teams == TeamMode::Whole
        // A system that starts later newcomers elsewhere counts the events of all contests.
        && system.rating.has_equal_newcomers()
        && system.period != Some(RatingPeriod::Event)
        && !system.weights.depend_on_selection()
}

/// True if the new contests follow the last contest of the run, and begin a rating period. `contests`
/// are the earlier ones, whose ids are at most `newest`, and the new ones, in replay order.
fn follow_last(
    contests: &[RatableContest],
    earlier: usize,
    last: ContestId,
    newest: ContestId,
    period: Option<RatingPeriod>,
) -> bool {
    let (earlier, new) = contests.split_at(earlier);
    let (Some(before), Some(after)) = (earlier.last(), new.first()) else {
        return false;
    };
    before.contest_id == last
        && earlier.iter().all(|contest| contest.contest_id <= newest)
        && period.is_none_or(|period| period.number(before) != period.number(after))
}

/// Returns the contests up to now of the entrants of contests, in no order and with repetitions.
fn load_earlier_contests(
    store: &Store,
    contests: &[RatableContest],
    identities: &Identities,
) -> Result<Vec<ContestId>, Error> {
    let mut competitors = Vec::new();
    let ids = contests.iter().map(|contest| contest.contest_id);
    store.for_each_standing(ids, |_, standings| {
        let accounts = standings.iter().map(|standing| standing.competitor_id);
        competitors.extend(accounts.map(|account| identities.resolve(account)));
    })?;
    competitors.sort_unstable();
    competitors.dedup();
    let accounts: Vec<_> = competitors
        .into_iter()
        .flat_map(|competitor| identities.accounts(competitor))
        .collect();
    let mut ids = Vec::new();
    identities.for_each_contest_of(store, accounts, |_, contest| ids.push(contest))?;
    Ok(ids)
}
