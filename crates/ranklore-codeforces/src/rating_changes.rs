//! Rating changes: places and official ratings of a rated round.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use ranklore_contest::{Entrant, EntrantOutcome, UnixSeconds};
use ranklore_source::{
    ContestOutcome, OfficialRating, Results, SiteReadError, SiteReading, renumber_places,
};
use serde::Deserialize;

use crate::api_error::ApiError;
use crate::response::{parse_response, parse_time, unexpected_error};

/// Upper bound of a rating's absolute value: the highest ever was about 4,000, the lowest above
/// -100.
pub(crate) const MAX_RATING: i32 = 100_000;

/// Upper bound of a rank: no round had 1 % of it.
pub(crate) const MAX_RANK: u32 = 10_000_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RatingChange<'a> {
    contest_id: u32,
    #[serde(borrow)]
    contest_name: Cow<'a, str>,
    #[serde(borrow)]
    handle: Cow<'a, str>,
    rank: u32,
    rating_update_time_seconds: i64,
    old_rating: i32,
    new_rating: i32,
}

pub(crate) fn read(key: &str, body: &[u8], contest: u32) -> Result<SiteReading, SiteReadError> {
    let rows: Vec<RatingChange<'_>> = match parse_response(key, body)? {
        Ok(rows) => rows,
        Err((refusal, comment)) => {
            let outcome = match refusal {
                ApiError::NotRated => Some(ContestOutcome::NotRated),
                _ => error_outcome(&refusal),
            };
            return outcome
                .map(|outcome| outcome_only(contest, outcome))
                .ok_or_else(|| unexpected_error(key, &comment));
        }
    };
    let Some(first) = rows.first() else {
        return Ok(outcome_only(contest, ContestOutcome::NothingYet));
    };
    let name = first.contest_name.clone().into_owned();
    let stood_at = validate_rows(key, &rows, contest)?;
    let mut warnings = Vec::new();
    let rows = sort_by_rank(rows, contest, &mut warnings);
    let (places, first_off) = renumber_places(rows.iter().map(|row| row.rank));
    // A duplicate row moves the rows below up and has been warned about.
    if let Some(off) = first_off.filter(|_| warnings.is_empty()) {
        warnings.push(format!(
            "contest {contest}: ranks have gaps, first at {:?} (rank {}, expected {}); places were \
             renumbered",
            rows[off].handle,
            rows[off].rank,
            places[off].get()
        ));
    }
    let mut entrants = Vec::with_capacity(rows.len());
    let mut official = Vec::with_capacity(rows.len());
    for (row, place) in rows.into_iter().zip(places) {
        let handle = row.handle.into_owned();
        official.push(OfficialRating {
            competitor: handle.clone(),
            before: Some(f64::from(row.old_rating)),
            after: f64::from(row.new_rating),
            volatility: None,
        });
        entrants.push(Entrant::person(handle, EntrantOutcome::Finished(place)));
    }
    let outcome = ContestOutcome::Standings { entrants, official };
    Ok(SiteReading {
        results: vec![Results {
            name: Some(name),
            stood_at,
            ..Results::new(contest.to_string(), outcome)
        }],
        warnings,
        ..SiteReading::default()
    })
}

/// Returns the outcome for the errors that every request about a contest may get.
pub(crate) fn error_outcome(refusal: &ApiError) -> Option<ContestOutcome> {
    match refusal {
        ApiError::ContestNotFound => Some(ContestOutcome::Gone),
        ApiError::NotStarted => Some(ContestOutcome::NothingYet),
        ApiError::AccessDenied => Some(ContestOutcome::Closed),
        _ => None,
    }
}

/// Returns a reading with the outcome of one contest only.
pub(crate) fn outcome_only(contest: u32, outcome: ContestOutcome) -> SiteReading {
    SiteReading {
        results: vec![Results::new(contest.to_string(), outcome)],
        ..SiteReading::default()
    }
}

/// Validates every row. Returns the latest update time.
fn validate_rows(
    key: &str,
    rows: &[RatingChange<'_>],
    contest: u32,
) -> Result<Option<UnixSeconds>, SiteReadError> {
    let mut latest = None;
    for (index, row) in rows.iter().enumerate() {
        let wrong = |field, expected: String| {
            SiteReadError::new(key, format!("result[{index}].{field}"), expected)
        };
        if row.contest_id != contest {
            let expected = format!("{contest}, the contest asked for, not {}", row.contest_id);
            return Err(wrong("contestId", expected));
        }
        if row.handle.is_empty() {
            return Err(wrong("handle", "a handle, not an empty text".to_owned()));
        }
        if !(1..=MAX_RANK).contains(&row.rank) {
            let expected = format!("a rank from 1 to {MAX_RANK}, not {}", row.rank);
            return Err(wrong("rank", expected));
        }
        for (field, rating) in [("oldRating", row.old_rating), ("newRating", row.new_rating)] {
            if !(-MAX_RATING..=MAX_RATING).contains(&rating) {
                let expected = format!("a rating within {MAX_RATING} of 0, not {rating}");
                return Err(wrong(field, expected));
            }
        }
        let updated_at = parse_time(row.rating_update_time_seconds)
            .map_err(|expected| wrong("ratingUpdateTimeSeconds", expected))?;
        latest = latest.max(Some(updated_at));
    }
    Ok(latest)
}

/// Sorts rows by rank. Of two rows with one handle the better is kept.
fn sort_by_rank<'a>(
    mut rows: Vec<RatingChange<'a>>,
    contest: u32,
    warnings: &mut Vec<String>,
) -> Vec<RatingChange<'a>> {
    if !rows.is_sorted_by_key(|row| row.rank) {
        rows.sort_by_key(|row| row.rank);
    }
    let mut first: HashMap<Cow<'a, str>, u32> = HashMap::with_capacity(rows.len());
    rows.retain(|row| match first.entry(row.handle.clone()) {
        Entry::Vacant(entry) => {
            entry.insert(row.rank);
            true
        }
        Entry::Occupied(entry) => {
            warnings.push(format!(
                "contest {contest}: {:?} is listed twice, with ranks {} and {}; the first counts, \
                 and places were renumbered",
                row.handle,
                entry.get(),
                row.rank
            ));
            false
        }
    });
    rows
}
