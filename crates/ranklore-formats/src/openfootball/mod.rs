//! The matches of a season or a tournament, in the JSON and in the text of openfootball.

pub(crate) mod json;
mod lines;
mod results;
pub(crate) mod text;

use std::borrow::Cow;

use ranklore_contest::{
    BETWEEN_PLAYERS, Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome, Place, Quoted,
    Side,
};
use ranklore_grid::{Location, ReadLimits, normalise_spelling};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::options::ReadOptions;
use crate::reading::{Candidates, LocatedResult};
use crate::values::dates::{DateRules, find_date};

/// A match. Unknown fields of JSON, such as goals by player, are ignored.
#[derive(Default, Deserialize)]
struct Match {
    num: Option<i64>,
    round: Option<String>,
    date: Option<String>,
    team1: TeamName,
    team2: TeamName,
    score: Option<Score>,
    score1: Option<u32>,
    score2: Option<u32>,
    score1et: Option<u32>,
    score2et: Option<u32>,
    score1p: Option<u32>,
    score2p: Option<u32>,
    group: Option<IgnoredAny>,
    ground: Option<IgnoredAny>,
    stadium: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a team is a name, or an object with a name")]
enum TeamName {
    Name(String),
    Team { name: String },
}

impl Default for TeamName {
    fn default() -> Self {
        Self::Name(String::new())
    }
}

impl TeamName {
    fn name(&self) -> Cow<'_, str> {
        let (Self::Name(name) | Self::Team { name }) = self;
        normalise_spelling(name.trim())
    }
}

/// The goals of both teams at full time, after extra time and in the penalty shoot-out.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
struct Score {
    ft: Option<[u32; 2]>,
    et: Option<[u32; 2]>,
    p: Option<[u32; 2]>,
}

impl Score {
    /// Returns the goals that decide the match. Those of a shoot-out do not count.
    fn goals(&self) -> Option<[u32; 2]> {
        self.et.or(self.ft)
    }
}

impl Match {
    /// Returns the score, also that of the older form.
    fn score(&self) -> Score {
        let score = self.score.as_ref();
        let both = |first: Option<u32>, second: Option<u32>| Some([first?, second?]);
        Score {
            ft: score.and_then(|s| s.ft).or(both(self.score1, self.score2)),
            et: score.and_then(|s| s.et).or(both(self.score1et, self.score2et)),
            p: score.and_then(|s| s.p).or(both(self.score1p, self.score2p)),
        }
    }

    /// True if the match has a field that matches of a tournament on neutral grounds have.
    const fn is_of_tournament(&self) -> bool {
        self.group.is_some() || self.ground.is_some() || self.stadium.is_some()
    }
}

/// A match that has a score, with its location and the round that it is listed in.
struct PlayedMatch<'d> {
    at: Location,
    round: Option<Cow<'d, str>>,
    game: Match,
}

/// Adds the contests of matches of one event, and a note of those that penalties decided.
fn add_contests(candidates: &mut Candidates, played: Vec<PlayedMatch<'_>>, event: &str) {
    // One match of a tournament is enough: the teams of all may play on neutral grounds.
    let has_sides = !played.iter().any(|p| p.game.is_of_tournament());
    let mut shoot_outs = 0_usize;
    for PlayedMatch { at, round, game } in played {
        match build_contest(&game, &at, has_sides) {
            Ok(mut contest) => {
                shoot_outs += usize::from(game.score().p.is_some());
                contest.event = Some(event.to_owned());
                let round = game.round.as_deref().or(round.as_deref());
                contest.ordinal = game.num.or_else(|| round.and_then(find_round_number));
                candidates.add_contest(at, &contest);
            }
            Err(refusal) => {
                let name = format!("{} – {}", game.team1.name(), game.team2.name());
                candidates.refuse(Some(name), refusal);
            }
        }
    }
    if shoot_outs > 0 {
        candidates
            .warnings
            .push(format!("matches decided by penalties count as draws: {shoot_outs}"));
    }
}

/// Adds a note of matches without a score.
fn note_unplayed(candidates: &mut Candidates, unplayed: usize) {
    if unplayed > 0 {
        let note = format!("matches without a score are left out: {unplayed}");
        candidates.warnings.push(note);
    }
}

fn build_contest(game: &Match, at: &Location, has_sides: bool) -> LocatedResult<Contest> {
    let at = |field: &str| match at {
        Location::JsonPath(path) => Location::JsonPath(format!("{path}.{field}")),
        line => line.clone(),
    };
    let first = game.team1.name();
    let second = game.team2.name();
    for (field, name) in [("team1", &first), ("team2", &second)] {
        if name.is_empty() {
            return Err((at(field), "the name of the team is missing".to_owned()));
        }
    }
    if first == second {
        let reason = format!("{} plays against itself; correct one team", Quoted(&first));
        return Err((at("team2"), reason));
    }
    let ends_at = parse_date(game.date.as_deref()).map_err(|reason| (at("date"), reason))?;
    let goals = game.score().goals().unwrap_or_default();
    let sides = [Side::Home, Side::Away].map(|side| has_sides.then_some(side));
    let mut entrants: Vec<Entrant> = [&*first, &*second]
        .into_iter()
        .zip(goals)
        .zip(sides)
        .map(|((team, goals), side)| Entrant {
            kind: EntrantKind::Team,
            score: Some(f64::from(goals)),
            side,
            ..Entrant::person(team, EntrantOutcome::Finished(Place::from_entrants_above(0)))
        })
        .collect();
    // Entrants are in the order of their places.
    if goals[0] < goals[1] {
        entrants.reverse();
    }
    if goals[0] != goals[1]
        && let Some(loser) = entrants.last_mut()
    {
        loser.outcome = EntrantOutcome::Finished(Place::from_entrants_above(1));
    }
    let name = format!("{first}{BETWEEN_PLAYERS}{second}");
    Ok(Contest {
        entrants,
        ..Contest::new(format!("{ends_at} {name}"), name, ends_at)
    })
}

/// Parses a day such as 2023-08-11. Kick-off times are local and not read.
fn parse_date(date: Option<&str>) -> Result<ContestTime, String> {
    let date = date.unwrap_or_default().trim();
    if date.is_empty() {
        return Err("the date is missing; write it like 2024-03-01".to_owned());
    }
    let rules = DateRules::new(&ReadOptions::default(), ReadLimits::NEW);
    match find_date(date, rules) {
        Some(time) => time.map_err(|error| error.message(date)),
        None => Err(format!("{} is not a date; write it like 2024-03-01", Quoted(date))),
    }
}

/// Returns the only number in the name of a round, such as `Matchday 7`.
fn find_round_number(round: &str) -> Option<i64> {
    let mut numbers = round.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let number = numbers.next()?.parse().ok()?;
    numbers.next().is_none().then_some(number)
}
