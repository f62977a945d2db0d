//! The list of contests.

use std::borrow::Cow;
use std::collections::HashSet;

use ranklore_contest::UnixSeconds;
use ranklore_source::json::{self, Entry, quote_excerpt, valid_entries};
use ranklore_source::{SiteListing, SiteReadError, SiteReading, Stage};
use serde::Deserialize;

use crate::requests;

/// The earliest start of a contest; that of permanent ones is 0. The site began in 2010.
const FIRST_START: i64 = 1_262_304_000;

/// The start of the first rated contest (AtCoder Grand Contest 001). The list has rated ranges of
/// older contests too.
const FIRST_RATED_START: i64 = 1_468_670_400;

/// The start of the first contest with a heuristic rating (AtCoder Heuristic Contest 001).
const FIRST_HEURISTIC_START: i64 = 1_614_999_600;

/// Maximum number of contests that a warning names.
const MAX_NAMED: usize = 5;

#[derive(Deserialize)]
struct ListedContest<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    start_epoch_second: i64,
    duration_second: u32,
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[serde(borrow)]
    rate_change: Cow<'a, str>,
}

/// Reads the list. The time when it was fetched decides which contests are over.
pub(crate) fn read(
    key: &str,
    body: &[u8],
    fetched_at: UnixSeconds,
) -> Result<SiteReading, SiteReadError> {
    let entries: Vec<Entry<ListedContest<'_>>> = json::parse(key, body)?;
    if entries.is_empty() {
        return Err(SiteReadError::whole_document(key, "at least one contest"));
    }
    let mut reading = SiteReading::default();
    let mut ids = HashSet::with_capacity(entries.len());
    for (index, row) in valid_entries(key, "", entries, &mut reading.refused) {
        let contest = parse_contest(&row, fetched_at).and_then(|contest| {
            if ids.insert(contest.external_id.clone()) {
                Ok(contest)
            } else {
                Err(("id", format!("a unique id, not {} again", row.id)))
            }
        });
        match contest {
            Ok(contest) => reading.listed.push(contest),
            Err((field, expected)) => {
                let at = format!("[{index}].{field}");
                reading.refused.push(SiteReadError::new(key, at, expected));
            }
        }
    }
    // If no contest can be read, the format has changed.
    if reading.listed.is_empty() {
        return Err(reading.refused.swap_remove(0));
    }
    reading.lists_all = reading.refused.is_empty();
    reading.warnings.extend(warn_without_division(&reading.listed));
    Ok(reading)
}

/// Parses one contest; errors with the invalid field and its expected form.
fn parse_contest(
    row: &ListedContest<'_>,
    fetched_at: UnixSeconds,
) -> Result<SiteListing, (&'static str, String)> {
    if !requests::is_contest_id(&row.id) {
        let expected = format!("letters, digits, '-' and '_', not {}", quote_excerpt(&row.id));
        return Err(("id", expected));
    }
    if row.title.is_empty() {
        return Err(("title", "a title, not an empty text".to_owned()));
    }
    let start = row.start_epoch_second;
    let time = |seconds: i64| {
        UnixSeconds::new(seconds).ok_or_else(|| format!("a time from 1970 to 2199, not {seconds}"))
    };
    if start != 0 && start < FIRST_START {
        let expected = format!("0 or a time from {FIRST_START} (2010), not {start}");
        return Err(("start_epoch_second", expected));
    }
    let starts_at = time(start).map_err(|expected| ("start_epoch_second", expected))?;
    let ends_at = time(starts_at.get() + i64::from(row.duration_second))
        .map_err(|expected| ("duration_second", expected))?;
    let rateable = parse_rated(&row.rate_change)? && start >= FIRST_RATED_START;
    let stage = if fetched_at < starts_at {
        Stage::Announced
    } else if fetched_at < ends_at {
        Stage::Running
    } else {
        Stage::Finished
    };
    let division = find_division(&row.id, &row.title, start).filter(|_| rateable);
    Ok(SiteListing {
        division: division.map(str::to_owned),
        url: Some(format!("https://atcoder.jp/contests/{}", row.id)),
        starts_at: Some(starts_at),
        ends_at: Some(ends_at),
        rateable,
        results: requests::contest_requests(&row.id),
        ..SiteListing::new(row.id.clone(), row.title.clone(), stage)
    })
}

