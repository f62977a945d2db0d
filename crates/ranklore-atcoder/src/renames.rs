//! Renamed accounts: a later answer about a contest has a result under another name.

use std::collections::{HashMap, HashSet};

use ranklore_contest::{Entrant, EntrantKind, Place};
use ranklore_source::{AccountRename, ContestOutcome, OfficialRating, Results, SiteReading};

/// The numbers of an entrant that a new name does not change: place, score, penalty, and the ratings
/// before and after.
type ResultNumbers = (Option<Place>, [Option<u64>; 4]);

/// Returns the users of `before` whose results belong to another name in `after`, a later answer to the
/// same request. Ignores results that are not unique in both answers, and answers with less than half
/// of the users in common.
pub(crate) fn find_renamed_users(before: &SiteReading, after: &SiteReading) -> Vec<AccountRename> {
    let (Some(old), Some(new)) = (before.results.first(), after.results.first()) else {
        return Vec::new();
    };
    let old_users = numbers_by_user(old);
    let new_users = numbers_by_user(new);
    let common = old_users.keys().filter(|name| new_users.contains_key(*name)).count();
    if old.external_id != new.external_id || 2 * common < old_users.len() {
        return Vec::new();
    }
    let old_names = unique_names(&old_users);
    let new_names = unique_names(&new_users);
    let mut renamed: Vec<AccountRename> = old_names
        .iter()
        .filter_map(|(numbers, from)| Some((*from, *new_names.get(numbers)?)))
        .filter(|(from, to)| !new_users.contains_key(from) && !old_users.contains_key(to))
        .map(|(from, to)| AccountRename {
            from: from.to_owned(),
            to: to.to_owned(),
        })
        .collect();
    renamed.sort_unstable();
    renamed
}

/// Returns the numbers of each user; teams have no account.
fn numbers_by_user(results: &Results) -> HashMap<&str, ResultNumbers> {
    let ContestOutcome::Standings { entrants, official } = &results.outcome else {
        return HashMap::new();
    };
    let ratings: HashMap<&str, &OfficialRating> =
        official.iter().map(|rating| (&*rating.competitor, rating)).collect();
    let numbers = |entrant: &Entrant| {
        let rating = ratings.get(&*entrant.competitor);
        let numbers = [
            entrant.score,
            entrant.penalty,
            rating.and_then(|rating| rating.before),
            rating.map(|rating| rating.after),
        ];
        (entrant.outcome.place(), numbers.map(|number| number.map(f64::to_bits)))
    };
    let users = entrants.iter().filter(|entrant| entrant.kind == EntrantKind::Person);
    users.map(|user| (&*user.competitor, numbers(user))).collect()
}

/// Returns the users whose numbers no other user has, by these numbers.
fn unique_names<'r>(users: &HashMap<&'r str, ResultNumbers>) -> HashMap<ResultNumbers, &'r str> {
    let mut names = HashMap::with_capacity(users.len());
    let mut shared = HashSet::new();
    for (name, numbers) in users {
        if names.insert(*numbers, *name).is_some() {
            shared.insert(*numbers);
        }
    }
    // A place alone is too little: entrants above may have been disqualified.
    let has_numbers = |numbers: &ResultNumbers| numbers.1.iter().any(Option::is_some);
    names.retain(|numbers, _| has_numbers(numbers) && !shared.contains(numbers));
    names
}
