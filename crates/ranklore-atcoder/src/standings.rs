//! Standings of a contest: places, scores and times.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use ranklore_contest::{Entrant, EntrantKind, EntrantOutcome};
use ranklore_source::{ContestOutcome, Results, SiteReadError, SiteReading, json};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::ranks::{RankedRow, RankedRows};

/// Upper bound of the absolute value of a score, in hundredths of a point: beyond it a number with a
/// fraction is not exact.
const MAX_SCORE: i64 = 1 << 53;

/// Upper bound of a time in nanoseconds: a year.
const MAX_ELAPSED: u64 = 366 * 86_400 * NANOSECONDS;

const NANOSECONDS: u64 = 1_000_000_000;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Standings<'a> {
    fixed: bool,
    #[serde(borrow)]
    standings_data: Vec<StandingsRow<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct StandingsRow<'a> {
    rank: u32,
    #[serde(borrow)]
    user_screen_name: Cow<'a, str>,
    is_team: bool,
    task_results: MemberCount,
    total_result: TotalResult,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct TotalResult {
    /// The number of submissions.
    count: u32,
    /// In hundredths of a point.
    score: i64,
    /// The time that decides between equal scores, penalties included, in nanoseconds.
    elapsed: u64,
}

/// The number of members of an object.
struct MemberCount(usize);

impl<'de> Deserialize<'de> for MemberCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Counter;

        impl<'de> Visitor<'de> for Counter {
            type Value = MemberCount;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of tasks")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<MemberCount, A::Error> {
                let mut count = 0;
                while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
                    count += 1;
                }
                Ok(MemberCount(count))
            }
        }

        deserializer.deserialize_map(Counter)
    }
}

/// Reads standings, which have no rating after the contest: their `Rating` is that of today.
pub(crate) fn read(key: &str, body: &[u8], contest: &str) -> Result<SiteReading, SiteReadError> {
    let Standings {
        fixed,
        standings_data,
    } = json::parse(key, body)?;
    // System tests and rejudgements may still change it.
    if !fixed {
        return Ok(SiteReading {
            results: vec![Results::new(contest, ContestOutcome::NothingYet)],
            ..SiteReading::default()
        });
    }
    let mut ranked = RankedRows {
        key,
        list: "StandingsData",
        rank_field: "Rank",
        rows: Vec::with_capacity(standings_data.len()),
        ranks_left_out: Vec::new(),
    };
    for (row, index) in standings_data.into_iter().zip(0..) {
        check_row(&row).map_err(|(field, expected)| ranked.error(index, field, expected))?;
        if row.total_result.count == 0 {
            ranked.ranks_left_out.push(row.rank);
        } else {
            let rank = row.rank;
            let entrant = to_entrant(row);
            ranked.rows.push(RankedRow {
                index,
                rank,
                entrant,
            });
        }
    }
    let mut left_out = BTreeMap::new();
    if !ranked.ranks_left_out.is_empty() {
        let number = ranked.ranks_left_out.len() as u64;
        left_out.insert("entrants without a submission".to_owned(), number);
    }
    sort_by_rank(&mut ranked)?;
    let (entrants, warning) = ranked.into_entrants(contest)?;
    Ok(SiteReading {
        results: vec![Results::new(
            contest,
            ContestOutcome::from_entrants(entrants),
        )],
        warnings: warning.into_iter().collect(),
        left_out,
        ..SiteReading::default()
    })
}

/// Checks the numbers and the tasks of a row; errors with the field and its expected form.
fn check_row(row: &StandingsRow<'_>) -> Result<(), (&'static str, String)> {
    let total = &row.total_result;
    if !(-MAX_SCORE..=MAX_SCORE).contains(&total.score) {
        let expected = format!("a score within {MAX_SCORE} of 0, not {}", total.score);
        return Err(("TotalResult.Score", expected));
    }
    if total.elapsed > MAX_ELAPSED {
        let expected = format!("at most {MAX_ELAPSED} nanoseconds, not {}", total.elapsed);
        return Err(("TotalResult.Elapsed", expected));
    }
    match (total.count, row.task_results.0) {
        (1.., 0) => {
            let expected = format!("a task, since the user made {} submissions", total.count);
            Err(("TaskResults", expected))
        }
        (0, _) if total.score != 0 => {
            let expected = format!("0 without a submission, not {}", total.score);
            Err(("TotalResult.Score", expected))
        }
        _ => Ok(()),
    }
}

/// Returns an entrant whose outcome is set later.
fn to_entrant(row: StandingsRow<'_>) -> Entrant {
    let total = row.total_result;
    let kind = if row.is_team {
        EntrantKind::Team
    } else {
        EntrantKind::Person
    };
    Entrant {
        kind,
        score: Some(total.score as f64 / 100.0),
        penalty: Some(total.elapsed as f64 / NANOSECONDS as f64),
        ..Entrant::person(row.user_screen_name, EntrantOutcome::DidNotFinish)
    }
}

/// Sorts rows by rank. Errors if entrants of one rank have different scores, or a lower rank has a
/// higher score.
fn sort_by_rank(ranked: &mut RankedRows<'_>) -> Result<(), SiteReadError> {
    ranked.rows.sort_by_key(|row| row.rank);
    for [above, row] in ranked.rows.array_windows() {
        let (Some(upper), Some(score)) = (above.entrant.score, row.entrant.score) else {
            continue;
        };
        let name = &above.entrant.competitor;
        let expected = match score.total_cmp(&upper) {
            Ordering::Greater => {
                format!("a rank above {name:?}, who has {upper} points and not {score}")
            }
            Ordering::Less if above.rank == row.rank => format!(
                "a rank other than {}, which {name:?} has with {upper} points and not {score}",
                row.rank
            ),
            _ => continue,
        };
        return Err(ranked.error(row.index, "Rank", expected));
    }
    Ok(())
}
