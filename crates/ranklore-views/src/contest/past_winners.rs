//! The winners of earlier contests of the same name, such as last year's.

use std::sync::Arc;

use ranklore_contest::ContestTime;
use ranklore_store::ContestRow;
use serde::Serialize;

use crate::cache::ViewReader;
use crate::cache::series::{ContestSeries, can_be_repeated, is_same_series};
use crate::coverage::UnratedReason;
use crate::names::labels::{CompetitorLabel, Labeller};
use ranklore_replay::Error;

/// The number of earlier contests.
const EARLIER: usize = 10;

/// An earlier contest and its winners.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PastContest {
    /// The id within the source.
    pub external_id: String,
    /// The name as published.
    pub name: String,
    /// The end, in Unix seconds.
    pub ends_at: Option<i64>,
    /// The competitors in first place, three at most.
    pub winners: Vec<CompetitorLabel>,
}

/// Loads the winners of the ten newest contests of the source before this one that have the same
/// name, apart from numbers, and the same division. Games of two have none: their names are those of
/// the players.
pub(super) fn load_past_winners(
    reader: ViewReader<'_>,
    contest: &ContestRow,
    labeller: &mut Labeller,
) -> Result<Vec<PastContest>, Error> {
    let store = reader.store;
    let before = contest.ends_at.and_then(ContestTime::new);
    let Some(before) = before.filter(|_| can_be_repeated(&contest.name, contest.entrants)) else {
        return Ok(Vec::new());
    };
    let series = match reader.cache {
        Some(cache) => {
            let key = (contest.source_id, store.result_hashes()?);
            let load = |_: &[_]| ContestSeries::load(store, contest.source_id).map(Arc::new);
            cache.contest_series.get_or_load(key, load)?
        }
        None => Arc::new(ContestSeries::load(store, contest.source_id)?),
    };
    let mut past = Vec::new();
    for contest_id in series.newest_before(&contest.name, contest.division.as_deref(), before) {
        if past.len() == EARLIER {
            break;
        }
        for row in store.contests_by_id([contest_id])? {
            let is_same =
                is_same_series(&row.name, &contest.name) && row.division == contest.division;
            let reason = UnratedReason::for_all_runs(&row);
            if !is_same || !matches!(reason, None | Some(UnratedReason::UnratedBySource)) {
                continue;
            }
            let winners = series.winners(store, contest_id)?;
            if winners.is_empty() {
                continue;
            }
            let labels = labeller.load_labels(store, winners.iter().copied())?;
            past.push(PastContest {
                winners: winners.iter().filter_map(|winner| labels.get(winner).cloned()).collect(),
                external_id: row.external_id,
                name: row.name,
                ends_at: row.ends_at,
            });
        }
    }
    Ok(past)
}