/// Returns true if a contest rates somebody, by its range of ratings: `All`, ` ~ 1999` or
/// `1200 ~ 2799`, or `-` for nobody.
fn parse_rated(range: &str) -> Result<bool, (&'static str, String)> {
    let is_bound = |bound: &str| bound.trim().bytes().all(|byte| byte.is_ascii_digit());
    match (range.trim(), range.split_once('~')) {
        ("-", _) => Ok(false),
        ("All", _) => Ok(true),
        (_, Some((low, high))) if is_bound(low) && is_bound(high) => Ok(true),
        _ => {
            let expected = format!("-, All or 1200 ~ 2799, not {}", quote_excerpt(range));
            Err(("rate_change", expected))
        }
    }
}

/// Returns the division of a rated contest by its id, its title and its start, since the list does
/// not state it. `None` if they do not tell.
fn find_division(id: &str, title: &str, start: i64) -> Option<&'static str> {
    let is_numbered = |series: &str| {
        let number = id.strip_prefix(series).unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let has_series = |names: &[&str]| names.iter().any(|name| title.contains(name));
    if is_numbered("ahc") || has_series(&["Heuristic", "ヒューリスティック"]) {
        return Some("Heuristic");
    }
    let algorithm = ["Beginner Contest", "Regular Contest", "Grand Contest"];
    let is_algorithm = ["abc", "arc", "agc"].into_iter().any(is_numbered)
        || has_series(&algorithm)
        || start < FIRST_HEURISTIC_START;
    is_algorithm.then_some("Algorithm")
}

/// Warns of rated contests that belong to no division.
fn warn_without_division(listed: &[SiteListing]) -> Option<String> {
    let unknown = listed.iter().filter(|contest| contest.rateable && contest.division.is_none());
    let ids: Vec<&str> = unknown.map(|contest| &*contest.external_id).collect();
    if ids.is_empty() {
        return None;
    }
    let more = ids.len().saturating_sub(MAX_NAMED);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    Some(format!(
        "neither algorithm nor heuristic by id and title, so in no division: {}{more}",
        ids[..ids.len().min(MAX_NAMED)].join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_follows_from_id_title_or_start() {
        let new = FIRST_HEURISTIC_START;
        for (id, title, start, division) in [
            ("abc901", "Lantern Contest", new, Some("Algorithm")),
            ("abc", "Lantern Contest", new, None),
            ("arc901x", "Lantern Contest", new, None),
            (
                "lamp2022",
                "Lamp Contest 2022 (AtCoder Regular Contest 901)",
                new,
                Some("Algorithm"),
            ),
            ("lamp2022", "Lamp Contest 2022", new, None),
            ("lamp2020", "Lamp Contest 2020", new - 1, Some("Algorithm")),
            ("ahc901", "Lantern Contest", new, Some("Heuristic")),
            ("lamp2023", "Lamp Finals 2023 Heuristic", new, Some("Heuristic")),
        ] {
            assert_eq!(find_division(id, title, start), division, "{id} {title}");
        }
    }

    #[test]
    fn unknown_range_is_an_error() {
        for (range, rated) in [
            ("-", Some(false)),
            ("All", Some(true)),
            (" ~ 1999", Some(true)),
            ("1200 ~ ", Some(true)),
            ("1200 ~ 2799", Some(true)),
            ("", None),
            ("all", None),
            ("A ~ B", None),
            ("1999", None),
        ] {
            assert_eq!(parse_rated(range).ok(), rated, "{range:?}");
        }
    }
}
