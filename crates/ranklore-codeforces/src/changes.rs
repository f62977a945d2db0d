//! Rating changes: places and official ratings of a rated round.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use ranklore_contest::{Entrant, Outcome, UnixSeconds};
use ranklore_source::{ContestOutcome, OfficialRating, ReadError, Reading, Results, places};
use serde::Deserialize;

use crate::answer::{Answer, moment, open, unexpected};
use crate::refusal::Refusal;

/// Upper bound of a rating's absolute value: the highest ever was about 4,000, the lowest above
/// -100.
pub(crate) const MAX_RATING: i32 = 100_000;

/// Upper bound of a rank: no round had 1 % of it.
pub(crate) const MAX_RANK: u32 = 10_000_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
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

pub(crate) fn read(key: &str, body: &[u8], contest: u32) -> Result<Reading, ReadError> {
    let rows: Vec<Row<'_>> = match open(key, body)? {
        Answer::Result(rows) => rows,
        Answer::Refused(refusal, comment) => {
            return refused(&refusal, contest).ok_or_else(|| unexpected(key, &comment));
        }
    };
    let Some(first) = rows.first() else {
        return Ok(without_standings(contest, ContestOutcome::NothingYet));
    };
    let name = first.contest_name.clone().into_owned();
    let stood_at = check(key, &rows, contest)?;
    let mut warnings = Vec::new();
    let rows = by_rank(rows, contest, &mut warnings);
    let (places, first_off) = places(rows.iter().map(|row| row.rank));
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
        entrants.push(Entrant::person(handle, Outcome::Finished(place)));
    }
    Ok(Reading {
        results: vec![Results {
            external_id: contest.to_string(),
            name: Some(name),
            stood_at,
            outcome: ContestOutcome::Stood { entrants, official },
            counts: None,
        }],
        warnings,
        ..Reading::default()
    })
}

/// Reads an API error as the outcome of a contest; `None` if it is about no contest.
fn refused(refusal: &Refusal, contest: u32) -> Option<Reading> {
    let outcome = match refusal {
        Refusal::NotRated => ContestOutcome::NotRated,
        _ => outcome_of(refusal)?,
    };
    Some(without_standings(contest, outcome))
}

/// Returns the outcome for the errors that every request about a contest may get.
pub(crate) fn outcome_of(refusal: &Refusal) -> Option<ContestOutcome> {
    match refusal {
        Refusal::NoSuchContest => Some(ContestOutcome::Gone),
        Refusal::NotStarted => Some(ContestOutcome::NothingYet),
        Refusal::Closed => Some(ContestOutcome::Closed),
        _ => None,
    }
}

/// Returns a reading with the outcome of one contest only.
pub(crate) fn without_standings(contest: u32, outcome: ContestOutcome) -> Reading {
    Reading {
        results: vec![Results::new(contest.to_string(), outcome)],
        ..Reading::default()
    }
}

/// Validates every row. Returns the latest update time.
fn check(key: &str, rows: &[Row<'_>], contest: u32) -> Result<Option<UnixSeconds>, ReadError> {
    let mut latest = None;
    for (index, row) in rows.iter().enumerate() {
        let wrong = |field, expected: String| {
            ReadError::new(key, format!("result[{index}].{field}"), expected)
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
        let at = moment(row.rating_update_time_seconds);
        let at = at.map_err(|expected| wrong("ratingUpdateTimeSeconds", expected))?;
        latest = latest.max(Some(at));
    }
    Ok(latest)
}

/// Sorts rows by rank. Of two rows with one handle the better is kept.
fn by_rank<'a>(mut rows: Vec<Row<'a>>, contest: u32, warnings: &mut Vec<String>) -> Vec<Row<'a>> {
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
