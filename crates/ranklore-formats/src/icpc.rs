//! The scoreboard of one contest, as `DOMjudge` and other servers of the ICPC contest API publish it.
//!
//! The API has a file for each of its endpoints; a document holds three of them:
//! `{"contest": {…}, "teams": […], "scoreboard": {…}}`.
//! Source: Contest API, <https://ccs-specs.icpc.io>, endpoints contests, teams and scoreboard.

use std::borrow::Cow;
use std::collections::HashMap;

use ranklore_contest::{
    Annotations, Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome, Quoted, ResultState,
    id_from_name, renumber_places,
};
use ranklore_grid::{FileReadError, Location, normalise_spelling};
use serde::Deserialize;

use crate::json::object::read_object;
use crate::options::ReadOptions;
use crate::reading::{Candidates, LocatedResult};

/// The three endpoints. Fields that no reading needs, such as the problems a team solved, are
/// ignored.
#[derive(Deserialize)]
struct Icpc {
    contest: ContestInfo,
    teams: Vec<Team>,
    scoreboard: Scoreboard,
}

#[derive(Deserialize)]
struct ContestInfo {
    name: String,
    formal_name: Option<String>,
    start_time: Option<String>,
    duration: String,
}

#[derive(Deserialize)]
struct Team {
    id: String,
    name: String,
    display_name: Option<String>,
    #[serde(default)]
    hidden: bool,
}

impl Team {
    fn public_name(&self) -> Cow<'_, str> {
        let display_name = self.display_name.as_deref();
        let name = display_name.filter(|name| !name.trim().is_empty()).unwrap_or(&self.name);
        normalise_spelling(name)
    }
}

#[derive(Deserialize)]
struct Scoreboard {
    state: ContestState,
    rows: Vec<TeamRow>,
}

/// The times at which the contest entered its states; null before.
#[derive(Deserialize)]
struct ContestState {
    ended: Option<String>,
    frozen: Option<String>,
    thawed: Option<String>,
    finalized: Option<String>,
}

impl ContestState {
    fn is_frozen(&self) -> bool {
        self.frozen.is_some() && self.thawed.is_none()
    }

    fn result_state(&self) -> ResultState {
        if self.finalized.is_some() && !self.is_frozen() {
            ResultState::Final
        } else {
            ResultState::Provisional
        }
    }
}

#[derive(Deserialize)]
struct TeamRow {
    rank: u32,
    team_id: String,
    score: TeamScore,
}

#[derive(Deserialize)]
struct TeamScore {
    num_solved: Option<f64>,
    /// The points, in contests that have them in place of solved problems.
    score: Option<f64>,
    total_time: Option<Penalty>,
}

/// A penalty in minutes, which later versions of the API write as a duration.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a penalty is a number of minutes or a duration")]
enum Penalty {
    Minutes(f64),
    Duration(String),
}

/// Reads the one contest of a document: it ends one duration after its start. Places are renumbered
/// without hidden teams: ties stay, gaps close.
pub(crate) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Candidates, FileReadError> {
    let mut candidates = Candidates::default();
    let icpc = match read_object::<Icpc>(bytes, "contest, teams and scoreboard")? {
        Ok(icpc) => icpc,
        Err(refusal) => {
            candidates.refuse(None, refusal);
            return Ok(candidates);
        }
    };
    let formal_name = icpc.contest.formal_name.as_ref();
    let name = formal_name.filter(|name| !name.trim().is_empty()).unwrap_or(&icpc.contest.name);
    match build_contest(&icpc, name, options, &mut candidates.warnings) {
        Ok(contest) => {
            let annotations = Annotations {
                state: icpc.scoreboard.state.result_state(),
                ..Annotations::default()
            };
            candidates.annotations.insert(0, annotations);
            candidates.add_contest(Location::Whole, &contest);
        }
        Err(refusal) => candidates.refuse(Some(name.clone()), refusal),
    }
    Ok(candidates)
}

fn build_contest(
    icpc: &Icpc,
    name: &str,
    options: &ReadOptions,
    warnings: &mut Vec<String>,
) -> LocatedResult<Contest> {
    let (starts_at, ends_at) = contest_times(&icpc.contest, options)?;
    let state = &icpc.scoreboard.state;
    if state.ended.is_none() {
        let reason = "the contest has not ended; import its scoreboard when it has".to_owned();
        let at = Location::JsonPath("scoreboard.state.ended".to_owned());
        return Err((at, reason));
    }
    if state.is_frozen() {
        warnings.push("the scoreboard is frozen: it lacks the results of the last part".to_owned());
    }
    let rows = RankedRow::find_all(icpc, warnings)?;
    let (places, _) = renumber_places(rows.iter().map(|ranked| ranked.row.rank));
    let entrants = rows.iter().zip(places).map(|(ranked, place)| {
        let score = &ranked.row.score;
        Ok(Entrant {
            kind: EntrantKind::Team,
            score: score.num_solved.or(score.score),
            penalty: match &score.total_time {
                None => None,
                Some(Penalty::Minutes(minutes)) => Some(*minutes),
                Some(Penalty::Duration(text)) => {
                    let path = format!("scoreboard.rows[{}].score.total_time", ranked.index);
                    Some(parse_duration(text, path)? / 60.0)
                }
            },
            ..Entrant::person(&ranked.name, EntrantOutcome::Finished(place))
        })
    });
    Ok(Contest {
        starts_at,
        entrants: entrants.collect::<LocatedResult<_>>()?,
        ..Contest::new(id_from_name(name, ends_at), name, ends_at)
    })
}

