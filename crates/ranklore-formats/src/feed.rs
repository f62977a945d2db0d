//! The scoreboard of one contest, as capture-the-flag platforms publish it for CTFtime.
//!
//! `{"standings": [{"pos": 1, "team": "…", "score": 100}, …]}`, without a name or a date.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::Value;

use crate::json::object::read_object;
use crate::layouts::long::file_stem;
use crate::options::ReadOptions;
use crate::reading::{Candidates, LocatedResult};
use crate::values::dates::{DateError, DateRules, find_date, find_date_in_file_name};
use ranklore_contest::{
    Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome, Quoted, id_from_name,
    renumber_places,
};
use ranklore_grid::{FileReadError, Location, ReadLimits, normalise_spelling};

/// A scoreboard. Unknown fields, such as the tasks a team solved, are ignored.
#[derive(Deserialize)]
struct Feed {
    standings: Vec<TeamRow>,
}

#[derive(Deserialize)]
struct TeamRow {
    pos: u32,
    team: String,
    score: Option<TeamScore>,
    id: Option<Value>,
    team_id: Option<Value>,
    account_id: Option<Value>,
}

impl TeamRow {
    /// Returns the team's id on the platform, a number or text.
    fn team_id(&self) -> Option<String> {
        let ids = [&self.id, &self.team_id, &self.account_id];
        ids.into_iter().flatten().find_map(|id| match id {
            Value::Number(id) => Some(id.to_string()),
            Value::String(id) if !id.is_empty() => Some(id.clone()),
            _ => None,
        })
    }
}

struct TeamScore {
    /// `None` if the text is empty.
    points: Option<f64>,
    /// The original text: some platforms write numbers as strings.
    text: Option<String>,
}

impl<'de> Deserialize<'de> for TeamScore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a score is a number, or a number as text")]
        enum Raw {
            Number(f64),
            Text(String),
        }
        let (points, text) = match Raw::deserialize(deserializer)? {
            Raw::Number(points) => (Some(points), None),
            Raw::Text(text) if text.trim().is_empty() => (None, None),
            Raw::Text(text) => match text.trim().parse::<f64>() {
                Ok(points) if points.is_finite() => (Some(points), Some(text)),
                _ => {
                    let reason = format!("score {} is not a number", Quoted(&text));
                    return Err(Error::custom(reason));
                }
            },
        };
        Ok(Self { points, text })
    }
}

const NO_DATE: &str = "the date is missing; pass --start, or write the date into the \
                       file name, such as \"Harbour CTF 2024-06-01.json\"";

/// Reads the one contest of a feed. Its name is the file name; its time is a date in that name,
/// else the start from the options. Places are renumbered: ties stay, gaps close.
pub(crate) fn read(
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
    limits: ReadLimits,
) -> Result<Candidates, FileReadError> {
    let name = file_stem(file_name);
    let time = find_time(name, options, limits);
    let mut candidates = Candidates::default();
    match read_object::<Feed>(bytes, "standings")?
        .and_then(|feed| build_contest(feed, name, time, &mut candidates.warnings))
    {
        Ok(contest) => candidates.add_contest(Location::Whole, &contest),
        Err(refusal) => candidates.refuse(Some(name.to_owned()), refusal),
    }
    Ok(candidates)
}

fn build_contest(
    feed: Feed,
    name: &str,
    time: Result<ContestTime, String>,
    warnings: &mut Vec<String>,
) -> LocatedResult<Contest> {
    let ends_at = time.map_err(|reason| (Location::Whole, reason))?;
    let mut rows = feed.standings;
    for row in &mut rows {
        row.team = normalise_spelling(&row.team).into_owned();
    }
    if let Some(index) = rows.iter().position(|row| row.pos == 0) {
        let reason = "pos must be at least 1".to_owned();
        return Err((Location::JsonPath(format!("standings[{index}].pos")), reason));
    }
    warnings.extend(text_scores_warning(&rows));
    rows.sort_by_key(|row| row.pos);
    warnings.extend(disambiguate_team_names(&mut rows));
    let (places, _) = renumber_places(rows.iter().map(|row| row.pos));
    let entrants = rows.into_iter().zip(places).map(|(row, place)| Entrant {
        kind: EntrantKind::Team,
        score: row.score.and_then(|score| score.points),
        ..Entrant::person(row.team, EntrantOutcome::Finished(place))
    });
    Ok(Contest {
        entrants: entrants.collect(),
        ..Contest::new(id_from_name(name, ends_at), name, ends_at)
    })
}

