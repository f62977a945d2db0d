//! Detection of merged teams: a later response shows their results under another team.

use std::collections::{BTreeMap, HashMap, HashSet};

use ranklore_contest::Entrant;
use ranklore_source::{AccountRename, ContestOutcome, Results, SiteReading};

/// Returns the teams of `before` that are missing from `after`, where one other team has all their
/// results: the same points, in events where it had no result before.
///
/// Ignores a scoreboard that kept less than half of its teams: it was replaced.
pub(crate) fn find_merged_teams(before: &SiteReading, after: &SiteReading) -> Vec<AccountRename> {
    let later: HashMap<&str, &Results> = (after.results.iter())
        .map(|results| (results.external_id.as_str(), results))
        .collect();
    let mut there = None;
    // The team that took over the results of each missing team; `None` if it is not unique.
    let mut into: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for results in &before.results {
        let now = later.get(results.external_id.as_str());
        let (stood, stands) = (entrants(results), now.map_or(&[][..], |now| entrants(now)));
        if stood == stands {
            continue;
        }
        let there = there.get_or_insert_with(|| competitors(after));
        for (gone, heir) in match_replaced_teams(stood, stands) {
            if !there.contains(gone) {
                let known = into.entry(gone).or_insert(heir);
                if *known != heir {
                    *known = None;
                }
            }
        }
    }
    into.into_iter()
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
    let entrants = reading.results.iter().flat_map(entrants);
    entrants.map(|entrant| &*entrant.competitor).collect()
}

/// Returns each team that disappeared from a scoreboard, with the only newcomer of the same place
/// and points.
fn match_replaced_teams<'a>(
    stood: &'a [Entrant],
    stands: &'a [Entrant],
) -> Vec<(&'a str, Option<&'a str>)> {
    let names = |of: &'a [Entrant]| -> HashSet<&'a str> {
        of.iter().map(|entrant| &*entrant.competitor).collect()
    };
    let (then, now) = (names(stood), names(stands));
    let replaced = 2 * then.intersection(&now).count() < then.len();
    let result = |entrant: &Entrant| {
        let points = entrant.score.map(f64::to_bits);
        (entrant.outcome.place(), points)
    };
    let mut newcomers: HashMap<_, Option<&str>> = HashMap::new();
    for entrant in stands.iter().filter(|of| !then.contains(&*of.competitor)) {
        newcomers
            .entry(result(entrant))
            .and_modify(|several| *several = None)
            .or_insert(Some(&entrant.competitor));
    }
    let gone = stood.iter().filter(|of| !now.contains(&*of.competitor));
    gone.map(|entrant| {
        let heir = newcomers.get(&result(entrant)).copied().flatten();
        (&*entrant.competitor, heir.filter(|_| !replaced))
    })
    .collect()
}