/// A row of the scoreboard with the name of its team.
struct RankedRow<'r> {
    index: usize,
    row: &'r TeamRow,
    name: String,
}

impl<'r> RankedRow<'r> {
    /// Returns the rows of teams that are not hidden, by rank. Teams that share a name get their id
    /// behind it.
    fn find_all(icpc: &'r Icpc, warnings: &mut Vec<String>) -> LocatedResult<Vec<Self>> {
        let teams: HashMap<&str, &Team> = icpc.teams.iter().map(|t| (&*t.id, t)).collect();
        let mut sharing: HashMap<Cow<'_, str>, u32> = HashMap::new();
        let mut visible_rows = Vec::new();
        let mut hidden = 0;
        for (index, row) in icpc.scoreboard.rows.iter().enumerate() {
            let at = |field| Location::JsonPath(format!("scoreboard.rows[{index}].{field}"));
            if row.rank == 0 {
                return Err((at("rank"), "rank must be at least 1".to_owned()));
            }
            let Some(team) = teams.get(&*row.team_id) else {
                let reason = format!("team {} is not among the teams", Quoted(&row.team_id));
                return Err((at("team_id"), reason));
            };
            if team.hidden {
                hidden += 1;
                continue;
            }
            *sharing.entry(team.public_name()).or_default() += 1;
            visible_rows.push((index, row, team));
        }
        if hidden > 0 {
            warnings.push(format!("rows of hidden teams are left out: {hidden}"));
        }
        let shared = sharing.values().filter(|count| **count > 1).count();
        if shared > 0 {
            warnings.push(format!(
                "teams that share a name have their id behind it; such names: {shared}"
            ));
        }
        let ranked_rows = visible_rows.into_iter().map(|(index, row, team)| Self {
            index,
            row,
            name: match sharing.get(&team.public_name()) {
                Some(2..) => format!("{} (id {})", team.public_name(), team.id),
                _ => team.public_name().into_owned(),
            },
        });
        let mut rows: Vec<Self> = ranked_rows.collect();
        rows.sort_by_key(|ranked| ranked.row.rank);
        Ok(rows)
    }
}

/// Returns the start, if the contest has one, and the end: the start from the options is that of a
/// contest without one.
fn contest_times(
    contest: &ContestInfo,
    options: &ReadOptions,
) -> LocatedResult<(Option<ContestTime>, ContestTime)> {
    let at = || Location::JsonPath("contest.start_time".to_owned());
    let start = match &contest.start_time {
        None => options.start.map(ContestTime::get).ok_or_else(|| {
            let reason = "the contest has no start_time; pass --start".to_owned();
            (at(), reason)
        })?,
        Some(text) => {
            let moment = text.parse::<jiff::Timestamp>().map_err(|_| {
                let quoted = Quoted(text);
                let reason = format!("{quoted} is not a time such as 2024-05-04T10:00:00+02:00");
                (at(), reason)
            })?;
            moment.as_second()
        }
    };
    let duration = parse_duration(&contest.duration, "contest.duration".to_owned())?;
    let outside = || (at(), "the contest lies outside 1583 to 2199".to_owned());
    let starts_at = ContestTime::new(start).ok_or_else(outside)?;
    let ends_at = ContestTime::new(start + duration as i64).ok_or_else(outside)?;
    Ok((Some(starts_at), ends_at))
}

/// Parses a duration of the API, `5:00:00` or `0:03:38.749`, to seconds.
fn parse_duration(text: &str, path: String) -> LocatedResult<f64> {
    sum_duration(text).ok_or_else(|| {
        let reason = format!("{} is not a duration such as 5:00:00", Quoted(text));
        (Location::JsonPath(path), reason)
    })
}

fn sum_duration(text: &str) -> Option<f64> {
    fn number(part: &str) -> Option<f64> {
        // Rust parses signs, exponents and "inf" too.
        let is_plain = part.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        part.parse().ok().filter(|_| is_plain)
    }
    let parts: Vec<&str> = text.split(':').collect();
    let [hours, minutes, seconds] = parts[..] else {
        return None;
    };
    let minutes = number(minutes)?;
    let seconds = number(seconds)?;
    (hours.len() <= 6 && minutes < 60.0 && seconds < 60.0).then_some(())?;
    Some(number(hours)? * 3600.0 + minutes * 60.0 + seconds)
}