fn text_scores_warning(rows: &[TeamRow]) -> Option<String> {
    let mut texts = rows.iter().enumerate().filter_map(|(index, row)| {
        let text = row.score.as_ref()?.text.as_ref()?;
        Some((index, text))
    });
    let (index, text) = texts.next()?;
    Some(format!(
        "{} of {} scores are text, such as {text} in standings[{index}], and are read as numbers",
        1 + texts.count(),
        rows.len(),
        text = Quoted(text)
    ))
}

/// Appends the team id to names that several teams share, as in `Gulls (id 7)`, or else a number by
/// place, as in `Gulls (2)`. Returns warnings for the user.
fn disambiguate_team_names(rows: &mut [TeamRow]) -> Vec<String> {
    let mut rows_by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        rows_by_name.entry(row.team.clone()).or_default().push(index);
    }
    let mut unavailable: HashSet<String> = rows_by_name.keys().cloned().collect();
    rows_by_name.retain(|name, sharing| sharing.len() > 1 && !name.is_empty());
    let mut warnings = Vec::new();
    for (name, sharing) in &rows_by_name {
        for (number, &index) in (1..).zip(sharing) {
            let row = &mut rows[index];
            let suffix = match row.team_id() {
                Some(id) => format!(" (id {id})"),
                None => format!(" ({number})"),
            };
            row.team += &suffix;
            // Another team may have the new name already.
            while unavailable.contains(&row.team) {
                row.team += &suffix;
            }
        }
        let new_names: HashSet<&String> = sharing.iter().map(|&index| &rows[index].team).collect();
        let are_distinct = new_names.len() == sharing.len();
        unavailable.extend(new_names.into_iter().cloned());
        // Two teams with the same name and id are refused later.
        if are_distinct && warnings.len() < MAX_LISTED_NAMES {
            let listed_names: Vec<String> = sharing
                .iter()
                .take(MAX_LISTED_NAMES)
                .map(|&index| Quoted(&rows[index].team).to_string())
                .collect();
            let has_more = sharing.len() > MAX_LISTED_NAMES;
            let ellipsis = if has_more { ", …" } else { "" };
            warnings.push(format!(
                "{} teams are called {name} and were renamed: {}{ellipsis}",
                sharing.len(),
                listed_names.join(", "),
                name = Quoted(name)
            ));
        }
    }
    if rows_by_name.len() > MAX_LISTED_NAMES {
        let unlisted = rows_by_name.len() - MAX_LISTED_NAMES;
        warnings.push(format!("and {unlisted} more shared team names"));
    }
    warnings
}

/// The number of shared names, and of teams per name, that warnings list.
const MAX_LISTED_NAMES: usize = 10;

/// Returns the date in the name of the file. A start settles several dates, and dates a name without
/// one.
fn find_time(name: &str, options: &ReadOptions, limits: ReadLimits) -> Result<ContestTime, String> {
    let rules = DateRules::new(options, limits);
    let date = match (find_date(name, rules), options.start) {
        (None | Some(Err(DateError::Several)), Some(start)) => return Ok(start),
        (None, None) => find_date_in_file_name(name, rules),
        (date, _) => date,
    };
    let time = date.ok_or_else(|| NO_DATE.to_owned())?;
    time.map_err(|error| error.message(name))
}
