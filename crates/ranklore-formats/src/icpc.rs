//! The scoreboard of one contest, as `DOMjudge` and other servers of the ICPC contest API publish it.
//!
//! The API has a file for each of its endpoints; a document holds three of them:
//! `{"contest": {…}, "teams": […], "scoreboard": {…}}`.
//! Source: Contest API, <https://ccs-specs.icpc.io>, endpoints contests, teams and scoreboard.

use std::collections::HashMap;

use ranklore_contest::{
    Annotations, Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome, Quoted, ResultState,
    id_from_name, renumber_places,
};
use serde::Deserialize;

use crate::json::object::{LocatedResult, read_object};
use crate::options::ReadOptions;
use crate::reading::{Candidates, FileReadError, Location, RefusedEntry};

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
    fn shown_name(&self) -> &str {
        let displayed = self.display_name.as_deref();
        displayed
            .filter(|name| !name.trim().is_empty())
            .unwrap_or(&self.name)
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
    /// Of contests with points in place of solved problems.
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
    let mut found = Candidates::default();
    let refusal = match read_object::<Icpc>(bytes, "contest, teams and scoreboard")? {
        Err(refusal) => (None, refusal),
        Ok(icpc) => {
            let name = icpc.contest.formal_name.as_ref();
            let name = name.filter(|name| !name.trim().is_empty());
            let name = name.unwrap_or(&icpc.contest.name).clone();
            match build_contest(&icpc, &name, options, &mut found.warnings) {
                Ok(contest) => {
                    let state = &icpc.scoreboard.state;
                    let state = if state.finalized.is_some() && !state.is_frozen() {
                        ResultState::Final
                    } else {
                        ResultState::Provisional
                    };
                    let annotations = Annotations {
                        state,
                        ..Annotations::default()
                    };
                    found.annotations.insert(0, annotations);
                    found.add_contest(Location::Whole, &contest);
                    return Ok(found);
                }
                Err(refusal) => (Some(name), refusal),
            }
        }
    };
    let (contest, (at, why)) = refusal;
    found.refused.push(RefusedEntry { at, contest, why });
    Ok(found)
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
        let why = "the contest has not ended; import its scoreboard when it has".to_owned();
        return Err((Location::JsonPath("scoreboard.state.ended".to_owned()), why));
    }
    if state.is_frozen() {
        warnings.push("the scoreboard is frozen: it lacks the results of the last part".to_owned());
    }
    let rows = RankedRow::find_all(icpc, warnings)?;
    let (places, _) = renumber_places(rows.iter().map(|of| of.row.rank));
    let entrants = rows.iter().zip(places).map(|(of, place)| {
        let score = &of.row.score;
        Ok(Entrant {
            competitor: of.name.clone(),
            kind: EntrantKind::Team,
            outcome: EntrantOutcome::Finished(place),
            score: score.num_solved.or(score.score),
            penalty: match &score.total_time {
                None => None,
                Some(Penalty::Minutes(minutes)) => Some(*minutes),
                Some(Penalty::Duration(text)) => {
                    let path = format!("scoreboard.rows[{}].score.total_time", of.index);
                    Some(parse_duration(text, path)? / 60.0)
                }
            },
            side: None,
            members: Vec::new(),
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
        let teams = icpc.teams.iter().map(|team| (&*team.id, team));
        let teams: HashMap<&str, &Team> = teams.collect();
        let mut sharing: HashMap<&str, u32> = HashMap::new();
        let (mut rows, mut hidden) = (Vec::new(), 0);
        for (index, row) in icpc.scoreboard.rows.iter().enumerate() {
            let at = |field| Location::JsonPath(format!("scoreboard.rows[{index}].{field}"));
            if row.rank == 0 {
                return Err((at("rank"), "rank must be at least 1".to_owned()));
            }
            let Some(team) = teams.get(&*row.team_id) else {
                let why = format!("team {} is not among the teams", Quoted(&row.team_id));
                return Err((at("team_id"), why));
            };
            if team.hidden {
                hidden += 1;
                continue;
            }
            *sharing.entry(team.shown_name()).or_default() += 1;
            rows.push((index, row, team));
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
        let named = rows.into_iter().map(|(index, row, team)| Self {
            index,
            row,
            name: match sharing.get(team.shown_name()) {
                Some(2..) => format!("{} (id {})", team.shown_name(), team.id),
                _ => team.shown_name().to_owned(),
            },
        });
        let mut rows: Vec<Self> = named.collect();
        rows.sort_by_key(|of| of.row.rank);
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
            let why = "the contest has no start_time; pass --start".to_owned();
            (at(), why)
        })?,
        Some(text) => {
            let moment = text.parse::<jiff::Timestamp>().map_err(|_| {
                let why = format!(
                    "{} is not a time such as 2024-05-04T10:00:00+02:00",
                    Quoted(text)
                );
                (at(), why)
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
    let parts: Vec<&str> = text.split(':').collect();
    let number = |part: &str| {
        let digits = part
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
        part.parse::<f64>().ok().filter(|_| digits)
    };
    let seconds = match parts[..] {
        [hours, minutes, seconds] if hours.len() <= 6 => (|| {
            let (minutes, seconds) = (number(minutes)?, number(seconds)?);
            (minutes < 60.0 && seconds < 60.0).then_some(())?;
            Some(number(hours)? * 3600.0 + minutes * 60.0 + seconds)
        })(),
        _ => None,
    };
    seconds.ok_or_else(|| {
        let why = format!("{} is not a duration such as 5:00:00", Quoted(text));
        (Location::JsonPath(path), why)
    })
}
