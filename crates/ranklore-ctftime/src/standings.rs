//! The scoreboard of one event.

use std::borrow::Cow;
use std::collections::HashSet;

use ranklore_contest::{Entrant, EntrantKind, EntrantOutcome, Place};
use ranklore_source::{ContestOutcome, renumber_places};
use serde::Deserialize;

/// Upper bound of the absolute value of points.
const MAX_POINTS: f64 = 1e15;

/// Returns the highest plausible place for a number of rows: scoreboards have few gaps. A higher
/// number is not a place.
const fn max_place(rows: usize) -> u32 {
    2 * rows as u32 + 20
}

/// Maximum length of a scoreboard.
const MAX_ROWS: usize = 10_000_000;

#[derive(Deserialize)]
pub(crate) struct ScoreRow<'a> {
    team_id: u32,
    #[serde(borrow)]
    points: Cow<'a, str>,
    place: u32,
}

/// A validated row.
struct ParsedRow {
    team: u32,
    points: f64,
    place: u32,
}

/// Reads a scoreboard and adds warnings. Errors with the path within the event and the expected
/// form.
pub(crate) fn read(
    event: u32,
    scores: &[ScoreRow<'_>],
    warnings: &mut Vec<String>,
) -> Result<ContestOutcome, (String, String)> {
    if scores.is_empty() {
        return Ok(ContestOutcome::NothingYet);
    }
    if scores.len() > MAX_ROWS {
        let expected = format!("at most {MAX_ROWS} rows, not {}", scores.len());
        return Err(("scores".to_owned(), expected));
    }
    let mut rows = Vec::with_capacity(scores.len());
    for (index, score) in scores.iter().enumerate() {
        let row = parse_row(score, scores.len())
            .map_err(|(field, expected)| (format!("scores[{index}].{field}"), expected))?;
        rows.push(row);
    }
    if !rows.is_sorted_by_key(|row| row.place) {
        rows.sort_by_key(|row| row.place);
    }
    if rows[0].place != 1 {
        let expected = format!("a first place, not {} as the best", rows[0].place);
        return Err(("scores".to_owned(), expected));
    }
    let mut irregularities = Vec::new();
    remove_duplicate_teams(&mut rows, &mut irregularities);
    let (places, first_changed) = renumber_places(rows.iter().map(|row| row.place));
    // A duplicate row moves the rows below up and has been warned about.
    if let Some(position) = first_changed.filter(|_| irregularities.is_empty()) {
        let row = &rows[position];
        let place = places[position].get();
        irregularities.push(format!(
            "places have gaps, first at team {} (place {}, expected {place}); places were \
             renumbered",
            row.team, row.place
        ));
    }
    irregularities.extend(describe_ties(&places));
    if let Some(two) = rows.windows(2).find(|two| two[1].points > two[0].points) {
        irregularities.push(format!(
            "team {} has more points than team {} above it; the places are used",
            two[1].team, two[0].team
        ));
    }
    warnings.extend(irregularities.into_iter().map(|text| format!("event {event}: {text}")));
    let entrants = rows.iter().zip(places).map(|(row, place)| Entrant {
        kind: EntrantKind::Team,
        score: Some(row.points),
        ..Entrant::person(row.team.to_string(), EntrantOutcome::Finished(place))
    });
    Ok(ContestOutcome::from_entrants(entrants.collect()))
}

fn describe_ties(places: &[Place]) -> Option<String> {
    let tied = places.windows(2).filter(|two| two[0] == two[1]).count();
    let teams = match tied {
        0 => return None,
        1 => "1 team".to_owned(),
        _ => format!("{tied} teams"),
    };
    Some(format!("{teams} share a place with the team above them"))
}

fn parse_row(score: &ScoreRow<'_>, rows: usize) -> Result<ParsedRow, (&'static str, String)> {
    if score.team_id == 0 {
        return Err(("team_id", "the number of a team, from 1 on".to_owned()));
    }
    let highest = max_place(rows);
    if !(1..=highest).contains(&score.place) {
        let expected = format!("a place from 1 to {highest}, not {}", score.place);
        return Err(("place", expected));
    }
    let points = parse_points(&score.points).ok_or_else(|| {
        let excerpt: String = score.points.chars().take(40).collect();
        let expected =
            format!("points within {MAX_POINTS:e} of 0 as \"5075.0000\", not {excerpt:?}");
        ("points", expected)
    })?;
    Ok(ParsedRow {
        team: score.team_id,
        points,
        place: score.place,
    })
}

/// Parses points as the site writes them: digits with a decimal point.
fn parse_points(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (integer, fraction) = unsigned.split_once('.')?;
    for part in [integer, fraction] {
        if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
    }
    let points: f64 = text.parse().ok()?;
    (-MAX_POINTS..=MAX_POINTS).contains(&points).then_some(points)
}

/// Keeps the better of two rows of a team.
fn remove_duplicate_teams(rows: &mut Vec<ParsedRow>, irregularities: &mut Vec<String>) {
    let mut teams = HashSet::with_capacity(rows.len());
    rows.retain(|row| {
        let is_first = teams.insert(row.team);
        if !is_first {
            irregularities.push(format!(
                "team {} is listed twice, again with place {}; the better row counts, and places \
                 were renumbered",
                row.team, row.place
            ));
        }
        is_first
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_parsed_in_one_format() {
        for (text, expected) in [
            ("5075.0000", Some(5075.0)),
            ("0.0000", Some(0.0)),
            ("-12.5000", Some(-12.5)),
            ("9999999.9999", Some(9_999_999.999_9)),
            ("5075", None),
            ("5,075.0000", None),
            ("5075,0000", None),
            ("1e3.0", None),
            (".5", None),
            ("5.", None),
            ("+1.0", None),
            (" 1.0", None),
            ("NaN", None),
            ("inf", None),
            ("", None),
            ("99999999999999999999.0", None),
        ] {
            assert_eq!(parse_points(text), expected, "{text}");
        }
    }
}
