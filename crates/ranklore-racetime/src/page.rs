//! Pages of the races of a category.

use std::collections::{BTreeSet, HashSet};

use ranklore_contest::UnixSeconds;
use ranklore_source::json::{self, Entry, valid_entries};
use ranklore_source::{SiteReadError, SiteReading};
use serde::Deserialize;

use crate::profile::PROFILE;
use crate::race::{Race, goal_of_division};
use crate::requests::RacePage;
use crate::values::FieldResult;

/// The most goals that a warning offers.
const MAX_OFFERED_GOALS: usize = 20;

#[derive(Deserialize)]
struct Page<'a> {
    count: u64,
    num_pages: u64,
    #[serde(borrow)]
    races: Vec<Entry<Race<'a>>>,
}

/// Reads a page: its races with their results, and the request for the next page.
pub(crate) fn read(key: &str, body: &[u8], page: &RacePage) -> Result<SiteReading, SiteReadError> {
    let Page {
        count,
        num_pages,
        races,
    } = json::parse(key, body)?;
    check_size(page, count, num_pages, races.len() as u64)
        .map_err(|(at, expected)| SiteReadError::new(key, at, expected))?;
    let mut reading = SiteReading::default();
    let mut ids = HashSet::with_capacity(races.len());
    let mut last_ended_at: Option<UnixSeconds> = None;
    for (index, race) in valid_entries(key, "races", races, &mut reading.refused) {
        let at = |field: &str| format!("races[{index}].{field}");
        let read_race = match race.read(page) {
            Ok(read_race) => read_race,
            Err((field, expected)) => {
                reading.refused.push(SiteReadError::new(key, at(&field), expected));
                continue;
            }
        };
        if !ids.insert(read_race.listing.external_id.clone()) {
            let expected = format!("each race once, not {} again", read_race.listing.external_id);
            reading.refused.push(SiteReadError::new(key, at("name"), expected));
            continue;
        }
        if let Some(ended_at) = read_race.listing.ends_at {
            // Where a sync stops depends on this order.
            if let Some(last) = last_ended_at.filter(|last| *last < ended_at) {
                let expected =
                    format!("{last} or before, as the newest come first, not {ended_at}");
                return Err(SiteReadError::new(key, at("ended_at"), expected));
            }
            last_ended_at = Some(ended_at);
        }
        reading.listed.push(read_race.listing);
        reading.results.push(read_race.results);
        reading.named.extend(read_race.names);
        reading.warnings.extend(read_race.warning);
    }
    // If no race can be read, the format has changed.
    if reading.listed.is_empty() && !reading.refused.is_empty() {
        return Err(reading.refused.swap_remove(0));
    }
    let mut named = HashSet::new();
    reading.named.retain(|name| named.insert((name.kind, name.competitor.clone())));
    let provisional_seconds = PROFILE.terms.provisional_period.as_secs() as i64;
    if let Some(last) = last_ended_at.filter(|_| page.end() < count) {
        reading.follow.extend(page.next_request(last, provisional_seconds));
    }
    reading.warnings.extend(missing_goal(page, &reading));
    Ok(reading)
}

/// Checks that the site returned the page that was requested, whole. Only the last page may have
/// fewer races, and only a page after it none: races have left the list.
fn check_size(page: &RacePage, count: u64, num_pages: u64, races: u64) -> FieldResult<()> {
    let RacePage {
        number, per_page, ..
    } = *page;
    let expected_pages = count.div_ceil(per_page).max(1);
    if num_pages != expected_pages {
        let expected = format!(
            "{expected_pages}, as {count} races are requested by {per_page}, not {num_pages}"
        );
        return Err(("num_pages".to_owned(), expected));
    }
    let (expected, fits) = if number < num_pages {
        (format!("{per_page} races, as more pages follow"), races == per_page)
    } else if number == num_pages && count > 0 {
        (format!("1 to {per_page} races"), (1..=per_page).contains(&races))
    } else {
        ("no race after the last page".to_owned(), races == 0)
    };
    if fits {
        return Ok(());
    }
    let expected = format!("{expected} on page {number} of {num_pages}, not {races}");
    Err(("races".to_owned(), expected))
}

/// Returns a warning if no race of the first page has the requested goal.
fn missing_goal(page: &RacePage, reading: &SiteReading) -> Option<String> {
    let goal = page.filter.goal.as_deref()?;
    let divisions = reading.listed.iter().filter_map(|race| race.division.as_deref());
    let goals: BTreeSet<&str> = divisions.map(goal_of_division).collect();
    if goals.contains(goal) {
        return None;
    }
    let offered: Vec<String> =
        goals.iter().take(MAX_OFFERED_GOALS).map(|goal| format!("{goal:?}")).collect();
    Some(format!(
        "none of the newest {} races of {} has the goal {goal:?}; they have {}",
        reading.listed.len(),
        page.category,
        offered.join(", ")
    ))
}
