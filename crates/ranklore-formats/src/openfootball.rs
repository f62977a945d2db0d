//! The matches of a season or a tournament, in the JSON of openfootball.
//!
//! `{"name": "…", "matches": [{"round", "date", "team1", "team2", "score": {"ft": [2, 1]}}, …]}`, or
//! the older form with `rounds`, which have the matches, and `score1` and `score2`.
//! Source: <https://github.com/openfootball/football.json>.

use std::borrow::Cow;

use ranklore_contest::{
    BETWEEN_PLAYERS, Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome, Place, Quoted,
    Side, describe_json_error,
};
use ranklore_grid::{FileReadError, Location, ReadLimits, normalise_spelling};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::json::object::read_object;
use crate::layouts::long::file_stem;
use crate::options::ReadOptions;
use crate::reading::{Candidates, LocatedResult};
use crate::values::dates::{DateRules, find_date};

/// A document. Matches are parsed one by one, so that an invalid one does not refuse the others.
#[derive(Deserialize)]
struct Season<'d> {
    name: Option<String>,
    #[serde(borrow, default)]
    matches: Vec<&'d RawValue>,
    #[serde(borrow, default)]
    rounds: Vec<Round<'d>>,
}

#[derive(Deserialize)]
struct Round<'d> {
    name: Option<String>,
    #[serde(borrow, default)]
    matches: Vec<&'d RawValue>,
}

/// A match. Unknown fields, such as goals by player, are ignored.
#[derive(Deserialize)]
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

impl TeamName {
    fn name(&self) -> Cow<'_, str> {
        let (Self::Name(name) | Self::Team { name }) = self;
        normalise_spelling(name.trim())
    }
}

/// The goals of both teams at full time, after extra time and in the penalty shoot-out.
#[derive(Default, Deserialize)]
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

/// True for an array of matches, or of rounds with matches.
pub(crate) fn are_matches(list: &str) -> bool {
    #[derive(Deserialize)]
    struct Teams {
        #[serde(rename = "team1")]
        _first: IgnoredAny,
        #[serde(rename = "team2")]
        _second: IgnoredAny,
    }
    fn begins_with_match(items: &[&RawValue]) -> bool {
        let first = items.first();
        first.is_some_and(|item| serde_json::from_str::<Teams>(item.get()).is_ok())
    }
    let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(list) else {
        return false;
    };
    begins_with_match(&items)
        || items.iter().any(|item| {
            let round = serde_json::from_str::<Round>(item.get());
            round.is_ok_and(|round| begins_with_match(&round.matches))
        })
}

/// Reads the matches of a document. Those without a score are left out and counted.
pub(crate) fn read(
    bytes: &[u8],
    file_name: &str,
    limits: ReadLimits,
) -> Result<Candidates, FileReadError> {
    let mut candidates = Candidates::default();
    let season = match read_object::<Season>(bytes, "matches or rounds")? {
        Ok(season) => season,
        Err(refusal) => {
            candidates.refuse(None, refusal);
            return Ok(candidates);
        }
    };
    let played = season.parse_played(limits, &mut candidates)?;
    // One match of a tournament is enough: the teams of all may play on neutral grounds.
    let has_sides = !played.iter().any(|p| p.game.is_of_tournament());
    let season_name = season.name.as_deref().map(str::trim);
    let event = season_name
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| file_stem(file_name));
    let mut shoot_outs = 0_usize;
    for PlayedMatch { path, round, game } in played {
        match build_contest(&game, &path, has_sides) {
            Ok(mut contest) => {
                shoot_outs += usize::from(game.score().p.is_some());
                contest.event = Some(event.to_owned());
                let round = game.round.as_deref().or(round);
                contest.ordinal = game.num.or_else(|| round.and_then(find_round_number));
                candidates.add_contest(Location::JsonPath(path), &contest);
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
    Ok(candidates)
}

/// A match that has a score, with its path in the document and the round that it is listed in.
struct PlayedMatch<'d> {
    path: String,
    round: Option<&'d str>,
    game: Match,
}

impl Season<'_> {
    /// Parses the matches that have a score. The invalid ones are refused, the others counted.
    fn parse_played(
        &self,
        limits: ReadLimits,
        candidates: &mut Candidates,
    ) -> Result<Vec<PlayedMatch<'_>>, FileReadError> {
        let mut played = Vec::new();
        let mut unplayed = 0_usize;
        for (path, round, raw) in self.all_matches() {
            match parse_match(raw, &path) {
                Ok(game) if game.score().goals().is_none() => unplayed += 1,
                Ok(game) => played.push(PlayedMatch { path, round, game }),
                Err(refusal) => candidates.refuse(None, refusal),
            }
            if played.len() > limits.results / 2 {
                let limit = limits.results / 2;
                return Err(FileReadError::whole_document(format!(
                    "the document has more than {limit} matches; split it"
                )));
            }
        }
        if unplayed > 0 {
            let note = format!("matches without a score are left out: {unplayed}");
            candidates.warnings.push(note);
        }
        Ok(played)
    }

    /// Returns the matches with their paths and rounds.
    fn all_matches(&self) -> impl Iterator<Item = (String, Option<&str>, &RawValue)> {
        let without_round = self
            .matches
            .iter()
            .enumerate()
            .map(|(index, raw)| (format!("matches[{index}]"), None, *raw));
        let in_rounds = self.rounds.iter().enumerate().flat_map(|(number, round)| {
            let matches = round.matches.iter().enumerate();
            matches.map(move |(index, raw)| {
                let path = format!("rounds[{number}].matches[{index}]");
                (path, round.name.as_deref(), *raw)
            })
        });
        without_round.chain(in_rounds)
    }
}

fn parse_match(raw: &RawValue, path: &str) -> LocatedResult<Match> {
    let mut deserializer = serde_json::Deserializer::from_str(raw.get());
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let at = match error.path().to_string().as_str() {
            "." => path.to_owned(),
            field => format!("{path}.{field}"),
        };
        (Location::JsonPath(at), describe_json_error(error.inner()))
    })
}

fn build_contest(game: &Match, path: &str, has_sides: bool) -> LocatedResult<Contest> {
    let at = |field: &str| Location::JsonPath(format!("{path}.{field}"));
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
