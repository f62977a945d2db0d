//! Checks that apply to every reading.

use std::collections::HashSet;

use ranklore_contest::{Entrant, check_standings};

use ranklore_source::{ContestOutcome, OfficialRating, SiteReading};

/// Checks that standings are in order, that no competitor or contest occurs twice, and that numbers
/// are finite. Errors with the first fault.
pub(super) fn validate_reading(reading: &SiteReading) -> Result<(), String> {
    let mut ids = HashSet::new();
    for contest in &reading.listed {
        let id = &contest.external_id;
        if id.is_empty() {
            return Err(format!("{:?} is listed without an id", contest.name));
        }
        if !ids.insert(id) {
            return Err(format!("contest {id} is listed twice"));
        }
        if contest.starts_at > contest.ends_at && contest.ends_at.is_some() {
            return Err(format!("contest {id} ends before it begins"));
        }
    }
    let mut ids = HashSet::new();
    for described in &reading.described {
        let id = &described.external_id;
        if id.is_empty() || !ids.insert(id) {
            return Err(format!("contest {id:?} is described twice, or has no id"));
        }
        if described.starts_at > described.ends_at && described.ends_at.is_some() {
            return Err(format!("contest {id} ends before it begins"));
        }
        if described.site_weight.is_some_and(|w| !w.is_finite()) {
            return Err(format!("invalid weight: {described:?}"));
        }
    }
    for named in &reading.named {
        if named.competitor.is_empty() || named.name.is_empty() {
            return Err(format!("empty name: {named:?}"));
        }
    }
    if reading.lists_all && !reading.refused.is_empty() {
        return Err("the list is complete, although entries were refused".to_owned());
    }
    let mut ids = HashSet::new();
    for results in &reading.results {
        let id = &results.external_id;
        if id.is_empty() || !ids.insert(id) {
            return Err(format!("results of contest {id:?} occur twice, or have no id"));
        }
        if let ContestOutcome::Standings { entrants, official } = &results.outcome {
            validate_standings(entrants, official)
                .map_err(|fault| format!("contest {id}: {fault}"))?;
        }
    }
    for renamed in &reading.renamed {
        if renamed.from == renamed.to || renamed.from.is_empty() || renamed.to.is_empty() {
            return Err(format!("invalid change of name: {renamed:?}"));
        }
    }
    for account in &reading.accounts {
        if account.name.is_empty() || account.rating.is_some_and(|rating| !rating.is_finite()) {
            return Err(format!("invalid account: {account:?}"));
        }
    }
    Ok(())
}

fn validate_standings(entrants: &[Entrant], official: &[OfficialRating]) -> Result<(), String> {
    let people: HashSet<&str> = entrants
        .iter()
        .flat_map(|entrant| entrant.members.iter().chain([&entrant.competitor]))
        .map(String::as_str)
        .collect();
    if entrants.is_empty() {
        return Err("the standings are empty".to_owned());
    }
    check_standings(entrants).map_err(|error| error.to_string())?;
    let mut rated = HashSet::new();
    for rating in official {
        let competitor = rating.competitor.as_str();
        if !people.contains(competitor) || !rated.insert(competitor) {
            return Err(format!("a rating of {competitor:?}, who is not an entrant or has two"));
        }
        let numbers = [rating.before, rating.volatility, Some(rating.after)];
        if !numbers.into_iter().flatten().all(f64::is_finite) {
            return Err(format!("invalid rating: {rating:?}"));
        }
    }
    Ok(())
}

/// Returns data that a part of a document has and the whole document does not.
pub(super) fn find_invented(part: &SiteReading, original: &SiteReading) -> Option<String> {
    fn new<'r, T: PartialEq>(part: &'r [T], original: &[T]) -> Option<&'r T> {
        part.iter().find(|item| !original.contains(item))
    }
    if let Some(results) = new(&part.results, &original.results) {
        let id = &results.external_id;
        return Some(format!("invented results of contest {id}"));
    }
    if let Some(listed) = new(&part.listed, &original.listed) {
        return Some(format!("invented contest {}", listed.external_id));
    }
    let count = part.listed.len();
    let total = original.listed.len();
    if part.lists_all && count < total {
        return Some(format!("{count} of {total} contests read as the complete list"));
    }
    if let Some(described) = new(&part.described, &original.described) {
        return Some(format!("invented {described:?}"));
    }
    if let Some(named) = new(&part.named, &original.named) {
        return Some(format!("invented {named:?}"));
    }
    let renamed = new(&part.renamed, &original.renamed)?;
    Some(format!("invented {renamed:?}"))
}
