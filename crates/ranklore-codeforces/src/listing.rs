//! The list of contests.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use ranklore_source::json::{Entry, quote_excerpt, valid_entries};
use ranklore_source::{SiteListing, SiteReadError, SiteReading, Stage};
use serde::Deserialize;

use crate::requests;
use crate::response::{contest_times, parse_result};

/// Maximum duration of a contest, in seconds: five years.
const MAX_DURATION: u32 = 5 * 366 * 86_400;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ApiContest<'a> {
    id: u32,
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    phase: Cow<'a, str>,
    duration_seconds: u32,
    start_time_seconds: Option<i64>,
}

pub(crate) fn read(key: &str, body: &[u8]) -> Result<SiteReading, SiteReadError> {
    let entries: Vec<Entry<ApiContest<'_>>> = parse_result(key, body)?;
    if entries.is_empty() {
        return Err(SiteReadError::new(key, "result", "at least one contest"));
    }
    let mut reading = SiteReading::default();
    let rows = valid_entries(key, "result", entries, &mut reading.refused);
    let mut ids = HashSet::with_capacity(rows.len());
    let events = group_into_events(&rows);
    for ((index, row), event) in rows.iter().zip(events) {
        let contest = parse_contest(row, event).and_then(|contest| {
            if ids.insert(row.id) {
                Ok(contest)
            } else {
                Err(("id", format!("a unique id, not {} again", row.id)))
            }
        });
        match contest {
            Ok(contest) => reading.listed.push(contest),
            Err((field, expected)) => {
                let at = format!("result[{index}].{field}");
                reading.refused.push(SiteReadError::new(key, at, expected));
            }
        }
    }
    // If no contest can be read, the format has changed.
    if reading.listed.is_empty() {
        return Err(reading.refused.swap_remove(0));
    }
    reading.lists_all = reading.refused.is_empty();
    Ok(reading)
}

/// Parses one contest; errors with the invalid field and its expected form.
fn parse_contest(
    row: &ApiContest<'_>,
    event: Option<String>,
) -> Result<SiteListing, (&'static str, String)> {
    let id = row.id;
    if id == 0 {
        return Err(("id", "a number from 1 on".to_owned()));
    }
    let stage = match &*row.phase {
        "BEFORE" => Stage::Announced,
        // Two contests of 2020 have been in PENDING_SYSTEM_TEST ever since.
        "CODING" | "PENDING_SYSTEM_TEST" | "SYSTEM_TEST" => Stage::Running,
        "FINISHED" => Stage::Finished,
        other => {
            let known = "BEFORE, CODING, PENDING_SYSTEM_TEST, SYSTEM_TEST or FINISHED";
            return Err(("phase", format!("{known}, not {}", quote_excerpt(other))));
        }
    };
    if row.duration_seconds > MAX_DURATION {
        let expected = format!("at most {MAX_DURATION}, not {}", row.duration_seconds);
        return Err(("durationSeconds", expected));
    }
    let times = contest_times(row.start_time_seconds, row.duration_seconds)?;
    let (starts_at, ends_at) = times.unzip();
    let division = parse_division(&row.name).map(|(_, division)| division);
    Ok(SiteListing {
        ordinal: event.as_ref().and(division).map(i64::from),
        event,
        division: division.map(|number| format!("Div. {number}")),
        url: Some(format!("https://codeforces.com/contest/{id}")),
        starts_at,
        ends_at,
        results: vec![requests::rating_changes(id), requests::standings(id)],
        ..SiteListing::new(id.to_string(), row.name.clone(), stage)
    })
}

/// Returns the offset of ` (Div. N)` in a name, and the division. Other forms give `None`.
fn parse_division(name: &str) -> Option<(usize, u8)> {
    const PREFIX: &str = " (Div. ";
    let (start, _) = name.match_indices(PREFIX).next()?;
    match name.as_bytes().get(start + PREFIX.len()..)? {
        [digit @ b'1'..=b'9', b')', ..] => Some((start, digit - b'0')),
        _ => None,
    }
}

/// Returns the event of each contest: the name without its division. Requires a number in the name,
/// since all announced rounds share one name without it, and another division with the same name
/// and start.
fn group_into_events(rows: &[(usize, ApiContest<'_>)]) -> Vec<Option<String>> {
    let rounds: Vec<Option<(String, i64, u8)>> = rows
        .iter()
        .map(|(_, row)| {
            let (at, division) = parse_division(&row.name)?;
            let name = [&row.name[..at], &row.name[at + " (Div. N)".len()..]].concat();
            let numbered = name.bytes().any(|byte| byte.is_ascii_digit());
            numbered.then_some((name, row.start_time_seconds?, division))
        })
        .collect();
    let mut divisions_by_event: HashMap<(&str, i64), Vec<u8>> = HashMap::new();
    for (name, start, division) in rounds.iter().flatten() {
        let divisions = divisions_by_event.entry((name, *start)).or_default();
        divisions.push(*division);
    }
    rounds
        .iter()
        .map(|round| {
            let (name, start, _) = round.as_ref()?;
            let divisions = &divisions_by_event[&(name.as_str(), *start)];
            let distinct: HashSet<_> = divisions.iter().collect();
            // With a duplicate division the order within the event would be ambiguous.
            let is_event = divisions.len() > 1 && distinct.len() == divisions.len();
            is_event.then(|| name.clone())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_parsed_only_in_known_form() {
        for (name, expected) in [
            ("Lantern Round 7 (Div. 2)", Some(2)),
            ("Lantern Round 7 (Div. 3) again", Some(3)),
            ("Lantern Round 7 (Div. 1 + Div. 2)", None),
            ("Lantern Round 7 (Rated for Div. 2)", None),
            ("Lantern Round 7 (Div. 2, by the harbour)", None),
            ("Lantern Round 7 (Div. 12)", None),
            ("Lantern Round 7 Div. 2", None),
            ("Lantern Round 7 (Div. ", None),
            ("Фонарь 7 (Div. 2)", Some(2)),
        ] {
            let found = parse_division(name).map(|(_, division)| division);
            assert_eq!(found, expected, "{name}");
        }
    }
}
