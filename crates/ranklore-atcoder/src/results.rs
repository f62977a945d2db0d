//! Results of a contest: places and the ratings before and after.

use std::borrow::Cow;

use ranklore_contest::{Entrant, EntrantOutcome};
use ranklore_source::json::{self, quote_excerpt};
use ranklore_source::{ContestOutcome, OfficialRating, Results, SiteReadError, SiteReading};
use serde::Deserialize;

use crate::ranks::{RankedRow, RankedRows};

/// Upper bound of the absolute value of a rating.
const MAX_RATING: i32 = 100_000;

/// The end of the name of every contest in results.
const DOMAIN: &str = ".contest.atcoder.jp";

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ResultRow<'a> {
    is_rated: bool,
    place: u32,
    old_rating: i32,
    new_rating: i32,
    #[serde(borrow)]
    user_screen_name: Cow<'a, str>,
    #[serde(borrow)]
    contest_screen_name: Cow<'a, str>,
}

/// Reads results. Entrants who were not rated have a place and no rating.
pub(crate) fn read(key: &str, body: &[u8], contest: &str) -> Result<SiteReading, SiteReadError> {
    let parsed: Vec<ResultRow<'_>> = json::parse(key, body)?;
    let mut official = Vec::with_capacity(parsed.len());
    let mut ranked = RankedRows {
        key,
        list: "",
        rank_field: "Place",
        rows: Vec::with_capacity(parsed.len()),
        ranks_left_out: Vec::new(),
    };
    for (row, index) in parsed.into_iter().zip(0..) {
        check_row(&row, contest)
            .map_err(|(field, expected)| ranked.error(index, field, expected))?;
        let name = row.user_screen_name.into_owned();
        if row.is_rated {
            official.push(OfficialRating {
                competitor: name.clone(),
                before: Some(f64::from(row.old_rating)),
                after: f64::from(row.new_rating),
                volatility: None,
            });
        }
        ranked.rows.push(RankedRow {
            index,
            rank: row.place,
            entrant: Entrant::person(name, EntrantOutcome::DidNotFinish),
        });
    }
    let (entrants, warning) = ranked.into_entrants(contest)?;
    let outcome = if entrants.is_empty() {
        ContestOutcome::NothingYet
    } else {
        ContestOutcome::Standings { entrants, official }
    };
    Ok(SiteReading {
        results: vec![Results::new(contest, outcome)],
        warnings: warning.into_iter().collect(),
        ..SiteReading::default()
    })
}

/// Checks the contest and the ratings of a row; errors with the field and its expected form.
fn check_row(row: &ResultRow<'_>, contest: &str) -> Result<(), (&'static str, String)> {
    let name = &*row.contest_screen_name;
    if name.strip_suffix(DOMAIN) != Some(contest) {
        let expected = format!("{contest}{DOMAIN}, not {}", quote_excerpt(name));
        return Err(("ContestScreenName", expected));
    }
    for (field, rating) in [("OldRating", row.old_rating), ("NewRating", row.new_rating)] {
        if !(-MAX_RATING..=MAX_RATING).contains(&rating) {
            let expected = format!("a rating within {MAX_RATING} of 0, not {rating}");
            return Err((field, expected));
        }
    }
    Ok(())
}
