//! The matches of a season or a tournament, in the JSON of openfootball.
//!
//! `{"name": "…", "matches": [{"round", "date", "team1", "team2", "score": {"ft": [2, 1]}}, …]}`, or
//! the older form with `rounds`, which have the matches, and `score1` and `score2`.
//! Source: <https://github.com/openfootball/football.json>.

use std::borrow::Cow;

use ranklore_contest::describe_json_error;
use ranklore_grid::{FileReadError, Location, ReadLimits};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Match, PlayedMatch, add_contests, note_unplayed};
use crate::json::object::read_object;
use crate::layouts::long::file_stem;
use crate::reading::{Candidates, LocatedResult};

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
    let season_name = season.name.as_deref().map(str::trim);
    let event = season_name
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| file_stem(file_name));
    add_contests(&mut candidates, played, event);
    Ok(candidates)
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
                Ok(game) => played.push(PlayedMatch {
                    at: Location::JsonPath(path),
                    round: round.map(Cow::Borrowed),
                    game,
                }),
                Err(refusal) => candidates.refuse(None, refusal),
            }
            if played.len() > limits.results / 2 {
                let limit = limits.results / 2;
                return Err(FileReadError::whole_document(format!(
                    "the document has more than {limit} matches; split it"
                )));
            }
        }
        note_unplayed(candidates, unplayed);
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
