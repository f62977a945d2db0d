//! Teams, page by page: numbers and names.

use ranklore_source::{ReadError, Reading, json};
use serde::Deserialize;

use crate::ask::{self, TEAMS_A_REQUEST};
use crate::events::Team;

#[derive(Deserialize)]
struct Page<'a> {
    limit: u64,
    offset: u64,
    // The site has had both names for it.
    #[serde(borrow)]
    result: Option<Vec<Team<'a>>>,
    #[serde(borrow)]
    results: Option<Vec<Team<'a>>>,
}

pub(crate) fn read(key: &str, body: &[u8], offset: u64) -> Result<Reading, ReadError> {
    let page: Page<'_> = json::parse(key, body)?;
    if page.offset != offset {
        let expected = format!("{offset} as asked, not {}", page.offset);
        return Err(ReadError::new(key, "offset", expected));
    }
    if !(1..=TEAMS_A_REQUEST).contains(&page.limit) {
        let expected = format!("from 1 to {TEAMS_A_REQUEST} as asked, not {}", page.limit);
        return Err(ReadError::new(key, "limit", expected));
    }
    let (member, teams) = match (page.result, page.results) {
        (Some(teams), None) => ("result", teams),
        (None, Some(teams)) => ("results", teams),
        _ => {
            let expected = "one list of teams, in result or in results";
            return Err(ReadError::new(key, ReadError::WHOLE, expected));
        }
    };
    let count = teams.len() as u64;
    if count > page.limit {
        let expected = format!("at most {} teams, not {count}", page.limit);
        return Err(ReadError::new(key, member, expected));
    }
    let mut reading = Reading::default();
    for (index, team) in teams.iter().enumerate() {
        if team.id == 0 {
            let at = format!("{member}[{index}].id");
            let expected = "the number of a team, from 1 on";
            reading.refused.push(ReadError::new(key, at, expected));
        }
        reading.named.extend(team.named());
    }
    if teams.is_empty() {
        return Ok(reading);
    }
    if repeats(&teams, offset) {
        reading.warnings.push(format!(
            "the teams from {offset} on have no higher numbers than those before them can have: \
             the site repeats itself, and its list of teams is not followed any further"
        ));
    } else {
        // A page that is not full may be one that was cut short; behind the last is an empty one.
        reading.follow.extend(ask::teams(offset + count));
    }
    Ok(reading)
}

/// Whether a page in the order of the teams' numbers can be no page behind so many others: the
/// team at offset 2000 has a number above 2000.
fn repeats(teams: &[Team<'_>], offset: u64) -> bool {
    let highest = teams.last().map_or(0, |team| u64::from(team.id));
    highest <= offset && teams.is_sorted_by_key(|team| team.id)
}
