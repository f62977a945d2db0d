//! Teams, by page or one by one: ids and names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ranklore_source::json::{self, Entry, valid_entries};
use ranklore_source::{Document, Request, SiteReadError, SiteReading};
use serde::Deserialize;

use crate::events::CtftimeTeam;
use crate::requests::{self, CtftimeRequest, MAX_TEAMS_PER_REQUEST, parse_id};

#[derive(Deserialize)]
struct Page<'a> {
    limit: u64,
    offset: u64,
    // The site has used both names.
    #[serde(borrow)]
    result: Option<Vec<Entry<CtftimeTeam<'a>>>>,
    #[serde(borrow)]
    results: Option<Vec<Entry<CtftimeTeam<'a>>>>,
}

pub(crate) fn read(key: &str, body: &[u8], offset: u64) -> Result<SiteReading, SiteReadError> {
    let page: Page<'_> = json::parse(key, body)?;
    if page.offset != offset {
        let expected = format!("{offset} as requested, not {}", page.offset);
        return Err(SiteReadError::new(key, "offset", expected));
    }
    if !(1..=MAX_TEAMS_PER_REQUEST).contains(&page.limit) {
        let limit = page.limit;
        let expected = format!("from 1 to {MAX_TEAMS_PER_REQUEST} as requested, not {limit}");
        return Err(SiteReadError::new(key, "limit", expected));
    }
    let (member, teams) = match (page.result, page.results) {
        (Some(teams), None) => ("result", teams),
        (None, Some(teams)) => ("results", teams),
        _ => {
            let expected = "one list of teams, in result or in results";
            return Err(SiteReadError::whole_document(key, expected));
        }
    };
    let count = teams.len() as u64;
    if count > page.limit {
        let expected = format!("at most {} teams, not {count}", page.limit);
        return Err(SiteReadError::new(key, member, expected));
    }
    let mut reading = SiteReading::default();
    if count == 0 {
        return Ok(reading);
    }
    let mut ids = Vec::new();
    for (index, team) in valid_entries(key, member, teams, &mut reading.refused) {
        if team.id == 0 {
            let at = format!("{member}[{index}].id");
            let expected = "the number of a team, from 1 on";
            reading.refused.push(SiteReadError::new(key, at, expected));
            continue;
        }
        ids.push(team.id);
        reading.named.extend(team.display_name());
    }
    // If no team can be read, the format has changed.
    if ids.is_empty() {
        return Err(reading.refused.swap_remove(0));
    }
    if is_repeated_page(&ids, offset) {
        reading.warnings.push(format!(
            "the page of teams at offset {offset} repeats an earlier one, since its ids are too \
             low; the list of teams is not followed further"
        ));
    } else {
        // A short page may have been truncated; after the last page comes an empty one.
        reading.follow.extend(requests::teams(offset + count));
    }
    Ok(reading)
}

/// Reads the response about one team; empty if the site does not know it.
pub(crate) fn read_team(document: &Document<'_>, id: u32) -> Result<SiteReading, SiteReadError> {
    let mut reading = SiteReading::default();
    if document.status == 404 {
        return Ok(reading);
    }
    let team: CtftimeTeam<'_> = json::parse(document.request_key, document.body)?;
    if team.id != id {
        let expected = format!("{id} as requested, not {}", team.id);
        return Err(SiteReadError::new(document.request_key, "id", expected));
    }
    reading.named.extend(team.display_name());
    Ok(reading)
}

/// Returns one request per team.
pub(crate) fn team_requests(names: &[&str]) -> Vec<Request> {
    parse_ids(names).into_iter().map(requests::team).collect()
}

/// A position in the list of teams, which is sorted by id.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct ListPosition {
    /// The highest id before it.
    highest_id: u64,
    /// The number of teams before it.
    offset: u64,
}

/// Returns the requests that find these teams: pages from a known position, where they are fewer
/// than the teams there, else single teams.
pub(crate) fn find_requests(
    unnamed: &[&str],
    pages: &[(String, Arc<SiteReading>)],
) -> Vec<Request> {
    let mut positions = BTreeSet::from([ListPosition::default()]);
    let mut read_offsets = BTreeSet::new();
    let mut teams_a_page = None;
    for (key, reading) in pages {
        let next_request = reading.follow.first();
        let next = next_request.and_then(|request| parse_offset(&request.key()));
        let ids = reading.named.iter().filter_map(|name| parse_id(&name.competitor));
        let highest = ids.max();
        if let (Some(offset), Some(next), Some(highest)) = (parse_offset(key), next, highest) {
            positions.insert(ListPosition {
                highest_id: highest.into(),
                offset: next,
            });
            read_offsets.insert(offset);
            teams_a_page = teams_a_page.max(next.checked_sub(offset));
        }
    }
    let teams_a_page = teams_a_page.unwrap_or(MAX_TEAMS_PER_REQUEST).max(1);
    // Teams after each known position, up to the next.
    let mut teams_after: BTreeMap<ListPosition, Vec<u32>> = BTreeMap::new();
    for number in parse_ids(unnamed) {
        let search_key = ListPosition {
            highest_id: number.into(),
            offset: 0,
        };
        if let Some(position) = positions.range(..search_key).next_back() {
            teams_after.entry(*position).or_default().push(number);
        }
    }
    let mut requests = Vec::new();
    let mut single = Vec::new();
    for (position, teams) in teams_after {
        // A page already read does not have them.
        let is_known = read_offsets.contains(&position.offset);
        let page = requests::teams(position.offset).filter(|_| !is_known);
        let count_by_page = match &page {
            Some(_) => count_read_by_page(&teams, position.highest_id, teams_a_page),
            None => 0,
        };
        if count_by_page > 0 {
            // Teams may have been added to the page since.
            requests.extend(page.map(|page| Request {
                settles_at: None,
                ..page
            }));
        }
        single.extend(teams[count_by_page..].iter().copied().map(requests::team));
    }
    requests.extend(single);
    requests
}

/// Returns how many of these teams, which come after an id, are to be read by page: with the others
/// one by one, this takes the fewest requests.
fn count_read_by_page(teams: &[u32], after: u64, teams_a_page: u64) -> usize {
    let requests = |count: &usize| {
        let last = count.checked_sub(1).map(|last| u64::from(teams[last]));
        let pages = last.map_or(0, |last| (last - after).div_ceil(teams_a_page));
        pages + (teams.len() - count) as u64
    };
    (0..=teams.len()).min_by_key(requests).unwrap_or(0)
}

/// Returns the ids of teams, each once, in order.
fn parse_ids(names: &[&str]) -> BTreeSet<u32> {
    names.iter().filter_map(|name| parse_id(name)).collect()
}

fn parse_offset(request_key: &str) -> Option<u64> {
    match CtftimeRequest::parse(request_key)? {
        CtftimeRequest::Teams(offset) => Some(offset),
        _ => None,
    }
}

/// True if a sorted page cannot stand at this offset: the team at offset 2,000 has an id above
/// 2,000.
fn is_repeated_page(ids: &[u32], offset: u64) -> bool {
    let highest = ids.last().map_or(0, |id| u64::from(*id));
    highest <= offset && ids.is_sorted()
}
