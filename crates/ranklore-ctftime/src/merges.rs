//! Detection of merged teams: a later response shows their results under another team.

use std::collections::{BTreeMap, HashMap, HashSet};

use ranklore_contest::{Entrant, Place};
use ranklore_source::{AccountRename, ContestOutcome, Results, SiteReading};

/// Returns the teams of `before` that are missing from `after`, where one other team has all their
/// results: the same points, in events where it had no result before.
///
/// Ignores a scoreboard that kept less than half of its teams: it was replaced.
pub(crate) fn find_merged_teams(before: &SiteReading, after: &SiteReading) -> Vec<AccountRename> {
    let later: HashMap<&str, &Results> = after
        .results
        .iter()
        .map(|results| (results.external_id.as_str(), results))
        .collect();
    let mut competitors_after = None;
    // The team that took over the results of each missing team; `None` if it is not unique.
    let mut successors: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for results in &before.results {
        let later_results = later.get(results.external_id.as_str());
        let old_entrants = entrants(results);
        let new_entrants = later_results.map_or(&[][..], |results| entrants(results));
        if old_entrants == new_entrants {
            continue;
        }
        let competitors_after = competitors_after.get_or_insert_with(|| competitors(after));
        for (missing, newcomer) in match_replaced_teams(old_entrants, new_entrants) {
            if !competitors_after.contains(missing) {
                let successor = successors.entry(missing).or_insert(newcomer);
                if *successor != newcomer {
                    *successor = None;
                }
            }
        }
    }
    successors
        .into_iter()
        .filter_map(|(from, to)| {
            to.map(|to| AccountRename {
                from: from.to_owned(),
                to: to.to_owned(),
            })
        })
        .collect()
}

fn entrants(results: &Results) -> &[Entrant] {
    match &results.outcome {
        ContestOutcome::Standings { entrants, .. } => entrants,
        _ => &[],
    }
}

fn competitors(reading: &SiteReading) -> HashSet<&str> {
    competitor_names(reading.results.iter().flat_map(entrants))
}

fn competitor_names<'a>(entrants: impl IntoIterator<Item = &'a Entrant>) -> HashSet<&'a str> {
    let names = entrants.into_iter().map(|entrant| &*entrant.competitor);
    names.collect()
}

/// Returns each team that disappeared from a scoreboard, with the only newcomer of the same place
/// and points.
fn match_replaced_teams<'a>(
    old_entrants: &'a [Entrant],
    new_entrants: &'a [Entrant],
) -> Vec<(&'a str, Option<&'a str>)> {
    fn result(entrant: &Entrant) -> (Option<Place>, Option<u64>) {
        (entrant.outcome.place(), entrant.score.map(f64::to_bits))
    }
    let old_names = competitor_names(old_entrants);
    let new_names = competitor_names(new_entrants);
    let is_replaced = 2 * old_names.intersection(&new_names).count() < old_names.len();
    let mut newcomers: HashMap<_, Option<&str>> = HashMap::new();
    for entrant in new_entrants {
        if !old_names.contains(&*entrant.competitor) {
            newcomers
                .entry(result(entrant))
                .and_modify(|several| *several = None)
                .or_insert(Some(&entrant.competitor));
        }
    }
    old_entrants
        .iter()
        .filter(|entrant| !new_names.contains(&*entrant.competitor))
        .map(|entrant| {
            let newcomer = newcomers.get(&result(entrant)).copied().flatten();
            (&*entrant.competitor, newcomer.filter(|_| !is_replaced))
        })
        .collect()
}
